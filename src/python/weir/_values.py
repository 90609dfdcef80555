"""Settings by keyword, enumerators by name, and arrays in memory of the library."""
import difflib
import functools
import inspect
import os
import weakref
from typing import Any, Callable, Dict, Iterable, List, Mapping, Sequence, Tuple, TypeVar, Union, cast

import numpy as np

from ._declarations import ffi
from ._library import text_of

AXES = ("x", "y", "z")
PathLike = Union[str, "os.PathLike[str]"]
Function = TypeVar("Function", bound=Callable[..., Any])


def path_bytes(path: PathLike) -> bytes:
    return os.fsencode(os.fspath(path))


def short_names(kind: str) -> Dict[str, int]:
    """Maps short names to values, such as "surface" for WEIR_RENDER_MODE_SURFACE of "weir_render_mode"."""
    values = ffi.typeof(kind).relements
    names = sorted((name for name in values if not name.endswith("_COUNT")), key=values.get)
    common = os.path.commonprefix(names)
    common = common[:common.rindex("_") + 1]
    return {name[len(common):].lower().replace("_", "-"): values[name] for name in names}


def named(what: str, name: Union[str, int], kind: str) -> int:
    """Returns the value of an enumerator by its short name, such as "surface"."""
    if not isinstance(name, str):
        return int(name)
    names = short_names(kind)
    word = name.lower().replace("_", "-")
    if word not in names:
        raise ValueError("%s is %r, expected one of %s%s" % (what, name, ", ".join(names), nearest(word, names)))
    return names[word]


def name_of(value: int, kind: str) -> str:
    return next(name for name, number in short_names(kind).items() if number == value)


def nearest(word: str, names: Iterable[str]) -> str:
    """Returns a hint for a message: the name that is most like the word; "" if none is like it."""
    near = difflib.get_close_matches(word, list(names), 1)
    return "; did you mean %r?" % near[0] if near else ""


def spelled(function: Function) -> Function:
    """Lets the error for an unknown keyword argument of a function suggest the nearest one."""
    names = [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]

    @functools.wraps(function)
    def checked(*arguments: Any, **more: Any) -> Any:
        for name in more:
            if name not in names:
                raise TypeError("%s() has no argument %r%s (arguments: %s)" %
                                (function.__name__, name, nearest(name, names), ", ".join(names)))
        return function(*arguments, **more)
    return cast(Function, checked)


# Fields that are not settings: the package fills them in.
OWN = {"cookie", "log", "device", "scene", "override_count", "overrides", "slice"}


_memory: "weakref.WeakKeyDictionary[Any, List[Any]]" = weakref.WeakKeyDictionary()  # that structs point to


def lend(struct: Any, **values: Any) -> None:
    """Points fields of a struct, given its pointer, to arrays or bytes, which then live as long as the pointer."""
    for name, value in values.items():
        kind = ffi.getctype(fields_of(struct)[name].item, "[]")
        memory = ffi.new(kind, value) if isinstance(value, (bytes, list)) else ffi.from_buffer(kind, value)
        _memory.setdefault(struct, []).append((memory, value))
        setattr(struct, name, memory)


def fields_of(struct: Any) -> Dict[str, Any]:
    """Returns the types of the fields of a struct, given by its name, its pointer or itself."""
    kind = ffi.typeof(struct)
    return {name: field.type for name, field in (kind.item if kind.kind == "pointer" else kind).fields}


def numbers(name: str, value: Iterable[float], count: int) -> List[float]:
    """Returns the caller's numbers after a check of their count."""
    found = [float(number) for number in value]
    if len(found) != count:
        raise ValueError("%s has %d numbers, expected %d" % (name, len(found), count))
    return found


def _converted(name: str, kind: Any, value: Any) -> Any:
    if kind.kind == "enum":
        return named(name, value, kind.cname)
    if kind.kind == "array" and kind.item.cname == "char":
        return path_bytes(value)
    if kind.kind == "array":
        return numbers(name, value, kind.length)
    return bool(value) if kind.cname == "_Bool" else value


def fill(struct: Any, settings: Mapping[str, Any]) -> None:
    """Sets fields by keyword: fill(view, {"width": 640, "mode": "depth"}). A struct in the struct takes a mapping. None
    leaves a field as it is."""
    kinds = {name: kind for name, kind in fields_of(struct).items() if name not in OWN}
    for name, value in settings.items():
        if name not in kinds:
            raise TypeError("unknown setting %r%s (settings: %s)" %
                            (name, nearest(name, kinds), ", ".join(kinds)))
        if kinds[name].kind == "struct" and isinstance(value, Mapping):
            fill(getattr(struct, name), value)
            continue
        if value is None:
            continue
        if kinds[name].cname == "char *":
            lend(struct, **{name: path_bytes(value)})
            continue
        try:
            setattr(struct, name, _converted(name, kinds[name], value))
        except (TypeError, OverflowError) as fault:
            raise type(fault)("%s is %r: %s" % (name, value, fault)) from None


def body_poses(poses: Sequence[Mapping[str, Any]]) -> Any:
    """Returns an array of weir_body_pose from dicts with "position" and "rotation"."""
    structs = ffi.new("weir_body_pose[]", len(poses))
    for i, pose in enumerate(poses):
        fill(ffi.addressof(structs, i), {name: pose[name] for name in ("position", "rotation")})
    return structs


def as_dict(struct: Any) -> Dict[str, Any]:
    """Returns the fields of a library struct as Python values."""
    return {name: plain(getattr(struct, name)) for name in fields_of(struct) if name not in OWN}


def plain(value: Any) -> Any:
    """Returns a value of the library as one of Python: structs as dicts, arrays as tuples, texts as str."""
    if not isinstance(value, ffi.CData):
        return value
    kind = ffi.typeof(value)
    if kind.kind == "struct":
        return as_dict(value)
    if value == ffi.NULL:
        return None
    if kind.item.cname == "char":
        return text_of(value)
    return tuple(plain(item) for item in value) if kind.kind == "array" else value


def dtype_of(kind: Any) -> "np.dtype[Any]":
    """Returns the NumPy type of a number of C."""
    letter = {"float": "f", "double": "f", "_Bool": "b"}.get(kind.cname, "u" if kind.cname.startswith("u") else "i")
    return np.dtype(letter + str(ffi.sizeof(kind)))


def columns(struct: str) -> List[Tuple[str, Any]]:
    """Returns NumPy column types for the numeric fields of a struct."""
    return [(name, np.dtype((dtype_of(kind.item), (kind.length,))) if kind.kind == "array" else dtype_of(kind))
            for name, kind in fields_of(struct).items()]


class _View:
    """Memory of the library for NumPy, which keeps its owner alive."""

    def __init__(self, pointer: Any, shape: Tuple[int, ...], owner: Any) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, "typestr": dtype_of(ffi.typeof(pointer).item).str, "shape": shape,
                                    "data": (int(ffi.cast("uintptr_t", pointer)), True)}


def taken(pointer: Any, shape: Tuple[int, ...], owner: Any) -> "np.ndarray[Any, Any]":
    """Returns a read-only array over memory of `owner`, which the array keeps alive."""
    if not pointer or 0 in shape:
        return np.zeros(shape, dtype_of(ffi.typeof(pointer).item))
    view = _View(pointer, shape, owner)
    if owner is not None:
        owner._views.add(view)
    return np.asarray(view)


def attribute_array(values: Any, count: int) -> "np.ndarray[Any, Any]":
    """Copies the values of a weir_attribute_values: [count], or [count, components]."""
    width = values.stride * (count - 1) + values.components if count else 0
    flat = np.frombuffer(ffi.buffer(values.values, 4 * width), np.float32) if width else np.empty(0, np.float32)
    rows = np.lib.stride_tricks.as_strided(flat, (count, values.components), (4 * values.stride, 4)).copy()
    return rows[:, 0] if values.components == 1 else rows


def given(what: str, values: Any, kind: Any, shape: Tuple[int, ...]) -> "np.ndarray[Any, Any]":
    """Converts the caller's values to a contiguous array and checks its shape."""
    array = np.ascontiguousarray(values, dtype=kind)
    if array.shape != shape:
        raise ValueError("%s has the shape %s, expected %s" % (what, array.shape, shape))
    return array
