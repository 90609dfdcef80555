/* Attributes of particles, for tests with every method. */
#ifndef WEIR_TESTS_ATTRIBUTE_SUPPORT_H
#define WEIR_TESTS_ATTRIBUTE_SUPPORT_H

#include "sim_support.h"

#define METHODS 5u
extern const char *const attribute_methods[METHODS]; /* pbf, pcisph, wcsph, flip, apic */

/* Parses a scene for a method, with one override more. */
scene_data *scene_with(const char *text, const char *method, const char *more);

/* Reads an attribute of all particles in the order of ids; *count receives their number. Release
 * with base_free. */
float *read_values(sim_world *world, const char *name, uint32_t components, uint32_t *count);
void write_values(sim_world *world, const char *name, const float *values, size_t count);

#endif
