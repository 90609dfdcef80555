#!/usr/bin/env python3
"""The public headers compile, each by itself, in C99, C17 and C++17, without a warning, and docs/functions.md lists
their functions."""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "src", "include")
SKIPPED = 77
LANGUAGES = [("cc", "c", "c99"), ("cc", "c", "c17"), ("c++", "c++", "c++17")]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


def compiled(compiler, language, standard, folder, name, more=""):
    command = [compiler, "-x", language, "-std=" + standard, "-fsyntax-only", *WARNINGS, "-I", folder, "-"]
    return subprocess.run(command, input='#include "%s"\n%s' % (name, more), capture_output=True, text=True)


def main():
    missing = [compiler for compiler, *_ in LANGUAGES if not shutil.which(compiler)]
    if missing:
        print("skipped: there is no %s" % ", ".join(missing))
        return SKIPPED
    names = sorted("weir/" + os.path.basename(path) for path in glob.glob(os.path.join(FOLDER, "weir", "*.h")))
    assert len(names) >= 13, names
    faults = 0
    for language in LANGUAGES:
        for name in names:
            done = compiled(*language, FOLDER, name)
            if done.returncode != 0:
                print("%s as %s:\n%s" % (name, language[2], done.stderr))
                faults += 1
        marked = compiled(*language, FOLDER, "weir/core.h", 'WEIR_DEPRECATED("call new_one") void old_one(void);\n'
                          "void call(void);\nvoid call(void) { old_one(); }\n")
        assert marked.returncode != 0 and "call new_one" in marked.stderr, (language, marked.stderr)
        with tempfile.TemporaryDirectory(prefix="weir-headers-") as folder:  # faults that must be found
            with open(os.path.join(folder, "bad.h"), "w") as file:
                file.write("static inline int cut(double x) { return x; }\n")
            assert compiled(*language, folder, "bad.h").returncode != 0, language
    faults += subprocess.run([os.path.join(ROOT, "tools", "api-index"), "--check"]).returncode
    return 1 if faults else 0


sys.exit(main())
