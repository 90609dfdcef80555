#!/usr/bin/env python3
"""The device is lost at COUNT moments of a run, in a submission or in a wait: the run says so and has
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
CALLS = {"submit": "vkQueueSubmit2", "wait": "vkWaitForFences"}


def write_manifest(scratch, library):
    layer = {"name": LAYER, "type": "GLOBAL", "library_path": str(library), "api_version": "1.3.0",
             "implementation_version": "1", "description": "loses the device"}
    manifest = {"file_format_version": "1.0.0", "layer": layer}
    (scratch / "lose_device.json").write_text(json.dumps(manifest))


def run(program, words, scratch, **settings):
    layers = {"VK_LAYER_PATH": str(scratch), "VK_INSTANCE_LAYERS": LAYER}
    return survival.run(program, ["scene.json", *words, *survival.OPTIONS], scratch, **layers, **settings)


def lose_once(program, scratch, call, at):
    """What was wrong, in words, and whether the lost run had left a checkpoint."""
    folder, whole = scratch / "lost", scratch / "whole"
    shutil.rmtree(folder, ignore_errors=True)
    status, said = run(program, ["-o", "lost"], scratch, LOSE_AT=call, LOSE_AFTER=str(at))
    if status != FAILED or said.count(f"was lost in {CALLS[call]}: ") != 1 or "--resume" not in said:
        return f"status {status}: {said}", False
    if survival.torn(folder, whole):
        return f"torn: {survival.torn(folder, whole)}", False
    kept = bool(list(folder.glob("checkpoint/checkpoint_*")))
    again, said = run(program, ["-o", "lost", "--resume" if kept else "--force"], scratch)
    if again != DONE:
        return f"the second run has status {again}: {said}", kept
    return survival.differences(folder, whole), kept


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    library = pathlib.Path(program).parent / "liblose_device.so"
    if not library.exists():
        print("skipped: the layer that loses devices was not built")
        sys.exit(SKIPPED)
    failures, resumed = [], 0
    with tempfile.TemporaryDirectory(prefix="weir-lost-") as name:
        scratch = pathlib.Path(name)
        write_manifest(scratch, library)
        (scratch / "scene.json").write_text(survival.SCENE % "0.4")
        for call in CALLS:
            words = ["-o", "whole", "--force"]
            status, said = run(program, words, scratch, LOSE_AT=call, LOSE_COUNT="count")
            if status != DONE:
                sys.exit(f"the run that loses nothing has status {status}: {said}")
            calls = int((scratch / "count").read_text())
            for i in range(count // 2):  # the very last call only closes the device
                at = 1 + i * (calls - 1) // (count // 2)
                wrong, kept = lose_once(program, scratch, call, at)
                resumed += kept
                if wrong:
                    failures.append(f"{CALLS[call]} {at} of {calls}: {wrong}")
    print(f"{count} losses, {resumed} runs resumed, {count - resumed} begun anew, "
          f"{len(failures)} with differences")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
