/* Implicit viscosity, Pa s. Solves for the predicted velocities of all particles at once, by
 * conjugate gradients on the neighbour lists (Weiler, Koschier, Brand and Bender 2018), or for
 * those of the MAC grid's faces (Batty and Bridson 2008; flip.c). An iteration needs a single
 * reduction (Chronopoulos and Gear 1989). The GPU ends the solve by itself: passes past the end
 * have no workgroups (docs/equations.md). */
#include "sim_solvers.h"

#include "shared/poisson.h"

bool sim_solves_viscosity(const sim_world *world)
{
    return sim_has_viscosity(world->scene);
}

static bool measures_viscous_force(const sim_world *world)
{
    return sim_has_solids(world) && sim_measures_solid_force(world->scene);
}

/* The solve of the particle solvers; on the MAC grid: flip.c. */
const sim_pass sim_viscous_passes[] = {
    {.stage = "viscosity"},
    {SIM_VISCOUS_INITIAL_VELOCITY, .dispatch = SIM_LIVE_PARTICLES},
    {SIM_VISCOUS_CG_DISPATCH_ARGS, .dispatch = SIM_ONE_INVOCATION},
    {SIM_VISCOUS_RESIDUAL, .dispatch = SIM_LIVE_PARTICLES},
    {SIM_BODY_BROAD_PHASE, .dispatch = SIM_LIVE_PARTICLES, .when = sim_has_bodies},
    {SIM_VISCOUS_BODY_CG_STAGE, .dispatch = SIM_BODIES, .constant = SIM_BODY_CG_INIT,
     .when = sim_has_bodies},
    {SIM_VISCOUS_BODY_RESIDUAL, .dispatch = SIM_NEAR_BODY_PARTICLES, .when = sim_has_bodies},
    {SIM_VISCOUS_BODY_CG_STAGE, .dispatch = SIM_BODIES, .constant = SIM_BODY_CG_RESIDUAL,
     .when = sim_has_bodies},
    {SIM_VISCOUS_BODY_MATVEC, .dispatch = SIM_NEAR_BODY_PARTICLES,
     .repeats = SIM_VISCOUS_ITERATIONS, .when = sim_has_bodies},
    {SIM_VISCOUS_BODY_CG_STAGE, .dispatch = SIM_BODIES, .repeats = SIM_VISCOUS_ITERATIONS,
     .constant = SIM_BODY_CG_MATVEC, .when = sim_has_bodies},
    {SIM_VISCOUS_MATVEC, .dispatch = SIM_VISCOUS_UNKNOWNS, .repeats = SIM_VISCOUS_ITERATIONS},
    {SIM_VISCOUS_CG_SCALARS, .dispatch = SIM_VISCOUS_ONE_WORKGROUP,
     .repeats = SIM_VISCOUS_ITERATIONS},
    {SIM_VISCOUS_CG_UPDATE, .dispatch = SIM_VISCOUS_UNKNOWNS, .repeats = SIM_VISCOUS_ITERATIONS},
    {SIM_VISCOUS_BODY_CG_STAGE, .dispatch = SIM_BODIES, .repeats = SIM_VISCOUS_ITERATIONS,
     .constant = SIM_BODY_CG_STEP, .when = sim_has_bodies},
    {SIM_VISCOUS_BODY_CG_STAGE, .dispatch = SIM_BODIES, .constant = SIM_BODY_CG_APPLY,
     .when = sim_has_bodies},
    {.body_passes = body_fluid_impulse_passes, .when = sim_has_bodies},
    {.body_passes = body_apply_passes, .when = sim_has_bodies},
    {SIM_VISCOUS_SOLID_IMPULSE, .dispatch = SIM_LIVE_PARTICLES, .when = measures_viscous_force},
    {SIM_VISCOUS_APPLY, .dispatch = SIM_LIVE_PARTICLES},
    {.end = true},
};

gpu_dispatch_size sim_viscous_dispatch_size(const sim_world *world, bool one)
{
    if (one)
        return (gpu_dispatch_size){.name = "a workgroup, until converged",
                                   .count = SIM_VISCOUS_WORKGROUP,
                                   .arguments = world->buffers.viscous_cg,
                                   .argument_offset =
                                       offsetof(struct sim_viscous_cg, reduce_groups_x)};
    bool grid = scene_has_grid(&world->scene->solver);
    return (gpu_dispatch_size){
        .name = grid ? "cells, until converged" : "particles, until converged",
        .count = grid ? sim_unknown_count(world) : grid_live_dispatch_size(world->grid).count,
        .per_invocation = grid ? POISSON_CELLS_PER_INVOCATION : 1,
        .arguments = world->buffers.viscous_cg,
        .argument_offset = offsetof(struct sim_viscous_cg, loop)};
}

weir_result sim_viscous_buffers_grow(sim_world *world)
{
    uint64_t has = gpu_buffer_count(world->buffers.viscous_velocities);
    if (has >= sim_unknown_count(world)) return WEIR_OK;
    sim_buffers_destroy(world, SIM_WITH_UNKNOWNS);
    return sim_buffers_create(world, SIM_WITH_UNKNOWNS);
}

void sim_check_viscosity(sim_world *world, const struct sim_status *status, double time_s)
{
    float residual;
    memcpy(&residual, &status->frame_viscous_residual, sizeof residual);
    if (world->warned_of_viscosity || residual <= SIM_VISCOUS_TOLERANCE) return;
    world->warned_of_viscosity = true;
    base_log(world->log, WEIR_LOG_WARNING,
             "%s: at %.3f s the viscosity solve did not converge: its residual is %.2g after %u "
             "iterations, expected %g, so the effective viscosity differs; use more substeps, or a "
             "smaller dynamic_viscosity (the column viscous_residual of stats.csv has each frame)",
             world->scene->source, time_s, (double)residual, SIM_VISCOUS_MAX_ITERATIONS,
             (double)SIM_VISCOUS_TOLERANCE);
}
