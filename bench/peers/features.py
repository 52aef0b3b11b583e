"""Times making features of audio: //bench:features beside kaldi_native_fbank, interleaved, on one thread.

Usage: tools/bazel build //bench:features
       python3 bench/peers/features.py [bazel-bin/bench/features] [seconds of audio: 60] [rounds: 9]

Needs numpy and kaldi_native_fbank. Both make the same features of the same noise; their means must agree. Each round makes
them once with each, in random order; the median of the rounds is printed. kaldi_native_fbank takes samples as a Python
list (its fastest way in): its figure holds the conversion, which a line of its own bounds from above.
"""
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import wave

import kaldi_native_fbank as knf
import numpy as np

FEATURES = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "bazel-bin/bench/features")
SECONDS = int(sys.argv[2]) if len(sys.argv) > 2 else 60
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 9
RATE = 16000
KINDS = {"log_mel_41": "delta_order: 0", "log_mel_123": "", "mfcc_13": "kind: MFCC num_mel_bins: 23 delta_order: 0",
         "mfcc_39": "kind: MFCC num_mel_bins: 23"}


def ours(path, text):
    # The first time allocates.
    out = subprocess.run([FEATURES, "--wav=" + path, "--features=" + text, "--rounds=2"], check=True,
                         stdout=subprocess.PIPE).stdout.split(b"\n")[1].split()
    return float(out[0]), (int(out[1]), int(out[2])), float(out[3])


def options(kind):
    o = knf.MfccOptions() if kind.startswith("mfcc") else knf.FbankOptions()
    o.frame_opts.dither = 0
    o.mel_opts.num_bins = 23 if kind.startswith("mfcc") else 40
    o.use_energy = True
    return o


def theirs(samples, kind):
    make = knf.OnlineMfcc if kind.startswith("mfcc") else knf.OnlineFbank
    begin = time.perf_counter()
    computer = make(options(kind))
    computer.accept_waveform(RATE, samples)
    computer.input_finished()
    features = np.stack([computer.get_frame(i) for i in range(computer.num_frames_ready)])
    if kind in ("log_mel_123", "mfcc_39"):
        features = knf.compute_deltas(knf.DeltaOptions(order=2, window=2), features)
    return time.perf_counter() - begin, features.shape, float(features.mean(dtype=np.float64))


def conversion(samples):
    begin = time.perf_counter()
    knf.OnlineRawAudioSamples(knf.RawAudioSamplesOptions()).accept_waveform(RATE, samples)
    return time.perf_counter() - begin


def main():
    noise = np.rint(np.random.default_rng(1).normal(size=SECONDS * RATE) * 1000).astype(np.int16)
    samples = noise.astype(np.float32).tolist()
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/noise.wav"
        with wave.open(path, "wb") as w:
            w.setparams((1, 2, RATE, 0, "NONE", ""))
            w.writeframes(noise.tobytes())
        rows = {}
        for kind, text in KINDS.items():
            rows["earshot", kind] = lambda text=text: ours(path, text)
            rows["kaldi_native_fbank", kind] = lambda kind=kind: theirs(samples, kind)
        seconds = {name: [] for name in rows}
        converted = []
        order = list(rows)
        for i in range(ROUNDS):
            random.Random(i).shuffle(order)
            results = {name: rows[name]() for name in order}
            converted.append(conversion(samples))
            for name in order:
                seconds[name].append(results[name][0])
            for kind in KINDS:
                (_, shape, mean), (_, other_shape, other_mean) = results["earshot", kind], results["kaldi_native_fbank", kind]
                if shape != other_shape or abs(mean - other_mean) > 1e-3:
                    sys.exit(f"error: {kind}: {shape} with mean {mean} here, {other_shape} with {other_mean} there")
    print(f"{SECONDS} s of audio at {RATE} Hz, one thread, median of {ROUNDS} rounds")
    for kind in KINDS:
        medians = {who: statistics.median(seconds[who, kind]) for who in ("earshot", "kaldi_native_fbank")}
        for who, median in medians.items():
            print(f"{kind:12} {who:20} {median * 1e3:8.1f} ms {SECONDS / median:7.0f} times real time"
                  f" {median / medians['earshot']:6.2f}x")
    print(f"{'conversion':12} {'kaldi_native_fbank':20} {statistics.median(converted) * 1e3:8.1f} ms at most, of each of its rows")


if __name__ == "__main__":
    main()
