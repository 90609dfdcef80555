"""Converts the custom properties that gave objects their roles in earlier versions."""

from .geometry import Refused

ROLES = {"domain": "DOMAIN", "fluid": "FLUID", "solid": "SOLID", "emitter": "EMITTER", "sink": "SINK"}
# The custom property, the role that it implies, and where its value goes.
FIELDS = (
    ("weir_velocity", "FLUID", "velocity"), ("weir_density", "FLUID", "density"),
    ("weir_viscosity", "FLUID", "dynamic_viscosity"), ("weir_surface_tension", "FLUID", "surface_tension"),
    ("weir_thickness", "SOLID", "thickness"), ("weir_friction", "SOLID", "friction"),
    ("weir_speed", "EMITTER", "speed"), ("weir_flow_rate", "EMITTER", "flow_rate"),
    ("weir_start", "EMITTER", "start"), ("weir_end", "EMITTER", "end"),
    ("weir_profile", "EMITTER", "profile"), ("weir_emission", "EMITTER", "emission"),
)
OTHERS = ("weir_role", "weir_deforming", "weir_fluid")
SETTINGS = ("weir_bake_folder", "weir_bake_spacing", "weir_bake_foam", "weir_bake_program", "weir_whitewater")


def role_of(thing):
    """Returns the role that custom properties give; None if there are none."""
    word = thing.get("weir_role", "")
    if word:
        if word not in ROLES:
            raise Refused('%s: its custom property weir_role is "%s", expected one of %s; delete it, and set '
                          'the role in '
                          "Properties > Physics > Weir" % (thing.name, word, ", ".join(ROLES)))
        return ROLES[word]
    if "weir_deforming" in thing:
        return "SOLID"
    return next((role for name, role, _ in FIELDS if name in thing), None)


def convert(thing, role, fluids):
    """Gives an object its role and the values of its custom properties, which are deleted."""
    thing.weir.role = role
    for name, of, key in FIELDS:
        if name in thing and of == role:
            value = thing[name]
            group = getattr(thing.weir, of.lower())
            setattr(group, key, value if isinstance(value, (int, float, str)) else tuple(value))
    if thing.get("weir_deforming"):
        thing.weir.solid.motion = "MESHES"
    if role == "EMITTER":
        thing.weir.emitter.rate_by = "FLOW_RATE" if "weir_flow_rate" in thing else "SPEED"
        named = thing.get("weir_fluid")
        if named and named not in fluids:
            raise Refused('%s: its custom property weir_fluid is "%s", expected %s' %
                          (thing.name, named, ", ".join(fluids) or "a fluid, and there is none"))
        thing.weir.emitter.fluid = fluids[named] if named else next(iter(fluids.values()), None)
    for name in [n for n, _, _ in FIELDS] + list(OTHERS):
        if name in thing:
            del thing[name]


def migrate(scene):
    """Converts the scene and its objects. Returns messages."""
    found = {thing: role_of(thing) for thing in sorted(scene.objects, key=lambda t: t.name)
             if thing.weir.role == "NONE"}
    found = {thing: role for thing, role in found.items() if role}
    for thing, role in found.items():
        thing.weir.role = role
    fluids = {thing.name: thing for thing in sorted(scene.objects, key=lambda t: t.name)
              if thing.weir.role == "FLUID"}
    for thing, role in found.items():
        convert(thing, role, fluids)
    group = scene.weir
    for name, key in (("weir_bake_folder", "folder"), ("weir_bake_foam", "use_whitewater"),
                      ("weir_whitewater", "use_whitewater")):
        if name in scene:
            setattr(group, key, scene[name] if key == "folder" else bool(scene[name]))
    if scene.get("weir_bake_spacing"):
        group.resolution_by, group.spacing = "SPACING", scene["weir_bake_spacing"]
    for name in [n for n in SETTINGS if n in scene]:
        del scene[name]
    return ["%s: its custom properties of an earlier version are converted: the role is %s now, in "
            "Properties > Physics > Weir" % (thing.name, role.capitalize()) for thing, role in found.items()]
