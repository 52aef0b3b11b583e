"""Writes a small checkpoint (asr/checkpoint/checkpoint.h) for the tests with hostile files.

Usage: python3 tools/golden/checkpoint_seed.py asr/checkpoint/testdata/checkpoint   (needs nothing else)
"""
import json
import os
import struct
import sys

from crc32c import crc32c

tensors = {"lstm.weight_ih_l0": ([4, 2], [0.5, -0.25, 1.0, 2.0, -3.0, 0.125, 7.0, -1e-3]), "output.bias": ([3], [0.0, 1.5, -1.5])}
header = {"__metadata__": {"crc32c": "00000000", "state": "format: 1 epoch: 2 step: 17", "step": "17"}}
data = b""
for name, (shape, values) in tensors.items():
    begin = len(data)
    data += struct.pack("<%df" % len(values), *values)
    header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, len(data)]}
text = json.dumps(header, separators=(",", ":")).encode()
text += b" " * (-len(text) % 8)
content = struct.pack("<Q", len(text)) + text + data
content = content.replace(b'"00000000"', b'"%08x"' % crc32c(content))
os.makedirs(sys.argv[1], exist_ok=True)
with open(os.path.join(sys.argv[1], "small.safetensors"), "wb") as f:
    f.write(content)
