"""Writes data/testdata/archives: what Kaldi's own code, kaldiio and numpy make of some random matrices.

Usage: python3 tools/golden/archives.py data/testdata/archives   (needs kaldi_native_io, kaldiio and numpy)

source.ark       the matrices as binary floats. A key is METHOD-ROWSxCOLS, METHOD a number of Kaldi's compression methods
compressed.ark   each compressed by its method, by Kaldi's code (kaldi_native_io)
values.ark       what Kaldi's code reads from compressed.ark, as binary floats
seed.ark         three compressed ones: a small file to mutate
text.ark         source.ark as text, by Kaldi's code
mixed.ark        one matrix in each uncompressed format, binary and text, by kaldi_native_io and kaldiio
*.npy            numpy.save; *.htk: kaldi_native_io (float), or made here from the HTK Book's text (IREFC, _C, _K)
"""
import os
import struct
import sys

import kaldi_native_io as kaldi
import kaldiio
import numpy as np

HEIGHTS = (1, 2, 3, 4, 5, 8, 9, 23)


def sources(rng):
    """(key, method, matrix)"""
    for method in range(1, 8):
        for rows in HEIGHTS:
            cols = int(rng.integers(1, 7))
            m = rng.normal(size=(rows, cols)) * 10 ** rng.uniform(-3, 3)
            if method == 4:
                m = rng.integers(-40000, 40000, size=(rows, cols)) + 0.25
            if method == 6:
                m = rng.integers(-9, 270, size=(rows, cols)) + 0.5
            if method == 7:
                m = rng.uniform(-0.1, 1.1, size=(rows, cols))
            yield "%d-%dx%d" % (method, rows, cols), method, m.astype(np.float32)
    # All elements the same; a range so small that the percentiles of CM fall together; speech-like columns.
    for method in (2, 3, 5):
        yield "%d-6x3" % method, method, np.full((6, 3), -7.5, np.float32)
    near = np.full((12, 3), 1e6, np.float32)
    near[::3, 1] += 0.0625
    yield "2-12x3", 2, near
    columns = rng.normal(size=(300, 13)) * np.linspace(5, 0.2, 13) + np.linspace(10, -3, 13)
    yield "2-300x13", 2, columns.astype(np.float32)


def write_kaldi(out):
    rng = np.random.default_rng(4)
    items = list(sources(rng))
    with kaldi.FloatMatrixWriter("ark:%s/source.ark" % out) as w, kaldi.FloatMatrixWriter("ark,t:%s/text.ark" % out) as t:
        for key, _, m in items:
            w.write(key, m)
            t.write(key, m)
    with kaldi.CompressedMatrixWriter("ark:%s/compressed.ark" % out) as w:
        for key, method, m in items:
            w.write(key, m, method=kaldi.CompressionMethod(method))
    with kaldi.CompressedMatrixWriter("ark:%s/seed.ark" % out) as w:
        for method in (2, 3, 5):
            w.write("m%d" % method, items[method * 8 + 7][2][:9], method=kaldi.CompressionMethod(method))
    with kaldi.SequentialFloatMatrixReader("ark:%s/compressed.ark" % out) as r, \
            kaldi.FloatMatrixWriter("ark:%s/values.ark" % out) as w:
        for key, m in r:
            w.write(key, m)
    m = rng.normal(size=(3, 4))
    v = rng.normal(size=5)
    parts = []

    def part(writer, specifier, key, value):
        path = os.path.join(out, "part")
        with writer(specifier + path) as w:
            w.write(key, value)
        parts.append(open(path, "rb").read())
        os.remove(path)

    part(kaldi.FloatMatrixWriter, "ark:", "fm", m.astype(np.float32))
    part(kaldi.DoubleMatrixWriter, "ark,t:", "dm-text", m)
    part(kaldi.DoubleMatrixWriter, "ark:", "dm", m)
    part(kaldi.FloatVectorWriter, "ark:", "fv", v.astype(np.float32))
    part(kaldi.FloatVectorWriter, "ark,t:", "fv-text", v.astype(np.float32))
    part(kaldi.DoubleVectorWriter, "ark:", "dv", v)
    part(kaldi.FloatMatrixWriter, "ark,t:", "empty-text", np.zeros((0, 0), np.float32))
    part(kaldi.FloatMatrixWriter, "ark:", "empty", np.zeros((0, 0), np.float32))
    kaldiio.save_ark(os.path.join(out, "part"), {"kaldiio-text": m.astype(np.float32)}, text=True)
    parts.append(open(os.path.join(out, "part"), "rb").read())
    kaldiio.save_ark(os.path.join(out, "part"), {"kaldiio": m.astype(np.float32)})
    parts.append(open(os.path.join(out, "part"), "rb").read())
    os.remove(os.path.join(out, "part"))
    open(os.path.join(out, "mixed.ark"), "wb").write(b"".join(parts))
    print("mixed.ark: float(m) =", m.astype(np.float32).tolist(), "float(v) =", v.astype(np.float32).tolist())


def write_npy(out):
    m = np.arange(12, dtype=np.float32).reshape(3, 4) * 0.5 - 2
    for name, array in (
        ("f4", m.astype("<f4")), ("f4_big", m.astype(">f4")), ("f8_fortran", np.asfortranarray(m.astype("<f8"))),
        ("i4_fortran_big", np.asfortranarray((2 * m).astype(">i4"))), ("i8", (2 * m).astype("<i8")),
        ("i2_big", (2 * m).astype(">i2")), ("u1", (2 * m + 4).astype("u1")), ("row", m[1].astype("<f4")),
        ("objects", np.array([[1, "a"]], dtype=object)), ("half", m.astype("<f2")), ("cube", m.reshape(1, 3, 4)),
        ("empty", m[:0]), ("structure", np.zeros(2, dtype=[("a", "<f4"), ("b", "<i4")])),
    ):
        np.save(os.path.join(out, name + ".npy"), array)
    for version in (2, 3):
        with open(os.path.join(out, "version%d.npy" % version), "wb") as f:
            np.lib.format.write_array(f, m.astype("<f4"), version=(version, 0))


def write_htk(out):
    m = (np.arange(12, dtype=np.float32).reshape(4, 3) - 5) * np.float32([1, 10, 0.25])
    path = os.path.join(out, "float.htk")
    with kaldi.HtkMatrixWriter("ark:" + path) as w:
        header = kaldi.HtkHeader()
        header.num_samples, header.sample_period, header.sample_size, header.sample_kind = 4, 100000, 12, 0o20006 | 0o400
        w.write("k", (m, header))
    content = open(path, "rb").read()
    open(path, "wb").write(content[2:])  # without the key of the archive
    # HTK Book 5.10.1: integers (x * A - B), A = 2 * 32767 / (max - min), B = (max + min) * 32767 / (max - min).
    low, high = m.min(0), m.max(0)
    a = np.float32(2 * 32767) / (high - low)
    b = (high + low) * np.float32(32767) / (high - low)
    shorts = np.round(m * a - b).astype(">i2")
    data = a.astype(">f4").tobytes() + b.astype(">f4").tobytes() + shorts.tobytes()
    for name, kind, tail in (("compressed", 0o2006, b""), ("compressed_checksum", 0o12006, b"\x12\x34")):
        with open(os.path.join(out, name + ".htk"), "wb") as f:
            f.write(struct.pack(">iihH", 4 + 4, 100000, 6, kind) + data + tail)
    with open(os.path.join(out, "float_checksum.htk"), "wb") as f:
        f.write(struct.pack(">iihH", 4, 100000, 12, 0o10011 | 0o100) + m.astype(">f4").tobytes() + b"\x56\x78")
    with open(os.path.join(out, "irefc.htk"), "wb") as f:
        f.write(struct.pack(">iihH", 2, 100000, 4, 5) + struct.pack(">4h", 32767, -32767, 16384, 0))


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    write_kaldi(sys.argv[1])
    write_npy(sys.argv[1])
    write_htk(sys.argv[1])
