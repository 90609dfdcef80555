#!/usr/bin/env python3
"""Every kernel compiles for GPUs, without spilling, within its budget of registers, waves and memory
(tests/isa/budgets.txt). argv[1]: make_kernels; then, for the long tests, "all": every target."""
import os
import subprocess
import sys

build = os.path.dirname(os.path.abspath(sys.argv[1]))
targets = [] if "all" in sys.argv[2:] else ["--targets", "NAVI21-32,VEGA10-64"]
sys.exit(subprocess.call(["tools/isa", "--build", build, "--check"] + targets))
