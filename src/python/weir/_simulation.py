"""Simulations: steps, particles, statistics and control."""
import math
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

import numpy as np

from ._declarations import ffi
from ._deformables import Deformable, read_deformables
from ._device import Device
from ._library import Handle, created, library, pointer_of, text_of
from ._scene import Scene
from ._profile import explain, pass_times
from ._progress import Progress, ProgressCall
from ._signatures import settings
from ._slices import Slice
from ._surface import Points
from ._tables import Gauge, Table
from ._values import AXES, PathLike, as_dict, fill, given, lend, named, numbers, path_bytes, spelled
from ._whitewater import WhitewaterParticles, copied

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._files import Output
    from ._settings import BodyChanges, EmitterChanges

Acceleration = Union["np.ndarray[Any, Any]", Iterable[float], Callable[["Simulation"], Any]]
# By weir_field: element type, and number of components.
_FIELDS: List[Tuple[Any, int]] = [(np.float32, 3), (np.float32, 3), (np.uint32, 1), (np.uint32, 1), (np.float32, 1)]


class Simulation(Handle):
    """A simulation of a scene on a device. step() submits a frame and does not wait; methods that read wait for the
    last frame unless they say otherwise. run() and frames() step many times; `for frame in sim` steps to the end of
    the scene."""

    _destroy = library.weir_sim_destroy

    def __init__(self, device: Device, scene: Scene) -> None:
        self.device, self.scene = device, scene
        with scene._lock:
            pointer = created(device._log, device._lock, library.weir_sim_create, device._pointer, scene._pointer)
        super().__init__(pointer, device._log, device._lock, (device, scene))
        self._next_acceleration: List[Any] = []  # of the next frame
        self._accelerations: List[Callable[[Simulation], Any]] = []  # of every frame
        self._renderer: Any = None  # of the pictures in notebooks

    def step(self, seconds: float = 0.0) -> None:
        """Submits a frame of `seconds`; 0 means the scene's frame time. Does not wait, except where add_acceleration()
        says so."""
        if self._accelerations or self._next_acceleration:
            self._accelerate(seconds or 1 / float(self.scene.info["frame_rate_hz"]))
        self._call(library.weir_sim_step, seconds)

    @spelled
    def frames(self, seconds: Optional[float] = None, progress: Union[bool, ProgressCall] = False) -> Iterator[int]:
        """Steps, and yields the number of each frame: for frame in sim.frames(2.0). Ends after at least `seconds`, or,
        without them, at the end of the scene's duration. With `progress` True, a line on the terminal shows how far the
        run is; a function is called with the number of the frame and of the last one."""
        first = self.frame
        last = first + self._count_frames(seconds, first)
        with Progress(progress, first, last) as shown:
            for frame in range(first + 1, last + 1):
                self.step()
                shown.show(frame)
                yield frame

    def __iter__(self) -> Iterator[int]:
        return self.frames()

    @spelled
    def run(self, seconds: Optional[float] = None, progress: Union[bool, ProgressCall] = False,
            output: "Optional[Output]" = None) -> Table:
        """Runs for at least `seconds`, or, without them, to the end of the scene's duration; `progress` as of frames().
        Returns the statistics and gauges of all frames, including the one at which it starts. With `output`, each of
        these frames is written, and at last the run is recorded as complete. Raises ValueError when the scene's
        duration is over already."""
        if seconds is None and not self._count_frames(None, self.frame):
            raise ValueError("all %d frames of the scene are done: say how long to go on, sim.run(seconds=1)" %
                             self.scene.info["frame_count"])
        table = Table()
        table.add(self)
        if output:
            output.frame()
        for _ in self.frames(seconds, progress):
            table.add(self)
            if output:
                output.frame()
        if output:
            output.finish()
        return table

    def _count_frames(self, seconds: Optional[float], first: int) -> int:
        info = self.scene.info
        if seconds is None:
            return max(int(info["frame_count"]) - first, 0)
        if not 0 <= seconds < math.inf:
            raise ValueError("seconds is %r, expected a time of at least 0 s" % seconds)
        return math.ceil(seconds * float(info["frame_rate_hz"]) - 1e-6)

    @property
    def time(self) -> float:
        """Simulated time of the last frame, s. Waits."""
        return float(self._get(library.weir_sim_get_stats).time_s)

    @property
    def frame(self) -> int:
        """Number of the last frame; 0 before the first. Waits."""
        return int(self._get(library.weir_sim_get_stats).frame)

    def add_acceleration(self, acceleration: Acceleration) -> None:
        """Accelerates the particles: an array, m/s2, [particles, 3] in the order of read(), or [3] for all, acts during
        the next frame. A function is called with the simulation before every frame from now on and returns such an
        array: sim.add_acceleration(lambda sim: -4 * (sim.positions() - centre)). Accelerations add up.

        They change the velocities once, at the start of a frame, by acceleration times the frame's time (symplectic
        Euler), so strong ones need short frames: sim.step(1 / 240). step() then waits, reads the velocities and writes
        them, which with `apic` clears their gradients. Where a scene's `forces` can say it, they are faster and act in
        every substep."""
        if callable(acceleration):
            self._accelerations.append(acceleration)
        else:
            self._next_acceleration.append(self._read_acceleration(acceleration))

    def clear_accelerations(self) -> None:
        """Removes the functions and the array of add_acceleration()."""
        self._accelerations, self._next_acceleration = [], []

    def _read_acceleration(self, values: Any) -> "np.ndarray[Any, Any]":
        array = np.asarray(values, np.float32)
        if array.shape not in ((3,), (len(self), 3)):
            raise ValueError("the acceleration has the shape %s, expected (3,) or (%d, 3): one for each particle" %
                             (array.shape, len(self)))
        wrong = np.flatnonzero(~np.isfinite(array.reshape(-1, 3)).all(axis=1))
        if len(wrong):
            raise ValueError("the acceleration of particle %d is not finite: %s" %
                             (wrong[0], array.reshape(-1, 3)[wrong[0]]))
        return array

    def _accelerate(self, seconds: float) -> None:
        with self._lock:
            velocities = self.velocities()
            changes = [*self._next_acceleration, *(function(self) for function in self._accelerations)]
            for change in changes:
                velocities += np.float32(seconds) * self._read_acceleration(change)
            self.write("velocity", velocities)
            self._next_acceleration = []

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
        """Returns statistics of the last finished frame: the fields of weir_stats. Those that stats.csv has bear the
        same names there; its vectors are split into columns such as momentum_kg_m_s_x."""
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

    @settings("BodyChanges")
    def set_body(self, name: str, **changes: "Unpack[BodyChanges]") -> None:
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

    @settings("EmitterChanges")
    def set_emitter(self, name: str, **changes: "Unpack[EmitterChanges]") -> None:
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

    def whitewater(self) -> WhitewaterParticles:
        """Returns spray, foam, bubbles and tracers after the last frame; none if the scene has no `whitewater`."""
        return copied(self._get(library.weir_sim_read_whitewater))

    def deformables(self) -> List[Deformable]:
        """Returns the cloths in the order of the scene, then the ropes, then the soft bodies."""
        with self._lock:
            return read_deformables(self)

    @spelled
    def slice(self, quantity: str = "speed", axis: str = "z", position: float = 0.0) -> Slice:
        """Returns "speed", m/s, or "pressure", Pa, in the plane at `position`, m, perpendicular to an axis, of the grid
        that the next substep uses: of the methods `flip` and `apic`. Raises ValueError with other methods."""
        if axis not in AXES:
            raise ValueError("axis is %r, expected 'x', 'y' or 'z'" % (axis,))
        kind = named("quantity", quantity, "weir_slice_quantity")
        return Slice(self._get(library.weir_sim_create_slice, kind, AXES.index(axis), position), self)

    def residuals(self, substep: int = 0) -> "np.ndarray[Any, Any]":
        """Returns the density error before each iteration of a substep of the last frame: [iterations, 2], mean and
        maximum over the particles. The scene must set solver.residuals; raises ValueError otherwise."""
        found = self._list(library.weir_sim_get_residuals, substep)
        return np.array([(residual.mean, residual.max) for residual in found], np.float64).reshape(-1, 2)

    def pass_times(self) -> "np.ndarray[Any, Any]":
        """Returns the GPU times and the work of the passes of a frame, as a structured array with one row per pass:
        fields of weir_pass_time, such as name, calls, median_ms and bytes. Passes are timed from the first call on;
        that call returns the times of the first frame."""
        return pass_times(self._list(library.weir_sim_get_pass_times))

    def reset_pass_times(self) -> None:
        """Discards the times so far, and times single passes from now on."""
        with self._lock:
            library.weir_sim_reset_pass_times(self._pointer)

    def repeat_pass(self, name: str, repeat: int = 100) -> Dict[str, Any]:
        """Runs one pass alone `repeat` times on its input in the next frame's first substep, and restores the
        simulation: the fields of weir_pass_time. Raises ValueError for an unknown pass."""
        return as_dict(self._get(library.weir_sim_repeat_pass, name.encode(), repeat))

    def explain(self, form: str = "text") -> str:
        """Returns a description of the passes of a frame: their buffers, accesses, barriers and memory. `form`: "text",
        "json", or "dot", a graph for Graphviz. Raises ValueError for another one."""
        return explain(self, form)

    def _describe(self) -> Dict[str, Any]:
        stats = self.stats()
        return {"scene": self.scene.info["name"], "frame": stats["frame"], "time": "%.4g s" % stats["time_s"],
                "particles": stats["particle_count"], "speed_max": "%.3g m/s" % stats["speed_max_m_s"],
                "density_error": "%.2g %%" % (100 * stats["density_error_mean"])}

    def _draw_preview(self) -> Any:
        from ._pictures import Renderer  # which uses this module
        if self._renderer is None or self._renderer.closed:
            self._renderer = Renderer(self.device, self.scene)
        with self.points() as points:
            return self._renderer.draw(points, width=480, height=270, time_s=self.time)
