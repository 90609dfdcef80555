"""Brings a run into Blender: water, drops, whitewater and the scene's solids, and for a new file also a floor, a
sky, lamps and a camera.
"""

import math
import os
import sys

import bmesh
import bpy
from mathutils import Quaternion, Vector

from . import import_bodies
from . import run_files
from . import frame_meshes
from . import materials
from . import shape_meshes

PURE_WATER_LENGTH = 10.0  # m
DEFAULT_COLOUR = (0.05, 0.58, 0.9)  # of a fluid
DEFORMABLES = {"cloths": "cloth", "ropes": "rope", "soft_bodies": "soft_body"}  # of a scene, and their folders
GLASS_EDGE = 0.003  # width of a tank's edges, as a fraction of its size
MARGIN = 1.08  # factor of the camera's distance


# ---- the fluid -----------------------------------------------------------------------------------

def sampled_frames(scene):
    return sorted({scene.frame_start, (scene.frame_start + scene.frame_end) // 2, scene.frame_end})


def measure(thing):
    """Returns the largest volume in the object's first, middle and last frame, in cubic metres, and the corners
    of its bounding boxes in world space.
    """
    scene, corners, volume = bpy.context.scene, [], 0.0
    shown = scene.frame_current
    for frame in sampled_frames(scene):
        scene.frame_set(frame)
        work = bmesh.new()
        work.from_mesh(thing.data)
        volume = max(volume, work.calc_volume()) if work.faces else volume
        work.free()
        if thing.data.vertices:
            corners += [thing.matrix_world @ Vector(corner) for corner in thing.bound_box]
    scene.frame_set(shown)
    return volume, corners


def absorption_of(run, volume, corners):
    """Returns the absorption of red, green and blue, 1/m, by the rule of Weir's own pictures: water is blue whatever
    its size.
    """
    fluids = run.many("fluids")
    colour = fluids[0].get("colour", DEFAULT_COLOUR) if fluids else DEFAULT_COLOUR
    length = (run.scene.get("look") or {}).get("absorption_length", 0)
    if not length:
        low, high = bounds_of(corners)
        depth = volume / max((high.x - low.x) * (high.y - low.y), 1e-9)
        length = min(1.4 * volume ** (1 / 3), 3.5 * depth, PURE_WATER_LENGTH) if volume > 0 else PURE_WATER_LENGTH
    return [-math.log(max(c, 1e-3)) / length for c in colour]


def bounds_of(corners):
    return (Vector([min((c[k] for c in corners), default=-0.5) for k in range(3)]),
            Vector([max((c[k] for c in corners), default=0.5) for k in range(3)]))


def load_fluid(surface, run, up="AUTO", offset=0, set_range=True):
    """Makes objects of the surface and, from the same run, isolated drops and whitewater. Returns
    them, the surface first.
    """
    def more(path, kind=None):
        return frame_meshes.load_sequence(path, up, offset, False, kind)

    things = [frame_meshes.load_sequence(surface, up, offset, set_range)]
    volume, corners = measure(things[0])
    things[0].data.materials.append(materials.water(absorption_of(run, volume, corners)))
    folder = os.path.dirname(os.path.abspath(surface))
    drops = run_files.first_file(folder, "spray")
    if drops and os.path.abspath(drops) != os.path.abspath(surface):
        things.append(more(drops))
        things[-1].name = things[-1].data.name = "drops"
    foam = run_files.first_file(os.path.join(run.folder, "whitewater"))
    things += [more(foam, number) for number in range(run.whitewater_kinds if foam else 0)]
    for thing in things[1:]:
        materials.as_balls(thing, thing.name.split(".")[0])
    return things


# ---- solids --------------------------------------------------------------------------------------

def made_of(solid, run):
    """Returns the object of a solid; None, with a message, if its shape has no mesh here."""
    try:
        made = shape_meshes.posed(solid["shape"], run.values["scene_folder"])
    except run_files.BadFile as error:
        print("weir: warning: the solid \"%s\" is left out: %s" % (solid["name"], error), file=sys.stderr)
        return None
    if not made:
        print("weir: warning: the solid \"%s\" is left out: a plane has no bounds" % solid["name"], file=sys.stderr)
        return None
    look = materials.solid(solid["name"], solid.get("colour", (0.55, 0.52, 0.48)))
    made = [run.scale * p for p in made[0]], made[1]
    thing = bpy.data.objects.new(solid["name"], shape_meshes.mesh_of(solid["name"], made, solid["shape"], look))
    bpy.context.scene.collection.objects.link(thing)
    if solid.get("thickness"):
        shell = thing.modifiers.new("thickness", "SOLIDIFY")
        shell.thickness, shell.offset = solid["thickness"] * run.scale, 0
    return thing


def move(thing, motion, run):
    """Gives a solid a keyframe for every frame of the scene."""
    scene = bpy.context.scene
    numbers = list(range(scene.frame_start, scene.frame_end + 1))
    places, turns = [], []
    for number in numbers:
        at, turn = shape_meshes.pose_of(motion, run.time_of(number))
        q = Quaternion((turn.w, *shape_meshes.upright((turn.x, turn.y, turn.z))))
        if turns and turns[-1].dot(q) < 0:
            q.negate()
        places.append(run.scale * shape_meshes.upright(at))
        turns.append(q)
    import_bodies.animate(thing, numbers, places, turns)


def load_solids(run):
    """Makes objects of the run's solids and bodies, and of its cloths, ropes and soft bodies. Returns them."""
    things = []
    for solid in run.many("solids"):
        thing = made_of(solid, run)
        if thing and solid.get("motion"):
            move(thing, solid["motion"], run)
        things += [thing] if thing else []
    if run.many("bodies") and os.path.exists(os.path.join(run.folder, "bodies.jsonl")):
        things += import_bodies.load_bodies(run.folder, set_range=False)
    for kind, folder in DEFORMABLES.items():
        for one in run.many(kind):
            path = run_files.first_file(os.path.join(run.folder, folder), one["name"] + "_", (".ply", ".obj"))
            if path:
                things.append(frame_meshes.load_sequence(path, set_range=False))
                things[-1].name = one["name"]
                colour = one.get("colour", (0.7, 0.25, 0.2))
                things[-1].data.materials.append(materials.solid(one["name"], colour))
    return things


def box_of(run):
    """Returns the corners of the run's domain, z up; None without a scene."""
    if not run.scene:
        return None
    low, high = (run.scale * Vector(run.scene["domain"][key]) for key in ("min", "max"))
    low, high = shape_meshes.upright(low), shape_meshes.upright(high)
    return Vector(map(min, low, high)), Vector(map(max, low, high))


def holds(thing, corners):
    """Returns whether an object encloses the fluid on all four sides, as a basin does."""
    low, high = bounds_of([thing.matrix_world @ Vector(c) for c in thing.bound_box])
    inner_low, inner_high = bounds_of(corners)
    return all(low[k] <= inner_low[k] and high[k] >= inner_high[k] for k in (0, 1)) and high.z > inner_low.z


def load_tank(run):
    """Makes glass panes at the domain's closed sides, with edges. Returns the objects."""
    (low, high), half = box_of(run), run.scale * run.scene.get("spacing", 0) / 4
    sides = run.scene["domain"].get("sides", {})
    closed = [axis for axis, key in enumerate("xz") if sides.get(key, "closed") == "closed"]
    if not closed or run.scene.get("solver", {}).get("dimensions", 3) == 2:
        return []
    low, high = low - Vector((half, half, 0)), high + Vector((half, half, 0))
    corner = [Vector((x, y, z)) for x in (low.x, high.x) for y in (low.y, high.y) for z in (low.z, high.z)]
    panes = {0: [(0, 1, 3, 2), (4, 6, 7, 5)], 1: [(0, 4, 5, 1), (2, 3, 7, 6)]}
    mesh = bpy.data.meshes.new("tank")
    mesh.from_pydata(corner, [], [pane for axis in closed for pane in panes[axis]])
    mesh.materials.append(materials.glass_pane())
    tank = bpy.data.objects.new("tank", mesh)
    edges = bpy.data.objects.new("tank edges", mesh.copy())
    edges.data.materials.clear()
    edges.data.materials.append(materials.solid("tank edges", (0.30, 0.38, 0.42)))
    wire = edges.modifiers.new("edges", "WIREFRAME")
    wire.thickness = GLASS_EDGE * max(high - low)
    for thing in (tank, edges):
        bpy.context.scene.collection.objects.link(thing)
    return [tank, edges]


# ---- a stage for a new file ----------------------------------------------------------------------

def set_rate(run):
    """Sets the scene's frame rate to the run's."""
    render, rate = bpy.context.scene.render, run.frame_rate
    if rate:
        render.fps = max(round(rate), 1)
        render.fps_base = render.fps / rate


def clear_scene():
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)


def add_floor(centre, height, size):
    radius = 8 * size
    mesh = bpy.data.meshes.new("floor")
    mesh.from_pydata([(x * radius, y * radius, 0) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))], [], [(0, 1, 2, 3)])
    mesh.materials.append(materials.floor(size))
    thing = bpy.data.objects.new("floor", mesh)
    thing.location = (centre.x, centre.y, height)
    bpy.context.scene.collection.objects.link(thing)


def add_lamps(azimuth, centre, size):
    """Adds a low warm sun and a soft box, both behind the fluid as the camera at `azimuth` sees it."""
    def lamp(name, kind, turn, elevation):
        made = bpy.data.objects.new(name, bpy.data.lights.new(name, kind))
        angle = azimuth + math.radians(turn)
        way = Vector((math.sin(angle) * math.cos(elevation), -math.cos(angle) * math.cos(elevation),
                      math.sin(elevation)))
        made.rotation_euler = way.to_track_quat("Z", "Y").to_euler()
        made.location = centre + 2.2 * size * way
        bpy.context.scene.collection.objects.link(made)
        return made.data

    sun = lamp("sun", "SUN", 120, math.radians(45))
    sun.energy, sun.angle, sun.color = 3.2, math.radians(3), (1.0, 0.93, 0.82)
    soft = lamp("soft box", "AREA", -150, math.radians(38))
    soft.shape, soft.size, soft.size_y, soft.energy = "RECTANGLE", 1.6 * size, 0.7 * size, 60 * size * size


def look_from(camera, eye, target):
    camera.location = eye
    camera.rotation_euler = (eye - target).to_track_quat("Z", "Y").to_euler()


def camera_of(run):
    """Returns eye, target, both z up, and the vertical angle of the scene's own camera; None without one."""
    given = run.scene.get("camera") or {}
    if "eye" not in given or "target" not in given:
        return None
    eye, target = (run.scale * shape_meshes.upright(given[key]) for key in ("eye", "target"))
    return eye, target, math.radians(given.get("fov", 40))


def animate_camera(camera, run):
    """Moves the camera by the scene's keyframes: key by key, with Blender's curves between them."""
    given = run.scene["camera"]
    for key in given.get("keyframes") or []:
        key = {**given, **key}
        look_from(camera, *(run.scale * shape_meshes.upright(key[name]) for name in ("eye", "target")))
        camera.data.angle_y = math.radians(key["fov"])
        frame = run.output.get("start_frame", 0) + key["time"] * run.frame_rate
        camera.keyframe_insert("location", frame=frame)
        camera.keyframe_insert("rotation_euler", frame=frame)
        camera.data.keyframe_insert("lens", frame=frame)


def add_camera(run, corners):
    """Adds the scene's camera, or one that frames these corners. Returns its azimuth, in radians."""
    scene = bpy.context.scene
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    scene.camera, camera.data.sensor_fit = camera, "VERTICAL"
    own = camera_of(run)
    if own:
        camera.data.angle_y = own[2]
        look_from(camera, own[0], own[1])
        animate_camera(camera, run)
    else:
        camera.data.angle_y = math.radians(30)
        frame_corners(camera, corners)
    low, high = bounds_of(corners)
    camera.data.clip_end = 30 * ((camera.location - (low + high) / 2).length + (high - low).length)
    camera.data.clip_start = camera.data.clip_end / 1e5
    way = camera.rotation_euler.to_matrix() @ Vector((0, 0, 1))
    return math.atan2(way.x, -way.y)


def frame_corners(camera, corners):
    """Places the camera 28 degrees to the right and 20 above, where it sees all corners."""
    low, high = bounds_of(corners)
    long = min(max(math.log2(max(high.x - low.x, 1e-6) / max(high.y - low.y, 1e-6)), 0), 2)
    camera.rotation_euler = (math.radians(90 - 20), 0, math.radians(28 + 4 * long))
    bpy.context.view_layer.update()
    flat = [number for corner in corners for number in corner]
    position, _ = camera.camera_fit_coords(bpy.context.evaluated_depsgraph_get(), flat)
    camera.location = position + (MARGIN - 1) * (position - (low + high) / 2)


def set_stage(surface, up="AUTO"):
    """Replaces Blender's default scene with the run of this surface, on a floor under a sky. Returns the objects
    of the fluid and the solids.
    """
    clear_scene()
    run, scene = run_files.run_of(surface), bpy.context.scene
    set_rate(run)
    fluid = load_fluid(surface, run, up)
    solids = load_solids(run)
    bpy.context.view_layer.update()
    _, corners = measure(fluid[0])
    low, high = bounds_of(corners)
    domain = box_of(run) or (low, high)
    size, look = max(max(d) for d in (domain[1] - domain[0], high - low)), run.scene.get("look") or {}
    if run.scene and look.get("tank", True) and not any(holds(thing, corners) for thing in solids):
        load_tank(run)
    small = [t for t in solids if t.type == "MESH" and max(t.dimensions) < 0.9 * size]
    subject = corners + [t.matrix_world @ Vector(c) for t in small for c in t.bound_box]
    if look.get("floor", True):
        height = min(domain[0].z, low.z if not run.scene else domain[0].z)
        add_floor((domain[0] + domain[1]) / 2, height - 1e-3 * size, size)
    azimuth = add_camera(run, subject or [low, high])
    add_lamps(azimuth, (low + high) / 2, size)
    scene.world = scene.world or bpy.data.worlds.new("world")
    materials.sky(scene.world)
    return fluid + solids
