#!/usr/bin/python3
"""Checks that the blocks of docs/add-a-pass.md fit the sources, and that the pass takes no more code files
than allowed. tests/long/test_pass_followed.py builds and runs the result of the page.

```LANGUAGE new=FILE is a new file. ```diff file=FILE changes one: its lines without + occur in the file in
exactly one place, one after another. ```sh runs, ```sh fails must fail.

test_add_a_pass.py WEIR
"""
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "add-a-pass.md"
BLOCK = re.compile(r"^```(\w+)(?: (\w+)(?:=(\S+))?)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TARGET = re.compile(r"\btest_\w+")
CODE = {".c", ".h", ".comp", ".glsl", ".vert", ".frag", ".cmake", ".txt"}
CODE_FILES_MAX = 8
LEFT_OUT = shutil.ignore_patterns("build*", "out", "models", "*.png", ".git")


def change(text, diff):
    """Returns the text with the diff applied; None if its old lines do not occur in exactly one place."""
    lines = diff.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line[0] != "+")
    new = "".join(line[1:] for line in lines if line[0] != "-")
    return text.replace(old, new) if ("\n" + text).count("\n" + old) == 1 else None


class Reader(unittest.TestCase):
    """Follows the page in a copy of the sources."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name) / "weir"
        shutil.copytree(ROOT, self.folder, ignore=LEFT_OUT)

    def blocks(self):
        """Returns language, word, name and body of each block, in the page's order."""
        text = PAGE.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            name, section = block.group(3), text[:block.start()].rsplit("\n## ", 1)[-1]
            if name:
                self.assertIn("`%s`" % name, section, "the text before its block does not name %s" % name)
            yield block.groups()

    def write(self, word, name, body):
        """Adds or changes one file."""
        path = self.folder / name
        self.assertEqual(path.exists(), word == "file", "%s: is it there before the page makes it?" % name)
        if word == "file":
            body = change(path.read_text(encoding="utf-8"), body)
            self.assertIsNotNone(body, "%s: the old lines of a diff do not stand in one place" % name)
        path.write_text(body, encoding="utf-8")


class AddAPass(Reader):
    def test_every_block_fits_the_sources(self):
        touched, targets = set(), set()
        for _, word, name, body in self.blocks():
            if name:
                self.write(word, name, body)
                touched.add(name)
            else:
                targets.update(TARGET.findall(body))
        for target in targets:
            self.assertTrue(list(self.folder.glob("tests/**/%s.c" % target)), "there is no %s" % target)
        code = {name for name in touched if pathlib.Path(name).suffix in CODE}
        print("%d files of code: %s" % (len(code), " ".join(sorted(code))))
        self.assertTrue(code and targets)
        self.assertLessEqual(len(code), CODE_FILES_MAX)


if __name__ == "__main__":
    sys.argv.pop()
    unittest.main()
