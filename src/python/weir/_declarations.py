"""The types, constants and functions of the public headers, as cffi reads them."""
import os
import re
from typing import Any, Set

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


def declarations(folder: str) -> str:
    """Returns what weir.h in the folder declares, without what cffi cannot parse: function bodies, and all lines for the
    preprocessor but the definitions of integers."""
    text = re.sub(r"(?s)/\*.*?\*/", "", _read(folder, "weir.h", set())).replace("UINT32_MAX", "0xffffffffu")
    text = re.sub(r"(?ms)^#ifdef __cplusplus.*?^#endif|^static inline .*?^}", "", text)
    return re.sub(r"(?m)^#(?!define \w+ -?\d\w*\s*$).*|^WEIR_API ", "", text)


ffi: Any = cffi.FFI()
ffi.cdef(declarations(_header_folder()))
