/* Bodies that a program moves, or whose velocity it sets, while the simulation runs. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "weir/bodies.h"

#define SCENE(more)                                                                            \
    "{\"spacing\": 0.1, \"frame_rate\": 60, \"domain\": {\"min\": [0, 0, 0], \"max\": [2, 3, " \
    "2]}, " more " \"solids\": [{\"name\": \"pole\", \"shape\": {\"box\": {\"min\": [1.6, 0, " \
    "1.6], \"max\": [1.9, 3, 1.9]}}}, {\"name\": \"shelf\", \"shape\": {\"box\": {\"min\": "   \
    "[0.3, 1, 1], \"max\": [1.1, 1.2, 1.8]}}}], \"bodies\": ["                                 \
    "{\"name\": \"low\", \"density\": 500, \"shape\": {\"box\": {\"size\": [0.4, 0.3, 0.5]},"  \
    " \"position\": [0.7, 1.351, 1.4]}},"                                                      \
    "{\"name\": \"high\", \"density\": 500, \"shape\": {\"box\": {\"size\": [0.4, 0.3, 0.5]}," \
    " \"position\": [0.7, 1.652, 1.4]}}],"                                                     \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\": {"                    \
    "\"min\": [0, 0, 0], \"max\": [2, 0.6, 2]}}}}]}"
#define PBF "\"solver\": {\"substeps\": 4},"
#define FLIP "\"solver\": {\"method\": \"flip\"},"
#define WEIGHTLESS "\"gravity\": [0, 0, 0],"

enum { LOW, HIGH, BODIES };

static weir_body read_one(weir_sim *sim, int which)
{
    weir_body bodies[BODIES];
    uint32_t count = BODIES;
    assert_int_equal(weir_sim_get_bodies(sim, bodies, &count), WEIR_OK);
    assert_int_equal(count, BODIES);
    return bodies[which];
}

static void set(weir_sim *sim, const weir_body *body)
{
    if (weir_sim_set_body(sim, body) != WEIR_OK) fail_msg("%s", logged);
}

static void assert_near(const float got[3], float x, float y, float z, float within)
{
    const float want[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        if (!(fabsf(got[k] - want[k]) <= within))
            fail_msg("%g %g %g, expected %g %g %g", (double)got[0], (double)got[1], (double)got[2],
                     (double)x, (double)y, (double)z);
}

static weir_body high_up(weir_sim *sim)
{
    weir_body body = read_one(sim, HIGH);
    const weir_body wanted = {.position = {1, 2, 0.5f},
                              .rotation = {0, 0, 0.6f, 0.8f},
                              .velocity = {0.5f, 1, 0},
                              .angular_velocity = {0, 0, 3}};
    memcpy(body.position, wanted.position, sizeof body.position);
    memcpy(body.rotation, wanted.rotation, sizeof body.rotation);
    memcpy(body.velocity, wanted.velocity, sizeof body.velocity);
    memcpy(body.angular_velocity, wanted.angular_velocity, sizeof body.angular_velocity);
    return body;
}

/* Checks that a body goes to its new pose. It turns about z, one of the box's three axes. */
static void goes_where_it_is_put(fixture *f, const char *scene)
{
    simulate_scene(f, scene);
    step_frames(f->sim, 3);
    weir_body wanted = high_up(f->sim);
    set(f->sim, &wanted);
    weir_body body = read_one(f->sim, HIGH);
    const float mass = (float)body.mass_kg, inertia = mass * (0.4f * 0.4f + 0.3f * 0.3f) / 12;
    assert_near(body.position, 1, 2, 0.5f, 0);
    assert_near(body.rotation, 0, 0, 0.6f, 1e-7f);
    assert_near(body.velocity, 0.5f, 1, 0, 0);
    assert_near(body.angular_velocity, 0, 0, 3, 1e-5f);
    assert_near(body.angular_momentum, 0, 0, 3 * inertia, 2e-3f * inertia);
    assert_float_equal((float)body.kinetic_energy_j, 0.5f * mass * 1.25f + 0.5f * inertia * 9,
                       0.02f);
    step_frames(f->sim, 6);
    body = read_one(f->sim, HIGH);
    assert_near(body.position, 1.05f, 2.1f - 0.5f * 9.81f * 0.01f, 0.5f, 1e-2f);
    assert_near(body.angular_velocity, 0, 0, 3, 1e-3f);
    assert_near(body.rotation, 0, 0, sinf(0.5f * (2 * asinf(0.6f) + 0.3f)), 2e-3f);
}

static void a_body_flies_on_from_where_it_is_put(void **state)
{
    goes_where_it_is_put(*state, SCENE(PBF));
    goes_where_it_is_put(*state, SCENE(FLIP));
}

/* A body flies and rotates; writing back an unchanged body does not affect a run. */
static void what_is_given_back_unchanged_keeps_its_bits(void **state)
{
    fixture *f = *state;
    uint64_t hash[2];
    for (int again = 0; again < 2; again++) {
        simulate_scene(f, SCENE(PBF WEIGHTLESS));
        weir_body body = high_up(f->sim);
        body.angular_velocity[1] = 1;
        set(f->sim, &body);
        step_frames(f->sim, 3);
        body = read_one(f->sim, HIGH);
        if (again) set(f->sim, &body);
        step_frames(f->sim, 3);
        hash[again] = hash_of(f->sim);
    }
    assert_true(hash[0] == hash[1]);
}

/* The lower of two boxes is moved away: the upper one falls, and neither receives a contact
   impulse. */
static void what_rested_on_a_body_falls_when_it_is_taken_away(void **state)
{
    fixture *f = *state;
    simulate_scene(f, SCENE(PBF));
    step_frames(f->sim, 90);
    weir_body low = read_one(f->sim, LOW), high = read_one(f->sim, HIGH);
    assert_true(low.asleep && high.asleep);
    low.position[2] = 0.5f;
    set(f->sim, &low);
    step_frames(f->sim, 1);
    low = read_one(f->sim, LOW), high = read_one(f->sim, HIGH);
    assert_false(low.asleep || high.asleep);
    assert_near(low.velocity, 0, -9.81f / 60, 0, 1e-3f);
    assert_near(high.velocity, 0, -9.81f / 60, 0, 1e-3f);
    step_frames(f->sim, 30);
    assert_true(read_one(f->sim, HIGH).position[1] < 1.4f);
}

static void flip_pushes_fluid_out_of_a_body(void **state)
{
    fixture *f = *state;
    weir_stats stats;
    simulate_scene(f, SCENE(FLIP));
    step_frames(f->sim, 5);
    weir_body body = read_one(f->sim, HIGH);
    memcpy(body.position, (const float[3]){1, 0.3f, 0.5f}, sizeof body.position);
    set(f->sim, &body);
    double fastest = 0.0;
    for (int frame = 0; frame < 60; frame++) {
        step_frames(f->sim, 1);
        assert_int_equal(weir_sim_get_stats(f->sim, &stats), WEIR_OK);
        fastest = fmax(fastest, stats.speed_max_m_s);
    }
    body = read_one(f->sim, HIGH);
    print_message("  fluid at most %.2f m/s fast, body at a height of %.3f m\n", fastest,
                  (double)body.position[1]);
    assert_true(fastest < 5.0);
    assert_int_equal(stats.removed_outside, 0);
    assert_true(body.position[1] > 0.4f && body.position[1] < 0.9f); /* it floats */
}

static uint32_t substeps_of(weir_sim *sim)
{
    weir_stats stats;
    assert_int_equal(weir_sim_get_stats(sim, &stats), WEIR_OK);
    return stats.substeps_in_frame;
}

static void a_kick_asks_for_substeps_at_once(void **state)
{
    fixture *f = *state;
    simulate_scene(f, SCENE(FLIP));
    step_frames(f->sim, 3);
    uint32_t before = substeps_of(f->sim);
    weir_body body = high_up(f->sim);
    body.velocity[1] = 25;
    set(f->sim, &body);
    step_frames(f->sim, 1);
    uint32_t after = substeps_of(f->sim); /* at most one spacing each */
    print_message("  %u substeps, then %u\n", before, after);
    assert_true(before <= 2 && after >= 4);
}

static void assert_refused(weir_sim *sim, const weir_body *body, const char *words)
{
    logged[0] = '\0';
    if (weir_sim_set_body(sim, body) != WEIR_ERROR_ARGUMENT) fail_msg("expected \"%s\"", words);
    if (!strstr(logged, words)) fail_msg("expected \"%s\" in:\n%s", words, logged);
}

static void faulty_places_and_motions_are_refused(void **state)
{
    fixture *f = *state;
    simulate_scene(f, SCENE(PBF));
    step_frames(f->sim, 3);
    uint64_t before = hash_of(f->sim);
    const weir_body good = high_up(f->sim);
    weir_body body = good;
    body.name = "hihg";
    assert_refused(f->sim, &body, "has no body \"hihg\": give the name of one of its bodies");
    body = good, body.name = NULL;
    assert_refused(f->sim, &body, "`body->name` must not be NULL");
    body = good, body.position[1] = NAN;
    assert_refused(f->sim, &body, "the pose of \"high\" is at (1, nan, 0.5) m");
    body = good, body.rotation[3] = 3;
    assert_refused(f->sim, &body, "expected finite numbers, and a length of 1");
    body = good, body.velocity[2] = -2e9f;
    assert_refused(f->sim, &body, "the motion of body 'high' is (0.5, 1, -2e+09) m/s");
    body = good, body.angular_velocity[0] = INFINITY;
    assert_refused(f->sim, &body, "expected finite numbers and at most 1e+09 m/s");
    body = good, body.position[0] = 0.1f;
    assert_refused(f->sim, &body, "body 'high' would penetrate");
    assert_refused(f->sim, &body, "into the domain's side '-x'");
    body = good, body.position[0] = 1.75f, body.position[2] = 1.75f;
    assert_refused(f->sim, &body, "m into solid 'pole': move it away by at least that much");
    body = good, body.position[0] = 0.75f, body.position[1] = 1.5f, body.position[2] = 1.4f;
    assert_refused(f->sim, &body, "m into body 'low': move it away by at least that much");
    body = good, body.position[1] = 0.3f;
    assert_refused(f->sim, &body, "fluid particles and vertices: the nearest is at -0.1");
    assert_refused(
        f->sim, &body,
        "m, expected 0.025 m or more; choose a free pose and let the body move from there");
    assert_int_equal(weir_sim_set_body(f->sim, NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_set_body(NULL, &good), WEIR_ERROR_ARGUMENT);
    assert_true(hash_of(f->sim) == before);
}

static void a_saved_state_has_what_was_given(void **state)
{
    fixture *f = *state;
    char checkpoint[128];
    snprintf(checkpoint, sizeof checkpoint, "%s/state.weir", f->folder);
    simulate_scene(f, SCENE(PBF));
    step_frames(f->sim, 2);
    weir_body body = high_up(f->sim);
    set(f->sim, &body);
    assert_int_equal(weir_sim_save(f->sim, checkpoint), WEIR_OK);
    step_frames(f->sim, 3);
    uint64_t straight = hash_of(f->sim);
    assert_int_equal(weir_sim_restore(f->sim, checkpoint), WEIR_OK);
    step_frames(f->sim, 3);
    assert_true(hash_of(f->sim) == straight);
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(a_body_flies_on_from_where_it_is_put),
        WITH_FIXTURE(what_is_given_back_unchanged_keeps_its_bits),
        WITH_FIXTURE(what_rested_on_a_body_falls_when_it_is_taken_away),
        WITH_FIXTURE(flip_pushes_fluid_out_of_a_body),
        WITH_FIXTURE(a_kick_asks_for_substeps_at_once),
        WITH_FIXTURE(faulty_places_and_motions_are_refused),
        WITH_FIXTURE(a_saved_state_has_what_was_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
