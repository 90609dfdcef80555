#!/usr/bin/env python3
"""The Python package's front door is that of the headers."""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

sys.exit(subprocess.call([sys.executable, os.path.join(ROOT, "tools", "python-door"), "--check"]))
