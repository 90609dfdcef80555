#!/usr/bin/env python3
"""At every STEP-th file call of a whole run the call fails, or the program is killed in it, or the disk is
gone for good; with STEP 1, each of the three. A call of each kind in the middle of the first scene's run
fails in any case. No file is torn, and the run, or its resume, ends with the bytes of a run without
failures.
"""
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import survival

DONE, FAILED, KILLED = 0, 1, -9
# What happens at the call: the setting of the preloaded library, and the possible exit statuses.
MODES = [("FAIL_ONCE", (DONE, FAILED)), ("FAIL_KILL", (KILLED,)), ("FAIL_ON", (DONE, FAILED))]


def shim(program):
    return str(pathlib.Path(program).parent / "libfail_files.so")


def try_call(program, scratch, options, at, mode):
    """Injects one failure. Returns a description of what was wrong, and whether the run continued by itself.
    """
    setting, statuses = mode
    folder = scratch / "failing"
    settings = {"LD_PRELOAD": shim(program), "FAIL_IN": "failing", "FAIL_AT": str(at), setting: "1"}
    shutil.rmtree(folder, ignore_errors=True)
    words = ["scene.json", "-o", "failing", *options]
    status, said = survival.run(program, words, scratch, **settings)
    if status not in statuses or (status == FAILED and "error:" not in said):
        return f"status {status}: {said}", False
    wrong = survival.torn(folder, scratch / "whole")
    if wrong:
        return f"torn: {wrong}", False
    if status != DONE:
        kept = list(folder.glob("checkpoint/checkpoint_*"))
        again, said = survival.run(program, words + ["--resume" if kept else "--force"], scratch)
        if again != DONE:
            return f"the second run has status {again}: {said}", False
    return survival.differences(folder, scratch / "whole"), status == DONE


def try_resume(program, scratch, options, step):
    """Resumes a whole run while one query of the disk about a file fails. Returns how often, and what was
    wrong.
    """
    folder, whole, wrong = scratch / "resumed", scratch / "whole", []
    words = ["scene.json", "-o", "resumed", "--resume", *options]
    settings = {"LD_PRELOAD": shim(program), "FAIL_IN": "resumed"}

    def resume(**more):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(whole, folder)
        return survival.run(program, words, scratch, **settings, **more)

    resume(FAIL_COUNT="resumes")
    asked = [at for at, name in enumerate((scratch / "resumes").read_text().splitlines(), 1)
             if name.split()[0] in ("stat", "fstat")]
    tried = asked[-1::-step]
    for at in tried:
        status, said = resume(FAIL_AT=str(at), FAIL_ONCE="1")
        bad = survival.torn(folder, whole) or (status == DONE and survival.differences(folder, whole))
        if bad or status not in (DONE, FAILED) or (status == FAILED and "error:" not in said):
            wrong.append(f"a resume, call {at}: status {status}: {bad} {said}")
    return len(tried), wrong


def choose(calls, step, each_kind):
    """Returns call numbers, from 1, and what happens there."""
    some = range(1 + step // 2, len(calls) + 1, step)
    if step == 1:
        return [(at, mode) for at in some for mode in MODES]
    numbers = {name: [] for name in calls}
    for number, name in enumerate(calls, 1):
        numbers[name].append(number)
    of_each_kind = [(found[len(found) // 2], MODES[0]) for found in numbers.values()]
    return [(at, MODES[i % len(MODES)]) for i, at in enumerate(some)] + (of_each_kind if each_kind else [])


def fail_run(program, scene, seconds, chosen):
    """Runs a scene with failures at the chosen calls. Returns a description of what was wrong."""
    text, options = survival.SCENES[scene]
    failures, alone, tried = [], 0, 0
    with tempfile.TemporaryDirectory(prefix="weir-files-") as name:
        scratch = pathlib.Path(name)
        (scratch / "scene.json").write_text(text % seconds)
        words = ["scene.json", "-o", "whole", *options]
        status, said = survival.run(program, words, scratch, LD_PRELOAD=shim(program), FAIL_IN="whole",
                                    FAIL_COUNT="count")
        if status != DONE:
            sys.exit(f"the run of {scene} without failures has status {status}: {said}")
        calls = (scratch / "count").read_text().splitlines()
        for at, mode in choose(calls, *chosen):
            wrong, went_on = try_call(program, scratch, options, at, mode)
            tried += 1
            alone += went_on
            if wrong:
                failures.append(f"{scene}, call {at}, {calls[at - 1]}, {mode[0]}: {wrong}")
        if scene == "pool":
            resumes, wrong = try_resume(program, scratch, options, max(1, chosen[0] // 16))
            failures += wrong
            print(f"{resumes} whole runs were resumed while the disk failed to tell of a file")
    print(f"{scene}: {tried} failures at {len(calls)} calls: {alone} runs went on, {tried - alone} were "
          f"resumed or begun again, {len(failures)} with differences")
    return failures if tried else ["no call was tried"]


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    step = int(sys.argv[2]) if len(sys.argv) > 2 else 48
    # The scene "things" writes more files of the same kinds, and takes longer to start.
    failures = fail_run(program, "pool", "0.1", (step, step > 1))
    failures += fail_run(program, "things", "0.067", (step if step == 1 else 2 * step, False))
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
