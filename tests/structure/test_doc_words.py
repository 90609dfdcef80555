#!/usr/bin/env python3
"""README.md and the pages under docs have at most 60,000 words of prose, and the path from README.md to a first splash
and the page after it takes at most ten minutes to read. The count leaves out what a program writes or a test compares
with the program: the parts between the marks of tools, code blocks, and the rows and columns that EXEMPT and
EXEMPT_COLUMNS name. A table that nobody generates or compares counts in full.

test_doc_words.py prints the words of each page. A word is anything between spaces with a letter or a digit.
"""
import glob
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_key_page  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MOST, MINUTES, WORDS_PER_MINUTE = 60000, 10, 220
# The pages that a stranger reads first: what Weir is, a splash, and what to try next.
START = ("README.md", "docs/first-splash.md", "docs/cookbook.md")
# Rows of tables that are not prose: the page, a pattern of its rows, and what writes or compares them.
EXEMPT = {
    "docs/functions.md": (r"\| `weir_", "tools/api-index writes the page, structure/test_headers compares it"),
    "docs/limits.md": (r"\|", "structure/test_limits_page has these rows and their constants; the rest counts"),
    "docs/parameters.md": (r"\|", "structure/test_key_page compares these tables with the schema; the rest counts"),
    "docs/viewer.md": (r"\| (`|Left|Shift|Wheel|Double|Ctrl)", "unit/test_view_commands has the rows of the program"),
}
# Columns that are not prose, by the heads of tables: names and lists that a test reads.
EXEMPT_COLUMNS = {
    "docs/equations.md": (("shader", "test", "gate"), "structure/test_doc_links finds each file, test and gate"),
    "docs/words.md": (("formerly",), "structure/test_vocabulary reads its list of refused names from this column"),
}
MARKED = re.compile(r"<!-- ([^>]* by tools/[\w-]+): begin -->.*?<!-- \1: end -->", re.DOTALL)
FENCED = re.compile(r"^( *)```.*?^\1```[ ]*$", re.DOTALL | re.MULTILINE)


def words_of_limits():
    """Returns what the table of test_limits_page.c requires on the page of limits."""
    source = read("tests/structure/test_limits_page.c")
    table = source[source.index("static const limit limits[]"):]
    joined = re.sub(r'"\s*\n\s*"', "", table[:table.index("};")])
    return [text for text in re.findall(r'"((?:[^"\\]|\\.)*)"', joined) if " " in text and not text.startswith("(")]


def without_exempt_rows(page, text):
    """Returns a page's text without the rows and columns that EXEMPT and EXEMPT_COLUMNS name."""
    pattern = re.compile(EXEMPT[page][0]) if page in EXEMPT else None
    columns = EXEMPT_COLUMNS[page][0] if page in EXEMPT_COLUMNS else ()
    limits = words_of_limits() if page == "docs/limits.md" else ()
    compared = {*test_key_page.TABLES, *test_key_page.KINDS, test_key_page.KEYFRAMES}
    kept, heads, heading = [], None, ""
    for line in text.splitlines():
        heading = line.lstrip("# ") if line.startswith("#") else heading
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] if line.startswith("|") else None
        heads = (heads or cells) if cells else None
        counts = page == "docs/parameters.md" and cells and (heading, heads[0]) not in compared
        counts = counts or page == "docs/limits.md" and not any(words in line for words in limits)
        if pattern and cells and pattern.match(line) and not counts:
            continue
        if cells and columns:
            line = " ".join(cell for head, cell in zip(heads, cells) if head not in columns)
        kept.append(line)
    return "\n".join(kept)


def count_words(page, text):
    """Returns the words of prose in a page."""
    prose = without_exempt_rows(page, FENCED.sub("", MARKED.sub("", text)))
    return sum(1 for word in prose.split() if re.search(r"[^\W_]", word))


def read(page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return file.read()


def check_counting():
    """Counts texts whose words are known."""
    mark = "<!-- tables by tools/plot: %s -->"
    text = f"Two words.\n\n{mark % 'begin'}\n\n| many | words |\n\n{mark % 'end'}\n\n"
    text += "```sh\nweir run\n```\n\n| a | – | 3 |\n"
    assert count_words("docs/x.md", text) == 4, count_words("docs/x.md", text)
    rows = "# Shapes\n\n| Weir | paper |\n|---|---|\n| `a` | word |\n\n| kind | meaning |\n|---|---|\n| `b` | word |\n"
    assert count_words("docs/parameters.md", rows) == 5, count_words("docs/parameters.md", rows)
    assert count_words("docs/x.md", rows) == 9, count_words("docs/x.md", rows)
    former = "| term | meaning | formerly |\n|---|---|---|\n| a | word | `b`, `c` |\n"
    assert count_words("docs/words.md", former) == 4, count_words("docs/words.md", former)


def main():
    check_counting()
    pages = ["README.md"] + sorted(os.path.relpath(path, ROOT) for path in
                                   glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True))
    words = {page: count_words(page, read(page)) for page in pages}
    for page in sorted(words, key=words.get):
        print(f"{words[page]:6} {page}")
    total, start = sum(words.values()), sum(words[page] for page in START)
    print(f"{total:6} words of prose, at most {MOST}")
    print(f"{start:6} words of {', '.join(START)}: {start / WORDS_PER_MINUTE:.1f} minutes, at most {MINUTES}")
    missing = [page for page in (*EXEMPT, *EXEMPT_COLUMNS, *START) if page not in words]
    assert not missing, missing
    return 1 if total > MOST or start > MINUTES * WORDS_PER_MINUTE else 0


if __name__ == "__main__":
    sys.exit(main())
