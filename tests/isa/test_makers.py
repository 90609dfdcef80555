#!/usr/bin/env python3
"""Every kernel and picture compiles for GPUs of NVIDIA, Qualcomm, Intel and Apple within the budgets of
tests/isa/budgets.txt: registers, waves, lanes, threads and spills. argv[1]: make_kernels; then, for the long tests,
"all": every driver of tools/run-with and every variant.

The drivers are opened like those of a machine with such a GPU: their limits, memory types and extensions are real.
Skipped without tools/get-mesa.
"""
import os
import sys

sys.path.insert(0, "tools")
import kernel_statistics  # noqa: E402
import stub_statistics  # noqa: E402

SKIPPED = 77


def check_drivers(program, everything):
    """Prints what exceeds a budget, and returns whether anything does."""
    drivers = stub_statistics.driver_names() if everything else list(stub_statistics.MEASURES)
    versions, stages = stub_statistics.compile_all(drivers, program, everything)
    kernels = stub_statistics.gather(stages)
    faults = list(stub_statistics.find_faults(kernels, drivers, stub_statistics.read_budgets()))
    for line in faults:
        print(line)
    print("%d kernels by %s for %s: %d faults"
          % (len(kernels), " and ".join(sorted(set(versions.values()))), ", ".join(drivers), len(faults)))
    return bool(faults)


def check_radv_stub(program):
    """Compares RADV on a stub with RADV's null device, which Mesa 26 no longer has: the same kernels and loops."""
    if not kernel_statistics.has_null_device():
        return False
    stubbed, own = (kernel_statistics.compile_kernels(program, ["NAVI21-32"], on_stubs)[1]
                    for on_stubs in (True, False))
    kernels = [{stage["kernel"] for stage in stages} for stages in (stubbed, own)]
    pairs = [{stage["kernel"] for stage in stages if stage["pair"]} for stages in (stubbed, own)]
    empty = {stage["kernel"] for stage in stubbed if stage["waves"] < 1 or stage["registers"] < 1}
    faults = {"kernels of one alone": kernels[0] ^ kernels[1], "loops over pairs of one alone": pairs[0] ^ pairs[1],
              "without registers": empty}
    for words, names in faults.items():
        if names:
            print("RADV on a stub, and its null device: %s: %s" % (words, ", ".join(sorted(names))))
    return any(faults.values())


program, everything = sys.argv[1], "all" in sys.argv[2:]
if not stub_statistics.is_installed():
    print("skipped: no drivers in %s; tools/get-mesa installs them" % os.path.relpath(stub_statistics.mesa_folder()))
    sys.exit(SKIPPED)
failed = check_drivers(program, everything)
if everything:
    failed |= check_radv_stub(program)
sys.exit(1 if failed else 0)
