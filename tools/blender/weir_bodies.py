"""Imports the rigid bodies of a run into Blender 3.4 and later: an object for each, with a keyframe of
location and rotation for every frame.

As an add-on: Edit > Preferences > Add-ons > Install, choose this file, then File > Import > Weir bodies,
and the bodies.jsonl of a run. Without a window:
  blender -b --python weir_bodies.py -- --load out/rafts --save rafts.blend
  blender -b dam.blend --python weir_bodies.py -- --load out/rafts --save dam.blend
The second command adds the bodies to a .blend, such as one that weir_sequence.py has made from the same
run.

Shapes, colours and the frame rate come from run.json, next to bodies.jsonl. Boxes, spheres, capsules,
cylinders, cones, tori and meshes of OBJ files become meshes; other shapes become empties, which move in
the same way and can be parents of your own objects. An object's origin is the body's centre of mass.
Between frames Blender interpolates linearly, which is close to the bodies' motion; motion blur follows
from that.
"""

bl_info = {
    "name": "Weir bodies",
    "author": "the Weir project",
    "version": (1, 0, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > Weir bodies",
    "description": "Import the rigid bodies of a run, with a keyframe per frame",
    "category": "Import-Export",
}

import argparse
import json
import math
import os
import sys

import bpy
from bpy.props import StringProperty
from mathutils import Euler, Quaternion, Vector

ROUND = 32  # corners of a circle


class BadRun(Exception):
    """Reports a fault of a run, with the file."""


# ---- files ---------------------------------------------------------------------------------------

def read_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise BadRun("%s: %s; give the output folder of `weir run`" % (path, error)) from error


def read_frames(path):
    """Returns the [(frame, {name: (position, rotation x y z w)})] of a bodies.jsonl."""
    frames = []
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                try:
                    said = json.loads(line)
                    poses = {b["name"]: (b["position"], b["rotation"]) for b in said["bodies"]}
                    frames.append((int(said["frame"]), poses))
                except (ValueError, KeyError, TypeError) as error:
                    raise BadRun("%s:%d: not a record of bodies (%s); a run writes one per line" %
                                 (path, number, error)) from error
    except OSError as error:
        raise BadRun("%s: %s; a run writes this file if its scene has bodies" % (path, error)) from error
    if not frames:
        raise BadRun("%s: contains no frame" % path)
    return frames


def read_obj(path):
    points, faces = [], []
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                words = line.split()
                if words[:1] == ["v"]:
                    points.append(Vector([float(w) for w in words[1:4]]))
                elif words[:1] == ["f"]:
                    at = [int(w.split("/")[0]) for w in words[1:]]
                    faces.append([i - 1 if i > 0 else len(points) + i for i in at])
    except (OSError, ValueError) as error:
        raise BadRun("%s: %s; the meshes of bodies are read from the paths in the scene" % (path, error)) from error
    return points, faces


# ---- shapes, y up, about their own origin --------------------------------------------------------

def box_of(keys):
    size = Vector(keys["size"]) if "size" in keys else Vector(keys["max"]) - Vector(keys["min"])
    middle = Vector() if "size" in keys else (Vector(keys["max"]) + Vector(keys["min"])) / 2
    points = [middle + Vector((x * size.x, y * size.y, z * size.z)) / 2
              for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    return points, [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def turned(profile):
    """Makes a closed surface of revolution from radius and height along y, from its lower end on the axis to
    the upper one.
    """
    rings = [p for p in profile if p[0] > 1e-9]
    points = [Vector((r * math.sin(2 * math.pi * k / ROUND), y, r * math.cos(2 * math.pi * k / ROUND)))
              for r, y in rings for k in range(ROUND)]
    faces, last = [], len(rings) - 1
    for ring in range(last):
        for k in range(ROUND):
            a, b = ring * ROUND + k, ring * ROUND + (k + 1) % ROUND
            faces.append((a, b, b + ROUND, a + ROUND))
    low, high = len(points), len(points) + 1
    points += [Vector((0, profile[0][1], 0)), Vector((0, profile[-1][1], 0))]
    faces += [(low, (k + 1) % ROUND, k) for k in range(ROUND)]
    faces += [(high, last * ROUND + k, last * ROUND + (k + 1) % ROUND) for k in range(ROUND)]
    return points, faces


def arc(radius, middle, first, last):
    steps = ROUND // 4
    angles = [first + (last - first) * k / steps for k in range(steps + 1)]
    return [(radius * math.cos(a), middle + radius * math.sin(a)) for a in angles]


def capsule_of(keys, half):
    r, quarter = keys["radius"], math.pi / 2
    below = arc(r, -half, -quarter, 0)
    return turned(below + (arc(r, half, 0, quarter) if half > 0 else arc(r, half, 0, quarter)[1:]))


def torus_of(keys):
    ring, tube, points, faces = keys["radius"], keys["tube_radius"], [], []
    for i in range(ROUND):
        for k in range(ROUND):
            a, b = 2 * math.pi * i / ROUND, 2 * math.pi * k / ROUND
            r = ring + tube * math.cos(b)
            points.append(Vector((r * math.sin(a), tube * math.sin(b), r * math.cos(a))))
            i2, k2 = (i + 1) % ROUND, (k + 1) % ROUND
            faces.append((i * ROUND + k, i2 * ROUND + k, i2 * ROUND + k2, i * ROUND + k2))
    return points, faces


def shape_of(shape, folder):
    """Returns points and faces before the shape's own pose; None for a shape without a mesh."""
    if "box" in shape:
        return box_of(shape["box"])
    if "sphere" in shape:
        return capsule_of(shape["sphere"], 0)
    if "capsule" in shape:
        return capsule_of(shape["capsule"], shape["capsule"]["height"] / 2)
    if "cylinder" in shape:
        r, half = shape["cylinder"]["radius"], shape["cylinder"]["height"] / 2
        return turned([(0, -half), (r, -half), (r, half), (0, half)])
    if "cone" in shape:
        r, half = shape["cone"]["radius"], shape["cone"]["height"] / 2
        return turned([(0, -half), (r, -half), (0, half)])
    if "torus" in shape:
        return torus_of(shape["torus"])
    if shape.get("mesh", {}).get("file", "").lower().endswith(".obj"):
        return read_obj(os.path.join(folder, shape["mesh"]["file"]))
    return None


def rotation_of(given):
    """Parses a scene's rotation: [x, y, z] degrees, an axis with an angle, or a quaternion."""
    if isinstance(given, dict) and "quaternion" in given:
        x, y, z, w = given["quaternion"]
        return Quaternion((w, x, y, z)).normalized()
    if isinstance(given, dict):
        return Quaternion(Vector(given["axis"]).normalized(), math.radians(given["angle"]))
    return Euler([math.radians(a) for a in given or (0, 0, 0)], "XYZ").to_quaternion()


def centre_of(points, faces):
    """Returns the centroid of the enclosed volume."""
    volume, first = 0.0, Vector()
    for face in faces:
        a = points[face[0]]
        for i in range(1, len(face) - 1):
            b, c = points[face[i]], points[face[i + 1]]
            part = a.dot(b.cross(c)) / 6
            volume, first = volume + part, first + part * (a + b + c) / 4
    return first / volume if abs(volume) > 0 else sum(points, Vector()) / max(len(points), 1)


# ---- objects -------------------------------------------------------------------------------------

def upright(v):
    """Converts y up to z up."""
    return Vector((v[0], -v[2], v[1]))


def make_data(body, run, first):
    """Returns the mesh of a body about its centre of mass, z up; None for an empty."""
    shape, scale = body["shape"], run["output"].get("scale", 1)
    made = shape_of(shape, run["scene_folder"])
    if not made:
        return None
    turn, size = rotation_of(shape.get("rotation")), shape.get("scale", 1)
    at = Vector(shape.get("position", (0, 0, 0)))
    points = [at + turn @ (size * p) for p in made[0]]
    centre = centre_of(points, made[1])
    if abs(first[1][3]) == 1:  # not rotated yet: uses the centre of the run, exact to the last digit
        x = Vector(first[0]) / scale
        centre = x if run["output"].get("up", "y") == "y" else Vector((x[0], x[2], -x[1]))
    mesh = bpy.data.meshes.new(body["name"])
    mesh.from_pydata([scale * upright(p - centre) for p in points], [], [list(f) for f in made[1]])
    material = bpy.data.materials.new("weir " + body["name"])
    colour = [*body.get("colour", (0.75, 0.3, 0.1)), 1]
    material.diffuse_color = colour
    material.use_nodes = True
    material.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = colour
    mesh.materials.append(material)
    if not any(kind in shape for kind in ("box", "mesh")):
        mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    mesh.update()
    return mesh


def poses_of(name, frames, z_up):
    """Returns locations and rotations (w x y z) of a body, z up. A rotation and its negative are the same;
    the nearer one is used.
    """
    locations, rotations = [], []
    for number, poses in frames:
        if name not in poses:
            raise BadRun("frame %d has no body \"%s\", but run.json has" % (number, name))
        position, (x, y, z, w) = poses[name]
        axis = Vector((x, y, z)) if z_up else upright((x, y, z))
        q = Quaternion((w, *axis))
        if rotations and rotations[-1].dot(q) < 0:
            q.negate()
        locations.append(Vector(position) if z_up else upright(position))
        rotations.append(q)
    return locations, rotations


def animate(thing, numbers, locations, rotations):
    thing.rotation_mode = "QUATERNION"
    thing.location, thing.rotation_quaternion = locations[0], rotations[0]
    action = bpy.data.actions.new(thing.name)
    thing.animation_data_create().action = action
    for path, values, count in (("location", locations, 3), ("rotation_quaternion", rotations, 4)):
        for axis in range(count):
            curve = action.fcurves.new(path, index=axis)
            curve.keyframe_points.add(len(numbers))
            flat = [number for pair in zip(numbers, (v[axis] for v in values)) for number in pair]
            curve.keyframe_points.foreach_set("co", flat)
            for point in curve.keyframe_points:
                point.interpolation = "LINEAR"
            curve.update()


def load_bodies(path, set_range=True):
    """Makes the objects of a run, given by its folder or its bodies.jsonl. Returns them."""
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    run, frames = read_json(os.path.join(folder, "run.json")), read_frames(os.path.join(folder, "bodies.jsonl"))
    try:
        bodies, z_up = run["scene"]["bodies"], run["output"].get("up", "y") == "z"
        rate = float(run["scene"]["frame_rate"])
    except (KeyError, TypeError, ValueError) as error:
        raise BadRun("%s: not a run with bodies (%s)" % (os.path.join(folder, "run.json"), error)) from error
    numbers, things = [number for number, _ in frames], []
    for body in bodies:
        locations, rotations = poses_of(body["name"], frames, z_up)
        data = make_data(body, run, frames[0][1][body["name"]])
        if data is None:
            print("weir: body \"%s\" becomes an empty: its shape has no mesh file" % body["name"])
        thing = bpy.data.objects.new(body["name"], data)
        bpy.context.scene.collection.objects.link(thing)
        animate(thing, numbers, locations, rotations)
        things.append(thing)
    if set_range:
        scene = bpy.context.scene
        scene.frame_start, scene.frame_end = numbers[0], numbers[-1]
        scene.render.fps = max(round(rate), 1)
        scene.render.fps_base = scene.render.fps / rate
    return things


# ---- the add-on ----------------------------------------------------------------------------------

class WEIR_OT_import_bodies(bpy.types.Operator):
    bl_idname = "import_scene.weir_bodies"
    bl_label = "Import Weir bodies"
    bl_description = "Import the rigid bodies of a run, with a keyframe per frame"
    bl_options = {"UNDO"}
    filepath: StringProperty(subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.jsonl", options={"HIDDEN"})

    def invoke(self, context, _event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, _context):
        try:
            load_bodies(self.filepath)
        except BadRun as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


def menu(self, _context):
    self.layout.operator(WEIR_OT_import_bodies.bl_idname, text="Weir bodies (.jsonl)")


def register():
    bpy.utils.register_class(WEIR_OT_import_bodies)
    bpy.types.TOPBAR_MT_file_import.append(menu)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(menu)
    bpy.utils.unregister_class(WEIR_OT_import_bodies)


def main(arguments):
    parser = argparse.ArgumentParser(prog="weir_bodies.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--load", metavar="RUN", required=True, help="folder of a run, or its bodies.jsonl")
    parser.add_argument("--save", metavar="FILE", help="the .blend file to write")
    options = parser.parse_args(arguments)
    if not bpy.data.filepath:
        bpy.ops.wm.read_factory_settings(use_empty=True)
    things = load_bodies(os.path.abspath(options.load), set_range=not bpy.data.filepath)
    if options.save:
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(options.save))
    print("%d bodies, frames %d to %d" % (len(things), bpy.context.scene.frame_start, bpy.context.scene.frame_end))


if __name__ == "__main__" and "--" in sys.argv:
    try:
        main(sys.argv[sys.argv.index("--") + 1:])
    except BadRun as error:
        print("weir: %s" % error, file=sys.stderr)
        sys.exit(1)
elif __name__ == "__main__":
    register()
