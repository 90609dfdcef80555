#!/usr/bin/python3
"""Tests how meshes of a run meet its tank: they cover floor and panes, fill edges and corners, and stay closed.

test_walls.py WEIR
"""
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

CELLS = 16
SPACING = 1.0 / CELLS
LEVEL = 0.5


def box(low, high):
    return {"box": {"min": low, "max": high}}


def scene(kind):
    pool = {"name": kind, "spacing": SPACING, "duration": 1, "solver": {"pre_stabilization": 0},
            "domain": {"min": [0, 0, 0], "max": [1, 1, 1]},
            "fluids": [{"name": "water", "fill": {"shape": box([0, 0, 0], [1, LEVEL, 1])}}]}
    if kind == "sides":
        return pool
    pool["domain"] = {"min": [-0.25, -0.25, -0.25], "max": [1.25, 1, 1.25]}
    if kind == "boxes":
        walls = {"floor": box([-0.2, -0.2, -0.2], [1.2, 0, 1.2]), "left": box([-0.2, -0.2, -0.2], [0, 1, 1.2]),
                 "right": box([1, -0.2, -0.2], [1.2, 1, 1.2]), "back": box([-0.2, -0.2, -0.2], [1.2, 1, 0]),
                 "front": box([-0.2, -0.2, 1], [1.2, 1, 1.2])}
        pool["solids"] = [{"name": name, "shape": shape} for name, shape in walls.items()]
    else:
        hollow = [box([-0.2, -0.2, -0.2], [1.2, 1, 1.2]), box([0, 0, 0], [1, 1.2, 1])]
        pool["solids"] = [{"name": "tank", "shape": {"difference": hollow}}]
    return pool


def read_obj(path):
    points, faces = [], []
    with open(path, encoding="ascii") as f:
        for words in map(str.split, f):
            if words[0] == "v":
                points.append(tuple(map(float, words[1:])))
            elif words[0] == "f":
                faces.append(tuple(int(w.split("/")[0]) - 1 for w in words[1:]))
    return points, faces


def area(a, b, c):
    u, v = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, c)]
    cross = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return 0.5 * math.sqrt(sum(x * x for x in cross))


def covered(points, faces, axis, at):
    """Returns the area of the triangles that lie on a plane."""
    on = [abs(p[axis] - at) < 0.02 * SPACING for p in points]
    return sum(area(*(points[v] for v in face)) for face in faces if all(on[v] for v in face))


class Walls(unittest.TestCase):
    def weir(self, *arguments, status=0):
        done = subprocess.run([WEIR, *arguments], capture_output=True, text=True, cwd=self.folder, timeout=12000)
        self.assertEqual(done.returncode, status, "%s\n%s\n%s" % (arguments, done.stdout, done.stderr))
        return done.stdout

    def check(self, kind, cell):
        self.weir("mesh", kind, "--cell-size", cell, "-o", "mesh.obj")
        points, faces = read_obj(os.path.join(self.folder, "mesh.obj"))
        info = json.loads(self.weir("check", "--json", "mesh.obj"))
        self.assertTrue(info["closed"] and info["manifold"] and info["oriented"])
        self.assertEqual(info["degenerate_triangles"], 0)
        self.assertGreater(info["volume"], 0.97 * LEVEL)
        self.assertLess(info["volume"], 1.03 * LEVEL)
        self.assertTrue(all(min(p) > -0.02 * SPACING and max(p) < 1 + 0.02 * SPACING for p in points))
        shares = [covered(points, faces, 1, 0)]
        shares += [covered(points, faces, axis, at) / LEVEL for axis in (0, 2) for at in (0, 1)]
        self.assertGreater(min(shares), 0.9, shares)
        self.assertLess(max(shares), 1.03, shares)
        for x in (0, 1):  # the corners of the floor are there
            for z in (0, 1):
                self.assertLess(min(math.dist(p, (x, 0, z)) for p in points), 0.1 * SPACING)

    def test_a_still_pool_covers_the_walls_of_any_tank(self):
        with tempfile.TemporaryDirectory(prefix="weir_walls_") as self.folder:
            for kind in ("sides", "boxes", "hollow"):
                with open(os.path.join(self.folder, kind + ".json"), "w", encoding="ascii") as f:
                    json.dump(scene(kind), f)
                self.weir("run", kind + ".json", "-o", kind, "--frames", "0")
                for cell in ("1", "0.5"):
                    with self.subTest(kind=kind, cell=cell):
                        self.check(kind, cell)


if __name__ == "__main__":
    WEIR = os.path.abspath(sys.argv.pop(1))
    unittest.main()
