"""Whitewater: spray, foam and bubbles of simulations and of stored frames."""
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Optional, Sequence

import numpy as np

from ._declarations import ffi
from ._device import Device
from ._display import html_summary, summary
from ._library import Handle, Log, default, library, text_of
from ._scene import Scene
from ._values import PathLike, as_dict, attribute_array, body_poses, given, lend, named, path_bytes, taken

if TYPE_CHECKING:
    from ._surface import Points

KINDS = ("spray", "foam", "bubble", "tracer")
POTENTIALS = ("energy", "trapped_air", "wave_crest", "curl")


class WhitewaterParticles(NamedTuple):
    """Particles of whitewater: of sim.whitewater(), Whitewater.particles() and read_whitewater()."""

    position: "np.ndarray[Any, Any]"  # [particles, 3], m
    velocity: "np.ndarray[Any, Any]"  # [particles, 3], m/s
    id: "np.ndarray[Any, Any]"
    kind: "np.ndarray[Any, Any]"  # index in WHITEWATER_KINDS: 0 spray, 1 foam, 2 bubble, 3 tracer
    radius: "np.ndarray[Any, Any]"  # m, of the drop or bubble
    age: "np.ndarray[Any, Any]"  # s
    lifetime: "np.ndarray[Any, Any]"  # s, the age at which it disappears; NaN: unknown
    attributes: Dict[str, "np.ndarray[Any, Any]"]  # values that the fluid had where a particle was born

    def __repr__(self) -> str:
        return summary(self)

    def _repr_html_(self) -> str:
        return html_summary(self)

    def of_kind(self, kind: str) -> "np.ndarray[Any, Any]":
        """Returns the positions of one kind: "spray", "foam", "bubble" or "tracer"."""
        if kind not in KINDS:
            raise ValueError("kind is %r, expected one of %s" % (kind, ", ".join(KINDS)))
        positions: "np.ndarray[Any, Any]" = self.position[self.kind == KINDS.index(kind)]
        return positions


def copied(found: Any) -> WhitewaterParticles:
    """Copies the arrays of a weir_whitewater_particles, and frees it."""
    try:
        count = found.count
        def array(name: str, *components: int) -> "np.ndarray[Any, Any]":
            return np.array(taken(getattr(found, name), (count, *components), None))

        ids = array("id") if found.id else np.arange(count, dtype=np.uint32)
        lifetime = array("lifetime") if found.lifetime else np.full(count, np.nan, np.float32)
        values = {text_of(a.name): attribute_array(a, count) for a in found.attributes[0:found.attribute_count]}
        return WhitewaterParticles(array("position", 3), array("velocity", 3), ids, array("kind"), array("radius"),
                                   array("age"), lifetime, values)
    finally:
        library.weir_whitewater_particles_free(found)


def read_whitewater(path: PathLike, attributes: Optional[Mapping[str, int]] = None) -> WhitewaterParticles:
    """Reads a file of whitewater that `weir run`, an Output or Whitewater.save() has written. `attributes` as of
    read_particles(). Raises weir.FileError."""
    log = Log()
    names = [ffi.new("char[]", name.encode()) for name in attributes or {}]
    wanted = ffi.new("weir_attribute[]", [{"name": name, "components": components} for name, components in
                                          zip(names, (attributes or {}).values())])
    struct = ffi.new("weir_whitewater_load_def *", {"attributes": wanted, "attribute_count": len(names)})
    return copied(log.get(library.weir_whitewater_load_attributes, log.struct, path_bytes(path), struct))


def attach(handle: Handle, function: Any, particles: WhitewaterParticles) -> None:
    """Calls weir_points_set_whitewater or weir_mesh_set_whitewater."""
    struct = ffi.new("weir_whitewater_particles *", {"count": len(particles.position)})
    for name in ("position", "velocity", "radius"):
        values = getattr(particles, name)
        lend(struct, **{name: given(name, values, np.float32, np.shape(values))})
    for name in ("id", "kind"):
        lend(struct, **{name: given(name, getattr(particles, name), np.uint32, (struct.count,))})
    handle._call(function, struct)


class Whitewater(Handle):
    """Whitewater of stored frames of any program: give it each frame by step(), then read particles(). Gravity, domain,
    solids, spacing and the key `whitewater` are those of the scene. A simulation of a scene with `whitewater` makes its
    own: sim.whitewater()."""

    _destroy = library.weir_whitewater_destroy

    def __init__(self, device: Device, scene: Scene) -> None:
        with scene._lock:
            pointer = device._get(library.weir_whitewater_create, scene._pointer)
        super().__init__(pointer, device._log, device._lock, (device, scene))
        self._scene, self._frames = scene, 0

    def step(self, points: "Points", time_s: float, number: Optional[int] = None) -> None:
        """Advances to a frame at `time_s`, which must be later than the one before. The first frame only gives the
        state of the fluid at the start. `points` need velocities, and ids where particles come and go. `number`, of the
        frame, seeds the random numbers; without it the frames count from 0. Waits. Raises ValueError."""
        with self._lock:
            self._call(library.weir_whitewater_step, points._pointer, time_s,
                       self._frames if number is None else number)
            self._frames += 1

    def set_bodies(self, poses: Sequence[Mapping[str, Any]]) -> None:
        """Sets the poses of the scene's bodies at the end of the next frame: a dict with "position", m, and "rotation",
        a quaternion x y z w, of each, in the order of the scene, such as of Simulation.bodies()."""
        structs = body_poses(poses)
        self._call(library.weir_whitewater_set_body_poses, structs, len(poses))

    def particles(self) -> WhitewaterParticles:
        """Returns the living particles, in unspecified order. Waits."""
        return copied(self._get(library.weir_whitewater_read))

    def counts(self) -> Dict[str, int]:
        """Returns the numbers of particles, and those emitted in the last frame: fields of weir_whitewater_counts."""
        return as_dict(default(library.weir_whitewater_get_counts, self._pointer))

    def scales(self) -> Dict[str, Any]:
        """Returns length, speed and the thresholds of the potentials: the fields of weir_whitewater_scales."""
        return as_dict(default(library.weir_whitewater_get_scales, self._pointer))

    def potentials(self, points: "Points") -> "Dict[str, np.ndarray[Any, Any]]":
        """Returns the potentials on which emission depends, [particles] each, in unspecified order: "energy",
        "trapped_air", "wave_crest", "curl"; below 0 where the fluid is too thin to emit. Emits nothing. Waits."""
        rows = np.empty((len(points), len(POTENTIALS)), np.float32)
        count = ffi.new("uint32_t *", len(points))
        self._call(library.weir_whitewater_get_potentials, points._pointer, ffi.from_buffer("float[]", rows), count)
        return {name: rows[:count[0], i].copy() for i, name in enumerate(POTENTIALS)}

    def save(self, path: PathLike) -> None:
        """Writes the living particles to a PLY, VTK, VTP, BGEO, XYZ or NPY file, by the extension of the path. Raises
        weir.FileError."""
        struct, name = default(library.weir_output_def_default), path_bytes(path).decode(errors="replace")
        struct.particle_format = named("the extension of %s" % name, name.rpartition(".")[2], "weir_particle_format")
        self._call(library.weir_whitewater_save, path_bytes(path), struct)

    def _describe(self) -> Dict[str, Any]:
        counts = self.counts()
        names: List[str] = ["spray", "foam", "bubbles", "tracers"]
        return {"scene": self._scene.info["name"], "frames": self._frames, **{name: counts[name] for name in names}}
