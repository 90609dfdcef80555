"""Simulations, and tables of what they measure."""
import ctypes
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np

from . import _bindings
from ._device import Device, Scene
from ._library import Handle, created, library, text_of
from ._surface import Points
from ._values import PathLike, as_dict, columns, fill, given, named, path_bytes

# By weir_field: the type of an element, and its components.
_FIELDS: List[Tuple[Any, int]] = [(np.float32, 3), (np.float32, 3), (np.uint32, 1), (np.uint32, 1), (np.float32, 1)]


def _three(name: str, numbers: Iterable[float]) -> Any:
    values = [float(number) for number in numbers]
    if len(values) != 3:
        raise ValueError("%s has %d numbers, expected 3" % (name, len(values)))
    return (ctypes.c_float * 3)(*values)


class Gauge(NamedTuple):
    value: Union[float, Tuple[float, float, float]]  # a force has three components
    unit: str


class Simulation(Handle):
    """A scene that runs on a device. step() hands a frame to the device and does not wait; all that reads waits for
    the last one."""

    _destroy = library.weir_sim_destroy

    def __init__(self, device: Device, scene: Scene) -> None:
        self.device, self.scene = device, scene
        with scene._lock:
            pointer = created(device._log, device._lock, library.weir_sim_create, device._pointer, scene._pointer)
        super().__init__(pointer, device._log, device._lock, (device, scene))

    def step(self, seconds: float = 0.0) -> None:
        """A frame of `seconds`; 0: as long as the scene says."""
        self._call(library.weir_sim_step, seconds)

    def wait(self) -> None:
        """Until all frames are finished."""
        self._call(library.weir_sim_wait)

    def __len__(self) -> int:
        """Particles."""
        count = ctypes.c_uint32()
        self._call(library.weir_sim_get_particle_count, ctypes.byref(count))
        return count.value

    def read(self, field: str, out: "Optional[np.ndarray[Any, Any]]" = None) -> "np.ndarray[Any, Any]":
        """A field of all particles, in the order of their ids: "position" and "velocity" [particles, 3], "id",
        "fluid" and "density" [particles]. Written into `out` when it is given: an array of that shape and type."""
        index = named("field", field, _bindings.weir_field)
        kind, components = _FIELDS[index]
        with self._lock:
            count = len(self)
            shape = (count, components) if components > 1 else (count,)
            array = np.empty(shape, kind) if out is None else out
            if array.shape != shape or array.dtype != kind or not array.flags.c_contiguous:
                raise ValueError("out has the shape %s of %s, expected %s of %s, contiguous" %
                                 (array.shape, array.dtype, shape, np.dtype(kind)))
            self._call(library.weir_sim_read_field, index, array.ctypes.data, array.nbytes)
        return array

    def positions(self) -> "np.ndarray[Any, Any]":
        """[particles, 3], m."""
        return self.read("position")

    def velocities(self) -> "np.ndarray[Any, Any]":
        """[particles, 3], m/s."""
        return self.read("velocity")

    def _stats(self) -> Any:
        stats = _bindings.weir_stats()
        self._call(library.weir_sim_get_stats, ctypes.byref(stats))
        return stats

    def stats(self) -> Dict[str, Any]:
        """Figures of the last finished frame: the fields of weir_stats."""
        return as_dict(self._stats())

    def gauges(self, substep: Optional[int] = None) -> Dict[str, Gauge]:
        """What the scene's gauges read in the last finished frame, or after one of its substeps."""
        count = ctypes.c_uint32()
        self._call(library.weir_sim_get_gauges, 0, None, ctypes.byref(count))
        found = (_bindings.weir_gauge * max(count.value, 1))()
        at = 0xffffffff if substep is None else substep
        if count.value:
            self._call(library.weir_sim_get_gauges, at, found, ctypes.byref(count))
        return {text_of(g.name): Gauge((g.value[0], g.value[1], g.value[2]) if g.components == 3 else g.value[0],
                                       text_of(g.unit)) for g in found[:count.value]}

    def _bodies(self) -> List[Any]:
        count = ctypes.c_uint32()
        self._call(library.weir_sim_get_bodies, None, ctypes.byref(count))
        found = (_bindings.weir_body * max(count.value, 1))()
        self._call(library.weir_sim_get_bodies, found, ctypes.byref(count))
        return list(found[:count.value])

    def bodies(self) -> List[Dict[str, Any]]:
        """The rigid bodies in the order of the scene: the fields of weir_body."""
        return [as_dict(body) for body in self._bodies()]

    def body_forces(self) -> List[Dict[str, Any]]:
        """What fluid does to the rigid bodies, in the order of the scene: the fields of weir_force. Does not wait."""
        return self._forces(library.weir_sim_get_body_forces)

    def solid_forces(self) -> List[Dict[str, Any]]:
        """Likewise the solids, of a scene whose solver.solid_forces is true."""
        return self._forces(library.weir_sim_get_solid_forces)

    def _forces(self, call: Any) -> List[Dict[str, Any]]:
        count = ctypes.c_uint32()
        self._call(call, None, ctypes.byref(count))
        found = (_bindings.weir_force * max(count.value, 1))()
        self._call(call, found, ctypes.byref(count))
        return [as_dict(force) for force in found[:count.value]]

    def hash(self) -> int:
        """Of the whole state: equal runs on one device and driver have equal ones."""
        value = ctypes.c_uint64()
        self._call(library.weir_sim_get_state_hash, ctypes.byref(value))
        return value.value

    def save(self, path: PathLike) -> None:
        """The whole state, from which restore() goes on bit for bit."""
        self._call(library.weir_sim_save, path_bytes(path))

    def restore(self, path: PathLike) -> None:
        self._call(library.weir_sim_restore, path_bytes(path))

    def set_controls(self, scene: Optional[Scene] = None, ray_force: Optional[Mapping[str, Any]] = None,
              hose: Optional[Mapping[str, Any]] = None) -> None:
        """From the next frame on: another scene, which may differ in Parameter.live alone; a force along a ray (the
        fields of weir_ray_force) and a jet (those of weir_hose). What is left out acts no more."""
        steering = _bindings.weir_sim_controls()
        steering.scene = scene._pointer if scene else None
        fill(steering.ray_force, dict(ray_force or {}))
        fill(steering.hose, dict(hose or {}))
        self._call(library.weir_sim_set_controls, ctypes.byref(steering))
        if scene:
            scene._children.add(self)
            self.scene = scene

    def write(self, field: str, values: Any) -> None:
        """Gives all particles other values of "position" or "velocity" [particles, 3], in the order of read()."""
        with self._lock:
            array = given(field, values, np.float32, (len(self), 3))
            numbers = array.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
            self._call(library.weir_sim_write_field, named("field", field, _bindings.weir_field), numbers, array.nbytes)

    def set_solid(self, name: str, position: Iterable[float], rotation: Iterable[float] = (0, 0, 0, 1),
                   teleport: bool = False) -> None:
        """Where a solid whose motion is {"host_driven": true} has to be at the end of the next frame: metres, and a
        quaternion x y z w. With `teleport` it is there when the frame begins, and pushes nothing on its way."""
        pose = _bindings.weir_solid_pose()
        fill(pose, {"position": position, "rotation": rotation, "teleport": teleport})
        self._call(library.weir_sim_set_solid, name.encode(), ctypes.byref(pose))

    def set_body(self, name: str, **changes: Any) -> None:
        """Puts a rigid body elsewhere, or moves it otherwise, from the next frame on: any of position (of its centre of
        mass), rotation, velocity, angular_velocity. What is left out stays as it is. Waits."""
        with self._lock:
            found = [body for body in self._bodies() if text_of(body.name) == name]
            wanted = found[0] if found else _bindings.weir_body(name=name.encode())
            fill(wanted, changes)
            self._call(library.weir_sim_set_body, ctypes.byref(wanted))

    def pick_body(self, origin: Iterable[float], direction: Iterable[float]) -> Optional[Dict[str, Any]]:
        """The point at which a ray meets a body first: the fields of weir_body_point; None where it meets none. Waits."""
        grip = _bindings.weir_body_point()
        self._call(library.weir_sim_pick_body, _three("origin", origin), _three("direction", direction),
                   ctypes.byref(grip))
        return as_dict(grip) if grip.name else None

    def grab_body(self, grip: Optional[Mapping[str, Any]], target: Iterable[float] = (0, 0, 0)) -> None:
        """All frames to come pull the grip, which pick_body() has found or {"name": ..., "local_position": ...}, to the target in
        metres; None lets go."""
        held = _bindings.weir_body_point()
        if grip is None:
            self._call(library.weir_sim_grab_body, None, _three("target", target))
            return
        name = str(grip["name"]).encode()
        held.name = name
        held.local_position = _three("local_position", grip["local_position"])
        self._call(library.weir_sim_grab_body, ctypes.byref(held), _three("target", target))

    def emitter(self, name: str) -> Dict[str, Any]:
        """Where an emitter is at the end of the last frame, and how fast its fluid leaves: the fields of
        weir_emitter."""
        found = _bindings.weir_emitter()
        self._call(library.weir_sim_get_emitter, name.encode(), ctypes.byref(found))
        return as_dict(found)

    def set_emitter(self, name: str, **changes: Any) -> None:
        """Opens, closes and moves an emitter whose motion is {"host_driven": true}, from the next frame on: any of position,
        direction, up, speed, open, teleport. What is left out stays as it is. It moves evenly during the frame; with `teleport`
        it is there when the frame begins."""
        wanted = _bindings.weir_emitter()
        with self._lock:
            self._call(library.weir_sim_get_emitter, name.encode(), ctypes.byref(wanted))
            fill(wanted, changes)
            self._call(library.weir_sim_set_emitter, name.encode(), ctypes.byref(wanted))

    def points(self) -> Points:
        """The particles on the device as they are now, for a Mesher or a Renderer."""
        pointer = created(self._log, self._lock, library.weir_sim_acquire_points, self._pointer)
        return Points._of(pointer, self)

    def pass_times(self) -> "np.ndarray[Any, Any]":
        """How long the passes of a frame take on the device, as a table with a name in each line. Passes are timed from
        the first call on: that one finds the first frame's."""
        count = ctypes.c_uint32()
        self._call(library.weir_sim_get_pass_times, None, ctypes.byref(count))
        found = (_bindings.weir_pass_time * max(count.value, 1))()
        self._call(library.weir_sim_get_pass_times, found, ctypes.byref(count))
        rows = [(text_of(t.name), text_of(t.stage), t.calls, t.median_ms, t.lower_quartile_ms, t.upper_quartile_ms, t.total_ms)
                for t in found[:count.value] if not t.is_total]
        return np.array(rows, [("name", "U40"), ("stage", "U40"), ("calls", "u4"), ("median_ms", "f8"),
                               ("lower_quartile_ms", "f8"), ("upper_quartile_ms", "f8"), ("total_ms", "f8")])


class Table:
    """Statistics and gauges, a line a frame: table.add(sim) after a step, then table.array(), whose columns are the
    fields of weir_stats and the gauges' names. pandas.DataFrame takes it as it is but for columns of vectors."""

    def __init__(self) -> None:
        self._rows: List[Tuple[Any, ...]] = []
        self._gauges: Dict[str, int] = {}

    def add(self, sim: Simulation) -> None:
        stats = sim._stats()
        gauges = sim.gauges() if stats.frame else {}
        if gauges and not self._gauges:
            self._gauges = {name: np.size(gauge.value) for name, gauge in gauges.items()}
        self._rows.append((stats, gauges))

    def __len__(self) -> int:
        return len(self._rows)

    def array(self) -> "np.ndarray[Any, Any]":
        """The lines as a structured array. Gauges have NaN before the first frame."""
        kinds = columns(_bindings.weir_stats)
        kinds += [(name, np.dtype((np.float64, (size,))) if size > 1 else np.dtype(np.float64))
                  for name, size in self._gauges.items()]
        table = np.zeros(len(self._rows), kinds)
        for i, (stats, gauges) in enumerate(self._rows):
            for name, *_ in _bindings.weir_stats._fields_:
                table[name][i] = getattr(stats, name)
            for name in self._gauges:
                table[name][i] = gauges[name].value if name in gauges else np.nan
        return table
