/* api: what the files about stored particles share. */
#ifndef WEIR_API_PARTICLES_INTERNAL_H
#define WEIR_API_PARTICLES_INTERNAL_H

#include "base.h"

/* The edge of the cube that a particle has to itself inside the cloud, by density, not by nearest
 * neighbours, so that jittered particles count like a lattice; 0 where there is none to find. The
 * same for equal input. Errors: MEMORY. */
weir_result particles_estimate_spacing(const weir_log *log, const vec3 *position, uint32_t count,
                                       float *spacing_m);

#endif
