#!/usr/bin/env python3
"""WEIR_ABI is a hash of the public headers' declarations; the headers keep all that those of the major version's first
release declare (abi.txt, docs/compatibility.md); the library's SONAME is the major version; and the Python package reads
the headers as the compiler does.

test_abi.py [WEIR] [--write | --freeze]

With --write, writes WEIR_ABI to weir/version.h. With --freeze, writes abi.txt as well: only with a new major version, or
before its first release.
"""
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
FROZEN = os.path.join(ROOT, "tests", "structure", "abi.txt")
# An added field, a smaller array, an inserted enumerator, a parameter of another type.
CHANGES = [("    bool defer_pipelines;\n", "    bool defer_pipelines, planted;\n"),
           ("char unsupported_reason[256]", "char unsupported_reason[255]"),
           ("    WEIR_ENUM_RENDER_MODE,", "    WEIR_ENUM_PLANTED, WEIR_ENUM_RENDER_MODE,"),
           ("weir_vulkan_compile_pipelines(weir_device *device, double seconds",
            "weir_vulkan_compile_pipelines(weir_device *device, float seconds")]


# A new function, type, enumerator at the end, and deprecated function.
ADDITIONS = [("/* How a call ended. */", "WEIR_API int weir_planted(void);\ntypedef struct weir_new { int x; } weir_new;"),
             ("    WEIR_ERROR_UNSTABLE,", "    WEIR_ERROR_UNSTABLE, WEIR_ERROR_PLANTED,"),
             ("WEIR_API const char *weir_version(void);",
              "WEIR_API WEIR_DEPRECATED(\"call weir_planted\") const char *weir_version(void);"),
             ("    WEIR_RENDER_MODE_COUNT,", "    WEIR_RENDER_MODE_PLANTED, WEIR_RENDER_MODE_COUNT,")]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def public_headers():
    """Returns the text of all public headers but version.h, which has the hash."""
    return "".join(read(path) for path in sorted(glob.glob(os.path.join(HEADERS, "weir", "*.h")))
                   if os.path.basename(path) != "version.h")


def abi_of(text):
    """Returns a hash of headers, without their comments, spaces, marks of deprecation and preprocessor lines other than
    #define."""
    return "0x%08xu" % zlib.crc32(re.sub(
        r"(?s)/\*.*?\*/|(?m:^)#[^d][^\n]*|WEIR_DEPRECATED\(\"[^\"]*\"\)|\s", "", text).encode())


def declared(headers):
    """Returns what programs depend on, one declaration a line: functions, structs and other types as they are written;
    each enumerator with its value; integers of #define, which are sizes of arrays."""
    text = re.sub(r"(?s)/\*.*?\*/", "", headers)
    lines = [" ".join(line.split()) for line in re.findall(r"(?m)^#define WEIR_(?!VERSION)\w+ \d+\w*\s*?$", text)]
    text = re.sub(r"(?ms)^#(?:[^\n]*\\\n)*[^\n]*$|^extern \"C\" \{|^\}$|^WEIR_API |WEIR_DEPRECATED\(\"[^\"]*\"\)", "", text)
    for part in re.findall(r"(?:[^;{}]|\{(?:[^{}]|\{[^{}]*\})*\})+;", text):
        part = " ".join(part.split())
        if not part.startswith("typedef enum"):
            lines.append(part)
            continue
        name, value = re.search(r"\} (\w+);$", part)[1], 0
        for item in re.search(r"\{(.*)\}", part)[1].split(","):
            found = re.fullmatch(r"(\w+)(?: = (\w+))?", item.strip())
            if found:
                value = int(found[2], 0) if found[2] else value
                lines.append("%s %s = %d" % (name, found[1], value))
                value += 1
    return lines


def is_plain_count(line, headers):
    """Whether an enumerator is the number of the others and nothing else, so that programs lose nothing when it grows: no
    size of an array, and no value that a function takes."""
    found = re.search(r" (WEIR_\w+_COUNT) = ", line)
    return bool(found) and len(re.findall(r"\b%s\b" % found[1], headers)) == 1


def broken_promises(frozen, headers):
    """Returns the lines of abi.txt that the headers do not declare."""
    now = set(declared(headers))
    return [line for line in frozen if line not in now and not is_plain_count(line, headers)]


def check_promise():
    headers, frozen = public_headers(), read(FROZEN).splitlines()
    version = "%s.0.0" % re.search(r"WEIR_VERSION_MAJOR (\d+)", headers)[1]
    assert frozen.pop(0) == "What the public headers of Weir %s declare: test_abi.py" % version, "run --freeze"
    assert len(frozen) > 350, len(frozen)
    gone = broken_promises(frozen, headers)
    if gone:
        sys.exit("programs built for Weir %s need what the headers no longer declare:\n%s\nKeep it and add a new "
                 "declaration (docs/compatibility.md). A new major version, or this one before its release, runs "
                 "tests/structure/test_abi.py --freeze" % (version, "\n".join(gone)))
    for old, new in CHANGES:
        assert broken_promises(frozen, headers.replace(old, new)), old
    for old, new in ADDITIONS:
        assert headers.count(old) == 1, old
        assert not broken_promises(frozen, headers.replace(old, new)), old


def check_library(program):
    """The name by which programs find the shared library is that of the major version."""
    library = os.path.join(os.path.dirname(program), "libweir.so")
    if not os.path.exists(library) or not shutil.which("objdump"):
        return
    major = re.search(r"WEIR_VERSION_MAJOR (\d+)", public_headers())[1]
    said = subprocess.run(["objdump", "-p", library], capture_output=True, text=True, check=True).stdout
    name = re.search(r"SONAME\s+(\S+)", said)[1]
    assert name == "libweir.so." + major, name


def check_abi(write):
    version = os.path.join(HEADERS, "weir", "version.h")
    text = public_headers()
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


options = [word for word in sys.argv[1:] if word.startswith("--")]
if "--freeze" in options:
    with open(FROZEN, "w", encoding="utf-8") as file:
        file.write("What the public headers of Weir %s.0.0 declare: test_abi.py\n%s\n" % (
            re.search(r"WEIR_VERSION_MAJOR (\d+)", public_headers())[1], "\n".join(declared(public_headers()))))
check_abi(bool(options))
check_promise()
for argument in sys.argv[1:]:
    if argument not in options:
        check_library(argument)
if not shutil.which("cc"):
    print("skipped: there is no cc")
    sys.exit(SKIPPED)
check_layouts()
