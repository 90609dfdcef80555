#!/usr/bin/env python3
"""Program and Python package on a machine that lacks a library which Weir loads at run time: an error names it and says
what to install.

test_missing_libraries.py WEIR
"""
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
WEIR = pathlib.Path(sys.argv[1]).resolve()
HIDE = WEIR.parent / "libhide_library.so"
LIBRARY = WEIR.parent / "libweir.so"
NO_LOADER = "no Vulkan loader found: install the graphics driver, or lavapipe (Debian: apt-get install libvulkan1"


def run(hidden, *command):
    preload = " ".join([str(HIDE), *os.environ.get("LD_PRELOAD", "").split()])
    environment = dict(os.environ, LD_PRELOAD=preload, HIDE_LIBRARY=hidden, PYTHONPATH=str(ROOT / "src/python"),
                       WEIR_LIBRARY=str(LIBRARY))
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT)


class MissingLibraries(unittest.TestCase):
    def test_a_library_is_hidden_by_name_only(self):
        self.assertEqual(run("libnothing", str(WEIR), "info").returncode, 0)

    def test_the_program_reports_a_missing_vulkan_loader(self):
        done = run("libvulkan", str(WEIR), "run", "scenes/drop.json", "-o", os.devnull + "/out", "--frames", "1")
        self.assertNotEqual(done.returncode, 0)
        done = run("libvulkan", str(WEIR), "info")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(NO_LOADER, done.stderr)

    @unittest.skipUnless(LIBRARY.exists(), "this build has no shared library")
    def test_the_python_package_reports_a_missing_vulkan_loader(self):
        done = run("libvulkan", sys.executable, "-c", "import weir; weir.Device()")
        if "No module named" in done.stderr:
            self.skipTest(done.stderr.strip().splitlines()[-1])
        self.assertIn("weir.Unsupported: " + NO_LOADER, done.stderr.replace("weir._library", "weir"))


unittest.main(argv=sys.argv[:1])
