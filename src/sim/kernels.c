/* The simulation's kernels, specialized for what the scene has. */
#include "sim_internal.h"

/* Ids of the specialization constants. */
#define IS(id, name) SIM_IS_##name = (id),
enum { SIM_CONSTANTS(IS, IS) SIM_IS_COUNT = SOLID_CONSTANT_NESTING + 1 };

static void fill_fluids(const scene_data *scene, uint32_t *is)
{
    is[SIM_IS_ONE_MASS] = is[SIM_IS_ONE_TENSION] = is[SIM_IS_ONE_VISCOSITY] = 1;
    for (uint32_t i = 1; i < scene->fluid_count; i++) {
        is[SIM_IS_ONE_MASS] &= scene->fluids[i].density == scene->fluids[0].density;
        is[SIM_IS_ONE_TENSION] &=
            scene->fluids[i].surface_tension == scene->fluids[0].surface_tension;
        is[SIM_IS_ONE_VISCOSITY] &=
            scene->fluids[i].dynamic_viscosity == scene->fluids[0].dynamic_viscosity;
    }
    is[SIM_IS_VISCOUS] = sim_is_viscous(scene);
    is[SIM_IS_CHANGED] = sim_smooths(scene) || sim_is_tense(scene);
}

static void fill_solver(const sim_world *world, uint32_t *is)
{
    const scene_solver *solver = &world->scene->solver;
    is[SIM_IS_SUMS_ERRORS] = solver->chebyshev > 0.0f || solver->residuals;
    is[SIM_IS_ACCELERATED] = solver->chebyshev > 0.0f;
    is[SIM_IS_RESIDUALS] = solver->residuals;
    is[SIM_IS_TOLERANT] = scene_is_tolerant(solver);
    is[SIM_IS_KERNEL] = world->params.kernel;
    is[SIM_IS_AFFINE] = solver->method == SCENE_METHOD_APIC;
    is[SIM_IS_RESEEDS] = solver->reseed;
    is[SIM_IS_CONFINED] = solver->vorticity > 0.0f;
    is[SIM_IS_ADDS] = sim_gathers_velocity(world);
    is[SIM_IS_POWER] = solver->artificial_pressure > 0.0f ? solver->pressure_power : 0;
}

static void fill_constants(const sim_world *world, uint32_t *is)
{
    vec4 period = world->params.period;
    is[SIM_IS_HAS_SOLIDS] = sim_has_items(world->scene);
    is[SOLID_CONSTANT_NESTING] = solid_set_nesting(world->solids);
    is[SOLID_CONSTANT_LACKS] = solid_set_lacks(world->solids);
    is[SIM_IS_HAS_BODIES] = world->bodies != NULL;
    is[SIM_IS_HOLDS] = world->masses_given || world->lists_given;
    is[SIM_IS_PERIODIC] = period.x > 0.0f || period.y > 0.0f || period.z > 0.0f;
    is[SIM_IS_COMPACT] = grid_is_compact(world->grid);
    is[SIM_IS_DENSE] = grid_is_dense(world->grid);
    /* A clearance holds for one periodic image of the particle only. */
    is[SIM_IS_STEADY] =
        is[SIM_IS_HAS_SOLIDS] && !is[SIM_IS_PERIODIC] && solid_set_steady(world->solids);
    is[SIM_IS_MEASURED] = sim_measured_slots(world->scene);
    is[SIM_IS_FORCES] = sim_sums_forces(world);
    is[SIM_IS_GROUP] = gpu_device_workgroup(world->device);
    fill_fluids(world->scene, is);
    if (world->masses_given) is[SIM_IS_ONE_MASS] = 0;
    fill_solver(world, is);
}

weir_result sim_kernel_need(sim_world *world, int kernel)
{
    uint32_t is[SIM_IS_COUNT] = {0};
    if (world->kernels[kernel]) return WEIR_OK;
    fill_constants(world, is);
    const gpu_kernel_def def = {
        .shader = &sim_shaders[kernel], .constants = is, .constant_count = SIM_IS_COUNT};
    return gpu_kernel_create(world->device, &def, &world->kernels[kernel]);
}

weir_result sim_kernels_create(sim_world *world)
{
    WEIR_NEED(sim_kernel_need(world, SIM_POINTS));
    WEIR_NEED(sim_kernel_need(world, SIM_POINTS_COUNT));
    return sim_kernel_need(world, SIM_POINTER);
}

void sim_kernels_destroy(sim_world *world)
{
    for (int i = 0; i < SIM_SHADERS; i++)
        gpu_kernel_destroy(world->device, &world->kernels[i]);
}

/* Kernels that look cells up know whether the grid is dense. */
weir_result sim_grid_grow(sim_world *world, grid_capacity capacity)
{
    bool dense = grid_is_dense(world->grid);
    WEIR_NEED(grid_grow(world->device, world->grid, capacity));
    if (grid_is_dense(world->grid) == dense) return WEIR_OK;
    sim_kernels_destroy(world);
    return sim_kernels_create(world);
}
