#!/usr/bin/env python3
"""WEIR_ABI is a hash of the public headers' declarations, and the Python package reads them as the compiler does.

With --write, writes WEIR_ABI to weir/version.h."""
import glob
import os
import re
import shutil
import subprocess
import sys
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADERS = os.path.join(ROOT, "src", "include")
sys.path.insert(0, os.path.join(ROOT, "src", "python", "weir"))
SKIPPED = 77
# An added field, a smaller array, an inserted enumerator, a parameter of another type.
CHANGES = [("    bool defer_pipelines;\n", "    bool defer_pipelines, planted;\n"),
           ("char unsupported_reason[256]", "char unsupported_reason[255]"),
           ("    WEIR_ENUM_RENDER_MODE,", "    WEIR_ENUM_PLANTED, WEIR_ENUM_RENDER_MODE,"),
           ("weir_vulkan_compile_pipelines(weir_device *device, double seconds",
            "weir_vulkan_compile_pipelines(weir_device *device, float seconds")]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def abi_of(text):
    """Returns a hash of headers, without their comments, spaces and preprocessor lines other than #define."""
    return "0x%08xu" % zlib.crc32(re.sub(r"(?s)/\*.*?\*/|(?m:^)#[^d][^\n]*|\s", "", text).encode())


def check_abi(write):
    paths = sorted(glob.glob(os.path.join(HEADERS, "weir", "*.h")))
    version = os.path.join(HEADERS, "weir", "version.h")
    text = "".join(read(path) for path in paths if path != version)
    for old, new in CHANGES:
        assert text.count(old) == 1, old
        assert abi_of(text.replace(old, new)) != abi_of(text), old
        assert abi_of(text.replace(old, old + " /* words */\n")) == abi_of(text), old
    line = re.search(r"(?m)^#define WEIR_ABI (\w+)$", read(version))
    changed = read(version).replace(line[0], "#define WEIR_ABI " + abi_of(text))
    if write:
        with open(version, "w", encoding="utf-8") as file:
            file.write(changed)
    elif line[1] != abi_of(text):
        sys.exit("the headers declare something else than when WEIR_ABI became %s, and programs built with those must be "
                 "refused: run tests/structure/test_abi.py --write, which makes it %s" % (line[1], abi_of(text)))


def check_layouts():
    """The size of each struct, the offset of each field and the value of each enumerator, as cffi has them, are those
    of the compiler."""
    from _declarations import ffi
    kinds = [ffi.typeof(name) for name in ffi.list_types()[0] if name.startswith("weir_")]
    structs = [kind for kind in kinds if kind.kind == "struct" and kind.fields]
    claims = ["sizeof(%s) == %d" % (kind.cname, ffi.sizeof(kind)) for kind in structs]
    claims += ["offsetof(%s, %s) == %d" % (kind.cname, name, field.offset) for kind in structs
               for name, field in kind.fields]
    claims += ["%s == %d" % pair for kind in kinds if kind.kind == "enum" for pair in kind.relements.items()]
    assert len(structs) > 30 and len(claims) > 400, (len(structs), len(claims))
    for wrong in ([], ["sizeof(weir_stats) == 8"]):
        text = "".join('_Static_assert(%s, "%s");\n' % (claim, claim) for claim in claims + wrong)
        done = subprocess.run(["cc", "-std=c17", "-fsyntax-only", "-I", HEADERS, "-x", "c", "-"], capture_output=True,
                              input='#include "weir/weir.h"\n' + text, text=True)
        assert (done.returncode != 0) == bool(wrong), done.stderr


check_abi("--write" in sys.argv)
if not shutil.which("cc"):
    print("skipped: there is no cc")
    sys.exit(SKIPPED)
check_layouts()
