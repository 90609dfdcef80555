#!/usr/bin/env python3
"""Tests that settings are known to inspect.signature, help(), completion, and type checkers; mypy itself runs in
tests/long/test_python_types.py."""
import inspect
import os
import sys
import tempfile
import unittest

from package import POOL, ROOT, main, run

import weir


class Signatures(unittest.TestCase):
    def test_signatures_have_the_settings_with_their_defaults(self):
        parameters = inspect.signature(weir.Mesher).parameters
        self.assertEqual(list(parameters)[:4], ["device", "preset", "field", "cell_size"])
        self.assertEqual([parameters[name].default for name in ("field", "cell_size", "particle_radius", "raw")],
                         ["zhu-bridson", 1.0, 1.01, False])
        self.assertEqual(parameters["raw"].kind, inspect.Parameter.KEYWORD_ONLY)
        self.assertEqual(parameters["raw"].annotation, "bool")
        self.assertIn('Literal["zhu-bridson"', parameters["field"].annotation)
        for function, names in ((weir.Device, {"validation", "cache_folder"}), (weir.Renderer, {"look", "environment"}),
                                (weir.Renderer.draw, {"mode", "width", "eye"}), (weir.Mesh.refine, {"smooth_iterations"}),
                                (weir.Mesh.save, {"threads"}), (weir.Output, {"particle_format", "mesher", "fields"}),
                                (weir.Simulation.set_body, {"velocity"}), (weir.Simulation.set_emitter, {"open", "speed"})):
            found = inspect.signature(function).parameters
            self.assertEqual(names - set(found), set(), function)
            self.assertFalse({"cookie", "log", "settings", "changes"} & set(found), function)
        self.assertNotIn("mass_kg", inspect.signature(weir.Simulation.set_body).parameters)

    def test_an_unknown_argument_suggests_the_nearest(self):
        for call, words in ((lambda: weir.run(POOL, second=1), r"run\(\) has no argument 'second'; did you mean 'seconds'"),
                            (lambda: weir.Scene.parse(POOL, particle={}), "did you mean 'particles'"),
                            (lambda: weir.read_particles("x.ply", drop_outlier=True), "did you mean 'drop_outliers'"),
                            (lambda: weir.Device(validaton=True), "did you mean 'validation'")):
            with self.assertRaisesRegex(TypeError, words):
                call()
        self.assertIn("progress", inspect.signature(weir.Simulation.run).parameters)

    def test_help_has_the_comments_of_the_headers(self):
        self.assertIn("cell_size: edge of a voxel, 0.01 to 100; default 1", inspect.getdoc(weir.Mesher.__init__))
        self.assertIn("attribute: Of ATTRIBUTE: the name", inspect.getdoc(weir.Renderer.draw))
        self.assertIn("None, the default: the first of the points.", inspect.getdoc(weir.Renderer.draw))

    def test_settings_of_settings_are_taken_and_none_is_the_default(self):
        with weir.Device() as device, weir.Simulation(device, weir.Scene.parse(POOL)) as sim, \
                tempfile.TemporaryDirectory() as folder:
            with weir.Output(sim, folder, mesh=True, mesher={"cell_size": 2.0},
                             refine={"drop_subdivisions": 0}, mesh_format=None) as output:
                output.frame()
                output.finish()
            coarse = weir.inspect_mesh(os.path.join(folder, "mesh", "surface_0000.obj"))["triangles"]
            fine = len(weir.Mesher(device, cell_size=1.0).mesh(sim.points()).triangles)
            self.assertLess(3 * coarse, fine)
            with self.assertRaisesRegex(TypeError, "did you mean 'cell_size'"):
                weir.Output(sim, folder, mesh=True, mesher={"cel_size": 2.0})

    def test_the_types_of_settings_are_those_of_the_headers(self):
        done = run([sys.executable, os.path.join(ROOT, "tools", "python-settings"), "--check"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


main()
