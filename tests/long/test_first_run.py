#!/usr/bin/python3
"""Runs `tools/run` without arguments, as a newcomer does: a first picture while it runs, a film and a mesh, and
their paths at the end. Then makes the sheet of pictures that replaces the film where ffmpeg is missing.

test_first_run.py WEIR
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEIR = pathlib.Path(sys.argv.pop()).resolve()


class FirstRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Runs the tool and notes whether it was still running when it reported its first picture."""
        with tempfile.TemporaryFile("w+") as messages:
            process = subprocess.Popen([ROOT / "tools" / "run"], stdout=subprocess.PIPE, stderr=messages, text=True)
            cls.reported_early = False
            while process.poll() is None and not cls.reported_early:
                time.sleep(0.2)
                messages.seek(0)
                cls.reported_early = "first picture: " in messages.read() and process.poll() is None
            cls.output = process.communicate()[0]
            assert process.returncode == 0, cls.output
        cls.paths = {name: ROOT / path for name, path in re.findall(r"^(pictures|film|mesh) +(\S+)$", cls.output,
                                                                   re.MULTILINE)}
        cls.folder = cls.paths["pictures"].parent
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def test_the_first_picture_is_reported_while_the_run_goes_on(self):
        self.assertTrue(self.reported_early)

    def test_the_film_the_mesh_and_the_viewer_are_named_at_the_end(self):
        self.assertEqual(sorted(self.paths), ["film", "mesh", "pictures"])
        self.assertTrue(self.output.rstrip().endswith("build/release/weir view"), self.output)

    def test_the_film_has_every_picture(self):
        pictures = sorted(self.paths["pictures"].glob("image_*.png"))
        self.assertGreater(len(pictures), 100)
        if self.paths["film"].suffix == ".mp4":
            frames = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames",
                                     "-of", "csv=p=0", self.paths["film"]], check=True, capture_output=True, text=True)
            self.assertEqual(int(frames.stdout.strip().rstrip(",")), len(pictures))

    def test_the_mesh_is_closed(self):
        report = subprocess.run([WEIR, "check", self.paths["mesh"]], check=True, capture_output=True, text=True)
        self.assertRegex(report.stdout, r"closed +yes")

    def test_a_sheet_of_pictures_replaces_the_film(self):
        sheet = self.folder / "sheet.png"
        subprocess.run([ROOT / "tools" / "contact-sheet", self.paths["pictures"], "-o", sheet, "--count", "6",
                        "--columns", "3", "--width", "320"], check=True)
        self.assertEqual(Image.open(sheet).size, (960, 360))


if __name__ == "__main__":
    unittest.main()
