"""Damages small files at random and lets our readers and other people's read them: kaldiio, numpy, safetensors, libsndfile.

Usage: tools/bazel build //tools/differential:read_files
       python3 tools/differential/differential.py [format ...] [--count=2000] [--seed=1] [--show=3]

Needs numpy and the packages of the formats asked for (kaldiio, safetensors, soundfile); one that is missing is skipped.
Prints a line a format: files that both read with equal values, both refused, only they read, only we read, and both
read with different values. What only we read, or read otherwise, must be for a reason of the list below; else exit 1.
"""
import argparse
import glob
import os
import random
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile

import numpy as np

MAX_SEED_BYTES = 2048

SEEDS = {
    "npy": ["data/testdata/archives/*.npy"],
    "ark": ["data/testdata/archives/*.ark"],
    "htk": ["data/testdata/archives/*.htk"],
    "safetensors": ["asr/checkpoint/testdata/*.safetensors"],
    "audio": ["data/testdata/audio/*." + end for end in ("wav", "aiff", "aifc")],
}

# Of the largest magnitude in the array: kaldiio unpacks compressed matrices in other steps than Kaldi, whose bits we have.
TOLERANCE = {"ark": 1e-5, "audio": 1e-6}

# Why we may read what they refuse, or read it otherwise: (format, what their message or both answers match, reason).
REASONS = [
    ("ark", r"\| ok.*inf", "a compressed matrix with a huge range: kaldiio's arithmetic gives NaN, Kaldi's infinity"),
    ("ark", r"(^|[ \n])\n", "white space in front of a key is no part of it"),
    ("audio", r"^ok \d+(:\S+) \| ok \d+\1$", "an AIFF rate that is no whole number is rounded; libsndfile cuts it"),
    ("audio", r"(data' chunk marker|internal error|count is zero).*\| ok", "a chunk of an unknown name is skipped; RF64 without ds64 goes to the end"),
    ("audio", r"^ok \d+:0:? *\| ok", "a data chunk of size 0 with bytes behind it was written to a pipe"),
]


def describe(name, array):
    """As read_files prints a matrix of floats."""
    with np.errstate(all="ignore"):
        values = np.asarray(array).astype(np.float32)
    return " %s:%s:%s" % (name, "x".join(map(str, values.shape)), ",".join("%.9g" % v for v in values.ravel()))


def matrix(array):
    if array.ndim not in (1, 2):
        raise ValueError("%d dimensions" % array.ndim)
    return array.reshape(1, -1) if array.ndim == 1 else array


def read_npy(path):
    return describe("", matrix(np.load(path, allow_pickle=False)))


def read_ark(path):
    import kaldiio

    out = ""
    for key, value in kaldiio.load_ark(path):
        out += describe(key, matrix(value))
    return out


def read_htk(path):
    """The HTK Book's own words, in numpy: there is no package to hand."""
    content = open(path, "rb").read()
    frames, shift, size, kind = struct.unpack(">iihH", content[:12])
    if frames < 0 or size <= 0 or kind & 0x3F not in (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12) or kind & 0x4000:
        raise ValueError("header")
    body = content[12:-2] if kind & 0x1000 else content[12:]
    if kind & 0x400:
        columns = size // 2
        scale, bias = np.frombuffer(body[: 8 * columns], ">f4").reshape(2, columns)
        rows = np.frombuffer(body[8 * columns :], ">i2").reshape(frames - 4, columns)
        with np.errstate(all="ignore"):
            return describe("", (rows + bias) / scale)
    if kind & 0x3F == 5:
        return describe("", np.frombuffer(body, ">i2").reshape(frames, size // 2) / np.float32(32767))
    return describe("", np.frombuffer(body, ">f4").reshape(frames, size // 4))


def read_safetensors(path):
    import safetensors.numpy

    content = open(path, "rb").read()
    tensors = safetensors.numpy.load(content)
    return "".join(sorted(
        " %s:%s:%s" % (name, "x".join(map(str, t.shape)), t.tobytes().hex()) for name, t in tensors.items()))


def read_audio(path):
    import soundfile

    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    with np.errstate(all="ignore"):
        mean = samples.mean(axis=1, dtype=np.float32) * np.float32(32768)
    if not np.isfinite(mean).all():
        raise ValueError("a sample that is not finite")
    return describe(rate, mean)


PEERS = {"npy": read_npy, "ark": read_ark, "htk": read_htk, "safetensors": read_safetensors, "audio": read_audio}


def in_child(read, path):
    """("ok", what was read) or ("refused", message), whatever happens to the process."""
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receive)
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        signal.alarm(10)
        try:
            answer = "ok" + read(path)
        except BaseException as e:
            answer = "refused %s: %s" % (type(e).__name__, str(e)[:200].replace("\n", " "))
        with os.fdopen(send, "wb") as out:
            out.write(answer.encode("utf-8", "replace"))
        os._exit(0)
    os.close(send)
    answer = b""
    while True:
        block = os.read(receive, 65536)
        if not block:
            break
        answer += block
    os.close(receive)
    _, status = os.waitpid(child, 0)
    return answer.decode("utf-8", "replace") if status == 0 else "refused: died with status %d" % status


def damage(content, rng):
    content = bytearray(content)
    at = rng.randrange(len(content))
    kind = rng.choice(["bit", "bit", "bit", "byte", "window", "window", "cut", "delete", "digit"])
    if kind == "bit":
        content[at] ^= 1 << rng.randrange(8)
    elif kind == "byte":
        content[at] = rng.randrange(256)
    elif kind == "window":
        size = rng.choice([1, 2, 4, 8])
        value = rng.choice([0, 1, -1, 127, 2 ** (8 * size - 1) - 1, -(2 ** (8 * size - 1))])
        value = value.to_bytes(size, rng.choice(["little", "big"]), signed=value < 0)
        content[at : at + size] = value[: len(content) - at]
    elif kind == "cut":
        del content[at:]
    elif kind == "delete":
        del content[at]
    else:
        digits = [i for i, c in enumerate(content) if 0x30 <= c <= 0x39]
        if digits:
            content[rng.choice(digits)] = ord(rng.choice("0123456789"))
    return bytes(content)


def parts(answer):
    """name -> (shape, values), empty arrays all alike."""
    out = {}
    for part in answer[2:].split(" "):
        if part:
            name, shape, values = part.rsplit(":", 2)
            out[name] = (shape if values else "empty", values)
    return out


def same(format_name, ours, theirs):
    ours, theirs = parts(ours), parts(theirs)
    if ours.keys() != theirs.keys():
        return False
    for name, (shape, values) in ours.items():
        other_shape, other_values = theirs[name]
        if shape != other_shape:
            return False
        if values == other_values:
            continue
        if format_name not in TOLERANCE:
            return False
        a, b = (np.array(v.split(","), np.float32) for v in (values, other_values))
        finite = a[np.isfinite(a)]
        scale = np.abs(finite).max() if finite.size else 0
        if not np.allclose(a, b, rtol=0, atol=TOLERANCE[format_name] * scale, equal_nan=True):
            return False
    return True


def reason(format_name, ours, theirs):
    for name, pattern, why in REASONS:
        if name == format_name and re.search(pattern, theirs + " | " + ours):
            return why
    return None


def compare(format_name, options):
    seeds = []
    for pattern in SEEDS[format_name]:
        for path in sorted(glob.glob(pattern)):
            content = open(path, "rb").read()
            if 0 < len(content) <= MAX_SEED_BYTES:
                seeds.append(content)
    rng = random.Random("%s %d" % (format_name, options.seed))
    counts = dict.fromkeys(["both", "neither", "they", "we", "differ"], 0)
    reasons, unexplained = {}, []
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i in range(options.count):
            paths.append(os.path.join(folder, "%04d.%s" % (i, format_name)))
            with open(paths[-1], "wb") as f:
                f.write(damage(rng.choice(seeds), rng))
        lines = subprocess.run([options.read_files, format_name], input="\n".join(paths).encode() + b"\n", check=True,
                               capture_output=True).stdout.decode("utf-8", "replace").split("\n")
        for path, ours in zip(paths, lines):
            theirs = in_child(PEERS[format_name], path)
            we, they = ours.startswith("ok"), theirs.startswith("ok")
            kind = ("both" if same(format_name, ours, theirs) else "differ") if we and they else "we" if we else "they" if they else "neither"
            counts[kind] += 1
            if kind in ("we", "differ"):
                why = reason(format_name, ours, theirs)
                if why is None:
                    unexplained.append((open(path, "rb").read(), ours, theirs))
                else:
                    reasons[why] = reasons.get(why, 0) + 1
    print("%s: %d damaged files: both read %d, both refused %d, only they read %d, only we read %d, different values %d" % (
        format_name, options.count, counts["both"], counts["neither"], counts["they"], counts["we"], counts["differ"]))
    for why, count in sorted(reasons.items()):
        print("  %d: %s" % (count, why))
    if unexplained:
        print("  %d WITHOUT A REASON" % len(unexplained))
        for content, ours, theirs in unexplained[: options.show]:
            print("    %r\n    we   %s\n    they %s" % (content[-260:], ours[:300], theirs[:300]))
    return not unexplained


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("formats", nargs="*")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3)
    parser.add_argument("--read_files", default="bazel-bin/tools/differential/read_files")
    options = parser.parse_args()
    needs = {"ark": "kaldiio", "safetensors": "safetensors", "audio": "soundfile"}
    good = True
    for format_name in options.formats or PEERS:
        try:
            if format_name in needs:
                __import__(needs[format_name])
        except ImportError:
            print("%s: SKIPPED: no %s" % (format_name, needs[format_name]))
            continue
        good &= compare(format_name, options)
    sys.exit(0 if good else 1)


main()
