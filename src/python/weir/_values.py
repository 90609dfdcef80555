"""Settings by keyword, enumerators by name, and arrays in memory of the library."""
import ctypes
import difflib
import enum
import os
from typing import Any, Dict, Iterable, List, Tuple, Type, Union

import numpy as np

from . import _bindings

PathLike = Union[str, "os.PathLike[str]"]


def path_bytes(path: PathLike) -> bytes:
    return os.fsencode(os.fspath(path))


def _short_names(kind: Type[enum.IntEnum]) -> Dict[str, int]:
    """Maps short names to values, such as "surface" for WEIR_RENDER_MODE_SURFACE."""
    names = [name for name in kind.__members__ if not name.endswith("_COUNT")]
    common = os.path.commonprefix(names)
    common = common[:common.rindex("_") + 1]
    return {name[len(common):].lower().replace("_", "-"): int(kind[name]) for name in names}


def named(what: str, name: Union[str, int], kind: Type[enum.IntEnum]) -> int:
    """Returns the value of an enumerator by its short name, such as "surface"."""
    if not isinstance(name, str):
        return int(name)
    names = _short_names(kind)
    word = name.lower().replace("_", "-")
    if word not in names:
        raise ValueError("%s is %r, expected one of %s%s" % (what, name, ", ".join(names), _nearest(word, names)))
    return names[word]


def name_of(value: int, kind: Type[enum.IntEnum]) -> str:
    return next(name for name, number in _short_names(kind).items() if number == value)


def _nearest(word: str, names: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, list(names), 1)
    return "; did you mean %r?" % near[0] if near else ""


# Enumeration types of fields, by struct.
_ENUMS: Dict[str, Dict[str, Type[enum.IntEnum]]] = {
    "weir_mesher_def": {"field": _bindings.weir_mesh_field, "normals": _bindings.weir_mesh_normals},
    "weir_mesh_refine_def": {"smooth_method": _bindings.weir_mesh_smoothing, "normals": _bindings.weir_mesh_normals},
    "weir_mesh_save_def": {"format": _bindings.weir_mesh_format, "axis_conversion": _bindings.weir_axis_conversion},
    "weir_output_def": {"particle_format": _bindings.weir_particle_format, "mesh_format": _bindings.weir_mesh_format},
    "weir_camera": {"mode": _bindings.weir_render_mode, "colouring": _bindings.weir_colouring, "filter": _bindings.weir_depth_filter,
                  "splat_method": _bindings.weir_splat_method},
}
# Fields that are not settings: the package fills them in.
_OWN = {"cookie", "log", "device", "scene", "override_count", "overrides", "slice", "mesher", "refine"}


def _converted(struct: ctypes.Structure, name: str, kind: Any, value: Any) -> Any:
    enums = _ENUMS.get(type(struct).__name__, {})
    if name in enums:
        return named(name, value, enums[name])
    if kind is ctypes.c_char_p:
        return path_bytes(value)
    if hasattr(kind, "_length_"):
        numbers, length = [float(number) for number in value], int(kind._length_)
        if len(numbers) != length:
            raise ValueError("%s has %d numbers, expected %d" % (name, len(numbers), length))
        return kind(*numbers)
    return value


def fill(struct: Any, settings: Dict[str, Any]) -> None:
    """Sets fields by keyword: fill(view, {"width": 640, "mode": "depth"})."""
    kinds = {name: kind for name, kind, *_ in type(struct)._fields_ if name not in _OWN}
    for name, value in settings.items():
        if name not in kinds:
            raise TypeError("there is no setting %r%s (settings: %s)" %
                            (name, _nearest(name, kinds), ", ".join(kinds)))
        setattr(struct, name, _converted(struct, name, kinds[name], value))


def as_dict(struct: Any) -> Dict[str, Any]:
    """Returns the fields of a library struct as Python values."""
    return {name: _plain(getattr(struct, name)) for name, *_ in type(struct)._fields_ if name not in _OWN}


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, ctypes.Array):
        return tuple(_plain(item) for item in value)
    if isinstance(value, ctypes.Structure):
        return as_dict(value)
    return value


def columns(struct: Type[ctypes.Structure]) -> List[Tuple[str, Any]]:
    """Returns NumPy column types for the numeric fields of a struct."""
    kinds: List[Tuple[str, Any]] = []
    for name, kind, *_ in struct._fields_:
        element: Any = getattr(kind, "_type_", kind) if hasattr(kind, "_length_") else kind
        length = getattr(kind, "_length_", None)
        kinds.append((name, np.dtype((element, (length,))) if length else np.dtype(element)))
    return kinds


def taken(pointer: Any, kind: Any, shape: Tuple[int, ...], owner: Any) -> "np.ndarray[Any, Any]":
    """Returns a read-only array over memory of `owner`, which the array keeps alive."""
    count = int(np.prod(shape, dtype=np.int64))
    dtype = np.dtype(kind)
    address = ctypes.cast(pointer, ctypes.c_void_p).value
    if not address or count == 0:
        return np.zeros(shape, dtype)

    class Memory(ctypes.c_uint8 * (count * dtype.itemsize)):  # type: ignore[misc]
        held: Any
        __hash__ = object.__hash__

    memory = Memory.from_address(address)
    memory.held = owner
    if owner is not None:
        owner._views.add(memory)
    array = np.frombuffer(memory, dtype).reshape(shape)
    array.flags.writeable = False
    return array


def given(what: str, values: Any, kind: Any, shape: Tuple[int, ...]) -> "np.ndarray[Any, Any]":
    """Converts the caller's values to a contiguous array and checks its shape."""
    array = np.ascontiguousarray(values, dtype=kind)
    if array.shape != shape:
        raise ValueError("%s has the shape %s, expected %s" % (what, array.shape, shape))
    return array
