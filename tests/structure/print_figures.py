#!/usr/bin/env python3
"""Prints the sizes that the structure tests check, in one piece: former words, files of code that each how-to
page touches, sizes of files, functions and folders, and lines of code by folder.

print_figures.py [--since COMMIT] [--build FOLDER]
"""
import argparse
import collections
import pathlib
import subprocess
import sys

import test_vocabulary

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli" / "pages"))
from test_add_a_pass import BLOCK, CODE  # noqa: E402

FOLDERS = ("src", "shaders", "mesher", "tests", "tools", "cmake")
SUFFIXES = {".c", ".h", ".cpp", ".def", ".comp", ".glsl", ".vert", ".frag", ".py", ".cmake", ".sh", ".txt", ""}
PAGES = {"add-a-pass.md": 8, "add-a-particle-format.md": 3, "add-a-fluid-key.md": 6}


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True).stdout


def print_pages():
    print("files of code that a page touches")
    for page, most in PAGES.items():
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        names = {block.group(3) for block in BLOCK.finditer(text) if block.group(3)}
        code = [name for name in names if pathlib.Path(name).suffix in CODE | {".def"}]
        print(f"  {'docs/' + page:<32} {len(code):6}  at most {most}")


def count_lines(commit):
    """Returns the lines of code of a commit by top-level folder."""
    lines = collections.Counter()
    for name in git("ls-tree", "-r", "--name-only", "-z", commit, *FOLDERS).decode().split("\0"):
        if name and pathlib.Path(name).suffix in SUFFIXES:
            lines[name.split("/")[0]] += git("show", f"{commit}:{name}").count(b"\n")
    return lines


def print_lines(since):
    now, before = count_lines("HEAD"), count_lines(since) if since else None
    print("lines of code" + (f", and the change since {since}" if since else ""))
    for folder in (*FOLDERS, None):
        total = now[folder] if folder else sum(now.values())
        change = total - (before[folder] if folder else sum(before.values())) if since else None
        print(f"  {folder or 'all':<32} {total:6}" + (f"  {change:+}" if since else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--since", metavar="COMMIT", help="also prints how many lines were added since")
    parser.add_argument("--build", default=ROOT / "build" / "release", type=pathlib.Path, metavar="FOLDER")
    options = parser.parse_args()
    print("vocabulary: ", end="")
    status = test_vocabulary.main()
    print_pages()
    sys.stdout.flush()
    status |= subprocess.run([options.build / "structure_tests", "test_sizes"], cwd=ROOT, check=False).returncode
    print_lines(options.since)
    return status


if __name__ == "__main__":
    sys.exit(main())
