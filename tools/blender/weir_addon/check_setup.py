"""What is wrong with a set-up, found before the program runs: each message has the object's name and the way
out.
"""

from . import export_forces, geometry, schema
from .properties import PLACES, components, has_faces

FORMER_NAMES = ("domain", "fluid", "water", "emitter", "sink")  # names that once decided the role
# The list of a scene that holds the objects of a role.
LISTS = {"FORCE": "forces", "GAUGE": "gauges", "SOLID": "solids", "EMITTER": "emitters", "SINK": "sinks",
         "BODY": "bodies", "CLOTH": "cloths", "SOFT_BODY": "soft_bodies", "WHITEWATER": "whitewater.emitters"}
INSIDE = ("FLUID", "EMITTER", "BODY", "CLOTH", "SOFT_BODY")  # roles that do nothing outside the domain


def find_domain(task):
    """Returns the object that is the domain; None, with a fault, unless there is exactly one."""
    boxes = [thing for thing in task.things if thing.weir.role == "DOMAIN"]
    if len(boxes) == 1:
        return boxes[0]
    if boxes:
        task.faults.append("%d objects are domains: %s; keep one, and set the role of the others to None" %
                           (len(boxes), ", ".join(sorted(box.name for box in boxes))))
    else:
        task.faults.append("no object is the domain: add a box around everything and set its role to Domain "
                           "in Properties > Physics > Weir")
    return None


def check_roles(task):
    """Checks what roles alone show."""
    roles = [thing.weir.role for thing in task.things]
    if not {"FLUID", "EMITTER"} & set(roles):
        task.faults.append("no object is a fluid: set the role of one to Fluid, or to Emitter, in Properties "
                           "> Physics > Weir")
    for role, key in LISTS.items():
        if roles.count(role) > schema.most(key):
            task.faults.append("%d objects have the role %s, and a scene has at most %d: join some, or "
                               "remove roles" %
                               (roles.count(role), role, schema.most(key)))
    for thing in task.things:
        if not has_faces(thing) and thing.weir.role not in PLACES:
            task.fault(thing, "has no faces, as an object of the type %s: only the roles Force and Gauge "
                              "work with it" %
                       thing.type.lower())


def check_frames(task):
    scene = task.scene
    if scene.frame_end <= scene.frame_start:
        task.faults.append("the scene has one frame, %d: set its end to a later one" % scene.frame_start)
    if abs(scene.unit_settings.scale_length - 1) > 1e-6:
        task.warnings.append("the unit scale is %g: Weir takes Blender's units as metres" %
                             scene.unit_settings.scale_length)


def is_outside(own, domain):
    """Returns whether an interval has nothing in common with the domain's; a flat object may lie in its side."""
    if own[1] - own[0] < 1e-6:
        return not domain[0] - 1e-6 <= own[0] <= domain[1] + 1e-6
    return own[1] <= domain[0] or own[0] >= domain[1]


def check_place(task, thing, low, high):
    """Compares an object's bounds with the domain's, both in Weir's axes."""
    first, last = geometry.bounds_of([thing])
    role = thing.weir.role
    if any(is_outside((first[k], last[k]), (low[k], high[k])) for k in range(3)):
        if role in ("SOLID", "EMITTER", "WHITEWATER") and task.tracks[thing.name].moves():
            return
        if role in INSIDE:
            task.fault(thing, "is outside the domain: move it inside, or make the domain larger")
        else:
            task.warn(thing, "is outside the domain and has no effect")
    elif role in ("FLUID", "BODY", "CLOTH", "SOFT_BODY") and any(
            first[k] < low[k] - task.spacing / 2 or last[k] > high[k] + task.spacing / 2 for k in range(3)):
        what = "what is outside is left out" if role == "FLUID" else "the sides of the domain push it"
        task.warn(thing, "reaches out of the domain: %s; make the domain larger if that is not intended" %
                  what)


def check_thickness(task, thing):
    """Compares the object's size along its own axes with the spacing."""
    role, size = thing.weir.role, geometry.size_of(thing)
    least, shell = min(size), role == "SOLID" and thing.weir.solid.thickness > 0
    whole = role != "EMITTER" or thing.weir.emitter.opening == "SHAPE" or \
        thing.weir.emitter.opening == "AUTO" and size[2] > 1e-3 * max(size[:2])
    if role == "EMITTER" and not whole:
        least = min(size[:2])
    if least >= task.spacing or shell:
        return
    thin = "is %.3g m thick, and the particle spacing is %.3g m" % (least, task.spacing)
    if role == "SOLID":
        task.warn(thing, thin + ": fluid may pass through it; make it thicker, set Thickness, or use a "
                                "smaller spacing")
    elif role == "EMITTER" and not whole:
        task.fault(thing, "its opening is %.3g m wide, and the particle spacing is %.3g m: make it larger, "
                          "or use a smaller spacing" % (least, task.spacing))
    elif role in ("FLUID", "EMITTER", "BODY", "SOFT_BODY"):
        task.fault(thing, thin + ": nothing fits in; make it thicker, or use a smaller spacing")


def check_viscosity_curve(task, thing):
    """Checks the viscosity over an attribute, of an object with a material."""
    group, spec = thing.weir.fluid, schema.keys_of("fluid")["dynamic_viscosity_curve"]["properties"]
    if group.viscosity_by != "CURVE":
        return
    most = spec["points"]["maxItems"]
    curve, names = group.dynamic_viscosity_curve, components(task.scene.weir.attributes)
    if curve.attribute not in names:
        choose = "choose one of %s" % ", ".join(names) if names else "set Viscosity by to Number"
        task.fault(thing, 'its viscosity depends on the attribute "%s", which the scene does not have: add '
                          'it to Attributes of the domain, or %s' % (curve.attribute, choose))
    count = len(curve.points)
    if not 2 <= count <= most:
        task.fault(thing, "its viscosity curve has %d point%s, expected 2 to %d: add or remove points, or "
                          "set Viscosity by to Number" % (count, "" if count == 1 else "s", most))
    for number in range(1, count):
        before, value = curve.points[number - 1].value, curve.points[number].value
        if value <= before:
            task.fault(thing, "the points of its viscosity curve are not sorted: the value %g of point %d is "
                              "not more than the %g before it; give them increasing values" %
                       (value, number + 1, before))
            break
    rows = task.tracks[thing.name].numbers["fluid", "dynamic_viscosity"]
    if any(value != rows[0][1] for _, value in rows):
        task.warn(thing, "its viscosity is animated, but depends on an attribute: the animation has no "
                         "effect")


def check_animation(task, thing):
    """Roles that Weir moves, or that stand still, do not follow an animation."""
    track = task.tracks[thing.name]
    if not track.moves():
        return
    role = thing.weir.role
    if role in ("BODY", "CLOTH", "SOFT_BODY"):
        task.warn(thing, "is animated, but fluid and gravity move it: its pose in the first frame is used; "
                         "for a given path make it a solid")
    elif role in ("FLUID", "FORCE", "GAUGE", "DOMAIN"):
        task.warn(thing, "is animated, but a %s does not move: its pose in the first frame is used" %
                  role.lower())


def check_objects(task, domain):
    """Checks each object against the domain and the spacing."""
    low, high = geometry.bounds_of([domain])
    if min(h - l for l, h in zip(low, high)) < 2.1 * task.spacing:
        task.fault(domain, "is less than 2.1 particle spacings of %.3g m wide: make it larger, or use a "
                           "smaller spacing" %
                   task.spacing)
    for thing in task.things:
        check_animation(task, thing)
        if thing.weir.role == "FORCE":
            export_forces.check_force(task, thing)
        if thing.weir.role == "FLUID" or thing.weir.role == "EMITTER" and not thing.weir.emitter.fluid:
            check_viscosity_curve(task, thing)
        if thing is domain or thing.weir.role in ("FORCE", "GAUGE") or not has_faces(thing):
            continue
        check_place(task, thing, low, high)
        if thing.weir.role not in ("CLOTH", "SINK", "WHITEWATER"):
            check_thickness(task, thing)


def tell_of_names(task, scene):
    """Names once decided roles: tells of objects that would have had one."""
    named = [thing for thing in scene.objects if has_faces(thing) and thing.weir.role == "NONE" and
             thing.name.lower().startswith(FORMER_NAMES) and "weir_before" not in thing and
             not thing.get("weir_baked")]
    for thing in named:
        task.warn(thing, "has no role, and its name decides nothing; if it is part of the fluid's scene, set "
                         "its role in Properties > Physics > Weir")


def tell_of_hidden(task, scene):
    for thing in scene.objects:
        if thing.weir.role != "NONE" and not thing.visible_get():
            task.warn(thing, "has the role %s, but is hidden in the viewport: it is left out" %
                      thing.weir.role.capitalize().replace("_", " "))
