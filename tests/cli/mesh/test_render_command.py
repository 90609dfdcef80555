"""weir render and weir run --images: files, sizes, cameras, video, and refused input."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import exr_file
import numpy as np
from PIL import Image

WEIR = str(pathlib.Path(sys.argv.pop()).resolve())
SCENE = """{"domain": {"min": [0, 0, 0], "max": [0.5, 0.4, 0.3]}, "spacing": 0.05, "duration": 0.05,
"fluids": [{"name": "water", "fill": {"shape": {"box": {"min": [0, 0, 0], "max": [0.25, 0.2, 0.3]}}}}]}"""

WITH_BODIES = SCENE[:-1] + """, "bodies": [
{"name": "box", "density": 600, "angular_velocity": [3, 9, 1], "colour": [1, 0, 0],
 "shape": {"box": {"size": [0.1, 0.12, 0.14]}, "position": [0.38, 0.2, 0.15]}},
{"name": "ball", "density": 400, "shape": {"sphere": {"radius": 0.05}, "position": [0.12, 0.3, 0.15]}}]}"""


def weir(*words, **environment):
    done = subprocess.run([WEIR, *words], capture_output=True, text=True, env={**os.environ, **environment})
    return done.returncode, done.stdout + done.stderr


def png(path):
    """Returns a picture; raises if the file is damaged."""
    picture = Image.open(path)
    picture.load()
    return picture


def differing(a, b, by):
    """Returns the share of the values of two pictures that differ by more than `by`, of 255."""
    return np.mean(np.abs(np.asarray(a, int) - np.asarray(b, int)) > by)


def shown(light):
    """Returns the PNG values of linear light: the tone curve (Khronos PBR neutral), then sRGB."""
    least = light.min(axis=2, keepdims=True)
    c = light - np.where(least < 0.08, least - 6.25 * least * least, 0.04)
    peak = c.max(axis=2, keepdims=True)
    lowered = 1.0 - 0.24 * 0.24 / (np.maximum(peak, 0.76) + 0.24 - 0.76)
    share = 1.0 - 1.0 / (0.15 * (peak - lowered) + 1.0)
    c = np.where(peak < 0.76, c, c * lowered / peak * (1.0 - share) + lowered * share).clip(0.0, 1.0)
    return 255.0 * np.where(c <= 0.0031308, 12.92 * c, 1.055 * c ** (1 / 2.4) - 0.055)


class RenderCommand(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        scene = cls.folder / "tiny.json"
        scene.write_text(SCENE)
        cls.run_folder = cls.folder / "run"
        words = ["run", str(scene), "-o", str(cls.run_folder), "--images", "--size", "64x36", "--samples", "1"]
        if shutil.which("ffmpeg"):
            words += ["--video", str(cls.folder / "run.mp4")]
        cls.status, cls.said = weir(*words)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def test_a_run_writes_a_picture_of_every_frame(self):
        self.assertEqual(self.status, 0, self.said)
        names = sorted(p.name for p in (self.run_folder / "images").iterdir())
        self.assertEqual(names, [f"image_{i:04}.png" for i in range(4)])
        picture = png(self.run_folder / "images" / names[0])
        self.assertEqual((picture.size, picture.mode), ((64, 36), "RGB"))

    def test_validation_accepts_every_shader_of_a_picture(self):
        """GPU-assisted validation adds checks to each read of a buffer, which must not break a shader."""
        status, said = weir("render", str(self.run_folder), "-o", str(self.folder / "validated"), "--size", "64x36",
                            "--samples", "1", "--frames", "2:2", "--validation")
        self.assertEqual(status, 0, said)

    @unittest.skipUnless(shutil.which("ffmpeg"), "needs ffmpeg")
    def test_a_video_is_made(self):
        self.assertGreater((self.folder / "run.mp4").stat().st_size, 500)

    def test_a_video_that_cannot_be_made_is_one_line_and_no_folder(self):
        out, scene = self.folder / "no_video", str(self.folder / "tiny.json")
        film = ["--video", str(self.folder / "no.mp4"), "-o", str(out)]
        odd = ["--size", "65x36"]
        for words, status, expected, environment in (
                (["render", str(self.run_folder)], 1, "--video needs the program ffmpeg, which is not in the", {"PATH": ""}),
                (["run", scene], 1, "install it (Debian: apt-get install ffmpeg), or write PNG files", {"PATH": ""}),
                (["render", str(self.run_folder), *odd], 2, "a video of 65x36 pixels: both sides must be even", {}),
                (["run", scene, *odd], 2, "a video of 65x36 pixels: both sides must be even", {}),
                (["run", scene, "--set", "duration=0"], 2, "--video: the scene has no frames after frame 0", {}),
                (["render", str(self.run_folder), "--frames", "9:12"], 2, "none of the 4 frames found is in that", {})):
            got, said = weir(*words, *film, **environment)
            self.assertEqual((got, said.count("\n")), (status, 1), said)
            self.assertIn(expected, said)
            self.assertFalse(out.exists())

    def test_stored_frames_are_drawn_alike(self):
        out = self.folder / "again"
        status, said = weir("render", str(self.run_folder), "-o", str(out), "--size", "64x36", "--samples", "1")
        self.assertEqual(status, 0, said)
        for i in range(4):
            name = f"image_{i:04}.png"
            self.assertEqual(png(out / name), png(self.run_folder / "images" / name))

    def test_frames_selects_the_stored_frames_to_draw(self):
        words = ["render", str(self.run_folder), "--size", "64x36", "--samples", "1"]
        for frames, numbers in (("1:2", [1, 2]), ("0:3:3", [0, 3]), ("0", [0])):
            out = self.folder / ("frames" + frames.replace(":", "_"))
            status, said = weir(*words, "-o", str(out), "--frames", frames)
            self.assertEqual(status, 0, said)
            self.assertEqual(sorted(p.name for p in out.iterdir()), ["image_%04d.png" % i for i in numbers])
            self.assertIn("%d picture%s in" % (len(numbers), "" if len(numbers) == 1 else "s"), said)
        status, said = weir(*words, "-o", str(self.folder / "none"), "--frames", "9:12")
        self.assertEqual(status, 2, said)
        self.assertIn("none of the 4 frames found is in that range", said)

    def test_light_is_written_as_exr(self):
        frame = str(self.run_folder / "particles" / "particles_0002.ply")
        words = ["render", frame, "--size", "75x43", "--samples", "1", "--exr"]
        if "this build lacks" in weir(*words, "-o", str(self.folder / "x"))[1]:
            self.skipTest("--exr needs OpenEXR, which this build lacks")
        for name, extra in (("lit", []), ("lit_clear", ["--transparent"])):
            out = self.folder / name
            status, said = weir(*words, "-o", str(out), *extra)
            self.assertEqual(status, 0, said)
            planes = exr_file.read(out / "image_0002.exr")
            pixels = np.asarray(png(out / "image_0002.png"), int)
            clear = pixels.shape[2] == 4
            self.assertEqual("".join(sorted(planes)), "ABGR" if clear else "BGR")
            self.assertEqual(planes["R"].shape, pixels.shape[:2])
            self.assertTrue(all(np.isfinite(plane).all() for plane in planes.values()))
            self.assertGreater(planes["R"].max(), 0.1)
            if clear:
                self.assertLess(planes["A"].min(), 0.01)
                self.assertGreater(planes["A"].max(), 0.99)
            else:
                light = np.stack([planes[k] for k in "RGB"], axis=2)
                self.assertLess(np.abs(shown(light) - pixels).max(), 1.5)

    def test_without_background_there_is_alpha(self):
        out = self.folder / "clear"
        frame = self.run_folder / "particles" / "particles_0002.ply"
        status, said = weir("render", str(frame), "-o", str(out), "--size", "40x30", "--transparent")
        self.assertEqual(status, 0, said)
        picture = png(out / "image_0002.png")
        self.assertEqual((picture.size, picture.mode), ((40, 30), "RGBA"))

    def test_the_camera_is_that_of_the_flags(self):
        frame = str(self.run_folder / "particles" / "particles_0002.ply")
        near, far = self.folder / "near", self.folder / "far"
        for out, eye in ((near, "0.3,0.3,0.9"), (far, "3,3,9")):
            status, said = weir("render", frame, "-o", str(out), "--size", "40x30", "--eye", eye, "--transparent")
            self.assertEqual(status, 0, said)
        size = [np.count_nonzero(np.asarray(png(out / "image_0002.png"))[..., 3]) for out in (near, far)]
        self.assertGreater(size[0], 2 * size[1])
        self.assertGreater(size[1], 0)

    def test_a_turntable_goes_round_the_target(self):
        frame = str(self.run_folder / "particles" / "particles_0002.ply")  # at 1/30 s
        pictures = []
        for name, eye, extra in (("still", "0.25,0.4,1.05", []), ("side", "-0.65,0.4,0.15", []),
                                 ("turned", "0.25,0.4,1.05", ["--turntable", "2700"])):
            status, said = weir("render", frame, "-o", str(self.folder / name), "--size", "64x48", "--eye", eye,
                                "--target", "0.25,0.1,0.15", *extra)
            self.assertEqual(status, 0, said)
            pictures.append(png(self.folder / name / "image_0002.png"))
        still, side, turned = pictures
        self.assertLess(differing(side, turned, 4), 0.005)
        self.assertGreater(differing(still, turned, 4), 0.1)

    def test_keyframes_move_the_camera(self):
        frame = str(self.run_folder / "particles" / "particles_0002.ply")  # at 1/30 s
        keyed = self.folder / "keyed.json"
        keyed.write_text(SCENE[:-1] + """, "camera": {"eye": [0.2, 0.3, 0.9], "target": [0.2, 0.1, 0.1],
"keyframes": [{"time": 0, "fov": 30}, {"time": 0.06666666666, "eye": [0.6, 0.3, 0.9]}]}}""")
        pictures = []
        for name, extra in (("there", ["--eye", "0.4,0.3,0.9", "--target", "0.2,0.1,0.1", "--fov", "35"]),
                            ("start", ["--turntable", "0.0001"]), ("keyed", []), ("blurred", ["--shutter", "1"])):
            status, said = weir("render", frame, "--scene", str(keyed), "-o", str(self.folder / name), "--size",
                                "64x48", "--samples", "1", *extra)
            self.assertEqual(status, 0, said)
            pictures.append(png(self.folder / name / "image_0002.png"))
        there, start, moved, blurred = pictures
        self.assertLess(differing(moved, there, 4), 0.005)  # halfway, the same by symmetry
        self.assertGreater(differing(moved, start, 4), 0.1)  # --turntable overrides keyframes
        self.assertGreater(differing(moved, blurred, 4), 0.1)  # the camera moves while the shutter is open

    def test_particles_are_as_large_as_their_file_says(self):
        frame = str(self.run_folder / "particles" / "particles_0002.ply")
        finer = self.folder / "finer.json"
        finer.write_text(SCENE.replace('"spacing": 0.05', '"spacing": 0.02'))
        words = ["render", frame, "--scene", str(finer), "--size", "64x36", "--samples", "1"]
        status, said = weir(*words, "-o", str(self.folder / "own"))
        self.assertEqual(status, 0, said)
        self.assertIn("0.05 m in the file and 0.02 m in the scene", said)
        own = png(self.folder / "own" / "image_0002.png")
        self.assertEqual(own, png(self.run_folder / "images" / "image_0002.png"))
        status, said = weir(*words, "-o", str(self.folder / "said"), "--spacing", "0.02")
        self.assertEqual(status, 0, said)
        self.assertNotIn("m in the file and", said)
        self.assertNotEqual(own, png(self.folder / "said" / "image_0002.png"))

    def test_a_file_with_faces_is_drawn_as_a_mesh(self):
        cube = str(pathlib.Path("tests/data/cube_ascii.ply").resolve())
        out = self.folder / "cube"
        words = ["render", cube, "-o", str(out), "--size", "64x48", "--samples", "1", "--transparent"]
        status, said = weir(*words, "--mode", "mesh")
        self.assertEqual(status, 0, said)
        picture = png(out / "image_0001.png")
        self.assertEqual((picture.size, picture.mode), ((64, 48), "RGBA"))
        status, said = weir(*words, "--mode", "particles")
        self.assertEqual(status, 2, said)
        self.assertIn("a mesh has no particles to draw", said)

    def test_a_folder_of_meshes_is_drawn(self):
        meshes, out = self.folder / "meshes", self.folder / "meshes_drawn"
        meshes.mkdir()
        for number in (1, 2):
            shutil.copy("tests/data/cube.obj", meshes / f"surface_{number:04}.obj")
        status, said = weir("render", str(meshes), "-o", str(out), "--size", "64x48", "--samples", "1")
        self.assertEqual(status, 0, said)
        self.assertEqual(sorted(p.name for p in out.iterdir()), ["image_0001.png", "image_0002.png"])

    def run_with_bodies(self, name, *extra):
        scene = self.folder / "bodies.json"
        scene.write_text(WITH_BODIES)
        run = self.folder / name
        status, said = weir("run", str(scene), "-o", str(run), "--size", "64x36", "--samples", "1", "--images", *extra)
        self.assertEqual(status, 0, said)
        return run

    def render(self, run, name, *extra):
        out = self.folder / name
        status, said = weir("render", str(run), "-o", str(out), "--size", "64x36", "--samples", "1", *extra)
        self.assertEqual(status, 0, said)
        return [png(out / f"image_{i:04}.png") for i in range(4)], said

    def test_bodies_of_stored_frames_are_drawn_where_they_were(self):
        run = self.run_with_bodies("bodies")
        live = [png(run / "images" / f"image_{i:04}.png") for i in range(4)]
        self.assertEqual(self.render(run, "bodies_again")[0], live)
        lines = (run / "bodies.jsonl").read_text().splitlines(keepends=True)
        (run / "bodies.jsonl").write_text("".join(lines[:3]))
        pictures, said = self.render(run, "bodies_cut")
        self.assertIn("has no line for frame 3: its bodies are not drawn", said)
        self.assertEqual(pictures[:3], live[:3])
        self.assertNotEqual(pictures[3], live[3])
        for fault in (lines[0].replace('"rotation": [0, ', '"rotation": ['), lines[0][:40]):
            (run / "bodies.jsonl").write_text(fault)
            status, said = weir("render", str(run), "-o", str(self.folder / "bodies_bad"))
            self.assertEqual(status, 1, said)
            self.assertIn("bodies.jsonl:1: not a valid record of bodies", said)

    def test_bodies_of_a_turned_run_are_drawn_where_they_were(self):
        run = self.run_with_bodies("bodies_turned", "--up", "z", "--scale", "2")
        live = png(run / "images" / "image_0003.png")
        again = self.render(run, "bodies_turned_again")[0][3]
        self.assertLess(differing(live, again, 8), 0.01)

    def test_particles_of_a_turned_run_have_its_velocities(self):
        scene = self.folder / "flying.json"
        scene.write_text(SCENE.replace('"fill": {', '"fill": {"velocity": [0, 2, 0], '))
        run = self.folder / "flying"
        look = ("--size", "96x54", "--samples", "1", "--mode", "particles", "--colour-range", "0,4", "--shutter", "1")
        status, said = weir("run", str(scene), "-o", str(run), "--frames", "1:1", "--images", "--up", "z", "--scale",
                            "2", *look)
        self.assertEqual(status, 0, said)
        status, said = weir("render", str(run), "-o", str(self.folder / "flying_again"), *look)
        self.assertEqual(status, 0, said)
        live, again = [png(f / "image_0001.png") for f in (run / "images", self.folder / "flying_again")]
        self.assertLess(differing(live, again, 8), 0.002)

    def test_bodies_that_another_scene_does_not_have_are_refused(self):
        run = self.run_with_bodies("bodies_few")
        one = ["--set", 'bodies=[{"name": "a", "density": 9, "shape": {"sphere": {"radius": 0.1}}}]']
        status, said = weir("render", str(run), "-o", str(self.folder / "x"), *one)
        self.assertEqual(status, 2, said)
        self.assertIn("got poses of 2 bodies, expected as many as the scene has: 1", said)

    def test_a_mesh_of_a_run_is_drawn_where_the_run_was(self):
        pictures = []
        for name, extra in (("plain", []), ("turned", ["--up", "z", "--scale", "2"])):
            run = self.folder / name
            status, said = weir("run", str(self.folder / "tiny.json"), "-o", str(run), "--mesh", "ply",
                                "--particles", "none", "--frames", "0:1", *extra)
            self.assertEqual(status, 0, said)
            out = self.folder / (name + "_drawn")
            status, said = weir("render", str(run / "mesh" / "surface_0001.ply"), "-o", str(out), "--size",
                                "64x36", "--samples", "1")
            self.assertEqual(status, 0, said)
            pictures.append(png(out / "image_0001.png"))
        self.assertLess(differing(*pictures, 8), 0.02)

    def test_whitewater_of_a_run_is_drawn_over_its_meshes(self):
        run = self.folder / "white"
        status, said = weir("run", "tests/scenes/whitewater_command_dam.json", "-o", str(run), "--mesh", "ply",
                            "--frames", "16:16")
        self.assertEqual(status, 0, said)
        pictures = []
        for name, subject, extra in (("particles", run, []), ("meshes", run / "mesh", []),
                                     ("bare", run / "mesh", ["--no-whitewater"])):
            out = self.folder / ("white_" + name)
            status, said = weir("render", str(subject), "-o", str(out), "--size", "128x72", "--samples", "1", *extra)
            self.assertEqual(status, 0, said)
            pictures.append(np.asarray(png(out / "image_0016.png"), int))
        added = pictures[1].sum(2) - pictures[2].sum(2)
        self.assertGreater(np.mean(added > 60), 0.004)  # foam is lighter than water
        self.assertGreater(np.mean(added > 60), 0.7 * np.mean(np.abs(added) > 60))
        near = np.abs(pictures[1] - pictures[0]).mean(2)[added > 60].mean()
        self.assertLess(near, 0.8 * np.abs(pictures[2] - pictures[0]).mean(2)[added > 60].mean())

    def test_colours_span_the_rounded_percentiles_of_each_frame(self):
        """Two frames of a column of particles, at 0 to 4 m/s and at 0 to 1 m/s, with one at 100 m/s."""
        frames = self.folder / "speeds"
        frames.mkdir()
        rows = np.zeros((2000, 6), "<f4")
        rows[:, 0], rows[:, 1] = np.arange(2000) % 50 * 0.02, np.arange(2000) // 50 * 0.02
        head = ("ply\nformat binary_little_endian 1.0\ncomment radius_m=0.01\nelement vertex 2000\n" +
                "".join(f"property float {name}\n" for name in ("x", "y", "z", "vx", "vy", "vz")) + "end_header\n")
        for number, most in ((1, 4.0), (2, 1.0)):
            rows[:, 4] = most * rows[:, 1] / rows[:, 1].max()
            rows[0, 4] = 100.0
            (frames / f"p_{number:04}.ply").write_bytes(head.encode() + rows.tobytes())

        def drawn(name, *words):
            status, said = weir("render", str(frames), "-o", str(self.folder / name), "--size", "128x128", "--samples",
                                "1", "--mode", "particles", "--no-legend", "--no-shadows", *words)
            self.assertEqual(status, 0, said)
            return [png(self.folder / name / f"image_{number:04}.png") for number in (1, 2)]
        found = drawn("found")
        for at, most in enumerate(("0,4", "0,1")):
            given = drawn("given_" + most, "--colour-range", most)
            self.assertLess(differing(found[at], given[at], 1), 0.001)
            self.assertGreater(differing(found[1 - at], given[1 - at], 12), 0.1)
        status, said = weir("render", str(frames), "-o", str(self.folder / "none"), "--size", "64x64", "--samples", "1",
                            "--mode", "particles", "--colour", "density", "--frames", "1:1")
        self.assertIn("has no density, so all particles have the same colour", said)
        self.assertGreater(differing(drawn("inferno", "--colour-map", "inferno")[0], found[0], 12), 0.2)
        self.assertGreater(differing(drawn("middle", "--colour-percentiles", "25,75")[0], found[0], 12), 0.05)

    def test_what_cannot_be_done_is_said(self):
        frame = str(self.run_folder / "particles" / "particles_0002.ply")
        for words, said in ((["--size", "0x10"], "expected 1 to 16384"), (["--size", "ten"], "expected 2 numbers"),
                            (["--eye", "1,2"], "expected 3 numbers"), (["--samples", "9"], "expected 1 to 4"),
                            (["--mode", "depht"], "depth"), (["--colour-map", "viridus"], "viridis"),
                            (["--colour-percentiles", "99,1"], "expected two numbers from 0 to 100"),
                            (["--colour-attribute", "dye", "--mode", "depth"], "show no attributes; choose surface"),
                            (["--colour-attribute", "dye"], "they have none")):
            status, text = weir("render", frame, "-o", str(self.folder / "x"), *words)
            self.assertEqual(status, 2, text)
            self.assertIn(said, text)
        status, text = weir("render", str(self.folder / "none.ply"))
        self.assertEqual(status, 1, text)
        status, text = weir("render")
        self.assertEqual(status, 2, text)


if __name__ == "__main__":
    unittest.main()
