"""The density solver, for particles that a program moves itself."""
import ctypes
from typing import Any, Dict, NamedTuple, Optional

import numpy as np

from . import _bindings
from ._device import Device, Scene
from ._library import Handle, created, library
from ._values import as_dict, given


class DensitySolution(NamedTuple):
    """Result of DensitySolver.solve, in the order of the given particles."""

    positions: "np.ndarray[Any, Any]"  # [particles, 3], m
    velocities: "Optional[np.ndarray[Any, Any]]"  # [particles, 3], m/s; None when no velocities were given
    report: Dict[str, Any]  # the fields of weir_density_solver_report


def _copy(what: str, values: Any, count: int) -> "np.ndarray[Any, Any]":
    """Returns a copy of the values that the library can write to."""
    return given(what, np.array(values, np.float32, order="C"), np.float32, (count, 3))


def _pointer_to(array: "Optional[np.ndarray[Any, Any]]", kind: Any) -> Any:
    return None if array is None else array.ctypes.data_as(ctypes.POINTER(kind))


class DensitySolver(Handle):
    """Moves particles so that they satisfy the density constraint: solver.solve(positions, dt, velocities=velocities).
    The scene provides spacing, domain and solver settings."""

    _destroy = library.weir_density_solver_destroy

    def __init__(self, device: Device, scene: Scene) -> None:
        with scene._lock:
            pointer = created(device._log, device._lock, library.weir_density_solver_create, device._pointer,
                              scene._pointer)
        super().__init__(pointer, device._log, device._lock, (device, scene))

    def solve(self, positions: Any, dt_s: float, velocities: Any = None, inverse_masses: Any = None,
              neighbour_offsets: Any = None, neighbours: Any = None) -> DensitySolution:
        """Corrects `positions` [particles, 3], m, which `velocities` [particles, 3], m/s, have predicted for a step of
        `dt_s` seconds. The given arrays are unchanged; the result has its own. Optional are `inverse_masses`
        [particles], where 0 fixes a particle, and neighbour lists, where the neighbours of particle i are
        neighbours[neighbour_offsets[i]:neighbour_offsets[i + 1]]. Without lists Weir searches for neighbours."""
        count = len(positions)
        moved = _copy("positions", positions, count)
        speeds = None if velocities is None else _copy("velocities", velocities, count)
        masses = None if inverse_masses is None else given("inverse_masses", inverse_masses, np.float32, (count,))
        starts = None if neighbour_offsets is None else given("neighbour_offsets", neighbour_offsets, np.uint32, (count + 1,))
        room = np.shape(neighbours) if starts is None else (int(starts[-1]),)
        lists = None if neighbours is None else given("neighbours", neighbours, np.uint32, room)

        particles = library.weir_density_solver_particles_default()
        particles.count, particles.dt_s = count, dt_s
        particles.positions = _pointer_to(moved, ctypes.c_float)
        particles.velocities = _pointer_to(speeds, ctypes.c_float)
        particles.inverse_masses = _pointer_to(masses, ctypes.c_float)
        particles.neighbour_offsets = _pointer_to(starts, ctypes.c_uint32)
        particles.neighbours = _pointer_to(lists, ctypes.c_uint32)
        report = _bindings.weir_density_solver_report()
        self._call(library.weir_density_solver_solve, ctypes.byref(particles), ctypes.byref(report))
        return DensitySolution(moved, speeds, as_dict(report))
