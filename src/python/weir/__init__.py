"""Weir from Python: particle fluids on the GPU, read as NumPy arrays.

    import weir

    sim, table = weir.run(weir.example("dam_break"), seconds=1, overrides={"spacing": 0.05}, progress=True)
    print(sim.positions().mean(axis=0), table["kinetic_energy_j"][-1])
    for frame in sim.frames(0.5):
        print(frame, sim.time)

A thin layer over the library's public API: docs/python.md shows all of it, weir/weir.h has the rules. Units are SI.
Messages go to the logger "weir" of `logging`; a failing call raises a subclass of weir.Error."""
from ._deformables import Deformable
from ._density_solver import DensitySolver, DensitySolution
from ._device import Device, devices
from ._examples import example, example_names
from ._files import Output, Particles, inspect_particles, read_particles
from ._library import (ArgumentError, DeviceLost, Error, FileError, OutOfMemory, SceneError, Unstable, Unsupported,
                       __version__)
from ._pictures import Renderer, default_camera
from ._probe import ProbeSamples, Probe
from ._run import Run, run
from ._scene import Parameter, Scene
from ._simulation import Simulation
from ._slices import Slice
from ._surface import Mesh, Mesher, Points, inspect_mesh
from ._tables import Gauge, Table
from ._whitewater import KINDS as WHITEWATER_KINDS
from ._whitewater import Whitewater, WhitewaterParticles, read_whitewater

__all__ = ["ArgumentError", "Deformable", "DensitySolution", "DensitySolver", "Device", "DeviceLost", "Error", "FileError",
           "Gauge", "Mesh", "Mesher", "OutOfMemory", "Output", "Parameter", "Particles", "Points", "Probe", "ProbeSamples",
           "Renderer", "Run", "Scene", "SceneError", "Simulation", "Slice", "Table", "Unstable", "Unsupported",
           "WHITEWATER_KINDS", "Whitewater", "WhitewaterParticles", "__version__", "default_camera", "devices", "example",
           "example_names", "inspect_mesh", "inspect_particles", "read_particles", "read_whitewater", "run"]
