#!/usr/bin/env python3
"""What a build with WEIR_TRACY sends to Tracy: frames, nested zones of threads, and passes with the names and times of the
trace in JSON. A library that writes the calls into a file takes the place of Tracy's client, which also runs once by itself.

test_tracy.py WEIR [FAKE_TRACY]
"""
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
WEIR = os.path.abspath(sys.argv[1])
FRAMES = 3
RECORDINGS = {"work", "frame"}  # around pass lists, which are around passes
VULKAN = "2"  # tracy::GpuContextType


class Log:
    """Calls of Tracy's C API: zones as [name, depth, start, end], in the order in which they begin; those of threads have
    no times."""

    def __init__(self, path):
        self.frames, self.plots, self.contexts = 0, collections.defaultdict(list), {}
        self.thread_zones, self.gpu_zones, self.problems = [], [], []
        self.opened, self.queries, self.gpu_names = collections.defaultdict(list), {}, {}
        for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
            kind, *words = line.split("\t")
            getattr(self, "on_" + kind.replace(" ", "_"))(*words)
        self.problems += ["%s: not ended" % zone for zones in self.opened.values() for zone in zones]
        self.problems += ["query %s: without a time" % query for query in self.queries]

    def on_frame(self, name):
        self.frames += name == ""

    def on_plot(self, name, value):
        self.plots[name].append(float(value))

    def on_begin(self, thread, zone, name):
        self.thread_zones.append((thread, name))
        self.opened[thread].append(zone)

    def on_end(self, thread, zone):
        if not self.opened[thread] or self.opened[thread].pop() != zone:
            self.problems.append("zone %s: ends in another one" % zone)

    def on_context(self, context, kind, period, _):
        if context in self.contexts:
            self.problems.append("context %s: created twice" % context)
        self.contexts[context] = (kind, float(period))

    def on_context_name(self, context, name):
        self.gpu_names[context] = name

    def on_sync(self, context, _):
        if context not in self.contexts:
            self.problems.append("context %s: not created" % context)

    def on_gpu_begin(self, context, query, name):
        zone = [name, len(self.opened["GPU", context]), None, None]
        self.gpu_zones.append(zone)
        self.opened["GPU", context].append(zone)
        self.add_query(context, query, zone, 2)

    def on_gpu_end(self, context, query):
        self.add_query(context, query, self.opened["GPU", context].pop(), 3)

    def add_query(self, context, query, zone, which):
        if context not in self.contexts or (context, query) in self.queries:
            self.problems.append("query %s of context %s: in use" % (query, context))
        self.queries[context, query] = zone, which

    def on_gpu_time(self, context, query, ns):
        zone, which = self.queries.pop((context, query))
        zone[which] = int(ns)


def run(folder, *words, **environment):
    done = subprocess.run([WEIR, "run", ROOT / "scenes/drop.json", "--set", "spacing=0.08", "--frames", str(FRAMES),
                           "-o", folder, *words], capture_output=True, text=True, env=dict(os.environ, **environment))
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


class Tracy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        os.chdir(cls.place.name)
        preload = " ".join(filter(None, [FAKE, os.environ.get("LD_PRELOAD")]))
        run("traced", "--trace", "t.json", LD_PRELOAD=preload, TRACY_LOG="traced.log")
        run("untraced", LD_PRELOAD=preload, TRACY_LOG="untraced.log")
        cls.log, cls.untraced = Log("traced.log"), Log("untraced.log")
        with open("t.json", encoding="utf-8") as file:
            events = [event for event in json.load(file)["traceEvents"] if event["ph"] == "X"]
        cls.spans = collections.defaultdict(list)
        for event in events:
            cls.spans[event["cat"]].append(event)

    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        cls.place.cleanup()

    def test_calls_are_balanced(self):
        for log in self.log, self.untraced:
            self.assertEqual(log.problems, [])

    def test_each_frame_has_a_mark_and_points_of_plots(self):
        for log in self.log, self.untraced:
            self.assertEqual(log.frames, FRAMES)
            self.assertEqual(len(log.plots["particles"]), FRAMES)
            self.assertEqual(len(log.plots["density error, %"]), FRAMES)
            self.assertEqual(len(set(log.plots["particles"])), 1)

    def test_threads_have_the_zones_of_the_trace(self):
        for log in self.log, self.untraced:
            threads = {name: thread for thread, name in log.thread_zones}
            self.assertLessEqual({"record", "submit", "write frame"}, set(threads))
            self.assertNotEqual(threads["record"], threads["write frame"])
        zones = collections.Counter(name for _, name in self.log.thread_zones)
        spans = collections.Counter(span["name"] for span in self.spans["CPU"] + self.spans["writer"])
        self.assertGreater(spans["record"], FRAMES)
        self.assertLessEqual(set(spans), set(zones))
        self.assertTrue(all(spans[name] <= zones[name] for name in spans), (spans, zones))
        self.assertEqual(zones["write frame"], FRAMES + 1)

    def test_a_gpu_is_a_context_of_vulkan_in_nanoseconds(self):
        self.assertEqual(set(self.log.contexts.values()), {(VULKAN, 1.0)})
        self.assertEqual(set(self.log.gpu_names), set(self.log.contexts))
        self.assertTrue(all(self.log.gpu_names.values()))

    def test_passes_have_the_names_and_times_of_the_trace(self):
        spans, zones = self.spans["GPU"], self.log.gpu_zones
        names = [span["name"] for span in spans]
        # The trace leaves out what comes before it starts and after it ends.
        starts = [i for i in range(len(zones)) if [zone[0] for zone in zones[i:i + len(spans)]] == names]
        self.assertEqual(len(starts), 1, "%s are not once among %s" % (names, [zone[0] for zone in zones]))
        shift = zones[starts[0]][2] - spans[0]["ts"] * 1e3
        for span, (name, depth, start, end) in zip(spans, zones[starts[0]:]):
            self.assertEqual(depth, 2 if "substep" in span["args"] else 0 if name in RECORDINGS else 1, name)
            self.assertLess(abs(start - shift - span["ts"] * 1e3), 3, name)
            self.assertLess(abs(end - start - span["dur"] * 1e3), 2 + 0.01 * span["dur"] * 1e3, name)

    def test_passes_need_no_trace(self):
        self.assertEqual({zone[0] for zone in self.untraced.gpu_zones}, {zone[0] for zone in self.log.gpu_zones})
        passes = {span["name"] for span in self.spans["GPU"] if "substep" in span["args"]}
        self.assertGreater(len(passes), 15)
        self.assertLessEqual(passes, {path.stem for path in (ROOT / "shaders").rglob("*.comp")})

    def test_tracys_own_client_runs(self):
        run("real")


FAKE = sys.argv[2] if len(sys.argv) > 2 else None
if not FAKE:
    print("skipped: the build has no WEIR_TRACY, or a static client, which no library replaces")
    sys.exit(77)
unittest.main(argv=sys.argv[:1])
