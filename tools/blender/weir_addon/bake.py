"""Bakes the fluid of a Blender scene with the program weir, and shows it with water, spray, foam and bubbles.
weir_export.py --help says how objects become a scene.

In Blender's window, with the add-on, the buttons are in Properties > Physics > Weir of the domain.

Without a window, one after the other:
  blender -b shot.blend --python weir_bake.py -- -o out/shot --spacing 0.02 --foam --save baked.blend
  blender -b baked.blend --python weir_sequence.py -- --render 'frames/####.png'
Ctrl-C stops the first command and keeps what is done; the same command continues it, unless the scene has
changed.
"""

import json
import os
import sys
import time

import bpy

from . import cache, command_line, estimate, export_scene, program, run_files, show_bake
from .geometry import Refused

POLL_SECONDS = 0.5


class Failed(Exception):
    """The reason why a bake fails."""


class Bake:
    """One run of the program weir over the Blender scene, in `folder`. `given`: the path of the program."""

    def __init__(self, folder, given="", spacing=0.0):
        self.folder = os.path.abspath(folder)
        self.run, self.said = os.path.join(self.folder, "run"), os.path.join(self.folder, "weir.log")
        self.program = program.ready(given)
        self.spacing = float("%.6g" % spacing)  # Blender stores no more digits
        self.process, self.warnings, self.cancelled = None, [], False
        self.began, self.had = time.monotonic(), 0
        scene = bpy.context.scene
        self.frames, self.first = scene.frame_end - scene.frame_start, scene.frame_start

    def export(self):
        """Writes the scene. Returns whether it differs from the previous one."""
        path = os.path.join(self.folder, "scene.json")
        before, had = show_bake.read_text(path), set(cache.exported(self.folder))
        task = export_scene.export(path, self.spacing, everything=True)
        self.warnings = task.warnings
        cache.write_list(self.folder, task.files, task.names)
        old = [os.path.join(self.folder, name) for name in had - set(task.files)]
        cache.remove([path for path in old if os.path.isfile(path)], self.folder)
        return show_bake.read_text(path) != before

    def mesh_options(self):
        group = bpy.context.scene.weir.mesh
        words = ["--mesh", "ply", "--mesh-snap-to-solids", "--mesh-preset", group.preset]
        words += ["--mesh-smooth-iterations", str(group.smooth_iterations)]
        words += ["--mesh-attributes"] if group.use_attributes else []
        if group.cell_size:
            words += ["--mesh-cell-size", "%.6g" % group.cell_size]
        if group.spray_neighbours:
            words += ["--mesh-spray-neighbours", str(group.spray_neighbours)]
        return words

    def has_checkpoint(self):
        folder = os.path.join(self.run, "checkpoint")
        return os.path.isdir(folder) and bool(os.listdir(folder))

    def options(self):
        """Returns the words of `weir run` for a new run, which its run.json does not store."""
        return [*self.mesh_options(), "--particles", "ply", "--start-frame", str(self.first)]

    def start(self):
        """Runs the program, unless all frames are done. Removes the objects of an earlier bake first."""
        show_bake.forget()
        changed = self.export()
        settings, words = os.path.join(self.folder, cache.OPTIONS), self.options()
        changed = show_bake.read_text(settings) != "\n".join(words) or changed
        if not changed and self.is_whole():
            return
        if not changed and self.has_checkpoint():
            self.launch(["--resume"])
            return
        left = cache.clear_run(self.run) if os.path.isdir(self.run) else []
        if left:
            raise Failed("%s contains files that the bake has not made, such as %s: move them away, or "
                         "choose another folder" % (self.run, left[0]))
        with open(settings, "w", encoding="utf-8") as file:
            file.write("\n".join(words))
        self.launch([os.path.join(self.folder, "scene.json"), *words])

    def resume(self):
        """Continues a stopped bake as it was begun, whatever has changed in Blender since."""
        if not self.has_checkpoint():
            raise Failed("%s contains no stopped bake: press Bake" % self.folder)
        self.frames = frames_of(self.folder)
        if self.is_whole():
            raise Failed("the bake in %s is complete: press Replay to show it" % self.folder)
        show_bake.forget()
        self.launch(["--resume"])

    def launch(self, words):
        self.began, self.had = time.monotonic(), self.done()
        with open(self.said, "w", encoding="utf-8") as log:
            self.process = program.start([self.program, "run", *words, "-o", self.run, "--quiet"], log)

    def done(self):
        """Returns how many frames are done after the initial one."""
        return frames_done(self.folder)

    def progress(self):
        """Describes how many frames are done, and the remaining time at the current pace."""
        done = self.done()
        words = "%d of %d frames" % (done, self.frames)
        if self.cancelled:
            return words + ", stopping"
        if done <= self.had or done >= self.frames:
            return words
        left = (time.monotonic() - self.began) / (done - self.had) * (self.frames - done)
        return words + (", %d s left" % round(left) if left < 90 else ", %d min left" % round(left / 60))

    def cancel(self):
        """Lets the program finish its current frame and save its state."""
        if self.process and self.process.poll() is None:
            self.cancelled = True
            program.interrupt(self.process)

    def goes_on(self):
        return self.process is not None and self.process.poll() is None

    def check(self):
        """Raises the errors of a finished run; a run that was stopped has status 1, which is no error."""
        if self.cancelled or not self.process or self.process.returncode == 0:
            return
        raise Failed("weir ended with status %d: %s" %
                     (self.process.returncode, program.errors_in(show_bake.read_text(self.said) or "")))

    def told(self):
        """Returns the warnings of the program."""
        lines = (show_bake.read_text(self.said) or "").splitlines()
        return [line.split("warning: ", 1)[1] for line in lines if "warning: " in line]

    def is_whole(self):
        return self.done() >= self.frames


def frames_done(folder):
    """Returns how many frames of the bake in a folder are done after the initial one."""
    try:
        with open(os.path.join(folder, "run", "stats.csv"), encoding="utf-8") as rows:
            return max(sum(1 for _ in rows) - 2, 0)
    except OSError:
        return 0


def frames_of(folder):
    """Returns how many frames after the initial one the exported scene in a folder has."""
    scene = json.loads(show_bake.read_text(os.path.join(folder, "scene.json")) or "{}")
    return round(scene.get("duration", 0) * scene.get("frame_rate", 0))


FAULTS = (Failed, Refused, program.Missing, estimate.Failed, run_files.BadFile,
          OSError)  # reported as one line


# ---- without a window ----------------------------------------------------------------------------

def main(arguments):
    parser = command_line.Parser("weir_bake.py", "FILE ", __doc__)
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="folder of the bake")
    parser.add_argument("--weir", default="", metavar="PROGRAM",
                        help="default: that of the preferences, in the search path, or next to the add-on")
    parser.add_argument("--spacing", type=float, default=0.0, help="particle spacing, m; default: that of "
                                                                   "the file")
    parser.add_argument("--foam", action="store_true", help="also simulate spray, foam and bubbles")
    parser.add_argument("--no-foam", action="store_true", help="do not, whatever the file says")
    parser.add_argument("--estimate", action="store_true", help="print the number of particles and the time, "
                                                                "and stop")
    parser.add_argument("--save", metavar="BLEND", help="write a .blend file with the fluid")
    options = parser.parse_args(arguments)
    settings = bpy.context.scene.weir
    settings.use_whitewater = (settings.use_whitewater or options.foam) and not options.no_foam
    if options.estimate:
        print("weir: %s" % estimate.measure(options.weir, options.spacing).text)
        return
    bake = Bake(options.output, options.weir, options.spacing)
    bake.start()
    for warning in bake.warnings:
        print("weir: warning: %s" % warning, file=sys.stderr)
    try:
        shown = -1
        while bake.goes_on():
            time.sleep(POLL_SECONDS)
            if bake.done() != shown:
                shown = bake.done()
                print("weir: %d of %d frames" % (shown, bake.frames), flush=True)
    except KeyboardInterrupt:
        bake.cancel()
        bake.process.wait()
    bake.check()
    for warning in bake.told():
        print("weir: warning: %s" % warning, file=sys.stderr)
    show_bake.load(bake.folder)
    if options.save:
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(options.save))
