#!/usr/bin/env python3
"""weir summary: one HTML file with the data of runs and measurements, which draws itself offline."""
import base64
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

WEIR = os.path.abspath(sys.argv[1])
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
SCENE = {
    "name": "a </script> of water", "domain": {"min": [0, 0, 0], "max": [0.5, 0.5, 0.3]}, "frame_rate": 60, "duration": 0.1,
    "spacing": 0.05, "solver": {"substeps": 2, "iterations": 2},
    "gauges": [{"name": "level", "height": {"min": [0.1, 0, 0.1], "max": [0.2, 0.5, 0.2]}}],
    "fluids": [{"name": "water", "fill": {"shape": {"box": {"min": [0, 0, 0], "max": [0.3, 0.2, 0.3]}}}}]}
# Sorts the first table by its first column, drags over the first chart, and reports what is there.
PROBE = """<script>
const said = {};
const count = (name, css) => { said[name] = document.querySelectorAll(css).length; };
count("charts", "figure.chart svg"); count("curves", "path.curve"); count("pictures", ".film img"); count("warnings", ".warnings li");
const head = document.querySelector("th");
if (head) {
  const first = () => [...document.querySelectorAll("tbody tr")].map(row => row.firstChild.textContent);
  const shares = [...document.querySelectorAll("tbody tr")].map(row => +row.children[3].textContent);
  head.click();
  said.names = first(); said.shares = shares;
}
const svg = document.querySelector("figure.chart svg");
if (svg) {
  const box = svg.getBoundingClientRect();
  const drag = (type, x) => svg.dispatchEvent(new PointerEvent(type, { clientX: box.left + x * box.width, clientY: box.top + 9 }));
  const labels = () => [...svg.querySelectorAll("text[text-anchor=middle]")].map(t => t.textContent);
  said.before = labels(); drag("pointerdown", .4); drag("pointermove", .5); drag("pointerup", .6); said.zoomed = labels();
  svg.dispatchEvent(new MouseEvent("dblclick")); said.after = labels();
}
said.wider = document.documentElement.scrollWidth - document.documentElement.clientWidth;
document.body.replaceChildren();
document.body.append(JSON.stringify(said));
</script>"""


def read(path, mode="r"):
    with open(path, mode) as file:
        return file.read()


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def weir(*words, status=0):
    done = subprocess.run([WEIR, *words], capture_output=True, text=True)
    assert done.returncode == status, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def data_of(path):
    text = read(path)
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    return text, json.loads(found.group(1))


def looked_at(path):
    """What a browser of the width of a telephone finds on the page."""
    write("probed.html", read(path).replace("</body>", PROBE + "</body>"))
    done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=500,900", "--dump-dom",
                           "file://" + os.path.abspath("probed.html")], capture_output=True, text=True, timeout=120)
    body = re.search(r"<body>(.*)</body>", done.stdout, re.DOTALL)
    assert body, done.stdout[:2000] + done.stderr
    return json.loads(html.unescape(body.group(1)))


class Summary(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        os.chdir(cls.place.name)
        write("scene.json", json.dumps(SCENE))
        weir("run", "scene.json", "-o", "run", "--images", "--size", "320x180", "-q")
        weir("bench", "scene.json", "--substeps", "4", "--json", "bench.json", "-q")

    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        cls.place.cleanup()

    def test_a_page_has_all_of_a_run_and_needs_no_network(self):
        self.assertEqual(weir("summary", "run").strip(), os.path.join("run", "summary.html"))
        text, (run,) = data_of("run/summary.html")
        self.assertEqual(run["run"], json.loads(read("run/run.json")))
        self.assertEqual(run["stats"], read("run/stats.csv"))
        self.assertEqual(run["gauges"], read("run/gauges.csv"))
        names = sorted(os.listdir("run/images"))
        self.assertEqual([picture["name"] for picture in run["pictures"]], names)
        kind, picture = run["pictures"][-1]["data"].split(",")
        self.assertEqual(kind, "data:image/png;base64")
        self.assertEqual(base64.b64decode(picture), read("run/images/" + names[-1], "rb"))
        self.assertEqual(set(re.findall(r"https?://[^\"' ]*", text)), {"http://www.w3.org/2000/svg"})

    def test_large_pictures_are_thinned_out(self):
        size = os.path.getsize("run/images/image_0003.png")
        os.makedirs("large/images", exist_ok=True)
        shutil.copy("run/run.json", "large/run.json")
        for i in range(2 * (1 << 20) // size + 8):
            shutil.copy("run/images/image_0003.png", "large/images/image_%04d.png" % i)
        weir("summary", "large", "--picture-size", "1", "-o", "large.html")
        _, (run,) = data_of("large.html")
        self.assertEqual(run["picture_step"], 3)
        self.assertEqual(run["pictures"][1]["name"], "image_0003.png")
        self.assertIsNone(run["stats"])

    def test_a_run_that_was_cut_off_keeps_its_whole_lines(self):
        shutil.copytree("run", "cut", dirs_exist_ok=True)
        described = json.loads(read("cut/run.json"))
        described.update(status="stopped", complete=False)
        write("cut/run.json", json.dumps(described))
        stats = read("cut/stats.csv")
        write("cut/stats.csv", stats[:-30])
        weir("summary", "cut")
        _, (run,) = data_of("cut/summary.html")
        self.assertEqual(run["stats"], stats[:stats[:-1].rindex("\n") + 1])
        if BROWSER:
            self.assertEqual(looked_at("cut/summary.html")["warnings"], 1)

    def test_what_is_no_run_is_refused_by_name(self):
        os.makedirs("empty", exist_ok=True)
        self.assertIn("empty: has no run.json", weir("summary", "empty", status=1))
        self.assertIn('scene.json: has no "schema": "weir-bench"', weir("summary", "scene.json", status=1))
        self.assertIn("nosuch", weir("summary", "nosuch", status=1))
        write("bad.json", '{"schema": ')
        self.assertIn("bad.json:1:", weir("summary", "bad.json", status=1))
        os.makedirs("half", exist_ok=True)
        described = read("run/run.json")
        write("half/run.json", described[:len(described) // 2])
        self.assertRegex(weir("summary", "half", status=1), r"half/run\.json:\d+:\d+: .*; the file is damaged or only partly "
                         r"copied: copy it again, or write it again with weir run --resume")
        self.assertFalse(os.path.exists("empty/summary.html"))

    def test_a_browser_draws_curves_pictures_and_tables(self):
        if not BROWSER:
            self.skipTest("needs chromium: tools/setup --with-swiftshader installs it")
        weir("summary", "run", "bench.json", "-o", "both.html")
        said = looked_at("both.html")
        print(said)
        self.assertGreaterEqual(said["charts"], 8)  # statistics, a gauge, a roofline
        self.assertGreaterEqual(said["curves"], said["charts"])
        self.assertEqual((said["pictures"], said["warnings"]), (1, 0))
        self.assertIn("lambda", said["names"])
        self.assertEqual(said["names"], sorted(said["names"]))
        self.assertEqual(said["shares"], sorted(said["shares"], reverse=True))
        self.assertEqual(said["before"], said["after"])
        self.assertNotEqual(said["before"], said["zoomed"])
        self.assertLessEqual(said["wider"], 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
