"""The program weir: where it is, whether it is one that this add-on can use, and how it is started and
stopped.
"""

import os
import re
import shutil
import signal
import subprocess

import bpy
from bpy.props import StringProperty

OLDEST = (1, 0, 0)  # version of the program
VERSION_SECONDS = 20
LEVELS = 4  # folders above this one in which a program is looked for
PLACES = ("build/release", "bin")  # in the repository, and where Weir is installed
WINDOWS = os.name == "nt"
# What an older program says about a scene or an option of this add-on.
OLD_PROGRAM = ("unknown key", "unknown option", "is not an option")

usable = {}  # (path, time of change) of programs that passed


class Missing(Exception):
    """Reports that there is no program, or none that can be used, and the way out."""


class WeirPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__
    program: StringProperty(name="Program", subtype="FILE_PATH",
                            description="Path of the program weir; empty: the one "
                            "in the PATH, or next to the add-on")

    def draw(self, _context):
        self.layout.prop(self, "program")
        try:
            self.layout.label(text="Uses %s" % find(), icon="CHECKMARK")
        except Missing as error:
            for line in str(error).split(": ", 1):
                self.layout.label(text=line, icon="ERROR")


def preferred():
    addon = bpy.context.preferences.addons.get(__package__)
    return bpy.path.abspath(addon.preferences.program) if addon and addon.preferences else ""


def next_to_add_on():
    """Returns the program of the repository or installation that contains this file; None without one."""
    folder, name = os.path.dirname(os.path.abspath(__file__)), "weir.exe" if WINDOWS else "weir"
    for _ in range(LEVELS):
        folder = os.path.dirname(folder)
        for place in PLACES:
            path = os.path.join(folder, place, name)
            if os.path.isfile(path) and os.access(path, os.X_OK):
                return path
    return None


def find(given=""):
    """Returns the path of the program: the one given, that of the preferences, in the PATH, or next to the
    add-on.
    """
    named = given or preferred()
    if named:
        path = shutil.which(named)
        if not path:
            where = "give another path with --weir" if given else "correct it in Preferences > Add-ons > Weir"
            raise Missing('cannot find the program "%s": %s' % (named, where))
        return path
    path = shutil.which("weir") or next_to_add_on()
    if not path:
        raise Missing('cannot find the program "weir": set its path in Preferences > Add-ons > Weir, or put '
                      'it in the '
                      "PATH; scripts have --weir")
    return path


def check(path):
    """Raises Missing unless the file is a program Weir of a version that the add-on can use."""
    stamp = path, os.stat(path).st_mtime_ns
    if stamp in usable:
        return
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=VERSION_SECONDS,
                              check=False)
        said = done.stdout
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise Missing("%s cannot be run (%s): set the path of weir in Preferences > Add-ons > Weir" %
                      (path, error)) from error
    found = re.match(r"weir (\d+)\.(\d+)\.(\d+)", said)
    if not found:
        raise Missing("%s is not the program Weir: set the path of weir in Preferences > Add-ons > Weir" %
                      path)
    if tuple(map(int, found.groups())) < OLDEST:
        version, oldest = ".".join(found.groups()), ".".join(map(str, OLDEST))
        raise Missing("%s is Weir %s, and this add-on needs %s or later: update it, or set the path of "
                      "another one in Preferences > Add-ons > Weir" % (path, version, oldest))
    usable[stamp] = True


def ready(given=""):
    """Returns the path of a program that can be used."""
    path = find(given)
    check(path)
    return path


def start(words, log):
    """Starts a program whose output goes to the open file `log`."""
    flags = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP} if WINDOWS else {}
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **flags)


def interrupt(process):
    """Lets the program finish its current frame and save its state."""
    process.send_signal(signal.CTRL_BREAK_EVENT if WINDOWS else signal.SIGINT)


def errors_in(text):
    """Returns the errors among a program's messages, without their prefix; its last lines if there are none.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line.split("error: ", 1)[1] for line in lines if "error: " in line] or lines[-3:]
    if any(word in line for line in errors for word in OLD_PROGRAM):
        errors.append("if this program is older than the add-on, update it")
    return " / ".join(errors)


def register():
    bpy.utils.register_class(WeirPreferences)


def unregister():
    bpy.utils.unregister_class(WeirPreferences)
