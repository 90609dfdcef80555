/* Slabs: where the domain is cut, and what a rank owns. Results do not depend on the cuts. */
#include "sim_ranks.h"

/* Slabs are cut again when the largest holds this many times the mean. */
#define UNEVEN 1.05

static void keep_error(void *user, weir_log_level level, const char *text)
{
    sim_ranks *r = user;
    if (level == WEIR_LOG_ERROR) snprintf(r->error, SIM_RANKS_ERROR_TEXT, "%s", text);
}

weir_result sim_ranks_create(sim_world *world, const sim_ranks_def *def)
{
    sim_ranks *r = world->ranks = base_alloc(1, sizeof *r);
    if (!r) return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for a rank");
    r->comm = def->comm;
    r->rank = comm_rank(def->comm);
    r->size = comm_size(def->comm);
    r->balance_interval =
        def->balance_interval ? def->balance_interval : SIM_RANKS_BALANCE_INTERVAL;
    r->keeps_cuts = def->cuts != NULL;
    if (def->cuts) memcpy(r->cuts, def->cuts, (r->size + 1) * sizeof *r->cuts);
    r->error = def->error;
    r->log = (weir_log){keep_error, r, WEIR_LOG_ERROR};
    if (r->rank > 0) world->log = &r->log;
    sim_ranks_set_halo_work(world);
    sim_ranks_set_totals_work(world);
    return sim_ranks_create_readings(world);
}

void sim_ranks_destroy(sim_world *world)
{
    sim_ranks *r = world->ranks;
    if (!r) return;
    gpu_buffer **const all[] = {&r->counters, &r->report, &r->reply, &r->statistics, &r->readings,
                                &r->marks,    &r->cells,  &r->sent,  &r->received};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        gpu_buffer_destroy(world->device, all[i]);
    base_free(r->density_ids);
    base_free(r->densities);
    base_free(r->packed_readings);
    base_free(r);
    world->ranks = NULL;
}

/* Returns the planes of ghosts on each side: two support radii. */
static uint32_t ghost_depth(const sim_world *world)
{
    uint32_t bins[3];
    return 2 * grid_count_bins(world->grid, bins);
}

/* Returns the planes that a slab must have, so that particles only ever move to direct neighbours.
 */
static uint32_t least_planes(const sim_world *world)
{
    uint32_t bins[3];
    const uint32_t support = grid_count_bins(world->grid, bins), depth = 2 * support;
    const double bins_per_spacing =
        (double)support * (double)world->scene->spacing / (double)world->params.h;
    const uint32_t moved =
        (uint32_t)ceil((double)world->scene->solver.max_speed * bins_per_spacing) + 1u;
    return moved > depth ? depth + moved : 2 * depth;
}

/* Chooses the axis with the most bins; periodic ones cannot be cut. */
static weir_result choose_axis(sim_world *world, uint32_t *planes)
{
    sim_ranks *r = world->ranks;
    const float periods[3] = {world->params.period.x, world->params.period.y,
                              world->params.period.z};
    uint32_t bins[3];
    *planes = 0;
    grid_count_bins(world->grid, bins);
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (periods[axis] > 0.0f || bins[axis] <= *planes) continue;
        r->axis = axis;
        *planes = bins[axis];
    }
    const uint32_t most = *planes / least_planes(world);
    if (r->size <= most) return WEIR_OK;
    return base_fail(
        world->log, WEIR_ERROR_ARGUMENT,
        "%s: %u ranks do not fit: the domain has %u planes of bins along its longest "
        "axis that is not periodic, and each rank needs %u: use at most %u rank%s, or a "
        "smaller spacing",
        world->scene->source, r->size, *planes, least_planes(world), most ? most : 1,
        base_plural(most ? most : 1));
}

/* Moves cuts apart until every slab has its least number of planes. */
static void widen_slabs(sim_ranks *r, uint32_t planes, uint32_t least)
{
    for (uint32_t k = 1; k < r->size; k++)
        if (r->cuts[k] < r->cuts[k - 1] + least) r->cuts[k] = r->cuts[k - 1] + least;
    r->cuts[r->size] = planes;
    for (uint32_t k = r->size - 1; k > 0; k--)
        if (r->cuts[k] + least > r->cuts[k + 1]) r->cuts[k] = r->cuts[k + 1] - least;
}

/* Sets the cuts so that slabs hold equal numbers of particles. */
static void choose_cuts(sim_ranks *r, const uint32_t *histogram, uint32_t planes)
{
    uint64_t total = 0, before = 0;
    for (uint32_t p = 0; p < planes; p++)
        total += histogram[p];
    r->cuts[0] = 0;
    for (uint32_t p = 0, k = 1; k < r->size; p++) {
        for (; k < r->size && (p == planes || before * r->size >= k * total); k++)
            r->cuts[k] = p;
        if (p < planes) before += histogram[p];
    }
}

static uint32_t find_plane(const sim_world *world, const ivec4 *x)
{
    return grid_find_plane(world->grid, world->ranks->axis, (const int32_t[3]){x->x, x->y, x->z});
}

bool sim_ranks_own(const sim_world *world, const ivec4 *x)
{
    const sim_ranks *r = world->ranks;
    const uint32_t plane = find_plane(world, x);
    return plane >= r->cuts[r->rank] && plane < r->cuts[r->rank + 1];
}

/* Makes the grid that of the rank's slab. */
static void set_parts(sim_world *world)
{
    sim_ranks *r = world->ranks;
    const uint32_t k = r->rank, depth = ghost_depth(world);
    grid_parts_def def = {.axis = r->axis,
                          .first = r->cuts[k],
                          .end = r->cuts[k + 1],
                          .support = depth / 2,
                          .has_left = k > 0,
                          .has_right = k + 1 < r->size};
    grid_count_bins(world->grid, def.bins);
    const bool made = grid_parts_make(&def, &r->parts);
    WEIR_ASSERT(made);
    if (k > 1) r->parts.low_limit = r->cuts[k - 1] + depth;
    if (k + 2 < r->size) r->parts.high_limit = r->cuts[k + 2] - depth;
    grid_set_parts(world->grid, &r->parts);
}

static void add_to_histogram(const sim_world *world, const ivec4 *x, uint32_t count,
                             uint32_t *histogram)
{
    for (uint32_t i = 0; i < count; i++)
        histogram[find_plane(world, &x[i])]++;
}

weir_result sim_ranks_divide(sim_world *world, const ivec4 *x, uint32_t count)
{
    sim_ranks *r = world->ranks;
    uint32_t planes;
    WEIR_RETURN_IF_ERROR(choose_axis(world, &planes));
    uint32_t *histogram = base_alloc(planes, sizeof *histogram);
    if (!histogram) return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for ranks");
    add_to_histogram(world, x, count, histogram);
    if (!r->keeps_cuts) choose_cuts(r, histogram, planes);
    r->keeps_cuts = false;
    r->frames_since_balance = 0;
    r->particle_hash = base_hash64(x, count * sizeof *x, count);
    widen_slabs(r, planes, least_planes(world));
    set_parts(world);
    const uint32_t depth = r->parts.depth;
    r->held_count = 0;
    for (uint32_t p = 0; p < planes; p++)
        if (p + depth >= r->parts.first && p < r->parts.end + depth) r->held_count += histogram[p];
    base_free(histogram);
    return WEIR_OK;
}

/* ---- balance -------------------------------------------------------------------------------- */

/* Keeps every cut where particles still move to direct neighbours only. */
static void limit_moves(sim_ranks *r, const uint32_t *before, uint32_t least)
{
    for (uint32_t k = 1; k < r->size; k++) {
        const uint32_t low = before[k - 1] + least, high = before[k + 1] - least;
        if (r->cuts[k] < low) r->cuts[k] = low;
        if (r->cuts[k] > high) r->cuts[k] = high;
    }
}

static bool are_uneven(const sim_ranks *r, const uint32_t *histogram)
{
    uint64_t most = 0, total = 0;
    for (uint32_t k = 0; k < r->size; k++) {
        uint64_t own = 0;
        for (uint32_t p = r->cuts[k]; p < r->cuts[k + 1]; p++)
            own += histogram[p];
        if (own > most) most = own;
        total += own;
    }
    return (double)most * r->size > UNEVEN * (double)total;
}

static weir_result count_planes(sim_world *world, uint32_t *histogram, uint32_t planes)
{
    const uint32_t count = world->last_result.status.count;
    ivec4 *x = base_alloc(count, sizeof *x);
    if (!x) return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for ranks");
    weir_result result =
        gpu_buffer_download(world->device, world->buffers.positions, 0, x, count * sizeof *x);
    if (result == WEIR_OK) add_to_histogram(world, x, count, histogram);
    base_free(x);
    return result == WEIR_OK ? comm_sum(world->ranks->comm, histogram, planes) : result;
}

weir_result sim_ranks_balance(sim_world *world, bool *moved)
{
    sim_ranks *r = world->ranks;
    *moved = false;
    if (!r || ++r->frames_since_balance < r->balance_interval) return WEIR_OK;
    r->frames_since_balance = 0;
    const uint32_t planes = r->cuts[r->size];
    uint32_t before[COMM_MAX_RANKS + 1], *histogram = base_alloc(planes, sizeof *histogram);
    if (!histogram) return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for ranks");
    weir_result result = count_planes(world, histogram, planes);
    if (result == WEIR_OK && are_uneven(r, histogram)) {
        memcpy(before, r->cuts, sizeof before);
        choose_cuts(r, histogram, planes);
        limit_moves(r, before, least_planes(world));
        widen_slabs(r, planes, least_planes(world));
        *moved = memcmp(before, r->cuts, (r->size + 1) * sizeof *before) != 0;
        if (*moved) set_parts(world);
    }
    base_free(histogram);
    return result;
}
