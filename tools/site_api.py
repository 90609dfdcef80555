"""The pages of the C interface: one a header, of what Doxygen reads in the public headers."""
import re
import subprocess
import tempfile
import xml.etree.ElementTree
from pathlib import Path

# Doxygen reads only comments that begin with "/**"; the headers have "/*", beside a member or above it, and the first one
# is about the file. Its paragraphs begin with a word and a colon.
FILTER = r"""1s:^/\*:/** @file\n *:
1,/^#ifndef/s:^ \* ([A-Z][a-z]+\: ): *\n * \1:
s:([;,{(] *)/\* :\1/**< :
s:^( *)/\* :\1/** :
"""
DOXYGEN = """INPUT = "{headers}"
OUTPUT_DIRECTORY = "{out}"
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
OPTIMIZE_OUTPUT_FOR_C = YES
EXTRACT_ALL = YES
QUIET = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = WEIR_API=
INPUT_FILTER = "sed -E -f {out}/filter.sed"
MARKDOWN_SUPPORT = NO
AUTOLINK_SUPPORT = NO
WARN_IF_UNDOCUMENTED = NO
"""
# How the headers write what Doxygen has found.
DECLARATIONS = {
    "function": r"^(?:WEIR_API|static inline)[^;{{]*?\b{name}\([^;{{]*?\)(?=;|\s*\{{)",
    "struct": r"^typedef struct {name} \{{.*?^\}} {name};",
    "enum": r"^(?:typedef )?enum {name} \{{.*?^\}}(?: {name})?;",
    "typedef": r"^typedef [^;{{]*\b{name}\b[^;]*;",
    "define": r"^#define {name}\b(?:[^\n]*\\\n)*[^\n]*",
}
INDEX = """# C interface

`weir/weir.h` includes all headers but `weir/vulkan.h`.

| header | contents |
|---|---|
"""
# By the rules of weir/weir.h, such functions need no comment.
WITHOUT_COMMENT = {"destroy": "Destroys the object and sets the handle to NULL.",
                   "default": "Returns a struct with all defaults."}


def text_of(element):
    """Returns the text of a description: its paragraphs, and a line for each item of a list."""
    parts = []
    for paragraph in element.findall("para") if element is not None else []:
        items = [" ".join("".join(item.itertext()).split()) for item in paragraph.iter("listitem")]
        for found in paragraph.findall("itemizedlist"):
            paragraph.remove(found)
        parts += [" ".join("".join(paragraph.itertext()).split()), "\n".join("- " + item for item in items)]
    return "\n\n".join(part for part in parts if part)


def read_headers(headers):
    """Returns {file name: (its description, [(name, kind, description, names of values)])} by Doxygen."""
    with tempfile.TemporaryDirectory() as out:
        Path(out, "filter.sed").write_text(FILTER)
        subprocess.run(["doxygen", "-"], text=True, check=True, input=DOXYGEN.format(headers=headers, out=out))
        compounds = [xml.etree.ElementTree.parse(path).getroot().find("compounddef")
                     for path in Path(out, "xml").glob("*_8h.xml")]
        structs = {path.name.removesuffix(".xml"): xml.etree.ElementTree.parse(path).getroot().find("compounddef")
                   for path in Path(out, "xml").glob("struct*.xml")}
    pages = {}
    for compound in compounds:
        found = [(inner.text, "struct", text_of(structs[inner.get("refid")].find("detaileddescription")), [])
                 for inner in compound.findall("innerclass")]
        known = {entry[0] for entry in found}
        for member in sorted(compound.iter("memberdef"), key=lambda each: each.get("kind") == "typedef"):  # of an enum, last
            name = member.findtext("name")
            if name not in known and name.lower().startswith("weir_") and not name.endswith("_PUBLIC_H"):
                known.add(name)
                found.append((name, member.get("kind"), text_of(member.find("detaileddescription")),
                              [value.findtext("name") for value in member.findall("enumvalue")]))
        pages[compound.findtext("compoundname")] = (text_of(compound.find("detaileddescription")), found)
    return pages


def declaration(source, name, kind):
    """Returns (place, text) of a declaration in a header, or None for what only another declaration mentions."""
    found = re.search(DECLARATIONS[kind].format(name=re.escape(name)), source, re.DOTALL | re.MULTILINE)
    if not found:
        return None
    text = found.group()
    if text.startswith("WEIR_API "):
        text = re.sub(r"\n {9}", "\n", text.removeprefix("WEIR_API "))
    return found.start(), text + (";" if kind == "function" else "")


def linked(text, places, own):
    """Returns a description as Markdown, in which names of the interface, headers and pages are links; `own` is not."""
    parts = re.split(r"(`[^`]+`|\b(?:weir|WEIR)_\w+|\bweir/\w+[.]h|\bdocs/[\w-]+[.]md)", text)
    for index, part in enumerate(parts):
        name = part.strip("`")
        if index % 2 == 0:
            parts[index] = re.sub(r"([*_\[\]<])", r"\\\1", part)
        elif name.startswith("docs/"):
            parts[index] = f"[{name}](../{name.removeprefix('docs/')})"
        elif name in places and name != own:
            parts[index] = f"[`{name}`]({places[name]})"
        else:
            parts[index] = f"`{name}`"
    return "".join(parts)


def page_of(header, description, entries, places):
    """Returns the page of a header: `entries` are (place, name, declaration, description) or (place, title)."""
    level = "###" if any(len(entry) == 2 for entry in entries) else "##"
    parts = [f"# weir/{header}\n\n{linked(description, places, 'weir/' + header)}\n"]
    for entry in sorted(entries):
        if len(entry) == 2:
            parts.append(f"## {entry[1]}\n")
            continue
        _, name, text, said = entry
        said = said or WITHOUT_COMMENT.get(name.split("_")[-1], "")
        parts.append(f"{level} {name} {{ #{name} }}\n\n```c\n{text}\n```\n")
        parts += [linked(said, places, name) + "\n"] if said else []
    return "\n".join(parts)


def interface_pages(headers):
    """Returns {file name: page} of the folder of public headers, with an index."""
    pages, entries = read_headers(headers), {}
    places = {f"weir/{header}": header.replace(".h", ".md") for header in pages}
    for header, (_, found) in pages.items():
        source = (headers / header).read_text(encoding="utf-8")
        entries[header] = [(match.start(), match.group(1).capitalize())
                           for match in re.finditer(r"^/\* -+ (.*?) -+ \*/$", source, re.MULTILINE)]
        for name, kind, description, values in found:
            declared = declaration(source, name, kind)
            if declared:
                entries[header].append((declared[0], name, declared[1], description))
                for each in [name, *values]:
                    places[each] = header.replace(".h", ".md") + "#" + name
    index = [INDEX]
    made = {}
    for header in sorted(pages):
        description = pages[header][0]
        made[header.replace(".h", ".md")] = page_of(header, description, entries[header], places)
        index.append(f"| [weir/{header}]({header.replace('.h', '.md')}) | {re.split(r'[.](?: |$)', description.partition(chr(10))[0])[0]} |\n")
    made["index.md"] = "".join(index)
    return made
