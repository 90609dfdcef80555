"""The server of docs/containers.md: pictures of scenes, and answers in words to what it refuses."""
import json
import os
import re
import subprocess
import sys
import unittest
import urllib.error
import urllib.request

from package import POOL, ROOT, main

SERVER = os.path.join(ROOT, "docs", "embedding", "container", "server.py")


class Server(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = subprocess.Popen([sys.executable, SERVER, "0"], stdout=subprocess.PIPE, text=True,
                                      stderr=subprocess.DEVNULL)
        said = cls.server.stdout.readline()
        cls.address = "http://127.0.0.1:" + re.search(r"port (\d+)", said)[1]

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait()
        cls.server.stdout.close()

    def ask(self, path, scene=None):
        data = None if scene is None else json.dumps(scene).encode()
        try:
            with urllib.request.urlopen(self.address + path, data, timeout=600) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def refused(self, status, text, path, scene):
        found, said = self.ask(path, scene)
        self.assertEqual(found, status, said)
        self.assertIn(text, said.decode())

    def test_a_scene_becomes_a_picture(self):
        status, png = self.ask("/picture?seconds=0.1&width=64&height=48", POOL)
        self.assertEqual(status, 200, png)
        self.assertEqual((png[:8], png[16:24]), (b"\x89PNG\r\n\x1a\n", bytes([0, 0, 0, 64, 0, 0, 0, 48])))

    def test_the_device_is_named(self):
        self.assertEqual(self.ask("/health")[0], 200)

    def test_what_is_refused_is_named(self):
        self.refused(400, "spacing: is 0, expected a number", "/picture", dict(POOL, spacing=0))
        self.refused(400, "format: is 2, and Weir", "/picture", dict(POOL, format=2))
        self.refused(413, "simulates at most 200000", "/picture", dict(POOL, spacing=0.006))
        self.refused(400, "width: expected a number from 16 to 1920", "/picture?width=5000", POOL)
        self.refused(400, "hight: unknown; expected seconds, width, height", "/picture?hight=5", POOL)
        self.refused(404, "POST /picture", "/other", POOL)


main()
