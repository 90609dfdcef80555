#!/usr/bin/env python3
"""A pass has one name: that of its shader in the source tree, of its debug label, of its slice in traces, of its row in
the table, in JSON and CSV, in weir explain, in predictions, and of its listing of machine code.

test_pass_names.py WEIR
"""
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
WEIR = pathlib.Path(sys.argv[1]).resolve()
LABELS, CODE = "VK_LAYER_WEIR_list_labels", "VK_LAYER_WEIR_list_code"
METHODS = ["pbf", "flip", "wcsph"]


def shader_names():
    """Returns the names of all shaders, without folder and extension."""
    return {path.stem for folder in ("shaders",) for path in (ROOT / folder).rglob("*")
            if path.suffix in (".comp", ".vert", ".frag")}


class PassNames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        folder = cls.folder = pathlib.Path(cls.place.name)
        for layer in (LABELS, CODE):
            name = layer.replace("VK_LAYER_WEIR_", "")
            (folder / (name + ".json")).write_text(json.dumps({"file_format_version": "1.0.0", "layer": {
                "name": layer, "type": "GLOBAL", "library_path": str(WEIR.parent / ("lib%s.so" % name)),
                "api_version": "1.3.0", "implementation_version": "1", "description": name}}))
        cls.found = {method: cls.names_of(method) for method in METHODS}

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    @classmethod
    def weir(cls, *words, **environment):
        done = subprocess.run([str(WEIR), *words], capture_output=True, text=True, cwd=cls.folder,
                              env=dict(os.environ, **environment))
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    @classmethod
    def names_of(cls, method):
        """Returns the names of passes by the place in which they were found."""
        scene = [str(ROOT / "scenes/drop.json"), "--set", "spacing=0.08", "--set", "solver.method=" + method]
        labels = cls.folder / (method + ".labels")
        table = cls.weir("bench", *scene, "--substeps", "4", "--json", "b.json", "--csv", "b.csv", "--trace", "b.trace",
                         VK_LAYER_PATH=str(cls.folder), VK_INSTANCE_LAYERS=LABELS, LABELS=str(labels))
        cls.weir("bench", *scene, "--substeps", "4", "--isa", method, VK_LAYER_PATH=str(cls.folder), VK_INSTANCE_LAYERS=CODE)
        with open(cls.folder / "b.json", encoding="utf-8") as file:
            bench = [each for each in json.load(file)["results"][0]["passes"] if not each["is_total"]]
        with open(cls.folder / "b.csv", encoding="utf-8") as file:
            rows = {row["pass"] for row in csv.DictReader(file)}
        with open(cls.folder / "b.trace", encoding="utf-8") as file:
            events = json.load(file)
        events = events["traceEvents"] if isinstance(events, dict) else events
        explained = json.loads(cls.weir("explain", *scene, "--format", "json"))
        return {"json": {each["name"] for each in bench}, "csv": rows, "labels": set(labels.read_text().split("\n")),
                "table": {line[2:].split(" ")[0] for line in table.splitlines() if line[:2] in ("  ", "* ")},
                "code": {path.name.split(".")[0] for path in (cls.folder / method).iterdir()},
                "trace": {event.get("name") for event in events},
                "explain": {each["name"] for part in explained["lists"] for each in part["passes"] if not each["on_host"]}}

    def test_each_pass_has_its_name_everywhere(self):
        for method, found in self.found.items():
            names = found["json"]
            self.assertGreater(len(names), 12, method)
            for place in ("csv", "labels", "table", "trace", "code"):
                self.assertEqual(names - found[place], set(), "%s of %s lacks these" % (place, method))
            self.assertEqual(names - found["explain"], set(), "weir explain of %s lacks these" % method)

    def test_each_name_is_that_of_a_shader(self):
        shaders = shader_names()
        for method, found in self.found.items():
            self.assertEqual(found["explain"] - shaders, set(), method)
            self.assertEqual(found["json"] - shaders, set(), method)

    def test_a_prediction_has_the_names_of_the_table(self):
        names = sorted(self.found["wcsph"]["json"])
        statistics = self.folder / "kernels.json"
        statistics.write_text(json.dumps({"kernels": {
            name: {"once": 50, "pair": 2, "compact": 3, "registers": 16} for name in names}}))
        done = subprocess.run([sys.executable, str(ROOT / "tools/gpu-report"), "predict", "b.json", "--statistics",
                               str(statistics), "--gpu", "m2"], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        predicted = set(re.findall(r"(?m)^\| `(\w+)` \| \d", done.stdout))
        self.assertGreater(len(predicted), 10, done.stdout)
        self.assertEqual(predicted - set(names), set())


unittest.main(argv=sys.argv[:1])
