"""Exports the selected Blender objects as a Weir scene: JSON, meshes as OBJ, keyframes.

In Blender's window, with the add-on (weir_install.py): File > Export > Weir scene.
Without a window:
  blender -b shot.blend --python weir_export.py -- -o shot/scene.json --spacing 0.02 [--all]
  weir check shot/scene.json && weir run shot/scene.json -o out/shot --mesh ply

The custom property "weir_role" of an object, or else the start of its name, determines its role:
  domain            the box that contains everything (its bounds); without one: around all objects
  fluid, water      filled with particles; custom properties "weir_velocity" (three numbers, m/s),
                    "weir_density" (kg/m3), "weir_viscosity" (Pa s), "weir_surface_tension" (N/m)
  emitter           emits fluid from its whole shape, or, if it is flat along its own z, from a
                    rectangle as large as it is along its own x and y; fluid moves along its own z;
                    custom properties "weir_speed" (m/s, 1) or "weir_flow_rate" (m3/s), "weir_fluid"
                    (a name), "weir_start" and "weir_end" (s), "weir_profile" ("plug" or
                    "parabolic"), "weir_emission" ("surface": from its surface along the normals)
  sink              removes particles
  anything else     a solid; custom property "weir_thickness" (m) makes a shell of its surface
The scene's camera is exported, too. The scene's custom property "weir_whitewater" adds whitewater. A
moving object gets one keyframe per frame; one with the custom property "weir_deforming" is written as a
mesh for every frame. Modifiers are applied. Blender's z becomes Weir's y.
"""

import json
import math
import os
import re
import sys

import bpy
from bpy.props import BoolProperty, FloatProperty, StringProperty
from mathutils import Matrix, Vector

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import weir_options

ROLES = ("domain", "fluid", "solid", "emitter", "sink")
DECIMALS = 6  # a micrometre
# Maps Blender's axes to Weir's: x stays, z becomes y, y becomes -z.
TURN = Matrix(((1, 0, 0), (0, 0, 1), (0, -1, 0)))
TURN_ROTATION = TURN.to_quaternion()


class Refused(Exception):
    """Reports an object that cannot be exported, and why."""


def numbers(vector, decimals=DECIMALS):
    return [round(float(x), decimals) + 0.0 for x in vector]


def role_of(thing):
    role = thing.get("weir_role", "")
    if role:
        if role not in ROLES:
            raise Refused('%s: weir_role "%s"; expected %s' % (thing.name, role, ", ".join(ROLES)))
        return role
    name = thing.name.lower()
    for start, meaning in (("domain", "domain"), ("fluid", "fluid"), ("water", "fluid"),
                           ("emitter", "emitter"), ("sink", "sink")):
        if name.startswith(start):
            return meaning
    return "solid"


def file_name(thing, taken):
    stem = re.sub(r"[^A-Za-z0-9_-]", "_", thing.name)
    name, number = stem, 2
    while name in taken:
        name, number = "%s_%d" % (stem, number), number + 1
    taken.add(name)
    return name


# ---- meshes --------------------------------------------------------------------------------------

def evaluated(thing):
    return thing.evaluated_get(bpy.context.evaluated_depsgraph_get())


def triangles_of(thing, matrix):
    """Returns points in Weir's axes, and triangles, of the object after its modifiers."""
    source = evaluated(thing)
    mesh = source.to_mesh()
    mesh.calc_loop_triangles()
    points = [TURN @ (matrix @ v.co) for v in mesh.vertices]
    mirrored = matrix.determinant() < 0
    faces = [tuple(t.vertices)[::-1] if mirrored else tuple(t.vertices)
             for t in mesh.loop_triangles]
    source.to_mesh_clear()
    if not faces:
        raise Refused("%s: has no faces" % thing.name)
    return points, faces


def open_edges(points, faces):
    """Counts the edges that belong to one triangle only; points at the same position count as one."""
    first = {}
    places = [first.setdefault(tuple(p), i) for i, p in enumerate(points)]
    count = {}
    for face in faces:
        corners = [places[i] for i in face]
        for a, b in zip(corners, corners[1:] + corners[:1]):
            if a != b:
                edge = (min(a, b), max(a, b))
                count[edge] = count.get(edge, 0) + 1
    return sum(1 for n in count.values() if n == 1)


def write_obj(path, points, faces):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".part", "w", encoding="ascii", newline="\n") as f:
        for p in points:
            f.write("v %.7g %.7g %.7g\n" % tuple(p))
        for a, b, c in faces:
            f.write("f %d %d %d\n" % (a + 1, b + 1, c + 1))
    os.replace(path + ".part", path)


def bounds_of(things):
    corners = [TURN @ (thing.matrix_world @ Vector(corner)) for thing in things
               for corner in thing.bound_box]
    return ([min(c[k] for c in corners) for k in range(3)],
            [max(c[k] for c in corners) for k in range(3)])


# ---- motion --------------------------------------------------------------------------------------

def poses_of(thing, scene):
    """Returns (time, position, rotation, scale) of every frame, in Blender's axes."""
    poses, kept = [], scene.frame_current
    rate = scene.render.fps / scene.render.fps_base
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        position, rotation, scale = evaluated(thing).matrix_world.decompose()
        if poses and poses[-1][2].dot(rotation) < 0:
            rotation = -rotation  # the smaller angle
        poses.append(((frame - scene.frame_start) / rate, position.copy(), rotation.copy(),
                      scale.copy()))
    scene.frame_set(kept)
    return poses


def same_pose(a, b):
    return (a[1] - b[1]).length < 1e-6 and 1 - abs(a[2].dot(b[2])) < 1e-9


def relative_poses(poses):
    """Returns poses that turn about the world's origin, then move, the object as it is in the first frame."""
    moved = []
    for time, position, rotation, scale in poses:
        turned = rotation @ poses[0][2].inverted()
        moved.append((time, position - turned @ poses[0][1], turned, scale))
    return moved


def keyframe(pose):
    time, position, rotation, _ = pose
    turned = TURN_ROTATION @ rotation @ TURN_ROTATION.inverted()
    return {"time": round(time, DECIMALS), "position": numbers(TURN @ position),
            "rotation": {"quaternion": numbers((turned.x, turned.y, turned.z, turned.w), 8)}}


def keyframes_of(poses):
    """Reduces stretches of rest to their first and last frame."""
    kept = [pose for i, pose in enumerate(poses)
            if i in (0, len(poses) - 1) or not same_pose(pose, poses[i - 1]) or
            not same_pose(pose, poses[i + 1])]
    return [keyframe(pose) for pose in kept]


# ---- the scene -----------------------------------------------------------------------------------

class Export:
    def __init__(self, path, scene):
        self.path, self.folder, self.scene = path, os.path.dirname(os.path.abspath(path)), scene
        self.names, self.warnings = set(), []

    def check_open(self, thing, points, faces):
        count = open_edges(points, faces)
        if count == 0 or "weir_thickness" in thing:
            return
        fates = {"fluid": "fluid fills its inside, with its holes closed by flat lids",
                 "sink": "it removes the fluid inside, with its holes closed by flat lids",
                 "emitter": "it emits from its inside, with its holes closed by flat lids",
                 "solid": "fluid is kept out of its inside, with its holes closed by flat lids; to let fluid flow in, set "
                          "the custom property weir_thickness, such as 0.02, which makes a shell of 0.02 m"}
        self.warnings.append("%s: is open (%d edges belong to only one triangle): %s" %
                             (thing.name, count, fates[role_of(thing)]))

    def shape_at_rest(self, thing):
        points, faces = triangles_of(thing, thing.matrix_world)
        self.check_open(thing, points, faces)
        name = "meshes/%s.obj" % file_name(thing, self.names)
        write_obj(os.path.join(self.folder, name), points, faces)
        return {"mesh": {"file": name}}

    def shape_to_move(self, thing, poses):
        """Returns the shape relative to the object's origin, so that keyframes alone place it."""
        first = poses[0][3]
        if any((pose[3] - first).length > 1e-4 * first.length for pose in poses):
            self.warnings.append("%s: its scale is animated; using that of the first frame "
                                 "(set weir_deforming to export the animation)" % thing.name)
        points, faces = triangles_of(thing, Matrix.Diagonal(first).to_4x4())
        self.check_open(thing, points, faces)
        name = "meshes/%s.obj" % file_name(thing, self.names)
        write_obj(os.path.join(self.folder, name), points, faces)
        return {"mesh": {"file": name}}

    def shape_of_frames(self, thing):
        scene, name = self.scene, file_name(thing, self.names)
        kept, count = scene.frame_current, None
        for frame in range(scene.frame_start, scene.frame_end + 1):
            scene.frame_set(frame)
            points, faces = triangles_of(thing, evaluated(thing).matrix_world)
            if count not in (None, len(points)):
                raise Refused("%s: its number of vertices changes at frame %d" % (thing.name, frame))
            if count is None:
                self.check_open(thing, points, faces)
            count = len(points)
            write_obj(os.path.join(self.folder, "meshes", "%s_%04d.obj" % (name, frame)), points,
                      faces)
        scene.frame_set(kept)
        return {"mesh": {"files": "meshes/%s_%%04d.obj" % name, "first": scene.frame_start,
                         "last": scene.frame_end,
                         "rate": round(scene.render.fps / scene.render.fps_base, DECIMALS)}}

    def solid(self, thing):
        solid = {"name": thing.name}
        if "weir_friction" in thing:
            solid["friction"] = round(float(thing["weir_friction"]), DECIMALS)
        if "weir_thickness" in thing:
            solid["thickness"] = round(float(thing["weir_thickness"]), DECIMALS)
        if thing.get("weir_deforming"):
            solid["shape"] = self.shape_of_frames(thing)
            return solid
        poses = poses_of(thing, self.scene)
        if all(same_pose(pose, poses[0]) for pose in poses):
            solid["shape"] = self.shape_at_rest(thing)
            return solid
        solid["shape"] = self.shape_to_move(thing, poses)
        solid["motion"] = {"keyframes": keyframes_of(poses)}
        return solid

    def fluid(self, thing):
        fill = {"shape": self.shape_at_rest(thing)}
        if "weir_velocity" in thing:
            fill["velocity"] = numbers(TURN @ Vector(thing["weir_velocity"]))
        fluid = {"name": thing.name, "fill": fill}
        for named, key in (("weir_density", "density"), ("weir_viscosity", "dynamic_viscosity"),
                           ("weir_surface_tension", "surface_tension")):
            if named in thing:
                fluid[key] = round(float(thing[named]), DECIMALS)
        return fluid

    def opening(self, thing):
        """Returns the keys of a flat emitter; None for an object that is not flat along its own z."""
        position, rotation, scale = evaluated(thing).matrix_world.decompose()
        sides = [abs(scale[k]) * (max(c[k] for c in thing.bound_box) - min(c[k] for c in thing.bound_box))
                 for k in range(3)]
        if sides[2] > 1e-3 * max(sides[:2]):
            return None
        if min(sides[:2]) == 0:
            raise Refused("%s: has zero size along its local x or y axis" % thing.name)
        return {"position": numbers(TURN @ position), "up": numbers(TURN @ (rotation @ Vector((0, 1, 0)))),
                "width": round(sides[0], DECIMALS), "height": round(sides[1], DECIMALS)}

    def emitter(self, thing, fluids):
        fluid = thing.get("weir_fluid", fluids[0]["name"])
        if fluid not in [f["name"] for f in fluids]:
            raise Refused('%s: weir_fluid "%s"; expected %s' %
                          (thing.name, fluid, ", ".join(f["name"] for f in fluids)))
        emitter = {"name": thing.name, "fluid": fluid}
        poses, kept = poses_of(thing, self.scene), self.scene.frame_current
        self.scene.frame_set(self.scene.frame_start)
        emitter.update(self.opening(thing) or {"shape": self.shape_at_rest(thing)})
        if thing.get("weir_emission") != "surface":
            rotation = evaluated(thing).matrix_world.to_quaternion()
            emitter["direction"] = numbers(TURN @ (rotation @ Vector((0, 0, 1))))
        self.scene.frame_set(kept)
        if not all(same_pose(pose, poses[0]) for pose in poses):
            emitter["motion"] = {"keyframes": keyframes_of(relative_poses(poses))}
        for named in ("emission", "profile"):
            if "weir_" + named in thing:
                emitter[named] = str(thing["weir_" + named])
        for named in ("start", "end", "flow_rate", "speed"):
            if "weir_" + named in thing:
                emitter[named] = round(float(thing["weir_" + named]), DECIMALS)
        if "flow_rate" not in emitter:
            emitter.setdefault("speed", 1.0)
        return emitter

    def camera(self):
        """Returns the pose of the scene's camera in each frame; None without a camera."""
        scene, kept, keys = self.scene, self.scene.frame_current, []
        if not scene.camera or scene.camera.type != "CAMERA":
            return None
        rate = scene.render.fps / scene.render.fps_base
        for frame in range(scene.frame_start, scene.frame_end + 1):
            scene.frame_set(frame)
            camera = evaluated(scene.camera)
            corner = camera.data.view_frame(scene=scene)[0]
            place = camera.matrix_world.normalized()
            keys.append({"time": round((frame - scene.frame_start) / rate, DECIMALS),
                         "eye": numbers(TURN @ place.translation),
                         "target": numbers(TURN @ (place @ Vector((0, 0, -1)))),
                         "fov": round(math.degrees(2 * math.atan2(abs(corner.y), abs(corner.z))), 4)})
        scene.frame_set(kept)
        same = [{k: key[k] for k in ("eye", "target", "fov")} for key in keys]
        camera = dict(same[0])
        if any(key != same[0] for key in same):
            camera["interpolation"] = "linear"
            camera["keyframes"] = [key for i, key in enumerate(keys) if i in (0, len(keys) - 1) or
                                   same[i] != same[i - 1] or same[i] != same[i + 1]]
        return camera

    def domain(self, things):
        boxes = [thing for thing in things if role_of(thing) == "domain"]
        if len(boxes) > 1:
            raise Refused("%d domains: %s" % (len(boxes), ", ".join(b.name for b in boxes)))
        low, high = bounds_of(boxes or things)
        if not boxes:
            margin = 0.1 * max(h - l for l, h in zip(low, high))
            low, high = [x - margin for x in low], [x + margin for x in high]
        return low, high

    def document(self, things, spacing):
        scene = self.scene
        low, high = self.domain(things)
        rate = scene.render.fps / scene.render.fps_base
        document = {
            "name": os.path.splitext(os.path.basename(self.path))[0][:64],
            "domain": {"min": numbers(low), "max": numbers(high)},
            "gravity": numbers(TURN @ scene.gravity) if scene.use_gravity else [0, 0, 0],
            "frame_rate": round(rate, DECIMALS),
            "duration": round((scene.frame_end - scene.frame_start) / rate, DECIMALS),
            "spacing": spacing or float("%.2g" % (min(h - l for l, h in zip(low, high)) / 48)),
            # As stiff as at 60 frames per second: each substep is about 1/240 s.
            "solver": {"substeps": min(max(math.ceil(240 / rate - 0.05), 1), 100)},
            "fluids": [self.fluid(t) for t in things if role_of(t) == "fluid"],
        }
        if not document["fluids"]:
            raise Refused('no object is a fluid: name one "fluid..." or set its custom '
                          'property weir_role to "fluid"')
        solids = [self.solid(t) for t in things if role_of(t) == "solid"]
        sinks = [{"name": t.name, "shape": self.shape_at_rest(t)} for t in things
                 if role_of(t) == "sink"]
        emitters = [self.emitter(t, document["fluids"]) for t in things if role_of(t) == "emitter"]
        camera = self.camera()
        if camera:
            document["camera"] = camera
        if scene.get("weir_whitewater"):
            document["whitewater"] = {}
        if emitters:
            document["emitters"] = emitters
        if solids:
            document["solids"] = solids
        if sinks:
            document["sinks"] = sinks
        return document


def export(path, spacing=0.0, everything=False):
    """Writes the scene. Returns warnings."""
    scene = bpy.context.scene
    things = [t for t in scene.objects if t.type == "MESH" and
              (t.visible_get() if everything else t.select_get())]
    things.sort(key=lambda t: t.name)
    if not things:
        raise Refused("no mesh objects are %s" % ("visible" if everything else "selected"))
    task = Export(path, scene)
    text = json.dumps(task.document(things, spacing), indent=2) + "\n"
    os.makedirs(task.folder, exist_ok=True)
    with open(path + ".part", "w", encoding="utf-8", newline="\n") as f:
        f.write(text)
    os.replace(path + ".part", path)
    return task.warnings


# ---- in Blender's window -------------------------------------------------------------------------

class WEIR_OT_export(bpy.types.Operator):
    """Write the selected objects as a Weir scene"""
    bl_idname = "weir.export_scene"
    bl_label = "Weir scene"

    filepath: StringProperty(subtype="FILE_PATH", default="scene.json")
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})
    spacing: FloatProperty(name="Particle spacing", description="In metres; 0: chosen from the domain's size",
                           min=0, precision=4, unit="LENGTH")
    everything: BoolProperty(name="All visible objects")

    def invoke(self, context, _event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, _context):
        try:
            for warning in export(self.filepath, self.spacing, self.everything):
                self.report({"WARNING"}, warning)
        except (Refused, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


def menu_entry(self, _context):
    self.layout.operator(WEIR_OT_export.bl_idname, text="Weir scene (.json)")


def register():
    bpy.utils.register_class(WEIR_OT_export)
    bpy.types.TOPBAR_MT_file_export.append(menu_entry)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(menu_entry)
    bpy.utils.unregister_class(WEIR_OT_export)


def main(arguments):
    parser = weir_options.Parser("weir_export.py", "FILE ", __doc__)
    parser.add_argument("-o", "--output", required=True, metavar="SCENE", help="the scene file to write")
    parser.add_argument("--spacing", type=float, default=0.0, help="particle spacing, m")
    parser.add_argument("--all", action="store_true", help="all visible objects, not only the selected ones")
    options = parser.parse_args(arguments)
    for warning in export(options.output, options.spacing, options.all):
        print("weir: warning: %s" % warning, file=sys.stderr)


if __name__ == "__main__":
    register()
    if "--" in sys.argv:
        weir_options.run(main, (Refused, OSError))
