#!/usr/bin/python3
"""Follows the pages for a user's first five minutes, and that for a host's frame. The files that a page shows
are saved under the names that it gives, its commands run from top to bottom in a folder that looks like a
clone, and every file under out/ that the page names must exist afterwards.

A block is saved with ```json file=NAME, and run with ```sh; ```sh needs=PROGRAM is skipped where the
program is missing. Blocks without a word show output.

test_first_pages.py WEIR [KEEP]    KEEP: a folder in which the files of the pages stay
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"^```(\w*)(?: (\w+)=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"`(out/[^`\s]+)`")
SECONDS_MAX = 1200


def clone(folder):
    """Links the repository's files, and the program's build folder as build/release."""
    for entry in ROOT.iterdir():
        if not re.match(r"(build|out|models|\.git$)", entry.name):
            (folder / entry.name).symlink_to(entry)
    (folder / "build").mkdir(exist_ok=True)
    (folder / "build" / "release").symlink_to(WEIR.parent)


def read_page(name):
    """Returns the page as one shell script, the files that it saves, those that it names, and the missing
    programs.
    """
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    script, saved, left_out, missing = [], {}, "", set()
    for language, key, value, body in BLOCK.findall(text):
        if key == "file":
            saved[value] = body
            script.append("mkdir -p %s && cp saved/%s %s" % (os.path.dirname(value), value, value))
        elif language == "sh" and key == "needs" and not shutil.which(value):
            missing.add(value)
            left_out += body
        elif language == "sh":
            script.append(body)
    named = {path.rstrip("/") for path in NAMED.findall(BLOCK.sub("", text))}
    # What a missing program would make is named by its commands, or lies in a folder that they name.
    absent = {path for path in named if re.sub(r"\d{4}\.", "####.", path) in left_out
              or os.path.dirname(path) + "/" in left_out}
    made = named - absent | saved.keys() & named
    return "\n".join(script), saved, made, missing


def libraries_are_built():
    cache = (WEIR.parent / "CMakeCache.txt").read_text(encoding="utf-8")
    return "WEIR_SHARED:BOOL=ON" in cache and re.search(r"^WEIR_SANITIZE:STRING=$", cache, re.MULTILINE)


class FirstPages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = KEEP or pathlib.Path(tempfile.mkdtemp())
        clone(cls.folder)

    @classmethod
    def tearDownClass(cls):
        if not KEEP:
            shutil.rmtree(cls.folder)

    def follow(self, name, **variables):
        script, saved, named, missing = read_page(name)
        # A page's picture by Cycles takes minutes; a small one is made by the same command.
        script = re.sub(r"(weir_sequence\.py -- \\\n\s+)(?=--render)", r"\1--size 64x36 --samples 1 ", script)
        self.assertTrue(script, "%s has no commands" % name)
        for path, body in saved.items():
            self.assertIn(path, named, "%s saves %s and does not say so" % (name, path))
            copy = self.folder / "saved" / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(body, encoding="utf-8")
        # The pages' python3 is the one that has the packages of tools/setup.
        env = dict(os.environ, PATH="%s:%s" % (os.path.dirname(sys.executable), os.environ["PATH"]), **variables)
        done = subprocess.run(["bash", "-euxo", "pipefail", "-c", script], cwd=self.folder, timeout=SECONDS_MAX,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)
        if KEEP:
            print(done.stdout)
        self.assertEqual(done.returncode, 0, "%s:\n%s" % (name, done.stdout))
        for path in sorted(named):
            self.assertTrue((self.folder / path).exists(), "%s names %s, which does not appear" % (name, path))
        for program in sorted(missing):
            print("%s: the commands that need %s were not run" % (name, program))

    def test_an_artists_splash(self):
        self.follow("first-splash.md")

    def test_an_artists_bake_in_blender(self):
        home = self.folder / "home"  # a fresh profile
        home.mkdir(exist_ok=True)
        self.follow("blender.md", HOME=str(home))

    def test_a_programmers_program(self):
        if not libraries_are_built():
            self.skipTest("this build makes no libraries")
        self.follow("first-program.md")
        self.follow("embedding.md")  # which needs what the first page has installed

    def test_a_researchers_measurement(self):
        self.follow("first-measurement.md")


if __name__ == "__main__":
    KEEP = pathlib.Path(sys.argv.pop()).resolve() if len(sys.argv) > 2 else None
    WEIR = pathlib.Path(sys.argv.pop()).resolve()
    unittest.main()
