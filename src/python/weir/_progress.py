"""The line on the terminal that shows how far a run is."""
import sys
import time
from typing import Any, Callable, Union

ProgressCall = Callable[[int, int], None]  # the frame that was submitted, and the last one
SHORTEST_S = 0.1  # between two lines


class Progress:
    """Shows the frames of a run while it is a context manager, as Simulation.frames() describes."""

    def __init__(self, wanted: Union[bool, ProgressCall], first: int, last: int) -> None:
        self._wanted, self._first, self._last = wanted, first, last
        self._start = self._shown = time.monotonic()

    def __enter__(self) -> "Progress":
        return self

    def show(self, frame: int) -> None:
        if not isinstance(self._wanted, bool):
            self._wanted(frame, self._last)
        elif self._wanted:
            now = time.monotonic()
            if frame == self._last or now - self._shown >= SHORTEST_S:
                self._shown = now
                rate = (frame - self._first) / max(now - self._start, 1e-9)
                sys.stderr.write("\rframe %d of %d, %.3g frames/s, %.0f s left " %
                                 (frame, self._last, rate, (self._last - frame) / rate))
                sys.stderr.flush()

    def __exit__(self, *_: Any) -> None:
        if self._wanted is True and self._last > self._first:
            sys.stderr.write("\n")
