"""Output folders and particle files."""
import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._declarations import ffi
from ._display import html_summary, summary
from ._library import Handle, Log, created, default, library, text_of
from ._signatures import settings
from ._simulation import Simulation
from ._values import PathLike, as_dict, attribute_array, fill, lend, named, path_bytes, spelled, taken

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._settings import OutputSettings


class Output(Handle):
    """An output folder like that of `weir run`: Output(sim, "out", particle_format="vtk"), then frame() after each
    step. Settings are fields of weir_output_def; `fields` are names, such as ("velocity", "density")."""

    _destroy = library.weir_output_destroy

    @settings("OutputSettings", library.weir_output_def_default)
    def __init__(self, sim: Simulation, folder: PathLike, fields: Optional[Iterable[str]] = None,
                 **settings: "Unpack[OutputSettings]") -> None:
        struct = default(library.weir_output_def_default)
        fill(struct, settings)
        struct.log = sim._log.struct[0]
        lend(struct, folder=path_bytes(folder))
        if fields is not None:
            struct.fields = sum(1 << named("fields", field, "weir_field") for field in {"position", *fields})
        pointer = created(sim._log, sim._lock, library.weir_output_create, struct, sim._pointer)
        super().__init__(pointer, sim._log, sim._lock, (sim,))
        self._folder = os.fspath(folder)

    def frame(self) -> None:
        """Queues the last finished frame; a writer thread writes it while the simulation continues."""
        self._call(library.weir_output_write_frame)

    def finish(self) -> None:
        """Waits until all frames are written, and records in run.json that the run is complete."""
        self._call(library.weir_output_mark_complete)

    def stop(self) -> None:
        """Records in run.json that the run was stopped before its last frame."""
        self._call(library.weir_output_flush)
        self._call(library.weir_output_mark_ended, 0, ffi.NULL)

    def _describe(self) -> Dict[str, Any]:
        return {"folder": self._folder}


class Particles(NamedTuple):
    """Particles of a file; fields that the file does not have are None.

    origin, in m, is to be added to every position: it is 0 unless the particles are so far from 0, like those of a map,
    that 32-bit floats would round their positions. skipped counts particles that were left out because a number of
    theirs is NaN or infinite; cropped and outliers count those that the arguments of read_particles left out.
    """
    position: "np.ndarray[Any, Any]"
    velocity: "Optional[np.ndarray[Any, Any]]"
    id: "Optional[np.ndarray[Any, Any]]"
    fluid: "Optional[np.ndarray[Any, Any]]"
    density: "Optional[np.ndarray[Any, Any]]"
    spacing_m: float
    time_s: float
    origin: Tuple[float, float, float]
    skipped: int
    cropped: int
    outliers: int
    attributes: Dict[str, "np.ndarray[Any, Any]"]

    def __repr__(self) -> str:
        return summary(self)

    def _repr_html_(self) -> str:
        return html_summary(self)


@spelled
def read_particles(path: PathLike, crop: Optional[Sequence[Sequence[float]]] = None,
                   drop_outliers: bool = False, attributes: Optional[Mapping[str, int]] = None) -> Particles:
    """Reads a PLY, VTK, VTU, VTP, VTKHDF, HDF5, BGEO, LAMMPS, XYZ, CSV, NPY, NPZ or raw particle file.

    crop, two corners of a box in the file's coordinates, keeps the particles inside. drop_outliers leaves out particles
    far from all others: outside the box that contains the middle 98 % of the coordinates along each axis, enlarged on
    every side by its longest edge. attributes, names and numbers per particle as of Simulation.attributes(), are read
    where the file has them. Raises weir.Error if no particle is left.
    """
    log = Log()
    names = [ffi.new("char[]", name.encode()) for name in attributes or {}]
    listed = ffi.new("weir_attribute[]", [{"name": name, "components": components} for name, components in
                                          zip(names, (attributes or {}).values())])
    loaded = log.get(library.weir_particles_load_attributes, log.struct, path_bytes(path), listed, len(names))
    try:
        wanted = default(library.weir_particles_filter_def_default)
        if crop is not None:
            wanted.crop_min, wanted.crop_max = ([float(x) for x in corner] for corner in crop)
        wanted.drop_outliers = drop_outliers
        dropped = log.get(library.weir_particles_filter, log.struct, loaded, wanted)
        points = loaded.points
        count = points.count
        shapes: Dict[str, Tuple[int, ...]] = {"position": (count, 3), "velocity": (count, 3), "id": (count,),
                                              "fluid": (count,), "density": (count,)}
        arrays = {name: taken(getattr(points, name), shape, owner=None).copy() if getattr(points, name) or
                  name == "position" else None for name, shape in shapes.items()}
        read = {text_of(a.name): attribute_array(a, count) for a in points.attributes[0:points.attribute_count]}
        origin = loaded.origin_m[0], loaded.origin_m[1], loaded.origin_m[2]
        return Particles(attributes=read, spacing_m=points.spacing_m, time_s=loaded.time_s,
                         origin=origin, skipped=loaded.skipped, cropped=dropped.cropped,
                         outliers=dropped.outliers, **arrays)  # type: ignore[arg-type]
    finally:
        library.weir_particles_free(loaded)


def inspect_particles(path: PathLike) -> Dict[str, Any]:
    """Measures a particle file: the fields of weir_particles_info."""
    log = Log()
    return as_dict(log.get(library.weir_particles_inspect, log.struct, path_bytes(path)))
