/* Implicit viscosity, Pa s. Solves for the predicted velocities of all particles at once, by
 * conjugate gradients on the neighbour lists (Weiler, Koschier, Brand and Bender 2018), or for
 * those of the MAC grid's faces (Batty and Bridson 2008; flip.c). An iteration needs a single
 * reduction (Chronopoulos and Gear 1989). The GPU ends the solve by itself: passes past the end
 * have no workgroups (docs/equations.md). */
#include "sim_passes.h"

#include "shared/poisson.h"

#define PI 3.14159265358979323846

/* Returns 2 D (D + 2) over the integral of q^4 f(q), where f = (1 - q^2)^3 / q. With this factor
 * the pair forces -f (v . d) d over h^2 approximate the Laplacian. */
static double laplacian_pair_factor(uint32_t dimensions)
{
    return dimensions == 2 ? 577.5 / PI : 900.0 / PI;
}

float sim_viscous_coefficient(const sim_world *world, float viscosity)
{
    const scene_solver *solver = &world->scene->solver;
    double h = (double)world->scene->spacing * (double)solver->support_radius;
    double volume_fraction = pow((double)solver->support_radius, -(double)solver->dimensions);
    return (float)(laplacian_pair_factor(solver->dimensions) * volume_fraction / (h * h) *
                   (double)viscosity);
}

bool sim_solves_viscosity(const sim_world *world)
{
    return sim_has_viscosity(world->scene);
}

uint64_t sim_unknown_count(const sim_world *world)
{
    if (!sim_has_viscosity(world->scene)) return 0;
    if (!scene_has_grid(&world->scene->solver)) return world->params.particle_capacity;
    return (uint64_t)poisson_capacity(world->pressure_grid) * POISSON_BLOCK_CELLS;
}

gpu_dispatch_size sim_viscous_dispatch_size(const sim_world *world, bool one)
{
    if (one)
        return (gpu_dispatch_size){.name = "a workgroup, until it ends",
                                   .count = SIM_VISCOUS_WORKGROUP,
                                   .arguments = world->buffers.viscous_cg,
                                   .argument_offset =
                                       offsetof(struct sim_viscous_cg, reduce_groups_x)};
    bool grid = scene_has_grid(&world->scene->solver);
    return (gpu_dispatch_size){.name = grid ? "cells, until it ends" : "particles, until it ends",
                               .count = grid ? sim_unknown_count(world)
                                             : grid_live_dispatch_size(world->grid).count,
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
             "%s: at %.3f s a solve for viscosity reached a residual of %.2g in %u iterations, "
             "expected %g: the fluid seems thinner or stiffer than it is; use more substeps, or a "
             "smaller dynamic_viscosity (stats.csv has viscous_residual for each frame)",
             world->scene->source, time_s, (double)residual, SIM_VISCOUS_MAX_ITERATIONS,
             (double)SIM_VISCOUS_TOLERANCE);
}
