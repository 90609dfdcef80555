"""Shows Weir's surfaces in Blender 3.4 and later: a sequence of OBJ or PLY files as one object that changes
with every frame, with motion blur.

As an add-on: Edit > Preferences > Add-ons > Install, choose this file, then File > Import > Weir surface
sequence. A .blend that contains such an object also needs the add-on for rendering.

Without a window:
  blender -b --python weir_sequence.py -- --load out/dam/mesh/surface_0001.ply --save dam.blend
  blender -b dam.blend --python weir_sequence.py -- --render 'frames/####.png' --frames 1:250
The first command makes a scene with camera and light around the surface; with your own .blend it adds the
surface to that.

Motion blur: PLY files contain the velocity of every vertex. It becomes the point attribute "velocity",
three floats in metres per second, from which Cycles computes blur although every frame has other vertices.
OBJ files have no velocities.

Files are rotated so that z is up, according to their header lines; the numbers in the file names are the
frame numbers.
"""

bl_info = {
    "name": "Weir surface sequences",
    "author": "the Weir project",
    "version": (1, 0, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > Weir surface sequence",
    "description": "Import fluid surfaces that change every frame, with motion blur",
    "category": "Import-Export",
}

import argparse
import array
import math
import os
import re
import struct
import sys

import bpy
from bpy.app.handlers import persistent
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty
from mathutils import Vector

try:
    import numpy
except ImportError:  # missing in the Blender of some distributions
    numpy = None

HEADER_MAX = 1 << 16
WATCH_SECONDS = 2.0
WHITEWATER = ("spray", "foam", "bubbles")  # in the order of their numbers
UPS = [("AUTO", "From the file", "Y, unless the file declares that Z is up"), ("Y", "Y", "Y is up"),
       ("Z", "Z", "Z is up")]


class BadFile(Exception):
    """Reports a fault of a file, with its name."""


# ---- files ---------------------------------------------------------------------------------------

class Surface:
    """Flat arrays: 3 numbers per vertex in points, normals and velocities, 3 per face in triangles, and other
    point attributes by name.
    """

    def __init__(self):
        self.points, self.triangles = array.array("f"), array.array("i")
        self.normals, self.velocities = None, None
        self.attributes = {}
        self.z_up = False


PLY_TYPES = {"char": "b", "int8": "b", "uchar": "B", "uint8": "B", "short": "h", "int16": "h",
             "ushort": "H", "uint16": "H", "int": "i", "int32": "i", "uint": "I", "uint32": "I",
             "float": "f", "float32": "f", "double": "d", "float64": "d"}


def ply_header(path, data):
    """Returns the byte order, the elements as (name, count, [(property, type, count type or None)]), whether
    z is up, and where the data start.
    """
    end = data.find(b"end_header", 0, HEADER_MAX)
    if not data.startswith(b"ply") or end < 0:
        raise BadFile("%s: not a PLY file" % path)
    start = data.index(b"\n", end) + 1
    order, elements, z_up = None, [], False
    for line in data[:end].decode("ascii", "replace").splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] == "format":
            order = {"binary_little_endian": "<", "binary_big_endian": ">"}.get(words[1])
        elif words[0] == "comment":
            z_up = z_up or "z up" in line
        elif words[0] == "element":
            elements.append((words[1], int(words[2]), []))
        elif words[0] == "property" and words[1] == "list":
            elements[-1][2].append((words[4], PLY_TYPES[words[3]], PLY_TYPES[words[2]]))
        elif words[0] == "property":
            elements[-1][2].append((words[2], PLY_TYPES[words[1]], None))
    if not order:
        raise BadFile("%s: an ASCII PLY file; only binary PLY is supported" % path)
    return order, elements, z_up, start


def ply_columns(path, data, start, order, count, properties):
    """Returns every scalar property of an element as one array, and where the element ends."""
    row = struct.Struct(order + "".join(kind for _, kind, _ in properties))
    if start + count * row.size > len(data):
        raise BadFile("%s: cut off" % path)
    names = [name for name, _, _ in properties]
    end = start + count * row.size
    if numpy:
        table = numpy.frombuffer(data, [(n, order + k) for n, k, _ in properties], count, start)
        return {name: table[name].astype("f4") for name in names}, end
    columns = [array.array("f") for _ in names]
    for values in struct.iter_unpack(row.format, data[start:end]):
        for column, value in zip(columns, values):
            column.append(value)
    return dict(zip(names, columns)), end


def ply_triangles(path, data, start, order, count, properties):
    (_, kind, count_kind), = properties
    row = struct.Struct(order + count_kind + 3 * kind)
    if start + count * row.size > len(data):
        raise BadFile("%s: cut off, or contains faces that are not triangles" % path)
    if numpy:
        table = numpy.frombuffer(data, [("n", order + count_kind), ("i", order + kind, (3,))], count,
                                 start)
        corners = table["i"].astype("i4").ravel()
        triangles = bool((table["n"] == 3).all())
    else:
        corners, triangles = array.array("i"), True
        for n, *face in struct.iter_unpack(row.format, data[start:start + count * row.size]):
            triangles = triangles and n == 3
            corners.extend(face)
    if not triangles:
        raise BadFile("%s: contains faces that are not triangles" % path)
    return corners


def interleave(columns, names):
    """Returns x, y and z of every vertex, interleaved; None if a column is missing."""
    if not all(name in columns for name in names):
        return None
    parts = [columns.pop(name) for name in names]
    if numpy:
        return numpy.stack(parts, axis=1).ravel()
    flat = array.array("f", bytes(4 * 3 * len(parts[0])))
    for k in range(3):
        flat[k::3] = parts[k]
    return flat


def read_ply(path):
    with open(path, "rb") as f:
        data = f.read()
    order, elements, z_up, at = ply_header(path, data)
    surface = Surface()
    surface.z_up = z_up
    for name, count, properties in elements:
        if name == "vertex":
            columns, at = ply_columns(path, data, at, order, count, properties)
            surface.points = interleave(columns, "xyz")
            surface.normals = interleave(columns, ("nx", "ny", "nz"))
            surface.velocities = interleave(columns, ("vx", "vy", "vz"))
            surface.attributes = columns
        elif name == "face":
            surface.triangles = ply_triangles(path, data, at, order, count, properties)
            break
        else:
            raise BadFile("%s: unexpected element \"%s\" before the faces" % (path, name))
    if surface.points is None:
        raise BadFile("%s: the vertices have no x, y and z" % path)
    return surface


def obj_numbers(lines, skip):
    """Returns all numbers of the lines, which start with `skip` letters."""
    text = b" ".join(line[skip:] for line in lines)
    if numpy:
        return numpy.array(text.split(), "f4") if text else numpy.zeros(0, "f4")
    return array.array("f", map(float, text.split()))


def obj_corner(word, count):
    index = int(word.split(b"/", 1)[0])
    return index - 1 if index > 0 else count + index


def obj_triangles(faces, count):
    corners = array.array("i")
    for line in faces:
        face = [obj_corner(word, count) for word in line.split()[1:]]
        for k in range(2, len(face)):  # polygons as fans
            corners.extend((face[0], face[k - 1], face[k]))
    return corners


def obj_same_normals(faces):
    """Returns whether every corner is "n//n", as Weir writes it, so that a vertex has one normal."""
    for line in faces[:1000]:
        for word in line.split()[1:]:
            parts = word.split(b"//")
            if len(parts) != 2 or parts[0] != parts[1]:
                return False
    return True


def read_obj(path):
    with open(path, "rb") as f:
        lines = f.read().splitlines()
    points = [line for line in lines if line.startswith(b"v ")]
    normals = [line for line in lines if line.startswith(b"vn ")]
    faces = [line for line in lines if line.startswith(b"f ")]
    surface = Surface()
    surface.z_up = any(b"z up" in line for line in lines[:4] if line.startswith(b"#"))
    try:
        surface.points = obj_numbers(points, 2)
        if len(surface.points) != 3 * len(points):
            raise ValueError("a vertex does not have three numbers")
        triangles = faces and all(line.count(b" ") == 3 for line in faces)
        if len(normals) == len(points) and obj_same_normals(faces):
            surface.normals = obj_numbers(normals, 3)
            if numpy and triangles:
                words = b" ".join(line[2:] for line in faces).replace(b"//", b" ").split()
                surface.triangles = numpy.array(words, "i4")[::2] - 1
                return surface
        surface.triangles = obj_triangles(faces, len(points))
    except ValueError as error:
        raise BadFile("%s: not an OBJ file: %s" % (path, error)) from error
    return surface


def read_surface(path):
    surface = read_ply(path) if path.lower().endswith(".ply") else read_obj(path)
    count = len(surface.points) // 3
    if len(surface.triangles) and not 0 <= min_max(surface.triangles)[0] <= \
            min_max(surface.triangles)[1] < count:
        raise BadFile("%s: a triangle refers to a vertex that does not exist" % path)
    return surface


def min_max(values):
    return (values.min(), values.max()) if numpy and hasattr(values, "min") else (min(values),
                                                                                  max(values))


def chosen(flat, keep):
    """Returns the values of the vertices that are kept."""
    if flat is None:
        return None
    size = len(flat) // len(keep) if len(keep) else 1
    if numpy:
        return numpy.asarray(flat).reshape(-1, size)[numpy.array(keep, bool)].ravel()
    return array.array("f", (flat[size * i + k] for i in range(len(keep)) if keep[i] for k in range(size)))


def only_kind(surface, kind):
    """Keeps only whitewater of one kind; its files have no faces."""
    keep = [value == kind for value in surface.attributes.get("kind", ())]
    one = Surface()
    one.z_up, one.points = surface.z_up, chosen(surface.points, keep)
    one.velocities = chosen(surface.velocities, keep)
    one.attributes = {name: chosen(values, keep) for name, values in surface.attributes.items()}
    return one


# ---- meshes --------------------------------------------------------------------------------------

def turned(flat, z_up):
    """Converts to Blender's z up: y becomes z, z becomes -y."""
    if z_up or flat is None:
        return flat
    if numpy and hasattr(flat, "reshape"):
        rows = flat.reshape(-1, 3)
        return numpy.stack((rows[:, 0], -rows[:, 2], rows[:, 1]), axis=1).ravel()
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
        rows = flat.reshape(-1, 3) if numpy else [flat[i:i + 3] for i in range(0, len(flat), 3)]
        mesh.normals_split_custom_set_from_vertices(rows)
    if not vertices:  # Blender creates no empty attributes
        return
    if surface.velocities is not None:
        attribute = mesh.attributes.new("velocity", "FLOAT_VECTOR", "POINT")
        attribute.data.foreach_set("vector", turned(surface.velocities, z_up))
    for name, values in surface.attributes.items():
        whole = name == "id"  # which Blender stores in 31 bits
        attribute = mesh.attributes.new(name, "INT" if whole else "FLOAT", "POINT")
        attribute.data.foreach_set("value", [int(v) & 0x7fffffff for v in values] if whole else values)


# ---- sequences -----------------------------------------------------------------------------------

def split_name(path):
    """Splits the file's name around its last number: before, digits, after."""
    folder, name = os.path.split(path)
    stem, extension = os.path.splitext(name)
    found = re.match(r"^(.*?)(\d+)(\D*)$", stem)
    if not found:
        raise BadFile("%s: the file name has no frame number" % path)
    return folder, found.group(1), found.group(3) + extension


def list_frames(folder, before, after):
    """Returns paths by frame number."""
    pattern = re.compile(re.escape(before) + r"(\d+)" + re.escape(after) + "$")
    frames = {}
    for name in os.listdir(folder):
        found = pattern.match(name)
        if found:
            frames[int(found.group(1))] = os.path.join(folder, name)
    return frames


def frames_of(thing):
    folder = bpy.path.abspath(thing["weir_folder"])
    if not os.path.isdir(folder):
        return {}
    return list_frames(folder, thing["weir_before"], thing["weir_after"])


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
    surface = Surface()
    if path:
        try:
            surface = read_surface(path)
        except (BadFile, OSError) as error:
            print("weir: %s" % error, file=sys.stderr)
    if path and "weir_kind" in thing:
        surface = only_kind(surface, thing["weir_kind"])
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
    folder, before, after = split_name(os.path.abspath(path))
    frames = list_frames(folder, before, after)
    if not frames:
        raise BadFile("%s: no such frames" % path)
    name = before.rstrip("_-. ") or "surface"
    mesh = bpy.data.meshes.new(name if kind is None else WHITEWATER[kind])
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
    """Adds frames that were written since; returns whether there were any."""
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


# ---- in Blender's window -------------------------------------------------------------------------

def set_watch(scene, _context):
    if scene.weir_watch and not bpy.app.timers.is_registered(watch):
        bpy.app.timers.register(watch, first_interval=WATCH_SECONDS)


class WEIR_OT_load(bpy.types.Operator):
    """Load a sequence of surfaces: choose any of its files"""
    bl_idname = "weir.load_sequence"
    bl_label = "Weir surface sequence"
    bl_options = {"UNDO"}

    filepath: StringProperty(subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.ply;*.obj", options={"HIDDEN"})
    up: EnumProperty(name="Up axis of the files", items=UPS)
    offset: IntProperty(name="Frame offset", description="Added to the frame number in the file name")
    set_range: BoolProperty(name="Set the scene's frame range", default=True)

    def invoke(self, context, _event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, _context):
        try:
            load_sequence(self.filepath, self.up, self.offset, self.set_range)
        except (BadFile, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class WEIR_OT_refresh(bpy.types.Operator):
    """Take in frames that were written since"""
    bl_idname = "weir.refresh"
    bl_label = "Refresh"

    def execute(self, _context):
        refresh()
        return {"FINISHED"}


class WEIR_PT_sequence(bpy.types.Panel):
    bl_label = "Weir surface"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "object"

    @classmethod
    def poll(cls, context):
        return context.object is not None and "weir_before" in context.object

    def draw(self, context):
        thing, layout = context.object, self.layout
        layout.label(text="%s*%s" % (thing["weir_before"], thing["weir_after"]))
        layout.prop(thing, '["weir_offset"]', text="Frame offset")
        layout.prop(context.scene, "weir_watch")
        layout.operator("weir.refresh")


CLASSES = (WEIR_OT_load, WEIR_OT_refresh, WEIR_PT_sequence)


def menu_entry(self, _context):
    self.layout.operator(WEIR_OT_load.bl_idname, text="Weir surface sequence (.ply, .obj)")


def register_handlers():
    for handlers, function in ((bpy.app.handlers.frame_change_pre, on_frame),
                               (bpy.app.handlers.load_post, on_load)):
        if function.__name__ not in [f.__name__ for f in handlers]:
            handlers.append(function)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Scene.weir_watch = BoolProperty(
        name="Follow a run", description="Check for new frames every two seconds", update=set_watch)
    bpy.types.TOPBAR_MT_file_import.append(menu_entry)
    register_handlers()


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(menu_entry)
    for handlers in (bpy.app.handlers.frame_change_pre, bpy.app.handlers.load_post):
        for function in [f for f in handlers if f.__name__ in ("on_frame", "on_load")]:
            handlers.remove(function)
    del bpy.types.Scene.weir_watch
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)


# ---- without a window ----------------------------------------------------------------------------

def corners_over_time(thing, scene):
    """Returns the corners of the object's bounding boxes in its first, middle and last frame, in world space.
    """
    corners = []
    for frame in {scene.frame_start, (scene.frame_start + scene.frame_end) // 2, scene.frame_end}:
        scene.frame_set(frame)
        corners += [thing.matrix_world @ Vector(corner) for corner in thing.bound_box]
    scene.frame_set(scene.frame_start)
    return corners


def set_stage(thing):
    """Replaces Blender's default scene by camera, light and a colour, such that the surface fills the
    picture.
    """
    scene = bpy.context.scene
    for other in [o for o in bpy.data.objects if o != thing]:
        bpy.data.objects.remove(other)
    corners = corners_over_time(thing, scene)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    for made in (camera, sun):
        scene.collection.objects.link(made)
    camera.rotation_euler = (math.radians(68), 0, math.radians(18))
    scene.camera = camera
    bpy.context.view_layer.update()
    coordinates = [number for corner in corners for number in corner]
    position, _ = camera.camera_fit_coords(bpy.context.evaluated_depsgraph_get(), coordinates)
    centre = sum(corners, Vector()) / len(corners)
    camera.location = position + 0.1 * (position - centre)
    camera.data.clip_end = 10 * (position - centre).length + 1
    sun.rotation_euler = (math.radians(40), math.radians(-15), math.radians(-25))
    sun.data.energy, sun.data.angle = 4, 0.05
    water = bpy.data.materials.new("water")
    water.use_nodes = True
    shader = water.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (0.02, 0.16, 0.38, 1)
    shader.inputs["Roughness"].default_value = 0.15
    thing.data.materials.append(water)
    scene.world = scene.world or bpy.data.worlds.new("world")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.6, 0.65, 0.7, 1)


def main(arguments):
    parser = argparse.ArgumentParser(prog="blender -b [FILE] --python weir_sequence.py --")
    parser.add_argument("--load", metavar="FILE", help="any file of a sequence")
    parser.add_argument("--up", choices=["auto", "y", "z"], default="auto")
    parser.add_argument("--save", metavar="BLEND", help="write a .blend")
    parser.add_argument("--render", metavar="PATTERN", help="render to this path; #### stands for the frame number")
    parser.add_argument("--frames", metavar="A:B", help="frames to render; default: the scene's range")
    options = parser.parse_args(arguments)
    scene = bpy.context.scene
    if options.load:
        thing = load_sequence(options.load, options.up.upper())
        if not bpy.data.filepath:  # not a user's file: only Blender's default scene is open
            set_stage(thing)
    else:
        on_load(None)
    if options.save:
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(options.save))
    if options.render:
        first, last = scene.frame_start, scene.frame_end
        if options.frames:
            first, _, last = options.frames.partition(":")
        scene.frame_start, scene.frame_end = int(first), int(last or first)
        scene.render.filepath = os.path.abspath(options.render)
        bpy.ops.render.render(animation=True)


if __name__ == "__main__":
    register()
    if "--" in sys.argv:
        try:
            main(sys.argv[sys.argv.index("--") + 1:])
        except (BadFile, OSError) as error:
            print("weir: %s" % error, file=sys.stderr)
            sys.exit(1)
