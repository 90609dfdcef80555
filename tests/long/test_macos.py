#!/usr/bin/env python3
"""Compiles every C source of the library, the program and the viewer for macOS with Apple's own headers,
which Zig's compiler contains, and links the library with macOS' system library, so that missing functions
are named. Runs nothing.
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

import foreign

SKIPPED = 77
TARGETS = ["weir_objects", "weir_program", "weir_view", "weir_view_parts"]
FOREIGN = r"_(json|exr|meshopt|png)_\w+|_(deflate|inflate)\w*"
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror"]


def find_zig(folder):
    """Returns the command that runs Zig, or None if neither Zig nor a package index is available."""
    if shutil.which("zig"):
        return ["zig"]
    python = os.path.join(folder, "zig", "bin", "python")
    for command in [[sys.executable, "-m", "venv", os.path.join(folder, "zig")],
                    [python, "-m", "pip", "install", "--disable-pip-version-check", "-q", "ziglang"]]:
        if subprocess.run(command, capture_output=True).returncode != 0:
            return None
    return [python, "-m", "ziglang"]


def main():
    build = os.path.dirname(os.path.abspath(sys.argv[1]))
    jobs = foreign.find_jobs(build, TARGETS)
    assert len(jobs) > 250, len(jobs)
    with tempfile.TemporaryDirectory(prefix="weir-macos-") as folder:
        zig = find_zig(folder)
        if not zig:
            print("skipped: there is no zig, and pip finds no package index to bring it (ziglang)")
            return SKIPPED
        compiler = [*zig, "cc", "-target", "aarch64-macos"]
        environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": os.path.join(folder, "cache")}
        headers = foreign.stage_headers(os.path.join(folder, "include"))

        def compiled(number, job):
            made = os.path.join(folder, "%d.o" % number)
            _, path, own = job
            words = [*own, *headers, "-std=c17", "-fPIC", *WARNINGS, "-c", path]
            done = subprocess.run([*compiler, *words, "-o", made], capture_output=True, text=True, cwd=build,
                                  env=environment)
            return made, "" if done.returncode == 0 else "%s:\n%s" % (path, done.stderr)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(compiled, range(len(jobs)), jobs))
        faults = [fault for _, fault in results if fault]
        if faults:
            sys.exit("\n".join(faults))
        library = [made for (made, _), job in zip(results, jobs) if job[0] == "weir_objects"]
        done = subprocess.run([*compiler, "-shared", "-o", os.path.join(folder, "libweir.dylib"), *library],
                              capture_output=True, text=True, env=environment)
        missing = set(re.findall(r"undefined symbol: (\S+)", done.stderr))
        assert missing, done.stderr  # the libraries are absent, and Zig names all undefined symbols
        strange = sorted(name for name in missing if not re.fullmatch(FOREIGN, name))
        assert not strange, strange
    print("%d sources compiled for macOS; the library lacks nothing but its dependencies" % len(jobs))
    return 0


sys.exit(main())
