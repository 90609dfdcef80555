#!/usr/bin/python3
"""Tests what schedulers need: statuses and run.json of runs that end in each way, sweeps that are divided among jobs,
pictures and whitewater that are skipped, and the scripts of docs/farm.md.

test_farm.py WEIR
"""
import csv
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, "tests/support/cli")
from weir_case import WEIR, WeirCase  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"^```\w* file=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SCENE = {"name": "dam", "spacing": 0.05, "duration": 0.2, "frame_rate": 60,
         "domain": {"min": [0, 0, 0], "max": [1, 0.6, 0.4]},
         "fluids": [{"name": "water", "fill": {"shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.4, 0.4]}}}}]}
SWEEP = ("run", "dam.json", "-o", "s", "--sweep", "spacing=0.05,0.06", "--sweep", "solver.iterations=3,4",
         "--particles", "none")
FOLDERS = ["spacing=%s,solver.iterations=%s" % (d, k) for d in ("0.05", "0.06") for k in "34"]
STOPPED = 75


class Farm(WeirCase):
    def setUp(self):
        super().setUp()
        with open(self.at("dam.json"), "w", encoding="utf-8") as f:
            json.dump(SCENE, f)

    def record(self, *folder):
        with open(self.at(*folder, "run.json"), encoding="utf-8") as f:
            return json.load(f)

    def table(self, *folder):
        """Returns the rows of a sweep's table, without the times."""
        with open(self.at(*folder, "sweep.csv"), encoding="utf-8", newline="") as f:
            rows = list(csv.DictReader(f))
        for row in rows:
            row.pop("wall_s")
        return rows

    def stop(self, number, folder):
        """Starts a run of many frames, sends a signal after its first frames, and returns its status."""
        process = subprocess.Popen([WEIR, "run", "dam.json", "-o", folder, "--quiet", "--seconds", "60"],
                                   cwd=self.folder)
        stats, deadline = pathlib.Path(self.at(folder, "stats.csv")), time.monotonic() + 60
        while (not stats.exists() or stats.read_text().count("\n") < 4) and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(number)
        return process.wait(60)

    # ---- statuses and run.json

    def test_a_stopped_run_has_status_75_and_its_record_says_so(self):
        for number in (signal.SIGUSR1, signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                cut = "cut%d" % number
                self.assertEqual(self.stop(number, cut), STOPPED)
                run = self.record(cut)
                self.assertEqual((run["status"], run["complete"]), ("stopped", False))
                last = str(run["frame"])
                said = self.weir("run", "-o", cut, "--resume", "--frames", last)
                self.assertIn("state " + run["state"], said)
                self.assertEqual(self.record(cut)["status"], "complete")

    def test_a_record_has_the_state_that_is_printed(self):
        said = self.weir("run", "dam.json", "-o", "whole")
        run = self.record("whole")
        self.assertEqual((run["status"], run["frame"]), ("complete", 12))
        self.assertIn("state " + run["state"], said)

    def test_a_failed_run_is_recorded_with_its_reason(self):
        places = ["%.5f 0.2 %.5f\n" % (0.2 + 1e-5 * (i % 80), 0.2 + 1e-5 * (i // 80)) for i in range(5000)]
        pathlib.Path(self.at("crowd.xyz")).write_text("".join(places), encoding="utf-8")
        crowd = dict(SCENE, fluids=[{"name": "water", "fill": {"file": "crowd.xyz"}}],
                     solver={"pre_stabilization": 0})
        pathlib.Path(self.at("crowd.json")).write_text(json.dumps(crowd), encoding="utf-8")
        said = self.weir("run", "crowd.json", "-o", "c", "--quiet", status=1)
        run = self.record("c")
        self.assertEqual((run["status"], run["complete"], run["frame"]), ("failed", False, 0))
        self.assertEqual(run["result"], "simulation unstable")
        self.assertIn("the fluid has collapsed", run["message"])
        self.assertIn(run["message"], said)
        self.assertNotIn("state", run)

    # ---- sweeps

    def test_sweeps_multiply_and_jobs_make_what_one_process_makes(self):
        self.weir(*SWEEP, "--quiet")
        whole = self.table("s")
        self.assertEqual([row["setting"] for row in whole], [name.replace(",", " ") for name in FOLDERS])
        self.assertEqual([row["result"] for row in whole], ["ok"] * 4)
        states = [self.record("s", name)["state"] for name in FOLDERS]
        self.assertEqual(len(set(states)), 4)
        shutil.rmtree(self.at("s"))
        commands = self.weir(*SWEEP, "--resume=auto", "--quiet", "--list").splitlines()
        self.assertEqual(len(commands), 4)
        self.assertFalse(os.path.exists(self.at("s")))
        here = dict(os.environ, PATH=os.path.dirname(WEIR) + os.pathsep + os.environ["PATH"])
        for command in (commands[2], commands[0], commands[3]):
            subprocess.run(command, shell=True, cwd=self.folder, env=here, check=True)
        said = self.weir(*SWEEP, "--collect", status=1)
        self.assertIn("s: 1 of 4 runs is not complete: --only 1 (missing)", said)
        self.assertEqual([row["result"] for row in self.table("s")], ["ok", "missing", "ok", "ok"])
        self.assertIn("the run is complete", self.weir(*SWEEP, "--resume=auto"))
        self.assertEqual(self.table("s"), whole)
        self.weir(*SWEEP, "--collect")
        self.assertEqual(self.table("s"), whole)
        self.assertEqual([self.record("s", name)["state"] for name in FOLDERS], states)

    def test_values_with_spaces_survive_the_shell(self):
        words = ("run", "dam.json", "-o", "s", "--sweep", "gravity=[0, -1, 0],[0, -2, 0]", "--set", "name=\"it's\"")
        command = self.weir(*words, "--list").splitlines()[1]
        self.assertEqual(command, "weir run dam.json -o s --sweep 'gravity=[0, -1, 0],[0, -2, 0]' --set "
                                  "'name=\"it'\\''s\"' --only 1")

    def test_what_a_sweep_cannot_do_is_named(self):
        for words, said in (
                (SWEEP + ("--only", "4"), "weir: --only 4: the sweep has runs 0 to 3"),
                (SWEEP + ("--only", "1", "--list"), "--list, --only and --collect: choose one"),
                (("run", "dam.json", "-o", "s", "--collect"), "--list, --only and --collect need --sweep"),
                (SWEEP + ("--resume",), "--sweep needs -o DIR, and cannot be combined with --resume"),
                (SWEEP + ("--sweep", "spacing=1"), '--sweep: "spacing=1" repeats a key of another --sweep'),
                (SWEEP + ("--sweep", "gravity"), '"gravity" is not of the form KEY=A,B,C'),
                (SWEEP + ("--sweep", "solver.substeps=" + ",".join("1" for _ in range(2501))),
                 "--sweep: more than 10000 runs")):
            with self.subTest(said):
                self.assertIn(said, self.weir(*words, status=2))
        self.assertFalse(os.path.exists(self.at("s")))

    # ---- frames that are there already

    def test_pictures_that_are_there_are_skipped(self):
        small = ("--size", "64x36", "--samples", "1")
        self.weir("run", "dam.json", "-o", "r", "--quiet", "--frames", "0:4", "--fields", "velocity,id")
        self.weir("render", "r", *small, "-o", "all", "--quiet")
        self.weir("render", "r", *small, "-o", "parts", "--quiet", "--frames", "1:4:2")
        first = os.stat(self.at("parts", "image_0001.png")).st_mtime_ns
        said = self.weir("render", "r", *small, "-o", "parts", "--skip-existing")
        self.assertIn("parts: 3 pictures in", said)
        self.assertIn("2 were already there", said)
        self.assertEqual(os.stat(self.at("parts", "image_0001.png")).st_mtime_ns, first)
        for k in range(5):
            name = "image_%04d.png" % k
            self.assertEqual(pathlib.Path(self.at("parts", name)).read_bytes(),
                             pathlib.Path(self.at("all", name)).read_bytes())
        said = self.weir("render", "r", *small, "--skip-existing", "--video", "film.mp4", status=2)
        self.assertIn("--video needs all of them", said)
        os.rename(self.at("r", "run.json"), self.at("kept.json"))
        said = self.weir("render", "r", *small, "--skip-existing", status=2)
        self.assertIn("give --scene, or --eye and --target", said)

    def test_whitewater_that_is_there_is_left_alone(self):
        self.weir("run", "dam.json", "-o", "r", "--quiet", "--frames", "0:3")
        self.weir("whitewater", "r", "--quiet")
        path = self.at("r", "whitewater", "whitewater_0003.ply")
        first = os.stat(path).st_mtime_ns
        self.assertIn("all 4 frames have whitewater", self.weir("whitewater", "r", "--skip-existing"))
        self.assertEqual(os.stat(path).st_mtime_ns, first)
        os.remove(self.at("r", "whitewater", "whitewater_0001.ply"))
        self.weir("whitewater", "r", "--skip-existing", "--quiet")
        self.assertGreater(os.stat(path).st_mtime_ns, first)

    # ---- the page

    def page(self):
        """Saves the scripts of the page, and returns an environment in which `weir` is found."""
        for name, body in BLOCK.findall((ROOT / "docs/farm.md").read_text(encoding="utf-8")):
            pathlib.Path(self.at(name)).write_text(body, encoding="utf-8")
        programs = pathlib.Path(self.at("bin"))
        programs.mkdir()
        (programs / "weir").symlink_to(WEIR)
        return dict(os.environ, PATH=str(programs) + os.pathsep + os.environ["PATH"])

    def program(self, name, body):
        path = pathlib.Path(self.at("bin", name))
        path.write_text("#!/bin/sh\n" + body + "\n", encoding="utf-8")
        path.chmod(0o755)

    def script(self, env, *words, status=0):
        done = subprocess.run(words, cwd=self.folder, env=env, capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_the_scripts_for_slurm_make_the_sweep(self):
        env = dict(self.page(), SLURM_ARRAY_JOB_ID="7")
        self.program("srun", 'exec "$@"')
        self.program("scontrol", 'echo "$@" >> requeued')
        self.script(env, "sh", "sweep.sh")
        whole = self.table("out/sweep")
        shutil.rmtree(self.at("out"))
        for task in "3120":
            self.script(dict(env, SLURM_ARRAY_TASK_ID=task), "bash", "sweep.sbatch")
        self.script(env, "sh", "collect.sh")
        self.assertEqual(self.table("out/sweep"), whole)
        self.assertFalse(os.path.exists(self.at("requeued")))
        self.program("srun", "exit 75")
        self.script(dict(env, SLURM_ARRAY_TASK_ID="2"), "bash", "sweep.sbatch", status=STOPPED)
        self.assertEqual(pathlib.Path(self.at("requeued")).read_text(encoding="utf-8"), "requeue 7_2\n")

    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is missing: tools/setup --with-schedulers")
    def test_the_script_for_gnu_parallel_makes_the_sweep(self):
        self.script(self.page(), "sh", "parallel.sh")
        self.assertEqual([row["result"] for row in self.table("out/sweep")], ["ok"] * 4)

    @unittest.skipUnless(shutil.which("snakemake"), "Snakemake is missing: tools/setup --with-schedulers")
    def test_the_snakefile_makes_the_pictures(self):
        env = dict(self.page(), HOME=self.folder)
        small = pathlib.Path(self.at("Snakefile"))
        small.write_text(small.read_text(encoding="utf-8").replace("640x360", "64x36"), encoding="utf-8")
        self.script(env, "snakemake", "--cores", "1")
        self.assertEqual(len(os.listdir(self.at("out", "dam", "images"))), 13)


if __name__ == "__main__":
    unittest.main()
