"""Imports the rigid bodies of a run: the options are those of weir_addon/import_bodies.py, which --help
prints.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import launch  # noqa: E402

if __name__ == "__main__":
    launch.script("import_bodies")
