/* Rest positions with alternating resets: a texture that follows a splash is hardly stretched. */
#include "sim_support.h"

#define PERIOD "0.125"
#define PERIOD_S 0.125

/* A column that falls against the far wall and back. */
static const char dam[] =
    "{'spacing': 0.05, 'frame_rate': 64, 'domain': {'min': [0, 0, 0], 'max': [1.6, 1, 0.4]},"
    " 'attributes': [{'name': 'rest', 'kind': 'rest_position', 'period': " PERIOD "}, {'name':"
    " 'rest2', 'kind': 'rest_position', 'period': " PERIOD ", 'phase': 0.5}, {'name': 'start',"
    " 'kind': 'rest_position'}], 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min':"
    " [0, 0, 0], 'max': [0.6, 0.8, 0.4]}}}}]}";

static float *read_rest(sim_world *world, const char *name, uint32_t count)
{
    float *rest = base_alloc(count, 3 * sizeof *rest);
    assert_int_equal(sim_read_attribute(world, name, rest, 3 * count * sizeof *rest), WEIR_OK);
    return rest;
}

static double distance(const float *rest, uint32_t i, uint32_t j)
{
    const float *a = rest + 3 * (size_t)i, *b = rest + 3 * (size_t)j;
    return (double)vec3_length(vec3_make(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
}

/* Pairs of neighbours, and those whose distance in the texture has grown more than fourfold: in the
 * two that are blended, and in the one that is never reset. */
typedef struct stretch_counts {
    uint32_t pairs, blended, never_reset;
} stretch_counts;

static void count_stretched(sim_world *world, double time_s, stretch_counts *counts)
{
    uint32_t count;
    const double weight = 1.0 - fabs(2.0 * fmod(time_s / PERIOD_S, 1.0) - 1.0);
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
    float *rest = read_rest(world, "rest", count), *rest2 = read_rest(world, "rest2", count),
          *start = read_rest(world, "start", count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++) {
            const double r = (double)vec3_length(vec3_sub(x[i], x[j]));
            if (r > 1.3 * 0.05 || r < 0.5 * 0.05) continue;
            const double blend =
                weight * distance(rest, i, j) + (1.0 - weight) * distance(rest2, i, j);
            counts->pairs++;
            counts->blended += blend > 4.0 * r;
            counts->never_reset += distance(start, i, j) > 4.0 * r;
        }
    void *arrays[] = {x, rest, rest2, start};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

static void a_splash_stretches_few_neighbours_more_than_fourfold(void **state)
{
    stretch_counts counts = {0};
    gpu_device *device = open_gpu(false);
    scene_data *scene = make_scene(dam, NULL);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 64);
    for (uint32_t frame = 64; frame < 96; frame += 3) {
        count_stretched(world, frame / 64.0, &counts);
        run_frames(world, 3);
    }
    assert_true(counts.pairs > 10000);
    assert_at_most("blended, stretched by more than 4", (double)counts.blended / counts.pairs,
                   0.01);
    assert_between("never reset", (double)counts.never_reset / counts.pairs, 0.1, 1.0);
    sim_destroy(&world);
    scene_destroy(&scene);
    close_gpu(&device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_splash_stretches_few_neighbours_more_than_fourfold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
