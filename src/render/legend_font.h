/* legend_font: draws text into pictures in host memory, in the font that the build found. */
#ifndef WEIR_RENDER_LEGEND_FONT_H
#define WEIR_RENDER_LEGEND_FONT_H

#include "base.h"

/* A picture in host memory: sRGB and alpha, 8 bits each, red in the lowest byte; top row first. */
typedef struct legend_picture {
    uint32_t *pixels; /* [width * height] */
    uint32_t width, height;
} legend_picture;

/* Returns the largest size of the font that is at most `height`, or its smallest size, pixels; 0:
 * the build found no font. */
uint32_t legend_font_size(uint32_t height);
/* Returns the width of a text in UTF-8, pixels. `size`: from legend_font_size. Letters that the
 * font does not have are left out. */
uint32_t legend_text_width(uint32_t size, const char *text);
typedef struct legend_pen {
    uint32_t size;   /* from legend_font_size */
    uint32_t colour; /* like legend_picture.pixels */
    int32_t x, y;    /* pixels: left end of the text's baseline */
} legend_pen;
/* Blends a text in UTF-8 over the picture, clipped to it. */
void legend_text_draw(legend_picture *picture, legend_pen pen, const char *text);

#endif
