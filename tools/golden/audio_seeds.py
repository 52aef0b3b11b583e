"""Writes data/testdata/audio/: small sound files of every kind that is read, the seeds of the hostile-file tests.

    python3 tools/golden/audio_seeds.py data/testdata/audio

Needs sox for those that its own writer makes: FLAC, and files of other codings and to pipes.
"""
import os
import struct
import subprocess
import sys

folder = sys.argv[1]
samples = [0, 1, -1, 1000, -1000, 32767, -32768, 12]
little, big = struct.pack("<8h", *samples), struct.pack(">8h", *samples)
guid = bytes.fromhex("0100000000001000800000aa00389b71")


def write(name, content):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)


def chunk(order, name, body):
    return name + struct.pack(order + "I", len(body)) + body + b"\0" * (len(body) % 2)


def fmt(order, tag, channels, bits, extension=b""):
    frame = channels * bits // 8
    body = struct.pack(order + "HHIIHH", tag, channels, 16000, 16000 * frame, frame, bits) + extension
    return chunk(order, b"fmt ", body)


def riff(order, chunks):
    return (b"RIFF" if order == "<" else b"RIFX") + struct.pack(order + "I", 4 + len(chunks)) + b"WAVE" + chunks


extension = struct.pack("<HHI", 22, 16, 3) + guid
data = chunk("<", b"data", little)
write("pcm16.wav", riff("<", fmt("<", 1, 1, 16) + chunk("<", b"LIST", b"INFO!") + data))
write("stereo_extensible.wav", riff("<", fmt("<", 0xFFFE, 2, 16, extension) + data))
write("big_endian.wav", riff(">", fmt(">", 1, 1, 16) + chunk(">", b"data", big)))
write("float.wav", riff("<", fmt("<", 3, 1, 32) + chunk("<", b"data", struct.pack("<4f", 0, 0.5, -1, 0.25))))
write("mu_law.wav", riff("<", fmt("<", 7, 1, 8) + chunk("<", b"data", bytes(range(0, 256, 32)))))
ds64 = chunk("<", b"ds64", struct.pack("<QQQI", 96, 16, 8, 0))
write("rf64.wav", b"RF64\xff\xff\xff\xffWAVE" + ds64 + fmt("<", 1, 1, 16) + b"data\xff\xff\xff\xff" + little)
write("pipe.wav", b"RIFF\xff\xff\xff\xffWAVE" + fmt("<", 1, 1, 16) + b"data\xff\xff\xff\xff" + little)

rate = struct.pack(">HQ", 16383 + 13, 16000 << 50)  # 80 bits
common = struct.pack(">HIH", 1, 8, 16) + rate
sound = b"\0" * 8
for name, kind, comm, body in (("pcm16.aiff", b"AIFF", common, big), ("little_endian.aifc", b"AIFC", common + b"sowt", little)):
    chunks = chunk(">", b"COMM", comm) + chunk(">", b"SSND", sound + body)
    write(name, b"FORM" + struct.pack(">I", 4 + len(chunks)) + kind + chunks)

header = ("NIST_1A\n    192\nchannel_count -i 1\nsample_count -i 8\nsample_rate -i 16000\nsample_n_bytes -i 2\n"
          "sample_byte_format -s2 01\nsample_coding -s3 pcm\nend_head\n")
write("pcm16.sph", header.ljust(192).encode() + little)


def sox(name, frames, channels, options, to_pipe):
    """A file of sox's own writer: `options` say the coding; a pipe's header knows no sizes."""
    count = frames * channels
    raw = struct.pack(f"<{count}h", *(n * n * 37 % 19990 - 10000 for n in range(count)))
    kind, path = name.rsplit(".", 1)[1], os.path.join(folder, name)
    command = ["sox", "-D", "-t", "raw", "-r", "16000", "-e", "signed", "-b", "16", "-c", str(channels), "-",
               *options.split(), "--comment", "", "-t", kind, "-" if to_pipe else path]
    out = subprocess.run(command, input=raw, check=True, capture_output=True).stdout
    if to_pipe:
        write(name, out)


sox("mono.flac", 64, 1, "-C 8", False)
sox("stereo.flac", 64, 2, "-C 8", False)
sox("bits24.flac", 20, 1, "-b 24", False)
sox("sox_pipe.wav", 8, 1, "-b 16", True)
sox("sox_pipe_24_stereo.wav", 8, 2, "-b 24", True)
sox("sox_pipe_a_law.wav", 8, 1, "-e a-law", True)
sox("sox_pipe_float.wav", 8, 1, "-e float -b 32", True)
sox("sox_double.wav", 8, 1, "-e float -b 64", False)
sox("sox_pipe.aiff", 8, 1, "-b 16", True)
sox("sox_bits8.aifc", 8, 1, "-b 8", False)
sox("sox_pipe_24.sph", 8, 1, "-b 24", True)
sox("sox_mu_law.sph", 8, 2, "-e mu-law", False)
