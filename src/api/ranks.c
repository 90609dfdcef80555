/* Public API of simulations on several devices, of this process and of others: weir/ranks.h and
 * weir/comm.h. */
#include "api_access.h"
#include "api_internal.h"
#include "comm_mpi.h"
#include "weir/comm.h"

weir_result api_require_one_device(const weir_sim *sim)
{
    if (!sim->team) return WEIR_OK;
    return base_fail(
        api_sim_log(sim), WEIR_ERROR_UNSUPPORTED,
        "%s does not work with a simulation on several devices: weir/ranks.h lists the "
        "functions that do",
        api_function);
}

bool api_sim_has_ranks(const weir_sim *sim)
{
    return sim->team != NULL;
}

void api_release_ranks(weir_sim *sim)
{
    if (!sim->team) return;
    for (uint32_t r = 1; r < WEIR_MAX_RANKS && sim->devices[r]; r++)
        api_device_remove_child(sim->devices[r], API_SIM);
    const bool ended = sim_team_destroy(&sim->team);
    if (sim->comm) sim->comm->has_served = ended;
}

/* Checks that rank r has a device of its own, of the kind of the first. */
static weir_result check_device(weir_device *const *devices, uint32_t r)
{
    const weir_log *log = api_log(devices[0]);
    WEIR_REQUIRE(log, devices[r], "no entry of `devices` may be NULL");
    const weir_device_info *first = gpu_device_info(devices[0]->gpu),
                           *own = gpu_device_info(devices[r]->gpu);
    for (uint32_t k = 0; k < r; k++)
        WEIR_REQUIRE(log, devices[k] != devices[r],
                     "`devices` contains one twice: each rank needs a weir_device of its own");
    if (strcmp(first->name, own->name) == 0 && strcmp(first->driver, own->driver) == 0)
        return WEIR_OK;
    return api_argument_error(
        log,
        "rank %u is on %s, driver %s, and rank 0 on %s, driver %s: ranks need "
        "devices of one kind, for others round differently",
        r, own->name, own->driver, first->name, first->driver);
}

/* Creates the simulation of a team on the devices of this process. */
static weir_result create_sim(const sim_team_def *def, weir_device *const *devices,
                              const weir_scene *scene, weir_sim **sim)
{
    sim_team *team;
    const weir_result result = sim_team_create(def, &team);
    if (result != WEIR_OK) return result;
    weir_sim *made = base_alloc(1, sizeof *made);
    api_snapshot_pool *slots = base_alloc(1, sizeof *slots);
    if (!made || !slots) {
        (void)sim_team_destroy(&team);
        base_free(made);
        base_free(slots);
        return base_fail(api_log(devices[0]), WEIR_ERROR_MEMORY,
                         "not enough memory for a simulation");
    }
    slots->reference_count = 1;
    *made = (weir_sim){.team = team, .world = sim_team_first(team), .slots = slots};
    made->scene = (weir_scene *)(uintptr_t)scene; /* only the reference count changes */
    api_scene_retain(made->scene);
    made->device = api_device_add_child(devices[0], API_SIM);
    for (uint32_t r = 1; r < def->count && !def->job; r++)
        made->devices[r] = api_device_add_child(devices[r], API_SIM);
    *sim = made;
    return WEIR_OK;
}

weir_result weir_sim_create_on_ranks(weir_device *const *devices, uint32_t count,
                                     const weir_scene *scene, weir_sim **sim)
{
    const weir_log *log = scene ? &scene->log : NULL;
    gpu_device *gpus[WEIR_MAX_RANKS];
    WEIR_REQUIRE_OUT(log, sim);
    WEIR_REQUIRE_NOT_NULL(log, devices);
    WEIR_REQUIRE_NOT_NULL(log, scene);
    WEIR_REQUIRE(log, count >= 1 && count <= WEIR_MAX_RANKS, "`count` must be 1 to 64");
    WEIR_REQUIRE(log, devices[0], "no entry of `devices` may be NULL");
    for (uint32_t r = 1; r < count; r++)
        WEIR_RETURN_IF_ERROR(check_device(devices, r));
    if (count == 1) return weir_sim_create(devices[0], scene, sim);
    for (uint32_t r = 0; r < count; r++)
        gpus[r] = devices[r]->gpu;
    const sim_team_def def = {.devices = gpus, .count = count, .scene = scene->data};
    const weir_result result = create_sim(&def, devices, scene, sim);
    return result == WEIR_ERROR_ARGUMENT ? WEIR_ERROR_SCENE : result;
}

weir_result weir_sim_get_ranks(weir_sim *sim, weir_rank_info *ranks, uint32_t *count)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), count);
    weir_rank_info all[WEIR_MAX_RANKS] = {{0}};
    const uint32_t capacity = ranks ? *count : 0, size = sim->team ? sim_team_size(sim->team) : 1;
    *count = size;
    if (capacity == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(sim->team ? sim_team_ranks(sim->team, all)
                                   : sim_particle_count(sim->world, &all[0].particles));
    memcpy(ranks, all, (capacity < size ? capacity : size) * sizeof *ranks);
    return WEIR_OK;
}

/* ---- processes ------------------------------------------------------------------------------ */

uint32_t weir_comm_launched(uint32_t *rank)
{
    const comm_launcher launcher = comm_find_launcher();
    if (rank) *rank = launcher.rank;
    return launcher.size;
}

static weir_result open_comm(const weir_log *log, const comm_mpi_given *given, weir_comm **comm)
{
    comm_job_info job;
    weir_comm *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a communicator");
    const weir_result result = comm_mpi_create(log, given, &made->ranks, &job);
    if (result != WEIR_OK) {
        base_free(made);
        return result;
    }
    made->info = (weir_comm_info){.size = comm_size(made->ranks),
                                  .rank = comm_rank(made->ranks),
                                  .host_size = job.host_size,
                                  .host_rank = job.host_rank};
    snprintf(made->info.library, sizeof made->info.library, "%s", job.library);
    *comm = made;
    return WEIR_OK;
}

weir_result weir_comm_open_mpi(const weir_log *log, weir_comm **comm)
{
    WEIR_REQUIRE_OUT(log, comm);
    return open_comm(log, &(comm_mpi_given){0}, comm);
}

weir_result weir_comm_from_mpi(const weir_log *log, const void *mpi_comm, size_t mpi_comm_size,
                               weir_comm **comm)
{
    WEIR_REQUIRE_OUT(log, comm);
    WEIR_REQUIRE_NOT_NULL(log, mpi_comm);
    WEIR_REQUIRE(log, mpi_comm_size == sizeof(void *) || mpi_comm_size == sizeof(int),
                 "`mpi_comm_size` must be sizeof(MPI_Comm), that of a pointer or of an int");
    return open_comm(log, &(comm_mpi_given){mpi_comm, mpi_comm_size}, comm);
}

void weir_comm_get_info(const weir_comm *comm, weir_comm_info *info)
{
    if (comm && info) *info = comm->info;
}

weir_result weir_comm_broadcast(weir_comm *comm, uint32_t *value)
{
    WEIR_REQUIRE_NOT_NULL(NULL, comm);
    WEIR_REQUIRE_NOT_NULL(NULL, value);
    if (comm->info.rank > 0) *value = 0;
    return comm_sum(comm->ranks, value, 1);
}

weir_result weir_sim_create_on_comm(weir_device *device, const weir_scene *scene, weir_comm *comm,
                                    weir_sim **sim)
{
    const weir_log *log = api_log(device);
    WEIR_REQUIRE_OUT(log, sim);
    WEIR_REQUIRE_NOT_NULL(log, device);
    WEIR_REQUIRE_NOT_NULL(log, scene);
    WEIR_REQUIRE_NOT_NULL(log, comm);
    const sim_team_def def = {.devices = &device->gpu,
                              .count = comm->info.size,
                              .job = comm->ranks,
                              .scene = scene->data};
    if (comm->info.size == 1) return weir_sim_create(device, scene, sim);
    if (comm->info.rank == 0) {
        WEIR_RETURN_IF_ERROR(create_sim(&def, &device, scene, sim));
        (*sim)->comm = comm;
        return WEIR_OK;
    }
    const weir_result result = sim_team_serve(&def);
    comm->has_served = result == WEIR_OK;
    return result;
}

int weir_comm_close(weir_comm **comm, int status, const char *reason)
{
    if (!comm || !*comm) return status;
    weir_comm *c = *comm;
    char words[64];
    snprintf(words, sizeof words, "it has ended with status %d", status);
    if (status != 0 && !c->has_served && c->info.size > 1)
        comm_abort(c->ranks, reason && reason[0] ? reason : words);
    status = comm_leave(c->ranks, status);
    comm_destroy(&c->ranks);
    base_free(c);
    *comm = NULL;
    return status;
}
