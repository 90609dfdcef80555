/* resolution: chooses how large pictures are drawn while something moves, from the times that
 * earlier ones took. It is pure arithmetic, without a device. */
#ifndef WEIR_VIEW_RESOLUTION_H
#define WEIR_VIEW_RESOLUTION_H

#include "base.h"

#define VIEW_LEVELS 7u /* full size first */
/* No picture is drawn smaller, unless the window is. */
#define VIEW_LEAST_WIDTH 320u
#define VIEW_LEAST_HEIGHT 180u

typedef struct view_resolution {
    uint32_t level;         /* of pictures while something moves; 0: the size of the window */
    float budget_ms;        /* time that a picture may take */
    float ms[VIEW_LEVELS];  /* time of a picture of each level, smoothed; 0: unknown */
    double settled_s;       /* base_time_s before which no larger level is tried */
    uint32_t width, height; /* pixels, of the window */
} view_resolution;

/* Starts the choice for a window of this size. `slow`: begins with the smallest pictures, for CPU
 * drivers. */
void view_resolution_start(view_resolution *r, uint32_t width, uint32_t height, bool slow);
/* Returns the size of pictures of a level, pixels, in the window's shape. */
void view_resolution_size(const view_resolution *r, uint32_t level, uint32_t *width,
                          uint32_t *height);
/* Adds the time of a picture of this level, and chooses the level of the next ones. */
void view_resolution_measure(view_resolution *r, uint32_t level, float ms, double now_s);

#endif
