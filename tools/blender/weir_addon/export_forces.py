"""The forces of a Weir scene, from Blender's objects, and what can be wrong with them."""

import os
import shutil

import bpy
from mathutils import Vector

from . import cache, geometry, motion, schema
from . import properties as p
from .export_objects import shape_at_rest
from .geometry import TURN, evaluated, numbers, turned

LEAST_EDDY = 2  # smallest size of noise, in spacings
FLAT = 1e-6  # metres


# ---- curves --------------------------------------------------------------------------------------

def wire_of(thing):
    """Returns the points along a curve object in Weir's axes: without bevel, extrusion, fill and modifiers.
    """
    data = thing.data.copy()
    data.dimensions, data.bevel_object, data.taper_object = "3D", None, None
    data.bevel_depth = data.extrude = data.offset = 0
    wire = bpy.data.objects.new(thing.name, data)
    place = evaluated(thing).matrix_world
    points = [turned(place @ vertex.co) for vertex in wire.to_mesh().vertices]
    wire.to_mesh_clear()
    bpy.data.objects.remove(wire)
    bpy.data.curves.remove(data)
    return points


def thinned(points, most, closed):
    """Returns at most so many of the points, evenly: with both ends of a curve that is not closed."""
    if len(points) <= most:
        return points
    step = len(points) / most if closed else (len(points) - 1) / (most - 1)
    return [points[round(i * step)] for i in range(most)]


def points_of(task, thing):
    """Returns the keys of the curve that an object is."""
    closed, most = thing.data.splines[0].use_cyclic_u, schema.keys_of("force")["points"]["maxItems"]
    points = wire_of(thing)
    points = [point for i, point in enumerate(points) if i == 0 or point != points[i - 1]]
    if closed and len(points) > 1 and points[-1] == points[0]:
        points.pop()
    if len(points) < 2:
        task.fault(thing, "its curve has fewer than 2 different points: make it longer")
    if len(points) > most:
        task.warn(thing, "its curve has %d points, and a force has at most %d: it is thinned evenly; lower "
                         "Resolution Preview U for fewer points" % (len(points), most))
    if thing.modifiers:
        task.warn(thing, "its modifiers are not applied: a force follows the curve without them")
    return {"points": thinned(points, most, closed), **({"closed": True} if closed else {})}


# ---- the role ------------------------------------------------------------------------------------

def field_file(task, thing):
    """Copies the velocities of a force next to the scene. Returns the path that the scene has."""
    path = path_of(thing)
    ending = ".npy.gz" if path.endswith(".gz") else ".npy"
    name = "fields/%s%s" % (geometry.file_name(thing.name, task.file_names), ending)
    copy = os.path.join(task.folder, name)
    written = cache.read_list(task.folder).get("files", [])
    if os.path.exists(copy) and os.path.samefile(path, copy) and name not in written:
        return name  # the user's own file, which Free must not delete
    os.makedirs(os.path.dirname(copy), exist_ok=True)
    shutil.copyfile(path, copy + ".part")
    os.replace(copy + ".part", copy)
    task.files.append(name)
    return name


def path_of(thing):
    return bpy.path.abspath(thing.weir.force.file)


def inside(thing):
    """Returns the region of a force; {} where it acts everywhere."""
    group = thing.weir.force
    if group.type == "velocity_field":
        return {"inside": geometry.region_of(thing, "BOX")}
    if group.region == "EVERYWHERE":
        return {}
    return {"inside": geometry.region_of(group.region_of or thing, group.region)}


def number_of(task, thing, key):
    """Returns a key of a force with its value or its keyframes."""
    rows, value = task.tracks[thing.name].numbers.get(("force", key)), getattr(thing.weir.force, key)
    if rows:
        return motion.over_time(rows, key, turned)
    if schema.keys_of("force")[key]["type"] == "array":
        return {key: turned(value)}
    return {key: schema.rounded(value) if isinstance(value, float) else value}


def force(task, thing):
    group, place = thing.weir.force, evaluated(thing).matrix_world
    made = {"type": group.type}
    if group.type in ("central", "vortex"):
        made["centre"] = turned(place.translation)
    if group.type == "vortex":
        made["axis"] = numbers(TURN @ (place.to_quaternion() @ Vector((0, 0, 1))))
    for key in p.FORCE_KEYS[group.type]:
        if key != "radius" or group.radius > 0:
            made.update(number_of(task, thing, key))
    if group.type == "curve":
        made.update(points_of(task, thing))
    if group.type == "shape":
        made["shape"] = shape_at_rest(task, thing)
    if group.type == "velocity_field":
        made["file"] = field_file(task, thing)
    return {**made, **inside(thing)}


# ---- checks --------------------------------------------------------------------------------------

def check_carrier(task, thing):
    """Checks that the object can carry the type of its force. Returns whether it can."""
    kind, what = thing.weir.force.type, thing.type.lower()
    if kind == "curve" and thing.type != "CURVE":
        task.fault(thing, "is an object of the type %s, and a force of the type curve needs a curve object: "
                          "add one with Add > Curve and give it the role, or choose another type" % what)
    elif kind == "shape" and thing.type in ("EMPTY", "CURVE"):
        task.fault(thing, "is an object of the type %s, and a force of the type shape needs a mesh: give the "
                          "role to a mesh, convert the object to one, or choose another type" % what)
    elif kind == "velocity_field" and thing.type == "CURVE":
        task.fault(thing, "is an object of the type curve, and a force of the type velocity_field needs a "
                          "box: give the role to an empty or a mesh, or choose another type")
    else:
        return True
    return False


def check_curve(task, thing):
    group, track = thing.weir.force, task.tracks[thing.name]
    strength, rate = track.largest("force", "strength"), track.largest("force", "rate")
    moves = track.largest("force", "speed") > 0 or track.largest("force", "swirl") > 0
    if len(thing.data.splines) != 1:
        task.fault(thing, "has %d splines, and a force follows one: separate the others (P in Edit Mode)" %
                   len(thing.data.splines))
    if group.radius == 0:
        task.fault(thing, "has no Radius, the distance from the curve at which the force stops acting: set "
                          "it")
    if strength == 0 and rate == 0:
        task.fault(thing, "does nothing: set Strength, which draws fluid towards the curve, or Rate with "
                          "Speed or Swirl, which moves it along or about the curve")
    elif rate == 0 and moves:
        task.fault(thing, "has a Speed or a Swirl, which fluid approaches at Rate: set Rate")


def is_axis_aligned(matrix):
    """Returns whether the box of an object, so placed, lies along the axes."""
    return all(sum(abs(x) > 1e-4 for x in column) == 1 for column in matrix.to_3x3().normalized().col)


def check_region(task, thing):
    """Checks the box or ball in which a force acts."""
    group = thing.weir.force
    field = group.type == "velocity_field"
    if not field and group.region == "EVERYWHERE":
        return
    of = thing if field else group.region_of or thing
    low, high = geometry.bounds_of([of])
    box = field or group.region == "BOX"
    size = (min if box else max)(h - l for l, h in zip(low, high))
    if size < FLAT:
        way = "scale it" if field else "choose another object in Region of, or set Region to Everywhere"
        task.fault(thing, 'the bounds of "%s", in which it acts, are flat: %s' % (of.name, way))
    if field and not is_axis_aligned(evaluated(thing).matrix_world):
        task.warn(thing, "is rotated, and a velocity field is not: it fills the bounds of the object along "
                         "the axes; clear its rotation")


def check_force(task, thing):
    group = thing.weir.force
    if not check_carrier(task, thing):
        return
    check_region(task, thing)
    if group.type == "curve":
        check_curve(task, thing)
    if group.type == "noise" and group.size < LEAST_EDDY * task.spacing:
        task.fault(thing, "its Size is %.3g m, and noise needs at least two particle spacings, %.3g m: make "
                          "it larger, or use a smaller spacing" % (group.size, LEAST_EDDY * task.spacing))
    if group.type == "drag" and task.scene.weir.method in ("flip", "apic") and \
            task.tracks[thing.name].largest("force", "rate"):
        task.fault(thing, "is a force of the type drag, which FLIP and APIC do not support: set Method to "
                          "PBF, or choose another type")
    if group.type == "velocity_field" and not os.path.isfile(path_of(thing)):
        task.fault(thing, 'has no file "%s" of velocities: choose an NPY file in File' % path_of(thing)
                   if group.file else "has no file of velocities: choose an NPY file in File")
