"""Materials that show an attribute of the fluid: its values as colours, opaque, or mixed into water. They
read the point attributes that PLY files give a mesh: the scene's own, such as ink, and density or velocity.
"""

import bpy
from bpy.props import EnumProperty, FloatProperty

from . import materials

OWN = "OWN"  # in place of a ramp: an attribute of three components is the colour
RAMPS = {  # colours at equal distances, linear
    "INK": ((0.9, 0.95, 1.0), (0.02, 0.05, 0.4)),
    "HEAT": ((0.01, 0.01, 0.05), (0.35, 0.01, 0.1), (0.9, 0.2, 0.02), (1.0, 0.85, 0.3)),
    "SPEED": ((0.02, 0.08, 0.3), (0.05, 0.5, 0.7), (0.95, 0.97, 1.0)),
    "GREY": ((0.01, 0.01, 0.01), (0.95, 0.95, 0.95)),
}
INTERNAL = ("position", "sharp_face", "material_index", "shade_smooth", "custom_normal")


class NoAttribute(Exception):
    """Reports that an object has no such attribute, and which it has."""


def shown_attributes(thing):
    """Returns {name: whether it is a vector} of the object's point attributes."""
    kinds = {"FLOAT": False, "INT": False, "FLOAT_VECTOR": True, "FLOAT_COLOR": True, "FLOAT2": True}
    shown = [a for a in thing.data.attributes if a.domain == "POINT" and a.data_type in kinds]
    return {a.name: kinds[a.data_type] for a in shown if a.name not in INTERNAL and
            not a.name.startswith(".")}


def values_of(thing, name):
    """Returns the values of an attribute, of a vector its lengths."""
    data = thing.data.attributes[name].data
    if not len(data):
        return [0.0]
    if hasattr(data[0], "value"):
        return [float(item.value) for item in data]
    rows = [item.vector if hasattr(item, "vector") else item.color[:3] for item in data]
    return [sum(x * x for x in row) ** 0.5 for row in rows]


def value_node(tree, name, vector, low, high):
    """Returns where a value lies between low and high, from 0 to 1."""
    node = tree.add("ShaderNodeAttribute")
    node.attribute_name = name
    value = node.outputs["Fac"]
    if vector:
        length = tree.add("ShaderNodeVectorMath", Vector=node.outputs["Vector"])
        length.operation, value = "LENGTH", length.outputs["Value"]
    part = tree.add("ShaderNodeMapRange", Value=value, From_Min=low, From_Max=high)
    part.clamp = True
    return part.outputs["Result"]


def own_colour(tree, name, style):
    """Returns the shader of an attribute that is a colour: opaque, or clear water of that colour."""
    node = tree.add("ShaderNodeAttribute")
    node.attribute_name = name
    colour = node.outputs["Color"]
    if style == "OPAQUE":
        return tree.add("ShaderNodeBsdfPrincipled", Base_Color=colour, Roughness=0.15).outputs[0]
    return tree.add("ShaderNodeBsdfGlass", Roughness=0.0, IOR=materials.WATER_INDEX, Color=colour).outputs[0]


def ramp_colour(tree, part, style, stops):
    """Returns the shader of a value, from 0 to 1, that chooses a colour of a ramp."""
    colour = tree.colours(part, *((k / (len(stops) - 1), stop) for k, stop in enumerate(stops)))
    paint = tree.add("ShaderNodeBsdfPrincipled", Base_Color=colour, Roughness=0.15).outputs[0]
    if style == "OPAQUE":
        return paint
    return tree.mix(part, materials.liquid(tree, materials.WATER_INDEX), paint)


def make(thing, name, style="MIXED", ramp="INK", bounds=None):
    """Gives the object a material that shows an attribute. `style`: "MIXED", water that is coloured where
    values are high, or "OPAQUE"; `ramp`: one of RAMPS, or OWN; `bounds`: values at the ends of the ramp,
    default the least and greatest of this frame. An existing material of the same name is replaced. Returns
    the material.
    """
    known = shown_attributes(thing)
    if name not in known:
        raise NoAttribute('%s: has no attribute "%s" in this frame; it has %s; add others in Attributes of '
                          'the '
                          "domain, and bake again" % (thing.name, name, ", ".join(sorted(known)) or "none"))
    old = bpy.data.materials.get("weir attribute " + name)
    if old:
        bpy.data.materials.remove(old)
    made, tree = materials.material("weir attribute " + name)
    if ramp == OWN and known[name]:
        tree.finish(own_colour(tree, name, style))
    else:
        stops = RAMPS.get(ramp, RAMPS["INK"])
        low, high = bounds or (min(values_of(thing, name)), max(values_of(thing, name)))
        part = value_node(tree, name, known[name], low, high if high > low else low + 1)
        tree.finish(ramp_colour(tree, part, style, stops))
        made.diffuse_color = (*stops[-1], 1)
    slots = thing.data.materials
    if slots:
        slots[0] = made
    else:
        slots.append(made)
    return made


attribute_items = []  # Blender does not keep the texts of a list that a function returns


def list_attributes(_operator, context):
    thing = context.object
    names = sorted(shown_attributes(thing)) if thing and thing.type == "MESH" else []
    attribute_items[:] = [(name, name, "") for name in names] or [("", "none", "")]
    return attribute_items


class WEIR_OT_attribute_material(bpy.types.Operator):
    """Show an attribute of the fluid as colours: choose it in the panel that appears"""
    bl_idname = "weir.attribute_material"
    bl_label = "Show an attribute"
    bl_options = {"REGISTER", "UNDO"}
    attribute: EnumProperty(name="Attribute", items=list_attributes)
    style: EnumProperty(name="Style", items=(
        ("MIXED", "In water", "Water where values are low, colour where they are high"),
        ("OPAQUE", "Opaque", "Colours everywhere")))
    ramp: EnumProperty(name="Colours", items=[(key, key.capitalize(), "") for key in RAMPS] + [
        (OWN, "Own", "The three components of the attribute are red, green and blue")])
    low: FloatProperty(name="From", description="Value at the first colour; equal to To: the range of this "
                                                "frame")
    high: FloatProperty(name="To", description="Value at the last colour")

    @classmethod
    def poll(cls, context):
        thing = context.object
        return thing is not None and thing.type == "MESH" and "weir_before" in thing

    def invoke(self, context, _event):
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context):
        try:
            make(context.object, self.attribute, self.style, self.ramp,
                 (self.low, self.high) if self.low != self.high else None)
        except NoAttribute as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


def register():
    bpy.utils.register_class(WEIR_OT_attribute_material)


def unregister():
    bpy.utils.unregister_class(WEIR_OT_attribute_material)
