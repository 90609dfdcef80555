"""Points on the device, and meshes of their surface."""
import os
import weakref
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Tuple, Union

import numpy as np

from ._declarations import ffi
from ._device import Device
from ._display import optional
from ._library import Handle, Log, Unstable, created, default, library, pointer_of, text_of
from ._scene import Scene
from ._profile import pass_times
from ._signatures import settings
from ._values import PathLike, as_dict, fill, given, lend, path_bytes, taken
from ._whitewater import WhitewaterParticles, attach

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._files import Particles
    from ._settings import MesherSettings, RefineSettings, SaveSettings


Bounds = Tuple["np.ndarray[Any, Any]", "np.ndarray[Any, Any]"]


def _bounds(positions: "np.ndarray[Any, Any]") -> Bounds:
    return (positions.min(axis=0), positions.max(axis=0)) if len(positions) else (np.zeros(3), np.ones(3))


def draw_preview(device: Device, what: "Union[Points, Mesh]", scene: Optional[Scene], bounds: Bounds) -> Any:
    """Returns a picture for notebooks: by the camera of the scene, or, without a scene, of what is within bounds."""
    from ._pictures import Renderer  # which uses this module
    middle, size = (bounds[0] + bounds[1]) / 2, float(np.linalg.norm(bounds[1] - bounds[0]))
    views = {} if scene else {"target": middle, "eye": middle + size * np.array([0.9, 0.6, 1.4])}
    with Renderer(device, scene) as renderer:
        return renderer.draw(what, width=480, height=270, **views)


class Points(Handle):
    """Immutable particles in the memory of a device: Points(device, positions, spacing=0.02). `attributes` are arrays by
    name, [particles] or [particles, components], which become channels of meshes and colours of pictures."""

    _destroy = library.weir_points_release

    def __init__(self, device: Device, positions: Any, spacing: float, velocities: Any = None, ids: Any = None,
                 fluids: Any = None, densities: Any = None, attributes: Optional[Mapping[str, Any]] = None) -> None:
        struct = default(library.weir_points_def_default)
        count = len(positions)
        struct.count, struct.spacing_m = count, spacing
        for field, values, kind, size in (("position", positions, np.float32, (count, 3)),
                                          ("velocity", velocities, np.float32, (count, 3)),
                                          ("id", ids, np.uint32, (count,)), ("fluid", fluids, np.uint32, (count,)),
                                          ("density", densities, np.float32, (count,))):
            if values is not None:
                lend(struct, **{field: given(field, values, kind, size)})
        carried = [(ffi.new("char[]", name.encode()), given(name, values, np.float32, (count, *np.shape(values)[1:2])))
                   for name, values in (attributes or {}).items()]
        listed = [{"name": name, "components": values.size // max(count, 1), "stride": values.size // max(count, 1),
                   "values": ffi.from_buffer("float[]", values)} for name, values in carried]
        lend(struct, attributes=listed)
        struct.attribute_count = len(listed)
        super().__init__(device._get(library.weir_points_create, struct), device._log, device._lock, (device,))
        self._device, self.spacing = device, float(spacing)
        self._count: Optional[int] = count  # None: unknown
        self.origin = (0.0, 0.0, 0.0)
        self._scene: Optional[Scene] = None
        self._bounds = _bounds(np.asarray(positions, np.float32))

    @classmethod
    def load(cls, device: Device, path: PathLike, spacing: Optional[float] = None,
             attributes: Optional[Mapping[str, int]] = None) -> "Points":
        """Reads a particle file of any format of read_particles(), which explains `attributes`. `spacing`, m, is that
        of the file unless it is given; `origin`, m, is to be added to the positions. Raises weir.FileError; ValueError if the file has no
        spacing and too few particles to estimate it."""
        from ._files import read_particles  # which uses this module
        return cls.of(device, read_particles(path, attributes=attributes), spacing)

    @classmethod
    def of(cls, device: Device, particles: "Particles", spacing: Optional[float] = None) -> "Points":
        """Uploads particles that read_particles() has read."""
        found = particles.spacing_m if spacing is None else spacing
        if not found > 0:
            raise ValueError("the spacing of the particles is unknown: give `spacing`, m, the edge of the cube that one "
                             "particle fills at rest")
        made = cls(device, particles.position, found, particles.velocity, particles.id, particles.fluid,
                   particles.density, particles.attributes)
        made.origin = particles.origin
        return made

    @classmethod
    def _of(cls, pointer: Any, sim: Any) -> "Points":
        made = cls.__new__(cls)
        Handle.__init__(made, pointer, sim._log, sim._lock, (sim.device,))
        made._device, made.spacing = sim.device, float(sim.scene.info["spacing_m"])
        try:
            made._count = len(sim)
        except Unstable:  # such points can be drawn, to see what went wrong
            made._count = None
        made.origin, made._scene = (0.0, 0.0, 0.0), sim.scene
        made._bounds = _bounds(np.zeros((0, 3)))
        return made

    def __len__(self) -> int:
        if self._count is None:
            raise Unstable("the number of these points is unknown, because their simulation is unstable")
        return self._count

    def set_whitewater(self, particles: WhitewaterParticles) -> None:
        """Attaches whitewater, in place of any that the points have: pictures then show it. Raises ValueError for
        numbers that are not finite, and for radii above 4 spacings."""
        attach(self, library.weir_points_set_whitewater, particles)

    def load_deformables(self, scene: Scene, folder: PathLike, frame: int) -> None:
        """Attaches the cloths, ropes and soft bodies that a run has written to its output folder for a frame: pictures
        then show them. Raises weir.FileError."""
        struct = default(library.weir_output_def_default)
        lend(struct, folder=path_bytes(folder))
        self._call(library.weir_points_load_deformables, scene._pointer, struct, frame)

    def _describe(self) -> Dict[str, Any]:
        return {"particles": "unknown" if self._count is None else self._count, "spacing": "%.4g m" % self.spacing}

    def _draw_preview(self) -> Any:
        return draw_preview(self._device, self, self._scene, self._bounds)


class Mesh(Handle):
    """A triangle mesh in host memory."""

    _destroy = library.weir_mesh_destroy

    def __init__(self, pointer: Any, device: Device) -> None:
        super().__init__(pointer, device._log, device._lock, (device,))
        self._device, self.origin = device, (0.0, 0.0, 0.0)  # m, to be added to the positions
        self._scene: Optional[Scene] = None  # of the simulation that the points come from
        self._views: "weakref.WeakSet[Any]" = weakref.WeakSet()

    @classmethod
    def load(cls, device: Device, path: PathLike, turn: str = "none", scale: float = 1.0) -> "Mesh":
        """Reads an OBJ, PLY, STL, glTF, VTK or BGEO file. `turn` is "none", "z-to-y" for a file whose z is up, or
        "y-to-z"; `scale` is a factor for lengths. `origin`, m, of the mesh is to be added to its positions: it is 0
        unless they are far from 0, like those of a map. Raises weir.FileError."""
        struct, origin = default(library.weir_mesh_load_def_default), np.zeros(3)
        fill(struct, {"axis_conversion": turn, "scale": scale})
        lend(struct, origin=origin)
        made = cls(device._get(library.weir_mesh_load, path_bytes(path), struct), device)
        made.origin = (float(origin[0]), float(origin[1]), float(origin[2]))
        return made

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

    @settings("RefineSettings", library.weir_mesh_refine_def_default)
    def refine(self, scene: Optional[Scene] = None, **settings: "Unpack[RefineSettings]") -> Dict[str, Any]:
        """Cleans, smooths and decimates the mesh; a mesher does so with the defaults unless it has raw=True.
        Settings are fields of weir_mesh_refine_def, such as smooth_iterations=8. The solids of `scene` stop vertices.
        Returns the fields of weir_mesh_refine_info."""
        self._let_go("refined")
        struct = default(library.weir_mesh_refine_def_default)
        fill(struct, settings)
        struct.scene = pointer_of(scene)
        return as_dict(self._get(library.weir_mesh_refine, struct))

    @settings("SaveSettings", library.weir_mesh_save_def_default)
    def save(self, path: PathLike, **settings: "Unpack[SaveSettings]") -> None:
        """Writes an OBJ, PLY, VTK, VTP or BGEO file, by the extension of the path. Settings are fields of
        weir_mesh_save_def; `origin_m` is that of the points unless it is given."""
        struct = default(library.weir_mesh_save_def_default)
        struct.origin_m = self.origin
        fill(struct, settings)
        self._call(library.weir_mesh_save, path_bytes(path), struct)

    def set_whitewater(self, particles: WhitewaterParticles) -> None:
        """Attaches whitewater, in place of any that the mesh has: pictures then show it."""
        attach(self, library.weir_mesh_set_whitewater, particles)

    def save_spray(self, path: PathLike) -> None:
        """Writes the particles that are not part of the surface (spray_neighbours of a Mesher) to a particle file, by
        the extension of the path. Raises weir.FileError."""
        self._call(library.weir_mesh_save_spray, path_bytes(path), ffi.NULL)

    def to_pyvista(self) -> Any:
        """Returns a pyvista.PolyData with the triangles; normals, velocities and channels are data of its points, and
        spray is left out."""
        pyvista, arrays = optional("pyvista", "mesh.to_pyvista()"), self.arrays()
        triangles = arrays.pop("triangles")
        corners = np.column_stack([np.full(len(triangles), 3, np.int64), triangles])
        made = pyvista.PolyData(arrays.pop("position"), corners.ravel())
        for name, values in arrays.items():
            if not name.startswith("spray_"):
                made.point_data[{"normal": "Normals"}.get(name, name)] = values
        return made

    def to_trimesh(self) -> Any:
        """Returns a trimesh.Trimesh with the same vertices, in the same order; velocities and channels are its vertex
        attributes, and spray is left out."""
        trimesh, arrays = optional("trimesh", "mesh.to_trimesh()"), self.arrays()
        attributes = {name: values for name, values in arrays.items()
                      if name not in ("position", "triangles", "normal") and not name.startswith("spray_")}
        return trimesh.Trimesh(arrays["position"], arrays["triangles"].astype(np.int64), process=False,
                               vertex_normals=arrays.get("normal"), vertex_attributes=attributes)

    def _describe(self) -> Dict[str, Any]:
        view = self._get(library.weir_mesh_get_arrays)
        names = [text_of(channel.name) for channel in view.channel[0:view.channel_count]]
        return {"vertices": view.vertex_count, "triangles": view.triangle_count, "spray": view.spray_count,
                "channels": tuple(["normal"] * bool(view.normal) + ["velocity"] * bool(view.velocity) + names)}

    def _draw_preview(self) -> Any:
        return draw_preview(self._device, self, self._scene, _bounds(self.positions))

    def close(self) -> None:
        """Destroys the mesh. Raises ValueError while an array of arrays(copy=False) is in use."""
        self._let_go("closed")
        super().close()


class Mesher(Handle):
    """Computes surface meshes of points: Mesher(device, cell_size=0.5).mesh(points). Settings are fields of
    weir_mesher_def; with raw=True, meshes are not refined. Otherwise those of a simulation's points meet its solids and
    walls. Presets are "calibrated", "zhu-bridson", "sph" and "anisotropic"."""

    _destroy = library.weir_mesher_destroy

    @settings("MesherSettings", library.weir_mesher_def_default, ffi.NULL)
    def __init__(self, device: Device, preset: str = "calibrated", **settings: "Unpack[MesherSettings]") -> None:
        struct = default(library.weir_mesher_def_default, preset.encode())
        fill(struct, settings)
        super().__init__(device._get(library.weir_mesher_create, struct), device._log, device._lock, (device,))
        self._device, self._preset = device, preset

    def mesh(self, points: "Union[Points, Particles, PathLike]") -> Mesh:
        """Returns the surface of points, of particles that read_particles() has read, or of a particle file:

            for path in sorted(glob.glob("out/particles/*.ply")):
                mesher.mesh(path).save(path.replace("particles", "mesh"))

        Waits. Raises weir.FileError, and weir.OutOfMemory when the lattice is too fine for the device."""
        if isinstance(points, (str, os.PathLike)):
            points = Points.load(self._device, points)
        elif not isinstance(points, Points):
            points = Points.of(self._device, points)
        made = Mesh(self._get(library.weir_mesher_run, points._pointer), self._device)
        made.origin, made._scene = points.origin, points._scene
        return made

    def pass_times(self) -> "np.ndarray[Any, Any]":
        """Returns the GPU times of the passes of all runs so far, as of Simulation.pass_times()."""
        return pass_times(self._list(library.weir_mesher_get_pass_times))

    def _describe(self) -> Dict[str, Any]:
        return {"preset": self._preset}


def inspect_mesh(path: PathLike) -> Dict[str, Any]:
    """Measures a mesh file and finds its defects: the fields of weir_mesh_info."""
    log = Log()
    return as_dict(log.get(library.weir_mesh_inspect, log.struct, path_bytes(path)))
