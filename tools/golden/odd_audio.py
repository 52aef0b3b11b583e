"""Writes data/testdata/odd_audio_golden.txt: what the recordings of other projects' tests hold, or why none can be read,
and what the files of audio_seeds.py hold (SPHERE by sox).

    pip install numpy scipy soundfile
    EARSHOT_DATA=... python3 tools/golden/odd_audio.py > data/testdata/odd_audio_golden.txt

Needs odd/ of the shared data: test recordings of hound (a WAV library in Rust) and of scipy. Values are libsndfile's;
where it cannot read a file, scipy's; and for 24-bit samples at the lower end of 4 bytes, which libsndfile takes for packed
or for 32-bit ones, those that hound's own tests state.

A line is `read FILE RATE CHANNELS FRAMES STEP SUM`, followed by a line with the mean of the channels of every STEP-th
frame in 16-bit scale (SUM is over all frames), or `refused FILE` and a line with a part of the error.
"""
import os
import subprocess
import warnings

import numpy as np
import soundfile
from scipy.io import wavfile

ODD = os.path.join(os.environ["EARSHOT_DATA"], "odd")
HOUND_24_IN_32 = np.array([[-96, 23052], [8388607, -8360672]])  # hound's test of both files
LOWER_END = {"pcmwaveformat-24bit-4byte-48kHz-stereo.wav", "waveformatextensible-24bit-4byte-48kHz-stereo.wav"}
REFUSED = {
    "crash-24728523ef4be15c838293b676f6853e73723bf4.wav": 'byte 16: expected a "fmt " chunk of at most 17 bytes',
    "crash-cbd757427cea12bd8a21f86cd8cf74d98ce56bee.wav": 'byte 16: expected a "fmt " chunk of at most 19 bytes',
    "crash-e879de4eb4d206c59e21f0e01def16457af80fdc.wav": 'expected a "fmt " chunk, found',
    "test-44100Hz-le-1ch-4bytes-early-eof-no-data.wav": 'byte 72: expected a "data" chunk, found the end of the file',
    "test-44100Hz-le-1ch-4bytes-incomplete-chunk.wav": 'byte 12: expected a "fmt " chunk, found an incomplete chunk',
}


def scipys(path):
    rate, samples = wavfile.read(path)
    samples = samples.reshape(len(samples), -1)
    full = {"i": lambda: -float(np.iinfo(samples.dtype).min), "u": lambda: 128.0, "f": lambda: 1.0}
    offset = 128.0 if samples.dtype == np.uint8 else 0.0
    return rate, (samples.astype(np.float64) - offset) / full[samples.dtype.kind]()


def read(path):
    if os.path.basename(path) in LOWER_END:
        with open(path, "rb") as file:
            quads = np.frombuffer(file.read()[-16:], "<i4")
        assert (((quads << 8) >> 8) == HOUND_24_IN_32.ravel()).all()
        return 48000, HOUND_24_IN_32 / 2.0**23
    by_scipy = scipys(path)
    try:
        samples, rate = soundfile.read(path, dtype="float64", always_2d=True)
    except soundfile.LibsndfileError:
        return by_scipy
    assert rate == by_scipy[0] and np.abs(samples - by_scipy[1]).max() == 0, path
    return rate, samples


def by_sox(path):
    count = {flag: int(subprocess.check_output(["soxi", "-" + flag, path], stderr=subprocess.DEVNULL)) for flag in "rc"}
    raw = subprocess.check_output(["sox", "-D", path, "-t", "raw", "-e", "float", "-b", "64", "-"], stderr=subprocess.DEVNULL)
    return np.frombuffer(raw).reshape(-1, count["c"]), count["r"]


def print_read(name, rate, samples):
    mean = samples.mean(axis=1) * 32768
    step = 1 + len(mean) // 256
    print(f"read {name} {rate} {samples.shape[1]} {len(mean)} {step} {mean.sum():.9g}")
    print(" ".join(f"{v:.9g}" for v in mean[::step]))


def refused_by_others(path):
    for reader in (wavfile.read, soundfile.read):
        try:
            reader(path)
            return False
        except Exception:  # noqa: BLE001: each library has its own kinds
            pass
    return True


warnings.simplefilter("ignore")
print("# Recordings of the tests of hound and scipy. Made by tools/golden/odd_audio.py, which says what the lines are.")
for folder in ("hound", "scipy"):
    for name in sorted(os.listdir(os.path.join(ODD, folder))):
        if not name.endswith(".wav"):
            continue
        path = os.path.join(ODD, folder, name)
        if name in REFUSED:
            assert refused_by_others(path)
            print(f"refused {folder}/{name}\n{REFUSED[name]}")
            continue
        print_read(f"{folder}/{name}", *read(path))
SEEDS = "data/testdata/audio"
for name in sorted(os.listdir(SEEDS)):
    path = os.path.join(SEEDS, name)
    if name.endswith(".sph"):  # libsndfile reads neither headers of other lengths than 1024 nor 24 bits
        samples, rate = by_sox(path)
    else:
        samples, rate = soundfile.read(path, dtype="float64", always_2d=True)
    print_read(f"{SEEDS}/{name}", rate, samples)
