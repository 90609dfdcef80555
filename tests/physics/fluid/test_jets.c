/* Checks fluid in free flight and in force fields: jets and blocks keep their lattice whatever the
 * substep, and a field that balances the pressure exerts no torque. */
#include "device_support.h"
#include "scene_text.h"
#include "sim_support.h"

#define D 0.05
#define JET                                                                                     \
    "'spacing': 0.05, 'domain': {'min': [-1.5, -1.5, -1.2], 'max': [1.5, 1, 1.2]},"             \
    " 'fluids': [{'name': 'water'}], 'emitters': [{'name': 'jet', 'fluid': 'water', 'radius': " \
    "0.1,"

/* Returns the distance of the nearest pair, spacings. */
static double nearest_pair(const vec3 *x, uint32_t count)
{
    double least = 1e30;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++)
            least = fmin(least, (double)vec3_length(vec3_sub(x[i], x[j])));
    return least / D;
}

/* Returns the root mean square of the velocities about `expected`, m/s. */
static double velocity_spread(const vec3 *v, uint32_t count, vec3 expected)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        vec3 off = vec3_sub(v[i], expected);
        sum += (double)vec3_dot(off, off);
    }
    return sqrt(sum / count);
}

/* Runs a scene, and checks the nearest pair and, without gravity, the velocities. */
static void check_flight(const char *text, uint32_t frames, double least, const vec3 *velocity)
{
    static const char *const substeps[] = {"solver.substeps=4", "solver.substeps=16"};
    for (size_t i = 0; i < BASE_COUNT(substeps); i++) {
        const char *const sets[] = {substeps[i], NULL};
        scene_data *scene = make_scene(text, sets);
        sim_world *world = make_sim(device, scene);
        uint32_t count, same;
        run_frames(world, frames);
        vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count),
             *v = read_vectors(world, WEIR_FIELD_VELOCITY, &same);
        double pair = nearest_pair(x, count),
               spread = velocity ? velocity_spread(v, count, *velocity) : 0.0;
        print_message("  %s: %u particles, nearest pair %.4f d, spread %.5f m/s\n", substeps[i],
                      count, pair, spread);
        assert_true(count > 80);
        assert_true(pair > least);
        assert_true(spread < 0.01);
        base_free(x);
        base_free(v);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

static void a_jet_keeps_its_lattice_without_gravity(void **state)
{
    const vec3 down = {0, -1, 0}, askew = {0.6f, -0.8f, 0};
    check_flight("{'gravity': [0, 0, 0], " JET " 'position': [0, 0.9, 0], 'direction': [0, -1, 0],"
                 " 'speed': 1}]}",
                 60, 0.99, &down);
    check_flight("{'gravity': [0, 0, 0], " JET " 'position': [-1, 0.8, 0],"
                 " 'direction': [3, -4, 0], 'speed': 1}]}",
                 60, 0.99, &askew);
}

static void a_jet_under_gravity_has_no_close_pairs(void **state)
{
    check_flight("{" JET " 'position': [-1.4, 0.5, 0], 'direction': [1, 0, 0], 'speed': 3}]}", 36,
                 0.95, NULL);
    check_flight("{" JET " 'position': [-1.4, 0.5, 0], 'direction': [1, 0, 0], 'speed': 3,"
                 " 'motion': {'oscillation': {'amplitude': [0, 0, 0.2], 'frequency': 1}}}]}",
                 36, 0.9, NULL);
    /* a fountain that falls back onto itself */
    check_flight("{" JET " 'position': [0, -1.4, 0], 'direction': [0, 1, 0], 'speed': 3}]}", 36,
                 0.5, NULL);
}

static void a_block_in_flight_keeps_its_lattice(void **state)
{
    const vec3 velocity = {0, -1, 0};
    check_flight("{'gravity': [0, 0, 0], 'spacing': 0.05,"
                 " 'domain': {'min': [-1, -1, -1], 'max': [1, 1, 1]},"
                 " 'fluids': [{'name': 'water', 'fill': {'velocity': [0, -1, 0], 'shape': {'box':"
                 " {'min': [-0.1, 0.4, -0.1], 'max': [0.1, 0.8, 0.1]}}}}]}",
                 60, 0.99, &velocity);
}

/* ---- fields --------------------------------------------------------------------------------- */

/* Returns the angular momentum about the y axis per mass of a particle, m2/s. */
static double turning(sim_world *world)
{
    uint32_t count, same;
    double sum = 0.0;
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count),
         *v = read_vectors(world, WEIR_FIELD_VELOCITY, &same);
    for (uint32_t i = 0; i < count; i++)
        sum += (double)(x[i].z * v[i].x - x[i].x * v[i].z);
    base_free(x);
    base_free(v);
    return sum;
}

/* The pressure of a ball that turns at 2 /s balances a central field of 40 /s2. Its angular
 * momentum changes by -4 /s2 times the substep of 1/240 s (docs/equations.md): to 0.967 after 2 s.
 */
static void a_field_exerts_no_torque(void **state)
{
    static const char text[] =
        "{'gravity': [0, 0, 0], 'spacing': 0.05,"
        " 'domain': {'min': [-0.6, -0.6, -0.6], 'max': [0.6, 0.6, 0.6]},"
        " 'forces': [{'type': 'central', 'strength': 40}],"
        " 'fluids': [{'name': 'water', 'xsph': 0, 'fill': {'spin': {'axis': [0, 1, 0], 'rate': 2},"
        " 'shape': {'sphere': {'radius': 0.25}}}}]}";
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    double start = turning(world);
    run_frames(world, 120);
    double kept = turning(world) / start;
    print_message("  angular momentum after 2 s: %.4f\n", kept);
    assert_true(start > 0.0 && kept > 0.93 && kept < 1.0);
    sim_destroy(&world);
    scene_destroy(&scene);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_jet_keeps_its_lattice_without_gravity),
        cmocka_unit_test(a_jet_under_gravity_has_no_close_pairs),
        cmocka_unit_test(a_block_in_flight_keeps_its_lattice),
        cmocka_unit_test(a_field_exerts_no_torque),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
