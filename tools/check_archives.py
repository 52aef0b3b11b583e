"""Checks //data's archives of matrices against kaldiio and kaldi_native_io, both ways, on random matrices.

Usage: tools/bazel build //data:copy_archive
       python3 tools/check_archives.py [bazel-bin/data/copy_archive] [matrices of each kind: 200] [seed: 1]

Needs numpy and kaldiio; checks with kaldi_native_io, which is Kaldi's own code, are skipped without it. Prints a line a
check, "N of N" matrices where both agree, and exits 1 if there is one with fewer.
"""
import os
import subprocess
import sys
import tempfile

import kaldiio
import numpy as np

try:
    import kaldi_native_io as kaldi
except ImportError:
    kaldi = None

COPY = sys.argv[1] if len(sys.argv) > 1 else "bazel-bin/data/copy_archive"
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 200
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
failed = False


def report(what, equal):
    global failed
    failed |= equal != COUNT
    print("%-72s %d of %d%s" % (what, equal, COUNT, "" if equal == COUNT else "  DIFFERENT"))


def random_matrices(rng, dtype, vector=False):
    """Any bits, also subnormal, infinite and NaN for a tenth; else numbers like features."""
    items = {}
    for i in range(COUNT):
        shape = (int(rng.integers(1, 60)), int(rng.integers(1, 50)))
        if vector:
            shape = shape[1:]
        m = rng.normal(size=shape) * 10.0 ** rng.integers(-6, 7)
        m = m.astype(dtype)
        if i % 10 == 0:
            m = np.frombuffer(rng.bytes(m.nbytes), m.dtype).reshape(shape).copy()
        items["utt%03d" % i] = m
    return items


def copy(source, target, method=0):
    subprocess.run([COPY, "--compression_method=%d" % method, source, target], check=True)


def same_bits(a, b):
    """The same shape (a vector is a row) and bits; any NaN is as good as another."""
    a, b = np.atleast_2d(np.asarray(a, np.float32)), np.atleast_2d(np.asarray(b, np.float32))
    if a.shape != b.shape:
        return False
    nan = np.isnan(a) & np.isnan(b)
    return bool(((a.view(np.int32) == b.view(np.int32)) | nan).all())


def count_same(items, expected):
    items = dict(items)
    return sum(k in items and same_bits(items[k], v) for k, v in expected.items())


def as_float(items):
    with np.errstate(over="ignore", invalid="ignore"):
        return {k: v.astype(np.float32) for k, v in items.items()}


def write_kaldi(writer, specifier, items):
    with writer(specifier) as w:
        for k, v in items.items():
            w.write(k, v)


def read_kaldi(reader, specifier):
    with reader(specifier) as r:
        return {k: np.array(v) for k, v in r}


def check_reading(rng):
    """Peers write, ours copies to plain floats, numpy compares."""
    for name, dtype, vector in (("float matrices", "f4", False), ("double matrices", "f8", False),
                                ("float vectors", "f4", True), ("double vectors", "f8", True)):
        items = random_matrices(rng, "<" + dtype, vector)
        kaldiio.save_ark("k.ark", items, scp="k.scp")
        for specifier in ("ark:k.ark", "scp:k.scp"):
            copy(specifier, "ark:ours.ark")
            report("read %s of kaldiio, %s" % (name, specifier[:3]),
                   count_same(kaldiio.load_ark("ours.ark"), as_float(items)))
        if kaldi is None:
            continue
        writer = getattr(kaldi, name.split()[0].title() + ("Vector" if vector else "Matrix") + "Writer")
        write_kaldi(writer, "ark,scp:n.ark,n.scp", items)
        copy("scp:n.scp", "ark:ours.ark")
        report("read %s of kaldi_native_io" % name, count_same(kaldiio.load_ark("ours.ark"), as_float(items)))
        finite = {k: np.nan_to_num(v, nan=0, posinf=1, neginf=-1).clip(-1e30, 1e30) for k, v in items.items()}
        write_kaldi(writer, "ark,t:n.ark", finite)
        copy("ark:n.ark", "ark:ours.ark")
        expected = {k: np.array([np.float32(s) for s in (b"%.7g" % x for x in v.ravel().tolist())]).reshape(v.shape)
                    for k, v in finite.items()}
        report("read %s of kaldi_native_io, text" % name, count_same(kaldiio.load_ark("ours.ark"), expected))
    items = random_matrices(rng, "<f4")
    finite = {k: np.nan_to_num(v, nan=0, posinf=1, neginf=-1).clip(-1e30, 1e30) + 0.5 for k, v in items.items()}
    kaldiio.save_ark("k.ark", finite, text=True)
    copy("ark:k.ark", "ark:ours.ark")
    report("read float matrices of kaldiio, text (12 digits)", count_same(kaldiio.load_ark("ours.ark"), finite))


def check_ranges(rng):
    items = random_matrices(rng, "<f4")
    kaldiio.save_ark("k.ark", items, scp="k.scp")
    expected = {}
    with open("ranges.scp", "w") as out:
        for line in open("k.scp"):
            key, location = line.split()
            rows, cols = items[key].shape
            r, c = sorted(rng.integers(0, rows, 2)), sorted(rng.integers(0, cols, 2))
            overshoot = int(rng.integers(0, 4)) if r[1] == rows - 1 else 0
            expected[key] = items[key][r[0]:r[1] + 1, c[0]:c[1] + 1]
            out.write("%s %s[%d:%d,%d:%d]\n" % (key, location, r[0], r[1] + overshoot, c[0], c[1]))
    copy("scp:ranges.scp", "ark:ours.ark")
    report("read row and column ranges of kaldiio's", count_same(kaldiio.load_ark("ours.ark"), expected))


def check_writing(rng):
    """Ours writes, peers read."""
    items = random_matrices(rng, "<f4")
    kaldiio.save_ark("k.ark", items)
    copy("ark:k.ark", "ark,scp:ours.ark,ours.scp")
    report("write binary: the bytes of kaldiio", COUNT * (open("k.ark", "rb").read() == open("ours.ark", "rb").read()))
    report("write binary: read by kaldiio, scp", count_same(kaldiio.load_scp("ours.scp").items(), items))
    copy("ark:k.ark", "ark,t,scp:ours.ark,ours.scp")
    text = {k: np.array([np.float32("%.7g" % x) for x in v.ravel().tolist()]).reshape(v.shape) for k, v in items.items()}
    readable = {k: v for k, v in kaldiio.load_ark("ours.ark")}
    report("write text: read by kaldiio", count_same(readable, text))
    if kaldi is None:
        return
    write_kaldi(kaldi.FloatMatrixWriter, "ark,t:n.ark", items)
    report("write text: the bytes of kaldi_native_io",
           COUNT * (open("n.ark", "rb").read() == open("ours.ark", "rb").read()))
    write_kaldi(kaldi.FloatMatrixWriter, "ark,scp:n.ark,n.scp", items)
    copy("scp:n.scp", "ark,scp:ours.ark,ours.scp")
    report("write binary: the bytes of kaldi_native_io",
           COUNT * (open("n.ark", "rb").read() == open("ours.ark", "rb").read()))
    report("write binary: read by kaldi_native_io, scp",
           count_same(read_kaldi(kaldi.SequentialFloatMatrixReader, "scp:ours.scp"), items))


def check_compression(rng):
    for method, name in enumerate(("automatic", "CM", "CM2", "CM2 signed", "CM3", "CM3 unsigned", "CM3 0 to 1"), 1):
        items = {}
        for i in range(COUNT):
            m = rng.normal(size=(int(rng.integers(1, 40)), int(rng.integers(1, 20)))) * 10.0 ** rng.integers(-3, 4)
            items["utt%03d" % i] = (m if method < 4 else m * 300 if method == 4 else abs(m)).astype(np.float32)
        kaldiio.save_ark("source.ark", items)
        copy("ark:source.ark", "ark:ours.ark", method)
        copy("ark:ours.ark", "ark:values.ark")
        ours = dict(kaldiio.load_ark("values.ark"))
        theirs = dict(kaldiio.load_ark("ours.ark"))
        near = 0
        for k in items:  # kaldiio rounds in another order
            span = {4: 65535, 6: 255, 7: 1}.get(method, np.ptp(theirs[k]))
            near += bool(np.abs(ours[k] - theirs[k]).max() <= 4e-7 * max(np.abs(theirs[k]).max(), span))
        report("read %s: as kaldiio within 4e-7 of the format's range" % name, near)
        if kaldi is None:
            continue
        with kaldi.CompressedMatrixWriter("ark:n.ark") as w:
            for k, v in items.items():
                w.write(k, v, method=kaldi.CompressionMethod(method))
        report("write %s: the bytes of kaldi_native_io" % name,
               COUNT * (open("n.ark", "rb").read() == open("ours.ark", "rb").read()))
        report("read %s: the bits of kaldi_native_io" % name,
               count_same(ours, read_kaldi(kaldi.SequentialFloatMatrixReader, "ark:n.ark")))


def main():
    global COPY
    COPY = os.path.abspath(COPY)
    if kaldi is None:
        print("SKIPPED: checks with kaldi_native_io: not installed")
    rng = np.random.default_rng(SEED)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_reading(rng)
        check_ranges(rng)
        check_writing(rng)
        check_compression(rng)
        os.chdir("/")
    sys.exit(failed)


if __name__ == "__main__":
    main()
