/* Substep of predictive-corrective SPH (Solenthaler and Pajarola 2009, algorithm 2). */
#include "sim_ranks.h"
#include "sim_solvers.h"

const sim_pass sim_pcisph_passes[] = {
    {.sublist = sim_sph_begin_passes},
    {.stage = "constraint solve"},
    {SIM_BOUNDARY_DENSITY_SUBSTEP_START, .dispatch = SIM_NEAR_PARTICLES, .when = sim_has_solids},
    {SIM_LOOP_DISPATCH_ARGS, .dispatch = SIM_ONE_INVOCATION, .when = sim_has_tolerance},
    {SIM_PCISPH_PRESSURE, .dispatch = SIM_ITERATED_NEAR_PARTICLES,
     .repeats = SIM_ITERATIONS}, /* predicted density and its pressure */
    {.passes = sim_rank_density_error_passes,
     .repeats = SIM_ITERATIONS,
     .when = sim_ranks_sum_density_errors},
    {SIM_CHECK_CONVERGENCE, .dispatch = SIM_ONE_INVOCATION, .repeats = SIM_ITERATIONS,
     .when = sim_has_tolerance},
    {SIM_PCISPH_POSITION_CORRECTION, .dispatch = SIM_ITERATED_PARTICLES,
     .repeats = SIM_ITERATIONS}, /* pressure forces */
    {SIM_BOUNDARY_PROJECT, .dispatch = SIM_ITERATED_PARTICLES, .repeats = SIM_ITERATIONS,
     .when = sim_has_solids},
    {.passes = sim_swap_passes, .repeats = SIM_ITERATIONS, .when = sim_has_ranks},
    {.sublist = sim_sph_end_passes},
    {.end = true},
};
