/* overlay: draws the triangles of a program's panels over a finished picture. */
#ifndef WEIR_RENDER_OVERLAY_H
#define WEIR_RENDER_OVERLAY_H

#include "gpu.h"

typedef struct render_overlay render_overlay;
typedef struct weir_overlay weir_overlay; /* weir/vulkan.h */

weir_result render_overlay_create(gpu_device *device, render_overlay **overlay);
void render_overlay_destroy(gpu_device *device, render_overlay **overlay);
/* Draws the overlay over `picture`, which is GPU_RGBA8. Errors: ARGUMENT (an index outside the
 * arrays), MEMORY. */
weir_result render_overlay_draw(gpu_device *device, render_overlay *overlay,
                                const weir_overlay *drawing, gpu_image *picture);

#endif
