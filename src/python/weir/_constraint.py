"""The density constraint alone, for particles that a program moves itself."""
import ctypes
from typing import Any, Dict, NamedTuple, Optional

import numpy as np

from . import _door
from ._device import Device, Scene
from ._library import Handle, created, library
from ._values import as_dict, given


class Solved(NamedTuple):
    """What satisfies the constraint, in the order of the particles that were given."""

    positions: "np.ndarray[Any, Any]"  # [particles, 3], m
    velocities: "Optional[np.ndarray[Any, Any]]"  # [particles, 3], m/s; None: none were given
    report: Dict[str, Any]  # the fields of weir_constraint_report


def _copy(what: str, values: Any, count: int) -> "np.ndarray[Any, Any]":
    """For the library to write into."""
    return given(what, np.array(values, np.float32, order="C"), np.float32, (count, 3))


def _pointer_to(array: "Optional[np.ndarray[Any, Any]]", kind: Any) -> Any:
    return None if array is None else array.ctypes.data_as(ctypes.POINTER(kind))


class Constraint(Handle):
    """Gives particles the positions that make them a fluid: constraint.solve(positions, dt, velocities=velocities).
    The scene gives spacing, domain and solver."""

    _destroy = library.weir_constraint_destroy

    def __init__(self, device: Device, scene: Scene) -> None:
        with scene._lock:
            pointer = created(device._log, device._lock, library.weir_constraint_create, device._pointer,
                              scene._pointer)
        super().__init__(pointer, device._log, device._lock, (device, scene))

    def solve(self, positions: Any, seconds: float, velocities: Any = None, inverse_masses: Any = None,
              offsets: Any = None, neighbours: Any = None) -> Solved:
        """Of particles at `positions` [particles, 3], m, where `velocities` [particles, 3] have moved them in a step of
        `seconds`. The arrays stay as they are; the answer has its own. Optional are `inverse_masses` [particles],
        where 0 holds a particle in its place, and lists of neighbours, where those of particle i are
        neighbours[offsets[i]:offsets[i + 1]]. Without lists Weir searches."""
        count = len(positions)
        moved = _copy("positions", positions, count)
        speeds = None if velocities is None else _copy("velocities", velocities, count)
        masses = None if inverse_masses is None else given("inverse_masses", inverse_masses, np.float32, (count,))
        starts = None if offsets is None else given("offsets", offsets, np.uint32, (count + 1,))
        room = np.shape(neighbours) if starts is None else (int(starts[-1]),)
        lists = None if neighbours is None else given("neighbours", neighbours, np.uint32, room)

        particles = library.weir_constraint_particles_default()
        particles.count, particles.seconds = count, seconds
        particles.positions = _pointer_to(moved, ctypes.c_float)
        particles.velocities = _pointer_to(speeds, ctypes.c_float)
        particles.inverse_masses = _pointer_to(masses, ctypes.c_float)
        particles.offsets = _pointer_to(starts, ctypes.c_uint32)
        particles.neighbours = _pointer_to(lists, ctypes.c_uint32)
        report = _door.weir_constraint_report()
        self._call(library.weir_constraint_solve, ctypes.byref(particles), ctypes.byref(report))
        return Solved(moved, speeds, as_dict(report))
