#!/usr/bin/env python3
"""cmake/shader_table.py: the tables that the build generates from the declarations of shaders."""
import os
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "cmake"))
sys.dont_write_bytecode = True
import shader_table  # noqa: E402

LAMBDA = """
weir_binding(BLOCK, 0, state);
weir_binding( READ_TEXELS, 4, iterates );
weir_binding(
    WRITE_OWN, 12, multipliers);
weir_work( 23 , 26, 16)
weir_workgroup(128, 64)
void main() {}
"""


def made(listings):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in listings]
        for path, text in zip(paths, listings.values()):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
        shader_table.main("sim", "Sim", folder, *paths)
        times = os.stat(os.path.join(folder, "shaders.c")).st_mtime_ns
        shader_table.main("sim", "Sim", folder, *paths)
        assert os.stat(os.path.join(folder, "shaders.c")).st_mtime_ns == times, "written although nothing changed"
        return [open(os.path.join(folder, name)).read() for name in ("shaders.h", "shaders.c")]


def main():
    header, table = made({"pbf/lambda.comp.listing": LAMBDA, "splat.vert.listing": "weir_workgroup(0, 0)"})
    assert "#ifndef WEIR_SHADERS_SIM_H" in header
    assert "enum {\n    SIM_LAMBDA,\n    SIM_SPLAT_VERT,\n    SIM_SHADERS\n};" in header, header
    for part in ('#include "sim/pbf/lambda.comp.inc"', '#include "sim/pbf/lambda.texels.comp.inc"',
                 '{0, GPU_BLOCK, "state"}', '{4, GPU_READ_ANY, "iterates"}', '{12, GPU_WRITE_OWN, "multipliers"}',
                 "128, 64, {.flops = 23, .pair_flops = 26, .pair_gathers = 16}, lambda_uses, 3}",
                 '[SIM_SPLAT_VERT] = {"splat", ', "{0}, 0, 0, {.flops = 0}, NULL, 0}"):
        assert part in table, "%s is not in\n%s" % (part, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
