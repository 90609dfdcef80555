"""Tests weir report: its contents, that a broken scene is also packed, and that it contains no private path.

test_report.py WEIR
"""
import json
import os
import subprocess
import sys
import tarfile
import tempfile

WEIR = os.path.abspath(sys.argv[1])
SCENE = {
    "name": "tiny", "domain": {"min": [0, 0, 0], "max": [0.5, 0.5, 0.3]}, "frame_rate": 60, "duration": 0.5,
    "spacing": 0.1, "solver": {"substeps": 1, "iterations": 1},
    "fluids": [{"name": "water", "fill": {"shape": {"box": {"min": [0, 0, 0], "max": [0.3, 0.2, 0.3]}}}}]}


class Place:
    """A folder within a home folder, where a user works."""

    def __init__(self, root):
        self.home = os.path.join(root, "homes", "ann")
        self.here = os.path.join(self.home, "sim")
        os.makedirs(self.here)
        self.put("tiny.json", json.dumps(SCENE))
        self.put("cut.json", '{"spacing": 0.1,\n "gravty": 3}')

    def put(self, name, text):
        with open(os.path.join(self.here, name), "w") as file:
            file.write(text)

    def weir(self, *words, status=0):
        env = dict(os.environ, HOME=self.home, XDG_CACHE_HOME=self.home + "/cache",
                   VK_LOADER_DEBUG="error", LP_NUM_THREADS="2")
        done = subprocess.run([WEIR, *words], cwd=self.here, env=env, capture_output=True, text=True)
        assert done.returncode == status, (words, done.returncode, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def report(self, *words):
        """Returns the texts of a report by name; none of them may contain the path of the home folder."""
        said = self.weir("report", *words, "-o", "r.tar")
        with tarfile.open(os.path.join(self.here, "r.tar")) as tar:
            texts = {member.name: tar.extractfile(member).read().decode() for member in tar.getmembers()}
        for name, text in texts.items():
            assert os.path.dirname(name) == "weir-report", name
            assert self.home not in text and "ann" not in text.split("/"), (name, text)
            assert os.path.basename(name) in said, (name, said)
        assert "Read the files before you send them" in said
        return {os.path.basename(name): text for name, text in texts.items()}


def a_bare_report_has_version_devices_and_environment(place):
    texts = place.report()
    assert sorted(texts) == ["messages.txt", "report.txt"], texts.keys()
    for words in [place.weir("--version").split()[1], "driver  ", "storage range", "will be used\n",
                  "VK_LOADER_DEBUG=error", "LP_NUM_THREADS=2"]:
        assert words in texts["report.txt"], (words, texts["report.txt"])
    assert texts["messages.txt"] == "nothing\n", texts["messages.txt"]
    texts = place.report()  # again, with the cache that the first report filled
    assert "debug: ~/cache/weir/pipelines-" in texts["messages.txt"], texts["messages.txt"]


def a_run_is_packed_with_its_settings_and_its_last_frames(place):
    place.weir("run", "tiny.json", "-o", "out", "-q")
    texts = place.report("out")
    assert sorted(texts) == ["messages.txt", "report.txt", "run.json", "scene-resolved.json", "stats.csv"]
    assert json.loads(texts["run.json"])["scene_folder"] == "(left out)"
    assert json.loads(texts["run.json"])["scene"]["name"] == "tiny"
    lines = texts["stats.csv"].splitlines()
    assert lines[0].startswith("frame,") and len(lines) == 21, len(lines)
    assert [int(line.split(",")[0]) for line in lines[1:]] == list(range(11, 31)), lines
    assert "particles       31, particles_0000.ply to particles_0030.ply" in texts["report.txt"]
    assert place.report("out/run.json").keys() == texts.keys()


def a_scene_is_packed_as_it_is_and_as_it_was_understood(place):
    texts = place.report("tiny.json", "--set", "spacing=0.05")
    assert json.loads(texts["scene.json"]) == SCENE
    assert json.loads(texts["scene-resolved.json"])["spacing"] == 0.05


def a_broken_scene_is_packed_with_its_faults(place):
    texts = place.report(os.path.join(place.here, "cut.json"))
    assert "scene-resolved.json" not in texts and "gravty" in texts["scene.json"]
    assert "error: ./cut.json:2:12: gravty" in texts["messages.txt"], texts["messages.txt"]


def what_is_not_there_is_an_error(place):
    assert "contains no run.json" in place.weir("report", ".", status=1)
    assert "no such file" in place.weir("report", "nosuch.json", status=1)
    assert "cannot be" in place.weir("report", "-o", "nosuch/r.tar", status=1)


for check in [a_bare_report_has_version_devices_and_environment, a_run_is_packed_with_its_settings_and_its_last_frames,
              a_scene_is_packed_as_it_is_and_as_it_was_understood, a_broken_scene_is_packed_with_its_faults,
              what_is_not_there_is_an_error]:
    with tempfile.TemporaryDirectory() as root:
        check(Place(root))
    print("passed:", check.__name__.replace("_", " "))
