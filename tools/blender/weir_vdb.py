"""Converts a velocity field from OpenVDB to NPY, for "velocity_field" in the forces of a scene, or a level set or
a density to OBJ, for shapes.

  build/bpy/bin/python tools/blender/weir_vdb.py wind.vdb -o wind.npy
  build/bpy/bin/python tools/blender/weir_vdb.py smoke.vdb -o smoke.npy --grid velocity --every 2 --up z
  build/bpy/bin/python tools/blender/weir_vdb.py rock.vdb -o rock.obj
  build/bpy/bin/python tools/blender/weir_vdb.py cloud.vdb -o cloud.obj --grid density --level 0.1

Reads a grid of vectors, by default the only one or the one named "vel", "velocity" or "v", or the three grids
of numbers "vel.x", "vel.y" and "vel.z". Voxels that are not active have the grid's background. The
array has the shape (nx, ny, nz, 3), in the unit of the file (m/s). The box for "inside" of the scene, in metres
with y up, is printed.

The surface of a level set is where it is 0; that of a density, inside which it is larger, needs --level. Without
--grid the only grid of numbers is taken, or the one named "surface" or "density". Needs a Python with OpenVDB: tools/setup --with-bpy, or pip install bpy.
"""

import argparse
import os
import sys

MAX_NODES = 1 << 21  # of a velocity field: docs/limits.md
SURFACES = ("surface", "density")  # names of grids of numbers
NAMES = ("vel", "velocity", "v", "Vel", "Velocity", "V")


class BadFile(Exception):
    """Reports a fault of the file or of the options."""


def find_openvdb():
    """Returns the module; it comes with bpy, in a folder of its own, or by itself. None without either."""
    for name in ("openvdb", "pyopenvdb"):
        try:
            return __import__(name)
        except ImportError:
            pass
    try:
        sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
        from weir_addon import interchange
    except ImportError:
        return None
    return interchange.find_openvdb()


def choose_grids(vdb, path, wanted):
    """Returns the grid of vectors, or the three grids of its components."""
    try:
        named = {grid.name: grid for grid in vdb.readAllGridMetadata(path)}
    except Exception as error:
        raise BadFile("%s: is not read as OpenVDB: %s" % (path, error)) from error
    vectors = [name for name, grid in named.items() if grid.valueTypeName.startswith("vec3")]
    prefixes = [wanted] if wanted else list(NAMES)
    for prefix in prefixes:
        if prefix in vectors:
            return [vdb.read(path, prefix)]
        for joint in (".", "_", ""):
            parts = [prefix + joint + axis for axis in "xyz"]
            if all(part in named for part in parts):
                return [vdb.read(path, part) for part in parts]
    if not wanted and len(vectors) == 1:
        return [vdb.read(path, vectors[0])]
    raise BadFile("%s: has no velocity%s; its grids are %s: name one of vectors with --grid" % (
        path, ' "%s"' % wanted if wanted else "",
        ", ".join("%s (%s)" % (name, grid.valueTypeName) for name, grid in named.items()) or "none"))


def choose_numbers(vdb, path, wanted):
    """Returns the grid of numbers whose surface is meant."""
    try:
        named = {grid.name: grid for grid in vdb.readAllGridMetadata(path)}
    except Exception as error:
        raise BadFile("%s: is not read as OpenVDB: %s" % (path, error)) from error
    numbers = [name for name, grid in named.items() if grid.valueTypeName in ("float", "double")]
    found = [name for name in ([wanted] if wanted else SURFACES) if name in numbers]
    if not found and not wanted and len(numbers) == 1:
        found = numbers
    if not found:
        raise BadFile("%s: has no grid of numbers%s; its grids are %s: name one of float with --grid" % (
            path, ' "%s"' % wanted if wanted else " to choose", ", ".join(
                "%s (%s)" % (name, grid.valueTypeName) for name, grid in named.items()) or "none"))
    return vdb.read(path, found[0])


def write_surface(vdb, options):
    """Writes the surface of a grid as quads, counter-clockwise from outside."""
    grid = choose_numbers(vdb, options.file, options.grid)
    if options.level is None and grid.gridClass != vdb.GridClass.LEVEL_SET:
        raise BadFile('%s: the grid "%s" is no level set: give the value at the surface with --level' %
                      (options.file, grid.name))
    points, quads = grid.convertToQuads(options.level or 0.0)
    if not len(quads):
        raise BadFile('%s: the grid "%s" is nowhere %g: there is no surface' %
                      (options.file, grid.name, options.level or 0.0))
    if options.up == "z":
        points = points[:, (0, 2, 1)] * (1, 1, -1)
    with open(options.output, "w", encoding="ascii", newline="\n") as file:
        file.writelines("v %.9g %.9g %.9g\n" % tuple(point) for point in points)
        # OpenVDB's are clockwise
        file.writelines("f %d %d %d %d\n" % tuple(corner + 1 for corner in quad[::-1]) for quad in quads)
    print("%s: %d vertices, from (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m" % (
        (options.output, len(points)) + tuple(points.min(0)) + tuple(points.max(0))))


def bounds(grids):
    """Returns the first and the last voxel that is active in any of the grids."""
    boxes = [grid.evalActiveVoxelBoundingBox() for grid in grids if grid.activeVoxelCount()]
    if not boxes:
        raise BadFile("the grid has no active voxel: the field is empty")
    first = tuple(min(box[0][axis] for box in boxes) for axis in range(3))
    last = tuple(max(box[1][axis] for box in boxes) for axis in range(3))
    return first, last


def read_field(grids, every):
    """Returns the velocities, (nx, ny, nz, 3), and the positions of the first and the last node, in m."""
    import numpy

    first, last = bounds(grids)
    shape = tuple(last[axis] - first[axis] + 1 for axis in range(3))
    if len(grids) == 1:
        field = numpy.empty(shape + (3,), numpy.float32)
        grids[0].copyToArray(field, ijk=first)
    else:
        parts = [numpy.empty(shape, numpy.float32) for _ in grids]
        for grid, part in zip(grids, parts):
            grid.copyToArray(part, ijk=first)
        field = numpy.stack(parts, -1)
    field = field[::every, ::every, ::every]
    if min(field.shape[:3]) < 2:
        raise BadFile("the field has %d x %d x %d nodes, expected at least 2 along each axis: use a smaller "
                      "--every, or a thicker field" % field.shape[:3])
    if field.shape[0] * field.shape[1] * field.shape[2] > MAX_NODES:
        raise BadFile("the field has %d x %d x %d nodes, more than %d: give a larger --every" %
                      (field.shape[:3] + (MAX_NODES,)))
    end = tuple(first[axis] + every * (field.shape[axis] - 1) for axis in range(3))
    return field, grids[0].transform.indexToWorld(first), grids[0].transform.indexToWorld(end)


def turn_up(field, low, high):
    """Turns a field with z up so that y is up: (x, y, z) becomes (x, z, -y)."""
    turned = field.transpose(0, 2, 1, 3)[:, :, ::-1][..., (0, 2, 1)].copy()
    turned[..., 2] *= -1
    return turned, (low[0], low[2], -high[1]), (high[0], high[2], -low[1])


def convert(vdb, options):
    import numpy

    field, low, high = read_field(choose_grids(vdb, options.file, options.grid), options.every)
    if options.up == "z":
        field, low, high = turn_up(field, low, high)
    if not numpy.isfinite(field).all():
        raise BadFile("%s: the field has numbers that are not finite" % options.file)
    numpy.save(options.output, field)
    print("%s: %d x %d x %d nodes, fastest %.4g m/s" % (
        (options.output,) + field.shape[:3] + (float(numpy.linalg.norm(field, axis=-1).max()),)))
    print('"inside": {"min": [%.9g, %.9g, %.9g], "max": [%.9g, %.9g, %.9g]}' % tuple(at + 0.0 for at in (*low, *high)))  # no "-0"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", metavar="FILE.vdb", help="file to read")
    parser.add_argument("-o", "--output", metavar="FILE.npy|.obj", required=True, help="file to write")
    parser.add_argument("--grid", metavar="NAME", help="grid to read; default: found by its name")
    parser.add_argument("--level", metavar="VALUE", type=float, help="value at the surface; default: 0, of a level set")
    parser.add_argument("--every", metavar="N", type=int, default=1, help="keep every Nth node along each axis")
    parser.add_argument("--up", choices=("y", "z"), default="y", help="axis of the file that points up; default: y")
    options = parser.parse_args()
    vdb = find_openvdb()
    if not vdb:
        sys.exit("weir: this Python has no OpenVDB: run tools/setup --with-bpy, then "
                 "build/bpy/bin/python %s" % " ".join(sys.argv))
    if options.every < 1:
        sys.exit("weir: --every %d: expected 1 or more" % options.every)
    if not os.path.isfile(options.file):
        sys.exit("weir: %s: no such file" % options.file)
    ending = os.path.splitext(options.output)[1].lower()
    if ending not in (".npy", ".obj"):
        sys.exit("weir: %s: unknown extension; expected .npy for velocities or .obj for a surface" % options.output)
    try:
        (convert if ending == ".npy" else write_surface)(vdb, options)
    except BadFile as error:
        sys.exit("weir: %s" % error)
    sys.stdout.flush()
    os._exit(0)  # the module of bpy 5.0.1 reports instances that it leaks when Python ends


if __name__ == "__main__":
    main()
