"""Shows the frames of a bake in the Blender scene, and takes them away again."""

import json
import os

import bpy
from mathutils import Quaternion, Vector

from . import cache, frame_meshes, import_bodies, rendering, run_files, shape_meshes, staging
from .run_files import BadFile

HIDDEN = "weir_shown_as"  # custom property of an object that a bake hides: how it was displayed, and rendered
REPLACED = ("DOMAIN", "FLUID", "EMITTER", "SINK", "BODY", "CLOTH",
            "SOFT_BODY", "WHITEWATER")  # roles that the bake stands for


def read_text(path):
    """Returns the text of a file; None if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return None


# ---- objects of a bake ---------------------------------------------------------------------------

def hide(thing):
    """Hides an object from pictures, and shows it as its bounds."""
    if HIDDEN not in thing:
        thing[HIDDEN] = json.dumps([thing.display_type, thing.hide_render])
    thing.hide_render, thing.display_type = True, "BOUNDS"


def reveal(thing):
    """Shows an object as before the bake."""
    if HIDDEN in thing:
        thing.display_type, thing.hide_render = json.loads(thing[HIDDEN])
        del thing[HIDDEN]


def forget():
    """Removes the objects of an earlier bake, and shows those that it stood for."""
    for thing in [t for t in bpy.data.objects if t.get("weir_baked")]:
        mesh, groups = thing.data, [m.node_group for m in thing.modifiers if m.type == "NODES" and
                                    m.name == "weir balls"]
        bpy.data.objects.remove(thing)
        if mesh and mesh.users == 0:
            bpy.data.meshes.remove(mesh)
        for group in groups:
            bpy.data.node_groups.remove(group)
    for thing in bpy.data.objects:
        reveal(thing)


def source_of(sources, name, role):
    """Returns the user's object that became an object of the scene file; None if it is gone. `sources`: the names
    of objects by those in the scene file.
    """
    thing = bpy.context.scene.objects.get(sources.get(name, ""))
    return thing if thing and thing.weir.role == role else None


# ---- bodies, cloths and soft bodies --------------------------------------------------------------

def body_poses(name, frames, start):
    """Returns the locations and rotations of a body's object, from its matrix at the start."""
    at, turn, _ = start.decompose()
    first = shape_meshes.upright(frames[0][1][name][0])
    places, turns = [], []
    for _, poses in frames:
        position, (x, y, z, w) = poses[name]
        q = Quaternion((w, *shape_meshes.upright((x, y, z))))
        places.append(Vector(shape_meshes.upright(position)) + q @ (at - Vector(first)))
        turns.append(q @ turn)
        if len(turns) > 1 and turns[-2].dot(turns[-1]) < 0:
            turns[-1].negate()
    return places, turns


def load_bodies(run, sources):
    """Makes a moving copy, with mesh, modifiers and materials, of each object that is a rigid body."""
    scene, path = bpy.context.scene, os.path.join(run.folder, "bodies.jsonl")
    if not run.many("bodies") or not os.path.exists(path):
        return []
    frames, made = import_bodies.read_frames(path), []
    for body in run.many("bodies"):
        thing = source_of(sources, body["name"], "BODY")
        if not thing:
            continue
        kept = scene.frame_current
        scene.frame_set(scene.frame_start)
        start = thing.matrix_world.copy()
        scene.frame_set(kept)
        copy = thing.copy()
        copy.name = thing.name + " (baked)"
        copy.animation_data_clear()
        copy.parent, copy.weir.role = None, "NONE"
        copy.constraints.clear()
        scene.collection.objects.link(copy)
        copy.matrix_world = start
        copy.hide_render, copy.display_type = False, "TEXTURED"
        places, turns = body_poses(body["name"], frames, start)
        import_bodies.animate(copy, [number for number, _ in frames], places, turns)
        made.append(copy)
    return made


def load_deformables(run, sources):
    """Makes an object of each cloth and soft body, with the materials of the user's object."""
    made = []
    for kind, role in (("cloths", "CLOTH"), ("soft_bodies", "SOFT_BODY")):
        for one in run.many(kind):
            folder = os.path.join(run.folder, staging.DEFORMABLES[kind])
            path = run_files.first_file(folder, one["name"] + "_", (".ply", ".obj"))
            thing = source_of(sources, one["name"], role)
            if not path or not thing:
                continue
            shown = frame_meshes.load_sequence(path, set_range=False)
            shown.name = thing.name + " (baked)"
            for slot in thing.material_slots:
                shown.data.materials.append(slot.material)
            made.append(shown)
    return made


def load(folder):
    """Brings the bake in a folder into the scene, with motion blur. The objects that it stands for are no
    longer rendered, until `forget`. Returns the new objects.
    """
    forget()
    scene = bpy.context.scene
    surface = run_files.first_file(os.path.join(folder, "run", "mesh"), "surface")
    if not surface:
        raise BadFile("%s contains no baked frames: press Bake" % folder)
    run, sources = run_files.run_of(surface), cache.sources(folder)
    own = [thing for thing in scene.objects if thing.weir.role in REPLACED]
    for thing in own:
        reveal(thing)
    things = staging.load_fluid(surface, run, set_range=False) + load_bodies(run, sources)
    things += load_deformables(run, sources)
    for thing in things:
        thing["weir_baked"] = True
    for thing in own:
        hide(thing)
    scene.render.engine = "CYCLES"
    scene.render.use_motion_blur = True
    rendering.skip_denoiser(scene)
    frame_meshes.on_frame(scene)
    return things
