"""Imports the rigid bodies of a run into Blender 3.4 and later: an object for each, with a keyframe of
location and rotation for every frame.

In Blender's window, with the add-on: File > Import > Weir bodies, and the bodies.jsonl of
a run. Without a window:
  blender -b --python weir_bodies.py -- --load out/rafts --save rafts.blend
  blender -b shot.blend --python weir_bodies.py -- --load out/rafts --save shot.blend
The second command adds the bodies to a .blend. weir_sequence.py without a .blend imports them, too.

Shapes, colours and the frame rate come from run.json, next to bodies.jsonl. A shape that cannot be made
becomes an empty, which moves in the same way and can be the parent of your own object. An object's origin
is the body's centre of mass. Between frames Blender interpolates linearly, which is close to the bodies'
motion; motion blur follows from that.
"""

import json
import os

import bpy
from bpy.props import StringProperty
from mathutils import Quaternion, Vector

from . import materials
from . import command_line
from . import shape_meshes
from .run_files import BadFile


# ---- files ---------------------------------------------------------------------------------------

def read_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise BadFile("%s: %s; give the output folder of `weir run`" % (path, error)) from error


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
                    raise BadFile("%s:%d: not a record of bodies (%s); a run writes one per line" %
                                 (path, number, error)) from error
    except OSError as error:
        raise BadFile("%s: %s; a run writes this file if its scene has bodies" % (path, error)) from error
    if not frames:
        raise BadFile("%s: contains no frame" % path)
    return frames


# ---- objects -------------------------------------------------------------------------------------

def make_data(body, run, first):
    """Returns the mesh of a body about its centre of mass, z up; None for an empty."""
    shape, scale, rotated = body["shape"], run["output"].get("scale", 1), abs(first[1][3]) != 1
    made = shape_meshes.posed(shape, run["scene_folder"])
    if not made or (rotated and shape_meshes.is_set(shape)):  # whose overlapping parts have no centre of their own
        return None
    centre = shape_meshes.centre_of(*made)
    if not rotated:  # uses the centre of the run, exact to the last digit
        x = Vector(first[0]) / scale
        centre = x if run["output"].get("up", "y") == "y" else Vector((x[0], x[2], -x[1]))
    colour = body.get("colour", (0.75, 0.3, 0.1))
    look = materials.solid(body["name"], colour)
    return shape_meshes.mesh_of(body["name"], ([scale * (p - centre) for p in made[0]], made[1]), shape, look)


def poses_of(name, frames, z_up):
    """Returns locations and rotations (w x y z) of a body, z up. A rotation and its negative are the same;
    the nearer one is used.
    """
    locations, rotations = [], []
    for number, poses in frames:
        if name not in poses:
            raise BadFile("frame %d has no body \"%s\", but run.json has" % (number, name))
        position, (x, y, z, w) = poses[name]
        axis = Vector((x, y, z)) if z_up else shape_meshes.upright((x, y, z))
        q = Quaternion((w, *axis))
        if rotations and rotations[-1].dot(q) < 0:
            q.negate()
        locations.append(Vector(position) if z_up else shape_meshes.upright(position))
        rotations.append(q)
    return locations, rotations


def curve_of(action, thing, path, axis):
    if hasattr(action, "fcurve_ensure_for_datablock"):  # 5.0 and later
        return action.fcurve_ensure_for_datablock(thing, path, index=axis)
    return action.fcurves.new(path, index=axis)


def animate(thing, numbers, locations, rotations):
    thing.rotation_mode = "QUATERNION"
    thing.location, thing.rotation_quaternion = locations[0], rotations[0]
    action = bpy.data.actions.new(thing.name)
    thing.animation_data_create().action = action
    for path, values, count in (("location", locations, 3), ("rotation_quaternion", rotations, 4)):
        for axis in range(count):
            curve = curve_of(action, thing, path, axis)
            curve.keyframe_points.add(len(numbers))
            flat = [number for pair in zip(numbers, (v[axis] for v in values)) for number in pair]
            curve.keyframe_points.foreach_set("co", flat)
            for point in curve.keyframe_points:
                point.interpolation = "LINEAR"
            curve.update()
    if getattr(action, "slots", None):  # 4.4 and later: curves belong to a slot, which the object must choose
        thing.animation_data.action_slot = action.slots[0]


def load_bodies(path, set_range=True):
    """Makes the objects of a run, given by its folder or its bodies.jsonl. Returns them."""
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    run, frames = read_json(os.path.join(folder, "run.json")), read_frames(os.path.join(folder, "bodies.jsonl"))
    try:
        bodies, z_up = run["scene"]["bodies"], run["output"].get("up", "y") == "z"
        rate = float(run["scene"]["frame_rate"])
    except (KeyError, TypeError, ValueError) as error:
        raise BadFile("%s: not a run with bodies (%s)" % (os.path.join(folder, "run.json"), error)) from error
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
        except BadFile as error:
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
    parser = command_line.Parser("weir_bodies.py", "[FILE] ", __doc__)
    parser.add_argument("--load", metavar="RUN", required=True, help="folder of a run, or its bodies.jsonl")
    parser.add_argument("--save", metavar="FILE", help="the .blend file to write")
    options = parser.parse_args(arguments)
    if not bpy.data.filepath:
        bpy.ops.wm.read_factory_settings(use_empty=True)
    things = load_bodies(os.path.abspath(options.load), set_range=not bpy.data.filepath)
    if options.save:
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(options.save))
    print("%d bodies, frames %d to %d" % (len(things), bpy.context.scene.frame_start, bpy.context.scene.frame_end))


FAULTS = (BadFile, OSError)  # reported as one line
