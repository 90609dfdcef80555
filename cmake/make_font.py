"""Writes a C header with the pictures of a font's letters in several sizes: make_font.py FONT HEADER.

FONT is a TrueType file, drawn by FreeType through Pillow. If it is "" or Pillow is missing, the header has one size of
height 0 with a letter that no text contains, and legends have no text."""
import pathlib
import sys

SIZES = (10, 12, 14, 17, 21, 26, 32, 40, 52) # height of a line, pixels
LETTERS = "".join(map(chr, range(32, 127))) + "²³·−"


def letters_of(path, size):
    """Returns of each letter its code, box from the pen on the baseline, advance and coverage."""
    from PIL import Image, ImageDraw, ImageFont
    font = ImageFont.truetype(path, size)
    found = []
    for letter in LETTERS:
        left, top, right, bottom = font.getbbox(letter, anchor="ls")
        picture = Image.new("L", (max(right - left, 1), max(bottom - top, 1)))
        ImageDraw.Draw(picture).text((-left, -top), letter, fill=255, font=font, anchor="ls")
        found.append((ord(letter), left, top, *picture.size, round(font.getlength(letter)), picture.tobytes()))
    return found


def main(path, header):
    sizes, letters, coverage = [], [], bytearray()
    try:
        made = [(size, letters_of(path, size)) for size in SIZES] if path else []
    except ImportError:
        made = []
    for size, found in made:
        sizes.append("{%d, %d}," % (size, len(letters)))
        for code, left, top, width, height, advance, pixels in found:
            letters.append("{%d, %d, %d, %d, %d, %d, %d}," % (code, left, top, width, height, advance, len(coverage)))
            coverage += pixels
    letter_count = len(LETTERS) if sizes else 1
    data = ",".join(map(str, coverage))
    text = ["/* Made by cmake/make_font.py from %s. */" % pathlib.Path(path).name,
            "#define LEGEND_FONT_SIZES %du" % max(len(sizes), 1), "#define LEGEND_FONT_LETTERS %du" % letter_count,
            "static const font_size font_sizes[] = {", *(sizes or ["{0}"]), "};",
            "static const font_letter font_letters[] = {", *(letters or ["{0}"]), "};",
            "static const uint8_t font_coverage[] = {", data or "0", "};"]
    pathlib.Path(header).write_text("\n".join(text) + "\n", encoding="ascii")


main(*sys.argv[1:])
