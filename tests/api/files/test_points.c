/* Points: particles that a simulation or the host passes to the mesher and the renderer. */
#define _POSIX_C_SOURCE 200809L
#include "api_internal.h"

#include "api_support.h"

#define ROOM 1024u
#define DRAINING                                                                           \
    "{\"name\": \"draining\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]}," \
    " \"frame_rate\": 60, \"duration\": 0.1, \"spacing\": 0.05,"                           \
    " \"solver\": {\"substeps\": 2, \"iterations\": 2},"                                   \
    " \"sinks\": [{\"name\": \"hole\", \"shape\": {\"box\":"                               \
    " {\"min\": [0.1, 0, 0.1], \"max\": [0.2, 0.12, 0.2]}}}],"                             \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"                  \
    " {\"min\": [0, 0, 0], \"max\": [0.3, 0.25, 0.3]}}}}]}"

static void download(weir_points *points, gpu_buffer *buffer, uint32_t stride, void *out)
{
    assert_true(points->slot.points.count <= ROOM);
    assert_int_equal(gpu_buffer_download(points->device->gpu, buffer, 0, out,
                                         (uint64_t)points->slot.points.count * stride),
                     WEIR_OK);
}

/* Points are in the device's order; ids identify the particles. */
static void assert_same_particles(weir_sim *sim, weir_points *points)
{
    static float position[ROOM][4], velocity[ROOM][4], x[ROOM][3], v[ROOM][3];
    static float density[ROOM], rho[ROOM];
    static uint32_t id[ROOM], fluid[ROOM];
    uint32_t count = points->slot.points.count, expected;
    assert_int_equal(weir_sim_get_particle_count(sim, &expected), WEIR_OK);
    assert_int_equal(count, expected);
    download(points, points->slot.points.position, 16, position);
    download(points, points->slot.points.velocity, 16, velocity);
    download(points, points->slot.points.id, 4, id);
    download(points, points->slot.points.fluid, 4, fluid);
    download(points, points->slot.points.density, 4, density);
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_POSITION, x, count * 12u), WEIR_OK);
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_VELOCITY, v, count * 12u), WEIR_OK);
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_DENSITY, rho, count * 4u), WEIR_OK);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(id[i] < count); /* no particle was lost */
        assert_memory_equal(position[i], x[id[i]], 12);
        assert_memory_equal(velocity[i], v[id[i]], 12);
        assert_true(position[i][3] == 1.0f && velocity[i][3] == 0.0f);
        assert_true(density[i] == rho[id[i]] && density[i] > 500.0f);
        assert_int_equal(fluid[i], 0);
    }
}

/* Asserts the same where ids have gaps: `ids` [count] are sorted. */
static void assert_fields_by_id(weir_sim *sim, weir_points *points, const uint32_t *ids)
{
    static float position[ROOM][4], velocity[ROOM][4], x[ROOM][3], v[ROOM][3];
    static uint32_t id[ROOM], fluid[ROOM];
    uint32_t count = points->slot.points.count;
    download(points, points->slot.points.position, 16, position);
    download(points, points->slot.points.velocity, 16, velocity);
    download(points, points->slot.points.id, 4, id);
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_POSITION, x, count * 12u), WEIR_OK);
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_VELOCITY, v, count * 12u), WEIR_OK);
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_FLUID, fluid, count * 4u), WEIR_OK);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rank = 0;
        while (ids[rank] != id[i])
            rank++;
        assert_memory_equal(position[i], x[rank], 12);
        assert_memory_equal(velocity[i], v[rank], 12);
        assert_int_equal(fluid[rank], 0);
    }
}

static void test_acquired_points_are_the_last_finished_frame(void **state)
{
    fixture *f = *state;
    weir_points *points = NULL;
    for (int frame = 0; frame < 2; frame++) {
        assert_int_equal(weir_sim_step(f->sim, 0), WEIR_OK);
        assert_int_equal(weir_sim_acquire_points(f->sim, &points), WEIR_OK);
        assert_true(points->slot.points.spacing_m == 0.05f &&
                    points->slot.points.radius_m == 2.1f * 0.05f);
        assert_same_particles(f->sim, points);
        weir_points_release(&points);
        assert_null(points);
    }
}

static void test_points_hold_still_while_the_simulation_goes_on(void **state)
{
    fixture *f = *state;
    weir_points *points = NULL;
    static float before[ROOM][4], after[ROOM][4];
    assert_int_equal(weir_sim_acquire_points(f->sim, &points), WEIR_OK);
    download(points, points->slot.points.position, 16, before);
    assert_int_equal(weir_sim_step(f->sim, 0), WEIR_OK);
    assert_int_equal(weir_sim_wait(f->sim), WEIR_OK);
    download(points, points->slot.points.position, 16, after);
    assert_memory_equal(before, after, points->slot.points.count * 16u);
    weir_points_release(&points);
}

static void test_a_loop_of_acquire_and_release_takes_no_memory(void **state)
{
    fixture *f = *state;
    weir_points *points = NULL;
    assert_int_equal(weir_sim_acquire_points(f->sim, &points), WEIR_OK);
    weir_points_release(&points);
    uint64_t used = gpu_device_memory_used(f->device->gpu);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(weir_sim_acquire_points(f->sim, &points), WEIR_OK);
        weir_points_release(&points);
    }
    assert_int_equal(gpu_device_memory_used(f->device->gpu), used);
}

static void test_points_outlive_their_simulation(void **state)
{
    fixture *f = *state;
    weir_points *points = NULL;
    static float position[ROOM][4];
    weir_sim_destroy(&f->sim);
    uint64_t used = gpu_device_memory_used(f->device->gpu);
    assert_int_equal(weir_sim_create(f->device, f->scene, &f->sim), WEIR_OK);
    assert_int_equal(weir_sim_acquire_points(f->sim, &points), WEIR_OK);
    weir_sim_destroy(&f->sim);
    download(points, points->slot.points.position, 16, position);
    assert_true(position[0][3] == 1.0f);
    weir_points_release(&points);
    assert_int_equal(gpu_device_memory_used(f->device->gpu), used);
}

static void test_points_from_the_host_hold_what_they_were_given(void **state)
{
    fixture *f = *state;
    static const float x[6] = {1, 2, 3, 4, 5, 6};
    static const uint32_t id[2] = {9, 4};
    float position[2][4];
    weir_points *points = NULL;
    weir_points_def def = weir_points_def_default();
    def.count = 2;
    def.spacing_m = 0.1f;
    def.position = x;
    def.id = id;
    assert_int_equal(weir_points_create(f->device, &def, &points), WEIR_OK);
    download(points, points->slot.points.position, 16, position);
    assert_memory_equal(position[0], x, 12);
    assert_memory_equal(position[1], x + 3, 12);
    assert_true(position[1][3] == 1.0f && points->slot.points.radius_m == 0.2f);
    assert_null(points->slot.points.velocity);
    weir_points_release(&points);
}

static void test_faulty_points_are_refused(void **state)
{
    fixture *f = *state;
    const float x[3] = {1, NAN, 3};
    weir_points *points = NULL;
    weir_points_def def = {0};
    assert_int_equal(weir_points_create(f->device, &def, &points), WEIR_ERROR_ARGUMENT);
    assert_logged("weir_points_def_default");
    def = weir_points_def_default();
    def.count = 1;
    assert_int_equal(weir_points_create(f->device, &def, &points), WEIR_ERROR_ARGUMENT);
    assert_logged("position");
    def.position = x;
    assert_int_equal(weir_points_create(f->device, &def, &points), WEIR_ERROR_ARGUMENT);
    assert_logged("spacing_m");
    def.spacing_m = 0.1f;
    assert_int_equal(weir_points_create(f->device, &def, &points), WEIR_ERROR_ARGUMENT);
    assert_logged("position[1]");
    assert_null(points);
}

/* A jet emits particles and a sink removes them, so the remaining ids have gaps beyond the first
   words of the bit set. Fields are read in the order of ids, and again after a step. */
static void test_fields_are_read_in_the_order_of_ids(void **state)
{
    fixture *f = *state;
    static uint32_t ids[ROOM], before[ROOM];
    uint32_t count = 0, gaps = 0;
    const weir_sim_controls controls = {
        .hose = {.position = {0.1f, 0.4f, 0.15f}, .direction = {0, -1, 0}, .speed = 3}};
    weir_points *points = NULL;
    weir_sim_destroy(&f->sim);
    weir_scene_destroy(&f->scene);
    assert_int_equal(parse_scene(DRAINING, &f->scene), WEIR_OK);
    assert_int_equal(weir_sim_create(f->device, f->scene, &f->sim), WEIR_OK);
    assert_int_equal(weir_sim_set_controls(f->sim, &controls), WEIR_OK);
    for (int frame = 0; frame < 4; frame++) {
        assert_int_equal(weir_sim_step(f->sim, 0), WEIR_OK);
        assert_int_equal(weir_sim_get_particle_count(f->sim, &count), WEIR_OK);
        assert_true(count > 0 && count <= ROOM);
        assert_int_equal(weir_sim_read_field(f->sim, WEIR_FIELD_ID, ids, count * 4u), WEIR_OK);
        for (uint32_t i = 1; i < count; i++) {
            assert_true(ids[i] > ids[i - 1]);
            gaps += ids[i] > ids[i - 1] + 1;
        }
        assert_int_equal(weir_sim_read_field(f->sim, WEIR_FIELD_ID, before, count * 4u), WEIR_OK);
        assert_memory_equal(ids, before, count * 4u);
        assert_int_equal(weir_sim_acquire_points(f->sim, &points), WEIR_OK);
        assert_fields_by_id(f->sim, points, ids);
        weir_points_release(&points);
    }
    assert_true(gaps > 0);
    assert_true(ids[count - 1] > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_acquired_points_are_the_last_finished_frame,
                                        open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(test_points_hold_still_while_the_simulation_goes_on,
                                        open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(test_a_loop_of_acquire_and_release_takes_no_memory,
                                        open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(test_points_outlive_their_simulation, open_fixture,
                                        close_fixture),
        cmocka_unit_test_setup_teardown(test_points_from_the_host_hold_what_they_were_given,
                                        open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(test_fields_are_read_in_the_order_of_ids, open_fixture,
                                        close_fixture),
        cmocka_unit_test_setup_teardown(test_faulty_points_are_refused, open_fixture,
                                        close_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
