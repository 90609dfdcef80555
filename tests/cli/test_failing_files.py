#!/usr/bin/env python3
"""Every STEP-th call on a file of a whole run fails once, and at some of them the disk is gone for
good: no file is torn, and the run, or its resume, ends with the bytes of a run without failures."""
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import survival

DONE, FAILED = 0, 1
GONE_EVERY = 4  # of the calls tried


def try_call(program, shim, scratch, at, gone):
    """One failure; what was wrong, in words, and whether the run went on by itself."""
    folder = pathlib.Path(scratch) / "failing"
    settings = {"LD_PRELOAD": shim, "FAIL_IN": "failing", "FAIL_AT": str(at)}
    if gone:
        settings["FAIL_ON"] = "1"
    shutil.rmtree(folder, ignore_errors=True)
    words = ["scene.json", "-o", "failing", *survival.OPTIONS]
    status, said = survival.run(program, words, scratch, **settings)
    if status not in (DONE, FAILED) or (status == FAILED and "error:" not in said):
        return f"status {status}: {said}", False
    wrong = survival.torn(folder, pathlib.Path(scratch) / "whole")
    if wrong:
        return f"torn: {wrong}", False
    if status == FAILED:
        kept = list(folder.glob("checkpoint/checkpoint_*"))
        again, said = survival.run(program, words + ["--resume" if kept else "--force"], scratch)
        if again != DONE:
            return f"the second run has status {again}: {said}", False
    return survival.differences(folder, pathlib.Path(scratch) / "whole"), status == DONE


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    step = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    shim = str(pathlib.Path(program).parent / "libfail_files.so")
    with tempfile.TemporaryDirectory(prefix="weir-files-") as scratch:
        (pathlib.Path(scratch) / "scene.json").write_text(survival.SCENE % "0.1")
        words = ["scene.json", "-o", "whole", *survival.OPTIONS]
        status, said = survival.run(program, words, scratch, LD_PRELOAD=shim, FAIL_IN="whole",
                                    FAIL_COUNT="count")
        if status != DONE:
            sys.exit(f"the run without failures has status {status}: {said}")
        calls = int((pathlib.Path(scratch) / "count").read_text())
        failures, alone, tried = [], 0, 0
        for at in range(1 + step // 2, calls + 1, step):
            wrong, went_on = try_call(program, shim, scratch, at, tried % GONE_EVERY == 3)
            tried += 1
            alone += went_on
            if wrong:
                failures.append(f"call {at}: {wrong}")
        print(f"{tried} of {calls} calls failed: {alone} runs went on, {tried - alone} were resumed "
              f"or begun anew, {len(failures)} with differences")
        print("\n".join(failures))
        sys.exit(1 if failures or tried == 0 else 0)


main()
