#!/usr/bin/env python3
"""Compiles every C source of the library, the program and the viewer in the dialect of Microsoft's compiler,
as clang emulates it, without variable-length arrays and GNU extensions. The system headers are those of
mingw-w64, which replace Microsoft's, so anything that only the latter lack is not found. Not covered:
src/base/os_posix*.c, and the one C++ file.
"""
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import foreign

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = 77
SYSTEM = "/usr/x86_64-w64-mingw32/include"
DIALECT = ["--target=x86_64-pc-windows-msvc", "-fms-compatibility", "-fms-compatibility-version=19.38", "-fms-extensions"]
WARNINGS = ["-Wall", "-Wextra", "-Wgnu", "-Wvla", "-Werror", "-Wno-gnu-zero-variadic-macro-arguments"]
TARGETS = ["weir_objects", "weir_program", "weir_view", "weir_view_parts"]
# mingw-w64's headers mistake clang for Microsoft's compiler. For that compiler they hide attributes,
# including those of clang's own headers of vector types, put "noreturn" and "deprecated" where C does not
# allow them, and define infinity as a variable.
FIRST = """#define __MM_MALLOC_H
#include <x86intrin.h>
#include <_mingw.h>
#undef __MINGW_ATTRIB_NORETURN
#define __MINGW_ATTRIB_NORETURN
#undef __MINGW_ATTRIB_DEPRECATED
#define __MINGW_ATTRIB_DEPRECATED
#include <math.h>
#undef INFINITY
#define INFINITY __builtin_inff()
"""
WRONG = {"an array of variable length": "int f(int n); int f(int n) { int x[n]; x[0] = n; return x[0]; }",
         "GNU's expressions": "int f(int n); int f(int n) { return ({ int x = n; x + 1; }); }",
         "a header of POSIX": "#include <sys/mman.h>"}


def parsed(folder, path, own):
    words = [*DIALECT, "-std=c17", "-fsyntax-only", *WARNINGS, "-include", os.path.join(folder, "first.h"),
             "-isystem", SYSTEM, *own, path]
    done = subprocess.run(["clang", *words], capture_output=True, text=True)
    return "" if done.returncode == 0 else "%s:\n%s" % (path, done.stderr)


def main():
    if not shutil.which("clang") or not os.path.isdir(SYSTEM):
        print("skipped: clang or mingw-w64's headers are missing; tools/setup --with-windows installs them")
        return SKIPPED
    jobs = foreign.find_jobs(os.path.dirname(os.path.abspath(sys.argv[1])), TARGETS)
    jobs = [(path, own) for _, path, own in jobs if not re.search(r"/os_posix\w*\.c$", path)]
    assert len(jobs) > 250, len(jobs)
    base = [own for path, own in jobs if "/src/base/" in path][0]
    jobs += [(path, base) for path in glob.glob(os.path.join(ROOT, "src", "base", "os_windows*.c"))]
    with tempfile.TemporaryDirectory(prefix="weir-msvc-") as folder:
        headers = foreign.stage_headers(os.path.join(folder, "include"))
        with open(os.path.join(folder, "first.h"), "w") as file:
            file.write(FIRST)
        for name, text in WRONG.items():
            path = os.path.join(folder, "wrong.c")
            with open(path, "w") as file:
                file.write(text + "\n")
            assert parsed(folder, path, headers), "%s is taken" % name
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            faults = [fault for fault in pool.map(lambda job: parsed(folder, job[0], job[1] + headers), jobs) if fault]
    if faults:
        sys.exit("\n".join(faults))
    print("%d sources are in the dialect" % len(jobs))
    return 0


sys.exit(main())
