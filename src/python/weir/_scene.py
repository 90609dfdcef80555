"""Scenes, from files, dicts and arrays."""
import copy
import json
import os
import re
import shutil
import tempfile
import threading
import weakref
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np

from ._declarations import ffi
from ._device import Device
from ._library import Handle, Log, created, default, library, pointer_of, text_of
from ._values import PathLike, as_dict, given, lend, nearest, path_bytes, spelled

Fills = Mapping[str, Any]  # by name of the fluid: positions, (positions, velocities), or a dict of arrays


class Parameter(NamedTuple):
    """A parameter of a scene that an override can change."""
    key: str
    value: Union[float, Tuple[float, ...]]
    min: float
    max: float
    unit: str
    about: str
    live: bool  # Simulation.set_controls can change it


def _json(value: Any) -> str:
    """Returns the JSON of a value that may contain arrays and numbers of NumPy."""
    def plain_value(inner: Any) -> Any:
        if isinstance(inner, (np.ndarray, np.generic)):
            return inner.tolist()
        if isinstance(inner, os.PathLike):
            return os.fspath(inner)
        raise TypeError("a scene cannot contain %r, which is a %s: expected numbers, texts, lists, dicts or arrays" %
                        (inner, type(inner).__name__))
    return json.dumps(value, default=plain_value)


def _overrides(settings: Mapping[str, Any]) -> List[Any]:
    return [ffi.new("char[]", ("%s=%s" % (key, value if isinstance(value, str) else _json(value))).encode())
            for key, value in settings.items()]


def _fill_arrays(where: str, values: Any) -> "Dict[str, np.ndarray[Any, Any]]":
    """Returns the arrays of a fill by the names that particle files have."""
    if isinstance(values, tuple) and len(values) == 2:
        values = {"positions": values[0], "velocities": values[1]}
    if not isinstance(values, Mapping):
        values = {"positions": values}
    if "positions" not in values:
        raise ValueError("%s has no \"positions\" [particles, 3], m: it has %s" % (where, ", ".join(values) or "nothing"))
    count = len(values["positions"])
    names = {"positions": "position", "velocities": "velocity", "ids": "id"}
    found: Dict[str, "np.ndarray[Any, Any]"] = {}
    for name, array in values.items():
        kind = np.uint32 if name == "ids" else np.float32
        shape: Tuple[int, ...] = (count, 3) if name in ("positions", "velocities") else (count,)
        if name not in names and np.ndim(array) == 2:  # an attribute with several components
            shape = (count, np.shape(array)[1])
        found[names.get(name, name)] = given("%s: %s" % (where, name), array, kind, shape)
        wrong = np.flatnonzero(~np.isfinite(found[names.get(name, name)].reshape(count, -1)).all(axis=1))
        if len(wrong):
            raise ValueError("%s: %s of particle %d is not finite" % (where, name, wrong[0]))
    return found


class _ArrayFiles:
    """Particle files of the fills that are arrays, in a temporary folder, which is removed with the scene."""

    def __init__(self) -> None:
        self._folder = ""
        self.paths: List[str] = []

    def _write(self, where: str, name: str, values: Any) -> str:
        arrays = _fill_arrays(where, values)
        if not self._folder:
            self._folder = tempfile.mkdtemp(prefix="weir-scene-")
            weakref.finalize(self, shutil.rmtree, self._folder, True)
        stem = re.sub(r"\W", "_", name) + ("_%d" % len(self.paths) if self.paths else "")
        self.paths.append(os.path.join(self._folder, stem + ".npz"))
        np.savez(self.paths[-1], **arrays)
        return self.paths[-1]

    def _write_fill(self, where: str, name: str, fill: Any) -> Any:
        """Replaces the arrays of a fill by the name of a file; other fills are returned as they are."""
        if not isinstance(fill, Mapping) or "positions" not in fill:
            return fill
        keys = ("position", "rotation", "scale", "up", "velocity", "velocity_gradient", "velocity_wave", "spin", "attributes")
        kept = {key: value for key, value in fill.items() if key in keys}
        arrays = {key: value for key, value in fill.items() if key not in keys}
        return {"file": self._write(where, name, arrays), **kept}

    def write(self, scene: Mapping[str, Any], particles: Fills) -> Dict[str, Any]:
        """Returns the scene with files in place of the arrays of its fills and of `particles`."""
        fluids = [dict(fluid) for fluid in scene.get("fluids", [])]
        names = [str(fluid.get("name", "")) for fluid in fluids]
        for name in particles:
            if name not in names:
                raise ValueError("particles are given for the fluid %r, and the scene has %s%s" %
                                 (name, ", ".join(map(repr, names)) or "no fluids", nearest(name, names)))
        for name, fluid in zip(names, fluids):
            fills = fluid.get("fill", [])
            fills = list(fills) if isinstance(fills, (list, tuple)) else [fills]
            fills = [self._write_fill("fluid %r" % name, name, fill) for fill in fills]
            if name in particles:
                fills = [{"file": self._write("particles[%r]" % name, name, particles[name])}]
            if fills:
                fluid["fill"] = fills[0] if len(fills) == 1 else fills
        return {**scene, "fluids": fluids} if fluids else dict(scene)


class Scene(Handle):
    """A scene from a scene file or a run.json: Scene("dam_break.json", {"spacing": 0.04, "solver.iterations": 4}).
    The second argument overrides values of the file. scene["spacing"] is a value, scene["fluids[0].density"] one
    inside."""

    _destroy = library.weir_scene_destroy

    def __init__(self, path: PathLike, overrides: Optional[Mapping[str, Any]] = None) -> None:
        self._arrays = _ArrayFiles()
        self._make(library.weir_scene_load, (path_bytes(path),), overrides, None)

    @classmethod
    @spelled
    def parse(cls, scene: Union[str, Mapping[str, Any]], overrides: Optional[Mapping[str, Any]] = None,
              base_folder: Optional[PathLike] = None, particles: Optional[Fills] = None) -> "Scene":
        """Returns a scene from a JSON text, or from a dict with the same contents. File names in the scene are
        relative to `base_folder`.

        `particles` replaces the fills of fluids, by their names: {"water": positions}, {"water": (positions,
        velocities)}, or a dict of "positions" [particles, 3], m, and, as wanted, "velocities" [particles, 3], m/s,
        "ids" [particles] and attributes of the scene by their names. In a dict a "fill" may be such a dict, too, with
        the keys of a fill from a file, such as "velocity". Fluids keep their other fills. The particles are those of a
        file: the ones in walls and solids, or in the same place, are left out with a warning. Raises ValueError for
        arrays of other shapes and SceneError for errors of the scene."""
        made = cls.__new__(cls)
        made._arrays = _ArrayFiles()
        if particles or not isinstance(scene, str):
            contents = json.loads(scene) if isinstance(scene, str) else scene
            scene = _json(made._arrays.write(contents, particles or {}))
        text = scene.encode()
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
        self._source = function, arguments, dict(overrides or {}), base_folder
        self._contents: Optional[Dict[str, Any]] = None

    def with_overrides(self, overrides: Mapping[str, Any]) -> "Scene":
        """Returns the scene again with these values overridden, after those that were overridden before."""
        function, arguments, before, base_folder = self._source
        made = type(self).__new__(type(self))
        made._arrays = self._arrays
        made._make(function, arguments, {**before, **overrides}, base_folder)
        return made

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

    def _get_contents(self) -> Dict[str, Any]:
        if self._contents is None:
            self._contents = self.to_dict()
        return self._contents

    def __getitem__(self, key: str) -> Any:
        """Returns a value of to_dict() by a key such as "spacing", "solver.iterations" or "fluids[0].density". Raises
        KeyError for a key that the scene does not have."""
        if not isinstance(key, str):
            raise TypeError("a key of a scene is a text such as \"fluids[0].density\", not %r" % (key,))
        value: Any = self._get_contents()
        for word in re.findall(r"[^.\[\]]+", key):
            try:
                value = value[int(word)] if isinstance(value, list) else value[word]
            except (KeyError, IndexError, ValueError, TypeError):
                names = list(value) if isinstance(value, dict) else []
                reason = nearest(word, names) or ("; keys: %s" % ", ".join(names) if names else "")
                raise KeyError("the scene has no %r of %r%s" % (word, key, reason)) from None
        return copy.deepcopy(value)

    def __setitem__(self, key: str, value: Any) -> None:
        raise TypeError("a scene does not change: scene.with_overrides({%r: %r}) returns one with another value" %
                        (key, value))

    def __contains__(self, key: str) -> bool:
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self) -> List[str]:
        """Returns the keys of to_dict()."""
        return list(self._get_contents())

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def save(self, path: PathLike) -> None:
        """Writes the scene as JSON, with all overrides and defaults filled in, for `weir run`. The arrays of its fills
        are written next to it, as NPZ files with names that begin like the scene's. Raises OSError."""
        text, stem = json.dumps(self.to_dict(), indent=2), os.path.splitext(os.fspath(path))[0]
        for file in self._arrays.paths:
            kept = "%s_%s" % (stem, os.path.basename(file))
            shutil.copyfile(file, kept)
            text = text.replace(json.dumps(file), json.dumps(os.path.basename(kept)))
        with open(path, "w", encoding="utf-8") as out:
            out.write(text + "\n")

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

    def _describe(self) -> Dict[str, Any]:
        info = self.info
        return {"name": info["name"], "method": info["method"], "spacing": info["spacing_m"],
                "domain": (info["domain_min"], info["domain_max"]), "frame_rate": info["frame_rate_hz"],
                "duration": info["duration_s"],
                "fluids": tuple(fluid["name"] for fluid in self._get_contents().get("fluids", []))}
