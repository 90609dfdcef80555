"""The buttons of a bake: Bake, Resume, Cancel, Replay, Free and Estimate. Scripts call them as
bpy.ops.weir.bake() and so on; they then wait until the work is done.
"""

import os
import time

import bpy

from . import bake as bakes
from . import cache, estimate, show_bake
from .bake import FAULTS, POLL_SECONDS

running = None  # the Bake: an undo would free what an operator holds
checking = None  # the Check
told = {"warnings": [], "error": ""}  # of the last bake or estimate, for the panel


def folder_of(scene):
    """Returns the folder of the scene's bake. Raises Failed for one relative to a file that is not saved."""
    if scene.weir.folder.startswith("//") and not bpy.data.filepath:
        raise bakes.Failed("the folder %s is relative to the .blend file, which is not saved: save it, or "
                           "choose another folder" % scene.weir.folder)
    if not scene.weir.folder:
        raise bakes.Failed("no folder is set: choose one in the Weir panel of the domain")
    return os.path.abspath(bpy.path.abspath(scene.weir.folder))


def folder_or_none(scene):
    try:
        return folder_of(scene)
    except bakes.Failed:
        return None


def report_all(operator, warnings):
    told.update(warnings=list(warnings), error="")
    for warning in warnings:
        operator.report({"WARNING"}, warning)


def refuse(operator, error):
    told.update(error=str(error))
    operator.report({"ERROR"}, str(error))
    return {"CANCELLED"}


class Modal:
    """An operator that waits for a process: `begin` starts it, `goes_on` asks, `end` takes its result."""

    def execute(self, context):
        """Runs to completion, without a window or when called from a script."""
        try:
            self.begin(context)
            while self.goes_on():
                time.sleep(POLL_SECONDS / 5)
            self.end(context)
        except FAULTS as error:
            return refuse(self, error)
        return {"FINISHED"}

    def invoke(self, context, _event):
        try:
            self.begin(context)
        except FAULTS as error:
            return refuse(self, error)
        self.timer = context.window_manager.event_timer_add(POLL_SECONDS, window=context.window)
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self.stop()
        if event.type != "TIMER" or self.goes_on():
            if event.type == "TIMER":
                context.window_manager.progress_update(self.share())
                for area in context.screen.areas:
                    area.tag_redraw()
            return {"PASS_THROUGH"}
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        try:
            self.end(context)
        except FAULTS as error:
            return refuse(self, error)
        finally:
            for area in context.screen.areas:
                area.tag_redraw()
        return {"FINISHED"}


class BakeModal(Modal):
    """A bake that begins or continues."""

    @classmethod
    def poll(cls, _context):
        return running is None  # one bake at a time

    def begin(self, context):
        global running
        bake = bakes.Bake(folder_of(context.scene))
        self.launch(bake)
        running = bake
        report_all(self, bake.warnings)

    def goes_on(self):
        return running is not None and running.goes_on()

    def stop(self):
        if running:
            running.cancel()

    def share(self):
        return 100 * running.done() / max(running.frames, 1)

    def end(self, _context):
        global running
        if running is None:  # the file was closed, or the add-on disabled
            return
        bake, running = running, None
        bake.check()
        report_all(self, bake.warnings + bake.told())
        if not bake.is_whole():
            self.report({"INFO"}, "stopped after %d of %d frames; press Bake or Resume to continue" %
                        (bake.done(), bake.frames))
        show_bake.load(bake.folder)


class WEIR_OT_bake(BakeModal, bpy.types.Operator):
    """Simulate the fluid of all visible objects that have a role, or continue; Esc stops and keeps frames"""
    bl_idname = "weir.bake"
    bl_label = "Bake"

    def launch(self, bake):
        bake.start()


class WEIR_OT_resume(BakeModal, bpy.types.Operator):
    """Continue a stopped bake as it was begun, whatever has changed since"""
    bl_idname = "weir.resume_bake"
    bl_label = "Resume"

    @classmethod
    def poll(cls, context):
        folder = folder_or_none(context.scene)
        return running is None and folder is not None and \
            0 < bakes.frames_done(folder) < bakes.frames_of(folder)

    def launch(self, bake):
        bake.resume()


class WEIR_OT_estimate(Modal, bpy.types.Operator):
    """Count the particles and measure how long a bake takes, in a short trial"""
    bl_idname = "weir.estimate"
    bl_label = "Estimate"

    @classmethod
    def poll(cls, _context):
        return running is None and checking is None

    def begin(self, context):
        global checking
        checking = estimate.Check()
        self.settings = estimate.settings_of(context.scene)

    def goes_on(self):
        return checking is not None and checking.goes_on()

    def stop(self):
        global checking
        if checking:
            checking.stop()
        checking = None

    def share(self):
        return 50

    def end(self, context):
        global checking
        if checking is None:
            return
        check, checking = checking, None
        result = check.result()
        estimate.remember(context.scene, self.settings, result.text)
        report_all(self, result.warnings)
        self.report({"INFO"}, result.text)


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


class WEIR_OT_replay(bpy.types.Operator):
    """Show the baked frames, without simulating again"""
    bl_idname = "weir.replay_bake"
    bl_label = "Replay"

    @classmethod
    def poll(cls, context):
        folder = folder_or_none(context.scene)
        return running is None and folder is not None and cache.has_frames(folder)

    def execute(self, context):
        try:
            show_bake.load(folder_of(context.scene))
        except FAULTS as error:
            return refuse(self, error)
        return {"FINISHED"}


class WEIR_OT_free(bpy.types.Operator):
    """Delete the files of the bake, and only those, and remove its objects"""
    bl_idname = "weir.free_bake"
    bl_label = "Free: delete the files of the bake?"

    @classmethod
    def poll(cls, context):
        folder = folder_or_none(context.scene)
        return running is None and folder is not None and cache.has_bake(folder)

    def invoke(self, context, event):
        return context.window_manager.invoke_confirm(self, event)

    def execute(self, context):
        try:
            show_bake.forget()
            folder = folder_of(context.scene)
            count = cache.free(folder)
        except FAULTS as error:
            return refuse(self, error)
        told.update(warnings=[], error="")
        self.report({"INFO"}, "deleted %d files of the bake in %s" % (count, folder))
        return {"FINISHED"}


@bpy.app.handlers.persistent
def stop(_file=None):
    """No run continues after its file is closed."""
    global running, checking
    if running:
        running.cancel()
    if checking:
        checking.stop()
    running = checking = None


CLASSES = (WEIR_OT_bake, WEIR_OT_resume, WEIR_OT_estimate, WEIR_OT_cancel, WEIR_OT_replay, WEIR_OT_free)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.app.handlers.load_pre.append(stop)


def unregister():
    stop()
    bpy.app.handlers.load_pre.remove(stop)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
