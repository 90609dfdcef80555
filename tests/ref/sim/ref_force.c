/* Reference of the forces of fluid on bodies and solids, from their definition. */
#include "ref_force.h"

#include <string.h>

static double whole(const uint32_t *words)
{
    return (double)(int64_t)((uint64_t)words[1] << 32 | words[0]);
}

void ref_load_tally(const struct sim_params *params, const uint32_t *sums, ref_load *push)
{
    double d = (double)params->spacing,
           unit = d * (double)params->fluids[0].mass * (double)BODY_IMPULSE_UNIT;
    for (int axis = 0; axis < 3; axis++) {
        push->impulse[axis] += unit * whole(sums + 2 * axis);
        push->moment[axis] += d * unit * whole(sums + 6 + 2 * axis);
    }
}

void ref_load_settle(const struct sim_status *status, ref_load *push)
{
    double dt = (double)status->dt, share = 1.0 / (dt * dt * status->substeps);
    for (int axis = 0; axis < 3; axis++) {
        if (status->substep == 0) push->force[axis] = push->torque[axis] = 0.0;
        push->force[axis] += share * push->impulse[axis];
        push->torque[axis] += share * push->moment[axis];
    }
}

void ref_load_solid(const struct sim_params *params, const struct sim_status *status,
                    const uint32_t *sums, ref_load *load)
{
    memset(load->impulse, 0, sizeof load->impulse);
    memset(load->moment, 0, sizeof load->moment);
    ref_load_tally(params, sums, load);
    ref_load_settle(status, load);
}
