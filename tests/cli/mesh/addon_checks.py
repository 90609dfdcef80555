"""Runs inside Blender, or a Python with bpy, for test_blender_addon.py: TASK and its arguments after `--`.
The add-on is installed from its zip. Every task prints one line "RESULT {json}".
"""
import importlib
import json
import math
import os
import sys
import time

import bpy
import addon_utils  # found once bpy is imported

ADD_ON = "bl_ext.user_default.weir" if bpy.app.version >= (4, 2, 0) else "weir_addon"


def say(**values):
    print("RESULT " + json.dumps(values), flush=True)


def module(name):
    """Returns a module of the installed add-on."""
    return importlib.import_module("%s.%s" % (ADD_ON, name))


# ---- set-ups -------------------------------------------------------------------------------------

def clear(frames=9):
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps, scene.render.fps_base = 1, frames, 24, 1
    scene.weir.use_whitewater, scene.weir.overrides, scene.unit_settings.scale_length = False, "", 1
    scene.frame_set(1)
    return scene


def named(name, role):
    thing = bpy.context.object
    thing.name, thing.weir.role = name, role
    return thing


def cube(name, role, location, size):
    bpy.ops.mesh.primitive_cube_add(size=1, location=location, scale=size)
    return named(name, role)


def plane(name, role, location, size=0.4, rotation=(0, 0, 0)):
    bpy.ops.mesh.primitive_plane_add(size=size, location=location, rotation=rotation)
    return named(name, role)


def empty(name, role, location, size=0.5, rotation=(0, 0, 0)):
    thing = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(thing)
    thing.location, thing.rotation_euler, thing.empty_display_size, thing.weir.role = location, rotation, size, role
    return thing


def basin(divisions=20):
    """Makes a domain of 2 x 2 x 2 m that stands on z = 0, and water in it."""
    scene = clear()
    cube("box", "DOMAIN", (0, 0, 1), (2, 2, 2))
    water = cube("pool", "FLUID", (0, 0, 0.2), (1.6, 1.6, 0.4))
    scene.weir.divisions = divisions
    return scene, water


def exported(path):
    task = module("export_scene").export(path, everything=True)
    with open(path, encoding="utf-8") as file:
        return json.load(file), task.warnings


# ---- tasks ---------------------------------------------------------------------------------------

def profile():
    """Reports what the installed add-on has in this profile, and what is left after it is disabled."""
    package = sys.modules.get(ADD_ON)
    here = [hasattr(bpy.types.Object, "weir"), hasattr(bpy.types.Scene, "weir"), hasattr(bpy.types, "WEIR_PT_object")]
    panel = bpy.types.WEIR_PT_object
    where, file, cube_role = [panel.bl_context, panel.bl_label], package.__file__, bpy.data.objects["Cube"].weir.role
    names = [item.identifier for item in bpy.data.objects["Cube"].weir.bl_rna.properties["role"].enum_items]
    addon_utils.disable(ADD_ON)
    left = [hasattr(bpy.types.Object, "weir"), hasattr(bpy.types.Scene, "weir"), hasattr(bpy.types, "WEIR_PT_object"),
            len([f for f in bpy.app.handlers.load_pre if "weir" in f.__module__])]
    addon_utils.enable(ADD_ON)
    say(here=here, left=left, again=hasattr(bpy.types.Object, "weir"), panel=where, file=file, role=cube_role, roles=names)


def schema():
    """Reports ranges and defaults of all numbers that come from the schema."""
    p, found = module("properties"), {}
    keys = {"fluid": (p.WeirFluid, p.FLUID_KEYS), "solid": (p.WeirSolid, p.SOLID_KEYS), "body": (p.WeirBody, p.BODY_KEYS),
            "cloth": (p.WeirCloth, p.CLOTH_KEYS), "soft_body": (p.WeirSoftBody, p.SOFT_KEYS),
            "whitewater": (p.WeirWhitewater, p.WHITEWATER_KEYS),
            "whitewater_emitter": (p.WeirWhitewaterEmitter, p.WHITEWATER_EMITTER_KEYS),
            "emitter": (p.WeirEmitter, p.EMITTER_KEYS), "force": (p.WeirForce, p.FORCE_NUMBERS)}
    for name, (group, names) in keys.items():
        for key in names:
            prop = group.bl_rna.properties[key]
            if prop.type in ("FLOAT", "INT") and not prop.is_array:
                found["%s.%s" % (name, key)] = [prop.hard_min, prop.hard_max, prop.default, prop.description]
    say(numbers=found)


def roles(path):
    """Exports a scene with every role and many values."""
    scene, water = basin()
    box = bpy.data.objects["box"].weir.domain
    box.left, box.back, box.friction = "open", "open", 0.2
    ink = scene.weir.attributes.add()
    ink.name, ink.diffusivity = "ink", 1e-4
    tint = scene.weir.attributes.add()
    tint.name, tint.components, tint.initial = "tint", 3, (0.1, 0.2, 0.3, 0)
    material = water.weir.fluid
    material.density, material.dynamic_viscosity, material.surface_tension = 900, 0.5, 0.07
    material.colour, material.velocity = (0.1, 0.2, 0.3), (1, 2, 3)
    for name, value in (("ink", (1, 0, 0, 0)), ("tint", (0.5, 0.6, 0.7, 0))):
        item = water.weir.attributes.add()
        item.name, item.value = name, value
    twin = cube("puddle", "FLUID", (0, 0, 0.6), (0.4, 0.4, 0.3))
    for key in ("density", "dynamic_viscosity", "surface_tension", "colour"):
        setattr(twin.weir.fluid, key, getattr(material, key))
    rock = cube("rock", "SOLID", (0.9, 0.9, 0.6), (0.2, 0.2, 1.2)).weir.solid
    rock.friction, rock.no_slip = 0.5, False
    tap = plane("tap", "EMITTER", (-0.6, 0.2, 1.6), 0.3, (math.pi, 0, 0)).weir.emitter
    tap.rate_by, tap.flow_rate, tap.start, tap.end, tap.profile = "FLOW_RATE", 0.02, 0.1, 0.3, "parabolic"
    tap.turbulence = 0.1
    bpy.ops.mesh.primitive_circle_add(radius=0.2, location=(0.6, -0.6, 1.7), fill_type="NGON", vertices=32)
    named("hose", "EMITTER").weir.emitter.fluid = water
    bpy.ops.mesh.primitive_ico_sphere_add(radius=0.2, location=(0.6, 0.2, 1.7), subdivisions=3)
    ball = named("ball", "EMITTER").weir.emitter
    ball.emission, ball.speed, ball.prefill = "surface", 0.5, False
    drain = cube("drain", "SINK", (-0.8, -0.8, 0.1), (0.3, 0.3, 0.2))
    pump = cube("pump", "SINK", (-0.4, 0.4, 0.9), (0.2, 0.2, 0.1))
    for frame, height in ((1, 0.1), (5, 0.5)):
        drain.location.z = height
        drain.keyframe_insert("location", frame=frame)
    raft = cube("raft", "BODY", (-0.4, 0.4, 1.1), (0.4, 0.4, 0.3))
    bpy.context.view_layer.update()
    pump.parent, pump.matrix_parent_inverse = raft, raft.matrix_world.inverted()
    stone = cube("stone", "WHITEWATER", (0.4, -0.4, 0.1), (0.1, 0.1, 0.1)).weir.whitewater
    stone.kind, stone.rate, stone.velocity, stone.lifetime = "bubble", 500, (0, 0.5, 0), 2
    mist = cube("mist", "WHITEWATER", (-0.4, 0.4, 1.3), (0.2, 0.2, 0.05))
    bpy.context.view_layer.update()
    mist.parent, mist.matrix_parent_inverse = raft, raft.matrix_world.inverted()
    raft = raft.weir.body
    raft.mass_by, raft.mass, raft.velocity, raft.angular_velocity = "MASS", 12, (0, 1, 0), (0, 0, 2)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=6, y_subdivisions=6, size=0.5, location=(0.4, 0.4, 1.2))
    flag = named("the flag", "CLOTH")
    flag.vertex_groups.new(name="edge").add([0, 1, 2], 1.0, "REPLACE")
    flag.weir.cloth.pin_group, flag.weir.cloth.area_density, flag.weir.cloth.pin_to = "edge", 40, bpy.data.objects["rock"]
    jelly = cube("jelly", "SOFT_BODY", (0.2, -0.3, 1.2), (0.5, 0.5, 0.5)).weir.soft_body
    jelly.stiffness, jelly.pin_region = 20000, empty("hook", "NONE", (0.2, -0.3, 1.4), 0.3)
    forces(empty)
    gauges(empty)
    scene.weir.overrides = "solver.vorticity_confinement=0.01"
    scene.weir.iterations = 5
    say(scene=exported(path))


class Layout:
    """Stands for a panel's layout: notes the properties and buttons that are drawn, which must exist."""

    def __init__(self):
        self.shown = []

    def __getattr__(self, _name):
        return lambda *_arguments, **_more: self

    def prop(self, group, key, **_more):
        assert key in group.bl_rna.properties, (group, key)
        self.shown.append(key)

    def operator(self, name, **_more):
        getattr(bpy.ops.weir, name.split(".")[1]).get_rna_type()
        self.shown.append(name)
        return self


def panels():
    """Reports what the panels of each role show."""
    scene, water = basin()
    scene.weir.attributes.add().name = "ink"
    drawn, shown = module("panels"), {}
    for role, draw in drawn.ROLES.items():
        water.weir.role, layout = role, Layout()
        draw(layout, water)
        shown[role] = layout.shown
    water.weir.force.region = "BOX"
    for kind in module("properties").FORCE_KEYS:
        water.weir.force.type, layout = kind, Layout()
        drawn.draw_force(layout, water)
        shown[kind] = layout.shown
    water.weir.fluid.viscosity_by, layout = "CURVE", Layout()
    drawn.draw_fluid(layout, water)
    shown["CURVE"] = layout.shown
    scene.weir.folder = bpy.app.tempdir
    for panel in [cls for cls in drawn.CLASSES if issubclass(cls, drawn.DomainPanel)]:
        layout = Layout()
        panel.show(None, layout, scene, bpy.data.objects["box"])
        shown[panel.bl_label] = layout.shown
    say(shown=shown)


def forces(make):
    wind = make("wind", "FORCE", (0, 0, 1), 0.5).weir.force
    wind.type, wind.rate, wind.velocity, wind.region = "drag", 2, (0, 3, 0), "BOX"
    swirl = make("swirl", "FORCE", (0.5, 0.25, 0.75), 0.25, (math.pi / 2, 0, 0)).weir.force
    swirl.type, swirl.strength, swirl.region = "vortex", 4, "SPHERE"
    push = make("push", "FORCE", (0, 0, 0)).weir.force
    push.type, push.acceleration = "uniform", (1, 2, 3)
    pull = make("pull", "FORCE", (0.1, 0.2, 0.3)).weir.force
    pull.type, pull.strength = "central", -2


def gauges(make):
    make("level", "GAUGE", (0, 0, 1), 0.25).weir.gauge.kind = "height"
    front = make("front", "GAUGE", (0, 0, 1), 0.5).weir.gauge
    front.kind, front.axis = "front", "+y"
    probe = make("probe", "GAUGE", (0.1, 0.2, 0.3)).weir.gauge
    probe.kind, probe.radius, probe.average = "pressure", 0.3, 0.05
    load = make("load", "GAUGE", (0, 0, 0)).weir.gauge
    load.kind, load.solid = "force", bpy.data.objects["rock"]
    flow = make("flow", "GAUGE", (0, 0, 0.2), 1, (0, math.pi / 2, 0)).weir.gauge
    flow.kind = "flow"


def animated(path):
    """Exports keyframes, an armature, a scale, rates and gravity that change."""
    scene, _ = basin()
    paddle = cube("paddle", "SOLID", (0.6, 0, 1), (0.2, 0.6, 0.4))
    paddle.keyframe_insert("location", frame=3)
    paddle.location = (0.6, 0.3, 1)
    paddle.keyframe_insert("location", frame=7)
    bone = bpy.data.objects.new("rig", bpy.data.armatures.new("rig"))
    scene.collection.objects.link(bone)
    bpy.context.view_layer.objects.active = bone
    bpy.ops.object.mode_set(mode="EDIT")
    one = bone.data.edit_bones.new("arm")
    one.head, one.tail = (-0.6, 0, 0.8), (-0.6, 0, 1.4)
    bpy.ops.object.mode_set(mode="OBJECT")
    arm = cube("arm", "SOLID", (-0.6, 0, 1.1), (0.2, 0.2, 0.6))
    arm.vertex_groups.new(name="arm").add(range(8), 1.0, "REPLACE")
    arm.modifiers.new("armature", "ARMATURE").object = bone
    pose = bone.pose.bones["arm"]
    pose.rotation_mode = "XYZ"
    pose.keyframe_insert("rotation_euler", frame=1)
    pose.rotation_euler = (0.8, 0, 0)
    pose.keyframe_insert("rotation_euler", frame=9)
    still = cube("still", "SOLID", (0, 0.8, 1), (0.2, 0.2, 0.2))
    still.modifiers.new("round", "BEVEL")  # changes the shape, but not over time
    grow = cube("grow", "SOLID", (0, -0.7, 1), (0.2, 0.2, 0.2))
    grow.keyframe_insert("scale", frame=1)
    grow.scale = (0.4, 0.4, 0.4)
    grow.keyframe_insert("scale", frame=9)
    tap = plane("tap", "EMITTER", (0, 0, 1.8), 0.3, (math.pi, 0, 0))
    for frame, speed in ((1, 1.0), (9, 3.0)):
        tap.weir.emitter.speed = speed
        tap.keyframe_insert("weir.emitter.speed", frame=frame)
        tap.location.x = 0.1 * frame
        tap.keyframe_insert("location", frame=frame)
        scene.gravity = (0, frame - 1, -9.81)
        scene.keyframe_insert("gravity", frame=frame)
    scene.frame_set(5)
    say(scene=exported(path), shown=scene.frame_current)


def migrated(path):
    """Exports objects with the custom properties of earlier versions, and objects that only names would give
    roles.
    """
    scene = clear()
    cube("a", "NONE", (0, 0, 1), (2, 2, 2))["weir_role"] = "domain"
    honey = cube("honey", "NONE", (0, 0, 0.5), (1, 1, 1))
    honey["weir_role"], honey["weir_viscosity"], honey["weir_velocity"] = "fluid", 10.0, (0.0, 1.0, 0.0)
    wall = cube("wall", "NONE", (0.8, 0, 0.5), (0.3, 1, 1))
    wall["weir_friction"] = 0.4
    tap = plane("tap", "NONE", (0, 0, 1.8))
    tap["weir_flow_rate"], tap["weir_fluid"] = 0.5, "honey"
    cube("water 2", "NONE", (0, 0, 1.5), (0.2, 0.2, 0.2))
    scene["weir_whitewater"] = True
    result = exported(path)
    say(scene=result, left=sorted(k for t in scene.objects for k in t.keys() if k.startswith("weir_")) +
        [k for k in scene.keys() if k in ("weir_whitewater", "weir_bake_folder")])


def refusals(path):
    """Reports the message of each wrong set-up."""
    found = {}

    def attempt(name, prepare):
        scene, water = basin()
        prepare(scene, water)
        try:
            found[name] = ["", exported(path)[1]]
        except module("geometry").Refused as error:
            found[name] = [str(error), []]

    def open_ball(_scene, _water):
        bpy.ops.mesh.primitive_cylinder_add(radius=0.3, depth=0.4, location=(0, 0, 1.4), end_fill_type="NOTHING")
        named("cup", "EMITTER")

    def star(_scene, _water):
        bpy.ops.mesh.primitive_circle_add(radius=0.3, location=(0, 0, 1.4), fill_type="NGON", vertices=3)
        named("star", "EMITTER")

    def still_tap(_scene, _water):
        plane("tap", "EMITTER", (0, 0, 1.5)).weir.emitter.speed = 0

    def hidden(_scene, _water):
        cube("ghost", "SOLID", (0, 0, 1), (0.3, 0.3, 0.3)).hide_viewport = True

    def unknown_value(_scene, water):
        water.weir.attributes.add().name = "dye"

    def frames(scene, _water):
        scene.frame_end = 1

    def empty_fluid(_scene, _water):
        empty("nothing", "FLUID", (0, 0, 1))

    def force_on_nothing(_scene, _water):
        empty("scale", "GAUGE", (0, 0, 1)).weir.gauge.kind = "force"

    def growing(_scene, _water):
        thing = cube("array", "SOLID", (-0.8, 0, 1), (0.2, 0.2, 0.2))
        rows = thing.modifiers.new("array", "ARRAY")
        rows.count = 1
        rows.keyframe_insert("count", frame=1)
        rows.count = 3
        rows.keyframe_insert("count", frame=9)

    def many_forces(_scene, _water):
        for number in range(module("schema").most("forces") + 1):
            empty("force %d" % number, "FORCE", (0, 0, 1))

    def arriving(_scene, _water):
        tap = plane("tap", "EMITTER", (3, 0, 1.8), 0.3, (math.pi, 0, 0))
        tap.keyframe_insert("location", frame=1)
        tap.location.x = 0
        tap.keyframe_insert("location", frame=9)

    attempt("arriving", arriving)
    attempt("in the lid", lambda scene, water: plane("tap", "EMITTER", (0, 0, 2), 0.3, (math.pi, 0, 0)))
    attempt("many forces", many_forces)
    attempt("no domain", lambda scene, water: bpy.data.objects.remove(bpy.data.objects["box"]))
    attempt("two domains", lambda scene, water: cube("box 2", "DOMAIN", (0, 0, 1), (1, 1, 1)))
    attempt("no fluid", lambda scene, water: setattr(water.weir, "role", "NONE"))
    attempt("open emitter", open_ball)
    attempt("odd outline", star)
    attempt("still emitter", still_tap)
    attempt("thin emitter", lambda scene, water: cube("slab", "EMITTER", (0, 0, 1.4), (0.5, 0.5, 0.05)))
    attempt("thin fluid", lambda scene, water: cube("film", "FLUID", (0, 0, 1.4), (0.5, 0.5, 0.05)))
    attempt("thin solid", lambda scene, water: cube("sheet", "SOLID", (0, 0, 1.4), (0.5, 0.5, 0.05)))
    attempt("outside", lambda scene, water: cube("far", "FLUID", (5, 0, 1), (0.5, 0.5, 0.5)))
    attempt("half outside", lambda scene, water: cube("edge", "FLUID", (1, 0, 1), (0.5, 0.5, 0.5)))
    attempt("solid outside", lambda scene, water: cube("moon", "SOLID", (5, 0, 1), (0.5, 0.5, 0.5)))
    attempt("hidden", hidden)
    attempt("name only", lambda scene, water: cube("water 3", "NONE", (0, 0, 1), (0.3, 0.3, 0.3)))
    attempt("unknown value", unknown_value)
    attempt("frames", frames)
    attempt("empty", empty_fluid)
    attempt("gauge", force_on_nothing)
    attempt("vertices", growing)
    attempt("override", lambda scene, water: setattr(scene.weir, "overrides", "solver.cfl"))
    attempt("unit", lambda scene, water: setattr(scene.unit_settings, "scale_length", 0.01))
    say(found=found)


def programs(folder):
    """Reports the messages for programs that are missing, old, or another program."""
    program, found = module("program"), {}

    def attempt(name, path):
        try:
            found[name] = program.ready(path)
        except program.Missing as error:
            found[name] = str(error)

    for name, text in (("old", "echo weir 0.0.9"), ("other", "echo hello"), ("good", "echo weir 1.2.0")):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\n%s\n" % text)
        os.chmod(path, 0o755)
        attempt(name, path)
    attempt("absent", os.path.join(folder, "absent"))
    os.environ["PATH"] = folder
    attempt("nowhere", "")
    bpy.context.preferences.addons[ADD_ON].preferences.program = os.path.join(folder, "good")
    attempt("preferred", "")
    bpy.context.preferences.addons[ADD_ON].preferences.program = os.path.join(folder, "gone")
    attempt("preference", "")
    say(found=found)


def shots(folder, weir):
    """Estimates, bakes, replays and frees a scene with a body, a cloth and an attribute."""
    scene, water = basin(16)
    os.environ["PATH"] = os.path.dirname(weir) + os.pathsep + os.environ["PATH"]
    scene.frame_end, scene.weir.folder, scene.weir.mesh.use_attributes = 4, os.path.join(folder, "bake"), True
    scene.weir.attributes.add().name = "ink"
    item = water.weir.attributes.add()
    item.name, item.value = "ink", (1, 0, 0, 0)
    drop = cube("drop", "FLUID", (0, 0, 1.2), (0.5, 0.5, 0.5))
    crate = cube("crate", "BODY", (0.5, 0.5, 1), (0.4, 0.4, 0.4))
    crate.data.materials.append(bpy.data.materials.new("wood"))
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=6, y_subdivisions=6, size=0.5, location=(-0.5, -0.5, 1.2))
    named("rag one", "CLOTH").weir.cloth.area_density = 200
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=6, y_subdivisions=6, size=0.4, location=(0.5, -0.5, 1.5))
    named("rag+one", "CLOTH").weir.cloth.area_density = 200  # the same name in files
    estimate = module("estimate")
    before = estimate.text_of(scene)
    bpy.ops.weir.estimate()
    measured = estimate.text_of(scene)
    scene.weir.divisions = 17
    stale = estimate.text_of(scene)
    scene.weir.divisions = 16
    fresh = estimate.text_of(scene)
    polls = [bpy.ops.weir.free_bake.poll(), bpy.ops.weir.replay_bake.poll(), bpy.ops.weir.resume_bake.poll()]
    done = sorted(bpy.ops.weir.bake())
    scene.frame_set(4)
    baked = {t.name: [t.type, len(t.data.vertices)] for t in bpy.data.objects if t.get("weir_baked")}
    surface = next(t for t in bpy.data.objects if t.get("weir_baked") and t.name.startswith("surface"))
    moved = bpy.data.objects["crate (baked)"]
    fell, materials = crate.matrix_world.translation.z - moved.matrix_world.translation.z, [
        m.name for m in moved.data.materials]
    ink = sorted({round(v.value, 3) for v in surface.data.attributes["ink"].data})
    colours = module("attribute_materials")
    painted = [n.bl_idname for n in colours.make(surface, "ink", "MIXED", "INK").node_tree.nodes]
    own = [n.bl_idname for n in colours.make(surface, "velocity", "OPAQUE", "OWN").node_tree.nodes]
    bpy.context.view_layer.objects.active = surface
    bpy.ops.weir.attribute_material(attribute="ink", style="MIXED", ramp="HEAT", low=0, high=1)
    ramp = next(n for n in surface.data.materials[0].node_tree.nodes if n.bl_idname == "ShaderNodeMapRange")
    shown_range = [ramp.inputs["From Min"].default_value, ramp.inputs["From Max"].default_value]
    try:
        colours.make(surface, "smoke")
        missing = ""
    except colours.NoAttribute as error:
        missing = str(error)
    hidden = sorted(t.name for t in bpy.data.objects if t.hide_render)
    note = os.path.join(folder, "bake", "run", "note.txt")
    with open(note, "w", encoding="ascii") as file:
        file.write("mine\n")
    replayed = sorted(bpy.ops.weir.replay_bake())
    count = sum(len(names) for _, _, names in os.walk(os.path.join(folder, "bake")))
    freed = sorted(bpy.ops.weir.free_bake())
    left = sorted(os.path.relpath(os.path.join(place, name), folder) for place, _, names in os.walk(folder)
                  for name in names)
    say(before=before, measured=measured, stale=stale, fresh=fresh, polls=polls, done=done, baked=baked, fell=fell,
        materials=materials, ink=ink, hidden=hidden, replayed=replayed, freed=freed, left=left, count=count,
        missing=missing, painted=painted, own=own, shown_range=shown_range, gone=not any(
            t.get("weir_baked") for t in bpy.data.objects), shown=[t.name for t in bpy.data.objects if t.hide_render],
        drop=drop.display_type)


def resumed(folder, weir):
    """Stops a bake, changes the scene, and resumes it as it was begun; then bakes the changed scene."""
    scene, _ = basin(20)
    os.environ["PATH"] = os.path.dirname(weir) + os.pathsep + os.environ["PATH"]
    scene.frame_end, scene.weir.folder = 25, os.path.join(folder, "bake")
    bake = module("bake").Bake(scene.weir.folder)
    bake.start()
    while bake.done() < 3 and bake.goes_on():
        time.sleep(0.02)
    bake.cancel()
    bake.process.wait()
    stopped, before = bake.done(), bpy.ops.weir.resume_bake.poll()
    cube("late", "FLUID", (0, 0, 1.5), (0.3, 0.3, 0.3))
    scene.frame_end = 30
    done = sorted(bpy.ops.weir.resume_bake())
    with open(os.path.join(folder, "bake", "scene.json"), encoding="utf-8") as file:
        fills = json.load(file)["fluids"][0]["fill"]
    first = [module("bake").frames_done(scene.weir.folder), type(fills).__name__]
    after = bpy.ops.weir.resume_bake.poll()
    scene.frame_end = 4
    bpy.ops.weir.bake()
    with open(os.path.join(folder, "bake", "scene.json"), encoding="utf-8") as file:
        fills = json.load(file)["fluids"][0]["fill"]
    say(stopped=stopped, before=before, done=done, first=first, after=after,
        second=[module("bake").frames_done(scene.weir.folder), type(fills).__name__],
        surfaces=len([n for n in os.listdir(os.path.join(folder, "bake", "run", "mesh")) if n.startswith("surf")]))


def failing(folder, weir):
    """Bakes scenes that the program refuses, without a saved file, and into a folder with other files."""
    scene, _ = basin(16)
    os.environ["PATH"] = os.path.dirname(weir) + os.pathsep + os.environ["PATH"]
    found = {}

    def attempt(name):
        try:
            found[name] = "".join(bpy.ops.weir.bake())
        except RuntimeError as error:
            found[name] = str(error)

    scene.weir.folder = "//weir"
    attempt("unsaved")
    scene.weir.folder, scene.weir.overrides = os.path.join(folder, "bake"), "solver.vortices=2"
    attempt("unknown key")
    scene.weir.overrides, scene.frame_end = "", 3
    os.makedirs(os.path.join(folder, "bake", "run"), exist_ok=True)
    with open(os.path.join(folder, "bake", "run", "letter.txt"), "w", encoding="ascii") as file:
        file.write("mine\n")
    attempt("other files")
    say(found=found, kept=os.path.exists(os.path.join(folder, "bake", "run", "letter.txt")))


TASKS = {"profile": profile, "schema": schema, "roles": roles, "animated": animated, "migrated": migrated,
         "refusals": refusals, "programs": programs, "panels": panels, "shots": shots, "resumed": resumed,
         "failing": failing}


def main(tasks):
    if not bpy.app.binary_path:  # Python with bpy starts without the user's preferences
        bpy.ops.wm.read_userpref()
        bpy.ops.wm.read_homefile(app_template="")
    arguments = sys.argv[sys.argv.index("--") + 1:]
    tasks[arguments[0]](*arguments[1:])


if __name__ == "__main__":
    main(TASKS)
