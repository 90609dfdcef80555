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

/* The scene gives the domain, its periodic sides, the dimensions and gravity, against which is
 * upwards; without gravity y is. Errors: MEMORY. */
WEIR_API weir_result weir_probe_create(weir_device *device, const weir_scene *scene,
                                       weir_probe **probe);
WEIR_API void weir_probe_destroy(weir_probe **probe);

/* Asks at `places` [3 * count], m, among the particles of `points`, of any simulation or file. May
 * be called each frame: submits, and waits only for the third set of questions before, or where
 * more particles or questions than ever need larger buffers. The points may be released at once.
 * Errors: ARGUMENT, MEMORY, DEVICE_LOST. */
WEIR_API weir_result weir_probe_submit(weir_probe *probe, const weir_points *points,
                                       const float *places, uint32_t count);

/* Means over the particles within the support radius, weighted by (1 - r2/h2)^3. All 0 where there
 * are none. */
typedef struct weir_probe_sample {
    /* Share of the space that fluid fills: 1 inside, 0.5 at its surface and at walls and solids,
     * which fill nothing. */
    float fluid_fraction;
    float density;     /* kg/m3; 0 also where the points have none */
    float velocity[3]; /* m/s; 0 also where the points have none */
    /* How far above the place the fluid of its column ends, below 0 under it: the highest place
     * whose fill is 0.5; WEIR_NO_SURFACE without any. A column stands half a support radius clear
     * of the domain's sides. */
    float surface_offset_m;
} weir_probe_sample;

#define WEIR_NO_SURFACE (-1e30f)

/* The newest answers, in the order of their places. `wait`: those to the last questions; else those
 * to the last ones that the device has answered by now. *number says to which: sets of questions
 * are counted from 1, and it is 0 before the first are answered. *count: room in `answers` on
 * entry, answers that there are on return; answers NULL asks for the count alone. Errors:
 * DEVICE_LOST. */
WEIR_API weir_result weir_probe_read(weir_probe *probe, bool wait, weir_probe_sample *answers,
                                     uint32_t *count, uint64_t *number);

#ifdef __cplusplus
}
#endif
#endif
