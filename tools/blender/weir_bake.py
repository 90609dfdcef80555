"""Weir inside Blender 3.4 and later: bakes the fluid of the visible objects, and shows it with water, spray,
foam and bubbles. It needs weir_export.py, whose documentation says how objects are converted, and
weir_sequence.py in the same folder.

As an add-on: install the three files (Edit > Preferences > Add-ons > Install); the panel is in the scene's
properties. Bake runs the program weir and shows its progress; Esc, or Cancel, stops it and keeps finished
frames; Bake continues from there unless the scene has changed.

Without a window, one after the other:
  blender -b shot.blend --python weir_bake.py -- -o out/shot --spacing 0.02 --foam --save baked.blend
  blender -b baked.blend --python weir_sequence.py -- --render 'frames/####.png'
"""

bl_info = {
    "name": "Weir bake",
    "author": "the Weir project",
    "version": (1, 0, 0),
    "blender": (3, 4, 0),
    "location": "Properties > Scene > Weir",
    "description": "Simulates the scene's fluid with Weir and loads the result",
    "category": "Physics",
}

import argparse
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
import weir_sequence

POLL_SECONDS = 0.5
KINDS = ("spray", "foam", "bubbles")  # in the order of their numbers
# Factors by which particles are enlarged, because each stands for a cluster. Larger bubbles would block the
# light.
SIZES = {"spray": 2, "foam": 6, "bubbles": 1}


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
            words += ["--mesh", "ply", "--particles", "ply", "--start-frame", str(self.first)]
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


# ---- materials -----------------------------------------------------------------------------------

def material(name):
    """Returns the nodes of an empty material, with its output; None if it already exists."""
    if name in bpy.data.materials:
        return bpy.data.materials[name], None, None
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes = made.node_tree.nodes
    nodes.clear()
    return made, made.node_tree, nodes.new("ShaderNodeOutputMaterial")


def glass(tree, index):
    node = tree.nodes.new("ShaderNodeBsdfGlass")
    node.inputs["Roughness"].default_value, node.inputs["IOR"].default_value = 0, index
    return node


def water_material():
    """Makes glass of index 1.333 that absorbs light like pure water, 0.30 per metre of red, 0.055 of green,
    0.010 of blue, and lets the lamps' light through to objects under it.
    """
    made, tree, out = material("weir water")
    if not tree:
        return made
    mix, clear = tree.nodes.new("ShaderNodeMixShader"), tree.nodes.new("ShaderNodeBsdfTransparent")
    path, volume = tree.nodes.new("ShaderNodeLightPath"), tree.nodes.new("ShaderNodeVolumeAbsorption")
    volume.inputs["Density"].default_value = 0.30
    volume.inputs["Color"].default_value = (0.0, 1 - 0.055 / 0.30, 1 - 0.010 / 0.30, 1)
    tree.links.new(path.outputs["Is Shadow Ray"], mix.inputs[0])
    tree.links.new(glass(tree, 1.333).outputs[0], mix.inputs[1])
    tree.links.new(clear.outputs[0], mix.inputs[2])
    tree.links.new(mix.outputs[0], out.inputs["Surface"])
    tree.links.new(volume.outputs[0], out.inputs["Volume"])
    return made


def whitewater_material(kind):
    """Makes the material of a kind: spray is drops of water, foam scatters nearly all light, bubbles are air
    in water.
    """
    made, tree, out = material("weir " + kind)
    if not tree:
        return made
    if kind == "whitewater":
        node = tree.nodes.new("ShaderNodeBsdfDiffuse")
        node.inputs["Color"].default_value = (0.9, 0.9, 0.9, 1)
    else:
        node = glass(tree, 1.333 if kind == "spray" else 1 / 1.333)
    tree.links.new(node.outputs[0], out.inputs["Surface"])
    return made


def sockets(group):
    """Adds a geometry input and output, and a number input. Returns the number's name in a modifier."""
    if hasattr(group, "interface"):  # 4.0 and later
        new = group.interface.new_socket
        new("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        size = new("Size", in_out="INPUT", socket_type="NodeSocketFloat")
        new("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    else:
        group.inputs.new("NodeSocketGeometry", "Geometry")
        size = group.inputs.new("NodeSocketFloat", "Size")
        group.outputs.new("NodeSocketGeometry", "Geometry")
    size.min_value = 0
    return size.identifier


def as_points(thing, look, size):
    """Shows each vertex as a ball of `size` times its radius, which Cycles blurs by its velocity. The
    modifier also has the size, for artists to change.
    """
    group = bpy.data.node_groups.new("weir points", "GeometryNodeTree")
    number = sockets(group)
    nodes, link = group.nodes, group.links.new
    radius, points = nodes.new("GeometryNodeInputNamedAttribute"), nodes.new("GeometryNodeMeshToPoints")
    coat, into, out = nodes.new("GeometryNodeSetMaterial"), nodes.new("NodeGroupInput"), nodes.new("NodeGroupOutput")
    times, sized = nodes.new("ShaderNodeMath"), nodes.new("GeometryNodeSetPointRadius")
    times.operation = "MULTIPLY"
    radius.data_type, radius.inputs["Name"].default_value = "FLOAT", "radius"
    coat.inputs["Material"].default_value = look
    link(into.outputs[0], points.inputs["Mesh"])
    link(next(o for o in radius.outputs if o.enabled), times.inputs[0])
    link(into.outputs[1], times.inputs[1])
    link(points.outputs[0], sized.inputs["Points"])  # takes the vertices' own radius, whatever its input says
    link(times.outputs[0], sized.inputs["Radius"])
    link(sized.outputs[0], coat.inputs["Geometry"])
    link(coat.outputs[0], out.inputs[0])
    modifier = thing.modifiers.new("weir points", "NODES")
    modifier.node_group = group
    modifier[number] = float(size)


# ---- objects of a bake ---------------------------------------------------------------------------

def first_file(folder):
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    names = [name for name in names if name.endswith(".ply")]
    return os.path.join(folder, names[0]) if names else None


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
    surface = first_file(os.path.join(bake.run, "mesh"))
    if not surface:
        raise Failed("%s has no surfaces" % bake.run)
    things = [weir_sequence.load_sequence(surface, set_range=False)]
    things[0].data.materials.append(water_material())
    foam = first_file(os.path.join(bake.run, "whitewater"))
    for number, kind in enumerate(KINDS if foam else ()):
        thing = weir_sequence.load_sequence(foam, set_range=False, kind=number)
        as_points(thing, whitewater_material(kind), SIZES[kind])
        things.append(thing)
    for thing in things:
        thing["weir_baked"] = True
    for thing in scene.objects:
        if thing.type == "MESH" and "weir_baked" not in thing and weir_export.role_of(thing) != "solid":
            thing.hide_render, thing.display_type = True, "BOUNDS"
    scene.render.engine = "CYCLES"
    scene.render.use_motion_blur = True
    weir_sequence.on_frame(scene)


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
        except (Failed, weir_export.Refused, weir_sequence.BadFile, OSError) as error:
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
        except (Failed, weir_sequence.BadFile, OSError) as error:
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
    parser = argparse.ArgumentParser(prog="blender -b FILE --python weir_bake.py --")
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
        try:
            main(sys.argv[sys.argv.index("--") + 1:])
        except (Failed, weir_export.Refused, weir_sequence.BadFile, OSError) as error:
            print("weir: %s" % error, file=sys.stderr)
            sys.exit(1)
