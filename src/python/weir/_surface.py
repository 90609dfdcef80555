"""Points on the device, and meshes of their surface."""
import ctypes
import weakref
from typing import Any, Dict, Optional, Tuple

import numpy as np

from . import _bindings
from ._device import Device, Scene
from ._library import Handle, Log, created, library, text_of
from ._values import PathLike, as_dict, fill, given, named, path_bytes, taken


class Points(Handle):
    """Immutable particles in the memory of a device: Points(device, positions, spacing=0.02)."""

    _destroy = library.weir_points_release

    def __init__(self, device: Device, positions: Any, spacing: float, velocities: Any = None, ids: Any = None,
                 fluids: Any = None, densities: Any = None) -> None:
        struct = library.weir_points_def_default()
        count = len(positions)
        struct.count, struct.spacing_m = count, spacing
        kept = []
        for field, values, kind, size in (("position", positions, np.float32, (count, 3)),
                                          ("velocity", velocities, np.float32, (count, 3)),
                                          ("id", ids, np.uint32, (count,)), ("fluid", fluids, np.uint32, (count,)),
                                          ("density", densities, np.float32, (count,))):
            if values is not None:
                array = given(field, values, kind, size)
                kept.append(array)
                pointer_type = dict(type(struct)._fields_)[field]
                setattr(struct, field, array.ctypes.data_as(pointer_type))
        pointer = created(device._log, device._lock, library.weir_points_create, device._pointer,
                          ctypes.byref(struct))
        super().__init__(pointer, device._log, device._lock, (device,))
        self._device = device

    @classmethod
    def _of(cls, pointer: "ctypes.c_void_p", sim: Any) -> "Points":
        made = cls.__new__(cls)
        Handle.__init__(made, pointer, sim._log, sim._lock, (sim.device,))
        made._device = sim.device
        return made


class Mesh(Handle):
    """A triangle mesh in host memory."""

    _destroy = library.weir_mesh_destroy

    def __init__(self, pointer: "ctypes.c_void_p", device: Device) -> None:
        super().__init__(pointer, device._log, device._lock, (device,))
        self._views: "weakref.WeakSet[Any]" = weakref.WeakSet()

    @classmethod
    def load(cls, device: Device, path: PathLike, turn: str = "none", scale: float = 1.0) -> "Mesh":
        """Reads an OBJ, PLY, STL, VTK or BGEO file."""
        return cls(created(device._log, device._lock, library.weir_mesh_load, device._pointer, path_bytes(path),
                           named("turn", turn, _bindings.weir_axis_conversion), scale), device)

    def _get(self) -> Any:
        view = _bindings.weir_mesh_arrays()
        library.weir_mesh_get_arrays(self._pointer, ctypes.byref(view))
        return view

    def arrays(self, copy: bool = True) -> Dict[str, "np.ndarray[Any, Any]"]:
        """Returns the arrays of the mesh by name: "position" [vertices, 3], "triangles" [triangles, 3], and, if the
        mesh has them, "normal", "velocity", channels such as "density", and spray ("spray_position"). With copy=False
        they are read-only, and the mesh can be neither refined nor closed while one of them is alive."""
        view = self._get()
        vertices, spray = view.vertex_count, view.spray_count
        found: Dict[str, Tuple[Any, Any, Tuple[int, ...]]] = {
            "position": (view.position, np.float32, (vertices, 3)),
            "triangles": (view.index, np.uint32, (view.triangle_count, 3))}
        if view.normal:
            found["normal"] = (view.normal, np.float32, (vertices, 3))
        if view.velocity:
            found["velocity"] = (view.velocity, np.float32, (vertices, 3))
        for channel in view.channel[:view.channel_count]:
            shape = (vertices, channel.components) if channel.components > 1 else (vertices,)
            found[text_of(channel.name)] = (channel.values, np.float32, shape)
        if spray:
            found["spray_position"] = (view.spray_position, np.float32, (spray, 3))
        arrays = {name: taken(*entry, owner=self) for name, entry in found.items()}
        return {name: array.copy() for name, array in arrays.items()} if copy else arrays

    @property
    def positions(self) -> "np.ndarray[Any, Any]":
        """A copy of the vertex positions [vertices, 3], m."""
        return self.arrays()["position"]

    @property
    def triangles(self) -> "np.ndarray[Any, Any]":
        """A copy of the vertex indices [triangles, 3], counter-clockwise as seen from outside."""
        return self.arrays()["triangles"]

    def _let_go(self, what: str) -> None:
        if len(self._views):
            raise ValueError("arrays of this mesh are in use without a copy: delete them before the mesh is %s" % what)

    def refine(self, scene: Optional[Scene] = None, **settings: Any) -> Dict[str, Any]:
        """Cleans, smooths and decimates the mesh. Settings are fields of weir_mesh_refine_def, such as
        smooth_iterations=8. The solids of `scene` stop vertices. Returns the fields of weir_mesh_refine_info."""
        self._let_go("refined")
        struct, info = library.weir_mesh_refine_def_default(), _bindings.weir_mesh_refine_info()
        fill(struct, settings)
        struct.scene = scene._pointer if scene else None
        self._call(library.weir_mesh_refine, ctypes.byref(struct), ctypes.byref(info))
        return as_dict(info)

    def save(self, path: PathLike, **settings: Any) -> None:
        """Writes an OBJ, PLY, VTK or BGEO file, by the extension of the path. Settings are fields of
        weir_mesh_save_def."""
        struct = library.weir_mesh_save_def_default()
        fill(struct, settings)
        self._call(library.weir_mesh_save, path_bytes(path), ctypes.byref(struct))

    def close(self) -> None:
        self._let_go("closed")
        super().close()


class Mesher(Handle):
    """Computes surface meshes of points: Mesher(device, cell_size=0.5).mesh(points). Settings are fields of
    weir_mesher_def; presets are "calibrated", "zhu-bridson", "sph" and "anisotropic"."""

    _destroy = library.weir_mesher_destroy

    def __init__(self, device: Device, preset: str = "calibrated", **settings: Any) -> None:
        struct = library.weir_mesher_def_default(preset.encode())
        fill(struct, settings)
        pointer = created(device._log, device._lock, library.weir_mesher_create, device._pointer, ctypes.byref(struct))
        super().__init__(pointer, device._log, device._lock, (device,))
        self._device = device

    def mesh(self, points: Points) -> Mesh:
        pointer = created(self._log, self._lock, library.weir_mesher_run, self._pointer, points._pointer)
        return Mesh(pointer, self._device)


def inspect_mesh(path: PathLike) -> Dict[str, Any]:
    """Measures a mesh file and finds its defects: the fields of weir_mesh_info."""
    log, info = Log(), _bindings.weir_mesh_info()
    log.check(library.weir_mesh_inspect(ctypes.byref(log.struct), path_bytes(path), ctypes.byref(info)))
    return as_dict(info)
