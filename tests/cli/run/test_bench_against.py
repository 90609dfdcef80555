#!/usr/bin/env python3
"""How weir bench --against judges: two programs, whose place scripts take that write measurements with noise at once, so
that the truth is known. The machine is up to twice as slow in some runs as in others, and every pass has noise of its own.

test_bench_against.py WEIR
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

WEIR = os.path.abspath(sys.argv[1])
PASSES = {"predict_positions": 1.5, "build_neighbour_lists": 9.0, "lambda": 2.8, "position_correction": 3.0,
          "vorticity_xsph": 2.6, "finalize_velocity": 2.7, "check_finite": 0.06, "clear_bins": 0.1}
# Copies the next measurement to the file that --json names, the last word.
SCRIPT = """#!/bin/sh
read number < count
echo $((number + 1)) > count
for file; do :; done
cp "$number-${0##*/}.json" "$file"
"""


def measurement(chance, noise, factors=(), every=1.0, ceilings=1.0, work=3):
    """A measurement of a program whose passes take `factors`, and all of them `every` times as long, on a device whose
    ceilings are `ceilings` times as high, in a random moment."""
    factors, moment = dict(factors), chance.choice([1, 1, 1.2, 1.5, 2])
    passes = []
    for name, ms in PASSES.items():
        own = max(0.1, chance.gauss(1, noise if ms > 0.5 else 0.3))
        passes.append({"name": name, "group": "", "is_total": False, "calls": 40,
                       "median_ms": ms * moment * every * factors.get(name, 1) * own})
    rate = ceilings / moment * chance.gauss(1, 0.03)
    return {"schema": "weir-bench", "schema_version": 1, "device": {"name": "a", "driver": "b"},
            "ceilings": {"copy_gb_s": 10 * rate, "cache_gb_s": 20 * rate, "fma_gflop_s": 50 * rate},
            "results": [{"suite": "", "case": "s", "particles": 180, "iterations": work, "substeps": 20, "passes": passes}]}


class Against(unittest.TestCase):
    def compare(self, rounds, seed=0, noise=0.03, **truth):
        """Returns the exit status, the verdicts by pass, that on all of them, and what was printed."""
        chance = random.Random(seed)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "count").write_text("0\n")
            for program in ("before", "after"):
                (folder / program).write_text(SCRIPT)
                (folder / program).chmod(0o755)
            for number in range(4 * rounds):
                program = ["before", "after", "after", "before"][number % 4]
                found = measurement(chance, noise, **(truth if program == "after" else {}))
                (folder / f"{number}-{program}.json").write_text(json.dumps(found))
            # The program measures itself as it was called: here as ./after.
            done = subprocess.run(["bash", "-c", 'exec -a ./after "$0" bench --against ./before --rounds "$1" --json out.json',
                                   WEIR, str(rounds)], cwd=folder, capture_output=True, text=True,
                                  env=dict(os.environ, XDG_CACHE_HOME=name + "/cache"))
            self.assertEqual(list((folder / "cache/weir").iterdir()), [])
            out = folder / "out.json"
            found = json.loads(out.read_text()) if out.exists() else {"passes": [], "all": {"verdict": ""}}
            verdicts = {each["name"]: each["verdict"] for each in found["passes"]}
            return done.returncode, verdicts, found["all"]["verdict"], done.stdout + done.stderr

    def test_a_program_is_as_fast_as_itself(self):
        for seed in range(3):
            status, verdicts, every, said = self.compare(20, seed)
            self.assertEqual((status, set(verdicts.values()), every), (0, {"same"}, "same"), said)
            self.assertEqual(list(verdicts)[-1], "2 passes below 1 %")

    def test_a_slowdown_of_ten_percent_is_found_in_five_rounds(self):
        for seed in range(5):
            status, verdicts, every, said = self.compare(5, seed, noise=0.02, factors={"lambda": 1.1})
            self.assertEqual((status, verdicts["lambda"]), (1, "slower"), said)
            self.assertEqual({each for name, each in verdicts.items() if name != "lambda"}, {"same"}, said)

    def test_other_passes_tell_the_variance_of_five_rounds(self):
        """Of 20 such slowdowns with more noise, 15 are found by the variance of the pass alone."""
        found = [self.compare(5, seed, factors={"lambda": 1.1})[1]["lambda"] for seed in range(20)]
        self.assertGreaterEqual(found.count("slower"), 18)

    def test_a_faster_pass_is_no_failure(self):
        status, verdicts, every, said = self.compare(5, factors={"lambda": 0.8})
        self.assertEqual((status, verdicts["lambda"]), (0, "faster"), said)

    def test_all_passes_are_judged_by_the_device(self):
        self.assertEqual(self.compare(8, every=1.4)[0:3:2], (1, "slower"))
        self.assertEqual(self.compare(8, every=1.4, ceilings=1 / 1.4)[0:3:2], (0, "same"))

    def test_too_much_noise_gives_no_verdict(self):
        status, verdicts, _, said = self.compare(3, noise=0.3, factors={"lambda": 1.1})
        self.assertEqual((status, verdicts["lambda"]), (0, "same"), said)

    def test_other_work_is_not_compared(self):
        status, verdicts, _, said = self.compare(5, work=4)
        self.assertEqual((status, verdicts), (3, {}), said)
        self.assertIn("DIFFERENT WORK, times are not compared: iterations: 3 and 4", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
