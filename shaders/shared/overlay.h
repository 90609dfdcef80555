/* The overlay: triangles drawn over a picture. */
#ifndef WEIR_SHARED_OVERLAY_H
#define WEIR_SHARED_OVERLAY_H

#include "glue.h"

#define OVERLAY_BIND_block WEIR_STRUCT(0, overlay_block)
#define OVERLAY_BIND_corners WEIR_ARRAY(1, overlay_corner) /* three per triangle */
/* clip rectangles: left, top, right, bottom in pixels */
#define OVERLAY_BIND_clips WEIR_ARRAY(2, vec4)
/* font image: one word per texel, red in the lowest byte, row by row */
#define OVERLAY_BIND_font WEIR_ARRAY(3, uint)

struct overlay_block {
    vec2 picture; /* size in pixels */
    vec2 font;    /* size in pixels */
};
WEIR_SIZE_CHECK(struct overlay_block, 16);

struct overlay_corner {
    vec2 point;  /* pixels from the top left */
    vec2 uv;     /* in the font, 0 to 1 */
    uint colour; /* red in the lowest byte */
    uint clip;   /* index of its clip rectangle */
};
WEIR_SIZE_CHECK(struct overlay_corner, 24);

#endif
