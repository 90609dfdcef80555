"""Devices and scenes."""
import json
import threading
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

from ._declarations import ffi
from ._library import Handle, Log, created, default, library, listed, pointer_of, text_of
from ._values import PathLike, as_dict, fill, lend, name_of, path_bytes


def devices() -> List[Dict[str, Any]]:
    """Returns the properties of every device, in the order of their numbers: the fields of weir_device_info. A device
    with a non-empty "unsupported_reason" cannot run Weir."""
    log = Log()
    return [_device_dict(info) for info in listed(log, library.weir_device_list, log.struct)]


def _device_dict(info: Any) -> Dict[str, Any]:
    entries = as_dict(info)
    entries["kind"] = name_of(info.kind, "weir_device_kind")
    entries["modules"] = [module for module in entries["modules"] if module["name"]]
    return entries


class Device(Handle):
    """A GPU, or a CPU driver for Vulkan. `name` is its number in devices(), or part of its name; None selects the best
    device. `settings` are fields of weir_device_def, such as validation=True."""

    _destroy = library.weir_device_destroy

    def __init__(self, name: Union[str, int, None] = None, **settings: Any) -> None:
        log, lock = Log(), threading.RLock()
        struct = default(library.weir_device_def_default)
        fill(struct, settings)
        struct.log = log.struct[0]
        if name is not None:
            lend(struct, device=str(name).encode())
        super().__init__(created(log, lock, library.weir_device_create, struct), log, lock, ())

    @property
    def info(self) -> Dict[str, Any]:
        return _device_dict(self._get(library.weir_device_get_info))

    @property
    def validation_count(self) -> int:
        """Number of errors and warnings that Vulkan's validation has reported; 0 without validation=True."""
        return int(library.weir_device_validation_count(self._pointer))


class Parameter(NamedTuple):
    """A parameter of a scene that an override can change."""
    key: str
    value: Union[float, Tuple[float, ...]]
    min: float
    max: float
    unit: str
    about: str
    live: bool  # Simulation.set_controls can change it


def _overrides(settings: Mapping[str, Any]) -> List[Any]:
    return [ffi.new("char[]", ("%s=%s" % (key, value if isinstance(value, str) else json.dumps(value))).encode())
            for key, value in settings.items()]


class Scene(Handle):
    """A scene from a scene file or a run.json: Scene("dam_break.json", {"spacing": 0.04, "solver.iterations": 4}).
    The second argument overrides values of the file."""

    _destroy = library.weir_scene_destroy

    def __init__(self, path: PathLike, overrides: Optional[Mapping[str, Any]] = None) -> None:
        self._make(library.weir_scene_load, (path_bytes(path),), overrides, None)

    @classmethod
    def parse(cls, scene: Union[str, Mapping[str, Any]], overrides: Optional[Mapping[str, Any]] = None,
              base_folder: Optional[PathLike] = None) -> "Scene":
        """Returns a scene from a JSON text, or from a dict with the same contents. File names in the scene are
        relative to `base_folder`."""
        text = (scene if isinstance(scene, str) else json.dumps(scene)).encode()
        made = cls.__new__(cls)
        made._make(library.weir_scene_parse, (text, len(text)), overrides, base_folder)
        return made

    def _make(self, function: Any, arguments: Tuple[Any, ...], overrides: Optional[Mapping[str, Any]],
              base_folder: Optional[PathLike]) -> None:
        log, lock = Log(), threading.RLock()
        struct = default(library.weir_scene_def_default)
        words = _overrides(overrides or {})
        lend(struct, overrides=words)
        struct.override_count, struct.log = len(words), log.struct[0]
        if base_folder is not None:
            lend(struct, base_folder=path_bytes(base_folder))
        Handle.__init__(self, created(log, lock, function, *arguments, struct), log, lock, ())

    @property
    def info(self) -> Dict[str, Any]:
        """Properties such as frame rate, duration, spacing and method: the fields of weir_scene_info."""
        info = self._get(library.weir_scene_get_info)
        entries = as_dict(info)
        entries["method"] = text_of(library.weir_enum_name(library.WEIR_ENUM_METHOD, info.method))
        return entries

    def to_dict(self) -> Dict[str, Any]:
        """Returns the scene with all overrides and defaults filled in, as accepted by Scene.parse."""
        scene: Dict[str, Any] = json.loads(self.info["json"])
        return scene

    def parameters(self) -> List[Parameter]:
        """Returns the parameters that overrides can change."""
        found: List[Parameter] = []
        param = ffi.new("weir_param *")
        while library.weir_scene_get_param(self._pointer, len(found), param):
            values = tuple(param.value[0:param.count])
            found.append(Parameter(text_of(param.key), values[0] if len(values) == 1 else values, param.min, param.max,
                                   text_of(param.unit), text_of(param.about), param.live))
        return found

    def attributes(self) -> Dict[str, int]:
        """Returns the names of the attributes that each particle carries, and how many numbers each has."""
        found: Dict[str, int] = {}
        attribute = ffi.new("weir_attribute *")
        while library.weir_scene_get_attribute(self._pointer, len(found), attribute):
            found[text_of(attribute.name)] = int(attribute.components)
        return found

    def estimate(self, device: Optional[Device] = None) -> Dict[str, Any]:
        """Estimates particles, memory and compression at the floor: the fields of weir_estimate. Without a device the
        number of particles is an upper bound."""
        return as_dict(self._get(library.weir_scene_estimate, pointer_of(device)))
