/* Order of the particles by id, computed on the device: one bit for each id ever used, set if a
 * particle has it. The prefix sums of the bits are the particles' ranks. */
#include "sim_frame.h"
#include "sim_solvers.h"

#define RANK_PASSES (3u + GRID_SCAN_PASSES)

/* Enlarges a buffer by at least half, so that an emitter does not force new buffers at every
 * read. */
static weir_result grow_buffer(sim_world *world, gpu_buffer_def def, gpu_buffer **buffer)
{
    uint64_t has = *buffer ? gpu_buffer_count(*buffer) : 0;
    if (has >= def.count && has > 0) return WEIR_OK;
    gpu_buffer_destroy(world->device, buffer);
    if (def.count < has + has / 2) def.count = has + has / 2;
    return gpu_buffer_create(world->device, &def, buffer);
}

static uint32_t id_words(const sim_world *world)
{
    return world->next_id / 32u + 1u;
}

/* Creates the pipelines and buffers for ranking, and for gathering `words` 32-bit words per
 * particle; 0: nothing is gathered. */
static weir_result prepare_id_order(sim_world *world, uint32_t words)
{
    static const int shaders[] = {SIM_READBACK_MARK_IDS, SIM_READBACK_POPCOUNT,
                                  SIM_READBACK_ID_RANKS, SIM_READBACK_GATHER};
    sim_id_order *o = &world->id_order;
    uint32_t count = world->last_result.status.count, ids = id_words(world);
    const gpu_buffer_def bits = {.name = "id_bits", .stride = 4, .count = ids},
                         ranks = {.name = "id_ranks", .stride = 4, .count = ids},
                         sums = {.name = "id_sums",
                                 .stride = 4,
                                 .count = ids / GRID_SCAN_TILE + 1u},
                         order = {.name = "id_order", .stride = 4, .count = count},
                         packed = {.name = "read_fields",
                                   .stride = 4,
                                   .count = (uint64_t)count * words,
                                   .memory = GPU_MEMORY_HOST};
    for (size_t i = 0; i < BASE_COUNT(shaders); i++)
        WEIR_RETURN_IF_ERROR(sim_require_pipeline(world, shaders[i]));
    if (!o->scan) WEIR_RETURN_IF_ERROR(grid_scan_create(world->device, &o->scan));
    WEIR_RETURN_IF_ERROR(grow_buffer(world, bits, &o->bits));
    WEIR_RETURN_IF_ERROR(grow_buffer(world, ranks, &o->ranks));
    WEIR_RETURN_IF_ERROR(grow_buffer(world, sums, &o->sums));
    if (!o->order || gpu_buffer_count(o->order) < count) o->valid = false;
    WEIR_RETURN_IF_ERROR(grow_buffer(world, order, &o->order));
    return words ? grow_buffer(world, packed, &o->packed) : WEIR_OK;
}

static gpu_pass make_id_pass(const sim_world *world, int shader, uint32_t count, uint32_t constant)
{
    gpu_pass pass =
        sim_make_pass(world, shader, (gpu_dispatch_size){.name = "ids", .count = count});
    pass.constant = constant;
    return pass;
}

/* Returns whether every id that was ever used still has its particle. */
static bool all_ids_alive(const sim_world *world)
{
    return world->next_id == world->last_result.status.count;
}

static uint32_t append_id_rank_passes(const sim_world *world, gpu_pass *passes)
{
    uint32_t count = world->last_result.status.count, words = id_words(world), n = 0;
    const grid_scan_def scan = {
        .data = world->id_order.ranks, .sums = world->id_order.sums, .count = words};
    if (!all_ids_alive(world)) passes[n++] = make_id_pass(world, SIM_READBACK_MARK_IDS, count, 0);
    passes[n++] = make_id_pass(world, SIM_READBACK_POPCOUNT, words, words);
    n += grid_scan_passes(world->id_order.scan, &scan, passes + n);
    passes[n++] = make_id_pass(world, SIM_READBACK_ID_RANKS, count, 0);
    return n;
}

/* Ranks the particles unless their order is known. Does not wait. */
static weir_result rank_ids(sim_world *world)
{
    gpu_pass passes[RANK_PASSES];
    uint64_t ticket;
    if (world->id_order.valid) return WEIR_OK;
    uint32_t n = append_id_rank_passes(world, passes);
    WEIR_RETURN_IF_ERROR(gpu_passes_check(world->device, passes, n));
    WEIR_RETURN_IF_ERROR(gpu_record_begin(world->device));
    WEIR_RETURN_IF_ERROR(gpu_record_fill(world->device, world->id_order.bits,
                                         all_ids_alive(world) ? UINT32_MAX : 0));
    WEIR_RETURN_IF_ERROR(gpu_record_passes(world->device, passes, n, 0, NULL));
    WEIR_RETURN_IF_ERROR(gpu_record_submit(world->device, &ticket));
    world->id_order.valid = true;
    return WEIR_OK;
}

weir_result sim_download_id_order(sim_world *world, uint32_t **order, uint32_t *count)
{
    weir_result result;
    *count = world->last_result.status.count;
    *order = base_alloc(*count, sizeof **order);
    if (!*order) return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for an order");
    if (*count == 0) return WEIR_OK;
    WEIR_GOTO_IF_ERROR(prepare_id_order(world, 0));
    WEIR_GOTO_IF_ERROR(rank_ids(world));
    WEIR_GOTO_IF_ERROR(gpu_buffer_download(world->device, world->id_order.order, 0, *order,
                                           *count * sizeof **order));
    return WEIR_OK;
fail:
    base_free(*order);
    *order = NULL;
    return result;
}

weir_result sim_download_by_id(sim_world *world, sim_host_state *state, uint32_t *count)
{
    uint32_t *order = NULL;
    WEIR_RETURN_IF_ERROR(sim_download_id_order(world, &order, count));
    weir_result result = sim_host_state_download(world, *count, state);
    if (result == WEIR_OK) result = sim_host_state_reorder(world, order, *count, state);
    base_free(order);
    return result;
}

weir_result sim_gather_by_id(sim_world *world, uint32_t what, uint32_t words, const void **gathered)
{
    uint32_t count = world->last_result.status.count;
    *gathered = NULL;
    if (count == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(prepare_id_order(world, words));
    if (!all_ids_alive(world)) WEIR_RETURN_IF_ERROR(rank_ids(world));
    gpu_pass pass = make_id_pass(world, SIM_READBACK_GATHER, count,
                                 what | (all_ids_alive(world) ? SIM_READ_COMPLETE : 0));
    WEIR_RETURN_IF_ERROR(gpu_run_passes(world->device, &pass, 1));
    *gathered = gpu_buffer_map(world->id_order.packed);
    return WEIR_OK;
}

void sim_id_order_destroy(sim_world *world)
{
    sim_id_order *o = &world->id_order;
    gpu_buffer_destroy(world->device, &o->bits);
    gpu_buffer_destroy(world->device, &o->ranks);
    gpu_buffer_destroy(world->device, &o->sums);
    gpu_buffer_destroy(world->device, &o->order);
    gpu_buffer_destroy(world->device, &o->packed);
    grid_scan_destroy(world->device, &o->scan);
}
