#!/usr/bin/env python3
"""The groups of kernel tests fit into one program, weir_kernel_tests, which the kit for machines with a GPU contains:
no two of their headers, or of those they share, declare a function of the same name."""
import collections
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Not those of the support of tests of the command line.
HEADERS = ("tests/kernel/*/*.h", "tests/support/*.h", "tests/support/[!c]*/*.h", "tests/ref/*/*.h")
DECLARATION = re.compile(r"^[a-z][\w *]*?\b(\w+)\([^;{]*\);", re.MULTILINE)


def declared_twice(texts):
    """Yields the functions that several of {path: text} declare, each with its headers."""
    found = collections.defaultdict(list)
    for path, text in sorted(texts.items()):
        for name in DECLARATION.findall(text):
            found[name].append(path)
    return [(name, paths) for name, paths in sorted(found.items()) if len(set(paths)) > 1]


def main():
    planted = {"a.h": "void open(int a);\nfloat *solve(const char *b,\n            int c);\n", "b.h": "void solve(void);\n"}
    if [name for name, _ in declared_twice(planted)] != ["solve"]:
        sys.exit("test_kernel_programs: does not see a function that two headers declare")
    texts = {}
    for pattern in HEADERS:
        for path in glob.glob(os.path.join(ROOT, pattern)):
            with open(path, encoding="utf-8") as file:
                texts[os.path.relpath(path, ROOT)] = file.read()
    if not texts:
        sys.exit("test_kernel_programs: there are no headers in " + ", ".join(HEADERS))
    twice = declared_twice(texts)
    for name, paths in twice:
        print("%s() is declared in %s: weir_kernel_tests links both; give one another name" % (name, " and ".join(paths)))
    sys.exit(1 if twice else 0)


if __name__ == "__main__":
    main()
