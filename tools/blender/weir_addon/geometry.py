"""The shapes of Blender's objects, as Weir reads them: triangles, bounds and sizes, in Weir's axes and
metres.
"""

import array
import hashlib
import itertools
import os
import re

import bpy
from mathutils import Matrix, Vector

DECIMALS = 6  # a micrometre
# Maps Blender's axes to Weir's: x stays, z becomes y, y becomes -z.
TURN = Matrix(((1, 0, 0), (0, 0, 1), (0, -1, 0)))
TURN_ROTATION = TURN.to_quaternion()


class Refused(Exception):
    """Reports what cannot be exported, with the object's name, and the way out."""


def numbers(vector, decimals=DECIMALS):
    return [round(float(x), decimals) + 0.0 for x in vector]


def turned(vector):
    """Returns a vector of Blender in Weir's axes, rounded."""
    return numbers(TURN @ Vector(vector))


def evaluated(thing):
    return thing.evaluated_get(bpy.context.evaluated_depsgraph_get())


# ---- triangles -----------------------------------------------------------------------------------

def triangles_of(thing, matrix, required=True):
    """Returns points in Weir's axes, and triangles, of the object after its modifiers."""
    source = evaluated(thing)
    mesh = source.to_mesh()
    mesh.calc_loop_triangles()
    points = [TURN @ (matrix @ v.co) for v in mesh.vertices]
    mirrored = matrix.determinant() < 0
    faces = [tuple(t.vertices)[::-1] if mirrored else tuple(t.vertices) for t in mesh.loop_triangles]
    source.to_mesh_clear()
    if not faces and required:
        raise Refused("%s: has no faces" % thing.name)
    return points, faces


def fingerprint(thing):
    """Returns a hash of the object's vertices after its modifiers, in its own coordinates."""
    source = evaluated(thing)
    mesh = source.to_mesh()
    flat = array.array("f", bytes(12 * len(mesh.vertices)))
    mesh.vertices.foreach_get("co", flat)
    source.to_mesh_clear()
    return hashlib.blake2b(flat.tobytes(), digest_size=16).digest()


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


def area_of(points, faces):
    return sum(((points[b] - points[a]).cross(points[c] - points[a])).length / 2 for a, b, c in faces)


def write_obj(path, points, faces):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".part", "w", encoding="ascii", newline="\n") as f:
        for p in points:
            f.write("v %.7g %.7g %.7g\n" % tuple(p))
        for a, b, c in faces:
            f.write("f %d %d %d\n" % (a + 1, b + 1, c + 1))
    os.replace(path + ".part", path)


def file_name(name, taken):
    """Returns the name with letters, digits, - and _ only, and unlike those in `taken`, which it joins."""
    stem = re.sub(r"[^A-Za-z0-9_-]", "_", name)[:56] or "object"
    made, number = stem, 2
    while made in taken:
        made, number = "%s_%d" % (stem, number), number + 1
    taken.add(made)
    return made


# ---- bounds --------------------------------------------------------------------------------------

def own_corners(thing):
    """Returns the corners of the object's box in its own coordinates; those of an empty by its display size.
    """
    if thing.type == "EMPTY":
        r = thing.empty_display_size
        return [Vector((x, y, z)) for x in (-r, r) for y in (-r, r) for z in (-r, r)]
    if thing.type == "CURVE":  # Blender 5 adds the radius of its points to the box, even without a bevel
        return box_of_vertices(thing)
    return [Vector(corner) for corner in evaluated(thing).bound_box]


def box_of_vertices(thing):
    """Returns the corners of the box around the object's vertices after its modifiers."""
    source = evaluated(thing)
    spans = list(zip(*(v.co for v in source.to_mesh().vertices))) or [(0,)] * 3
    source.to_mesh_clear()
    return [Vector(corner) for corner in itertools.product(*((min(span), max(span)) for span in spans))]


def bounds_of(things):
    """Returns the lowest and highest corner of the objects, in Weir's axes."""
    corners = [TURN @ (evaluated(thing).matrix_world @ corner) for thing in things
               for corner in own_corners(thing)]
    return ([min(c[k] for c in corners) for k in range(3)], [max(c[k] for c in corners) for k in range(3)])


def size_of(thing):
    """Returns the size along the object's own axes, in metres."""
    corners, scale = own_corners(thing), evaluated(thing).matrix_world.to_scale()
    return [abs(scale[k]) * (max(c[k] for c in corners) - min(c[k] for c in corners)) for k in range(3)]


def region_of(thing, kind):
    """Returns a region as forces and pins have it: "BOX", the bounds of the object, or "SPHERE", as wide as
    it.
    """
    if kind == "BOX":
        low, high = bounds_of([thing])
        return {"min": numbers(low), "max": numbers(high)}
    return {"centre": turned(evaluated(thing).matrix_world.translation),
            "radius": round(max(size_of(thing)) / 2, DECIMALS)}
