/* Passes of a rank of several: migration, swaps and the sums of the statistics. */
#include "sim_ranks.h"
#include "sim_solvers.h"

static const gpu_dispatch_size one = {.name = "one", .count = 1};

/* Appends a pass whose shader knows the room for records in a message. */
static gpu_pass *append_halo_pass(const sim_world *world, int shader, gpu_dispatch_size size,
                                  gpu_pass *pass)
{
    *pass = sim_make_pass(world, shader, size);
    pass->constant = world->ranks->room;
    return pass + 1;
}

/* Appends a report to the host, its work, and the pass that applies what it has learned. */
static gpu_pass *append_host_work(const sim_world *world, const gpu_host_work *work,
                                  uint32_t applies, gpu_pass *pass)
{
    *pass++ = sim_make_pass(world, SIM_HALO_REPORT, one);
    *pass++ = gpu_pass_make_host(work);
    *pass = sim_make_pass(world, SIM_HALO_APPLY, one);
    pass->constant = applies;
    return pass + 1;
}

gpu_pass *sim_migration_passes(sim_world *world, gpu_pass *pass)
{
    const gpu_dispatch_size received = {.name = "received particles",
                                        .count = 2ull * world->ranks->room,
                                        .arguments = world->ranks->reply,
                                        .argument_offset = offsetof(struct rank_reply, groups_x)};
    pass = append_halo_pass(world, SIM_HALO_PACK, grid_particle_dispatch_size(world->grid), pass);
    pass = append_host_work(world, &world->ranks->migrate, RANK_APPLY_MIGRATION, pass);
    return append_halo_pass(world, SIM_HALO_INSERT, received, pass);
}

static gpu_pass *append_swap(const sim_world *world, const gpu_host_work *work, gpu_pass *pass)
{
    pass = append_halo_pass(world, SIM_HALO_SEND, grid_edge_dispatch_size(world->grid), pass);
    pass = append_host_work(world, work, RANK_APPLY_FLAGS, pass);
    return append_halo_pass(world, SIM_HALO_RECEIVE, grid_ghost_dispatch_size(world->grid), pass);
}

gpu_pass *sim_swap_passes(sim_world *world, gpu_pass *pass)
{
    return append_swap(world, &world->ranks->swap, pass);
}

gpu_pass *sim_tension_swap_passes(sim_world *world, gpu_pass *pass)
{
    return append_swap(world, &world->ranks->swap_tension, pass);
}

/* Only with ranks whose scene needs density errors in the iterations or afterwards. */
gpu_pass *sim_rank_density_error_passes(sim_world *world, gpu_pass *pass)
{
    *pass = sim_make_pass(world, SIM_RANK_DENSITY_ERRORS, one);
    pass++->constant = RANK_ERRORS_REPORT;
    *pass++ = gpu_pass_make_host(&world->ranks->sum_errors);
    *pass = sim_make_pass(world, SIM_RANK_DENSITY_ERRORS, one);
    pass->constant = RANK_ERRORS_APPLY;
    return pass + 1;
}

/* Only with ranks whose scene has gauges or sums the forces on solids. */
gpu_pass *sim_rank_reading_passes(sim_world *world, gpu_pass *pass)
{
    const scene_data *scene = world->scene;
    const uint32_t count =
        scene->gauge_count + (sim_sums_solid_forces(world) ? scene->solid_count : 0);
    const gpu_dispatch_size workgroups = {.name = "gauges and solids in workgroups",
                                          .count = (uint64_t)count * SIM_STATS_WORKGROUP};
    *pass = sim_make_pass(world, SIM_RANK_READINGS, workgroups);
    pass++->constant = scene->gauge_count;
    *pass++ = gpu_pass_make_host(&world->ranks->sum_readings);
    *pass = sim_make_pass(world, SIM_RANK_READINGS, workgroups);
    pass->constant = scene->gauge_count | RANK_READINGS_APPLY;
    return pass + 1;
}

/* Appends passes that report to the host, its work, and passes that apply what it has summed. The
 * `report` and the same pass with RANK_CELLS_APPLY enclose the others. */
static gpu_pass *append_cell_sums(const sim_world *world, gpu_pass report,
                                  const gpu_host_work *work, gpu_pass *pass)
{
    report.constant = RANK_CELLS_REPORT;
    *pass++ = report;
    *pass++ = sim_make_pass(world, SIM_RANK_CELL_REPORT, one);
    *pass++ = gpu_pass_make_host(work);
    *pass = sim_make_pass(world, SIM_HALO_APPLY, one);
    pass++->constant = RANK_APPLY_FLAGS;
    report.constant = RANK_CELLS_APPLY;
    *pass = report;
    return pass + 1;
}

gpu_pass *sim_rank_block_passes(sim_world *world, gpu_pass *pass)
{
    const gpu_dispatch_size words = {.name = "finest blocks of the box, four at a time",
                                     .count = sim_ranks_mark_words(world)};
    return append_cell_sums(world, sim_make_pass(world, SIM_RANK_BLOCK_MARKS, words),
                            &world->ranks->sum_marks, pass);
}

gpu_pass *sim_rank_cell_passes(sim_world *world, gpu_pass *pass)
{
    const gpu_dispatch_size cells = poisson_blocks_dispatch_size(world->pressure_grid);
    return append_cell_sums(world, sim_make_pass(world, SIM_RANK_CELLS, cells),
                            &world->ranks->sum_cells, pass);
}

gpu_pass *sim_rank_statistics_passes(sim_world *world, gpu_pass *pass)
{
    *pass++ = sim_make_pass(world, SIM_RANK_STATISTICS, one);
    *pass++ = gpu_pass_make_host(&world->ranks->sum_statistics);
    *pass = gpu_pass_make(world->pipelines[SIM_STATISTICS_TOTAL], one);
    gpu_pass_bind(pass, SIM_BIND_statistics_partials, world->ranks->statistics);
    sim_bind_buffers(world, pass);
    pass->constant = RANK_STATISTICS_SUMMED;
    return pass + 1;
}

weir_result sim_require_rank_pipelines(sim_world *world)
{
    static const int shaders[] = {
        SIM_HALO_PACK,           SIM_HALO_REPORT,   SIM_HALO_APPLY,       SIM_HALO_INSERT,
        SIM_HALO_SEND,           SIM_HALO_RECEIVE,  SIM_RANK_STATISTICS,  SIM_STATISTICS_TOTAL,
        SIM_RANK_DENSITY_ERRORS, SIM_RANK_READINGS, SIM_RANK_BLOCK_MARKS, SIM_RANK_CELLS,
        SIM_RANK_CELL_REPORT};
    for (size_t i = 0; i < BASE_COUNT(shaders) && world->ranks; i++)
        WEIR_RETURN_IF_ERROR(sim_require_pipeline(world, shaders[i]));
    WEIR_RETURN_IF_ERROR(sim_ranks_reserve_cells(world));
    return sim_ranks_reserve(world);
}
