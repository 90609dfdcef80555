"""Exports Blender objects as a Weir scene: JSON, meshes as OBJ, keyframes.

In Blender's window, with the add-on: File > Export > Weir scene.
Without a window:
  blender -b shot.blend --python weir_export.py -- -o shot/scene.json --spacing 0.02 [--all]
  weir check shot/scene.json && weir run shot/scene.json -o out/shot --mesh ply

Properties > Physics > Weir, in scripts object.weir, gives an object its role: domain, fluid, solid, emitter,
sink, rigid body, cloth, soft body, force, whitewater or gauge, and the values of that role. Objects without a
role are left out, and names decide nothing. scene.weir has the method, the resolution and what else concerns
the whole scene.

A moving object gets one keyframe per frame; one whose shape changes, by an armature, shape keys, other
modifiers or its scale, is written as a mesh for every frame. The scene's camera is exported, too. Modifiers
are applied. Blender's z becomes Weir's y. Custom properties of earlier versions (weir_role and others) are
converted to roles, with a message.
"""

import json
import math
import os
import sys

import bpy
from bpy.props import BoolProperty, FloatProperty, StringProperty
from mathutils import Vector

from . import check_setup, command_line, export_forces, export_objects, geometry, migrate, motion, schema
from . import properties as p
from .geometry import DECIMALS, Refused, evaluated, numbers, turned

NAME_BYTES = 63  # longest name
# The list of a scene that holds the objects of a role, and the function that makes one.
LISTS = {
    "EMITTER": ("emitters", export_objects.emitter), "SOLID": ("solids", export_objects.solid),
    "SINK": ("sinks", export_objects.sink), "BODY": ("bodies", export_objects.body),
    "CLOTH": ("cloths", export_objects.cloth), "SOFT_BODY": ("soft_bodies", export_objects.soft_body),
    "FORCE": ("forces", export_forces.force), "GAUGE": ("gauges", export_objects.gauge),
}


def set_key(document, word):
    """Applies "solver.cfl=1" to a document. Raises ValueError with the reason."""
    path, equals, text = word.partition("=")
    if not equals or not path or not text:
        raise ValueError('"%s" in Other keys: expected KEY=VALUE, such as solver.cfl=1' % word)
    place, names = document, path.split(".")
    for name in names[:-1]:
        place = place.setdefault(name, {})
        if not isinstance(place, dict):
            raise ValueError('"%s" in Other keys: %s is not an object with keys' % (word, name))
    try:
        place[names[-1]] = json.loads(text)
    except ValueError:
        place[names[-1]] = text


def camera_of(scene):
    """Returns the pose of the scene's camera in each frame; None without a camera."""
    if not scene.camera or scene.camera.type != "CAMERA":
        return None
    keys = []
    for _, time in motion.each_frame(scene):
        camera = evaluated(scene.camera)
        corner, place = camera.data.view_frame(scene=scene)[0], camera.matrix_world.normalized()
        keys.append((time, {"eye": turned(place.translation), "target": turned(place @ Vector((0, 0, -1))),
                            "fov": round(math.degrees(2 * math.atan2(abs(corner.y), abs(corner.z))), 4)}))
    camera = dict(keys[0][1])
    if any(key != keys[0][1] for _, key in keys):
        camera["interpolation"] = "linear"
        camera["keyframes"] = [{"time": round(time, DECIMALS), **key} for time, key in
                               motion.without_rest(keys, lambda a, b: a[1] == b[1])]
    return camera


def sides_of(group):
    """Returns the sides of the domain by Weir's axes: its lower z is Blender's back."""
    pairs = {"x": [group.left, group.right], "y": [group.bottom, group.top], "z": [group.back, group.front]}
    sides = {}
    for axis, pair in pairs.items():
        if "periodic" in pair:
            sides[axis] = "periodic"
        elif pair != ["closed", "closed"]:
            sides[axis] = pair
    return {"sides": sides} if sides else {}


class Export:
    """One export: what it reads and has written, and what is wrong."""

    def __init__(self, path, scene, things, spacing=0.0):
        self.path, self.folder, self.scene = path, os.path.dirname(os.path.abspath(path)), scene
        self.things, self.spacing = things, spacing
        self.names, self.file_names, self.taken = {}, set(), set()
        self.files, self.warnings, self.faults = [], [], []
        self.tracks, self.gravity, self.fluids = {}, [], {}

    def warn(self, thing, text):
        self.warnings.append("%s: %s" % (thing.name, text))

    def fault(self, thing, text):
        self.faults.append("%s: %s" % (thing.name, text))

    def raise_faults(self):
        if self.faults:
            raise Refused("; ".join(dict.fromkeys(self.faults)))

    def name_of(self, thing, plain=False):
        """Returns the name of an object in the scene file; `plain`: of letters, digits, - and _."""
        if thing.name not in self.names:
            name = thing.name
            while len(name.encode("utf-8")) > NAME_BYTES:
                name = name[:-1]
            self.names[thing.name] = geometry.file_name(name, self.taken) if plain else name
        return self.names[thing.name]

    # ---- parts of the document ----

    def add_material(self, thing):
        """Returns the fluid of an object's material: equal materials are one fluid, named by the first
        object.
        """
        material = export_objects.material(self, thing)
        key = json.dumps(material, sort_keys=True)
        return self.fluids.setdefault(key, {"name": self.name_of(thing), **material})

    def fluid_of(self, thing):
        """Returns the name of the fluid that an emitter emits."""
        chosen = thing.weir.emitter.fluid
        if not chosen:
            return self.add_material(thing)["name"]
        if chosen not in self.things or chosen.weir.role != "FLUID":
            self.fault(thing, 'emits the fluid of "%s", which is no visible fluid: choose another one, or '
                              'clear Fluid' %
                       chosen.name)
            return chosen.name
        return self.add_material(chosen)["name"]

    def add_fills(self):
        for thing in self.things:
            if thing.weir.role == "FLUID":
                self.add_material(thing).setdefault("fill", []).append(export_objects.fill(self, thing))

    def gravity_keys(self):
        first = self.gravity[0][1]
        if not self.scene.use_gravity:
            return {"gravity": [0, 0, 0]}
        keys = {"gravity": turned(first)}
        if any((vector - first).length > 1e-6 for _, vector in self.gravity):
            rows = motion.without_rest(self.gravity, lambda a, b: a[1] == b[1])
            keys["gravity_keyframes"] = [{"time": round(time, DECIMALS), "gravity": turned(vector)}
                                         for time, vector in rows]
        return keys

    def solver(self):
        group, solver = self.scene.weir, {}
        if group.method != "pbf":
            solver["method"] = group.method
        for key in ("substeps", "iterations"):
            if getattr(group, key):
                solver[key] = getattr(group, key)
        if group.adaptive:
            solver["adaptive"] = True
        return {"solver": solver} if solver else {}

    def attributes(self):
        made = []
        for item in self.scene.weir.attributes:
            one = {"name": item.name, **schema.changed(item, "attribute", p.ATTRIBUTE_KEYS)}
            initial = [schema.rounded(x) for x in item.initial[:item.components]]
            if item.kind == "value" and any(initial):
                one["initial"] = initial[0] if item.components == 1 else initial
            made.append(one)
        return {"attributes": made} if made else {}

    def whitewater(self):
        """Returns what the fluid and objects of the role Whitewater emit; the objects alone, if it is off."""
        group = self.scene.weir
        made = {} if group.use_whitewater else {"emission_rate": 0}
        if group.use_whitewater:
            made.update(schema.changed(group.whitewater, "whitewater", p.WHITEWATER_KEYS))
        emitters = [export_objects.whitewater(self, thing) for thing in self.things
                    if thing.weir.role == "WHITEWATER"]
        if emitters:
            made["emitters"] = emitters
        return {"whitewater": made} if emitters or group.use_whitewater else {}

    def choose_spacing(self, domain):
        low, high = geometry.bounds_of([domain])
        group, longest = self.scene.weir, max(h - l for l, h in zip(low, high))
        by_scene = group.spacing if group.resolution_by == "SPACING" else longest / group.divisions
        self.spacing = schema.rounded(self.spacing or by_scene)
        values = schema.changed(domain.weir.domain, "domain", ("friction", "no_slip"))
        return {"min": numbers(low), "max": numbers(high), **sides_of(domain.weir.domain),
                **motion.animate(values, self.tracks[domain.name], "domain")}

    def document(self):
        scene, group, rate = self.scene, self.scene.weir, motion.frame_rate(self.scene)
        domain = check_setup.find_domain(self)
        check_setup.check_roles(self)
        check_setup.check_frames(self)
        self.raise_faults()
        self.tracks, self.gravity = motion.record(scene, self.things)
        document = {
            "name": os.path.splitext(os.path.basename(self.path))[0][:NAME_BYTES],
            "domain": self.choose_spacing(domain), **self.gravity_keys(), "frame_rate": round(rate, DECIMALS),
            "duration": round((scene.frame_end - scene.frame_start) / rate, DECIMALS),
            "spacing": self.spacing, **self.solver(), **self.attributes(), "fluids": []}
        check_setup.check_objects(self, domain)
        self.raise_faults()
        self.add_fills()
        for role, (key, make) in LISTS.items():
            made = [make(self, thing) for thing in self.things if thing.weir.role == role]
            if made:
                document[key] = made
        document["fluids"] = [self.with_one_fill(fluid) for fluid in self.fluids.values()]
        if len(self.fluids) > schema.most("fluids"):
            self.faults.append("the objects have %d different materials of fluids, and a scene has at most "
                               "%d: give some the same values" % (len(self.fluids), schema.most("fluids")))
        camera = camera_of(scene)
        if camera:
            document["camera"] = camera
        document.update(self.whitewater())
        self.override(document)
        self.raise_faults()
        return document

    @staticmethod
    def with_one_fill(fluid):
        fills = fluid.get("fill", [])
        return {**fluid, "fill": fills[0]} if len(fills) == 1 else fluid

    def override(self, document):
        for word in self.scene.weir.overrides.split():
            try:
                set_key(document, word)
            except ValueError as error:
                self.faults.append(str(error))


def export(path, spacing=0.0, everything=False):
    """Writes the scene. `everything`: all visible objects with a role, not only the selected ones. Returns
    the Export, with its warnings and its files.
    """
    scene = bpy.context.scene
    notes = migrate.migrate(scene)
    things = [t for t in scene.objects if t.weir.role != "NONE" and
              (t.visible_get() if everything else t.select_get())]
    task = Export(path, scene, sorted(things, key=lambda t: t.name), spacing)
    task.warnings += notes
    if not things:
        raise Refused("no %s object has a role: set the roles of domain, fluid and solids in Properties > "
                      "Physics > Weir" %
                      ("visible" if everything else "selected"))
    check_setup.tell_of_names(task, scene)
    if everything:
        check_setup.tell_of_hidden(task, scene)
    text = json.dumps(motion.at_first_frame(scene, task.document), indent=2) + "\n"
    os.makedirs(task.folder, exist_ok=True)
    with open(path + ".part", "w", encoding="utf-8", newline="\n") as f:
        f.write(text)
    os.replace(path + ".part", path)
    return task


# ---- in Blender's window -------------------------------------------------------------------------

class WEIR_OT_export(bpy.types.Operator):
    """Write the selected objects as a Weir scene"""
    bl_idname = "weir.export_scene"
    bl_label = "Weir scene"

    filepath: StringProperty(subtype="FILE_PATH", default="scene.json")
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})
    spacing: FloatProperty(name="Particle spacing", description="In metres; 0: that of the scene's settings",
                           min=0, precision=4, unit="LENGTH")
    everything: BoolProperty(name="All visible objects", default=True)

    def invoke(self, context, _event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, _context):
        try:
            for warning in export(self.filepath, self.spacing, self.everything).warnings:
                self.report({"WARNING"}, warning)
        except (Refused, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


def menu_entry(self, _context):
    self.layout.operator(WEIR_OT_export.bl_idname, text="Weir scene (.json)")


def register():
    bpy.utils.register_class(WEIR_OT_export)
    bpy.types.TOPBAR_MT_file_export.append(menu_entry)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(menu_entry)
    bpy.utils.unregister_class(WEIR_OT_export)


def main(arguments):
    parser = command_line.Parser("weir_export.py", "FILE ", __doc__)
    parser.add_argument("-o", "--output", required=True, metavar="SCENE", help="the scene file to write")
    parser.add_argument("--spacing", type=float, default=0.0, help="particle spacing, m; default: that of "
                                                                   "the file")
    parser.add_argument("--all", action="store_true", help="all visible objects, not only the selected ones")
    options = parser.parse_args(arguments)
    for warning in export(options.output, options.spacing, options.all).warnings:
        print("weir: warning: %s" % warning, file=sys.stderr)


FAULTS = (Refused, OSError)  # reported as one line
