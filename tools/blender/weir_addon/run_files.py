"""Reads the files of a run: surfaces and particles as PLY and OBJ, solids also as STL, and run.json."""

import array
import json
import os
import re
import struct

try:
    import numpy
except ImportError:  # missing in the Blender of some distributions
    numpy = None

HEADER_MAX = 1 << 16


class BadFile(Exception):
    """Reports an error in a file, with its name."""


# ---- files ---------------------------------------------------------------------------------------

class Surface:
    """Flat arrays: 3 numbers per vertex in points, normals and velocities, 3 per face in triangles, and other
    point attributes by name.
    """

    def __init__(self):
        self.points, self.triangles = array.array("f"), array.array("i")
        self.normals, self.velocities = None, None
        self.attributes = {}
        self.vectors = {}  # attributes of several numbers: how many, and the values, interleaved
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
    """Returns the columns of every vertex, interleaved; None if a column is missing."""
    if not all(name in columns for name in names):
        return None
    parts = [columns.pop(name) for name in names]
    if numpy:
        return numpy.stack(parts, axis=1).ravel()
    flat = array.array("f", bytes(4 * len(parts) * len(parts[0])))
    for k, part in enumerate(parts):
        flat[k::len(parts)] = part
    return flat


def take_vectors(columns):
    """Takes the columns NAME_x, NAME_y and so on from the table; returns, by NAME, how many there are and their
    interleaved values."""
    vectors = {}
    for base in [name[:-2] for name in columns if name.endswith("_x")]:
        parts = [base + end for end in ("_x", "_y", "_z", "_w") if base + end in columns]
        if len(parts) > 1:
            vectors[base] = len(parts), interleave(columns, parts)
    return vectors


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
            surface.vectors = take_vectors(columns)
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
    """Returns the values of the vertices for which `keep` is true; None for None."""
    if flat is None:
        return None
    size = len(flat) // len(keep) if len(keep) else 1
    if numpy:
        return numpy.asarray(flat).reshape(-1, size)[numpy.array(keep, bool)].ravel()
    return array.array("f", (flat[size * i + k] for i in range(len(keep)) if keep[i] for k in range(size)))


def only_kind(surface, kind):
    """Returns only the whitewater of one kind; files of whitewater have no faces."""
    keep = [value == kind for value in surface.attributes.get("kind", ())]
    one = Surface()
    one.z_up, one.points = surface.z_up, chosen(surface.points, keep)
    one.velocities = chosen(surface.velocities, keep)
    one.attributes = {name: chosen(values, keep) for name, values in surface.attributes.items()}
    one.vectors = {name: (components, chosen(values, keep)) for name, (components, values) in surface.vectors.items()}
    return one


def read_stl(path):
    """Returns points and triangles of a binary or ASCII STL file."""
    with open(path, "rb") as f:
        data = f.read()
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= 84 else -1
    if len(data) == 84 + 50 * count:
        points = [row[3 * k:3 * k + 3] for row in struct.iter_unpack("<12f2x", data[84:]) for k in (1, 2, 3)]
    else:
        words = data.decode("ascii", "replace").split()
        points = [tuple(map(float, words[i + 1:i + 4])) for i, word in enumerate(words) if word == "vertex"]
    if not points or len(points) % 3:
        raise BadFile("%s: not an STL file" % path)
    return points, [(i, i + 1, i + 2) for i in range(0, len(points), 3)]


# ---- sequences of files --------------------------------------------------------------------------

def split_name(path):
    """Splits the file's name around its last number: before, digits, after."""
    folder, name = os.path.split(path)
    stem, extension = os.path.splitext(name)
    found = re.match(r"^(.*?)(\d+)(\D*)$", stem)
    if not found:
        raise BadFile("%s: the file name has no frame number" % path)
    return folder, found.group(1), found.group(3) + extension


def list_frames(folder, before, after):
    """Returns a dictionary from frame number to path."""
    pattern = re.compile(re.escape(before) + r"(\d+)" + re.escape(after) + "$")
    frames = {}
    for name in os.listdir(folder):
        found = pattern.match(name)
        if found:
            frames[int(found.group(1))] = os.path.join(folder, name)
    return frames


def first_file(folder, before="", endings=(".ply",)):
    """Returns the first file of a folder whose name starts with `before` and has a number; None without one."""
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return next((os.path.join(folder, name) for name in names
                 if name.startswith(before) and name.endswith(endings) and re.search(r"\d", name)), None)


def find_surface(path):
    """Returns a file of the sequence that a user named by one of its files, its folder, or the folder of its run."""
    if not os.path.isdir(path):
        if not os.path.exists(path):
            raise BadFile("%s: no such file or folder; give a surface of a run, such as out/dam/mesh/surface_0001.ply, "
                          "or the run's folder" % path)
        return path
    for folder in (os.path.join(path, "mesh"), path):
        found = first_file(folder, "surface", (".ply", ".obj")) or first_file(folder, "", (".ply", ".obj"))
        if found:
            return found
    raise BadFile("%s: contains no surfaces (PLY or OBJ); `weir mesh RUN --format ply` makes them of a run, and "
                  "`weir run ... --mesh ply` along with it" % path)


# ---- runs ----------------------------------------------------------------------------------------

class Run:
    """The folder of a run and its run.json. A surface without one has an empty scene."""

    def __init__(self, folder):
        self.folder, self.path = folder, os.path.join(folder, "run.json")
        self.values = {}
        if os.path.exists(self.path):
            try:
                with open(self.path, encoding="utf-8") as file:
                    self.values = json.load(file)
                self.scene["frame_rate"], self.scene["domain"]["min"]
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise BadFile("%s: not the run.json of a run (%s)" % (self.path, error)) from error

    @property
    def scene(self):
        return self.values.get("scene") or {}

    @property
    def whitewater_kinds(self):
        """Spray, foam and bubbles; tracers are the fourth kind if the scene has an emitter of them."""
        emitters = (self.scene.get("whitewater") or {}).get("emitters", ())
        return 3 + any(emitter.get("kind", "tracer") == "tracer" for emitter in emitters)

    @property
    def output(self):
        return self.values.get("output") or {}

    @property
    def scale(self):
        return float(self.output.get("scale", 1))

    @property
    def frame_rate(self):
        return float(self.scene["frame_rate"]) if self.scene else None

    def time_of(self, frame):
        """Returns the time of a frame, in seconds."""
        return (frame - self.output.get("start_frame", 0)) / self.frame_rate

    def many(self, key):
        """Returns the scene's list under a key, such as solids."""
        return self.scene.get(key) or []


def run_of(surface):
    """Returns the run whose folder contains the folder of this surface."""
    return Run(os.path.dirname(os.path.dirname(os.path.abspath(surface))))
