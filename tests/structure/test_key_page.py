#!/usr/bin/env python3
"""docs/parameters.md, the reference of scene keys, agrees with scenes/scene.schema.json: every key of the schema is on
the page, each row of a table of keys names keys of the object that the table describes, once, and ranges and defaults
are those of the schema."""
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE, SCHEMA = "docs/parameters.md", "scenes/scene.schema.json"
# Tables of keys by the heading above them and the head of their first column: the schema's objects that they describe.
TABLES = {
    ("The solver's parameters", "key"): ("solver",),
    ("The scene", "key"): ("", "domain"),
    ("`attributes`, up to 8", "key"): ("attribute",),
    ("`sea`", "key"): ("sea",),
    ("`sea`", "wave"): ("sea_waves",),
    ("`fluids`, up to 16", "key"): ("fluid", "shape_fill", "file_fill"),
    ("`forces`, up to 8", "key"): ("force",),
    ("`forces`, up to 8", "key of `noise`"): ("force",),
    ("`forces`, up to 8", "key of `curve`"): ("force",),
    ("`forces`, up to 8", "key of `velocity_field`"): ("force",),
    ("`forces`, up to 8", "key of `shape`"): ("force",),
    ("`solids`, `emitters`, `sinks`", "solid"): ("solid",),
    ("`solids`, `emitters`, `sinks`", "emitter"): ("emitter",),
    ("`bodies`, up to 1024", "body"): ("body",),
    ("`cloths` and `ropes`, up to 256 of each", "key"): ("cloth", "rope"),
    ("`soft_bodies`, up to 256", "key"): ("soft_body",),
    ("`camera` and `look`", "camera"): ("camera",),
    ("`camera` and `look`", "look"): ("look",),
    ("`whitewater`", "whitewater"): ("whitewater",),
    ("`whitewater`", "whitewater emitter"): ("whitewater_emitter",),
}
# Tables whose first column lists all kinds of an object: its keys without those of every kind, or the values of a key.
KINDS = {
    ("Shapes", "kind"): ("shape", None, ("position", "rotation", "scale")),
    ("`gauges`, up to 32", "kind"): ("gauge", None, ("name",)),
    ("`forces`, up to 8", "type"): ("force", "type", ()),
}
KEYFRAMES = ("Numbers over time", "object")
POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
NUMBER = r"(?:10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|2³² − 1|−?[\d,]+(?:\.\d+)?)"


def number(text):
    """Returns the number that a cell of the page writes."""
    if text == "2³² − 1":
        return 2.0**32 - 1
    power = re.fullmatch(r"10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", text)
    return 10.0**int(power.group(1).translate(POWERS)) if power else float(text.replace(",", "").replace("−", "-"))


def ranges_of(cell):
    """Returns the ranges that a cell names: (low, high) each."""
    found = [(-number(text), number(text)) for text in re.findall("±(%s)" % NUMBER, cell)]
    return found + [(number(low), number(high)) for low, high in re.findall("(%s) – (%s)" % (NUMBER, NUMBER), cell)]


def tables(page):
    """Yields (heading, head of the first column, heads, rows) of every table."""
    heading, lines = "", page.splitlines()
    for i, line in enumerate(lines):
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if line.startswith("|---"):
            cells = [cell.strip() for cell in lines[i - 1].strip("|").split("|")]
            rows, at = [], i + 1
            while at < len(lines) and lines[at].startswith("|"):
                row = re.split(r"(?<!\\)\|", lines[at].strip()[1:-1])
                rows.append([cell.strip().replace("\\", "") for cell in row])
                at += 1
            yield heading, cells[0], cells, rows


def property_of(schema, objects, name):
    """Returns the schemas of a key, such as `tolerance.mean` or `fov`, in the first object that has it."""
    for name_of_object in objects:
        node = schema if name_of_object == "" else schema["definitions"][name_of_object]
        for part in name.split("."):
            node = properties(schema, node).get(part)
            if node is None:
                break
        if node is not None:
            return node
    return None


def properties(schema, node):
    """Returns the keys of an object, following references and alternatives."""
    while "$ref" in node:
        node = schema["definitions"][node["$ref"].rsplit("/", 1)[1]]
    if node.get("type") == "array" and isinstance(node.get("items"), dict):
        return properties(schema, node["items"])
    found = dict(node.get("properties", {}))
    for choice in ("oneOf", "anyOf", "allOf"):
        for each in node.get(choice, []):
            found = {**properties(schema, each), **found}
    return found


def limits(schema, node):
    """Returns the least and the largest number that a key accepts, None where the schema names none."""
    while "$ref" in node:
        node = schema["definitions"][node["$ref"].rsplit("/", 1)[1]]
    for choice in ("oneOf", "anyOf"):
        if choice in node:
            return limits(schema, node[choice][0])
    if node.get("type") == "array" and isinstance(node.get("items"), dict):
        return limits(schema, node["items"])
    return node.get("minimum", node.get("exclusiveMinimum")), node.get("maximum", node.get("exclusiveMaximum"))


def keys_of(schema):
    """Returns the names of all keys."""
    found = set()
    if isinstance(schema, dict):
        found |= set(schema.get("properties", {}))
        for value in schema.values():
            found |= keys_of(value)
    elif isinstance(schema, list):
        for value in schema:
            found |= keys_of(value)
    return found


def fault_of_default(cell, node):
    """Returns what is wrong with a cell of defaults, or None."""
    default, plain = node.get("default"), cell.strip("`")
    if isinstance(default, bool):
        return None if plain == str(default).lower() else f"default {plain}, the schema has {default}"
    if isinstance(default, (int, float)) and re.fullmatch(NUMBER, plain):
        same = abs(number(plain) - default) <= 1e-9 * abs(default)
        return None if same else f"default {plain}, the schema has {default}"
    return None


def faults_of_kinds(schema, heading, first, rows):
    """Compares the first column of a table of kinds with the kinds that the schema has."""
    name, key, common = KINDS[heading, first]
    node = schema["definitions"][name]
    kinds = set(node["properties"][key]["enum"] if key else properties(schema, node)) - set(common)
    listed = {kind for row in rows for kind in re.findall(r"`(\w+)`", row[0])}
    return [f"the kinds are not those of the schema: {sorted(kinds ^ listed)}"] if kinds != listed else []


def faults_of_keyframes(schema, rows):
    """Compares the table of numbers with keyframes with the keys NAME_keyframes of each object."""
    objects = {"scene": "", "domain": "domain", "solver": "solver", "solver.tolerance": "tolerance", "fluids": "fluid",
               "forces": "force", "emitters": "emitter"}
    faults = []
    for row in rows:
        node = schema["definitions"][objects[row[0].strip("`")]] if objects[row[0].strip("`")] else schema
        keys = {key.removesuffix("_keyframes") for key in properties(schema, node) if key.endswith("_keyframes")}
        if keys != set(re.findall(r"`(\w+)`", row[1])):
            faults.append(f"{row[0]}: keys with keyframes are {sorted(keys)}")
    return faults + ([] if len(rows) == len(objects) else [f"keyframes: {len(rows)} objects"])


def objects_of(objects, of):
    """Returns the objects that a row with the cell `of` describes."""
    return (of,) if of in objects else objects


def faults_of_row(schema, objects, heads, row):
    """Compares the keys of a row, and where it has only one its range and default, with the schema."""
    faults = []
    names = re.findall(r"`([\w.]+)`", row[0])
    objects = objects_of(objects, row[heads.index("of")] if "of" in heads else "")
    for name in names:
        node = property_of(schema, objects, name)
        if node is None:
            faults.append(f"`{name}` is no key of {' or '.join(objects)}")
        elif len(names) == 1:
            ranges = ranges_of(row[heads.index("range")]) if "range" in heads else []
            least, largest = limits(schema, node)
            for low, high in ranges[:1]:
                if least not in (None, low) or largest not in (None, high):
                    faults.append(f"`{name}` from {low:g} to {high:g}, the schema has {least} to {largest}")
            wrong = fault_of_default(row[heads.index("default")], node) if "default" in heads else None
            faults += [f"`{name}`: {wrong}"] if wrong else []
    return faults


def check_keys(schema, objects, heads, rows):
    """Returns the faults of a table of keys, and how many keys it has."""
    faults = [fault for row in rows for fault in faults_of_row(schema, objects, heads, row)]
    names = [name for row in rows for name in re.findall(r"`([\w.]+)`", row[0])]
    if "of" not in heads:
        faults += [f"`{name}` has two rows" for name in sorted(set(names)) if names.count(name) > 1]
    return faults, len(names)


def check(page, schema):
    """Returns the faults of the page, and how many keys were compared."""
    faults, compared, described = [], 0, set()
    for heading, first, heads, rows in tables(page):
        found = []
        if (heading, first) in TABLES:
            found, count = check_keys(schema, TABLES[heading, first], heads, rows)
            compared += count
        elif (heading, first) in KINDS:
            found = faults_of_kinds(schema, heading, first, rows)
        elif (heading, first) == KEYFRAMES:
            found = faults_of_keyframes(schema, rows)
        described.add((heading, first))
        faults += [f"{heading}: {fault}" for fault in found]
    faults += [f"no table `{first}` below \"{heading}\"" for heading, first in {*TABLES, *KINDS, KEYFRAMES} - described]
    words = set(re.findall(r"\w+", page))
    keys = {key.removesuffix("_keyframes") for key in keys_of(schema)} - {"$schema"}
    return faults + [f"the page lacks the key `{key}`" for key in sorted(keys - words)], compared


def main():
    with open(os.path.join(ROOT, PAGE), encoding="utf-8") as file:
        page = file.read()
    with open(os.path.join(ROOT, SCHEMA), encoding="utf-8") as file:
        schema = json.load(file)
    planted = page.replace("| `torus` |", "| `donut` |").replace("`swirl` |", "`whirl` |")
    planted = planted.replace("| `cfl` |", "| `clf` |").replace("| 0.5 – 2 | 1 | 1 |", "| 0.5 – 3 | 2 | 1 |")
    assert len(check(planted, schema)[0]) >= len(check(page, schema)[0]) + 5, "planted faults are not found"
    faults, compared = check(page, schema)
    for fault in faults:
        print(f"{PAGE}: {fault}")
    print(f"{compared} keys compared, {len(faults)} faults")
    assert compared > 200
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
