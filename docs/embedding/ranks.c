/* A program whose processes share one simulation over MPI: each gives a device, and rank 0 steps
 * and reads the result.
 *
 *     mpirun -n 2 ranks SCENE [FRAMES]
 *
 * Weir opens the MPI of the launcher itself: the program is not linked with one. */
#include <weir/comm.h>
#include <weir/version.h>
#include <weir/weir.h>

#include <stdio.h>
#include <stdlib.h>

static void print_message(void *user, weir_log_level level, const char *text)
{
    (void)user;
    fprintf(stderr, "%s%s\n", level == WEIR_LOG_ERROR ? "error: " : "", text);
}

/* On rank 0 alone: the others wait in weir_sim_create_on_comm for what this does. */
static weir_result use_simulation(weir_sim *sim, uint32_t ranks, int frames)
{
    uint32_t count;
    uint64_t hash;
    weir_result result = WEIR_OK;
    for (int frame = 0; result == WEIR_OK && frame < frames; frame++)
        result = weir_sim_step(sim, 0);
    if (result == WEIR_OK) result = weir_sim_get_particle_count(sim, &count);
    if (result == WEIR_OK) result = weir_sim_get_state_hash(sim, &hash);
    if (result == WEIR_OK)
        printf("%u particles on %u rank%s, state %016llx\n", count, ranks, ranks == 1 ? "" : "s",
               (unsigned long long)hash);
    return result;
}

/* The same calls in all processes, in the same order. */
static weir_result simulate(const weir_log *log, weir_comm *comm, const char *path, int frames)
{
    weir_device *device = NULL;
    weir_scene *scene = NULL;
    weir_sim *sim = NULL;
    weir_comm_info info;
    weir_device_def device_def = weir_device_def_default();
    weir_scene_def scene_def = weir_scene_def_default();
    device_def.log = scene_def.log = *log;
    weir_comm_get_info(comm, &info);
    weir_result result = weir_device_create(&device_def, &device);
    if (result == WEIR_OK) result = weir_scene_load(path, &scene_def, &scene);
    if (result == WEIR_OK) result = weir_sim_create_on_comm(device, scene, comm, &sim);
    if (result == WEIR_OK && sim) result = use_simulation(sim, info.size, frames);
    weir_sim_destroy(&sim); /* before the communicator */
    weir_scene_destroy(&scene);
    weir_device_destroy(&device);
    return result;
}

int main(int argc, char **argv)
{
    const weir_log log = {.write = print_message, .level = WEIR_LOG_WARNING};
    weir_comm *comm = NULL;
    if (argc < 2) {
        fprintf(stderr, "usage: mpirun -n N ranks SCENE [FRAMES]\n");
        return 2;
    }
    if (weir_version_check(&log) != WEIR_OK) return 1;
    if (weir_comm_launched(NULL) == 0) {
        fprintf(stderr, "error: start this program by an MPI launcher: mpirun -n 2 %s SCENE\n",
                argv[0]);
        return 2;
    }
    if (weir_comm_open_mpi(&log, &comm) != WEIR_OK) return 1;
    weir_result result = simulate(&log, comm, argv[1], argc > 2 ? atoi(argv[2]) : 20);
    /* Also after a failure: the others learn of it, and all have the same exit status. */
    return weir_comm_close(&comm, result == WEIR_OK ? 0 : 1, weir_result_name(result));
}
