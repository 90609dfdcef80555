"""Compares Weir's FLIP with Blender's Mantaflow, for tools/compare --flip; Blender also runs this file, to
bake.
"""
import gzip
import json
import math
import os
import shutil
import statistics
import struct
import subprocess
import sys
import time

DESCRIPTION = """\
Compares Weir's FLIP with Blender's Mantaflow (Debian: blender) on a dam break of 0.58 x 0.79 x 0.97 m in a box
of 2 x 1 x 1 m: equal cells, equal numbers of particles, a pressure solved to 1e-3, all particles kept. Mantaflow
fills and thins its cells by its own rules, so its particles are counted in its files, and Weir's spacing is chosen
to give as many. Neither writes meshes. The time of a substep is the difference between runs of many and few substeps
with the same number of frames, so start-up and files cancel. Processor time hardly depends on other load; wall time
does. The two programs alternate, and medians are printed."""

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from alternating import ratio_words  # noqa: E402

RATE = 25  # frames per second
# m, y up: whole cells of 1/64 m and, except for the first two, of 1/32 m
COLUMN = (0.578125, 0.78125, 0.96875)
CASES = {  # cells along x: frames, few and many substeps per frame
    32: (6, 2, 8),
    64: (6, 2, 8),
    128: (2, 2, 6),
}
TOLERANCE = 1e-3


# ---- inside Blender -----------------------------------------------------------------------------


def box(name, low, high):
    import bpy
    bpy.ops.mesh.primitive_cube_add(size=1, location=[(a + b) / 2 for a, b in zip(low, high)])
    made = bpy.context.active_object
    made.name, made.scale = name, [b - a for a, b in zip(low, high)]
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    bpy.ops.object.modifier_add(type="FLUID")
    return made, made.modifiers[-1]


def bake(cells, frames, substeps, band, folder):
    """Bakes with Mantaflow, whose outermost cells are walls; z is up."""
    import bpy
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    bpy.context.scene.render.fps = RATE
    wall = 2.0 / cells
    flow, modifier = box("column", [wall] * 3, [wall + COLUMN[0], wall + COLUMN[2], wall + COLUMN[1]])
    modifier.fluid_type = "FLOW"
    modifier.flow_settings.flow_type = "LIQUID"
    modifier.flow_settings.flow_behavior = "GEOMETRY"
    domain, modifier = box("domain", [0, 0, 0], [2, 1, 1])
    modifier.fluid_type = "DOMAIN"
    settings = modifier.domain_settings
    settings.domain_type = "LIQUID"
    for name, value in {
            "resolution_max": cells, "cache_type": "ALL", "cache_directory": folder, "cache_frame_start": 1,
            "cache_frame_end": frames, "cache_data_format": "UNI", "cache_particle_format": "UNI",
            "use_mesh": False, "use_adaptive_domain": False, "use_adaptive_timesteps": True,
            "timesteps_min": substeps, "timesteps_max": substeps, "simulation_method": "FLIP",
            "flip_ratio": 0.95, "particle_number": 2, "particle_band_width": band}.items():
        setattr(settings, name, value)
    # A limit below the old value of the other one is refused, so the minimum is set again after the maximum.
    settings.timesteps_min = substeps
    bpy.context.view_layer.objects.active = domain
    bpy.ops.fluid.bake_all()


# ---- outside ------------------------------------------------------------------------------------


def run(command, log):
    """Returns wall and processor seconds of a program."""
    start = time.perf_counter()
    with open(log, "w") as file:
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit("compare: %s\nended with status %d; see %s" % (" ".join(command), status, log))
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime


def particle_counts(folder):
    """Returns the counts of the frames that Mantaflow has written; it also counts particles to be removed."""
    counts = []
    data = os.path.join(folder, "data")
    for name in sorted(os.listdir(data)):
        if not name.startswith("pp_"):
            continue
        with gzip.open(os.path.join(data, name)) as file:
            magic, count = struct.unpack("<4si", file.read(8))
        if magic != b"PB02":
            sys.exit("compare: %s is not a particle file of Mantaflow" % os.path.join(data, name))
        counts.append(count)
    if not counts:
        sys.exit("compare: Blender baked nothing into %s" % folder)
    return counts


def run_peer(case, substeps, band, out):
    folder = os.path.join(out, "mantaflow")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    seconds = run(["blender", "-b", "--factory-startup", "--python-exit-code", "1", "--python",
                   os.path.abspath(__file__), "--", str(case["cells"]), str(case["frames"]), str(substeps), str(band),
                   folder], os.path.join(out, "mantaflow.log"))
    counts = particle_counts(folder)
    if len(counts) != case["frames"]:
        sys.exit("compare: Blender baked %d frames, not %d" % (len(counts), case["frames"]))
    return seconds, counts


def domain_of(case):
    """Returns the domain of Mantaflow's open cells, two fewer than its grid along each axis."""
    n = case["cells"]
    return [2.0 / n * (along - 2) for along in (n, n // 2, n // 2)]


def column_of(case):
    return [min(a, b) for a, b in zip(COLUMN, domain_of(case))]


def write_scene(path, case, substeps, cell):
    """Writes the scene with `cell` particles along a cell's edge."""
    edge = 2.0 / case["cells"]
    scene = {
        "name": "compared dam break by FLIP",
        "domain": {"min": [0, 0, 0], "max": domain_of(case)},
        "frame_rate": RATE, "duration": 10, "spacing": edge / cell,
        "solver": {"method": "flip", "grid_cell_size": cell, "pic_fraction": 0.05, "projection_tolerance": TOLERANCE,
                   "substeps": substeps, "adaptive": False, "reference_dt": 1.0 / (RATE * substeps)},
        "fluids": [{"name": "water", "fill": {"jitter": 0.5, "shape": {
            "box": {"min": [0, 0, 0], "max": column_of(case)}}}}],
    }
    with open(path, "w") as file:
        json.dump(scene, file, indent=1)


def run_weir(weir, case, substeps, cell, out):
    scene, folder = os.path.join(out, "flip.json"), os.path.join(out, "weir")
    write_scene(scene, case, substeps, cell)
    seconds = run([weir, "run", scene, "-o", folder, "--force", "--quiet", "--particles", "none", "--frames",
                   str(case["frames"])], os.path.join(out, "weir.log"))
    with open(os.path.join(folder, "stats.csv")) as file:
        rows = [line.strip().split(",") for line in file]
    names = rows[0]
    if int(rows[-1][names.index("substep")]) != substeps * case["frames"]:
        sys.exit("compare: Weir took %s substeps, not %d" % (rows[-1][names.index("substep")],
                                                            substeps * case["frames"]))
    if sum(int(row[names.index("unconverged_substeps")]) for row in rows[1:]):
        sys.exit("compare: some of Weir's substeps ended above the tolerance")
    return seconds, int(rows[-1][names.index("particle_count")])


def slope(case, few, many):
    """Returns wall and processor seconds of one substep."""
    count = (case["many"] - case["few"]) * case["frames"]
    return [(b - a) / count for a, b in zip(few, many)]


def lattice(case, cell):
    """Returns the particles of a fill: as many whole spacings along each axis as fit."""
    return math.prod(int(size * case["cells"] * cell / 2.0 + 1e-6) for size in column_of(case))


def cell_for(case, particles):
    """Returns the number of particles along a cell's edge whose lattice comes nearest to a count."""
    return min((1.0 + 0.001 * step for step in range(3001)), key=lambda cell: abs(lattice(case, cell) - particles))


def compare(weir, case, rounds, out, say):
    """Returns the figures of one grid: Mantaflow with all particles, Weir with as many, and with 8 per cell.
    """
    os.makedirs(out, exist_ok=True)
    times = {"Mantaflow, all particles": [], "Weir, as many": [], "Weir, 8 a cell": [], "Mantaflow, its default band": []}
    counts = {}
    for _ in range(rounds):
        peers = {}
        for name, band in (("Mantaflow, all particles", 100), ("Mantaflow, its default band", 3)):
            few, first = run_peer(case, case["few"], band, out)
            many, last = run_peer(case, case["many"], band, out)
            times[name].append(slope(case, few, many))
            peers[name] = counts[name] = statistics.mean(first + last)
        for name, cell in (("Weir, as many", cell_for(case, peers["Mantaflow, all particles"])),
                           ("Weir, 8 a cell", 2.0)):
            few, counts[name] = run_weir(weir, case, case["few"], cell, out)
            many, counts[name] = run_weir(weir, case, case["many"], cell, out)
            times[name].append(slope(case, few, many))
    say("%d x %d x %d cells, %d frames of %d and of %d substeps, %d rounds: seconds of a substep" %
        (case["cells"], case["cells"] // 2, case["cells"] // 2, case["frames"], case["few"], case["many"], rounds))
    rows = []
    for name, found in times.items():
        wall, cpu = (statistics.median(column) for column in zip(*found))
        rows.append({"name": name, "particles": counts[name], "wall_s": wall, "cpu_s": cpu, "rounds": found})
        say("  %-30s %9.0f particles  processor %7.3f s  wall %7.3f s   rounds: %s" %
            (name, counts[name], cpu, wall, ", ".join("%.3f" % c for _, c in found)))
    for mine, theirs in ((1, 0), (2, 0), (2, 3)):
        say("  %-14s against %-28s %s" % (rows[mine]["name"], rows[theirs]["name"], ratio_words(
            times[rows[theirs]["name"]], times[rows[mine]["name"]])))
    say("")
    return {"cells": case["cells"], "rows": rows}


def main(weir, grids, rounds, out, say):
    results = []
    for cells in grids:
        if cells not in CASES:
            sys.exit("compare: --grids takes %s" % ", ".join(str(n) for n in CASES))
        frames, few, many = CASES[cells]
        case = {"cells": cells, "frames": frames, "few": few, "many": many}
        results.append(compare(weir, case, rounds, os.path.join(out, "flip%d" % cells), say))
    return results


if __name__ == "__main__":
    words = sys.argv[sys.argv.index("--") + 1:]
    bake(*(int(word) for word in words[:4]), words[4])
