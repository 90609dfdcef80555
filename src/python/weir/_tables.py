"""Tables of statistics and gauges, one row per frame."""
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Sequence, Tuple, Union

import numpy as np

from ._display import html_table, optional
from ._values import AXES, columns

if TYPE_CHECKING:
    from ._simulation import Simulation

SHOWN = ("frame", "time_s", "particle_count", "density_error_mean", "speed_max_m_s", "kinetic_energy_j")
SHOWN_ROWS = 10


class Gauge(NamedTuple):
    value: Union[float, Tuple[float, float, float]]  # a force has three components
    unit: str


class Table:
    """Statistics and gauges, one row per frame: table.add(sim) after each step, or Simulation.run(), which returns one.
    The columns are the fields of weir_stats and the names of the gauges. table["time_s"] is a column, table.array() a
    structured array, table.to_pandas() a DataFrame, table.to_xarray() a Dataset."""

    def __init__(self) -> None:
        self._rows: List[Tuple[Dict[str, Any], Dict[str, Gauge]]] = []
        self._gauges: Dict[str, int] = {}

    def add(self, sim: "Simulation") -> None:
        """Appends the statistics and gauges of the last finished frame. Waits."""
        stats = sim.stats()
        gauges = sim.gauges() if stats["frame"] else {}
        if gauges and not self._gauges:
            self._gauges = {name: np.size(gauge.value) for name, gauge in gauges.items()}
        self._rows.append((stats, gauges))

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, name: str) -> "np.ndarray[Any, Any]":
        """Returns a column: [rows], or [rows, 3] of a vector."""
        table = self.array()
        if name not in (table.dtype.names or ()):
            raise KeyError("no column %r; columns: %s" % (name, ", ".join(table.dtype.names or ())))
        column: "np.ndarray[Any, Any]" = table[name]
        return column

    def array(self) -> "np.ndarray[Any, Any]":
        """Returns the rows as a structured array. Gauges are NaN before the first frame."""
        kinds = columns("weir_stats")
        kinds += [(name, np.dtype((np.float64, (size,))) if size > 1 else np.dtype(np.float64))
                  for name, size in self._gauges.items()]
        table = np.zeros(len(self._rows), kinds)
        for i, (stats, gauges) in enumerate(self._rows):
            for name, value in stats.items():
                table[name][i] = value
            for name in self._gauges:
                table[name][i] = gauges[name].value if name in gauges else np.nan
        return table

    def columns(self) -> "Dict[str, np.ndarray[Any, Any]]":
        """Returns the columns by name, [rows] each: the columns of stats.csv have the same names there. Vectors are
        split: momentum_kg_m_s_x, momentum_kg_m_s_y and momentum_kg_m_s_z."""
        table = self.array()
        found: Dict[str, "np.ndarray[Any, Any]"] = {}
        for name in table.dtype.names or ():
            values = table[name]
            found.update({name: values} if values.ndim == 1 else
                         {"%s_%s" % (name, axis): values[:, i] for i, axis in enumerate(AXES)})
        return found

    def to_pandas(self) -> Any:
        """Returns a pandas.DataFrame with the columns of columns()."""
        return optional("pandas", "table.to_pandas()").DataFrame(self.columns())

    def to_xarray(self) -> Any:
        """Returns an xarray.Dataset along the dimension and coordinate "time_s"; vectors also along "axis"."""
        xarray, table = optional("xarray", "table.to_xarray()"), self.array()
        names: Sequence[str] = table.dtype.names or ()
        data = {name: (("time_s", "axis")[:table[name].ndim], table[name]) for name in names if name != "time_s"}
        return xarray.Dataset(data, {"time_s": table["time_s"], "axis": list(AXES)})

    def __repr__(self) -> str:
        if not self._rows:
            return "<weir.Table: empty>"
        first, last = self._rows[0][0], self._rows[-1][0]
        return "<weir.Table: %d rows, %.4g to %.4g s, gauges: %s>" % (
            len(self), first["time_s"], last["time_s"], ", ".join(self._gauges) or "none")

    def _repr_html_(self) -> str:
        names = [*SHOWN, *(name for name, size in self._gauges.items() if size == 1)]
        step = max(1, -(-len(self) // SHOWN_ROWS))
        every, found = range(0, len(self), step), self.columns()
        rows = [[found[name][i] for name in names] for i in every]
        return html_table("Table: %d rows, %d columns" % (len(self), len(found)), rows, names)
