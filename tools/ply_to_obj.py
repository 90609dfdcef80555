#!/usr/bin/env python3
"""Converts a PLY mesh into an OBJ, fitted into a box: ply_to_obj.py IN.ply OUT.obj LOW(3) HIGH(3)

The mesh is scaled uniformly so that its height (y) equals the box's, and moved so that the centres agree.
Only positions and faces are kept.
"""

import struct
import sys

TYPES = {"char": "b", "int8": "b", "uchar": "B", "uint8": "B", "short": "h", "int16": "h",
         "ushort": "H", "uint16": "H", "int": "i", "int32": "i", "uint": "I", "uint32": "I",
         "float": "f", "float32": "f", "double": "d", "float64": "d"}


def read_header(file):
    """Returns the format and a list of (element, count, properties)."""
    if file.readline().strip() != b"ply":
        sys.exit("ply_to_obj: the file does not begin with 'ply'")
    form, elements = None, []
    while True:
        line = file.readline()
        if not line:
            sys.exit("ply_to_obj: the header has no end_header")
        words = line.decode("ascii", "replace").split()
        if not words:
            continue
        if words[0] == "format":
            form = words[1]
        elif words[0] == "element":
            elements.append((words[1], int(words[2]), []))
        elif words[0] == "property":
            elements[-1][2].append(words[1:])
        elif words[0] == "end_header":
            return form, elements


def text_reader(file):
    words = iter(file.read().split())
    return lambda kind: float(next(words)) if kind in "fd" else int(next(words))


def binary_reader(file, order):
    data, at = file.read(), 0

    def read(kind):
        nonlocal at
        (value,) = struct.unpack_from(order + kind, data, at)
        at += struct.calcsize(kind)
        return value

    return read


def read_mesh(path):
    with open(path, "rb") as file:
        form, elements = read_header(file)
        orders = {"binary_big_endian": ">", "binary_little_endian": "<"}
        read = text_reader(file) if form == "ascii" else binary_reader(file, orders[form])
        points, faces = [], []
        for element, count, properties in elements:
            for _ in range(count):
                values = {}
                for words in properties:
                    if words[0] == "list":
                        length = read(TYPES[words[1]])
                        values[words[3]] = [read(TYPES[words[2]]) for _ in range(length)]
                    else:
                        values[words[1]] = read(TYPES[words[0]])
                if element == "vertex":
                    points.append((values["x"], values["y"], values["z"]))
                elif element == "face":
                    faces.append(values.get("vertex_indices") or values.get("vertex_index"))
    return points, faces


def fit(points, low, high):
    axes = range(3)
    least = [min(p[a] for p in points) for a in axes]
    most = [max(p[a] for p in points) for a in axes]
    scale = (high[1] - low[1]) / (most[1] - least[1])
    return [[(p[a] - (least[a] + most[a]) / 2) * scale + (low[a] + high[a]) / 2 for a in axes]
            for p in points]


def main():
    if len(sys.argv) != 9:
        sys.exit(__doc__)
    points, faces = read_mesh(sys.argv[1])
    box = [float(word) for word in sys.argv[3:9]]
    with open(sys.argv[2], "w", encoding="ascii") as out:
        for point in fit(points, box[:3], box[3:]):
            out.write("v %.7g %.7g %.7g\n" % tuple(point))
        for face in faces:
            out.write("f " + " ".join(str(index + 1) for index in face) + "\n")


if __name__ == "__main__":
    main()
