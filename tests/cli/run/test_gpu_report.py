#!/usr/bin/env python3
"""tools/gpu-report: the time model has the right limit for each kind of work, on a GPU and with kernels of round
numbers; a rehearsal measures everything, and its bench becomes the tables of docs/gpus.md. argv[1]: the program.
"""
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from importlib.machinery import SourceFileLoader

WEIR = sys.argv[1]
TOOL = os.path.join("tools", "gpu-report")
loader = SourceFileLoader("gpu_report", TOOL)
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("gpu_report", loader))
sys.dont_write_bytecode = True
loader.exec_module(tool)

# 100 units of 50 lanes at 2 GHz: 1e10 lane instructions per ms, of which 85 % are usable; 900 MB per ms of memory,
# 1,800 MB of the last cache, 1e10 bytes of the units' own caches.
ROUND = tool.Gpu("Round", 100, 50, 2, 1000, 20, 2000, 50, 225, 1000)
# With 30 neighbours "listed" has 85 instructions with wide lists and 115 with compact ones. 225 KiB hold 225 lanes of
# 256 registers.
KERNELS = {name: {"once": once, "pair": pair, "compact": compact, "registers": registers}
           for name, once, pair, compact, registers in (
               ("full", 85, 0, 0, 256), ("full_pairs", 1, 2, 3, 256), ("lean", 85, 0, 0, 16), ("listed", 25, 2, 3, 16),
               ("one", 400000, 0, 0, 16))}


def pass_of(name, calls=1, **work):
    return {**dict.fromkeys(("elements", "per_invocation", "bytes", "gathered_bytes", "flops", "atomics", "pair_bytes"), 0),
            "name": name, "calls": calls, "is_total": False, "group": "", **work}


def check(expected_ms, limit, *passes, gpu=ROUND):
    """The first of a substep's passes takes this long besides its dispatch of 3.2 us."""
    result = {"neighbours_mean": 30, "alone": False, "substeps": 1, "passes": list(passes)}
    ms, got = tool.predict(gpu, result, KERNELS)[0][passes[0]["name"]]
    assert abs(ms / passes[0]["calls"] / (expected_ms + 0.0032) - 1) < 1e-9 and got == limit, \
        "%s: %.9f ms by %s, expected %.9f by %s" % (passes[0], ms, got, expected_ms + 0.0032, limit)


def reader(pair_bytes):
    """10 M particles with 300 MB and their lists: 1,200 MB wide, 600 MB compact."""
    return pass_of("reader", elements=1e7, per_invocation=1, pair_bytes=pair_bytes, bytes=300e6 + 300e6 * pair_bytes)


def check_model():
    KERNELS["reader"] = KERNELS["listed"]
    check(1, "memory", pass_of("lean", bytes=900e6))
    check(9 / 1800, "memory", pass_of("lean", bytes=9e6))  # less than half of the last cache
    check(10.8 / 900, "memory", pass_of("lean", bytes=10.8e6))
    # Lanes that wait 600 ns for 16 bytes each fetch less than the memory provides; in a loop over pairs for 64 bytes.
    check(1, "memory", pass_of("full", bytes=600e6))
    check(1, "memory", pass_of("full_pairs", bytes=900e6))
    check(1, "memory", pass_of("lean", bytes=600e6), gpu=ROUND._replace(held=225))
    check(1, "cache", pass_of("lean", gathered_bytes=1e10))
    check(1, "instructions", pass_of("lean", elements=1e8, per_invocation=1))
    check(1, "instructions", pass_of("listed", elements=1e8, per_invocation=1))
    check(0.5 * 145 / 85, "instructions", pass_of("listed", elements=1e8, per_invocation=2))
    check(1, "instructions", pass_of("unknown", elements=1e8, per_invocation=1, flops=42.5e8))
    check(1, "atomics", pass_of("lean", atomics=2e8))
    check(1, "latency", pass_of("one", elements=1, per_invocation=1))
    check(0.001, "dispatch", pass_of("lean", atomics=2e5))
    for pair_bytes in (2, 4):  # compact on that GPU, whatever they are here: 900 MB instead of 1,500
        check(1, "memory", reader(pair_bytes))
    # Compact lists would raise nine calls of another pass from 85 to 115 instructions: lists are wide for both.
    calls = pass_of("listed", calls=9, elements=1e8, per_invocation=1)
    check(1, "instructions", calls, reader(2))
    check(1.5 / 0.9, "memory", reader(2), calls)


def run(*words, status=0):
    done = subprocess.run([sys.executable, TOOL, *words], capture_output=True, text=True)
    assert done.returncode == status, "%s: status %d\n%s%s" % (words, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def archived(out):
    """Returns the names in the archive, which must be whole."""
    with tarfile.open(os.path.join(out, "report.tar.gz")) as archive:
        return {member.name: archive.extractfile(member).read() if member.isfile() else b"" for member in archive}


def check_that_every_step_is_kept(out):
    """Runs a rehearsal; whenever a part begins, which is when a kill would come, the archive has all that came before."""
    seen = []
    command = [sys.executable, TOOL, "measure", "--weir", WEIR, "--small", "--device", "0", "-o", out]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if line.startswith("gpu-report: ") and ", at most " in line:
                have = archived(out)
                assert all("report/%s.txt" % name in have for name in seen), (seen, sorted(have))
                assert have["report/steps.txt"].decode().count("\n") >= 1 + len(seen), have["report/steps.txt"]
                seen.append(line.split(": ")[1].split(",")[0])
            last = line
    assert process.returncode == 0 and last.strip().endswith("report.tar.gz holds all of it"), (process.returncode, last)
    assert seen[:4] == ["check", "run-first", "run-again", "laws"] and len(seen) >= 6, seen
    assert "same bits twice: yes" in archived(out)["report/steps.txt"].decode()
    assert {"report/machine.txt", "report/bench-1M.json", "report/runs/run-first/stats.csv"} <= set(archived(out))


def check_a_kill(out):
    command = [sys.executable, TOOL, "measure", "--weir", WEIR, "--small", "--device", "0", "-o", out]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if "run-again" in line:
                process.kill()
                break
    assert "report/run-first.txt" in archived(out)


def check_what_is_refused(folder):
    assert "there is no " in run("measure", "--weir", os.path.join(folder, "nothing"), "-o", folder + "/none", status=2)
    found = run("measure", "--weir", WEIR, "--device", "no such device", "-o", folder + "/none", status=2)
    assert "weir info finds no device" in found and "no such device" in found, found
    words = subprocess.run([WEIR, "info"], capture_output=True, text=True).stdout
    if tool.device_of(words)[1]:  # its own rule, too: no CPU driver unless it is named
        assert "the only device is a CPU driver, " in run("measure", "--weir", WEIR, "-o", folder + "/none", status=2)
    assert tool.device_of("0  NVIDIA H100\n   driver x\n\nwill be used: 0  NVIDIA H100 (best)\n") == ("NVIDIA H100", False)
    two = "0  A\n1  llvmpipe (LLVM 15) (CPU driver)\nwill be used: 1  llvmpipe (LLVM 15) (chosen)\n"
    assert tool.device_of(two) == ("llvmpipe (LLVM 15)", True) and tool.device_of("none") == ("", False)


def check_rehearsal(folder):
    out, page = os.path.join(folder, "report"), os.path.join(folder, "gpus.md")
    check_that_every_step_is_kept(out)
    check_a_kill(os.path.join(folder, "killed"))
    check_what_is_refused(folder)
    bench, statistics = os.path.join(out, "bench-tiny.json"), os.path.join(folder, "kernels.json")
    with open(statistics, "w") as file:
        json.dump({"kernels": {"lambda": KERNELS["listed"]}}, file)
    shutil.copy("docs/gpus.md", page)
    for _ in range(2):  # the second replaces the tables of the first
        run("predict", bench, "--statistics", statistics, "--gpu", "m2", "--page", page)
    with open(page) as file:
        text = file.read()
    assert text.count("| pass, µs per substep | measured | Apple M2 Max | its limit |") == 1 and "| `lambda` | " in text
    assert "no GPU is called \"GTX\"; give a part of one of these names: H100 SXM" in run("predict", bench, "--gpu", "GTX", status=2)
    assert "several GPUs are called \"h\"" in run("predict", bench, "--gpu", "h", status=2)
    check_summary(out, os.path.join(folder, "none.tar.gz"))


def check_summary(out, missing):
    archive = os.path.join(out, "report.tar.gz")
    lines = run("summary", archive, archive).splitlines()
    with open(os.path.join(out, "bench-1M.json")) as file:
        measured = json.load(file)
    assert lines[0].count(measured["device"]["name"]) == 2 and ", commit " in lines[0], lines[0]
    result = measured["results"][0]
    ms = next("%.3g" % p["median_ms"] for p in result["passes"] if p["name"] == "substep")
    assert "| the same | {:,} | {} | {} |".format(result["particles"], ms, ms) in lines, lines
    assert "| two runs have the same bits |  | yes | yes |" in lines, lines
    assert "is no archive by gpu-report measure" in run("summary", missing, status=2)


check_model()
with tempfile.TemporaryDirectory(prefix="weir-gpu-report-") as scratch:
    check_rehearsal(scratch)
