/* legend_font: text in pictures on the host, in the font that the build found. */
#ifndef WEIR_RENDER_LEGEND_FONT_H
#define WEIR_RENDER_LEGEND_FONT_H

#include "base.h"

/* A picture in host memory: sRGB, alpha, 8 bits each, red in the lowest byte; rows from the top. */
typedef struct legend_picture {
    uint32_t *pixels; /* [width * height] */
    uint32_t width, height;
} legend_picture;

/* Returns the size of the font nearest to `height`, pixels; 0: the build found no font. */
uint32_t legend_font_size(uint32_t height);
/* Returns the width of a text in UTF-8, pixels. `size`: from legend_font_size. Letters that the
 * font does not have are left out. */
uint32_t legend_text_width(uint32_t size, const char *text);
/* The left end of a text's baseline, pixels. */
typedef struct legend_pen {
    uint32_t size, colour;
    int32_t x, y;
} legend_pen;
/* Blends a text over the picture. */
void legend_text_draw(legend_picture *picture, legend_pen pen, const char *text);

#endif
