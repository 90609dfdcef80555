"""Runs inside Blender, or a Python with bpy, for test_blender_addon.py, as addon_checks.py does: forces,
numbers over time, and viscosities that depend on an attribute.
"""
import os
import struct
import sys

import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import addon_checks as checks  # noqa: E402
from addon_checks import basin, cube, empty, exported, module, named, plane, say  # noqa: E402


def write_field(path, nodes=2):
    """Writes an NPY file of equal velocities; Debian's Blender has no NumPy."""
    shape = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d, %d, 3), }" % ((nodes,) * 3)
    header = shape + " " * (-(len(shape) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode("ascii"))
        file.write(struct.pack("<3f", 1, 0, 0) * nodes**3)


def curve(name, *splines, kind="POLY", location=(0, 0, 1)):
    """Makes a curve object with the role Force, of splines given by their points."""
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions = "3D"
    for points in splines:
        spline = data.splines.new(kind)
        spline.points.add(len(points) - 1)
        for point, at in zip(spline.points, points):
            point.co = (*at, 1)
    thing = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(thing)
    thing.location, thing.weir.role = location, "FORCE"
    group = thing.weir.force
    group.type, group.radius, group.strength = "curve", 0.3, 250
    return thing


def field(thing, path):
    thing.weir.force.type, thing.weir.force.rate, thing.weir.force.file = "velocity_field", 5, path
    return thing


def fcurves_of(action):
    if hasattr(action, "fcurves"):
        return action.fcurves
    return [fcurve for layer in action.layers for strip in layer.strips  # of Blender 5
            for bag in strip.channelbags for fcurve in bag.fcurves]


def animate(thing, path, *values, how="LINEAR"):
    """Inserts keyframes at the frames 1, 5 and 9, with this interpolation."""
    group, key = thing.path_resolve("weir." + path.split(".")[0]), path.split(".")[1]
    for frame, value in zip((1, 5, 9), values):
        setattr(group, key, value)
        thing.keyframe_insert("weir." + path, frame=frame)
    for fcurve in fcurves_of(thing.animation_data.action):
        for point in fcurve.keyframe_points:
            point.interpolation = how


def attempt(prepare, path):
    """Returns the error of a wrong set-up, and its warnings."""
    scene, water = basin()
    scene.weir.method = "pbf"
    scene.weir.attributes.clear()
    prepare(scene, water)
    try:
        return ["", exported(path)[1]]
    except module("geometry").Refused as error:
        return [str(error), []]


# ---- tasks ---------------------------------------------------------------------------------------

def fields(path):
    """Exports the types of forces that objects of several types carry."""
    basin()
    stir = empty("a stir", "FORCE", (0, 0, 1), 0.5).weir.force
    stir.type, stir.amplitude, stir.size, stir.octaves, stir.evolution = "noise", 4, 0.25, 2, 0
    stir.velocity, stir.seed, stir.region = (0, 1, 0), 7, "BOX"
    way = curve("b way", [(0, 0, 0), (0, 0, 0), (0.1, 0.2, 0.3), (0, 0.5, 0)])
    way.data.bevel_depth = 0.05  # the tube is for people
    way.scale = (2, 1, 1)
    group = way.weir.force
    group.rate, group.speed, group.swirl = 8, 1.3, -5
    bpy.ops.curve.primitive_bezier_circle_add(radius=0.5, location=(0, 0, 1))
    ring = named("c ring", "FORCE")
    ring.data.resolution_u = 100
    ring.weir.force.type, ring.weir.force.radius, ring.weir.force.strength = "curve", 0.2, 10
    file = os.path.join(os.path.dirname(path), "wind.npy")
    write_field(file)
    field(empty("d wind", "FORCE", (0.2, 0.3, 1), 0.5), file)
    bpy.ops.mesh.primitive_torus_add(major_radius=0.5, minor_radius=0.1, location=(0, 0, 1.5))
    shape = named("e torus", "FORCE").weir.force
    shape.type, shape.strength, shape.radius, shape.rate = "shape", 120, 0.25, 3
    shape.region, shape.region_of = "BOX", bpy.data.objects["pool"]
    bpy.ops.mesh.primitive_ico_sphere_add(radius=0.2, location=(0, 0, 1.5))
    ball = named("f ball", "FORCE").weir.force
    ball.type, ball.strength = "shape", 10
    curve("g line", [(0.0025 * number - 0.8, 0, 0) for number in range(600)]).weir.force.radius = 0.1
    before = [len(bpy.data.objects), len(bpy.data.curves)]
    say(scene=exported(path), before=before, after=[len(bpy.data.objects), len(bpy.data.curves)])


def numbers(path):
    """Exports numbers of forces, of fluids and of the domain that change over time."""
    scene, water = basin()
    pull = empty("a pull", "FORCE", (0, 0, 1))
    animate(pull, "force.strength", 0, 120, 120)
    animate(pull, "force.rate", 1, 2, 3)  # not of this type
    push = empty("b push", "FORCE", (0, 0, 1))
    push.weir.force.type = "uniform"
    animate(push, "force.acceleration", (0, 0, 0), (1, 2, 3), (2, 4, 6))
    air = empty("c air", "FORCE", (0, 0, 1))
    air.weir.force.type = "drag"
    animate(air, "force.rate", 8, 4, 4)
    stir = empty("d stir", "FORCE", (0, 0, 1))
    stir.weir.force.type, stir.weir.force.size = "noise", 0.5
    animate(stir, "force.amplitude", 1, 2, 1)
    way = curve("e way", [(0, 0, 0), (0.5, 0, 0)])
    way.weir.force.strength, way.weir.force.rate = 0, 3
    animate(way, "force.speed", 0, 1, 0)
    animate(way, "force.swirl", 0, -1, 0)
    still = empty("f still", "FORCE", (0, 0, 1))
    animate(still, "force.strength", 2, 2, 2)
    animate(water, "fluid.dynamic_viscosity", 1, 100, 100)
    animate(bpy.data.objects["box"], "domain.friction", 0, 0.4, 0.8)
    twin = cube("twin", "FLUID", (0, 0, 0.6), (0.4, 0.4, 0.3))
    animate(twin, "fluid.dynamic_viscosity", 1, 100, 100)
    honey = plane("honey", "EMITTER", (0, 0, 1.8), 0.3, (3.14159265, 0, 0))
    animate(honey, "fluid.dynamic_viscosity", 10, 20, 20, how="CONSTANT")
    scene.frame_set(4)
    say(scene=exported(path))


def melt(fluid, attribute, *points):
    fluid.viscosity_by, fluid.dynamic_viscosity_curve.attribute = "CURVE", attribute
    for value, viscosity in points:
        point = fluid.dynamic_viscosity_curve.points.add()
        point.value, point.dynamic_viscosity = value, viscosity


def heat(scene, components=1):
    item = scene.weir.attributes.add()
    item.name, item.components = ("heat", 1) if components == 1 else ("tint", components)


def melting(path):
    """Exports viscosities over attributes, edited with the panel's buttons."""
    scene, water = basin()
    heat(scene)
    heat(scene, 3)
    melt(water.weir.fluid, "heat", (30, 3000))
    bpy.context.view_layer.objects.active = water
    for _ in range(2):
        bpy.ops.weir.add_point()
    bpy.ops.weir.remove_point()
    point = water.weir.fluid.dynamic_viscosity_curve.points[1]
    added = [point.value, point.dynamic_viscosity]
    point.value, point.dynamic_viscosity = 95, 4
    water.weir.fluid.dynamic_viscosity, water.weir.fluid.density = 7, 900
    drop = cube("drop", "FLUID", (0, 0, 1), (0.4, 0.4, 0.3))
    melt(drop.weir.fluid, "tint_y", (0, 1), (1, 2))
    say(scene=exported(path), added=added)


def wrong_forces(path):
    """Reports the message of each wrong force."""
    file = os.path.join(os.path.dirname(path), "wind.npy")
    write_field(file)

    def of_type(thing, kind):
        thing.weir.force.type = kind
        return thing

    def still(thing, rate, speed):
        thing.weir.force.strength, thing.weir.force.rate, thing.weir.force.speed = 0, rate, speed

    def drag(scene, _water):
        scene.weir.method = "flip"
        of_type(empty("air", "FORCE", (0, 0, 1)), "drag").weir.force.rate = 1

    def bent(thing):
        thing.modifiers.new("bend", "SIMPLE_DEFORM")

    def flat(_scene, _water):
        curve("way", [(0, 0, 0), (0.5, 0.5, 0)]).weir.force.region = "BOX"

    def ink(scene, _water):
        of_type(empty("stir", "FORCE", (0, 0, 1)), "noise").weir.force.size = 0.15

    line = [(0, 0, 0), (0.5, 0, 0)]
    cases = {
        "curve on empty": lambda s, w: of_type(empty("spot", "FORCE", (0, 0, 1)), "curve"),
        "curve on mesh": lambda s, w: of_type(cube("brick", "FORCE", (0, 0, 1), (1, 1, 1)), "curve"),
        "shape on curve": lambda s, w: of_type(curve("way", line), "shape"),
        "shape on empty": lambda s, w: of_type(empty("spot", "FORCE", (0, 0, 1)), "shape"),
        "field on curve": lambda s, w: field(curve("way", line), file),
        "no file": lambda s, w: field(empty("wind", "FORCE", (0, 0, 1)), ""),
        "lost file": lambda s, w: field(empty("wind", "FORCE", (0, 0, 1)), file + ".gone"),
        "flat field": lambda s, w: field(plane("sheet", "FORCE", (0, 0, 1)), file),
        "rotated field": lambda s, w: field(empty("wind", "FORCE", (0, 0, 1), 0.5, (0, 0, 0.5)), file),
        "upright field": lambda s, w: field(empty("wind", "FORCE", (0, 0, 1), 0.5, (0, 0, 1.5707963)), file),
        "two splines": lambda s, w: curve("way", line, line),
        "no radius": lambda s, w: setattr(curve("way", line).weir.force, "radius", 0),
        "one point": lambda s, w: curve("way", line[:1] * 3),
        "no effect": lambda s, w: still(curve("way", line), 0, 0),
        "no rate": lambda s, w: (still(curve("way", line), 0, 1), setattr(
            bpy.data.objects["way"].weir.force, "strength", 1)),
        "moved": lambda s, w: still(curve("way", line), 2, 1),
        "modifier": lambda s, w: bent(curve("way", line)),
        "flat region": flat, "fine noise": ink, "drag": drag,
        "open shape": lambda s, w: setattr(plane("sheet", "FORCE", (0, 0, 1)).weir.force, "type", "shape"),
    }
    say(found={name: attempt(case, path) for name, case in cases.items()})


def wrong_curves(path):
    """Reports the message of each wrong viscosity curve."""
    two = ((30, 3000), (95, 4))

    def tap(scene, _water):
        heat(scene)
        melt(plane("tap", "EMITTER", (0, 0, 1.8), 0.3, (3.14159265, 0, 0)).weir.fluid, "heat", *two[:1])

    def animated(scene, water):
        heat(scene)
        melt(water.weir.fluid, "heat", *two)
        animate(water, "fluid.dynamic_viscosity", 1, 2, 3)

    def unused(_scene, water):
        melt(water.weir.fluid, "gone")
        water.weir.fluid.viscosity_by = "NUMBER"

    cases = {
        "no attribute": lambda s, w: melt(w.weir.fluid, "heat", *two),
        "other attribute": lambda s, w: (heat(s), heat(s, 2), melt(w.weir.fluid, "tint", *two)),
        "one point": lambda s, w: (heat(s), melt(w.weir.fluid, "heat", *two[:1])),
        "many points": lambda s, w: (heat(s), melt(w.weir.fluid, "heat", *((k, 1) for k in range(33)))),
        "unsorted": lambda s, w: (heat(s), melt(w.weir.fluid, "heat", (20, 5000), *reversed(two))),
        "emitter": tap, "animated": animated, "unused": unused,
    }
    say(found={name: attempt(case, path) for name, case in cases.items()})


TASKS = {"fields": fields, "numbers": numbers, "melting": melting, "wrong_forces": wrong_forces,
         "wrong_curves": wrong_curves}

if __name__ == "__main__":
    checks.main(TASKS)
