/* Draws text with the glyphs that cmake/make_font.py has rasterized. */
#include "legend_font.h"

typedef struct font_size {
    uint32_t height, first_letter;
} font_size;

typedef struct font_letter {
    uint32_t code; /* Unicode code point */
    int32_t left, top;
    uint32_t width, height, advance, coverage;
} font_letter;

#include "legend_letters.inc"

uint32_t legend_font_size(uint32_t height)
{
    uint32_t best = 0;
    for (uint32_t i = 0; i < LEGEND_FONT_SIZES; ++i)
        if (best == 0 || font_sizes[i].height <= height) best = font_sizes[i].height;
    return best;
}

/* Reads a UTF-8 character of up to three bytes. */
static uint32_t next_code(const char **text)
{
    const uint8_t *c = (const uint8_t *)*text;
    uint32_t size = c[0] < 0x80 ? 1 : c[0] < 0xe0 ? 2 : 3, code = c[0];
    if (size == 2 && c[1]) code = (c[0] & 0x1fu) << 6 | (c[1] & 0x3fu);
    if (size == 3 && c[1] && c[2])
        code = (c[0] & 0x0fu) << 12 | (c[1] & 0x3fu) << 6 | (c[2] & 0x3fu);
    for (; size > 0 && **text; --size)
        ++*text;
    return code;
}

static const font_letter *find_letter(uint32_t size, uint32_t code)
{
    for (uint32_t i = 0; i < LEGEND_FONT_SIZES; ++i)
        for (uint32_t k = 0; font_sizes[i].height == size && k < LEGEND_FONT_LETTERS; ++k)
            if (font_letters[font_sizes[i].first_letter + k].code == code)
                return &font_letters[font_sizes[i].first_letter + k];
    return NULL;
}

uint32_t legend_text_width(uint32_t size, const char *text)
{
    uint32_t width = 0;
    while (*text) {
        const font_letter *letter = find_letter(size, next_code(&text));
        if (letter) width += letter->advance;
    }
    return width;
}

static void blend(uint32_t *pixel, uint32_t colour, uint32_t coverage)
{
    uint32_t made = 0;
    for (uint32_t shift = 0; shift < 32; shift += 8) {
        const uint32_t from = *pixel >> shift & 255u, to = colour >> shift & 255u;
        made |= (from * (255u - coverage) + to * coverage + 127u) / 255u << shift;
    }
    *pixel = made;
}

static void draw_letter(legend_picture *picture, legend_pen pen, const font_letter *letter)
{
    const uint8_t *coverage = font_coverage + letter->coverage;
    for (uint32_t y = 0; y < letter->height; ++y)
        for (uint32_t x = 0; x < letter->width; ++x) {
            const int32_t px = pen.x + letter->left + (int32_t)x;
            const int32_t py = pen.y + letter->top + (int32_t)y;
            if (px < 0 || py < 0 || px >= (int32_t)picture->width || py >= (int32_t)picture->height)
                continue;
            blend(&picture->pixels[(uint32_t)py * picture->width + (uint32_t)px], pen.colour,
                  coverage[y * letter->width + x]);
        }
}

void legend_text_draw(legend_picture *picture, legend_pen pen, const char *text)
{
    while (*text) {
        const font_letter *letter = find_letter(pen.size, next_code(&text));
        if (!letter) continue;
        draw_letter(picture, pen, letter);
        pen.x += (int32_t)letter->advance;
    }
}
