/* Attributes: named values that each particle of a simulation carries, such as a dye or a
 * temperature, as the scene's `attributes` lists them. weir/weir.h has the rules that hold for all
 * functions. */
#ifndef WEIR_ATTRIBUTES_PUBLIC_H
#define WEIR_ATTRIBUTES_PUBLIC_H

#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEIR_MAX_ATTRIBUTES 8 /* of a scene */

/* Describes the attribute with this index; returns false when the scene has fewer attributes. */
WEIR_API bool weir_scene_get_attribute(const weir_scene *scene, uint32_t index,
                                       weir_attribute *attribute);

/* Copies an attribute of all particles, in order of particle id, to `out` [components * particle
 * count]; `size` is its size in bytes. Waits. Errors: ARGUMENT (no attribute of this name, wrong
 * size). */
WEIR_API weir_result weir_sim_read_attribute(weir_sim *sim, const char *name, float *out,
                                             size_t size);

/* Replaces an attribute of all particles, in order of particle id. The values are finite. Waits.
 * Errors: ARGUMENT (no attribute of this name, wrong size, a number that is not finite). */
WEIR_API weir_result weir_sim_write_attribute(weir_sim *sim, const char *name, const float *values,
                                              size_t size);

#ifdef __cplusplus
}
#endif
#endif
