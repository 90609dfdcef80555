# %% [markdown]
# # A dam break for a researcher: sweep, tables, experiment, convergence
# The front of a column twice as high as wide, at two spacings, beside the points of Martin and Moyce (1952). The flow is
# two-dimensional, so every run takes seconds on a CPU. As a program it writes into the folder that it is given:
# `python docs/python/researcher.py out/research`.

# %%
import os
import sys

import numpy as np

import weir

folder = sys.argv[1] if sys.argv[1:] and "ipykernel" not in sys.modules else "out/research"
os.makedirs(folder, exist_ok=True)
WIDTH, HEIGHT, GRAVITY = 0.2, 0.4, 9.81  # m, m, m/s2
device = weir.Device()
scene = weir.Scene.parse({
    "name": "dam",
    "domain": {"min": [0, 0, 0], "max": [1.2, 0.6, 0.1]},
    "frame_rate": 100,
    "spacing": 0.04,
    "solver": {"dimensions": 2, "substeps": 8, "iterations": 4, "residuals": True},
    "fluids": [{"name": "water", "fill": {"shape": {"box": {"min": [0, 0, 0], "max": [WIDTH, HEIGHT, 0.1]}}}}],
    "gauges": [{"name": "front", "front": {"min": [0, 0, 0], "max": [1.2, 0.1, 0.1]}}],
})

# %% [markdown]
# ## A sweep
# `scene.with_overrides` changes values by their keys; `weir.run` returns the simulation and a table with one row per frame.

# %%
tables = {}
for spacing in (0.04, 0.02):
    sim, tables[spacing] = weir.run(scene, 0.25, {"spacing": spacing}, device)
    print("spacing %.2f m: %4d particles, density error %.3f %% on average" %
          (spacing, len(sim), 100 * tables[spacing]["density_error_mean"].mean()))
tables[0.02]

# %% [markdown]
# ## Beside the experiment
# Times are scaled by √(2 g / a), lengths by a, the width of the column. Without a boundary layer on the floor, the tip of
# the simulation is faster.

# %%
# Time and front of both series with a column twice as high as wide: tests/data/martin_moyce_front.csv.
measured = np.array([
    (0.41, 1.11), (0.84, 1.22), (1.19, 1.44), (1.43, 1.67), (1.63, 1.89), (1.83, 2.11), (1.98, 2.33), (2.2,
    2.56), (2.32, 2.78), (2.51, 3), (0.832, 1.217), (1.219, 1.474), (1.997, 2.292), (2.547, 2.995), (0.849,
    1.245), (1.212, 1.443), (1.602, 1.884), (2.283, 2.689)])
fronts = {}
for spacing, table in tables.items():
    scaled = table["time_s"] * np.sqrt(2 * GRAVITY / WIDTH)
    known = measured[(measured[:, 0] > scaled[1]) & (measured[:, 0] < scaled[-1])]
    fronts[spacing] = scaled, table["front"] / WIDTH
    difference = np.interp(known[:, 0], scaled[1:], fronts[spacing][1][1:]) - known[:, 1]
    print("spacing %.2f m: the front differs by %+.2f a on average over %d points" %
          (spacing, difference.mean(), len(known)))

# %% [markdown]
# ## Tables elsewhere
# `to_pandas()` and `to_xarray()` need these packages; the columns are those of `stats.csv`.

# %%
try:
    frame = tables[0.02].to_pandas()
    frame.to_csv(os.path.join(folder, "dam.csv"), index=False)
    print(frame[["time_s", "front", "kinetic_energy_j"]].tail(3))
except ImportError as fault:
    print(fault)

# %% [markdown]
# ## Convergence
# The density error before each iteration of the last substep.

# %%
for iteration, (mean, largest) in enumerate(sim.residuals(sim.stats()["substeps_in_frame"] - 1)):
    print("iteration %d: mean %.2e, maximum %.2e" % (iteration, mean, largest))

# %% [markdown]
# ## A plot

# %%
try:
    import matplotlib.pyplot as plot
    figure, axes = plot.subplots()
    for spacing, (times, front) in fronts.items():
        axes.plot(times, front, label="spacing %.2f m" % spacing)
    axes.plot(measured[:, 0], measured[:, 1], "ko", label="Martin and Moyce")
    axes.set(xlabel="time t √(2 g/a)", ylabel="front x/a", xlim=(0, 2.6), ylim=(0.9, 4))
    axes.legend()
    figure.savefig(os.path.join(folder, "front.png"))
except ImportError as fault:
    print("no plot without Matplotlib: %s" % fault)
