#!/usr/bin/env python3
"""Tests of whole runs from Python: run(), frames(), scenes from arrays, accelerations, and what notebooks show."""
import base64
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest
import unittest.mock
import zlib

from package import POOL, main, run

import numpy as np
import weir

FREE = {"domain": {"min": [0, 0, 0], "max": [1, 1, 1]}, "gravity": [0, 0, 0], "spacing": 0.05, "frame_rate": 60,
        "fluids": [{"name": "water", "fill": {"shape": {"box": {"min": [0.4, 0.4, 0.4], "max": [0.6, 0.6, 0.6]}}}}]}


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="weir-runs-")
        cls.device = weir.Device()
        cls.scene = weir.Scene.parse({**POOL, "name": "pool", "duration": 0.1})

    @classmethod
    def tearDownClass(cls):
        cls.device.close()
        shutil.rmtree(cls.folder)

    def test_a_run_ends_at_the_duration_or_after_the_given_seconds(self):
        seen = []
        sim, table = weir.run(self.scene, device=self.device, progress=lambda frame, last: seen.append((frame, last)))
        self.assertEqual((sim.frame, list(table["frame"])), (6, list(range(7))))
        self.assertAlmostEqual(sim.time, 0.1)
        self.assertEqual(seen, [(frame, 6) for frame in range(1, 7)])
        self.assertEqual(table["front"].shape, (7,))
        with self.assertRaisesRegex(ValueError, r"all 6 frames of the scene are done.*sim.run\(seconds=1\)"):
            sim.run()
        self.assertEqual(list(sim.run(0.04)["frame"]), [6, 7, 8, 9])
        self.assertEqual(list(sim), [])
        for wrong in (-1, float("nan")):
            with self.assertRaisesRegex(ValueError, "expected a time of at least 0 s"):
                sim.run(wrong)

    def test_frames_are_those_of_single_steps(self):
        with weir.Simulation(self.device, self.scene) as one, weir.Simulation(self.device, self.scene) as other:
            for frame in one:
                other.step()
                self.assertEqual(frame, other.frame)
            self.assertEqual((one.frame, one.hash()), (6, other.hash()))

    def test_a_run_shows_its_progress_and_writes_a_folder(self):
        out = os.path.join(self.folder, "out")
        words = "import weir; weir.run(weir.example('drop'), 0.05, {'spacing': 0.06}, folder=%r, progress=True)" % out
        done = run([sys.executable, "-c", words])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("frame 3 of 3", done.stderr)
        record = json.loads(pathlib.Path(out, "run.json").read_text(encoding="utf-8"))
        self.assertEqual((record["status"], record["scene"]["spacing"]), ("complete", 0.06))
        self.assertEqual(len(os.listdir(os.path.join(out, "particles"))), 4)

    def test_values_of_a_scene_are_read_by_key(self):
        scene = self.scene.with_overrides({"spacing": 0.04}).with_overrides({"solver.iterations": 3})
        self.assertEqual((scene["spacing"], scene["solver.iterations"], scene["fluids[0].name"]), (0.04, 3, "water"))
        self.assertEqual(scene["domain"]["max"], [1, 1, 0.4])
        self.assertTrue("spacing" in scene and "spacin" not in scene and "gauges" in list(scene))
        scene["domain"]["max"][0] = 9  # of a copy
        self.assertEqual(scene["domain"]["max"], [1, 1, 0.4])
        with self.assertRaisesRegex(TypeError, "with_overrides"):
            scene["spacing"] = 0.05
        for key, words in (("solver.iteration", "did you mean 'iterations'"), ("fluids[1]", "no '1' of"),
                           ("spacing.x", "no 'x' of")):
            with self.assertRaisesRegex(KeyError, words):
                scene[key]

    def test_a_scene_takes_numbers_and_arrays_of_numpy(self):
        scene = weir.Scene.parse({**FREE, "spacing": np.float32(0.1), "domain": {"min": np.zeros(3), "max": np.full(3, 2)}},
                                 {"gravity": np.array([0, -2, 0])})
        self.assertAlmostEqual(scene["spacing"], 0.1)
        self.assertEqual((scene["domain"]["max"], scene["gravity"]), ([2, 2, 2], [0, -2, 0]))
        with self.assertRaisesRegex(TypeError, "cannot contain .*which is a complex"):
            weir.Scene.parse({**FREE, "spacing": 1j})

    def test_a_scene_starts_from_arrays(self):
        random = np.random.default_rng(3)
        cells = np.stack(np.meshgrid(*3 * [np.arange(4)], indexing="ij"), -1).reshape(-1, 3)
        positions = (0.4 + 0.05 * cells).astype("f4")
        velocities, ids = random.random((64, 3)).astype("f4"), random.permutation(64)
        scene = {**FREE, "attributes": [{"name": "dye"}], "solver": {"pre_stabilization": 0}}
        dye = random.random(64).astype("f4")
        fill = {"positions": positions, "velocities": velocities, "ids": ids, "dye": dye}
        order = ids.argsort()
        for made in (weir.Scene.parse(scene, particles={"water": fill}),
                     weir.Scene.parse({**scene, "fluids": [{"name": "water", "fill": fill}]})):
            with weir.Simulation(self.device, made) as sim:
                np.testing.assert_allclose(sim.positions(), positions[order], atol=1e-6)
                np.testing.assert_allclose(sim.velocities(), velocities[order], atol=1e-6)
                np.testing.assert_array_equal(sim.attribute("dye"), dye[order])
        two = {**scene, "fluids": [*FREE["fluids"], {"name": "oil"}]}
        moved = positions + np.float32([-0.3, 0, 0])
        made = weir.Scene.parse(two, particles={"oil": (moved, velocities)})
        path = os.path.join(self.folder, "arrays.json")
        made.save(path)
        for again in (made, weir.Scene(path)):
            with weir.Simulation(self.device, again) as sim:
                np.testing.assert_array_equal(np.bincount(sim.read("fluid")), [64, 64])
                self.assertLess(sim.positions()[sim.read("fluid") == 1, 0].max(), 0.3)
        cases = [(dict(particles={"watr": positions}), "'watr', and the scene has 'water', 'oil'; did you mean 'water'"),
                 (dict(particles={"oil": (positions, velocities[1:])}), "oil.*velocities has the shape .63, 3., expected"),
                 (dict(particles={"oil": {"velocities": velocities}}), 'oil.*has no "positions"'),
                 (dict(particles={"oil": positions + np.nan}), "positions of particle 0 is not finite")]
        for arguments, words in cases:
            with self.assertRaisesRegex(ValueError, words):
                weir.Scene.parse(two, **arguments)

    def test_accelerations_act_on_the_next_frame_or_on_all(self):
        with weir.Simulation(self.device, weir.Scene.parse(FREE)) as sim:
            own = np.zeros((len(sim), 3), "f4")
            own[:, 0] = 3
            sim.add_acceleration(own)
            sim.step()
            np.testing.assert_allclose(sim.velocities().mean(axis=0), [3 / 60, 0, 0], atol=1e-4)
            calls = []
            sim.add_acceleration(lambda sim: calls.append(sim.frame) or [0, -6, 0])
            sim.step()
            sim.step(1 / 120)
            np.testing.assert_allclose(sim.velocities().mean(axis=0), [0.05, -6 / 40, 0], atol=1e-4)
            self.assertEqual(calls, [1, 2])
            sim.clear_accelerations()
            sim.step()
            np.testing.assert_allclose(sim.velocities().mean(axis=0), [0.05, -6 / 40, 0], atol=1e-4)
            with self.assertRaisesRegex(ValueError, r"shape \(2, 3\), expected \(3,\) or \(64, 3\)"):
                sim.add_acceleration(np.zeros((2, 3)))
            own[5, 1] = np.inf
            with self.assertRaisesRegex(ValueError, "particle 5 is not finite"):
                sim.add_acceleration(own)

    def test_the_program_and_the_examples_come_with_the_package(self):
        done = run([sys.executable, "-m", "weir", "explain", "--help"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("weir explain", done.stdout)
        self.assertIn("dam_break", weir.example_names())
        with self.assertRaisesRegex(ValueError, "did you mean 'dam_break'"):
            weir.example("dam_brake")
        lost = run([sys.executable, "-m", "weir"], env={**os.environ, "WEIR_LIBRARY": "/nowhere/libweir.so"})
        self.assertNotEqual(lost.returncode, 0)

    def test_objects_say_what_they_are(self):
        sim, table = weir.run(self.scene, device=self.device)
        points = sim.points()
        mesh = weir.Mesher(self.device).mesh(points)
        texts = {self.device: "weir.Device name=", self.scene: "weir.Scene name='pool' method='pbf' spacing=0.05",
                 sim: "weir.Simulation scene='pool' frame=6 time='0.1 s' particles=", table: "weir.Table: 7 rows",
                 points: "weir.Points particles=%d" % len(sim), mesh: "weir.Mesh vertices=%d" % len(mesh.positions),
                 weir.Probe(self.device, self.scene): "weir.Probe scene='pool'",
                 weir.Renderer(self.device): "weir.Renderer device=", weir.Mesher(self.device): "weir.Mesher preset="}
        for made, text in texts.items():
            self.assertIn(text, repr(made))
            self.assertIn("<table>", made._repr_html_())
        for made in (sim, points, mesh, weir.Points(self.device, sim.positions(), 0.05)):
            data = base64.b64decode(re.search('base64,([^"]*)"', made._repr_html_()).group(1))
            self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
            packed = data[data.index(b"IDAT") + 4:data.index(b"IEND") - 8]
            rows = np.frombuffer(zlib.decompress(packed), "u1").reshape(270, 1 + 4 * 480)[:, 1:].reshape(270, 480, 4)
            self.assertGreater(rows[..., :3].std(), 10)
        with unittest.mock.patch.object(weir.Simulation, "__len__", side_effect=weir.Unstable("not finite")):
            unstable = sim.points()  # to draw what went wrong
        self.assertIn("particles='unknown'", repr(unstable))
        with self.assertRaisesRegex(weir.Unstable, "is unknown"):
            len(unstable)
        read = weir.Particles(np.zeros((2, 3)), None, None, None, None, 0.1, 0.0, (0, 0, 0), 0, 0, 0, {})
        self.assertIn("position=[2, 3] float64", repr(read))
        sim.close()
        self.assertEqual(repr(sim), "<weir.Simulation: closed>")


main()
