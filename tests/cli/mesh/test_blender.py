#!/usr/bin/python3
"""Tests the Blender tools, for most in a Blender without a window: sequences of OBJ and PLY become one object of closed
2-manifold meshes with velocities, a run becomes water with its solids on a floor under a sky, a frame is
rendered with and without motion blur, and a scene is exported back to Weir. Exit 77: Blender is not
installed.

test_blender.py WEIR [KEEP]       KEEP: a folder in which the pictures stay
test_blender.py WEIR windows      what needs a window: a bake that is cancelled, a preview by EEVEE
"""
import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

CHECKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "blender_checks.py")
TOOLS = os.path.join(os.path.dirname(CHECKS), "..", "..", "..", "tools", "blender")
FRAMES = (1, 2, 3)
CUBE = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
# Two triangles per side, counter-clockwise from outside.
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
TRIANGLES = [t for a, b, c, d in SIDES for t in ((a, b, c), (a, c, d))]


def blender(*arguments, screen=None):
    """Returns the task's result. `screen`: a command before Blender's that provides a window; without it
    there is none.
    """
    done = subprocess.run([*(screen or []), BLENDER, *([] if screen else ["-b"]), "--factory-startup",
                           "--python-exit-code", "1", "--python", CHECKS, "--", *arguments],
                          capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    if done.returncode != 0 or not lines:
        raise AssertionError("blender %s:\n%s\n%s" % (arguments, done.stdout, done.stderr))
    return json.loads(lines[0][7:])


def cube(frame):
    """Writes a box whose height is the frame number, y up, which moves along x."""
    points = [(0.5 * x, 0.25 * frame * (y + 1), 0.4 * z) for x, y, z in CUBE]
    length = math.sqrt(3)
    normals = [(x / length, y / length, z / length) for x, y, z in CUBE]
    return points, normals, [(20.0, float(frame), 0.5)] * len(points)


def write_ply(path, frame):
    points, normals, velocities = cube(frame)
    head = ("ply\nformat binary_little_endian 1.0\ncomment Weir surface, y up, velocity per second\n"
            "element vertex %d\n" % len(points))
    head += "".join("property float %s\n" % n for n in "x y z nx ny nz vx vy vz density".split())
    head += "element face %d\nproperty list uchar int vertex_indices\nend_header\n" % len(TRIANGLES)
    with open(path, "wb") as f:
        f.write(head.encode())
        for p, n, v in zip(points, normals, velocities):
            f.write(struct.pack("<10f", *p, *n, *v, 1000.0))
        for t in TRIANGLES:
            f.write(struct.pack("<B3i", 3, *t))


def write_obj(path, frame):
    points, normals, _ = cube(frame)
    with open(path, "w", encoding="ascii") as f:
        f.write("# Weir surface: y up, scale 1, time_s=0\n")
        f.writelines("v %.5f %.5f %.5f\n" % p for p in points)
        f.writelines("vn %.4f %.4f %.4f\n" % n for n in normals)
        f.writelines("f %d//%d %d//%d %d//%d\n" % tuple(i + 1 for i in t for _ in range(2))
                     for t in TRIANGLES)


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weir_blender_")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def sequence(self, extension, write):
        for frame in FRAMES:
            write(os.path.join(self.folder, "surface_%04d.%s" % (frame, extension)), frame)
        return os.path.join(self.folder, "surface_0001." + extension)

    def script(self, name, *arguments, before=(), env=None):
        """Returns status, the script's own lines, and everything that Blender prints."""
        done = subprocess.run([BLENDER, "-b", "--factory-startup", *before, "--python", os.path.join(TOOLS, name),
                               "--", *arguments], capture_output=True, text=True, env={**os.environ, **(env or {})})
        printed = done.stdout + done.stderr
        return done.returncode, [line for line in printed.splitlines() if line.startswith("weir:")], printed


class Headless(InAFolder):
    def check(self, said, velocities):
        self.assertEqual(said["range"], [1, 3])
        self.assertEqual(len(said["objects"]), 1)
        for frame in FRAMES:
            shown = said["frames"][str(frame)]
            self.assertEqual((shown["vertices"], shown["faces"]), (8, 12))
            self.assertEqual(shown["non_manifold"], 0)
            self.assertAlmostEqual(shown["volume"], 0.8 * 0.5 * frame, 5)
            self.assertAlmostEqual(shown["top"], 0.5 * frame, 5)  # y up became z up
            self.assertTrue(shown["normals"])
            if velocities:
                self.assertEqual(shown["velocity_is"], ["FLOAT_VECTOR", "POINT"])
                self.assertEqual(shown["velocity"], [20, -0.5, frame])
                self.assertIn("density", shown["attributes"])
            else:
                self.assertIsNone(shown["velocity"])
        self.assertEqual((said["held"], said["before"]), (8, 0))

    def test_a_ply_sequence_is_one_object_with_velocities(self):
        path = self.sequence("ply", write_ply)
        self.check(blender("load", path), True)
        self.check(blender("load_plain", path), True)

    def test_an_obj_sequence_is_one_object(self):
        path = self.sequence("obj", write_obj)
        self.check(blender("load", path), False)
        self.check(blender("load_plain", path), False)

    def test_without_a_file_of_ones_own_the_surface_fills_the_picture(self):
        said = blender("stage", self.sequence("ply", write_ply))
        self.assertEqual(said["objects"], {"surface": ["weir water"], "floor": ["weir floor"], "camera": "CAMERA",
                                           "sun": "LIGHT", "soft box": "LIGHT"})
        self.assertGreater(min(said["low"]), 0)
        self.assertLess(max(said["high"]), 1)
        self.assertGreater(max(h - l for h, l in zip(said["high"], said["low"])), 0.5)
        self.assertEqual((said["size"], said["samples"], said["engine"]), ([960, 540], 32, "CYCLES"))
        self.assertIn("ShaderNodeBackground", said["world"])
        self.assertEqual(said["view"], ["Filmic", "Medium High Contrast"])
        self.assertAlmostEqual(said["glass"], 1.333, 5)
        # 1 x 0.8 x 1.5 m at last: 1.4 V^(1/3) is less than 3.5 times the depth
        for got, colour in zip(said["absorption"], (0.05, 0.58, 0.9)):
            self.assertAlmostEqual(got, -math.log(colour) / (1.4 * 1.2 ** (1 / 3)), 4)

    def small_run(self):
        """Runs a pool with a ball that circles, a wall with a hole, a body, and a camera, and returns its folder."""
        scene = {"name": "pool", "domain": {"min": [0, 0, 0], "max": [0.8, 0.8, 0.8]}, "spacing": 0.05,
                 "duration": 0.12, "frame_rate": 25, "whitewater": {}, "camera": {"eye": [2, 1, 3], "target": [0.4, 0.2, 0.4], "fov": 35},
                 "fluids": [{"name": "water", "colour": [0.2, 0.6, 0.8],
                             "fill": {"shape": {"box": {"min": [0, 0, 0], "max": [0.8, 0.3, 0.8]}}}}],
                 "solids": [{"name": "ball", "colour": [0.8, 0.1, 0.1],
                             "shape": {"sphere": {"radius": 0.1}, "position": [0.6, 0.6, 0.4]},
                             "motion": {"spin": {"axis": [0, 1, 0], "rate": 5, "centre": [0.4, 0.6, 0.4]}}},
                            {"name": "wall", "shape": {"difference": [
                                {"box": {"min": [0.3, 0, 0.1], "max": [0.5, 0.4, 0.2]}},
                                {"box": {"min": [0.35, 0.1, 0], "max": [0.45, 0.3, 0.3]}}]}}],
                 "bodies": [{"name": "crate", "density": 500, "shape": {"box": {"size": [0.15, 0.15, 0.15]},
                                                                       "position": [0.3, 0.6, 0.6]}}],
                 "look": {"absorption_length": 0.5}}
        path, run = os.path.join(self.folder, "pool.json"), os.path.join(self.folder, "pool")
        with open(path, "w", encoding="ascii") as f:
            json.dump(scene, f)
        subprocess.run([WEIR, "run", path, "-o", run, "--mesh", "ply", "--mesh-spray-neighbours", "6", "--quiet"],
                       check=True)
        return run

    def test_a_run_becomes_water_with_its_solids_camera_and_rate(self):
        said = blender("stage", self.small_run(), "--size", "200x100", "--samples", "7")
        self.assertAlmostEqual(said["rate"], 25, 5)
        self.assertEqual(said["objects"], {
            "surface": ["weir water"], "drops": [], "spray": [], "foam": [], "bubbles": [], "floor": ["weir floor"],
            "tank": ["weir glass"], "tank edges": ["weir tank edges"], "ball": ["weir ball"], "wall": ["weir wall"],
            "crate": ["weir crate"], "camera": "CAMERA", "sun": "LIGHT", "soft box": "LIGHT"})
        self.assertEqual((said["size"], said["samples"]), ([200, 100], 7))
        for got, colour in zip(said["absorption"], (0.2, 0.6, 0.8)):
            self.assertAlmostEqual(got, -math.log(colour) / 0.5, 4)
        # Weir's y becomes z, z becomes -y.
        for got, wanted in zip(said["eye"] + [said["angle"]], (2, -3, 1, math.radians(35))):
            self.assertAlmostEqual(got, wanted, 5)
        self.assertEqual(said["corners"]["wall"], 16)  # a box with a rectangular hole
        low, high = said["bounds"]["wall"]
        for got, wanted in zip(low + high, (0.3, -0.2, 0, 0.5, -0.1, 0.4)):
            self.assertAlmostEqual(got, wanted, 5)
        # A vertex of the ball turns about the vertical axis through the centre of its spin.
        first, last = (said["places"][str(frame)]["ball"][0] for frame in (0, 3))
        arm = complex(first[0] - 0.4, first[1] + 0.4)
        turned = arm * complex(math.cos(5 * 0.12), math.sin(5 * 0.12))
        self.assertGreater(abs(arm), 0.05)
        self.assertAlmostEqual(abs(turned - complex(last[0] - 0.4, last[1] + 0.4)), 0, 5)
        self.assertAlmostEqual(first[2], last[2], 5)
        self.assertNotEqual(said["places"]["0"]["crate"], said["places"]["3"]["crate"])  # it falls

    def test_bad_input_is_one_line(self):
        path, empty = self.sequence("ply", write_ply), os.path.join(self.folder, "empty")
        os.mkdir(empty)
        for arguments, said in (
                (["--load", os.path.join(self.folder, "absent")], "absent: no such file or folder; give a surface"),
                (["--load", empty], "empty: contains no surfaces (PLY or OBJ); `weir mesh RUN --format ply` makes"),
                (["--load", path, "--sampels", "3"], "unknown option --sampels, did you mean --samples?"),
                (["--load", path, "--samples", "0"], "--samples is 0, expected a whole number from 1 to 1048576"),
                (["--load", path, "--size", "960"], "--size is 960, expected width and height in pixels"),
                (["--load", path, "--size", "0x540"], "--size is 0x540, expected width and height in pixels"),
                (["--load", path, "--render", "x", "--frames", "3:2"], "--frames is 3:2: no frames, because the"),
                (["--load", path, "--render", "x", "--frames", "3:9"], "--frames is 3:9, but the run has frames 1 t"),
                (["--load", path, "--render", "x", "--frames", "x"], "--frames is x, expected a number or two"),
                ([], "nothing to do: give --load, --save or --render")):
            status, lines, everything = self.script("weir_sequence.py", *arguments)
            self.assertEqual((status, len(lines)), (1, 1), everything)
            self.assertIn(said, lines[0])
            self.assertNotIn("Traceback", everything)

    def test_help_is_that_of_the_script(self):
        for name, option in (("weir_sequence.py", "--preview"), ("weir_bake.py", "--foam"), ("weir_bodies.py", "--load"),
                             ("weir_export.py", "--spacing")):
            status, _, everything = self.script(name, "--help")
            self.assertEqual(status, 0, everything)
            self.assertIn(option, everything)

    def test_a_file_renders_without_a_denoiser_and_one_without_its_meshes_is_refused(self):
        path, saved = self.sequence("ply", write_ply), os.path.join(self.folder, "saved.blend")
        made = self.script("weir_sequence.py", "--load", path, "--save", saved)
        self.assertEqual(made[0], 0, made[2])
        picture = os.path.join(self.folder, "####.png")
        denoising = ("--python-expr", "import bpy; bpy.context.scene.cycles.use_denoising = True")
        arguments = ("--render", picture, "--frames", "2", "--size", "64x36", "--samples", "2")
        status, lines, everything = self.script("weir_sequence.py", *arguments, before=(saved, *denoising))
        self.assertEqual(status, 0, everything)
        self.assertTrue(lines[-1].startswith("weir: 1 picture of 64 x 36 pixels in "), lines)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "0002.png")))
        locked = os.path.join(path, "x", "####.png")  # a folder below a file
        status, lines, everything = self.script("weir_sequence.py", "--render", locked, *arguments[2:],
                                                before=(saved,))
        self.assertEqual((status, "Traceback" in everything), (1, False), everything)
        self.assertIn("rendering failed", lines[-1])
        for frame in FRAMES:
            os.remove(os.path.join(self.folder, "surface_%04d.ply" % frame))
        status, lines, everything = self.script("weir_sequence.py", *arguments, before=(saved,))
        self.assertEqual(status, 1, everything)
        self.assertIn('the folder of "surface" has no surface_*.ply', lines[0])

    def test_one_command_installs_the_add_on(self):
        users = {"BLENDER_USER_SCRIPTS": os.path.join(self.folder, "scripts"),
                 "BLENDER_USER_CONFIG": os.path.join(self.folder, "config")}
        os.mkdir(users["BLENDER_USER_CONFIG"])
        path = self.sequence("ply", write_ply)
        for _ in range(2):  # also over an earlier version
            done = subprocess.run([BLENDER, "-b", "--python", os.path.join(TOOLS, "weir_install.py")],
                                  capture_output=True, text=True, env={**os.environ, **users})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("weir: the add-on is installed in " + users["BLENDER_USER_SCRIPTS"], done.stdout)
        used = ("import bpy; bpy.ops.weir.load_sequence(filepath=%r); assert bpy.types.WEIR_PT_bake; "
                "print('RATE', bpy.context.scene.frame_end, bpy.data.objects['surface'].data.materials[0].name)" % path)
        done = subprocess.run([BLENDER, "-b", "--python-exit-code", "1", "--python-expr", used], capture_output=True,
                              text=True, env={**os.environ, **users})
        self.assertIn("RATE 3 weir water", done.stdout, done.stdout + done.stderr)

    def test_surfaces_that_weir_meshes_are_closed_in_blender(self):
        scene = {"name": "pool", "domain": {"min": [0, 0, 0], "max": [0.8, 0.8, 0.8]},
                 "spacing": 0.1, "duration": 0.1, "frame_rate": 30,
                 "fluids": [{"name": "water", "fill": {"shape": {
                     "box": {"min": [0, 0, 0], "max": [0.8, 0.4, 0.8]}}}}]}
        with open(os.path.join(self.folder, "pool.json"), "w", encoding="ascii") as f:
            json.dump(scene, f)
        for extension in ("ply", "obj"):
            run = os.path.join(self.folder, extension)
            subprocess.run([WEIR, "run", os.path.join(self.folder, "pool.json"), "-o", run, "--mesh",
                            extension, "--quiet"], check=True)
            said = blender("load", os.path.join(run, "mesh", "surface_0000." + extension))
            self.assertEqual(said["range"], [0, 3])
            for shown in said["frames"].values():
                self.assertGreater(shown["faces"], 100)
                self.assertEqual(shown["non_manifold"], 0)
                self.assertGreater(shown["volume"], 0.15)
                self.assertLess(shown["top"], 0.6)
                self.assertTrue(shown["normals"])
                self.assertEqual(shown["velocity"] is not None, extension == "ply")

    def test_an_open_mesh_is_seen(self):
        path = os.path.join(self.folder, "surface_0001.obj")
        write_obj(path, 1)
        with open(path, encoding="ascii") as f:
            lines = f.readlines()
        with open(path, "w", encoding="ascii") as f:
            f.writelines(lines[:-1])
        self.assertEqual(blender("load", path)["frames"]["1"]["non_manifold"], 3)

    def test_frames_that_come_later_are_taken_in(self):
        path = self.sequence("ply", write_ply)
        later = os.path.join(self.folder, "later")
        write_ply(later, 4)
        said = blender("follow", path, later, os.path.join(self.folder, "surface_0004.ply"))
        self.assertEqual((said["before"], said["after"], said["grown"]), (3, 4, True))

    def test_a_frame_is_rendered_and_moves(self):
        path = self.sequence("ply", write_ply)
        sharp, blurred = (os.path.join(KEEP or self.folder, n) for n in ("sharp.png", "blur.png"))
        still = blender("render", path, "2", sharp, "sharp")
        moving = blender("render", path, "2", blurred, "blur")
        self.assertGreater(still["blue"], 1000)
        # 20 m/s over 1/24 s smears a box of 1 m over nearly twice its width.
        self.assertGreater(moving["blue"], 1.2 * still["blue"])

    def test_bodies_become_objects_with_keyframes(self):
        scene = {"name": "thrown", "domain": {"min": [0, 0, 0], "max": [2, 2, 2]}, "spacing": 0.1, "duration": 0.25,
                 "frame_rate": 24, "fluids": [{"name": "water", "fill": {"shape": {
                     "box": {"min": [0, 0, 0], "max": [0.4, 0.4, 0.4]}}}}],
                 "bodies": [{"name": "crate", "density": 500, "velocity": [0.5, 1, 0], "colour": [0.1, 0.2, 0.9],
                             "angular_velocity": [3, 120, 5], "shape": {"box": {"size": [0.4, 0.3, 0.2]},
                                                                       "position": [1, 1.2, 0.7],
                                                                       "rotation": [0, 0, 30]}},
                            {"name": "buoy", "density": 300, "shape": {"capsule": {"radius": 0.15, "height": 0.2},
                                                                       "position": [1.5, 1, 1.5]}},
                            {"name": "pair", "density": 300, "shape": {"union": [
                                {"sphere": {"radius": 0.15}, "position": [0.3, 1, 1.5]},
                                {"sphere": {"radius": 0.15}, "position": [0.4, 1, 1.5]}]}}]}
        path = os.path.join(self.folder, "thrown.json")
        with open(path, "w", encoding="ascii") as f:
            json.dump(scene, f)
        for up, scale in (("y", 1.0), ("z", 2.0)):
            run = os.path.join(self.folder, up)
            subprocess.run([WEIR, "run", path, "-o", run, "--quiet", "--up", up, "--scale", str(scale)], check=True)
            said = blender("bodies", run)
            self.assertEqual((said["range"], said["rate"]), ([0, 6], 24))
            crate, buoy, pair = (said["bodies"][n] for n in ("crate", "buoy", "pair"))
            self.assertEqual((crate["type"], crate["vertices"], crate["non_manifold"]), ("MESH", 8, 0))
            self.assertEqual((buoy["non_manifold"], pair["type"], pair["non_manifold"]), (0, "MESH", 0))
            self.assertAlmostEqual(crate["volume"], 0.024 * scale ** 3, 5)
            whole = (4 / 3 * math.pi * 0.15 ** 3 + math.pi * 0.15 ** 2 * 0.2) * scale ** 3
            self.assertTrue(0.97 < buoy["volume"] / whole < 1)
            for got, wanted in zip(crate["colour"], (0.1, 0.2, 0.9)):
                self.assertAlmostEqual(got, wanted, 5)
            self.check_crate(run, crate["places"], up, scale)
            self.assertGreater(min(said["half"]), 0.7)  # it takes the shorter way from frame to frame

    def check_crate(self, run, places, up, scale):
        """Returns the position of the corner that is at -x -y -z of the box at the start."""
        turn = math.radians(30)
        x, y = -0.2, -0.15
        corner = (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn), -0.1)
        with open(os.path.join(run, "bodies.jsonl"), encoding="utf-8") as f:
            for line in f:
                said = json.loads(line)
                body = said["bodies"][0]
                (a, b, c, w), v = body["rotation"], [scale * k for k in corner]
                if up == "z":
                    v = [v[0], -v[2], v[1]]
                t = [2 * (b * v[2] - c * v[1]), 2 * (c * v[0] - a * v[2]), 2 * (a * v[1] - b * v[0])]
                u = [v[0] + w * t[0] + b * t[2] - c * t[1], v[1] + w * t[1] + c * t[0] - a * t[2],
                     v[2] + w * t[2] + a * t[1] - b * t[0]]
                at = [p + k for p, k in zip(body["position"], u)]
                wanted = at if up == "z" else [at[0], -at[2], at[1]]
                for got, right in zip(places[str(said["frame"])], wanted):
                    self.assertAlmostEqual(got, right, 4)

    def test_a_scene_goes_back_to_weir(self):
        path = os.path.join(self.folder, "shot", "shot.json")
        blender("export", path)
        checked = subprocess.run([WEIR, "check", "--quick", path], capture_output=True, text=True)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        with open(path, encoding="utf-8") as f:
            scene = json.load(f)
        self.assertEqual(scene["domain"], {"min": [-1, 0, -1], "max": [1, 2, 1]})
        self.assertEqual(scene["gravity"], [0, -9.81, 0])
        self.assertEqual((scene["frame_rate"], scene["duration"]), (24, 1))
        self.assertNotIn("solver", scene)  # the defaults of Weir: 10 substeps at 24 frames a second
        self.assertEqual(scene["fluids"][0]["fill"]["velocity"], [0, -2, -1])
        keys = scene["solids"][0]["motion"]["keyframes"]
        self.assertEqual(keys[0]["position"], [0.6, 0.3, 0])
        self.assertEqual(keys[-1]["position"], [0.6, 0.3, -0.5])
        self.assertLess(len(keys), 20)  # rest before frame 5 and after frame 20 is omitted
        quaternion = keys[-1]["rotation"]["quaternion"]  # a quarter turn about z became one about y
        for got, wanted in zip(quaternion, (0, math.sqrt(0.5), 0, math.sqrt(0.5))):
            self.assertAlmostEqual(got, wanted, 5)
        # 1 x 1 x 0.8 m at 0.05 m
        self.assertIn("particles          6400", checked.stdout)

    def test_open_meshes_are_told_on_the_way_back(self):
        path = os.path.join(self.folder, "open.json")
        told = {line.split(":")[0]: line for line in blender("export_open", path)["warnings"] if "is open" in line}
        self.assertEqual(sorted(told), ["sheet", "water"])  # the shell has its intended thickness
        self.assertIn("4 edges belong to only one triangle): fluid is kept out", told["sheet"])
        self.assertIn("weir.solid.thickness", told["sheet"])
        self.assertIn("24 edges belong to only one triangle): fluid fills its inside", told["water"])
        with open(path, encoding="utf-8") as f:
            solids = {solid["name"]: solid for solid in json.load(f)["solids"]}
        self.assertEqual(solids["shell"]["thickness"], 0.1)
        self.assertNotIn("thickness", solids["sheet"])

    def test_a_scene_is_baked_from_inside_blender(self):
        said = blender("bake", self.folder, WEIR)
        self.assertIn('water: its custom property weir_role is "wet", expected one of domain, fluid', said["refused"])
        self.assertTrue(said["idle"], said)  # a bake that never began cannot continue
        self.assertRegex(said["words"][0], r"^[3-9] of 12 frames, \d+ s left$")
        self.assertRegex(said["words"][1], r"^\d+ of 12 frames, stopping$")
        self.assertTrue(3 <= said["stopped"] < 12, said)  # the run was stopped half way, then continued
        self.assertEqual((said["finished"], said["frames"], said["ran_again"]), (["FINISHED"], 12, False))
        self.assertTrue(said["kept"], said)  # the second run continued, and wrote no frame again
        self.assertEqual(sorted(said["shown"]), ["bubbles", "drops", "foam", "spray", "surface"])
        self.assertGreater(said["shown"]["surface"], 600)
        self.assertGreater(sum(n for name, n in said["shown"].items() if name != "surface"), 3000)
        self.assertTrue(said["tints"])  # whitewater has the attributes of the fluid that it comes from
        for low, high in said["tints"].values():
            self.assertEqual(low, high)
            for got, wanted in zip(low, (0.1, 0.2, 0.4)):
                self.assertAlmostEqual(got, wanted, 6)
        sizes = {"spray": 1.5, "foam": 3, "bubbles": 1, "drops": 1}
        self.assertEqual(said["sizes"], {name: sizes[name] for name in sizes if said["shown"][name]})
        self.assertEqual(said["materials"], ["weir bubbles", "weir drops", "weir foam", "weir spray", "weir water"])
        self.assertEqual(said["hidden"], ["domain", "emitter", "water"])
        with open(os.path.join(self.folder, "out", "scene.json"), encoding="utf-8") as f:
            scene = json.load(f)
        self.assertEqual((scene["fluids"][0]["dynamic_viscosity"], scene["fluids"][0]["surface_tension"]),
                         (0.01, 0.07))
        opening = scene["emitters"][0]
        self.assertEqual((opening["position"], opening["speed"], opening["width"]), ([0.4, 0.8, 0], 2, 0.3))
        for got, wanted in zip(opening["direction"], (-1, 0, 0)):
            self.assertAlmostEqual(got, wanted, 5)
        first, last = scene["camera"]["keyframes"][0], scene["camera"]["keyframes"][-1]
        self.assertEqual((first["eye"], last["eye"], last["time"]), ([0, 0.6, 2.6], [0.3, 0.7, 2.4], 0.5))
        # 36 mm across 240 pixels, a lens of 50 mm, 160 pixels high
        self.assertAlmostEqual(first["fov"], 2 * math.degrees(math.atan(12 / 50)), 3)
        drawn = blender("baked", os.path.join(self.folder, "baked.blend"),
                        os.path.join(KEEP or self.folder, "baked.png"))
        self.assertEqual((drawn["engine"], drawn["blur"]), ("CYCLES", True))
        self.assertGreater(drawn["differing"], 0.1)


@unittest.skipUnless(shutil.which("xvfb-run"), "no xvfb-run in the path (Debian: xvfb)")
class Windows(InAFolder):
    def test_a_preview_is_drawn_by_eevee_or_says_what_it_needs(self):
        path, picture = self.sequence("ply", write_ply), os.path.join(self.folder, "####.png")
        arguments = ("--load", path, "--render", picture, "--frames", "2", "--size", "64x36", "--preview")
        none = {"__EGL_VENDOR_LIBRARY_FILENAMES": "/none", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
        status, lines, everything = self.script("weir_sequence.py", *arguments, "--samples", "1", env=none)
        self.assertEqual(status, 1, everything)
        self.assertIn("EEVEE needs OpenGL, which this Blender does not get here: put `xvfb-run -a`", lines[-1])
        drawn = subprocess.run(["xvfb-run", "-a", BLENDER, "-b", "--factory-startup", "--python",
                                os.path.join(TOOLS, "weir_sequence.py"), "--", *arguments, "--samples", "1"],
                               capture_output=True, text=True)
        self.assertEqual(drawn.returncode, 0, drawn.stdout + drawn.stderr)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "0002.png")))

    def test_a_bake_in_a_window_is_cancelled_and_goes_on(self):
        screen = ["env", "TMPDIR=" + self.folder, "timeout", "600", "xvfb-run", "-a"]
        said = blender("window", self.folder, WEIR, screen=screen)
        self.assertEqual((said["began"], said["cancelled"], said["refused"]), (["RUNNING_MODAL"], ["FINISHED"], True))
        self.assertTrue(3 <= said["stopped"] < 12, said)
        self.assertEqual(said["frames"], 12)
        self.assertRegex(said["told"][0], r"^\d+ of 12 frames")  # by the panel, as drawn
        self.assertEqual(said["shown"], ["bubbles", "drops", "foam", "spray", "surface"])
        self.assertEqual(said["measuring"], ["RUNNING_MODAL"])
        self.assertRegex(said["estimate"], r"^[\d,]+ particles and up to [\d,]+ more, about \d+ s$")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    BLENDER = shutil.which("blender")
    if not BLENDER:
        print("skipped: no blender in the path (Debian: blender; tools/setup --with-blender)")
        sys.exit(77)
    WEIR = os.path.abspath(sys.argv.pop(1))
    TESTS = Windows if sys.argv[1:2] == ["windows"] else Headless
    KEEP = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 and os.path.isdir(sys.argv[1]) else None
    result = unittest.TextTestRunner(verbosity=1).run(unittest.defaultTestLoader.loadTestsFromTestCase(TESTS))
    sys.exit(not result.wasSuccessful())
