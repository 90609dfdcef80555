"""Objects whose mesh changes with every frame: the files of a sequence, read when Blender shows a frame."""

import array
import atexit
import os
import sys

import bpy
from bpy.app.handlers import persistent

from . import run_files
from .run_files import BadFile
from .materials import KINDS

WATCH_SECONDS = 2.0


# ---- meshes --------------------------------------------------------------------------------------

def turned(flat, z_up):
    """Converts to Blender's z up: y becomes z, z becomes -y."""
    if z_up or flat is None:
        return flat
    if run_files.numpy and hasattr(flat, "reshape"):
        rows = flat.reshape(-1, 3)
        return run_files.numpy.stack((rows[:, 0], -rows[:, 2], rows[:, 1]), axis=1).ravel()
    out = array.array("f", flat)
    out[1::3] = array.array("f", (-z for z in flat[2::3]))
    out[2::3] = flat[1::3]
    return out


def fill_mesh(mesh, surface, z_up):
    """Replaces all data of the mesh except its materials."""
    mesh.clear_geometry()
    vertices, corners = len(surface.points) // 3, len(surface.triangles)
    mesh.vertices.add(vertices)
    mesh.vertices.foreach_set("co", turned(surface.points, z_up))
    mesh.loops.add(corners)
    mesh.polygons.add(corners // 3)
    if corners:
        mesh.loops.foreach_set("vertex_index", surface.triangles)
        mesh.polygons.foreach_set("loop_start", array.array("i", range(0, corners, 3)))
        mesh.polygons.foreach_set("loop_total", array.array("i", [3]) * (corners // 3))
        mesh.polygons.foreach_set("use_smooth", [True] * (corners // 3))
    mesh.update(calc_edges=True)
    if surface.normals is not None and corners:
        if hasattr(mesh, "use_auto_smooth"):  # required for custom normals before 4.1
            mesh.use_auto_smooth = True
        flat = turned(surface.normals, z_up)
        rows = flat.reshape(-1, 3) if run_files.numpy else [flat[i:i + 3] for i in range(0, len(flat), 3)]
        mesh.normals_split_custom_set_from_vertices(rows)
    if not vertices:  # Blender creates no empty attributes
        return
    if surface.velocities is not None:
        attribute = mesh.attributes.new("velocity", "FLOAT_VECTOR", "POINT")
        attribute.data.foreach_set("vector", turned(surface.velocities, z_up))
    kinds = {2: ("FLOAT2", "vector"), 3: ("FLOAT_VECTOR", "vector"), 4: ("FLOAT_COLOR", "color")}
    for name, (components, values) in surface.vectors.items():
        kind, member = kinds[components]
        mesh.attributes.new(name, kind, "POINT").data.foreach_set(member, values)
    for name, values in surface.attributes.items():
        whole = name == "id"  # Blender's integers hold its lower 31 bits
        attribute = mesh.attributes.new(name, "INT" if whole else "FLOAT", "POINT")
        attribute.data.foreach_set("value", [int(v) & 0x7fffffff for v in values] if whole else values)


# ---- sequences -----------------------------------------------------------------------------------

def frames_of(thing):
    folder = bpy.path.abspath(thing["weir_folder"])
    if not os.path.isdir(folder):
        return {}
    return run_files.list_frames(folder, thing["weir_before"], thing["weir_after"])


def show_frame(thing, frame):
    """Loads the file of a frame into the object. A frame without a file shows the previous one, or nothing
    before the first.
    """
    frames = frames_of(thing)
    number = frame - thing["weir_offset"]
    if number not in frames:
        earlier = [n for n in frames if n < number]
        number = max(earlier) if earlier else None
    path = frames.get(number)
    stamp = "%s %d" % (path, os.stat(path).st_mtime_ns) if path else ""
    if thing.get("weir_shown") == stamp:
        return
    surface = run_files.Surface()
    if path:
        try:
            surface = run_files.read_surface(path)
        except (BadFile, OSError) as error:
            print("weir: %s" % error, file=sys.stderr)
    if path and "weir_kind" in thing:
        surface = run_files.only_kind(surface, thing["weir_kind"])
    up = thing["weir_up"]
    fill_mesh(thing.data, surface, surface.z_up if up == "AUTO" else up == "Z")
    thing["weir_shown"] = stamp


def sequences():
    return [thing for thing in bpy.data.objects if thing.type == "MESH" and "weir_before" in thing]


@persistent
def on_frame(scene, _depsgraph=None):
    for thing in sequences():
        show_frame(thing, scene.frame_current)


@persistent
def on_load(_file):
    for thing in sequences():
        thing["weir_shown"] = "?"
    on_frame(bpy.context.scene)


def load_sequence(path, up="AUTO", offset=0, set_range=True, kind=None):
    """Makes an object of the sequence that contains the file, and shows the current frame. `kind`: only
    whitewater of this kind, 0 spray, 1 foam, 2 bubbles.
    """
    folder, before, after = run_files.split_name(os.path.abspath(path))
    frames = run_files.list_frames(folder, before, after)
    if not frames:
        raise BadFile("%s: no such frames" % path)
    name = before.rstrip("_-. ") or "surface"
    mesh = bpy.data.meshes.new(name if kind is None else KINDS[kind])
    thing = bpy.data.objects.new(mesh.name, mesh)
    thing["weir_folder"], thing["weir_before"], thing["weir_after"] = folder, before, after
    thing["weir_offset"], thing["weir_up"], thing["weir_shown"] = offset, up, "?"
    if kind is not None:
        thing["weir_kind"] = kind
    bpy.context.scene.collection.objects.link(thing)
    if set_range:
        bpy.context.scene.frame_start = min(frames) + offset
        bpy.context.scene.frame_end = max(frames) + offset
    register_handlers()
    show_frame(thing, bpy.context.scene.frame_current)
    return thing


def refresh():
    """Extends the scene to frames that were written in the meantime; returns whether there were any."""
    scene, grown = bpy.context.scene, False
    for thing in sequences():
        frames = frames_of(thing)
        last = max(frames, default=None)
        if last is not None and last + thing["weir_offset"] > scene.frame_end:
            scene.frame_end = last + thing["weir_offset"]
            grown = True
        show_frame(thing, scene.frame_current)
    return grown


def watch():
    """Called by Blender's timer while a run continues."""
    if not bpy.context.scene.weir_watch:
        return None
    refresh()
    return WATCH_SECONDS


def register_handlers():
    for handlers, function in ((bpy.app.handlers.frame_change_pre, on_frame),
                               (bpy.app.handlers.load_post, on_load)):
        if function.__name__ not in [f.__name__ for f in handlers]:
            handlers.append(function)
    if not bpy.app.binary_path:  # Python with bpy 4.5.15 hangs at exit while there are handlers
        atexit.register(unregister_handlers)


def unregister_handlers():
    for handlers in (bpy.app.handlers.frame_change_pre, bpy.app.handlers.load_post):
        for function in [f for f in handlers if f.__name__ in ("on_frame", "on_load")]:
            handlers.remove(function)


def check_files():
    """Raises BadFile if the files of a sequence are missing."""
    for thing in sequences():
        if not frames_of(thing):
            raise BadFile("%s: the folder of \"%s\" has no %s*%s; meshes are not stored in the .blend file: put them "
                          "back, or load them again with --load" %
                          (bpy.path.abspath(thing["weir_folder"]), thing.name, thing["weir_before"],
                           thing["weir_after"]))
