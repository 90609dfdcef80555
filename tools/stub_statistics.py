"""What the compilers of NVIDIA's, Qualcomm's, Intel's, Apple's and AMD's GPUs make of every kernel and picture.

No GPU is needed: the drivers are those that tools/get-mesa installs, on stubs of their kernel drivers
(tools/run-with), and tests/isa/stub_layer.c writes what they report.
"""
import glob
import os
import subprocess
import tempfile
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUN_WITH = os.path.join(ROOT, "tools", "run-with")
BUDGETS = os.path.join(ROOT, "tests", "isa", "budgets.txt")

# A figure that has a budget on one driver: its column, the function that returns the worse of two values, its name,
# and the aim.
Measure = namedtuple("Measure", "column worse name aim")
MEASURES = {
    "nvk-ada": Measure("registers", max, "registers", 64),  # 32 of 48 warps
    "turnip-a7xx": Measure("occupancy", min, "waves", 8),  # of 16
    "anv-dg2": Measure("lanes", min, "lanes", 16),
    "honeykrisp-m1": Measure("occupancy", min, "threads", 640),  # of 1024
}
# {column: the names that drivers use}; the first that a driver reports counts.
COLUMNS = {
    "registers": ["Number of GPRs", "VGPRs", "Registers used", "GPRs", "Max live registers"],
    "spills": ["Spills to memory", "Spilled VGPRs", "Spills", "Spill Count", "STP Count"],
    "occupancy": ["Max warps/SM", "Subgroups per SIMD", "Max Waves Per Core", "Threads"],
    "instructions": ["Instruction count", "Instructions", "Instruction Count", "Instrs"],
    "code_bytes": ["Code size", "Code Size"],
    "shared_bytes": ["LDS size", "Workgroup Memory Size"],
}
KINDS = {".comp": "compute", ".vert": "vertex", ".frag": "fragment"}
INVOCATIONS = 0  # the specialization constant of a workgroup's size
# What a kernel needs on a driver: the worst figure of its variants, and the spills of the worst variant.
Need = namedtuple("Need", "figure spills")


class Failure(Exception):
    pass


def mesa_folder():
    return os.environ.get("WEIR_MESA") or os.path.join(ROOT, "build", "mesa")


def is_installed():
    return os.path.isdir(os.path.join(mesa_folder(), "icd.d"))


def driver_names():
    """Returns the drivers of tools/run-with that compile for GPUs."""
    return subprocess.run([RUN_WITH, "--list"], capture_output=True, text=True, check=True).stdout.split()


def read_stage(path):
    """Returns what the compiler reports for one stage of a pipeline, in one width."""
    with open(path, encoding="utf-8") as file:
        head = file.read().partition("\n\n")[0]
    facts = dict(line.partition(": ")[::2] for line in head.splitlines())
    kind = KINDS[os.path.splitext(facts["Shader"])[1]]
    stage = {"kernel": facts["Kernel"] + ("" if kind == "compute" else ", " + kind), "driver": facts["Target"],
             "kind": kind, "shader": facts["Shader"], "constants": facts["Constants"], "lanes": int(facts["Lanes"])}
    for column, names in COLUMNS.items():
        stage[column] = next((int(float(facts[name])) for name in names if name in facts), None)
    return stage


def compile_for(driver, program, every_variant):
    """Has a driver compile all that tests/isa/make_kernels.c creates, in all variants or in the first of each
    shader. Returns the driver's version and the stages.
    """
    with tempfile.TemporaryDirectory(prefix="weir-isa-") as folder:
        environment = dict(os.environ, WEIR_ISA=folder, WEIR_ISA_TARGETS=driver,
                           VK_INSTANCE_LAYERS="VK_LAYER_WEIR_stub",
                           VK_LAYER_PATH=os.path.dirname(os.path.abspath(program)))
        if not every_variant:
            environment["WEIR_ISA_FIRST_VARIANT"] = "1"
        done = subprocess.run([RUN_WITH, driver, os.path.abspath(program)], cwd=ROOT, env=environment,
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failure("%s: status %d\n%s" % (driver, done.returncode, done.stderr[-2000:].strip()))
        with open(os.path.join(folder, "driver"), encoding="utf-8") as file:
            version = file.read().strip()
        return version, [read_stage(path) for path in glob.glob(os.path.join(folder, "*.txt"))]


def compile_all(drivers, program, every_variant, jobs=2):
    """Returns {driver: version} and the stages of all drivers. Raises Failure."""
    with ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(lambda driver: compile_for(driver, program, every_variant), drivers))
    return dict(zip(drivers, (version for version, _ in results))), [stage for _, made in results for stage in made]


def counts(stage):
    """Whether the stage's width is judged: not of one invocation, nor of vertices, for which Intel uses 8 lanes."""
    return stage["kind"] != "vertex" and "%d=1" % INVOCATIONS not in stage["constants"].split()


def figure_of(stage):
    """Returns the figure that has a budget on the stage's driver; None if there is none."""
    measure = MEASURES.get(stage["driver"])
    if not measure or measure.column == "lanes" and not counts(stage):
        return None
    return stage[measure.column]


def widest(stages):
    """Yields one stage of those that a driver compiled in several widths for the GPU to choose from."""
    fragments = {}
    for stage in stages:
        if stage["kind"] != "fragment":
            yield stage
            continue
        key = (stage["driver"], stage["kernel"], stage["shader"], stage["constants"])
        if key not in fragments or fragments[key]["lanes"] < stage["lanes"]:
            fragments[key] = stage
    yield from fragments.values()


def gather(stages):
    """Returns {kernel: {driver: Need}}."""
    kernels = {}
    for stage in widest(stages):
        driver, figure, spills = stage["driver"], figure_of(stage), stage["spills"] or 0
        known = kernels.setdefault(stage["kernel"], {}).get(driver)
        if known:
            figures = [value for value in (known.figure, figure) if value is not None]
            figure = MEASURES[driver].worse(figures) if figures else None
            spills = max(spills, known.spills)
        kernels[stage["kernel"]][driver] = Need(figure, spills)
    return kernels


# ---- budgets -----------------------------------------------------------------------------------------------------

HEAD = """# What kernels may need on GPUs of four makers: the figures that these compilers gave,
# %s
# tools/isa --targets all --write-budgets writes this file. A kernel without a line has the budget of *.
# Registers: at most. Waves, lanes and threads: at least.
# kernel | %s
"""


def is_beyond(driver, figure, budget):
    return figure is not None and MEASURES[driver].worse(figure, budget) != budget


def read_budgets(path=BUDGETS):
    """Returns {kernel: {driver: figure}}, where "*" is any other kernel, and {(kernel, driver): spills}."""
    figures, spills = {}, {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = [word.strip() for word in line.split("#")[0].split("|")]
            if words == [""]:
                continue
            if len(words) == 3:
                spills[words[0], words[1]] = int(words[2])
            elif len(words) == len(MEASURES) + 1:
                figures[words[0]] = dict(zip(MEASURES, map(int, words[1:])))
            else:
                raise Failure("%s:%d: expected a kernel and %d figures, or a kernel, a driver and its spills"
                              % (path, number, len(MEASURES)))
    return figures, spills


def find_faults(kernels, drivers, budgets):
    """Yields what exceeds a budget, and budgets of kernels that do not exist."""
    figures, spills = budgets
    for kernel in sorted({*figures, *(kernel for kernel, _ in spills)} - {"*"} - set(kernels)):
        yield "%s: has a budget, but no scene of tests/isa/make_kernels.c creates it" % kernel
    for kernel, needs in sorted(kernels.items()):
        for driver in drivers:
            if driver not in needs:
                yield "%s on %s: not compiled" % (kernel, driver)
                continue
            need, allowed = needs[driver], spills.get((kernel, driver), 0)
            if need.spills > allowed:
                yield "%s on %s: %d spills, budget %d" % (kernel, driver, need.spills, allowed)
            if driver not in MEASURES:
                continue
            budget = figures.get(kernel, figures["*"])[driver]
            if is_beyond(driver, need.figure, budget):
                yield "%s on %s: %d %s, budget %d" % (kernel, driver, need.figure, MEASURES[driver].name, budget)


def beyond_aims(kernels):
    """Yields the kernels beyond an aim: (kernel, {driver: the figure, or the aim where it is met})."""
    for kernel, needs in sorted(kernels.items()):
        row, beyond = {}, False
        for driver, measure in MEASURES.items():
            figure = needs[driver].figure if driver in needs else None
            beyond |= is_beyond(driver, figure, measure.aim)
            row[driver] = figure if is_beyond(driver, figure, measure.aim) else measure.aim
        if beyond:
            yield kernel, row


def write_budgets(kernels, versions, path=BUDGETS):
    """Writes the budgets that the kernels need today."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD % (" and ".join(sorted(set(versions.values()))), " | ".join(
            "%s on %s" % (measure.name, driver) for driver, measure in MEASURES.items())))
        aims = {driver: measure.aim for driver, measure in MEASURES.items()}
        for kernel, row in [("*", aims), *beyond_aims(kernels)]:
            file.write("%s | %s\n" % (kernel, " | ".join(str(row[driver]) for driver in MEASURES)))
        file.write("\n# Spills: at most; none where there is no line.\n# kernel | driver | spills\n")
        for kernel, needs in sorted(kernels.items()):
            for driver, need in sorted(needs.items()):
                if need.spills:
                    file.write("%s | %s | %d\n" % (kernel, driver, need.spills))
