/* What force fields, numbers with keyframes and curves do to fluid: it gathers in a shape, follows
 * a curve, gains the speed of a changing acceleration, and flows where it is warm. */
#include "attribute_support.h"

#include <math.h>

#define SPACE "'spacing': 0.05, 'frame_rate': 60, 'gravity': [0, 0, 0], "

typedef struct fluid {
    uint32_t count;
    vec3 *x, *v;
} fluid;

static fluid run_scene(gpu_device *device, scene_data *scene, uint32_t frames)
{
    fluid f;
    sim_world *world = make_sim(device, scene);
    run_frames(world, frames);
    f.x = read_vectors(world, WEIR_FIELD_POSITION, &f.count);
    f.v = read_vectors(world, WEIR_FIELD_VELOCITY, &f.count);
    sim_destroy(&world);
    scene_destroy(&scene);
    return f;
}

static void release(fluid *f)
{
    base_free(f->x);
    base_free(f->v);
}

/* A cube of fluid beside a sphere of 1.2 times its volume. */
static void fluid_gathers_in_a_shape(void **state)
{
    static const char text[] =
        "{" SPACE "'domain': {'min': [0, 0, 0], 'max': [2, 1.2, 1.2]}, 'fluids': [{'name': "
        "'water', 'fill': {'shape': {'box': {'min': [0.1, 0.3, 0.3], 'max': [0.7, 0.9, 0.9]}}}}], "
        "'forces': [{'type': 'shape', 'shape': {'sphere': {'radius': 0.396}, 'position': [1.4, "
        "0.6, 0.6]}, 'strength': 80, 'radius': 0.2, 'rate': 4}]}";
    gpu_device *device = open_gpu(false);
    for (uint32_t m = 0; m < METHODS; m += 3) { /* pbf and flip */
        fluid f = run_scene(device, scene_with(text, attribute_methods[m], NULL), 150);
        uint32_t inside = 0;
        for (uint32_t i = 0; i < f.count; i++)
            inside += vec3_length(vec3_sub(f.x[i], vec3_make(1.4f, 0.6f, 0.6f))) < 0.446f;
        assert_between(attribute_methods[m], (double)inside / f.count, 0.97, 1.0);
        release(&f);
    }
    assert_int_equal(close_gpu(&device), 0);
}

/* A drop in the middle of a ring that carries it round at 1 m/s. */
static void fluid_follows_a_curve(void **state)
{
    static const char text[] =
        "{" SPACE "'domain': {'min': [0, 0, 0], 'max': [2, 2, 1]}, 'fluids': [{'name': 'water', "
        "'fill': {'shape': {'sphere': {'radius': 0.15}, 'position': [1.5, 1, 0.5]}}}], 'forces': "
        "[{'type': 'curve', 'closed': true, 'points': [[1.5, 1, 0.5], [1.354, 1.354, 0.5], [1, "
        "1.5, 0.5], [0.646, 1.354, 0.5], [0.5, 1, 0.5], [0.646, 0.646, 0.5], [1, 0.5, 0.5], "
        "[1.354, 0.646, 0.5]], 'radius': 0.4, 'strength': 100, 'rate': 8, 'speed': 1}]}";
    gpu_device *device = open_gpu(false);
    for (uint32_t m = 0; m < METHODS; m += 3) {
        fluid f = run_scene(device, scene_with(text, attribute_methods[m], NULL), 150);
        double along = 0.0, away = 0.0;
        for (uint32_t i = 0; i < f.count; i++) {
            const double x = (double)f.x[i].x - 1.0, y = (double)f.x[i].y - 1.0, r = hypot(x, y);
            along += (x * (double)f.v[i].y - y * (double)f.v[i].x) / r / f.count;
            away += hypot(r - 0.5, (double)f.x[i].z - 0.5) / f.count;
        }
        assert_between("speed along the curve, m/s", along, 0.9, 1.1);
        assert_between("mean distance from it, m", away, 0.0, 0.12);
        release(&f);
    }
    assert_int_equal(close_gpu(&device), 0);
}

/* Frames of 1/60 s with the acceleration at their middle: the integral of a linear change is exact.
 */
static void a_changing_acceleration_gives_its_integral(void **state)
{
    static const char text[] =
        "{" SPACE "'domain': {'min': [0, 0, 0], 'max': [3, 1, 1]}, 'fluids': [{'name': 'water', "
        "'fill': {'shape': {'sphere': {'radius': 0.2}, 'position': [0.5, 0.5, 0.5]}}}], 'forces': "
        "[{'type': 'uniform', 'acceleration_keyframes': [{'time': 0, 'acceleration': [0, 0, 0]}, "
        "{'time': 0.25, 'acceleration': [6, 0, 0]}, {'time': 0.5, 'acceleration': [0, 0, 0]}]}]}";
    gpu_device *device = open_gpu(false);
    for (uint32_t m = 0; m < METHODS; m++) {
        fluid f = run_scene(device, scene_with(text, attribute_methods[m], NULL), 36);
        double mean = 0.0;
        for (uint32_t i = 0; i < f.count; i++)
            mean += (double)f.v[i].x / f.count;
        assert_between(attribute_methods[m], mean, 1.495, 1.505);
        release(&f);
    }
    assert_int_equal(close_gpu(&device), 0);
}

/* Two columns of one fluid: the warm one flows apart, the cold one stands. */
static void warm_fluid_flows_and_cold_fluid_stands(void **state)
{
    static const char text[] =
        "{'spacing': 0.05, 'frame_rate': 60, 'domain': {'min': [0, 0, 0], 'max': [3, 1, 0.4]}, "
        "'attributes': [{'name': 'temperature'}], 'fluids': [{'name': 'wax', "
        "'dynamic_viscosity_curve': {'attribute': 'temperature', 'points': [{'value': 20, "
        "'dynamic_viscosity': 5000}, {'value': 80, 'dynamic_viscosity': 1}]}, 'fill': [{'shape': "
        "{'box': {'min': [0.5, 0, 0], 'max': [0.8, 0.6, 0.4]}}, 'attributes': {'temperature': 20}},"
        " {'shape': {'box': {'min': [2, 0, 0], 'max': [2.3, 0.6, 0.4]}}, 'attributes': "
        "{'temperature': 80}}]}]}";
    gpu_device *device = open_gpu(false);
    for (uint32_t m = 0; m < METHODS; m += 3) {
        fluid f = run_scene(device, scene_with(text, attribute_methods[m], NULL), 24);
        double cold = 0.0, warm = 0.0;
        for (uint32_t i = 0; i < f.count; i++) {
            const bool is_cold = i < f.count / 2; /* in order of id, so the first fill */
            const double half = fabs((double)f.x[i].x - (is_cold ? 0.65 : 2.15));
            double *widest = is_cold ? &cold : &warm;
            *widest = fmax(*widest, half);
        }
        assert_between("half width of the cold column, m", cold, 0.12, 0.18);
        assert_between("half width of the warm column, m", warm, 0.5, 1.2);
        release(&f);
    }
    assert_int_equal(close_gpu(&device), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fluid_gathers_in_a_shape),
        cmocka_unit_test(fluid_follows_a_curve),
        cmocka_unit_test(a_changing_acceleration_gives_its_integral),
        cmocka_unit_test(warm_fluid_flows_and_cold_fluid_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
