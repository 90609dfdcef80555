"""A run of a scene by one call."""
from typing import Any, Mapping, NamedTuple, Optional, Union

from ._device import Device
from ._files import Output
from ._progress import ProgressCall
from ._scene import Scene
from ._simulation import Simulation
from ._tables import Table
from ._values import PathLike, spelled


class Run(NamedTuple):
    """Result of run()."""

    sim: Simulation
    table: Table  # statistics and gauges of all frames

    def _repr_html_(self) -> str:
        return self.sim._repr_html_() + self.table._repr_html_()


@spelled
def run(scene: Union[Scene, PathLike, Mapping[str, Any]], seconds: Optional[float] = None,
        overrides: Optional[Mapping[str, Any]] = None, device: Optional[Device] = None,
        folder: Optional[PathLike] = None, progress: Union[bool, ProgressCall] = False) -> Run:
    """Runs a scene, and returns the simulation and the table of its frames:

        sim, table = weir.run("scenes/dam_break.json", seconds=1, overrides={"spacing": 0.05})

    `scene` is a Scene, a path, or a dict like a scene file. Without `seconds` it runs for the scene's duration; without
    a device, on the best one. Frames are written to `folder`, if it is given, with the defaults of Output. `progress` as
    of Simulation.frames()."""
    if isinstance(scene, Mapping):
        scene = Scene.parse(scene, overrides)
    elif not isinstance(scene, Scene):
        scene = Scene(scene, overrides)
    elif overrides:
        scene = scene.with_overrides(overrides)
    sim = Simulation(device or Device(), scene)
    if folder is None:
        return Run(sim, sim.run(seconds, progress))
    with Output(sim, folder) as output:
        return Run(sim, sim.run(seconds, progress, output))
