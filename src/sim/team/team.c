/* One simulation on several devices of this process: a thread for each rank during a call. */
#include "sim_frame.h"
#include "sim_ranks.h"
#include "sim_readout.h"
#include "sim_team.h"

#include <stdlib.h>

struct sim_team {
    const weir_log *log;
    uint32_t count;
    sim_world *worlds[COMM_MAX_THREADS];
    comm *comms[COMM_MAX_THREADS];
    bool comm_failed; /* a rank has failed alone: the communicator is of no more use */
};

/* ---- work of all ranks ---------------------------------------------------------------------- */

typedef weir_result rank_work(sim_team *team, uint32_t rank, void *user);

typedef struct rank_call {
    sim_team *team;
    rank_work *work;
    void *user;
    uint32_t rank;
    weir_result result;
} rank_call;

/* A rank that fails ends the waiting of the others. */
static void call_rank(void *user)
{
    rank_call *call = user;
    call->result = call->work(call->team, call->rank, call->user);
    if (call->result != WEIR_OK && call->result != WEIR_ERROR_UNSTABLE)
        comm_abort(call->team->comms[call->rank]);
}

/* Returns the error of the rank that failed by itself, rather than IO of those that waited for it.
 */
static weir_result worst(weir_result a, weir_result b)
{
    if (a == WEIR_OK || (a == WEIR_ERROR_IO && b != WEIR_OK)) return b;
    return a;
}

/* Logs why a later rank has failed, unless the first has failed alike. */
static void log_failure(const sim_team *team, const rank_call *calls, weir_result result)
{
    for (uint32_t r = 1; r < team->count && calls[0].result != result; r++) {
        const sim_world *world = team->worlds[r];
        if (calls[r].result != result || !world || !world->ranks->error[0]) continue;
        base_log(team->log, WEIR_LOG_ERROR, "rank %u: %s", r, world->ranks->error);
        return;
    }
}

/* Calls `work` on all ranks at once. */
static weir_result run(sim_team *team, rank_work *work, void *user)
{
    rank_call calls[COMM_MAX_THREADS];
    base_thread *threads[COMM_MAX_THREADS] = {NULL};
    weir_result result = WEIR_OK;
    for (uint32_t r = 0; r < team->count; r++) {
        calls[r] = (rank_call){.team = team, .work = work, .user = user, .rank = r};
        if (r == 0) continue;
        threads[r] = base_thread_start(call_rank, &calls[r]);
        if (threads[r]) continue;
        result = base_fail(team->log, WEIR_ERROR_MEMORY, "cannot start a thread for rank %u", r);
        comm_abort(team->comms[0]);
        calls[r].result = result;
    }
    call_rank(&calls[0]);
    for (uint32_t r = 0; r < team->count; r++) {
        if (threads[r]) base_thread_join(&threads[r]);
        result = worst(result, calls[r].result);
    }
    log_failure(team, calls, result);
    if (result != WEIR_OK && result != WEIR_ERROR_UNSTABLE) team->comm_failed = true;
    return result;
}

/* ---- life ----------------------------------------------------------------------------------- */

static weir_result create_rank(sim_team *team, uint32_t rank, void *user)
{
    const sim_team_def *def = user;
    const sim_ranks_def ranks = {
        .comm = team->comms[rank], .cuts = def->cuts, .balance_interval = def->balance_interval};
    const sim_create_options options = {.initial_capacity = def->capacity, .ranks = &ranks};
    return sim_create_with_options(def->devices[rank], def->scene, &options, &team->worlds[rank]);
}

static weir_result create_comms(sim_team *team)
{
    return comm_threads_create(team->log, team->count, COMM_PATIENCE_S, team->comms);
}

weir_result sim_team_create(const sim_team_def *def, sim_team **out)
{
    weir_result result;
    const weir_log *log = gpu_device_log(def->devices[0]);
    *out = NULL;
    WEIR_RETURN_IF_ERROR(sim_ranks_check(log, def->scene, def->count));
    sim_team *team = base_alloc(1, sizeof *team);
    if (!team)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a simulation on ranks");
    team->log = log;
    team->count = def->count;
    WEIR_GOTO_IF_ERROR(create_comms(team));
    WEIR_GOTO_IF_ERROR(run(team, create_rank, (void *)(uintptr_t)def));
    *out = team;
    return WEIR_OK;
fail:
    sim_team_destroy(&team);
    return result;
}

void sim_team_destroy(sim_team **pointer)
{
    sim_team *team = *pointer;
    if (!team) return;
    for (uint32_t r = 0; r < team->count; r++) {
        sim_destroy(&team->worlds[r]);
        comm_destroy(&team->comms[r]);
    }
    base_free(team);
    *pointer = NULL;
}

sim_world *sim_team_first(const sim_team *team)
{
    return team->worlds[0];
}

uint32_t sim_team_size(const sim_team *team)
{
    return team->count;
}

/* ---- frames --------------------------------------------------------------------------------- */

static weir_result step_rank(sim_team *team, uint32_t rank, void *user)
{
    WEIR_RETURN_IF_ERROR(sim_step(team->worlds[rank], *(const double *)user));
    return sim_wait(team->worlds[rank]);
}

weir_result sim_team_step(sim_team *team, double seconds)
{
    if (team->comm_failed)
        return base_fail(team->log, WEIR_ERROR_IO,
                         "a rank failed in an earlier frame: restore a checkpoint, or create the "
                         "simulation again");
    return run(team, step_rank, &seconds);
}

static weir_result count_statistics(sim_team *team, uint32_t rank, void *user)
{
    return sim_stats(team->worlds[rank], (weir_stats *)user + rank);
}

weir_result sim_team_stats(sim_team *team, weir_stats *stats)
{
    weir_stats all[COMM_MAX_THREADS];
    WEIR_RETURN_IF_ERROR(run(team, count_statistics, all));
    *stats = all[0];
    for (uint32_t r = 1; r < team->count; r++)
        stats->memory_bytes += all[r].memory_bytes;
    return WEIR_OK;
}

weir_result sim_team_particle_count(sim_team *team, uint32_t *count)
{
    *count = sim_total_status(team->worlds[0])->count;
    return WEIR_OK;
}

/* ---- particles of all ranks, in the order of ids -------------------------------------------- */

/* Particles of the ranks, each in the order of ids, that are merged. */
typedef struct merge {
    const uint32_t *ids[COMM_MAX_THREADS];
    uint32_t counts[COMM_MAX_THREADS], next[COMM_MAX_THREADS];
    uint32_t rank_count;
} merge;

/* Returns the rank that has the next particle; its place there is m->next[rank], before the call.
 */
static uint32_t take_next(merge *m, uint32_t *place)
{
    uint32_t best = m->rank_count;
    for (uint32_t r = 0; r < m->rank_count; r++) {
        if (m->next[r] == m->counts[r]) continue;
        if (best == m->rank_count || m->ids[r][m->next[r]] < m->ids[best][m->next[best]]) best = r;
    }
    *place = m->next[best]++;
    return best;
}

typedef struct gathered_state {
    sim_host_state ranks[COMM_MAX_THREADS];
    uint32_t counts[COMM_MAX_THREADS];
    sim_host_state all;
    uint32_t count;
} gathered_state;

static weir_result download_rank(sim_team *team, uint32_t rank, void *user)
{
    gathered_state *g = user;
    return sim_download_by_id(team->worlds[rank], &g->ranks[rank], &g->counts[rank]);
}

static void free_gathered(gathered_state *g)
{
    for (uint32_t r = 0; r < COMM_MAX_THREADS; r++)
        sim_host_state_free(&g->ranks[r]);
    sim_host_state_free(&g->all);
    base_free(g);
}

/* Downloads the state of all ranks, in the order of ids. Release with free_gathered. */
static weir_result gather_state(sim_team *team, gathered_state **out)
{
    weir_result result;
    merge m = {.rank_count = team->count};
    gathered_state *g = base_alloc(1, sizeof *g);
    if (!g) return base_fail(team->log, WEIR_ERROR_MEMORY, "not enough memory for a state");
    WEIR_GOTO_IF_ERROR(run(team, download_rank, g));
    for (uint32_t r = 0; r < team->count; r++) {
        m.ids[r] = g->ranks[r].ids;
        m.counts[r] = g->counts[r];
        g->count += g->counts[r];
    }
    g->all.x = base_alloc(g->count, sizeof *g->all.x);
    g->all.v = base_alloc(g->count, sizeof *g->all.v);
    g->all.ids = base_alloc(g->count, sizeof *g->all.ids);
    if (!g->all.x || !g->all.v || !g->all.ids) {
        result = base_fail(team->log, WEIR_ERROR_MEMORY, "not enough memory for a state");
        goto fail;
    }
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t place;
        const sim_host_state *from = &g->ranks[take_next(&m, &place)];
        g->all.x[i] = from->x[place];
        g->all.v[i] = from->v[place];
        g->all.ids[i] = from->ids[place];
    }
    *out = g;
    return WEIR_OK;
fail:
    free_gathered(g);
    return result;
}

weir_result sim_team_hash(sim_team *team, uint64_t *hash)
{
    gathered_state *g;
    WEIR_RETURN_IF_ERROR(gather_state(team, &g));
    *hash = sim_hash_state(team->worlds[0], &g->all, g->count);
    free_gathered(g);
    return WEIR_OK;
}

weir_result sim_team_save(sim_team *team, const char *path)
{
    gathered_state *g;
    WEIR_RETURN_IF_ERROR(gather_state(team, &g));
    const sim_saved_particles particles = {&g->all, g->count};
    weir_result result = sim_save_state(team->worlds[0], &particles, path, NULL);
    free_gathered(g);
    return result;
}

static weir_result restore_rank(sim_team *team, uint32_t rank, void *user)
{
    return sim_restore(team->worlds[rank], user, NULL);
}

/* A failed rank leaves a communicator of no use. */
static weir_result replace_comms(sim_team *team)
{
    for (uint32_t r = 0; r < team->count; r++)
        comm_destroy(&team->comms[r]);
    WEIR_RETURN_IF_ERROR(create_comms(team));
    for (uint32_t r = 0; r < team->count; r++)
        team->worlds[r]->ranks->comm = team->comms[r];
    team->comm_failed = false;
    return WEIR_OK;
}

weir_result sim_team_restore(sim_team *team, const char *path)
{
    WEIR_RETURN_IF_ERROR(replace_comms(team));
    weir_result result = run(team, restore_rank, (void *)(uintptr_t)path);
    /* another checkpoint may be better, and without one the state is as before */
    if (result == WEIR_ERROR_IO || result == WEIR_ERROR_ARGUMENT)
        WEIR_RETURN_IF_ERROR(replace_comms(team));
    return result;
}

/* ---- fields --------------------------------------------------------------------------------- */

typedef struct gathered_field {
    weir_field field;
    uint32_t words;                                             /* per particle */
    uint32_t *values[COMM_MAX_THREADS], *ids[COMM_MAX_THREADS]; /* by id */
    uint32_t counts[COMM_MAX_THREADS];
} gathered_field;

static weir_result read_rank_field(sim_team *team, uint32_t rank, void *user)
{
    sim_world *world = team->worlds[rank];
    gathered_field *g = user;
    const uint32_t count = world->last_result.status.count;
    g->ids[rank] = base_alloc(count, sizeof *g->ids[rank]);
    g->values[rank] = base_alloc(count, g->words * sizeof *g->values[rank]);
    if (!g->ids[rank] || !g->values[rank])
        return base_fail(team->log, WEIR_ERROR_MEMORY, "not enough memory for a field");
    g->counts[rank] = count;
    WEIR_RETURN_IF_ERROR(
        sim_read_field(world, WEIR_FIELD_ID, g->ids[rank], count * sizeof *g->ids[rank]));
    return sim_read_field(world, g->field, g->values[rank],
                          count * g->words * sizeof *g->values[rank]);
}

static void merge_fields(const sim_team *team, const gathered_field *g, uint32_t count,
                         uint32_t *out)
{
    merge m = {.rank_count = team->count};
    for (uint32_t r = 0; r < team->count; r++) {
        m.ids[r] = g->ids[r];
        m.counts[r] = g->counts[r];
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place;
        const uint32_t *from = g->values[take_next(&m, &place)];
        memcpy(out + (size_t)i * g->words, from + (size_t)place * g->words, g->words * sizeof *out);
    }
}

static void free_field(gathered_field *g)
{
    for (uint32_t r = 0; r < COMM_MAX_THREADS; r++) {
        base_free(g->ids[r]);
        base_free(g->values[r]);
    }
}

static weir_result measure_rank(sim_team *team, uint32_t rank, void *user)
{
    (void)user;
    return sim_measure_densities(team->worlds[rank]);
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Returns the densities that ranks have measured, id << 32 | float bits, by id. */
static uint64_t *list_densities(const sim_team *team, uint32_t *count)
{
    *count = 0;
    for (uint32_t r = 0; r < team->count; r++)
        *count += team->worlds[r]->ranks->density_count;
    uint64_t *all = base_alloc(*count, sizeof *all), *next = all;
    for (uint32_t r = 0; r < team->count && all; r++) {
        const sim_ranks *from = team->worlds[r]->ranks;
        for (uint32_t i = 0; i < from->density_count; i++) {
            uint32_t bits;
            memcpy(&bits, &from->densities[i], sizeof bits);
            *next++ = (uint64_t)from->density_ids[i] << 32 | bits;
        }
    }
    if (all) qsort(all, *count, sizeof *all, compare_keys);
    return all;
}

/* Replaces ids, which ascend, by the densities of these particles before the first substep. A rank
 * may have measured those of particles that a neighbour owns. 0: not known. */
static weir_result find_initial_densities(sim_team *team, uint32_t *ids, uint32_t count)
{
    uint32_t known, k = 0;
    WEIR_RETURN_IF_ERROR(run(team, measure_rank, NULL));
    uint64_t *all = list_densities(team, &known);
    if (!all) return base_fail(team->log, WEIR_ERROR_MEMORY, "not enough memory for densities");
    for (uint32_t i = 0; i < count; i++) {
        while (k < known && all[k] >> 32 < ids[i])
            k++;
        ids[i] = k < known && all[k] >> 32 == ids[i] ? (uint32_t)all[k] : 0;
    }
    base_free(all);
    return WEIR_OK;
}

weir_result sim_team_read_field(sim_team *team, weir_field field, void *out, size_t size)
{
    const bool vector = field == WEIR_FIELD_POSITION || field == WEIR_FIELD_VELOCITY;
    const struct sim_status *status = sim_total_status(team->worlds[0]);
    const bool initial = field == WEIR_FIELD_DENSITY && status->total_substeps == 0;
    gathered_field g = {.field = initial ? WEIR_FIELD_ID : field, .words = vector ? 3 : 1};
    const uint32_t count = status->count;
    const size_t expected = (size_t)count * g.words * sizeof **g.values;
    if (size != expected)
        return base_fail(team->log, WEIR_ERROR_ARGUMENT,
                         "weir_sim_read_field: size is %zu bytes, expected %zu: %u particles of %u "
                         "bytes",
                         size, expected, count, g.words * 4);
    weir_result result = run(team, read_rank_field, &g);
    if (result == WEIR_OK) merge_fields(team, &g, count, out);
    if (result == WEIR_OK && initial) result = find_initial_densities(team, out, count);
    free_field(&g);
    return result;
}
