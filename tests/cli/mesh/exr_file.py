"""Reads OpenEXR files of half floats, scanlines and ZIP, from the description of the format and without its
library.
"""
import struct
import zlib

import numpy as np


def header(data):
    """Returns the attributes by name, and where they end."""
    assert data[:4] == b"\x76\x2f\x31\x01" and struct.unpack("<I", data[4:8])[0] == 2, "no EXR of scanlines"
    at, attributes = 8, {}
    while data[at]:
        name, kind, rest = data[at:].split(b"\0", 2)
        at += len(name) + len(kind) + 2
        size = struct.unpack("<I", data[at:at + 4])[0]
        attributes[name.decode()] = data[at + 4:at + 4 + size]
        at += 4 + size
    return attributes, at + 1


def channels(listed):
    names = []
    while listed[0]:
        name, listed = listed.split(b"\0", 1)
        assert struct.unpack("<I", listed[:4])[0] == 1, "not of half floats"
        names.append(name.decode())
        listed = listed[16:]
    return names


def unpack(packed, size):
    """Undoes deflate, then the differences between bytes, then the separation of even and odd bytes."""
    if len(packed) == size:
        return packed
    coded = np.frombuffer(zlib.decompress(packed), np.uint8).astype(np.int64)
    coded[1:] -= 128
    summed = (np.cumsum(coded) % 256).astype(np.uint8)
    half = (size + 1) // 2
    out = np.empty(size, np.uint8)
    out[0::2], out[1::2] = summed[:half], summed[half:]
    return out.tobytes()


def read(path):
    """Returns {channel: [height, width] float32}."""
    data = path.read_bytes()
    attributes, at = header(data)
    x0, y0, x1, y1 = struct.unpack("<4i", attributes["dataWindow"])
    width, height = x1 - x0 + 1, y1 - y0 + 1
    names = channels(attributes["channels"])
    assert attributes["compression"] == b"\3", "not by ZIP"
    planes = {name: np.zeros((height, width), np.float32) for name in names}
    for offset in struct.unpack(f"<{(height + 15) // 16}Q", data[at:at + 8 * ((height + 15) // 16)]):
        y, size = struct.unpack("<iI", data[offset:offset + 8])
        lines = min(16, height - y)
        raw = unpack(data[offset + 8:offset + 8 + size], lines * len(names) * width * 2)
        values = np.frombuffer(raw, "<f2").reshape(lines, len(names), width)
        for k, name in enumerate(names):
            planes[name][y:y + lines] = values[:, k]
    return planes
