#!/usr/bin/env python3
"""The gates' program lists its gates, refuses others, and writes what it found. argv[1]: weir_validate."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time


def run(status, *words):
    done = subprocess.run([sys.argv[1], *words], capture_output=True, text=True)
    assert done.returncode == status, "%s: status %d\n%s%s" % (words, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


assert "G2  response" in run(0, "--list")
assert "Examples:\n  tools/validate" in run(0, "--help")
assert "did you mean \"response\"?" in run(2, "respones")
assert "--nothing is not an option" in run(2, "--nothing")
assert "--csv is not an option, or its value is missing" in run(2, "kernels", "--csv")
with tempfile.TemporaryDirectory(prefix="weir-validate-") as folder:
    csv, out = os.path.join(folder, "v.csv"), os.path.join(folder, "v.json")
    assert " 0 missed" in run(0, "kernels", "-o", folder, "--csv", csv, "--json", out, "-q")
    with open(csv) as file:
        rows = file.read()
    assert "\nG0,kernels," in rows and ",held,tools/validate kernels\n" in rows, rows
    with open(out) as file:
        found = json.load(file)
    assert found["driver"] and found["checks"][0]["verdict"] == "held"
    assert "3-D, 401 particles, initial state from a file, no viscosity" in [setup["setup"] for setup in found["setups"]]
    run(1, "kernels", "-o", os.path.join(csv, "below"), "-q")
    # A gate of minutes ends soon after a signal.
    long = subprocess.Popen([sys.argv[1], "ellipse", "-o", folder], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    long.send_signal(signal.SIGTERM)
    said = long.communicate(timeout=60)[1]
    assert long.returncode == 1 and "stopped by a signal before all was done" in said and "broke off" not in said, said
