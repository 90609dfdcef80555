/* Sums of all ranks for the long-range correction, whose pressure every rank computes for the whole
 * domain: the blocks of cells with fluid, and what its particles have added to the cells. */
#include "sim_ranks.h"

/* Sums the first words of a mapped buffer over all ranks, unless one of them cannot complete the
 * substep. */
static weir_result sum_words(sim_world *world, gpu_buffer *buffer, uint64_t words)
{
    sim_ranks *r = world->ranks;
    const struct rank_report *report = gpu_buffer_map(r->report);
    struct rank_reply *reply = gpu_buffer_map(r->reply);
    reply->flags = 0;
    if (!report->running || r->cancelled) return WEIR_OK;
    comm_numbers all = {.any = {report->flags}};
    WEIR_RETURN_IF_ERROR(comm_combine(r->comm, &all));
    r->cancelled = all.any[0] != 0;
    reply->flags = sim_ranks_flags_from_others((uint32_t)all.any[0], report->flags);
    if (r->cancelled) return WEIR_OK;
    WEIR_ASSERT(words * sizeof(uint32_t) <= gpu_buffer_size(buffer));
    return comm_sum(r->comm, gpu_buffer_map(buffer), words);
}

/* Four marks share a word, and each is 0 or 1, so that their sums stay apart. */
static weir_result sum_marks(void *user, uint32_t outer, uint32_t inner, bool *ends)
{
    sim_world *world = user;
    (void)outer, (void)inner, (void)ends;
    return sum_words(world, world->ranks->marks, sim_ranks_mark_words(world));
}

/* All ranks have the same blocks, in the same order. */
static weir_result sum_cells(void *user, uint32_t outer, uint32_t inner, bool *ends)
{
    sim_world *world = user;
    const struct rank_report *report = gpu_buffer_map(world->ranks->report);
    (void)outer, (void)inner, (void)ends;
    return sum_words(world, world->ranks->cells, 4ull * report->blocks * POISSON_BLOCK_CELLS);
}

uint64_t sim_ranks_mark_words(const sim_world *world)
{
    return (poisson_table_entries(world->pressure_grid) + 3u) / 4u;
}

static weir_result create_buffer(sim_world *world, const gpu_buffer_def *def, gpu_buffer **buffer)
{
    gpu_buffer_destroy(world->device, buffer);
    return gpu_buffer_create(world->device, def, buffer);
}

weir_result sim_ranks_reserve_cells(sim_world *world)
{
    sim_ranks *r = world->ranks;
    const poisson *p = world->pressure_grid;
    if (!r || !p) return WEIR_OK;
    const uint64_t cells = (uint64_t)poisson_capacity(p) * POISSON_BLOCK_CELLS;
    if (r->cells && gpu_buffer_size(r->cells) >= cells * sizeof(uvec4)) return WEIR_OK;
    const gpu_buffer_def marks = {"rank_marks", sizeof(uint32_t), sim_ranks_mark_words(world),
                                  GPU_MEMORY_HOST, GPU_TEXELS_NONE},
                         sums = {"rank_cells", sizeof(uvec4), cells, GPU_MEMORY_HOST,
                                 GPU_TEXELS_NONE};
    r->sum_marks = (gpu_host_work){"sum block marks", sum_marks, world};
    r->sum_cells = (gpu_host_work){"sum cells", sum_cells, world};
    WEIR_RETURN_IF_ERROR(create_buffer(world, &marks, &r->marks));
    return create_buffer(world, &sums, &r->cells);
}
