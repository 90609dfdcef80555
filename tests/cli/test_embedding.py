"""Tests the example of docs/embedding.md: a host's frame with a triangle, a floating box and the fluid, as
balls and as a surface. The validation layer reports nothing, and the picture matches that of the
documentation.

test_embedding.py EMBEDDING [--write]    --write: the picture of this run becomes the documentation's
"""
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

WRITES = sys.argv[-1] == "--write" and sys.argv.pop() == "--write"
EMBEDDING = str(pathlib.Path(sys.argv.pop()).resolve())
ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs" / "pictures" / "embedding.png"
LAYER = "VK_LAYER_KHRONOS_validation"
CHECKS = ("VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT" + os.pathsep +
          "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT")
BLOCK = 20  # pixels along each side of the squares whose mean colours are compared


def ppm(path):
    """Returns width, height and the bytes of a picture."""
    _, size, _, pixels = path.read_bytes().split(b"\n", 3)
    width, height = map(int, size.split())
    assert len(pixels) == width * height * 3
    return width, height, pixels


def write_png(path, width, height, pixels):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    lines = b"".join(b"\0" + pixels[y * width * 3:(y + 1) * width * 3] for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines, 9)) +
                     chunk(b"IEND", b""))


def read_png(path):
    """Reads a file that write_png wrote."""
    data = path.read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    size = struct.unpack(">I", data[33:37])[0]
    lines = zlib.decompress(data[41:41 + size])
    line = width * 3 + 1
    return width, height, b"".join(lines[y * line + 1:(y + 1) * line] for y in range(height))


def blocks(picture):
    """Returns the mean colour of each square."""
    width, height, pixels = picture
    means = []
    for y in range(0, height, BLOCK):
        for x in range(0, width, BLOCK):
            spans = [pixels[(line * width + x) * 3:(line * width + x + BLOCK) * 3] for line in range(y, y + BLOCK)]
            means.append([sum(sum(span[channel::3]) for span in spans) / BLOCK ** 2 for channel in range(3)])
    return means


def difference(a, b):
    """Returns the mean difference of the squares' colours, of 255."""
    return sum(abs(p - q) for u, v in zip(a, b) for p, q in zip(u, v)) / (3 * len(a))


def drawn(pixels, tells):
    """Counts the pixels whose colour satisfies the function."""
    return sum(tells(*pixels[i:i + 3]) for i in range(0, len(pixels), 3))


def run(*words):
    """Returns the program's status, its output, and its picture."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "frame.ppm"
        done = subprocess.run([EMBEDDING, ROOT / "docs" / "embedding" / "pool.json", path, *words],
                              env={**os.environ, "VK_INSTANCE_LAYERS": LAYER, "VK_LAYER_ENABLES": CHECKS},
                              capture_output=True, text=True, timeout=1200)
        return done.returncode, done.stdout + done.stderr, ppm(path) if done.returncode == 0 else None


class Embedding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.status, cls.said, cls.picture = run()
        if WRITES:
            write_png(PICTURE, *cls.picture)

    def assert_push_alone_is_said(self, said):
        """A cube of 0.16 m with density 350 falls onto the water and is thrown by a wave."""
        line = re.fullmatch(r"The box weighs ([\d.]+) N. The water has pushed it up with ([\d.]+) N at most.\n", said)
        self.assertTrue(line, said)
        weight, push = map(float, line.groups())
        self.assertAlmostEqual(weight, 9.81 * 350 * 0.16 ** 3, delta=0.3)
        self.assertTrue(weight < push < 10 * weight, said)

    def test_validation_says_nothing(self):
        self.assertEqual(self.status, 0)
        self.assert_push_alone_is_said(self.said)

    def test_the_surface_is_where_the_balls_are(self):
        status, said, picture = run("surface")
        self.assertEqual(status, 0)
        self.assert_push_alone_is_said(said)
        self.assertGreater(drawn(picture[2], lambda r, g, b: b > 60 and b > 4 * r), 20000, "the fluid")
        self.assertLess(difference(blocks(picture), blocks(self.picture)), 8.0)
        self.assertNotEqual(picture[2], self.picture[2])

    def test_triangle_box_and_fluid_are_in_the_picture(self):
        pixels = self.picture[2]
        self.assertGreater(drawn(pixels, lambda r, g, b: g > 120 and g > 1.6 * b and g > r), 1500, "the triangle")
        self.assertGreater(drawn(pixels, lambda r, g, b: r > 100 and 0.68 < g / r < 0.73 and 0.39 < b / r < 0.44), 2000, "the box")
        self.assertGreater(drawn(pixels, lambda r, g, b: b > 60 and b > 4 * r), 20000, "the fluid")

    def test_the_picture_is_that_of_the_documentation(self):
        ours, kept = blocks(self.picture), blocks(read_png(PICTURE))
        self.assertLess(difference(ours, kept), 4.0)
        self.assertGreater(difference(ours, kept[::-1]), 16.0)  # difference to an unrelated picture


if __name__ == "__main__":
    unittest.main(verbosity=2)
