#!/usr/bin/env python3
"""Tests the Python package with the library of the build that contains the given `weir`."""
import gc
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import threading
import unittest

from package import LIBRARY, POOL, ROOT, WEIR, main, run

import numpy as np
import weir

# Lengths and the time step are powers of two, so that floats hold every position exactly.
BLOCK = {"domain": {"min": [-1, -1, -1], "max": [1, 1, 1]}, "gravity": [0, 0, 0], "spacing": 0.0625, "frame_rate": 128,
         "solver": {"substeps": 1, "support_radius": 2, "iterations": 4},
         "fluids": [{"name": "water", "fill": {"shape": {"box": {"min": [-1, -1, -1], "max": [-0.5, -0.5, -0.5]}}}}]}


def crowd():
    """Returns the block's particles, closer together than at rest, and their velocities."""
    random = np.random.default_rng(7)
    sites = np.stack(np.meshgrid(*3 * [np.arange(8)], indexing="ij"), axis=-1).reshape(-1, 3) + 0.5
    positions = -1 + np.rint(0.9375 * 0.0625 * sites * 4096) / 4096 + random.integers(-40, 41, (512, 3)) / 4096
    return positions.astype("f4"), (random.integers(-64, 65, (512, 3)) / 32).astype("f4")


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="weir-python-")
        cls.device = weir.Device()
        cls.scene = weir.Scene.parse(POOL)
        cls.sim = weir.Simulation(cls.device, cls.scene)
        for _ in range(3):
            cls.sim.step()

    @classmethod
    def tearDownClass(cls):
        cls.device.close()
        shutil.rmtree(cls.folder)

    def test_the_versions_are_one(self):
        self.assertIn(weir.__version__, run([WEIR, "--version"]).stdout)

    def test_every_function_of_the_headers_can_be_called(self):
        texts = [path.read_text() for path in pathlib.Path(ROOT, "src", "include", "weir").glob("*.h")
                 if path.name != "vulkan.h"]
        names = re.findall(r"(?m)^WEIR_API [^;(]*?(\w+)\(", "".join(texts))
        self.assertGreater(len(names), 100)
        self.assertEqual([name for name in names if not hasattr(weir._library.library, name)], [])

    def test_a_run_is_that_of_the_program(self):
        path, out = os.path.join(self.folder, "pool.json"), os.path.join(self.folder, "out")
        with open(path, "w") as file:
            file.write(self.scene.info["json"])
        done = run([WEIR, "run", path, "-o", out, "--frames", "3:3", "--fields", "velocity,id,density"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("%016x" % self.sim.hash(), done.stdout)
        stored = weir.read_particles(os.path.join(out, "particles", "particles_0003.ply"))
        np.testing.assert_array_equal(stored.id, self.sim.read("id"))
        np.testing.assert_array_equal(stored.velocity, self.sim.velocities())
        np.testing.assert_array_equal(stored.density, self.sim.read("density"))
        self.assertIsNone(stored.fluid)

    def test_particles_of_files_are_cleaned_when_asked(self):
        block = np.stack(np.meshgrid(*[np.arange(8.0)] * 3), -1).reshape(-1, 3)
        far = np.array([448000.0, 0.0, -5413000.0])
        path = os.path.join(self.folder, "cloud.npy")
        np.save(path, np.vstack([block + far, [[np.nan, 0, 0], [9e6, 0, 0]]]))
        found = weir.read_particles(path)
        self.assertEqual((len(found.position), found.skipped, found.outliers), (513, 1, 0))
        self.assertEqual(found.origin, tuple(far))
        found = weir.read_particles(path, drop_outliers=True)
        self.assertEqual((len(found.position), found.outliers), (512, 1))
        np.testing.assert_array_equal(found.position + far, block + far)
        self.assertAlmostEqual(found.spacing_m, 1, delta=0.03)
        found = weir.read_particles(path, crop=(far - 1, far + [3.5, 9, 9]))
        self.assertEqual((len(found.position), found.cropped), (256, 257))
        with self.assertRaisesRegex(ValueError, "the crop box contains none of the 513 particles, which lie in"):
            weir.read_particles(path, crop=((0, 0, 0), (1, 1, 1)))

    def test_fields_have_their_shapes_and_take_the_callers_array(self):
        count = len(self.sim)
        for field, kind, shape in (("position", "f4", (count, 3)), ("id", "u4", (count,)),
                                   ("density", "f4", (count,))):
            array = self.sim.read(field)
            self.assertEqual((array.dtype, array.shape), (np.dtype(kind), shape))
        out = np.empty((count, 3), np.float32)
        self.assertIs(self.sim.read("position", out), out)
        np.testing.assert_array_equal(out, self.sim.positions())
        for wrong in (np.empty((count, 3)), np.empty((count + 1, 3), np.float32),
                      np.empty((3, count), np.float32).T):
            with self.assertRaisesRegex(ValueError, "expected .*float32"):
                self.sim.read("position", wrong)

    def test_statistics_gauges_and_bodies_are_tables(self):
        table = weir.Table()
        with weir.Simulation(self.device, self.scene) as sim:
            table.add(sim)
            sim.step()
            table.add(sim)
            self.assertEqual(sim.gauges()["front"].unit, "m")
            self.assertEqual([body["name"] for body in sim.bodies()], ["cork"])
            self.assertAlmostEqual(sim.bodies()[0]["mass_kg"], 200 * 4 / 3 * np.pi * 1e-3, delta=0.02)
            force, = sim.body_forces()
            self.assertEqual((force["name"], force["frame"]), ("cork", sim.stats()["frame"]))
            self.assertEqual((len(force["force"]), len(force["torque"])), (3, 3))
            with self.assertRaisesRegex(weir.Error, "solver.solid_forces"):
                sim.solid_forces()
        lines = table.array()
        self.assertEqual(list(lines["frame"]), [0, 1])
        self.assertTrue(np.isnan(lines["front"][0]) and 0.3 < lines["front"][1] < 0.6)
        self.assertEqual(lines["momentum_kg_m_s"].shape, (2, 3))

    def test_a_solid_is_moved_by_the_program(self):
        paddle = {"name": "paddle", "motion": {"host_driven": True},
                  "shape": {"box": {"min": [-0.1, 0, 0], "max": [0, 1, 0.4]}}}
        with weir.Simulation(self.device, weir.Scene.parse(dict(POOL, bodies=[], solids=[paddle]))) as sim:
            for frame in range(3):
                sim.set_solid("paddle", [0.05 * (frame + 1), 0, 0])
                sim.step()
            self.assertGreater(sim.positions()[:, 0].min(), 0.15)
            with self.assertRaisesRegex(weir.ArgumentError, 'no solid "oar"'):
                sim.set_solid("oar", [0, 0, 0])

    def test_particles_are_given_other_velocities(self):
        with weir.Simulation(self.device, self.scene) as sim:
            sim.write("velocity", sim.velocities() + [0, 2, 0])
            np.testing.assert_array_equal(sim.velocities()[:, 1], 2)
            with self.assertRaisesRegex(ValueError, "velocity has the shape"):
                sim.write("velocity", [[1, 2, 3]])

    def test_attributes_are_arrays_by_name(self):
        scene = weir.Scene.parse({**POOL, "attributes": [{"name": "dye"}, {"name": "tint", "components": 3}]})
        with weir.Simulation(self.device, scene) as sim:
            self.assertEqual(sim.attributes(), {"dye": 1, "tint": 3})
            tint = np.arange(3 * len(sim), dtype="f4").reshape(-1, 3)
            sim.set_attribute("tint", tint)
            sim.step()
            np.testing.assert_array_equal(sim.attribute("tint"), tint)
            out = os.path.join(self.folder, "tinted")
            with weir.Output(sim, out) as output:
                output.frame()
                output.finish()
            found = weir.read_particles(os.path.join(out, "particles", "particles_0001.ply"),
                                        attributes={**sim.attributes(), "heat": 1})
            self.assertEqual(set(found.attributes), {"dye", "tint"})
            np.testing.assert_array_equal(found.attributes["tint"], tint)
            np.testing.assert_array_equal(found.attributes["dye"], sim.attribute("dye"))
            np.testing.assert_array_equal(sim.attribute("dye"), np.zeros(len(sim)))
            with self.assertRaisesRegex(weir.Error, "did you mean \"dye\""):
                sim.attribute("dy")
            with self.assertRaisesRegex(ValueError, "tint"):
                sim.set_attribute("tint", tint[:, 0])

    def test_the_device_is_asked_at_places(self):
        probe, points = weir.Probe(self.device, self.scene), self.sim.points()
        inside, above = [0.2, 0.3, 0.2], [0.9, 0.9, 0.2]
        self.assertIsNone(probe.read(wait=False))
        probe.submit(points, [above])
        probe.submit(points, [inside, above])
        answers = probe.read()
        self.assertEqual((answers.number, len(answers.fluid_fraction)), (2, 2))
        np.testing.assert_allclose(answers.fluid_fraction, [1, 0], atol=0.1)
        np.testing.assert_allclose(answers.density, [1000, 0], rtol=0.05)
        self.assertAlmostEqual(answers.surface[0], 0.3, delta=0.05)
        self.assertTrue(np.isnan(answers.surface[1]))
        near = np.linalg.norm(self.sim.positions() - inside, axis=1) < 0.1
        np.testing.assert_allclose(answers.velocity[0], self.sim.velocities()[near].mean(axis=0), atol=0.1)
        with self.assertRaisesRegex(ValueError, "places has the shape"):
            probe.submit(points, [[1, 2], [3, 4]])

    def test_the_constraint_alone_is_a_substep_without_forces(self):
        scene, step = weir.Scene.parse(BLOCK), 1 / 128
        positions, velocities = crowd()
        with weir.Simulation(self.device, scene) as sim:
            sim.write("position", positions)
            sim.write("velocity", velocities)
            sim.step()
            expected = sim.positions(), sim.velocities()
        moved = positions + velocities * np.float32(step)
        given = moved.copy()
        found = weir.DensitySolver(self.device, scene).solve(moved, step, velocities)
        self.assertGreater(abs(found.positions - moved).max(), 1e-3)
        np.testing.assert_array_equal(found.positions, expected[0])
        np.testing.assert_array_equal(found.velocities, expected[1])
        self.assertEqual([found.report[name] for name in ("iterations", "skipped", "fixed", "complete")], [4, 0, 0, True])
        np.testing.assert_array_equal(moved, given)

    def test_the_constraint_takes_masses_and_the_callers_neighbours(self):
        constraint, positions = weir.DensitySolver(self.device, weir.Scene.parse(BLOCK)), crowd()[0]
        searched = constraint.solve(positions, 1 / 128)
        self.assertIsNone(searched.velocities)
        distances = np.linalg.norm(positions[:, None].astype("f8") - positions[None], axis=2)
        near = distances < 0.125
        lists = {"neighbour_offsets": np.append(0, near.sum(axis=1).cumsum()), "neighbours": np.nonzero(near)[1]}
        np.testing.assert_allclose(constraint.solve(positions, 1 / 128, **lists).positions, searched.positions,
                                   atol=0.005 * 0.0625)
        alone = constraint.solve(positions, 1 / 128, neighbour_offsets=np.arange(513), neighbours=np.arange(512))
        np.testing.assert_array_equal(alone.positions, positions.clip(-1 + 0.0625 / 2))  # only the walls act
        masses = np.where(np.arange(512) < 100, 0, 1)
        held = constraint.solve(positions.tolist(), 1 / 128, inverse_masses=masses)
        self.assertEqual((held.report["fixed"], held.report["solve_number"]), (100, 4))
        np.testing.assert_array_equal(held.positions[:100], positions[:100])
        self.assertGreater(abs(held.positions[100:] - positions[100:]).max(), 1e-3)

        cases = [(ValueError, "velocities has the shape", {"velocities": positions[1:]}),
                 (ValueError, "neighbours has the shape .*, expected", dict(lists, neighbours=[1, 2])),
                 (weir.ArgumentError, "must be both given", {"neighbours": [1, 2]}),
                 (weir.ArgumentError, "`inverse_masses`: particle 3 has -1", {"inverse_masses": 2.0 - np.arange(512)}),
                 (weir.ArgumentError, "`neighbours.0.` is 512", dict(lists, neighbours=lists["neighbours"] + 512))]
        for kind, words, more in cases:
            with self.assertRaisesRegex(kind, words):
                constraint.solve(positions, 1 / 128, **more)
        with self.assertRaisesRegex(weir.ArgumentError, "`dt_s` is 0"):
            constraint.solve(positions, 0)
        with self.assertRaisesRegex(weir.ArgumentError, "bod"):
            weir.DensitySolver(self.device, self.scene)

    def test_a_mesh_lends_arrays_until_it_changes(self):
        mesh = weir.Mesher(self.device, cell_size=0.5, attributes=True, raw=True).mesh(self.sim.points())
        copies, lent = mesh.arrays(), mesh.arrays(copy=False)
        self.assertEqual(int(copies["triangles"].max()) + 1, len(copies["position"]))
        self.assertIn("density", copies)
        with self.assertRaises(ValueError):
            lent["position"][0] = 0
        for forbidden in (mesh.refine, mesh.close):
            with self.assertRaisesRegex(ValueError, "are still in use"):
                forbidden()
        part = lent["position"][5:7].sum()
        del lent
        gc.collect()
        self.assertLess(mesh.refine(remove_slivers=True)["triangles_after"], len(copies["triangles"]))
        self.assertTrue(np.isfinite(part))

    def test_pictures_are_arrays_and_files(self):
        renderer, points = weir.Renderer(self.device, self.scene), self.sim.points()
        first = renderer.draw(points, width=64, height=36, mode="particles")
        self.assertEqual((first.shape, first.dtype), ((36, 64, 4), np.dtype("u1")))
        self.assertGreater(first[..., :3].std(), 5)
        np.testing.assert_array_equal(first, renderer.draw(points, width=64, height=36, mode="particles"))
        own = weir.Points(self.device, self.sim.positions(), 0.05, velocities=self.sim.velocities())
        np.testing.assert_array_equal(
            renderer.draw(own, width=64, height=36, mode="particles", colouring="speed", shadows=False).shape,
            first.shape)
        path = os.path.join(self.folder, "picture.png")
        renderer.save(path, points, width=64, height=36)
        with open(path, "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

        light = renderer.draw_linear(points, width=64, height=36)
        self.assertEqual((light.shape, light.dtype), ((36, 64, 4), np.dtype("f4")))
        self.assertGreater(light[..., 0].max(), light[..., 0].min() + 0.1)
        np.testing.assert_array_equal(light[..., 3], np.ones((36, 64), "f4"))

    def test_a_state_is_saved_restored_and_steered(self):
        path = os.path.join(self.folder, "state")
        with weir.Simulation(self.device, self.scene) as sim:
            sim.step()
            sim.save(path)
            saved = sim.hash()
            sim.set_controls(hose={"position": (0.5, 0.8, 0.2), "direction": (0, -1, 0), "speed": 2})
            before = len(sim)
            for _ in range(4):
                sim.step()
            self.assertGreater(len(sim), before)
            sim.restore(path)
            self.assertEqual(sim.hash(), saved)
            sim.set_controls(scene=weir.Scene.parse(POOL, {"solver.iterations": 5}))
            with self.assertRaisesRegex(weir.ArgumentError, "`scene` differs in parameters that cannot change during a run: create a new simulation from it"):
                sim.set_controls(scene=weir.Scene.parse(POOL, {"spacing": 0.04}))

    def test_a_body_is_picked_and_dragged(self):
        box = {"name": "box", "density": 500, "shape": {"box": {"size": [0.2, 0.2, 0.2]}, "position": [0.5, 0.7, 0.2]}}
        with weir.Simulation(self.device, weir.Scene.parse(dict(POOL, bodies=[box]))) as sim:
            self.assertIsNone(sim.pick_body((0.1, 0.95, -1), (0, 0, 1)))
            grip = sim.pick_body((0.5, 0.75, -1), (0, 0, 3))
            self.assertEqual(grip["name"], "box")
            np.testing.assert_allclose(grip["position"], (0.5, 0.75, 0.1), atol=5e-3)
            sim.grab_body(grip, (0.5, 0.85, 0.1))
            for _ in range(20):
                sim.step()
            held = sim.bodies()[0]["position"][1]
            self.assertGreater(held, 0.65)  # it hangs from its attachment
            sim.grab_body(None)
            for _ in range(6):
                sim.step()
            self.assertLess(sim.bodies()[0]["position"][1], held)
            with self.assertRaisesRegex(weir.ArgumentError, "has no body \"ball\""):
                sim.grab_body({"name": "ball", "local_position": (0, 0, 0)}, (0, 0, 0))
            with self.assertRaisesRegex(ValueError, "direction has 2 numbers, expected 3"):
                sim.pick_body((0, 0, 0), (0, 1))

    def test_a_body_is_put_elsewhere_and_kicked(self):
        box = {"name": "box", "density": 500, "shape": {"box": {"size": [0.2, 0.2, 0.2]}, "position": [0.5, 0.7, 0.2]}}
        with weir.Simulation(self.device, weir.Scene.parse(dict(POOL, bodies=[box]))) as sim:
            sim.step()
            sim.set_body("box", position=(0.4, 0.75, 0.25), rotation=(0, 0, 1, 0), velocity=(0, 1, 0))
            body = sim.bodies()[0]
            np.testing.assert_array_equal(body["position"], np.float32((0.4, 0.75, 0.25)))
            np.testing.assert_array_equal(body["rotation"], (0, 0, 1, 0))
            sim.set_body("box", angular_velocity=(0, 2, 0))
            body = sim.bodies()[0]
            np.testing.assert_array_equal(body["velocity"], (0, 1, 0))
            np.testing.assert_allclose(body["angular_velocity"], (0, 2, 0), atol=1e-5)
            sim.step()
            self.assertGreater(sim.bodies()[0]["position"][1], 0.75)
            with self.assertRaisesRegex(weir.ArgumentError, "has no body \"ball\""):
                sim.set_body("ball", velocity=(0, 0, 0))
            with self.assertRaisesRegex(weir.ArgumentError, "into the domain's side '-y'"):
                sim.set_body("box", position=(0.5, 0, 0.2))

    def test_an_emitter_is_opened_and_moved(self):
        hose = {"name": "hose", "fluid": "water", "position": [0.2, 0.8, 0.2], "direction": [1, 0, 0], "radius": 0.06,
                "speed": 2, "motion": {"host_driven": True}}
        with weir.Simulation(self.device, weir.Scene.parse(dict(POOL, emitters=[hose]))) as sim:
            before = len(sim)
            sim.set_emitter("hose", open=False)
            sim.step()
            self.assertEqual((len(sim), sim.emitter("hose")["open"]), (before, False))
            sim.set_emitter("hose", open=True, position=(0.3, 0.9, 0.2), direction=(0, 0, 1), teleport=True)
            sim.step()
            born = sim.positions()[before:]
            self.assertGreater(len(born), 0)
            np.testing.assert_allclose(born[:, :2].mean(axis=0), (0.3, 0.9), atol=0.01)
            self.assertEqual(sim.emitter("hose")["speed"], 2)
            with self.assertRaisesRegex(weir.ArgumentError, "`speed` must be 0.001 to 1000"):
                sim.set_emitter("hose", speed=0)
            with self.assertRaisesRegex(TypeError, "did you mean 'position'"):
                sim.set_emitter("hose", positon=(0, 0, 0))

    def test_an_output_folder_is_written(self):
        out = os.path.join(self.folder, "written")
        with weir.Simulation(self.device, self.scene) as sim, weir.Output(sim, out, fields=["density"]) as output:
            output.frame()
            sim.step()
            output.frame()
            record = pathlib.Path(out, "run.json")
            statuses = []
            for end in (output.stop, output.finish):
                end()
                run = json.loads(record.read_text(encoding="utf-8"))
                statuses.append(run["status"])
                self.assertEqual(run["state"], "%016x" % sim.hash())
            self.assertEqual(statuses, ["stopped", "complete"])
        self.assertEqual(sorted(os.listdir(os.path.join(out, "particles"))),
                         ["particles_0000.ply", "particles_0001.ply"])
        self.assertIsNone(weir.read_particles(os.path.join(out, "particles", "particles_0001.ply")).velocity)

    def test_what_fails_says_why(self):
        cases = [(weir.FileError, "nix.json.*cannot be opened", lambda: weir.Scene("nix.json")),
                 (weir.SceneError, "spacin: unknown key", lambda: weir.Scene.parse(dict(POOL, spacin=1))),
                 (weir.ArgumentError, "unknown device", lambda: weir.Device("none of this name")),
                 (ValueError, "did you mean 'position'", lambda: self.sim.read("positon")),
                 (OverflowError, "width is -3: can't convert negative",
                  lambda: weir.Renderer(self.device).draw(None, width=-3)),
                 (TypeError, "did you mean 'centre_smoothing'", lambda: weir.Mesher(self.device, smothing=1)),
                 (ValueError, "eye has 2 numbers, expected 3",
                  lambda: weir.Renderer(self.device).draw(None, eye=(1, 2))),
                 (ValueError, "velocity has the shape", lambda: weir.Points(self.device, np.zeros((4, 3)), 0.1,
                                                                           velocities=np.zeros((3, 3))))]
        for kind, words, work in cases:
            with self.assertRaisesRegex(kind, words):
                work()

    def test_what_is_closed_closes_what_was_made_from_it(self):
        device = weir.Device()
        sim = weir.Simulation(device, weir.Scene.parse(POOL))
        points = sim.points()
        device.close()
        self.assertTrue(sim.closed and points.closed)
        with self.assertRaisesRegex(ValueError, "this Simulation is closed"):
            sim.step()

    def test_a_program_may_end_with_everything_open(self):
        words = ("import weir; d = weir.Device(); s = weir.Scene.parse(%r); m = weir.Simulation(d, s); m.step(); "
                 "p = m.points(); o = weir.Output(m, %r); o.frame(); r = weir.Renderer(d, s)" %
                 (POOL, os.path.join(self.folder, "open")))
        done = run([sys.executable, "-c", words])
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_threads_take_turns(self):
        expected, found = self.sim.positions(), []
        threads = [threading.Thread(target=lambda: found.append(self.sim.positions())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 4)
        for array in found:
            np.testing.assert_array_equal(array, expected)

    def test_a_library_that_is_not_there_is_told(self):
        done = run([sys.executable, "-c", "import weir"], env=dict(os.environ, WEIR_LIBRARY="/nowhere/libweir.so"))
        self.assertIn("set WEIR_LIBRARY to the path of libweir.so", done.stderr)

    def test_an_installed_package_reads_its_own_headers_and_refuses_a_library_of_others(self):
        package = pathlib.Path(self.folder, "installed", "weir")
        shutil.copytree(os.path.join(ROOT, "src", "python", "weir"), package)
        shutil.copytree(os.path.join(ROOT, "src", "include", "weir"), package / "include")
        environment = dict(os.environ, PYTHONPATH=str(package.parent))
        done = run([sys.executable, "-c", "import weir; print(weir.__file__)"], env=environment)
        self.assertIn(str(package), done.stdout, done.stderr)
        core = package / "include" / "core.h"
        mine = core.read_text()
        core.write_text(re.sub(r"(WEIR_VERSION_MAJOR) \d+", r"\1 77", mine))
        done = run([sys.executable, "-c", "import weir"], env=environment)
        self.assertRegex(done.stderr, r"is version [0-9.]+ of Weir, this package needs 77\.0\.0: install both from the same "
                         "release")
        core.write_text(mine)
        version = package / "include" / "version.h"
        version.write_text(re.sub(r"(WEIR_ABI) 0x\w+", r"\1 0x12u", version.read_text()))
        done = run([sys.executable, "-c", "import weir"], env=environment)
        self.assertRegex(done.stderr, r"was built with other headers \(\w{8}\) than this package \(00000012\)")

    def test_another_programs_frame_is_put_beside_ours(self):
        theirs, ours = os.path.join(self.folder, "theirs.csv"), os.path.join(self.folder, "ours.xyz")
        with open(theirs, "w") as file:  # z is up
            file.write("Pos.x [m];Pos.y [m];Pos.z [m];Type;\n0;-0.1;0.5;3;\n1;-0.1;0.25;3;\n9;9;9;0;\n")
        with open(ours, "w") as file:
            file.write("0 0.6 0.1\n1 0.25 0.1\n")
        script = os.path.join(ROOT, "docs", "python", "compare_frames.py")
        done = run([sys.executable, script, theirs, ours, "--z-up"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 particles, middle at [0.5   0.375 0.1  ], front at 1.000 m", done.stdout)
        self.assertIn("heights differ by 0.0500 m on average", done.stdout)


main()
