/* One simulation on several devices. A call of rank 0 is a command that all ranks perform: threads
 * of this process, which start for the call, or other processes, which wait for commands in
 * sim_team_serve. */
#include "sim_readout.h"
#include "team_internal.h"

struct sim_team {
    const weir_log *log;
    uint32_t size;
    bool is_job;    /* the later ranks are other processes; the communicator is the caller's */
    bool is_served; /* these wait for commands */
    team_rank ranks[COMM_MAX_RANKS]; /* of this process: all, or of a job one */
    bool comm_failed; /* a rank has failed alone: the communicator is of no more use */
};

/* ---- work of all ranks ---------------------------------------------------------------------- */

typedef weir_result rank_work(team_rank *rank, void *user);

typedef struct rank_call {
    team_rank *rank;
    rank_work *work;
    void *user;
    weir_result result;
} rank_call;

/* An unstable simulation is so on all ranks. */
static bool has_failed_alone(const team_rank *rank, weir_result result)
{
    return result != WEIR_OK && result != WEIR_ERROR_UNSTABLE && !rank->agreed;
}

/* A rank that fails ends the waiting of the others. */
static void call_rank(void *user)
{
    rank_call *call = user;
    team_rank *rank = call->rank;
    rank->error[0] = '\0';
    rank->agreed = false;
    call->result = call->work(rank, call->user);
    if (has_failed_alone(rank, call->result))
        comm_abort(rank->comm, rank->error[0] ? rank->error : "its log says why");
}

/* Returns the error of the rank that failed by itself, rather than IO of those that waited for it.
 */
static weir_result worst(weir_result a, weir_result b)
{
    if (a == WEIR_OK || (a == WEIR_ERROR_IO && b != WEIR_OK)) return b;
    return a;
}

/* Calls `work` on the ranks of this process at once. `users`: what each gets. */
static weir_result run(sim_team *team, rank_work *work, void *const *users)
{
    rank_call calls[COMM_MAX_RANKS] = {{0}};
    base_thread *threads[COMM_MAX_RANKS] = {NULL};
    weir_result result = WEIR_OK;
    const uint32_t count = team->is_job ? 1 : team->size;
    for (uint32_t r = 0; r < count; r++) {
        calls[r] = (rank_call){.rank = &team->ranks[r], .work = work, .user = users[r]};
        if (r == 0) continue;
        threads[r] = base_thread_start(call_rank, &calls[r]);
        if (threads[r]) continue;
        result = base_fail(team->log, WEIR_ERROR_MEMORY, "cannot start a thread for rank %u", r);
        comm_abort(team->ranks[r].comm, "it has no thread");
        calls[r].result = result;
    }
    call_rank(&calls[0]);
    for (uint32_t r = 0; r < count; r++) {
        if (threads[r]) base_thread_join(&threads[r]);
        result = worst(result, calls[r].result);
    }
    team->comm_failed |= has_failed_alone(&team->ranks[0], result);
    return result;
}

/* ---- commands ------------------------------------------------------------------------------- */

/* A command to this rank, and where its results go. */
typedef struct performance {
    const team_command *command;
    team_results *results;
} performance;

static weir_result perform(team_rank *rank, void *user)
{
    const performance *p = user;
    return team_perform(rank, p->command, p->results);
}

/* Copies the command of rank 0 to the other processes, which bring zeros. */
static weir_result broadcast(comm *c, team_command *command)
{
    uint32_t words[(sizeof *command + 3) / 4] = {0};
    if (comm_rank(c) == 0) memcpy(words, command, sizeof *command);
    WEIR_RETURN_IF_ERROR(comm_sum(c, words, BASE_COUNT(words)));
    memcpy(command, words, sizeof *command);
    return WEIR_OK;
}

static weir_result command_ranks(sim_team *team, team_command *command, team_results *results)
{
    performance first = {command, results}, later = {command, NULL};
    void *users[COMM_MAX_RANKS];
    if (team->comm_failed)
        return base_fail(team->log, WEIR_ERROR_IO, "a rank failed in an earlier call: %s",
                         team->is_job ? "start the job again from its last checkpoint"
                                      : "restore a checkpoint, or create the simulation again");
    for (uint32_t r = 0; r < team->size; r++)
        users[r] = r == 0 ? &first : &later;
    weir_result result = team->is_job ? broadcast(team->ranks[0].comm, command) : WEIR_OK;
    if (result != WEIR_OK) {
        team->comm_failed = true;
        return result;
    }
    return run(team, perform, users);
}

/* ---- life ----------------------------------------------------------------------------------- */

/* What a rank makes its world of. */
typedef struct creation {
    const sim_team_def *def;
    gpu_device *device;
} creation;

static weir_result create_world(team_rank *rank, void *user)
{
    const creation *c = user;
    return team_create_world(rank, c->def, c->device);
}

static weir_result create_comms(sim_team *team)
{
    comm *made[COMM_MAX_RANKS];
    WEIR_RETURN_IF_ERROR(comm_threads_create(team->log, team->size, COMM_PATIENCE_S, made));
    for (uint32_t r = 0; r < team->size; r++)
        team->ranks[r].comm = made[r];
    return WEIR_OK;
}

static weir_result create_worlds(sim_team *team, const sim_team_def *def)
{
    creation own[COMM_MAX_RANKS];
    void *users[COMM_MAX_RANKS];
    for (uint32_t r = 0; r < team->size; r++) {
        own[r] = (creation){def, def->devices[team->is_job ? 0 : r]};
        users[r] = &own[r];
    }
    return run(team, create_world, users);
}

weir_result sim_team_create(const sim_team_def *def, sim_team **out)
{
    weir_result result = WEIR_OK;
    const weir_log *log = gpu_device_log(def->devices[0]);
    *out = NULL;
    WEIR_RETURN_IF_ERROR(sim_ranks_check(log, def->scene, def->count));
    sim_team *team = base_alloc(1, sizeof *team);
    if (!team)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a simulation on ranks");
    *team = (sim_team){.log = log, .size = def->count, .is_job = def->job != NULL};
    for (uint32_t r = 0; r < team->size; r++)
        team->ranks[r].log = log;
    if (def->job)
        team->ranks[0].comm = def->job;
    else
        WEIR_GOTO_IF_ERROR(create_comms(team));
    WEIR_GOTO_IF_ERROR(create_worlds(team, def));
    team->is_served = team->is_job;
    *out = team;
    return WEIR_OK;
fail:
    (void)sim_team_destroy(&team);
    return result;
}

bool sim_team_destroy(sim_team **pointer)
{
    sim_team *team = *pointer;
    team_command end = {.call = TEAM_END};
    if (!team) return true;
    bool ended = !team->comm_failed;
    if (team->is_served && ended) ended = broadcast(team->ranks[0].comm, &end) == WEIR_OK;
    for (uint32_t r = 0; r < team->size; r++) {
        sim_destroy(&team->ranks[r].world);
        if (!team->is_job) comm_destroy(&team->ranks[r].comm);
    }
    base_free(team);
    *pointer = NULL;
    return ended;
}

/* Waits for commands and performs them, until rank 0 ends the simulation. */
static weir_result serve(team_rank *rank)
{
    team_command command;
    weir_result result = WEIR_OK;
    do {
        performance own = {&command, NULL};
        rank_call call = {.rank = rank, .work = perform, .user = &own};
        WEIR_RETURN_IF_ERROR(broadcast(rank->comm, &command));
        call_rank(&call);
        result = call.result;
    } while (command.call != TEAM_END && !has_failed_alone(rank, result));
    return result;
}

weir_result sim_team_serve(const sim_team_def *def)
{
    team_rank rank = {.log = gpu_device_log(def->devices[0]), .comm = def->job};
    creation own = {def, def->devices[0]};
    rank_call call = {.rank = &rank, .work = create_world, .user = &own};
    WEIR_RETURN_IF_ERROR(sim_ranks_check(NULL, def->scene, def->count)); /* rank 0 logs it */
    call_rank(&call);
    weir_result result = call.result == WEIR_OK ? serve(&rank) : call.result;
    sim_destroy(&rank.world);
    return result;
}

sim_world *sim_team_first(const sim_team *team)
{
    return team->ranks[0].world;
}

uint32_t sim_team_size(const sim_team *team)
{
    return team->size;
}

/* ---- calls ---------------------------------------------------------------------------------- */

weir_result sim_team_step(sim_team *team, double seconds)
{
    team_results results = {0};
    return command_ranks(team, &(team_command){.call = TEAM_STEP, .seconds = seconds}, &results);
}

weir_result sim_team_stats(sim_team *team, weir_stats *stats)
{
    team_results results = {.stats = *stats};
    WEIR_RETURN_IF_ERROR(command_ranks(team, &(team_command){.call = TEAM_STATS}, &results));
    *stats = results.stats;
    return WEIR_OK;
}

weir_result sim_team_ranks(sim_team *team, weir_rank_info *ranks)
{
    team_results results = {0};
    WEIR_RETURN_IF_ERROR(command_ranks(team, &(team_command){.call = TEAM_RANKS}, &results));
    memcpy(ranks, results.ranks, team->size * sizeof *ranks);
    return WEIR_OK;
}

weir_result sim_team_particle_count(sim_team *team, uint32_t *count)
{
    *count = sim_total_status(sim_team_first(team))->count;
    return WEIR_OK;
}

weir_result sim_team_hash(sim_team *team, uint64_t *hash)
{
    team_results results = {0};
    weir_result result = command_ranks(team, &(team_command){.call = TEAM_STATE}, &results);
    if (result == WEIR_OK)
        *hash = sim_hash_state(sim_team_first(team), &results.state, results.count);
    team_results_free(&results);
    return result;
}

weir_result sim_team_save(sim_team *team, const char *path)
{
    team_results results = {0};
    weir_result result = command_ranks(team, &(team_command){.call = TEAM_STATE}, &results);
    const sim_saved_particles particles = {&results.state, results.count};
    if (result == WEIR_OK) result = sim_save_state(sim_team_first(team), &particles, path, NULL);
    team_results_free(&results);
    return result;
}

weir_result sim_team_set_solid_pose(sim_team *team, uint32_t solid, const scene_pose *pose,
                                    bool teleport)
{
    team_results results = {0};
    team_command command = {
        .call = TEAM_SET_SOLID, .item = solid, .teleports = teleport, .pose = *pose};
    return command_ranks(team, &command, &results);
}

weir_result sim_team_set_emitter_opening(sim_team *team, uint32_t emitter,
                                         const sim_emitter_opening *opening, bool teleport)
{
    team_results results = {0};
    team_command command = {
        .call = TEAM_SET_EMITTER, .item = emitter, .teleports = teleport, .opening = *opening};
    return command_ranks(team, &command, &results);
}

/* Threads can go on with another communicator after a rank has failed. */
static weir_result replace_comms(sim_team *team)
{
    for (uint32_t r = 0; r < team->size; r++)
        comm_destroy(&team->ranks[r].comm);
    WEIR_RETURN_IF_ERROR(create_comms(team));
    for (uint32_t r = 0; r < team->size; r++)
        team->ranks[r].world->ranks->comm = team->ranks[r].comm;
    team->comm_failed = false;
    return WEIR_OK;
}

weir_result sim_team_restore(sim_team *team, const char *path)
{
    team_results results = {0};
    team_command command = {.call = TEAM_RESTORE};
    if (strlen(path) >= sizeof command.path)
        return base_fail(team->log, WEIR_ERROR_ARGUMENT,
                         "%s: ranks restore files with paths of at most %zu bytes", path,
                         sizeof command.path - 1);
    memcpy(command.path, path, strlen(path));
    if (team->comm_failed && !team->is_job) WEIR_RETURN_IF_ERROR(replace_comms(team));
    return command_ranks(team, &command, &results);
}

/* ---- fields --------------------------------------------------------------------------------- */

/* Replaces ids, which ascend, by the densities of these particles before the first substep. 0: not
 * known. */
static weir_result find_initial_densities(sim_team *team, uint32_t *ids, uint32_t count)
{
    team_results known = {0};
    weir_result result =
        command_ranks(team, &(team_command){.call = TEAM_INITIAL_DENSITIES}, &known);
    for (uint32_t i = 0, k = 0; i < count && result == WEIR_OK; i++) {
        while (k < known.count && known.densities[k] >> 32 < ids[i])
            k++;
        const bool found = k < known.count && known.densities[k] >> 32 == ids[i];
        ids[i] = found ? (uint32_t)known.densities[k] : 0;
    }
    team_results_free(&known);
    return result;
}

weir_result sim_team_read_field(sim_team *team, weir_field field, void *out, size_t size)
{
    const struct sim_status *status = sim_total_status(sim_team_first(team));
    const bool initial = field == WEIR_FIELD_DENSITY && status->total_substeps == 0;
    team_command command = {.call = TEAM_FIELD, .field = initial ? WEIR_FIELD_ID : field};
    const size_t bytes = team_field_words(field) * sizeof(uint32_t),
                 expected = status->count * bytes;
    team_results results = {0};
    if (size != expected)
        return base_fail(team->log, WEIR_ERROR_ARGUMENT,
                         "weir_sim_read_field: size is %zu bytes, expected %zu: %u particles of "
                         "%zu bytes",
                         size, expected, status->count, bytes);
    weir_result result = command_ranks(team, &command, &results);
    if (result == WEIR_OK && expected > 0) memcpy(out, results.values, expected);
    if (result == WEIR_OK && initial) result = find_initial_densities(team, out, status->count);
    team_results_free(&results);
    return result;
}
