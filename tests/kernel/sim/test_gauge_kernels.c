/* Tests the gauge shaders against their definitions in tests/ref, and their sums against
 * conservation laws. */
#include "ref_gauges.h"
#include "scene_text.h"
#include "sim_support.h"

#define MANY 4000u

/* CHECKED runs with validation and few particles, LARGE without and with many. */
enum { CHECKED, LARGE, WORLDS };
static gpu_device *devices[WORLDS];
static scene_data *scenes[WORLDS];
static sim_world *worlds[WORLDS];

static int open_worlds(void **state)
{
    for (int w = 0; w < WORLDS; w++) {
        devices[w] = open_gpu(w == CHECKED);
        scenes[w] = make_scene(scene_text("gauge_kernels"), NULL);
        worlds[w] = make_sim_sized(devices[w], scenes[w], MANY);
    }
    return 0;
}

static int close_worlds(void **state)
{
    return close_sims(devices, scenes, worlds, WORLDS);
}

static float spread(uint64_t draw, float low, float high)
{
    return low + (high - low) * base_hash_to_unit(draw);
}

/* Places a jittered lattice on the floor, compressed enough to exert pressure, with high
 * velocities. */
static vec4 *place(sim_world *world, uint32_t count)
{
    vec4 *x = base_alloc(count + 1u, sizeof *x), *v = base_alloc(count + 1u, sizeof *v);
    uint32_t *ids = base_alloc(count + 1u, sizeof *ids);
    assert_true(x && v && ids);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t draw = 8ull * i;
        uint32_t row = count < 100 ? 5 : 20;
        x[i] = (vec4){0.05f * ((float)(i % row) + spread(draw, 0.3f, 0.7f)),
                      0.2f + 0.045f * ((float)(i / (row * row)) + spread(draw + 1, 0.5f, 0.9f)),
                      0.05f * ((float)(i / row % row) + spread(draw + 2, 0.3f, 0.7f)), 0};
        v[i] = (vec4){spread(draw + 3, -3, 3), spread(draw + 4, -3, 3), spread(draw + 5, -3, 3), 0};
        ids[i] = i;
    }
    place_particles(world, (placing){count, x, v, ids});
    base_free(x);
    base_free(ids);
    return v;
}

static ref_measured read_measured(const sim_world *world)
{
    const sim_buffers *b = &world->buffers;
    uint32_t count = world->last_result.status.count,
             slots = sim_gauge_slots_per_particle(world->scene);
    return (ref_measured){
        .params = &world->params,
        .dt = world->last_result.status.dt,
        .count = count,
        .slots = slots,
        .x = download_metres(world, b->positions, count),
        .a = download_metres(world, b->iterated_positions, count),
        .start = download_metres(world, b->sorted_positions, count),
        .measured = download(world, b->gauge_accumulators, (size_t)count * slots, sizeof(vec4)),
    };
}

static void free_measured(ref_measured *m)
{
    base_free((void *)(uintptr_t)m->x);
    base_free((void *)(uintptr_t)m->a);
    base_free((void *)(uintptr_t)m->start);
    base_free((void *)(uintptr_t)m->measured);
}

static void check_readings(sim_world *world, uint32_t count)
{
    weir_gauge got[SCENE_MAX_GAUGES];
    uint32_t gauges = SCENE_MAX_GAUGES;
    base_free(place(world, count));
    run_frames(world, 1);
    OK(sim_gauges(world, 0, got, &gauges));
    assert_int_equal(gauges, 8);
    ref_measured m = read_measured(world);
    struct sim_gauge *made = download(world, world->buffers.gauges, gauges, sizeof *made);
    for (uint32_t k = 0; k < gauges; k++) {
        vec4 expected = ref_gauge(&m, &made[k]);
        const float values[3] = {expected.x, expected.y, expected.z};
        for (uint32_t c = 0; c < got[k].components; c++) {
            double e = (double)values[c];
            if (!(fabs(got[k].value[c] - e) <= 2e-5 * fabs(e) + 0.02))
                fail_msg("%u particles, gauge %s, part %u: %g, expected %g", count, got[k].name, c,
                         got[k].value[c], e);
            if (got[k].kind <= WEIR_GAUGE_FRONT) assert_true(fabs(got[k].value[c] - e) < 1e-6);
        }
    }
    base_free(made);
    free_measured(&m);
}

static void readings_are_those_of_the_definitions(void **state)
{
    static const uint32_t sizes[] = {0, 1, 63, 64, 65};
    for (size_t i = 0; i < BASE_COUNT(sizes); i++)
        check_readings(worlds[CHECKED], sizes[i]);
    check_readings(worlds[LARGE], MANY);
    check_readings(worlds[LARGE], 65);
}

/* Layers extend half a spacing to either side of their particles, regardless of the bins. */
static void a_lattice_is_as_high_as_its_layers(void **state)
{
    sim_world *world = worlds[LARGE];
    const float d = 0.05f;
    vec4 *x = base_alloc(MANY, sizeof *x), *v = base_alloc(MANY, sizeof *v);
    uint32_t *ids = base_alloc(MANY, sizeof *ids);
    assert_true(x && v && ids);
    for (uint32_t layers = 1; layers <= 8; layers++) {
        weir_gauge got[SCENE_MAX_GAUGES];
        uint32_t gauges = SCENE_MAX_GAUGES, count = 400 * layers;
        float raised = 0.11f * d * (float)(layers - 1); /* above the lower end of the gauge */
        for (uint32_t i = 0; i < count; i++) {
            x[i] =
                (vec4){d * ((float)(i % 20) + 0.5f), 0.2f + raised + d * ((float)(i / 400) + 0.5f),
                       d * ((float)(i / 20 % 20) + 0.5f), 0};
            ids[i] = i;
        }
        place_particles(world, (placing){count, x, v, ids});
        run_frames(world, 1);
        OK(sim_gauges(world, 0, got, &gauges));
        double bin = (double)d / 9.0, height = (double)(d * (float)layers);
        print_message("  %u layers: %.4f m high, %.4f m down\n", layers, got[0].value[0],
                      got[1].value[0]);
        assert_true(fabs(got[0].value[0] - height) < 1.1 * bin);
        assert_true(fabs(got[1].value[0] - (0.7 - (double)raised)) < 1.1 * bin);
    }
    base_free(x);
    base_free(v);
    base_free(ids);
}

/* Momentum exchange between pairs is symmetric, so what the fluid gains beyond gravity comes from
 * the floor: the gauge must read exactly that. */
static void the_force_is_the_momentum_that_the_fluid_lacks(void **state)
{
    sim_world *world = worlds[LARGE];
    weir_gauge got[SCENE_MAX_GAUGES];
    uint32_t gauges = SCENE_MAX_GAUGES, count;
    double sum[3] = {0}, mass = (double)world->params.fluids[0].mass, dt = 1.0 / 240.0;
    vec4 *before = place(world, MANY);
    run_frames(world, 1);
    OK(sim_gauges(world, WEIR_ENTIRE_FRAME, got, &gauges));
    vec3 *after = read_vectors(world, WEIR_FIELD_VELOCITY, &count);
    assert_int_equal(count, MANY);
    for (uint32_t i = 0; i < count; i++) {
        sum[0] -= mass * (double)(after[i].x - before[i].x) / dt;
        sum[1] -= mass * ((double)(after[i].y - before[i].y) / dt + 9.81);
        sum[2] -= mass * (double)(after[i].z - before[i].z) / dt;
    }
    print_message("  force %.1f N, momentum says %.1f N\n", got[5].value[1], sum[1]);
    assert_true(fabs(sum[1]) > 100);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(got[5].value[k] - sum[k]) < 1e-3 * fabs(sum[1]));
    base_free(before);
    base_free(after);
}

/* By definition, the error of the first iteration is that of the prediction. */
static void residuals_are_means_and_maxima_of_the_over_density(void **state)
{
    sim_world *world = worlds[LARGE];
    weir_residual residuals[8];
    uint32_t count = 8;
    base_free(place(world, MANY));
    run_frames(world, 1);
    OK(sim_residuals(world, 0, residuals, &count));
    assert_int_equal(count, 3);
    base_free(place(world, MANY));
    uint32_t row = run_up_to(world, 1.0 / 240.0, "lambda");
    ivec4 *a = download(world, world->buffers.iterated_positions, MANY, sizeof *a);
    host_lists lists = download_lists(world->device, world->grid, MANY);
    run_step_passes(world, row, row + 1);
    vec4 *b = download_metres(world, world->buffers.predicted_positions, MANY);
    double sum = 0, most = 0;
    struct solid_pose pose = {0};
    pose.rotation.w = pose.last_rotation.w = 1;
    struct sim_params params = world->params;
    params.solid_count = 0; /* particles near the floor are skipped below */
    ref_pbf pbf = {&params, NULL, 1.0f / 240, MANY, lists.first, lists.items};
    uint32_t inner = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        if (b[i].y < 0.31f) continue;
        double error = fmax((double)ref_density(&pbf, a, i) - 1.0, 0.0);
        sum += error;
        most = fmax(most, error);
        inner++;
    }
    print_message("  mean %.4f, max %.4f; away from the floor %.4f, %.4f\n", residuals[0].mean,
                  residuals[0].max, sum / inner, most);
    assert_true(residuals[0].max >= most - 1e-5);
    assert_true(residuals[0].mean > 0.2 * sum / MANY && residuals[0].mean < residuals[0].max);
    assert_true(residuals[2].mean < residuals[0].mean);
    free_lists(&lists);
    base_free(a);
    base_free(b);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readings_are_those_of_the_definitions),
        cmocka_unit_test(a_lattice_is_as_high_as_its_layers),
        cmocka_unit_test(the_force_is_the_momentum_that_the_fluid_lacks),
        cmocka_unit_test(residuals_are_means_and_maxima_of_the_over_density),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_worlds, close_worlds);
}
