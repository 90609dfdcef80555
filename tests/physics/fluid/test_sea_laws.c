/* A sea keeps its level and its current, and its absorbing sides calm it. */
#include "attribute_support.h"

#include <math.h>

/* A periodic channel in the plane, 60 spacings long and 8 deep. */
static const char channel[] =
    "{'spacing': 0.05, 'frame_rate': 60, 'domain': {'min': [0, 0, 0], 'max': [3, 0.7, 0.1]},"
    " 'solver': {'dimensions': 2}, 'sea': {'level': 0.4, 'current': [0.5, 0, 0], 'zone_width':"
    " 1}}";

/* A basin in which half of the water is higher than the other. */
static const char basin[] =
    "{'spacing': 0.05, 'frame_rate': 60, 'domain': {'min': [0, 0, 0], 'max': [3, 0.7, 0.1]},"
    " 'solver': {'dimensions': 2}, 'sea': {'level': 0.4, 'zone_width': 1},"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'union': ["
    "{'box': {'min': [0, 0, 0], 'max': [3, 0.4, 0.1]}},"
    "{'box': {'min': [1.2, 0, 0], 'max': [1.8, 0.5, 0.1]}}]}}}]}";

typedef struct motion {
    double mean_x, kinetic; /* m/s; m2/s2, of the particles, per mass */
    double height;          /* m: mean of y */
    uint32_t count;
} motion;

static motion measure(sim_world *world)
{
    motion m = {0};
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &m.count),
         *v = read_vectors(world, WEIR_FIELD_VELOCITY, &m.count);
    for (uint32_t i = 0; i < m.count; i++) {
        m.mean_x += (double)v[i].x / m.count;
        m.kinetic += 0.5 * (double)vec3_dot(v[i], v[i]) / m.count;
        m.height += (double)x[i].y / m.count;
    }
    base_free(x);
    base_free(v);
    return m;
}

static void run(const char *text, const char *method, const char *more, motion out[2])
{
    gpu_device *device = open_gpu(false);
    scene_data *scene = scene_with(text, method, more);
    sim_world *world = make_sim(device, scene);
    out[0] = measure(world);
    run_frames(world, 180);
    out[1] = measure(world);
    sim_destroy(&world);
    scene_destroy(&scene);
    close_gpu(&device);
}

static const char *const tested[] = {"pbf", "flip"};

static void the_current_and_the_level_stay(void **state)
{
    for (size_t m = 0; m < BASE_COUNT(tested); m++) {
        motion at[2];
        run(channel, tested[m], "gravity=[0,-9.81,0]", at);
        assert_between("current at the start", at[0].mean_x, 0.499, 0.501);
        assert_between("current after 3 s", at[1].mean_x, 0.49, 0.51);
        assert_between("level after 3 s, m", at[1].height - at[0].height, -0.01, 0.01);
        assert_int_equal(at[1].count, at[0].count);
    }
}

/* The hump runs apart as two waves. Closed sides send them back; absorbing ones do not. */
static void absorbing_sides_calm_the_water(void **state)
{
    for (size_t m = 0; m < BASE_COUNT(tested); m++) {
        motion open[2], closed[2];
        run(basin, tested[m], "gravity=[0,-9.81,0]", open);
        run(basin, tested[m], "sea.zones.x=none", closed);
        assert_at_most("kinetic energy with absorbing sides over that with walls",
                       open[1].kinetic / closed[1].kinetic, 0.25);
        assert_int_equal(open[1].count, open[0].count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_current_and_the_level_stay),
        cmocka_unit_test(absorbing_sides_calm_the_water),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
