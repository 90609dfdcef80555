"""A test of the program in an empty folder of its own. argv[1] of the script: weir."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

if len(sys.argv) < 2:
    sys.exit(sys.modules["__main__"].__doc__)
WEIR = os.path.abspath(sys.argv.pop(1))  # unittest reads the words that are left


class WeirCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weir_%s_" % type(self).__name__.lower())
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def at(self, *names):
        return os.path.join(self.folder, *names)

    def write_json(self, name, scene):
        with open(self.at(name), "w", encoding="utf-8") as file:
            json.dump(scene, file)

    def weir(self, *arguments, status=0, **more):
        """Runs weir in the folder, checks its exit status and returns all that it printed."""
        done = subprocess.run([WEIR, *arguments], capture_output=True, text=True, cwd=self.folder, timeout=12000, **more)
        self.assertEqual(done.returncode, status, "%s\n%s\n%s" % (arguments, done.stdout, done.stderr))
        return done.stdout + done.stderr
