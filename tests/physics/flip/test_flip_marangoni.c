/* A surface tension that depends on an attribute, with FLIP and APIC: it is that of a scene's
 * constant, its stress drives a layer as theory says, and a drop does not push itself away. */
#include "device_support.h"
#include "sim_support.h"

static const char *const methods[] = {"solver.method=flip", "solver.method=apic"};

/* Returns the ratio of a disc's rms extents along x and y. */
static double stretch(sim_world *world)
{
    uint32_t count;
    double sum[2] = {0}, square[2] = {0};
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
    for (uint32_t i = 0; i < count; i++) {
        const double at[2] = {(double)x[i].x, (double)x[i].y};
        for (int axis = 0; axis < 2; axis++) {
            sum[axis] += at[axis];
            square[axis] += at[axis] * at[axis];
        }
    }
    base_free(x);
    for (int axis = 0; axis < 2; axis++)
        square[axis] -= sum[axis] * sum[axis] / count;
    return sqrt(square[0] / square[1]);
}

/* An ellipse of 5 cm in the plane; a half period at 2 N/m is 0.32 s. */
static double stretch_after(const char *method, const char *tension)
{
    char *text = base_format(
        "{'spacing': 0.005, 'gravity': [0, 0, 0], 'frame_rate': 50, 'attributes': [{'name': "
        "'heat'}],"
        " 'domain': {'min': [-0.12, -0.12, -0.12], 'max': [0.12, 0.12, 0.12]},"
        " 'solver': {'method': 'flip', 'dimensions': 2, 'substeps': 4, 'adaptive': false},"
        " 'fluids': [{'name': 'water', %s, 'fill': {'attributes': {'heat': 10},"
        " 'velocity_gradient': {'x': [1, 0, 0], 'y': [0, -1, 0], 'z': [0, 0, 0]},"
        " 'shape': {'sphere': {'radius': 0.05}}}}]}",
        tension);
    const char *const overrides[] = {method, NULL};
    scene_data *scene = make_scene(text, overrides);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 15);
    double found = stretch(world);
    sim_destroy(&world);
    scene_destroy(&scene);
    base_free(text);
    return found;
}

static void a_drop_has_the_tension_of_its_attribute(void **state)
{
    (void)state;
    static const char curve[] =
        "'surface_tension_curve': {'attribute': 'heat', 'points': [{'value': "
        "0, 'surface_tension': 4}, {'value': 20, 'surface_tension': 1}]}";
    for (size_t k = 0; k < BASE_COUNT(methods); k++) {
        double found = stretch_after(methods[k], curve);
        double same = stretch_after(methods[k], "'surface_tension': 2");
        double largest = stretch_after(methods[k], "'surface_tension': 4");
        print_message("  %s: stretch %.4f, %.4f with a constant, %.4f with the largest\n",
                      methods[k], found, same, largest);
        assert_between("stretch over that with a constant", found / same, 0.99, 1.01);
        assert_between("stretch with the largest over it", largest / same, 0.0, 0.97);
    }
}

/* A closed, shallow pool whose tension grows by 13 N/m2 in its middle: u = tau / mu (3 y2 / 4 h -
 * y / 2), y the height above the ground (Birikh 1966). Returns the mean speed along x between two
 * heights in the middle of the pool. */
static double speed_between(sim_world *world, double low, double high)
{
    uint32_t count, used = 0;
    double sum = 0.0;
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
    vec3 *v = read_vectors(world, WEIR_FIELD_VELOCITY, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (fabs((double)x[i].x - 0.3) > 0.1) continue;
        if ((double)x[i].y < low || (double)x[i].y >= high) continue;
        sum += (double)v[i].x;
        used++;
    }
    base_free(x);
    base_free(v);
    return sum / used;
}

static void a_gradient_of_the_tension_drives_a_layer(void **state)
{
    (void)state;
    static const char pool[] =
        "{'spacing': 0.01, 'frame_rate': 20, 'gravity': [0, -9.81, 0],"
        " 'domain': {'min': [0, 0, 0], 'max': [0.6, 0.2, 0.01], 'no_slip': true},"
        " 'solver': {'method': 'flip', 'dimensions': 2},"
        " 'attributes': [{'name': 'rest', 'kind': 'rest_position'}],"
        " 'fluids': [{'name': 'oil', 'dynamic_viscosity': 10,"
        " 'surface_tension_curve': {'attribute': 'rest_x', 'points': [{'value': 0,"
        " 'surface_tension': 10}, {'value': 0.6, 'surface_tension': 18}]},"
        " 'fill': {'shape': {'box': {'min': [0, 0, 0], 'max': [0.6, 0.1, 0.01]}}}}]}";
    const double depth = 0.1, rate = sqrt(10.0 * 18.0) * log(1.8) / 0.6 / 10.0;
    const double theory = rate * (3.0 * (0.075 * 0.075 - 0.035 * 0.035) / (4.0 * depth) - 0.02);
    for (size_t k = 0; k < BASE_COUNT(methods); k++) {
        const char *const overrides[] = {methods[k], NULL};
        scene_data *scene = make_scene(pool, overrides);
        sim_world *world = make_sim(device, scene);
        run_frames(world, 25);
        double found = 0.0;
        for (int frame = 0; frame < 20; frame++) {
            run_frames(world, 1);
            found += (speed_between(world, 0.07, 0.08) - speed_between(world, 0.03, 0.04)) / 20;
        }
        print_message("  %s: shear %.5f m/s, in theory %.5f\n", methods[k], found, theory);
        assert_between("shear over that of the theory", found / theory, 0.8, 1.25);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

/* A ball of 5 cells, whose tension grows by 1 N/m2: the pressure of the surface alone accelerates
 * it by 2 / (rho R) times that. */
static void a_drop_does_not_push_itself_away(void **state)
{
    (void)state;
    static const char drop[] =
        "{'spacing': 0.01, 'frame_rate': 10, 'gravity': [0, 0, 0],"
        " 'domain': {'min': [0, 0, 0], 'max': [0.6, 0.4, 0.4]}, 'solver': {'method': 'flip'},"
        " 'attributes': [{'name': 'rest', 'kind': 'rest_position'}],"
        " 'fluids': [{'name': 'water', 'surface_tension_curve': {'attribute': 'rest_x', 'points':"
        " [{'value': 0.2, 'surface_tension': 0.9}, {'value': 0.4, 'surface_tension': 1.1}]},"
        " 'fill': {'shape': {'sphere': {'radius': 0.1}, 'position': [0.3, 0.2, 0.2]}}}]}";
    for (size_t k = 0; k < BASE_COUNT(methods); k++) {
        const char *const overrides[] = {methods[k], NULL};
        scene_data *scene = make_scene(drop, overrides);
        sim_world *world = make_sim(device, scene);
        run_frames(world, 10);
        weir_stats stats;
        OK(sim_stats(world, &stats));
        const double mass = 1000.0 * 1e-6 * stats.particle_count;
        const double pushed = stats.momentum_kg_m_s[0] / mass / (2.0 / (1000.0 * 0.1));
        print_message("  %s: %.3f of the push of the pressure alone\n", methods[k], -pushed);
        assert_between("push over that of the pressure alone", -pushed, -0.1, 0.3);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drop_has_the_tension_of_its_attribute),
        cmocka_unit_test(a_gradient_of_the_tension_drives_a_layer),
        cmocka_unit_test(a_drop_does_not_push_itself_away),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
