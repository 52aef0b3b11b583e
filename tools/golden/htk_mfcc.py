"""Writes data/testdata/htk_mfcc_golden.txt: the first frames of HTK 3.4's MFCC output with the samples they come from.

    EARSHOT_DATA=... python3 tools/golden/htk_mfcc.py > data/testdata/htk_mfcc_golden.txt

Needs htk/ of the shared data (a recording and HTK's output from Kaldi's feature tests, Apache-2.0). The recording's
beginning, so that HTK's rule for the deltas of the first frames is in it; the last 4 frames of the samples have no line,
because their deltas depend on what follows.
"""
import os
import struct
import wave

FRAMES, REACH, WINDOW, SHIFT = 8, 4, 400, 160
htk = os.path.join(os.environ["EARSHOT_DATA"], "htk")

with wave.open(os.path.join(htk, "test.wav")) as w:
    raw = w.readframes((FRAMES + REACH - 1) * SHIFT + WINDOW)
samples = struct.unpack(f"<{len(raw) // 2}h", raw)
print("# From test.wav and test.wav.fea_htk.N of Kaldi's feature tests, Apache-2.0 (NOTICE). Made by htk_mfcc.py.")
print(len(samples), FRAMES)
for i in range(0, len(samples), 20):
    print(" ".join(map(str, samples[i:i + 20])))
for n in range(1, 7):
    with open(os.path.join(htk, f"test.wav.fea_htk.{n}"), "rb") as f:
        data = f.read()
    count, period, size, kind = struct.unpack(">iihH", data[:12])
    # MFCC with _D (0o400) and _A (0o1000), and _0 (0o20000) or _E (0o100).
    assert period == 100000 and kind in (6 | 0o1400 | 0o20000, 6 | 0o1400 | 0o100), oct(kind)
    print("mfcc", n, size // 4)
    for t in range(FRAMES):
        print(" ".join(f"{v:.6g}" for v in struct.unpack(f">{size // 4}f", data[12 + t * size:12 + (t + 1) * size])))
