#!/usr/bin/python3
"""Tests weir run under MPI launchers: the files of any number of processes are those of one, and what fails says so.

test_run_mpi.py WEIR [wide]

Each test runs with every MPI that is installed and has its module next to the program; "wide" has more of ranks,
scenes and failures.
"""
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, "tests/support/cli")
from weir_case import WEIR, WeirCase  # noqa: E402

WIDE = sys.argv[1:] == ["wide"]
SCENE = {"name": "channel", "spacing": 0.05, "duration": 0.2, "frame_rate": 60,
         "domain": {"min": [0, 0, 0], "max": [2.2, 0.6, 0.3]},
         "solids": [{"name": "sill", "shape": {"box": {"min": [1.2, 0, 0], "max": [1.4, 0.1, 0.3]}}}],
         "fluids": [{"name": "water", "fill": {"shape": {"box": {"min": [0, 0, 0], "max": [1, 0.4, 0.3]}}}}]}
COSTS = {"gpu_ms", "memory_bytes"}
GAUGES = json.dumps([
    {"name": "level", "height": {"min": [0.1, 0, 0.1], "max": [2, 1, 0.3]}},
    {"name": "front", "front": {"min": [0, 0, 0], "max": [4.4, 0.3, 0.4], "axis": "+x"}},
    {"name": "wall", "pressure": {"position": [0.5, 0.05, 0.2], "radius": 0.4}},
    {"name": "jet", "flow": {"position": [0.6, 0.5, 0.2], "direction": [1, 0, 0]}},
    {"name": "paddle", "force": {"solid": "paddle"}}])
FORCES = json.dumps([{"type": "vortex", "centre": [1, 0.3, 0.2], "axis": [0, 0, 1], "strength": 2}])
# ten scenes with all that runs on ranks: "mixed" has two fluids, a jet, a drain, a turning solid and an open side
VARIANTS = {
    "dam": ("channel.json", ["spacing=0.025"]),
    "deep": ("channel.json", ["spacing=0.025", "solver.long_range_correction=on"]),
    "mixed": ("mixed.json", ["fluids[0].surface_tension=0.07", "fluids[1].xsph=0.05"]),
    "instruments": ("mixed.json", [f"gauges={GAUGES}", "solver.solid_forces=true", "solver.residuals=true"]),
    "tolerance": ("mixed.json", ["solver.tolerance.mean=0.002", "solver.iterations=12", "solver.adaptive=true"]),
    "chebyshev": ("mixed.json", ["solver.chebyshev_spectral_radius=0.85"]),
    "pcisph": ("mixed.json", ["solver.method=pcisph", "solver.tolerance.mean=0.001", "solver.iterations=10"]),
    "wcsph": ("mixed.json", ["solver.method=wcsph", "solver.substeps=24"]),
    "periodic": ("mixed.json", ["domain.max=[4.4,1,0.6]", "domain.sides={\"z\": \"periodic\"}", f"forces={FORCES}"]),
    "plane": ("channel.json", ["spacing=0.02", "solver.dimensions=2", "domain.max=[3.6,0.6,0.3]"]),
}
ROOT = pathlib.Path(__file__).resolve().parents[3]
RANKS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK")
ENVIRONMENT = dict(os.environ, LP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none",
                   PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe")


def installed():
    folder = pathlib.Path(WEIR).parent
    launchers = {mpi: shutil.which("mpirun." + mpi) for mpi in ("openmpi", "mpich")}
    return {mpi: launcher for mpi, launcher in launchers.items()
            if launcher and (folder / f"libweir-mpi-{mpi}.so").exists()}


MPIS = installed()
FIRST, LAST = slice(1), slice(-1, None)


def descendants(pid):
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    for child in children.read_text().split() if children.exists() else ():
        yield int(child)
        yield from descendants(child)


def find_rank(launcher, rank):
    """Returns the process of a rank."""
    for pid in descendants(launcher.pid):
        words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
        program = os.path.basename(os.readlink(f"/proc/{pid}/exe"))
        if program == "weir" and any(f"{name}={rank}" in words for name in RANKS):
            return pid
    return None


class MpiCase(WeirCase):
    def setUp(self):
        super().setUp()
        self.write_json("channel.json", SCENE)

    def start(self, mpi, ranks, *words, **environment):
        launcher = subprocess.Popen([MPIS[mpi], "-n", str(ranks), *words], stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, text=True, cwd=self.folder,
                                    env=dict(ENVIRONMENT, **environment))
        self.addCleanup(launcher.stdout.close)
        self.addCleanup(launcher.kill)
        return launcher

    def job(self, mpi, ranks, *words, status=0, timeout=300, **environment):
        """Runs a job, checks its exit status and returns what it printed."""
        launcher = self.start(mpi, ranks, *words, **environment)
        said = launcher.communicate(timeout=timeout)[0]
        self.assertEqual(launcher.returncode, status, f"{mpi} {words}\n{said}")
        return said

    def run_ranks(self, mpi, ranks, folder, *words, **keys):
        return self.job(mpi, ranks, WEIR, "run", "channel.json", "-o", folder, *words, **keys)

    def files(self, folder):
        root = pathlib.Path(self.at(folder))
        found = {f.name: f.read_bytes() for part in ("particles", "checkpoint") for f in root.glob(part + "/*")}
        for name in "run.json", "gauges.csv":
            if (root / name).exists():
                found[name] = (root / name).read_bytes()
        return found

    def statistics(self, folder):
        with open(self.at(folder, "stats.csv"), encoding="utf-8") as f:
            return [{k: v for k, v in row.items() if k not in COSTS} for row in csv.DictReader(f)]

    def run_json(self, folder):
        with open(self.at(folder, "run.json"), encoding="utf-8") as f:
            return json.load(f)

    def assert_same(self, one, other):
        self.assertEqual(self.files(other), self.files(one), other)
        self.assertEqual(self.statistics(other), self.statistics(one), other)

    def assert_whole(self, folder):
        """No file of the folder is half written, and another number of ranks continues it as an unbroken run."""
        names = [path.name for path in pathlib.Path(self.at(folder)).rglob("*") if ".tmp" in path.name]
        self.assertEqual(names, [])
        last = max(int(path.stem[-4:]) for path in pathlib.Path(self.at(folder, "checkpoint")).iterdir()) + 2
        self.weir("run", "-o", folder, "--resume", "--frames", f"0:{last}", "--quiet", env=ENVIRONMENT)
        self.weir("run", "channel.json", "-o", folder + "-whole", "--seconds", "60", "--frames", f"0:{last}", "--quiet",
                  env=ENVIRONMENT)
        for path in sorted(pathlib.Path(self.at(folder + "-whole", "particles")).iterdir()):
            name = path.name
            self.assertEqual(pathlib.Path(self.at(folder, "particles", name)).read_bytes(), path.read_bytes(), name)

    def each_mpi(self, only=None):
        """Returns the MPIs, in the short test those of the slice `only`."""
        return list(MPIS)[slice(None) if WIDE or only is None else only]

    def long_run(self, mpi, folder, ranks=2, **environment):
        """Starts a job that does not end by itself, and waits for its first checkpoint."""
        launcher = self.start(mpi, ranks, WEIR, "run", "channel.json", "-o", folder, "--seconds", "60",
                              "--checkpoint-interval", "4", **environment)
        ends = time.monotonic() + 120
        checkpoints = pathlib.Path(self.at(folder, "checkpoint"))
        while not (checkpoints.exists() and any(checkpoints.glob("*.weir"))):
            if launcher.poll() is not None or time.monotonic() > ends:
                self.fail(launcher.communicate()[0])
            time.sleep(0.05)
        return launcher

    def end_job(self, launcher):
        said = launcher.communicate(timeout=60)[0]
        self.assertNotEqual(launcher.returncode, 0, said)
        return said


class RunMpi(MpiCase):
    def test_files_are_those_of_one_rank(self):
        options = ("--checkpoint-interval", "5", "--particles", "npy", "--fields", "velocity,id,fluid,density")
        self.weir("run", "channel.json", "-o", "one", *options, env=ENVIRONMENT)
        for mpi in self.each_mpi():
            said = self.run_ranks(mpi, 2, mpi, *options)
            self.assertEqual(said.count("\nstate "), 1, said)
            self.assert_same("one", mpi)

    def test_a_job_that_lacks_something_says_it_once(self):
        said = self.weir("run", "channel.json", "-o", "out", "--ranks", "mpi", status=1)
        self.assertIn("no MPI launcher has started this process: start the ranks with \"mpirun -n N weir run", said)
        for mpi in self.each_mpi():
            cases = []
            for other in MPIS.keys() - {mpi}:
                cases.append(("has started 2 processes, but ", {"WEIR_MPI_MODULE": other}, (), 1))
            if WIDE or mpi == self.each_mpi()[-1]:
                cases.append(("--ranks cannot be combined with --mesh", {}, ("--mesh", "ply"), 2))
            if WIDE or mpi == self.each_mpi()[0]:
                cases.append(("but its module /none/m.so cannot be used", {"WEIR_MPI_MODULE": "/none/m.so"}, (), 1))
                cases.append(("solver.method flip or apic with 2 ranks", {}, ("--set", "solver.method=flip"), 1))
            for words, environment, options, status in cases:
                said = self.run_ranks(mpi, 2, "out", *options, status=status, **environment)
                self.assertEqual(said.count(words), 1, said)
                self.assertEqual(said.count("weir: error: "), 1, said)
                self.assertFalse(os.path.exists(self.at("out")), "something has been written")

    def test_a_rank_with_other_options_is_named(self):
        script = f'if [ "$OMPI_COMM_WORLD_RANK$PMI_RANK" = 1 ]; then set -- {{}}; fi; exec {WEIR} run -o out "$@"'
        cases = [("channel.json --set solver.iterations=6", "have different contents of the scene channel.json", 2),
                 ("none.json", "has failed: none.json: cannot be opened", 1)]
        if not WIDE:
            cases.pop()
        for mpi in self.each_mpi(only=FIRST):
            for options, words, status in cases:
                said = self.job(mpi, 2, "sh", "-c", script.format(options), "sh", "channel.json", status=status)
                self.assertIn("rank 1 on ", said)
                self.assertIn(words, said)
                self.assertFalse(os.path.exists(self.at("out")), "something has been written")

    def test_a_killed_rank_ends_the_job_and_leaves_whole_files(self):
        for mpi in self.each_mpi(only=LAST):
            launcher = self.long_run(mpi, mpi)
            os.kill(find_rank(launcher, 1), signal.SIGKILL)
            self.assertIn("signal 9", self.end_job(launcher))
            self.assert_whole(mpi)

    def test_a_signal_saves_a_checkpoint(self):
        for mpi in self.each_mpi(only=FIRST):
            launcher = self.long_run(mpi, mpi)
            launcher.send_signal(signal.SIGUSR1)
            said = self.end_job(launcher)
            self.assertEqual(launcher.returncode, 75, said)
            self.assertIn("stopped; continue with: weir run -o ", said)
            self.assertEqual(self.run_json(mpi)["status"], "stopped")

    def run_on_bad_device(self, mpi, rank, fault, *words, **keys):
        """Runs two ranks, of which one has a device with the fault: variables of tests/layers/lose_device.c."""
        library = pathlib.Path(WEIR).parent / "liblose_device.so"
        layer = {"name": "VK_LAYER_WEIR_lose_device", "type": "GLOBAL", "library_path": str(library),
                 "api_version": "1.3.0", "implementation_version": "1", "description": "loses the device"}
        self.write_json("lose_device.json", {"file_format_version": "1.0.0", "layer": layer})
        script = (f'if [ "$OMPI_COMM_WORLD_RANK$PMI_RANK" = {rank} ]; then export VK_LAYER_PATH="$PWD" '
                  f'VK_INSTANCE_LAYERS=VK_LAYER_WEIR_lose_device {fault}; fi; exec {WEIR} run '
                  f'channel.json -o {mpi} {" ".join(words)}')
        return self.job(mpi, 2, "sh", "-c", script, **keys)

    def lose_device(self, mpi, rank):
        return self.run_on_bad_device(mpi, rank, "LOSE_AT=wait LOSE_AFTER=400", "--seconds", "60",
                                      "--checkpoint-interval", "4", status=1)

    @unittest.skipUnless(WIDE, "a test of the long tier")
    def test_a_rank_that_compiles_pipelines_for_five_minutes_ends_nothing(self):
        self.weir("run", "channel.json", "-o", "one", "--quiet", env=ENVIRONMENT)
        for mpi in self.each_mpi(only=FIRST):
            self.run_on_bad_device(mpi, 1, "SLOW_PIPELINE_S=300", timeout=500)
            self.assertEqual(self.run_json(mpi)["state"], self.run_json("one")["state"])

    def test_a_program_gives_its_own_communicator(self):
        folder = pathlib.Path(WEIR).parent
        if not (folder / "libweir.so").exists():
            self.skipTest("this build makes no libraries")
        self.weir("run", "channel.json", "-o", "one", "--frames", "0:10", "--quiet", env=ENVIRONMENT)
        for mpi in self.each_mpi():
            compiler = shutil.which("mpicc." + mpi)
            self.assertTrue(compiler, "no mpicc." + mpi)
            subprocess.run([compiler, "-std=c17", str(ROOT / "docs/embedding/own_comm.c"), "-I", str(ROOT / "src/include"),
                            "-L", str(folder), "-lweir", f"-Wl,-rpath,{folder}", "-o", self.at(mpi)], check=True)
            said = self.job(mpi, 3, self.at(mpi), "channel.json")
            self.assertIn("state " + self.run_json("one")["state"], said)

    def test_wrong_use_is_reported_once(self):
        for mpi in self.each_mpi():
            said = self.job(mpi, 3, WEIR, "run", "channel.json", "-o", mpi, "--secons", "1", status=2)
            self.assertEqual(said.count('unknown option "secons"; did you mean "seconds"?'), 1, said)

    def test_a_lost_device_is_named(self):
        for mpi in self.each_mpi(only=FIRST):
            said = self.lose_device(mpi, 1)
            self.assertIn("rank 1", said)
            self.assertIn("device", said)
            self.assertEqual(self.run_json(mpi)["status"], "failed")
            if WIDE:
                self.assert_whole(mpi)

    @unittest.skipUnless(WIDE, "a test of the long tier")
    def test_any_number_of_ranks_gives_the_same_files(self):
        mixed = json.loads((ROOT / "tests/scenes/determinism.json").read_text(encoding="utf-8"))
        mixed["domain"]["max"] = [4.4, 1, 0.4]  # as long as eight ranks need
        del mixed["solver"]["chebyshev_spectral_radius"]
        self.write_json("mixed.json", mixed)
        for variant, (scene, changes) in VARIANTS.items():
            options = ["--checkpoint-interval", "10", "--seconds", "0.25"]
            options += [word for change in changes for word in ("--set", change)]
            self.weir("run", scene, "-o", variant, *options, env=ENVIRONMENT)
            for mpi in self.each_mpi():
                for ranks in 1, 2, 3, 4, 8:
                    folder = f"{variant}-{mpi}-{ranks}"
                    self.job(mpi, ranks, WEIR, "run", scene, "-o", folder, *options)
                    self.assert_same(variant, folder)

    @unittest.skipUnless(WIDE, "a test of the long tier")
    def test_a_run_continues_with_another_number_and_another_mpi(self):
        options = ("--checkpoint-interval", "5", "--quiet")
        self.weir("run", "channel.json", "-o", "whole", *options, env=ENVIRONMENT)
        for mpi in self.each_mpi():
            self.run_ranks(mpi, 3, mpi, *options, "--frames", "0:5")
            self.weir("run", "-o", mpi, *options, "--frames", "0:8", "--resume", env=ENVIRONMENT)
            for other in MPIS:
                self.job(other, 2, WEIR, "run", "-o", mpi, *options, "--resume=auto", "--frames", "0:12")
            self.assertEqual(self.run_json(mpi)["state"], self.run_json("whole")["state"])

    @unittest.skipUnless(WIDE, "a test of the long tier")
    def test_a_rank_that_is_stopped_ends_the_job(self):
        for mpi in self.each_mpi():
            launcher = self.long_run(mpi, mpi)
            stopped = find_rank(launcher, 1)
            os.kill(stopped, signal.SIGSTOP)
            try:
                said = launcher.communicate(timeout=180)[0]
            finally:
                if os.path.exists(f"/proc/{stopped}"):
                    os.kill(stopped, signal.SIGKILL)
            self.assertIn("was silent for 30 s; after 90 s the run ends", said)
            self.assertIn("was silent for 90 s: its computer, the network or the process has stopped", said)
            self.assertNotEqual(launcher.returncode, 0)
            self.assert_whole(mpi)


# The two "computers" are network and UTS namespaces, joined by a virtual cable; this enters that of an address.
ENTER = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
name=%s-${1##*.}
shift
exec ip netns exec $name unshare --uts sh -c "hostname $name; cd %s; $*"
"""
OPTIONS = {"mpich": "-launcher ssh -launcher-exec {0} -hosts 10.231.9.1,10.231.9.2",
           "openmpi": "--mca plm_rsh_agent {0} --mca btl tcp,self --mca btl_tcp_if_include 10.231.9.0/24 --mca "
                      "oob_tcp_if_include 10.231.9.0/24 -host 10.231.9.1,10.231.9.2"}


@unittest.skipUnless(WIDE, "a test of the long tier")
class TwoComputers(MpiCase):
    def ip(self, words):
        done = subprocess.run(["ip", *words.split()], capture_output=True, text=True)
        if done.returncode != 0:
            self.skipTest("ip %s: %s" % (words, done.stderr.strip()))

    def setUp(self):
        super().setUp()
        if not shutil.which("ip"):
            self.skipTest("there is no ip")
        self.name = "weir%d" % os.getpid()
        for end in 1, 2:
            self.ip(f"netns add {self.name}-{end}")
            self.addCleanup(self.ip, f"netns del {self.name}-{end}")
        self.ip(f"link add weir1 netns {self.name}-1 type veth peer name weir2 netns {self.name}-2")
        for end in 1, 2:
            self.ip(f"-n {self.name}-{end} addr add 10.231.9.{end}/24 dev weir{end}")
            self.ip(f"-n {self.name}-{end} link set weir{end} up")
            self.ip(f"-n {self.name}-{end} link set lo up")
        with open(self.at("enter"), "w", encoding="utf-8") as f:
            f.write(ENTER % (self.name, self.folder))
        os.chmod(self.at("enter"), 0o755)

    def start(self, mpi, ranks, *words, **environment):
        command = [MPIS[mpi], *OPTIONS[mpi].format(self.at("enter")).split(), "-n", str(ranks), *words]
        environment = dict(ENVIRONMENT, UCX_TLS="tcp,self", **environment)
        launcher = subprocess.Popen([self.at("enter"), "10.231.9.1", "exec", *command], stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, text=True, cwd=self.folder, env=environment)
        self.addCleanup(launcher.stdout.close)
        self.addCleanup(launcher.kill)
        return launcher

    def test_files_are_those_of_one_rank(self):
        self.weir("run", "channel.json", "-o", "one", env=ENVIRONMENT)
        for mpi in MPIS:
            self.run_ranks(mpi, 2, mpi)
            self.assert_same("one", mpi)

    def test_a_cable_that_is_cut_ends_the_job(self):
        for mpi in MPIS:
            launcher = self.long_run(mpi, mpi)
            self.ip(f"-n {self.name}-2 link set weir2 down")
            ends = time.monotonic() + 240
            while self.run_json(mpi)["status"] == "running" and time.monotonic() < ends:
                time.sleep(1)
            self.assertEqual(self.run_json(mpi)["status"], "failed")
            self.ip(f"-n {self.name}-2 link set weir2 up")
            time.sleep(30)  # for rank 0 to end; Open MPI's launcher waits for its daemon on the other computer
            launcher.kill()
            said = launcher.communicate(timeout=60)[0]
            self.assertIn(f"rank 1 on {self.name}-2 was silent for 90 s", said)
            self.assert_whole(mpi)


if __name__ == "__main__":
    if not MPIS:
        print("skipped: no module for MPI next to the program with its mpirun.openmpi or mpirun.mpich: tools/setup "
              "--with-mpi, then build again")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
