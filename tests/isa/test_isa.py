#!/usr/bin/env python3
"""Every kernel compiles for AMD GPUs, keeps all its values in registers, and leaves room for enough waves.
argv[1]: make_kernels; then, for the long tests, "all": every target.

The limits are those of a whole module, so that a new or changed kernel needs no entry here.
"""
import fnmatch
import glob
import os
import sys

sys.path.insert(0, "tools")
import kernel_statistics  # noqa: E402

SKIPPED = 77
# The limits of registers and waves are those of RADV up to Mesa 25: that of 26 takes up to 256 registers where shared
# memory limits the waves in any case.
LIMITED = kernel_statistics.has_null_device()
# On NAVI21 at 32 lanes a kernel of a step holds at most 64 vector registers, so that a SIMD has room for 16 waves.
REGISTERS, MODULE_REGISTERS = 64, {"mesh": 80, "render": 112}
# The first three hold the normal of an oblique wall beside the velocities of a cell, the last the velocities and
# momenta of six equations, in one invocation per body: room for 12 waves.
KERNEL_REGISTERS = {"flip_friction_find": 80, "flip_p2g": 80, "flip_solid_impulse": 80, "flip_body_layer_response": 80}
LDS_BYTES = 16384  # of a workgroup, on every Vulkan device
VEGA_WAVES = 2
# Scalar registers that move into the lanes of a vector register cost instructions and no memory.
MODULE_SCALARS = {"render": 40}  # shade reads the lights and colours of a look
KERNEL_SCALARS = {"flip_momentum_residual": 13}  # with bodies: fourteen buffers, and neighbours of neighbours
# Shader files that no scene, mesher or picture uses: globs below shaders/.
NOT_MADE = ["tests/*", "gpu/empty_dispatch.comp", "gpu/peak_*"]


def faults_of(stage):
    """Yields what is wrong with a stage."""
    module, target = stage["shader"].split("/")[0], stage["target"]
    registers = KERNEL_REGISTERS.get(stage["kernel"], MODULE_REGISTERS.get(module, REGISTERS))
    if stage["spills"] or stage["scratch"]:
        yield "spills %d registers, %d bytes" % (stage["spills"], stage["scratch"])
    if stage["scalars"] > KERNEL_SCALARS.get(stage["kernel"], MODULE_SCALARS.get(module, 0)):
        yield "spills %d scalar registers" % stage["scalars"]
    if LIMITED and target == "NAVI21-32" and stage["registers"] > registers:
        yield "%d registers, at most %d" % (stage["registers"], registers)
    if LIMITED and target == "VEGA10-64" and stage["waves"] < VEGA_WAVES:
        yield "%d waves, at least %d" % (stage["waves"], VEGA_WAVES)
    if stage["lds"] > LDS_BYTES:
        yield "%d bytes of shared memory, at most %d" % (stage["lds"], LDS_BYTES)


def missing(stages, targets):
    """Yields kernels without a result for a target, and shader files that tests/isa/make_kernels.c never uses."""
    made = {(stage["kernel"], stage["target"]) for stage in stages}
    for kernel in sorted({name for name, _ in made}):
        for target in targets:
            if (kernel, target) not in made:
                yield "%s: not compiled for %s" % (kernel, target)
    shaders = {stage["shader"] for stage in stages}
    for path in sorted(glob.glob("shaders/**/*.*", recursive=True)):
        name = os.path.relpath(path, "shaders")
        if path.endswith((".comp", ".vert", ".frag")) and name not in shaders and \
                not any(fnmatch.fnmatch(name, pattern) for pattern in NOT_MADE):
            yield "shaders/%s: no scene of tests/isa/make_kernels.c uses it" % name


if not kernel_statistics.has_compiler():
    print("skipped: RADV is not installed; tools/setup installs it (mesa-vulkan-drivers). That of Mesa 26 or later "
          "needs the stubs that tools/get-mesa installs")
    sys.exit(SKIPPED)
targets = kernel_statistics.TARGETS if "all" in sys.argv[2:] else ["NAVI21-32", "VEGA10-64"]
if not LIMITED:  # the stubs lack the Steam Deck's GPU
    targets = [target for target in targets if target.split("-")[0] in kernel_statistics.STUBS]
driver, stages = kernel_statistics.compile_kernels(sys.argv[1], targets)
faults = {"%s on %s: %s" % (stage["kernel"], stage["target"], words) for stage in stages for words in faults_of(stage)}
faults.update(missing(stages, targets))
for line in sorted(faults):
    print(line)
print("%d kernels by %s for %s: %d faults" % (len({s["kernel"] for s in stages}), driver, ", ".join(targets), len(faults)))
sys.exit(1 if faults else 0)
