#!/usr/bin/env python3
"""Each bug of tools/mutants can be planted: its text stands where it says, and its tests are there. Where they do not,
that is said."""
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def check(root):
    return subprocess.run([sys.executable, os.path.join(root, "tools", "mutants"), "--check"], capture_output=True,
                          text=True)


done = check(ROOT)
assert done.returncode == 0 and ", 0 of them stale" in done.stdout, done.stdout + done.stderr
with tempfile.TemporaryDirectory() as empty:  # no file of the sources is there
    os.mkdir(os.path.join(empty, "tools"))
    shutil.copy(os.path.join(ROOT, "tools", "mutants"), os.path.join(empty, "tools"))
    done = check(empty)
assert done.returncode == 1 and "No such file" in done.stderr, done.stdout + done.stderr
