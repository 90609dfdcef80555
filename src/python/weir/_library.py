"""Loads the library, and converts its result codes and messages to exceptions and log records."""
import collections
import html
import logging
import os
import threading
import weakref
from ctypes.util import find_library
from typing import Any, Callable, Dict, List, Optional, Tuple, Type, TypeVar

from ._declarations import ffi
from ._display import html_picture, html_table, text_of_value

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
    installed = find_library("weir")
    return found + ([installed] if installed else [])


def _load() -> Any:
    paths, faults = _candidates(), []
    for path in paths:
        try:
            loaded = ffi.dlopen(path)
            break
        except OSError as fault:
            faults.append(str(fault))
    else:
        where = "; ".join(faults) or "found neither next to this package nor in the system's library folders"
        raise ImportError("Weir's library cannot be loaded: %s; install the package with its library, or set "
                          "WEIR_LIBRARY to the path of libweir.so" % where)
    version, mine = text_of(loaded.weir_version()), _version(loaded)
    if version.split(".")[:2] != mine.split(".")[:2]:
        raise ImportError("%s is version %s of Weir, this package needs %s: install both from the same release" %
                          (path, version, mine))
    abi = loaded.weir_abi() if hasattr(loaded, "weir_abi") else None
    if abi != loaded.WEIR_ABI:
        raise ImportError("%s was built with other headers (%s) than this package (%08x): install both from the same release" %
                          (path, "older than the numbered ones" if abi is None else "%08x" % abi, loaded.WEIR_ABI))
    return loaded


def _version(loaded: Any) -> str:
    """Returns the version of the headers; cffi takes their constants for those of the library."""
    return "%d.%d.%d" % (loaded.WEIR_VERSION_MAJOR, loaded.WEIR_VERSION_MINOR, loaded.WEIR_VERSION_PATCH)


def text_of(value: Any) -> str:
    """Returns a string of the library; "" for NULL."""
    return str(ffi.string(value), "utf-8", "replace") if value else ""


library = _load()
__version__ = _version(library)
_WRITE = dict(ffi.typeof("weir_log").fields)["write"].type
_LEVELS = [logging.ERROR, logging.WARNING, logging.INFO, logging.DEBUG]


class Log:
    """Receives the messages of a handle: passes them to the logger "weir", and errors to exceptions."""

    def __init__(self) -> None:
        self._said: "collections.deque[str]" = collections.deque(maxlen=50)
        self._write = ffi.callback(_WRITE, self._take)
        level = library.WEIR_LOG_DEBUG if logger.isEnabledFor(logging.DEBUG) else library.WEIR_LOG_INFO
        self.struct = ffi.new("weir_log *", {"write": self._write, "level": level})

    def _take(self, user: Any, level: int, text: Any) -> None:
        words = text_of(text)
        if level == library.WEIR_LOG_ERROR:
            self._said.append(words)
            logger.debug("%s", words)  # the exception reports it
        else:
            logger.log(_LEVELS[level], "%s", words)

    def check(self, result: Optional[int]) -> None:
        """Raises the exception for a result code, unless it is WEIR_OK, or None: the function returns void."""
        said = "\n".join(self._said)
        self._said.clear()
        if result:
            raise _errors[result](said or text_of(library.weir_result_name(result)))

    def get(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function, and returns a pointer to what it writes to its last argument: a handle, a number or a struct."""
        found = ffi.new(ffi.typeof(function).args[-1])
        self.check(function(*arguments, found))
        return found


Destroy = Callable[[Any], None]
Own = TypeVar("Own", bound="Handle")


def _destroy(destroy: Destroy, address: Any, lock: threading.RLock, keep: Tuple[Any, ...]) -> None:
    with lock:
        destroy(address)


class Handle:
    """An object of the library. It is destroyed by close(), at the end of a `with` block, or by garbage collection;
    objects made from it are closed first. All objects of a device share a lock, so calls from several threads are
    serialized."""

    _destroy: Destroy

    def __init__(self, address: Any, log: Log, lock: Any, made_from: "Tuple[Handle, ...]") -> None:
        self._address = address  # a pointer to the library's handle
        self._log, self._lock = log, lock
        self._children: "weakref.WeakSet[Handle]" = weakref.WeakSet()
        for parent in made_from:
            parent._children.add(self)
        keep = (log, made_from)
        self._finalizer = weakref.finalize(self, _destroy, type(self)._destroy, address, lock, keep)

    @property
    def closed(self) -> bool:
        return not self._finalizer.alive

    @property
    def _pointer(self) -> Any:
        if self.closed:
            raise ValueError("this %s is closed" % type(self).__name__)
        return self._address[0]

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        """Calls a function of the library with this handle; raises an exception if it fails."""
        with self._lock:
            self._log.check(function(self._pointer, *arguments))

    def _get(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function with this handle, and returns a pointer to what it writes to its last argument."""
        return created(self._log, self._lock, function, self._pointer, *arguments)

    def _list(self, function: Callable[..., int], *arguments: Any) -> List[Any]:
        """Calls listed() with this handle."""
        with self._lock:
            return listed(self._log, function, self._pointer, *arguments)

    def _describe(self) -> Dict[str, Any]:
        """Returns what repr() and notebooks show of the object, by name."""
        return {}

    def _draw_preview(self) -> Any:
        """Returns a picture of the object for notebooks; None without one."""
        return None

    def __repr__(self) -> str:
        name = "<weir.%s" % type(self).__name__
        if self.closed:
            return name + ": closed>"
        try:
            shown = self._describe()
        except Error as fault:  # a repr() in a debugger or a notebook must not fail
            return "%s: cannot be read: %s>" % (name, fault)
        words = ["%s=%s" % (key, repr(value) if isinstance(value, str) else text_of_value(value))
                 for key, value in shown.items()]
        return " ".join([name, *words]) + ">"

    def _repr_html_(self) -> str:
        if self.closed:
            return html.escape(repr(self))
        try:
            table = html_table("weir." + type(self).__name__, self._describe().items())
        except Error:
            return html.escape(repr(self))
        try:
            picture = self._draw_preview()
        except Error as fault:  # such as a device that cannot draw
            logger.debug("no picture of this %s: %s", type(self).__name__, fault)
            picture = None
        return table if picture is None else html_picture(picture) + table

    def close(self) -> None:
        """Destroys the object, after everything created from it."""
        for child in list(self._children):
            child.close()
        self._finalizer()

    def __enter__(self: Own) -> Own:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def created(log: Log, lock: Any, function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls Log.get() while the lock is held."""
    with lock:
        return log.get(function, *arguments)


def listed(log: Log, function: Callable[..., int], *arguments: Any) -> List[Any]:
    """Returns pointers to copies of the structs that a function writes, whose last arguments are array and count."""
    count = ffi.new("uint32_t *")
    log.check(function(*arguments, ffi.NULL, count))
    if not count[0]:
        return []
    pointer = ffi.typeof(function).args[-2]
    found = ffi.new(ffi.getctype(pointer.item, "[]"), count[0])
    log.check(function(*arguments, found, count))
    return [ffi.new(pointer, struct) for struct in list(found)[:count[0]]]


def default(function: Callable[..., Any], *arguments: Any) -> Any:
    """Returns a pointer to the struct that a function returns."""
    return ffi.new(ffi.getctype(ffi.typeof(function).result, "*"), function(*arguments))


def pointer_of(handle: Optional[Handle]) -> Any:
    return handle._pointer if handle is not None else ffi.NULL
