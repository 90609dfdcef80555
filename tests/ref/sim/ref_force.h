/* Reference of the forces of fluid on bodies and solids, on the CPU: in integers and double
 * precision. */
#ifndef WEIR_TESTS_REF_FORCE_H
#define WEIR_TESTS_REF_FORCE_H

#include "weir/weir.h"

#include "shared/glue.h"

#include "shared/body.h"
#include "shared/grid.h"
#include "shared/sim.h"

typedef struct ref_load {
    double impulse[3], moment[3]; /* as in struct body_fluid_impulse */
    double force[3], torque[3];
} ref_load;

/* Adds the fixed-point sums of a body to the impulse of the substep. */
void ref_load_tally(const struct sim_params *params, const uint32_t *sums, ref_load *push);
/* Ends a substep for a solid, whose sums have the same form as a body's. */
void ref_load_solid(const struct sim_params *params, const struct sim_status *status,
                    const uint32_t *sums, ref_load *load);
/* Ends a substep: adds its mean force and torque to those of the frame. */
void ref_load_settle(const struct sim_status *status, ref_load *push);

#endif
