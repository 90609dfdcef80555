"""Reference pages of the site that other files generate: the keys of scenes from their schema, the commands from their
help."""
import json
import re
import subprocess

KEY_PAGE = """# Scene keys

Every key of a scene file, from its schema, `scenes/scene.schema.json`: type, range, default, meaning. Lengths are in
metres, times in seconds, masses in kilograms. [Parameters in detail](parameters.md) says what the numbers do.
"""
COMMAND_PAGE = """# Commands

Every option of every command, as `weir COMMAND --help-all` prints it. [Exit statuses](exit-statuses.md) are the same for
all commands.
"""


def escaped(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def range_of(schema):
    """Describes the numbers that a key accepts."""
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if low is not None and high is not None:
        return f"{low:g} to {high:g}"
    words = [f"from {low:g}" if low is not None else "", f"above {above:g}" if above is not None else "",
             f"up to {high:g}" if high is not None else "", f"below {below:g}" if below is not None else ""]
    return " ".join(word for word in words if word)


def type_of(schema):
    """Describes what a key accepts, in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name})"
    for choice in ("oneOf", "anyOf"):
        if choice in schema:
            return " or ".join(dict.fromkeys(type_of(each) for each in schema[choice]))
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    kind = schema.get("type", "any value")
    if kind == "array":
        items, low, high = schema.get("items", {}), schema.get("minItems"), schema.get("maxItems")
        count = f"{low} × " if low is not None and low == high else f"list of up to {high} × " if high else "list of "
        return count + type_of(items if isinstance(items, dict) else {})
    if kind in ("number", "integer"):
        return " ".join(word for word in ({"number": "number", "integer": "integer"}[kind], range_of(schema)) if word)
    return {"string": "text", "boolean": "`true` or `false`"}.get(kind, str(kind))


def rows_of(schema, prefix=""):
    """Returns the rows of an object's keys; those of nested objects follow theirs."""
    rows = []
    needed = schema.get("required", [])
    for name, key in schema.get("properties", {}).items():
        if name == "$schema":
            continue
        default = f"`{json.dumps(key['default'])}`" if "default" in key else "required" if name in needed else ""
        rows.append(f"| `{prefix}{name}` | {type_of(key)} | {default} | {escaped(key.get('description', ''))} |")
        inner = key.get("items", key) if key.get("type") == "array" else key
        if isinstance(inner, dict) and inner.get("properties"):
            rows += rows_of(inner, f"{prefix}{name}{'[]' if inner is not key else ''}.")
    for choice in ("oneOf", "anyOf", "allOf"):
        for each in schema.get(choice, []):
            rows += [row for row in rows_of(each, prefix) if row not in rows]
    return rows


def table(rows):
    return "\n".join(["| key | value | default | meaning |", "|---|---|---|---|", *rows, ""])


def key_page(path):
    """Returns the page of all keys."""
    schema = json.loads(path.read_text(encoding="utf-8"))
    parts = [KEY_PAGE, "## A scene\n", table(rows_of(schema))]
    for name, definition in schema["definitions"].items():
        rows = rows_of(definition)
        about = definition.get("description", "")
        parts.append(f"## {name}\n")
        if about:
            parts.append(escaped(about[0].upper() + about[1:]) + ".\n")
        parts.append(table(rows) if rows else f"A value: {type_of(definition)}.\n")
    return "\n".join(parts)


def command_pages(program):
    """Returns the page of all commands."""
    parts = [COMMAND_PAGE]
    listed = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  weir (?!help)([a-z]+) ", listed, re.MULTILINE)
    for words in [["--help"]] + [[command, "--help-all"] for command in dict.fromkeys(commands)]:
        said = subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout
        title = " ".join(["weir", *words[:-1]])
        parts.append(f"## {title}\n\n```text\n{re.sub(r'[ ]+$', '', said, flags=re.MULTILINE).rstrip()}\n```\n")
    return "\n".join(parts)
