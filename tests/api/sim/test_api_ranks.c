/* Simulations on several devices through the public API: weir/ranks.h, and weir/comm.h without a
 * launcher; tests/cli/run/test_run_mpi.py has those with one. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "weir/comm.h"

#include <stdlib.h>

#define RANKS 3u
#define SCENE(more)                                                                              \
    "{\"spacing\": 0.05, \"domain\": {\"min\": [0, 0, 0], \"max\": [2, 0.5, 0.3]}, \"fluids\": " \
    "[{\"name\": \"water\", \"fill\": {\"shape\": {\"box\": {\"min\": [0, 0, 0], \"max\": [1, "  \
    "0.3, 0.3]}}}}]" more "}"

static fixture one; /* its device is that of rank 0 */
static weir_device *devices[RANKS];

static weir_result create(const char *scene, uint32_t ranks)
{
    use_scene(&one, scene);
    logged[0] = '\0';
    return weir_sim_create_on_ranks(devices, ranks, one.scene, &one.sim);
}

static void ranks_have_the_results_of_a_single_device(void **state)
{
    uint64_t hashes[2];
    weir_stats stats[2];
    for (uint32_t k = 0; k < 2; k++) {
        assert_int_equal(create(SCENE(""), k == 0 ? 1 : RANKS), WEIR_OK);
        step_frames(one.sim, 5);
        assert_int_equal(weir_sim_get_state_hash(one.sim, &hashes[k]), WEIR_OK);
        assert_int_equal(weir_sim_get_stats(one.sim, &stats[k]), WEIR_OK);
        assert_int_equal(weir_sim_wait(one.sim), WEIR_OK);
    }
    assert_true(hashes[0] == hashes[1]);
    assert_int_equal(stats[0].particle_count, stats[1].particle_count);
    assert_true(stats[0].kinetic_energy_j == stats[1].kinetic_energy_j);
    assert_true(stats[0].density_error_mean == stats[1].density_error_mean);
}

static void assert_refused(const char *scene, uint32_t ranks, weir_result expected,
                           const char *words)
{
    assert_int_equal(create(scene, ranks), expected);
    assert_null(one.sim);
    if (!strstr(logged, words)) fail_msg("expected \"%s\":\n%s", words, logged);
}

static void what_ranks_cannot_simulate_is_refused_by_name(void **state)
{
    static const struct {
        const char *scene, *words;
    } cases[] = {
        {SCENE(
             ", \"bodies\": [{\"name\": \"box\", \"density\": 500, \"shape\": {\"box\": {\"min\": "
             "[1.2, 0.2, 0.1], \"max\": [1.4, 0.4, 0.2]}}}]"),
         "bodies with 3 ranks"},
        {SCENE(", \"solver\": {\"method\": \"flip\"}"), "solver.method flip or apic with 3 ranks"},
        {SCENE(", \"attributes\": [{\"name\": \"dye\"}]"), "attributes of particles with 3 ranks"},
        {SCENE(", \"whitewater\": {}"), "whitewater with 3 ranks"},
    };
    for (size_t i = 0; i < BASE_COUNT(cases); i++)
        assert_refused(cases[i].scene, RANKS, WEIR_ERROR_UNSUPPORTED, cases[i].words);
}

static void more_ranks_than_fit_are_refused(void **state)
{
    assert_refused(
        "{\"spacing\": 0.05, \"domain\": {\"min\": [0, 0, 0], \"max\": [1.1, 0.5, 0.3]}, "
        "\"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\": {\"min\": [0, 0, "
        "0], \"max\": [1, 0.3, 0.3]}}}}]}",
        RANKS, WEIR_ERROR_SCENE, "3 ranks do not fit");
    assert_non_null(strstr(logged, "use at most 2 ranks"));
}

static void devices_must_differ(void **state)
{
    weir_device *twice[2] = {devices[0], devices[0]}, *none[2] = {devices[0], NULL};
    use_scene(&one, SCENE(""));
    assert_int_equal(weir_sim_create_on_ranks(twice, 2, one.scene, &one.sim), WEIR_ERROR_ARGUMENT);
    assert_non_null(strstr(logged, "contains one twice"));
    assert_int_equal(weir_sim_create_on_ranks(none, 2, one.scene, &one.sim), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_create_on_ranks(devices, 0, one.scene, &one.sim),
                     WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_create_on_ranks(devices, 65, one.scene, &one.sim),
                     WEIR_ERROR_ARGUMENT);
}

#define DRIVEN                                                                                 \
    ", \"solids\": [{\"name\": \"piston\", \"motion\": {\"host_driven\": true}, \"shape\": "   \
    "{\"box\": {\"size\": [0.1, 0.5, 0.3]}}}], \"emitters\": [{\"name\": \"jet\", \"fluid\": " \
    "\"water\", \"position\": [1.2, 0.4, 0.15], \"direction\": [1, 0, 0], \"radius\": 0.08, "  \
    "\"speed\": 2, \"motion\": {\"host_driven\": true}}]"

/* A piston pushes the fluid across the cuts, and the jet moves to another rank. */
static void host_driven_solids_and_emitters_have_the_bits_of_one_rank(void **state)
{
    uint64_t hashes[2];
    weir_emitter outlet = {.position = {0.4f, 0.4f, 0.15f},
                           .direction = {-1, 0, 0},
                           .up = {0, 1, 0},
                           .speed = 3,
                           .open = true,
                           .teleport = true},
                 found;
    for (uint32_t k = 0; k < 2; k++) {
        weir_solid_pose pose = {.position = {1.2f, 0.25f, 0.15f}, .rotation = {0, 0, 0, 1}};
        assert_int_equal(create(SCENE(DRIVEN), k == 0 ? 1 : RANKS), WEIR_OK);
        pose.teleport = true;
        for (int frame = 0; frame < 10; frame++, pose.teleport = false) {
            assert_int_equal(weir_sim_set_solid(one.sim, "piston", &pose), WEIR_OK);
            if (frame == 4)
                assert_int_equal(weir_sim_set_emitter(one.sim, "jet", &outlet), WEIR_OK);
            step_frames(one.sim, 1);
            pose.position[0] -= 0.02f;
        }
        assert_int_equal(weir_sim_get_emitter(one.sim, "jet", &found), WEIR_OK);
        assert_true(found.speed == 3);
        assert_int_equal(weir_sim_get_state_hash(one.sim, &hashes[k]), WEIR_OK);
    }
    assert_true(hashes[0] == hashes[1]);
    assert_int_equal(weir_sim_set_solid(one.sim, "pistn", &(weir_solid_pose){0}),
                     WEIR_ERROR_ARGUMENT);
}

static void ranks_are_described(void **state)
{
    weir_rank_info ranks[4] = {{0}};
    uint32_t count = 0, all;
    assert_int_equal(create(SCENE(""), 3), WEIR_OK);
    step_frames(one.sim, 1);
    assert_int_equal(weir_sim_get_ranks(one.sim, NULL, &count), WEIR_OK);
    assert_int_equal(count, 3);
    count = 2; /* fewer than there are */
    assert_int_equal(weir_sim_get_ranks(one.sim, ranks, &count), WEIR_OK);
    assert_int_equal(count, 3);
    assert_int_equal(ranks[2].particles, 0);
    count = 4;
    assert_int_equal(weir_sim_get_ranks(one.sim, ranks, &count), WEIR_OK);
    assert_int_equal(weir_sim_get_particle_count(one.sim, &all), WEIR_OK);
    assert_int_equal(ranks[0].particles + ranks[1].particles + ranks[2].particles, all);
    assert_true(ranks[1].messages > ranks[0].messages && ranks[1].bytes_sent > 0);
    assert_int_equal(create(SCENE(""), 1), WEIR_OK);
    assert_int_equal(weir_sim_get_ranks(one.sim, ranks, &count), WEIR_OK);
    assert_int_equal(count, 1);
    assert_int_equal(ranks[0].messages, 0);
    assert_int_equal(weir_sim_get_ranks(one.sim, ranks, NULL), WEIR_ERROR_ARGUMENT);
}

static void other_functions_say_that_they_need_a_single_device(void **state)
{
    weir_points *points;
    weir_pass_time times;
    uint32_t count = 1;
    float velocity[3] = {0};
    const weir_sim_controls controls = {0};
    assert_int_equal(create(SCENE(""), 2), WEIR_OK);
    weir_sim *sim = one.sim;
    assert_int_equal(weir_sim_acquire_points(sim, &points), WEIR_ERROR_UNSUPPORTED);
    assert_null(points);
    assert_int_equal(weir_sim_set_controls(sim, &controls), WEIR_ERROR_UNSUPPORTED);
    assert_int_equal(weir_sim_get_pass_times(sim, &times, &count), WEIR_ERROR_UNSUPPORTED);
    assert_int_equal(weir_sim_write_field(sim, WEIR_FIELD_VELOCITY, velocity, sizeof velocity),
                     WEIR_ERROR_UNSUPPORTED);
    assert_non_null(strstr(logged,
                           "weir_sim_write_field does not work with a simulation on several "
                           "devices"));
    step_frames(sim, 1);
}

static void meshes_of_a_run_are_refused(void **state)
{
    weir_output *output;
    weir_output_def def = weir_output_def_default();
    def.folder = "/tmp/weir_no_such_run";
    def.log = kept_log();
    def.mesh = true;
    assert_int_equal(create(SCENE(""), 2), WEIR_OK);
    assert_int_equal(weir_output_create(&def, one.sim, &output), WEIR_ERROR_UNSUPPORTED);
}

static void a_process_without_a_launcher_has_no_job(void **state)
{
    const weir_log log = kept_log();
    weir_comm *comm = (weir_comm *)&log;
    weir_sim *sim = (weir_sim *)&log;
    uint32_t value = 0;
    const char *const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
    for (size_t i = 0; i < BASE_COUNT(variables); i++)
        unsetenv(variables[i]);
    logged[0] = '\0';
    assert_int_equal(weir_comm_launched(NULL), 0);
    assert_int_equal(weir_comm_open_mpi(&log, &comm), WEIR_ERROR_UNSUPPORTED);
    assert_null(comm);
    assert_non_null(strstr(logged, "no MPI launcher has started this process"));
    assert_int_equal(weir_comm_open_mpi(&log, NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_comm_from_mpi(&log, NULL, 8, &comm), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_comm_from_mpi(&log, &value, 3, &comm), WEIR_ERROR_ARGUMENT);
    assert_non_null(strstr(logged, "`mpi_comm_size` must be sizeof(MPI_Comm)"));
    assert_int_equal(weir_comm_broadcast(NULL, &value), WEIR_ERROR_ARGUMENT);
    use_scene(&one, SCENE(""));
    assert_int_equal(weir_sim_create_on_comm(devices[0], one.scene, NULL, &sim),
                     WEIR_ERROR_ARGUMENT);
    assert_null(sim);
    assert_int_equal(weir_comm_close(&comm, 3, NULL), 3);
}

static void the_module_of_the_launcher_is_named(void **state)
{
    const weir_log log = kept_log();
    weir_comm *comm;
    setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
    setenv("OMPI_COMM_WORLD_RANK", "0", 1);
    setenv("WEIR_MPI_MODULE", "none", 1);
    logged[0] = '\0';
    uint32_t rank = 9;
    assert_int_equal(weir_comm_launched(&rank), 4);
    assert_int_equal(rank, 0);
    assert_int_equal(weir_comm_open_mpi(&log, &comm), WEIR_ERROR_UNSUPPORTED);
    assert_non_null(strstr(logged, "Open MPI has started this process, but its module "
                                   "libweir-mpi-none.so cannot be used"));
    logged[0] = '\0';
    setenv("OMPI_COMM_WORLD_RANK", "1", 1); /* rank 0 has said it */
    assert_int_equal(weir_comm_open_mpi(&log, &comm), WEIR_ERROR_UNSUPPORTED);
    assert_string_equal(logged, "");
    unsetenv("OMPI_COMM_WORLD_SIZE");
    unsetenv("OMPI_COMM_WORLD_RANK");
    unsetenv("WEIR_MPI_MODULE");
}

static int open_all(void **state)
{
    fixture f = {0};
    for (uint32_t r = 0; r < RANKS; r++, f.device = NULL) {
        open_device(&f);
        devices[r] = f.device;
    }
    one.device = devices[0];
    return 0;
}

static int close_all(void **state)
{
    weir_sim_destroy(&one.sim);
    weir_scene_destroy(&one.scene);
    for (uint32_t r = 0; r < RANKS; r++)
        weir_device_destroy(&devices[r]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_have_the_results_of_a_single_device),
        cmocka_unit_test(what_ranks_cannot_simulate_is_refused_by_name),
        cmocka_unit_test(more_ranks_than_fit_are_refused),
        cmocka_unit_test(devices_must_differ),
        cmocka_unit_test(host_driven_solids_and_emitters_have_the_bits_of_one_rank),
        cmocka_unit_test(ranks_are_described),
        cmocka_unit_test(other_functions_say_that_they_need_a_single_device),
        cmocka_unit_test(meshes_of_a_run_are_refused),
        cmocka_unit_test(a_process_without_a_launcher_has_no_job),
        cmocka_unit_test(the_module_of_the_launcher_is_named),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
