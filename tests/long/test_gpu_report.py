#!/usr/bin/env python3
"""A rehearsal of tools/gpu-report at small size: the archive has everything, and tools/gpu-docs makes of it
what docs/gpus.md shows of a GPU. argv[1]: the program."""
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

NEEDED = ["about.txt", "steps.txt", "info.txt", "check.txt", "bench-2k.json", "bench-4k.json", "mesh.json",
          "run-first.txt", "run-again.txt", "first/images/image_0002.png", "first/stats.csv"]
TITLE = "weir-gpu-report/"


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("%s: status %d\n%s%s" % (" ".join(command), done.returncode, done.stdout, done.stderr))
    return done.stdout


def check_archive(path):
    with tarfile.open(path) as archive:
        names = archive.getnames()
        absent = [name for name in NEEDED if TITLE + name not in names]
        if absent:
            sys.exit("not in the archive: " + ", ".join(absent))
        about = archive.extractfile(TITLE + "about.txt").read().decode()
        figures = json.load(archive.extractfile(TITLE + "bench-4k.json"))
    assert "same bits twice: yes\n" in about, about
    assert all(p["whole"] or p["predicted_ms"] > 0 for p in figures["results"][0]["passes"])
    return figures


def check_page(path, figures):
    with open(path) as file:
        text = file.read()
    particles = "{:,}".format(figures["results"][0]["particles"])
    for words in ("### " + figures["device"]["name"], "| %s | " % particles, "| `lambda` | ", "Prediction for H100"):
        assert words in text, "%s is not on the page:\n%s" % (words, text)


with tempfile.TemporaryDirectory(prefix="weir-gpu-report-") as folder:
    archive, page = os.path.join(folder, "report.tar.gz"), os.path.join(folder, "gpus.md")
    run("tools/gpu-report", "--weir", sys.argv[1], "--small", "-o", archive)
    figures = check_archive(archive)
    shutil.copy("docs/gpus.md", page)
    for _ in range(2):  # the second replaces what the first wrote
        run("tools/gpu-docs", archive, "--page", page)
    check_page(page, figures)
    with open(page) as file:
        assert file.read().count("### " + figures["device"]["name"]) == 1
