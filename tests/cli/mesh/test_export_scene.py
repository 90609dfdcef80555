#!/usr/bin/python3
"""Tests the export of runs as Alembic, USD and OpenVDB: written by tools/blender/weir_export_scene.py, read
back by Blender. With the word "bpy" after the program's path, tests what needs a Python with bpy, which is
this one or build/bpy/bin/python; skipped without one. Without the word, tests the messages of Debian's
Blender.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOOL = ROOT / "tools" / "blender" / "weir_export_scene.py"
WEIR = os.path.abspath(sys.argv[1])
SCENE = {"domain": {"min": [0, 0, 0], "max": [1, 1, 0.4]}, "spacing": 0.05, "frame_rate": 20, "duration": 0.2,
         "whitewater": {"emission_rate": 20}, "fluids": [{"name": "water", "fill": {"velocity": [3, 2, 0], "shape": {
             "box": {"min": [0, 0, 0], "max": [0.4, 0.6, 0.4]}}}}]}
FRAMES = range(5)
# Runs where bpy is installed: prints the meshes of each frame of a file, by object.
READ = """
import bpy, json, sys
path, frames = sys.argv[1], json.loads(sys.argv[2])
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 20
(bpy.ops.wm.alembic_import if path.endswith("abc") else bpy.ops.wm.usd_import)(filepath=path)
found = []
for frame in frames:
    scene.frame_set(frame)
    graph, shown = bpy.context.evaluated_depsgraph_get(), {}
    for thing in [t for t in bpy.data.objects if t.type == "MESH"]:
        mesh = thing.evaluated_get(graph).data
        at = [list(thing.matrix_world @ vertex.co) for vertex in mesh.vertices]
        velocity = mesh.attributes.get("velocity")
        shown[thing.name.lower()] = {
            "vertices": len(at), "faces": len(mesh.polygons),
            "middle": [sum(p[k] for p in at) / max(len(at), 1) for k in range(3)],
            "speed": max((v.vector.length for v in velocity.data), default=0) if velocity else None}
    found.append(shown)
print("RESULT " + json.dumps(found))
"""


# Prints the level set at the centre of the voxel nearest to each of several points.
READ_LEVELS = """
import json, sys
sys.path.insert(0, sys.argv[1])
from weir_addon import interchange
grid = interchange.find_openvdb().read(sys.argv[2], "surface")
reader, values = grid.getConstAccessor(), []
for point in json.loads(sys.argv[3]):
    values.append(reader.getValue(tuple(int(round(c)) for c in grid.transform.worldToIndex(tuple(point)))))
print("RESULT " + json.dumps([str(grid.gridClass), grid.transform.voxelSize()[0], values]))
"""


# Writes a field of 5 x 4 x 3 nodes from (0.2, 0, -0.1) m on, as one grid of vectors or as three of numbers.
WRITE_FIELD = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy
from weir_addon import interchange
vdb = interchange.find_openvdb()
i, j, k = numpy.indices((5, 4, 3)).astype(numpy.float32)
parts, grids = (i + 1, 10 * j, 100 * k), []
if sys.argv[3] == "vector":
    grids = [vdb.Vec3SGrid()]
    grids[0].copyFromArray(numpy.stack(parts, -1), ijk=(2, 0, -1))
else:
    for part in parts:
        grids.append(vdb.FloatGrid())
        grids[-1].copyFromArray(numpy.ascontiguousarray(part), ijk=(2, 0, -1))
for grid, name in zip(grids, ["vel"] if len(grids) == 1 else ["vel.x", "vel.y", "vel.z"]):
    grid.name, grid.transform = name, vdb.createLinearTransform(voxelSize=0.1)
vdb.write(sys.argv[2], grids=grids)
"""
# Writes a level set of a ball of 0.5 m about (1, 2, 3), and a density that falls from 1 at its centre to 0 there.
WRITE_BALLS = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy
from weir_addon import interchange
vdb = interchange.find_openvdb()
ball = vdb.createLevelSetSphere(radius=0.5, center=(1, 2, 3), voxelSize=0.05)
distance = numpy.sqrt(((numpy.indices((22, 22, 22)) - 10.3) ** 2).sum(0)) * 0.05
fog = vdb.FloatGrid()
fog.copyFromArray(numpy.clip(1 - distance / 0.5, 0, None).astype(numpy.float32))
fog.name, fog.transform, ball.name = "density", vdb.createLinearTransform(voxelSize=0.05), "surface"
vdb.write(sys.argv[2], grids=[ball, fog])
"""
VDB_TOOL = TOOL.parent / "weir_vdb.py"


def has_bpy(python):
    return subprocess.run([python, "-c", "import bpy"], capture_output=True).returncode == 0


BPY = next((p for p in (sys.executable, str(ROOT / "build" / "bpy" / "bin" / "python"))
            if os.path.exists(p) and has_bpy(p)), None)
NO_BPY = "no Python has bpy: tools/setup --with-bpy makes one"
NO_BLENDER = "no blender in the path: tools/setup --with-blender installs it"
SKIPPED = 77


def ply(path):
    """Reads a file that Weir wrote. Returns the numbers of vertices and faces, and rows of floats by name."""
    import struct
    data = path.read_bytes()
    head, _, body = data.partition(b"end_header\n")
    words = [line.split() for line in head.decode().splitlines()]
    counts = {w[1]: int(w[2]) for w in words if w[0] == "element"}
    kinds = {"float": "f", "uint": "I", "int": "i", "uchar": "B"}
    fields = [(w[2], kinds[w[1]]) for w in words if w[0] == "property" and w[1] != "list"]
    row = struct.Struct("<" + "".join(kind for _, kind in fields))
    rows = [dict(zip([n for n, _ in fields], values))
            for values in struct.iter_unpack(row.format, body[:row.size * counts["vertex"]])]
    return rows, counts.get("face", 0)


class Export(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="weir-scene-"))
        (cls.folder / "pool.json").write_text(json.dumps(SCENE))
        cls.run_folder = cls.folder / "run"
        subprocess.run([WEIR, "run", cls.folder / "pool.json", "-o", cls.run_folder, "--mesh", "ply", "-q"], check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)


class ExportByBpy(Export):
    def export(self, *words):
        return subprocess.run([BPY, TOOL, *words], capture_output=True, text=True)

    def read(self, path):
        done = subprocess.run([BPY, "-c", READ, path, json.dumps(list(FRAMES))], capture_output=True, text=True)
        line = next(line for line in done.stdout.splitlines() if line.startswith("RESULT "))
        return json.loads(line[7:])

    def compare(self, path):
        done = self.export(self.run_folder, "-o", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("frames 0 to 4", done.stdout)
        for frame, shown in zip(FRAMES, self.read(path)):
            surface, faces = ply(self.run_folder / "mesh" / ("surface_%04d.ply" % frame))
            self.assertEqual((shown["surface"]["vertices"], shown["surface"]["faces"]), (len(surface), faces))
            for got, wanted, sign in zip(shown["surface"]["middle"], "xzy", (1, -1, 1)):
                self.assertAlmostEqual(got, sign * sum(v[wanted] for v in surface) / len(surface), 4)
            speeds = [sum(v[k] ** 2 for k in ("vx", "vy", "vz")) ** 0.5 for v in surface]
            self.assertAlmostEqual(shown["surface"]["speed"], max(speeds), 3)
            points, _ = ply(self.run_folder / "whitewater" / ("whitewater_%04d.ply" % frame))
            for kind, word in enumerate(("spray", "foam", "bubbles")):
                mine = [p for p in points if p["kind"] == kind]
                self.assertEqual(shown[word]["vertices"], len(mine), (frame, word))
                self.assertTrue(not mine or shown[word]["speed"] > 0)
        self.assertGreater(len(points), 100)
        return done.stderr

    def test_alembic_has_every_frame_with_velocities(self):
        told = self.compare(self.folder / "pool.abc")
        self.assertRegex(told, "Alembic stores only positions and velocities; left out: .*age.*; a .usdc file has all")

    def test_usd_has_what_the_files_say_too(self):
        path = self.folder / "pool.usda"
        self.assertNotIn("left out", self.compare(path))
        text = path.read_text()
        for name in ("age", "lifetime", "radius", "id", "kind"):
            self.assertIn("primvars:%s.timeSamples" % name, text)
        self.assertNotIn(str(self.folder), text)

    def read_levels(self, path, points):
        done = subprocess.run([BPY, "-c", READ_LEVELS, TOOL.parent, path, json.dumps(points)], capture_output=True,
                              text=True)
        line = next((line for line in done.stdout.splitlines() if line.startswith("RESULT ")), None)
        self.assertIsNotNone(line, done.stderr)
        return json.loads(line[7:])

    def test_level_sets_are_zero_at_the_surface_and_below_zero_in_the_fluid(self):
        done = self.export(self.run_folder, "-o", self.folder / "vdb" / "pool.vdb", "--frames", "0:2")
        self.assertIn("OpenVDB stores only the surface; left out: ", done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        names = sorted(path.name for path in (self.folder / "vdb").iterdir())
        self.assertEqual(names, ["pool_%04d.vdb" % frame for frame in range(3)])
        rows, _ = ply(self.run_folder / "mesh" / "surface_0000.ply")
        surface = [(row["x"], row["y"], row["z"]) for row in rows]
        places = surface + [(0.25, 0.3, 0.2), (0.9, 0.8, 0.2)]
        kind, voxel, values = self.read_levels(self.folder / "vdb" / "pool_0000.vdb", places)
        self.assertEqual((kind, round(voxel, 6)), ("level set", 0.025))
        half_diagonal = 0.5 * 3 ** 0.5 * voxel
        self.assertLess(max(abs(value) for value in values[:-2]), 1.01 * half_diagonal)
        self.assertEqual([round(value / voxel, 3) for value in values[-2:]], [-3, 3])
        self.assertGreater(len(surface), 300)

    def convert(self, *words):
        return subprocess.run([BPY, VDB_TOOL, *words], capture_output=True, text=True)

    def test_velocities_of_openvdb_become_an_array_that_a_scene_reads(self):
        file, array = self.folder / "field.vdb", self.folder / "field.npy"
        for kind in ("vector", "numbers"):
            subprocess.run([BPY, "-c", WRITE_FIELD, TOOL.parent, file, kind], check=True, capture_output=True)
            done = self.convert(file, "-o", array)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("5 x 4 x 3 nodes, fastest 202.3 m/s", done.stdout)
            inside = json.loads("{%s}" % done.stdout.splitlines()[1])["inside"]
            self.assertEqual(inside, {"min": [0.2, 0, -0.1], "max": [0.6, 0.3, 0.1]})
            self.assertEqual(self.nodes(array, "a[1, 2, 1], a[4, 3, 2]"), [[2, 20, 100], [5, 30, 200]])
        done = self.convert(file, "-o", array, "--up", "z")
        self.assertEqual(self.nodes(array, "a.shape, a[1, 1, 1]"), [[5, 3, 4, 3], [2, 100, -20]])
        scene = dict(SCENE, forces=[{"type": "velocity_field", "file": "field.npy", "rate": 2, "inside": inside}])
        (self.folder / "blown.json").write_text(json.dumps(scene))
        subprocess.run([WEIR, "run", self.folder / "blown.json", "-o", self.folder / "blown", "-q"], check=True)
        for words, said in (([file, "-o", array, "--grid", "wind"], 'no velocity "wind"; its grids are vel.x (float)'),
                            ([file, "-o", array, "--every", "4"], "expected at least 2 along each axis"),
                            ([array, "-o", array], "is not read as OpenVDB"),
                            (["none.vdb", "-o", array], "none.vdb: no such file")):
            done = self.convert(*words)
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def nodes(self, array, expression):
        text = "import json, numpy, sys; a = numpy.load(sys.argv[1]); print(json.dumps(" \
               "[[float(n) for n in part] for part in (%s)]))" % expression
        return json.loads(subprocess.run([BPY, "-c", text, array], check=True, capture_output=True).stdout)

    def test_level_sets_and_densities_of_openvdb_become_shapes(self):
        file, shape = self.folder / "balls.vdb", self.folder / "ball.obj"
        subprocess.run([BPY, "-c", WRITE_BALLS, TOOL.parent, file], check=True, capture_output=True)
        for words, radius, middle in (([], 0.5, [1, 2, 3]), (["--up", "z"], 0.5, [1, 3, -2]),
                                      (["--grid", "density", "--level", "0.5"], 0.25, [0.515] * 3)):
            done = self.convert(file, "-o", shape, *words)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            told = subprocess.run([WEIR, "check", "--json", shape], check=True, capture_output=True, text=True).stdout
            mesh = json.loads(told)
            self.assertEqual((mesh["closed"], mesh["manifold"], mesh["inside_out"]), (True, True, 0), told)
            self.assertAlmostEqual(mesh["volume"] / (4 / 3 * 3.14159 * radius ** 3), 1, delta=0.06)
            for low, high, wanted in zip(mesh["min"], mesh["max"], middle):
                self.assertAlmostEqual((low + high) / 2, wanted, 2)
        for words, said in (([file, "-o", shape, "--grid", "density"], "is no level set: give the value at the surface"),
                            ([file, "-o", shape, "--grid", "fog"], 'no grid of numbers "fog"; its grids are'),
                            ([file, "-o", shape, "--level", "9"], "there is no surface"),
                            ([file, "-o", self.folder / "ball.stl"], "expected .npy for velocities or .obj")):
            done = self.convert(*words)
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr)

    def test_what_cannot_be_is_told(self):
        for words, said in (([self.run_folder, "-o", "a.fbx"], "unknown extension; expected one of .abc, .usd"),
                            ([self.folder, "-o", "a.abc"], "contains neither surfaces"),
                            ([self.run_folder, "-o", "a.abc", "--frames", "3:9"], "but the run has frames 0 to 4"),
                            ([self.run_folder, "-o", "a.abc", "--frames", "x"], "expected a number or two"),
                            ([self.run_folder, "-o", "a.vdb", "--voxel", "0"], "expected a length above 0")):
            done = self.export(*words)
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr)
            self.assertNotIn("Traceback", done.stderr)


class ExportByBlender(Export):
    def test_a_blender_without_the_format_says_where_one_is(self):
        done = subprocess.run(["blender", "-b", "--factory-startup", "--python-exit-code", "1", "--python", TOOL, "--",
                               self.run_folder, "-o", self.folder / "b.abc"], capture_output=True, text=True)
        if done.returncode != 0:
            self.assertIn("was built without Alembic: use one from blender.org", done.stderr)
        else:
            self.assertTrue((self.folder / "b.abc").exists())


wanted = ExportByBpy if "bpy" in sys.argv[2:] else ExportByBlender
there = BPY if wanted is ExportByBpy else shutil.which("blender")
if not there:
    print("skipped: " + (NO_BPY if wanted is ExportByBpy else NO_BLENDER))
    sys.exit(SKIPPED)
unittest.main(argv=sys.argv[:1], defaultTest=wanted.__name__)
