"""What an object is to Weir, object.weir, and how the scene is simulated, scene.weir. Names are those of scene
files; lengths are in metres, times in seconds from the scene's first frame, vectors in Blender's axes.
"""

import bpy
from bpy.props import (BoolProperty, CollectionProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty,
                       PointerProperty, StringProperty)
from bpy.types import Object, PropertyGroup

from .schema import fields

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
    ("GAUGE", "Gauge", "Measures the fluid: its level, front, pressure, force or flow"),
)
SHAPES = ("MESH", "CURVE", "SURFACE", "FONT", "META")  # types of objects that have faces
# Roles that an empty may have.
PLACES = ("NONE", "FORCE", "GAUGE")

FLUID_KEYS = ("density", "dynamic_viscosity", "surface_tension", "colour")
SOLID_KEYS = ("thickness", "friction", "no_slip")
EMITTER_KEYS = ("emission", "profile", "prefill", "start", "end")
BODY_KEYS = ("friction", "collision_group", "velocity", "angular_velocity")
CLOTH_KEYS = ("area_density", "stiffness", "pbd_stiffness", "bending_stiffness", "thickness", "friction", "damping",
              "tear_strain", "permeability", "skin_friction", "collides_with", "velocity", "colour")
SOFT_KEYS = ("density", "stiffness", "pbd_stiffness", "poisson_ratio", "cluster_radius", "spacing", "friction",
             "damping", "skin_friction", "collides_with", "velocity", "colour")
WHITEWATER_KEYS = ("emission_rate", "trapped_air_rate", "wave_crest_rate", "curl_rate", "lifetime", "radius",
                   "bubble_rise_speed", "max_particles", "seed")
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


def has_role(*roles):
    """Returns a filter for a pointer: objects of these roles."""
    return lambda _group, thing: thing.weir.role in roles


# ---- objects -------------------------------------------------------------------------------------

class WeirValue(PropertyGroup):
    """The value of a named attribute; `name` is that of the attribute."""
    value: FloatVectorProperty(name="Value", description="As many numbers as the attribute has components", size=4,
                               precision=4)


@fields("domain", "friction", "no_slip")
class WeirDomain(PropertyGroup):
    left: EnumProperty(name="Left (-X)", items=SIDES)
    right: EnumProperty(name="Right (+X)", items=SIDES)
    front: EnumProperty(name="Front (-Y)", items=SIDES)
    back: EnumProperty(name="Back (+Y)", items=SIDES)
    bottom: EnumProperty(name="Bottom (-Z)", items=SIDES)
    top: EnumProperty(name="Top (+Z)", items=SIDES)


@fields("fluid", *FLUID_KEYS)
@fields("shape_fill", "velocity")
class WeirFluid(PropertyGroup):
    """A material, of a fluid or an emitter, and how its fill starts. Objects of equal materials are one fluid."""


@fields("solid", *SOLID_KEYS)
class WeirSolid(PropertyGroup):
    motion: EnumProperty(name="Motion", description="How an animation is exported", items=(
        ("AUTO", "Automatic", "A mesh per frame where armatures, shape keys, modifiers or the scale change the shape; "
                              "otherwise keyframes"),
        ("RIGID", "Keyframes", "Position and rotation only"),
        ("MESHES", "Mesh per frame", "For objects that deform; the number of vertices must not change")))


@fields("emitter", *EMITTER_KEYS)
class WeirEmitter(PropertyGroup):
    fluid: PointerProperty(name="Fluid", type=Object, poll=has_role("FLUID"),
                           description="Emits the fluid of this object; empty: one with the settings below")
    opening: EnumProperty(name="Opening", description="Where fluid leaves", items=(
        ("AUTO", "Automatic", "The rectangle or disc of an object that is flat along its local Z, otherwise the shape"),
        ("RECTANGLE", "Rectangle", "As large as the object along its local X and Y"),
        ("DISC", "Disc", "As wide as the object along its local X"),
        ("SHAPE", "Whole shape", "The volume or the surface of the mesh")))
    rate_by: EnumProperty(name="Rate by", items=(("SPEED", "Speed", ""), ("FLOW_RATE", "Flow rate", "")))
    speed: FloatProperty(name="Speed", description="Speed of the fluid along the local Z; can be animated [m/s]",
                         default=1, min=0, max=1000, precision=4, unit="VELOCITY")
    flow_rate: FloatProperty(name="Flow rate", description="Volume per second; can be animated [m³/s]",
                             default=0.001, min=0, max=1e6, precision=6)


@fields("body", *BODY_KEYS)
class WeirBody(PropertyGroup):
    mass_by: EnumProperty(name="Mass by", items=(("DENSITY", "Density", ""), ("MASS", "Mass", "")))
    density: FloatProperty(name="Density", description="Density; wood floats with 500, water has 1000 [kg/m³]",
                           default=500, min=0.001, max=30000)
    mass: FloatProperty(name="Mass", description="Mass [kg]", default=1, min=1e-6, max=1e9, unit="MASS")


class WeirPins:
    """How cloths and soft bodies are held."""
    pin_region: PointerProperty(name="Pin region", type=Object, description="Holds the vertices that are inside the "
                                "bounds of this object at the start, or inside the sphere of an empty")
    pin_to: PointerProperty(name="Pin to", type=Object, poll=has_role("SOLID", "BODY"),
                            description="The solid or rigid body that holds the vertices; empty: they stay in place")


@fields("cloth", *CLOTH_KEYS, area_density=0.2)
class WeirCloth(WeirPins, PropertyGroup):
    pin_group: StringProperty(name="Pin group", description="Holds the vertices of this vertex group with a weight of "
                                                            "more than a half")


@fields("soft_body", *SOFT_KEYS, density=500, stiffness=15000)
class WeirSoftBody(WeirPins, PropertyGroup):
    """pbd_stiffness, unless it is 0, counts in place of stiffness."""


@fields("force", "type", "strength", "acceleration", "rate", "velocity")
class WeirForce(PropertyGroup):
    region: EnumProperty(name="Region", description="Where it acts", items=(
        ("EVERYWHERE", "Everywhere", ""), ("BOX", "Box", "Inside the bounds of the object"),
        ("SPHERE", "Sphere", "Inside the ball around the object's origin that is as wide as the object")))


@fields("gauge_flow", "radius", "average")
class WeirGauge(PropertyGroup):
    kind: EnumProperty(name="Kind", items=(
        ("height", "Height", "Height of fluid along the axis, inside the bounds of the object"),
        ("front", "Front", "Distance of the farthest fluid along the axis, inside the bounds of the object"),
        ("pressure", "Pressure", "Pressure around the object's origin [Pa]"),
        ("force", "Force", "Force of the fluid on a solid [N]"),
        ("flow", "Flow", "Volume per second through a disc or plane along the local Z [m³/s]")))
    axis: EnumProperty(name="Axis", description="Direction that is measured", items=AXES, default="+z")
    solid: PointerProperty(name="Solid", type=Object, poll=has_role("SOLID"))


class WeirObject(PropertyGroup):
    role: EnumProperty(name="Role", description="What the object is to Weir", items=ROLES)
    domain: PointerProperty(type=WeirDomain)
    fluid: PointerProperty(type=WeirFluid)
    solid: PointerProperty(type=WeirSolid)
    emitter: PointerProperty(type=WeirEmitter)
    body: PointerProperty(type=WeirBody)
    cloth: PointerProperty(type=WeirCloth)
    soft_body: PointerProperty(type=WeirSoftBody)
    force: PointerProperty(type=WeirForce)
    gauge: PointerProperty(type=WeirGauge)
    attributes: CollectionProperty(type=WeirValue)
    attribute_index: IntProperty()


# ---- the scene -----------------------------------------------------------------------------------

@fields("attribute", *ATTRIBUTE_KEYS)
class WeirAttribute(PropertyGroup):
    """A named value that each particle carries; `name` is its name."""
    initial: FloatVectorProperty(name="Initial", description="Value where an object gives none", size=4, precision=4)


@fields("whitewater", *WHITEWATER_KEYS)
class WeirWhitewater(PropertyGroup):
    """Spray, foam and bubbles."""


class WeirMesh(PropertyGroup):
    preset: EnumProperty(name="Surface", description="How the surface is made", items=PRESETS)
    cell_size: FloatProperty(name="Cell size", description="Edge of a cell of the surface, in particle spacings; 0: that "
                                                           "of the preset", min=0, max=100, precision=2)
    smooth_iterations: IntProperty(name="Smoothing", description="Smoothing iterations", default=8, min=0, max=1000)
    use_attributes: BoolProperty(name="Density and fluid", description="Also give the surface the attributes density and "
                                                                       "fluid, the number of the fluid from 0")
    spray_neighbours: IntProperty(name="Drops below", default=6, min=0, max=1000, description="Particles with fewer "
                                  "neighbours are drops outside the surface; 0: none are")


class WeirScene(PropertyGroup):
    folder: StringProperty(name="Folder", subtype="DIR_PATH", default="//weir",
                           description="Where the bake writes its files")
    method: EnumProperty(name="Method", description="How the fluid is solved", items=METHODS)
    resolution_by: EnumProperty(name="Resolution by", items=(
        ("DIVISIONS", "Divisions", "Particle spacings along the longest side of the domain"),
        ("SPACING", "Spacing", "The distance between particles")))
    divisions: IntProperty(name="Divisions", description="Particle spacings along the longest side of the domain: twice "
                                                         "as many give eight times the particles",
                           default=64, min=4, max=32768, soft_max=512)
    spacing: FloatProperty(name="Spacing", description="Distance between particles [m]", default=0.02, min=1e-5, max=100,
                           precision=4, unit="LENGTH")
    substeps: IntProperty(name="Substeps", description="Substeps per frame; 0: as many as the method needs", min=0,
                          max=1000)
    iterations: IntProperty(name="Iterations", description="Density iterations per substep; 0: those of the method",
                            min=0, max=100)
    adaptive: BoolProperty(name="Adaptive", description="Choose the substeps of each frame by the fastest particle")
    use_whitewater: BoolProperty(name="Spray, foam and bubbles", default=True,
                                 description="Also simulate spray, foam and bubbles")
    whitewater: PointerProperty(type=WeirWhitewater)
    mesh: PointerProperty(type=WeirMesh)
    attributes: CollectionProperty(type=WeirAttribute)
    attribute_index: IntProperty()
    overrides: StringProperty(name="Other keys", description="Other keys of the scene, separated by spaces: "
                                                             "solver.vorticity_confinement=0.5 solver.cfl=1")


CLASSES = (WeirValue, WeirDomain, WeirFluid, WeirSolid, WeirEmitter, WeirBody, WeirCloth, WeirSoftBody, WeirForce,
           WeirGauge, WeirObject, WeirAttribute, WeirWhitewater, WeirMesh, WeirScene)


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
