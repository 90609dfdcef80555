"""Times of passes."""
from typing import Any, List

import numpy as np

from ._library import text_of

_COLUMNS = [("name", "U40"), ("stage", "U40"), ("calls", "u4"), ("median_ms", "f8"), ("lower_quartile_ms", "f8"),
            ("upper_quartile_ms", "f8"), ("total_ms", "f8")]


def pass_times(times: List[Any]) -> "np.ndarray[Any, Any]":
    """Returns weir_pass_time structs as a structured array with one row per pass; whole pass lists are left out."""
    rows = [(text_of(t.name), text_of(t.stage), t.calls, t.median_ms, t.lower_quartile_ms, t.upper_quartile_ms, t.total_ms)
            for t in times if not t.is_total]
    return np.array(rows, _COLUMNS)
