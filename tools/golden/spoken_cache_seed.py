"""Writes a small spoken corpus (data/spoken_cache.h) for the tests with hostile files.

Usage: python3 tools/golden/spoken_cache_seed.py data/testdata/spoken_cache/small.cache   (needs nothing else)
"""
import os
import struct
import sys

from crc32c import crc32c

def field(number, value):
    """A protobuf field: a number, or bytes shorter than 128."""
    if isinstance(value, int):
        out = bytes([number << 3])
        while value >= 0x80:
            out += bytes([value & 0x7F | 0x80])
            value >>= 7
        return out + bytes([value])
    return bytes([number << 3 | 2, len(value)]) + value


def utterance(uid, speaker, text, samples):
    return field(1, uid) + field(2, speaker) + field(3, text) + field(4, struct.pack("<%dh" % len(samples), *samples))


body = field(1, b"key") + field(2, b"1.51") + field(3, 8000)
body += field(4, utterance(b"a-1", b"a", b"one two", [0, 1, -1, 32767, -32768]))
body += field(4, utterance(b"a-2", b"a", b"", []))
body += field(5, utterance(b"b-1", b"b", b"three", [100] * 8))
body += field(6, utterance(b"c-1", b"c", b"four", [-7]))
os.makedirs(os.path.dirname(sys.argv[1]), exist_ok=True)
with open(sys.argv[1], "wb") as f:
    f.write(b"EARSHOT1" + struct.pack("<I", crc32c(body)) + body)
