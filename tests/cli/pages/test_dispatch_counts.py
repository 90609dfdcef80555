#!/usr/bin/env python3
"""A substep is a short chain of dispatches: each costs a GPU 3 to 5 microseconds, however little it does."""
import pathlib
import re
import subprocess
import sys
import unittest

WEIR = sys.argv[1]
SCENES = pathlib.Path(__file__).resolve().parents[3] / "scenes"
MOST = [
    ("dam_break", (), 20),
    ("dam_break", ("solver.long_range_correction=on",), 79),
    # 165 with levels of up to 16 blocks in one workgroup, which alone takes longer than the dispatches (docs/gpus.md)
    ("flip_dam", (), 207),
]


class Counts(unittest.TestCase):
    def test_a_substep_has_few_dispatches(self):
        for scene, settings, most in MOST:
            words = [word for setting in settings for word in ("--set", setting)]
            said = subprocess.run([WEIR, "explain", SCENES / (scene + ".json"), *words], capture_output=True,
                                  text=True, check=True).stdout
            found = re.search(r"^dispatches in a substep: at most (\d+)$", said, re.MULTILINE)
            print(scene, *settings, found.group(1))
            self.assertLessEqual(int(found.group(1)), most, (scene, settings))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
