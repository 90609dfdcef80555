/* Substep of Position Based Fluids (Macklin and Mueller 2013, algorithm 1). */
#include "sim_ranks.h"
#include "sim_solvers.h"

/* In a long solve particles and bodies may move far, so the near bodies are found again in each
 * iteration. A short solve keeps those found at its start, like the neighbours. */
static bool has_long_solve(const sim_world *world)
{
    return sim_has_tolerance(world) || world->scene->solver.iterations > SIM_NEAR_UPDATE_INTERVAL;
}

static bool finds_near_bodies_once(const sim_world *world)
{
    return sim_has_bodies(world) && !has_long_solve(world);
}

static bool finds_near_bodies_each_iteration(const sim_world *world)
{
    return sim_has_bodies(world) && has_long_solve(world);
}

/* The viscous solve has filled the queue of particles near bodies, and has moved bodies. The broad
 * phase is therefore repeated: it empties the queue and marks the cells again. */
static bool repeats_broad_phase(const sim_world *world)
{
    return finds_near_bodies_once(world) && sim_solves_viscosity(world);
}

const sim_pass sim_pbf_passes[] = {
    {.sublist = sim_sph_begin_passes}, /* lines 1 to 7: forces, prediction, neighbours */
    {.sublist = sim_long_range_passes},
    {.stage = "constraint solve"},
    {SIM_LOOP_DISPATCH_ARGS, .dispatch = SIM_ONE_INVOCATION, .when = sim_has_tolerance},
    {.body_passes = body_broad_phase_passes, .when = repeats_broad_phase},
    {SIM_BODY_BROAD_PHASE, .dispatch = SIM_LIVE_PARTICLES, .when = finds_near_bodies_once},
    {.body_passes = body_broad_phase_passes,
     .repeats = SIM_ITERATIONS,
     .when = finds_near_bodies_each_iteration},
    {SIM_BODY_BROAD_PHASE, .dispatch = SIM_ITERATED_PARTICLES, .repeats = SIM_ITERATIONS,
     .when = finds_near_bodies_each_iteration},
    {SIM_BODY_BOUNDARY_DENSITY, .dispatch = SIM_NEAR_BODY_PARTICLES, .repeats = SIM_ITERATIONS,
     .when = sim_has_bodies},
    {SIM_BOUNDARY_DENSITY, .dispatch = SIM_ITERATED_NEAR_PARTICLES, .repeats = SIM_ITERATIONS,
     .when = sim_has_solids},
    {SIM_LAMBDA, .dispatch = SIM_ITERATED_NEAR_PARTICLES,
     .repeats = SIM_ITERATIONS}, /* lines 9 to 11 */
    {.passes = sim_rank_density_error_passes,
     .repeats = SIM_ITERATIONS,
     .when = sim_ranks_sum_density_errors},
    {SIM_CHECK_CONVERGENCE, .dispatch = SIM_ONE_INVOCATION, .repeats = SIM_ITERATIONS,
     .when = sim_has_tolerance},
    {SIM_POSITION_CORRECTION, .dispatch = SIM_ITERATED_PARTICLES,
     .repeats = SIM_ITERATIONS}, /* lines 12 to 18 */
    {SIM_BOUNDARY_PROJECT, .dispatch = SIM_ITERATED_PARTICLES, .repeats = SIM_ITERATIONS,
     .when = sim_has_solids},
    {SIM_BODY_CONTACT, .dispatch = SIM_NEAR_BODY_PARTICLES, .repeats = SIM_ITERATIONS,
     .when = sim_has_bodies},
    {SIM_BODY_CONTACT_LIST_OVERFLOW, .dispatch = SIM_OVERFLOW_PARTICLES, .repeats = SIM_ITERATIONS,
     .when = sim_has_bodies},
    {SIM_BOUNDARY_PROJECT_AFTER_BODIES, .dispatch = SIM_NEAR_BODY_PARTICLES,
     .repeats = SIM_ITERATIONS, .when = sim_has_bodies},
    {.body_passes = body_fluid_impulse_passes, .repeats = SIM_ITERATIONS, .when = sim_has_bodies},
    {.body_passes = body_solve_passes, .repeats = SIM_ITERATIONS, .when = sim_has_bodies},
    {.deformable_passes = deformable_bin_passes,
     .repeats = SIM_ITERATIONS,
     .when = sim_has_deformables},
    {SIM_DEFORMABLE_CONTACT_FIND, .dispatch = SIM_ITERATED_PARTICLES, .repeats = SIM_ITERATIONS,
     .when = sim_has_deformables},
    {SIM_DEFORMABLE_DRAG_FIND, .dispatch = SIM_ITERATED_PARTICLES, .repeats = SIM_ITERATIONS,
     .when = sim_has_deformable_drag},
    {.passes = sim_deformable_solve_passes, .repeats = SIM_ITERATIONS, .when = sim_has_deformables},
    {.passes = sim_swap_passes, .repeats = SIM_ITERATIONS, .when = sim_has_ranks},
    {.sublist = sim_sph_end_passes}, /* lines 20 to 24: velocity, vorticity, XSPH, position */
    {.end = true},
};
