"""Makes the meshes of a scene's shapes, in metres with y up, and the poses of moving solids."""

import math
import os

import bpy
from mathutils import Euler, Quaternion, Vector

from . import run_files

ROUND = 32  # corners of a circle
SHARP = math.radians(40)  # faces that meet at a larger angle have an edge


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


# ---- meshes and sets ---------------------------------------------------------------------------

def read_obj(path):
    """Returns points and polygons."""
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
    except ValueError as error:
        raise run_files.BadFile("%s: not an OBJ file: %s" % (path, error)) from error
    return points, faces


def read_mesh(keys, folder):
    """Returns points and faces of a mesh file, or of the first of `files`."""
    name = keys["file"] if keys.get("file") else keys["files"] % keys.get("first", 0)
    path, ending = os.path.join(folder, name), os.path.splitext(name)[1].lower()
    try:
        if ending == ".stl":
            points, faces = run_files.read_stl(path)
        elif ending == ".ply":
            surface = run_files.read_ply(path)
            points = list(zip(*[iter(surface.points)] * 3))
            faces = list(zip(*[iter(map(int, surface.triangles))] * 3))
        else:
            points, faces = read_obj(path)
    except OSError as error:
        raise run_files.BadFile("%s: %s; meshes are read from the paths in the scene" % (path, error)) from error
    return [Vector(p) for p in points], faces


def join(parts):
    points, faces = [], []
    for more_points, more_faces in parts:
        faces += [[len(points) + i for i in face] for face in more_faces]
        points += more_points
    return points, faces


def carve(parts, operation):
    """Returns the difference or intersection of the parts, computed by Blender's exact boolean modifier."""
    things = []
    for points, faces in parts:
        mesh = bpy.data.meshes.new("weir part")
        mesh.from_pydata(points, [], [list(face) for face in faces])
        things.append(bpy.data.objects.new("weir part", mesh))
        bpy.context.scene.collection.objects.link(things[-1])
    for other in things[1:]:
        cut = things[0].modifiers.new("cut", "BOOLEAN")
        cut.object, cut.operation, cut.solver = other, operation, "EXACT"
    bpy.context.view_layer.update()
    made = things[0].evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    carved = [v.co.copy() for v in made.vertices], [tuple(p.vertices) for p in made.polygons]
    for thing in things:
        bpy.data.meshes.remove(thing.data)
    return carved


def shape_of(shape, folder):
    """Returns points and faces before the shape's own pose; None for a plane, which has no bounds."""
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
    if "mesh" in shape:
        return read_mesh(shape["mesh"], folder)
    return set_of(shape, folder)


def set_of(shape, folder):
    """Returns the mesh of a set operation; that of a smooth union is not blended."""
    parts = shape.get("union") or shape.get("smooth_union", {}).get("shapes")
    if parts:
        parts = [posed(part, folder) for part in parts]
        return join([part for part in parts if part]) if any(parts) else None
    operation = next((name for name in ("difference", "intersection") if name in shape), None)
    parts = [posed(part, folder) for part in shape[operation]] if operation else [None]
    return None if None in parts else carve(parts, "DIFFERENCE" if operation == "difference" else "INTERSECT")


def posed(shape, folder):
    """Returns points and faces in the shape's own pose: scaled, rotated, moved."""
    made = shape_of(shape, folder)
    if not made:
        return None
    turn, size = rotation_of(shape.get("rotation")), shape.get("scale", 1)
    at = Vector(shape.get("position", (0, 0, 0)))
    return [at + turn @ (size * p) for p in made[0]], made[1]


def is_set(shape):
    return any(kind in shape for kind in ("union", "smooth_union", "difference", "intersection"))


def smooth(mesh):
    """Shades the mesh smoothly, except where faces meet at more than 40 degrees."""
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    if hasattr(mesh, "use_auto_smooth"):  # before 4.1
        mesh.use_auto_smooth, mesh.auto_smooth_angle = True, SHARP
    else:
        mesh.set_sharp_from_angle(angle=SHARP)


def mesh_of(name, made, shape, look):
    """Returns Blender's mesh of points, y up, and faces. `shape`: the shape that they were made of."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([upright(p) for p in made[0]], [], [list(face) for face in made[1]])
    mesh.materials.append(look)
    if "box" not in shape:
        smooth(mesh)
    mesh.update()
    return mesh


# ---- poses -------------------------------------------------------------------------------------

def upright(v):
    """Converts y up to z up."""
    return Vector((v[0], -v[2], v[1]))


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


def between(keys, time):
    """Returns the position and rotation of keyframes at a time, in seconds."""
    late = next((k for k, key in enumerate(keys) if key["time"] > time), len(keys))
    a, b = keys[max(late - 1, 0)], keys[min(late, len(keys) - 1)]
    span = b["time"] - a["time"]
    part = (time - a["time"]) / span if span > 0 and 0 < late else 0
    at = [Vector(key.get("position", (0, 0, 0))) for key in (a, b)]
    turn = [rotation_of(key.get("rotation")) for key in (a, b)]
    return at[0].lerp(at[1], part), turn[0].slerp(turn[1], part)


def about(centre, turn):
    centre = Vector(centre or (0, 0, 0))
    return centre - turn @ centre, turn


def pose_of(motion, time):
    """Returns where a solid's motion moves it by a time: position and rotation about the origin, y up."""
    start = motion.get("start", 0)
    time = min(max(time, start), motion.get("end", math.inf))
    if "keyframes" in motion:
        return between(motion["keyframes"], time)
    if "spin" in motion:
        spin = motion["spin"]
        angle = math.fmod(spin["rate"] * (time - start), 2 * math.pi)
        return about(spin.get("centre"), Quaternion(Vector(spin["axis"]).normalized(), angle))
    if "oscillation" not in motion:
        return Vector(), Quaternion()
    swing = motion["oscillation"]
    wave = math.sin(2 * math.pi * swing["frequency"] * (time - start) + math.radians(swing.get("phase", 0)))
    turn = swing.get("rotation_amplitude")
    turn = Quaternion(Vector(turn["axis"]).normalized(), math.radians(turn["angle"]) * wave) if turn else Quaternion()
    at, turn = about(swing.get("centre"), turn)
    return at + wave * Vector(swing.get("amplitude", (0, 0, 0))), turn
