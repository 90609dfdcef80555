"""The files of a bake. Only what the bake has made is ever deleted: the names that `weir run` writes, and
those that the list of the export has.
"""

import json
import os
import re
import time

LIST = "bake.json"  # files that the export wrote, relative to the folder
OPTIONS = "options.txt"  # those of `weir run`, one word a line
OWN = ("scene.json", "weir.log", OPTIONS, LIST)
# What `weir run` writes, below the folder run: names of files, by the folder that contains them.
FRAME = r"\d+\.(ply|obj|vtk|bgeo|vtp|vt[kp]\.series)"
WRITTEN = {
    "": r"(run\.json|(stats|gauges|residuals)\.csv|bodies\.jsonl|\.weir\.lock)",
    "particles": r"particles_" + FRAME, "mesh": r"(surface|spray)_" + FRAME,
    "whitewater": r"(foam|whitewater)_" + FRAME, "checkpoint": r"checkpoint_\d+\.weir",
    "cloth": r".+_" + FRAME, "rope": r".+_" + FRAME, "soft_body": r".+_" + FRAME,
    "images": r"image_\d+\.(png|exr)",
}
SIZE_SECONDS = 10

sizes = {}  # by folder: when it was measured, and the size in bytes


def write_list(folder, files, names):
    """Writes the list of a bake: the files of its export, and {object's name: its name in the scene file}."""
    with open(os.path.join(folder, LIST), "w", encoding="utf-8") as file:
        json.dump({"weir_bake": 1, "files": files, "names": names}, file)


def read_list(folder):
    """Returns the list of the bake in a folder; an empty one without a bake."""
    try:
        with open(os.path.join(folder, LIST), encoding="utf-8") as file:
            said = json.load(file)
        return said if said["weir_bake"] == 1 else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def exported(folder):
    """Returns the files of the export; none that lie outside the folder."""
    inside, names = os.path.realpath(folder) + os.sep, read_list(folder).get("files", [])
    return [n for n in names if os.path.realpath(os.path.join(folder, n)).startswith(inside)]


def sources(folder):
    """Returns the names of objects by those in the scene file."""
    return {name: source for source, name in read_list(folder).get("names", {}).items()}


def run_files(folder):
    """Returns the files that a run in this folder has written."""
    found = []
    for place, pattern in WRITTEN.items():
        path = os.path.join(folder, place) if place else folder
        names = os.listdir(path) if os.path.isdir(path) and not os.path.islink(path) else []
        found += [os.path.join(path, name) for name in names if re.fullmatch(pattern, name) and
                  os.path.isfile(os.path.join(path, name))]
    return found


def bake_files(folder):
    """Returns the paths of all files of the bake in a folder."""
    own = [os.path.join(folder, name) for name in exported(folder)]
    own += [os.path.join(folder, name) for name in OWN] if os.path.exists(os.path.join(folder, LIST)) else []
    return [path for path in own if os.path.isfile(path)] + run_files(os.path.join(folder, "run"))


def has_bake(folder):
    return os.path.exists(os.path.join(folder, LIST)) or has_frames(folder)


def has_frames(folder):
    return os.path.isdir(os.path.join(folder, "run", "mesh"))


def size_of(folder):
    """Returns the size of a bake in bytes, as it was at most SIZE_SECONDS ago: a panel asks at each redraw."""
    measured, size = sizes.get(folder, (-SIZE_SECONDS, 0))
    if time.monotonic() - measured >= SIZE_SECONDS:
        size = sum(os.path.getsize(path) for path in bake_files(folder) if os.path.exists(path))
        sizes[folder] = time.monotonic(), size
    return size


def remove(paths, root):
    """Deletes files, and the folders below `root` that become empty. Returns how many files were deleted."""
    folders = set()
    for path in paths:
        os.remove(path)
        folder = os.path.dirname(path)
        while folder.startswith(root) and folder != root:
            folders.add(folder)
            folder = os.path.dirname(folder)
    for folder in sorted(folders, key=len, reverse=True):
        if os.path.isdir(folder) and not os.listdir(folder):
            os.rmdir(folder)
    return len(paths)


def clear_run(folder):
    """Deletes the files of a run. Returns what else its folder contains."""
    remove(run_files(folder), os.path.dirname(folder))
    left = []
    for place, _, names in os.walk(folder):
        left += [os.path.join(place, name) for name in names]
    return left


def free(folder):
    """Deletes the files of the bake in a folder, and the folder if nothing else is in it. Returns how many.
    """
    count = remove(bake_files(folder), folder)
    if os.path.isdir(folder) and not os.listdir(folder):
        os.rmdir(folder)
    return count
