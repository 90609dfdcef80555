/* Tests the density of particles before their first substep: it is that of equation 2 at their
 * initial positions, and reading it changes nothing else. */
#include "device_support.h"
#include "ref_pbf.h"
#include "scene_text.h"
#include "sim_support.h"

/* Lists all other particles as neighbours of each one: the kernel must stop at the radius
 * itself. */
static host_lists list_all(uint32_t count)
{
    host_lists lists = {.first = base_alloc(count + 1u, 4),
                        .items = base_alloc((size_t)count * (count - 1u), 4)};
    assert_true(lists.first && lists.items);
    for (uint32_t i = 0, end = 0; i < count; i++) {
        for (uint32_t j = 0; j < count; j++)
            if (j != i) lists.items[end++] = j;
        lists.first[i + 1] = end;
    }
    return lists;
}

static void check_against_reference(sim_world *world, const float *densities, uint32_t count)
{
    host_lists lists = list_all(count);
    const ref_pbf pbf = {&world->params, NULL, 0.0f, count, lists.first, lists.items};
    ivec4 *x = download(world, world->buffers.positions, count, sizeof *x);
    double over = 0.0, most = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        double expected = (double)ref_density(&pbf, x, i);
        double got = (double)(densities[i] / world->params.fluids[x[i].w].density);
        if (!(fabs(got - expected) < 1e-5))
            fail_msg("particle %u: %.7g of the rest density, expected %.7g", i, got, expected);
        over += fmax(expected - 1.0, 0.0);
        most = fmax(most, expected - 1.0);
    }
    weir_stats stats;
    OK(sim_stats(world, &stats));
    assert_true(most > 0.05);
    assert_float_equal((float)stats.density_error_mean, (float)(over / count), 1e-5f);
    assert_float_equal((float)stats.density_error_max, (float)most, 3e-5f);
    assert_true(stats.neighbours_mean > 10.0 && stats.neighbours_max > 26);
    base_free(x);
    free_lists(&lists);
}

/* Lists that are too short at first, and lists that are long enough. */
static void it_is_that_of_equation_2(void **state)
{
    const grid_capacity capacities[] = {{4000, 8, 64}, {4000, 200, 4096}};
    for (size_t k = 0; k < BASE_COUNT(capacities); k++) {
        sim_world *world = NULL;
        scene_data *scene = make_scene(scene_text("start_density_shaken"), NULL);
        OK(sim_create_with_options(
            device, scene, &(sim_create_options){.initial_capacity = &capacities[k]}, &world));
        uint32_t count = world->last_result.status.count;
        float *densities = read_densities(world, count);
        check_against_reference(world, densities, count);
        base_free(densities);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

static uint64_t hash_after_frames(gpu_device *plain, const char *method, bool asked, double *error)
{
    uint64_t hash = 0;
    const char *overrides[] = {method, "fluids[1].density=1000", NULL};
    scene_data *scene = make_scene(scene_text("start_density_shaken"), overrides);
    sim_world *world = make_sim(plain, scene);
    weir_stats stats = {.density_error_mean = -1.0};
    if (asked) OK(sim_stats(world, &stats));
    *error = stats.density_error_mean;
    for (int frame = 0; frame < 2; frame++)
        OK(sim_step(world, 0));
    OK(sim_hash(world, &hash));
    sim_destroy(&world);
    scene_destroy(&scene);
    return hash;
}

/* Runs without validation, under which drivers take a minute to compile the kernels of all
 * methods. */
static void asking_changes_no_later_frame(void **state)
{
    gpu_device *plain = open_gpu(false);
    const char *const methods[] = {"solver.method=pbf", "solver.method=pcisph",
                                   "solver.method=flip", "solver.method=apic",
                                   "solver.method=wcsph"};
    for (size_t k = 0; k < BASE_COUNT(methods); k++) {
        double error, none;
        uint64_t asked = hash_after_frames(plain, methods[k], true, &error);
        assert_true(asked == hash_after_frames(plain, methods[k], false, &none));
        if (!(error > 1e-3 && error < 0.2)) fail_msg("%s: density error %g", methods[k], error);
    }
    gpu_device_destroy(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_that_of_equation_2),
        cmocka_unit_test(asking_changes_no_later_frame),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
