"""Output folders and particle files."""
import ctypes
from typing import Any, Dict, Iterable, NamedTuple, Optional

import numpy as np

from . import _bindings
from ._library import Handle, Log, created, library
from ._simulation import Simulation
from ._values import PathLike, as_dict, fill, named, path_bytes, taken


class Output(Handle):
    """An output folder like that of `weir run`: Output(sim, "out", particle_format="vtk"), then frame() after each
    step. Settings are fields of weir_output_def; `fields` are names, such as ("velocity", "density")."""

    _destroy = library.weir_output_destroy

    def __init__(self, sim: Simulation, folder: PathLike, fields: Optional[Iterable[str]] = None,
                 **settings: Any) -> None:
        struct = library.weir_output_def_default()
        fill(struct, settings)
        struct.log, struct.folder = sim._log.struct, path_bytes(folder)
        if fields is not None:
            struct.fields = sum(1 << named("fields", field, _bindings.weir_field) for field in {"position", *fields})
        pointer = created(sim._log, sim._lock, library.weir_output_create, ctypes.byref(struct), sim._pointer)
        super().__init__(pointer, sim._log, sim._lock, (sim,))

    def frame(self) -> None:
        """Queues the last finished frame; a writer thread writes it while the simulation continues."""
        self._call(library.weir_output_write_frame)

    def finish(self) -> None:
        """Waits until all frames are written, and records in run.json that the run is complete."""
        self._call(library.weir_output_mark_complete)


class Particles(NamedTuple):
    """Particles of a file; fields that the file does not have are None."""
    position: "np.ndarray[Any, Any]"
    velocity: "Optional[np.ndarray[Any, Any]]"
    id: "Optional[np.ndarray[Any, Any]]"
    fluid: "Optional[np.ndarray[Any, Any]]"
    density: "Optional[np.ndarray[Any, Any]]"
    spacing_m: float
    time_s: float


def read_particles(path: PathLike) -> Particles:
    """Reads a PLY, VTK, VTU, VTP, BGEO, XYZ, CSV, NPY or raw particle file."""
    log, loaded = Log(), _bindings.weir_particles()
    log.check(library.weir_particles_load(ctypes.byref(log.struct), path_bytes(path), ctypes.byref(loaded)))
    points = loaded.points
    shapes = {"position": (np.float32, (points.count, 3)), "velocity": (np.float32, (points.count, 3)),
              "id": (np.uint32, (points.count,)), "fluid": (np.uint32, (points.count,)),
              "density": (np.float32, (points.count,))}
    try:
        arrays = {name: taken(getattr(points, name), *shape, owner=None).copy() if getattr(points, name) or
                  name == "position" else None for name, shape in shapes.items()}
        return Particles(spacing_m=points.spacing_m, time_s=loaded.time_s, **arrays)  # type: ignore[arg-type]
    finally:
        library.weir_particles_free(ctypes.byref(loaded))


def inspect_particles(path: PathLike) -> Dict[str, Any]:
    """Measures a particle file: the fields of weir_particles_info."""
    log, info = Log(), _bindings.weir_particles_info()
    log.check(library.weir_particles_inspect(ctypes.byref(log.struct), path_bytes(path), ctypes.byref(info)))
    return as_dict(info)
