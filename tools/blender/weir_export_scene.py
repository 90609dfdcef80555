"""A run's surfaces and whitewater as one Alembic or USD file, with the velocities that motion blur needs.

  blender -b --python weir_export_scene.py -- out/dam -o dam.abc
  python3 weir_export_scene.py out/dam -o dam.usdc      where "import bpy" works: pip install bpy

The ending chooses the format: .abc, .usd, .usda or .usdc. In the file stand the objects surface, spray, foam and
bubbles, as far as the run has them: meshes, and points without faces. Velocities are metres per second. USD also
has what else the run's files say of each point: density, age, lifetime, radius, id. Debian's Blender is built
without either format."""

import argparse
import json
import os
import sys

import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import weir_sequence  # noqa: E402

FORMATS = {".abc": "alembic", ".usd": "usd", ".usda": "usd", ".usdc": "usd"}


class BadRun(Exception):
    """What is wrong with a run, a frame or this Blender."""


def frame_rate(run):
    """Of the scene that was run, 1/s."""
    path = os.path.join(run, "run.json")
    try:
        with open(path, encoding="utf-8") as file:
            return float(json.load(file)["scene"]["frame_rate"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadRun("%s: no run of Weir is there (%s); give the folder that `weir run` made" %
                     (path, error)) from error


def first_file(run, folder, endings):
    """Any file of the run's sequence in a folder; None without one."""
    path = os.path.join(run, folder)
    names = sorted(os.listdir(path)) if os.path.isdir(path) else []
    return next((os.path.join(path, name) for name in names if name.endswith(endings)), None)


def mark_animated(thing):
    """The writers take an object for a still one unless its data have keyframes, for USD, or it has a modifier,
    for Alembic. Neither changes anything here."""
    thing.data["frame"] = 0.0
    thing.data.keyframe_insert('["frame"]', frame=0)
    thing.modifiers.new("animated", "CAST").factor = 0


def load(run):
    """Makes the objects; sets the scene's range and rate."""
    surface, foam = first_file(run, "mesh", (".ply", ".obj")), first_file(run, "foam", ".ply")
    if not surface and not foam:
        raise BadRun("%s: has neither surfaces, in mesh/, nor whitewater as PLY, in foam/; run the scene with "
                     "--mesh ply" % run)
    things = [weir_sequence.load_sequence(surface)] if surface else []
    if foam:
        things += [weir_sequence.load_sequence(foam, set_range=not surface, kind=kind) for kind in range(3)]
    for thing in things:
        mark_animated(thing)
    scene, rate = bpy.context.scene, frame_rate(run)
    scene.render.fps = max(round(rate), 1)
    scene.render.fps_base = scene.render.fps / rate


def choose_frames(text):
    """The scene's frames, or those of "A:B" or "A" among them."""
    scene = bpy.context.scene
    if not text:
        return scene.frame_start, scene.frame_end
    first, _, last = text.partition(":")
    try:
        first, last = int(first), int(last or first)
    except ValueError:
        raise BadRun("--frames is %s, expected a number or two, such as 10:20" % text) from None
    if not scene.frame_start <= first <= last <= scene.frame_end:
        raise BadRun("--frames is %s, expected frames from %d to %d, which the run has" %
                     (text, scene.frame_start, scene.frame_end))
    return first, last


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
        raise BadRun("%s: its ending is none of %s" % (path, ", ".join(FORMATS)))
    if not getattr(bpy.app, FORMATS[ending]).supported:
        raise BadRun("this Blender, %s, is built without %s: take one of blender.org's, or `pip install bpy` and run "
                     "this file by python3" % (bpy.app.version_string, "Alembic" if ending == ".abc" else "USD"))


def main(arguments):
    parser = argparse.ArgumentParser(prog="weir_export_scene.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN", help="folder of a run")
    parser.add_argument("-o", "--out", metavar="FILE", required=True, help="what to write: .abc, .usd, .usda, .usdc")
    parser.add_argument("--frames", metavar="A:B", help="which; default: all")
    options = parser.parse_args(arguments)
    path = os.path.abspath(options.out)
    check_format(path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    load(options.run)
    frames = choose_frames(options.frames)
    write(path, frames)
    print("%s: frames %d to %d, %s" % (options.out, *frames, ", ".join(t.name for t in bpy.data.objects)))


if __name__ == "__main__":
    try:
        main(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else sys.argv[1:])
    except (BadRun, weir_sequence.BadFile, OSError, RuntimeError) as error:
        print("weir: %s" % error, file=sys.stderr)
        sys.exit(1)
