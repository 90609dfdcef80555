#!/usr/bin/python3
"""Tests weir run --from: a run goes on from a frame or a checkpoint of another, also when the scene has changed.

test_run_from.py WEIR
"""
import csv
import json
import struct
import sys
import unittest

sys.path.insert(0, "tests/support/cli")
from weir_case import WeirCase  # noqa: E402

TAP = {"name": "tap", "fluid": "water", "position": [0.7, 0.5, 0.2], "direction": [0, -1, 0], "radius": 0.1,
       "flow_rate": 0.01}


def scene(**more):
    """A dam break with oil on the water, and a raft."""
    return {"name": "pond", "spacing": 0.05, "duration": 0.5, "frame_rate": 60,
            "domain": {"min": [0, 0, 0], "max": [1, 0.6, 0.4]},
            "fluids": [{"name": "water", "fill": {"shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.3, 0.4]}}}},
                       {"name": "oil", "fill": {"shape": {"box": {"min": [0, 0.3, 0], "max": [0.4, 0.4, 0.4]}}}}],
            "bodies": [{"name": "raft", "density": 400, "shape": {"box": {"min": [0.7, 0.46, 0.1], "max": [0.9, 0.56, 0.3]}}}],
            **more}


def read_ply(path):
    """Returns the particles' (x, y, z, vx, vy, vz, id, fluid) by id."""
    with open(path, "rb") as f:
        head, data = f.read().split(b"end_header\n", 1)
    words = [line.split() for line in head.decode().splitlines() if line.startswith("property")]
    code = "<" + "".join("f" if word[1] == "float" else "I" for word in words)
    names = [word[2] for word in words]
    rows = [dict(zip(names, row)) for row in struct.iter_unpack(code, data)]
    return {row["id"]: row for row in rows}


class From(WeirCase):
    def write(self, name, document):
        with open(self.at(name), "w", encoding="utf-8") as f:
            json.dump(document, f)

    def run_pond(self, folder="a", *more, **keys):
        self.write("pond.json", scene(**keys))
        return self.weir("run", "pond.json", "-o", folder, "--frames", "0:20", "--fields", "velocity,id,fluid", "--quiet",
                         *more)

    def stats(self, folder):
        with open(self.at(folder, "stats.csv"), encoding="utf-8", newline="") as f:
            return [{k: float(v or 0) for k, v in row.items()} for row in csv.DictReader(f)]

    def test_whitewater_goes_on(self):
        for method in ("pbf", "flip"):
            keys = {"bodies": [], "solver": {"method": method}, "whitewater": {"emission_rate": 4, "lifetime": 0.2}}
            self.run_pond("a" + method, **keys)
            self.run_pond("b" + method, "--from", "a%s:15" % method, **keys)
            files = [[read_ply(self.at(run + method, "whitewater", "whitewater_00%d.ply" % frame)) for run in "ab"]
                     for frame in (15, 20)]
            self.assertGreater(len(files[0][0]), 50)
            self.assertEqual(files[0][0], files[0][1])
            self.assertLess(abs(len(files[1][0]) - len(files[1][1])), 0.15 * len(files[1][0]), method)
            old = [[i for i in files[0][0] if i in after] for after in files[1]]
            self.assertGreater(len(old[0]), 10)
            self.assertLess(len(old[0]), len(files[0][0]))  # some have ended
            self.assertEqual(*old)
        said = self.run_pond("c", "--from", "aflip:15", bodies=[], solver={"method": "flip"})
        self.assertIn("has no whitewater: the %d particles of the run's are gone" % len(files[0][0]), said)

    def test_a_run_goes_on_from_its_own_frame(self):
        # frames lack the velocity gradients of apic: they are fitted
        for method, loss, distance in (("pbf", 1e-3, 1e-3), ("flip", 1e-3, 1e-3), ("apic", 0.02, 5e-3)):
            solver = {"method": method}
            bodies = scene()["bodies"]
            self.run_pond(method, solver=solver, bodies=bodies)
            self.run_pond(method + "2", "--from", method + ":10", solver=solver, bodies=bodies)
            one, two = self.stats(method), self.stats(method + "2")
            self.assertEqual((two[0]["frame"], two[-1]["frame"], len(two)), (10, 20, 11))
            self.assertAlmostEqual(two[0]["time_s"], 1 / 6, 9)
            end, again = one[-1], two[-1]
            self.assertEqual(again["particle_count"], end["particle_count"])
            energy, same = (s["kinetic_energy_j"] + s["potential_energy_j"] for s in (end, again))
            self.assertLess(abs(same - energy), loss * energy)
            for axis in "xyz":
                key = "centre_of_mass_m_" + axis
                self.assertLess(abs(again[key] - end[key]), distance, (method, key))
            whole = read_ply(self.at(method, "particles", "particles_0010.ply"))
            kept = read_ply(self.at(method + "2", "particles", "particles_0010.ply"))
            self.assertEqual(kept.keys(), whole.keys())
            for number, particle in kept.items():
                self.assertEqual(particle["fluid"], whole[number]["fluid"])
                self.assertAlmostEqual(particle["vx"], whole[number]["vx"], 5)
            with open(self.at(method + "2", "run.json"), encoding="utf-8") as f:
                self.assertEqual(json.load(f)["started_from"], method + ":10")

    def test_a_checkpoint_goes_on_with_the_same_bits(self):
        whole = self.run_pond("a", "--checkpoint-interval", "5", "--checkpoints-kept", "4")
        self.assertTrue(not whole or "state" not in whole)
        again = self.weir("run", "pond.json", "-o", "b", "--frames", "0:20", "--fields", "velocity,id,fluid", "--from",
                          "a/checkpoint/checkpoint_0010.weir")
        self.assertIn("frames 10 to 20", again)
        for name in ("particles/particles_0020.ply", "bodies.jsonl"):
            with open(self.at("a", name), "rb") as a, open(self.at("b", name), "rb") as b:
                one, two = a.read(), b.read()
            self.assertEqual(one.splitlines()[-1], two.splitlines()[-1], name)

    def test_a_changed_scene_keeps_what_fits(self):
        self.run_pond()
        rock = {"name": "rock", "shape": {"sphere": {"radius": 0.15}, "position": [0.3, 0.05, 0.2]}}
        fluids = scene()["fluids"][::-1]  # oil first: particles keep their fluid by its name
        said = self.run_pond("b", "--from", "a:10", solids=[rock], emitters=[TAP], fluids=fluids, bodies=[])
        self.assertRegex(said, r"particles_0010\.ply: [1-9]\d* particles were in solids, bodies or walls of the scene: moved out")
        self.assertIn("the scene has no body 'raft': it is gone", said)
        removed = self.run_pond("c", "--from", "a:10", "--remove-inside", solids=[rock], bodies=[])
        self.assertRegex(removed, r"particles_0010\.ply: [1-9]\d* particles were removed: [1-9]\d* in or at a wall or a solid, ")
        before, after = (read_ply(self.at(run, "particles", "particles_0010.ply")) for run in "ab")
        self.assertEqual({p["fluid"] for p in after.values()}, {0, 1})
        for number, particle in after.items():
            self.assertEqual(particle["fluid"], 1 - before[number]["fluid"])
        stats = self.stats("b")
        # what the tap would have emitted until frame 10 is not caught up on: 10 frames of 0.01 / 60 m3
        self.assertLess(abs(stats[-1]["particle_count"] - stats[0]["particle_count"] - 13), 14)

    def test_what_does_not_fit_is_named(self):
        self.run_pond()
        for keys, where, words in (
                ({"spacing": 0.04}, "a:10", "the run has a spacing of 0.05 m and the scene one of 0.04 m"),
                ({"frame_rate": 30}, "a:10", "the run has 60 frames per second and the scene 30: set frame_rate=60"),
                ({}, "a:21", "a has no particles of frame 21; its first frame is 0 and its last 20"),
                ({}, "nowhere:3", "nowhere has no run.json: give the folder of a run of weir, with the frame: DIR:30"),
                ({"fluids": scene()["fluids"][:1]}, "a:10", "has no fluid 'oil', of which particle")):
            self.write("pond.json", scene(**keys))
            self.assertIn(words, self.weir("run", "pond.json", "-o", "b", "--from", where,
                                         status=1 if where.startswith("nowhere") else 2))
        self.assertIn("choose one", self.weir("run", "-o", "a", "--resume", "--from", "a:10", status=2))
        again = self.weir("run", "pond.json", "-o", "d", "--from", "a", "--frames", "0:21", "--quiet", "--set", "duration=1",
                          "--set", 'fluids=%s' % json.dumps(scene()["fluids"]))
        self.assertEqual(self.stats("d")[0]["frame"], 20, again)  # without a frame: the last one
        said = self.weir("run", "d/run.json", "-o", "e", "--frames", "0:1", "--quiet")
        self.assertIn("that run started from a; this one starts from the scene's fills unless you give --from a", said)


if __name__ == "__main__":
    unittest.main()
