"""How many particles a bake has and how long it takes, by `weir check`, which measures a short trial."""

import os
import re
import tempfile

import bpy

from . import export_scene, program

UNITS = {"d": 86400, "h": 3600, "min": 60, "s": 1, "ms": 0.001}  # seconds
PREVIOUS = "of earlier settings"


class Failed(Exception):
    """Reports why there is no estimate."""


class Estimate:
    """`particles`, at the start; `more`, how many emitters add at most; `seconds` of the whole bake, None if
    unknown; `text` for people; `warnings` of export and check.
    """

    def __init__(self, said, warnings):
        found = re.search(r"^particles +(?:at most )?(\d+)(?:, and up to (\d+))?", said, re.MULTILINE)
        if not found:
            raise Failed("`weir check` says nothing about particles: %s" % program.errors_in(said))
        self.particles, self.more = int(found.group(1)), int(found.group(2) or 0)
        self.seconds, self.warnings = seconds_in(said), warnings
        self.text = "{:,} particles".format(self.particles)
        if self.more:
            self.text += " and up to {:,} more".format(self.more)
        if self.seconds is not None:
            self.text += ", about " + in_words(self.seconds)


def seconds_in(said):
    """Returns the middle of the time that a bake takes, with its meshes if that is known."""
    for label in ("with meshes", "time"):
        found = re.search(r"^%s .*?[:,] ([^:,]+) to ([^:,]+) in all" % label, said, re.MULTILINE)
        if found:
            return sum(to_seconds(text) for text in found.groups()) / 2
    return None


def to_seconds(text):
    """Parses a time such as "3 min 02 s"."""
    return sum(float(number) * UNITS[unit] for number, unit in re.findall(r"([\d.]+) (ms|min|s|h|d)\b", text))


def in_words(seconds):
    if seconds < 90:
        return "%d s" % max(round(seconds), 1)
    return "%d min" % round(seconds / 60) if seconds < 5400 else "%.1f h" % (seconds / 3600)


class Check:
    """One `weir check` of the scene, in a folder of its own."""

    def __init__(self, given="", spacing=0.0):
        self.folder = tempfile.TemporaryDirectory(prefix="weir_check_")
        path, self.said = (os.path.join(self.folder.name, name) for name in ("scene.json", "said.txt"))
        words = [program.ready(given), "check", path]
        self.warnings = export_scene.export(path, spacing, everything=True).warnings
        with open(self.said, "w", encoding="utf-8") as log:
            self.process = program.start(words, log)

    def goes_on(self):
        return self.process.poll() is None

    def stop(self):
        if self.goes_on():
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def result(self):
        """Returns the Estimate of a finished check. Raises Failed with the program's errors."""
        self.process.wait()
        with open(self.said, encoding="utf-8", errors="replace") as file:
            said = file.read()
        self.stop()
        if self.process.returncode != 0:
            raise Failed(program.errors_in(said))
        told = [line.split("warning: ", 1)[1] for line in said.splitlines() if "warning: " in line]
        return Estimate(said, self.warnings + told)


def measure(given="", spacing=0.0):
    """Returns the Estimate of the scene; waits for it."""
    return Check(given, spacing).result()


# ---- the last estimate, for the panel ------------------------------------------------------------

last = {}  # by the scene's name: the settings that were measured, and the text


def values_of(group):
    """Returns the values of a property group, with those of its parts."""
    values = []
    for prop in group.bl_rna.properties:
        name = prop.identifier
        if name in ("rna_type", "name", "attribute_index", "point_index", "folder"):
            continue
        value = getattr(group, name)
        if prop.type == "POINTER":
            value = value.name if isinstance(value, bpy.types.Object) else values_of(value) if value else None
        elif prop.type == "COLLECTION":
            value = [(item.name, values_of(item)) for item in value]
        elif getattr(prop, "is_array", False):
            value = tuple(value)
        values.append((name, value))
    return values


def settings_of(scene):
    """Returns what an estimate depends on, cheaply: not animation, and of meshes only their numbers of
    vertices.
    """
    things = [(t.name, values_of(t.weir), [list(row) for row in t.matrix_world], t.visible_get(),
               len(t.data.vertices) if t.type == "MESH" else 0) for t in scene.objects
              if t.weir.role != "NONE"]
    return str((values_of(scene.weir), things, scene.frame_start, scene.frame_end, scene.render.fps,
                tuple(scene.gravity)))


def remember(scene, settings, text):
    last[scene.name] = settings, text


def text_of(scene):
    """Returns the last estimate as text, with a note if settings have changed since; "" without one."""
    if scene.name not in last:
        return ""
    settings, text = last[scene.name]
    return text if settings == settings_of(scene) else "%s (%s)" % (text, PREVIOUS)
