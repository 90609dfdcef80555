"""What an object is to Weir, object.weir, and how the scene is simulated, scene.weir. Names are those of
scene files; lengths are in metres, times in seconds from the scene's first frame, vectors in Blender's axes.
"""

import bpy
from bpy.props import (BoolProperty, CollectionProperty, EnumProperty, FloatProperty, FloatVectorProperty,
                       IntProperty, PointerProperty, StringProperty)
from bpy.types import Object, PropertyGroup

from .schema import fields, range_of

ROLES = (
    ("NONE", "None", "Weir ignores the object"),
    ("DOMAIN", "Domain", "The box that contains everything: the bounds of the object"),
    ("FLUID", "Fluid", "Filled with fluid at the start"),
    ("SOLID", "Solid", "An obstacle, at rest or animated"),
    ("EMITTER", "Emitter", "Emits fluid from an opening or from its whole shape"),
    ("SINK", "Sink", "Removes the fluid inside"),
    ("BODY", "Rigid body", "Floats, falls and collides: fluid and other objects move it"),
    ("CLOTH", "Cloth", "Each vertex of the mesh is a vertex of a cloth"),
    ("SOFT_BODY", "Soft body", "Jelly or rubber: a volume that bends and stretches"),
    ("FORCE", "Force", "A force field in addition to gravity"),
    ("WHITEWATER", "Whitewater", "Adds spray, foam, bubbles or tracers inside"),
    ("GAUGE", "Gauge", "Measures the fluid: its level, front, pressure, force or flow"),
)
SHAPES = ("MESH", "CURVE", "SURFACE", "FONT", "META")  # types of objects that have faces
# Roles that an empty may have.
PLACES = ("NONE", "FORCE", "GAUGE")

FLUID_KEYS = ("density", "dynamic_viscosity", "surface_tension", "colour")
SOLID_KEYS = ("thickness", "friction", "no_slip")
EMITTER_KEYS = ("emission", "profile", "turbulence", "prefill", "start", "end")
BODY_KEYS = ("friction", "collision_group", "velocity", "angular_velocity")
CLOTH_KEYS = ("area_density", "stiffness", "pbd_stiffness", "bending_stiffness", "thickness", "friction",
              "damping", "tear_strain", "permeability", "skin_friction", "collides_with", "velocity",
              "colour")
SOFT_KEYS = ("density", "stiffness", "pbd_stiffness", "poisson_ratio", "cluster_radius", "spacing",
             "friction",
             "damping", "skin_friction", "collides_with", "velocity", "colour")
# The keys of each type of force besides its place: those that every scene has, and `radius` where it is set.
FORCE_KEYS = {
    "central": ("strength",), "uniform": ("acceleration",), "vortex": ("strength",),
    "drag": ("rate", "velocity"),
    "noise": ("amplitude", "size", "octaves", "evolution", "velocity", "seed"),
    "curve": ("radius", "strength", "rate", "speed", "swirl"), "velocity_field": ("rate",),
    "shape": ("strength", "radius", "rate"),
}
FORCE_NUMBERS = ("strength", "acceleration", "rate", "velocity", "amplitude", "size", "octaves", "evolution",
                 "seed", "radius", "speed", "swirl")
WHITEWATER_KEYS = ("emission_rate", "trapped_air_rate", "wave_crest_rate", "curl_rate", "lifetime", "radius",
                   "bubble_rise_speed", "max_particles", "seed")
WHITEWATER_EMITTER_KEYS = ("kind", "velocity", "velocity_spread", "lifetime", "start", "end")
ATTRIBUTE_KEYS = ("kind", "components", "diffusivity", "period", "phase")
SIDES = [(word, word.capitalize(), text) for word, text in (
    ("closed", "Holds the fluid"), ("open", "Removes what leaves"),
    ("periodic", "What leaves returns on the opposite side; both sides are periodic"))]
AXES = [(word, word.upper(), "") for word in ("+x", "-x", "+y", "-y", "+z", "-z")]
METHODS = (
    ("pbf", "PBF", "Position based fluids: the default"),
    ("flip", "FLIP", "Particles with a grid: lively, for large bodies of water"),
    ("apic", "APIC", "Particles with a grid: smoother, for viscous fluids"),
    ("pcisph", "PCISPH", "Predictive-corrective SPH, for comparisons"),
    ("wcsph", "WCSPH", "Weakly compressible SPH, for comparisons"),
)
PRESETS = (
    ("calibrated", "Calibrated", "Keeps the volume of the fluid"),
    ("zhu-bridson", "Zhu-Bridson", "Smoother; thin parts lose volume"),
    ("anisotropic", "Anisotropic", "Flat surfaces, sharp edges and thin sheets, of calm particles"),
    ("sph", "SPH", "As splashsurf recommends, for comparisons"),
)
PIN_REGION = ("Holds the vertices that are inside the bounds of this object at the start, or inside the "
              "sphere of an empty")
PIN_TO = "The solid or rigid body that holds the vertices; empty: they stay in place"


def has_role(*roles):
    """Returns a filter for a pointer: objects of these roles."""
    return lambda _group, thing: thing.weir.role in roles


# ---- properties that cannot be animated ----------------------------------------------------------

def choice(name, items, text="", **more):
    return EnumProperty(name=name, description=text, items=items, options=set(), **more)


def number(name, text, default, low, high, **more):
    return FloatProperty(name=name, description=text, default=default, min=low, max=high, options=set(),
                         **more)


def whole(name, text, default, low, high, **more):
    return IntProperty(name=name, description=text, default=default, min=low, max=high, options=set(), **more)


def switch(name, text, default=False):
    return BoolProperty(name=name, description=text, default=default, options=set())


def words(name, text, **more):
    return StringProperty(name=name, description=text, options=set(), **more)


def values(name, text):
    return FloatVectorProperty(name=name, description=text, size=4, precision=4, options=set())


def link(name, text, *roles):
    """Returns a pointer to an object, of one of the roles if any are given."""
    more = {"poll": has_role(*roles)} if roles else {}
    return PointerProperty(name=name, description=text, type=Object, **more)


def components(attributes):
    """Returns the names of the numbers of attributes: "heat", or "tint_x" and so on of a vector."""
    names = []
    for item in attributes:
        count = {"age": 1, "rest_position": 3}.get(item.kind, item.components)
        names += [item.name] if count == 1 else ["%s_%s" % (item.name, axis) for axis in "xyzw"[:count]]
    return names


def search_components(_group, context, text):
    return [name for name in components(context.scene.weir.attributes) if text in name]


# ---- objects -------------------------------------------------------------------------------------

class WeirValue(PropertyGroup):
    """The value of a named attribute; `name` is that of the attribute."""
    value: values("Value", "As many numbers as the attribute has components")


class WeirCurvePoint(PropertyGroup):
    """A point of a number that depends on an attribute."""
    value: number("Value", "Value of the attribute", 0, -1e9, 1e9, precision=4)
    dynamic_viscosity: number("Viscosity (Pa s)", "Dynamic viscosity where the attribute has this value "
                                                  "[Pa s]",
                              0, *range_of("fluid", "dynamic_viscosity"), precision=4)


class WeirCurve(PropertyGroup):
    """The viscosity over an attribute."""
    attribute: StringProperty(name="Attribute", options=set(), search=search_components,
                              description="Attribute of the domain that the viscosity depends on, such as a "
                                          "temperature; of a vector one component, such as tint_x")
    points: CollectionProperty(type=WeirCurvePoint)
    point_index: IntProperty()


@fields("domain", "friction", "no_slip")
class WeirDomain(PropertyGroup):
    left: choice("Left (-X)", SIDES)
    right: choice("Right (+X)", SIDES)
    front: choice("Front (-Y)", SIDES)
    back: choice("Back (+Y)", SIDES)
    bottom: choice("Bottom (-Z)", SIDES)
    top: choice("Top (+Z)", SIDES)


@fields("fluid", *FLUID_KEYS)
@fields("shape_fill", "velocity")
class WeirFluid(PropertyGroup):
    """A material, of a fluid or an emitter, and how its fill starts. Equal materials are one fluid."""
    viscosity_by: choice("Viscosity by", (
        ("NUMBER", "Number", "The same everywhere"),
        ("CURVE", "Attribute", "By the value of an attribute: geometric between two points of the curve, "
                               "constant beyond its ends")))
    dynamic_viscosity_curve: PointerProperty(type=WeirCurve)


@fields("solid", *SOLID_KEYS)
class WeirSolid(PropertyGroup):
    motion: choice("Motion", (
        ("AUTO", "Automatic", "A mesh per frame where armatures, shape keys, modifiers or the scale change "
                              "the shape; otherwise keyframes"),
        ("RIGID", "Keyframes", "Position and rotation only"),
        ("MESHES", "Mesh per frame", "For objects that deform; the number of vertices must not change")),
        "How an animation is exported")


@fields("emitter", *EMITTER_KEYS)
class WeirEmitter(PropertyGroup):
    fluid: link("Fluid", "Emits the fluid of this object; empty: one with the settings below", "FLUID")
    opening: choice("Opening", (
        ("AUTO", "Automatic", "The rectangle or disc of an object that is flat along its local Z, otherwise "
                              "its shape"),
        ("RECTANGLE", "Rectangle", "As large as the object along its local X and Y"),
        ("DISC", "Disc", "As wide as the object along its local X"),
        ("SHAPE", "Whole shape", "The volume or the surface of the mesh")), "Where fluid leaves")
    rate_by: choice("Rate by", (("SPEED", "Speed", ""), ("FLOW_RATE", "Flow rate", "")))
    speed: FloatProperty(name="Speed", description="Speed of the fluid along the local Z; can be animated "
                                                   "[m/s]",
                         default=1, min=0, max=1000, precision=4, unit="VELOCITY")
    flow_rate: FloatProperty(name="Flow rate (m³/s)", description="Volume per second; can be animated [m³/s]",
                             default=0.001, min=0, max=1e6, precision=6)


@fields("body", *BODY_KEYS)
class WeirBody(PropertyGroup):
    mass_by: choice("Mass by", (("DENSITY", "Density", ""), ("MASS", "Mass", "")))
    density: number("Density (kg/m³)", "Density; wood floats with 500, water has 1000 [kg/m³]", 500, 0.001,
                    30000)
    mass: number("Mass", "Mass [kg]", 1, 1e-6, 1e9, unit="MASS")


@fields("cloth", *CLOTH_KEYS, area_density=0.2)
class WeirCloth(PropertyGroup):
    pin_group: words("Pin group", "Holds the vertices of this vertex group with a weight of more than a half")
    pin_region: link("Pin region", PIN_REGION)
    pin_to: link("Pin to", PIN_TO, "SOLID", "BODY")


@fields("soft_body", *SOFT_KEYS, density=500, stiffness=15000)
class WeirSoftBody(PropertyGroup):
    """pbd_stiffness, unless it is 0, counts in place of stiffness."""
    pin_region: link("Pin region", PIN_REGION)
    pin_to: link("Pin to", PIN_TO, "SOLID", "BODY")


@fields("force", *FORCE_NUMBERS, strength=0, rate=0, amplitude=0, speed=0, swirl=0, size=0.2, octaves=1,
        evolution=0.5, seed=1)
class WeirForce(PropertyGroup):
    type: choice("Type", (
        ("central", "Central", "Towards the object's origin, in proportion to the distance; negative: away "
                               "from it"),
        ("uniform", "Uniform", "The same acceleration everywhere"),
        ("vortex", "Vortex", "About the object's local Z"),
        ("drag", "Drag",
         "Still air, or wind: velocities approach that of the field; not with FLIP and APIC"),
        ("noise", "Noise", "Turbulence that neither compresses nor expands the fluid"),
        ("curve", "Curve", "Towards a curve, along it and about it: for curve objects"),
        ("velocity_field", "Velocity field", "Velocities of a file, whose box is the bounds of the object"),
        ("shape", "Shape", "Towards the inside of the object's mesh")))
    file: words("File", "NPY file of the shape (nx, ny, nz, 3), in m/s and with y up, whose first and last "
                        "nodes lie on the corners of the object's bounds; tools/blender/weir_vdb.py converts "
                        "OpenVDB",
                subtype="FILE_PATH")
    region: choice("Region", (
        ("EVERYWHERE", "Everywhere", ""), ("BOX", "Box", "Inside the bounds of the object"),
        ("SPHERE", "Sphere", "Inside the ball around the object's origin that is as wide as the object")),
        "Where it acts")
    region_of: link("Region of", "The object whose bounds or ball are the region; empty: this object")


@fields("whitewater_emitter", "rate", *WHITEWATER_EMITTER_KEYS, rate=1000)
class WeirWhitewaterEmitter(PropertyGroup):
    """Spray, foam, bubbles or tracers that an object adds inside."""


@fields("gauge_flow", "radius", "average")
class WeirGauge(PropertyGroup):
    kind: choice("Kind", (
        ("height", "Height", "Height of fluid along the axis, inside the bounds of the object"),
        ("front", "Front", "Distance of the farthest fluid along the axis, inside the bounds of the object"),
        ("pressure", "Pressure", "Pressure around the object's origin [Pa]"),
        ("force", "Force", "Force of the fluid on a solid [N]"),
        ("flow", "Flow", "Volume per second through a disc or plane along the local Z [m³/s]")))
    axis: choice("Axis", AXES, "Direction that is measured", default="+z")
    solid: link("Solid", "The solid that the fluid pushes", "SOLID")


class WeirObject(PropertyGroup):
    role: choice("Role", ROLES, "What the object is to Weir")
    domain: PointerProperty(type=WeirDomain)
    fluid: PointerProperty(type=WeirFluid)
    solid: PointerProperty(type=WeirSolid)
    emitter: PointerProperty(type=WeirEmitter)
    body: PointerProperty(type=WeirBody)
    cloth: PointerProperty(type=WeirCloth)
    soft_body: PointerProperty(type=WeirSoftBody)
    force: PointerProperty(type=WeirForce)
    whitewater: PointerProperty(type=WeirWhitewaterEmitter)
    gauge: PointerProperty(type=WeirGauge)
    attributes: CollectionProperty(type=WeirValue)
    attribute_index: IntProperty()


# ---- the scene -----------------------------------------------------------------------------------

@fields("attribute", *ATTRIBUTE_KEYS)
class WeirAttribute(PropertyGroup):
    """A named value that each particle carries; `name` is its name."""
    initial: values("Initial", "Value where an object gives none")


@fields("whitewater", *WHITEWATER_KEYS)
class WeirWhitewater(PropertyGroup):
    """Spray, foam and bubbles."""


class WeirMesh(PropertyGroup):
    preset: choice("Surface", PRESETS, "How the surface is made")
    cell_size: number("Cell size", "Edge of a cell of the surface, in particle spacings; 0: that of the "
                                   "preset",
                      0, 0, 100, precision=2)
    smooth_iterations: whole("Smoothing", "Smoothing iterations", 8, 0, 1000)
    spray_neighbours: whole("Drops below", "Particles with fewer neighbours are drops outside the surface; "
                                           "0: none are", 6, 0, 1000)
    use_attributes: switch("Density and fluid", "Also give the surface the attributes density and fluid, the "
                                                "number of the fluid from 0")


class WeirScene(PropertyGroup):
    folder: words("Folder", "Where the bake writes its files", subtype="DIR_PATH", default="//weir")
    method: choice("Method", METHODS, "How the fluid is solved")
    resolution_by: choice("Resolution by", (
        ("DIVISIONS", "Divisions", "Particle spacings along the longest side of the domain"),
        ("SPACING", "Spacing", "The distance between particles")))
    divisions: whole("Divisions", "Particle spacings along the longest side of the domain: twice as many "
                                  "give eight times the particles", 64, 4, 32768, soft_max=512)
    spacing: number("Spacing", "Distance between particles [m]", 0.02, 1e-5, 100, precision=4, unit="LENGTH")
    substeps: whole("Substeps", "Substeps per frame; 0: as many as the method needs", 0, 0, 1000)
    iterations: whole("Iterations", "Density iterations per substep; 0: those of the method", 0, 0, 100)
    adaptive: switch("Adaptive", "Choose the substeps of each frame by the fastest particle")
    use_whitewater: switch("Spray, foam and bubbles", "Also simulate spray, foam and bubbles", True)
    whitewater: PointerProperty(type=WeirWhitewater)
    mesh: PointerProperty(type=WeirMesh)
    attributes: CollectionProperty(type=WeirAttribute)
    attribute_index: IntProperty()
    overrides: words("Other keys", "Other keys of the scene, separated by spaces: "
                                   "solver.vorticity_confinement=0.5 solver.cfl=1")


CLASSES = (WeirValue, WeirCurvePoint, WeirCurve, WeirDomain, WeirFluid, WeirSolid, WeirEmitter, WeirBody,
           WeirCloth, WeirSoftBody, WeirForce, WeirWhitewaterEmitter, WeirGauge, WeirObject, WeirAttribute,
           WeirWhitewater, WeirMesh, WeirScene)


def has_faces(thing):
    return thing.type in SHAPES


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Object.weir = PointerProperty(type=WeirObject)
    bpy.types.Scene.weir = PointerProperty(type=WeirScene)


def unregister():
    del bpy.types.Object.weir, bpy.types.Scene.weir
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
