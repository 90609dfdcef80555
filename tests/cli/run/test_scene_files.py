#!/usr/bin/python3
"""Tests the files that scenes name: stored frames as fills, coordinates of a map, other units and axes; and requests
that no device can meet.

test_scene_files.py WEIR
"""
import json
import os
import struct
import subprocess
import sys
import unittest

sys.path.insert(0, "tests/support/cli")
from weir_case import WEIR, WeirCase  # noqa: E402

BOX = {"min": [0, 0, 0], "max": [1.2, 0.8, 0.4]}


def scene(**more):
    return {"name": "files", "spacing": 0.05, "duration": 1, "domain": BOX, **more}


def water(fill):
    return [{"name": "water", "fill": fill}]


# a wedge of 0.3 x 0.1 x 0.2 m, the thin edge at x = 0.3
CORNERS = [(0, 0, 0), (0.3, 0, 0), (0, 0.1, 0), (0, 0, 0.2), (0.3, 0, 0.2), (0, 0.1, 0.2)]
FACES = "f 1 3 2\nf 4 5 6\nf 1 2 5 4\nf 1 4 6 3\nf 2 3 6 5\n"


def read_ply(path):
    """Returns the rows x y z vx vy vz id of a frame."""
    with open(path, "rb") as f:
        data = f.read().split(b"end_header\n", 1)[1]
    return list(struct.iter_unpack("<6fI", data))


def apart(some, others):
    """Returns the largest difference of coordinates."""
    assert len(some) == len(others), (len(some), len(others))
    return max(abs(x - y) for a, b in zip(some, others) for x, y in zip(a[:3], b[:3]))


class Files(WeirCase):
    def weir(self, *arguments, **more):
        return super().weir(*arguments, env={**os.environ, "XDG_CACHE_HOME": self.folder}, **more)

    def write(self, name, content):
        with open(self.at(name), "w", encoding="ascii") as f:
            f.write(content if isinstance(content, str) else json.dumps(content))

    def wedge(self, name, change):
        self.write(name, "".join("v %.6f %.6f %.6f\n" % change(*corner) for corner in CORNERS) + FACES)

    # ---- stored frames ---------------------------------------------------------------------------

    def test_a_stored_frame_comes_back_whole(self):
        fill = {"shape": {"box": {"min": [0, 0, 0], "max": [0.5, 0.6, 0.4]}}}
        sink = [{"name": "drain", "shape": {"box": {"min": [0.9, 0, 0], "max": [1.2, 0.2, 0.4]}}}]
        for method in ("pbf", "flip", "apic"):
            with self.subTest(method=method):
                solver = {"method": method, **({"pre_stabilization": 0} if method == "pbf" else {})}
                self.write("a.json", scene(solver=solver, sinks=sink, fluids=water(fill)))
                self.weir("run", "a.json", "-o", "a", "--frames", "30", "--force")
                frame = "a/particles/particles_0030.ply"
                self.write("b.json", scene(solver=solver, fluids=water({"file": frame})))
                said = self.weir("run", "b.json", "-o", "b", "--frames", "3", "--force")
                self.assertNotIn("skipped", said)
                before, after = read_ply(self.at(frame)), read_ply(self.at("b/particles/particles_0000.ply"))
                self.assertLess(len(before), 10 * 12 * 8)  # the drain has taken some
                self.assertEqual([row[3:] for row in before], [row[3:] for row in after])
                self.assertLess(apart(before, after), 1e-6)
                later = read_ply(self.at("b/particles/particles_0003.ply"))
                self.assertEqual([row[6] for row in later], [row[6] for row in before])

    def test_ids_that_are_no_ids_are_replaced_with_a_word(self):
        for ids, reason in (((4, 4, 5), "several particles have the same id"),
                            ((1, 2, 4000000000), "they are too large for this number of particles")):
            self.write("p.csv", "x,y,z,id\n" + "".join("0.5,0.%d,0.2,%d\n" % (k + 1, n) for k, n in enumerate(ids)))
            self.write("c.json", scene(fluids=water({"file": "p.csv"})))
            said = self.weir("run", "c.json", "-o", "c", "--frames", "0", "--force")
            self.assertIn("the ids in its particle files are replaced by new ones: " + reason, said)
            self.assertEqual([row[6] for row in read_ply(self.at("c/particles/particles_0000.ply"))], [0, 1, 2])

    def test_what_is_left_out_is_reported_with_a_place(self):
        self.write("p.csv", "x,y,z\n0.5,0.5,0.2\n0.5,0.5,0.7\n0.6,0.5,0.9\n")
        self.write("c.json", scene(fluids=water({"file": "p.csv"})))
        said = self.weir("run", "c.json", "-o", "c", "--frames", "0")
        self.assertIn("2 particles of fluid water were skipped: 2 outside the domain, the first at (0.5, 0.5, 0.7)", said)

    # ---- places, units, axes ---------------------------------------------------------------------

    def start(self, fluid, cloth):
        """Returns the particles of a fluid and the vertices of a cloth at the start."""
        self.write("scene.json", scene(fluids=water(fluid), solver={"pre_stabilization": 0},
                                       cloths=[{"name": "sheet", "area_density": 1, "mesh": cloth}]))
        self.weir("run", "scene.json", "-o", "run", "--frames", "0", "--force")
        with open(self.at("run", "cloth", "sheet_0000.obj"), encoding="ascii") as f:
            sheet = [tuple(map(float, line.split()[1:])) for line in f if line.startswith("v ")]
        return read_ply(self.at("run", "particles", "particles_0000.ply")), sheet

    def test_files_in_the_coordinates_of_a_map_are_moved_without_loss(self):
        place, at = (448256.405, 31.12, -5412844.016), [0.213, 0.127, 0.106]
        self.wedge("near.obj", lambda x, y, z: (2.6 * x, 5.3 * y, z))
        self.wedge("far.obj", lambda x, y, z: (2.6 * x + place[0], 5.3 * y + place[1], z + place[2]))
        self.wedge("mm.obj", lambda x, y, z: (1e3 * (2.6 * x + place[0]), 1e3 * (5.3 * y + place[1]), 1e3 * (z + place[2])))
        points = [(0.1 * i, 0.07 * i, 0.03 * i) for i in range(1, 5)]
        for name, offset, factor in (("near", (0, 0, 0), 1), ("far", place, 1), ("mm", place, 1000)):
            self.write(name + ".csv", "x,y,z\n" + "".join(
                "%.6f,%.6f,%.6f\n" % tuple(factor * (a + b) for a, b in zip(p, offset)) for p in points))
        to = [round(a - p, 6) for a, p in zip(at, place)]
        poses = {"near": {"position": at}, "far": {"position": to}, "mm": {"position": to, "scale": 0.001}}
        blocks, clouds = {}, {}
        for name, pose in poses.items():
            mesh = {"file": name + ".obj"}
            blocks[name] = self.start({"shape": {"mesh": mesh, **pose}}, {**mesh, **pose})
            clouds[name] = self.start({"file": name + ".csv", **pose}, {**mesh, **pose})
        for name in ("far", "mm"):
            for found, near in ((blocks[name], blocks["near"]), (clouds[name], clouds["near"])):
                self.assertLess(apart(found[0], near[0]), 2e-6)
                self.assertLess(apart(found[1], near[1]), 2e-6)
        self.assertGreater(len(blocks["near"][0]), 200)
        self.assertEqual(len(clouds["near"][0]), 4)

    def test_files_with_z_up_are_turned_alike(self):
        self.wedge("y.obj", lambda x, y, z: (2.6 * x, 5.3 * y, z))
        self.wedge("z.obj", lambda x, y, z: (2.6 * x, -z, 5.3 * y))
        self.write("y.csv", "x,y,z,vx,vy,vz\n0.6,0.3,0.2,0.1,0.2,0.3\n0.7,0.5,0.3,0,0,0\n")
        self.write("z.csv", "x,y,z,vx,vy,vz\n0.6,-0.2,0.3,0.1,-0.3,0.2\n0.7,-0.3,0.5,0,0,0\n")
        at, found = {"position": [0.2, 0.1, 0.1]}, {}
        for axis, up in (("y", {}), ("z", {"up": "z"})):
            mesh = {"file": axis + ".obj", **up}
            found[axis] = (self.start({"shape": {"mesh": mesh, **at}}, {**mesh, **at}),
                           self.start({"file": axis + ".csv", **up}, {**mesh, **at}))
        (block_y, cloud_y), (block_z, cloud_z) = found["y"], found["z"]
        self.assertLess(apart(cloud_y[0], cloud_z[0]), 1e-6)
        self.assertLess(apart(cloud_y[1], cloud_z[1]), 1e-6)
        self.assertLess(apart(*([row[3:6] for row in cloud[0]] for cloud in (cloud_y, cloud_z))), 1e-6)
        # the nodes at which distances are sampled lie elsewhere in a turned mesh
        middles = [[[sum(row[k] for row in block[0]) / len(block[0]) for k in range(3)]] for block in (block_y, block_z)]
        self.assertLess(apart(*middles), 0.005)

    def test_a_file_of_another_size_or_place_is_reported_with_the_key_that_mends_it(self):
        pool = water({"shape": {"box": {"min": [0, 0, 0], "max": [1.2, 0.3, 0.4]}}})
        cases = ((lambda x, y, z: (1e3 * x, 1e3 * y, 1e3 * z), '300 m wide in a domain of 1.2 m, with a spacing of '
                  '0.05 m: "scale": 0.001?'),
                 (lambda x, y, z: (1e-3 * x, 1e-3 * y, 1e-3 * z), 'with a spacing of 0.05 m: "scale": 1000?'),
                 (lambda x, y, z: (x + 5, y, z), 'lies in (5, 0, 0) to (5.3, 0.1, 0.2), outside the domain of 1.2 x '
                  '0.8 x 0.4 m: "position": [-4.55, 0.35, 0.1] would'))
        for change, words in cases:
            self.wedge("w.obj", change)
            self.write("w.json", scene(fluids=pool, solids=[{"name": "wedge", "shape": {"mesh": {"file": "w.obj"}}}]))
            done = subprocess.run([WEIR, "check", "w.json", "--quick"], capture_output=True, text=True, cwd=self.folder)
            self.assertIn("warning: w.json:1:", done.stderr)
            self.assertIn(words, "\n".join(done.stderr.splitlines()[:2]))
        self.wedge("w.obj", lambda x, y, z: (2 * x, 1.5 * z, 5 * y))  # 0.6 x 0.3 x 0.5 m
        self.write("w.json", scene(fluids=water({"shape": {"mesh": {"file": "w.obj"}}})))
        self.assertIn("w.obj is 0.6 x 0.3 x 0.5 m in a domain of 1.2 x 0.8 x 0.4 m: does it lie on its side? "
                      '"up": "z", next to "file"', self.weir("check", "w.json", "--quick"))

    def test_particles_of_another_size_or_place_are_reported(self):
        rows = [(0.1 * i, 0.05 * j, 0.1) for i in range(5) for j in range(4)]
        for factor, offset, words in ((1000, 0, "400 m wide in a domain of 1.2 m"), (1, 7, "lies in (7, 7, 7.1) to")):
            self.write("p.csv", "x,y,z\n" + "".join("%.6f,%.6f,%.6f\n" % tuple(factor * c + offset for c in row)
                                                   for row in rows))
            self.write("c.json", scene(fluids=water({"file": "p.csv"})))
            done = subprocess.run([WEIR, "check", "c.json", "--quick"], capture_output=True, text=True, cwd=self.folder)
            self.assertIn("p.csv", done.stderr.splitlines()[0] + done.stderr)
            self.assertIn(words, done.stderr)

    # ---- impossible requests ---------------------------------------------------------------------

    def test_a_fluid_that_no_device_holds_is_refused_before_anything_is_baked(self):
        self.wedge("near.obj", lambda x, y, z: (x, y, z))
        self.write("fine.json", {**scene(fluids=water({"shape": {"box": {"min": [0, 0, 0], "max": [1000, 100, 100]}}}),
                                         solids=[{"name": "wedge", "shape": {"mesh": {"file": "near.obj"}}}]),
                                 "spacing": 0.1, "domain": {"min": [0, 0, 0], "max": [1000, 200, 200]}})
        for more in ([], ["--mesh", "obj"]):
            said = self.weir("run", "fine.json", "-o", "fine", *more, status=1)
            self.assertIn("fine.json: the fluids would have about 1e+10 particles, more than the ", said)
            self.assertIn("raise spacing from 0.1 to ", said)
            self.assertNotIn("baked", said)
        advised = said.split("raise spacing from 0.1 to ")[1].split()[0]
        self.assertGreater(float(advised), 0.1)

    def test_folders_have_names_that_every_system_allows(self):
        fluids = water({"shape": {"box": {"min": [0, 0, 0], "max": [0.2, 0.2, 0.2]}}})
        for name, folder in (("con", "con_"), ("COM1", "COM1_"), ("console", "console"), ("a: b/c?", "a__b_c_"),
                             ("\u6ce2", "\u6ce2")):
            self.write("n.json", scene(fluids=fluids) | {"name": name})
            self.weir("run", "n.json", "--frames", "0")
            self.assertTrue(os.path.isfile(self.at("out", folder, "run.json")), os.listdir(self.at("out")))

    def test_a_run_says_what_it_takes(self):
        self.write("a.json", scene(fluids=water({"shape": {"box": {"min": [0, 0, 0], "max": [0.5, 0.6, 0.4]}}})))
        said = self.weir("run", "a.json", "-o", "a", "--frames", "2")
        self.assertIn("960 particles, ", said)
        self.assertIn("particle files: about 27 kB a frame, 81 kB in all", said)
        said = self.weir("check", "a.json")
        for words in ("time               ", "with pictures      about ", "with meshes        about "):
            self.assertIn(words, said)

    def test_a_check_says_what_the_sides_of_a_sea_reflect(self):
        sea = {"spacing": 0.1, "domain": {"min": [0, 0, 0], "max": [13, 1.6, 1]},
               "sea": {"level": 1, "waves": {"height": 0.2, "period": 1.6}}}
        self.write("sea.json", sea)
        said = self.weir("check", "sea.json", "--quick")
        self.assertIn("waves              3.731 m long, 37.31 spacings", said)
        self.assertIn("sides of the sea   zones 3.731 m wide, which reflect 2.5 % of the waves\n", said)
        said = self.weir("check", "sea.json", "--quick", "--set", "sea.zone_width=2")
        self.assertIn("of the waves: TOO MUCH; sea.zone_width 3.73 would keep it below 5 %", said)


if __name__ == "__main__":
    unittest.main()
