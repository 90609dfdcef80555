/* The overlay: triangles over a picture. */
#ifndef WEIR_SHARED_OVERLAY_H
#define WEIR_SHARED_OVERLAY_H

#include "glue.h"

#define OVERLAY_BIND_BLOCK 0
#define OVERLAY_BIND_CORNERS 1 /* struct overlay_corner, three for each triangle */
#define OVERLAY_BIND_CLIPS 2   /* vec4: left, top, right, bottom in pixels */
#define OVERLAY_BIND_FONT 3    /* uint: four bytes of coverage each, row after row */

struct overlay_block {
    vec2 picture; /* pixels */
    vec2 font;    /* pixels */
};
WEIR_SIZE_CHECK(struct overlay_block, 16);

struct overlay_corner {
    vec2 place;  /* pixels from the top left */
    vec2 uv;     /* in the font, 0 to 1 */
    uint colour; /* red in the lowest byte */
    uint clip;   /* index of its rectangle */
};
WEIR_SIZE_CHECK(struct overlay_corner, 24);

#endif
