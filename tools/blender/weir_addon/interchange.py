"""Exports a run's surfaces and whitewater as one Alembic or USD file, with the velocities that motion blur
needs, or its surfaces as a sequence of OpenVDB level sets.

  blender -b --python weir_export_scene.py -- out/dam -o dam.abc
  python3 weir_export_scene.py out/dam -o dam.usdc      where "import bpy" works: pip install bpy
  python3 weir_export_scene.py out/dam -o vdb/dam.vdb   writes vdb/dam_0000.vdb and so on

The extension selects the format: .abc, .usd, .usda, .usdc or .vdb. An Alembic or USD file contains the
objects surface, spray, foam and bubbles that the run has: meshes, and points without faces. Velocities are
in metres per second. USD also contains the other point data of the run's files: density, age, lifetime,
radius, id. Debian's Blender is built without any of these formats.

A .vdb has one grid, "surface": the distance from the surface in metres, negative in the fluid, within
three voxels on either side, with y up as in the simulation.
"""

import importlib
import json
import os
import sys

import bpy

from . import run_files
from . import frame_meshes
from . import command_line

FORMATS = {".abc": "alembic", ".usd": "usd", ".usda": "usd", ".usdc": "usd", ".vdb": "openvdb"}
NAMES = {"alembic": "Alembic", "usd": "USD", "openvdb": "OpenVDB"}
VOXELS = 0.5  # width of a voxel, in spacings


class BadRun(Exception):
    """Reports a fault of a run, a frame or this Blender."""


def of_scene(run, key):
    """Returns a number of the run's scene."""
    path = os.path.join(run, "run.json")
    try:
        with open(path, encoding="utf-8") as file:
            return float(json.load(file)["scene"][key])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadRun("%s: not a run of Weir (%s); give the output folder of `weir run`" %
                     (path, error)) from error


def first_file(run, folder, endings):
    """Returns any file of the run's sequence in a folder; None without one."""
    path = os.path.join(run, folder)
    names = sorted(os.listdir(path)) if os.path.isdir(path) else []
    return next((os.path.join(path, name) for name in names if name.endswith(endings)), None)


def mark_animated(thing):
    """The writers treat an object as static unless its data have keyframes, for USD, or it has a modifier,
    for Alembic. Neither changes anything here.
    """
    thing.data["frame"] = 0.0
    thing.data.keyframe_insert('["frame"]', frame=0)
    thing.modifiers.new("animated", "CAST").factor = 0


def load(run):
    """Makes the objects; sets the scene's range and rate."""
    surface, foam = first_file(run, "mesh", (".ply", ".obj")), first_file(run, "whitewater", ".ply")
    if not surface and not foam:
        raise BadRun("%s: contains neither surfaces (mesh/) nor whitewater as PLY (whitewater/); run the scene with "
                     "--mesh ply" % run)
    things = [frame_meshes.load_sequence(surface)] if surface else []
    if foam:
        things += [frame_meshes.load_sequence(foam, set_range=not surface, kind=kind)
                   for kind in range(run_files.Run(run).whitewater_kinds)]
    for thing in things:
        mark_animated(thing)
    scene, rate = bpy.context.scene, of_scene(run, "frame_rate")
    scene.render.fps = max(round(rate), 1)
    scene.render.fps_base = scene.render.fps / rate


def choose_frames(text):
    """Returns the scene's frames, or those of "A:B" or "A" among them."""
    scene = bpy.context.scene
    if not text:
        return scene.frame_start, scene.frame_end
    return command_line.read_frames(text, scene.frame_start, scene.frame_end)


# ---- level sets ---------------------------------------------------------------------------------


def find_openvdb():
    """Returns Blender's own module, which the bpy package stores in a separate folder; None without one."""
    inside = os.path.join(bpy.utils.resource_path("LOCAL"), "python", "lib", "python%d.%d" % sys.version_info[:2],
                          "site-packages")
    if os.path.isdir(inside) and inside not in sys.path:
        sys.path.append(inside)
    for name in ("openvdb", "pyopenvdb"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


def surface_arrays(thing):
    """Returns the points, with y up again, and the triangles of an object."""
    import numpy  # available wherever OpenVDB is; Debian's Blender has none

    mesh = thing.data
    points = numpy.empty(3 * len(mesh.vertices), numpy.float32)
    mesh.vertices.foreach_get("co", points)
    points = points.reshape(-1, 3)[:, (0, 2, 1)] * numpy.float32((1, 1, -1))
    mesh.calc_loop_triangles()
    triangles = numpy.empty(3 * len(mesh.loop_triangles), numpy.int32)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    return points, triangles.reshape(-1, 3)


def write_level_sets(path, frames, voxel):
    vdb, scene = find_openvdb(), bpy.context.scene
    thing = next((t for t in bpy.data.objects if t.name == "surface"), None)
    if not thing:
        raise BadRun("%s: the run has no surfaces (mesh/); run its scene with --mesh ply" % path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    for frame in range(frames[0], frames[1] + 1):
        scene.frame_set(frame)
        points, triangles = surface_arrays(thing)
        at = vdb.createLinearTransform(voxelSize=voxel)
        if len(triangles):
            grid = vdb.FloatGrid.createLevelSetFromPolygons(points, triangles=triangles, transform=at)
        else:
            grid = vdb.FloatGrid(3 * voxel)
            grid.transform, grid.gridClass = at, vdb.GridClass.LEVEL_SET
        grid.name = "surface"
        vdb.write("%s_%04d.vdb" % (path[:-len(".vdb")], frame), grids=[grid])


# ---- files --------------------------------------------------------------------------------------


def write(path, frames):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = frames
    if FORMATS[os.path.splitext(path)[1]] == "alembic":
        bpy.ops.wm.alembic_export(filepath=path, start=frames[0], end=frames[1])
    else:
        bpy.ops.wm.usd_export(filepath=path, export_animation=True, export_custom_properties=False)


def check_format(path):
    ending = os.path.splitext(path)[1]
    if ending not in FORMATS:
        raise BadRun("%s: unknown extension; expected one of %s" % (path, ", ".join(FORMATS)))
    form = FORMATS[ending]
    if not (find_openvdb() if form == "openvdb" else getattr(bpy.app, form).supported):
        raise BadRun("this Blender, %s, was built without %s: use one from blender.org, or `pip install bpy` and run "
                     "this file with python3" % (bpy.app.version_string, NAMES[form]))


def values_of(things):
    """Returns the names of the values of points besides position and velocity, in the first frame."""
    names = [a.name for t in things for a in t.data.attributes if a.domain == "POINT" and a.name[0] != "."]
    return [name for name in dict.fromkeys(names) if name not in ("position", "velocity")]


def warn_of_losses(path):
    """Names what the format does not store."""
    form, things = FORMATS[os.path.splitext(path)[1]], list(bpy.data.objects)
    if form == "alembic":
        kept, lost = "positions and velocities", values_of(things)
    elif form == "openvdb":
        surface = [t for t in things if t.name == "surface"]
        kept, lost = "the surface", [t.name for t in things if t not in surface] + ["velocity"] + values_of(surface)
    else:
        return
    if lost:
        print("weir: warning: %s: %s stores only %s; left out: %s; a .usdc file has all of it" %
              (path, NAMES[form], kept, ", ".join(lost)), file=sys.stderr)


def choose_voxel(options):
    voxel = VOXELS * of_scene(options.run, "spacing") if options.voxel is None else options.voxel
    if not 0 < voxel < float("inf"):
        raise BadRun("--voxel is %g, expected a length above 0, in metres" % voxel)
    return voxel


def main(arguments):
    parser = command_line.Parser("weir_export_scene.py", text=__doc__)
    parser.add_argument("run", metavar="RUN", help="folder of a run")
    parser.add_argument("-o", "--out", metavar="FILE", required=True,
                        help="file to write: .abc, .usd, .usda, .usdc or .vdb")
    parser.add_argument("--frames", metavar="A:B", help="frames; default: all")
    parser.add_argument("--voxel", metavar="M", type=float, help="width of a .vdb's voxels; default: half the spacing")
    options = parser.parse_args(arguments)
    path = os.path.abspath(options.out)
    check_format(path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    load(options.run)
    frames = choose_frames(options.frames)
    warn_of_losses(path)
    if FORMATS[os.path.splitext(path)[1]] == "openvdb":
        write_level_sets(path, frames, choose_voxel(options))
    else:
        write(path, frames)
    print("%s: frames %d to %d, %s" % (options.out, *frames, ", ".join(t.name for t in bpy.data.objects)))


FAULTS = (BadRun, run_files.BadFile, OSError, RuntimeError)  # reported as one line
