#!/usr/bin/python3
"""Tests the add-on for Blender, installed from its zip into a fresh profile: roles, values, keyframes,
armatures and gauges become a scene that Weir accepts; wrong set-ups are named; a scene is estimated, baked,
replayed and freed. With the word "bpy" after the program's path, the same in a Python with bpy: this one or
build/bpy/bin/python. Exit 77: Blender, or bpy, is not installed.

test_blender_addon.py WEIR [bpy]
"""
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
CHECKS, FORCE_CHECKS = (ROOT / "tests" / "cli" / "mesh" / name for name in ("addon_checks.py",
                                                                            "addon_force_checks.py"))
FORCE_TASKS = ("fields", "numbers", "melting", "wrong_forces", "wrong_curves")
TOOLS = ROOT / "tools" / "blender"
SECONDS = 600
# Installs a zip as a user does: Preferences > Add-ons > Install, and as an extension.
INSTALL = """
import bpy, sys
import addon_utils
path = sys.argv[-1]
if bpy.app.version >= (4, 2, 0):
    bpy.ops.extensions.package_install_files(filepath=path, repo="user_default", enable_on_install=True)
else:
    bpy.ops.preferences.addon_install(filepath=path)
    bpy.ops.preferences.addon_enable(module="weir_addon")
bpy.ops.wm.save_userpref()
print("INSTALLED", [name for name in bpy.context.preferences.addons.keys() if "weir" in name])
"""


def ran(words, **more):
    done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False, **more)
    if done.returncode != 0:
        raise AssertionError("%s:\n%s\n%s" % (words, done.stdout, done.stderr))
    return done.stdout


def inside(home, script, *arguments):
    """Runs a script in Blender, or in Python with bpy, with a profile of its own."""
    words = [BPY, script] if BPY else [BLENDER, "-b", "--python-exit-code", "1", "--python", script]
    env = {key: value for key, value in os.environ.items() if not key.startswith(("BLENDER_USER", "XDG_"))}
    return ran([*words, "--", *arguments], env={**env, "HOME": home})


def at_time(keyframes, key, time):
    """Returns the number that keyframes give at a time."""
    for a, b in zip(keyframes, keyframes[1:]):
        if a["time"] <= time <= b["time"]:
            return a[key] + (b[key] - a[key]) * (time - a["time"]) / (b["time"] - a["time"])
    raise AssertionError("no keyframes around %g: %s" % (time, keyframes))


class AddOn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.profile = tempfile.TemporaryDirectory(prefix="weir_profile_")
        cls.addClassCleanup(cls.profile.cleanup)
        ran([sys.executable, str(TOOLS / "make_zip.py"), cls.profile.name])
        cls.zip = next(pathlib.Path(cls.profile.name).glob("weir-*-blender.zip"))
        script = os.path.join(cls.profile.name, "install.py")
        pathlib.Path(script).write_text(INSTALL, encoding="ascii")
        said = inside(cls.profile.name, script, str(cls.zip))
        assert re.search(r"INSTALLED \['\S*weir\S*'\]", said), said

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weir_addon_")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def task(self, *arguments):
        checks = FORCE_CHECKS if arguments[0] in FORCE_TASKS else CHECKS
        said = inside(self.profile.name, str(checks), *arguments)
        lines = [line for line in said.splitlines() if line.startswith("RESULT ")]
        self.assertTrue(lines, said)
        return json.loads(lines[0][7:])

    def scene(self, task):
        """Returns the scene that a task exports, what it reports, and the program's words about the scene."""
        path = os.path.join(self.folder, "scene.json")
        said = self.task(task, path)
        checked = subprocess.run([WEIR, "check", "--quick", path], capture_output=True, text=True,
                                 check=False)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        return said["scene"][0], said["scene"][1], said, checked.stdout

    def near(self, got, wanted, places=4):
        self.assertEqual(len(got), len(wanted))
        for a, b in zip(got, wanted):
            self.assertAlmostEqual(a, b, places)

    def test_the_zip_is_installed_into_a_fresh_profile(self):
        said = self.task("profile")
        self.assertEqual((said["here"], said["left"], said["again"]), ([True] * 3, [False] * 3 + [0], True))
        self.assertEqual((said["panel"], said["role"]), (["physics", "Weir"], "NONE"))
        self.assertTrue(said["file"].startswith(os.path.realpath(self.profile.name)) or
                        said["file"].startswith(self.profile.name), said["file"])
        self.assertEqual(len(said["roles"]), 12)

    def test_equal_sources_give_an_equal_zip_of_the_programs_version(self):
        ran([str(ROOT / "tools" / "package"), "blender", "--out", self.folder])
        again = next(pathlib.Path(self.folder).glob("weir-*-blender.zip"))
        self.assertEqual(again.read_bytes(), self.zip.read_bytes())
        header = (ROOT / "src" / "include" / "weir" / "core.h").read_text(encoding="utf-8")
        version = re.findall(r"^#define WEIR_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.MULTILINE)
        self.assertEqual(self.zip.name, "weir-%s-blender.zip" % ".".join(version))
        info = (TOOLS / "weir_addon" / "__init__.py").read_text(encoding="utf-8")
        self.assertIn('"version": (%s)' % ", ".join(version), info)

    def test_ranges_and_defaults_are_those_of_the_scene_format(self):
        definitions = json.loads((ROOT / "scenes" / "scene.schema.json").read_text(encoding="utf-8"))["definitions"]
        numbers = self.task("schema")["numbers"]
        self.assertGreater(len(numbers), 35)
        for name, (low, high, usual, text) in numbers.items():
            definition, key = name.split(".")
            spec = definitions[definition]["properties"][key]
            self.assertTrue(text, name)
            said = re.search(r"default: ([0-9.]*[0-9])", spec["description"])
            if said and definition == "force":
                self.assertEqual(usual, float(said.group(1)), name)
            self.assertAlmostEqual(high / min(spec["maximum"], 2**31 - 1), 1, 5, name)
            if "default" in spec:
                self.assertAlmostEqual(low, spec["minimum"], 5, name)
                self.assertAlmostEqual(usual / (spec["default"] or 1), spec["default"] and 1, 5, name)

    def test_panels_show_the_values_of_each_role(self):
        shown = self.task("panels")["shown"]
        self.assertEqual(shown["FLUID"][:6], ["density", "viscosity_by", "dynamic_viscosity",
                                              "surface_tension", "colour", "velocity"])
        self.assertEqual(shown["FLUID"][6:], ["weir.add_attribute", "weir.remove_attribute"])
        self.assertEqual(shown["CURVE"][2:5], ["attribute", "weir.add_point", "weir.remove_point"])
        self.assertNotIn("dynamic_viscosity", shown["CURVE"])
        self.assertLess({"fluid", "opening", "speed", "emission", "density"}, set(shown["EMITTER"]))
        self.assertEqual(shown["SOLID"], ["motion", "thickness", "friction", "no_slip"])
        self.assertLess({"mass_by", "density", "angular_velocity"}, set(shown["BODY"]))
        for role in ("CLOTH", "SOFT_BODY"):
            self.assertLess({"stiffness", "pin_region", "pin_to"}, set(shown[role]))
        self.assertEqual(shown["FORCE"], ["type", "strength", "region"])
        self.assertEqual(shown["drag"], ["type", "rate", "velocity", "region", "region_of"])
        self.assertEqual(shown["velocity_field"], ["type", "file", "rate"])
        self.assertLess({"radius", "strength", "rate", "speed", "swirl", "region"}, set(shown["curve"]))
        self.assertLess({"amplitude", "size", "octaves", "evolution", "velocity", "seed"},
                        set(shown["noise"]))
        self.assertEqual(shown["WHITEWATER"], ["kind", "rate", "velocity", "velocity_spread", "lifetime", "start",
                                               "end"])
        self.assertEqual((shown["GAUGE"], shown["SINK"]), (["kind", "axis"], []))
        self.assertLess({"divisions", "method", "weir.estimate"}, set(shown["Resolution and Method"]))
        self.assertEqual({"folder", "weir.bake", "weir.resume_bake", "weir.replay_bake", "weir.free_bake"},
                         set(shown["Bake"]))
        self.assertEqual(len(shown["Sides"]), 8)

    def test_every_role_becomes_part_of_the_scene(self):
        scene, warnings, _, _ = self.scene("roles")
        self.assertEqual(warnings, [])
        self.assertEqual(scene["domain"], {"min": [-1, 0, -1], "max": [1, 2, 1], "friction": 0.2,
                                           "sides": {"x": ["open", "closed"], "z": ["open", "closed"]}})
        self.assertEqual((scene["spacing"], scene["solver"]), (0.1, {"iterations": 5, "vorticity_confinement": 0.01}))
        self.assertEqual(scene["attributes"], [{"name": "ink", "diffusivity": 1e-4},
                                               {"name": "tint", "components": 3, "initial": [0.1, 0.2, 0.3]}])
        water, other = scene["fluids"]  # equal materials are one fluid; the second is that of two emitters
        self.assertEqual({k: v for k, v in water.items() if k != "fill"},
                         {"name": "pool", "density": 900, "dynamic_viscosity": 0.5, "surface_tension": 0.07,
                          "colour": [0.1, 0.2, 0.3]})
        self.assertEqual(water["fill"][0]["velocity"], [1, 3, -2])  # y up
        self.assertEqual(water["fill"][0]["attributes"], {"ink": 1, "tint": [0.5, 0.6, 0.7]})
        self.assertEqual((len(water["fill"]), other), (2, {"name": "ball"}))
        self.check_emitters({e["name"]: e for e in scene["emitters"]})
        rock, = scene["solids"]
        self.assertEqual((rock["friction"], rock["no_slip"], "motion" in rock), (0.5, False, False))
        sinks = {s["name"]: s for s in scene["sinks"]}
        self.assertEqual((set(sinks), sinks["pump"]["attached_to"]), ({"drain", "pump"}, "raft"))
        self.assertAlmostEqual(sinks["drain"]["motion"]["keyframes"][-1]["position"][1], 0.4, 4)  # y up
        raft, = scene["bodies"]
        self.assertEqual((raft["mass"], raft["velocity"], raft["angular_velocity"], "density" in raft),
                         (12, [0, 0, -1], [0, 2, 0], False))
        cloth, = scene["cloths"]
        self.assertEqual((cloth["name"], cloth["area_density"]), ("the_flag", 40))
        self.assertEqual(cloth["pins"], [{"vertices": [0, 1, 2], "solid": "rock"}])
        soft, = scene["soft_bodies"]
        self.assertEqual((soft["stiffness"], soft["density"]), (20000, 500))
        self.near(soft["pins"][0]["inside"]["min"], [-0.1, 1.1, 0])
        self.assertEqual((scene["whitewater"]["emission_rate"], len(scene["whitewater"]["emitters"])), (0, 2))
        mist, stone = (dict(e) for e in scene["whitewater"]["emitters"])
        self.assertEqual([set(stone.pop("shape")), set(mist.pop("shape"))], [{"mesh"}, {"mesh"}])
        self.assertEqual(stone, {"kind": "bubble", "rate": 500, "velocity": [0, 0, -0.5], "lifetime": 2})
        self.assertEqual(mist, {"rate": 1000, "attached_to": "raft"})  # tracers
        self.check_forces(scene["forces"])
        self.check_gauges({g["name"]: g for g in scene["gauges"]})

    def check_emitters(self, emitters):
        tap, hose, ball = (emitters[name] for name in ("tap", "hose", "ball"))
        self.assertEqual((tap["fluid"], hose["fluid"], ball["fluid"]), ("ball", "pool", "ball"))
        self.near(tap["position"] + tap["direction"], [-0.6, 1.6, -0.2, 0, -1, 0])
        self.near([tap["width"], tap["height"], tap["flow_rate"], tap["start"], tap["end"]], [0.3, 0.3, 0.02, 0.1, 0.3])
        self.assertEqual((tap["turbulence"], tap["profile"], "speed" in tap, "shape" in tap), (0.1, "parabolic", False, False))
        self.near([hose["radius"], hose["speed"], *hose["direction"]], [0.2, 1, 0, 1, 0], 2)  # a disc
        self.assertEqual((ball["emission"], ball["speed"], "prefill" in ball), ("surface", 0.5, False))
        self.assertIn("mesh", ball["shape"])
        self.assertNotIn("direction", ball)

    def check_forces(self, forces):
        pull, push, swirl, wind = forces
        self.assertEqual((pull["type"], pull["strength"], pull["centre"]), ("central", -2, [0.1, 0.3, -0.2]))
        self.assertEqual(push, {"type": "uniform", "acceleration": [1, 3, -2]})
        self.near(swirl["axis"], [0, 0, 1])  # the empty's z, turned towards Blender's -y
        self.assertEqual((swirl["centre"], swirl["inside"]), ([0.5, 0.75, -0.25],
                                                              {"centre": [0.5, 0.75, -0.25], "radius": 0.25}))
        self.assertEqual((wind["rate"], wind["velocity"], wind["inside"]),
                         (2, [0, 0, -3], {"min": [-0.5, 0.5, -0.5], "max": [0.5, 1.5, 0.5]}))

    def check_gauges(self, gauges):
        self.assertEqual(gauges["level"]["height"], {"min": [-0.25, 0.75, -0.25], "max": [0.25, 1.25, 0.25],
                                                     "axis": "+y"})
        self.assertEqual(gauges["front"]["front"]["axis"], "-z")
        self.assertEqual(gauges["probe"]["pressure"], {"position": [0.1, 0.3, -0.2], "radius": 0.3, "average": 0.05})
        self.assertEqual(gauges["load"]["force"], {"solid": "rock"})
        self.near(gauges["flow"]["flow"]["direction"], [1, 0, 0])

    def test_keyframes_armatures_and_rates_are_exported(self):
        scene, warnings, said, _ = self.scene("animated")
        self.assertEqual((warnings, said["shown"]), ([], 5))
        solids = {s["name"]: s for s in scene["solids"]}
        keys = solids["paddle"]["motion"]["keyframes"]
        self.assertEqual((keys[0]["position"], keys[-1]["position"]), ([0.6, 1, 0], [0.6, 1, -0.3]))
        self.assertEqual([k["time"] for k in keys[:2]], [0, 0.083333])  # rest before frame 3 is one stretch
        for name in ("arm", "grow"):
            mesh = solids[name]["shape"]["mesh"]
            self.assertEqual((mesh["first"], mesh["last"], mesh["rate"], "motion" in solids[name]), (0, 8, 24, False))
        self.assertIn("file", solids["still"]["shape"]["mesh"])  # a modifier that does not change is no animation
        first, last = (self.top(solids["arm"]["shape"]["mesh"]["files"] % number) for number in (0, 8))
        self.assertAlmostEqual(first, 1.4, 4)
        self.assertLess(last, 1.38)
        tap, = scene["emitters"]
        speeds = tap["speed_keyframes"]
        self.assertEqual((speeds[0], speeds[-1]), ({"time": 0, "speed": 1}, {"time": 0.333333, "speed": 3}))
        self.assertAlmostEqual(at_time(speeds, "speed", 4 / 24), 2, 3)
        self.assertNotAlmostEqual(at_time(speeds, "speed", 2 / 24), 1.5, 1)  # Blender eases keyframes
        self.near(tap["motion"]["keyframes"][-1]["position"], [0.8, 0, 0])
        gravity = scene["gravity_keyframes"]
        self.near(gravity[0]["gravity"] + gravity[-1]["gravity"], [0, -9.81, 0, 0, -9.81, -8])

    def test_curves_meshes_boxes_and_files_become_forces(self):
        scene, warnings, said, _ = self.scene("fields")
        stir, way, ring, wind, torus, ball, line = scene["forces"]
        self.assertEqual(stir, {
            "type": "noise", "amplitude": 4, "size": 0.25, "octaves": 2, "evolution": 0, "seed": 7,
            "velocity": [0, 0, -1], "inside": {"min": [-0.5, 0.5, -0.5], "max": [0.5, 1.5, 0.5]}})
        self.assertEqual(way, {  # y up, and no point twice
            "type": "curve", "radius": 0.3, "strength": 250, "rate": 8, "speed": 1.3, "swirl": -5,
            "points": [[0, 1, 0], [0.2, 1.3, -0.2], [0, 1, -0.5]]})
        self.assertEqual((len(ring["points"]), ring["closed"]), (256, True))
        for x, y, z in ring["points"]:
            self.near([y, (x * x + z * z) ** 0.5], [1, 0.5], 3)
        gaps = [math.dist(a, b) for a, b in zip(ring["points"], ring["points"][1:] + ring["points"][:1])]
        self.assertLess(max(gaps), 2.5 * min(gaps))
        self.assertEqual((len(line["points"]), "closed" in line), (256, False))
        self.near(line["points"][0] + line["points"][-1], [-0.8, 1, 0, 0.6975, 1, 0])  # both ends remain
        self.assertEqual(len(warnings), 2)
        self.assertIn("c ring: its curve has 400 points, and a force has at most 256: it is thinned",
                      warnings[0])
        self.assertEqual(wind, {"type": "velocity_field", "rate": 5, "file": "fields/d_wind.npy",
                                "inside": {"min": [-0.3, 0.5, -0.8], "max": [0.7, 1.5, 0.2]}})
        copy, given = (pathlib.Path(self.folder, name) for name in ("fields/d_wind.npy", "wind.npy"))
        self.assertEqual(copy.read_bytes(), given.read_bytes())
        self.assertEqual([torus[key] for key in ("type", "strength", "radius", "rate")],
                         ["shape", 120, 0.25, 3])
        self.assertAlmostEqual(self.top(torus["shape"]["mesh"]["file"]), 1.6, 4)  # metres
        box = torus["inside"]  # that of another object
        self.near(box["min"] + box["max"], [-0.8, 0, -0.8, 0.8, 0.4, 0.8])
        self.assertEqual({key: ball[key] for key in ball if key != "shape"},
                         {"type": "shape", "strength": 10, "rate": 0})
        self.assertEqual(said["before"], said["after"])  # no helper objects are left

    def test_numbers_over_time_become_keyframes(self):
        scene, warnings, _, _ = self.scene("numbers")
        self.assertEqual(warnings, [])
        times = [0, 0.166667, 0.333333]
        pull, push, air, stir, way, still = scene["forces"]
        self.assertEqual(pull, {"type": "central", "centre": [0, 1, 0], "strength_keyframes": [
            {"time": t, "strength": s} for t, s in zip(times, (0, 120, 120))]})  # without frames between
        self.assertEqual(push, {"type": "uniform", "acceleration_keyframes": [
            {"time": 0, "acceleration": [0, 0, 0]}, {"time": times[2], "acceleration": [2, 6, -4]}]})
        self.assertEqual([(k["time"], k["rate"]) for k in air["rate_keyframes"]], list(zip(times, (8, 4, 4))))
        self.assertEqual([(k["time"], k["amplitude"]) for k in stir["amplitude_keyframes"]],
                         list(zip(times, (1, 2, 1))))
        self.assertEqual([k["speed"] for k in way["speed_keyframes"]], [0, 1, 0])
        self.assertEqual([k["swirl"] for k in way["swirl_keyframes"]], [0, -1, 0])
        self.assertEqual(still, {"type": "central", "centre": [0, 1, 0], "strength": 2})
        water, honey = sorted(scene["fluids"], key=lambda fluid: fluid["name"], reverse=True)
        self.assertEqual([(k["time"], k["dynamic_viscosity"]) for k in water["dynamic_viscosity_keyframes"]],
                         list(zip(times, (1, 100, 100))))
        # Equal animations are one fluid.
        self.assertEqual((len(water["fill"]), "dynamic_viscosity" in water), (2, False))
        step = [k["dynamic_viscosity"] for k in honey["dynamic_viscosity_keyframes"]]
        self.assertEqual(step, [10, 10, 20, 20])
        self.assertEqual(scene["domain"]["friction_keyframes"],
                         [{"time": 0, "friction": 0}, {"time": times[2], "friction": 0.8}])

    def test_a_viscosity_depends_on_an_attribute(self):
        scene, warnings, said, _ = self.scene("melting")
        self.assertEqual((warnings, said["added"]), ([], [40, 3000]))  # ten more than the point before it
        drop, water = scene["fluids"]
        self.assertEqual({key: water[key] for key in water if key not in ("name", "fill")}, {
            "density": 900, "dynamic_viscosity_curve": {"attribute": "heat", "points": [
                {"value": 30, "dynamic_viscosity": 3000}, {"value": 95, "dynamic_viscosity": 4}]}})
        self.assertEqual(drop["dynamic_viscosity_curve"]["attribute"], "tint_y")

    def faults(self, task, errors, warnings, right):
        """Compares the messages of wrong set-ups, and of right ones, which have none."""
        found = self.task(task, os.path.join(self.folder, "scene.json"))["found"]
        self.assertEqual(set(found), set(errors) | set(warnings) | set(right))
        for name, error in errors.items():
            self.assertIn(error, found[name][0], name)
        for name, warning in warnings.items():
            self.assertEqual((found[name][0], len(found[name][1])), ("", 1), name)
            self.assertIn(warning, found[name][1][0], name)
        for name in right:
            self.assertEqual(found[name], ["", []], name)

    def test_wrong_forces_are_named_with_the_way_out(self):
        needs, box = " object of the type %s, and a force of the type %s needs a ", 'way: the bounds of "way"'
        self.faults("wrong_forces", {
            "curve on empty": "spot: is an" + needs % ("empty", "curve") + "curve object: add one with Add",
            "curve on mesh": "brick: is an" + needs % ("mesh", "curve") + "curve object: add one with Add",
            "shape on curve": "way: is an" + needs % ("curve", "shape") + "mesh: give the role to a mesh",
            "shape on empty": "spot: is an" + needs % ("empty", "shape") + "mesh: give the role to a mesh",
            "field on curve": "way: is an" + needs % ("curve", "velocity_field") + "box: give the role to",
            "no file": "wind: has no file of velocities: choose an NPY file in File",
            "lost file": 'wind.npy.gone" of velocities: choose an NPY file in File',
            "flat field": 'sheet: the bounds of "sheet", in which it acts, are flat: scale it',
            "flat region": box + ", in which it acts, are flat: choose another object in Region of",
            "two splines": "way: has 2 splines, and a force follows one: separate the others",
            "no radius": "way: has no Radius, the distance from the curve at which the force stops acting",
            "one point": "way: its curve has fewer than 2 different points",
            "no effect": "way: does nothing: set Strength",
            "no rate": "way: has a Speed or a Swirl, which fluid approaches at Rate: set Rate",
            "fine noise": "stir: its Size is 0.15 m, and noise needs at least two particle spacings, 0.2 m",
            "drag": "air: is a force of the type drag, which FLIP and APIC do not support: set Method to PBF",
        }, {
            "rotated field": "wind: is rotated, and a velocity field is not: it fills the bounds of the",
            "modifier": "way: its modifiers are not applied: a force follows the curve without them",
            "open shape": "sheet: is open (4 edges belong to only one triangle): it draws fluid to its",
        }, ("upright field", "moved"))

    def test_wrong_viscosity_curves_are_named_with_the_way_out(self):
        self.faults("wrong_curves", {
            "no attribute": 'pool: its viscosity depends on the attribute "heat", which the scene does not '
                            "have: add it to Attributes of the domain, or set Viscosity by to Number",
            "other attribute": 'on the attribute "tint", which the scene does not have: add it to Attributes '
                               "of the domain, or choose one of heat, tint_x, tint_y",
            "one point": "pool: its viscosity curve has 1 point, expected 2 to 32: add or remove points, or",
            "many points": "pool: its viscosity curve has 33 points, expected 2 to 32",
            "unsorted": "pool: the points of its viscosity curve are not sorted: the value 30 of point 3 is "
                        "not more than the 95 before it; give them increasing values",
            "emitter": "tap: its viscosity curve has 1 point, expected 2 to 32",
        }, {"animated": "pool: its viscosity is animated, but depends on an attribute: the animation has no "
                        "effect"}, ("unused",))

    def top(self, name):
        with open(os.path.join(self.folder, name), encoding="ascii") as file:
            return max(float(line.split()[2]) for line in file if line.startswith("v "))

    def test_earlier_custom_properties_become_roles_and_names_do_not(self):
        scene, warnings, said, _ = self.scene("migrated")
        self.assertEqual(len([w for w in warnings if "are converted: the role is" in w]), 4)
        self.assertEqual(len([w for w in warnings if w.startswith("water 2: has no role, and its name decides")]), 1)
        self.assertEqual((said["left"], scene["whitewater"]), ([], {}))
        fluid, = scene["fluids"]
        self.assertEqual((fluid["name"], fluid["dynamic_viscosity"], fluid["fill"]["velocity"]),
                         ("honey", 10, [0, 0, -1]))
        self.assertEqual(scene["solids"][0]["friction"], 0.4)
        self.assertEqual((scene["emitters"][0]["flow_rate"], scene["emitters"][0]["fluid"]), (0.5, "honey"))

    def test_wrong_set_ups_are_named_with_the_way_out(self):
        found = self.task("refusals", os.path.join(self.folder, "scene.json"))["found"]
        for name, error in (
                ("no domain", "no object is the domain: add a box around everything and set its role to Domain"),
                ("two domains", "2 objects are domains: box, box 2; keep one"),
                ("many forces", "objects have the role FORCE, and a scene has at most"),
                ("no fluid", "no object is a fluid: set the role of one to Fluid, or to Emitter"),
                ("still emitter", "tap: emits nothing: its speed or flow rate is 0 in every frame"),
                ("thin emitter", "slab: is 0.05 m thick, and the particle spacing is 0.1 m: nothing fits in"),
                ("thin fluid", "film: is 0.05 m thick, and the particle spacing is 0.1 m: nothing fits in"),
                ("outside", "far: is outside the domain: move it inside, or make the domain larger"),
                ("unknown value", 'pool: has a value of the attribute "dye", which the scene does not have: add it'),
                ("frames", "the scene has one frame, 1: set its end to a later one"),
                ("empty", "nothing: has no faces, as an object of the type empty: only the roles Force and"),
                ("gauge", "scale: measures the force on a solid, but Solid names no visible one"),
                ("vertices", "array: its number of vertices changes at frame"),
                ("override", '"solver.cfl" in Other keys: expected KEY=VALUE')):
            self.assertIn(error, found[name][0], name)
        self.assertEqual((found["arriving"], found["in the lid"]), (["", []],) * 2)  # nothing is wrong with these
        for name, warning in (
                ("open emitter", "cup: is open (64 edges belong to only one triangle): it emits from its inside"),
                ("odd outline", "star: is flat, but neither a rectangle nor a disc: it emits from the rectangle"),
                ("thin solid", "sheet: is 0.05 m thick, and the particle spacing is 0.1 m: fluid may pass through"),
                ("half outside", "edge: reaches out of the domain: what is outside is left out"),
                ("solid outside", "moon: is outside the domain and has no effect"),
                ("hidden", "ghost: has the role Solid, but is hidden in the viewport: it is left out"),
                ("name only", "water 3: has no role, and its name decides nothing"),
                ("unit", "the unit scale is 0.01: Weir takes Blender's units as metres")):
            self.assertEqual((found[name][0], len(found[name][1])), ("", 1), name)
            self.assertIn(warning, found[name][1][0], name)

    def test_a_program_that_cannot_be_used_is_named(self):
        found = self.task("programs", self.folder)["found"]
        self.assertIn("old is Weir 0.0.9, and this add-on needs 1.0.0 or later: update it", found["old"])
        self.assertIn("other is not the program Weir: set the path", found["other"])
        self.assertEqual((found["good"], found["preferred"]), (os.path.join(self.folder, "good"),) * 2)
        self.assertIn('absent": give another path with --weir', found["absent"])
        self.assertIn('cannot find the program "weir": set its path in Preferences > Add-ons > Weir', found["nowhere"])
        self.assertIn('gone": correct it in Preferences > Add-ons > Weir', found["preference"])

    def test_a_scene_is_estimated_baked_replayed_and_freed(self):
        said = self.task("shots", self.folder, WEIR)
        self.assertEqual((said["before"], said["polls"]), ("", [False] * 3))
        self.assertRegex(said["measured"], r"^\d{3} particles, about \d+ s$|^\d,\d{3} particles, about \d+ (s|min)$")
        self.assertEqual((said["stale"], said["fresh"]), (said["measured"] + " (of earlier settings)", said["measured"]))
        self.assertEqual((said["done"], said["replayed"], said["freed"]), (["FINISHED"],) * 3)
        for name in ("surface", "crate (baked)", "rag one (baked)", "rag+one (baked)"):
            self.assertEqual(said["baked"][name][0], "MESH")
            self.assertGreater(said["baked"][name][1], 7)
        self.assertGreater(said["fell"], 0.05)  # in an eighth of a second
        self.assertEqual((said["materials"], said["ink"][0], said["ink"][-1]), (["wood"], 0, 1))
        self.assertEqual(said["hidden"], ["box", "crate", "drop", "pool", "rag one", "rag+one"])
        self.assertLess({"ShaderNodeAttribute", "ShaderNodeValToRGB", "ShaderNodeBsdfGlass"}, set(said["painted"]))
        self.assertEqual(sorted(said["own"]), ["ShaderNodeAttribute", "ShaderNodeBsdfPrincipled", "ShaderNodeOutputMaterial"])
        self.assertEqual(said["shown_range"], [0, 1])
        self.assertIn('surface: has no attribute "smoke" in this frame; it has density, fluid, ink, velocity', said["missing"])
        self.assertGreater(said["count"], 15)
        self.assertEqual(said["left"], [os.path.join("bake", "run", "note.txt")])  # the user's own file
        self.assertEqual((said["gone"], said["shown"], said["drop"]), (True, [], "TEXTURED"))

    def test_a_stopped_bake_is_resumed_as_it_was_begun(self):
        said = self.task("resumed", self.folder, WEIR)
        self.assertTrue(3 <= said["stopped"] < 24, said)
        self.assertEqual((said["before"], said["done"], said["after"]), (True, ["FINISHED"], False))
        self.assertEqual(said["first"], [24, "dict"])  # without the fluid that was added later
        self.assertEqual((said["second"], said["surfaces"]), ([3, "list"], 4))

    def test_a_bake_that_fails_says_why(self):
        said = self.task("failing", self.folder, WEIR)
        self.assertIn("is relative to the .blend file, which is not saved: save it", said["found"]["unsaved"])
        self.assertIn('"vortices": unknown key', said["found"]["unknown key"].replace("solver.vortices", '"vortices"'))
        self.assertIn("if this program is older than the add-on, update it", said["found"]["unknown key"])
        self.assertIn("contains files that the bake has not made, such as", said["found"]["other files"])
        self.assertTrue(said["kept"])


def find_bpy():
    """Returns a Python that has bpy; None without one."""
    for path in (str(ROOT / "build" / "bpy" / "bin" / "python"), sys.executable):
        if os.path.exists(path) and subprocess.run([path, "-c", "import bpy"], capture_output=True,
                                                   check=False).returncode == 0:
            return path
    return None


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    BPY = find_bpy() if "bpy" in sys.argv[2:] else None
    BLENDER = shutil.which("blender")
    if "bpy" in sys.argv[2:] and not BPY:
        print("skipped: no Python with bpy (tools/setup --with-bpy)")
        sys.exit(77)
    if not BPY and not BLENDER:
        print("skipped: no blender in the path (Debian: blender; tools/setup --with-blender)")
        sys.exit(77)
    WEIR = os.path.abspath(sys.argv.pop(1))
    sys.argv[1:] = [word for word in sys.argv[1:] if word != "bpy"]
    unittest.main(verbosity=1)
