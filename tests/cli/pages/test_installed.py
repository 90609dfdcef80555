#!/usr/bin/env python3
"""Tests that `cmake --install` installs program, libraries, headers, manual, scenes with their schema, the
add-ons for Blender and the documentation completely, and that everything built belongs to the target
weir_installed, so that building this target suffices for installation; that the shared library is found without the
packages that only the static one needs, and that a missing one of those is named. Exit 77: a build under sanitizers,
which has no libraries.

test_installed.py WEIR
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
ROOT = pathlib.Path(__file__).resolve().parents[3]
# A folder of the repository, the pattern of its installed files, and their destination.
FOLDERS = [("scenes", "*", "share/weir/scenes"), ("tools/blender", "*.py", "share/weir/blender"),
           ("tools/blender", "*.toml", "share/weir/blender"),
           ("docs", "*", "share/doc/weir/docs"), ("src/include", "weir/*.h", "include")]
FILES = ["bin/weir", "lib/libweir.so", "lib/libweir.a", "lib/pkgconfig/weir.pc", "lib/cmake/weir/weir-config.cmake",
         "share/man/man1/weir.1", "share/bash-completion/completions/weir", "share/zsh/site-functions/_weir",
         "share/fish/vendor_completions.d/weir.fish", "share/doc/weir/README.md", "share/doc/weir/copyright",
         "share/weir/scenes/scene.schema.json"]

# Prints the targets of the package.
PROJECT = """cmake_minimum_required(VERSION 3.20)
project(host C)
find_package(weir %s REQUIRED)
foreach(target weir::shared weir::static)
    if(TARGET ${target})
        list(APPEND targets ${target})
    endif()
endforeach()
list(JOIN targets " " targets)
message(STATUS "has ${targets}")
"""


def missing(prefix):
    """Returns files that were not installed, or differ from the repository's."""
    names = [name for name in FILES if not (prefix / name).exists()]
    for folder, pattern, to in FOLDERS:
        for path in (ROOT / folder).rglob(pattern):
            copy = prefix / to / path.relative_to(ROOT / folder)
            if path.is_file() and "__pycache__" not in path.parts and not (
                    copy.exists() and copy.read_bytes() == path.read_bytes()):
                names.append(f"{to}/{path.relative_to(ROOT / folder)}")
    return names


def unbuilt(build):
    """Returns files that are built and installed but that the target weir_installed does not build."""
    script = (build / "cmake_install.cmake").read_text()
    wanted = set(re.findall(rf'"({re.escape(str(build))}/[^"]+)"', script))
    if str(build / "weir") not in wanted:
        return ["what CMake would install, which this test does not understand any more"]
    commands = subprocess.run(["ninja", "-C", build, "-t", "commands", "weir_installed"], check=True,
                              capture_output=True, text=True).stdout
    words = {word.removeprefix(f"{build}/") for word in re.split(r"[\s\"']+", commands)}
    configured = re.compile(r"\$|(weir-config(-version)?\.cmake|weir\.pc|cmake_install\.cmake)$")
    made = {str(pathlib.Path(path).resolve().relative_to(build)) for path in wanted if not configured.search(path)}
    return sorted(made - words)


def linked(prefix):
    """Returns faults of finding the libraries where no other package can be found."""
    faults = []
    alone = dict(os.environ, PKG_CONFIG_LIBDIR=f"{prefix}/lib/pkgconfig", PKG_CONFIG_PATH="")
    said = subprocess.run(["pkg-config", "--cflags", "--libs", "weir"], env=alone, capture_output=True, text=True)
    if said.returncode or "-lweir" not in said.stdout or "png" in said.stdout:
        faults.append(f"pkg-config weir: {said.stdout}{said.stderr}")
    said = subprocess.run(["pkg-config", "--static", "--libs", "weir"], env=alone, capture_output=True, text=True)
    if said.returncode or not {"-lweir", "-lpng", "-ljansson", "-lz"} <= set(said.stdout.split()):
        faults.append(f"pkg-config --static weir: {said.stdout}{said.stderr}")
    for components, png, found, words in [("", "OFF", True, "has weir::shared weir::static"), ("", "ON", True, "has weir::shared\n"),
                                          ("COMPONENTS shared", "ON", True, "has weir::shared\n"),
                                          ("1.0", "ON", True, "has weir::shared\n"),  # docs/compatibility.md
                                          ("1.77", "ON", False, 'requested version "1.77"'),
                                          ("2.0", "ON", False, 'requested version "2.0"'),
                                          ("0.1", "ON", False, 'requested version "0.1"'),
                                          ("COMPONENTS static", "OFF", True, "weir::static"),
                                          ("COMPONENTS static", "ON", False, "needs what was not found: PNG")]:
        with tempfile.TemporaryDirectory(prefix="weir-linked-") as name:
            pathlib.Path(name, "CMakeLists.txt").write_text(PROJECT % components)
            said = subprocess.run(["cmake", "-S", name, "-B", f"{name}/build", f"-DCMAKE_PREFIX_PATH={prefix}",
                                   f"-DCMAKE_DISABLE_FIND_PACKAGE_PNG={png}"], capture_output=True, text=True)
        text = " ".join((said.stdout + said.stderr).split(" "))
        if (said.returncode == 0) != found or words not in text:
            faults.append(f"find_package(weir {components}), PNG disabled: {png}: {text}")
    return faults


def main():
    build = pathlib.Path(sys.argv[1]).resolve().parent
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    if not shutil.which("ninja") or not re.search(r"^WEIR_SANITIZE:STRING=$", cache, re.MULTILINE):
        print("skipped: a build under sanitizers, or no ninja")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory(prefix="weir-installed-") as name:
        done = subprocess.run(["cmake", "--install", build, "--prefix", name], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(f"cmake --install has status {done.returncode}: {done.stdout}")
        said = subprocess.run([f"{name}/bin/weir", "--version"], capture_output=True, text=True)
        faults = [f"not installed, or another: {path}" for path in missing(pathlib.Path(name))]
        faults += linked(name)
        faults += [f"weir_installed does not build {path}" for path in unbuilt(build)]
        if said.returncode:
            faults.append(f"the installed program does not run: {said.stderr}")
    print(f"{len(faults)} faults of what is installed")
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


main()
