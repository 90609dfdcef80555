/* The cells of a world: those of the MAC grid (flip.c), or those of the long-range correction.
 *
 * The long-range correction: once a substep, before the iterations, a pressure on cells of one
 * support moves the fluid out of crowded regions. Iterations correct errors of short wavelength at
 * once, but those of long wavelength only from neighbour to neighbour; multigrid corrects all
 * lengths alike (docs/equations.md). */
#include "sim_rows.h"

#include "shared/poisson.h"

#define FIRST_BLOCKS 64u /* of a particle's worth: see first_capacity */

static bool has_grid(const sim_world *world)
{
    return scene_has_grid(&world->scene->solver);
}

static bool sim_corrects_long_range(const sim_world *world)
{
    return world->cells != NULL;
}

/* Gauges of force and sums of forces do not know what it gives a solid. */
bool sim_measures_force(const scene_data *scene)
{
    if (scene->solver.solid_forces) return true;
    for (uint32_t i = 0; i < scene->gauge_count; i++)
        if (scene->gauges[i].kind == SCENE_GAUGE_FORCE) return true;
    return false;
}

/* SPH has no row for it. */
static bool wants_cells(const sim_world *world)
{
    const scene_data *scene = world->scene;
    scene_multigrid choice = scene->solver.multigrid;
    if (has_grid(world)) return true;
    if (scene->solver.method != SCENE_METHOD_PBF) return false;
    if (choice != SCENE_MULTIGRID_AUTO) return choice == SCENE_MULTIGRID_ON;
    bool soft = sim_is_soft(world) || sim_is_slow(world);
    return soft && !sim_measures_force(scene) && scene->body_count == 0 &&
           scene_soft_count(scene) == 0;
}

/* Cells of about a support, the MAC grid's of about their edge; on a periodic axis an even number
 * of them, so that they can be joined.
 */
static uint32_t cells_along(const sim_world *world, uint32_t axis, float extent)
{
    bool planar = world->params.planar && axis == 2;
    double ratio = (double)(extent / world->params.h);
    double wanted = has_grid(world) ? rint(ratio) : floor(ratio);
    bool periodic = world->scene->domain.sides[2 * axis] == SCENE_SIDE_PERIODIC;
    if (planar || wanted < 1.0) return 1;
    if (periodic && wanted > 1.0) wanted -= fmod(wanted, 2.0);
    return wanted < 1e9 ? (uint32_t)wanted : 1000000000u;
}

/* Blocks that a fluid in one piece fills, with those around it; of a MAC grid as many as a splash
 * of a million particles takes. More are made when needed. */
static uint32_t first_capacity(const sim_world *world)
{
    uint64_t particles = grid_get_capacity(world->grid).particles;
    uint64_t each = world->params.planar ? 144u : 1152u, around = has_grid(world) ? 1u : 9u;
    uint64_t wanted = around * particles / each + FIRST_BLOCKS;
    return wanted < 1u << 20 ? (uint32_t)wanted : 1u << 20;
}

static poisson_def describe(const sim_world *world)
{
    const scene_domain *domain = &world->scene->domain;
    vec3 size = vec3_sub(domain->max, domain->min);
    const float extents[3] = {size.x, size.y, size.z};
    poisson_def def = {.tolerance =
                           has_grid(world) ? world->scene->solver.projection_tolerance : 0.0f,
                       .rigids = has_grid(world) ? world->scene->body_count : 0};
    for (uint32_t axis = 0; axis < 3; axis++) {
        def.cells[axis] = cells_along(world, axis, extents[axis]);
        def.sizes_m[axis] = extents[axis] / (float)def.cells[axis];
        def.periodic[axis] = domain->sides[2 * axis] == SCENE_SIDE_PERIODIC;
    }
    if (world->params.planar) {
        def.sizes_m[2] = def.sizes_m[0];
        def.periodic[2] = false;
    }
    return def;
}

static void fill_sizes(sim_world *world)
{
    const scene_solver *solver = &world->scene->solver;
    poisson_def def = describe(world);
    double spacing = (double)world->scene->spacing, full = 1.0;
    for (uint32_t axis = 0; axis < solver->dimensions; axis++)
        full *= (double)def.sizes_m[axis] / spacing;
    world->params.cell_size = (vec4){def.sizes_m[0], def.sizes_m[1], def.sizes_m[2], (float)full};
    world->params.mac_cells =
        (ivec4){(int32_t)def.cells[0], (int32_t)def.cells[1], (int32_t)def.cells[2], 0};
}

void sim_cells_choose(sim_world *world)
{
    world->has_cells = wants_cells(world);
    if (!world->has_cells) return;
    if (!has_grid(world) && world->scene->solver.multigrid == SCENE_MULTIGRID_AUTO)
        base_log(world->log, WEIR_LOG_INFO,
                 "%s: the weight of %.3g m of fluid would compress it by %.3g %% at the floor, so "
                 "solver.multigrid is on",
                 world->scene->source, world->column_m, 100.0 * sim_compression_at_start(world));
    sim_params_fill(world); /* in a substep particles may move farther now */
    fill_sizes(world);
}

static weir_result create_poisson(sim_world *world)
{
    poisson_def def = describe(world);
    def.capacity = first_capacity(world);
    for (uint32_t axis = 0; axis < world->scene->solver.dimensions && has_grid(world); axis++)
        if (world->scene->domain.sides[2 * axis + 1] == SCENE_SIDE_OPEN)
            def.cells[axis]++; /* air, so that the side has faces that something flows through */
    return poisson_create(world->device, &def, &world->cells);
}

weir_result sim_cells_create(sim_world *world)
{
    if (world->has_cells) WEIR_NEED(create_poisson(world));
    return sim_buffers_create(world, SIM_WITH_CELLS);
}

uint64_t sim_cell_bytes(const sim_world *world)
{
    if (!world->cells) return 0;
    return poisson_bytes(world->cells) + sim_buffers_bytes(world, SIM_WITH_CELLS);
}

weir_result sim_cells_grow(sim_world *world, uint32_t blocks)
{
    sim_buffers_destroy(world, SIM_WITH_CELLS);
    WEIR_NEED(poisson_grow(world->device, world->cells, blocks));
    return sim_buffers_create(world, SIM_WITH_CELLS);
}

/* ---- rows ----------------------------------------------------------------------------------- */

gpu_row *sim_clear_rows(sim_world *world, gpu_row *row)
{
    return row + poisson_clear_rows(world->cells, grid_state_buffer(world->grid), row);
}

gpu_row *sim_block_rows(sim_world *world, gpu_row *row)
{
    return row + poisson_block_rows(world->cells, grid_state_buffer(world->grid), row);
}

gpu_row *sim_setup_rows(sim_world *world, gpu_row *row)
{
    return row + poisson_setup_rows(world->cells, row);
}

/* Two iterations get the gradient right to some hundredths, one to a tenth on average; what is left
 * of the drift the next substeps correct. */
static gpu_row *motion_rows(sim_world *world, gpu_row *row)
{
    return row + poisson_solve_rows(world->cells, 2, row);
}

static gpu_row *drift_rows(sim_world *world, gpu_row *row)
{
    return row + poisson_solve_rows(world->cells, 1, row);
}

const sim_row sim_long_range[] = {
    {.stage = "long-range correction"},
    {.rows = sim_clear_rows, .when = sim_corrects_long_range},
    {SIM_CELLS_MARK, .over = SIM_LIVE_PARTICLES, .when = sim_corrects_long_range},
    {.rows = sim_block_rows, .when = sim_corrects_long_range},
    {SIM_CELLS_OPEN, .over = SIM_CELLS, .when = sim_corrects_long_range},
    {SIM_CELLS_SUM, .over = SIM_LIVE_PARTICLES, .when = sim_corrects_long_range},
    {SIM_CELLS_FILL, .over = SIM_CELLS, .when = sim_corrects_long_range},
    {.rows = sim_setup_rows, .when = sim_corrects_long_range},
    /* what the substep's motion adds to the density: changes velocities */
    {.rows = motion_rows, .when = sim_corrects_long_range},
    {SIM_CELLS_SLOPE, .over = SIM_CELLS, .when = sim_corrects_long_range},
    {SIM_CELLS_MOVE, .over = SIM_LIVE_PARTICLES, .when = sim_corrects_long_range},
    /* what earlier substeps have left: changes positions alone */
    {SIM_CELLS_DRIFT, .over = SIM_CELLS, .when = sim_corrects_long_range},
    {.rows = drift_rows, .when = sim_corrects_long_range},
    {SIM_CELLS_SLOPE, .over = SIM_CELLS, .when = sim_corrects_long_range,
     .constant = SIM_CELLS_DRIFTING},
    {SIM_CELLS_MOVE, .over = SIM_LIVE_PARTICLES, .when = sim_corrects_long_range,
     .constant = SIM_CELLS_DRIFTING},
    {.end = true},
};
