/* Cameras of a host: the same place seen through every kind of projection that Weir accepts. */
#ifndef WEIR_TESTS_HOST_CAMERA_H
#define WEIR_TESTS_HOST_CAMERA_H

#include <math.h>

#include "weir/vulkan.h"

#define WIDTH 96u
#define HEIGHT 64u
#define NEAR 0.1f
#define FAR 10.0f
#define BEFORE -2.0f /* m: the near plane of parallel projections lies behind the eye */

extern const float eye[3], target_point[3];
extern const float tangent;     /* half of the picture's height at distance 1 */
extern const float half_height; /* m: half of the height, of parallel projections */

typedef enum projection {
    STANDARD,
    REVERSED,
    INFINITE,
    LEFT_HANDED,
    UPRIGHT,
    PARALLEL, /* the same kinds without perspective, except INFINITE */
    PARALLEL_REVERSED,
    PARALLEL_LEFT_HANDED,
    PARALLEL_UPRIGHT,
    PROJECTIONS
} projection;

bool is_upright(projection kind);

/* Looks from `away` times the distance. `half`: half the height at distance 1, or in m for
   parallel projections. */
weir_vulkan_draw_def look_from(projection kind, float away, float half);

weir_vulkan_draw_def look(projection kind);

/* Returns the depth that the projection stores for a distance; distance 0 means the far plane,
   or infinity. */
float stored(const weir_vulkan_draw_def *d, projection kind, float distance);

#endif
