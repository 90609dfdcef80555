/* The side door to pictures as films take them: a camera that keyframes move, and linear light.
 * weir.h has renderers, views and images, and its rules hold here too. */
#ifndef WEIR_PICTURE_DOOR_H
#define WEIR_PICTURE_DOOR_H

#include "weir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* weir_view_default at a time, where the keyframes of the scene have its camera. While a shutter is
 * open, a view whose eye, target, up and angle are still these moves on along the keyframes. */
WEIR_API weir_view weir_view_at(const weir_scene *scene, double time_s);

/* *light: [height][width][4], red, green, blue and alpha of the image's pixels; the top row first;
 * linear, sRGB's primaries, colours times alpha, before exposure and tone curve, without legend and
 * slice. It lives until the image is read so again or destroyed. Waits. Errors: ARGUMENT (the view
 * of the image had no `light`), MEMORY, DEVICE_LOST. */
WEIR_API weir_result weir_image_read_light(weir_image *image, uint32_t *width, uint32_t *height,
                                           const float **light);

/* Does this build write OpenEXR files? Any thread. */
WEIR_API bool weir_saves_exr(void);

#ifdef __cplusplus
}
#endif
#endif
