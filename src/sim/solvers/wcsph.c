/* Substep of weakly compressible SPH (Becker and Teschner 2007). The pressure is a function of the
 * density alone, so nothing is solved for; the length of a substep follows from the speed of
 * sound. */
#include "sim_ranks.h"
#include "sim_solvers.h"

const sim_pass sim_wcsph_passes[] = {
    {.sublist = sim_sph_begin_passes},
    {.stage = "pressure forces"},
    {SIM_BOUNDARY_DENSITY_SUBSTEP_START, .dispatch = SIM_NEAR_PARTICLES, .when = sim_has_solids},
    {SIM_EQUATION_OF_STATE, .dispatch = SIM_NEAR_PARTICLES},
    {SIM_WCSPH_FORCES, .dispatch = SIM_LIVE_PARTICLES},
    {SIM_BOUNDARY_PROJECT, .dispatch = SIM_LIVE_PARTICLES, .when = sim_has_solids},
    {.passes = sim_swap_passes, .when = sim_has_ranks},
    {.sublist = sim_sph_end_passes},
    {.end = true},
};
