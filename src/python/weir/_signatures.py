"""Signatures of the functions whose settings are the fields of a struct, from the public headers."""
import inspect
import re
import textwrap
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from ._declarations import ffi, field_comments
from ._library import default
from ._values import OWN, Function, fields_of, plain, short_names

# The names of the settings of functions, their structs, and which fields of these they are; (): all but the package's.
SETTINGS: Dict[str, Tuple[str, Tuple[str, ...]]] = {
    "DeviceSettings": ("weir_device_def", ()),
    "MesherSettings": ("weir_mesher_def", ()),
    "RefineSettings": ("weir_mesh_refine_def", ()),
    "SaveSettings": ("weir_mesh_save_def", ()),
    "OutputSettings": ("weir_output_def", ()),
    "RendererSettings": ("weir_renderer_def", ()),
    "CameraSettings": ("weir_camera", ()),
    "BodyChanges": ("weir_body", ("position", "rotation", "velocity", "angular_velocity")),
    "EmitterChanges": ("weir_emitter", ()),
}

# Fields that functions have as arguments of their own.
_ARGUMENTS = {"fields", "folder"}
# Of cameras: the defaults are those of the scene, which no signature can know.
_OF_SCENE = {"eye", "target", "fov_y_degrees", "exposure"}


def type_text(kind: Any) -> str:
    """Returns the type of a setting in Python's notation; "" for a field that is no setting."""
    if kind.kind == "enum":
        return "Literal[%s]" % ", ".join('"%s"' % name for name in short_names(kind.cname))
    if kind.cname == "char *" or (kind.kind == "array" and kind.item.cname == "char"):
        return "PathLike"
    if kind.kind == "array":
        return "Iterable[%s]" % type_text(kind.item)
    if kind.kind == "struct":
        return next((name for name, (struct, _) in SETTINGS.items() if struct == kind.cname), "")
    return {"float": "float", "double": "float", "_Bool": "bool"}.get(kind.cname, "int" if kind.kind == "primitive" else "")


def settings_of(name: str) -> List[Tuple[str, str, str]]:
    """Returns the settings of an entry of SETTINGS: name, type and comment of each."""
    struct, only = SETTINGS[name]
    comments = field_comments(struct)
    found = [(field, type_text(kind), _in_python(comments[field])) for field, kind in fields_of(struct).items()
             if field in only or (not only and field not in OWN | _ARGUMENTS)]
    return [entry for entry in found if entry[1]]


def _in_python(comment: str) -> str:
    """Returns a comment with the words of Python in place of those of C."""
    for word, own in (("NULL", "None"), ("true", "True"), ("false", "False")):
        comment = re.sub(r"\b%s\b" % word, own, comment)
    return comment


def _shortest(value: float) -> float:
    """Returns the shortest number that gives the same 32-bit float."""
    return float(str(np.float32(value))) if np.float32(value) == value else value


def _default_value(value: Any, kind: Any) -> Any:
    if kind.kind == "enum":
        return next((name for name, number in short_names(kind.cname).items() if number == value), None)
    if kind.kind == "struct":
        return None
    found = plain(value)
    return _shortest(found) if isinstance(found, float) else found


def settings(name: str, defaults: Optional[Callable[..., Any]] = None, *arguments: Any) -> Callable[[Function], Function]:
    """Replaces **settings in the signature of a function by keyword arguments, one for each setting of this name, and
    adds their comments to its docstring: for inspect.signature, help() and completion in notebooks. `defaults` returns
    the struct with the default values for these arguments. Without it, and in calls, None leaves a value as it is."""
    def decorate(function: Function) -> Function:
        kinds = fields_of(SETTINGS[name][0])
        struct = default(defaults, *arguments) if defaults else None
        found = settings_of(name)
        given = [inspect.Parameter(field, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=None if not struct or
                                   field in _OF_SCENE else _default_value(getattr(struct, field), kinds[field]))
                 for field, kind, _ in found]
        signature = inspect.signature(function)
        own = [parameter for parameter in signature.parameters.values() if parameter.kind != parameter.VAR_KEYWORD]
        fixed = {parameter.name for parameter in own}
        function.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=own + [parameter for parameter in given if parameter.name not in fixed])
        lines = [textwrap.fill("%s: %s" % (field, comment or kind), 100, subsequent_indent="    ")
                 for field, kind, comment in found if field not in fixed]
        words = inspect.getdoc(function) or ""
        function.__doc__ = "%s\n\nSettings, by keyword:\n\n%s\n" % (words, "\n".join(lines))
        return function
    return decorate
