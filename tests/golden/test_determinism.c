/* The same scene gives the same bits: from run to run, on any number of threads, with any initial
 * capacities, across a stop and a resume, and under validation. Runs are compared with each other;
 * no hash is stored, because it depends on the driver. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, popen */
#include "io.h"
#include "scene_text.h"
#include "sim_support.h"

#include <unistd.h>

#define FRAMES 12u

/* The solvers: PBF with all of its features, a box that floats in the fluid, and a MAC grid. */
#define MOST_OVERRIDES 8
#define BOX                                                               \
    "bodies=[{\"name\": \"box\", \"density\": 400, \"shape\": {\"box\": " \
    "{\"size\": [0.16, 0.12, 0.16]}, \"position\": [0.2, 0.75, 0.2]}}]"
static const char *const by_pbf[MOST_OVERRIDES] = {BOX, NULL};
static const char *const by_apic[MOST_OVERRIDES] = {"solver.method=apic",
                                                    "solver.vorticity_confinement=0",
                                                    "solver.chebyshev_spectral_radius=0",
                                                    "fluids[1].density=1000",
                                                    "fluids[1].xsph=0",
                                                    NULL};
static const char *const *solver;

static gpu_device *device;
static const char *program;
static char folder[] = "/tmp/weir_golden_XXXXXX";
#define FOLDER_MARK 17 /* position of the first X */

/* Hashes after each frame. */
typedef struct trace {
    uint64_t at[FRAMES];
} trace;

static trace truth;

static void follow(sim_world *world, trace *t, uint32_t first, uint32_t last)
{
    for (uint32_t f = first; f < last; f++) {
        OK(sim_step(world, 0));
        OK(sim_hash(world, &t->at[f]));
    }
}

static trace run_all(gpu_device *on, const char *const *overrides, const grid_capacity *first,
                     uint32_t frames)
{
    trace t = {{0}};
    sim_world *world = NULL;
    scene_data *scene = make_scene(scene_text("determinism"), overrides);
    OK(sim_create_with_options(on, scene, &(sim_create_options){.initial_capacity = first},
                               &world));
    follow(world, &t, 0, frames);
    sim_destroy(&world);
    scene_destroy(&scene);
    return t;
}

static void assert_same(const trace *t, uint32_t first, uint32_t last)
{
    for (uint32_t f = first; f < last; f++)
        if (t->at[f] != truth.at[f])
            fail_msg("frame %u has state %016llx, expected %016llx", f + 1,
                     (unsigned long long)t->at[f], (unsigned long long)truth.at[f]);
}

static int open_all(void **state)
{
    memset(folder + FOLDER_MARK, 'X', 6); /* for a second run, too */
    if (!mkdtemp(folder)) return -1;
    device = open_gpu(solver == by_pbf);
    truth = run_all(device, solver, NULL, FRAMES);
    return 0;
}

static int close_all(void **state)
{
    rmdir(folder);
    return close_gpu(&device);
}

/* ---- equal hashes --------------------------------------------------------------------------- */

static void a_run_repeats_itself(void **state)
{
    trace again = run_all(device, solver, NULL, FRAMES);
    assert_same(&again, 0, FRAMES);
    for (uint32_t f = 1; f < FRAMES; f++)
        assert_true(truth.at[f] != truth.at[f - 1]);
}

static void frames_in_flight_do_not_matter(void **state)
{
    trace last = truth;
    scene_data *scene = make_scene(scene_text("determinism"), solver);
    sim_world *world = make_sim(device, scene);
    for (uint32_t f = 0; f < FRAMES; f++)
        OK(sim_step(world, 0));
    OK(sim_hash(world, &last.at[FRAMES - 1]));
    assert_same(&last, FRAMES - 1, FRAMES);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* Everything overflows at first: lists, cells, particles. */
static void the_first_capacities_do_not_matter(void **state)
{
    const grid_capacity tiny = {1, 8, 2}, ample = {20000, 256, 20000};
    trace small = run_all(device, solver, &tiny, FRAMES);
    assert_same(&small, 0, FRAMES);
    trace large = run_all(device, solver, &ample, FRAMES);
    assert_same(&large, 0, FRAMES);
}

/* Submits all frames at once, with at most two of them in flight and overflows at first; returns
 * the final state. */
static void growing_with_frames_in_flight_does_not_matter(void **state)
{
    const grid_capacity tiny = {1, 8, 2};
    trace t = truth;
    sim_world *world = NULL;
    scene_data *scene = make_scene(scene_text("determinism"), solver);
    OK(sim_create_with_options(device, scene, &(sim_create_options){.initial_capacity = &tiny},
                               &world));
    for (uint32_t f = 0; f < FRAMES; f++)
        OK(sim_step(world, 0));
    OK(sim_hash(world, &t.at[FRAMES - 1]));
    assert_true(solver == by_apic || grid_get_capacity(world->grid).list > tiny.list);
    assert_true(grid_get_capacity(world->grid).segments > tiny.segments);
    assert_true(grid_get_capacity(world->grid).particles > 1);
    assert_same(&t, 0, FRAMES);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* With a viscous fluid, which solves by dot products of all particles and bodies. */
static void the_size_of_workgroups_does_not_matter(void **state)
{
    static const uint32_t sizes[] = {32, 64, 128, 256};
    const char *viscous[MOST_OVERRIDES + 2] = {"fluids[1].dynamic_viscosity=20"};
    uint64_t first = 0;
    for (int i = 0; solver[i]; i++)
        viscous[i + 1] = solver[i];
    if (solver == by_apic) viscous[0] = "spacing=0.05"; /* one viscosity for bodies: refused */
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        gpu_device *other = NULL;
        weir_device_def def = test_device_def();
        def.workgroup_size = sizes[i];
        def.cache_folder = "";
        OK(gpu_device_create(&def, &other));
        trace t = run_all(other, viscous, NULL, 4);
        if (i == 0) first = t.at[3];
        if (t.at[3] != first)
            fail_msg("workgroups of %u: state %016llx, expected %016llx", sizes[i],
                     (unsigned long long)t.at[3], (unsigned long long)first);
        OK(close_gpu(&other));
    }
}

static void a_run_resumed_anywhere_goes_on_as_if_it_had_not_stopped(void **state)
{
    static const uint32_t stops[] = {1, 5, FRAMES - 1};
    char *path = base_path_join(folder, "state");
    for (size_t i = 0; i < BASE_COUNT(stops); i++) {
        trace t;
        scene_data *scene = make_scene(scene_text("determinism"), solver);
        sim_world *before = make_sim(device, scene), *after = NULL;
        follow(before, &t, 0, stops[i]);
        OK(sim_save(before, path, NULL));
        sim_destroy(&before);
        after = make_sim(device, scene);
        OK(sim_restore(after, path, NULL));
        uint64_t hash;
        OK(sim_hash(after, &hash));
        assert_true(hash == truth.at[stops[i] - 1]);
        follow(after, &t, stops[i], FRAMES);
        assert_same(&t, 0, FRAMES);
        sim_destroy(&after);
        scene_destroy(&scene);
    }
    OK(base_file_remove(NULL, path));
    base_free(path);
}

/* ---- the order of particles in a checkpoint ----------------------------------------------------
 */

#define GAUGES                                                                                 \
    "gauges=[{\"name\": \"push\", \"force\": {\"solid\": \"paddle\"}}, {\"name\": \"ball\", "  \
    "\"force\": {\"solid\": \"ball\"}}, {\"name\": \"p\", \"pressure\": {\"position\": [0.2, " \
    "0.1, "                                                                                    \
    "0.2], \"radius\": 0.15}}]"
#define SAVED_AT 8u /* frames; the paddle and the ball are pushed, and particles were removed */

/* What a frame shows besides its state: readings of the gauges, and statistics. */
typedef struct frame_record {
    uint64_t state;
    struct sim_statistics sums;
    float readings[4 * 3 * 4]; /* of 4 substeps and 3 gauges */
} frame_record;

static void record_frames(sim_world *world, frame_record *records, uint32_t first, uint32_t last)
{
    for (uint32_t f = first; f < last; f++) {
        OK(sim_step(world, 0));
        OK(sim_hash(world, &records[f].state));
        records[f].sums = world->last_result.sums;
        assert_int_equal(sim_reading_bytes(world), sizeof records[f].readings);
        memcpy(records[f].readings, world->readings, sizeof records[f].readings);
    }
}

/* Writes the elements of a block, `size` bytes each, in another order. */
static void permute(io_block_file *file, const char *tag, size_t size)
{
    for (size_t b = 0; b < file->count; b++) {
        io_block *block = &file->blocks[b];
        const size_t count = (size_t)block->size / size, step = 7919;
        if (strcmp(block->tag, tag) != 0 || count == 0) continue;
        assert_int_equal(block->size % size, 0);
        assert_true(count % step != 0);
        uint8_t *permuted = base_alloc(count, size);
        assert_non_null(permuted);
        for (size_t k = 0; k < count; k++)
            memcpy(permuted + (k * step + 11) % count * size,
                   (const uint8_t *)block->bytes + k * size, size);
        memcpy((void *)(uintptr_t)block->bytes, permuted, count * size);
        base_free(permuted);
    }
}

static void permute_checkpoint(const char *path)
{
    io_block_file file;
    OK(io_block_file_read(NULL, path, "weirsim", &file));
    permute(&file, "x", sizeof(ivec4));
    permute(&file, "v", sizeof(vec4));
    permute(&file, "ids", sizeof(uint32_t));
    permute(&file, "affine", 3 * sizeof(vec4));
    OK(io_block_file_write(NULL, path, "weirsim", file.blocks, file.count));
    io_block_file_free(&file);
}

static void assert_ids_ascend(const char *path)
{
    io_block_file file;
    OK(io_block_file_read(NULL, path, "weirsim", &file));
    const io_block *ids = io_block_find(file.blocks, file.count, "ids");
    assert_true(ids && ids->size > 1000);
    for (size_t k = 4; k < ids->size; k += 4) {
        uint32_t pair[2];
        memcpy(pair, (const uint8_t *)ids->bytes + k - 4, sizeof pair);
        assert_true(pair[0] < pair[1]);
    }
    io_block_file_free(&file);
}

static void the_order_of_particles_in_a_checkpoint_does_not_matter(void **state)
{
    frame_record expected[FRAMES], got[FRAMES];
    char *path = base_path_join(folder, "state");
    const char *measured[MOST_OVERRIDES + 2] = {"solver.chebyshev_spectral_radius=0", GAUGES};
    for (int i = 0; solver[i]; i++)
        measured[i + 2] = solver[i];
    scene_data *scene = make_scene(scene_text("determinism"), measured);
    sim_world *world = make_sim(device, scene), *resumed = make_sim(device, scene);
    record_frames(world, expected, 0, SAVED_AT);
    OK(sim_save(world, path, NULL));
    record_frames(world, expected, SAVED_AT, FRAMES);
    assert_ids_ascend(path);
    permute_checkpoint(path);
    OK(sim_restore(resumed, path, NULL));
    record_frames(resumed, got, SAVED_AT, FRAMES);
    for (uint32_t f = SAVED_AT; f < FRAMES; f++) {
        assert_true(got[f].state == expected[f].state);
        assert_memory_equal(&got[f].sums, &expected[f].sums, sizeof got[f].sums);
        assert_memory_equal(got[f].readings, expected[f].readings, sizeof got[f].readings);
    }
    float *r = expected[SAVED_AT].readings; /* both forces and the pressure are there */
    print_message("  %g N, %g N, %g Pa\n", (double)r[1], (double)r[5], (double)r[8]);
    assert_true(r[1] != 0.0f && r[5] != 0.0f && r[8] != 0.0f);
    sim_destroy(&world);
    sim_destroy(&resumed);
    scene_destroy(&scene);
    OK(base_file_remove(NULL, path));
    base_free(path);
}

/* ---- threads and validation ------------------------------------------------------------------ */

/* The driver reads LP_NUM_THREADS once, so each thread count needs its own process: this program,
 * which prints its hashes when it receives an argument. */
static trace run_with_threads(uint32_t threads)
{
    trace t = {{0}};
    char *command = base_format("LP_NUM_THREADS=%u '%s' test_determinism %s", threads, program,
                                solver == by_apic ? "apic" : "pbf");
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    for (uint32_t f = 0; f < FRAMES; f++) {
        unsigned long long hash = 0;
        assert_int_equal(fscanf(pipe, "%llx", &hash), 1);
        t.at[f] = hash;
    }
    assert_int_equal(pclose(pipe), 0);
    base_free(command);
    return t;
}

static void the_number_of_threads_does_not_matter(void **state)
{
    static const uint32_t threads[] = {1, 2, 8};
    for (size_t i = 0; i < BASE_COUNT(threads); i++) {
        trace t = run_with_threads(threads[i]);
        assert_same(&t, 0, FRAMES);
    }
}

/* All other tests of PBF here run under validation, and close_all fails on a message. */
static void validation_changes_nothing(void **state)
{
    gpu_device *plain = open_gpu(false);
    trace t = run_all(plain, solver, NULL, FRAMES);
    assert_same(&t, 0, FRAMES);
    assert_int_equal(close_gpu(&plain), 0);
}

/* ---- different hashes ----------------------------------------------------------------------- */

static void assert_differs(const char *override)
{
    const char *overrides[MOST_OVERRIDES] = {NULL};
    size_t count = 0;
    for (; solver[count]; count++)
        overrides[count] = solver[count];
    overrides[count] = override; /* comes last, because it may override one of the others */
    trace t = run_all(device, overrides, NULL, FRAMES);
    if (t.at[FRAMES - 1] == truth.at[FRAMES - 1])
        fail_msg("%s leaves the state as it was", override);
}

/* The inputs that the hash must depend on. */
static void another_scene_has_another_state(void **state)
{
    assert_differs("fluids[0].fill.seed=2");
    if (solver == by_pbf) assert_differs("fluids[0].density=1001");
    assert_differs(solver == by_pbf ? "solver.relaxation=0.6500001" : "solver.grid_cell_size=2.1");
    assert_differs("solids[1].shape.position=[0.75,0.1001,0.2]");
    if (solver == by_pbf) assert_differs("bodies[0].density=401");
    assert_differs("emitters[0].speed=6.001");
    assert_differs("frame_rate=60.001");
}

static int print_hashes(void)
{
    for (uint32_t f = 0; f < FRAMES; f++)
        printf("%016llx\n", (unsigned long long)truth.at[f]);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_repeats_itself),
        cmocka_unit_test(frames_in_flight_do_not_matter),
        cmocka_unit_test(the_first_capacities_do_not_matter),
        cmocka_unit_test(growing_with_frames_in_flight_does_not_matter),
        cmocka_unit_test(the_size_of_workgroups_does_not_matter),
        cmocka_unit_test(a_run_resumed_anywhere_goes_on_as_if_it_had_not_stopped),
        cmocka_unit_test(the_order_of_particles_in_a_checkpoint_does_not_matter),
        cmocka_unit_test(the_number_of_threads_does_not_matter),
        cmocka_unit_test(another_scene_has_another_state),
        cmocka_unit_test(validation_changes_nothing),
    };
    program = argv[0];
    solver = argc > 1 && strcmp(argv[1], "apic") == 0 ? by_apic : by_pbf;
    if (argc > 1) return open_all(NULL) | print_hashes() | close_all(NULL);
    int failed = cmocka_run_group_tests_name("PBF", tests, open_all, close_all);
    solver = by_apic;
    return failed + cmocka_run_group_tests_name("APIC", tests, open_all, close_all);
}
