#!/usr/bin/env python3
"""No loop of a shader ends by a value that its condition reads from a buffer: GPU-assisted validation of Vulkan
1.3.239 makes invalid code of it, so that --validation could not run the shader.
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2] / "shaders"
BLOCKS = r"\b(params|status|state|multigrid|solve|grid|pass_state)\."
LOOP = re.compile(r"\bfor \(([^;()]*(?:\([^()]*\)[^;()]*)*);([^;]*);")


def conditions(text):
    return [match.group(2) for match in LOOP.finditer(text)]


def reads_block(condition):
    return re.search(BLOCKS, condition) is not None


assert [reads_block(c) for c in conditions("for (uint k = 0u; k < (params.planar != 0u ? 2u : 3u); k++) {}"
                                           "for (uint k = solve.firsts[1]; k < last; k++) {}")] == [True, False]
wrong = ["%s: for (...;%s;...)" % (path.relative_to(ROOT.parent), condition)
         for path in sorted(ROOT.rglob("*")) if path.suffix in (".comp", ".glsl", ".vert", ".frag")
         for condition in conditions(path.read_text(encoding="utf-8")) if reads_block(condition)]
assert not wrong, "read the bound before the loop:\n" + "\n".join(wrong)
