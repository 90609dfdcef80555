"""Slices through the grid of a simulation."""
from typing import Any, Dict, Tuple

import numpy as np

from ._display import optional
from ._library import Handle, library
from ._values import AXES, name_of, taken

_NO_VALUE = -1e29  # WEIR_NO_VALUE, of cells without fluid, is below


class Slice(Handle):
    """Values of the grid's cells in a plane perpendicular to an axis: Simulation.slice(). `values` is [rows, columns],
    NaN in cells without fluid; rows and columns lie along the `axes`, and `coordinates` are the centres of the cells, m.
    Renderer.draw(points, slice=...) draws it."""

    _destroy = library.weir_slice_destroy

    def __init__(self, pointer: Any, sim: Any) -> None:
        super().__init__(pointer, sim._log, sim._lock, ())
        found = pointer[0]
        values = np.array(taken(found.values, (found.rows, found.columns), None))
        values[values < _NO_VALUE] = np.nan
        across, up = [axis for axis in range(3) if axis != found.axis]
        centres = [found.corner_m[i] + found.cell_m[i] * (0.5 + np.arange(n)) for i, n in
                   enumerate((found.columns, found.rows))]
        self.quantity: str = name_of(found.quantity, "weir_slice_quantity")
        self.unit: str = {"speed": "m/s", "pressure": "Pa"}[self.quantity]
        self.axis, self.position = AXES[found.axis], float(found.position_m)
        self.values: "np.ndarray[Any, Any]" = values
        self.axes: Tuple[str, str] = (AXES[up], AXES[across])
        self.coordinates: Dict[str, "np.ndarray[Any, Any]"] = {AXES[up]: centres[1], AXES[across]: centres[0]}

    def to_xarray(self) -> Any:
        """Returns an xarray.DataArray with the coordinates of the cells, m."""
        xarray = optional("xarray", "slice.to_xarray()")
        return xarray.DataArray(self.values, self.coordinates, self.axes, self.quantity,
                                {"units": self.unit, self.axis: self.position})

    def _describe(self) -> Dict[str, Any]:
        known = self.values[np.isfinite(self.values)]
        least, most = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
        return {"quantity": self.quantity, "plane": "%s = %.4g m" % (self.axis, self.position),
                "cells": "%d x %d along %s and %s" % (len(self.values), self.values.shape[1], self.axes[0], self.axes[1]),
                "range": "%.4g to %.4g %s" % (least, most, self.unit)}

    def _draw_preview(self) -> Any:
        """Draws a cell as a square of several pixels, from dark blue to yellow, grey without fluid."""
        values, known = self.values[::-1], np.isfinite(self.values[::-1])
        if not known.any():
            return None
        span = float(np.ptp(values[known])) or 1.0
        part = (np.where(known, values, 0) - float(values[known].min())) / span
        picture = np.full((*values.shape, 4), 255, np.uint8)
        for channel, (low, middle, high) in enumerate(((68, 33, 253), (1, 145, 231), (84, 140, 37))):  # of viridis
            picture[..., channel] = np.where(known, np.interp(part, (0, 0.5, 1), (low, middle, high)), 200)
        size = max(1, 480 // max(values.shape))
        return picture.repeat(size, axis=0).repeat(size, axis=1)
