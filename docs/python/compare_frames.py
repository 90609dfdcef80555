# %% [markdown]
# # Another program's frame beside ours
# Two particle files of any formats that Weir reads, at the same time of the same scene: where the fluid is, how fast it
# is, and how high it stands along x. `python docs/python/compare_frames.py THEIRS OURS`; with `--z-up` THEIRS is turned
# so that y is up, as DualSPHysics needs.
import sys

import numpy as np

import weir

COLUMNS = 16


def read(path, z_up):
    particles = weir.read_particles(path)
    position, velocity = particles.position, particles.velocity
    if z_up:  # (x, y, z) becomes (x, z, -y)
        position, velocity = (None if a is None else a[:, [0, 2, 1]] * np.float32([1, 1, -1])
                              for a in (position, velocity))
    return position, velocity


def heights(position, edges):
    """The highest particle of each column along x; NaN where there is none."""
    column = np.clip(np.digitize(position[:, 0], edges) - 1, 0, COLUMNS - 1)
    top = np.full(COLUMNS, -np.inf)
    np.maximum.at(top, column, position[:, 1])
    return np.where(np.isfinite(top), top, np.nan)


# %%
files = [word for word in sys.argv[1:] if word != "--z-up"]
if len(files) != 2:
    sys.exit("compare_frames: two particle files are needed: THEIRS OURS")
theirs, ours = read(files[0], "--z-up" in sys.argv), read(files[1], False)
for name, (position, velocity) in (("theirs", theirs), ("ours", ours)):
    speed = "" if velocity is None else ", %.3f m/s on average" % np.linalg.norm(velocity, axis=1).mean()
    print("%-7s %7d particles, middle at %s, front at %.3f m%s" %
          (name, len(position), position.mean(axis=0).round(3), position[:, 0].max(), speed))

# %%
both = np.concatenate([theirs[0], ours[0]])
edges = np.linspace(both[:, 0].min(), both[:, 0].max(), COLUMNS + 1)
a, b = heights(theirs[0], edges), heights(ours[0], edges)
for x, left, right in zip((edges[1:] + edges[:-1]) / 2, a, b):
    print("x %6.3f m: %6.3f and %6.3f m high" % (x, left, right))
print("heights differ by %.4f m on average" % np.nanmean(np.abs(a - b)))
