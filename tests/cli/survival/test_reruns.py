#!/usr/bin/env python3
"""The same scene gives the same particles at every frame, whatever the number of threads and the vector width
of the CPU driver; so do bodies, cloth, rope, soft body and whitewater. Reruns a scene for each solver, and
one with all of these, COUNT times, and compares them byte by byte.
"""
import itertools
import json
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import survival

DONE = 0
THINGS = "things"
SCENES = [*survival.METHODS, THINGS]
THREADS = (0, 1, 2, 4, 8)
VECTORS = (128, 256, 512)  # bits


def widths():
    """Returns the vector widths of the processor; on anything but x86, the driver's default."""
    cpu = pathlib.Path("/proc/cpuinfo")
    flags = cpu.read_text() if cpu.exists() else ""
    has = {128: " sse2" in flags, 256: " avx2" in flags, 512: " avx512f" in flags}
    return [bits for bits in VECTORS if has[bits]] or [0]


def run(program, name, scratch, settings):
    """Returns the frames of one run, and the positions of its bodies."""
    shutil.rmtree(scratch / "out", ignore_errors=True)
    words = [f"--set={key}={value}" for key, value in survival.METHODS.get(name, {}).items()]
    scene = "things.json" if name == THINGS else "scene.json"
    status, said = survival.run(program, [scene, "-o", "out", *words], scratch, **settings)
    if status != DONE:
        sys.exit(f"{name} with {settings} has status {status}: {said}")
    return {**survival.frames(scratch / "out"), "bodies.jsonl": survival.lines(scratch / "out" / "bodies.jsonl")}


def environment(threads, bits):
    settings = {"LP_NUM_THREADS": str(threads)}
    if bits:
        settings["LP_NATIVE_VECTOR_WIDTH"] = str(bits)
    return settings


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    system = os.environ.get("WEIR_SYSTEM_LAVAPIPE")
    if system and os.environ.get("VK_DRIVER_FILES", "").endswith("/icd.d/lavapipe.json"):
        os.environ["VK_DRIVER_FILES"] = os.environ["VK_ICD_FILENAMES"] = system  # Mesa 26's crashes with 128 bits
    count = int(sys.argv[2]) if len(sys.argv) > 2 else len(SCENES)
    ways = zip(itertools.cycle(THREADS), itertools.cycle(widths()))  # all combinations in the end
    failures, compared, each = [], 0, max(count // len(SCENES), 1)
    with tempfile.TemporaryDirectory(prefix="weir-reruns-") as folder:
        scratch = pathlib.Path(folder)
        (scratch / "scene.json").write_text(json.dumps(survival.METHODS_BASE))
        (scratch / "things.json").write_text(survival.THINGS % "0.2")
        for name in SCENES:
            first = run(program, name, scratch, {})
            for _ in range(each):
                settings = environment(*next(ways))
                again = run(program, name, scratch, settings)
                compared += len(again)
                wrong = sorted(f for f in first.keys() | again.keys() if first.get(f) != again.get(f))
                if wrong:
                    failures.append(f"{name} with {settings}: {len(wrong)} files, {wrong[0]} the first")
    print(f"{each * len(SCENES)} reruns of {len(SCENES)} scenes, {compared} files compared, "
          f"{len(failures)} reruns differ")
    print("\n".join(failures))
    sys.exit(1 if failures or compared == 0 else 0)


main()
