#!/usr/bin/env python3
"""Every source in C of the library, the program and the viewer, compiled for macOS against Apple's own headers,
which Zig's compiler brings; and the library linked against macOS' system library, so that what is missing there
is named. Nothing is run."""
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = 77
TARGETS = r" -o CMakeFiles/(weir_objects|weir_program|weir_view|weir_view_parts)\.dir/\S*\.c\.o "
# What Homebrew brings on macOS; here the headers of this machine, apart from those of its C library.
HEADERS = ["GLFW", "Imath", "OpenEXR", "jansson.h", "jansson_config.h", "meshoptimizer.h", "png.h", "pngconf.h",
           "pnglibconf.h", "vk_video", "volk.c", "volk.h", "vulkan", "zconf.h", "zlib.h"]
FOREIGN = r"_(json|exr|meshopt|png)_\w+|_(deflate|inflate)\w*"
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror"]


def find_zig(folder):
    """The command that runs Zig, or None where neither it nor a package index is there."""
    if shutil.which("zig"):
        return ["zig"]
    python = os.path.join(folder, "zig", "bin", "python")
    for command in [[sys.executable, "-m", "venv", os.path.join(folder, "zig")],
                    [python, "-m", "pip", "install", "--disable-pip-version-check", "-q", "ziglang"]]:
        if subprocess.run(command, capture_output=True).returncode != 0:
            return None
    return [python, "-m", "ziglang"]


def stage_headers(folder):
    os.mkdir(folder)
    for name in HEADERS:
        places = [os.path.join("/usr/include", below, name) for below in ["", "volk", "x86_64-linux-gnu"]]
        found = [place for place in places if os.path.exists(place)]
        assert found, "there is no %s in /usr/include: tools/setup" % name
        os.symlink(found[0], os.path.join(folder, name))
    return ["-isystem", folder, "-isystem", os.path.join(folder, "OpenEXR"), "-isystem", os.path.join(folder, "Imath")]


def own_words(command):
    """Definitions and folders of the build on this machine, without those of its system."""
    words = shlex.split(command)
    own = [word for word in words if re.match(r"-D|-iquote|-ffp-contract", word) and "FORTIFY" not in word]
    return own + [word for word in words if word.startswith("-I") and not word.startswith("-I/usr/")]


def main():
    build = os.path.dirname(os.path.abspath(sys.argv[1]))
    with open(os.path.join(build, "compile_commands.json")) as file:
        jobs = [entry for entry in json.load(file) if re.search(TARGETS, entry["command"])]
    assert len(jobs) > 250, len(jobs)
    with tempfile.TemporaryDirectory(prefix="weir-macos-") as folder:
        zig = find_zig(folder)
        if not zig:
            print("skipped: there is no zig, and pip finds no package index to bring it (ziglang)")
            return SKIPPED
        compiler = [*zig, "cc", "-target", "aarch64-macos"]
        environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": os.path.join(folder, "cache")}
        headers = stage_headers(os.path.join(folder, "include"))

        def compiled(number, entry):
            made = os.path.join(folder, "%d.o" % number)
            words = [*own_words(entry["command"]), *headers, "-std=c17", "-fPIC", *WARNINGS, "-c", entry["file"]]
            done = subprocess.run([*compiler, *words, "-o", made], capture_output=True, text=True, cwd=build,
                                  env=environment)
            return made, "" if done.returncode == 0 else "%s:\n%s" % (entry["file"], done.stderr)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(compiled, range(len(jobs)), jobs))
        faults = [fault for _, fault in results if fault]
        if faults:
            sys.exit("\n".join(faults))
        library = [made for (made, _), job in zip(results, jobs) if "/weir_objects.dir/" in job["command"]]
        done = subprocess.run([*compiler, "-shared", "-o", os.path.join(folder, "libweir.dylib"), *library],
                              capture_output=True, text=True, env=environment)
        missing = set(re.findall(r"undefined symbol: (\S+)", done.stderr))
        assert missing, done.stderr  # the libraries are not there, and Zig names all that they lack
        strange = sorted(name for name in missing if not re.fullmatch(FOREIGN, name))
        assert not strange, strange
    print("%d sources compiled for macOS; the library lacks nothing but its dependencies" % len(jobs))
    return 0


sys.exit(main())
