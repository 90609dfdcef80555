"""Cloths, ropes and soft bodies of a simulation."""
from typing import Any, List, NamedTuple, Tuple

import numpy as np

from ._declarations import ffi
from ._display import html_summary, summary
from ._library import library, text_of
from ._values import taken


class Deformable(NamedTuple):
    """State of a cloth, a rope or a soft body at the end of the last finished frame."""

    name: str
    kind: str  # "cloth", "rope" or "soft-body"
    positions: "np.ndarray[Any, Any]"  # [vertices, 3], m
    velocities: "np.ndarray[Any, Any]"  # [vertices, 3], m/s
    triangles: "np.ndarray[Any, Any]"  # [triangles, 3], indices of vertices; of a rope none
    segments: "np.ndarray[Any, Any]"  # [segments, 2], of a rope
    surface_vertices: int  # the first vertices, which of a soft body lie on its surface
    radius_m: float  # of a rope; half the thickness of a cloth; of a soft body how far its surface is outside
    colour: Tuple[float, float, float]  # linear red, green, blue
    mass_kg: float
    kinetic_energy_j: float
    potential_energy_j: float  # against gravity from the origin
    torn_edges: int
    non_finite_vertices: int  # frozen, because their state is not a number

    def __repr__(self) -> str:
        return summary(self)

    def _repr_html_(self) -> str:
        return html_summary(self)


def read_deformables(sim: Any) -> List[Deformable]:
    """Returns the deformables of a simulation, whose lock is held."""
    count = ffi.new("uint32_t *")
    sim._call(library.weir_sim_get_deformable_vertices, ffi.NULL, ffi.NULL, count)
    places, speeds = np.empty((2, count[0], 3), np.float32)
    if count[0]:
        sim._call(library.weir_sim_get_deformable_vertices, ffi.from_buffer("float[]", places),
                  ffi.from_buffer("float[]", speeds), count)
    found = []
    for d in sim._list(library.weir_sim_get_deformables):
        part = slice(d.first_vertex, d.first_vertex + d.vertex_count)
        kind = "rope" if d.is_rope else "soft-body" if d.is_soft_body else "cloth"
        found.append(Deformable(
            text_of(d.name), kind, places[part].copy(), speeds[part].copy(),
            np.array(taken(d.triangles, (d.triangle_count, 3), None)), np.array(taken(d.segments, (d.segment_count, 2), None)),
            d.surface_vertex_count, d.radius_m, (d.colour[0], d.colour[1], d.colour[2]), d.mass_kg, d.kinetic_energy_j,
            d.potential_energy_j, d.torn_edges, d.non_finite_vertices))
    return found
