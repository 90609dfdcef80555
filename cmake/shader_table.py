"""Writes FOLDER/shaders.h and FOLDER/shaders.c, the C table of the shaders of one folder.

Usage: shader_table.py NAME PREFIX FOLDER LISTING...

A listing has the same path in FOLDER as its shader in shaders/NAME. It is the preprocessed source of a
shader with WEIR_LISTING set, in which the macros of shaders/lib/bindings/bindings.glsl appear as
weir_binding(access, binding, name), weir_workgroup(plain, texels) and weir_work(flops, pair_flops, pair_gathers).
NAME is the folder's; PREFIX begins the names of the table's enum.
"""
import pathlib
import re
import sys

USE = re.compile(r"weir_binding\(\s*([A-Z_]+)\s*,\s*(\d+)\s*,\s*([a-z0-9_]+)\s*\)")
WORKGROUP = re.compile(r"weir_workgroup\(\s*([^,\s]+)\s*,\s*([^)\s]+)\s*\)")
WORK_ESTIMATE = re.compile(r"weir_work\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)")


class Shader:
    """Declarations in the listing of shader `file`: "pbf/lambda.comp", "splat.vert"."""

    def __init__(self, file, text):
        self.file = file
        self.name = pathlib.PurePosixPath(file).name
        self.word = re.sub(r"\.comp$", "", self.name).replace(".", "_")
        uses = USE.findall(text)
        self.fetches = any(access == "READ_TEXELS" for access, _, _ in uses)
        self.uses = [("READ_ANY" if access == "READ_TEXELS" else access, binding, name)
                     for access, binding, name in uses]
        workgroup, work = WORKGROUP.search(text), WORK_ESTIMATE.search(text)
        self.workgroups = ", ".join(workgroup.groups()) if workgroup else "0, 0"
        names = (".flops", ".pair_flops", ".pair_gathers")
        values = work.groups() if work else ("0",)
        self.work = ", ".join(f"{name} = {value}" for name, value in zip(names, values))

    def arrays(self, folder):
        text = words_array(folder, self.word, self.file)
        if self.fetches:
            text += words_array(folder, self.word + "_texels", texels_file(self.file))
        if self.uses:
            rows = "".join(f'    {{{binding}, GPU_{access}, "{name}"}},\n' for access, binding, name in self.uses)
            text += f"static const gpu_shader_binding {self.word}_uses[] = {{\n{rows}}};\n"
        return text

    def row(self, folder, number):
        plain = words(folder, self.word, self.file)
        texels = words(folder, self.word + "_texels", texels_file(self.file)) if self.fetches else "{0}"
        uses = self.word + "_uses" if self.uses else "NULL"
        title = self.name.split(".")[0]
        return (f'    [{number}] = {{"{title}", {plain}, {texels}, {self.workgroups}, {{{self.work}}}, '
                f"{uses}, {len(self.uses)}}},\n")


def texels_file(file):
    return file.replace(".comp", ".texels.comp")


def words_array(folder, word, file):
    return f'static const uint32_t {word}_words[] =\n#include "{folder}/{file}.inc"\n    ;\n'


def words(folder, word, file):
    return f'{{"{folder}/{file}", {word}_words, sizeof {word}_words / 4}}'


def tables(folder, prefix, shaders):
    """Returns the texts of shaders.h and shaders.c."""
    made = "/* Made by cmake/shader_table.py. */\n"
    numbers = [f"{prefix}_{shader.word}".upper() for shader in shaders]
    enum = "".join(f"    {number},\n" for number in numbers)
    array = f"const gpu_shader {folder}_shaders[{prefix}_SHADERS]"
    header = (f"{made}#ifndef WEIR_SHADERS_{prefix}_H\n#define WEIR_SHADERS_{prefix}_H\n#include \"gpu.h\"\n"
              f"enum {{\n{enum}    {prefix}_SHADERS\n}};\nextern {array};\n#endif\n")
    rows = "".join(shader.row(folder, number) for shader, number in zip(shaders, numbers))
    arrays = "".join(shader.arrays(folder) for shader in shaders)
    return header, f'{made}#include "{folder}/shaders.h"\n{arrays}{array} = {{\n{rows}}};\n'


def write_if_changed(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main(name, prefix, folder, *listings):
    paths = [pathlib.Path(listing) for listing in listings]
    files = [path.relative_to(folder).as_posix().removesuffix(".listing") for path in paths]
    shaders = [Shader(file, path.read_text()) for file, path in zip(files, paths)]
    for file, text in zip(("shaders.h", "shaders.c"), tables(name, prefix.upper(), shaders)):
        write_if_changed(pathlib.Path(folder) / file, text)


if __name__ == "__main__":
    main(*sys.argv[1:])
