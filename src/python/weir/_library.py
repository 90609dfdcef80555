"""Loads the library, and converts its result codes and messages to exceptions and log records."""
import collections
import ctypes
import ctypes.util
import logging
import os
import threading
import weakref
from typing import Any, Callable, List, Optional, Tuple, Type

from . import _bindings

__version__ = "0.1.0"
logger = logging.getLogger("weir")


class Error(Exception):
    """Base class of all errors of Weir. The text contains the logged error messages."""


class ArgumentError(Error, ValueError):
    """An argument breaks the rules of weir/weir.h."""


class SceneError(Error, ValueError):
    """A scene contains an error; the text gives file, line and column."""


class FileError(Error, OSError):
    """A file cannot be read, written or parsed."""


class OutOfMemory(Error, MemoryError):
    """Host or device memory ran out."""


class Unsupported(Error):
    """The device, or this build of the library, lacks a feature."""


class DeviceLost(Error):
    """The device is lost; all later calls on it fail."""


class Unstable(Error):
    """The simulation has non-finite values; its state can still be read."""


_errors: List[Type[Error]] = [Error, ArgumentError, SceneError, FileError, OutOfMemory, Unsupported, DeviceLost,
                              Unstable]


def _candidates() -> List[str]:
    chosen = os.environ.get("WEIR_LIBRARY")
    if chosen:
        return [chosen]
    folder = os.path.dirname(os.path.abspath(__file__))
    names = ["libweir.so", "libweir.dylib", "weir.dll"]
    found = [os.path.join(folder, name) for name in names if os.path.exists(os.path.join(folder, name))]
    installed = ctypes.util.find_library("weir")
    return found + ([installed] if installed else [])


def _load() -> ctypes.CDLL:
    paths, faults = _candidates(), []
    for path in paths:
        try:
            loaded = ctypes.CDLL(path)
            break
        except OSError as fault:
            faults.append(str(fault))
    else:
        where = "; ".join(faults) or "neither beside this package nor where the system keeps libraries"
        raise ImportError("Weir's library cannot be loaded: %s; install the package with its library, or set "
                          "WEIR_LIBRARY to the path of libweir.so" % where)
    loaded.weir_version.restype = ctypes.c_char_p
    version = loaded.weir_version().decode()
    if version.split(".")[:2] != __version__.split(".")[:2]:
        raise ImportError("%s is version %s of Weir, this package takes %s: install the two together" %
                          (path, version, __version__))
    abi = loaded.weir_abi() & 0xffffffff if hasattr(loaded, "weir_abi") else None
    if abi != _bindings.ABI:
        raise ImportError("%s was built with other headers (%s) than this package (%08x): install the two together" %
                          (path, "of before there was a number" if abi is None else "%08x" % abi, _bindings.ABI))
    _bindings.declare(loaded)
    return loaded


library = _load()
_Write: Any = dict(_bindings.weir_log._fields_)["write"]
_LEVELS = [logging.ERROR, logging.WARNING, logging.INFO, logging.DEBUG]


class Log:
    """Receives the messages of a handle: passes them to the logger "weir", and errors to exceptions."""

    def __init__(self) -> None:
        self._said: "collections.deque[str]" = collections.deque(maxlen=50)
        self._write = _Write(self._take)
        self.struct = _bindings.weir_log(self._write, None, _bindings.weir_log_level.WEIR_LOG_DEBUG
                                     if logger.isEnabledFor(logging.DEBUG) else _bindings.weir_log_level.WEIR_LOG_INFO)

    def _take(self, user: Any, level: int, text: bytes) -> None:
        words = text.decode("utf-8", "replace")
        if level == _bindings.weir_log_level.WEIR_LOG_ERROR:
            self._said.append(words)
            logger.debug("%s", words)  # the exception reports it
        else:
            logger.log(_LEVELS[level], "%s", words)

    def check(self, result: int) -> None:
        """Raises the exception for a result code, unless it is WEIR_OK."""
        said = "\n".join(self._said)
        self._said.clear()
        if result != _bindings.weir_result.WEIR_OK:
            raise _errors[result](said or library.weir_result_name(result).decode())


Destroy = Callable[[Any], None]


def _destroy(destroy: Destroy, pointer: int, lock: threading.RLock, keep: Tuple[Any, ...]) -> None:
    with lock:
        destroy(ctypes.byref(ctypes.c_void_p(pointer)))


class Handle:
    """An object of the library. It is destroyed by close(), at the end of a `with` block, or by garbage collection;
    objects made from it are closed first. All objects of a device share a lock, so calls from several threads are
    serialized."""

    _destroy: Destroy

    def __init__(self, pointer: "ctypes.c_void_p", log: Log, lock: Any, made_from: "Tuple[Handle, ...]") -> None:
        assert pointer.value is not None
        self._value = pointer.value
        self._log, self._lock = log, lock
        self._children: "weakref.WeakSet[Handle]" = weakref.WeakSet()
        for parent in made_from:
            parent._children.add(self)
        keep = (log, made_from)
        self._finalizer = weakref.finalize(self, _destroy, type(self)._destroy, self._value, lock, keep)

    @property
    def closed(self) -> bool:
        return not self._finalizer.alive

    @property
    def _pointer(self) -> int:
        if self.closed:
            raise ValueError("this %s is closed" % type(self).__name__)
        return self._value

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        """Calls a function of the library with this handle; raises an exception if it fails."""
        with self._lock:
            self._log.check(function(self._pointer, *arguments))

    def close(self) -> None:
        for child in list(self._children):
            child.close()
        self._finalizer()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def created(log: Log, lock: Any, function: Callable[..., int], *arguments: Any) -> "ctypes.c_void_p":
    """Calls a create function and returns the handle from its last argument."""
    pointer = ctypes.c_void_p()
    with lock:
        log.check(function(*arguments, ctypes.byref(pointer)))
    return pointer


def text_of(value: Optional[bytes]) -> str:
    return value.decode("utf-8", "replace") if value else ""
