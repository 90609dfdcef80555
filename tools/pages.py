"""Markdown of the pages under docs that tools measure and write: tables, and parts between two marks."""
import re


def table(head, rows):
    """Returns the lines of a table, and an empty one."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows] + [""]


def marks(name):
    """Returns the two lines that enclose the part of that name."""
    return f"<!-- {name}: begin -->", f"<!-- {name}: end -->"


def has(text, name):
    return all(mark in text for mark in marks(name))


def part(text, name):
    """Returns the text between the marks of that name, which the text must have."""
    begin, end = marks(name)
    return text[text.index(begin) + len(begin):text.index(end)].strip()


def enclosed(name, lines):
    """Returns the text of the part of that name, with its marks."""
    begin, end = marks(name)
    return f"{begin}\n\n" + "\n".join(lines).strip() + f"\n\n{end}"


def replaced(text, name, lines):
    """Returns a page's text with new lines in the part of that name; the text must have its marks."""
    begin, end = marks(name)
    return text[:text.index(begin)] + enclosed(name, lines) + text[text.index(end) + len(end):]


# A row of a check ends with the command of its gate; a line of scenes starts with the gate's name.
ROW = re.compile(r"^\| .* `tools/validate ([\w-]+)` \|$")
SCENES = re.compile(r"^Scenes of \*([\w-]+)\*:")


def by_gate(lines, pattern):
    """Returns {name of the gate: its lines} of those that match the pattern."""
    found = {}
    for line in lines:
        match = pattern.match(line)
        if match:
            found.setdefault(match.group(1), []).append(line)
    return found


def merged_gates(old, new):
    """Returns the lines of a level with the new lines of the gates that ran, and the old ones of the others. The
    table keeps its columns, so the old page and the run must have the same drivers, or the run fewer."""
    head = next(i for i, line in enumerate(old) if line.startswith("| check"))
    width = old[head].count("|")
    rows = by_gate(old, ROW)
    for name, lines in by_gate(new, ROW).items():
        cells = [line[:-1].split(" | ") for line in lines]
        rows[name] = [" | ".join(c[:-1] + [""] * (width - line.count("|")) + c[-1:]).replace("|  |", "| |") + "|"
                      for c, line in zip(cells, lines)]
    scenes = {**by_gate(old, SCENES), **by_gate(new, SCENES)}
    pictures = {line.split("](")[1]: line for line in old + new if line.startswith("![")}
    lines = old[head:head + 2] + [row for of_gate in rows.values() for row in of_gate] + [""]
    return lines + [line for of_gate in (*scenes.values(), pictures.values()) for scene in of_gate for line in (scene, "")]
