"""Tests the example of docs/embedding.md: a host's frame with a triangle, a floating box and the fluid, as
balls and as a surface. The validation layer reports nothing, and the picture matches that of the
documentation. Also the examples next to it: a program in C++, and one whose processes share a simulation over MPI.

test_embedding.py EMBEDDING [--write]    --write: the picture of this run becomes the documentation's
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np
from PIL import Image

WRITES = sys.argv[-1] == "--write" and sys.argv.pop() == "--write"
EMBEDDING = str(pathlib.Path(sys.argv.pop()).resolve())
ROOT = pathlib.Path(__file__).resolve().parents[3]
PICTURE = ROOT / "docs" / "pictures" / "embedding.png"
LAYER = "VK_LAYER_KHRONOS_validation"
CHECKS = ("VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT" + os.pathsep +
          "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT")
BLOCK = 20  # pixels along each side of the squares whose mean colours are compared


def blocks(picture):
    """Returns the mean colour of each square of a picture: [squares, 3]."""
    height, width, _ = picture.shape
    squares = picture.reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK, 3)
    return squares.mean((1, 3)).reshape(-1, 3)


def difference(a, b):
    """Returns the mean difference of the squares' colours, of 255."""
    return np.abs(a - b).mean()


def pixels_of(path):
    """Returns a picture's pixels: [height, width, 3], 0 to 255."""
    return np.asarray(Image.open(path).convert("RGB"), float)


def run(*words):
    """Returns the program's status, its output, and its picture's pixels."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "frame.ppm"
        done = subprocess.run([EMBEDDING, ROOT / "docs" / "embedding" / "pool.json", path, *words],
                              env={**os.environ, "VK_INSTANCE_LAYERS": LAYER, "VK_LAYER_ENABLES": CHECKS},
                              capture_output=True, text=True, timeout=1200)
        return done.returncode, done.stdout + done.stderr, pixels_of(path) if done.returncode == 0 else None


class Embedding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.status, cls.said, cls.picture = run()
        if WRITES:
            Image.fromarray(cls.picture.astype(np.uint8)).save(PICTURE, optimize=True)

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
        r, _, b = np.moveaxis(picture, 2, 0)
        self.assertGreater(np.sum((b > 60) & (b > 4 * r)), 20000, "the fluid")
        self.assertLess(difference(blocks(picture), blocks(self.picture)), 8.0)
        self.assertFalse(np.array_equal(picture, self.picture))

    def test_triangle_box_and_fluid_are_in_the_picture(self):
        r, g, b = np.moveaxis(self.picture, 2, 0)
        self.assertGreater(np.sum((g > 120) & (g > 1.6 * b) & (g > r)), 1500, "the triangle")
        of_box = (r > 100) & (np.abs(g - 0.705 * r) < 0.025 * r) & (np.abs(b - 0.415 * r) < 0.025 * r)
        self.assertGreater(np.sum(of_box), 2000, "the box")
        self.assertGreater(np.sum((b > 60) & (b > 4 * r)), 20000, "the fluid")

    def test_the_picture_is_that_of_the_documentation(self):
        ours, kept = blocks(self.picture), blocks(pixels_of(PICTURE))
        self.assertLess(difference(ours, kept), 4.0)
        self.assertGreater(difference(ours, kept[::-1]), 16.0)  # difference to an unrelated picture


class OtherExamples(unittest.TestCase):
    """Programs next to the first one."""
    def example(self, name):
        path = pathlib.Path(EMBEDDING).with_name(name)
        if not path.exists():
            self.skipTest("%s was not built: it needs a compiler for C++" % name)
        return str(path)

    def run_in(self, folder, *words):
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                       "OMPI_MCA_rmaps_base_oversubscribe": "1", "LP_NUM_THREADS": "1",
                       "LD_LIBRARY_PATH": str(pathlib.Path(EMBEDDING).parents[2])}  # where the modules for MPI are
        return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=1200, cwd=folder)

    def test_handles_in_c_plus_plus(self):
        drop = self.example("drop")
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_in(folder, drop, str(ROOT / "scenes/drop.json"), "drop.png", "3")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, r"^7056 particles, the highest at 0\.\d+ m\n$")
            self.assertEqual(pixels_of(os.path.join(folder, "drop.png")).shape, (400, 640, 3))
            bad = pathlib.Path(folder, "bad.json")
            bad.write_text('{"spacing": 0}')
            done = self.run_in(folder, drop, str(bad), "drop.png", "3")
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, r"^error: .*bad\.json:1:")

    def test_processes_share_a_simulation(self):
        ranks = self.example("ranks")
        launchers = {mpi: shutil.which("mpirun." + mpi) for mpi in ("openmpi", "mpich")}
        build = pathlib.Path(EMBEDDING).parents[2]
        present = [launcher for mpi, launcher in launchers.items()
                   if launcher and (build / ("libweir-mpi-%s.so" % mpi)).exists()]
        done = self.run_in(ROOT, ranks, "scenes/drop.json", "2")
        self.assertEqual(done.returncode, 2)
        self.assertIn("start this program by an MPI launcher: mpirun -n 2", done.stderr)
        if not present:
            self.skipTest("there is no MPI with its module: tools/setup --with-mpi")
        for launcher in present:
            said = [self.run_in(ROOT, launcher, "-n", str(n), ranks, "scenes/drop.json", "2") for n in (1, 2)]
            for n, done in enumerate(said, 1):
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn("7056 particles on %d rank" % n, done.stdout)
            states = {re.search(r"state (\w{16})", done.stdout)[1] for done in said}
            self.assertEqual(len(states), 1, states)


if __name__ == "__main__":
    unittest.main(verbosity=2)
