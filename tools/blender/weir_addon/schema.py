"""Makes Blender's properties from the schema of scene files, so that names, ranges, defaults and descriptions
are those of the program.
"""

import json
import os
import re

from bpy.props import (BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty)

FILE = "scene.schema.json"
# Blender's units, by the end of a description.
UNITS = {"m": "LENGTH", "m/s": "VELOCITY", "m/s2": "ACCELERATION", "kg": "MASS"}
# Those that Blender does not have.
OTHER_UNITS = ("kg/m3", "kg/m2", "Pa s", "Pa", "N/m", "N m", "m/(s Pa)", "m²/s", "1/s", "1/s2", "rad/s", "s")
LEVELS = 5  # folders above this one in which scenes/ is looked for
KEYFRAMES = "_keyframes"  # ends the key that has keyframes in place of a number
UNSET = ("not set", "default: ")  # what the tooltip of a key without a default contains


def find_file():
    """Returns the path of the schema: in this folder, as the zip has it, or in the repository's scenes."""
    folder = os.path.dirname(os.path.abspath(__file__))
    paths = [os.path.join(folder, FILE)]
    for _ in range(LEVELS):
        folder = os.path.dirname(folder)
        paths.append(os.path.join(folder, "scenes", FILE))
    for path in paths:
        if os.path.exists(path):
            return path
    raise FileNotFoundError("the add-on is incomplete: %s is missing; install it from the zip" % paths[0])


def read():
    with open(find_file(), encoding="utf-8") as file:
        return json.load(file)


SCHEMA = read()


def keys_of(definition):
    """Returns the keys of a definition such as "fluid", with their ranges and descriptions."""
    return SCHEMA["definitions"][definition]["properties"]


def most(path):
    """Returns how many items a list of a scene, such as "forces" or "whitewater.emitters", has at most."""
    *owner, key = path.split(".")
    keys = keys_of(owner[0]) if owner else SCHEMA["properties"]
    return keys[key]["maxItems"]


def range_of(definition, key):
    """Returns the least and the greatest value of a number."""
    spec = keys_of(definition)[key]
    return spec["minimum"], spec["maximum"]


def with_keyframes(definition):
    """Returns the keys of a definition whose numbers a scene can change over time."""
    keys = keys_of(definition)
    return [key for key in keys if key + KEYFRAMES in keys]


def label_of(key, unit=""):
    """Returns the name of a key for people, with its unit unless Blender shows that itself."""
    name = key.replace("_", " ").capitalize()
    if not unit or unit in UNITS:
        return name
    return "%s (%s)" % (name, re.sub(r"(?<=[a-z])([23])", raised, unit))


def raised(found):
    return {"2": "²", "3": "³"}[found.group(1)]


def split_unit(description):
    """Returns a description and its unit; "" if it names none."""
    text, _, unit = description.rpartition(", ")
    return (text, unit) if unit in UNITS or unit in OTHER_UNITS else (description, "")


def tooltip(spec, animatable=False):
    text, unit = split_unit(spec.get("description", ""))
    text = text[:1].upper() + text[1:]
    if "default" not in spec and "number" == spec.get("type") and UNSET[1] not in text:
        text += "; 0: not set"
    if animatable:
        text += "; can be animated"
    return text + (" [%s]" % unit if unit else "")


def number(spec, common):
    """Returns the property of a number. A key without a default is 0 while it is not set."""
    low = spec.get("minimum", -1e6)
    kind = FloatProperty if spec["type"] == "number" else IntProperty
    values = {"min": low if "default" in spec else min(low, 0), "default": spec.get("default", 0)}
    if spec["type"] == "number":
        values.update(max=spec.get("maximum", 1e6), precision=4, step=10,
                      unit=UNITS.get(split_unit(spec.get("description", ""))[1], "NONE"))
    else:  # Blender's whole numbers are signed
        values["max"] = min(spec.get("maximum", 2**31 - 1), 2**31 - 1)
    return kind(**values, **common)


def vector(spec, common):
    """Returns the property of three numbers: a colour, or a vector in Blender's axes."""
    if "colour" in spec["description"]:
        return FloatVectorProperty(size=3, subtype="COLOR", min=0, max=1, default=spec["default"], **common)
    common["description"] += ", in Blender's axes"
    unit = UNITS.get(split_unit(spec["description"])[1], "NONE")
    return FloatVectorProperty(size=3, subtype={"VELOCITY": "VELOCITY",
                                                "ACCELERATION": "ACCELERATION"}.get(unit, "XYZ"),
                               min=spec["items"]["minimum"], max=spec["items"]["maximum"], precision=4,
                               default=spec.get("default", (0, 0, 0)), **common)


def property_of(spec, key, animatable=False):
    """Returns the definition of a Blender property for one key of the schema."""
    common = {"name": label_of(key, split_unit(spec.get("description", ""))[1]),
              "description": tooltip(spec, animatable),
              "options": {"ANIMATABLE"} if animatable else set()}
    if "enum" in spec:
        words = spec["enum"]
        items = [(word, label_of(word), "") for word in words]
        return EnumProperty(items=items, default=spec.get("default", words[0]), **common)
    if spec["type"] == "boolean":
        return BoolProperty(default=spec.get("default", False), **common)
    return vector(spec, common) if spec["type"] == "array" else number(spec, common)


def fields(definition, *keys, **defaults):
    """Returns a decorator that gives a property group the properties of some keys of a definition.
    `defaults`: values for keys that have none in a scene, or another one here. Numbers with keyframes in a
    scene can be animated.
    """
    specs, animatable = keys_of(definition), with_keyframes(definition)

    def add(group):
        made = {key: property_of({**specs[key], **({"default": defaults[key]} if key in defaults else {})},
                                 key, key in animatable)
                for key in keys}
        group.__annotations__ = {**made, **getattr(group, "__annotations__", {})}
        return group

    return add


def rounded(value):
    """Returns a number without the digits that Blender's 32-bit properties do not store."""
    return float("%.6g" % value)


def changed(group, definition, keys, turn=None):
    """Returns {key: value} of the keys that differ from their default, as a scene has them. `turn`: converts
    a vector from Blender's axes.
    """
    specs, values = keys_of(definition), {}
    for key in keys:
        spec, value = specs[key], getattr(group, key)
        if spec.get("type") == "array":
            value = [rounded(x) + 0.0 for x in value]
            if "colour" not in spec["description"] and turn:
                value = turn(value)
            usual = spec.get("default", [0, 0, 0])
        else:
            usual = spec.get("default", spec["enum"][0] if "enum" in spec else 0)
            value = rounded(value) if spec.get("type") == "number" else value
        if value != ([rounded(x) for x in usual] if isinstance(usual, list) else usual):
            values[key] = value
    return values
