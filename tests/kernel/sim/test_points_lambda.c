/* Tests lambda of a simulation's points: it is the result of the solver's pass at their positions.
 * test_sim_kernels.c compares that pass with its reference. */
#include "device_support.h"
#include "sim_support.h"

static const char pool[] =
    "{'domain': {'min': [0, 0, 0], 'max': [1, 1, 0.6]}, 'spacing': 0.05, 'frame_rate': 60,"
    " 'solver': {'substeps': 2, 'iterations': 2, 'vorticity_confinement': 0.3},"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0, 0],"
    " 'max': [0.4, 0.5, 0.6]}}}}]}";

static uint32_t pass_of_lambda(const sim_world *world)
{
    uint32_t i = 0;
    while (world->passes[i].pipeline != world->pipelines[SIM_LAMBDA])
        i++;
    return i;
}

static void it_is_that_of_the_solve_where_the_points_stand(void **state)
{
    scene_data *scene = make_scene(pool, NULL);
    sim_world *world = make_sim(device, scene);
    particle_view points = {0};
    OK(sim_copy_points(world, &points));
    OK(sim_copy_lambda(world, &points));
    vec4 *before = download(world, points.lambda, points.count, sizeof *before);
    for (int frame = 0; frame < 3; frame++)
        OK(sim_step(world, 0));
    OK(sim_copy_points(world, &points));
    assert_false(points.has_lambda);
    OK(sim_copy_lambda(world, &points));
    assert_true(points.has_lambda && points.lambda_unit > 0.0f);
    vec4 *lambda = download(world, points.lambda, points.count, sizeof *lambda);
    gpu_pass pass = world->passes[pass_of_lambda(world)];
    pass.group = NULL;
    OK(gpu_run_passes(device, &pass, 1));
    vec4 *b = download(world, world->buffers.predicted_positions, points.count, sizeof *b);
    uint32_t pressed = 0;
    for (uint32_t i = 0; i < points.count; i++) {
        assert_true(before[i].w == 0.0f); /* no step, no lists */
        assert_memory_equal(&lambda[i].w, &b[i].w, 4);
        pressed += lambda[i].w < 0.0f && lambda[i].w > -points.lambda_unit;
    }
    assert_true(pressed > points.count / 10);
    particle_view_destroy(device, &points);
    void *arrays[] = {before, lambda, b};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    sim_destroy(&world);
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_that_of_the_solve_where_the_points_stand),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
