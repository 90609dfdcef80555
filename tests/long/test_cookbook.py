#!/usr/bin/python3
"""Every recipe of docs/cookbook.md works: its files are saved under their names, and its commands run, in one folder. A
recipe has at most 15 lines, and every file under out/ that the page names appears.

test_cookbook.py WEIR
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEIR = pathlib.Path(sys.argv[1]).resolve()
PAGE = (ROOT / "docs/cookbook.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINES = 15


class Cookbook(unittest.TestCase):
    def test_every_recipe_works(self):
        parts = re.split(r"^### (.+)\n", PAGE, flags=re.MULTILINE)
        recipes = [("the tank", parts[0]), *zip(parts[1::2], parts[2::2])]
        self.assertGreaterEqual(len(recipes), 21)
        path = [str(WEIR.parent), os.path.dirname(sys.executable), os.environ["PATH"]]  # whose python3 has NumPy
        env = dict(os.environ, PATH=":".join(path), PYTHONPATH=str(ROOT / "src/python"),
                   WEIR_LIBRARY=str(WEIR.parent / "libweir.so"))
        with tempfile.TemporaryDirectory(prefix="weir-cookbook-") as name:
            folder = pathlib.Path(name)
            (folder / "scenes").symlink_to(ROOT / "scenes")
            for title, text in recipes:
                with self.subTest(title):
                    for language, file, body in BLOCK.findall(text):
                        self.assertLessEqual(body.count("\n"), LINES, title)
                        if file:
                            (folder / file).write_text(body, encoding="utf-8")
                        elif language == "sh":
                            done = subprocess.run(["bash", "-euo", "pipefail", "-c", body], cwd=folder, env=env, text=True,
                                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                            self.assertEqual(done.returncode, 0, f"{title}:\n{done.stdout}")
            for path in set(re.findall(r"`(out/[^`\s]+)`", BLOCK.sub("", PAGE))):
                self.assertTrue((folder / path).exists(), f"{path} is named and does not appear")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
