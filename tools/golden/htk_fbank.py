"""Writes data/testdata/htk_fbank_golden.txt: three frames of HTK 3.4's FBANK output with the samples they come from.

    EARSHOT_DATA=... python3 tools/golden/htk_fbank.py > data/testdata/htk_fbank_golden.txt

Needs htk/ of the shared data (a recording and HTK's output from Kaldi's feature tests, Apache-2.0).
"""
import os
import struct
import wave

FIRST, FRAMES, WINDOW, SHIFT = 60, 3, 400, 160
htk = os.path.join(os.environ["EARSHOT_DATA"], "htk")

with wave.open(os.path.join(htk, "test.wav")) as w:
    raw = w.readframes(w.getnframes())
first = FIRST * SHIFT
samples = struct.unpack(f"<{len(raw) // 2}h", raw)[first:first + (FRAMES - 1) * SHIFT + WINDOW]
print("# From test.wav and test.wav.fbank_htk.N of Kaldi's feature tests, Apache-2.0 (NOTICE). Made by htk_fbank.py.")
print(len(samples), FRAMES)
for i in range(0, len(samples), 20):
    print(" ".join(map(str, samples[i:i + 20])))
for n in (1, 2, 3, 4):
    with open(os.path.join(htk, f"test.wav.fbank_htk.{n}"), "rb") as f:
        data = f.read()
    count, period, size, kind = struct.unpack(">iihh", data[:12])
    assert (period, kind) == (100000, 7), "10 ms, FBANK"
    bins = size // 4
    print("fbank", n, bins)
    for t in range(FIRST, FIRST + FRAMES):
        print(" ".join(f"{v:.6f}" for v in struct.unpack(f">{bins}f", data[12 + t * size:12 + (t + 1) * size])))
