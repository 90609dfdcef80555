"""Imports the Python package of the source tree with the library of the build that contains the given `weir`."""
import os
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WEIR = os.path.abspath(sys.argv[1])
LIBRARY = os.path.join(os.path.dirname(WEIR), "libweir.so")
SKIPPED = 77
if not os.path.exists(LIBRARY):
    print("skipped: this build has no shared library (WEIR_SHARED is off)")
    sys.exit(SKIPPED)
os.environ["WEIR_LIBRARY"] = LIBRARY
os.environ["PYTHONPATH"] = os.path.join(ROOT, "src", "python")
sys.path.insert(0, os.environ["PYTHONPATH"])

POOL = {"domain": {"min": [0, 0, 0], "max": [1, 1, 0.4]}, "spacing": 0.05, "frame_rate": 60,
        "fluids": [{"name": "water", "fill": {"shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.6, 0.4]}}}}],
        "gauges": [{"name": "front", "front": {"min": [0, 0, 0], "max": [1, 0.1, 0.4]}}],
        "bodies": [{"name": "cork", "density": 200, "shape": {"sphere": {"radius": 0.1}, "position": [0.7, 0.2, 0.2]}}]}


def run(arguments, **more):
    return subprocess.run(arguments, capture_output=True, text=True, **more)


def main():
    unittest.main(argv=sys.argv[:1])
