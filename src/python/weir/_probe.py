"""Probes: samples of the fluid at given points."""
import ctypes
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _bindings
from ._device import Device, Scene
from ._library import Handle, created, library
from ._surface import Points
from ._values import given


class ProbeSamples(NamedTuple):
    """The fields of weir_probe_sample, one element per place."""

    number: int  # number of the query, counted from 1
    fluid_fraction: "np.ndarray[Any, Any]"  # fraction of the space that fluid fills
    density: "np.ndarray[Any, Any]"  # kg/m3
    velocity: "np.ndarray[Any, Any]"  # [places, 3], m/s
    surface: "np.ndarray[Any, Any]"  # height above the place, m; NaN: no surface in the column


class Probe(Handle):
    """Samples the fluid of a scene at given places: probe.submit(sim.points(), places), then probe.read()."""

    _destroy = library.weir_probe_destroy

    def __init__(self, device: Device, scene: Scene) -> None:
        with scene._lock:
            pointer = created(device._log, device._lock, library.weir_probe_create, device._pointer, scene._pointer)
        super().__init__(pointer, device._log, device._lock, (device, scene))

    def submit(self, points: Points, places: Any) -> None:
        """Samples `points` at `places` [places, 3], m. Does not wait for the samples."""
        array = given("places", places, np.float32, (len(places), 3))
        numbers = array.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        self._call(library.weir_probe_submit, points._pointer, numbers, len(array))

    def read(self, wait: bool = True) -> Optional[ProbeSamples]:
        """Returns the samples of the last query; with wait=False, of the last finished query, or None before the
        first."""
        count, number = ctypes.c_uint32(), ctypes.c_uint64()
        with self._lock:
            self._call(library.weir_probe_read, wait, None, ctypes.byref(count), ctypes.byref(number))
            found = (_bindings.weir_probe_sample * max(count.value, 1))()
            self._call(library.weir_probe_read, wait, found, ctypes.byref(count), ctypes.byref(number))
        if number.value == 0:
            return None
        table: "np.ndarray[Any, Any]" = np.ctypeslib.as_array(found)[:count.value]
        surface = table["surface_offset_m"].copy()
        surface[surface < -1e29] = np.nan
        return ProbeSamples(number.value, table["fluid_fraction"], table["density"], table["velocity"], surface)
