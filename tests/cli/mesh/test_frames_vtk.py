#!/usr/bin/python3
"""Checks frames with other programs' readers: VTK's own (which ParaView uses) for PLY and legacy VTK, and for
BGEO, NPY, XYZ and raw the parsers below, written from the formats' definitions. Conversely, Weir reads
files that VTK writes. Exit 77: VTK's Python modules are not installed.

test_frames_vtk.py WRITE_FRAMES      the helper program tests/cli/mesh/write_frames.c
"""
import ast
import gzip
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import unittest

try:
    import vtk
except ImportError as error:
    print("skipped: VTK's Python modules are missing (Debian: python3-vtk9): %s" % error)
    sys.exit(77)

COUNT = 1000
# Same formulas as in write_frames.c.
POSITION = [(i / 8, i % 7 / 4, -i / 16) for i in range(COUNT)]
VELOCITY = [(float(i), -i / 2, 0.25) for i in range(COUNT)]
ID = [1000000 + i for i in range(COUNT)]
FLUID = [i % 2 for i in range(COUNT)]
DENSITY = [1000 + i / 4 for i in range(COUNT)]
BOUNDS = tuple(f(p[k] for p in POSITION) for k in range(3) for f in (min, max))


def run(*arguments):
    subprocess.run([PROGRAM, *arguments], check=True)


def tuples(array):
    return [array.GetTuple(i) for i in range(array.GetNumberOfTuples())]


def read_vtk(reader, path):
    """Reads and counts errors: VTK reports many only through events."""
    errors = []
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(1))
    reader.SetFileName(path)
    reader.Update()
    assert not errors, "%s: VTK reported %d errors" % (path, len(errors))
    return reader.GetOutput()


class Written(unittest.TestCase):
    """Files that Weir writes."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="weir_frames_")
        run(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, extension):
        return os.path.join(self.folder.name, "cloud." + extension)

    def bytes_of(self, extension):
        with open(self.path(extension), "rb") as f:
            return f.read()

    def check_points(self, data):
        self.assertEqual(data.GetNumberOfPoints(), COUNT)
        self.assertEqual(data.GetBounds(), BOUNDS)
        self.assertEqual([data.GetPoint(i) for i in range(COUNT)], POSITION)

    def test_legacy_vtk_is_read_by_the_grid_reader(self):
        grid = read_vtk(vtk.vtkUnstructuredGridReader(), self.path("vtk"))
        self.check_points(grid)
        self.assertEqual(grid.GetNumberOfCells(), COUNT)
        self.assertEqual({grid.GetCellType(i) for i in range(COUNT)}, {vtk.VTK_VERTEX})
        self.assertEqual([grid.GetCell(i).GetPointId(0) for i in range(COUNT)], list(range(COUNT)))
        arrays = grid.GetPointData()
        self.assertEqual(tuples(arrays.GetArray("velocity")), VELOCITY)
        self.assertEqual(tuples(arrays.GetArray("id")), [(i,) for i in ID])
        self.assertEqual(tuples(arrays.GetArray("fluid")), [(f,) for f in FLUID])
        self.assertEqual(tuples(arrays.GetArray("density")), [(d,) for d in DENSITY])

    def test_legacy_vtk_is_read_by_the_general_reader(self):
        self.check_points(read_vtk(vtk.vtkDataSetReader(), self.path("vtk")))

    def test_series_names_the_frame_and_its_time(self):
        with open(self.path("vtk.series"), encoding="utf-8") as f:
            series = json.load(f)
        self.assertEqual(series, {"file-series-version": "1.0",
                                  "files": [{"name": "cloud.vtk", "time": 0.375}]})

    def test_vtp_is_read_with_all_that_a_frame_has(self):
        data = read_vtk(vtk.vtkXMLPolyDataReader(), self.path("vtp"))
        self.check_points(data)
        self.assertEqual((data.GetNumberOfVerts(), data.GetNumberOfCells()), (COUNT, COUNT))
        self.assertEqual([data.GetCell(i).GetPointId(0) for i in range(COUNT)], list(range(COUNT)))
        arrays = data.GetPointData()
        self.assertEqual([arrays.GetArrayName(i) for i in range(arrays.GetNumberOfArrays())],
                         ["velocity", "id", "fluid", "density"])
        self.assertEqual(tuples(arrays.GetArray("velocity")), VELOCITY)
        self.assertEqual(tuples(arrays.GetArray("id")), [(i,) for i in ID])
        self.assertEqual(arrays.GetArray("id").GetDataTypeAsString(), "unsigned int")
        self.assertEqual(tuples(arrays.GetArray("density")), [(d,) for d in DENSITY])
        self.assertEqual(data.GetFieldData().GetArray("TimeValue").GetTuple1(0), 0.375)

    def test_ply_is_read_by_vtk(self):
        self.check_points(read_vtk(vtk.vtkPLYReader(), self.path("ply")))

    def test_ply_rows_hold_all_fields(self):
        header, rows = self.bytes_of("ply").split(b"end_header\n", 1)
        properties = [line.split()[1:] for line in header.decode().splitlines()
                      if line.startswith("property")]
        self.assertEqual(properties, [["float", n] for n in "x y z vx vy vz".split()] +
                         [["uint", "id"], ["uint", "fluid"], ["float", "density"]])
        self.assertEqual(list(struct.iter_unpack("<6f2If", rows)),
                         [(*POSITION[i], *VELOCITY[i], ID[i], FLUID[i], DENSITY[i])
                          for i in range(COUNT)])

    def test_bgeo_is_version_5_as_houdini_lays_it_out(self):
        data = gzip.decompress(self.bytes_of("bgeo"))
        self.assertEqual(data[:5], b"BgeoV")
        version, points, *others = struct.unpack(">9i", data[5:41])
        self.assertEqual((version, points, others), (5, COUNT, [0, 0, 0, 5, 0, 0, 0]))
        at, attributes = 41, []
        for _ in range(others[3]):
            (size,) = struct.unpack_from(">H", data, at)
            name = data[at + 2:at + 2 + size].decode()
            words, kind = struct.unpack_from(">Hi", data, at + 2 + size)
            attributes.append((name, words, kind))
            at += 2 + size + 6
            self.assertEqual(data[at:at + 4 * words], bytes(4 * words))
            at += 4 * words
        self.assertEqual(attributes, [("v", 3, 5), ("id", 1, 1), ("fluid", 1, 1),
                                      ("pscale", 1, 0), ("density", 1, 0)])
        rows = list(struct.iter_unpack(">4f3f2i2f", data[at:-2]))
        self.assertEqual(rows, [(*POSITION[i], 1, *VELOCITY[i], ID[i], FLUID[i], 0.125, DENSITY[i])
                                for i in range(COUNT)])
        self.assertEqual(data[-2:], b"\x00\xff")

    def test_npy_is_one_aligned_array(self):
        data = self.bytes_of("npy")
        self.assertEqual(data[:8], b"\x93NUMPY\x01\x00")
        (size,) = struct.unpack("<H", data[8:10])
        self.assertEqual((10 + size) % 64, 0)
        self.assertEqual(data[9 + size:10 + size], b"\n")
        self.assertEqual(ast.literal_eval(data[10:10 + size].decode()),
                         {"descr": "<f4", "fortran_order": False, "shape": (COUNT, 9)})
        self.assertEqual(list(struct.iter_unpack("<9f", data[10 + size:])),
                         [(*POSITION[i], *VELOCITY[i], ID[i], FLUID[i], DENSITY[i])
                          for i in range(COUNT)])

    def test_npy_is_read_by_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not installed")
        array = numpy.load(self.path("npy"))
        self.assertEqual((array.shape, str(array.dtype)), ((COUNT, 9), "float32"))
        self.assertEqual([tuple(row[:3]) for row in array.tolist()], POSITION)

    def test_raw_is_positions_and_nothing_else(self):
        self.assertEqual(list(struct.iter_unpack("<3f", self.bytes_of("raw"))), POSITION)

    def test_xyz_is_text_with_named_columns(self):
        lines = self.bytes_of("xyz").decode("ascii").splitlines()
        self.assertEqual(lines[:2], ["# time_s=0.375 radius_m=0.125",
                                     "# x y z vx vy vz id fluid density"])
        self.assertEqual([tuple(map(float, line.split())) for line in lines[2:]],
                         [(*POSITION[i], *VELOCITY[i], ID[i], FLUID[i], DENSITY[i])
                          for i in range(COUNT)])


class Surface(unittest.TestCase):
    """A triangle mesh that Weir writes: a closed octahedron with a channel."""
    POINTS = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="weir_frames_")
        run("--mesh", cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, reader, extension):
        data = read_vtk(reader, os.path.join(self.folder.name, "surface." + extension))
        self.assertEqual([data.GetPoint(i) for i in range(6)], self.POINTS)
        self.assertEqual((data.GetNumberOfPoints(), data.GetNumberOfCells()), (6, 8))
        mass, edges = vtk.vtkMassProperties(), vtk.vtkFeatureEdges()
        mass.SetInputData(data)
        self.assertAlmostEqual(mass.GetVolume(), 4 / 3)
        edges.SetInputData(data)
        edges.FeatureEdgesOff()
        edges.BoundaryEdgesOn()
        edges.NonManifoldEdgesOn()
        edges.Update()
        self.assertEqual(edges.GetOutput().GetNumberOfCells(), 0)
        for i in range(8):  # counter-clockwise from outside
            normal = [0, 0, 0]
            vtk.vtkPolygon.ComputeNormal(data.GetCell(i).GetPoints(), normal)
            centre = [sum(data.GetCell(i).GetPoints().GetPoint(k)[a] for k in range(3))
                      for a in range(3)]
            self.assertGreater(sum(n * c for n, c in zip(normal, centre)), 0)
        return data.GetPointData()

    def test_obj_is_read_by_vtk(self):
        arrays = self.check(vtk.vtkOBJReader(), "obj")
        self.assertEqual(tuples(arrays.GetNormals()), self.POINTS)

    def test_ply_is_read_by_vtk(self):
        arrays = self.check(vtk.vtkPLYReader(), "ply")
        self.assertEqual(tuples(arrays.GetNormals()), self.POINTS)

    def test_legacy_vtk_is_read_by_vtk(self):
        arrays = self.check(vtk.vtkPolyDataReader(), "vtk")
        self.assertEqual(tuples(arrays.GetNormals()), self.POINTS)
        self.assertEqual(tuples(arrays.GetArray("velocity")), [(0, i, -0.5) for i in range(6)])
        self.assertEqual(tuples(arrays.GetArray("density")), [(1000 + i,) for i in range(6)])

    def test_vtp_is_read_by_vtk(self):
        arrays = self.check(vtk.vtkXMLPolyDataReader(), "vtp")
        self.assertEqual(tuples(arrays.GetNormals()), self.POINTS)
        self.assertEqual(tuples(arrays.GetArray("velocity")), [(0, i, -0.5) for i in range(6)])
        self.assertEqual(tuples(arrays.GetArray("density")), [(1000 + i,) for i in range(6)])

    def test_bgeo_has_p_n_v_and_clockwise_triangles(self):
        with open(os.path.join(self.folder.name, "surface.bgeo"), "rb") as f:
            data = gzip.decompress(f.read())
        self.assertEqual(struct.unpack(">9i", data[5:41]), (5, 6, 8, 0, 0, 3, 0, 0, 0))
        at, names = 41, []
        for _ in range(3):
            (size,) = struct.unpack_from(">H", data, at)
            words, kind = struct.unpack_from(">Hi", data, at + 2 + size)
            names.append((data[at + 2:at + 2 + size].decode(), words, kind))
            at += 2 + size + 6 + 4 * words
        self.assertEqual(names, [("N", 3, 5), ("v", 3, 5), ("density", 1, 0)])
        for i, point in enumerate(self.POINTS):
            row = struct.unpack_from(">11f", data, at)
            self.assertEqual(row, (*point, 1, *point, 0, i, -0.5, 1000 + i))
            at += 44
        self.assertEqual(struct.unpack_from(">iHi", data, at), (-1, 8, 1))
        at += 10
        for i in range(8):
            count, closed, *corners = struct.unpack_from(">ic3H", data, at)
            self.assertEqual((count, closed), (3, b"<"))
            a, b, c = (self.POINTS[k] for k in corners)
            cross = [(b[(k + 1) % 3] - a[(k + 1) % 3]) * (c[(k + 2) % 3] - a[(k + 2) % 3]) -
                     (b[(k + 2) % 3] - a[(k + 2) % 3]) * (c[(k + 1) % 3] - a[(k + 1) % 3])
                     for k in range(3)]
            self.assertLess(sum(n * p for n, p in zip(cross, a)), 0)
            at += 11
        self.assertEqual(data[at:], b"\x00\xff")


class Read(unittest.TestCase):
    """Files that VTK writes, with the sections that its writers add."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weir_frames_")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def cloud(self, data):
        points, cells = vtk.vtkPoints(), vtk.vtkCellArray()
        points.SetDataTypeToDouble()
        velocity, ids = vtk.vtkFloatArray(), vtk.vtkIdTypeArray()
        velocity.SetName("velocity")
        velocity.SetNumberOfComponents(3)
        velocity.SetComponentName(0, "X")  # makes the writer add METADATA
        ids.SetName("id")
        for i in range(COUNT):
            cells.InsertNextCell(1)
            cells.InsertCellPoint(points.InsertNextPoint(POSITION[i]))
            velocity.InsertNextTuple(VELOCITY[i])
            ids.InsertNextValue(ID[i])
        data.SetPoints(points)
        data.GetPointData().AddArray(velocity)
        data.GetPointData().SetGlobalIds(ids)
        self.add_clutter(data)
        return cells

    def add_clutter(self, data):
        names, time, flags = vtk.vtkStringArray(), vtk.vtkDoubleArray(), vtk.vtkBitArray()
        colors, normals = vtk.vtkUnsignedCharArray(), vtk.vtkFloatArray()
        names.SetName("notes of mine")
        for size in (0, 3, 100, 20000):  # each has a length field of another size
            names.InsertNextValue("x" * size)
        time.SetName("TimeValue")
        time.InsertNextValue(0.25)
        flags.SetName("flags")
        normals.SetName("normals")
        normals.SetNumberOfComponents(3)
        colors.SetName("colors")
        colors.SetNumberOfComponents(4)
        for i in range(COUNT):
            flags.InsertNextValue(i % 2)
            normals.InsertNextTuple((0, 0, math.nan))
            colors.InsertNextTuple((i % 256, 10, 13, 32))
        data.GetFieldData().AddArray(names)
        data.GetFieldData().AddArray(time)
        data.GetPointData().AddArray(flags)
        data.GetPointData().SetNormals(normals)
        data.GetPointData().SetScalars(colors)

    def check(self, writer, data):
        source, target = os.path.join(self.folder, "in.vtk"), os.path.join(self.folder, "out.xyz")
        for binary in (False, True):
            for version in (writer.VTK_LEGACY_READER_VERSION_4_2,
                            writer.VTK_LEGACY_READER_VERSION_5_1):
                with self.subTest(binary=binary, version=version):
                    writer.SetInputData(data)
                    writer.SetFileName(source)
                    writer.SetFileVersion(version)
                    writer.SetFileTypeToBinary() if binary else writer.SetFileTypeToASCII()
                    self.assertEqual(writer.Write(), 1)
                    run(source, "xyz", target)
                    with open(target, encoding="ascii") as f:
                        lines = f.read().splitlines()
                    self.check_text(lines)

    def check_text(self, lines):
        self.assertEqual(lines[:2], ["# time_s=0.25 radius_m=0.125", "# x y z vx vy vz id"])
        self.assertEqual([tuple(map(float, line.split())) for line in lines[2:]],
                         [(*POSITION[i], *VELOCITY[i], ID[i]) for i in range(COUNT)])

    def check_xml(self, writer, data, pieces=1):
        """Checks every way in which VTK lays out the same arrays."""
        ascii_mode, binary, appended = range(3)  # vtkXMLWriter's Ascii, Binary, Appended
        layouts = [(ascii_mode, False), (binary, False), (appended, False), (appended, True)]
        source, target = os.path.join(self.folder, "in.vtx"), os.path.join(self.folder, "out.xyz")
        for mode, encoded in layouts:
            for compress in (False, True):
                for bits in (32, 64):
                    for big in (False, True):
                        with self.subTest(mode=mode, encoded=encoded, compress=compress, bits=bits,
                                          big=big):
                            writer.SetInputData(data)
                            writer.SetFileName(source)
                            writer.SetDataMode(mode)
                            writer.SetEncodeAppendedData(encoded)
                            writer.SetCompressor(vtk.vtkZLibDataCompressor() if compress else None)
                            writer.SetBlockSize(4096)  # many blocks, the last one smaller
                            writer.SetHeaderType(bits)
                            writer.SetByteOrder(0 if big else 1)
                            self.assertEqual(writer.Write(), 1)
                            run(source, "xyz", target)
                            with open(target, encoding="ascii") as f:
                                self.check_text(f.read().splitlines())

    def test_xml_unstructured_grids_in_every_layout(self):
        data = vtk.vtkUnstructuredGrid()
        data.SetCells(vtk.VTK_VERTEX, self.cloud(data))
        self.check_xml(vtk.vtkXMLUnstructuredGridWriter(), data)

    def test_xml_poly_data_in_every_layout(self):
        data = vtk.vtkPolyData()
        data.SetVerts(self.cloud(data))
        self.check_xml(vtk.vtkXMLPolyDataWriter(), data)

    def test_xml_of_another_compressor_is_refused_by_name(self):
        data = vtk.vtkUnstructuredGrid()
        data.SetCells(vtk.VTK_VERTEX, self.cloud(data))
        writer, source = vtk.vtkXMLUnstructuredGridWriter(), os.path.join(self.folder, "in.vtu")
        writer.SetInputData(data)
        writer.SetFileName(source)
        writer.SetCompressorTypeToLZ4()
        self.assertEqual(writer.Write(), 1)
        failed = subprocess.run([PROGRAM, source, "xyz", source + ".xyz"], capture_output=True,
                                text=True)
        self.assertEqual(failed.returncode, 1)
        self.assertIn('compressor "vtkLZ4DataCompressor"; only vtkZLib', failed.stderr)

    def test_xml_of_several_pieces_is_one_cloud(self):
        """VTK's serial writer writes one piece; the test inserts the second."""
        head = ('<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="0.1" '
                'byte_order="LittleEndian"><UnstructuredGrid><FieldData><DataArray type="Float64" '
                'Name="TimeValue" NumberOfTuples="1" format="ascii">0.25</DataArray></FieldData>')
        text, half = head, COUNT // 3
        for rows in (range(half), range(half, half), range(half, COUNT)):
            def array(name, kind, values, components=3):
                return ('<DataArray type="%s" Name="%s" NumberOfComponents="%d" format="ascii">%s'
                        '</DataArray>' % (kind, name, components, " ".join(map(repr, values))))
            text += '<Piece NumberOfPoints="%d" NumberOfCells="0">' % len(rows)
            text += "<PointData>" + array("velocity", "Float32",
                                          [c for i in rows for c in VELOCITY[i]])
            text += array("id", "Int64", [ID[i] for i in rows], 1) + "</PointData><Points>"
            text += array("Points", "Float32", [c for i in rows for c in POSITION[i]])
            text += "</Points><Cells></Cells></Piece>"
        source, target = os.path.join(self.folder, "in.vtu"), os.path.join(self.folder, "out.xyz")
        with open(source, "w", encoding="ascii") as f:
            f.write(text + "</UnstructuredGrid></VTKFile>\n")
        run(source, "xyz", target)
        with open(target, encoding="ascii") as f:
            self.check_text(f.read().splitlines())

    def test_raw_float32_is_told_from_text(self):
        target = os.path.join(self.folder, "out.xyz")
        for name in ("in.raw", "in.xyz", "IN.XYZ"):
            source = os.path.join(self.folder, name)
            with open(source, "wb") as f:
                f.write(b"".join(struct.pack("<3f", *p) for p in POSITION))
            run(source, "xyz", target)
            with open(target, encoding="ascii") as f:
                rows = [tuple(map(float, line.split())) for line in f.read().splitlines()[2:]]
            self.assertEqual(rows, POSITION)

    def test_poly_data_of_both_encodings_and_versions(self):
        data = vtk.vtkPolyData()
        data.SetVerts(self.cloud(data))
        self.check(vtk.vtkPolyDataWriter(), data)

    def test_unstructured_grids_of_both_encodings_and_versions(self):
        data = vtk.vtkUnstructuredGrid()
        data.SetCells(vtk.VTK_VERTEX, self.cloud(data))
        self.check(vtk.vtkUnstructuredGridWriter(), data)

    def test_ply_of_both_encodings(self):
        data = vtk.vtkPolyData()
        points, polygons = vtk.vtkPoints(), vtk.vtkCellArray()
        for p in POSITION:
            points.InsertNextPoint(p)
        for i in range(0, COUNT - 3, 3):
            polygons.InsertNextCell(3)
            for k in range(3):
                polygons.InsertCellPoint(i + k)
        data.SetPoints(points)
        data.SetPolys(polygons)
        source, target = os.path.join(self.folder, "in.ply"), os.path.join(self.folder, "out.ply")
        for binary in (False, True):
            writer = vtk.vtkPLYWriter()
            writer.SetInputData(data)
            writer.SetFileName(source)
            writer.SetFileTypeToBinary() if binary else writer.SetFileTypeToASCII()
            writer.Write()
            run(source, "ply", target)
            back = read_vtk(vtk.vtkPLYReader(), target)
            self.assertEqual([back.GetPoint(i) for i in range(COUNT)], POSITION)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=1)
