# %% [markdown]
# # A splash for an artist: frames, foam, surfaces and pictures
# A wave hits a wall. You get a surface per frame for Blender or Houdini, the foam on it, and a film strip.
# As a program it writes into the folder that it is given: `python docs/python/artist.py out/artist`.

# %%
import os
import sys

import numpy as np

import weir

folder = sys.argv[1] if sys.argv[1:] and "ipykernel" not in sys.modules else "out/artist"
os.makedirs(folder, exist_ok=True)
device = weir.Device()
scene = weir.Scene.parse({
    "name": "surge",
    "domain": {"min": [0, 0, 0], "max": [1.2, 0.9, 0.4]},
    "spacing": 0.05,
    "frame_rate": 24,
    "duration": 0.5,
    "camera": {"eye": [2.4, 1.1, 2.2], "target": [0.6, 0.35, 0.2], "fov": 34},
    "look": {"preset": "daylight"},
    "fluids": [{"name": "water", "fill": {"shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.6, 0.4]}},
                                          "velocity": [3, 0, 0]}}],
    "whitewater": {},
})
scene

# %% [markdown]
# ## Frames
# `for frame in sim` steps to the end of the scene. Each frame becomes a surface file, every third also a picture.

# %%
mesher = weir.Mesher(device, cell_size=0.5)
renderer = weir.Renderer(device, scene)
sim = weir.Simulation(device, scene)
pictures = []
for frame in sim:
    points = sim.points()
    with mesher.mesh(points) as mesh:
        mesh.save(os.path.join(folder, "surface_%04d.obj" % frame), axis_conversion="y-to-z", time_s=sim.time)
        if frame % 3 == 0:
            mesh.set_whitewater(sim.whitewater())
            pictures.append(renderer.draw(mesh, width=320, height=180, time_s=sim.time))
print("%d frames, %d particles" % (sim.frame, len(sim)))
sim

# %% [markdown]
# ## Foam
# Spray, foam and bubbles are arrays, with a radius and an age for each particle.

# %%
foam = sim.whitewater()
for kind in weir.WHITEWATER_KINDS:
    print("%-7s %6d" % (kind, len(foam.of_kind(kind))))
np.savez(os.path.join(folder, "foam.npz"), position=foam.position, radius=foam.radius, kind=foam.kind, age=foam.age)

# %% [markdown]
# ## A film strip
# The pictures next to each other; `renderer.save` writes a single one, as PNG or as EXR in linear light.

# %%
strip = np.concatenate(pictures, axis=1)
renderer.save(os.path.join(folder, "last.png"), points, width=320, height=180, time_s=sim.time)
print("a strip of %d x %d pixels" % (strip.shape[1], strip.shape[0]))

# %% [markdown]
# ## Surfaces of stored particles
# Files of another program become surfaces, too; `weir.read_particles` lists the formats. Here Weir wrote them.

# %%
with weir.Output(sim, os.path.join(folder, "run")) as output:
    output.frame()
    output.finish()
stored = os.path.join(folder, "run", "particles", "particles_%04d.ply" % sim.frame)
with mesher.mesh(stored) as mesh:
    mesh.save(os.path.join(folder, "stored.ply"))
    print("%d triangles from a file" % len(mesh.triangles))
