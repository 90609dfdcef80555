/* Probes: samples of the fluid at given points, read some frames later without waiting.
 * weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_PROBE_PUBLIC_H
#define WEIR_PROBE_PUBLIC_H

#include "points.h"
#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_probe weir_probe;

/* Creates a probe. From the scene it takes the domain, the periodic sides, the dimensions and
 * gravity: up is against gravity, or +y without gravity. Errors: MEMORY. */
WEIR_API weir_result weir_probe_create(weir_device *device, const weir_scene *scene,
                                       weir_probe **probe);
WEIR_API void weir_probe_destroy(weir_probe **probe);

/* Samples the fluid at `points_m` [3 * count], `count` 1 to 2^20. `points` may come from any
 * simulation or file, and may be released at once. Suitable for one call per frame: submits without
 * waiting, except for the third query before this one, and when a larger number of particles or
 * places than ever before needs larger buffers. Errors: ARGUMENT, MEMORY, DEVICE_LOST. */
WEIR_API weir_result weir_probe_submit(weir_probe *probe, const weir_points *points,
                                       const float *points_m, uint32_t count);

/* Averages over the particles within the support radius of a place, weighted by (1 - r2/h2)^3. All
 * 0 where there are no particles. */
typedef struct weir_probe_sample {
    /* Fraction of the space that fluid fills: 1 inside, 0.5 at its surface and at walls and solids,
     * which count as empty. */
    float fluid_fraction;
    float density;     /* kg/m3; 0 also when the points have no density */
    float velocity[3]; /* m/s; 0 also when the points have no velocity */
    /* Height of the fluid's surface above the place, below 0 where the surface is lower: the
     * highest point of the vertical column with a fraction of 0.5. WEIR_NO_SURFACE without one. The
     * column keeps half a support radius away from the sides of the domain. */
    float surface_offset_m;
} weir_probe_sample;

#define WEIR_NO_SURFACE (-1e30f)

/* Reads the newest samples, in the order of their places. With `wait`, waits for the last query;
 * otherwise reads the last query that the device has finished. *number receives the number of that
 * query, counted from 1, or 0 before the first has finished. *count: capacity of `samples` on
 * entry, number of samples on return; NULL `samples` returns only the number.
 * Errors: DEVICE_LOST. */
WEIR_API weir_result weir_probe_read(weir_probe *probe, bool wait, weir_probe_sample *samples,
                                     uint32_t *count, uint64_t *number);

#ifdef __cplusplus
}
#endif
#endif
