"""Points on the device, and meshes of their surface."""
import weakref
from typing import Any, Dict, Optional, Tuple

import numpy as np

from ._declarations import ffi
from ._device import Device, Scene
from ._library import Handle, Log, created, default, library, pointer_of, text_of
from ._values import PathLike, as_dict, fill, given, lend, named, path_bytes, taken


class Points(Handle):
    """Immutable particles in the memory of a device: Points(device, positions, spacing=0.02)."""

    _destroy = library.weir_points_release

    def __init__(self, device: Device, positions: Any, spacing: float, velocities: Any = None, ids: Any = None,
                 fluids: Any = None, densities: Any = None) -> None:
        struct = default(library.weir_points_def_default)
        count = len(positions)
        struct.count, struct.spacing_m = count, spacing
        for field, values, kind, size in (("position", positions, np.float32, (count, 3)),
                                          ("velocity", velocities, np.float32, (count, 3)),
                                          ("id", ids, np.uint32, (count,)), ("fluid", fluids, np.uint32, (count,)),
                                          ("density", densities, np.float32, (count,))):
            if values is not None:
                lend(struct, **{field: given(field, values, kind, size)})
        super().__init__(device._get(library.weir_points_create, struct), device._log, device._lock, (device,))
        self._device = device

    @classmethod
    def _of(cls, pointer: Any, sim: Any) -> "Points":
        made = cls.__new__(cls)
        Handle.__init__(made, pointer, sim._log, sim._lock, (sim.device,))
        made._device = sim.device
        return made


class Mesh(Handle):
    """A triangle mesh in host memory."""

    _destroy = library.weir_mesh_destroy

    def __init__(self, pointer: Any, device: Device) -> None:
        super().__init__(pointer, device._log, device._lock, (device,))
        self._views: "weakref.WeakSet[Any]" = weakref.WeakSet()

    @classmethod
    def load(cls, device: Device, path: PathLike, turn: str = "none", scale: float = 1.0) -> "Mesh":
        """Reads an OBJ, PLY, STL, glTF, VTK or BGEO file."""
        return cls(device._get(library.weir_mesh_load, path_bytes(path), named("turn", turn, "weir_axis_conversion"),
                               scale), device)

    def arrays(self, copy: bool = True) -> Dict[str, "np.ndarray[Any, Any]"]:
        """Returns the arrays of the mesh by name: "position" [vertices, 3], "triangles" [triangles, 3], and, if the
        mesh has them, "normal", "velocity", channels such as "density", and spray ("spray_position"). With copy=False
        they are read-only, and the mesh can be neither refined nor closed while one of them is alive."""
        view = self._get(library.weir_mesh_get_arrays)
        vertices, spray = view.vertex_count, view.spray_count
        found: Dict[str, Tuple[Any, Tuple[int, ...]]] = {
            "position": (view.position, (vertices, 3)),
            "triangles": (view.index, (view.triangle_count, 3))}
        if view.normal:
            found["normal"] = (view.normal, (vertices, 3))
        if view.velocity:
            found["velocity"] = (view.velocity, (vertices, 3))
        for channel in view.channel[0:view.channel_count]:
            shape = (vertices, channel.components) if channel.components > 1 else (vertices,)
            found[text_of(channel.name)] = (channel.values, shape)
        if spray:
            found["spray_position"] = (view.spray_position, (spray, 3))
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
            raise ValueError("arrays that share memory with this mesh are still in use: delete them before the mesh is %s" % what)

    def refine(self, scene: Optional[Scene] = None, **settings: Any) -> Dict[str, Any]:
        """Cleans, smooths and decimates the mesh; a mesher does so with the defaults unless it has raw=True.
        Settings are fields of weir_mesh_refine_def, such as smooth_iterations=8. The solids of `scene` stop vertices. Returns the fields of weir_mesh_refine_info."""
        self._let_go("refined")
        struct = default(library.weir_mesh_refine_def_default)
        fill(struct, settings)
        struct.scene = pointer_of(scene)
        return as_dict(self._get(library.weir_mesh_refine, struct))

    def save(self, path: PathLike, **settings: Any) -> None:
        """Writes an OBJ, PLY, VTK or BGEO file, by the extension of the path. Settings are fields of
        weir_mesh_save_def."""
        struct = default(library.weir_mesh_save_def_default)
        fill(struct, settings)
        self._call(library.weir_mesh_save, path_bytes(path), struct)

    def close(self) -> None:
        self._let_go("closed")
        super().close()


class Mesher(Handle):
    """Computes surface meshes of points: Mesher(device, cell_size=0.5).mesh(points). Settings are fields of
    weir_mesher_def; with raw=True, meshes are not refined. Otherwise those of a simulation's points meet its solids and
    walls. Presets are "calibrated", "zhu-bridson", "sph" and "anisotropic"."""

    _destroy = library.weir_mesher_destroy

    def __init__(self, device: Device, preset: str = "calibrated", **settings: Any) -> None:
        struct = default(library.weir_mesher_def_default, preset.encode())
        fill(struct, settings)
        super().__init__(device._get(library.weir_mesher_create, struct), device._log, device._lock, (device,))
        self._device = device

    def mesh(self, points: Points) -> Mesh:
        return Mesh(self._get(library.weir_mesher_run, points._pointer), self._device)


def inspect_mesh(path: PathLike) -> Dict[str, Any]:
    """Measures a mesh file and finds its defects: the fields of weir_mesh_info."""
    log = Log()
    return as_dict(log.get(library.weir_mesh_inspect, log.struct, path_bytes(path)))
