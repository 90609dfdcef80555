#!/usr/bin/env python3
"""Refuses former names of docs/words.md in file names, identifiers, scene keys and options, and phrases that
are not plain English in comments, messages and pages.

The table of renamed keys and options, which reports the new names to users of an earlier version, is
exempt.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = ("src", "shaders", "mesher", "tests", "tools", "scenes", "cmake", "docs")
EXEMPT = ("docs/words.md", "tests/structure/test_vocabulary.py", "src/scene/parse/scene_known_keys.c",
          "src/app/renamed_options.c", "CHANGELOG.md")
TEXT = (".c", ".h", ".cpp", ".def", ".comp", ".glsl", ".vert", ".frag", ".py", ".cmake", ".json", ".md", "")
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def read_former(page):
    """Returns the names in backquotes of the third column, each with the term that replaces it."""
    former = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3:
            for name in re.findall(r"`([^`]+)`", cells[2]):
                former[name] = cells[0]
    return former


def read_phrases(page):
    """A pattern of the phrases that the page lists after "refused there:"."""
    phrases = re.search(r"refused there:([^.]*)\.", page).group(1).split(",")
    return re.compile(r"(?i)\b(%s)\b" % "|".join(phrase.strip() for phrase in phrases))


def files_below(root):
    for folder in FOLDERS:
        for place, folders, names in os.walk(os.path.join(root, folder)):
            folders[:] = [name for name in folders if name not in ("__pycache__", "models", "corpus")]
            for name in names:
                yield os.path.relpath(os.path.join(place, name), root)


def find_former(path, text, former, phrases):
    """Yields messages for one file: about its name, then about its words."""
    stem = os.path.basename(path).split(".")[0]
    if stem in former:
        yield f"{path}: the file is called {stem}; the term is {former[stem]}"
    for number, line in enumerate(text.splitlines(), 1):
        for word in WORD.findall(line):
            if word in former:
                yield f"{path}:{number}: {word}; the term is {former[word]}"
        for phrase in phrases.findall(line):
            yield f"{path}:{number}: \"{phrase}\" is no plain English"


def check_tree(root, former, phrases):
    found = []
    for path in files_below(root):
        if path in EXEMPT or os.path.splitext(path)[1] not in TEXT:
            continue
        try:
            with open(os.path.join(root, path), encoding="utf-8") as file:
                found += find_former(path, file.read(), former, phrases)
        except UnicodeDecodeError:
            continue
    return found


def main():
    with open(os.path.join(ROOT, "docs/words.md"), encoding="utf-8") as file:
        page = file.read()
    former, phrases = read_former(page), read_phrases(page)
    assert len(former) > 60, f"docs/words.md names {len(former)} former words"
    planted = list(find_former("src/sim/flip_gather.comp", "gpu_row row;\n// a pass\n",
                               {"gpu_row": "pass", "flip_gather": "P2G"}, phrases))
    planted += find_former("docs/x.md", "it is told\nand made anew\nby the front door", {}, phrases)
    assert len(planted) == 5, planted
    found = check_tree(ROOT, former, phrases)
    for message in found:
        print(message)
    print(f"{len(former)} former names, {len(found)} found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
