"""Times and work of passes, and what a device can do at best."""
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Dict, Iterator, List

import numpy as np

from ._declarations import ffi
from ._library import library, text_of
from ._values import PathLike, as_dict, named, path_bytes

if TYPE_CHECKING:
    from ._device import Device

_TEXTS = ("name", "stage")
_COUNTS = ("calls",)
_NUMBERS = ("median_ms", "lower_quartile_ms", "upper_quartile_ms", "total_ms", "elements", "bytes", "gathered_bytes",
            "flops", "atomics", "invocations")


def pass_times(times: List[Any]) -> "np.ndarray[Any, Any]":
    """Returns weir_pass_time structs as a structured array with one row per pass; whole pass lists are left out."""
    kinds = [(name, "U40") for name in _TEXTS] + [(name, "u4") for name in _COUNTS] + [(name, "f8") for name in _NUMBERS]
    rows = [tuple(text_of(getattr(t, name)) if name in _TEXTS else getattr(t, name) for name, _ in kinds)
            for t in times if not t.is_total]
    return np.array(rows, kinds)


def peaks(device: "Device") -> Dict[str, float]:
    """Returns the fields of weir_device_peaks."""
    return as_dict(device._get(library.weir_device_measure_peaks))


@contextmanager
def trace(device: "Device", path: PathLike) -> Iterator[None]:
    """Writes a trace of a device while it is a context manager."""
    device._call(library.weir_trace_start, path_bytes(path))
    try:
        yield
    finally:
        device._call(library.weir_trace_finish)


def explain(sim: Any, form: str) -> str:
    """Returns the lines of weir_sim_explain."""
    lines: List[str] = []
    write = ffi.callback("void(void *, const char *)", lambda user, line: lines.append(text_of(line)))
    sim._call(library.weir_sim_explain, named("form", form, "weir_explain_format"), write, ffi.NULL)
    return "\n".join(lines)
