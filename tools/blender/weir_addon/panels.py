"""Properties > Physics > Weir: the role of the object, the values of that role, and, of the domain, how the
scene is simulated and baked.
"""

import bpy
from bpy.props import EnumProperty
from bpy.types import Operator, Panel, UIList

from . import bake as bakes
from . import bake_operators, cache, estimate
from . import properties as p

WIDTH = 56  # letters of a line of a message
LINES = 6  # messages of the last bake that the panel shows


def wrapped(text):
    """Splits a message into lines that fit into the panel."""
    line, lines = "", []
    for word in text.split():
        if line and len(line) + len(word) >= WIDTH:
            lines.append(line)
            line = word
        else:
            line = (line + " " + word).strip()
    return lines + [line]


def show_message(layout, text, icon):
    column = layout.column(align=True)
    column.scale_y = 0.8
    for number, line in enumerate(wrapped(text)):
        column.label(text=line, icon="BLANK1" if number else icon)


def rows(layout, group, *keys):
    column = layout.column()
    for key in keys:
        column.prop(group, key)
    return column


# ---- one role each -------------------------------------------------------------------------------

def draw_material(layout, group):
    column = rows(layout, group, "density", "viscosity_by")
    if group.viscosity_by == "CURVE":
        draw_curve(column, group.dynamic_viscosity_curve)
    else:
        column.prop(group, "dynamic_viscosity")
    rows(layout, group, "surface_tension", "colour")


def draw_curve(layout, curve):
    layout.prop(curve, "attribute")
    row = layout.row()
    row.template_list("WEIR_UL_points", "", curve, "points", curve, "point_index", rows=3)
    column = row.column(align=True)
    column.operator("weir.add_point", text="", icon="ADD")
    column.operator("weir.remove_point", text="", icon="REMOVE")


def draw_fluid(layout, thing):
    draw_material(layout, thing.weir.fluid)
    rows(layout, thing.weir.fluid, "velocity")
    draw_values(layout, thing)


def draw_solid(layout, thing):
    rows(layout, thing.weir.solid, "motion", *p.SOLID_KEYS)


def draw_emitter(layout, thing):
    group = thing.weir.emitter
    rows(layout, group, "fluid", "opening", "rate_by", group.rate_by.lower(), "profile", "turbulence", "start", "end")
    if group.opening in ("AUTO", "SHAPE"):
        rows(layout, group, "emission", "prefill")
    if not group.fluid:
        draw_material(layout, thing.weir.fluid)
    draw_values(layout, thing)


def draw_body(layout, thing):
    group = thing.weir.body
    rows(layout, group, "mass_by", group.mass_by.lower(), *p.BODY_KEYS)


def draw_pins(layout, thing, group):
    if hasattr(group, "pin_group"):
        layout.prop_search(group, "pin_group", thing, "vertex_groups")
    rows(layout, group, "pin_region", "pin_to")


def draw_cloth(layout, thing):
    rows(layout, thing.weir.cloth, *p.CLOTH_KEYS)
    draw_pins(layout, thing, thing.weir.cloth)


def draw_soft_body(layout, thing):
    rows(layout, thing.weir.soft_body, *p.SOFT_KEYS)
    draw_pins(layout, thing, thing.weir.soft_body)


def draw_force(layout, thing):
    group = thing.weir.force
    rows(layout, group, "type")
    if group.type == "velocity_field":
        rows(layout, group, "file", *p.FORCE_KEYS[group.type])
        return
    rows(layout, group, *p.FORCE_KEYS[group.type], "region")
    if group.region != "EVERYWHERE":
        rows(layout, group, "region_of")


def draw_whitewater(layout, thing):
    rows(layout, thing.weir.whitewater, "kind", "rate", *p.WHITEWATER_EMITTER_KEYS[1:])


def draw_gauge(layout, thing):
    group = thing.weir.gauge
    keys = {"height": ("axis",), "front": ("axis",), "pressure": ("radius", "average"),
            "force": ("solid", "average"), "flow": ("radius", "average")}
    rows(layout, group, "kind", *keys[group.kind])


def draw_sink(layout, _thing):
    layout.label(text="Removes the fluid inside")


ROLES = {"FLUID": draw_fluid, "SOLID": draw_solid, "EMITTER": draw_emitter, "SINK": draw_sink,
         "BODY": draw_body, "CLOTH": draw_cloth, "SOFT_BODY": draw_soft_body, "FORCE": draw_force,
         "WHITEWATER": draw_whitewater, "GAUGE": draw_gauge}


# ---- attributes ----------------------------------------------------------------------------------

class WEIR_UL_attributes(UIList):
    """Attributes of the scene: their names"""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _property):
        layout.prop(item, "name", text="", emboss=False)


class WEIR_UL_values(UIList):
    """Values of an object: their names and numbers"""

    def draw_item(self, context, layout, _data, item, _icon, _active, _property):
        known = context.scene.weir.attributes.get(item.name)
        layout.label(text=item.name, icon="NONE" if known else "ERROR")
        for number in range(known.components if known else 1):
            layout.prop(item, "value", index=number, text="")


def list_of(context, target):
    owner = context.scene.weir if target == "SCENE" else context.object.weir
    return owner, owner.attributes


class WEIR_OT_add_attribute(Operator):
    """Add an attribute to the scene, or a value of one to the object"""
    bl_idname = "weir.add_attribute"
    bl_label = "Add"
    bl_options = {"UNDO"}
    target: EnumProperty(items=(("SCENE", "Scene", ""), ("OBJECT", "Object", "")))

    def execute(self, context):
        owner, items = list_of(context, self.target)
        taken = {item.name for item in items}
        wanted = ["ink"] if self.target == "SCENE" else []
        wanted += [a.name for a in context.scene.weir.attributes] if self.target == "OBJECT" else \
            ["ink_%d" % number for number in range(2, 9)]
        free = [name for name in wanted if name not in taken]
        if not free:
            self.report({"ERROR"}, "the object has a value of every attribute of the domain" if taken else
                        "the domain has no attributes: add one there first")
            return {"CANCELLED"}
        item = items.add()
        item.name = free[0]
        if self.target == "OBJECT":
            item.value[0] = 1
        owner.attribute_index = len(items) - 1
        return {"FINISHED"}


class WEIR_OT_remove_attribute(Operator):
    """Remove the attribute"""
    bl_idname = "weir.remove_attribute"
    bl_label = "Remove"
    bl_options = {"UNDO"}
    target: EnumProperty(items=(("SCENE", "Scene", ""), ("OBJECT", "Object", "")))

    def execute(self, context):
        owner, items = list_of(context, self.target)
        if not 0 <= owner.attribute_index < len(items):
            return {"CANCELLED"}
        items.remove(owner.attribute_index)
        owner.attribute_index = max(owner.attribute_index - 1, 0)
        return {"FINISHED"}


class WEIR_UL_points(UIList):
    """Points of a viscosity curve"""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _property):
        layout.prop(item, "value", text="")
        layout.prop(item, "dynamic_viscosity", text="")


class WEIR_OT_add_point(Operator):
    """Add a point to the viscosity curve, after the last one"""
    bl_idname = "weir.add_point"
    bl_label = "Add"
    bl_options = {"UNDO"}

    def execute(self, context):
        curve = context.object.weir.fluid.dynamic_viscosity_curve
        last = curve.points[-1] if curve.points else None
        value, viscosity = (last.value + 10, last.dynamic_viscosity) if last else (0, 1)
        item = curve.points.add()
        item.value, item.dynamic_viscosity = value, viscosity
        curve.point_index = len(curve.points) - 1
        return {"FINISHED"}


class WEIR_OT_remove_point(Operator):
    """Remove the point"""
    bl_idname = "weir.remove_point"
    bl_label = "Remove"
    bl_options = {"UNDO"}

    def execute(self, context):
        curve = context.object.weir.fluid.dynamic_viscosity_curve
        if not 0 <= curve.point_index < len(curve.points):
            return {"CANCELLED"}
        curve.points.remove(curve.point_index)
        curve.point_index = max(curve.point_index - 1, 0)
        return {"FINISHED"}


def draw_list(layout, kind, owner, target):
    row = layout.row()
    row.template_list(kind, "", owner, "attributes", owner, "attribute_index", rows=2)
    column = row.column(align=True)
    column.operator("weir.add_attribute", text="", icon="ADD").target = target
    column.operator("weir.remove_attribute", text="", icon="REMOVE").target = target


def draw_values(layout, thing):
    if bpy.context.scene.weir.attributes:
        layout.label(text="Attributes")
        draw_list(layout, "WEIR_UL_values", thing.weir, "OBJECT")


# ---- panels --------------------------------------------------------------------------------------

class WeirPanel:
    bl_space_type, bl_region_type, bl_context = "PROPERTIES", "WINDOW", "physics"


class WEIR_PT_object(WeirPanel, Panel):
    bl_label = "Weir"
    bl_idname = "WEIR_PT_object"

    @classmethod
    def poll(cls, context):
        return context.object is not None and (p.has_faces(context.object) or context.object.type == "EMPTY")

    def draw(self, context):
        thing, layout = context.object, self.layout
        layout.use_property_split = True
        layout.use_property_decorate = True
        layout.prop(thing.weir, "role")
        if thing.type == "EMPTY" and thing.weir.role not in p.PLACES:
            show_message(layout, "An empty has no faces: only Force and Gauge work with it", "ERROR")
        elif thing.weir.role in ROLES:
            ROLES[thing.weir.role](layout, thing)


class DomainPanel(WeirPanel):
    bl_parent_id = "WEIR_PT_object"

    @classmethod
    def poll(cls, context):
        return context.object.weir.role == "DOMAIN"

    def draw(self, context):
        self.layout.use_property_split = True
        self.layout.use_property_decorate = False
        self.show(self.layout, context.scene, context.object)


class WEIR_PT_resolution(DomainPanel, Panel):
    bl_label = "Resolution and Method"

    def show(self, layout, scene, _thing):
        group = scene.weir
        rows(layout, group, "resolution_by", group.resolution_by.lower(), "method", "substeps", "iterations",
             "adaptive")
        text = estimate.text_of(scene) or "Estimate counts the particles and measures the time"
        show_message(layout, text, "INFO")
        layout.operator("weir.estimate", text="Measuring" if bake_operators.checking else "Estimate")


class WEIR_PT_bake(DomainPanel, Panel):
    bl_label = "Bake"
    bl_idname = "WEIR_PT_bake"

    def show(self, layout, scene, _thing):
        layout.prop(scene.weir, "folder")
        bake = bake_operators.running
        if bake:
            layout.label(text=bake.progress())
            layout.operator("weir.cancel_bake")
            return
        folder = bake_operators.folder_or_none(scene)
        done = bakes.frames_done(folder) if folder else 0
        if done:
            layout.label(text="%d of %d frames are baked" % (done, scene.frame_end - scene.frame_start))
        row = layout.row(align=True)
        row.operator("weir.bake")
        row.operator("weir.resume_bake")
        row = layout.row(align=True)
        row.operator("weir.replay_bake")
        row.operator("weir.free_bake", text="Free")
        if folder and done:
            layout.label(text="%.1f MB" % (cache.size_of(folder) / 1e6))
        if bake_operators.told["error"]:
            show_message(layout, bake_operators.told["error"], "ERROR")
        for warning in bake_operators.told["warnings"][:LINES]:
            show_message(layout, warning, "INFO")


class WEIR_PT_whitewater(DomainPanel, Panel):
    bl_label = "Spray, Foam and Bubbles"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header(self, context):
        self.layout.prop(context.scene.weir, "use_whitewater", text="")

    def show(self, layout, scene, _thing):
        layout.active = scene.weir.use_whitewater
        rows(layout, scene.weir.whitewater, *p.WHITEWATER_KEYS)


class WEIR_PT_surface(DomainPanel, Panel):
    bl_label = "Surface"
    bl_options = {"DEFAULT_CLOSED"}

    def show(self, layout, scene, _thing):
        rows(layout, scene.weir.mesh, "preset", "cell_size", "smooth_iterations", "spray_neighbours",
             "use_attributes")


class WEIR_PT_sides(DomainPanel, Panel):
    bl_label = "Sides"
    bl_options = {"DEFAULT_CLOSED"}

    def show(self, layout, _scene, thing):
        rows(layout, thing.weir.domain, "left", "right", "front", "back", "bottom", "top", "friction",
             "no_slip")


class WEIR_PT_attributes(DomainPanel, Panel):
    bl_label = "Attributes"
    bl_options = {"DEFAULT_CLOSED"}

    def show(self, layout, scene, _thing):
        group = scene.weir
        draw_list(layout, "WEIR_UL_attributes", group, "SCENE")
        if 0 <= group.attribute_index < len(group.attributes):
            item = group.attributes[group.attribute_index]
            rows(layout, item, "kind", "components")
            if item.kind == "value":
                rows(layout, item, "initial")
            if item.kind == "rest_position":
                rows(layout, item, "period", "phase")
            rows(layout, item, "diffusivity")


class WEIR_PT_more(DomainPanel, Panel):
    bl_label = "Other Keys"
    bl_options = {"DEFAULT_CLOSED"}

    def show(self, layout, scene, _thing):
        rows(layout, scene.weir, "overrides")


CLASSES = (WEIR_UL_attributes, WEIR_UL_values, WEIR_UL_points, WEIR_OT_add_attribute,
           WEIR_OT_remove_attribute, WEIR_OT_add_point, WEIR_OT_remove_point,
           WEIR_PT_object, WEIR_PT_resolution, WEIR_PT_bake, WEIR_PT_whitewater, WEIR_PT_surface,
           WEIR_PT_sides, WEIR_PT_attributes, WEIR_PT_more)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)


def unregister():
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
