/* Simulations that start from given particles and bodies: weir/start.h. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "weir/start.h"

#define SCENE(more)                                                                               \
    "{\"spacing\": 0.05, \"frame_rate\": 64, \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, "   \
    "1]}, \"gravity\": [0, 0, 0], \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": "      \
    "{\"box\": {\"min\": [0, 0, 0], \"max\": [1, 0.2, 1]}}}}, {\"name\": \"oil\", \"fill\": "     \
    "{\"shape\": {\"box\": {\"min\": [0, 0.2, 0], \"max\": [1, 0.3, 1]}}}}],\n\"emitters\": "     \
    "[{\"name\": \"tap\", \"fluid\": \"oil\", \"position\": [0.1, 0.9, 0.1], \"direction\": [1, " \
    "0, 0], \"radius\": 0.05, \"speed\": 3.2, \"max_particles\": 200}]" more "}"
#define LAYER 5u /* particles that the tap emits in a frame */
#define BODY                                                                                     \
    ", \"bodies\": [{\"name\": \"die\", \"density\": 500, \"shape\": {\"box\": {\"min\": [0.7, " \
    "0.7, 0.7], \"max\": [0.9, 0.9, 0.9]}}}]"
#define ROCK                                                                          \
    ", \"solids\": [{\"name\": \"rock\", \"shape\": {\"sphere\": {\"radius\": 0.2}, " \
    "\"position\": [0.5, 0.5, 0.5]}}]"

/* Four particles; the last two lie 1 cm and 15 cm deep in the rock. */
static const float positions[12] = {0.2f, 0.5f,  0.2f, 0.8f,  0.4f, 0.3f,
                                    0.5f, 0.69f, 0.5f, 0.55f, 0.5f, 0.5f};
static const float velocities[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
static const uint32_t ids[4] = {7, 3, 12, 5}, fluids[4] = {0, 1, 0, 1};

static weir_sim_start start_of(uint32_t count)
{
    weir_sim_start start = weir_sim_start_default();
    start.particles.position = positions;
    start.particles.velocity = velocities;
    start.particles.id = ids;
    start.particles.fluid = fluids;
    start.particles.count = count;
    return start;
}

static weir_sim *begin(fixture *f, const char *scene, const weir_sim_start *start)
{
    use_scene(f, scene);
    logged[0] = '\0';
    if (weir_sim_create_from(f->device, f->scene, start, &f->sim) != WEIR_OK)
        fail_msg("%s", logged);
    return f->sim;
}

static void it_starts_with_the_particles_and_the_time_of_the_state(void **state)
{
    weir_sim_start start = start_of(2);
    weir_stats stats;
    float x[6], v[6];
    uint32_t id[2], fluid[2];
    start.frame = 10, start.time_s = 10.0 / 64;
    weir_sim *sim = begin(*state, SCENE(""), &start);
    assert_int_equal(weir_sim_get_stats(sim, &stats), WEIR_OK);
    assert_true(stats.frame == 10 && stats.time_s == 10.0 / 64);
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_POSITION, x, sizeof x), WEIR_OK);
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_VELOCITY, v, sizeof v), WEIR_OK);
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_ID, id, sizeof id), WEIR_OK);
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_FLUID, fluid, sizeof fluid), WEIR_OK);
    for (int i = 0; i < 2; i++) { /* in the order of their ids */
        const int from = 1 - i;
        assert_true(id[i] == ids[from] && fluid[i] == fluids[from]);
        for (int k = 0; k < 3; k++) {
            assert_true(fabsf(x[3 * i + k] - positions[3 * from + k]) < 1e-5f);
            assert_true(v[3 * i + k] == velocities[3 * from + k]);
        }
    }
    /* the tap has released the layers of 10 frames already, and releases 30 more */
    step_frames(sim, 4);
    assert_int_equal(count_of(sim), 2 + 4 * LAYER);
    step_frames(sim, 60);
    assert_int_equal(count_of(sim), 2 + 30 * LAYER);
}

static void fluids_are_found_by_their_names(void **state)
{
    static const char *const names[] = {"oil", "water"};
    weir_sim_start start = start_of(2);
    uint32_t fluid[2];
    start.fluids = names, start.fluid_count = 2;
    weir_sim *sim = begin(*state, SCENE(""), &start);
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_FLUID, fluid, sizeof fluid), WEIR_OK);
    assert_true(fluid[0] == 0 && fluid[1] == 1); /* of the particles with the ids 3 and 7 */
}

static void particles_in_solids_are_moved_out_or_removed(void **state)
{
    weir_sim_start start = start_of(4);
    weir_sim *sim = begin(*state, SCENE(ROCK), &start);
    assert_int_equal(count_of(sim), 4);
    assert_non_null(strstr(logged, "the start: 2 particles were in solids, bodies or walls"));
    float x[12];
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_POSITION, x, sizeof x), WEIR_OK);
    for (int i = 0; i < 4; i++) {
        const vec3 out =
            vec3_sub(vec3_make(x[3 * i], x[3 * i + 1], x[3 * i + 2]), vec3_make(0.5f, 0.5f, 0.5f));
        assert_true(vec3_length(out) > 0.2f);
    }
    start.remove_inside = true, start.name = "a.ply";
    assert_int_equal(count_of(begin(*state, SCENE(ROCK), &start)), 2);
    assert_non_null(strstr(logged, "a.ply: 2 particles were removed: 2 in or at a wall or a solid, "
                                   "the first at (0.5, 0.69, 0.5)"));
}

static void bodies_start_where_they_were(void **state)
{
    weir_sim_start start = start_of(2);
    const weir_body was = {.name = "die",
                           .position = {0.4f, 0.6f, 0.5f},
                           .rotation = {0, 0, 0.70710678f, 0.70710678f},
                           .velocity = {0, 0.5f, 0},
                           .angular_velocity = {0, 0, 2}};
    start.bodies = &was, start.body_count = 1;
    weir_sim *sim = begin(*state, SCENE(BODY), &start);
    weir_body body;
    uint32_t count = 1;
    assert_int_equal(weir_sim_get_bodies(sim, &body, &count), WEIR_OK);
    for (int k = 0; k < 3; k++) {
        assert_true(fabsf(body.position[k] - was.position[k]) < 1e-6f);
        assert_true(fabsf(body.velocity[k] - was.velocity[k]) < 1e-6f);
        assert_true(fabsf(body.angular_velocity[k] - was.angular_velocity[k]) < 1e-5f);
    }
    step_frames(sim, 16);
    count = 1;
    assert_int_equal(weir_sim_get_bodies(sim, &body, &count), WEIR_OK);
    assert_true(fabsf(body.position[1] - 0.725f) < 1e-3f);
}

static void assert_refused(fixture *f, const weir_sim_start *start, const char *words)
{
    logged[0] = '\0';
    assert_int_equal(weir_sim_create_from(f->device, f->scene, start, &f->sim),
                     WEIR_ERROR_ARGUMENT);
    if (!strstr(logged, words)) fail_msg("expected \"%s\" in:\n%s", words, logged);
}

static void faulty_states_are_refused(void **state)
{
    static const char *const names[] = {"wine", "water"};
    static const float nan_at[6] = {0.2f, 0.2f, 0.2f, 0.3f, NAN, 0.3f};
    static const uint32_t third[2] = {0, 2};
    fixture *f = *state;
    const weir_sim_start good = start_of(2);
    use_scene(f, SCENE(BODY));
    weir_sim_start bad = good;
    bad.particles.position = nan_at;
    assert_refused(f, &bad, "`particles.position[4]` is nan, expected a finite number");
    bad = good, bad.particles.fluid = third;
    assert_refused(f, &bad, "`particles.fluid[1]` is 2, expected 0 to 1");
    bad = good, bad.fluids = names, bad.fluid_count = 2;
    assert_refused(f, &bad, "has no fluid 'wine', of which particle 0 is: add the fluid");
    bad = good, bad.time_s = -1;
    assert_refused(f, &bad, "`time_s` must be 0 to 1e9 s");
    const weir_body unknown = {.name = "ship", .rotation = {0, 0, 0, 1}};
    bad = good, bad.bodies = &unknown, bad.body_count = 1;
    assert_refused(f, &bad, "has no body \"ship\"");
    assert_refused(f, NULL, "`start` must not be NULL");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_starts_with_the_particles_and_the_time_of_the_state),
        TEST(fluids_are_found_by_their_names),
        TEST(particles_in_solids_are_moved_out_or_removed),
        TEST(bodies_start_where_they_were),
        TEST(faulty_states_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
