/* Checks that ranks simulate the same. Processes on several computers may have other versions,
 * drivers or files. */
#include "team_internal.h"

#include "weir/core.h"

#define TEXT_OF(x) #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

weir_result team_agree(team_rank *rank, weir_result own)
{
    const weir_result agreed = comm_agree(rank->comm, own);
    rank->agreed = agreed != WEIR_OK && !comm_has_failed(rank->comm);
    return agreed;
}

/* Something that must be equal on all ranks. */
typedef struct rank_input {
    char text[1024];
    uint64_t hash;
} rank_input;

/* Compares the inputs of all ranks. `what`: what they need, for the message of rank 0, which names
 * the first that differs. Errors: ARGUMENT. */
static weir_result compare(team_rank *rank, const rank_input *own, const char *what)
{
    rank_input all[COMM_MAX_RANKS];
    uint32_t counts[COMM_MAX_RANKS], other = 1;
    char name[COMM_HOST + 20], first[COMM_HOST + 20];
    const uint32_t size = comm_size(rank->comm);
    for (uint32_t r = 0; r < size; r++)
        counts[r] = 1;
    WEIR_RETURN_IF_ERROR(comm_gather(rank->comm, own, sizeof *own, counts, all));
    if (comm_rank(rank->comm) > 0) return team_agree(rank, WEIR_OK);
    while (other < size && memcmp(&all[other], &all[0], sizeof *all) == 0)
        other++;
    if (other == size) return team_agree(rank, WEIR_OK);
    comm_rank_name(rank->comm, other, name);
    comm_rank_name(rank->comm, 0, first);
    if (strcmp(all[other].text, all[0].text) == 0)
        base_log(rank->log, WEIR_LOG_ERROR,
                 "%s and %s have different contents of %s: ranks need %s", name, first, all[0].text,
                 what);
    else
        base_log(rank->log, WEIR_LOG_ERROR, "%s has %s, and %s has %s: ranks need %s", name,
                 all[other].text, first, all[0].text, what);
    return team_agree(rank, WEIR_ERROR_ARGUMENT);
}

static weir_result compare_programs(team_rank *rank, const gpu_device *device)
{
    const weir_device_info *info = gpu_device_info(device);
    rank_input own = {0};
    snprintf(own.text, sizeof own.text, "Weir %s on %s, driver %s",
             VERSION_TEXT(WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR, WEIR_VERSION_PATCH), info->name,
             info->driver);
    return compare(rank, &own,
                   "the same version, and devices and drivers of one kind, for others round "
                   "differently");
}

static weir_result compare_scenes(team_rank *rank, const scene_data *scene)
{
    rank_input own = {.hash = base_hash64(scene->json, strlen(scene->json), 0)};
    snprintf(own.text, sizeof own.text, "the scene %.256s", scene->source);
    return compare(rank, &own, "the same scene and the same options");
}

weir_result team_compare_contents(team_rank *rank)
{
    const sim_world *world = rank->world;
    rank_input own = {.text = "the particles to start with", .hash = world->ranks->particle_hash};
    for (size_t i = 0; i < world->file_hashes.count; i++)
        own.hash = base_hash_mix64(own.hash ^ world->file_hashes.items[i].hash);
    return compare(rank, &own,
                   "the same content of the checkpoint and of all files that the scene names");
}

weir_result team_create_world(team_rank *rank, const sim_team_def *def, gpu_device *device)
{
    const sim_ranks_def ranks = {.comm = rank->comm,
                                 .cuts = def->cuts,
                                 .balance_interval = def->balance_interval,
                                 .error = rank->error};
    const sim_create_options options = {.initial_capacity = def->capacity, .ranks = &ranks};
    WEIR_RETURN_IF_ERROR(compare_programs(rank, device));
    WEIR_RETURN_IF_ERROR(compare_scenes(rank, def->scene));
    WEIR_RETURN_IF_ERROR(sim_create_with_options(device, def->scene, &options, &rank->world));
    return team_compare_contents(rank);
}
