#!/usr/bin/env python3
"""Every bug of tools/mutants can be planted: its text occurs where it should, and its tests exist. Otherwise
this is reported.
"""
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
with tempfile.TemporaryDirectory() as empty:  # no source file is there
    os.mkdir(os.path.join(empty, "tools"))
    shutil.copy(os.path.join(ROOT, "tools", "mutants"), os.path.join(empty, "tools"))
    done = check(empty)
assert done.returncode == 1 and "No such file" in done.stderr, done.stdout + done.stderr
