"""Weir inside Blender 3.4 and later: bakes the fluid of the visible objects, and shows it with water, spray,
foam and bubbles. The documentation of weir_export.py says how objects are converted.

In Blender's window, with the add-on (weir_install.py), the panel is in the scene's properties. Bake runs
the program weir and shows its progress; Esc, or Cancel, stops it and keeps finished frames; Bake continues
from there unless the scene has changed.

Without a window, one after the other:
  blender -b shot.blend --python weir_bake.py -- -o out/shot --spacing 0.02 --foam --save baked.blend
  blender -b baked.blend --python weir_sequence.py -- --render 'frames/####.png'
"""

import os
import shutil
import signal
import subprocess
import sys
import time

import bpy
from bpy.props import BoolProperty, FloatProperty, StringProperty

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import weir_export
import weir_files
import weir_frames
import weir_options
import weir_render
import weir_stage

POLL_SECONDS = 0.5
DROP_NEIGHBOURS = 6  # particles with fewer are drops outside the surface


class Failed(Exception):
    """The reason why a bake fails."""


# ---- the run -------------------------------------------------------------------------------------

class Bake:
    """One run of the program weir over the Blender scene, in `folder`."""

    def __init__(self, folder, program="", spacing=0.0):
        self.folder = os.path.abspath(folder)
        self.run, self.said = os.path.join(self.folder, "run"), os.path.join(self.folder, "weir.log")
        self.program = shutil.which(program or "weir")
        if not self.program:
            raise Failed('cannot find the program "%s": set it in the panel, or with --weir' % (program or "weir"))
        self.spacing = float("%.6g" % spacing)  # Blender stores no more digits
        self.process, self.warnings, self.cancelled = None, [], False
        self.began, self.had = time.monotonic(), 0
        scene = bpy.context.scene
        self.frames, self.first = scene.frame_end - scene.frame_start, scene.frame_start

    def export(self):
        """Writes the scene. Returns whether it differs from the previous one."""
        path = os.path.join(self.folder, "scene.json")
        before = open(path, encoding="utf-8").read() if os.path.exists(path) else None
        self.warnings = weir_export.export(path, self.spacing, everything=True)
        return open(path, encoding="utf-8").read() != before

    def start(self):
        """Runs the program, unless all frames are done. Removes the objects of an earlier bake first."""
        forget()
        changed = self.export()
        if not changed and self.is_whole():
            return
        words = [self.program, "run", "-o", self.run, "--quiet"]
        if not changed and os.path.isdir(os.path.join(self.run, "checkpoint")):
            words += ["--resume"]
        else:
            shutil.rmtree(self.run, ignore_errors=True)
            words[2:2] = [os.path.join(self.folder, "scene.json")]
            words += ["--mesh", "ply", "--mesh-snap-to-solids", "--mesh-spray-neighbours", str(DROP_NEIGHBOURS),
                      "--particles", "ply", "--start-frame", str(self.first)]
        self.began, self.had = time.monotonic(), self.done()
        with open(self.said, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(words, stdout=log, stderr=log)

    def done(self):
        """Returns how many frames are done after the initial one."""
        try:
            with open(os.path.join(self.run, "stats.csv"), encoding="utf-8") as rows:
                return max(sum(1 for _ in rows) - 2, 0)
        except OSError:
            return 0

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
            self.process.send_signal(signal.SIGINT)

    def goes_on(self):
        return self.process is not None and self.process.poll() is None

    def check(self):
        """Raises the errors of a finished run; a run that was stopped has status 1, which is no error."""
        if self.cancelled or not self.process or self.process.returncode == 0:
            return
        with open(self.said, encoding="utf-8") as log:
            last = log.read().strip().splitlines()[-3:]
        raise Failed("weir ended with status %d: %s" % (self.process.returncode, " / ".join(last)))

    def is_whole(self):
        return self.done() >= self.frames


# ---- objects of a bake ---------------------------------------------------------------------------

def forget():
    """Removes the objects of an earlier bake."""
    for thing in [t for t in bpy.data.objects if t.get("weir_baked")]:
        mesh, groups = thing.data, [modifier.node_group for modifier in thing.modifiers]
        bpy.data.objects.remove(thing)
        bpy.data.meshes.remove(mesh)
        for group in groups:
            bpy.data.node_groups.remove(group)


def load(bake):
    """Brings surface and whitewater into the scene, with motion blur; fluid, domain, emitter and sink objects
    are no longer rendered.
    """
    forget()
    scene = bpy.context.scene
    surface = weir_files.first_file(os.path.join(bake.run, "mesh"), "surface")
    if not surface:
        raise Failed("%s has no surfaces" % bake.run)
    things = weir_stage.load_fluid(surface, weir_files.run_of(surface), set_range=False)
    for thing in things:
        thing["weir_baked"] = True
    for thing in scene.objects:
        if thing.type == "MESH" and "weir_baked" not in thing and weir_export.role_of(thing) != "solid":
            thing.hide_render, thing.display_type = True, "BOUNDS"
    scene.render.engine = "CYCLES"
    scene.render.use_motion_blur = True
    weir_render.skip_denoiser(scene)
    weir_frames.on_frame(scene)


# ---- in Blender's window -------------------------------------------------------------------------

running = None  # an undo would free what an operator holds


class WEIR_OT_bake(bpy.types.Operator):
    """Simulate the visible objects' fluid with Weir, or go on with it; Esc stops and keeps what is done"""
    bl_idname = "weir.bake"
    bl_label = "Bake fluid"

    @classmethod
    def poll(cls, _context):
        return running is None  # one bake at a time

    def begin(self, scene):
        global running
        scene["weir_whitewater"] = scene.weir_bake_foam
        bake = Bake(bpy.path.abspath(scene.weir_bake_folder), scene.weir_bake_program, scene.weir_bake_spacing)
        bake.start()
        running = bake
        for warning in running.warnings:
            self.report({"WARNING"}, warning)

    def end(self):
        global running
        bake, running = running, None
        bake.check()
        if not bake.is_whole():
            self.report({"INFO"}, "stopped after %d of %d frames; press Bake to continue" % (bake.done(), bake.frames))
        load(bake)

    def execute(self, context):
        """Runs to completion, without a window or when called from a script."""
        try:
            self.begin(context.scene)
            while running.goes_on():
                time.sleep(POLL_SECONDS)
            self.end()
        except (Failed, weir_export.Refused, weir_files.BadFile, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}

    def invoke(self, context, _event):
        try:
            self.begin(context.scene)
        except (Failed, weir_export.Refused, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.timer = context.window_manager.event_timer_add(POLL_SECONDS, window=context.window)
        context.window_manager.progress_begin(0, max(running.frames, 1))
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if running is None:  # the add-on was disabled
            context.window_manager.event_timer_remove(self.timer)
            context.window_manager.progress_end()
            return {"CANCELLED"}
        if event.type == "ESC":
            running.cancel()
        if event.type != "TIMER" or running.goes_on():
            if event.type == "TIMER":
                context.window_manager.progress_update(running.done())
                for area in context.screen.areas:
                    area.tag_redraw()
            return {"PASS_THROUGH"}
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        try:
            self.end()
        except (Failed, weir_files.BadFile, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class WEIR_OT_cancel(bpy.types.Operator):
    """Stop after the present frame and keep what is done"""
    bl_idname = "weir.cancel_bake"
    bl_label = "Cancel"

    @classmethod
    def poll(cls, _context):
        return running is not None

    def execute(self, _context):
        running.cancel()
        return {"FINISHED"}


class WEIR_PT_bake(bpy.types.Panel):
    bl_label = "Weir"
    bl_idname = "WEIR_PT_bake"
    bl_space_type, bl_region_type, bl_context = "PROPERTIES", "WINDOW", "scene"

    def draw(self, context):
        for name in ("weir_bake_folder", "weir_bake_program", "weir_bake_spacing", "weir_bake_foam"):
            self.layout.prop(context.scene, name)
        if running:
            self.layout.label(text=running.progress())
            self.layout.operator(WEIR_OT_cancel.bl_idname)
        else:
            self.layout.operator(WEIR_OT_bake.bl_idname)


@bpy.app.handlers.persistent
def stop(_file=None):
    """No run continues after its file is closed."""
    global running
    if running:
        running.cancel()
    running = None


CLASSES = (WEIR_OT_bake, WEIR_OT_cancel, WEIR_PT_bake)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    kind = bpy.types.Scene
    kind.weir_bake_folder = StringProperty(name="Folder", subtype="DIR_PATH", default="//weir")
    kind.weir_bake_program = StringProperty(name="Program", subtype="FILE_PATH", default="weir")
    kind.weir_bake_spacing = FloatProperty(name="Particle spacing", min=0, precision=4, unit="LENGTH",
                                           description="In metres; 0: chosen from the domain's size")
    kind.weir_bake_foam = BoolProperty(name="Spray, foam and bubbles", default=True)
    bpy.app.handlers.load_pre.append(stop)


def unregister():
    stop()
    bpy.app.handlers.load_pre.remove(stop)
    for name in ("folder", "program", "spacing", "foam"):
        delattr(bpy.types.Scene, "weir_bake_" + name)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)


# ---- without a window ----------------------------------------------------------------------------

def main(arguments):
    parser = weir_options.Parser("weir_bake.py", "FILE ", __doc__)
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="folder of the bake")
    parser.add_argument("--weir", default="weir", metavar="PROGRAM", help="default: weir in the search path")
    parser.add_argument("--spacing", type=float, default=0.0, help="particle spacing, m")
    parser.add_argument("--foam", action="store_true", help="also simulate spray, foam and bubbles")
    parser.add_argument("--save", metavar="BLEND", help="write a .blend file with the fluid")
    options = parser.parse_args(arguments)
    bpy.context.scene["weir_whitewater"] = options.foam
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
    load(bake)
    if options.save:
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(options.save))


if __name__ == "__main__":
    register()
    if "--" in sys.argv:
        weir_options.run(main, (Failed, weir_export.Refused, weir_files.BadFile, OSError))
