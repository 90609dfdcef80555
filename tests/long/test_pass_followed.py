#!/usr/bin/python3
"""Follows docs/add-a-pass.md word for word in a copy of the sources: the new force builds, its test passes,
and fails with half the drag. tests/cli/pages/test_add_a_pass.py describes how the page's blocks are marked.

test_pass_followed.py WEIR    WEIR: the program, in the build folder whose compilers are used
"""
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli" / "pages"))
from test_add_a_pass import Reader

SECONDS_MAX = 1200
# Options that switch off slow parts that the test does not need.
QUICK = ["CMAKE_BUILD_TYPE=Debug", "CMAKE_C_FLAGS_DEBUG=-O0", "WEIR_VIEWER=OFF", "WEIR_SHARED=OFF"]
SAME = re.compile(r"^((?:CMAKE_C_COMPILER|CMAKE_C_COMPILER_LAUNCHER|GLSLC):\w+=.+)$", re.MULTILINE)


class PassFollowed(Reader):
    def run_commands(self, commands, fails=False):
        done = subprocess.run(["bash", "-euxo", "pipefail", "-c", commands], cwd=self.folder, timeout=SECONDS_MAX,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode != 0, fails, done.stdout)
        return done.stdout

    def test_the_force_is_there_and_its_test_can_fail(self):
        cache = (WEIR.parent / "CMakeCache.txt").read_text(encoding="utf-8")
        if re.search(r"^WEIR_SANITIZE:STRING=.", cache, re.MULTILINE):
            self.skipTest("a build with sanitizers")
        self.run_commands("cmake --preset release " + " ".join("'-D%s'" % o for o in QUICK + SAME.findall(cache)))
        for language, word, name, body in self.blocks():
            if name:
                self.write(word, name, body)
            elif language == "sh":
                output = self.run_commands(body, word == "fails")
                self.assertIn("drag_slows_as_the_reference_says" if word else "100% tests passed", output)


if __name__ == "__main__":
    WEIR = pathlib.Path(sys.argv.pop()).resolve()
    unittest.main()
