/* Reference of shaders/sim/frame/ray_force.comp. */
#ifndef WEIR_REF_POINTER_H
#define WEIR_REF_POINTER_H

#include "base.h"

#include "shared/sim.h"

/* Returns the velocity after the ray force has acted for the duration of the frame. */
vec4 ref_pointer(const struct sim_params *params, const struct sim_ray_force *pointer, vec4 x,
                 vec4 v);

#endif
