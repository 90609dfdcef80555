"""Shared by builds for other systems: passes the sources of this machine's build to cross-compilers."""
import json
import os
import re
import shlex

# Headers that package managers provide on those systems; here those of this machine, separate from its C
# library's.
HEADERS = ["GLFW", "Imath", "OpenEXR", "jansson.h", "jansson_config.h", "meshoptimizer.h", "png.h", "pngconf.h",
           "pnglibconf.h", "vk_video", "volk.c", "volk.h", "vulkan", "zconf.h", "zlib.h"]


def stage_headers(folder):
    """Returns options that find only those headers."""
    os.mkdir(folder)
    for name in HEADERS:
        places = [os.path.join("/usr/include", below, name) for below in ["", "volk", "x86_64-linux-gnu"]]
        found = [place for place in places if os.path.exists(place)]
        assert found, "there is no %s in /usr/include: tools/setup" % name
        os.symlink(found[0], os.path.join(folder, name))
    return ["-isystem", folder, "-isystem", os.path.join(folder, "OpenEXR"), "-isystem", os.path.join(folder, "Imath")]


def find_jobs(build, targets):
    """Returns the C sources of those targets as (target, path, options); of the options, only definitions and
    own folders.
    """
    with open(os.path.join(build, "compile_commands.json")) as file:
        entries = json.load(file)
    jobs = []
    for entry in entries:
        found = re.search(r" -o CMakeFiles/(\w+)\.dir/\S*\.c\.o ", entry["command"])
        if found and found.group(1) in targets:
            jobs.append((found.group(1), entry["file"], own_words(entry["command"])))
    return jobs


def own_words(command):
    words = shlex.split(command)
    own = [word for word in words if re.match(r"-D|-iquote|-ffp-contract", word) and "FORTIFY" not in word]
    return own + [word for word in words if word.startswith("-I") and not word.startswith("-I/usr/")]
