#!/usr/bin/env python3
"""tools/plot --merge replaces the rows, scenes and pictures of gates that ran in a level of docs/validation.md, and
keeps those of the others."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import pages  # noqa: E402

OLD = """| check | expected | ours | verdict | SwiftShader | again |
|---|---|---|---|---|---|
| period | 1 ± 0.1 | 0.9 | held | 0.9, held | `tools/validate wave` |
| front | ≤ 1 | 2 | **missed** | | `tools/validate dam` |

Scenes of *wave*: 2-D.

Scenes of *dam*: 3-D.

![Dam, coarse](validation/dam.svg)
![Wave](validation/wave.svg)""".splitlines()
NEW = """| check | expected | ours | verdict | again |
|---|---|---|---|---|
| front | ≤ 1 | 0.5 | held | `tools/validate dam` |
| height |  | 3 | reported | `tools/validate dam` |
| pressure | ≤ 1 | 1 | held | `tools/validate wall` |

Scenes of *dam*: 3-D, finer.

![Dam, fine](validation/dam.svg)""".splitlines()


class Merge(unittest.TestCase):
    def setUp(self):
        self.lines = pages.merged_gates(OLD, NEW)

    def test_gates_that_ran_have_new_rows_and_the_others_keep_theirs(self):
        self.assertEqual(self.lines[2:6], [
            "| period | 1 ± 0.1 | 0.9 | held | 0.9, held | `tools/validate wave` |",
            "| front | ≤ 1 | 0.5 | held | | `tools/validate dam` |",
            "| height | | 3 | reported | | `tools/validate dam` |",
            "| pressure | ≤ 1 | 1 | held | | `tools/validate wall` |"])

    def test_every_row_has_the_cells_of_the_head(self):
        rows = [line for line in self.lines if line.startswith("|")]
        self.assertEqual({row.count("|") for row in rows}, {7})

    def test_scenes_and_pictures_stand_once(self):
        self.assertEqual([line for line in self.lines if line and line[0] in "S!"], [
            "Scenes of *wave*: 2-D.", "Scenes of *dam*: 3-D, finer.", "![Dam, fine](validation/dam.svg)",
            "![Wave](validation/wave.svg)"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
