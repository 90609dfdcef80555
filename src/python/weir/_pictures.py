"""Rendering of pictures to arrays and files."""
import ctypes
from typing import Any, Optional, Union

import numpy as np

from . import _bindings
from ._device import Device, Scene
from ._library import Handle, library
from ._library import created
from ._surface import Mesh, Points
from ._values import PathLike, fill, path_bytes, taken


class Renderer(Handle):
    """Draws points and meshes: Renderer(device, scene).draw(points, width=640, height=360). The scene provides solids,
    colours, domain and camera."""

    _destroy = library.weir_renderer_destroy

    def __init__(self, device: Device, scene: Optional[Scene] = None, **settings: Any) -> None:
        struct = library.weir_renderer_def_default()
        fill(struct, settings)
        struct.scene = scene._pointer if scene else None
        pointer = created(device._log, device._lock, library.weir_renderer_create, device._pointer,
                          ctypes.byref(struct))
        super().__init__(pointer, device._log, device._lock, (device, scene) if scene else (device,))
        self._scene = scene

    def _draw(self, what: Union[Points, Mesh, None], settings: Any) -> "ctypes.c_void_p":
        view = library.weir_camera_at_time(self._scene._pointer if self._scene else None, float(settings.get("time_s", 0.0)))
        fill(view, settings)
        image = ctypes.c_void_p()
        function = library.weir_render_mesh if isinstance(what, Mesh) else library.weir_render_points
        self._call(function, what._pointer if what else None, ctypes.byref(view), ctypes.byref(image))
        return image

    def draw(self, what: Union[Points, Mesh, None], **settings: Any) -> "np.ndarray[Any, Any]":
        """Returns [height, width, 4] uint8: red, green, blue and alpha in sRGB, top row first. Settings are fields of
        weir_camera, such as mode="particles" or eye=(3, 2, 5)."""
        width, height = ctypes.c_uint32(), ctypes.c_uint32()
        pixels = ctypes.POINTER(ctypes.c_uint8)()
        with self._lock:
            image = self._draw(what, settings)
            try:
                self._log.check(library.weir_image_read(image, ctypes.byref(width), ctypes.byref(height),
                                                        ctypes.byref(pixels)))
                return taken(pixels, np.uint8, (height.value, width.value, 4), None).copy()
            finally:
                library.weir_image_destroy(ctypes.byref(image))

    def draw_linear(self, what: Union[Points, Mesh, None], **settings: Any) -> "np.ndarray[Any, Any]":
        """Returns [height, width, 4] float32: the linear light of the picture, multiplied by alpha, before the tone
        curve."""
        width, height = ctypes.c_uint32(), ctypes.c_uint32()
        light = ctypes.POINTER(ctypes.c_float)()
        with self._lock:
            image = self._draw(what, {**settings, "linear_light": True})
            try:
                self._log.check(library.weir_image_read_linear(image, ctypes.byref(width), ctypes.byref(height),
                                                              ctypes.byref(light)))
                return taken(light, np.float32, (height.value, width.value, 4), None).copy()
            finally:
                library.weir_image_destroy(ctypes.byref(image))

    def save(self, path: PathLike, what: Union[Points, Mesh, None], **settings: Any) -> None:
        """Writes the picture to a PNG file, or its linear light to an .exr file."""
        if path_bytes(path).endswith(b".exr"):
            settings["linear_light"] = True
        with self._lock:
            image = self._draw(what, settings)
            try:
                self._log.check(library.weir_image_save(image, path_bytes(path)))
            finally:
                library.weir_image_destroy(ctypes.byref(image))


def default_camera(scene: Optional[Scene] = None) -> Any:
    """Returns the default weir_camera of a scene."""
    view = library.weir_camera_default(scene._pointer if scene else None)
    assert isinstance(view, _bindings.weir_camera)
    return view
