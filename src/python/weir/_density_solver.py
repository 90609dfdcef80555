"""The density solver, for particles that a program moves itself."""
from typing import Any, Dict, NamedTuple, Optional

import numpy as np

from ._device import Device
from ._display import html_summary, summary
from ._library import Handle, default, library
from ._scene import Scene
from ._values import as_dict, given, lend


class DensitySolution(NamedTuple):
    """Result of DensitySolver.solve, in the order of the given particles."""

    positions: "np.ndarray[Any, Any]"  # [particles, 3], m
    velocities: "Optional[np.ndarray[Any, Any]]"  # [particles, 3], m/s; None when no velocities were given
    report: Dict[str, Any]  # the fields of weir_density_solver_report

    def __repr__(self) -> str:
        return summary(self)

    def _repr_html_(self) -> str:
        return html_summary(self)


def _copy(what: str, values: Any, count: int) -> "np.ndarray[Any, Any]":
    """Returns a copy of the values that the library can write to."""
    return given(what, np.array(values, np.float32, order="C"), np.float32, (count, 3))


class DensitySolver(Handle):
    """Moves particles so that they satisfy the density constraint: solver.solve(positions, dt, velocities=velocities).
    The scene provides spacing, domain and solver settings."""

    _destroy = library.weir_density_solver_destroy

    def __init__(self, device: Device, scene: Scene) -> None:
        with scene._lock:
            pointer = device._get(library.weir_density_solver_create, scene._pointer)
        super().__init__(pointer, device._log, device._lock, (device, scene))
        self._scene = scene

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

        particles = default(library.weir_density_solver_particles_default)
        particles.count, particles.dt_s = count, dt_s
        arrays = {"positions": moved, "velocities": speeds, "inverse_masses": masses, "neighbour_offsets": starts,
                  "neighbours": lists}
        lend(particles, **{name: array for name, array in arrays.items() if array is not None})
        return DensitySolution(moved, speeds, as_dict(self._get(library.weir_density_solver_solve, particles)))

    def _describe(self) -> Dict[str, Any]:
        return {"scene": self._scene.info["name"]}
