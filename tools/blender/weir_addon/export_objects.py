"""The objects of a Weir scene, from Blender's: one function for each role. `task` is the Export of
export_scene.py, which collects warnings and faults.
"""

import math
import os

from mathutils import Matrix, Vector

from . import geometry, motion, schema
from . import properties as p
from .geometry import DECIMALS, Refused, TURN, evaluated, numbers, turned

FLAT = 1e-3  # thickness over length of an opening
OUTLINE = 0.03  # by how much the area of a rectangle or disc may deviate from its shape
DISC_SIDES = 8  # corners from which on a polygon is a disc
LIDS = {
    "FLUID": "fluid fills its inside, with its holes closed by flat lids; close the mesh if that is not "
             "intended",
    "SINK": "it removes the fluid inside, with its holes closed by flat lids; close the mesh if that is not "
            "intended",
    "EMITTER": "it emits from its inside, with its holes closed by flat lids; close the mesh, or make it "
               "flat to emit from an opening",
    "SOLID": "fluid is kept out of its inside, with its holes closed by flat lids; to let fluid flow in, set "
             "Thickness (weir.solid.thickness), such as 0.02, which makes a shell of 0.02 m",
    "FORCE": "it draws fluid to its inside, with its holes closed by flat lids; close the mesh if that is "
             "not intended",
    "WHITEWATER": "it adds particles inside, with its holes closed by flat lids; close the mesh if that is not "
                  "intended",
    "BODY": "its holes are closed by flat lids; close the mesh if that is not intended",
    "SOFT_BODY": "its holes are closed by flat lids; close the mesh if that is not intended",
}


# ---- shapes --------------------------------------------------------------------------------------

def check_open(task, thing, points, faces):
    count = geometry.open_edges(points, faces)
    shell = thing.weir.role == "SOLID" and thing.weir.solid.thickness > 0
    if count and not shell:
        fate = LIDS[thing.weir.role]
        task.warn(thing, "is open (%d edges belong to only one triangle): %s" % (count, fate))


def save(task, thing, points, faces):
    """Writes a mesh; returns its shape."""
    name = "meshes/%s.obj" % geometry.file_name(thing.name, task.file_names)
    geometry.write_obj(os.path.join(task.folder, name), points, faces)
    task.files.append(name)
    return {"mesh": {"file": name}}


def shape_at_rest(task, thing):
    points, faces = geometry.triangles_of(thing, evaluated(thing).matrix_world)
    check_open(task, thing, points, faces)
    return save(task, thing, points, faces)


def shape_to_move(task, thing, poses):
    """Returns the shape relative to the object's origin, so that keyframes alone place it."""
    points, faces = geometry.triangles_of(thing, Matrix.Diagonal(poses[0][3]).to_4x4())
    check_open(task, thing, points, faces)
    return save(task, thing, points, faces)


def shape_of_frames(task, thing):
    """Writes a mesh for every frame; returns the shape. The numbers of the files start at 0."""
    name, count, number = geometry.file_name(thing.name, task.file_names), None, 0
    for frame, _ in motion.each_frame(task.scene):
        points, faces = geometry.triangles_of(thing, evaluated(thing).matrix_world)
        if count not in (None, len(points)):
            raise Refused("%s: its number of vertices changes at frame %d: Weir needs the same mesh in every "
                          "frame; apply or remove the modifier that changes it, or set Motion to Keyframes" %
                          (thing.name, frame))
        if count is None:
            check_open(task, thing, points, faces)
        count, path = len(points), "meshes/%s_%04d.obj" % (name, number)
        geometry.write_obj(os.path.join(task.folder, path), points, faces)
        task.files.append(path)
        number += 1
    return {"mesh": {"files": "meshes/%s_%%04d.obj" % name, "first": 0, "last": number - 1,
                     "rate": round(motion.frame_rate(task.scene), DECIMALS)}}


# ---- roles ---------------------------------------------------------------------------------------

def attributes_of(task, thing):
    """Returns the object's values of the scene's attributes, as a fill has them."""
    known = {a.name: a for a in task.scene.weir.attributes}
    values = {}
    for item in thing.weir.attributes:
        if item.name not in known:
            task.fault(thing, 'has a value of the attribute "%s", which the scene does not have: add it to '
                              'Attributes of the domain, or remove the value' % item.name)
            continue
        count = known[item.name].components
        numbers_of = [schema.rounded(x) for x in item.value[:count]]
        values[item.name] = numbers_of[0] if count == 1 else numbers_of
    return values


def solid(task, thing):
    group, track = thing.weir.solid, task.tracks[thing.name]
    made = {"name": task.name_of(thing), **schema.changed(group, "solid", p.SOLID_KEYS)}
    deforms = group.motion == "MESHES" or group.motion == "AUTO" and (track.deforms() or track.scales())
    if deforms:
        return {**made, "shape": shape_of_frames(task, thing)}
    if track.scales():
        task.warn(thing, "its scale is animated, and Motion is Keyframes: the scale of the first frame is "
                         "used; set Motion to Mesh per frame to export the animation")
    if not track.moves():
        return {**made, "shape": shape_at_rest(task, thing)}
    return {**made, "shape": shape_to_move(task, thing, track.poses),
            "motion": {"keyframes": motion.keyframes_of(track.poses)}}


def material(task, thing):
    """Returns the values of a fluid, of an object that has them."""
    group = thing.weir.fluid
    made = motion.animate(schema.changed(group, "fluid", p.FLUID_KEYS), task.tracks[thing.name], "fluid")
    if group.viscosity_by == "CURVE":
        made = {key: value for key, value in made.items() if not key.startswith("dynamic_viscosity")}
        made["dynamic_viscosity_curve"] = {
            "attribute": group.dynamic_viscosity_curve.attribute,
            "points": [{key: schema.rounded(getattr(point, key)) for key in ("value", "dynamic_viscosity")}
                       for point in group.dynamic_viscosity_curve.points]}
    return made


def fill(task, thing):
    velocity = schema.changed(thing.weir.fluid, "shape_fill", ("velocity",), turned)
    made = {"shape": shape_at_rest(task, thing), **velocity}
    values = attributes_of(task, thing)
    return {**made, "attributes": values} if values else made


def opening_of(task, thing):
    """Returns the keys of a flat emitter; None for one that emits from its whole shape."""
    choice, size = thing.weir.emitter.opening, geometry.size_of(thing)
    if choice == "SHAPE" or choice == "AUTO" and size[2] > FLAT * max(size[:2]):
        return None
    if min(size[:2]) == 0:
        raise Refused("%s: has zero size along its local X or Y axis: an opening is as large as the object "
                      "there" %
                      thing.name)
    position, rotation, _ = evaluated(thing).matrix_world.decompose()
    corners = geometry.own_corners(thing)
    middle = evaluated(thing).matrix_world @ (sum(corners, Vector()) / len(corners))
    points, faces = geometry.triangles_of(thing, evaluated(thing).matrix_world, required=False)
    area, disc = geometry.area_of(points, faces), math.pi / 4 * size[0] * size[1]
    round_one = len(points) >= DISC_SIDES and abs(size[0] - size[1]) < OUTLINE * size[0] and \
        abs(area / disc - 1) < 2 * OUTLINE
    if choice == "AUTO" and not round_one and abs(area / (size[0] * size[1]) - 1) > OUTLINE:
        task.warn(thing, "is flat, but neither a rectangle nor a disc: it emits from the rectangle around "
                         "it; give it a thickness of more than a spacing (Solidify) to emit from its outline")
    where = {"position": turned(middle if faces else position)}
    if choice == "DISC" or choice == "AUTO" and round_one:
        return {**where, "radius": round(size[0] / 2, DECIMALS)}
    return {**where, "up": numbers(TURN @ (rotation @ Vector((0, 1, 0)))),
            "width": round(size[0], DECIMALS), "height": round(size[1], DECIMALS)}


def motion_of(task, thing):
    """Returns what moves an emitter, a sink or whitewater: a rigid body among its parents, else its animation."""
    track, parent = task.tracks[thing.name], thing.parent
    while parent and parent.weir.role != "BODY":
        parent = parent.parent
    if parent and parent in task.things:
        return {"attached_to": task.name_of(parent)}
    if track.scales():
        task.warn(thing, "its scale is animated: the scale of the first frame is used")
    if track.moves():
        return {"motion": {"keyframes": motion.keyframes_of(motion.relative_poses(track.poses))}}
    return {}


def emitter(task, thing):
    group, track = thing.weir.emitter, task.tracks[thing.name]
    opening = opening_of(task, thing)
    made = {"name": task.name_of(thing), "fluid": task.fluid_of(thing)}
    made.update(opening or {"shape": shape_at_rest(task, thing)})
    if opening or group.emission != "surface":
        rotation = evaluated(thing).matrix_world.to_quaternion()
        made["direction"] = numbers(TURN @ (rotation @ Vector((0, 0, 1))))
    made.update(motion_of(task, thing))
    unused = ("emission", "prefill") if opening else ()
    if not opening and group.emission == "surface":
        unused = ("profile", "prefill")
    made.update(schema.changed(group, "emitter", [key for key in p.EMITTER_KEYS if key not in unused]))
    rate = group.rate_by.lower()
    made.update(motion.over_time(track.numbers["emitter", rate], rate))
    if not track.largest("emitter", rate):
        task.fault(thing, "emits nothing: its speed or flow rate is 0 in every frame")
    values = attributes_of(task, thing)
    return {**made, "attributes": values} if values else made


def sink(task, thing):
    return {"name": task.name_of(thing), "shape": shape_at_rest(task, thing), **motion_of(task, thing)}


def whitewater(task, thing):
    group = thing.weir.whitewater
    if not group.rate:
        task.fault(thing, "adds no whitewater: its rate is 0")
    return {"shape": shape_at_rest(task, thing), "rate": schema.rounded(group.rate), **motion_of(task, thing),
            **schema.changed(group, "whitewater_emitter", p.WHITEWATER_EMITTER_KEYS, turned)}


def body(task, thing):
    group = thing.weir.body
    made = {"name": task.name_of(thing), "shape": shape_at_rest(task, thing)}
    key = group.mass_by.lower()
    made[key] = schema.rounded(getattr(group, key))
    return {**made, **schema.changed(group, "body", p.BODY_KEYS, turned)}


# ---- cloths and soft bodies ----------------------------------------------------------------------

def holder_of(task, thing, group):
    """Returns the solid or body that holds pinned vertices, as a pin names it."""
    to = group.pin_to
    if not to:
        return {}
    if to.weir.role not in ("SOLID", "BODY") or to not in task.things:
        task.fault(thing, 'is pinned to "%s", which is no visible solid or rigid body: give that one of '
                          'these roles, or clear Pin to' % to.name)
        return {}
    return {to.weir.role.lower(): task.name_of(to)}


def pins_of(task, thing, group, vertices):
    """Returns the pins of a cloth or a soft body."""
    pins, holder = [], holder_of(task, thing, group)
    if vertices:
        pins.append({"vertices": vertices, **holder})
    if group.pin_region:
        region = group.pin_region
        ball = region.type == "EMPTY" and region.empty_display_type == "SPHERE"
        pins.append({"inside": geometry.region_of(region, "SPHERE" if ball else "BOX"), **holder})
    if holder and not pins:
        task.fault(thing, "has Pin to, but neither a Pin group nor a Pin region says which vertices are held")
    return {"pins": pins} if pins else {}


def vertices_of_group(task, thing, name):
    """Returns the indices of the vertices with more than half the weight in a vertex group."""
    if not name:
        return []
    if name not in thing.vertex_groups:
        task.fault(thing, 'has no vertex group "%s": create it in Object Data, or clear Pin group' % name)
        return []
    index, source = thing.vertex_groups[name].index, evaluated(thing)
    mesh = source.to_mesh()
    held = [v.index for v in mesh.vertices if any(g.group == index and g.weight > 0.5 for g in v.groups)]
    source.to_mesh_clear()
    if not held:
        task.fault(thing, 'the vertex group "%s" holds no vertex with a weight of more than 0.5' % name)
    return held


def deformable_keys(group, definition, keys):
    values = schema.changed(group, definition, keys, turned)
    if "pbd_stiffness" in values:
        values.pop("stiffness", None)
    return values


def cloth(task, thing):
    group = thing.weir.cloth
    points, faces = geometry.triangles_of(thing, evaluated(thing).matrix_world)
    made = {"name": task.name_of(thing, plain=True), "mesh": save(task, thing, points, faces)["mesh"]}
    made.update(deformable_keys(group, "cloth", p.CLOTH_KEYS))
    return {**made, **pins_of(task, thing, group, vertices_of_group(task, thing, group.pin_group))}


def soft_body(task, thing):
    group = thing.weir.soft_body
    made = {"name": task.name_of(thing, plain=True), "shape": shape_at_rest(task, thing)}
    made.update(deformable_keys(group, "soft_body", p.SOFT_KEYS))
    return {**made, **pins_of(task, thing, group, [])}


# ---- gauges --------------------------------------------------------------------------------------

def axis_of(word):
    """Returns an axis such as "+z" of Blender in Weir's axes."""
    sign, axis = word
    if axis == "x":
        return word
    return sign + "y" if axis == "z" else ("-" if sign == "+" else "+") + "z"


def gauge(task, thing):
    group, place = thing.weir.gauge, evaluated(thing).matrix_world
    values = {}
    if group.kind in ("height", "front"):
        values = {**geometry.region_of(thing, "BOX"), "axis": axis_of(group.axis)}
    else:
        keys = ("average",) if group.kind == "force" else ("radius", "average")
        values = schema.changed(group, "gauge_flow", keys)
    if group.kind in ("pressure", "flow"):
        values["position"] = turned(place.translation)
    if group.kind == "flow":
        values["direction"] = numbers(TURN @ (place.to_quaternion() @ Vector((0, 0, 1))))
    if group.kind == "force":
        on = group.solid
        if not on or on not in task.things or on.weir.role != "SOLID":
            task.fault(thing, "measures the force on a solid, but Solid names no visible one: choose one")
        else:
            values["solid"] = task.name_of(on)
    return {"name": task.name_of(thing), group.kind: values}
