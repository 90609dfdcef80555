"""Probes: samples of the fluid at given points."""
from typing import Any, Dict, NamedTuple, Optional

import numpy as np

from ._declarations import ffi
from ._device import Device
from ._display import html_summary, summary
from ._library import Handle, library
from ._scene import Scene
from ._surface import Points
from ._values import columns, given


class ProbeSamples(NamedTuple):
    """The fields of weir_probe_sample, one element per place."""

    number: int  # number of the query, counted from 1
    fluid_fraction: "np.ndarray[Any, Any]"  # fraction of the space that fluid fills
    density: "np.ndarray[Any, Any]"  # kg/m3
    velocity: "np.ndarray[Any, Any]"  # [places, 3], m/s
    surface: "np.ndarray[Any, Any]"  # height above the place, m; NaN: no surface in the column

    def __repr__(self) -> str:
        return summary(self)

    def _repr_html_(self) -> str:
        return html_summary(self)


class Probe(Handle):
    """Samples the fluid of a scene at given places: probe.submit(sim.points(), places), then probe.read()."""

    _destroy = library.weir_probe_destroy

    def __init__(self, device: Device, scene: Scene) -> None:
        with scene._lock:
            pointer = device._get(library.weir_probe_create, scene._pointer)
        super().__init__(pointer, device._log, device._lock, (device, scene))
        self._scene = scene

    def submit(self, points: Points, places: Any) -> None:
        """Samples `points` at `places` [places, 3], m. Does not wait for the samples."""
        array = given("places", places, np.float32, (len(places), 3))
        self._call(library.weir_probe_submit, points._pointer, ffi.from_buffer("float[]", array), len(array))

    def read(self, wait: bool = True) -> Optional[ProbeSamples]:
        """Returns the samples of the last query; with wait=False, of the last finished query, or None before the
        first."""
        count, number = ffi.new("uint32_t *"), ffi.new("uint64_t *")
        with self._lock:
            self._call(library.weir_probe_read, wait, ffi.NULL, count, number)
            found = ffi.new("weir_probe_sample[]", max(count[0], 1))
            self._call(library.weir_probe_read, wait, found, count, number)
        if not number[0]:
            return None
        table = np.frombuffer(ffi.buffer(found), np.dtype(columns("weir_probe_sample"), align=True))[:count[0]]
        surface = table["surface_offset_m"].copy()
        surface[surface < -1e29] = np.nan
        return ProbeSamples(number[0], table["fluid_fraction"], table["density"], table["velocity"], surface)

    def _describe(self) -> Dict[str, Any]:
        return {"scene": self._scene.info["name"]}
