"""Output folders and particle files."""
from typing import Any, Dict, Iterable, NamedTuple, Optional, Tuple

import numpy as np

from ._library import Handle, Log, created, default, library
from ._simulation import Simulation
from ._values import PathLike, as_dict, fill, lend, named, path_bytes, taken


class Output(Handle):
    """An output folder like that of `weir run`: Output(sim, "out", particle_format="vtk"), then frame() after each
    step. Settings are fields of weir_output_def; `fields` are names, such as ("velocity", "density")."""

    _destroy = library.weir_output_destroy

    def __init__(self, sim: Simulation, folder: PathLike, fields: Optional[Iterable[str]] = None,
                 **settings: Any) -> None:
        struct = default(library.weir_output_def_default)
        fill(struct, settings)
        struct.log = sim._log.struct[0]
        lend(struct, folder=path_bytes(folder))
        if fields is not None:
            struct.fields = sum(1 << named("fields", field, "weir_field") for field in {"position", *fields})
        pointer = created(sim._log, sim._lock, library.weir_output_create, struct, sim._pointer)
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
    log = Log()
    loaded = log.get(library.weir_particles_load, log.struct, path_bytes(path))
    points = loaded.points
    count = points.count
    shapes: Dict[str, Tuple[int, ...]] = {"position": (count, 3), "velocity": (count, 3), "id": (count,),
                                          "fluid": (count,), "density": (count,)}
    try:
        arrays = {name: taken(getattr(points, name), shape, owner=None).copy() if getattr(points, name) or
                  name == "position" else None for name, shape in shapes.items()}
        return Particles(spacing_m=points.spacing_m, time_s=loaded.time_s, **arrays)  # type: ignore[arg-type]
    finally:
        library.weir_particles_free(loaded)


def inspect_particles(path: PathLike) -> Dict[str, Any]:
    """Measures a particle file: the fields of weir_particles_info."""
    log = Log()
    return as_dict(log.get(library.weir_particles_inspect, log.struct, path_bytes(path)))
