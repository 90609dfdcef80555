/* Viscosity and surface tension that depend on an attribute: the shader against the curves in
 * doubles, and against fluids that have these numbers themselves. */
#include "attribute_support.h"

#include <math.h>

#define WORLD                                                                                  \
    "{'spacing': 0.05, 'frame_rate': 60, 'domain': {'min': [0, 0, 0], 'max': [1, 0.6, 0.4]}, " \
    "'solver': {'adaptive': false, 'pre_stabilization': 0}, 'attributes': [{'name': 'pad', "   \
    "'components': 4}, {'name': 'heat'}, {'name': 'old', 'kind': 'age'}], "
#define LEFT "{'shape': {'box': {'min': [0, 0, 0], 'max': [0.3, 0.5, 0.4]}}, 'velocity': [1, 0, 0]"
#define RIGHT "{'shape': {'box': {'min': [0.3, 0, 0], 'max': [0.6, 0.5, 0.4]}}"
/* One fluid whose numbers are those of `left` for heat 2 and of `right` for heat 7. */
#define ONE(curve, left, right)                                                                    \
    WORLD "'fluids': [{'name': 'wax', '" curve "_curve': {'attribute': 'heat', 'points': "         \
          "[{'value': 2, '" curve "': " left "}, {'value': 7, '" curve "': " right                 \
          "}]}, 'fill': [" LEFT ", 'attributes': {'heat': 2}}, " RIGHT ", 'attributes': {'heat': " \
          "7}}]}]}"
#define TWO(number, left, right)                                                                \
    WORLD "'fluids': [{'name': 'a', '" number "': " left ", 'fill': " LEFT "}}, {'name': 'b', " \
          "'" number "': " right ", 'fill': " RIGHT "}}]}"

/* Positions after two frames, in order of id. */
static vec3 *positions_after(gpu_device *device, const char *text, const char *method,
                             uint32_t *count)
{
    scene_data *scene = scene_with(text, method, "solver.adaptive=false");
    sim_world *world = make_sim(device, scene);
    run_frames(world, 2);
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, count);
    sim_destroy(&world);
    scene_destroy(&scene);
    return x;
}

static double largest_distance(gpu_device *device, const char *method, const char *a, const char *b)
{
    uint32_t count, other;
    double worst = 0.0;
    vec3 *x = positions_after(device, a, method, &count);
    vec3 *y = positions_after(device, b, method, &other);
    assert_int_equal(count, other);
    for (uint32_t i = 0; i < count; i++)
        worst = fmax(worst, (double)vec3_length(vec3_sub(x[i], y[i])));
    base_free(x);
    base_free(y);
    return worst;
}

/* ---- tests ------------------------------------------------------------------------------------
 */

static void particles_have_the_numbers_of_the_curve(void **state)
{
    static const char text[] =
        WORLD "'fluids': [{'name': 'wax', 'dynamic_viscosity_curve': {'attribute': 'heat', "
              "'points': [{'value': 0, 'dynamic_viscosity': 50}, {'value': 1, "
              "'dynamic_viscosity': 2}]}, 'fill': " LEFT "}}]}";
    gpu_device *device = open_gpu(true);
    for (uint32_t m = 0; m < METHODS; m++) {
        uint32_t count;
        double worst = 0.0;
        scene_data *scene = scene_with(text, attribute_methods[m], "solver.adaptive=false");
        sim_world *world = make_sim(device, scene);
        float *heat = read_values(world, "heat", 1, &count);
        for (uint32_t i = 0; i < count; i++)
            heat[i] = 1.4f * (float)i / (float)count - 0.2f;
        write_values(world, "heat", heat, count);
        uint32_t pass = run_up_to(world, 1.0 / 60, "particle_materials");
        run_step_passes(world, pass, pass + 1);
        vec2 *materials = download(world, world->buffers.particle_materials, count, sizeof(vec2));
        uint32_t *sources =
            download(world, pass_buffer(&world->passes[pass], SIM_BIND_sort_sources), count,
                     sizeof *sources);
        vec4 *attributes = download(world, world->buffers.attributes, 2 * count, sizeof(vec4));
        for (uint32_t i = 0; i < count; i++) {
            const float value = attributes[2 * sources[i] + 1].x; /* after four of 'pad' */
            const float expected = scene_curve_at(&scene->fluids[0].viscosity_curve, value);
            worst = fmax(worst, fabs((double)(materials[i].x / expected) - 1.0));
        }
        /* 64 samples of a factor of 25: at most 0.03 % off between two. */
        assert_at_most(attribute_methods[m], worst, 4e-4);
        base_free(heat);
        base_free(materials);
        base_free(sources);
        base_free(attributes);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
    assert_int_equal(close_gpu(&device), 0);
}

/* Particles of one fluid move as those of two fluids whose numbers they have, bit for bit. */
static void numbers_act_as_those_of_a_fluid(void **state)
{
    gpu_device *device = open_gpu(true);
    for (uint32_t m = 0; m < 3; m += 2) { /* pbf and wcsph; pcisph has the same passes */
        const char *method = attribute_methods[m];
        assert_true(largest_distance(device, method, ONE("dynamic_viscosity", "0.5", "80"),
                                     TWO("dynamic_viscosity", "0.5", "80")) == 0.0);
        assert_true(largest_distance(device, method, ONE("dynamic_viscosity", "0.5", "80"),
                                     TWO("dynamic_viscosity", "80", "80")) > 1e-3);
        assert_true(largest_distance(device, method, ONE("surface_tension", "2", "20"),
                                     TWO("surface_tension", "2", "20")) == 0.0);
        assert_true(largest_distance(device, method, ONE("surface_tension", "2", "20"),
                                     TWO("surface_tension", "20", "20")) > 1e-5);
    }
    assert_int_equal(close_gpu(&device), 0);
}

/* On the MAC grid the viscosity of a cell is the mean of the particles around it. */
static void the_grid_has_the_viscosity_of_its_particles(void **state)
{
    static const char plain[] = WORLD "'fluids': [{'name': 'wax', 'dynamic_viscosity': 40, "
                                      "'fill': [" LEFT "}, " RIGHT "}]}]}";
    gpu_device *device = open_gpu(true);
    for (uint32_t m = 3; m < METHODS; m++) { /* flip and apic */
        const char *method = attribute_methods[m];
        assert_at_most(
            method, largest_distance(device, method, ONE("dynamic_viscosity", "40", "40"), plain),
            2e-5);
        assert_true(
            largest_distance(device, method, ONE("dynamic_viscosity", "0.01", "40"), plain) > 1e-3);
    }
    assert_int_equal(close_gpu(&device), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_have_the_numbers_of_the_curve),
        cmocka_unit_test(numbers_act_as_those_of_a_fluid),
        cmocka_unit_test(the_grid_has_the_viscosity_of_its_particles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
