"""Rendering of pictures to arrays and files."""
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Sequence, Union

import numpy as np

from ._declarations import ffi
from ._device import Device
from ._library import Handle, default, library, pointer_of
from ._scene import Scene
from ._profile import pass_times
from ._signatures import settings
from ._slices import Slice
from ._surface import Mesh, Points
from ._values import PathLike, body_poses, fill, path_bytes, taken

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._settings import CameraSettings, RendererSettings


class Renderer(Handle):
    """Draws points and meshes: Renderer(device, scene).draw(points, width=640, height=360). The scene provides solids,
    colours, domain and camera. Settings are fields of weir_renderer_def, such as look="dusk"."""

    _destroy = library.weir_renderer_destroy

    @settings("RendererSettings", library.weir_renderer_def_default)
    def __init__(self, device: Device, scene: Optional[Scene] = None,
                 **settings: "Unpack[RendererSettings]") -> None:
        struct = default(library.weir_renderer_def_default)
        fill(struct, settings)
        struct.scene = pointer_of(scene)
        super().__init__(device._get(library.weir_renderer_create, struct), device._log, device._lock,
                         (device, scene) if scene else (device,))
        self._device, self._scene = device, scene

    def _draw(self, what: Union[Points, Mesh, None], settings: Mapping[str, Any]) -> Any:
        size = settings.get("width", 1280), settings.get("height", 720)
        if not all(isinstance(side, int) and 0 < side <= 16384 for side in size):
            size = 1280, 720  # fill() or the library refuses the given one
        view = default(library.weir_camera_for_size, pointer_of(self._scene), float(settings.get("time_s", 0.0)), *size)
        fill(view, {name: value for name, value in settings.items() if name != "slice"})
        if settings.get("slice") is not None:
            view.slice = settings["slice"]._pointer
        function = library.weir_render_mesh if isinstance(what, Mesh) else library.weir_render_points
        return self._get(function, pointer_of(what), view)

    def _read(self, read: Any, what: Union[Points, Mesh, None], settings: Mapping[str, Any]) -> "np.ndarray[Any, Any]":
        """Returns a picture [height, width, 4] as a function reads it from the image."""
        width, height, pixels = map(ffi.new, ffi.typeof(read).args[1:])
        with self._lock:
            image = self._draw(what, settings)
            try:
                self._log.check(read(image[0], width, height, pixels))
                return taken(pixels[0], (height[0], width[0], 4), None).copy()
            finally:
                library.weir_image_destroy(image)

    @settings("CameraSettings", library.weir_camera_default, ffi.NULL)
    def draw(self, what: Union[Points, Mesh, None], slice: Optional[Slice] = None,
             **settings: "Unpack[CameraSettings]") -> "np.ndarray[Any, Any]":
        """Returns [height, width, 4] uint8: red, green, blue and alpha in sRGB, top row first. Settings are fields of
        weir_camera, such as mode="particles" or eye=(3, 2, 5). A slice hides the fluid in front of it."""
        return self._read(library.weir_image_read, what, {**settings, "slice": slice})

    @settings("CameraSettings", library.weir_camera_default, ffi.NULL)
    def draw_linear(self, what: Union[Points, Mesh, None],
                    **settings: "Unpack[CameraSettings]") -> "np.ndarray[Any, Any]":
        """Returns [height, width, 4] float32: the linear light of the picture, multiplied by alpha, before the tone
        curve."""
        return self._read(library.weir_image_read_linear, what, {**settings, "linear_light": True})

    @settings("CameraSettings", library.weir_camera_default, ffi.NULL)
    def save(self, path: PathLike, what: Union[Points, Mesh, None], **settings: "Unpack[CameraSettings]") -> None:
        """Writes the picture to a PNG file, or its linear light to an .exr file."""
        if path_bytes(path).endswith(b".exr"):
            settings["linear_light"] = True
        with self._lock:
            image = self._draw(what, settings)
            try:
                self._log.check(library.weir_image_save(image[0], path_bytes(path)))
            finally:
                library.weir_image_destroy(image)

    def set_bodies(self, poses: Sequence[Mapping[str, Any]]) -> None:
        """Sets the poses of the scene's bodies for pictures of files, which have none: as Whitewater.set_bodies()."""
        structs = body_poses(poses)
        self._call(library.weir_renderer_set_body_poses, structs, len(poses))

    def pass_times(self) -> "np.ndarray[Any, Any]":
        """Returns the GPU times of the passes of all pictures so far, as of Simulation.pass_times()."""
        return pass_times(self._list(library.weir_renderer_get_pass_times))

    def _describe(self) -> Dict[str, Any]:
        return {"device": self._device.info["name"], "scene": self._scene.info["name"] if self._scene else "none"}


def default_camera(scene: Optional[Scene] = None) -> Any:
    """Returns the default weir_camera of a scene."""
    return library.weir_camera_default(pointer_of(scene))
