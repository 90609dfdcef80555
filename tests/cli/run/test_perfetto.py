#!/usr/bin/env python3
"""Traces in Perfetto's own format: times of passes as in the table, arrows from submissions to the GPU, names of tracks.
A decoder of Protocol Buffers of its own reads them; where tools/setup --with-checks has installed Perfetto's classes, these
must read the same.

test_perfetto.py WEIR
"""
import collections
import csv
import json
import os
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
WEIR = os.path.abspath(sys.argv[1])
CLASSES = ROOT / "build/perfetto/bin/python"
OFFICIAL = """
import json, sys
from perfetto.protos.perfetto.trace import perfetto_trace_pb2
trace = perfetto_trace_pb2.Trace()
trace.ParseFromString(open(sys.argv[1], "rb").read())
names, stages, slices = {}, {}, {}
for packet in trace.packet:
    for each in packet.interned_data.gpu_specifications:
        names[each.iid] = each.name
    if packet.HasField("gpu_render_stage_event"):
        event = packet.gpu_render_stage_event
        stages.setdefault(names[event.stage_iid], []).append(event.duration)
    elif packet.HasField("track_event") and packet.track_event.type == 1:
        slices[packet.track_event.name] = slices.get(packet.track_event.name, 0) + 1
print(json.dumps([stages, slices]))
"""


def fields(data):
    """Returns the fields of a message: a list of values for each number."""
    found, at = collections.defaultdict(list), 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value

    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            value = varint()
        elif tag & 7 == 1:
            value, at = data[at:at + 8], at + 8
        else:
            assert tag & 7 == 2, tag
            size = varint()
            value, at = data[at:at + size], at + size
        found[tag >> 3].append(value)
    assert at == len(data)
    return found


class Trace:
    """What a trace holds: durations of passes, slices with their times, tracks, counters and arrows."""

    def __init__(self, path):
        self.stages, self.slices, self.tracks = collections.defaultdict(list), [], {}
        self.counters, self.starts, self.ends = collections.defaultdict(list), {}, {}
        names, opened = {}, collections.defaultdict(list)
        for packet in map(fields, fields(pathlib.Path(path).read_bytes())[1]):
            for data in packet[12]:
                for each in map(fields, fields(data)[24]):
                    names[each[1][0]] = each[2][0].decode()
            for event in map(fields, packet[53]):
                self.stages[names[event[14][0]]].append((packet[8][0], event[2][0]))
            for track in map(fields, packet[60]):
                self.tracks[track[1][0]] = track[2][0].decode()
            for event in map(fields, packet[11]):
                self.add(event, packet[8][0], opened)
        assert not any(opened.values())

    def add(self, event, time, opened):
        track = event[11][0]
        if event[9][0] == 4:
            self.counters[self.tracks[track]].append(struct.unpack("<d", event[44][0])[0])
        elif event[9][0] == 1:
            name = event[23][0].decode()
            opened[track].append((name, time))
            for flow in event[47]:
                self.starts.setdefault(flow, (self.tracks[track], name, time))
            for flow in event[48]:
                self.ends[flow] = (self.tracks[track], name, time)
        else:
            # Slices of a track are written parents first, each with its end: the last one that was opened ends.
            name, start = opened[track].pop()
            self.slices.append((self.tracks[track], name, start, time))


class Perfetto(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        os.chdir(cls.place.name)
        subprocess.run([WEIR, "bench", ROOT / "scenes/dam_break.json", "--set", "spacing=0.08", "--substeps", "12",
                        "--trace", "t.pftrace", "--csv", "t.csv", "-q"], check=True, stdout=subprocess.DEVNULL)
        cls.trace = Trace("t.pftrace")

    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        cls.place.cleanup()

    def test_a_pass_takes_as_long_as_in_the_table(self):
        with open("t.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertGreater(len(rows), 15)
        for row in rows:
            times = [duration for _, duration in self.trace.stages[row["pass"]]]
            self.assertEqual(len(times), int(row["calls"]), row["pass"])
            median = statistics.median_high(times) * 1e-6
            self.assertLess(abs(median / float(row["median_ms"]) - 1), 0.01, row["pass"])

    def test_arrows_lead_from_submissions_to_the_gpu(self):
        frames = [flow for flow, end in self.trace.ends.items() if end[1] == "frame"]
        self.assertGreaterEqual(len(frames), 3)
        for flow in frames:
            track, name, time = self.trace.starts[flow]
            self.assertEqual((track, name, self.trace.ends[flow][0]), ("CPU", "submit", "GPU"))
            self.assertLess(time, self.trace.ends[flow][2])

    def test_tracks_slices_and_counters_have_names(self):
        self.assertLessEqual({"weir", "CPU", "GPU", "particles"}, set(self.trace.tracks.values()))
        found = collections.Counter(name for _, name, _, _ in self.trace.slices)
        self.assertEqual((found["frame"], found["substep"]), (3, 12))
        self.assertEqual(len(set(self.trace.counters["particles"])), 1)
        substeps = [(start, end) for _, name, start, end in self.trace.slices if name == "substep"]
        for start, duration in self.trace.stages["lambda"]:
            self.assertTrue(any(first <= start and start + duration <= last for first, last in substeps))

    def test_perfettos_classes_read_the_same(self):
        if not CLASSES.exists():
            self.skipTest("tools/setup --with-checks installs Perfetto's classes")
        said = subprocess.run([CLASSES, "-c", OFFICIAL, "t.pftrace"], check=True, capture_output=True, text=True).stdout
        stages, slices = json.loads(said)
        self.assertEqual(stages, {name: [duration for _, duration in each] for name, each in self.trace.stages.items()})
        self.assertEqual(slices, dict(collections.Counter(name for _, name, _, _ in self.trace.slices)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
