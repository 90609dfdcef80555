#!/usr/bin/env python3
"""Runs mypy in strict mode on the Python package and on programs that use it rightly and wrongly."""
import importlib.util
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGES = os.path.join(ROOT, "src", "python")
SKIPPED = 77
PROGRAM = """import numpy as np
import weir
device = weir.Device(validation=False)
scene = weir.Scene.parse({})
with weir.Simulation(device, scene) as sim:
    table = sim.run(0.5, progress=True)
    heights: float = sim.positions()[:, 1].max()
    mesh = weir.Mesher(device, cell_size=0.5, normals="faces").mesh(sim.points())
    mesh.refine(smooth_iterations=4)
    picture = weir.Renderer(device, scene).draw(mesh, width=640, eye=np.zeros(3), mode="mesh")
    sim.set_emitter("hose", speed=2.0)
"""
WRONG = [("cell_size", "cell_sise"), ('"faces"', '"face"'), ("width=640", 'width="640"'), ("speed=2.0", "sped=2.0"),
         ("0.5, progress", '"0.5", progress')]


def main():
    if not importlib.util.find_spec("mypy"):
        print("skipped: mypy is not installed; tools/setup --with-checks installs it")
        return SKIPPED
    wrong = PROGRAM
    for right, other in WRONG:
        assert right in wrong, right
        wrong = wrong.replace(right, other)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("right.py", PROGRAM), ("wrong.py", wrong)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--enable-incomplete-feature=Unpack", "--cache-dir",
                               os.path.join(folder, "cache"), "right.py", "wrong.py", os.path.join(PACKAGES, "weir")],
                              cwd=folder, env={**os.environ, "MYPYPATH": PACKAGES}, capture_output=True, text=True)
    errors = [line for line in done.stdout.splitlines() if ": error:" in line and '"cffi"' not in line]
    assert [line.split(":")[0] for line in errors] == len(WRONG) * ["wrong.py"], done.stdout + done.stderr
    return 0


sys.exit(main())
