/* The pressure grid of a world: the MAC grid (flip.c), or the cells of the long-range correction.
 *
 * Once per substep, before the iterations, the long-range correction computes a pressure on
 * cells of one support radius, which moves fluid out of overfull regions. Iterations correct
 * errors of short wavelength at once, but those of long wavelength only from neighbour to
 * neighbour; multigrid corrects all wavelengths alike (docs/equations.md). */
#include "sim_ranks.h"
#include "sim_solvers.h"
#include "sim_stability.h"

#include "shared/poisson.h"

#define INITIAL_BLOCKS 64u /* added to what the particles need: see initial_block_capacity */

static bool has_mac_grid(const sim_world *world)
{
    return scene_has_grid(&world->scene->solver);
}

static bool has_long_range_grid(const sim_world *world)
{
    return world->pressure_grid != NULL;
}

/* Every rank solves for the pressure of the whole domain. */
static bool has_grid_on_ranks(const sim_world *world)
{
    return has_long_range_grid(world) && sim_has_ranks(world);
}

static bool has_rough_long_range(const sim_world *world)
{
    return has_long_range_grid(world) && world->params.has_friction;
}

static bool has_moving_solids(const sim_world *world)
{
    return has_long_range_grid(world) && sim_has_solids(world) &&
           !solid_set_is_static(world->solids);
}

/* SPH methods have no passes for the long-range correction. */
static bool needs_pressure_grid(const sim_world *world)
{
    const scene_data *scene = world->scene;
    scene_long_range choice = scene->solver.long_range_correction;
    if (has_mac_grid(world)) return true;
    if (scene->solver.method != SCENE_METHOD_PBF) return false;
    if (choice != SCENE_LONG_RANGE_AUTO) return choice == SCENE_LONG_RANGE_ON;
    bool wanted =
        sim_is_too_compressible(world) || sim_sinks_too_far(world) || sim_converges_slowly(world);
    return wanted && !sim_measures_solid_force(scene) && scene->body_count == 0 &&
           scene_deformable_count(scene) == 0;
}

/* Returns the number of cells along an axis. Cells of the long-range correction are about one
 * support radius wide, those of a MAC grid about as wide as the scene sets. On a periodic axis the
 * number is even, so that cells can be merged in pairs. */
static uint32_t count_cells_along(const sim_world *world, uint32_t axis, float extent)
{
    bool planar = world->params.planar && axis == 2;
    double ratio = (double)(extent / world->params.h);
    double wanted = has_mac_grid(world) ? rint(ratio) : floor(ratio);
    bool periodic = world->scene->domain.sides[2 * axis] == SCENE_SIDE_PERIODIC;
    if (planar || wanted < 1.0) return 1;
    if (periodic && wanted > 1.0) wanted -= fmod(wanted, 2.0);
    return wanted < 1e9 ? (uint32_t)wanted : 1000000000u;
}

/* Returns the initial number of blocks: those that a connected fluid fills, and the blocks around
 * them; for a MAC grid, as many as a splash of a million particles needs. The number grows when
 * needed. */
static uint32_t initial_block_capacity(const sim_world *world)
{
    uint64_t particles = grid_get_capacity(world->grid).particles;
    uint64_t each = world->params.planar ? 144u : 1152u, around = has_mac_grid(world) ? 1u : 9u;
    uint64_t wanted = around * particles / each + INITIAL_BLOCKS;
    return wanted < 1u << 20 ? (uint32_t)wanted : 1u << 20;
}

static poisson_def make_poisson_def(const sim_world *world)
{
    const scene_domain *domain = &world->scene->domain;
    vec3 size = vec3_sub(domain->max, domain->min);
    const float extents[3] = {size.x, size.y, size.z};
    poisson_def def = {.tolerance =
                           has_mac_grid(world) ? world->scene->solver.projection_tolerance : 0.0f,
                       .rigids = has_mac_grid(world) ? world->scene->body_count : 0,
                       .variable_coefficients = sim_has_variable_density(world->scene)};
    for (uint32_t axis = 0; axis < 3; axis++) {
        def.cells[axis] = count_cells_along(world, axis, extents[axis]);
        def.sizes_m[axis] = extents[axis] / (float)def.cells[axis];
        def.periodic[axis] = domain->sides[2 * axis] == SCENE_SIDE_PERIODIC;
    }
    if (world->params.planar) {
        def.sizes_m[2] = def.sizes_m[0];
        def.periodic[2] = false;
    }
    return def;
}

static void fill_pressure_grid_params(sim_world *world)
{
    const scene_solver *solver = &world->scene->solver;
    poisson_def def = make_poisson_def(world);
    double spacing = (double)world->scene->spacing, full = 1.0;
    for (uint32_t axis = 0; axis < solver->dimensions; axis++)
        full *= (double)def.sizes_m[axis] / spacing;
    world->params.cell_size = (vec4){def.sizes_m[0], def.sizes_m[1], def.sizes_m[2], (float)full};
    world->params.mac_cells =
        (ivec4){(int32_t)def.cells[0], (int32_t)def.cells[1], (int32_t)def.cells[2], 0};
}

void sim_pressure_grid_choose(sim_world *world)
{
    world->has_pressure_grid = needs_pressure_grid(world);
    if (!world->has_pressure_grid) return;
    if (!has_mac_grid(world) && world->scene->solver.long_range_correction == SCENE_LONG_RANGE_AUTO)
        base_log(
            world->log, WEIR_LOG_INFO,
            "%s: deep water, %.3g m, would be compressed by %.3g %% at the floor: the long-range "
            "correction is on (solver.long_range_correction=off to disable)",
            world->scene->source, world->fluid_depth_m, 100.0 * sim_initial_compression(world));
    sim_params_fill(world); /* particles may now move farther in a substep */
    fill_pressure_grid_params(world);
}

static weir_result create_poisson(sim_world *world)
{
    poisson_def def = make_poisson_def(world);
    def.capacity = initial_block_capacity(world);
    for (uint32_t axis = 0; axis < world->scene->solver.dimensions && has_mac_grid(world); axis++)
        if (world->scene->domain.sides[2 * axis + 1] == SCENE_SIDE_OPEN)
            /* a layer of air, so that the side has faces through which fluid can flow */
            def.cells[axis]++;
    return poisson_create(world->device, &def, &world->pressure_grid);
}

weir_result sim_pressure_grid_create(sim_world *world)
{
    if (world->has_pressure_grid) WEIR_RETURN_IF_ERROR(create_poisson(world));
    return sim_buffers_create(world, SIM_WITH_CELLS);
}

uint64_t sim_pressure_grid_bytes(const sim_world *world)
{
    if (!world->pressure_grid) return 0;
    return poisson_bytes(world->pressure_grid) + sim_buffers_bytes(world, SIM_WITH_CELLS);
}

weir_result sim_pressure_grid_grow(sim_world *world, uint32_t blocks)
{
    sim_buffers_destroy(world, SIM_WITH_CELLS);
    WEIR_RETURN_IF_ERROR(poisson_grow(world->device, world->pressure_grid, blocks));
    return sim_buffers_create(world, SIM_WITH_CELLS);
}

/* ---- passes --------------------------------------------------------------------------------- */

gpu_pass *sim_clear_blocks_passes(sim_world *world, gpu_pass *pass)
{
    return pass + poisson_clear_passes(world->pressure_grid, grid_state_buffer(world->grid), pass);
}

gpu_pass *sim_activate_blocks_passes(sim_world *world, gpu_pass *pass)
{
    return pass + poisson_block_passes(world->pressure_grid, grid_state_buffer(world->grid), pass);
}

gpu_pass *sim_poisson_setup_passes(sim_world *world, gpu_pass *pass)
{
    return pass + poisson_setup_passes(world->pressure_grid, pass);
}

/* Two iterations compute the gradient to a few hundredths, one to a tenth on average; the next
 * substeps correct what is left of the drift. */
static gpu_pass *motion_solve_passes(sim_world *world, gpu_pass *pass)
{
    return pass + poisson_solve_passes(world->pressure_grid, 2, pass);
}

static gpu_pass *density_drift_solve_passes(sim_world *world, gpu_pass *pass)
{
    return pass + poisson_started_solve_passes(world->pressure_grid, 1, pass);
}

const sim_pass sim_long_range_passes[] = {
    {.stage = "long-range correction"},
    {.passes = sim_clear_blocks_passes, .when = has_long_range_grid},
    {SIM_LONG_RANGE_ACTIVATE_BLOCKS, .dispatch = SIM_LIVE_PARTICLES, .when = has_long_range_grid},
    {.passes = sim_rank_block_passes, .when = has_grid_on_ranks},
    {.passes = sim_activate_blocks_passes, .when = has_long_range_grid},
    {SIM_FACE_FRACTIONS, .dispatch = SIM_ACTIVE_CELLS, .when = has_long_range_grid},
    {SIM_LONG_RANGE_PARTICLES_TO_GRID, .dispatch = SIM_LIVE_PARTICLES, .when = has_long_range_grid},
    {.passes = sim_rank_cell_passes, .when = has_grid_on_ranks},
    {SIM_LONG_RANGE_LEVEL_SET_RHS, .dispatch = SIM_ACTIVE_CELLS, .when = has_long_range_grid},
    {.passes = sim_poisson_setup_passes, .when = has_long_range_grid},
    /* density that the substep's motion adds; changes velocities */
    {.passes = motion_solve_passes, .when = has_long_range_grid},
    {SIM_PRESSURE_GRADIENT, .dispatch = SIM_ACTIVE_CELLS, .when = has_long_range_grid},
    {SIM_LONG_RANGE_WALL_DISPLACEMENT, .dispatch = SIM_ACTIVE_CELLS, .when = has_moving_solids},
    {SIM_LONG_RANGE_MOVE_PARTICLES, .dispatch = SIM_HELD_PARTICLES, .when = has_long_range_grid},
    {SIM_LONG_RANGE_WALL_FRICTION, .dispatch = SIM_HELD_PARTICLES, .when = has_rough_long_range},
    /* density error that earlier substeps have left; changes positions alone */
    {SIM_LONG_RANGE_DRIFT_RHS, .dispatch = SIM_ACTIVE_CELLS, .when = has_long_range_grid},
    {.passes = density_drift_solve_passes, .when = has_long_range_grid},
    {SIM_PRESSURE_GRADIENT, .dispatch = SIM_ACTIVE_CELLS, .when = has_long_range_grid,
     .constant = SIM_DRIFT_SOLVE},
    {SIM_LONG_RANGE_MOVE_PARTICLES, .dispatch = SIM_HELD_PARTICLES, .when = has_long_range_grid,
     .constant = SIM_DRIFT_SOLVE},
    {.end = true},
};
