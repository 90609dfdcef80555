#!/usr/bin/env python3
"""Tests `pip install .` in a fresh environment: the package includes its library, the program and the scenes, its
metadata is short, and its notebook runs."""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = 77
METADATA = """import importlib.metadata
metadata = importlib.metadata.metadata("weir")
for key in ("License-Expression", "Author", "License"):
    print(metadata[key])"""


def run(*arguments, **more):
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=ROOT, **more)
    return done.returncode, done.stdout + done.stderr


def main():
    environment = {name: value for name, value in os.environ.items() if name not in ("WEIR_LIBRARY", "PYTHONPATH")}
    with tempfile.TemporaryDirectory(prefix="weir-install-") as folder:
        python = os.path.join(folder, "bin", "python")
        status, said = run(sys.executable, "-m", "venv", folder)
        if status != 0:
            print("skipped: no environment for Python can be made: %s" % said)
            return SKIPPED
        status, said = run(python, "-m", "pip", "install", "--disable-pip-version-check", ".", env=environment)
        if "No matching distribution found for scikit-build-core" in said:
            print("skipped: pip finds no package index")
            return SKIPPED
        assert status == 0, said
        status, said = run(python, os.path.join("docs", "python", "dam_break.py"), os.path.join(folder, "out"),
                           env=environment)
        assert status == 0 and "triangles" in said, said
        status, said = run(python, "-c", "import os, weir; print(sorted(os.listdir(os.path.dirname(weir.__file__))))",
                           env=environment)
        assert "libweir.so" in said and "py.typed" in said, said
        status, scene = run(python, "-c", "import weir; print(weir.example('drop'))", env=environment)
        assert status == 0 and scene.startswith(folder), scene
        status, said = run(os.path.join(folder, "bin", "weir"), "run", scene.strip(), "-o", os.path.join(folder, "drop"),
                           "--frames", "2", env=environment)
        assert status == 0, said
        status, said = run(python, "-c", METADATA, env=environment)
        assert said.split("\n")[:3] == ["MIT", "Weir contributors", "None"], said
    print("installed, and notebook and program ran")
    return 0


sys.exit(main())
