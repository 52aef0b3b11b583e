"""Times reading an archive of float features: //bench:readers beside kaldiio and kaldi_native_io, interleaved.

Usage: tools/bazel build //bench:readers
       python3 bench/peers/read_archives.py [bazel-bin/bench/readers] [megabytes: 200] [rounds: 5]

Needs numpy and kaldiio; kaldi_native_io is left out where it is not installed. Each round reads the same files from the
page cache with every reader once, in random order, each on one thread. Prints the median of the rounds.
"""
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

import kaldiio
import numpy as np

try:
    import kaldi_native_io as kaldi
except ImportError:
    kaldi = None

READERS = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "bazel-bin/bench/readers")
MEGABYTES = int(sys.argv[2]) if len(sys.argv) > 2 else 200
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 5


def make_files(folder):
    rng = np.random.default_rng(1)
    matrices, size = {}, 0
    while size < MEGABYTES * 1e6:
        m = rng.normal(size=(int(rng.integers(100, 900)), 123)).astype(np.float32)
        matrices["utterance%d" % len(matrices)] = m
        size += m.nbytes
    kaldiio.save_ark(folder + "/a.ark", matrices, scp=folder + "/a.scp")
    return len(matrices), size


def ours(rspecifier):
    out = subprocess.run([READERS, "--rspecifier=" + rspecifier], check=True, stdout=subprocess.PIPE).stdout.split()
    return float(out[0]), int(out[2]), int(out[1])


def theirs(matrices):
    begin = time.perf_counter()
    count = size = 0
    for _, m in matrices():
        count += 1
        size += m.nbytes
    return time.perf_counter() - begin, count, size


def sequential(rspecifier):
    with kaldi.SequentialFloatMatrixReader(rspecifier) as reader:
        yield from reader


def main():
    with tempfile.TemporaryDirectory() as folder:
        count, size = make_files(folder)
        ark, scp = folder + "/a.ark", folder + "/a.scp"
        rows = {
            "earshot ark": lambda: ours("ark:" + ark),
            "earshot scp": lambda: ours("scp:" + scp),
            "kaldiio load_ark": lambda: theirs(lambda: kaldiio.load_ark(ark)),
            "kaldiio load_scp_sequential": lambda: theirs(lambda: kaldiio.load_scp_sequential(scp)),
            "kaldiio load_scp": lambda: theirs(lambda: kaldiio.load_scp(scp).items()),
        }
        if kaldi is not None:
            rows["kaldi_native_io ark"] = lambda: theirs(lambda: sequential("ark:" + ark))
            rows["kaldi_native_io scp"] = lambda: theirs(lambda: sequential("scp:" + scp))
        seconds = {name: [] for name in rows}
        order = list(rows)
        for i in range(ROUNDS + 1):
            random.Random(i).shuffle(order)
            for name in order:
                taken, n, read = rows[name]()
                if (n, read) != (count, size):
                    sys.exit("error: %s read %d matrices of %d bytes, not %d of %d" % (name, n, read, count, size))
                if i > 0:  # the first round fills the page cache
                    seconds[name].append(taken)
    print("%d matrices, %.0f MB, median of %d rounds" % (count, size * 1e-6, ROUNDS))
    best = min(statistics.median(v) for v in seconds.values())
    for name, values in sorted(seconds.items(), key=lambda item: statistics.median(item[1])):
        median = statistics.median(values)
        print("%-28s %8.1f ms %8.0f MB/s %6.2fx" % (name, median * 1e3, size * 1e-6 / median, median / best))


if __name__ == "__main__":
    main()
