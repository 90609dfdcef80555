"""Shows Weir's runs in Blender 3.4 and later: a sequence of OBJ or PLY surfaces as one object of water that
changes with every frame, with motion blur, and with it the run's drops, spray, foam, bubbles and solids.

In Blender's window, with the add-on: File > Import > Weir surface sequence. A .blend that
contains such an object also needs the add-on for rendering.

Without a window:
  blender -b --python weir_sequence.py -- --load out/dam --save dam.blend
  blender -b dam.blend --python weir_sequence.py -- --render 'frames/####.png' --frames 1:250
The first command makes a scene with floor, sky, lamps and camera around the surface; with your own .blend it
adds the surface, its drops and its whitewater to that.

Motion blur: PLY files contain the velocity of every vertex. It becomes the point attribute "velocity",
three floats in metres per second, from which Cycles computes blur although every frame has other vertices.
OBJ files have no velocities.

Files are rotated so that z is up, according to their header lines; the numbers in the file names are the
frame numbers.
"""

import os
import sys

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty

from . import run_files
from . import frame_meshes
from . import command_line
from . import rendering
from . import staging
from .run_files import BadFile

UPS = [("AUTO", "From the file", "Y, unless the file declares that Z is up"), ("Y", "Y", "Y is up"),
       ("Z", "Z", "Z is up")]


# ---- in Blender's window -------------------------------------------------------------------------

def set_watch(scene, _context):
    if scene.weir_watch and not bpy.app.timers.is_registered(frame_meshes.watch):
        bpy.app.timers.register(frame_meshes.watch, first_interval=frame_meshes.WATCH_SECONDS)


class WEIR_OT_load(bpy.types.Operator):
    """Load a sequence of surfaces: choose any of its files"""
    bl_idname = "weir.load_sequence"
    bl_label = "Weir surface sequence"
    bl_options = {"UNDO"}

    filepath: StringProperty(subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.ply;*.obj", options={"HIDDEN"})
    up: EnumProperty(name="Up axis of the files", items=UPS)
    offset: IntProperty(name="Frame offset", description="Added to the frame number in the file name")
    set_range: BoolProperty(name="Set the scene's frame range and rate", default=True)
    whole: BoolProperty(name="Also its solids", default=True,
                        description="Import the solids, bodies, cloths, ropes and soft bodies of the run, too")

    def invoke(self, context, _event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, _context):
        try:
            run = run_files.run_of(self.filepath)
            staging.load_fluid(self.filepath, run, self.up, self.offset, self.set_range)
            if self.set_range:
                staging.set_rate(run)
            if self.whole:
                staging.load_solids(run)
        except (BadFile, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class WEIR_OT_refresh(bpy.types.Operator):
    """Load frames that were written in the meantime"""
    bl_idname = "weir.refresh"
    bl_label = "Refresh"

    def execute(self, _context):
        frame_meshes.refresh()
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
        layout.operator("weir.attribute_material")


CLASSES = (WEIR_OT_load, WEIR_OT_refresh, WEIR_PT_sequence)


def menu_entry(self, _context):
    self.layout.operator(WEIR_OT_load.bl_idname, text="Weir surface sequence (.ply, .obj)")


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Scene.weir_watch = BoolProperty(
        name="Follow a run", description="Check for new frames every two seconds", update=set_watch)
    bpy.types.TOPBAR_MT_file_import.append(menu_entry)
    frame_meshes.register_handlers()


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(menu_entry)
    frame_meshes.unregister_handlers()
    del bpy.types.Scene.weir_watch
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)


# ---- without a window ----------------------------------------------------------------------------

def load(path, up):
    """Loads a run: onto a stage of its own in a new file, otherwise into the user's scene."""
    surface = run_files.find_surface(path)
    if not bpy.data.filepath:  # only Blender's default scene is open
        staging.set_stage(surface, up)
        rendering.default_settings(bpy.context.scene)
        return
    run, render = run_files.run_of(surface), bpy.context.scene.render
    staging.load_fluid(surface, run, up)
    rate = render.fps / render.fps_base
    if run.frame_rate and abs(run.frame_rate - rate) > 1e-3 * rate:
        print("weir: warning: the run has %g frames a second and this file %g: motion is faster or slower by that, "
              "and its blur is wrong" % (run.frame_rate, rate), file=sys.stderr)


def main(arguments):
    parser = command_line.Parser("weir_sequence.py", "[FILE] ", __doc__)
    parser.add_argument("--load", metavar="RUN", help="folder of a run, or any surface of a sequence")
    parser.add_argument("--up", choices=["auto", "y", "z"], default="auto", help="up axis of the files")
    parser.add_argument("--save", metavar="BLEND", help="write a .blend file")
    rendering.add_options(parser)
    options, scene = parser.parse_args(arguments), bpy.context.scene
    if not (options.load or options.save or options.render):
        parser.error("nothing to do: give --load, --save or --render")
    if options.load:
        load(options.load, options.up.upper())
    else:
        frame_meshes.check_files()
        frame_meshes.on_load(None)
    rendering.choose(scene, options)
    frames = command_line.read_frames(options.frames, scene.frame_start, scene.frame_end) if options.frames else None
    if options.save:
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(options.save))
    if options.render:
        rendering.render(options.render, frames)


FAULTS = (BadFile, rendering.Failed, OSError, RuntimeError)  # reported as one line
