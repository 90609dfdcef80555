/* Emitters that move, open and close, by keyframes or at the caller's request. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "weir/profile.h"
#include "weir/sim.h"

/* At 3.2 m/s a layer of 5 particles leaves in each frame. Frame times are exact in binary. No
   force acts: particles from an emitter at rest keep their velocity until they hit a wall. */
#define SCENE(more)                                                                                \
    "{\"spacing\": 0.05, \"frame_rate\": 64, \"domain\": {\"min\": [0, 0, 0], \"max\": [2, 2, "    \
    "2]}, \"gravity\": [0, 0, 0], \"solver\": {\"substeps\": 4, \"iterations\": 3},\n"             \
    "\"fluids\": [{\"name\": \"water\"}], \"emitters\": [{\"name\": \"tap\", \"fluid\": "          \
    "\"water\", \"position\": [1, 1, 0.5], \"direction\": [0, 1, 0], \"radius\": 0.05, "           \
    "\"speed\": 3.2, \"start\": 1000},\n{\"name\": \"hose\", \"fluid\": \"water\", \"position\": " \
    "[0.2, 0.5, 0.5], \"direction\": [1, 0, 0], \"radius\": 0.05, " more "}]}"
#define STEERED SCENE("\"speed\": 3.2, \"motion\": {\"host_driven\": true}")
#define RESTING SCENE("\"speed\": 3.2")
#define LAYER 5u

static weir_emitter hose_of(weir_sim *sim)
{
    weir_emitter hose;
    assert_int_equal(weir_sim_get_emitter(sim, "hose", &hose), WEIR_OK);
    return hose;
}

static void set(weir_sim *sim, weir_emitter hose)
{
    if (weir_sim_set_emitter(sim, "hose", &hose) != WEIR_OK) fail_msg("%s", logged);
}

/* Averages a field over the particles from `first` on. */
static vec3 mean_from(weir_sim *sim, weir_field field, uint32_t first)
{
    static float values[3 * 4096];
    uint32_t count = count_of(sim);
    double sum[3] = {0};
    assert_true(count > first && count <= 4096);
    assert_int_equal(weir_sim_read_field(sim, field, values, 12ul * count), WEIR_OK);
    for (uint32_t i = first; i < count; i++)
        for (int axis = 0; axis < 3; axis++)
            sum[axis] += (double)values[3 * i + (uint32_t)axis] / (count - first);
    return vec3_make((float)sum[0], (float)sum[1], (float)sum[2]);
}

static void assert_near(vec3 found, float x, float y, float z)
{
    float off = vec3_length(vec3_sub(found, vec3_make(x, y, z)));
    if (off > 2e-4f)
        fail_msg("(%g, %g, %g), expected (%g, %g, %g)", (double)found.x, (double)found.y,
                 (double)found.z, (double)x, (double)y, (double)z);
}

/* Setting a value to what it is changes no bit; nor does host control that nobody uses. */
static void an_emitter_that_nobody_moves_is_as_the_scene_has_it(void **state)
{
    fixture *f = *state;
    weir_sim *sim = simulate_scene(f, RESTING);
    step_frames(sim, 4);
    uint64_t resting = hash_of(sim);
    sim = simulate_scene(f, STEERED);
    step_frames(sim, 4);
    assert_true(hash_of(sim) == resting);
    sim = simulate_scene(f, STEERED);
    for (int i = 0; i < 4; i++) {
        set(sim, hose_of(sim));
        step_frames(sim, 1);
    }
    assert_true(hash_of(sim) == resting && count_of(sim) == 4 * LAYER);
}

static void particles_are_born_where_it_is_and_fly_where_it_points(void **state)
{
    weir_sim *sim = simulate_scene(*state, STEERED);
    step_frames(sim, 1);
    assert_near(mean_from(sim, WEIR_FIELD_POSITION, 0), 0.25f, 0.5f, 0.5f);
    weir_emitter hose = hose_of(sim);
    hose.position[1] = 1.5f, hose.direction[0] = 0, hose.direction[2] = -2, hose.teleport = true;
    set(sim, hose);
    step_frames(sim, 1);
    assert_int_equal(count_of(sim), 2 * LAYER);
    assert_near(mean_from(sim, WEIR_FIELD_POSITION, LAYER), 0.2f, 1.5f, 0.45f);
    assert_near(mean_from(sim, WEIR_FIELD_VELOCITY, LAYER), 0, 0, -3.2f);
    hose = hose_of(sim);
    assert_true(hose.position[1] == 1.5f && fabsf(hose.direction[2] + 1) < 1e-6f && !hose.teleport);
    step_frames(sim, 1); /* it stays there */
    assert_near(mean_from(sim, WEIR_FIELD_POSITION, 2 * LAYER), 0.2f, 1.5f, 0.45f);
}

/* Half a layer's time into a frame the emitter is halfway, and the fluid inherits its velocity:
   the layers of 2 frames then lie one behind the other in the emitter's frame of reference. */
static void fluid_of_a_moving_emitter_has_its_velocity_too(void **state)
{
    weir_sim *sim = simulate_scene(*state, STEERED);
    weir_emitter hose = hose_of(sim);
    hose.speed = 6.4f; /* two layers per frame */
    for (int i = 0; i < 2; i++) {
        hose.position[1] += 0.04f;
        set(sim, hose);
        step_frames(sim, 1);
    }
    assert_int_equal(count_of(sim), 4 * LAYER);
    assert_near(mean_from(sim, WEIR_FIELD_VELOCITY, 0), 6.4f, 0.04f * 64, 0);
    for (uint32_t layer = 0; layer < 4; layer++) {
        vec3 all = mean_from(sim, WEIR_FIELD_POSITION, layer * LAYER);
        assert_near(all, 0.2f + 0.05f * (5 - (float)layer) / 2, 0.58f, 0.5f);
    }
}

#define KEYED                                                                                 \
    SCENE("\"speed\": 3.2, \"motion\": {\"keyframes\": [{\"time\": 0}, {\"time\": 0.015625, " \
          "\"position\": [0.0625, 0, 0]}, {\"time\": 0.03125, \"position\": [0.0625, 0.25, 0]}]}")

static void a_host_driven_emitter_moves_like_one_with_keyframes(void **state)
{
    fixture *f = *state;
    weir_sim *sim = simulate_scene(f, KEYED);
    step_frames(sim, 3);
    uint64_t keyed = hash_of(sim);
    sim = simulate_scene(f, STEERED);
    weir_emitter hose = hose_of(sim);
    for (int i = 0; i < 3; i++) {
        if (i == 0) hose.position[0] += 0.0625f;
        if (i == 1) hose.position[1] += 0.25f;
        set(sim, hose);
        step_frames(sim, 1);
    }
    assert_true(hash_of(sim) == keyed);
    step_frames(simulate_scene(f, RESTING), 3);
    assert_true(hash_of(f->sim) != keyed);
}

/* 4 frames at 1.6 m/s and 4 at 6.4 m/s add up to half a metre: 10 layers. */
static void layers_stay_a_spacing_apart_when_the_speed_changes(void **state)
{
    weir_sim *sim = simulate_scene(*state, STEERED);
    weir_emitter hose = hose_of(sim);
    for (int i = 0; i < 8; i++) {
        hose.speed = i % 2 ? 6.4f : 1.6f;
        set(sim, hose);
        step_frames(sim, 1);
    }
    assert_int_equal(count_of(sim), 10 * LAYER);
}

static void it_opens_and_closes(void **state)
{
    weir_sim *sim = simulate_scene(*state, STEERED);
    weir_emitter hose = hose_of(sim);
    assert_true(hose.open);
    hose.open = false;
    set(sim, hose);
    step_frames(sim, 3);
    assert_int_equal(count_of(sim), 0);
    hose.open = true;
    for (int i = 0; i < 3; i++) /* opening a second time does not emit a layer at once */
        set(sim, hose);
    step_frames(sim, 2);
    assert_int_equal(count_of(sim), 2 * LAYER);
    hose.open = false;
    set(sim, hose);
    step_frames(sim, 2);
    assert_int_equal(count_of(sim), 2 * LAYER);
    assert_false(hose_of(sim).open);
}

#define SPED                                                                                     \
    SCENE("\"speed_keyframes\": [{\"time\": 0, \"speed\": 0}, {\"time\": 0.25, \"speed\": 3.2}," \
          " {\"time\": 0.375, \"speed\": 3.2}, {\"time\": 0.5, \"speed\": 0}]")

/* 0.4 + 0.4 + 0.2 m are 20 layers, and the final speed is that of the keyframes. */
static void an_emitter_follows_its_speed_keyframes(void **state)
{
    weir_sim *sim = simulate_scene(*state, SPED);
    step_frames(sim, 8);
    assert_true(fabsf(hose_of(sim).speed - 1.6f) < 1e-5f);
    assert_int_equal(count_of(sim), 2 * LAYER);
    step_frames(sim, 28);
    assert_int_equal(count_of(sim), 20 * LAYER);
    step_frames(sim, 8);
    assert_int_equal(count_of(sim), 20 * LAYER);
}

static void move(weir_sim *sim, int frame)
{
    weir_emitter hose = hose_of(sim);
    hose.position[1] = 0.5f + 0.03f * (float)frame;
    hose.direction[1] = 0.2f * (float)frame;
    hose.speed = 3.0f + 0.5f * (float)frame;
    hose.open = frame != 2;
    set(sim, hose);
    step_frames(sim, 1);
}

/* A state does not store the caller's targets for the next frame; the caller sets them again. */
static void a_state_goes_on_with_the_emitter_where_it_was(void **state)
{
    fixture *f = *state;
    char path[96];
    snprintf(path, sizeof path, "%s/state.weir", f->folder);
    weir_sim *sim = simulate_scene(f, STEERED);
    for (int i = 0; i < 2; i++)
        move(sim, i);
    assert_int_equal(weir_sim_save(sim, path), WEIR_OK);
    weir_emitter saved = hose_of(sim);
    step_frames(sim, 1);
    for (int i = 2; i < 5; i++)
        move(sim, i);
    uint64_t whole = hash_of(sim);
    for (int again = 0; again < 2; again++) {
        if (again == 1) sim = simulate_scene(f, STEERED);
        assert_int_equal(weir_sim_restore(sim, path), WEIR_OK);
        weir_emitter restored = hose_of(sim);
        assert_memory_equal(&restored, &saved, sizeof saved);
        step_frames(sim, 1);
        for (int i = 2; i < 5; i++)
            move(sim, i);
        assert_true(hash_of(sim) == whole);
    }
}

/* Measuring the time of a pass runs a frame that is then undone. */
static void looking_leaves_an_emitter_its_way(void **state)
{
    fixture *f = *state;
    uint64_t hash[2];
    for (int looked = 0; looked < 2; looked++) {
        weir_sim *sim = simulate_scene(f, STEERED);
        weir_pass_time time;
        move(sim, 1);
        weir_emitter hose = hose_of(sim);
        hose.position[2] = 1;
        set(sim, hose);
        if (looked)
            assert_int_equal(weir_sim_repeat_pass(sim, "predict_positions", 1, &time), WEIR_OK);
        step_frames(sim, 2);
        hash[looked] = hash_of(sim);
    }
    assert_true(hash[0] == hash[1]);
}

#define PLANAR                                                                                    \
    "{\"spacing\": 0.05, \"frame_rate\": 64, \"domain\": {\"min\": [0, 0, 0], \"max\": [2, 2, "   \
    "0.2]}, \"gravity\": [0, 0, 0], \"solver\": {\"dimensions\": 2}, \"fluids\": [{\"name\": "    \
    "\"water\"}], \"emitters\": [{\"name\": \"hose\", \"fluid\": \"water\", \"position\": [0.2, " \
    "0.5, 0], \"direction\": [1, 0, 0], \"radius\": 0.05, \"speed\": 3.2, \"motion\": "           \
    "{\"host_driven\": true}}]}"

static void in_the_plane_it_stays_in_the_plane(void **state)
{
    weir_sim *sim = simulate_scene(*state, PLANAR);
    weir_emitter hose = hose_of(sim);
    assert_true(hose.position[2] == 0.1f);
    hose.position[1] = 1, hose.position[2] = 7, hose.teleport = true;
    hose.direction[0] = 0, hose.direction[1] = 1, hose.direction[2] = 5;
    set(sim, hose);
    step_frames(sim, 1);
    assert_int_equal(count_of(sim), 3);
    assert_near(mean_from(sim, WEIR_FIELD_POSITION, 0), 0.2f, 1.05f, 0.1f);
    assert_near(mean_from(sim, WEIR_FIELD_VELOCITY, 0), 0, 3.2f, 0);
    hose.direction[1] = 0;
    logged[0] = '\0';
    assert_int_equal(weir_sim_set_emitter(sim, "hose", &hose), WEIR_ERROR_ARGUMENT);
    assert_non_null(strstr(logged, "`direction` must be finite, and not 0 in the plane"));
}

static void assert_refused(weir_sim *sim, const char *name, weir_emitter emitter, const char *words)
{
    logged[0] = '\0';
    assert_int_equal(weir_sim_set_emitter(sim, name, &emitter), WEIR_ERROR_ARGUMENT);
    if (!strstr(logged, words)) fail_msg("expected \"%s\" in:\n%s", words, logged);
}

static void faulty_settings_are_refused(void **state)
{
    weir_sim *sim = simulate_scene(*state, STEERED);
    const weir_emitter hose = hose_of(sim);
    weir_emitter bad = hose;
    assert_refused(sim, "pipe", hose,
                   "has no emitter \"pipe\": give the name of one of its emitters");
    assert_refused(sim, "tap", hose,
                   ":2:45: emitter \"tap\" is not host-driven: set \"motion\": {\"host_driven\": "
                   "true} in the scene");
    bad.position[0] = 2.5f;
    assert_refused(sim, "hose", bad, "`position` is (2.5, 0.5, 0.5) m, expected a point in the");
    bad.position[0] = NAN;
    assert_refused(sim, "hose", bad, "`position` is (nan");
    bad = hose, bad.direction[0] = 0;
    assert_refused(sim, "hose", bad, "`direction` must be finite and not 0");
    bad = hose, bad.up[2] = INFINITY;
    assert_refused(sim, "hose", bad, "`up` must be finite");
    bad = hose, bad.speed = 0;
    assert_refused(sim, "hose", bad, "`speed` must be 0.001 to 1000: set `open` to false");
    assert_int_equal(weir_sim_set_emitter(NULL, "hose", &hose), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_set_emitter(sim, NULL, &hose), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_set_emitter(sim, "hose", NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_get_emitter(sim, "pipe", &bad), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_get_emitter(sim, "hose", NULL), WEIR_ERROR_ARGUMENT);
    bad = hose_of(sim);
    assert_memory_equal(&bad, &hose, sizeof hose);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_emitter_that_nobody_moves_is_as_the_scene_has_it),
        TEST(particles_are_born_where_it_is_and_fly_where_it_points),
        TEST(fluid_of_a_moving_emitter_has_its_velocity_too),
        TEST(a_host_driven_emitter_moves_like_one_with_keyframes),
        TEST(layers_stay_a_spacing_apart_when_the_speed_changes),
        TEST(it_opens_and_closes),
        TEST(an_emitter_follows_its_speed_keyframes),
        TEST(a_state_goes_on_with_the_emitter_where_it_was),
        TEST(looking_leaves_an_emitter_its_way),
        TEST(in_the_plane_it_stays_in_the_plane),
        TEST(faulty_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
