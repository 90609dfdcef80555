"""Markdown of the pages under docs that tools measure and write: tables, and parts between two marks."""


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
