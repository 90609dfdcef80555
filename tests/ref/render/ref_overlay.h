/* Reference of the overlay shaders, for rectangles. */
#ifndef WEIR_REF_OVERLAY_H
#define WEIR_REF_OVERLAY_H

#include "base.h"

#include "weir/vulkan.h"

typedef struct ref_picture {
    uint32_t width, height;
    uint8_t *pixels; /* RGBA, top row first */
} ref_picture;

/* Draws an overlay. The triangles of each draw must come in pairs that form an upright rectangle,
 * with its first and third corners opposite to each other. */
void ref_overlay(const weir_overlay *drawing, ref_picture *picture);

#endif
