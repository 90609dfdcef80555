"""Pictures and tables of objects in notebooks, and packages that are optional."""
import base64
import html
import importlib
import struct
import zlib
from typing import Any, Iterable, Sequence

import numpy as np


def optional(name: str, needed_by: str) -> Any:
    """Imports a package that Weir does not depend on."""
    try:
        return importlib.import_module(name)
    except ImportError as fault:
        raise ImportError("%s needs %s, which cannot be imported (%s): pip install %s" % (needed_by, name, fault, name),
                          name=name) from None


def text_of_value(value: Any) -> str:
    """Returns a value for a table: numbers in up to 5 digits, vectors in brackets."""
    if isinstance(value, (float, np.floating)):
        return "%.5g" % value
    if isinstance(value, (list, tuple)):
        return "(%s)" % ", ".join(map(text_of_value, value))
    return str(value)


def html_table(title: str, rows: Iterable[Sequence[Any]], head: Sequence[str] = ()) -> str:
    """Returns an HTML table with a caption."""
    cells = "".join("<th>%s</th>" % html.escape(name) for name in head)
    lines = ["<tr>%s</tr>" % cells] if head else []
    lines += ["<tr>%s</tr>" % "".join("<td>%s</td>" % html.escape(text_of_value(value)) for value in row) for row in rows]
    return "<table><caption>%s</caption>%s</table>" % (html.escape(title), "".join(lines))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_of(picture: "np.ndarray[Any, Any]") -> bytes:
    """Returns a picture [height, width, 4] uint8 as a PNG file."""
    height, width = picture.shape[:2]
    rows = np.concatenate([np.zeros((height, 1), np.uint8), picture.reshape(height, 4 * width)], axis=1)
    return (b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) +
            _chunk(b"IDAT", zlib.compress(rows.tobytes())) + _chunk(b"IEND", b""))


def html_picture(picture: "np.ndarray[Any, Any]") -> str:
    """Returns an HTML image of a picture [height, width, 4] uint8."""
    return '<img alt="" src="data:image/png;base64,%s"/>' % base64.b64encode(png_of(picture)).decode()


def sized(count: int) -> str:
    """Returns a number of bytes with a unit."""
    size, units = float(count), ["B", "kB", "MB", "GB"]
    while size >= 1000 and len(units) > 1:
        size, units = size / 1000, units[1:]
    return "%.3g %s" % (size, units[0])


def _summarized(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return "%s %s" % (list(value.shape), value.dtype)
    if isinstance(value, dict):
        return "{%s}" % ", ".join("%s: %s" % (name, _summarized(entry)) for name, entry in value.items())
    return text_of_value(value)


def summary(values: Any) -> str:
    """Returns the repr() of a NamedTuple with arrays: their shapes and types in place of their numbers."""
    words = ["%s=%s" % (name, _summarized(value)) for name, value in values._asdict().items()]
    return "<weir.%s %s>" % (type(values).__name__, " ".join(words))


def html_summary(values: Any) -> str:
    """Returns the same as summary() as an HTML table."""
    rows = [(name, _summarized(value)) for name, value in values._asdict().items()]
    return html_table("weir." + type(values).__name__, rows)
