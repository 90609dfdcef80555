/* Laws of the attributes of particles: diffusion at the given rate without loss, ages, and rest
 * positions. */
#include "attribute_support.h"

/* ---- diffusion ------------------------------------------------------------------------------- */

/* A block between periodic sides, at rest. */
static const char still[] =
    "{'spacing': 0.05, 'frame_rate': 60, 'gravity': [0, 0, 0],"
    " 'domain': {'min': [0, 0, 0], 'max': [1, 0.5, 0.5], 'sides': {'x': 'periodic', 'y':"
    " 'periodic', 'z': 'periodic'}}, 'solver': {'substeps': 2, 'artificial_pressure': 0},"
    " 'attributes': [{'name': 'heat', 'diffusivity': 0.03}, {'name': 'kept'}],"
    " 'fluids': [{'name': 'water', 'xsph': 0, 'fill': {'jitter': 0, 'shape': {'box': {'min':"
    " [0, 0, 0], 'max': [1, 0.5, 0.5]}}}}]}";

static void set_wave(sim_world *world)
{
    uint32_t count;
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
    float *heat = base_alloc(count, sizeof *heat);
    for (uint32_t i = 0; i < count; i++)
        heat[i] = 1.0f + (float)sin(2.0 * SIM_PI * (double)x[i].x);
    write_values(world, "heat", heat, count);
    write_values(world, "kept", heat, count);
    base_free(heat);
    base_free(x);
}

/* Returns the mean of a wave's values, and its amplitude. */
static double mean_and_amplitude(sim_world *world, const char *name, double *amplitude)
{
    uint32_t count;
    double sum = 0.0, wave = 0.0;
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
    float *heat = read_values(world, name, 1, &count);
    for (uint32_t i = 0; i < count; i++) {
        sum += (double)heat[i] / count;
        wave += 2.0 * (double)heat[i] * sin(2.0 * SIM_PI * (double)x[i].x) / count;
    }
    *amplitude = wave;
    base_free(heat);
    base_free(x);
    return sum;
}

/* exp(-D k^2 t), as the heat equation has it. */
static void a_wave_decays_as_the_diffusion_equation_says(void **state)
{
    gpu_device *device = open_gpu(true);
    for (uint32_t m = 0; m < METHODS; m++) {
        double amplitude, before;
        scene_data *scene = scene_with(still, attribute_methods[m], "solver.adaptive=false");
        sim_world *world = make_sim(device, scene);
        set_wave(world);
        assert_between("mean", mean_and_amplitude(world, "heat", &before), 0.99999, 1.00001);
        run_frames(world, 6);
        assert_between("mean", mean_and_amplitude(world, "heat", &amplitude), 0.99999, 1.00001);
        const double k = 2.0 * SIM_PI, expected = exp(-0.03 * k * k * 0.1);
        assert_between("decay over that expected", amplitude / before / expected, 0.98, 1.02);
        mean_and_amplitude(world, "kept", &amplitude);
        assert_between("amplitude without diffusion", amplitude / before, 0.999, 1.001);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
    assert_int_equal(close_gpu(&device), 0);
}

/* ---- ages and rest positions ------------------------------------------------------------------
 */

/* A block in free flight, and a tap. */
static const char flight[] =
    "{'spacing': 0.05, 'frame_rate': 64, 'gravity': [0, 0, 0], 'solver': {'substeps': 1}, 'domain':"
    " {'min': [0, 0, 0], 'max': [3, 1, 0.6]}, 'attributes': [{'name': 'age', 'kind': 'age'}, "
    "{'name': 'rest', 'kind':"
    " 'rest_position'}, {'name': 'again', 'kind': 'rest_position', 'period': 0.125, 'phase': 0.5}],"
    " 'fluids': [{'name': 'water', 'xsph': 0, 'fill': {'velocity': [0.5, 0, 0], 'jitter': 0, "
    "'shape':"
    " {'box': {'min': [0.2, 0.2, 0.1], 'max': [0.6, 0.6, 0.5]}}}}], 'emitters': [{'name': 'tap',"
    " 'fluid': 'water', 'position': [2.5, 0.8, 0.3], 'direction': [0, -1, 0], 'radius': 0.08,"
    " 'speed': 1, 'max_particles': 20}]}";

static void assert_offsets(const float *rest, const vec3 *x, uint32_t count, vec3 moved,
                           float limit)
{
    for (uint32_t i = 0; i < count; i++) {
        const vec3 from = {rest[3 * i], rest[3 * i + 1], rest[3 * i + 2]};
        const vec3 off = vec3_sub(vec3_sub(x[i], moved), from);
        if (!(vec3_length(off) <= limit)) fail_msg("%u is off by %g", i, (double)vec3_length(off));
    }
}

/* Ages are times, emitted particles enter with the age 0, and rest positions move along with a
 * rigid block. Those with a period are positions of the last reset, after 4 and 12 frames and so
 * on. */
static void ages_grow_and_rest_positions_follow(void **state)
{
    gpu_device *device = open_gpu(false); /* many frames of passes that others validate */
    for (uint32_t m = 0; m < METHODS; m += 3) {
        uint32_t count, block = 8 * 8 * 8;
        scene_data *scene = scene_with(flight, attribute_methods[m], "solver.adaptive=false");
        sim_world *world = make_sim(device, scene);
        run_frames(world, 20); /* the last reset */
        vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
        float *again = read_values(world, "again", 3, &count);
        assert_offsets(again, x, count, vec3_make(0, 0, 0), 1e-6f);
        run_frames(world, 2);
        float *later = read_values(world, "again", 3, &count);
        assert_memory_equal(later, again, (size_t)3 * block * sizeof *later);
        base_free(x);
        run_frames(world, 178);
        x = read_vectors(world, WEIR_FIELD_POSITION, &count);
        float *rest = read_values(world, "rest", 3, &count),
              *age = read_values(world, "age", 1, &count);
        assert_offsets(rest, x, block, vec3_make(0.5f * 200 / 64, 0, 0), 0.1f * 0.05f);
        assert_true(count > block);
        for (uint32_t i = 0; i < count; i++)
            assert_between("age", (double)age[i], i < block ? 3.1249 : 2.5, 3.1251);
        assert_true(fabsf(rest[3 * block] - 2.5f) < 0.1f && rest[3 * block + 1] < 0.81f);
        void *arrays[] = {x, again, later, rest, age};
        for (size_t i = 0; i < BASE_COUNT(arrays); i++)
            base_free(arrays[i]);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
    close_gpu(&device);
}

/* ---- mixing ---------------------------------------------------------------------------------- */

/* Two halves of a splash, one with dye, both ends of a diffusivity that no substep can take. */
static const char inks[] =
    "{'spacing': 0.05, 'frame_rate': 60, 'domain': {'min': [0, 0, 0], 'max': [0.4, 0.8, 0.3]},"
    " 'attributes': [{'name': 'dye', 'diffusivity': 1000}],"
    " 'fluids': [{'name': 'water', 'fill': [{'attributes': {'dye': 1}, 'shape': {'box': {'min':"
    " [0, 0, 0], 'max': [0.15, 0.6, 0.3]}}}, {'shape': {'box': {'min': [0.15, 0, 0], 'max':"
    " [0.3, 0.6, 0.3]}}}]}]}";

static void no_diffusivity_is_too_large_and_dye_is_kept(void **state)
{
    gpu_device *device = open_gpu(false);
    for (uint32_t m = 0; m < METHODS; m += 3) { /* pbf by lists, flip by bins */
        uint32_t count;
        double sum = 0.0, spread = 0.0;
        scene_data *scene = scene_with(inks, attribute_methods[m], "solver.adaptive=false");
        sim_world *world = make_sim(device, scene);
        run_frames(world, 50);
        float *dye = read_values(world, "dye", 1, &count);
        for (uint32_t i = 0; i < count; i++) {
            sum += (double)dye[i];
            spread += fabs((double)dye[i] - 0.5) / count;
            assert_true(dye[i] >= 0.0f && dye[i] <= 1.0f);
        }
        assert_between("total dye", 2.0 * sum / count, 0.99999, 1.00001);
        assert_at_most("mean difference from one colour", spread, 0.02);
        base_free(dye);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
    close_gpu(&device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wave_decays_as_the_diffusion_equation_says),
        cmocka_unit_test(ages_grow_and_rest_positions_follow),
        cmocka_unit_test(no_diffusivity_is_too_large_and_dye_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
