"""Loads a checkpoint with the safetensors package and torch, as another program would, and runs its network.

Usage: python3 tools/check_checkpoint.py CHECKPOINT...

Optional: needs the Python packages safetensors and torch (0.8.0 and 2.15 were used). For each file it checks the
CRC-32C, feeds the tensors under "lstm." to torch.nn.LSTM.load_state_dict(strict=True) and those under "output." to
torch.nn.Linear, and prints the sizes it found. Levels of different sizes are loaded one by one.
"""
import re
import sys

import torch
from safetensors import safe_open


def crc32c(data):
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def check(path):
    with safe_open(path, "pt") as f:
        metadata = f.metadata()
        tensors = {name: f.get_tensor(name) for name in f.keys()}
    with open(path, "rb") as f:
        data = f.read()
    assert int.from_bytes(data[:8], "little") % 8 == 0, "data are not aligned"
    digits = metadata["crc32c"].encode()
    at = data.index(digits)
    assert crc32c(data[:at] + b"0" * 8 + data[at + 8:]) == int(digits, 16), "CRC-32C"

    levels = 1 + max(int(re.search(r"_l(\d+)", name)[1]) for name in tensors if name.startswith("lstm."))
    x = torch.zeros(1, 10, tensors["lstm.weight_ih_l0"].shape[1])
    for level in range(levels):
        state = {}
        for name, value in tensors.items():
            match = re.fullmatch(r"lstm\.((?:weight|bias)_[ih]h_l)(\d+)(_reverse)?", name)
            if match and int(match[2]) == level:
                state[match[1] + "0" + (match[3] or "")] = value
        hidden = state["weight_hh_l0"].shape[1]
        bidirectional = "weight_ih_l0_reverse" in state
        lstm = torch.nn.LSTM(x.shape[2], hidden, bidirectional=bidirectional, batch_first=True)
        lstm.load_state_dict(state, strict=True)
        print(f"{path}: level {level}: {x.shape[2]} -> {'2 x ' if bidirectional else ''}{hidden}")
        x = lstm(x)[0]
    has_bias = "output.bias" in tensors
    output = torch.nn.Linear(x.shape[2], tensors["output.weight"].shape[0], bias=has_bias)
    output.load_state_dict({k[len("output."):]: v for k, v in tensors.items() if k.startswith("output.")}, strict=True)
    logits = output(x)
    assert torch.isfinite(logits).all()
    print(f"{path}: {len(tensors)} tensors, step {metadata['step']}, logits {list(logits.shape)}: ok")


for checkpoint in sys.argv[1:]:
    check(checkpoint)
