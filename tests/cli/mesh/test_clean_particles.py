#!/usr/bin/python3
"""Tests how weir mesh, render and check treat particles that other programs left in a poor state: strays,
numbers that are not finite, coordinates of a map, first frames of a few particles.

test_clean_particles.py WEIR
"""
import os
import struct
import sys
import unittest

sys.path.insert(0, "tests/support/cli")
from weir_case import WeirCase  # noqa: E402

SPACING = 0.05
FAR = (448000.0, 0.0, -5413000.0)


def block(cells=10, centre=(0.25, 0.25, 0.25)):
    """Returns a block of particles that no plane of the mesh's lattice divides evenly."""
    half = 0.5 * SPACING * (cells - 1)
    steps = [SPACING * k - half for k in range(cells)]
    return [(centre[0] + x, centre[1] + y + 0.1 * x, centre[2] + z) for x in steps for y in steps for z in steps]


def read_obj(path):
    with open(path, encoding="ascii") as f:
        lines = [line.split() for line in f]
    return [tuple(map(float, words[1:])) for words in lines if words[0] == "v"]


def read_double_ply(path):
    """Returns the vertices of a mesh whose positions have 64 bits."""
    with open(path, "rb") as f:
        head, data = f.read().split(b"end_header\n", 1)
    names = [line.split()[1:] for line in head.decode().split("element face")[0].splitlines()
             if line.startswith("property")]
    size = sum(8 if kind == "double" else 4 for kind, _ in names)
    assert [kind for kind, _ in names[:3]] == ["double"] * 3, names
    count = int(head.split(b"element vertex ")[1].split()[0])
    return [struct.unpack_from("<3d", data, size * i) for i in range(count)]


class Cleaning(WeirCase):
    def xyz(self, name, points, extra=""):
        with open(self.at(name), "w", encoding="ascii") as f:
            f.write("".join("%.6f %.6f %.6f\n" % p for p in points) + extra)

    # ---- strays ----------------------------------------------------------------------------------

    def test_a_far_particle_does_not_cost_the_frame(self):
        self.xyz("clean.xyz", block())
        self.xyz("stray.xyz", block() + [(1e6, 2e6, 3e6)])
        self.weir("mesh", "clean.xyz", "--spacing", "0.05", "-o", "clean.obj")
        said = self.weir("mesh", "stray.xyz", "--spacing", "0.05", "-o", "stray.obj")
        self.assertIn("warning: stray.xyz: 1 particle is too far from the others to be meshed with them: left out; "
                      "the farthest is number 1000 at (1000000, 2000000, 3000000)", said)
        self.assertEqual(read_obj(self.at("stray.obj")), read_obj(self.at("clean.obj")))

    def test_strict_refuses_what_would_be_left_out(self):
        self.xyz("stray.xyz", block() + [(1e6, 2e6, 3e6)])
        said = self.weir("mesh", "stray.xyz", "--strict", "-o", "a.obj", status=1)
        self.assertIn("stray.xyz: particle 1000 at (1000000, 2000000, 3000000) is too far from the other 1000", said)
        self.assertIn("--drop-outliers", said)
        self.xyz("nan.xyz", block(), "0.1 nan 0.1\n")
        said = self.weir("mesh", "nan.xyz", "--strict", "-o", "a.obj", status=1)
        self.assertIn("nan.xyz:1001:5: 1 of 1001 particles has a number that is not finite, here y is nan", said)
        self.assertIn("1 particle with numbers that are not finite; without --strict", said)
        self.assertFalse(os.path.exists(self.at("a.obj")))

    def test_numbers_that_are_not_finite_cost_their_particles_only(self):
        self.xyz("clean.xyz", block())
        self.xyz("nan.xyz", block(), "0.1 nan 0.1\n0.2 0.2 -inf\n")
        self.weir("mesh", "clean.xyz", "--spacing", "0.05", "-o", "clean.obj")
        said = self.weir("mesh", "nan.xyz", "--spacing", "0.05", "-o", "nan.obj")
        self.assertIn("warning: nan.xyz:1001:5: 2 of 1002 particles have a number that is not finite", said)
        self.assertEqual(read_obj(self.at("nan.obj")), read_obj(self.at("clean.obj")))

    def test_outliers_are_dropped_and_counted_when_asked(self):
        self.xyz("a.xyz", block() + [(5, 5, 5), (6, 5, 5)])
        said = self.weir("mesh", "a.xyz", "--drop-outliers", "-o", "a.obj")
        self.assertIn("a.xyz: --drop-outliers: 2 particles left out; the farthest is number 1001 at (6, 5, 5)", said)
        self.assertLess(max(max(v) for v in read_obj(self.at("a.obj"))), 1)
        self.assertIn("outliers           2 far from the others", self.weir("check", "a.xyz"))

    def test_a_crop_box_counts_and_never_leaves_nothing(self):
        self.xyz("a.xyz", block())
        said = self.weir("mesh", "a.xyz", "--crop", "-1,-1,-1:0.2,9,9", "-o", "a.obj")
        self.assertIn("a.xyz: --crop: 600 particles left out", said)
        self.assertLess(max(v[0] for v in read_obj(self.at("a.obj"))), 0.25)
        said = self.weir("mesh", "a.xyz", "--crop", "2,2,2:3,3,3", "-o", "b.obj", status=1)
        self.assertIn("a.xyz: the crop box contains none of the 1000 particles, which lie in (0.025", said)
        self.assertFalse(os.path.exists(self.at("b.obj")))
        said = self.weir("mesh", "a.xyz", "--crop", "1,1,1:0,2,2", "-o", "b.obj", status=2)
        self.assertIn("--crop: \"1,1,1:0,2,2\" is not a box X0,Y0,Z0:X1,Y1,Z1", said)

    def test_a_stray_does_not_move_the_camera(self):
        self.xyz("clean.xyz", block())
        self.xyz("stray.xyz", block() + [(1e6, 2e6, 3e6)])
        for name in ("clean", "stray"):
            self.weir("render", name + ".xyz", "-o", name, "--size", "64x64", "--mode", "particles",
                      "--spacing", "0.05", "--drop-outliers")
        pictures = []
        for name in ("clean", "stray"):
            with open(self.at(name, "image_0001.png"), "rb") as f:
                pictures.append(f.read())
        self.assertEqual(*pictures)
        self.weir("render", "stray.xyz", "-o", "kept", "--size", "64x64", "--mode", "particles", "--spacing", "0.05")
        with open(self.at("kept", "image_0001.png"), "rb") as f:
            self.assertGreater(len(f.read()), 0.5 * len(pictures[0]))

    # ---- spacing ---------------------------------------------------------------------------------

    def test_the_spacing_comes_from_a_frame_with_enough_particles(self):
        self.xyz("f_1.xyz", [(0, 0.5, 0), (0.3, 0.52, 0.1), (0.1, 0.5, 0.1)])
        self.xyz("f_2.xyz", block())
        said = self.weir("mesh", "f_{}.xyz", "-o", "m_{}.obj")
        found = float(said.split("estimated a spacing of ")[1].split()[0])
        self.assertAlmostEqual(found, SPACING, delta=0.02 * SPACING)
        self.assertIn("f_2.xyz has no particle radius", said)
        self.assertIn("of its 1000 particles", said)
        said = self.weir("mesh", "f_1.xyz", "-o", "m_{}.obj")
        self.assertIn("warning: f_1.xyz has no particle radius", said)
        self.assertIn("of its only 3 particles", said)

    def test_frames_that_disagree_about_the_spacing_are_reported_once(self):
        self.xyz("f_1.xyz", block(12))
        for n in (2, 3):
            self.xyz("f_%d.xyz" % n, [(2 * x, 2 * y, 2 * z) for x, y, z in block(12)])
        said = self.weir("mesh", "f_{}.xyz", "-o", "m_{}.obj")
        self.assertEqual(said.count("the spacing of its 1728 particles is about 0.0999"), 1, said)
        self.assertNotIn("is about", self.weir("mesh", "f_{}.xyz", "--spacing", "0.05", "-o", "m_{}.obj"))

    # ---- coordinates of a map --------------------------------------------------------------------

    def test_meshes_of_far_particles_are_those_at_the_origin_moved(self):
        self.xyz("near.xyz", block())
        self.xyz("far.xyz", [tuple(a + b for a, b in zip(p, FAR)) for p in block()])
        options = ("--spacing", "0.05", "-o")
        self.weir("mesh", "near.xyz", *options, "near.obj")
        near = read_obj(self.at("near.obj"))
        for name, read in (("far.obj", read_obj), ("far.ply", read_double_ply)):
            self.weir("mesh", "far.xyz", *options, name)
            far = read(self.at(name))
            self.assertEqual(len(far), len(near))
            apart = max(abs(b - o - a) for v, w in zip(near, far) for a, b, o in zip(v, w, FAR))
            self.assertLess(apart, 1e-4 * SPACING)
        said = self.weir("mesh", "far.xyz", *options, "far.bgeo")
        self.assertIn("far.bgeo: its format has 32-bit positions, which are stored relative to (448000, 0, -5413000)", said)
        turned = self.weir("mesh", "far.xyz", "--up", "z", "--scale", "0.5", *options, "turned.obj")
        self.assertNotIn("warning", turned)
        for (x, y, z), (a, b, c) in zip(read_obj(self.at("turned.obj")), near):
            for one, other in ((x, a + FAR[0]), (y, -c - FAR[2]), (z, b)):
                self.assertAlmostEqual(one, 0.5 * other, delta=1e-5)
        self.assertIn("bounds             448000.025", self.weir("check", "far.xyz"))


if __name__ == "__main__":
    unittest.main()
