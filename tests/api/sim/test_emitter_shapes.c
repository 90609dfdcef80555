/* Emitters with a shape: where their particles are, how fast, and how many there are. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "weir/sim.h"

/* At 3.2 m/s the fluid moves by a spacing per frame. No force acts. */
#define SCENE(keys) SCENE_WITH("", keys)
#define SCENE_WITH(solver, keys)                                                             \
    "{\"spacing\": 0.05, \"frame_rate\": 64, \"domain\": {\"min\": [0, 0, 0], \"max\": [2, " \
    "2, 2]}, \"gravity\": [0, 0, 0], \"solver\": {\"substeps\": 4, \"iterations\": 3" solver \
    "},\n\"fluids\": [{\"name\": \"water\"}],\n\"emitters\": [{\"name\": \"tap\", \"fluid\"" \
    ": \"water\", " keys "}]}"
#define SPACING 0.05f
#define BOX "\"shape\": {\"box\": {\"min\": [0.4, 0.5, 0.5], \"max\": [0.6, 0.6, 0.7]}}"
#define BALL "\"shape\": {\"sphere\": {\"radius\": 0.2}, \"position\": [1, 1, 1]}"
#define PIPE \
    "\"shape\": {\"cylinder\": {\"radius\": 0.25, \"height\": 0.4}, \"position\": [1, 1, 1]}"
#define COLUMNS 8u /* of the box along x */
#define LAYERS 4u

#define MAX_COUNT 20000
static float positions[3 * MAX_COUNT], velocities[3 * MAX_COUNT];

static uint32_t read_all(weir_sim *sim)
{
    return read_particles(sim, positions, velocities, MAX_COUNT);
}

static vec3 at(const float *values, uint32_t index)
{
    return vec3_make(values[3 * index], values[3 * index + 1], values[3 * index + 2]);
}

/* Returns the smallest and the largest distance of a particle from its nearest neighbour, in
 * spacings. */
static void find_gaps(uint32_t count, float *nearest, float *farthest)
{
    *nearest = INFINITY, *farthest = 0;
    for (uint32_t i = 0; i < count; i++) {
        float least = INFINITY;
        for (uint32_t k = 0; k < count; k++)
            if (k != i)
                least = fminf(least, vec3_length(vec3_sub(at(positions, i), at(positions, k))));
        *nearest = fminf(*nearest, least / SPACING);
        *farthest = fmaxf(*farthest, least / SPACING);
    }
}

static void fluid_fills_a_shape_and_moves_through_it(void **state)
{
    weir_sim *sim = simulate_scene(*state, SCENE(BOX ", \"direction\": [1, 0, 0], \"speed\": 3.2"));
    for (uint32_t frame = 1; frame <= 6; frame++) {
        float nearest, farthest, low = INFINITY, high = 0;
        step_frames(sim, 1);
        const uint32_t count = read_all(sim);
        assert_int_equal(count, COLUMNS * (LAYERS + frame - 1));
        find_gaps(count, &nearest, &farthest);
        assert_true(nearest > 0.999f && farthest < 1.001f);
        for (uint32_t i = 0; i < count; i++) {
            low = fminf(low, at(positions, i).x), high = fmaxf(high, at(positions, i).x);
            assert_true(at(positions, i).y > 0.5f && at(positions, i).y < 0.6f);
            assert_true(fabsf(at(velocities, i).x - 3.2f) < 1e-4f);
        }
        /* the newest layer has moved on by a spacing from the middle of the first one */
        assert_true(fabsf(low - 0.475f) < 1e-4f);
        assert_true(fabsf(high - (0.575f + SPACING * (float)frame)) < 1e-4f);
    }
}

static void without_prefill_the_flow_fills_the_shape(void **state)
{
    weir_sim *sim = simulate_scene(
        *state, SCENE(BOX ", \"direction\": [1, 0, 0], \"speed\": 3.2, \"prefill\": false"));
    step_frames(sim, 3);
    assert_int_equal(count_of(sim), 3 * COLUMNS);
}

/* A hundredth of a cubic metre is 80 particles; a layer more or less is due to when it ends. */
static void a_flow_rate_is_the_volume_per_second(void **state)
{
    static const char *const shapes[] = {
        BALL ", \"direction\": [1, -1, 0.5], \"flow_rate\": 0.64, \"prefill\": false",
        PIPE ", \"direction\": [0, 1, 0], \"profile\": \"parabolic\", \"flow_rate\": 0.64, "
             "\"prefill\": false",
        BALL ", \"emission\": \"surface\", \"flow_rate\": 0.64",
        "\"position\": [1, 1, 1], \"radius\": 0.2, \"direction\": [0, 0, 1], \"flow_rate\": 0.64",
        BALL ", \"direction\": [1, 0, 0], \"prefill\": false, \"flow_rate_keyframes\": [{\"time\": "
             "0, \"flow_rate\": 0.32}, {\"time\": 0.25, \"flow_rate\": 0.96}]",
    };
    for (size_t i = 0; i < BASE_COUNT(shapes); i++) {
        char scene[2048];
        snprintf(scene, sizeof scene, SCENE("%s"), shapes[i]);
        weir_sim *sim = simulate_scene(*state, scene);
        step_frames(sim, 1);
        const uint32_t layer = count_of(sim);
        step_frames(sim, 15);
        const double volume = (double)count_of(sim) * 0.05 * 0.05 * 0.05;
        if (fabs(volume - 0.16) > 0.05 * 0.05 * 0.05 * (layer > 200 ? layer : 200))
            fail_msg("%s: %g m3 after 0.25 s, expected 0.16", shapes[i], volume);
    }
}

static void a_surface_emits_along_its_normals(void **state)
{
    float nearest, farthest;
    weir_sim *sim =
        simulate_scene(*state, SCENE(BALL ", \"emission\": \"surface\", \"speed\": 3.2"));
    step_frames(sim, 1);
    const uint32_t count = read_all(sim);
    const float expected = 4 * 3.14159265f * 0.225f * 0.225f / (SPACING * SPACING);
    assert_true(fabsf((float)count - expected) < 0.2f * expected);
    find_gaps(count, &nearest, &farthest);
    assert_true(nearest > 0.7f && farthest < 1.7f);
    for (uint32_t i = 0; i < count; i++) {
        const vec3 out = vec3_sub(at(positions, i), vec3_make(1, 1, 1)), v = at(velocities, i);
        /* born half a spacing outside, and moved by a spacing since */
        assert_true(fabsf(vec3_length(out) - 0.275f) < 0.1f * SPACING);
        assert_true(fabsf(vec3_length(v) - 3.2f) < 1e-3f);
        assert_true(vec3_dot(v, out) > 0.99f * vec3_length(v) * vec3_length(out));
    }
}

/* Returns the highest speed over the mean of all, in a frame in which particles of each speed
 * leave. */
static float find_peak(weir_sim *sim)
{
    double sum = 0, highest = 0;
    step_frames(sim, 1);
    const uint32_t count = read_all(sim);
    for (uint32_t i = 0; i < count; i++) {
        const double speed = (double)vec3_length(at(velocities, i));
        sum += speed / count;
        highest = fmax(highest, speed);
    }
    return (float)(highest / sum);
}

/* In a disc of 81 sites the profile is that of a rounded cross-section of squares, and has steps.
 */
static void a_parabolic_profile_is_that_of_laminar_flow(void **state)
{
    const float pipe = find_peak(simulate_scene(
        *state, SCENE(PIPE ", \"direction\": [0, 1, 0], \"profile\": \"parabolic\", \"speed\": "
                           "1, \"prefill\": false")));
    const float opening = find_peak(simulate_scene(
        *state, SCENE("\"position\": [1, 1, 1], \"radius\": 0.25, \"direction\": [0, 1, 0], "
                      "\"profile\": \"parabolic\", \"speed\": 1")));
    const float plates = find_peak(simulate_scene(
        *state, SCENE_WITH(", \"dimensions\": 2",
                           "\"position\": [1, 1, 0], \"width\": 0.5, \"height\": 0.8, "
                           "\"direction\": [0, 1, 0], \"profile\": \"parabolic\", \"speed\": 1")));
    if (fabsf(pipe - 1.9f) > 0.1f || fabsf(opening - 1.9f) > 0.1f || fabsf(plates - 1.45f) > 0.05f)
        fail_msg("%g %g %g", (double)pipe, (double)opening, (double)plates);
}

/* Layers of a shape that moves and turns stay a spacing apart as seen from the shape. */
/* Adds the fluctuations of the newest `layer` particles, whose velocities nothing has changed. */
static void add_fluctuations(weir_sim *sim, uint32_t layer, double squares[3], double *mean)
{
    const uint32_t count = read_all(sim);
    for (uint32_t i = count - layer; i < count; i++) {
        const vec3 v = at(velocities, i);
        *mean += (double)v.x;
        squares[0] += ((double)v.x - 3.2) * ((double)v.x - 3.2);
        squares[1] += (double)v.y * (double)v.y;
        squares[2] += (double)v.z * (double)v.z;
    }
}

/* The rms of each component is the intensity times the speed, in two dimensions of those in the
 * plane. */
static void turbulence_has_its_intensity(void **state)
{
    static const char *const solvers[] = {"", ", \"dimensions\": 2"};
    for (uint32_t planar = 0; planar < 2; planar++) {
        char scene[2048];
        snprintf(
            scene, sizeof scene, SCENE_WITH("%s", "%s"), solvers[planar],
            "\"position\": [0.3, 1, 1], \"width\": 0.8, \"height\": 0.8, \"direction\": [1, 0, "
            "0], \"speed\": 3.2, \"turbulence\": 0.15, \"turbulence_length\": 0.2");
        weir_sim *sim = simulate_scene(*state, scene);
        double squares[3] = {0}, mean = 0, samples = 0;
        step_frames(sim, 1);
        const uint32_t layer = count_of(sim), frames = 32;
        for (uint32_t frame = 1; frame < frames; frame++, samples += layer) {
            add_fluctuations(sim, layer, squares, &mean);
            step_frames(sim, 1);
        }
        for (int axis = 0; axis < 3; axis++)
            squares[axis] = sqrt(squares[axis] / samples) / 3.2;
        print_message("  %u of a layer, mean %.3f m/s, intensity %.3f %.3f %.3f\n", layer,
                      mean / samples, squares[0], squares[1], squares[2]);
        assert_true(fabs(mean / samples - 3.2) < 0.1);
        for (int axis = 0; axis < (planar ? 2 : 3); axis++)
            assert_true(fabs(squares[axis] - 0.15) < (planar ? 0.04 : 0.01));
        if (planar) assert_true(squares[2] == 0);
    }
}

static void a_moving_shape_takes_its_fluid_along(void **state)
{
    weir_sim *sim = simulate_scene(
        *state, SCENE(BOX ", \"direction\": [1, 0, 0], \"speed\": 3.2, \"prefill\": false, "
                          "\"motion\": {\"keyframes\": [{\"time\": 0}, {\"time\": 1, "
                          "\"position\": [0, 0.64, 0]}]}"));
    step_frames(sim, 10);
    const uint32_t count = read_all(sim);
    assert_int_equal(count, 10 * COLUMNS);
    for (uint32_t i = 0; i < count; i++)
        assert_true(fabsf(at(velocities, i).y - 0.64f) < 1e-3f);
    float nearest, farthest;
    find_gaps(count, &nearest, &farthest);
    assert_true(nearest > 0.99f && farthest < 1.01f);
}

/* The first file is a box with 4 columns, the second one elsewhere with 16. */
static void a_shape_is_a_sequence_of_meshes(void **state)
{
    char keys[512], scene[2048];
    fixture *f = *state;
    write_box_mesh(f, 1, vec3_make(0.4f, 0.5f, 0.5f), vec3_make(0.5f, 0.6f, 0.6f));
    write_box_mesh(f, 2, vec3_make(0.4f, 1.2f, 1.2f), vec3_make(0.5f, 1.4f, 1.4f));
    snprintf(keys, sizeof keys,
             "\"shape\": {\"mesh\": {\"files\": \"%s/box_%%d.obj\", \"first\": 1, \"last\": 2, "
             "\"rate\": 16}}, \"direction\": [1, 0, 0], \"speed\": 3.2, \"prefill\": false",
             f->folder);
    snprintf(scene, sizeof scene, SCENE("%s"), keys);
    weir_sim *sim = simulate_scene(f, scene);
    step_frames(sim, 8);
    const uint32_t count = read_all(sim); /* 4 frames of each */
    assert_int_equal(count, 4 * 4 + 4 * 16);
    for (uint32_t i = 0; i < count; i++) {
        const vec3 p = at(positions, i);
        assert_true(i < 16 ? p.y > 0.5f && p.y < 0.6f : p.y > 1.2f && p.y < 1.4f);
        assert_true(fabsf(at(velocities, i).x - 3.2f) < 1e-3f);
    }
    static const char *const refused[][2] = {
        {"%s, \"profile\": \"parabolic\"", "must be \"plug\" with a sequence of meshes"},
        {"%s, \"flow_rate_keyframes\": [{\"time\": 0, \"flow_rate\": 1}]", "expected one of speed"},
    };
    for (size_t i = 0; i < BASE_COUNT(refused); i++) {
        char more[640];
        weir_scene *none = NULL;
        snprintf(more, sizeof more, refused[i][0], keys);
        snprintf(scene, sizeof scene, SCENE("%s"), more);
        assert_int_equal(parse_scene(scene, &none), WEIR_ERROR_SCENE);
        assert_logged(refused[i][1]);
    }
    char *speed = strstr(scene, "\"speed\": 3.2, ");
    memset(speed, ' ', strlen("\"speed\": 3.2, "));
    weir_scene *none = NULL;
    assert_int_equal(parse_scene(scene, &none), WEIR_ERROR_SCENE);
    assert_logged("whose cross-section changes: give \"speed\" in place of a flow rate");
}

static void a_host_moves_a_shape_from_its_place(void **state)
{
    weir_emitter tap;
    weir_sim *sim = simulate_scene(
        *state, SCENE(BOX ", \"direction\": [1, 0, 0], \"speed\": 3.2, \"prefill\": false, "
                          "\"motion\": {\"host_driven\": true}"));
    assert_int_equal(weir_sim_get_emitter(sim, "tap", &tap), WEIR_OK);
    assert_true(tap.position[0] == 0 && tap.position[1] == 0 && tap.speed == 3.2f);
    tap.position[1] = 1, tap.teleport = true;
    assert_int_equal(weir_sim_set_emitter(sim, "tap", &tap), WEIR_OK);
    step_frames(sim, 1);
    for (uint32_t i = 0; i < read_all(sim); i++)
        assert_true(at(positions, i).y > 1.5f && at(positions, i).y < 1.6f);
    tap.position[1] = 2e5f;
    logged[0] = '\0';
    assert_int_equal(weir_sim_set_emitter(sim, "tap", &tap), WEIR_ERROR_ARGUMENT);
    assert_non_null(strstr(logged, "how far the shape has moved, must be at most 100,000 m"));
}

static void a_state_goes_on_in_the_middle_of_its_streams(void **state)
{
    fixture *f = *state;
    char path[96];
    snprintf(path, sizeof path, "%s/state.weir", f->folder);
    static const char scene[] =
        SCENE(PIPE ", \"direction\": [0, 1, 0], \"profile\": \"parabolic\", \"flow_rate\": 0.4");
    weir_sim *sim = simulate_scene(f, scene);
    step_frames(sim, 3);
    assert_int_equal(weir_sim_save(sim, path), WEIR_OK);
    step_frames(sim, 3);
    const uint64_t whole = hash_of(sim);
    sim = simulate_scene(f, scene);
    assert_int_equal(weir_sim_restore(sim, path), WEIR_OK);
    step_frames(sim, 3);
    assert_true(hash_of(sim) == whole);
}

/* The scene's water covers the lower half of the box: nothing is added to it when the emitter
 * opens. */
static void fluid_of_the_start_is_not_filled_again(void **state)
{
    weir_sim *sim = simulate_scene(
        *state,
        "{\"spacing\": 0.05, \"frame_rate\": 64, \"domain\": {\"min\": [0, 0, 0], \"max\": [2, 2, "
        "2]}, \"gravity\": [0, 0, 0], \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": "
        "{\"box\": {\"min\": [0.3, 0.2, 0.3], \"max\": [0.8, 0.55, 0.9]}}}}], \"emitters\": "
        "[{\"name\": \"tap\", \"fluid\": \"water\", " BOX ", \"direction\": [1, 0, 0], \"speed\": "
        "0.1}]}");
    const uint32_t before = count_of(sim);
    step_frames(sim, 1);
    assert_int_equal(count_of(sim), before + COLUMNS * LAYERS / 2);
}

#define SOLID                                                                                \
    "], \"solids\": [{\"name\": \"wall\", \"shape\": {\"box\": {\"min\": [0.3, 0.3, 0.3], "  \
    "\"max\": [0.8, 0.545, 0.9]}}}], \"sinks\": [{\"name\": \"s\", \"shape\": {\"sphere\": " \
    "{\"radius\": 0.05}}"

static void what_cannot_emit_is_named(void **state)
{
    static const char *const faults[][2] = {
        {SCENE("\"shape\": {\"box\": {\"min\": [3, 3, 3], \"max\": [4, 4, 4]}}, \"direction\": "
               "[1, 0, 0], \"speed\": 1"),
         "scene:3:14: the shape of emitter 'tap' is outside the domain, from (3, 3, 3) to (4, 4, "
         "4) "
         "m; move it in"},
        {SCENE("\"shape\": {\"box\": {\"min\": [0.5, 0.51, 0.51], \"max\": [0.6, 0.53, 0.53]}}, "
               "\"emission\": \"surface\", \"speed\": 1}], \"solids\": [{\"name\": \"rock\", "
               "\"shape\": {\"sphere\": {\"radius\": 0.4}, \"position\": [0.5, 0.5, 0.5]}"),
         "emitter 'tap' has no site for a particle: 0 sites in its shape lie outside the domain "
         "and 16 at or in solids; make the shape at least a spacing (0.05 m) thick"},
        {SCENE("\"shape\": {\"box\": {\"min\": [0.5, 0.5, 0.5], \"max\": [0.52, 0.6, 0.6]}}, "
               "\"emission\": \"volume\", \"direction\": [1, 0, 0], \"flow_rate\": 50"),
         ": a flow rate of 50 m³/s is a speed of 5000 m/s through 0.01 m²; expected 0.001 to 1000"},
    };
    fixture *f = *state;
    for (size_t i = 0; i < BASE_COUNT(faults); i++) {
        use_scene(f, faults[i][0]);
        logged[0] = '\0';
        assert_int_equal(weir_sim_create(f->device, f->scene, &f->sim), WEIR_ERROR_SCENE);
        if (!strstr(logged, faults[i][1])) fail_msg("expected %s in:\n%s", faults[i][1], logged);
    }
    logged[0] = '\0';
    weir_sim *sim =
        simulate_scene(f, SCENE(BOX ", \"direction\": [1, 0, 0], \"speed\": 3.2}" SOLID));
    assert_non_null(strstr(logged, "emitter 'tap': 0 of the sites in its shape lie outside the "
                                   "domain and 16 at or in solids, and emit nothing; the first"));
    step_frames(sim, 1);
    assert_int_equal(count_of(sim), COLUMNS * LAYERS / 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(fluid_fills_a_shape_and_moves_through_it),
        TEST(without_prefill_the_flow_fills_the_shape),
        TEST(a_flow_rate_is_the_volume_per_second),
        TEST(a_surface_emits_along_its_normals),
        TEST(a_parabolic_profile_is_that_of_laminar_flow),
        TEST(turbulence_has_its_intensity),
        TEST(a_moving_shape_takes_its_fluid_along),
        TEST(a_shape_is_a_sequence_of_meshes),
        TEST(a_host_moves_a_shape_from_its_place),
        TEST(a_state_goes_on_in_the_middle_of_its_streams),
        TEST(fluid_of_the_start_is_not_filled_again),
        TEST(what_cannot_emit_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
