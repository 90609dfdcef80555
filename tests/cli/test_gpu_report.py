#!/usr/bin/env python3
"""Rehearses tools/gpu-report at small size: the archive is complete, and tools/gpu-docs turns it into the
figures of a GPU in docs/gpus.md. argv[1]: the program; argv[2] "small": a rehearsal with meshes that takes
a minute, in a shell without `timeout`.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

NEEDED = ["about.txt", "steps.txt", "info.txt", "check.txt", "bench-2k.json", "run-first.txt", "run-again.txt",
          "first/images/image_0002.png", "first/stats.csv", "laws.txt"]
SMALL = ["bench-4k.json", "mesh.json"]
# a line that a GPU prints, and a CPU driver does not
TRIED = "1.250 ms wide, 1.000 ms compact; they are made compact"
TITLE = "weir-gpu-report/"


def run(*command, path=os.environ["PATH"]):
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, PATH=path))
    if done.returncode != 0:
        sys.exit("%s: status %d\n%s%s" % (" ".join(command), done.returncode, done.stdout, done.stderr))
    return done.stdout


def without_timeout(folder):
    """Makes a folder with all commands of this PATH except `timeout`."""
    os.mkdir(folder)
    for place in os.environ["PATH"].split(":"):
        for name in os.listdir(place) if os.path.isdir(place) else []:
            if name != "timeout" and not os.path.lexists(os.path.join(folder, name)):
                os.symlink(os.path.join(place, name), os.path.join(folder, name))
    return folder


def check_archive(path, needed, bench):
    with tarfile.open(path) as archive:
        names = archive.getnames()
        absent = [name for name in needed if TITLE + name not in names]
        if absent:
            sys.exit("not in the archive: " + ", ".join(absent))
        about = archive.extractfile(TITLE + "about.txt").read().decode()
        figures = json.load(archive.extractfile(TITLE + bench))
    assert "same bits twice: yes\n" in about and "lists: " in about, about
    assert all(p["is_total"] or p["predicted_ms"] > 0 for p in figures["results"][0]["passes"])
    return figures


def check_page(path, figures, small):
    with open(path) as file:
        text = file.read()
    particles = "{:,}".format(figures["results"][0]["particles"])
    for words in ("### " + figures["device"]["name"], "| %s | " % particles, "| `lambda` | ", "Prediction for H100",
                  TRIED, "Laws (`weir validate`): ") + (("| mesh, 20k | ", ) if small else ()):
        assert words in text, "%s is not on the page:\n%s" % (words, text)
    picture = re.search(r"!\[roofline of .*\]\((.*)\)", text)[1]
    with open(os.path.join(os.path.dirname(path), picture)) as file:
        assert "lambda" in file.read()


def plant_lists(path, to):
    """Writes the archive as on a GPU, which has tried both kinds of lists."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(path) as archive:
            archive.extractall(folder)
        about = os.path.join(folder, TITLE, "about.txt")
        with open(about) as file:
            text = file.read()
        with open(about, "w") as file:
            file.write(re.sub("(?m)^lists: .*$", "lists: " + TRIED, text))
        with tarfile.open(to, "w:gz") as archive:
            archive.add(os.path.join(folder, TITLE), TITLE.rstrip("/"))


small = sys.argv[2:] == ["small"]
with tempfile.TemporaryDirectory(prefix="weir-gpu-report-") as folder:
    archive, page = os.path.join(folder, "report.tar.gz"), os.path.join(folder, "gpus.md")
    path = without_timeout(os.path.join(folder, "bin")) if small else os.environ["PATH"]
    run("tools/gpu-report", "--weir", sys.argv[1], "--small" if small else "--tiny", "-o", archive, path=path)
    figures = check_archive(archive, NEEDED + (SMALL if small else []), "bench-4k.json" if small else "bench-2k.json")
    plant_lists(archive, archive)
    shutil.copy("docs/gpus.md", page)
    for _ in range(2):  # the second replaces the output of the first
        run("tools/gpu-docs", archive, "--page", page)
    check_page(page, figures, small)
    with open(page) as file:
        assert file.read().count("### " + figures["device"]["name"]) == 1
