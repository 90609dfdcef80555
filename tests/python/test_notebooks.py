#!/usr/bin/env python3
"""Runs the notebooks of docs/python and the blocks of docs/python.md."""
import importlib.util
import json
import os
import re
import shutil
import sys
import tempfile
import unittest

from package import ROOT, main, run


class Notebooks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="weir-notebooks-")
        self.addCleanup(shutil.rmtree, self.folder)

    def notebook(self, name):
        path = os.path.join(ROOT, "docs", "python", name + ".py")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertRegex(text, r"\A# %% \[markdown\]\n# # \w")
        done = run([sys.executable, path, self.folder], env={**os.environ, "MPLBACKEND": "agg"})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_the_notebook_for_everyone(self):
        self.assertIn("2000 particles", self.notebook("dam_break"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["surface.obj", "surface.png"])

    def test_the_notebook_for_artists(self):
        said = self.notebook("artist")
        self.assertRegex(said, r"spray +[1-9]")
        self.assertIn("a strip of 1280 x 180 pixels", said)
        files = set(os.listdir(self.folder))
        self.assertEqual({"surface_%04d.obj" % frame for frame in range(1, 13)} | {"foam.npz", "last.png", "stored.ply"},
                         files - {"run"})

    def test_the_notebook_for_researchers(self):
        said = self.notebook("researcher")
        self.assertRegex(said, r"spacing 0.02 m: the front differs by \+0\.\d+ a on average over 16 points")
        self.assertIn("iteration 3: mean", said)
        for name, package in (("dam.csv", "pandas"), ("front.png", "matplotlib")):
            if importlib.util.find_spec(package):
                self.assertIn(name, os.listdir(self.folder))

    def test_the_notebook_for_engineers(self):
        said = self.notebook("engineer")
        self.assertRegex(said, r"pressure \('z', 'x'\): \d+ of \d+ cells have fluid")
        self.assertIn("GB/s of", said)
        self.assertIn("trace.json", os.listdir(self.folder))

    def test_scripts_become_notebooks_of_the_same_cells(self):
        done = run([sys.executable, os.path.join(ROOT, "tools", "make-notebooks"), self.folder])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), [name + ".ipynb" for name in ("artist", "dam_break", "engineer",
                                                                                        "researcher")])
        with open(os.path.join(self.folder, "engineer.ipynb"), encoding="utf-8") as file:
            cells = json.load(file)["cells"]
        with open(os.path.join(ROOT, "docs", "python", "engineer.py"), encoding="utf-8") as file:
            lines = [line for line in file.read().splitlines() if line and not line.startswith("# %%")]
        made = [line if cell["cell_type"] == "code" else "# " + line
                for cell in cells for line in cell["source"].splitlines() if line]
        self.assertEqual(made, lines)
        self.assertEqual(len({cell["id"] for cell in cells}), len(cells))

    def test_the_blocks_of_the_page_run(self):
        """In their order, in one program; coarser and shorter than on the page."""
        with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as page:
            blocks = re.findall(r"^```python\n(.*?)^```$", page.read(), re.MULTILINE | re.DOTALL)
        program = "\n".join(blocks)
        for given, coarse in (('"spacing": 0.05}', '"spacing": 0.1}'), ("seconds=1", "seconds=0.05"), ("frames(0.2)", "frames(0.05)"),
                              ("range(60)", "range(3)"), ("(0.1, 0.08)", "(0.12, 0.1)")):
            self.assertIn(given, program)
            program = program.replace(given, coarse)
        if not importlib.util.find_spec("matplotlib"):
            program = re.sub(r"(?m)^(import matplotlib|plt\.).*$", "", program)
        program += "\nassert report['iterations'] >= 1 and len(table) == 4 and picture.shape == (360, 640, 4)\n"
        done = run([sys.executable, "-c", program], cwd=self.folder, env={**os.environ, "MPLBACKEND": "agg"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue({"surface.obj", "surface.png"} <= set(os.listdir(self.folder)))


main()
