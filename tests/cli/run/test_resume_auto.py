#!/usr/bin/python3
"""Tests weir run --resume=auto: the same command starts a run, continues it, and leaves a complete one alone.

test_resume_auto.py WEIR
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, "tests/support/cli")
from weir_case import WEIR, WeirCase  # noqa: E402

SCENE = {"name": "pond", "spacing": 0.05, "duration": 0.5, "frame_rate": 60,
         "domain": {"min": [0, 0, 0], "max": [1, 0.6, 0.4]},
         "fluids": [{"name": "water", "fill": {"shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.4, 0.4]}}}}]}


class ResumeAuto(WeirCase):
    def setUp(self):
        super().setUp()
        with open(self.at("pond.json"), "w", encoding="utf-8") as f:
            json.dump(SCENE, f)

    def job(self, folder, *more, **keys):
        return self.weir("run", "pond.json", "-o", folder, "--resume=auto", *more, **keys)

    def state(self, folder):
        """Returns the bytes of all frames, and the time of run.json."""
        frames = sorted(pathlib.Path(self.at(folder, "particles")).iterdir())
        return [frame.read_bytes() for frame in frames], os.stat(self.at(folder, "run.json")).st_mtime_ns

    def test_a_job_starts_continues_and_leaves_a_complete_run_alone(self):
        self.job("whole", "--quiet")
        whole, written = self.state("whole")
        self.assertEqual(len(whole), 31)
        self.assertIn("whole: the run is complete", self.job("whole"))
        self.assertEqual(self.state("whole"), (whole, written))
        # the first job saves checkpoints and is killed, the second one goes on from the newest
        process = subprocess.Popen([WEIR, "run", "pond.json", "-o", "cut", "--resume=auto", "--quiet",
                                    "--checkpoint-interval", "3"], cwd=self.folder)
        deadline = time.monotonic() + 60
        while not list(pathlib.Path(self.at("cut")).glob("checkpoint/*.weir")) and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.job("cut", "--quiet")
        self.assertEqual(self.state("cut")[0], whole)

    def test_a_run_without_a_checkpoint_starts_again(self):
        self.job("whole", "--quiet")
        self.job("cut", "--quiet", "--frames", "0:4")
        path = self.at("cut", "run.json")
        with open(path, encoding="utf-8") as f:
            run = json.load(f)
        with open(path, "w", encoding="utf-8") as f:
            json.dump(dict(run, complete=False), f)
        said = self.job("cut", "--quiet")
        self.assertIn("cut: a run was started and has no checkpoint: starting again", said)
        self.assertEqual(self.state("cut")[0], self.state("whole")[0])

    def test_wrong_words_are_named(self):
        self.assertIn('--resume: unknown value "atuo"; did you mean "auto"?',
                      self.weir("run", "pond.json", "-o", "a", "--resume=atuo", status=2))
        self.assertIn("--resume needs -o DIR", self.weir("run", "pond.json", "--resume=auto", status=2))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
