"""Simulations, and tables of their statistics."""
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np

from ._declarations import ffi
from ._device import Device, Scene
from ._library import Handle, created, library, pointer_of, text_of
from ._surface import Points
from ._values import PathLike, as_dict, columns, fill, given, lend, named, numbers, path_bytes

# By weir_field: element type, and number of components.
_FIELDS: List[Tuple[Any, int]] = [(np.float32, 3), (np.float32, 3), (np.uint32, 1), (np.uint32, 1), (np.float32, 1)]


class Gauge(NamedTuple):
    value: Union[float, Tuple[float, float, float]]  # a force has three components
    unit: str


class Simulation(Handle):
    """A simulation of a scene on a device. step() submits a frame and does not wait; methods that read wait for the
    last frame unless they say otherwise."""

    _destroy = library.weir_sim_destroy

    def __init__(self, device: Device, scene: Scene) -> None:
        self.device, self.scene = device, scene
        with scene._lock:
            pointer = created(device._log, device._lock, library.weir_sim_create, device._pointer, scene._pointer)
        super().__init__(pointer, device._log, device._lock, (device, scene))

    def step(self, seconds: float = 0.0) -> None:
        """Submits a frame of `seconds`; 0 means the scene's frame time."""
        self._call(library.weir_sim_step, seconds)

    def wait(self) -> None:
        """Waits until all submitted frames have finished."""
        self._call(library.weir_sim_wait)

    def __len__(self) -> int:
        """Returns the number of particles."""
        return int(self._get(library.weir_sim_get_particle_count)[0])

    def read(self, field: str, out: "Optional[np.ndarray[Any, Any]]" = None) -> "np.ndarray[Any, Any]":
        """Returns a field of all particles, in order of their ids: "position", m, and "velocity", m/s, [particles,
        3]; "id", "fluid" and "density", kg/m3, [particles]. With `out`, an array of that shape and type, writes to
        `out`."""
        index = named("field", field, "weir_field")
        kind, components = _FIELDS[index]
        with self._lock:
            count = len(self)
            shape = (count, components) if components > 1 else (count,)
            array = np.empty(shape, kind) if out is None else out
            if array.shape != shape or array.dtype != kind or not array.flags.c_contiguous:
                raise ValueError("out has the shape %s of %s, expected %s of %s, contiguous" %
                                 (array.shape, array.dtype, shape, np.dtype(kind)))
            self._call(library.weir_sim_read_field, index, ffi.from_buffer(array), array.nbytes)
        return array

    def positions(self) -> "np.ndarray[Any, Any]":
        """Returns positions [particles, 3], m."""
        return self.read("position")

    def velocities(self) -> "np.ndarray[Any, Any]":
        """Returns velocities [particles, 3], m/s."""
        return self.read("velocity")

    def stats(self) -> Dict[str, Any]:
        """Returns statistics of the last finished frame: the fields of weir_stats."""
        return as_dict(self._get(library.weir_sim_get_stats))

    def gauges(self, substep: Optional[int] = None) -> Dict[str, Gauge]:
        """Returns the readings of the scene's gauges for the last finished frame, or after one of its substeps."""
        found = self._list(library.weir_sim_get_gauges, library.WEIR_ENTIRE_FRAME if substep is None else substep)
        return {text_of(g.name): Gauge((g.value[0], g.value[1], g.value[2]) if g.components == 3 else g.value[0],
                                       text_of(g.unit)) for g in found}

    def bodies(self) -> List[Dict[str, Any]]:
        """Returns the state of the rigid bodies, in the order of the scene: the fields of weir_body."""
        return [as_dict(body) for body in self._list(library.weir_sim_get_bodies)]

    def body_forces(self) -> List[Dict[str, Any]]:
        """Returns the forces of the fluid on the rigid bodies, in the order of the scene: the fields of weir_force.
        Does not wait."""
        return [as_dict(force) for force in self._list(library.weir_sim_get_body_forces)]

    def solid_forces(self) -> List[Dict[str, Any]]:
        """Returns the forces of the fluid on the solids, like body_forces(); the scene must set solver.solid_forces."""
        return [as_dict(force) for force in self._list(library.weir_sim_get_solid_forces)]

    def hash(self) -> int:
        """Returns a hash of the state; equal runs on the same device and driver have equal hashes."""
        return int(self._get(library.weir_sim_get_state_hash)[0])

    def save(self, path: PathLike) -> None:
        """Writes a checkpoint with the complete state, from which restore() continues bit for bit."""
        self._call(library.weir_sim_save, path_bytes(path))

    def restore(self, path: PathLike) -> None:
        self._call(library.weir_sim_restore, path_bytes(path))

    def set_controls(self, scene: Optional[Scene] = None, ray_force: Optional[Mapping[str, Any]] = None,
              hose: Optional[Mapping[str, Any]] = None) -> None:
        """Sets, from the next frame on, another scene, which may differ only in parameters that are live, a force
        along a ray (fields of weir_ray_force) and a hose (fields of weir_hose). Omitted forces and hoses are switched
        off."""
        controls = ffi.new("weir_sim_controls *", {"scene": pointer_of(scene)})
        fill(controls.ray_force, dict(ray_force or {}))
        fill(controls.hose, dict(hose or {}))
        self._call(library.weir_sim_set_controls, controls)
        if scene:
            scene._children.add(self)
            self.scene = scene

    def write(self, field: str, values: Any) -> None:
        """Replaces "position", m, or "velocity", m/s, of all particles: [particles, 3] in the order of read()."""
        with self._lock:
            array = given(field, values, np.float32, (len(self), 3))
            self._call(library.weir_sim_write_field, named("field", field, "weir_field"),
                       ffi.from_buffer("float[]", array), array.nbytes)

    def attributes(self) -> Dict[str, int]:
        """Returns the names of the scene's attributes, and how many numbers each has per particle."""
        return self.scene.attributes()

    def attribute(self, name: str) -> "np.ndarray[Any, Any]":
        """Returns an attribute of all particles, in the order of read(): [particles], or [particles, components]."""
        with self._lock:
            shape = self._attribute_shape(name)
            values = np.empty(shape, np.float32)
            self._call(library.weir_sim_read_attribute, name.encode(), ffi.from_buffer("float[]", values),
                       values.nbytes)
        return values

    def set_attribute(self, name: str, values: Any) -> None:
        """Replaces an attribute of all particles: an array as attribute() returns it."""
        with self._lock:
            array = given(name, values, np.float32, self._attribute_shape(name))
            self._call(library.weir_sim_write_attribute, name.encode(), ffi.from_buffer("float[]", array),
                       array.nbytes)

    def _attribute_shape(self, name: str) -> Tuple[int, ...]:
        components = self.attributes().get(name, 1)
        return (len(self),) if components == 1 else (len(self), components)

    def set_solid(self, name: str, position: Iterable[float], rotation: Iterable[float] = (0, 0, 0, 1),
                   teleport: bool = False) -> None:
        """Moves a solid whose motion is {"host_driven": true} to a pose at the end of the next frame: m, and a
        quaternion x y z w. With `teleport` it is there from the start of the frame, without pushing fluid on the
        way."""
        pose = ffi.new("weir_solid_pose *")
        fill(pose, {"position": position, "rotation": rotation, "teleport": teleport})
        self._call(library.weir_sim_set_solid, name.encode(), pose)

    def set_body(self, name: str, **changes: Any) -> None:
        """Sets the state of a rigid body from the next frame on: any of position (of the centre of mass), rotation,
        velocity, angular_velocity. Omitted values are unchanged. Waits."""
        with self._lock:
            found = [body for body in self._list(library.weir_sim_get_bodies) if text_of(body.name) == name]
            wanted = found[0] if found else ffi.new("weir_body *")
            fill(wanted, {"name": name, **changes})
            self._call(library.weir_sim_set_body, wanted)

    def pick_body(self, origin: Iterable[float], direction: Iterable[float]) -> Optional[Dict[str, Any]]:
        """Returns the first point at which a ray hits a body: the fields of weir_body_point; None without a hit.
        Waits."""
        grip = self._get(library.weir_sim_pick_body, numbers("origin", origin, 3), numbers("direction", direction, 3))
        return as_dict(grip) if grip.name else None

    def grab_body(self, grip: Optional[Mapping[str, Any]], target: Iterable[float] = (0, 0, 0)) -> None:
        """Drags a body in all following frames: pulls the grip, from pick_body() or {"name": ..., "local_position":
        ...}, to the target, m. None releases the body."""
        held = ffi.NULL
        if grip is not None:
            held = ffi.new("weir_body_point *")
            fill(held, {"name": grip["name"], "local_position": grip["local_position"]})
        self._call(library.weir_sim_grab_body, held, numbers("target", target, 3))

    def emitter(self, name: str) -> Dict[str, Any]:
        """Returns the state of an emitter at the end of the last submitted frame: the fields of weir_emitter."""
        return as_dict(self._get(library.weir_sim_get_emitter, name.encode()))

    def set_emitter(self, name: str, **changes: Any) -> None:
        """Opens, closes and moves an emitter whose motion is {"host_driven": true}, from the next frame on: any of
        position, direction, up, speed, open, teleport. Omitted values are unchanged. The emitter moves steadily
        during the frame; with `teleport` it is in place from the start of the frame."""
        with self._lock:
            wanted = self._get(library.weir_sim_get_emitter, name.encode())
            fill(wanted, changes)
            self._call(library.weir_sim_set_emitter, name.encode(), wanted)

    def points(self) -> Points:
        """Returns the particles of the last frame on the device, for a Mesher or a Renderer."""
        return Points._of(self._get(library.weir_sim_acquire_points), self)

    def pass_times(self) -> "np.ndarray[Any, Any]":
        """Returns the GPU times of the passes of a frame, as a structured array with one row per pass. Passes are timed
        from the first call on; that call returns the times of the first frame."""
        rows = [(text_of(t.name), text_of(t.stage), t.calls, t.median_ms, t.lower_quartile_ms, t.upper_quartile_ms, t.total_ms)
                for t in self._list(library.weir_sim_get_pass_times) if not t.is_total]
        return np.array(rows, [("name", "U40"), ("stage", "U40"), ("calls", "u4"), ("median_ms", "f8"),
                               ("lower_quartile_ms", "f8"), ("upper_quartile_ms", "f8"), ("total_ms", "f8")])


class Table:
    """Statistics and gauges, one row per frame: table.add(sim) after each step, then table.array(), whose columns are
    the fields of weir_stats and the names of the gauges. pandas.DataFrame accepts it, except for columns of
    vectors."""

    def __init__(self) -> None:
        self._rows: List[Tuple[Dict[str, Any], Dict[str, Gauge]]] = []
        self._gauges: Dict[str, int] = {}

    def add(self, sim: Simulation) -> None:
        stats = sim.stats()
        gauges = sim.gauges() if stats["frame"] else {}
        if gauges and not self._gauges:
            self._gauges = {name: np.size(gauge.value) for name, gauge in gauges.items()}
        self._rows.append((stats, gauges))

    def __len__(self) -> int:
        return len(self._rows)

    def array(self) -> "np.ndarray[Any, Any]":
        """Returns the rows as a structured array. Gauges are NaN before the first frame."""
        kinds = columns("weir_stats")
        kinds += [(name, np.dtype((np.float64, (size,))) if size > 1 else np.dtype(np.float64))
                  for name, size in self._gauges.items()]
        table = np.zeros(len(self._rows), kinds)
        for i, (stats, gauges) in enumerate(self._rows):
            for name, value in stats.items():
                table[name][i] = value
            for name in self._gauges:
                table[name][i] = gauges[name].value if name in gauges else np.nan
        return table
