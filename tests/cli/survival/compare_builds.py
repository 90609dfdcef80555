#!/usr/bin/env python3
"""Checks that two `weir` programs, built by two compilers, give the same bits: the state's hash at the end
and the particles of every frame, with each method. tools/test runs it when both builds are new.

Usage: tests/cli/survival/compare_builds.py PROGRAM PROGRAM

Example: tests/cli/survival/compare_builds.py build/release/weir build/clang/weir
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import survival


def run(program, name, scratch):
    """Returns the final hash of a run, and its frames."""
    words = [f"--set={key}={value}" for key, value in survival.METHODS[name].items()]
    done = subprocess.run([program, "run", "scene.json", "-o", "out", "--force", *words], cwd=scratch,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = re.search(r"state ([0-9a-f]{16})", done.stdout)
    if done.returncode != 0 or not found:
        sys.exit(f"{program}, {name}: status {done.returncode}: {done.stdout}")
    return found.group(1), survival.frames(scratch / "out")


def main():
    programs = [str(pathlib.Path(path).resolve()) for path in sys.argv[1:]]
    if len(programs) != 2:
        sys.exit(__doc__)
    different = 0
    with tempfile.TemporaryDirectory(prefix="weir-builds-") as folder:
        scratch = pathlib.Path(folder)
        (scratch / "scene.json").write_text(json.dumps(survival.METHODS_BASE))
        for name in survival.METHODS:
            (hash_1, frames_1), (hash_2, frames_2) = (run(program, name, scratch) for program in programs)
            same = hash_1 == hash_2 and frames_1 == frames_2 and len(frames_1) > 0
            different += not same
            print(f"{name:8} {hash_1} {hash_2} {len(frames_1)} frames: {'same' if same else 'NOT THE SAME'}")
    print(f"{len(survival.METHODS)} scenes, {different} differ")
    sys.exit(1 if different else 0)


main()
