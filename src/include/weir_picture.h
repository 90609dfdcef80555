/* The side door to pictures as films take them: a camera that keyframes move. weir.h has renderers,
 * views and images, and its rules hold here too. */
#ifndef WEIR_PICTURE_DOOR_H
#define WEIR_PICTURE_DOOR_H

#include "weir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* weir_view_default at a time, where the keyframes of the scene have its camera. While a shutter is
 * open, a view whose eye, target, up and angle are still these moves on along the keyframes. */
WEIR_API weir_view weir_view_at(const weir_scene *scene, double time_s);

#ifdef __cplusplus
}
#endif
#endif
