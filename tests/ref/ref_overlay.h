/* Reference of the overlay's shaders, for rectangles. */
#ifndef WEIR_REF_OVERLAY_H
#define WEIR_REF_OVERLAY_H

#include "base.h"

#include "weir/vulkan.h"

typedef struct ref_picture {
    uint32_t width, height;
    uint8_t *pixels; /* RGBA, top row first */
} ref_picture;

/* Draws an overlay of which each draw's triangles come in pairs that make an upright rectangle, its
 * first corner and its third opposite to each other. */
void ref_overlay(const weir_overlay *drawing, ref_picture *picture);

#endif
