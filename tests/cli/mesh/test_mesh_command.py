#!/usr/bin/python3
"""Tests weir mesh and weir run --mesh in typical use: sequences by pattern, folder and run; bad or empty
frames; two processes on one sequence; watching a run; a disk that fills up.

test_mesh_command.py WEIR
"""
import json
import os
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
import unittest

sys.path.insert(0, "tests/support/cli")
from weir_case import WEIR, WeirCase  # noqa: E402

SPACING = 0.1
SCENE = {"name": "pool", "domain": {"min": [0, 0, 0], "max": [0.8, 0.8, 0.8]}, "spacing": 0.1,
         "frame_rate": 30, "duration": 0.2,
         "fluids": [{"name": "water", "fill": {"shape": {"box": {"min": [0, 0, 0],
                                                                 "max": [0.8, 0.4, 0.8]}}}}]}


def ball(radius, centre=(0.0, 0.0, 0.0)):
    """Returns a lattice ball of particles."""
    reach = int(radius / SPACING) + 1
    steps = range(-reach, reach + 1)
    return [tuple(c + SPACING * k for c, k in zip(centre, (i, j, l))) for i in steps for j in steps
            for l in steps if (i * i + j * j + l * l) * SPACING * SPACING <= radius * radius]


def write_ply(path, points, velocity=(1.0, 2.0, 3.0), remark="comment radius_m=0.05\n"):
    with open(path, "wb") as f:
        f.write(("ply\nformat binary_little_endian 1.0\n%selement vertex %d\n" %
                 (remark, len(points))).encode())
        f.write("".join("property float %s\n" % n for n in "x y z vx vy vz".split()).encode())
        f.write(b"end_header\n")
        for p in points:
            f.write(struct.pack("<6f", *p, *velocity))


def read_obj(path):
    points, faces = [], []
    with open(path, encoding="ascii") as f:
        for line in f:
            words = line.split()
            if words[0] == "v":
                points.append(tuple(map(float, words[1:])))
            elif words[0] == "f":
                faces.append(tuple(int(w.split("/")[0]) - 1 for w in words[1:]))
    return points, faces


def limits_files(test):
    """SwiftShader keeps its compiled code in memory files, and a limit on file sizes truncates these, too."""
    drivers = os.environ.get("VK_DRIVER_FILES", "") + os.environ.get("VK_ICD_FILENAMES", "")
    return unittest.skipIf("swiftshader" in drivers, "a limit on files stops the driver itself")(test)


def system_driver():
    """Returns the environment with the system's lavapipe: that of Mesa 26 keeps device memory in files, which the limits
    of these tests hold, too.
    """
    driver = os.environ.get("WEIR_SYSTEM_LAVAPIPE")
    return {**os.environ, "VK_DRIVER_FILES": driver, "VK_ICD_FILENAMES": driver} if driver else None


class Mesh(WeirCase):
    def frames(self, numbers, folder="particles", name="particles_%04d.ply"):
        os.makedirs(self.at(folder), exist_ok=True)
        for n in numbers:
            write_ply(self.at(folder, name % n), ball(0.3, (0.05 * n, 0, 0)))

    def listed(self, folder):
        return sorted(os.listdir(self.at(folder)))

    # ---- names -----------------------------------------------------------------------------------

    def pairs(self, *arguments):
        lines = self.weir("mesh", "--dry-run", *arguments).splitlines()
        return [tuple(line.split(" -> ")) for line in lines]

    def test_patterns_folders_and_lists_name_the_same_frames(self):
        self.frames((1, 2, 10))
        os.rename(self.at("particles", "particles_0010.ply"), self.at("particles", "particles_10.ply"))
        with open(self.at("particles", "notes.txt"), "w", encoding="ascii") as f:
            f.write("nothing\n")
        wanted = [("particles/particles_0001.ply", "out/s_001.obj"),
                  ("particles/particles_0002.ply", "out/s_002.obj"),
                  ("particles/particles_10.ply", "out/s_010.obj")]
        for words in (["particles/particles_*.ply"], ["particles/particles_{}.ply"], ["particles"],
                      ["particles/particles_%04d.ply"], ["particles/particles_####.ply"], ["."],
                      ["particles/particles_10.ply", "particles/particles_000?.ply"]):
            with self.subTest(words=words):
                got = self.pairs(*words, "-o", "out/s_%03d.obj")
                self.assertEqual([(os.path.normpath(a), b) for a, b in got], wanted)

    def test_frames_keep_their_numbers_and_are_chosen_by_range_and_step(self):
        self.frames(range(7, 13))
        names = [b for _, b in self.pairs("particles", "--frames", "8:12:2", "-o", "m/{}.ply")]
        self.assertEqual(names, ["m/0008.ply", "m/0010.ply", "m/0012.ply"])
        names = [b for _, b in self.pairs("particles", "--frames", "9:", "--format", "bgeo")]
        self.assertEqual(names, ["mesh/surface_%04d.bgeo" % n for n in range(9, 13)])

    def test_the_number_stands_where_the_pattern_says(self):
        self.frames((3, 4), name="sim2_%d_v7.ply")
        got = self.pairs("particles/sim2_{}_v7.ply", "-o", "m/")
        self.assertEqual([b for _, b in got], ["m/surface_0003.obj", "m/surface_0004.obj"])

    def test_in_the_names_of_folders_marks_are_letters(self):
        for folder in ("Shot #2", "v{}1", "p%d q", "a*b?", "q'uote \"d", "\u6ce2 \u00e9"):
            with self.subTest(folder=folder):
                self.frames((3, 4), folder=folder, name="f_%04d.PLY")
                for words in ([folder], [folder + "/*.ply"], [folder + "/f_{}.PLY"], [folder + "/f_####.ply"]):
                    got = self.pairs(*words, "-o", folder + "/M_{}.OBJ")
                    wanted = [("%s/f_%04d.PLY" % (folder, n), "%s/M_%04d.OBJ" % (folder, n)) for n in (3, 4)]
                    self.assertEqual([tuple(map(os.path.normpath, pair)) for pair in got], wanted)
        self.weir("mesh", "v{}1", "-o", "v{}1/M_{}.OBJ")
        self.assertEqual(self.listed("v{}1"), ["M_0003.OBJ", "M_0004.OBJ", "f_0003.PLY", "f_0004.PLY"])
        write_ply(self.at("v{}1", "x_{}.ply"), ball(0.3))  # a file whose own name looks like a pattern
        self.assertEqual(self.pairs("v{}1/x_{}.ply", "-o", "one.obj"), [("v{}1/x_{}.ply", "one.obj")])

    def test_wrong_use_is_said_and_writes_nothing(self):
        self.frames((1, 2))
        for arguments, words in (
                (["nowhere"], "no such file"), (["particles/*.bgeo"], "no file matches"),
                (["particles", "-o", "a.obj"], "no placeholder for the frame number"),
                (["particles", "-o", "a_%d.stl"], '"stl" is not a mesh format'),
                (["*/a.ply"], "only the last part of a pattern"),
                (["particles", "--frames", "5:1"], "is not a range of frames"),
                (["particles", "--frames", "1:5:0"], "is not a range of frames"),
                ([], "a file is missing")):
            done = subprocess.run([WEIR, "mesh", *arguments], capture_output=True, text=True,
                                  cwd=self.folder)
            self.assertIn(done.returncode, (1, 2), arguments)
            self.assertIn(words, done.stderr)
        write_ply(self.at("other_0001.ply"), ball(0.2))
        self.assertIn("are both frame 1", self.weir("mesh", "particles", "other_0001.ply", status=2))
        self.assertEqual(sorted(os.listdir(self.folder)), ["other_0001.ply", "particles"])

    # ---- meshes ----------------------------------------------------------------------------------

    def test_a_sequence_becomes_closed_surfaces(self):
        self.frames((1, 2, 3))
        said = self.weir("mesh", "particles")
        self.assertIn("3 frames meshed", said)
        self.assertEqual(self.listed("mesh"), ["surface_000%d.obj" % n for n in (1, 2, 3)])
        for n in (1, 2, 3):
            self.weir("check", "mesh/surface_%04d.obj" % n)
            points, faces = read_obj(self.at("mesh", "surface_%04d.obj" % n))
            self.assertGreater(len(faces), 20)
            middle = sum(p[0] for p in points) / len(points)
            self.assertAlmostEqual(middle, 0.05 * n, delta=0.02)

    def test_axes_scale_and_velocities(self):
        self.frames((1,))
        self.weir("mesh", "particles", "-o", "y.ply", "--quiet")
        self.weir("mesh", "particles", "-o", "z.ply", "--up", "z", "--scale", "2", "--quiet")
        self.weir("mesh", "particles", "-o", "back.ply", "--input-up", "z", "--quiet")
        y, z, back = (self.read_ply(self.at(n + ".ply")) for n in ("y", "z", "back"))
        self.assertEqual(len(y), len(z))
        for a, b, c in zip(y, z, back):
            self.assertEqual(b[:3], (2 * a[0], -2 * a[2], 2 * a[1]))
            self.assertEqual(c[:3], (a[0], a[2], -a[1]))
            for got, wanted in zip(a[6:9], (1, 2, 3)):
                self.assertAlmostEqual(got, wanted, 4)
            for got, wanted in zip(b[6:9], (2, -6, 4)):
                self.assertAlmostEqual(got, wanted, 4)

    def read_ply(self, path):
        with open(path, "rb") as f:
            head, rest = f.read().split(b"end_header\n", 1)
        count = int(head.split(b"element vertex ")[1].split()[0])
        return [struct.unpack_from("<9f", rest, 36 * i) for i in range(count)]

    def test_the_spacing_is_found_and_said(self):
        os.makedirs(self.at("p"))
        for n in (1, 2):
            write_ply(self.at("p", "a_%d.ply" % n), ball(0.45), remark="")
        said = self.weir("mesh", "p")
        self.assertIn("has no particle radius", said)
        found = float(said.split("a spacing of ")[1].split()[0])
        self.assertAlmostEqual(found, SPACING, delta=0.04 * SPACING)
        self.assertNotIn("has no particle radius", self.weir("mesh", "p", "--spacing", "0.1"))

    def test_every_shared_file_of_other_programs_becomes_a_closed_surface(self):
        shared = os.path.join(os.getcwd(), "..", "shared", "particles")
        if not os.path.isdir(shared):
            self.skipTest("no folder ../shared/particles with other programs' frames")
        for name in sorted(os.listdir(shared)):
            with self.subTest(name=name):
                self.weir("mesh", os.path.join(shared, name), "-o", "one.ply", "--quiet")
                said = self.weir("check", "one.ply")
                self.assertIn("below 5 degrees    0 of", said)

    def test_a_bad_frame_does_not_stop_the_others(self):
        self.frames((1, 2, 3))
        with open(self.at("particles", "particles_0002.ply"), "r+b") as f:
            f.truncate(300)
        said = self.weir("mesh", "particles", status=1)
        self.assertEqual(said.count("particles_0002.ply"), 1)
        self.assertRegex(said, r"particles_0002.ply: byte \d+: ")
        self.assertIn("1 of 3 frames failed", said)
        self.assertEqual(self.listed("mesh"), ["surface_0001.obj", "surface_0003.obj"])

    def test_an_empty_frame_is_an_empty_mesh_and_said(self):
        self.frames((1,))
        write_ply(self.at("particles", "particles_0002.ply"), [])
        for extension in ("obj", "ply", "vtk", "bgeo", "vtp"):
            said = self.weir("mesh", "particles", "--format", extension)
            self.assertIn("contains no particles", said)
            self.assertIn("1 frame without a surface", said)
            self.assertTrue(os.path.getsize(self.at("mesh", "surface_0002." + extension)) > 20)

    def test_every_format_and_choice_of_fields_of_a_run_is_meshed(self):
        with open(self.at("pool.json"), "w", encoding="ascii") as f:
            json.dump(SCENE, f)
        for kind in ("ply", "vtk", "bgeo", "xyz", "npy", "vtp"):
            for fields in ("id", "velocity,id", "velocity,density", "id,fluid,density"):
                self.weir("run", "pool.json", "-o", "out", "--force", "--frames", "1:1", "--quiet",
                          "--particles", kind, "--fields", fields)
                self.assertIn("1 frame meshed", self.weir("mesh", "out", "--format", "ply"))
        self.weir("run", "pool.json", "-o", "out", "--force", "--frames", "1:1", "--quiet",
                  "--particles", "raw")
        self.assertIn("1 frame meshed", self.weir("mesh", "out", "--format", "ply"))

    def test_what_is_written_is_checked_as_a_mesh(self):
        self.frames((1,))
        for extension in ("obj", "ply", "vtk", "bgeo", "vtp"):
            self.weir("mesh", "particles", "--format", extension)
            said = self.weir("check", self.at("mesh", "surface_0001." + extension), "--json")
            self.assertTrue(json.loads(said)["closed"])

    @limits_files
    def test_a_file_over_the_limit_is_an_error_and_leaves_nothing(self):
        self.frames((1, 2))
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
        said = self.weir("mesh", "particles", "--no-refine", status=1, preexec_fn=limit, env=system_driver())
        self.assertIn("surface_0001.obj: cannot be written", said)
        self.assertIn("2 of 2 frames failed", said)
        self.assertEqual(os.listdir(self.at("mesh")), [])

    def test_done_frames_are_skipped(self):
        self.frames((1, 2, 3))
        self.weir("mesh", "particles", "--frames", "1:2")
        kept = os.stat(self.at("mesh", "surface_0001.obj")).st_mtime_ns
        said = self.weir("mesh", "particles", "--skip-existing")
        self.assertIn("2 frames skipped: already meshed", said)
        self.assertIn("1 frame meshed", said)
        self.assertEqual(os.stat(self.at("mesh", "surface_0001.obj")).st_mtime_ns, kept)

    def test_reruns_and_thread_counts_give_the_same_bytes(self):
        self.frames((1, 2))
        self.weir("mesh", "particles", "-o", "a/")
        self.weir("mesh", "particles", "-o", "b/")
        one = "taskset" if shutil.which("taskset") else None
        if one:
            subprocess.run([one, "-c", "0", WEIR, "mesh", "particles", "-o", "c/", "-q"], check=True,
                           cwd=self.folder)
        for name in self.listed("a"):
            for other in ("b", "c") if one else ("b",):
                with open(self.at("a", name), "rb") as f, open(self.at(other, name), "rb") as g:
                    self.assertEqual(f.read(), g.read())

    def test_naming_the_default_preset_changes_nothing(self):
        self.frames((1,))
        for options in ((), ("--no-refine",)):
            self.weir("mesh", "particles", "-o", "a/", *options)
            self.weir("mesh", "particles", "-o", "b/", "--preset", "calibrated", *options)
            for name in self.listed("a"):
                with open(self.at("a", name), "rb") as f, open(self.at("b", name), "rb") as g:
                    self.assertEqual(f.read(), g.read(), (name, options))

    def test_two_processes_share_a_sequence(self):
        """A farm: each process takes a range of the frames in a shared folder. They know the spacing only
        from the frames, and the files equal those of a single process.
        """
        os.makedirs(self.at("p"))
        for n in range(1, 9):
            write_ply(self.at("p", "a_%04d.ply" % n), ball(0.1 + 0.03 * n), remark="")
        parts = [subprocess.Popen([WEIR, "mesh", "p", "-o", "shared/s_%04d.vtk", "--frames", part, "-q"],
                                  cwd=self.folder) for part in ("1:4", "5:8")]
        self.assertEqual([part.wait(timeout=12000) for part in parts], [0, 0])
        self.weir("mesh", "p", "-o", "alone/s_%04d.vtk", "-q")
        names = ["s_%04d.vtk" % n for n in range(1, 9)]
        self.assertEqual([n for n in self.listed("shared") if n.endswith(".vtk")], names)
        for name in names:
            with open(self.at("shared", name), "rb") as f, open(self.at("alone", name), "rb") as g:
                self.assertEqual(f.read(), g.read(), name)
        with open(self.at("shared", "s.vtk.series"), encoding="utf-8") as f:
            self.assertEqual([entry["name"] for entry in json.load(f)["files"]], names)

    @limits_files
    def test_a_full_disk_leaves_no_half_file(self):
        self.frames((1, 2))

        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (400, 400))
        said = self.weir("mesh", "particles", "-o", "full/", status=1, preexec_fn=small_files,
                         env=system_driver())
        self.assertIn("surface_0001.obj: cannot be written", said)
        self.assertIn("2 of 2 frames failed", said)
        self.assertEqual(self.listed("full"), [])

    def test_spray_leaves_the_surface_as_points_with_a_radius(self):
        os.makedirs(self.at("p"))
        write_ply(self.at("p", "a_1.ply"), ball(0.3) + [(2, 2, 2), (-3, 1, 0)])
        self.weir("mesh", "p", "-o", "m/s_%d.obj", "--spray-neighbours", "4")
        with open(self.at("m", "spray_0001.ply"), "rb") as f:
            head, rows = f.read().split(b"end_header\n", 1)
        self.assertIn(b"element vertex 2\n", head)
        self.assertIn(b"property float radius\n", head)
        found = [struct.unpack_from("<7f", rows, 28 * i) for i in range(2)]
        self.assertEqual(sorted(row[:3] for row in found), [(-3, 1, 0), (2, 2, 2)])
        self.assertTrue(all(0.04 < row[6] < 0.07 for row in found))
        points, _ = read_obj(self.at("m", "s_1.obj"))
        self.assertTrue(all(max(map(abs, p)) < 1 for p in points))

    # ---- with weir run ---------------------------------------------------------------------------

    def scene(self):
        with open(self.at("pool.json"), "w", encoding="ascii") as f:
            json.dump(SCENE, f)
        return "pool.json"

    def test_a_run_s_particles_are_meshed_by_what_its_run_json_says(self):
        self.weir("run", self.scene(), "-o", "run", "--up", "z", "--quiet")
        said = self.weir("mesh", "run", "--frames", "0:6:3")
        self.assertNotIn("has no particle radius", said)
        self.assertEqual(self.listed("run/mesh"), ["surface_000%d.obj" % n for n in (0, 3, 6)])
        points, _ = read_obj(self.at("run", "mesh", "surface_0000.obj"))
        self.assertLess(max(p[1] for p in points), 0.5)  # y is up again: the water is 0.4 m deep
        self.assertGreater(max(p[2] for p in points), 0.6)

    def test_a_run_s_meshes_meet_its_walls_unless_told_otherwise(self):
        self.weir("run", self.scene(), "-o", "run", "--quiet")
        low, high = SCENE["domain"]["min"], SCENE["domain"]["max"]
        for options, flush in (((), True), (("--no-snap-to-solids",), False), (("--no-refine",), False)):
            self.weir("mesh", "run", "-o", "m_%d.obj", "--frames", "6:6", "--quiet", *options)
            points, _ = read_obj(self.at("m_6.obj"))
            out = max(max(low[k] - p[k], p[k] - high[k]) for p in points for k in range(3))
            self.assertEqual(abs(out) < 1e-4, flush, options)
        self.frames((1,))
        self.assertNotIn("solids", self.weir("mesh", "particles/particles_0001.ply", "-o", "free.obj"))
        for options, words in ((("--snap-to-solids",), "the solids are unknown without the run.json of a run"),
                               (("--snap-to-solids", "--no-refine"), "exclude each other")):
            self.assertIn(words, self.weir("mesh", "particles/particles_0001.ply", *options, status=2))
        self.weir("run", "pool.json", "-o", "turned", "--up", "z", "--quiet")
        self.assertIn("not moved onto solids: the particles were written with another up axis",
                      self.weir("mesh", "turned", "--frames", "6:6"))

    def test_live_meshes_are_those_made_later_and_run_json_repeats_them(self):
        self.weir("run", self.scene(), "-o", "run", "--mesh", "obj", "--quiet")
        names = ["surface_%04d.obj" % n for n in range(7)]
        self.assertEqual(self.listed("run/mesh"), names)
        self.weir("mesh", "run", "-o", "later/", "--quiet")
        self.weir("run", "run/run.json", "-o", "again", "--quiet")
        for name in names:
            with open(self.at("run/mesh", name), "rb") as f:
                live = f.read()
            for other in ("later", "again/mesh"):
                with open(self.at(other, name), "rb") as f:
                    self.assertEqual(f.read(), live, other + "/" + name)

    def test_force_replaces_meshes_too(self):
        self.weir("run", self.scene(), "-o", "run", "--mesh", "vtk", "--quiet")
        self.weir("run", "pool.json", "-o", "run", "--frames", "1", "--force", "--quiet")
        self.assertEqual(self.listed("run/mesh"), [])

    def test_watching_a_run_ends_with_its_last_frame(self):
        watcher = subprocess.Popen([WEIR, "mesh", "run", "--watch"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            time.sleep(0.3)
            self.weir("run", self.scene(), "-o", "run", "--quiet")
            said, _ = watcher.communicate(timeout=1200)
        finally:
            watcher.kill()
        self.assertEqual(watcher.returncode, 0, said)
        self.assertIn("7 frames meshed", said)
        self.assertEqual(len(self.listed("run/mesh")), 7)

    def test_a_frame_that_another_program_is_still_writing_is_tried_again(self):
        self.frames((1, 2))
        with open(self.at("particles", "particles_0002.ply"), "rb") as f:
            whole = f.read()
        with open(self.at("particles", "particles_0002.ply"), "wb") as f:
            f.write(whole[:400])
        watcher = subprocess.Popen([WEIR, "mesh", "particles", "--watch", "--frames", "1:2"],
                                   cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        try:
            time.sleep(0.6)
            with open(self.at("particles", "particles_0002.ply"), "ab") as f:
                f.write(whole[400:])
            said, _ = watcher.communicate(timeout=1200)
        finally:
            watcher.kill()
        self.assertEqual(watcher.returncode, 0, said)
        self.assertEqual(self.listed("mesh"), ["surface_0001.obj", "surface_0002.obj"])

    def test_ctrl_c_ends_watching_with_whole_files(self):
        self.frames((1, 2))
        watcher = subprocess.Popen([WEIR, "mesh", "particles", "--watch"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            for _ in range(600):
                if os.path.exists(self.at("mesh", "surface_0002.obj")):
                    break
                time.sleep(0.1)
            watcher.send_signal(signal.SIGINT)
            said, _ = watcher.communicate(timeout=1200)
        finally:
            watcher.kill()
        self.assertEqual(watcher.returncode, 75, said)
        self.assertIn("repeat the command with --skip-existing", said)
        self.assertEqual(self.listed("mesh"), ["surface_0001.obj", "surface_0002.obj"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
