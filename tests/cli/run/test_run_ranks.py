#!/usr/bin/python3
"""Tests weir run --ranks: the files of any number of ranks are those of one, and what ranks cannot do is refused.

test_run_ranks.py WEIR
"""
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, "tests/support/cli")
from weir_case import WEIR, WeirCase  # noqa: E402

SCENE = {"name": "channel", "spacing": 0.05, "duration": 0.25, "frame_rate": 60,
         "domain": {"min": [0, 0, 0], "max": [2.2, 0.6, 0.3]},
         "solids": [{"name": "sill", "shape": {"box": {"min": [1.2, 0, 0], "max": [1.4, 0.1, 0.3]}}}],
         "gauges": [{"name": "level", "height": {"min": [0.9, 0, 0], "max": [1.1, 0.6, 0.3]}},
                    {"name": "sill", "force": {"solid": "sill"}}],
         "fluids": [{"name": "water", "fill": {"shape": {"box": {"min": [0, 0, 0], "max": [1, 0.4, 0.3]}}}}]}
COSTS = {"gpu_ms", "memory_bytes"}
ROOT = pathlib.Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"^```sh file=\S+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class RunRanks(WeirCase):
    def setUp(self):
        super().setUp()
        self.write_json("channel.json", SCENE)

    def run_ranks(self, ranks, folder, *more, **keys):
        return self.weir("run", "channel.json", "-o", folder, "--ranks", str(ranks), *more, **keys)

    def files(self, folder):
        root = pathlib.Path(self.at(folder))
        parts = "particles/*", "checkpoint/*", "gauges.csv", "residuals.csv"
        return {f.name: f.read_bytes() for part in parts for f in root.glob(part)}

    def statistics(self, folder):
        with open(self.at(folder, "stats.csv"), encoding="utf-8") as f:
            return [{k: v for k, v in row.items() if k not in COSTS} for row in csv.DictReader(f)]

    def state(self, folder):
        with open(self.at(folder, "run.json"), encoding="utf-8") as f:
            return json.load(f)["state"]

    def test_files_are_those_of_one_rank(self):
        options = ("--checkpoint-interval", "5", "--particles", "npy", "--fields", "velocity,id,fluid,density")
        for ranks in 1, 2, 4:
            residuals = self.at(f"n{ranks}.csv")
            said = self.run_ranks(ranks, f"n{ranks}", *options, "--residuals", residuals)
            os.rename(residuals, self.at(f"n{ranks}", "residuals.csv"))
            self.assertEqual(re.search("^state ([0-9a-f]+)$", said, re.M).group(1), self.state("n1"))
        self.assertIn("residuals.csv", self.files("n1"))
        self.assertIn("gauges.csv", self.files("n1"))
        for ranks in 2, 4:
            self.assertEqual(self.files(f"n{ranks}"), self.files("n1"))
            self.assertEqual(self.statistics(f"n{ranks}"), self.statistics("n1"))

    def test_cuts_move_although_the_pass_list_becomes_longer(self):
        fine = "--quiet", "--set", "spacing=0.025", "--seconds", "0.6", "--particles", "none"
        for ranks in 1, 2:
            self.run_ranks(ranks, f"n{ranks}", *fine)
        self.assertEqual(self.state("n2"), self.state("n1"))

    def test_a_run_continues_with_another_number_of_ranks(self):
        self.run_ranks(1, "whole", "--quiet", "--frames", "0:15")
        self.run_ranks(3, "cut", "--quiet", "--frames", "0:5", "--checkpoint-interval", "5")
        self.run_ranks(1, "cut", "--quiet", "--frames", "0:10", "--checkpoint-interval", "10", "--resume")
        self.run_ranks(2, "cut", "--quiet", "--frames", "0:15", "--resume")
        whole, cut = self.files("whole"), self.files("cut")
        for name in (name for name in whole if name.startswith("particles")):
            self.assertEqual(cut[name], whole[name], name)
        self.assertEqual(self.state("cut"), self.state("whole"))

    def test_the_scripts_of_the_page_work(self):
        self.write_json("dam.json", SCENE)
        blocks = BLOCK.findall((ROOT / "docs/ranks.md").read_text(encoding="utf-8"))
        self.assertEqual(len(blocks), 2)
        path = os.path.dirname(WEIR) + os.pathsep + os.environ["PATH"]
        for block in blocks:
            subprocess.run(["sh", "-ec", block], cwd=self.folder, env=dict(os.environ, PATH=path), check=True,
                           capture_output=True)
        self.assertEqual(self.files("out/cut")["particles_0012.ply"], self.files("out/one")["particles_0012.ply"])

    def refused(self, words, *arguments, status):
        said = self.run_ranks(*arguments, status=status)
        self.assertIn(words, said)
        self.assertFalse(os.path.exists(self.at(arguments[1])), "something has been written")

    def test_what_ranks_cannot_do_is_refused_before_anything_is_written(self):
        self.refused("5 ranks do not fit: the domain has 42 planes", 5, "out", status=1)
        self.refused("solver.method flip or apic with 2 ranks", 2, "out", "--set", "solver.method=flip", status=1)
        self.refused("--ranks cannot be combined with --mesh", 2, "out", "--mesh", "ply", status=2)
        self.refused("--ranks cannot be combined with --images", 2, "out", "--images", status=2)
        self.refused("--ranks 0: expected 1 to 64", 0, "out", status=2)
        self.refused("--ranks 65: expected 1 to 64", 65, "out", status=2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
