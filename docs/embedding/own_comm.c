/* An MPI program of which some processes simulate: they join Weir by a communicator of the
 * program's own, while the others do something else.
 *
 *     mpicc own_comm.c $(pkg-config --cflags --libs weir) -o own_comm
 *     mpirun -n 3 own_comm SCENE
 *
 * The last process only waits here for the result, as one that writes or plots would. */
#include <weir/comm.h>
#include <weir/weir.h>

#include <mpi.h>
#include <stdio.h>

enum { FRAMES = 10, RESULT = 1 };

static void print_message(void *user, weir_log_level level, const char *text)
{
    (void)user;
    fprintf(stderr, "%s%s\n", level == WEIR_LOG_ERROR ? "error: " : "", text);
}

/* On the first of the simulating processes alone: the others do what this does. */
static weir_result use_simulation(weir_sim *sim, uint64_t *hash)
{
    weir_result result = WEIR_OK;
    for (int frame = 0; result == WEIR_OK && frame < FRAMES; frame++)
        result = weir_sim_step(sim, 0);
    return result == WEIR_OK ? weir_sim_get_state_hash(sim, hash) : result;
}

/* The same calls in all processes of the communicator, in the same order. */
static int simulate(MPI_Comm some, const char *path, uint64_t *hash)
{
    const weir_log log = {.write = print_message, .level = WEIR_LOG_WARNING};
    weir_comm *comm = NULL;
    weir_device *device = NULL;
    weir_scene *scene = NULL;
    weir_sim *sim = NULL;
    weir_device_def device_def = weir_device_def_default();
    weir_scene_def scene_def = weir_scene_def_default();
    device_def.log = scene_def.log = log;
    if (weir_comm_from_mpi(&log, &some, sizeof some, &comm) != WEIR_OK) return 1;
    weir_result result = weir_device_create(&device_def, &device);
    if (result == WEIR_OK) result = weir_scene_load(path, &scene_def, &scene);
    if (result == WEIR_OK) result = weir_sim_create_on_comm(device, scene, comm, &sim);
    if (result == WEIR_OK && sim) result = use_simulation(sim, hash);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
    weir_device_destroy(&device);
    return weir_comm_close(&comm, result == WEIR_OK ? 0 : 1, weir_result_name(result));
}

int main(int argc, char **argv)
{
    int provided, size, rank, status = 0;
    uint64_t hash = 0;
    MPI_Comm some;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int simulates = rank + 1 < size || size == 1;
    MPI_Comm_split(MPI_COMM_WORLD, simulates ? 0 : MPI_UNDEFINED, rank, &some);
    if (argc == 2 && simulates) status = simulate(some, argv[1], &hash);
    if (rank == 0 && size > 1) MPI_Send(&hash, 1, MPI_UINT64_T, size - 1, RESULT, MPI_COMM_WORLD);
    if (!simulates) MPI_Recv(&hash, 1, MPI_UINT64_T, 0, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == size - 1) printf("state %016llx\n", (unsigned long long)hash);
    if (simulates) MPI_Comm_free(&some);
    MPI_Finalize();
    return status;
}
