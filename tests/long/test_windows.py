#!/usr/bin/env python3
"""Tests Weir for Windows, built by mingw-w64, under Wine: the tests of the libraries and of a host's frame,
the program on lavapipe with the same bits as the program for Linux, the zip, and the exports of weir.dll.

Wine does not support replacing a file that another program has open, console events, and validation
layers. tests/unit/base/test_base_system.c describes its substitute check for the first.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = 77
TOOLS = ["x86_64-w64-mingw32-gcc", "x86_64-w64-mingw32-g++", "dpkg-source", "wine", "wineserver", "xvfb-run", "clang"]
SYSTEM_LIBRARIES = {"ADVAPI32.dll", "GDI32.dll", "KERNEL32.dll", "msvcrt.dll", "SHELL32.dll", "USER32.dll"}
# Tests that check messages of validation layers.
NEED_LAYERS = "test_(gpu_buffers|gpu_draws|gpu_passes|overlay)$"
COMMAND_LINE = ["test_exit_statuses", "test_messages"]  # of cli_run_tests


def run(*arguments, **more):
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=ROOT, errors="replace", **more)
    if done.returncode != 0:
        sys.exit("%s: status %d\n%s%s" % (" ".join(arguments), done.returncode, done.stdout[-4000:],
                                          done.stderr[-2000:]))
    return done.stdout


def objdump(path):
    return run("x86_64-w64-mingw32-objdump", "-p", path)


def check_needs_and_exports(folder):
    for name in ["weir.exe", "weir.dll"]:
        needed = set(re.findall(r"DLL Name: (\S+)", objdump(os.path.join(folder, name))))
        assert needed <= SYSTEM_LIBRARIES, needed
    names = objdump(os.path.join(folder, "weir.dll")).split("[Ordinal/Name Pointer] Table")[1].split("\n\n")[0]
    exported = re.findall(r"^\s*\[ *\d+\] +(\S+)$", names, re.M)
    assert len(exported) > 80, exported
    assert all(name.startswith("weir_") for name in exported), exported


def check_headers(folder):
    """Checks that Microsoft's dialects of C and C++, as clang emulates them, accept the public API."""
    for header in sorted(glob.glob(os.path.join(ROOT, "src", "include", "*.h"))):
        if header.endswith("weir/version.h"):  # includes headers of Microsoft's C library
            continue
        for language, standard in [("c", "c11"), ("c", "c17"), ("c++", "c++17")]:
            run("clang", "--target=x86_64-pc-windows-msvc", "-ffreestanding", "-fsyntax-only", "-Wall", "-Wextra",
                "-Werror", "-x", language, "-std=" + standard, "-I", os.path.dirname(header),
                "-isystem", os.path.join(folder, "windows-libraries", "root", "include"), header)


def same_files(kind, a, b):
    names = sorted(os.path.relpath(p, a) for p in glob.glob("%s/%s/*" % (a, kind)))
    assert names and names == sorted(os.path.relpath(p, b) for p in glob.glob("%s/%s/*" % (b, kind))), names
    for name in names:
        with open(os.path.join(a, name), "rb") as one, open(os.path.join(b, name), "rb") as other:
            assert one.read() == other.read(), name


def check_program(wine, weir, linux, folder):
    """Runs a scene into a folder with a long name in many scripts, and then a second time from there."""
    place = os.path.join(folder, "Wässer 水", "a long name of a folder, " * 9 + "and", "then one more, " * 12 + "longer")
    options = ["--frames", "2", "--checkpoint-interval", "1", "--mesh", "ply", "--particles", "npy", "-q"]
    scene = os.path.join("scenes", "drop.json")
    run(*wine, weir, "check", scene)
    run(*wine, weir, "run", "scenes\\drop.json", "-o", place.replace("/", "\\"), *options)
    run(*wine, weir, "run", "-o", place, "--resume", "--frames", "3", "-q")
    run(linux, "run", scene, "-o", os.path.join(folder, "linux"), *options)
    run(linux, "run", "-o", os.path.join(folder, "linux"), "--resume", "--frames", "3", "-q")
    for kind in ["particles", "mesh"]:
        same_files(kind, place, os.path.join(folder, "linux"))
    assert "closed" in run(*wine, weir, "check", os.path.join(place, "mesh", "surface_0002.ply"))
    missing = subprocess.run([*wine, weir, "check", "no\\such.json"], capture_output=True, text=True, cwd=ROOT)
    assert missing.returncode == 1 and "no such file" in missing.stderr, missing


def check_command_line(linux, windows):
    """Runs the command-line tests, which run on Linux, with the program for Windows."""
    with tempfile.NamedTemporaryFile("w", prefix="weir-", delete=False) as script:
        script.write('#!/bin/sh\nexec wine "%s" "$@"\n' % os.path.join(windows, "weir.exe"))
    os.chmod(script.name, 0o755)
    try:
        for test in COMMAND_LINE:
            run("xvfb-run", "-a", os.path.join(os.path.dirname(linux), "cli_run_tests"), test,
                env={**os.environ, "WEIR_PROGRAM": script.name})
    finally:
        os.remove(script.name)


def main():
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        print("skipped: there is no %s; tools/setup --with-windows" % ", ".join(missing))
        return SKIPPED
    linux, build = os.path.abspath(sys.argv[1]), os.path.join(ROOT, "build")
    run("tools/windows-libraries")
    run("cmake", "--preset", "windows")
    run("cmake", "--build", "--preset", "windows")
    windows = os.path.join(build, "windows")
    check_needs_and_exports(windows)
    check_headers(build)
    wine = ["xvfb-run", "-a", "wine"]
    with tempfile.TemporaryDirectory(prefix="weir-windows-") as folder:
        # A Windows with nothing but its own files.
        os.environ.update(WINEPREFIX=os.path.join(folder, "wine"), WINEDEBUG="-all")
        try:
            run("tools/package", "zip", "--out", folder)
            package = glob.glob(folder + "/weir-*-windows-x86_64.zip")[0]
            with zipfile.ZipFile(package) as archive:
                archive.extractall(folder)
            unpacked = package[:-len(".zip")]
            assert os.listdir(os.path.join(unpacked, "share", "doc", "weir", "licences"))
            check_program(wine, os.path.join(unpacked, "bin", "weir.exe"), linux, folder)
            check_command_line(linux, windows)
            run("xvfb-run", "-a", "ctest", "--test-dir", windows, "-L", "unit", "-E", "test_io_truncated",  # minutes
                "--output-on-failure")
            run("xvfb-run", "-a", "ctest", "--test-dir", windows, "-L", "kernel", "-E", NEED_LAYERS,
                "--output-on-failure")
            run("xvfb-run", "-a", "ctest", "--test-dir", windows, "-L", "api", "--output-on-failure")
        finally:
            subprocess.run(["wineserver", "-k"], check=False)
            subprocess.run(["wineserver", "-w"], check=False)
    return 0


sys.exit(main())
