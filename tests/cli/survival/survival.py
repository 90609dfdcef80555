"""Runs of `weir` with injected failures, and comparison of their folders with that of a run without failures.
"""
import os
import pathlib
import subprocess

SCENE = """{"name": "small pool with a jet", "spacing": 0.05, "frame_rate": 60, "duration": %s,
 "domain": {"min": [0, 0, 0], "max": [0.4, 0.4, 0.2]},
 "solver": {"substeps": 2, "iterations": 2},
 "fluids": [{"name": "water", "fill": {"shape": {"box":
   {"min": [0, 0, 0], "max": [0.2, 0.15, 0.2]}}}}],
 "emitters": [{"name": "jet", "fluid": "water", "position": [0.1, 0.3, 0.1],
   "direction": [1, 0, 0], "radius": 0.04, "speed": 1}],
 "gauges": [{"name": "h", "height": {"min": [0, 0, 0], "max": [0.4, 0.4, 0.2], "axis": "+y"}}]}
"""
OPTIONS = ["--checkpoint-interval", "2", "--mesh", "ply"]
# One of everything that moves, with files of all: bodies.jsonl, meshes of cloth, rope and soft body,
# whitewater, pictures.
THINGS = """{"name": "things in a pool", "spacing": 0.05, "frame_rate": 60, "duration": %s,
 "domain": {"min": [0, 0, 0], "max": [0.4, 0.4, 0.2]},
 "solver": {"substeps": 2, "iterations": 2}, "whitewater": {"emission_rate": 2, "max_particles": 300},
 "fluids": [{"name": "water", "fill": {"shape": {"box":
   {"min": [0, 0, 0], "max": [0.2, 0.2, 0.2]}}, "velocity": [1, -1, 0]}}],
 "bodies": [{"name": "ball", "density": 500,
   "shape": {"sphere": {"radius": 0.05}, "position": [0.3, 0.1, 0.1]}}],
 "cloths": [{"name": "sheet", "area_density": 80, "pins": [{"vertices": [0]}],
   "grid": {"corner": [0.05, 0.3, 0.02], "along": [0.15, 0, 0], "across": [0, 0, 0.16]}}],
 "ropes": [{"name": "rope", "line_density": 10, "diameter": 0.02, "pins": [{"vertices": [0]}],
   "points": [[0.25, 0.35, 0.1], [0.37, 0.3, 0.1]]}],
 "soft_bodies": [{"name": "jelly", "density": 500, "stiffness": 10000, "spacing": 0.05,
   "shape": {"box": {"size": [0.1, 0.1, 0.1]}, "position": [0.3, 0.22, 0.1]}}]}
"""
THINGS_OPTIONS = ["--checkpoint-interval", "2", "--images", "--size", "32x18", "--samples", "1", "--mode", "particles",
                  "--no-legend"]
SCENES = {"pool": (SCENE, OPTIONS), "things": (THINGS, THINGS_OPTIONS)}
FOLDERS = ("particles", "mesh", "cloth", "rope", "soft_body", "whitewater", "images")
# A scene for each method: the base, and the additions of each.
METHODS_BASE = {
    "spacing": 0.05, "frame_rate": 60, "duration": 0.2,
    "domain": {"min": [0, 0, 0], "max": [0.8, 0.6, 0.4]},
    "solver": {"substeps": 4},
    "fluids": [{"name": "water", "fill": {"shape": {"box": {"min": [0, 0, 0], "max": [0.35, 0.4, 0.4]}},
                                          "jitter": 0.2}}],
    "solids": [{"name": "paddle", "shape": {"box": {"size": [0.2, 0.06, 0.3]}, "position": [0.5, 0.15, 0.2]},
                "motion": {"spin": {"axis": [0, 0, 1], "rate": 4, "centre": [0.5, 0.15, 0.2]}}}],
    "emitters": [{"name": "jet", "fluid": "water", "position": [0.2, 0.5, 0.2], "direction": [1, -0.3, 0],
                  "radius": 0.08, "speed": 3}],
}
METHODS = {
    "pbf": {"solver.iterations": 3, "solver.vorticity_confinement": 0.4, "fluids[0].surface_tension": 0.5},
    "pcisph": {"solver.method": "pcisph", "fluids[0].xsph": 0.05},
    "honey": {"fluids[0].dynamic_viscosity": 10},
    "flip": {"solver.method": "flip", "fluids[0].dynamic_viscosity": 1},
    "apic": {"solver.method": "apic"},
    "wcsph": {"solver.method": "wcsph", "fluids[0].surface_tension": 0.5},
}
# Columns of stats.csv that hold times and memory of a run.
OF_THE_RUN = ("gpu_ms", "memory_bytes")


def environment(**settings):
    """Returns the tests' environment with `settings`; LD_PRELOAD is appended to its value."""
    given = dict(os.environ)
    if "LD_PRELOAD" in settings and "LD_PRELOAD" in given:
        settings["LD_PRELOAD"] = given["LD_PRELOAD"] + ":" + settings["LD_PRELOAD"]
    given.update(settings)
    return given


def run(program, words, folder, **settings):
    """Runs `weir run` in the scratch folder. Returns its exit status and output."""
    done = subprocess.run([program, "run", *words, "-q"], cwd=folder, env=environment(**settings),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def table(path):
    """Returns the lines of stats.csv without the columns that differ between runs."""
    lines = [line.split(",") for line in path.read_text().splitlines()]
    keep = [i for i, name in enumerate(lines[0]) if name not in OF_THE_RUN]
    return [[line[i] for i in keep] for line in lines]


def lines(path):
    """Returns the lines of a table of gauges or bodies; an empty list if the scene has none."""
    return path.read_bytes().splitlines(True) if path.exists() else []


def frames(folder):
    """Returns each file of a frame of a run, by its name."""
    folder = pathlib.Path(folder)
    found = [path for kind in FOLDERS for path in folder.glob(f"{kind}/[!.]*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def torn(folder, whole):
    """Returns the names of the files that differ from those of the whole run."""
    return [name for name, text in frames(folder).items() if text != frames(whole).get(name)]


def differences(folder, whole):
    """Describes the differences between two finished runs; "" if there are none."""
    one, other = frames(folder), frames(whole)
    names = sorted(n for n in set(one) | set(other) if one.get(n) != other.get(n))
    folder, whole = pathlib.Path(folder), pathlib.Path(whole)
    if table(folder / "stats.csv") != table(whole / "stats.csv"):
        names.append("stats.csv")
    names += [name for name in ("gauges.csv", "bodies.jsonl") if lines(folder / name) != lines(whole / name)]
    if '"complete": true' not in (folder / "run.json").read_text():
        names.append("run.json is not complete")
    names += [str(path) for path in folder.rglob(".*.tmp")]
    return ", ".join(names)
