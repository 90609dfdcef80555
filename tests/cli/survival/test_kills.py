#!/usr/bin/env python3
"""Kills runs of each scene in turn at random times, COUNT times in total: no file is torn, none is missing
before the last line of stats.csv, and the resumed run ends with the bytes of one that was not killed.
"""
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
KILLS_A_RUN = 25  # after these the run may finish, is compared, and starts again
SHARES = {"pool": 0.75, "things": 0.25}  # fraction of the kills; the scene "things" takes longer to start
PATIENCE_S = 60


def start(program, words, scratch):
    return subprocess.Popen([program, "run", *words, "-o", "killed", "-q"], cwd=scratch, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def written_at(path):
    """Returns when the file was written, in ns; 0 if it does not exist."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def start_and_wait(program, words, scratch, folder):
    """Starts a run and waits for run.json: a kill before that hits a program that has written nothing."""
    end, before = time.monotonic() + PATIENCE_S, written_at(folder / "run.json")
    process = start(program, words, scratch)
    while process.poll() is None and time.monotonic() < end:
        if written_at(folder / "run.json") not in (0, before):
            break
        time.sleep(0.001)
    return process


def missing(folder):
    """Returns missing files that a line of stats.csv promises, judged by those of frame 0 of the whole run;
    without its picture, which is drawn after the frame's line.
    """
    path = folder / "stats.csv"
    lines = path.read_text().split("\n")[1:-1] if path.exists() else []
    kinds = [name for name in survival.frames(folder.parent / "whole") if "_0000." in name and not name.startswith("images/")]
    names = [kind.replace("_0000.", f"_{int(line.split(',')[0]):04d}.") for line in lines for kind in kinds]
    return [name for name in names if not (folder / name).exists()]


def words_of(scratch, options):
    """Returns the arguments of a run that resumes, or starts if there is nothing to resume."""
    kept = list((scratch / "killed").glob("checkpoint/checkpoint_*"))
    return ["scene.json", "--resume" if kept else "--force", *options]


def kill_once(program, scratch, options, seconds):
    """Starts or resumes the run and kills it. Returns True if it ended before."""
    process = start_and_wait(program, words_of(scratch, options), scratch, scratch / "killed")
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    return process.wait() == DONE


def finish(program, scratch, options):
    """Resumes the run to its end and compares it."""
    status, said = survival.run(program, [*words_of(scratch, options), "-o", "killed"], scratch)
    return said if status != DONE else survival.differences(scratch / "killed", scratch / "whole")


def kill_runs(program, scene, count, chance):
    """Kills runs of a scene `count` times. Returns how many were then resumed to their end, and what was
    wrong.
    """
    text, options = survival.SCENES[scene]
    resumes, kills, faults = 0, 0, []
    with tempfile.TemporaryDirectory(prefix="weir-kills-") as name:
        scratch = pathlib.Path(name)
        folder, whole = scratch / "killed", scratch / "whole"
        (scratch / "scene.json").write_text(text % "0.5")
        begun = time.monotonic()
        survival.run(program, ["scene.json", "-o", "whole", *options], scratch)
        length = (time.monotonic() - begun) / min(KILLS_A_RUN, count)
        while kills < count:
            early = kill_once(program, scratch, options, chance.random() * 2 * length)
            kills += not early
            faults += survival.torn(folder, whole) + missing(folder)
            if early or kills % KILLS_A_RUN == 0 or kills == count:
                faults += filter(None, [finish(program, scratch, options)])
                resumes += 1
                shutil.rmtree(folder)
    return resumes, faults


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    chance = random.Random(SEED)
    resumes, faults, kills = 0, [], {scene: round(share * count) for scene, share in SHARES.items()}
    for scene in kills:
        again, wrong = kill_runs(program, scene, kills[scene], chance)
        resumes += again
        faults += [f"{scene}: {words}" for words in wrong]
    print(f"{sum(kills.values())} kills, {resumes} runs resumed to their end, {len(faults)} faults")
    print("\n".join(faults))
    sys.exit(1 if faults or resumes == 0 else 0)


main()
