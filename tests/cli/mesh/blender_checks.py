"""Runs inside Blender for test_blender.py: `blender -b --python blender_checks.py -- TASK ...`. Every task
prints one line "RESULT {json}".
"""
import json
import os
import sys
import time

import bmesh
import bpy

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "tools", "blender")
sys.path.insert(0, TOOLS)
import weir_addon  # noqa: E402


def say(**values):
    print("RESULT " + json.dumps(values))


def give_role(name, role):
    """Names the active object and gives it a role. Returns the values of its roles."""
    thing = bpy.context.object
    thing.name, thing.weir.role = name, role
    return thing.weir


def figures(thing):
    mesh, work = thing.data, bmesh.new()
    work.from_mesh(mesh)
    bad = sum(1 for edge in work.edges if not edge.is_manifold)
    volume = work.calc_volume(signed=True) if work.faces else 0
    work.free()
    velocity = mesh.attributes.get("velocity")
    return {"vertices": len(mesh.vertices), "faces": len(mesh.polygons), "non_manifold": bad,
            "volume": volume, "top": max((v.co.z for v in mesh.vertices), default=0),
            "velocity": list(velocity.data[0].vector) if velocity else None,
            "velocity_is": [velocity.data_type, velocity.domain] if velocity else None,
            "attributes": sorted(a.name for a in mesh.attributes),
            "normals": mesh.has_custom_normals}


def load(path, without_numpy):
    """Loads all frames of a sequence into one object, one after the other."""
    from weir_addon import run_files
    from weir_addon import frame_meshes
    if without_numpy:
        run_files.numpy = None
    thing = frame_meshes.load_sequence(path)
    scene, frames = bpy.context.scene, {}
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        frames[frame] = figures(thing)
    scene.frame_set(scene.frame_end + 5)
    held = figures(thing)["vertices"]
    scene.frame_set(scene.frame_start - 1)
    before = figures(thing)["vertices"]
    say(range=[scene.frame_start, scene.frame_end], frames=frames, held=held, before=before,
        objects=[t.name for t in bpy.data.objects if t.type == "MESH" and "weir_before" in t])


def follow(path, later, target):
    """Adds a frame while the sequence is shown."""
    from weir_addon import frame_meshes
    frame_meshes.load_sequence(path)
    before = bpy.context.scene.frame_end
    os.replace(later, target)
    grown = frame_meshes.refresh()
    say(before=before, after=bpy.context.scene.frame_end, grown=grown)


def light_and_camera(thing, engine):
    scene = bpy.context.scene
    for other in [t for t in bpy.data.objects if t.name in ("Cube", "Light", "Camera")]:
        bpy.data.objects.remove(other)
    box = [thing.matrix_world @ __import__("mathutils").Vector(c) for c in thing.bound_box]
    middle = sum(box, box[0] * 0) / 8
    size = max((c - middle).length for c in box)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location = middle + __import__("mathutils").Vector((1.4, -2.6, 1.2)) * size
    camera.rotation_euler = (middle - camera.location).to_track_quat("-Z", "Y").to_euler()
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy, sun.rotation_euler = 4, (0.7, 0.2, 0.4)
    for new in (camera, sun):
        scene.collection.objects.link(new)
    scene.camera = camera
    material = bpy.data.materials.new("water")
    material.diffuse_color = (0.1, 0.4, 0.8, 1)
    material.use_nodes = True
    material.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.1, 0.4, 0.8, 1)
    thing.data.materials.append(material)
    scene.render.engine = engine
    scene.render.resolution_x, scene.render.resolution_y = 320, 240
    scene.render.resolution_percentage = 100


def render(path, frame, picture, blur):
    """Renders one frame with Cycles on the CPU, with or without motion blur."""
    from weir_addon import frame_meshes
    thing = frame_meshes.load_sequence(path)
    scene = bpy.context.scene
    scene.frame_set(int(frame))
    light_and_camera(thing, "CYCLES")
    scene.cycles.device, scene.cycles.samples = "CPU", 8
    scene.cycles.use_denoising, scene.cycles.seed = False, 1
    scene.render.use_motion_blur = blur == "blur"
    scene.render.motion_blur_shutter = 1.0
    scene.render.fps = 24
    scene.render.filepath = picture
    bpy.ops.render.render(write_still=True)
    pixels = list(bpy.data.images.load(picture).pixels)
    say(mean=sum(pixels) / len(pixels), blue=sum(1 for i in range(0, len(pixels), 4)
                                                 if pixels[i + 2] > pixels[i] + 0.1))


def export(path):
    """Exports a scene of primitives, one of them moving, back to Weir."""
    from weir_addon import export_scene
    scene = bpy.context.scene
    for other in list(bpy.data.objects):
        bpy.data.objects.remove(other)
    scene.frame_start, scene.frame_end, scene.render.fps = 1, 25, 24
    bpy.ops.mesh.primitive_cube_add(size=2, location=(0, 0, 1))
    give_role("domain", "DOMAIN")
    bpy.ops.mesh.primitive_cube_add(size=1, location=(-0.3, 0.1, 0.6), scale=(1, 1, 0.8))
    give_role("water", "FLUID").fluid.velocity = (0.0, 1.0, -2.0)
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.2, location=(0.6, 0, 0.3))
    paddle = bpy.context.object
    give_role("paddle 1", "SOLID")
    paddle.keyframe_insert("location", frame=5)
    paddle.location, paddle.rotation_euler = (0.6, 0.5, 0.3), (0, 0, 1.5707963)
    paddle.keyframe_insert("location", frame=20)
    bpy.ops.object.select_all(action="SELECT")
    scene.weir.use_whitewater = False
    export_scene.export(path, 0.05)
    say(exported=True)


def export_open(path):
    """Exports a pool with three sheets: one to be filled, one with a thickness, and one that is only a solid.
    """
    from weir_addon import export_scene
    for other in list(bpy.data.objects):
        bpy.data.objects.remove(other)
    bpy.ops.mesh.primitive_cube_add(size=2, location=(0, 0, 1))
    give_role("domain", "DOMAIN")
    bpy.ops.mesh.primitive_cylinder_add(radius=0.3, depth=0.6, location=(-0.5, 0, 0.5), end_fill_type="NOTHING",
                                        vertices=12)
    give_role("water", "FLUID")
    bpy.ops.mesh.primitive_plane_add(size=0.4, location=(0.5, 0, 0.5))
    give_role("sheet", "SOLID")
    bpy.ops.mesh.primitive_plane_add(size=0.4, location=(0.5, 0, 1.2))
    give_role("shell", "SOLID").solid.thickness = 0.1
    bpy.ops.object.select_all(action="SELECT")
    say(warnings=export_scene.export(path, 0.05).warnings)


def pool(folder):
    """Makes a block of water that falls onto a rising ball, an emitter, and a moving camera."""
    scene = bpy.context.scene
    for other in list(bpy.data.objects):
        bpy.data.objects.remove(other)
    scene.frame_start, scene.frame_end, scene.render.fps = 1, 13, 24
    bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.5))
    give_role("domain", "DOMAIN")
    bpy.ops.mesh.primitive_cube_add(size=1, location=(-0.2, 0, 0.4), scale=(0.5, 0.9, 0.7))
    water = give_role("water", "FLUID").fluid
    water.dynamic_viscosity, water.surface_tension = 0.01, 0.07
    tint = scene.weir.attributes.add()
    tint.name, tint.components, tint.initial = "tint", 3, (0.1, 0.2, 0.4, 0)
    bpy.ops.mesh.primitive_plane_add(size=0.3, location=(0.4, 0, 0.8), rotation=(0, -1.5707963, 0))
    opening = give_role("emitter", "EMITTER").emitter
    opening.fluid, opening.speed = bpy.data.objects["water"], 2.0
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.15, location=(0.3, 0, 0.2))
    ball = bpy.context.object
    give_role("ball", "SOLID")
    ball.keyframe_insert("location", frame=1)
    ball.location = (0.3, 0, 0.4)
    ball.keyframe_insert("location", frame=13)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location, camera.rotation_euler = (0.0, -2.6, 0.6), (1.5307963, 0, 0)
    camera.keyframe_insert("location", frame=1)
    camera.location = (0.3, -2.4, 0.7)
    camera.keyframe_insert("location", frame=13)
    lamp = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    lamp.data.energy, lamp.rotation_euler = 4, (0.7, 0.2, 0.4)
    bpy.ops.mesh.primitive_plane_add(size=8, location=(0, 0, -0.01))
    bpy.context.object.name = "ground"
    for new in (camera, lamp):
        scene.collection.objects.link(new)
    scene.camera, scene.weir.use_whitewater = camera, True
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 240, 160, 100
    bpy.ops.wm.save_as_mainfile(filepath=os.path.join(folder, "shot.blend"))


def ball_sizes():
    """Returns by how much the balls of each kind are larger than their particles: points, or spheres, which are
    counted in full.
    """
    sizes, state = {}, bpy.context.evaluated_depsgraph_get()
    for ball in state.object_instances:
        if ball.object.type == "POINTCLOUD":
            own = bpy.data.objects[ball.object.name].data.attributes["radius"].data
            drawn = ball.object.data.attributes["radius"].data
            assert len(own) == len(drawn)
            sizes[ball.object.name] = round(drawn[0].value / own[0].value, 3)
    for thing in [t for t in bpy.data.objects if t.get("weir_balls") and t.data.vertices and t.name not in sizes]:
        made, own = thing.evaluated_get(state).data, thing.data
        assert len(made.vertices) % len(own.vertices) == 0 and "velocity" in made.attributes
        reach = (made.vertices[0].co - own.vertices[0].co).length
        sizes[thing.name] = round(reach / own.attributes["radius"].data[0].value, 3)
    return sizes


def set_bake(folder, program, spacing):
    """Chooses folder, program and spacing of the scene's bake. Returns the folder."""
    group, out = bpy.context.scene.weir, os.path.join(folder, "out")
    group.folder, group.resolution_by, group.spacing = out, "SPACING", spacing
    os.environ["PATH"] = os.path.dirname(program) + os.pathsep + os.environ["PATH"]
    return out


def bake(folder, program):
    """Stops a bake half way, continues it with the operator, and writes a .blend."""
    from weir_addon import bake, bake_operators, show_bake
    pool(folder)
    scene, out = bpy.context.scene, set_bake(folder, program, 0.07)
    bpy.data.objects["water"].weir.role = "NONE"
    bpy.data.objects["water"]["weir_role"] = "wet"
    try:
        bpy.ops.weir.bake()
        refused = ""
    except RuntimeError as error:  # an error that an operator reports
        refused = str(error)
    idle = bake_operators.running is None and bpy.ops.weir.bake.poll()
    bpy.data.objects["water"]["weir_role"] = "fluid"  # converted by the bake
    first = bake.Bake(out)
    first.start()
    while first.done() < 3 and first.goes_on():
        time.sleep(0.02)
    words = [first.progress()]
    first.cancel()
    words.append(first.progress())
    first.process.wait()
    first.check()
    stopped, early = first.done(), os.path.join(out, "run", "mesh", "surface_0002.ply")
    written = os.stat(early).st_mtime_ns
    done = bpy.ops.weir.bake()
    again = bake.Bake(out)
    again.start()
    show_bake.load(out)
    bpy.ops.wm.save_as_mainfile(filepath=os.path.join(folder, "baked.blend"))
    scene.frame_set(12)
    shown = {t.name: len(t.data.vertices) for t in bpy.data.objects if t.get("weir_baked")}
    sizes = ball_sizes()
    tints = {name: [list(row.vector) for row in bpy.data.objects[name].data.attributes["tint"].data]
             for name, count in shown.items() if count and name not in ("surface", "drops")}
    say(tints={name: [min(rows), max(rows)] for name, rows in tints.items()}, sizes=sizes, refused=refused, idle=idle, words=words, stopped=stopped, finished=sorted(done),
        frames=again.done(), ran_again=again.process is not None,
        kept=os.stat(early).st_mtime_ns == written, shown=shown,
        materials=sorted(m.name for m in bpy.data.materials if m.name.startswith("weir")),
        hidden=sorted(t.name for t in bpy.data.objects if t.hide_render))


SPACING = 0.05  # m: a bake that takes some seconds


def window(folder, program):
    """In Blender's window: Cancel stops a bake, Bake continues it, Estimate measures, and the panel shows the progress."""
    from weir_addon import bake, bake_operators, estimate, panels
    draw, words, drawn, told, seen = panels.WEIR_PT_bake.show, bake.Bake.progress, [], [], {}
    panels.WEIR_PT_bake.show = lambda *rest: drawn.append(draw(*rest))
    bake.Bake.progress = lambda bake: told.append(words(bake)) or told[-1]
    pool(folder)
    top, out = bpy.context.window_manager.windows[0], set_bake(folder, program, SPACING)
    bpy.context.view_layer.objects.active = bpy.data.objects["domain"]
    for area in top.screen.areas:
        if area.type == "PROPERTIES":
            area.spaces.active.context = "PHYSICS"

    def press(button):
        with bpy.context.temp_override(window=top):
            return sorted(button("INVOKE_DEFAULT"))

    def steps():
        """Each yield waits until the yielded function returns true."""
        yield lambda: drawn  # the window's first picture takes longest
        seen["began"] = press(bpy.ops.weir.bake)
        yield lambda: bake_operators.running.done() >= 3 and told
        seen["cancelled"], seen["refused"] = press(bpy.ops.weir.cancel_bake), not bpy.ops.weir.bake.poll()
        yield lambda: bake_operators.running is None
        seen["stopped"] = bake.frames_done(out)
        press(bpy.ops.weir.bake)
        yield lambda: bake_operators.running is None
        seen["frames"] = bake.frames_done(out)
        seen["shown"] = sorted(t.name for t in bpy.data.objects if t.get("weir_baked"))
        seen["measuring"] = press(bpy.ops.weir.estimate)
        yield lambda: bake_operators.checking is None
        seen["estimate"] = estimate.text_of(bpy.context.scene)

    left = steps()
    wait = [lambda: True]  # nothing yet

    def turn():
        try:
            if wait[0]():
                wait[0] = next(left)
            return 0.05
        except StopIteration:
            say(told=told, **seen)
        except Exception as error:
            print("window: %r" % error)
        bpy.ops.wm.quit_blender()

    bpy.app.timers.register(turn)


def baked(path, picture):
    """Renders a frame of a baked .blend with Cycles, with the water and without."""
    from weir_addon import frame_meshes
    frame_meshes.register_handlers()
    bpy.ops.wm.open_mainfile(filepath=path)
    frame_meshes.on_load(None)
    scene, means = bpy.context.scene, []
    scene.frame_set(12)
    scene.cycles.device, scene.cycles.samples = "CPU", 8
    scene.cycles.use_denoising, scene.cycles.seed = False, 1
    for hidden in (False, True):
        for thing in [t for t in bpy.data.objects if t.get("weir_baked")]:
            thing.hide_render = hidden
        scene.render.filepath = picture.replace(".png", "_%d.png" % hidden)
        bpy.ops.render.render(write_still=True)
        means.append(list(bpy.data.images.load(scene.render.filepath).pixels))
    differing = sum(abs(a - b) > 0.05 for a, b in zip(*means)) / len(means[0])
    say(differing=differing, engine=scene.render.engine, blur=scene.render.use_motion_blur)


def shader_inputs(name, kind):
    """Returns the values of a material's first node of a kind, by the names of its inputs."""
    node = next(n for n in bpy.data.materials[name].node_tree.nodes if n.bl_idname == kind)
    return {i.name: list(i.default_value) if hasattr(i.default_value, "__len__") else i.default_value
            for i in node.inputs if hasattr(i, "default_value")}


def stage(path, *options):
    """Reports the contents of a new file that was made without a window, and whether the camera sees all of
    it.
    """
    from weir_addon import frame_meshes
    from weir_addon import import_sequence
    from bpy_extras.object_utils import world_to_camera_view
    import_sequence.main(["--load", path, *options])
    scene, seen, places = bpy.context.scene, [], {}
    solids = [t for t in bpy.data.objects if t.animation_data]
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        bpy.context.view_layer.update()
        for thing in [t for t in frame_meshes.sequences() if t.name == "surface"]:
            seen += [list(world_to_camera_view(scene, scene.camera, thing.matrix_world @ v.co))
                     for v in thing.data.vertices]
        places[frame] = {t.name: [list(t.matrix_world @ t.data.vertices[0].co)] for t in solids if t.type == "MESH"}
    scene.frame_set(scene.frame_end)
    absorbing = shader_inputs("weir water", "ShaderNodeVolumeAbsorption")
    say(low=[min(s[k] for s in seen) for k in range(3)], high=[max(s[k] for s in seen) for k in range(2)],
        rate=scene.render.fps / scene.render.fps_base, places=places, sizes=ball_sizes(),
        objects={t.name: [m.name for m in t.data.materials] if t.type == "MESH" else t.type for t in bpy.data.objects},
        bounds={t.name: [list(t.bound_box[0]), list(t.bound_box[6])] for t in bpy.data.objects if t.type == "MESH"},
        glass=shader_inputs("weir water", "ShaderNodeBsdfGlass")["IOR"],
        absorption=[absorbing["Density"] * (1 - c) for c in absorbing["Color"][:3]],
        corners={t.name: len(t.data.vertices) for t in bpy.data.objects if t.type == "MESH"},
        size=[scene.render.resolution_x, scene.render.resolution_y], samples=scene.cycles.samples,
        engine=scene.render.engine, view=[scene.view_settings.view_transform, scene.view_settings.look],
        denoised=scene.cycles.use_denoising, angle=scene.camera.data.angle_y,
        eye=list(scene.camera.location), world=[n.bl_idname for n in scene.world.node_tree.nodes])


def bodies(run):
    """Reports each body's mesh, and the position of its first vertex in every frame."""
    from weir_addon import import_bodies
    things, scene = import_bodies.load_bodies(run), bpy.context.scene
    shown = {}
    for thing in things:
        shown[thing.name] = {"places": {}, "type": thing.type}
        if thing.data:
            shown[thing.name].update(figures(thing), colour=list(thing.data.materials[0].diffuse_color))
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        for thing in things:
            corner = thing.data.vertices[0].co if thing.data else (0, 0, 0)
            shown[thing.name]["places"][frame] = list(thing.matrix_world @ __import__("mathutils").Vector(corner))
    half = []  # angles of the rotation between frames
    for frame in range(scene.frame_start, scene.frame_end):
        scene.frame_set(frame, subframe=0.5)
        half.append(things[0].rotation_quaternion.magnitude)
    say(range=[scene.frame_start, scene.frame_end], rate=scene.render.fps / scene.render.fps_base, half=half,
        bodies=shown)


TASKS = {"load": lambda path: load(path, False), "load_plain": lambda path: load(path, True),
         "follow": follow, "stage": stage, "render": render, "export": export, "export_open": export_open,
         "bake": bake, "window": window, "baked": baked, "bodies": bodies}
arguments = sys.argv[sys.argv.index("--") + 1:]
weir_addon.register()
TASKS[arguments[0]](*arguments[1:])
