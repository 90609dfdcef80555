"""The types, constants and functions of the public headers, as cffi reads them, and the comments of their fields."""
import os
import re
from typing import Any, Dict, List, Set

import cffi


def _header_folder() -> str:
    """Returns the folder of the public headers: the package's own copy, or that of the source tree."""
    package = os.path.dirname(os.path.abspath(__file__))
    copy = os.path.join(package, "include")
    return copy if os.path.isdir(copy) else os.path.join(package, "..", "..", "include", "weir")


def _read(folder: str, name: str, seen: Set[str]) -> str:
    """Returns the text of a header, in which each header that it includes for the first time replaces the #include."""
    if name in seen:
        return ""
    seen.add(name)
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return re.sub(r'(?m)^#include "(.*)"$', lambda found: _read(folder, found[1], seen), file.read())


def declarations(headers: str) -> str:
    """Returns what the headers declare, without what cffi cannot parse: comments, function bodies, and all lines for
    the preprocessor but the definitions of integers."""
    text = re.sub(r"(?s)/\*.*?\*/", "", headers).replace("UINT32_MAX", "0xffffffffu")
    text = re.sub(r"(?ms)^#ifdef __cplusplus.*?^#endif|^static inline .*?^}", "", text)
    return re.sub(r"(?m)^#(?!define \w+ -?\d\w*\s*$).*|^WEIR_API (?:WEIR_DEPRECATED\(\"[^\"]*\"\)\s+)?", "", text)


def field_comments(struct: str) -> Dict[str, str]:
    """Returns the comments of the fields of a struct, on one line each; "" for a field without one. A comment belongs
    to the declaration that it follows on its line, or else to the next one."""
    body = re.search(r"(?ms)^typedef struct %s \{\n(.*?)^\} %s;" % (struct, struct), _headers)
    if not body:
        raise ValueError("the headers have no struct %s" % struct)
    comments: Dict[str, str] = {}
    before, line_ended = "", True
    names: List[str] = []
    for gap, comment, declaration in re.findall(r"(?s)(\s*)(?:/\*(.*?)\*/|([^;/]+);)", body[1]):
        line_ended = line_ended or "\n" in gap
        if comment:
            text = re.sub(r"\s*\n[ *]*", " ", comment).strip()
            if line_ended:
                before = text
            else:
                comments.update((name, text) for name in names)
            continue
        names = _declared(declaration)
        comments.update((name, before) for name in names)
        before, line_ended = "", False
    return comments


def _declared(declaration: str) -> List[str]:
    """Returns the names that a declaration of fields declares."""
    pointer = re.match(r".*\(\*(\w+)\)\(", declaration, re.DOTALL)
    return [pointer[1]] if pointer else re.findall(r"(\w+)(?:\[\w+\])*\s*(?:,|$)", declaration)


_headers = _read(_header_folder(), "weir.h", set())
ffi: Any = cffi.FFI()
ffi.cdef(declarations(_headers))
