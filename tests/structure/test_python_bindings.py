#!/usr/bin/env python3
"""The Python package's bindings, and WEIR_ABI, match the headers; a declaration that changes without a new
number is found.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KEPT = [os.path.join("src", "include"), os.path.join("src", "python", "weir"), "tools/python-bindings"]
# An added field, a smaller array, an inserted enumerator, a parameter of another type.
CHANGES = [("weir/vulkan.h", "    bool defer_pipelines;\n", "    bool defer_pipelines, planted;\n"),
           ("weir/device.h", "char unsupported_reason[256]", "char unsupported_reason[255]"),
           ("weir/core.h", "    WEIR_ENUM_RENDER_MODE,", "    WEIR_ENUM_PLANTED, WEIR_ENUM_RENDER_MODE,"),
           ("weir/vulkan.h", "weir_vulkan_compile_pipelines(weir_device *device, double seconds", "weir_vulkan_compile_pipelines(weir_device *device, float seconds")]


def run_tool(root, *options):
    return subprocess.run([sys.executable, os.path.join(root, "tools", "python-bindings"), *options], capture_output=True,
                          text=True)


def check_changes(root):
    for name, old, new in CHANGES:
        path = os.path.join(root, "src", "include", name)
        with open(path) as file:
            text = file.read()
        assert text.count(old) == 1, (name, old)
        for changed, found in [(text.replace(old, new), True), (text.replace(old, old + "/* words */ "), False)]:
            with open(path, "w") as file:
                file.write(changed)
            done = run_tool(root, "--check")
            assert (done.returncode != 0 and "WEIR_ABI" in done.stderr) == found, (old, done)
        with open(path, "w") as file:
            file.write(text)


def check_writing(root):
    """The tool corrects what it finds, and then finds nothing more."""
    path = os.path.join(root, "src", "include", "weir/version.h")
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(re.sub(r"(?m)^(#define WEIR_ABI) .*$", r"\1 0x1u", text))
    assert run_tool(root, "--check").returncode != 0
    assert run_tool(root).returncode == 0
    assert run_tool(root, "--check").returncode == 0
    with open(path) as file:
        assert file.read() == text


def main():
    done = run_tool(ROOT, "--check")
    if done.returncode != 0:
        sys.exit(done.stderr)
    with tempfile.TemporaryDirectory(prefix="weir-bindings-") as root:
        for kept in KEPT:
            place = os.path.join(root, kept)
            if os.path.isdir(os.path.join(ROOT, kept)):
                shutil.copytree(os.path.join(ROOT, kept), place)
            else:
                os.makedirs(os.path.dirname(place), exist_ok=True)
                shutil.copy(os.path.join(ROOT, kept), place)
        check_changes(root)
        check_writing(root)


main()
