/* Particles in the order of their ids. The device ranks them: a bit for each id that there has
 * been, set where a particle has it, and the sums of the bits. */
#include "sim_frame.h"

#define ORDER_ROWS (3u + GRID_SCAN_ROWS)

/* Grows by half at least, so that an emitter does not make buffers anew at every reading. */
static weir_result grow(sim_world *world, gpu_buffer_def def, gpu_buffer **buffer)
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

/* `words` of a particle to take; 0: nothing is taken. */
static weir_result prepare(sim_world *world, uint32_t words)
{
    static const int kernels[] = {SIM_READ_MARK, SIM_READ_COUNT, SIM_READ_PLACE, SIM_READ_TAKE};
    sim_order *o = &world->order;
    uint32_t count = world->last.status.count, ids = id_words(world);
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
    for (size_t i = 0; i < BASE_COUNT(kernels); i++)
        WEIR_NEED(sim_kernel_need(world, kernels[i]));
    if (!o->scan) WEIR_NEED(grid_scan_create(world->device, &o->scan));
    WEIR_NEED(grow(world, bits, &o->bits));
    WEIR_NEED(grow(world, ranks, &o->ranks));
    WEIR_NEED(grow(world, sums, &o->sums));
    if (!o->order || gpu_buffer_count(o->order) < count) o->known = false;
    WEIR_NEED(grow(world, order, &o->order));
    return words ? grow(world, packed, &o->packed) : WEIR_OK;
}

static gpu_row over(const sim_world *world, int kernel, uint32_t count, uint32_t constant)
{
    gpu_row row = sim_make_row(world, kernel, (gpu_domain){.name = "ids", .count = count});
    row.constant = constant;
    return row;
}

/* Each id that was ever given still has its particle. */
static bool is_whole(const sim_world *world)
{
    return world->next_id == world->last.status.count;
}

static uint32_t ranking_rows(const sim_world *world, gpu_row *rows)
{
    uint32_t count = world->last.status.count, words = id_words(world), n = 0;
    const grid_scan_def scan = {
        .data = world->order.ranks, .sums = world->order.sums, .count = words};
    if (!is_whole(world)) rows[n++] = over(world, SIM_READ_MARK, count, 0);
    rows[n++] = over(world, SIM_READ_COUNT, words, words);
    n += grid_scan_rows(world->order.scan, &scan, rows + n);
    rows[n++] = over(world, SIM_READ_PLACE, count, 0);
    return n;
}

/* Ranks the particles, once for each state; does not wait. */
static weir_result rank(sim_world *world)
{
    gpu_row rows[ORDER_ROWS];
    uint64_t ticket;
    if (world->order.known) return WEIR_OK;
    uint32_t n = ranking_rows(world, rows);
    WEIR_NEED(gpu_table_check(world->device, rows, n));
    WEIR_NEED(gpu_record_begin(world->device));
    WEIR_NEED(gpu_record_fill(world->device, world->order.bits, is_whole(world) ? UINT32_MAX : 0));
    WEIR_NEED(gpu_record_rows(world->device, rows, n, 0, NULL));
    WEIR_NEED(gpu_record_submit(world->device, &ticket));
    world->order.known = true;
    return WEIR_OK;
}

weir_result sim_download_order(sim_world *world, uint32_t **order, uint32_t *count)
{
    weir_result result;
    *count = world->last.status.count;
    *order = base_alloc(*count, sizeof **order);
    if (!*order) return base_fail(world->log, WEIR_MEMORY, "no memory for an order");
    if (*count == 0) return WEIR_OK;
    WEIR_TRY(prepare(world, 0));
    WEIR_TRY(rank(world));
    WEIR_TRY(
        gpu_buffer_download(world->device, world->order.order, 0, *order, *count * sizeof **order));
    return WEIR_OK;
fail:
    base_free(*order);
    *order = NULL;
    return result;
}

weir_result sim_order_take(sim_world *world, weir_field field, uint32_t words, const void **taken)
{
    uint32_t count = world->last.status.count;
    *taken = NULL;
    if (count == 0) return WEIR_OK;
    WEIR_NEED(prepare(world, words));
    if (!is_whole(world)) WEIR_NEED(rank(world));
    gpu_row row =
        over(world, SIM_READ_TAKE, count, (uint32_t)field | (is_whole(world) ? SIM_READ_WHOLE : 0));
    WEIR_NEED(gpu_run_rows(world->device, &row, 1));
    *taken = gpu_buffer_map(world->order.packed);
    return WEIR_OK;
}

void sim_order_destroy(sim_world *world)
{
    sim_order *o = &world->order;
    gpu_buffer_destroy(world->device, &o->bits);
    gpu_buffer_destroy(world->device, &o->ranks);
    gpu_buffer_destroy(world->device, &o->sums);
    gpu_buffer_destroy(world->device, &o->order);
    gpu_buffer_destroy(world->device, &o->packed);
    grid_scan_destroy(world->device, &o->scan);
}
