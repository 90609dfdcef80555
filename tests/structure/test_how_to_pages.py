#!/usr/bin/python3
"""Follows docs/add-a-particle-format.md and docs/add-a-fluid-key.md in a copy of the sources: the blocks fit,
the changed sources and shaders compile, the new format is written and read back, and no more code files are
touched than allowed. Compiles the changed files alone, with the commands of the build of WEIR.

test_how_to_pages.py WEIR
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import shutil
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli" / "pages"))
from test_add_a_pass import BLOCK, CODE, LEFT_OUT, change  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop()).resolve().parent


def run(arguments, **options):
    done = subprocess.run(arguments, capture_output=True, text=True, **options)
    assert done.returncode == 0, "%s\n%s%s" % (" ".join(map(str, arguments)), done.stdout, done.stderr)
    return done.stdout


class Page(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name) / "weir"
        for name in ("src", "shaders", "tests", "cmake"):
            shutil.copytree(ROOT / name, self.folder / name, ignore=LEFT_OUT)
        with open(BUILD / "compile_commands.json", encoding="utf-8") as file:
            self.commands = {entry["file"]: entry for entry in json.load(file)}

    def follow(self, page):
        """Applies the blocks of a page; returns the files of code that it touches."""
        touched = []
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        for _, word, name, body in (block.groups() for block in BLOCK.finditer(text)):
            if not name:
                continue
            path = self.folder / name
            self.assertEqual(path.exists(), word == "file", name)
            if word == "file":
                body = change(path.read_text(encoding="utf-8"), body)
                self.assertIsNotNone(body, "%s: the old lines of a diff do not stand in one place" % name)
            path.write_text(body, encoding="utf-8")
            touched.append(name)
        return sorted(name for name in set(touched) if pathlib.Path(name).suffix in CODE | {".def"})

    def compile(self, name, *options):
        """Compiles one C file of the copy with the build's command of that file, or of one next to it."""
        path = str(ROOT / name)
        if path not in self.commands:
            path = min(file for file in self.commands if pathlib.Path(file).parent == pathlib.Path(path).parent)
        words = shlex.split(self.commands[path]["command"])
        words = words[1:] if pathlib.Path(words[0]).name == "ccache" else words
        words = [word for word in words if not word.startswith("-Dmain=")]
        end = words.index("-o")
        words = [word if str(BUILD) in word else word.replace(str(ROOT), str(self.folder)) for word in words[:end]]
        run([*words, "-c", *options, str(self.folder / name)], cwd=BUILD)

    def test_a_particle_format_is_three_files(self):
        touched = self.follow("add-a-particle-format.md")
        self.assertEqual(len(touched), 3, touched)
        out = pathlib.Path(self.folder).parent
        objects = []
        for name in ("src/io/formats.c", "src/io/particles/read_particles.c", "src/io/particles/pts.c",
                     "tests/unit/io/test_io_particles.c"):
            objects.append(str(out / (pathlib.Path(name).stem + ".o")))
            self.compile(name, "-O0", "-o", objects[-1])
        inputs, links = re.search(r"^build unit_io_tests: \S+ (.*?) \|.*?\n  LINK_LIBRARIES = (.*?)$",
                                  (BUILD / "build.ninja").read_text(encoding="utf-8"),
                                  re.MULTILINE | re.DOTALL).groups()
        objects += [word for word in inputs.split() if "/test_" not in word and "/run_one" not in word]
        program = str(out / "test_io_particles")
        run(["cc", "-o", program, *objects, *shlex.split(links)], cwd=BUILD)
        listed = run([program], cwd=ROOT)
        self.assertNotIn("FAILED", listed)

    def test_a_key_of_a_fluid_is_six_files(self):
        touched = self.follow("add-a-fluid-key.md")
        self.assertLessEqual(len(touched), 6, touched)
        for name in touched:
            if name.endswith(".c"):
                self.compile(name, "-fsyntax-only")
            elif name.endswith(".comp"):
                shaders = self.folder / "shaders"
                run(["glslc", "-Werror", "--target-env=vulkan1.3", "-I", shaders / "shared", "-I", shaders / "lib",
                     "-I", BUILD / "shaders" / "bindings", "-o", str(self.folder / "x.spv"), str(self.folder / name)])


if __name__ == "__main__":
    unittest.main()
