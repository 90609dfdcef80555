#!/usr/bin/env python3
"""At every STEP-th call on a file of a whole run the call fails, or the program is killed in it, or
the disk is gone for good; with STEP 1 each of the three. A call of each kind in the middle of the run
fails in any case. No file is torn, and the run, or its resume, ends with the bytes of a run without
failures."""
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import survival

DONE, FAILED, KILLED = 0, 1, -9
# What happens at the call: the preloaded library's setting, and the statuses that it may lead to.
MODES = [("FAIL_ONCE", (DONE, FAILED)), ("FAIL_KILL", (KILLED,)), ("FAIL_ON", (DONE, FAILED))]


def try_call(program, shim, scratch, at, mode):
    """One failure; what was wrong, in words, and whether the run went on by itself."""
    setting, statuses = mode
    folder = pathlib.Path(scratch) / "failing"
    settings = {"LD_PRELOAD": shim, "FAIL_IN": "failing", "FAIL_AT": str(at), setting: "1"}
    shutil.rmtree(folder, ignore_errors=True)
    words = ["scene.json", "-o", "failing", *survival.OPTIONS]
    status, said = survival.run(program, words, scratch, **settings)
    if status not in statuses or (status == FAILED and "error:" not in said):
        return f"status {status}: {said}", False
    wrong = survival.torn(folder, pathlib.Path(scratch) / "whole")
    if wrong:
        return f"torn: {wrong}", False
    if status != DONE:
        kept = list(folder.glob("checkpoint/checkpoint_*"))
        again, said = survival.run(program, words + ["--resume" if kept else "--force"], scratch)
        if again != DONE:
            return f"the second run has status {again}: {said}", False
    return survival.differences(folder, pathlib.Path(scratch) / "whole"), status == DONE


def choose(calls, step):
    """Numbers of calls, from 1, and what happens there."""
    some = range(1 + step // 2, len(calls) + 1, step)
    if step == 1:
        return [(at, mode) for at in some for mode in MODES]
    numbers = {name: [] for name in calls}
    for number, name in enumerate(calls, 1):
        numbers[name].append(number)
    of_each_kind = [(found[len(found) // 2], MODES[0]) for found in numbers.values()]
    return [(at, MODES[i % len(MODES)]) for i, at in enumerate(some)] + of_each_kind


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    step = int(sys.argv[2]) if len(sys.argv) > 2 else 24
    shim = str(pathlib.Path(program).parent / "libfail_files.so")
    with tempfile.TemporaryDirectory(prefix="weir-files-") as scratch:
        (pathlib.Path(scratch) / "scene.json").write_text(survival.SCENE % "0.1")
        words = ["scene.json", "-o", "whole", *survival.OPTIONS]
        status, said = survival.run(program, words, scratch, LD_PRELOAD=shim, FAIL_IN="whole",
                                    FAIL_COUNT="count")
        if status != DONE:
            sys.exit(f"the run without failures has status {status}: {said}")
        calls = (pathlib.Path(scratch) / "count").read_text().splitlines()
        failures, alone, tried = [], 0, 0
        for at, mode in choose(calls, step):
            wrong, went_on = try_call(program, shim, scratch, at, mode)
            tried += 1
            alone += went_on
            if wrong:
                failures.append(f"call {at}, {calls[at - 1]}, {mode[0]}: {wrong}")
        print(f"{tried} failures at {len(calls)} calls: {alone} runs went on, {tried - alone} were "
              f"resumed or begun anew, {len(failures)} with differences")
        print("\n".join(failures))
        sys.exit(1 if failures or tried == 0 else 0)


main()
