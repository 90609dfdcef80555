/* The commands of rank 0, as each rank performs them. What rank 0 wants to know is gathered there
 * by the communicator, whether the ranks are threads or processes. */
#include "sim_frame.h"
#include "sim_readout.h"
#include "team_internal.h"

#include <stdlib.h>

static weir_result fail_memory(const team_rank *rank, const char *what)
{
    return base_fail(rank->world->log, WEIR_ERROR_MEMORY, "not enough memory for %s", what);
}

static bool is_first(const team_rank *rank)
{
    return comm_rank(rank->comm) == 0;
}

/* ---- particles of all ranks, in the order of ids -------------------------------------------- */

/* How rank 0 brings the arrays of all ranks into the order of ids. */
typedef struct id_order {
    uint32_t counts[COMM_MAX_RANKS], count; /* particles of each rank, of all */
    uint32_t *places;                       /* of rank 0: in the concatenated arrays */
} id_order;

/* Merges the ids of the ranks, which ascend on each. */
static void merge_ids(const uint32_t *ids, uint32_t ranks, id_order *order)
{
    uint32_t next[COMM_MAX_RANKS], ends[COMM_MAX_RANKS], end = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        next[r] = end;
        ends[r] = end += order->counts[r];
    }
    for (uint32_t i = 0; i < order->count; i++) {
        uint32_t best = ranks;
        for (uint32_t r = 0; r < ranks; r++)
            if (next[r] < ends[r] && (best == ranks || ids[next[r]] < ids[next[best]])) best = r;
        order->places[i] = next[best]++;
    }
}

/* Finds the order for particles of this rank with ids that ascend. Release order->places. */
static weir_result find_order(const team_rank *rank, const uint32_t *ids, uint32_t count,
                              id_order *order)
{
    const uint32_t ranks = comm_size(rank->comm);
    uint32_t *all = NULL;
    *order = (id_order){0};
    WEIR_RETURN_IF_ERROR(comm_share_counts(rank->comm, count, order->counts));
    for (uint32_t r = 0; r < ranks; r++)
        order->count += order->counts[r];
    if (is_first(rank)) {
        all = base_alloc(order->count, sizeof *all);
        order->places = base_alloc(order->count, sizeof *order->places);
        if (!all || !order->places) {
            base_free(all);
            return fail_memory(rank, "the ids of all ranks");
        }
    }
    weir_result result = comm_gather(rank->comm, ids, sizeof *ids, order->counts, all);
    if (result == WEIR_OK && all) merge_ids(all, ranks, order);
    base_free(all);
    return result;
}

/* Gathers an array of elements of `size` bytes to a new array of rank 0; *out is NULL on others. */
static weir_result gather_in_order(const team_rank *rank, const id_order *order, const void *own,
                                   size_t size, void **out)
{
    uint8_t *all = NULL, *sorted = NULL;
    if (is_first(rank)) {
        all = base_alloc(order->count, size);
        *out = sorted = base_alloc(order->count, size);
        if (!all || !sorted) {
            base_free(all);
            return fail_memory(rank, "the particles of all ranks");
        }
    }
    weir_result result = comm_gather(rank->comm, own, size, order->counts, all);
    for (uint32_t i = 0; i < order->count && sorted && result == WEIR_OK; i++)
        memcpy(sorted + i * size, all + order->places[i] * size, size);
    base_free(all);
    return result;
}

static weir_result gather_state(const team_rank *rank, team_results *results)
{
    sim_host_state own = {0}, *all = &results->state;
    uint32_t count = 0;
    id_order order = {0};
    weir_result result;
    WEIR_GOTO_IF_ERROR(sim_download_by_id(rank->world, &own, &count));
    WEIR_GOTO_IF_ERROR(find_order(rank, own.ids, count, &order));
    WEIR_GOTO_IF_ERROR(gather_in_order(rank, &order, own.x, sizeof *own.x, (void **)&all->x));
    WEIR_GOTO_IF_ERROR(gather_in_order(rank, &order, own.v, sizeof *own.v, (void **)&all->v));
    WEIR_GOTO_IF_ERROR(gather_in_order(rank, &order, own.ids, sizeof *own.ids, (void **)&all->ids));
    results->count = order.count;
fail:
    base_free(order.places);
    sim_host_state_free(&own);
    return result;
}

/* ---- fields --------------------------------------------------------------------------------- */

uint32_t team_field_words(weir_field field)
{
    return field == WEIR_FIELD_POSITION || field == WEIR_FIELD_VELOCITY ? 3 : 1;
}

static weir_result gather_field(const team_rank *rank, weir_field field, team_results *results)
{
    sim_world *world = rank->world;
    const uint32_t count = world->last_result.status.count;
    const size_t size = team_field_words(field) * sizeof(uint32_t);
    uint32_t *ids = base_alloc(count, sizeof *ids);
    void *values = base_alloc(count, size);
    id_order order = {0};
    weir_result result;
    if (!ids || !values) {
        result = fail_memory(rank, "a field");
        goto fail;
    }
    WEIR_GOTO_IF_ERROR(sim_read_field(world, WEIR_FIELD_ID, ids, count * sizeof *ids));
    WEIR_GOTO_IF_ERROR(sim_read_field(world, field, values, count * size));
    WEIR_GOTO_IF_ERROR(find_order(rank, ids, count, &order));
    WEIR_GOTO_IF_ERROR(gather_in_order(rank, &order, values, size, (void **)&results->values));
    results->count = order.count;
fail:
    base_free(order.places);
    base_free(ids);
    base_free(values);
    return result;
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Measures the densities before the first substep. A rank may have those of particles that a
 * neighbour owns. */
static weir_result gather_initial_densities(const team_rank *rank, team_results *results)
{
    const sim_ranks *r = rank->world->ranks;
    uint32_t counts[COMM_MAX_RANKS];
    weir_result result;
    WEIR_RETURN_IF_ERROR(sim_measure_densities(rank->world));
    uint64_t *own = base_alloc(r->density_count, sizeof *own);
    if (!own) return fail_memory(rank, "densities");
    for (uint32_t i = 0; i < r->density_count; i++) {
        uint32_t bits;
        memcpy(&bits, &r->densities[i], sizeof bits);
        own[i] = (uint64_t)r->density_ids[i] << 32 | bits;
    }
    WEIR_GOTO_IF_ERROR(comm_share_counts(rank->comm, r->density_count, counts));
    for (uint32_t k = 0; k < r->size; k++)
        results->count += counts[k];
    if (is_first(rank)) results->densities = base_alloc(results->count, sizeof *own);
    if (is_first(rank) && !results->densities) {
        result = fail_memory(rank, "densities");
        goto fail;
    }
    WEIR_GOTO_IF_ERROR(comm_gather(rank->comm, own, sizeof *own, counts, results->densities));
    if (is_first(rank)) qsort(results->densities, results->count, sizeof *own, compare_keys);
fail:
    base_free(own);
    return result;
}

/* ---- the others ----------------------------------------------------------------------------- */

static weir_result add_statistics(const team_rank *rank, weir_stats *stats)
{
    WEIR_RETURN_IF_ERROR(sim_stats(rank->world, stats));
    comm_numbers all = {.sum = {stats->memory_bytes}};
    WEIR_RETURN_IF_ERROR(comm_combine(rank->comm, &all));
    stats->memory_bytes = all.sum[0];
    return WEIR_OK;
}

static weir_result gather_ranks(const team_rank *rank, team_results *results)
{
    const sim_world *world = rank->world;
    const comm_traffic traffic = comm_get_traffic(rank->comm);
    const struct grid_state *state = &world->last_result.state;
    const weir_rank_info own = {.particles = world->last_result.status.count,
                                .ghosts = state->held - state->live,
                                .messages = traffic.messages,
                                .bytes_sent = traffic.bytes,
                                .sums = traffic.sums,
                                .waiting_s = traffic.waiting_s};
    uint32_t ones[COMM_MAX_RANKS];
    for (uint32_t r = 0; r < comm_size(rank->comm); r++)
        ones[r] = 1;
    return comm_gather(rank->comm, &own, sizeof own, ones, results->ranks);
}

/* Agrees on a result. Rank 0 logs the error of another rank if it has none itself. */
static weir_result agree_with_reason(team_rank *rank, weir_result own)
{
    char(*errors)[SIM_RANKS_ERROR_TEXT], name[COMM_HOST + 20];
    const uint32_t size = comm_size(rank->comm);
    uint32_t counts[COMM_MAX_RANKS];
    weir_result agreed = team_agree(rank, own);
    if (agreed == WEIR_OK || !rank->agreed) return agreed;
    errors = base_alloc(size, sizeof *errors);
    if (!errors) return fail_memory(rank, "the messages of ranks");
    for (uint32_t r = 0; r < size; r++)
        counts[r] = 1;
    weir_result result = comm_gather(rank->comm, rank->error, sizeof *errors, counts, errors);
    for (uint32_t r = 1; r < size && is_first(rank) && own == WEIR_OK && result == WEIR_OK; r++) {
        if (!errors[r][0]) continue;
        base_log(rank->log, WEIR_LOG_ERROR, "%s: %s", comm_rank_name(rank->comm, r, name),
                 errors[r]);
        break;
    }
    base_free(errors);
    return result == WEIR_OK ? agreed : result;
}

/* A file that a rank cannot restore leaves all able to restore another one. */
static weir_result restore(team_rank *rank, const char *path)
{
    WEIR_RETURN_IF_ERROR(agree_with_reason(rank, sim_restore(rank->world, path, NULL)));
    return team_compare_contents(rank);
}

weir_result team_perform(team_rank *rank, const team_command *command, team_results *results)
{
    team_results unused = {0};
    team_results *out = results ? results : &unused;
    switch ((team_call)command->call) {
    case TEAM_STEP:
        WEIR_RETURN_IF_ERROR(sim_step(rank->world, command->seconds));
        return sim_wait(rank->world);
    case TEAM_STATS: return add_statistics(rank, &out->stats);
    case TEAM_RANKS: return gather_ranks(rank, out);
    case TEAM_STATE: return gather_state(rank, out);
    case TEAM_FIELD: return gather_field(rank, (weir_field)command->field, out);
    case TEAM_INITIAL_DENSITIES: return gather_initial_densities(rank, out);
    case TEAM_SET_SOLID:
        sim_set_solid_pose(rank->world, command->item, &command->pose, command->teleports);
        break;
    case TEAM_SET_EMITTER:
        sim_set_emitter_opening(rank->world, command->item, &command->opening, command->teleports);
        break;
    case TEAM_RESTORE: return restore(rank, command->path);
    case TEAM_END: break;
    }
    return WEIR_OK;
}

void team_results_free(team_results *results)
{
    sim_host_state_free(&results->state);
    base_free(results->values);
    base_free(results->densities);
}
