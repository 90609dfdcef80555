/* What fluid does to bodies and solids, on the CPU: in whole numbers and in double. */
#ifndef WEIR_TESTS_REF_FORCE_H
#define WEIR_TESTS_REF_FORCE_H

#include "weir/weir.h"

#include "shared/glue.h"

#include "shared/body.h"
#include "shared/grid.h"
#include "shared/sim.h"

typedef struct ref_load {
    double impulse[3], moment[3]; /* struct body_fluid_impulse */
    double force[3], torque[3];
} ref_load;

/* Adds what a body's sums hold to the substep's. */
void ref_load_tally(const struct sim_params *params, const uint32_t *sums, ref_load *push);
/* A solid's sums, of the same form, end a substep. */
void ref_load_solid(const struct sim_params *params, const struct sim_status *status,
                    const uint32_t *sums, ref_load *load);
/* Ends a substep. */
void ref_load_settle(const struct sim_status *status, ref_load *push);

#endif
