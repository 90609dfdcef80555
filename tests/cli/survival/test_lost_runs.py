#!/usr/bin/env python3
"""Loses the device at COUNT moments of runs of two scenes, in a submission or in a wait: the run reports it
and has status 1. At SHORT more moments one call fails once with an out-of-memory error: the run continues,
or reports it and has status 1. No file is torn, and the run, or its resume, ends with the bytes of a run
that lost nothing.
"""
import json
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import survival

DONE, FAILED, SKIPPED = 0, 1, 77
LAYER = "VK_LAYER_WEIR_lose_device"
SECONDS = {"pool": "0.2", "things": "0.15"}
LOSSES = {"submit": "vkQueueSubmit2", "wait": "vkWaitForFences"}
MISSED = "ended before"
SHORT = ("allocate", "map", "create", "submit", "wait")


def write_manifest(scratch, library):
    layer = {"name": LAYER, "type": "GLOBAL", "library_path": str(library), "api_version": "1.3.0",
             "implementation_version": "1", "description": "loses the device"}
    manifest = {"file_format_version": "1.0.0", "layer": layer}
    (scratch / "lose_device.json").write_text(json.dumps(manifest))


def run(program, words, scratch, **settings):
    layers = {"VK_LAYER_PATH": str(scratch), "VK_INSTANCE_LAYERS": LAYER}
    return survival.run(program, ["scene.json", *words], scratch, **layers, **settings)


def is_told(call, status, said):
    """Returns whether the run ended as expected, with the message that belongs to its end."""
    if call in LOSSES:
        return status == FAILED and said.count(f"was lost in {LOSSES[call]}: ") == 1 and "--resume" in said
    return status == DONE or (status == FAILED and "error:" in said and "memory" in said)


def read_calls(path):
    """Returns how often a run has made each call. On a busy machine it makes some submissions more, or fewer.
    """
    return {name: int(count) for name, count in map(str.split, path.read_text().splitlines())}


def lose_once(program, scratch, options, call, at):
    """Returns what was wrong, and how the run continued: from a checkpoint, from the start, or by itself;
    MISSED if the run made fewer calls.
    """
    folder, whole = scratch / "lost", scratch / "whole"
    shutil.rmtree(folder, ignore_errors=True)
    (scratch / "made").unlink(missing_ok=True)
    status, said = run(program, ["-o", "lost", *options], scratch, LOSE_AT=call, LOSE_AFTER=str(at),
                       LOSE_COUNT="made")
    if read_calls(scratch / "made")[call.split()[-1]] < at:
        return "", MISSED
    if not is_told(call, status, said):
        return f"status {status}: {said}", ""
    if survival.torn(folder, whole):
        return f"torn: {survival.torn(folder, whole)}", ""
    if status == DONE:
        return survival.differences(folder, whole), "went on"
    kept = bool(list(folder.glob("checkpoint/checkpoint_*")))
    if kept and "--resume" not in said:
        return f"a run that can go on does not say so: {said}", ""
    again, said = run(program, ["-o", "lost", "--resume" if kept else "--force", *options], scratch)
    if again != DONE:
        return f"the second run has status {again}: {said}", ""
    return survival.differences(folder, whole), "resumed" if kept else "begun again"


def lose_runs(program, library, scene, counts):
    """Fails each call as often as `counts` says. Returns how the runs continued, and what was wrong."""
    text, options = survival.SCENES[scene]
    failures, ends = [], []
    with tempfile.TemporaryDirectory(prefix="weir-lost-") as name:
        scratch = pathlib.Path(name)
        write_manifest(scratch, library)
        (scratch / "scene.json").write_text(text % SECONDS[scene])
        status, said = run(program, ["-o", "whole", *options], scratch, LOSE_COUNT="count")
        if status != DONE:
            sys.exit(f"the run of {scene} that loses nothing has status {status}: {said}")
        calls = read_calls(scratch / "count")
        for call, count in counts.items():
            of = calls[call.split()[-1]]
            for i in range(count):  # the very last call only closes the device
                at = 1 + (4 * i + 3) * (of - 1) // (4 * count)
                wrong, end = lose_once(program, scratch, options, call, at)
                ends.append((call in LOSSES, end))
                if wrong:
                    failures.append(f"{scene}, {call} {at} of {of}: {wrong}")
    return ends, failures


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    library = pathlib.Path(program).parent / "liblose_device.so"
    if not library.exists():
        print("skipped: the layer that loses devices was not built")
        sys.exit(SKIPPED)
    short = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    scenes = list(survival.SCENES)
    each = {scene: {call: count // len(LOSSES) // len(scenes) for call in LOSSES} for scene in scenes}
    for i in range(short):  # alternates between the calls, and between the scenes
        call, of = f"short {SHORT[i % len(SHORT)]}", each[scenes[(i + i // len(SHORT)) % len(scenes)]]
        of[call] = of.get(call, 0) + 1
    ends, failures = [], []
    for scene in scenes:
        found, wrong = lose_runs(program, library, scene, each[scene])
        ends += found
        failures += wrong
    for lost, what in ((True, "losses"), (False, "calls without memory")):
        these = [end for of, end in ends if of == lost]
        print(f"{len(these)} {what}: {these.count('resumed')} runs resumed, {these.count('begun again')} begun again, "
              f"{these.count('went on')} went on, {these.count(MISSED)} ended before")
    print(f"{len(failures)} with differences")
    print("\n".join(failures))
    missed = sum(end == MISSED for _, end in ends)
    sys.exit(1 if failures or 10 * missed > len(ends) or not ends else 0)


main()
