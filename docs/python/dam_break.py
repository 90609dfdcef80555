# %% [markdown]
# # A dam break, from a scene to a table, a mesh and a picture
# A notebook as a script: Jupyter, VS Code and Spyder show its cells. As a program it writes into the folder that it is
# given: `python docs/python/dam_break.py out`.

# %% A device and a scene. What a scene file says is a dict here; files work the same: weir.Scene("dam_break.json").
import os
import sys

import numpy as np

import weir

folder = sys.argv[1] if sys.argv[1:] and "ipykernel" not in sys.modules else "out"
os.makedirs(folder, exist_ok=True)
device = weir.Device()
print(device.info["name"])
scene = weir.Scene.parse({
    "name": "dam break",
    "domain": {"min": [0, 0, 0], "max": [1.6, 1, 0.4]},
    "spacing": 0.04,
    "frame_rate": 60,
    "fluids": [{"name": "water",
                "fill": {"shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.8, 0.4]}}}}],
    "gauges": [{"name": "front", "front": {"min": [0, 0, 0], "max": [1.6, 0.08, 0.4]}}],
})
needs = scene.estimate(device)
print("%d particles, %.1f MB on the device" % (needs["particles"], needs["device_bytes"] / 1e6))

# %% Half a second. The statistics and the gauges of every frame become the lines of a table.
sim = weir.Simulation(device, scene)
table = weir.Table()
table.add(sim)
for frame in range(30):
    sim.step()
    table.add(sim)
lines = table.array()
for line in lines[::10]:
    print("%.3f s: front at %.2f m, kinetic energy %5.1f J, density error %.2f %%" %
          (line["time_s"], line["front"], line["kinetic_energy_j"], 100 * line["density_error_mean"]))

# %% The particles, as arrays.
positions, velocities = sim.positions(), sim.velocities()
speeds = np.linalg.norm(velocities, axis=1)
print("the fastest of %d particles is at %s, %.2f m/s" % (len(sim), positions[speeds.argmax()], speeds.max()))

# %% How deep the water is along the tank: sampled by the device at points on the floor.
places = [[x, 0, 0.2] for x in np.arange(0.1, 1.6, 0.2)]
points = sim.points()
probe = weir.Probe(device, scene)
probe.submit(points, places)
for place, depth in zip(places, probe.read().surface):
    print("x %.1f m: %s" % (place[0], "dry" if np.isnan(depth) else "%.2f m deep" % depth))

# %% A surface, cleaned and smoothed.
with weir.Mesher(device, cell_size=0.5, raw=True).mesh(points) as mesh:
    mesh.refine(scene=scene)
    mesh.save(os.path.join(folder, "surface.obj"))
    print("%d triangles" % len(mesh.triangles))

# %% A picture, as an array and as a file.
renderer = weir.Renderer(device, scene)
picture = renderer.draw(points, width=320, height=180)
renderer.save(os.path.join(folder, "surface.png"), points, width=320, height=180)
print("%d x %d pixels, on average %s" % (picture.shape[1], picture.shape[0], picture.mean(axis=(0, 1)).round()))
