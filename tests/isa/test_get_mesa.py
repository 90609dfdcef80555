#!/usr/bin/env python3
"""tools/get-mesa says what is missing and changes nothing; tools/run-with and tools/isa refuse wrong names; budgets
judge as they should; and where the drivers are installed, `weir` refuses a GPU that computes nothing. argv[1]: weir.
"""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import stub_statistics  # noqa: E402

WEIR = os.path.abspath(sys.argv.pop())
MESA = os.environ.get("WEIR_MESA") or os.path.join(ROOT, "build", "mesa")
TOOL = os.path.join(ROOT, "tools", "get-mesa")

# apt-get as far as the tool uses it: answers indextargets, then fails as a case requires.
APT = """#!/bin/sh
case "$*" in
indextargets*) echo http://mirror.invalid/debian %(release)s main ;;
update*) echo '%(update)s'; exit %(status)d ;;
*libllvm19*) echo 'E: Unable to locate package libllvm19'; exit 100 ;;
esac
"""


def load():
    """Returns the tool as a module."""
    loader = importlib.machinery.SourceFileLoader("get_mesa", TOOL)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("get_mesa", loader))
    loader.exec_module(module)
    return module


class GetMesa(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="weir-mesa-")
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.tool = load()
        self.path = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", self.path)
        self.tool.OS_RELEASE = self.write("os-release", 'PRETTY_NAME="Debian 12"\nVERSION_CODENAME=bookworm\n')
        self.tool.KEYS = self.write("keys.gpg", "")
        self.tool.platform.machine = lambda: "x86_64"
        self.tool.is_installed = lambda library: False

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def use_apt(self, update="", status=0, release="bookworm"):
        self.write("bin/apt-get", APT % {"update": update, "status": status, "release": release}, 0o755)
        for program in ("cc", "dpkg-deb", "ldd"):
            self.write("bin/" + program, "#!/bin/sh\n", 0o755)
        os.environ["PATH"] = os.path.join(self.folder, "bin") + ":/usr/bin:/bin"

    def refuse(self, words, folder="mesa"):
        """The tool fails with these words and leaves nothing behind, not even the folder above."""
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            self.assertEqual(self.tool.main([os.path.join(self.folder, "out", folder)]), 1)
        self.assertIn(words, said.getvalue())
        self.assertIn("nothing was changed", said.getvalue())
        self.assertFalse(os.path.exists(os.path.join(self.folder, "out")))

    def test_another_system(self):
        self.tool.OS_RELEASE = self.write("os-release", 'PRETTY_NAME="Debian 13"\nVERSION_CODENAME=trixie\n')
        self.refuse("made for Debian 12 (bookworm) on x86-64, and this is Debian 13")

    def test_another_processor(self):
        self.tool.platform.machine = lambda: "aarch64"
        self.refuse("this is Debian 12 on aarch64")

    def test_no_apt(self):
        os.environ["PATH"] = self.folder
        self.refuse("apt-get is not there")

    def test_no_compiler(self):
        self.use_apt()
        os.remove(os.path.join(self.folder, "bin/cc"))
        os.environ["PATH"] = os.path.join(self.folder, "bin")
        self.refuse("cc is not there; install it: apt-get install gcc")

    def test_no_keys(self):
        self.use_apt()
        self.tool.KEYS = os.path.join(self.folder, "no.gpg")
        self.refuse("apt-get install debian-archive-keyring")

    def test_no_lists(self):
        self.use_apt(release="trixie")
        self.refuse("apt has no package lists of bookworm main. Run apt-get update")

    def test_no_network(self):
        self.use_apt("Err:1 Temporary failure resolving", 100)
        self.refuse("the mirror http://mirror.invalid/debian cannot be reached")

    def test_no_backports(self):
        self.use_apt("E: The repository trixie-backports Release does not have a Release file.", 100)
        self.refuse("the mirror http://mirror.invalid/debian has no trixie-backports")

    def test_wrong_key(self):
        self.use_apt("The following signatures could not be verified: NO_PUBKEY 0E98404D386FA1D9", 100)
        self.refuse("keys.gpg do not match the signature of trixie-backports")

    def test_no_llvm(self):
        self.use_apt()
        self.refuse("apt knows no package libllvm19; its lists may be old: apt-get update")

    def test_a_name_that_preloading_cannot_hold(self):
        self.refuse("must not contain spaces or colons", "my mesa")

    def test_a_folder_of_something_else(self):
        self.write("kept/letter.txt", "")
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            self.assertEqual(self.tool.main([os.path.join(self.folder, "kept")]), 1)
        self.assertIn("contains something else than drivers", said.getvalue())
        self.assertEqual(os.listdir(os.path.join(self.folder, "kept")), ["letter.txt"])


def run(*command, **environment):
    done = subprocess.run(command, cwd=ROOT, env=dict(os.environ, **environment), capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stdout + done.stderr


class Drivers(unittest.TestCase):
    def test_wrong_names(self):
        self.assertEqual(run("tools/run-with", "nvk-fermi", "true"),
                         (2, "run-with: there is no driver nvk-fermi; tools/run-with --help lists them\n"))
        self.assertEqual(run("tools/run-with", "nvk-ada")[0], 2)
        status, said = run("tools/isa", "--targets", "nvk-ada,nvk-fermi")
        self.assertEqual(status, 2)
        self.assertIn("there is no driver nvk-fermi; there are nvk-turing, ", said)

    def test_no_drivers(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(run("tools/run-with", "nvk-ada", "true", WEIR_MESA=folder),
                             (1, "run-with: %s contains no drivers; tools/get-mesa installs them\n" % folder))

    def test_a_lavapipe_of_each_age_computes(self):
        if not os.path.isdir(os.path.join(MESA, "icd.d")):
            self.skipTest("no drivers in build/mesa; tools/get-mesa installs them")
        for driver, version in (("lavapipe", "26"), ("lavapipe-25", "25")):
            status, said = run("tools/run-with", driver, WEIR, "info")
            self.assertEqual(status, 0, said)
            self.assertIn("llvmpipe Mesa " + version, said)

    def test_weir_refuses_a_gpu_that_computes_nothing(self):
        if not os.path.isdir(os.path.join(MESA, "icd.d")):
            self.skipTest("no drivers in build/mesa; tools/get-mesa installs them")
        for driver in ("nvk-ada", "turnip-a7xx", "anv-dg2", "honeykrisp-m1", "radv-navi21"):
            status, said = run("tools/run-with", driver, WEIR, "check", "scenes/dam_break.json")
            self.assertEqual(status, 1, driver)
            self.assertRegex(said, "computes (nothing|wrongly): in a small test", driver)


def stage(driver, kernel="k", kind="compute", constants="0=64", lanes=32, registers=10, spills=0, occupancy=1000):
    return {"driver": driver, "kernel": kernel, "kind": kind, "shader": "m/k", "constants": constants, "lanes": lanes,
            "registers": registers, "spills": spills, "occupancy": occupancy}


class Budgets(unittest.TestCase):
    ANY = {"nvk-ada": 64, "turnip-a7xx": 8, "anv-dg2": 16, "honeykrisp-m1": 640}

    def faults(self, stages, figures=None, spills=None):
        kernels = stub_statistics.gather(stages)
        drivers = sorted({s["driver"] for s in stages})
        return list(stub_statistics.find_faults(kernels, drivers, ({"*": self.ANY, **(figures or {})}, spills or {})))

    def test_the_worst_variant_counts(self):
        self.assertEqual(self.faults([stage("nvk-ada", registers=n) for n in (20, 72, 64)]),
                         ["k on nvk-ada: 72 registers, budget 64"])
        self.assertEqual(self.faults([stage("turnip-a7xx", occupancy=n) for n in (16, 7, 9)]),
                         ["k on turnip-a7xx: 7 waves, budget 8"])
        self.assertEqual(self.faults([stage("honeykrisp-m1", occupancy=n) for n in (640, 576)]),
                         ["k on honeykrisp-m1: 576 threads, budget 640"])
        self.assertEqual(self.faults([stage("anv-dg2", lanes=8, spills=n) for n in (0, 3, 1)]),
                         ["k on anv-dg2: 3 spills, budget 0", "k on anv-dg2: 8 lanes, budget 16"])

    def test_a_kernel_may_have_a_budget_of_its_own(self):
        own = {"k": {**self.ANY, "nvk-ada": 80}}
        self.assertEqual(self.faults([stage("nvk-ada", registers=80)], own), [])
        self.assertEqual(len(self.faults([stage("nvk-ada", registers=88)], own)), 1)
        self.assertEqual(self.faults([stage("anv-tgl", spills=2)], spills={("k", "anv-tgl"): 2}), [])
        self.assertEqual(self.faults([stage("nvk-ada")], {"gone": self.ANY}),
                         ["gone: has a budget, but no scene of tests/isa/make_kernels.c creates it"])

    def test_widths_that_say_nothing_do_not_count(self):
        self.assertEqual(self.faults([stage("anv-dg2", lanes=8, constants="0=1 3=0")]), [])  # one invocation
        self.assertEqual(self.faults([stage("anv-dg2", lanes=8, kind="vertex")]), [])
        self.assertEqual(self.faults([stage("anv-dg2", lanes=n, kind="fragment") for n in (8, 16)]), [])
        self.assertEqual(len(self.faults([stage("anv-dg2", lanes=8, kind="fragment")])), 1)

    def test_a_kernel_that_one_driver_did_not_compile_is_named(self):
        self.assertEqual(self.faults([stage("nvk-ada"), stage("nvk-ada", "other"), stage("anv-tgl")]),
                         ["other on anv-tgl: not compiled"])

    def test_a_wrong_line_is_named_by_its_place(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("* | 64 | 8 | 16 | 640\nk | nvk-ada | 8\nm | 64\n")
            file.flush()
            with self.assertRaisesRegex(stub_statistics.Failure, r"txt:3: expected a kernel and 4 figures"):
                stub_statistics.read_budgets(file.name)

    def test_the_file_is_read_as_it_is_written(self):
        kernels = stub_statistics.gather([stage("nvk-ada", registers=80), stage("anv-tgl", spills=2)])
        with tempfile.NamedTemporaryFile("w") as file:
            stub_statistics.write_budgets(kernels, {"nvk-ada": "Mesa 1"}, file.name)
            figures, spills = stub_statistics.read_budgets(file.name)
        self.assertEqual(figures, {"*": self.ANY, "k": {**self.ANY, "nvk-ada": 80}})
        self.assertEqual(spills, {("k", "anv-tgl"): 2})


if __name__ == "__main__":
    unittest.main()
