/* The step tables of Position Based Fluids (Macklin and Mueller 2013, algorithm 1) and of PCISPH
 * (Solenthaler and Pajarola 2009), which differ in the iterations alone. */
#include "sim_internal.h"

static const char iterations[] = "iterations";

static gpu_domain one(void)
{
    return (gpu_domain){.name = "one", .count = 1};
}

static gpu_row *begin(sim_world *world, gpu_row *row, enum sim_kernel kernel, gpu_domain domain)
{
    *row = (gpu_row){.kernel = world->kernels[kernel], .domain = domain};
    return row;
}

/* What a row over particles binds besides its own arrays. */
static void use_params(sim_world *world, gpu_row *row)
{
    gpu_row_use(row, SIM_BIND_PARAMS, world->buffers.params, GPU_BLOCK);
    gpu_row_use(row, SIM_BIND_STATE, grid_state_buffer(world->grid), GPU_BLOCK);
}

static void use_lists(sim_world *world, gpu_row *row, gpu_access headers)
{
    gpu_row_use(row, SIM_BIND_LISTS, grid_lists(world->grid), GPU_OWN_READ);
    gpu_row_use(row, SIM_BIND_HEADERS, grid_headers(world->grid), headers);
    gpu_row_use(row, SIM_BIND_CAPACITY, grid_params_buffer(world->grid), GPU_BLOCK);
}

static void use_walls(sim_world *world, gpu_row *row)
{
    gpu_row_use(row, SIM_BIND_ITEMS, solid_items(world->solids), GPU_GATHER);
    gpu_row_use(row, SIM_BIND_NODES, solid_nodes(world->solids), GPU_GATHER);
    gpu_row_use(row, SIM_BIND_VOLUMES, solid_volumes(world->solids), GPU_GATHER);
    gpu_row_use(row, SIM_BIND_POSES, world->buffers.poses, GPU_GATHER);
}

static gpu_row *begin_rows(sim_world *world, gpu_row *row)
{
    sim_buffers *b = &world->buffers;
    gpu_buffer *state = grid_state_buffer(world->grid);
    begin(world, row, SIM_SUBSTEP_BEGIN, one())->constant = grid_segment_count(world->grid);
    gpu_row_use(row, SIM_BIND_PARAMS, b->params, GPU_BLOCK);
    gpu_row_use(row, SIM_BIND_STATE, state, GPU_REDUCE);
    gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_REDUCE);
    gpu_row_use(row, SIM_BIND_EMISSIONS, b->emissions, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_ERRORS, b->errors, GPU_REDUCE);
    world->emit_row = UINT32_MAX;
    if (world->scene->emitter_count || world->jet.used) {
        begin(world, ++row, SIM_EMIT, (gpu_domain){.name = "emitted", .count = 1});
        gpu_row_use(row, SIM_BIND_PARAMS, b->params, GPU_BLOCK);
        gpu_row_use(row, SIM_BIND_STATE, state, GPU_BLOCK);
        gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_BLOCK);
        gpu_row_use(row, SIM_BIND_EMISSIONS, b->emissions, GPU_GATHER);
        gpu_row_use(row, SIM_BIND_EMITTERS, b->emitters, GPU_GATHER);
        gpu_row_use(row, SIM_BIND_SITES, b->sites, GPU_GATHER);
        gpu_row_use(row, SIM_BIND_X, b->x, GPU_SCATTER);
        gpu_row_use(row, SIM_BIND_V, b->v, GPU_SCATTER);
        gpu_row_use(row, SIM_BIND_IDS, b->ids, GPU_SCATTER);
        gpu_row_use(row, SIM_BIND_AWAY, b->away, GPU_SCATTER);
        world->emit_row = (uint32_t)(row - world->rows);
    }
    begin(world, ++row, SIM_PREDICT, grid_particles(world->grid));
    use_params(world, row);
    gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_ATOMIC);
    gpu_row_use(row, SIM_BIND_X, b->x, GPU_OWN_READ);
    gpu_row_use(row, SIM_BIND_V, b->v, GPU_OWN_READ);
    gpu_row_use(row, SIM_BIND_B, b->b, GPU_OWN_WRITE);
    gpu_row_use(row, SIM_BIND_MEASURED, b->measured, GPU_OWN_UPDATE);
    gpu_row_use(row, SIM_BIND_AWAY, b->away, GPU_OWN_UPDATE);
    use_walls(world, row);
    return row + 1;
}

static gpu_row *search_rows(sim_world *world, gpu_row *row)
{
    sim_buffers *b = &world->buffers;
    row += grid_sort_rows(world->grid, b->b, b->ids, row);
    begin(world, row, SIM_REORDER, grid_live(world->grid));
    gpu_row_use(row, SIM_BIND_STATE, grid_state_buffer(world->grid), GPU_BLOCK);
    gpu_row_use(row, SIM_BIND_SOURCES, grid_sources(world->grid), GPU_OWN_READ);
    gpu_row_use(row, SIM_BIND_B, b->b, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_X, b->x, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_IDS, b->ids, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_A, b->a, GPU_OWN_WRITE);
    gpu_row_use(row, SIM_BIND_START, b->start, GPU_OWN_WRITE);
    gpu_row_use(row, SIM_BIND_SORTED_IDS, b->sorted_ids, GPU_OWN_WRITE);
    gpu_row_use(row, SIM_BIND_AWAY, b->away, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_SORTED_AWAY, b->sorted_away, GPU_OWN_WRITE);
    row++;
    return row + grid_list_rows(world->grid, b->a, row);
}

static gpu_row *begin_iterated(sim_world *world, gpu_row *row, enum sim_kernel kernel)
{
    begin(world, row, kernel, grid_live(world->grid));
    row->group = iterations;
    row->repeat = world->scene->solver.iterations;
    use_params(world, row);
    return row;
}

static gpu_row *pbf_rows(sim_world *world, gpu_row *row)
{
    sim_buffers *b = &world->buffers;
    begin_iterated(world, row, SIM_LAMBDA);
    gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_BLOCK);
    gpu_row_use(row, SIM_BIND_A, b->a, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_B, b->b, GPU_OWN_WRITE);
    gpu_row_use(row, SIM_BIND_ERRORS, b->errors, GPU_ATOMIC);
    gpu_row_use(row, SIM_BIND_SORTED_AWAY, b->sorted_away, GPU_OWN_READ);
    use_lists(world, row, GPU_OWN_UPDATE);
    use_walls(world, row);
    begin_iterated(world, ++row, SIM_CORRECT);
    gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_ATOMIC);
    gpu_row_use(row, SIM_BIND_A, b->a, GPU_OWN_UPDATE);
    gpu_row_use(row, SIM_BIND_B, b->b, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_START, b->start, GPU_OWN_READ);
    gpu_row_use(row, SIM_BIND_LAST, b->last, GPU_OWN_UPDATE);
    gpu_row_use(row, SIM_BIND_ERRORS, b->errors, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_MEASURED, b->measured, GPU_OWN_UPDATE);
    use_lists(world, row, GPU_OWN_READ);
    use_walls(world, row);
    return row + 1;
}

static gpu_row *pcisph_rows(sim_world *world, gpu_row *row)
{
    sim_buffers *b = &world->buffers;
    begin_iterated(world, row, SIM_PRESSURE);
    gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_BLOCK);
    gpu_row_use(row, SIM_BIND_A, b->a, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_B, b->b, GPU_OWN_UPDATE);
    gpu_row_use(row, SIM_BIND_START, b->start, GPU_OWN_READ);
    gpu_row_use(row, SIM_BIND_LAST, b->last, GPU_OWN_WRITE);
    gpu_row_use(row, SIM_BIND_ERRORS, b->errors, GPU_ATOMIC);
    use_lists(world, row, GPU_OWN_UPDATE);
    use_walls(world, row);
    begin_iterated(world, ++row, SIM_PUSH);
    gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_ATOMIC);
    gpu_row_use(row, SIM_BIND_A, b->a, GPU_OWN_UPDATE);
    gpu_row_use(row, SIM_BIND_B, b->b, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_LAST, b->last, GPU_OWN_READ);
    use_lists(world, row, GPU_OWN_READ);
    use_walls(world, row);
    return row + 1;
}

static bool velocity_is_gathered(const sim_world *world)
{
    bool wanted = world->scene->solver.vorticity > 0.0f;
    for (uint32_t i = 0; i < world->scene->fluid_count; i++)
        wanted |= world->scene->fluids[i].viscosity > 0.0f;
    return wanted;
}

static gpu_row *gauge_rows(sim_world *world, gpu_row *row)
{
    sim_buffers *b = &world->buffers;
    uint32_t count = world->scene->gauge_count;
    if (count == 0) return row;
    begin(world, row, SIM_GAUGE_COUNT, grid_live(world->grid))->constant = count;
    use_params(world, row);
    gpu_row_use(row, SIM_BIND_X, b->x, GPU_OWN_READ);
    gpu_row_use(row, SIM_BIND_A, b->a, GPU_OWN_READ);
    gpu_row_use(row, SIM_BIND_START, b->start, GPU_OWN_READ);
    gpu_row_use(row, SIM_BIND_GAUGES, b->gauges, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_BINS, b->bins, GPU_ATOMIC);
    if (sim_measured_slots(world->scene)) {
        gpu_domain shares = {.name = "particles in shares",
                             .count = grid_live(world->grid).count,
                             .per_invocation = SIM_STATS_EACH};
        begin(world, ++row, SIM_GAUGE_SUM, shares)->constant = count;
        use_params(world, row);
        gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_BLOCK);
        gpu_row_use(row, SIM_BIND_X, b->x, GPU_GATHER);
        gpu_row_use(row, SIM_BIND_GAUGES, b->gauges, GPU_GATHER);
        gpu_row_use(row, SIM_BIND_MEASURED, b->measured, GPU_GATHER);
        gpu_row_use(row, SIM_BIND_GAUGE_PARTIALS, b->gauge_partials, GPU_SCATTER);
    }
    uint32_t lanes = gpu_kernel_workgroup(world->kernels[SIM_GAUGE_READ]);
    gpu_domain groups = {.name = "gauges in workgroups", .count = (uint64_t)count * lanes};
    begin(world, ++row, SIM_GAUGE_READ, groups)->constant = count;
    use_params(world, row);
    gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_BLOCK);
    gpu_row_use(row, SIM_BIND_GAUGES, b->gauges, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_BINS, b->bins, GPU_REDUCE);
    gpu_row_use(row, SIM_BIND_GAUGE_PARTIALS, b->gauge_partials, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_READINGS, b->readings, GPU_SCATTER);
    return row + 1;
}

/* Surface tension of the positions that the substep ends with: what pushes in the next one. Takes
 * and returns the last row. */
static gpu_row *tension_rows(sim_world *world, gpu_row *row)
{
    sim_buffers *b = &world->buffers;
    if (!sim_is_tense(world->scene)) return row;
    begin(world, ++row, SIM_NORMAL, grid_live(world->grid));
    use_params(world, row);
    gpu_row_use(row, SIM_BIND_A, b->a, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_NORMALS, b->normals, GPU_OWN_WRITE);
    use_lists(world, row, GPU_OWN_READ);
    begin(world, ++row, SIM_TENSION, grid_live(world->grid));
    use_params(world, row);
    gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_BLOCK);
    gpu_row_use(row, SIM_BIND_A, b->a, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_NORMALS, b->normals, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_START, b->start, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_V, b->v, GPU_OWN_UPDATE);
    use_lists(world, row, GPU_OWN_READ);
    return row;
}

static gpu_row *velocity_rows(sim_world *world, gpu_row *row)
{
    sim_buffers *b = &world->buffers;
    begin(world, row, SIM_JUDGE, one());
    gpu_row_use(row, SIM_BIND_STATE, grid_state_buffer(world->grid), GPU_REDUCE);
    gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_BLOCK);
    begin(world, ++row, SIM_VELOCITY, grid_live(world->grid));
    use_params(world, row);
    gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_BLOCK);
    gpu_row_use(row, SIM_BIND_SOURCES, grid_sources(world->grid), GPU_OWN_READ);
    gpu_row_use(row, SIM_BIND_V, b->v, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_A, b->a, GPU_OWN_READ);
    gpu_row_use(row, SIM_BIND_START, b->start, GPU_OWN_READ);
    gpu_row_use(row, SIM_BIND_X, b->x, GPU_OWN_WRITE);
    gpu_row_use(row, SIM_BIND_SORTED_AWAY, b->sorted_away, GPU_OWN_READ);
    gpu_row_use(row, SIM_BIND_AWAY, b->away, GPU_OWN_WRITE);
    if (velocity_is_gathered(world)) {
        begin(world, ++row, SIM_VORTICITY, grid_live(world->grid));
        use_params(world, row);
        gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_BLOCK);
        gpu_row_use(row, SIM_BIND_A, b->a, GPU_GATHER);
        gpu_row_use(row, SIM_BIND_X, b->x, GPU_GATHER);
        gpu_row_use(row, SIM_BIND_B, b->b, GPU_OWN_WRITE);
        gpu_row_use(row, SIM_BIND_V, b->v, GPU_OWN_WRITE);
        use_lists(world, row, GPU_OWN_READ);
    }
    row = tension_rows(world, row);
    begin(world, ++row, SIM_COMMIT, grid_live(world->grid));
    use_params(world, row);
    gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_BLOCK);
    gpu_row_use(row, SIM_BIND_A, b->a, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_B, b->b, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_START, b->start, GPU_OWN_READ);
    gpu_row_use(row, SIM_BIND_X, b->x, GPU_OWN_UPDATE);
    gpu_row_use(row, SIM_BIND_V, b->v, GPU_OWN_UPDATE);
    gpu_row_use(row, SIM_BIND_SORTED_IDS, b->sorted_ids, GPU_OWN_READ);
    gpu_row_use(row, SIM_BIND_IDS, b->ids, GPU_OWN_WRITE);
    use_lists(world, row, GPU_OWN_READ);
    row = gauge_rows(world, row + 1);
    begin(world, row, SIM_SUBSTEP_END, one());
    gpu_row_use(row, SIM_BIND_STATE, grid_state_buffer(world->grid), GPU_BLOCK);
    gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_REDUCE);
    return row + 1;
}

static gpu_row *end_rows(sim_world *world, gpu_row *row)
{
    sim_buffers *b = &world->buffers;
    gpu_buffer *state = grid_state_buffer(world->grid);
    gpu_domain sums = grid_live(world->grid);
    begin(world, row, SIM_FRAME_END, one());
    gpu_row_use(row, SIM_BIND_STATE, state, GPU_REDUCE);
    gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_BLOCK);
    begin(world, ++row, SIM_DENSITY, grid_live(world->grid));
    use_params(world, row);
    gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_BLOCK);
    gpu_row_use(row, SIM_BIND_A, b->a, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_X, b->x, GPU_OWN_READ);
    gpu_row_use(row, SIM_BIND_DENSITY, b->density, GPU_OWN_WRITE);
    use_lists(world, row, GPU_OWN_READ);
    use_walls(world, row);
    sums = (gpu_domain){
        .name = "particles in shares", .count = sums.count, .per_invocation = SIM_STATS_EACH};
    begin(world, ++row, SIM_SUM_PARTICLES, sums);
    use_params(world, row);
    gpu_row_use(row, SIM_BIND_X, b->x, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_V, b->v, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_DENSITY, b->density, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_HEADERS, grid_headers(world->grid), GPU_GATHER);
    gpu_row_use(row, SIM_BIND_PARTIALS, b->partials, GPU_SCATTER);
    begin(world, ++row, SIM_SUM_PARTIALS, one());
    gpu_row_use(row, SIM_BIND_STATE, state, GPU_BLOCK);
    gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_REDUCE);
    gpu_row_use(row, SIM_BIND_PARTIALS, b->partials, GPU_GATHER);
    gpu_row_use(row, SIM_BIND_SUMS, b->sums, GPU_REDUCE);
    return row + 1;
}

weir_result sim_rows_build(sim_world *world)
{
    weir_result result;
    sim_buffers *b = &world->buffers;
    gpu_row *end = begin_rows(world, world->rows);
    end = search_rows(world, end);
    bool pcisph = world->scene->solver.method == SCENE_METHOD_PCISPH;
    end = pcisph ? pcisph_rows(world, end) : pbf_rows(world, sim_coarse_rows(world, end));
    end = velocity_rows(world, end);
    world->row_count = (uint32_t)(end - world->rows);
    WEIR_ASSERT(world->row_count <= SIM_ROWS);
    world->end_row_count = (uint32_t)(end_rows(world, world->end_rows) - world->end_rows);
    gpu_row *row = begin(world, &world->begin_row, SIM_FRAME_BEGIN, one());
    gpu_row_use(row, SIM_BIND_PARAMS, b->params, GPU_BLOCK);
    gpu_row_use(row, SIM_BIND_STATE, grid_state_buffer(world->grid), GPU_BLOCK);
    gpu_row_use(row, SIM_BIND_STATUS, b->status, GPU_REDUCE);
    sim_works_fill(world);
    WEIR_TRY(gpu_table_check(world->device, row, 1));
    WEIR_TRY(gpu_table_check(world->device, world->rows, world->row_count));
    WEIR_TRY(gpu_table_check(world->device, world->end_rows, world->end_row_count));
fail:
    return result;
}
