#!/usr/bin/env python3
"""A substep is a short chain of dispatches: each costs a GPU 3 to 5 microseconds, however little it does. And what
weir explain prints for programs: JSON and a graph."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

WEIR = sys.argv[1]
SCENES = pathlib.Path(__file__).resolve().parents[3] / "scenes"
MOST = [
    ("dam_break", (), 20),
    ("dam_break", ("solver.long_range_correction=on",), 75),
    # 160 with levels of up to 16 blocks in one workgroup, which alone takes longer than the dispatches (docs/gpus.md)
    ("flip_dam", (), 202),
]


def explain(scene, *words):
    return subprocess.run([WEIR, "explain", SCENES / (scene + ".json"), *words], capture_output=True, text=True,
                          check=True).stdout


class Counts(unittest.TestCase):
    def test_a_substep_has_few_dispatches(self):
        for scene, settings, most in MOST:
            words = [word for setting in settings for word in ("--set", setting)]
            found = json.loads(explain(scene, "--format", "json", *words))
            print(scene, *settings, found["dispatches_per_substep"])
            self.assertLessEqual(found["dispatches_per_substep"], most, (scene, settings))

    def test_json_has_the_passes_of_the_text(self):
        text, found = explain("rafts"), json.loads(explain("rafts", "--format", "json"))
        titles = [each["runs"] for each in found["lists"]]
        self.assertEqual(titles, [line[:-1] for line in text.splitlines() if line[:-1] in titles])
        passes = [each for part in found["lists"] for each in part["passes"]]
        lines = re.findall(r"^ *(\w+) +over (.+?)(?: \(counted on the GPU\))?: ", text, re.MULTILINE)
        self.assertEqual([(each["name"], each["elements"]) for each in passes], lines)
        barriers = [each["barrier"] for each in passes if each["barrier"]]
        self.assertEqual(barriers, re.findall(r"^ +barrier \((.+)\)$", text, re.MULTILINE))
        solve = [each for each in passes if each["loop"] == "iterations"]
        self.assertEqual([each.get("repeat") for each in solve], [4] + [None] * (len(solve) - 1))
        self.assertIn({"name": "multipliers", "buffer": "predicted_positions", "access": "write own"},
                      next(each for each in passes if each["name"] == "lambda")["buffers"])

    def test_the_graph_has_a_node_a_pass_and_an_edge_for_data(self):
        graph, found = explain("dam_break", "--format", "dot"), json.loads(explain("dam_break", "--format", "json"))
        passes = [each["name"] for part in found["lists"] for each in part["passes"]]
        nodes = dict(re.findall(r'^    (p\d+_\d+) \[label="(\w+)', graph, re.MULTILINE))
        self.assertEqual(list(nodes.values()), passes)
        edges = re.findall(r'^    (p\d+_\d+) -> (p\d+_\d+) \[.*label="(.*)"\];', graph, re.MULTILINE)
        named = [(nodes[start], nodes[end], label) for start, end, label in edges]
        self.assertIn(("lambda", "position_correction", "barrier: status"), named)
        self.assertIn(("build_neighbour_lists", "lambda", "grid_state\\nlists\\nheaders"), named)
        self.assertEqual(graph.count("{"), graph.count("}"))
        if shutil.which("dot"):
            subprocess.run(["dot", "-Tsvg"], input=graph, capture_output=True, text=True, check=True)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
