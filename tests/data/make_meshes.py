#!/usr/bin/python3
"""Makes the small meshes of this folder: holed.obj, cube.obj, cube_ascii.ply, cube_big.ply,
cube_little.ply, cube_ascii.stl, cube_binary.stl. Run in this folder; the output never changes."""
import math
import struct

AROUND, ALONG = 36, 14


def torus():
    """A bumpy torus about z: ring radius 0.5, tube radius 0.16 to 0.24, outward triangles."""
    points, triangles = [], []
    for i in range(AROUND):
        u = 2 * math.pi * i / AROUND
        for j in range(ALONG):
            v = 2 * math.pi * j / ALONG
            tube = 0.2 + 0.04 * math.sin(3 * u) * math.cos(2 * v)
            ring = 0.5 + tube * math.cos(v)
            points.append((ring * math.cos(u), ring * math.sin(u), tube * math.sin(v)))
    for i in range(AROUND):
        for j in range(ALONG):
            a, b = i * ALONG + j, (i + 1) % AROUND * ALONG + j
            c, d = (i + 1) % AROUND * ALONG + (j + 1) % ALONG, i * ALONG + (j + 1) % ALONG
            triangles += [(a, b, c), (a, c, d)]
    return points, triangles


def holed():
    points, triangles = torus()
    gone = {2 * (i * ALONG + j) + k for i in (4, 5) for j in (3, 4) for k in (0, 1)}  # 8 triangles
    gone |= {2 * (20 * ALONG + 9), 2 * (28 * ALONG + 1) + 1}                          # 2 pinholes
    kept = [t for n, t in enumerate(triangles) if n not in gone]
    # Fins: triangles on edges that two triangles share already, so three meet there.
    for i, j, lift in ((12, 0, 1.08), (13, 7, 0.8), (31, 2, 1.05)):
        a, b = i * ALONG + j, (i + 1) * ALONG + j
        middle = [lift * (points[a][k] + points[b][k]) / 2 for k in range(3)]
        points.append(tuple(middle))
        kept.append((a, b, len(points) - 1))
    with open("holed.obj", "w") as f:
        f.write("# bumpy torus, %d triangles: one hole of 8 triangles, two pinholes,\n"
                "# three fins on non-manifold edges; outward, counter-clockwise\n" % len(kept))
        f.writelines("v %.6f %.6f %.6f\n" % p for p in points)
        f.writelines("f %d %d %d\n" % tuple(n + 1 for n in t) for t in kept)


CUBE = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
QUADS = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
TRIANGLES = [t for q in QUADS for t in ((q[0], q[1], q[2]), (q[0], q[2], q[3]))]


def cube_obj():
    with open("cube.obj", "w") as f:
        f.write("mtllib none.mtl\no cube\n")
        f.writelines("v %d %d %d\n" % p for p in CUBE)
        f.write("vt 0 0\nvn 0 0 1\ng sides\n")
        for n, q in enumerate(QUADS):
            forms = ("%d", "%d/1", "%d//1", "%d/1/1", "%d", "%d")
            index = [k - 8 if n == 4 else k + 1 for k in q]
            corners = [forms[n] % k for k in index]
            joint = " \\\n  " if n == 5 else " "
            f.write("f " + joint.join(corners) + "\n")


def cube_ply(name, kind, order):
    with open(name, "wb") as f:
        f.write(("ply\nformat %s 1.0\ncomment unit cube\nelement vertex 8\n"
                 "property uchar shade\nproperty double z\nproperty float x\n"
                 "property list uint8 int16 marks\nproperty short y\n"
                 "element face 6\nproperty list ushort int vertex_indices\nproperty float area\n"
                 "end_header\n" % kind).encode())
        for n, (x, y, z) in enumerate(CUBE):
            marks = [7] * (n % 3)
            if order:
                f.write(struct.pack(order + "BdfB%dhh" % len(marks), n, z, x, len(marks), *marks, y))
            else:
                f.write((" ".join(map(str, [n, z, x, len(marks)] + marks + [y])) + "\n").encode())
        for q in QUADS:
            if order:
                f.write(struct.pack(order + "H4if", 4, *q, 1.0))
            else:
                f.write(("4 %d %d %d %d 1.0\n" % q).encode())


def cube_stl():
    with open("cube_ascii.stl", "w") as f:
        f.write("solid unit cube\n")
        for t in TRIANGLES:
            f.write(" facet normal 0 0 0\n  outer loop\n")
            f.writelines("   vertex %g %g %g\n" % CUBE[k] for k in t)
            f.write("  endloop\n endfacet\n")
        f.write("endsolid unit cube\n")
    with open("cube_binary.stl", "wb") as f:
        f.write(b"solid, though binary".ljust(80) + struct.pack("<I", len(TRIANGLES)))
        for t in TRIANGLES:
            f.write(struct.pack("<12fH", 0, 0, 0, *CUBE[t[0]], *CUBE[t[1]], *CUBE[t[2]], 0))


holed()
cube_obj()
cube_ply("cube_ascii.ply", "ascii", None)
cube_ply("cube_little.ply", "binary_little_endian", "<")
cube_ply("cube_big.ply", "binary_big_endian", ">")
cube_stl()
