/* The long-range correction with solids that cut its cells anywhere: it reduces the error as
   much as without solids, and with it moving solids stir the fluid hardly more than without it. */
#include "device_support.h"
#include "scene_text.h"
#include "sim_support.h"

static const char *const uncorrected[] = {"solver.long_range_correction=off", NULL};
static const char *const corrected[] = {"solver.long_range_correction=on", NULL};

/* A pool with an obstacle in it. The cells of the correction are 0.1 m wide. */
static const char pool[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [0.4, 1.2, 0.4], 'sides':"
    " {'x': 'periodic', 'y': ['closed', 'open'], 'z': 'periodic'}}, 'frame_rate': 60,"
    " 'solver': {'support_radius': 2}, 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
    "'min': [0, 0, 0], 'max': [0.4, 0.8, 0.4]}}}}]%s}";

static const struct {
    const char *name, *solids;
} things[] = {
    {"nothing", ""},
    {"a box", ", 'solids': [{'name': 'box', 'shape': {'box': {'size': [0.16, 0.16, 0.16]},"
              " 'position': [0.2, 0.32, 0.19]}}]"},
    {"a ball", ", 'solids': [{'name': 'ball', 'shape': {'sphere': {'radius': 0.11},"
               " 'position': [0.2, 0.33, 0.21]}}]"},
    {"a floor through cells", ", 'solids': [{'name': 'floor', 'shape': {'box': {"
                              "'min': [-1, -1, -1], 'max': [2, 0.16, 2]}}}]"},
};

typedef struct settled {
    double mean, max;
} settled;

static settled settle(const char *text, const char *const *overrides)
{
    settled s = {0};
    weir_stats stats;
    scene_data *scene = make_scene(text, overrides);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 40);
    for (int i = 0; i < 10; i++) {
        run_frames(world, 1);
        OK(sim_stats(world, &stats));
        s.mean += stats.density_error_mean / 10.0;
        s.max += stats.density_error_max / 10.0;
    }
    assert_int_equal(stats.removed_non_finite + stats.removed_outside, 0);
    sim_destroy(&world);
    scene_destroy(&scene);
    return s;
}

static void the_error_falls_about_solids_as_without_them(void **state)
{
    for (size_t i = 0; i < BASE_COUNT(things); i++) {
        char *text = base_format(pool, things[i].solids);
        settled plain = settle(text, uncorrected), with = settle(text, corrected);
        print_message("  %s: mean over-density %.5f to %.5f, largest %.4f to %.4f\n",
                      things[i].name, plain.mean, with.mean, plain.max, with.max);
        base_free(text);
        assert_true(with.mean < 0.4 * plain.mean);
        assert_true(with.max < 0.6 * plain.max);
    }
}

/* The iterations alone would compress 4 m of water by 4 % at the floor. The default sees that. */
static void deep_water_stands_at_its_level_by_default(void **state)
{
    static const char text[] =
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [0.4, 5, 0.4]},"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [0.4, 4, 0.4]}}}}]}";
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    double low = 1e30, high = 0.0;
    weir_stats stats;
    run_frames(world, 120);
    for (int i = 0; i < 30; i++) {
        uint32_t count;
        float top = 0.0f;
        run_frames(world, 1);
        vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
        for (uint32_t k = 0; k < count; k++)
            top = fmaxf(top, x[k].y + 0.025f);
        low = fmin(low, (double)top);
        high = fmax(high, (double)top);
        base_free(x);
    }
    OK(sim_stats(world, &stats));
    print_message("  level %.4f to %.4f m, largest speed %.3f m/s, mean over-density %.4f\n", low,
                  high, stats.speed_max_m_s, stats.density_error_mean);
    assert_true(low > 3.975 && high < 4.025);
    assert_true(stats.speed_max_m_s < 0.1 && stats.density_error_mean < 0.01);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* A paddle and a ball that move back and forth in a tank at up to 1.2 m/s. */
#define FRAMES 45
typedef struct stir {
    double energy, speed, error;
    uint32_t count;
} stir;

static stir run_stirred(const char *const *overrides)
{
    stir s = {0};
    scene_data *scene = make_scene(scene_text("long_range_stirred"), overrides);
    sim_world *world = make_sim(device, scene);
    for (int i = 0; i < FRAMES; i++) {
        weir_stats stats;
        run_frames(world, 1);
        OK(sim_stats(world, &stats));
        s.energy += stats.kinetic_energy_j / FRAMES;
        s.speed = fmax(s.speed, stats.speed_max_m_s);
        s.error += stats.density_error_mean / FRAMES;
        s.count = stats.particle_count;
        assert_int_equal(stats.removed_non_finite + stats.removed_outside, 0);
    }
    sim_destroy(&world);
    scene_destroy(&scene);
    return s;
}

static void solids_in_motion_stir_hardly_more_than_without_it(void **state)
{
    stir plain = run_stirred(uncorrected), with = run_stirred(corrected);
    print_message("  energy %.2f and %.2f J, fastest %.2f and %.2f m/s, error %.5f and %.5f\n",
                  plain.energy, with.energy, plain.speed, with.speed, plain.error, with.error);
    assert_int_equal(with.count, plain.count);
    /* A fluid that is not compressed takes up more of the solids' momentum. */
    assert_true(with.energy < 1.25 * plain.energy);
    assert_true(with.speed < 2.0 * plain.speed);
    assert_true(with.error < 0.6 * plain.error);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_falls_about_solids_as_without_them),
        cmocka_unit_test(deep_water_stands_at_its_level_by_default),
        cmocka_unit_test(solids_in_motion_stir_hardly_more_than_without_it),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
