# %% [markdown]
# # For an engine programmer: particles and forces of your own, and where the time goes
# You start from arrays, add forces computed with NumPy, use the density solver for particles that you move yourself, cut a
# slice through the pressure, and measure passes. As a program it writes into the folder that it is given:
# `python docs/python/engineer.py out/engineer`.

# %%
import os
import sys

import numpy as np

import weir

folder = sys.argv[1] if sys.argv[1:] and "ipykernel" not in sys.modules else "out/engineer"
os.makedirs(folder, exist_ok=True)
device = weir.Device()
device

# %% [markdown]
# ## Particles from arrays
# A ball of particles with a spin. `fill` in a dict takes arrays, too.

# %%
SPACING = 0.04
centre = np.array([0.5, 0.5, 0.5])
sites = np.stack(np.meshgrid(*3 * [np.arange(0.02, 1, SPACING)], indexing="ij"), axis=-1).reshape(-1, 3)
ball = sites[np.linalg.norm(sites - centre, axis=1) < 0.2]
scene = weir.Scene.parse({
    "name": "ball",
    "domain": {"min": [0, 0, 0], "max": [1, 1, 1]},
    "gravity": [0, 0, 0],
    "spacing": SPACING,
    "frame_rate": 60,
    "solver": {"method": "flip"},
    "fluids": [{"name": "water"}],
}, particles={"water": (ball, 3 * np.cross([0, 1, 0], ball - centre))})
sim = weir.Simulation(device, scene)
sim

# %% [markdown]
# ## Forces of your own
# The function is called before every frame. The force here pulls towards the middle. A scene's `forces` can do that on the
# device; NumPy can do what they cannot.

# %%
sim.add_acceleration(lambda sim: -20 * (sim.positions() - centre))
table = sim.run(0.2)
print("the fastest particle has %.2f m/s, the ball is %.2f m wide" %
      (sim.stats()["speed_max_m_s"], np.ptp(sim.positions(), axis=0).max()))

# %% [markdown]
# ## A slice
# FLIP and APIC have a grid, whose speed and pressure are arrays with coordinates. NaN: no fluid.

# %%
cut = sim.slice("pressure", "y", 0.5)
print("%s %s: %d of %d cells have fluid, at most %.0f Pa" %
      (cut.quantity, cut.axes, np.isfinite(cut.values).sum(), cut.values.size, np.nanmax(cut.values)))
cut

# %% [markdown]
# ## Only the density constraint
# For particles that your own program moves: the solver corrects what you have predicted.

# %%
solver = weir.DensitySolver(device, scene.with_overrides({"solver.method": "pbf"}))
positions, velocities = ball.astype("f4"), np.zeros_like(ball, dtype="f4")
for step in range(10):
    velocities[:, 1] -= 9.81 / 120
    positions, velocities, report = solver.solve(positions + velocities / 120, 1 / 120, velocities)
print("%d iterations, %.2f m/s downwards" % (report["iterations"], -velocities[:, 1].mean()))

# %% [markdown]
# ## Where the time goes
# Times and work of each pass, the rates that the device can reach, and a trace for Perfetto.

# %%
sim.pass_times()  # times passes from now on
with device.trace(os.path.join(folder, "trace.json")):
    sim.run(0.05)
passes = sim.pass_times()
peaks = device.peaks()
for row in np.sort(passes, order="total_ms")[:-6:-1]:
    rate = row["bytes"] * 1e-6 / row["median_ms"] if row["median_ms"] else 0
    print("%-28s %8.3f ms %6.1f GB/s of %.1f" % (row["name"], row["median_ms"], rate, peaks["copy_gb_s"]))
print(sim.explain().splitlines()[0])
