/* Lists with a skin: made anew when the state says so, never when the clock or a capacity does.
 * Runs are compared with each other, as in test_determinism. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, popen */
#include "sim_support.h"

#include <unistd.h>

#define FRAMES 8u

/* A pool that comes to rest, with a ball in it; from the fifth frame on a jet disturbs it. */
static const char text[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [0.8, 0.8, 0.4]},"
    " 'solver': {'substeps': 8, 'iterations': 2, 'skin': 0.2, 'freeze_gradients': true},"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
    "'min': [0, 0, 0], 'max': [0.8, 0.3, 0.4]}}, 'jitter': 0.1}}],"
    " 'solids': [{'name': 'ball', 'shape': {'sphere': {'radius': 0.1}, 'position': [0.6, 0.43, "
    "0.2]}}],"
    " 'emitters': [{'name': 'jet', 'fluid': 'water', 'position': [0.3, 0.6, 0.2], 'start': 0.075,"
    " 'direction': [0, -1, 0], 'up': [0, 0, 1], 'radius': 0.08, 'speed': 2}]}";

static gpu_device *device;
static const char *program;
static char folder[] = "/tmp/weir_skin_XXXXXX";

/* Hashes after each frame, and whether its last substep kept the lists. */
typedef struct trace {
    uint64_t at[FRAMES];
    bool kept[FRAMES];
} trace;

static trace truth;

static void follow(sim_world *world, trace *t, uint32_t first, uint32_t last)
{
    for (uint32_t f = first; f < last; f++) {
        OK(sim_step(world, 0));
        OK(sim_hash(world, &t->at[f]));
        t->kept[f] = world->last.state.kept != 0;
    }
}

static trace run_all(gpu_device *on, const char *const *overrides, const grid_capacity *first)
{
    trace t = {.at = {0}};
    sim_world *world = NULL;
    scene_data *scene = make_scene(text, overrides);
    OK(sim_create_sized(on, scene, first, &world));
    follow(world, &t, 0, FRAMES);
    sim_destroy(&world);
    scene_destroy(&scene);
    return t;
}

static void assert_same(const trace *t)
{
    for (uint32_t f = 0; f < FRAMES; f++)
        if (t->at[f] != truth.at[f] || t->kept[f] != truth.kept[f])
            fail_msg("frame %u has state %016llx (%d), expected %016llx (%d)", f + 1,
                     (unsigned long long)t->at[f], t->kept[f], (unsigned long long)truth.at[f],
                     truth.kept[f]);
}

static int open_all(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    device = open_gpu(false); /* test_parity keeps lists under validation */
    truth = run_all(device, NULL, NULL);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    rmdir(folder);
    return close_gpu(&device);
}

/* ---- equal ---------------------------------------------------------------------------------- */

static void lists_are_kept_in_some_substeps_and_not_in_others(void **state)
{
    (void)state;
    uint32_t kept = 0;
    for (uint32_t f = 0; f < FRAMES; f++)
        kept += truth.kept[f];
    print_message("  kept at the end of %u of %u frames\n", kept, FRAMES);
    assert_true(kept > 0 && kept < FRAMES);
}

static void the_first_capacities_do_not_matter(void **state)
{
    (void)state;
    const grid_capacity tiny = {1, 8, 2}, ample = {20000, 256, 20000};
    trace small = run_all(device, NULL, &tiny);
    assert_same(&small);
    trace large = run_all(device, NULL, &ample);
    assert_same(&large);
}

static void a_run_resumed_anywhere_goes_on_as_if_it_had_not_stopped(void **state)
{
    (void)state;
    char *path = base_path_join(folder, "state");
    for (uint32_t stop = 1; stop < FRAMES; stop += 2) {
        trace t;
        scene_data *scene = make_scene(text, NULL);
        sim_world *before = make_sim(device, scene), *after = make_sim(device, scene);
        follow(before, &t, 0, stop);
        OK(sim_save(before, path));
        OK(sim_step(after, 0)); /* leaves lists behind that are of no use */
        OK(sim_restore(after, path));
        follow(after, &t, stop, FRAMES);
        assert_same(&t);
        sim_destroy(&before);
        sim_destroy(&after);
        scene_destroy(&scene);
    }
    OK(base_file_remove(NULL, path));
    base_free(path);
}

static trace run_with_threads(uint32_t threads)
{
    trace t = truth;
    char *command = base_format("LP_NUM_THREADS=%u '%s' hashes", threads, program);
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
    (void)state;
    static const uint32_t threads[] = {1, 2, 8};
    for (size_t i = 0; i < BASE_COUNT(threads); i++) {
        trace t = run_with_threads(threads[i]);
        assert_same(&t);
    }
}

/* What is kept of the distances is only what can be looked up again. */
static void forgetting_the_way_to_the_solids_changes_nothing(void **state)
{
    (void)state;
    trace t;
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    for (uint32_t f = 0; f < FRAMES; f++) {
        follow(world, &t, f, f + 1);
        OK(sim_forget_solids(world));
    }
    assert_same(&t);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* ---- not equal ------------------------------------------------------------------------------ */

/* The sums run in another order, over the same neighbours. */
static void the_fluid_is_that_of_a_run_without_a_skin(void **state)
{
    (void)state;
    static const char *const without[] = {"solver.skin=0", NULL};
    uint32_t count[2];
    vec3 *x[2];
    for (int k = 0; k < 2; k++) {
        scene_data *scene = make_scene(text, k ? without : NULL);
        sim_world *world = make_sim(device, scene);
        run_frames(world, 1);
        x[k] = read_vectors(world, WEIR_FIELD_POSITION, &count[k]);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
    assert_int_equal(count[0], count[1]);
    float worst = 0.0f;
    for (uint32_t i = 0; i < count[0]; i++)
        worst = fmaxf(worst, vec3_length(vec3_sub(x[0][i], x[1][i])));
    print_message("  %.2g d apart after a frame\n", (double)worst / 0.05);
    assert_true(worst < 1e-3f * 0.05f);
    base_free(x[0]);
    base_free(x[1]);
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
        cmocka_unit_test(lists_are_kept_in_some_substeps_and_not_in_others),
        cmocka_unit_test(the_first_capacities_do_not_matter),
        cmocka_unit_test(a_run_resumed_anywhere_goes_on_as_if_it_had_not_stopped),
        cmocka_unit_test(the_number_of_threads_does_not_matter),
        cmocka_unit_test(forgetting_the_way_to_the_solids_changes_nothing),
        cmocka_unit_test(the_fluid_is_that_of_a_run_without_a_skin),
    };
    program = argv[0];
    if (argc > 1) return open_all(NULL) | print_hashes() | close_all(NULL);
    return cmocka_run_group_tests(tests, open_all, close_all);
}
