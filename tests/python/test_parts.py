#!/usr/bin/env python3
"""Tests whitewater, cloths, ropes, soft bodies, slices, and what engineers measure, from Python."""
import importlib.util
import json
import os
import shutil
import tempfile
import unittest

from package import POOL, main

import numpy as np
import weir

SURGE = {"name": "surge", "domain": {"min": [0, 0, 0], "max": [1.2, 1, 0.3]}, "spacing": 0.05, "frame_rate": 60,
         "attributes": [{"name": "dye", "initial": 0.5}],
         "fluids": [{"name": "water", "fill": {"shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.8, 0.3]}},
                                               "velocity": [5, 0, 0]}}],
         "whitewater": {"trapped_air_rate": 0.5, "wave_crest_rate": 0.5}}
SOFT = {**POOL, "bodies": [],
        "cloths": [{"name": "sheet", "area_density": 1,
                    "grid": {"corner": [0.5, 0.5, 0.1], "along": [0.3, 0, 0], "across": [0, 0, 0.2], "spacing": 0.05}}],
        "soft_bodies": [{"name": "cube", "density": 500, "stiffness": 15000,
                         "shape": {"box": {"size": [0.2, 0.2, 0.2]}, "position": [0.7, 0.7, 0.2]},
                         "spacing": 0.1}]}


class Parts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="weir-parts-")
        cls.device = weir.Device()

    @classmethod
    def tearDownClass(cls):
        cls.device.close()
        shutil.rmtree(cls.folder)

    def test_whitewater_of_a_simulation_of_files_and_of_stored_frames_is_one(self):
        scene, out = weir.Scene.parse(SURGE), os.path.join(self.folder, "surge")
        foam = weir.Whitewater(self.device, scene)
        self.assertEqual(len(foam.particles().position), 0)
        with weir.Simulation(self.device, scene) as sim, weir.Output(sim, out) as output:
            foam.step(sim.points(), 0.0)
            for frame in sim.frames(0.1):
                foam.step(sim.points(), sim.time)
                output.frame()
            output.finish()
            own = sim.whitewater()
            counts, stats = foam.counts(), sim.stats()
            self.assertGreater(len(own.position), 50)
            self.assertEqual((own.position.shape[1], own.attributes["dye"].shape), (3, own.id.shape))
            np.testing.assert_allclose(own.attributes["dye"], 0.5, atol=1e-6)
            self.assertEqual([counts[name] for name in ("spray", "foam", "bubbles")],
                             [stats[name] for name in ("spray", "foam", "bubbles")])
            self.assertEqual(counts["spray"], len(own.of_kind("spray")))
            with self.assertRaisesRegex(ValueError, "expected one of spray, foam"):
                own.of_kind("mist")
            self.assertEqual(set(foam.potentials(sim.points())), {"energy", "trapped_air", "wave_crest", "curl"})
            self.assertGreater(foam.scales()["speed_m_s"], 0)
            path = os.path.join(self.folder, "foam.ply")
            foam.save(path)
            files = [path, os.path.join(out, "whitewater", "whitewater_%04d.ply" % sim.frame)]
            for found in (foam.particles(), *(weir.read_whitewater(file, scene.attributes()) for file in files)):
                for name in ("position", "kind", "radius", "age"):
                    np.testing.assert_array_equal(getattr(found, name)[found.id.argsort()],
                                                  getattr(own, name)[own.id.argsort()], name)
            points = weir.Points(self.device, sim.positions(), 0.05, velocities=sim.velocities())
            renderer = weir.Renderer(self.device, scene)
            plain = renderer.draw(points, width=160, height=90)
            points.set_whitewater(own)
            self.assertGreater((renderer.draw(points, width=160, height=90) != plain).any(axis=2).sum(), 20)
        with self.assertRaisesRegex(ValueError, "the extension of .*foam.doc is 'doc', expected one of ply"):
            foam.save(os.path.join(self.folder, "foam.doc"))
        with self.assertRaisesRegex(weir.ArgumentError, "time_s"):
            foam.step(points, 0.0)

    def test_cloths_and_soft_bodies_are_arrays(self):
        with weir.Simulation(self.device, weir.Scene.parse(SOFT)) as sim:
            before = sim.deformables()
            sim.run(0.05)
            cloth, cube = sim.deformables()
        self.assertEqual([(d.name, d.kind) for d in (cloth, cube)], [("sheet", "cloth"), ("cube", "soft-body")])
        self.assertEqual(cloth.positions.shape, cloth.velocities.shape)
        self.assertEqual(int(cloth.triangles.max()) + 1, len(cloth.positions))
        self.assertEqual((len(cloth.segments), cloth.surface_vertices), (0, len(cloth.positions)))
        self.assertLess(cube.surface_vertices, len(cube.positions) + 1)
        for then, now in zip(before, (cloth, cube)):
            self.assertLess(now.positions[:, 1].mean(), then.positions[:, 1].mean())
            self.assertLess(now.velocities[:, 1].mean(), -0.2)
        with weir.Simulation(self.device, weir.Scene.parse(POOL)) as sim:
            self.assertEqual(sim.deformables(), [])
            self.assertEqual(len(sim.whitewater().position), 0)

    def test_bodies_and_cloths_of_files_are_in_pictures(self):
        scene, out = weir.Scene.parse({**SOFT, "bodies": POOL["bodies"]}), os.path.join(self.folder, "soft")
        with weir.Simulation(self.device, scene) as sim, weir.Output(sim, out) as output:
            sim.run(0.05, output=output)
            bodies = sim.bodies()
        renderer = weir.Renderer(self.device, scene)
        points = weir.Points.load(self.device, os.path.join(out, "particles", "particles_0003.ply"))
        pictures = [renderer.draw(points, width=160, height=90)]
        renderer.set_bodies(bodies)
        pictures.append(renderer.draw(points, width=160, height=90))
        points.load_deformables(scene, out, 3)
        pictures.append(renderer.draw(points, width=160, height=90))
        for before, after in zip(pictures, pictures[1:]):
            self.assertGreater((before != after).any(axis=2).sum(), 20)
        with self.assertRaises(weir.FileError):
            points.load_deformables(scene, out, 9)
        foam = weir.Whitewater(self.device, scene)
        foam.set_bodies(bodies)
        with self.assertRaisesRegex(weir.ArgumentError, "bod"):
            foam.set_bodies(bodies + bodies)

    def test_spray_of_a_mesh_is_saved(self):
        path = os.path.join(self.folder, "spray.ply")
        with weir.Simulation(self.device, weir.Scene.parse(POOL)) as sim:
            positions = np.vstack([sim.positions(), [[0.9, 0.9, 0.2]]])
        mesh = weir.Mesher(self.device, spray_neighbours=2).mesh(weir.Points(self.device, positions, 0.05))
        np.testing.assert_allclose(mesh.arrays()["spray_position"], positions[-1:], atol=1e-6)
        mesh.save_spray(path)
        np.testing.assert_allclose(weir.read_particles(path).position, positions[-1:], atol=1e-6)

    def test_a_slice_is_an_array_with_coordinates(self):
        scene = weir.Scene.parse({**POOL, "bodies": []}, {"solver.method": "flip"})
        with weir.Simulation(self.device, scene) as sim:
            sim.run(0.1)
            cut = sim.slice("pressure", "z", 0.2)
            self.assertEqual((cut.axes, cut.unit, cut.quantity), (("y", "x"), "Pa", "pressure"))
            self.assertEqual(cut.values.shape, (len(cut.coordinates["y"]), len(cut.coordinates["x"])))
            fluid = np.isfinite(cut.values)
            self.assertTrue(fluid.any() and not fluid.all())
            self.assertFalse(fluid[cut.coordinates["y"] > 0.8].any())
            self.assertGreater(np.nanmean(cut.values[0]), np.nanmean(cut.values[fluid.any(axis=1)][-1]))
            self.assertIn("plane='z = 0.2 m'", repr(cut))
            self.assertIn("<img", cut._repr_html_())
            renderer, points = weir.Renderer(self.device, scene), sim.points()
            self.assertTrue((renderer.draw(points, slice=cut, width=64, height=36) !=
                             renderer.draw(points, width=64, height=36)).any())
            with self.assertRaisesRegex(ValueError, "did you mean 'pressure'"):
                sim.slice("presure")
            with self.assertRaisesRegex(ValueError, "axis is 'w'"):
                sim.slice("speed", "w")
            if importlib.util.find_spec("xarray"):
                data = cut.to_xarray()
                self.assertEqual((data.dims, data.attrs["units"]), (("y", "x"), "Pa"))
        with weir.Simulation(self.device, weir.Scene.parse(POOL)) as sim, self.assertRaises(weir.ArgumentError):
            sim.slice()

    def test_an_engineer_measures_passes_and_traces_them(self):
        path = os.path.join(self.folder, "trace.json")
        with weir.Simulation(self.device, weir.Scene.parse(POOL, {"solver.residuals": True})) as sim:
            with self.device.trace(path):
                sim.run(0.05)
            with open(path, encoding="utf-8") as file:
                self.assertGreater(len(json.load(file)["traceEvents"]), 50)
            residuals = sim.residuals()
            self.assertEqual(residuals.shape, (sim.scene["solver.iterations"], 2))
            self.assertTrue((residuals[:, 0] <= residuals[:, 1]).all())
            times = sim.pass_times()
            slowest = times[times["total_ms"].argmax()]
            self.assertGreater(slowest["bytes"], 0)
            alone = sim.repeat_pass(str(slowest["name"]), 3)
            self.assertEqual((alone["name"], alone["calls"]), (slowest["name"], 3))
            self.assertIn(str(slowest["name"]), sim.explain())
            self.assertIn(str(slowest["name"]), [p["name"] for part in json.loads(sim.explain("json"))["lists"] for p in part["passes"]])
            sim.reset_pass_times()
            with weir.Mesher(self.device) as mesher, weir.Renderer(self.device) as renderer:
                mesher.mesh(sim.points())
                renderer.draw(sim.points(), width=64, height=36)
                self.assertGreater(len(mesher.pass_times()), 3)
                self.assertGreater(len(renderer.pass_times()), 3)
            self.assertGreater(self.device.longest_submission_ms(), 0)
            with self.assertRaisesRegex(weir.ArgumentError, "no_such_pass"):
                sim.repeat_pass("no_such_pass")


main()
