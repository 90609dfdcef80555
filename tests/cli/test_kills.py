#!/usr/bin/env python3
"""Runs that are killed at any moment, COUNT times in all: no file is torn, none is missing before
the last line of stats.csv, and the resumed run ends with the bytes of one that was not killed."""
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import survival

DONE = 0
SEED = 20261123
KILLS_A_RUN = 25  # then it may end, is compared and begun anew
PATIENCE_S = 60


def start(program, words, scratch):
    return subprocess.Popen([program, "run", "scene.json", "-o", "killed", "-q", *words,
                             *survival.OPTIONS], cwd=scratch, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def written_at(path):
    """When the file was written, in ns; 0 when there is none."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def start_and_wait(program, words, scratch, folder):
    """Kills before run.json is there hit a program that has written nothing."""
    end, before = time.monotonic() + PATIENCE_S, written_at(folder / "run.json")
    process = start(program, words, scratch)
    while process.poll() is None and time.monotonic() < end:
        if written_at(folder / "run.json") not in (0, before):
            break
        time.sleep(0.001)
    return process


def missing(folder):
    """Particle files that a line of stats.csv promises and that are not there."""
    path = folder / "stats.csv"
    lines = path.read_text().split("\n")[1:-1] if path.exists() else []
    names = [f"particles/particles_{int(line.split(',')[0]):04d}.ply" for line in lines]
    return [name for name in names if not (folder / name).exists()]


def kill_once(program, scratch, seconds):
    """Starts or resumes the run and kills it; True when it ended before."""
    folder = pathlib.Path(scratch) / "killed"
    kept = list(folder.glob("checkpoint/checkpoint_*"))
    process = start_and_wait(program, ["--resume" if kept else "--force"], scratch, folder)
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    return process.wait() == DONE


def finish(program, scratch, whole):
    """Resumes the run to its end and compares it."""
    folder = pathlib.Path(scratch) / "killed"
    kept = list(folder.glob("checkpoint/checkpoint_*"))
    words = ["scene.json", "-o", "killed", "--resume" if kept else "--force", *survival.OPTIONS]
    status, said = survival.run(program, words, scratch)
    return said if status != DONE else survival.differences(folder, whole)


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    chance = random.Random(SEED)
    with tempfile.TemporaryDirectory(prefix="weir-kills-") as scratch:
        folder, whole = pathlib.Path(scratch) / "killed", pathlib.Path(scratch) / "whole"
        (pathlib.Path(scratch) / "scene.json").write_text(survival.SCENE % "0.5")
        begun = time.monotonic()
        survival.run(program, ["scene.json", "-o", "whole", *survival.OPTIONS], scratch)
        length = (time.monotonic() - begun) / KILLS_A_RUN
        kills, resumes, faults = 0, 0, []
        while kills < count:
            early = kill_once(program, scratch, chance.random() * 2 * length)
            kills += not early
            faults += survival.torn(folder, whole) + missing(folder)
            if early or kills % KILLS_A_RUN == 0 or kills == count:
                faults += filter(None, [finish(program, scratch, whole)])
                resumes += 1
                shutil.rmtree(folder)
        print(f"{kills} kills, {resumes} runs resumed to their end, {len(faults)} faults")
        print("\n".join(faults))
        sys.exit(1 if faults else 0)


main()
