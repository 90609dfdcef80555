#!/usr/bin/env python3
"""Tests what tables and meshes become in pandas, xarray, PyVista and trimesh, as far as these are installed."""
import csv
import importlib.util
import os
import shutil
import tempfile
import unittest

from package import POOL, main

import numpy as np
import weir


def needs(name):
    return unittest.skipUnless(importlib.util.find_spec(name), "%s is not installed" % name)


class Conversions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="weir-conversions-")
        cls.device = weir.Device()
        cls.out = os.path.join(cls.folder, "out")
        cls.sim, cls.table = weir.run(POOL, 0.05, device=cls.device, folder=cls.out)

    @classmethod
    def tearDownClass(cls):
        cls.device.close()
        shutil.rmtree(cls.folder)

    def test_columns_have_the_names_and_values_of_stats_csv(self):
        with open(os.path.join(self.out, "stats.csv"), encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
        columns = self.table.columns()
        self.assertEqual([name for name in lines[0] if name not in columns], [])
        for name in ("kinetic_energy_j", "momentum_kg_m_s_y", "particle_count"):
            np.testing.assert_allclose(columns[name], [float(line[name]) for line in lines], rtol=1e-6, atol=1e-12)
        with self.assertRaisesRegex(KeyError, "no column 'speed_max'.*speed_max_m_s"):
            self.table["speed_max"]

    @needs("pandas")
    def test_a_table_becomes_a_data_frame(self):
        frame = self.table.to_pandas()
        self.assertEqual((len(frame), list(frame["frame"])), (4, [0, 1, 2, 3]))
        np.testing.assert_array_equal(frame["centre_of_mass_m_y"], self.table["centre_of_mass_m"][:, 1])

    @needs("xarray")
    def test_a_table_becomes_a_dataset(self):
        data = self.table.to_xarray()
        np.testing.assert_array_equal(data["momentum_kg_m_s"].sel(axis="x"), self.table["momentum_kg_m_s"][:, 0])
        self.assertAlmostEqual(float(data["front"].sel(time_s=0.05, method="nearest")), self.table["front"][-1])

    def mesh(self):
        return weir.Mesher(self.device, attributes=True).mesh(self.sim.points())

    @needs("pyvista")
    def test_a_mesh_becomes_poly_data(self):
        mesh = self.mesh()
        data = mesh.to_pyvista()
        np.testing.assert_allclose(data.points, mesh.positions, atol=1e-7)
        np.testing.assert_array_equal(data.faces.reshape(-1, 4)[:, 1:], mesh.triangles)
        np.testing.assert_array_equal(data.point_data["velocity"], mesh.arrays()["velocity"])

    @needs("trimesh")
    def test_a_mesh_becomes_a_trimesh(self):
        mesh = self.mesh()
        made = mesh.to_trimesh()
        np.testing.assert_array_equal(made.faces, mesh.triangles)
        np.testing.assert_array_equal(made.vertex_attributes["density"], mesh.arrays()["density"])
        self.assertTrue(made.is_watertight)

    def test_a_missing_package_is_named(self):
        for name, call in (("no_such_package", lambda: weir._display.optional("no_such_package", "table.to_pandas()")),):
            with self.assertRaisesRegex(ImportError, r"table.to_pandas\(\) needs no_such_package.*pip install " + name):
                call()

    def test_files_are_meshed_like_the_points_that_they_hold(self):
        path = os.path.join(self.out, "particles", "particles_0003.ply")
        mesher = weir.Mesher(self.device, raw=True)
        expected = mesher.mesh(self.sim.points()).positions
        for what in (path, weir.read_particles(path), weir.Points.load(self.device, path)):
            np.testing.assert_allclose(np.sort(mesher.mesh(what).positions, axis=0), np.sort(expected, axis=0), atol=1e-5)
        self.assertEqual(weir.Points.load(self.device, path, spacing=0.1).spacing, 0.1)
        far = os.path.join(self.folder, "far.npy")
        np.save(far, self.sim.positions().astype("f8") + [4e5, 0, -5e6])
        saved = os.path.join(self.folder, "far.obj")
        mesher.mesh(far).save(saved)
        again = weir.Mesh.load(self.device, saved)
        np.testing.assert_allclose((again.positions + np.array(again.origin)).min(axis=0),
                                   expected.min(axis=0) + [4e5, 0, -5e6], atol=0.02)
        with self.assertRaisesRegex(weir.FileError, "nix.ply"):
            mesher.mesh("nix.ply")

    def test_attributes_of_files_become_channels_of_meshes(self):
        positions = self.sim.positions()
        path = os.path.join(self.folder, "dyed.npz")
        np.savez(path, position=positions, dye=positions[:, 0], tint=positions)
        points = weir.Points.load(self.device, path, spacing=0.05, attributes={"dye": 1, "tint": 3})
        arrays = weir.Mesher(self.device).mesh(points).arrays()
        self.assertEqual((arrays["dye"].ndim, arrays["tint"].shape), (1, arrays["position"].shape))
        np.testing.assert_allclose(arrays["dye"], arrays["position"][:, 0], atol=0.1)
        np.testing.assert_allclose(arrays["tint"], arrays["position"], atol=0.1)
        with self.assertRaisesRegex(ValueError, "dye has the shape"):
            weir.Points(self.device, positions, 0.05, attributes={"dye": positions[1:, 0]})

    def test_a_mesh_file_is_read_and_turned(self):
        path = os.path.join(self.folder, "surface.obj")
        self.mesh().save(path)
        plain = weir.Mesh.load(self.device, path).positions
        turned = weir.Mesh.load(self.device, path, turn="z-to-y", scale=2).positions
        np.testing.assert_allclose(turned, 2 * plain[:, [0, 2, 1]] * [1, 1, -1], atol=1e-5)
        with self.assertRaisesRegex(ValueError, "did you mean 'z-to-y'"):
            weir.Mesh.load(self.device, path, turn="z_to_yy")


main()
