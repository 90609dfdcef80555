"""What AMD's compiler makes of every kernel: registers, waves, spills, shared memory and instructions.

No GPU is needed: Mesa's RADV compiles for GPUs that are not present, by itself (its null device:
tests/isa/isa_layer.c) or, since Mesa 26 has no null device, on stubs of the kernel driver (stub_statistics.py).
"""
import ctypes
import glob
import os
import re
import subprocess
import tempfile

import stub_statistics

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGETS = ["NAVI21-32", "NAVI21-64", "GFX1100-32", "GFX1100-64", "VANGOGH-32", "VANGOGH-64", "VEGA10-64"]
# The drivers of tools/run-with for these families.
STUBS = {"NAVI21": "radv-navi21", "GFX1100": "radv-navi31", "VEGA10": "radv-vega"}
# Particles that the search visits per particle found (those in the half-size cells that the sphere touches),
# and the iterations of its loops over planes and lines of cells.
CANDIDATES = 3
PLANES, LINES = 5, 25
# Specialization constants: of lists, and of a grid as large as the domain requires (shaders/shared/MODULE.h).
COMPACT, DENSE = "COMPACT", "DENSE"


def has_null_device():
    """Returns whether the installed RADV opens a GPU that is not present: since Mesa 26 it refuses."""
    try:
        ctypes.CDLL("libvulkan_radeon.so")
    except OSError:
        return False
    with open("/proc/self/maps", encoding="utf-8") as file:
        path = next(line.split()[-1] for line in file if "libvulkan_radeon.so" in line)
    with open(path, "rb") as file:
        return b"RADV_FORCE_FAMILY=<family> has been removed" not in file.read()


def has_compiler():
    return has_null_device() or stub_statistics.is_installed()


def loops_of(listing):
    """Returns the code, all its loops as (first, end), and the innermost ones. Mesa 26 puts the end of an outer loop's
    body before the inner loop, so that a loop ends where the last one that begins in it ends.
    """
    code, labels, ends = [], {}, {}
    for line in listing:
        if line.startswith("BB"):
            labels[line[:line.index(":")]] = len(code)
        elif line.startswith("\t"):
            code.append(line.split(";")[0].strip())
            jump = re.match(r"s_c?branch\w* (BB\d+)", code[-1])
            if jump and jump[1] in labels:
                ends[labels[jump[1]]] = len(code)
    for start in sorted(ends, reverse=True):
        ends[start] = max(end for other, end in ends.items() if start <= other <= ends[start])
    loops = list(ends.items())
    inner = [(start, end) for start, end in loops
             if not any(start <= a and b <= end and (a, b) != (start, end) for a, b in loops)]
    return code, loops, inner


def is_root(line):
    return bool(re.match(r"v_(rsq|sqrt)_", line))


def pair_instructions(kernel, code, inner):
    """Returns the instructions of one pair; the loop over a list's neighbours handles four per iteration, each
    with a root.
    """
    if kernel == "build_neighbour_lists":
        return CANDIDATES * max(end - start for start, end in inner)
    turns = [end - start for start, end in inner if sum(map(is_root, code[start:end])) == 4]
    return min(turns) / 4 if turns else 0


def once(kernel, code, loops, inner):
    """Returns the instructions of an element besides its pairs: those outside loops and, for the search, those
    of its lines.
    """
    outside = sum(not any(start <= i < end for start, end in loops) for i in range(len(code)))
    if kernel != "build_neighbour_lists":
        return outside
    start, end = max(inner, key=lambda loop: sum(a <= loop[0] and loop[1] <= b for a, b in loops))
    line, plane = sorted(b - a for a, b in loops if a <= start and end <= b and (a, b) != (start, end))[:2]
    return outside + LINES * (line - (end - start)) + PLANES * (plane - line)


def constant_names():
    """Returns {module: {id of a constant: its name}}."""
    names = {}
    for path in glob.glob(os.path.join(ROOT, "shaders", "shared", "*.h")):
        with open(path) as file:
            found = re.findall(r"(?:FLAG|NUMBER)\((\d+), (\w+)\)", file.read())
        names[os.path.basename(path)[:-2]] = {int(number): name for number, name in found}
    return names


def read_stage(path, names):
    """Returns what the compiler printed for one stage of a pipeline on one target."""
    with open(path) as file:
        head, _, listing = file.read().partition("\n\n")
    facts = dict(line.split(": ", 1) if ": " in line else (line.rstrip(":"), "") for line in head.splitlines())
    number = {name: int(value) for name, value in facts.items() if value.isdigit()}
    code, loops, inner = loops_of(listing.splitlines())
    kernel = facts["Kernel"]
    pair = pair_instructions(kernel, code, inner)
    module = names.get(facts["Shader"].split("/")[0], {})
    constants = (map(int, word.split("=")) for word in facts["Constants"].split())
    kind = stub_statistics.KINDS[os.path.splitext(facts["Shader"])[1]]
    stage = "" if kind == "compute" else ", " + kind
    return {"kernel": kernel + stage, "target": facts["Target"], "shader": facts["Shader"].replace(".texels.", "."),
            "constants": {module.get(i, i): value for i, value in constants},
            "registers": number["VGPRs"], "waves": number["Subgroups per SIMD"], "lds": number["LDS size"],
            "spills": number["Spilled VGPRs"], "scalars": number["Spilled SGPRs"], "scratch": number["Scratch size"],
            "once": once(kernel, code, loops if pair else [], inner), "pair": pair}


def run_layer(folder, command, environment):
    """Runs make_kernels under a layer that writes into a folder. Returns the compiler's version and the stages in
    the order of creation. Raises RuntimeError if the program fails.
    """
    os.makedirs(folder)
    environment = dict(os.environ, WEIR_ISA=folder, WEIR_ISA_LISTINGS="1", NODEVICE_SELECT="1", **environment)
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError("%s: status %d\n%s" % (" ".join(command), done.returncode, done.stderr[-3000:]))
    paths = sorted(glob.glob(os.path.join(folder, "*.txt")), key=lambda p: int(os.path.basename(p)[:-4]))
    names = constant_names()
    with open(os.path.join(folder, "driver")) as file:
        return file.read().strip(), [read_stage(path, names) for path in paths]


def compile_on_stub(program, folder, target):
    """Compiles for one target on the stub of its kernel driver."""
    family, lanes = target.split("-")
    if family not in STUBS or not stub_statistics.is_installed():
        raise RuntimeError("%s: RADV has no null device, and tools/get-mesa brings no stub of this GPU" % target)
    return run_layer(os.path.join(folder, target), [stub_statistics.RUN_WITH, STUBS[family], program], {
        "VK_LAYER_PATH": os.path.dirname(program), "VK_INSTANCE_LAYERS": "VK_LAYER_WEIR_stub",
        "WEIR_ISA_TARGETS": target, "RADV_PERFTEST": "cswave32,gewave32,pswave32" if lanes == "32" else ""})


def compile_kernels(program, targets=TARGETS, on_stubs=None):
    """Compiles every kernel that tests/isa/make_kernels.c creates, on RADV's null device or, where there is none, on
    stubs. Returns the compiler's version and the stages in the order of creation. Raises RuntimeError if the
    program fails.
    """
    program = os.path.abspath(program)
    with tempfile.TemporaryDirectory(prefix="weir-isa-") as folder:
        if not (on_stubs or on_stubs is None and not has_null_device()):
            return run_layer(os.path.join(folder, "null"), [program], {
                "VK_LAYER_PATH": os.path.dirname(program), "VK_INSTANCE_LAYERS": "VK_LAYER_WEIR_isa",
                "WEIR_ISA_TARGETS": ",".join(targets)})
        made = [compile_on_stub(program, folder, target) for target in targets]
        return made[0][0], [stage for _, stages in made for stage in stages]


def wide_and_compact(made):
    """Returns two variants of a kernel: that of the first scene, with the larger grid, and the one that differs
    from it only in compact lists.
    """
    def like(constants):
        return next((stage for stage in made if stage["constants"] == constants), None)

    wide = made[0]
    if DENSE in wide["constants"]:
        wide = like({**wide["constants"], DENSE: 1}) or wide
    compact = like({**wide["constants"], COMPACT: 1}) if COMPACT in wide["constants"] else None
    return wide, compact or wide


def instructions_of(stages):
    """Returns {kernel: instructions per element, per pair with wide and with compact lists, registers}."""
    variants, table = {}, {}
    for stage in stages:
        if stage["target"] == TARGETS[0]:
            variants.setdefault(stage["kernel"], []).append(stage)
    for kernel, made in sorted(variants.items()):
        wide, compact = wide_and_compact(made)
        table[kernel] = {"once": wide["once"], "pair": wide["pair"],
                         "compact": max(wide["pair"], compact["pair"]), "registers": wide["registers"]}
    return table
