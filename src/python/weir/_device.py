"""Devices."""
import threading
from typing import TYPE_CHECKING, Any, ContextManager, Dict, List, Union

from ._display import sized
from ._library import Handle, Log, created, default, library, listed
from ._profile import peaks, trace
from ._signatures import settings
from ._values import PathLike, as_dict, fill, lend, name_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._settings import DeviceSettings


def devices() -> List[Dict[str, Any]]:
    """Returns the properties of every device, in the order of their numbers: the fields of weir_device_info. A device
    with a non-empty "unsupported_reason" cannot run Weir."""
    log = Log()
    return [_device_dict(info) for info in listed(log, library.weir_device_list, log.struct)]


def _device_dict(info: Any) -> Dict[str, Any]:
    entries = as_dict(info)
    entries["kind"] = name_of(info.kind, "weir_device_kind")
    entries["modules"] = [module for module in entries["modules"] if module["name"]]
    return entries


class Device(Handle):
    """A GPU, or a CPU driver for Vulkan. `name` is its number in devices(), or part of its name; None selects the best
    device. `settings` are fields of weir_device_def, such as validation=True."""

    _destroy = library.weir_device_destroy

    @settings("DeviceSettings", library.weir_device_def_default)
    def __init__(self, name: Union[str, int, None] = None, **settings: "Unpack[DeviceSettings]") -> None:
        log, lock = Log(), threading.RLock()
        struct = default(library.weir_device_def_default)
        fill(struct, settings)
        struct.log = log.struct[0]
        if name is not None:
            lend(struct, device=str(name).encode())
        super().__init__(created(log, lock, library.weir_device_create, struct), log, lock, ())

    @property
    def info(self) -> Dict[str, Any]:
        return _device_dict(self._get(library.weir_device_get_info))

    @property
    def validation_count(self) -> int:
        """Number of errors and warnings that Vulkan's validation has reported; 0 without validation=True."""
        return int(library.weir_device_validation_count(self._pointer))

    def peaks(self) -> Dict[str, float]:
        """Measures the best rates of the device by small benchmarks, in about a second: the fields of
        weir_device_peaks."""
        return peaks(self)

    def trace(self, path: PathLike) -> ContextManager[None]:
        """Writes a trace of what happens in a `with` block, which Perfetto opens: frames, substeps, passes, CPU work and
        writer threads.

            with device.trace("trace.json"):
                sim.run(0.1)

        Other threads must not use objects of the device while a trace starts or ends. Raises weir.FileError."""
        return trace(self, path)

    def set_pass_timing(self, on: bool) -> None:
        """Switches the timing of single passes on or off; the first call of a pass_times() switches it on."""
        with self._lock:
            library.weir_device_set_pass_timing(self._pointer, on)

    def longest_submission_ms(self) -> float:
        """Returns the GPU time of the longest submission since the last call, ms; 0 without timestamps."""
        with self._lock:
            return float(library.weir_device_longest_submission_ms(self._pointer))

    def _describe(self) -> Dict[str, Any]:
        info = self.info
        return {"name": info["name"], "kind": info["kind"], "driver": info["driver"],
                "memory": sized(info["memory_bytes"]),
                "allocated": sized(sum(module["bytes"] for module in info["modules"]))}
