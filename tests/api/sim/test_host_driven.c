/* Solids and particles that the caller moves; fluid collides with these solids as with those
   that the scene moves. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "weir/sim.h"

/* Frame and substep times are exact in binary, so that equal motions have equal bits. */
#define SCENE(motion, more)                                                                     \
    "{\"spacing\": 0.05, \"frame_rate\": 64, \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, " \
    "0.3]}, \"solver\": {\"substeps\": 4, \"iterations\": 3},\n\"solids\": [{\"name\": "        \
    "\"paddle\", \"shape\": {\"box\": {\"min\": [0, 0, 0], \"max\": [0.1, 0.5, 0.3]}},"         \
    " \"motion\": " motion "}, {\"name\": \"sill\", \"shape\": {\"box\": {\"min\": [0.8, 0, "   \
    "0], \"max\": [0.9, 0.1, 0.3]}}}]" more                                                     \
    ", \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\": {\"min\": [0.15, "    \
    "0, 0], \"max\": [0.75, 0.3, 0.3]}}}}]}"
#define STEERED SCENE("{\"host_driven\": true}", "")
#define KEYED                                                                                    \
    SCENE("{\"keyframes\": [{\"time\": 0}, {\"time\": 0.015625, \"position\": [0.02, 0, 0]},"    \
          " {\"time\": 0.03125, \"position\": [0.05, 0, 0], \"rotation\": {\"axis\": [0, 0, 1]," \
          " \"angle\": 10}}, {\"time\": 0.046875, \"position\": [0.05, 0, 0],"                   \
          " \"rotation\": {\"axis\": [0, 0, 1], \"angle\": 10}}]}",                              \
          "")
#define FRAMES 3

/* Returns the pose that the keyframes of KEYED give at the end of a frame, counted from 0. */
static weir_solid_pose pose_of(int frame)
{
    weir_solid_pose pose = {.rotation = {0, 0, 0, 1}};
    pose.position[0] = frame == 0 ? 0.02f : 0.05f;
    quat turn = quat_from_axis_angle(vec3_make(0, 0, 1), (float)(10.0 * 0.017453292519943295));
    if (frame > 0) memcpy(pose.rotation, &turn, sizeof turn);
    return pose;
}

static void step(weir_sim *sim, int frame)
{
    weir_solid_pose pose = pose_of(frame);
    if (frame < 2) assert_int_equal(weir_sim_set_solid(sim, "paddle", &pose), WEIR_OK);
    assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
}

/* Frames are submitted without a wait: each uses the pose that was set before it. */
static void a_host_driven_solid_moves_like_one_with_keyframes(void **state)
{
    fixture *f = *state;
    weir_sim *sim = simulate_scene(f, KEYED);
    for (int i = 0; i < FRAMES; i++)
        assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    uint64_t keyed = hash_of(sim);
    sim = simulate_scene(f, STEERED);
    uint64_t rest = hash_of(sim);
    for (int i = 0; i < FRAMES; i++)
        step(sim, i);
    assert_true(hash_of(sim) == keyed);
    sim = simulate_scene(f, STEERED);
    for (int i = 0; i < FRAMES; i++)
        assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    assert_true(hash_of(sim) != keyed && hash_of(sim) != rest);
}

static float fastest_after(weir_sim *sim, bool jump)
{
    weir_stats stats = {0};
    const weir_solid_pose far = {
        .position = {0.7f, 0.45f, 0}, .rotation = {0, 0, 0, 1}, .teleport = jump};
    assert_int_equal(weir_sim_set_solid(sim, "paddle", &far), WEIR_OK);
    assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    assert_int_equal(weir_sim_get_stats(sim, &stats), WEIR_OK);
    return (float)stats.speed_max_m_s;
}

static void a_jump_pushes_nothing_on_its_way(void **state)
{
    fixture *f = *state;
    float jumped = fastest_after(simulate_scene(f, STEERED), true);
    float moved = fastest_after(simulate_scene(f, STEERED), false);
    print_message("  fastest particle %.3f m/s after a jump, %.3f after a move\n", (double)jumped,
                  (double)moved);
    assert_true(jumped < 0.3f);
    assert_true(moved > 2.0f);
}

/* A state stores the solid's pose; the target for the next frame belongs to the caller. */
static void a_state_goes_on_with_the_solid_where_it_was(void **state)
{
    fixture *f = *state;
    char path[96];
    snprintf(path, sizeof path, "%s/state.weir", f->folder);
    weir_sim *sim = simulate_scene(f, STEERED);
    step(sim, 0);
    assert_int_equal(weir_sim_save(sim, path), WEIR_OK);
    step(sim, 1);
    step(sim, 2);
    uint64_t whole = hash_of(sim);
    assert_int_equal(weir_sim_restore(sim, path), WEIR_OK);
    step(sim, 1);
    step(sim, 2);
    assert_true(hash_of(sim) == whole);
    sim = simulate_scene(f, STEERED);
    assert_int_equal(weir_sim_restore(sim, path), WEIR_OK);
    step(sim, 1);
    step(sim, 2);
    assert_true(hash_of(sim) == whole);
}

static void draw(fixture *f, weir_sim *sim, uint8_t pixels[4 * 64 * 48])
{
    weir_renderer_def def = weir_renderer_def_default();
    weir_camera view = weir_camera_default(f->scene);
    weir_renderer *renderer = NULL;
    weir_points *points = NULL;
    weir_image *image = NULL;
    const uint8_t *read;
    uint32_t width, height;
    weir_stats stats;
    def.scene = f->scene;
    view.width = 64, view.height = 48;
    assert_int_equal(weir_sim_get_stats(sim, &stats), WEIR_OK);
    view.time_s = stats.time_s;
    assert_int_equal(weir_renderer_create(f->device, &def, &renderer), WEIR_OK);
    assert_int_equal(weir_sim_acquire_points(sim, &points), WEIR_OK);
    assert_int_equal(weir_render_points(renderer, points, &view, &image), WEIR_OK);
    assert_int_equal(weir_image_read(image, &width, &height, &read), WEIR_OK);
    memcpy(pixels, read, 4 * 64 * 48);
    weir_image_destroy(&image);
    weir_points_release(&points);
    weir_renderer_destroy(&renderer);
}

static void pictures_show_it_where_it_is(void **state)
{
    static uint8_t keyed[4 * 64 * 48], driven[4 * 64 * 48];
    fixture *f = *state;
    weir_sim *sim = simulate_scene(f, KEYED);
    for (int i = 0; i < FRAMES; i++)
        assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    draw(f, sim, keyed);
    sim = simulate_scene(f, STEERED);
    for (int i = 0; i < FRAMES; i++)
        step(sim, i);
    draw(f, sim, driven);
    assert_memory_equal(keyed, driven, sizeof keyed);
}

static void assert_refused(weir_sim *sim, const char *name, weir_solid_pose pose, const char *words)
{
    logged[0] = '\0';
    assert_int_equal(weir_sim_set_solid(sim, name, &pose), WEIR_ERROR_ARGUMENT);
    if (!strstr(logged, words)) fail_msg("expected \"%s\" in:\n%s", words, logged);
}

static void faulty_poses_are_refused(void **state)
{
    weir_sim *sim = simulate_scene(*state, STEERED);
    weir_solid_pose pose = pose_of(0), turned = pose, lost = pose;
    turned.rotation[3] = 2;
    lost.position[1] = NAN;
    assert_refused(sim, "oar", pose, "has no solid \"oar\"");
    assert_refused(sim, "sill", pose,
                   ":2:127: solid \"sill\" is not host-driven: set \"motion\": {\"host_driven\": "
                   "true} in the scene");
    assert_refused(sim, "paddle", turned,
                   "\"paddle\" is at (0.02, 0, 0) m with a rotation of length 2");
    assert_refused(sim, "paddle", lost, "(0.02, nan, 0)");
    assert_int_equal(weir_sim_set_solid(NULL, "paddle", &pose), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_set_solid(sim, NULL, &pose), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_set_solid(sim, "paddle", NULL), WEIR_ERROR_ARGUMENT);
}

/* ---- particles ------------------------------------------------------------------------------ */

/* Adaptive substeps; the device stores the particles in another order than that of their ids. */
static const char falling[] =
    "{\"spacing\": 0.05, \"frame_rate\": 64, \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]}, "
    "\"gravity\": [0, 0, 0], \"solver\": {\"substeps\": 16, \"adaptive\": true}, \"fluids\": [{"
    "\"name\": \"water\", \"fill\": {\"shape\": {\"box\": {\"min\": [0.2, 0.2, 0.2], \"max\": "
    "[0.5, 0.5, 0.5]}}, \"velocity\": [0.3, 0.2, 0.1]}}]}";

/* Reads a field. Release with free. */
static float *read_of(weir_sim *sim, weir_field field)
{
    uint32_t count = count_of(sim);
    float *values = malloc(12ul * count);
    assert_non_null(values);
    assert_int_equal(weir_sim_read_field(sim, field, values, 12ul * count), WEIR_OK);
    return values;
}

static void write_to(weir_sim *sim, weir_field field, const float *values)
{
    if (weir_sim_write_field(sim, field, values, 12ul * count_of(sim)) != WEIR_OK)
        fail_msg("%s", logged);
}

static void what_was_read_can_be_written_back(void **state)
{
    weir_sim *sim = simulate_scene(*state, falling);
    for (int i = 0; i < FRAMES; i++)
        assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    uint64_t before = hash_of(sim);
    float *velocities = read_of(sim, WEIR_FIELD_VELOCITY);
    write_to(sim, WEIR_FIELD_VELOCITY, velocities);
    assert_true(hash_of(sim) == before);
    free(velocities);
}

/* The water is mirrored, and thrown upwards. */
static void particles_are_where_the_caller_puts_them(void **state)
{
    weir_sim *sim = simulate_scene(*state, STEERED);
    weir_stats stats;
    for (int i = 0; i < FRAMES; i++)
        step(sim, i);
    uint32_t count = count_of(sim);
    float *x = read_of(sim, WEIR_FIELD_POSITION), *v = read_of(sim, WEIR_FIELD_VELOCITY);
    for (uint32_t i = 0; i < count; i++) {
        x[3 * i] = 1.0f - x[3 * i];
        v[3 * i] = 0, v[3 * i + 1] = 3, v[3 * i + 2] = 0;
    }
    write_to(sim, WEIR_FIELD_POSITION, x);
    write_to(sim, WEIR_FIELD_VELOCITY, v);
    float *placed = read_of(sim, WEIR_FIELD_POSITION);
    for (uint32_t i = 0; i < 3 * count; i++)
        assert_float_equal(placed[i], x[i], 1e-6);
    assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    float *after = read_of(sim, WEIR_FIELD_POSITION);
    double way = 0;
    for (uint32_t i = 0; i < count; i++)
        way += (double)(after[3 * i + 1] - x[3 * i + 1]) / count;
    print_message("  %.4f m upwards, expected %.4f\n", way, 3.0 / 64 - 0.5 * 9.81 / 4096);
    assert_true(fabs(way - (3.0 / 64 - 0.5 * 9.81 / 4096)) < 1e-2); /* the sill contributes */
    assert_int_equal(weir_sim_get_stats(sim, &stats), WEIR_OK);
    assert_true(stats.removed_outside == 0 && stats.removed_non_finite == 0);
    free(x), free(v), free(placed), free(after);
}

/* The next frame takes as many substeps as the written speed needs. */
static void written_speeds_count_for_the_time_step(void **state)
{
    weir_sim *sim = simulate_scene(*state, falling);
    weir_stats stats;
    assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    assert_int_equal(weir_sim_get_stats(sim, &stats), WEIR_OK);
    assert_true(stats.substeps_in_frame <= 2);
    float *v = read_of(sim, WEIR_FIELD_VELOCITY);
    for (uint32_t i = 0; i < count_of(sim); i++)
        v[3 * i] = 10;
    write_to(sim, WEIR_FIELD_VELOCITY, v);
    assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    assert_int_equal(weir_sim_get_stats(sim, &stats), WEIR_OK);
    print_message("  %u substeps at 10 m/s\n", stats.substeps_in_frame);
    assert_true(stats.substeps_in_frame >= 8);
    free(v);
}

static void assert_not_written(weir_sim *sim, weir_field field, const float *values, size_t size,
                               const char *words)
{
    logged[0] = '\0';
    assert_int_equal(weir_sim_write_field(sim, field, values, size), WEIR_ERROR_ARGUMENT);
    if (!strstr(logged, words)) fail_msg("expected \"%s\" in:\n%s", words, logged);
}

static void faulty_writing_is_refused(void **state)
{
    weir_sim *sim = simulate_scene(*state, STEERED);
    uint64_t before = hash_of(sim);
    size_t size = 12ul * count_of(sim);
    float *x = read_of(sim, WEIR_FIELD_POSITION), *v = read_of(sim, WEIR_FIELD_VELOCITY);
    x[4] = 1.5f;
    v[3] = INFINITY;
    assert_not_written(sim, WEIR_FIELD_POSITION, x, size,
                       "expected a point in the domain, (0, 0, 0)");
    assert_not_written(sim, WEIR_FIELD_VELOCITY, v, size, "velocity 1 is (inf, 0, 0) m/s");
    assert_not_written(sim, WEIR_FIELD_VELOCITY, v, size - 12,
                       "expected 5184: 432 particles of 12");
    assert_not_written(sim, WEIR_FIELD_ID, v, size, "`field` must be WEIR_FIELD_POSITION or");
    assert_not_written(sim, WEIR_FIELD_VELOCITY, NULL, size, "`values` must not be NULL");
    assert_int_equal(weir_sim_write_field(NULL, WEIR_FIELD_VELOCITY, v, size), WEIR_ERROR_ARGUMENT);
    assert_true(hash_of(sim) == before);
    free(x), free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_host_driven_solid_moves_like_one_with_keyframes,
                                        open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(a_jump_pushes_nothing_on_its_way, open_fixture,
                                        close_fixture),
        cmocka_unit_test_setup_teardown(a_state_goes_on_with_the_solid_where_it_was, open_fixture,
                                        close_fixture),
        cmocka_unit_test_setup_teardown(pictures_show_it_where_it_is, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(faulty_poses_are_refused, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(what_was_read_can_be_written_back, open_fixture,
                                        close_fixture),
        cmocka_unit_test_setup_teardown(particles_are_where_the_caller_puts_them, open_fixture,
                                        close_fixture),
        cmocka_unit_test_setup_teardown(written_speeds_count_for_the_time_step, open_fixture,
                                        close_fixture),
        cmocka_unit_test_setup_teardown(faulty_writing_is_refused, open_fixture, close_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
