#!/usr/bin/env python3
"""The device is lost at COUNT moments of runs of two scenes, in a submission or in a wait: the run says so and has
status 1, no file is torn, and its resume ends with the bytes of a run that lost nothing."""
import json
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import survival

DONE, FAILED, SKIPPED = 0, 1, 77
LAYER = "VK_LAYER_WEIR_lose_device"
SECONDS = {"pool": "0.4", "things": "0.15"}
CALLS = {"submit": "vkQueueSubmit2", "wait": "vkWaitForFences"}


def write_manifest(scratch, library):
    layer = {"name": LAYER, "type": "GLOBAL", "library_path": str(library), "api_version": "1.3.0",
             "implementation_version": "1", "description": "loses the device"}
    manifest = {"file_format_version": "1.0.0", "layer": layer}
    (scratch / "lose_device.json").write_text(json.dumps(manifest))


def run(program, words, scratch, **settings):
    layers = {"VK_LAYER_PATH": str(scratch), "VK_INSTANCE_LAYERS": LAYER}
    return survival.run(program, ["scene.json", *words], scratch, **layers, **settings)


def lose_once(program, scratch, options, call, at):
    """What was wrong, in words, and whether the lost run had left a checkpoint."""
    folder, whole = scratch / "lost", scratch / "whole"
    shutil.rmtree(folder, ignore_errors=True)
    status, said = run(program, ["-o", "lost", *options], scratch, LOSE_AT=call, LOSE_AFTER=str(at))
    if status != FAILED or said.count(f"was lost in {CALLS[call]}: ") != 1 or "--resume" not in said:
        return f"status {status}: {said}", False
    if survival.torn(folder, whole):
        return f"torn: {survival.torn(folder, whole)}", False
    kept = bool(list(folder.glob("checkpoint/checkpoint_*")))
    again, said = run(program, ["-o", "lost", "--resume" if kept else "--force", *options], scratch)
    if again != DONE:
        return f"the second run has status {again}: {said}", kept
    return survival.differences(folder, whole), kept


def lose_runs(program, library, scene, count):
    """Loses the device `count` times in each call; the runs that were resumed, and what was wrong."""
    text, options = survival.SCENES[scene]
    failures, resumed = [], 0
    with tempfile.TemporaryDirectory(prefix="weir-lost-") as name:
        scratch = pathlib.Path(name)
        write_manifest(scratch, library)
        (scratch / "scene.json").write_text(text % SECONDS[scene])
        for call in CALLS:
            words = ["-o", "whole", "--force", *options]
            status, said = run(program, words, scratch, LOSE_AT=call, LOSE_COUNT="count")
            if status != DONE:
                sys.exit(f"the run of {scene} that loses nothing has status {status}: {said}")
            calls = int((scratch / "count").read_text())
            for i in range(count):  # the very last call only closes the device
                at = 1 + i * (calls - 1) // count
                wrong, kept = lose_once(program, scratch, options, call, at)
                resumed += kept
                if wrong:
                    failures.append(f"{scene}, {CALLS[call]} {at} of {calls}: {wrong}")
    return resumed, failures


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    library = pathlib.Path(program).parent / "liblose_device.so"
    if not library.exists():
        print("skipped: the layer that loses devices was not built")
        sys.exit(SKIPPED)
    failures, resumed, each = [], 0, count // len(CALLS) // len(survival.SCENES)
    for scene in survival.SCENES:
        kept, wrong = lose_runs(program, library, scene, each)
        resumed += kept
        failures += wrong
    count = each * len(CALLS) * len(survival.SCENES)
    print(f"{count} losses, {resumed} runs resumed, {count - resumed} begun anew, "
          f"{len(failures)} with differences")
    print("\n".join(failures))
    sys.exit(1 if failures or count == 0 else 0)


main()
