/* Momentum of closed systems. */
#include "body_support.h"
#include "device_support.h"

/* In a box without walls nothing enters or leaves. */
static const char empty[] = "'spacing': 0.05, 'gravity': [0, 0, 0], 'domain': {'min': [0, 0, 0],"
                            " 'max': [3, 2, 2], 'sides': {'x': 'open', 'y': 'open', 'z': 'open'}},";

static sim_world *make_closed(const char *rest, const char *method, scene_data **scene)
{
    char *text = base_format("{%s %s}", empty, rest);
    const char *const overrides[] = {method, NULL};
    *scene = make_scene(text, overrides);
    base_free(text);
    return make_sim(device, *scene);
}

typedef struct momentum {
    double along[3];
} momentum;

static momentum read_momentum(sim_world *world)
{
    weir_stats stats;
    OK(sim_stats(world, &stats));
    assert_int_equal(stats.removed_outside, 0);
    momentum sum = {{stats.momentum_kg_m_s[0], stats.momentum_kg_m_s[1], stats.momentum_kg_m_s[2]}};
    for (uint32_t i = 0; i < world->scene->body_count; i++)
        for (int k = 0; k < 3; k++)
            sum.along[k] += read_body(world, i).mass_kg * (double)read_body(world, i).velocity[k];
    return sum;
}

/* Runs a frame. Returns the largest change of momentum per substep, relative to the momentum at
   the start. */
static double run_closed(sim_world *world, const momentum *start)
{
    momentum before = read_momentum(world);
    double most = 0.0;
    run_frames(world, 1);
    momentum after = read_momentum(world);
    for (int k = 0; k < 3; k++)
        most = fmax(most, fabs(after.along[k] - before.along[k]));
    return most / hypot(start->along[0], start->along[1]) / world->last_result.status.substeps;
}

/* Runs a cube of fluid that flies into a block: two free surfaces close on each other. Takes
   `fluids`; checks the momentum of each substep. Returns the fraction of the energy that remains.
 */
static double run_collision(char *fluids, const char *method, double most_change)
{
    scene_data *scene;
    sim_world *world = make_closed(fluids, method, &scene);
    weir_stats before, after;
    momentum start = read_momentum(world);
    double most = 0.0;
    base_free(fluids);
    OK(sim_stats(world, &before));
    for (int frame = 0; frame < 10; frame++)
        most = fmax(most, run_closed(world, &start));
    OK(sim_stats(world, &after));
    assert_between("momentum of both, in a substep", most, 0.0, most_change);
    sim_destroy(&world);
    scene_destroy(&scene);
    return after.kinetic_energy_j / before.kinetic_energy_j;
}

static double fluid_meets_fluid(const char *method, double viscosity)
{
    return run_collision(
        base_format("'fluids': [{'name': 'water', 'dynamic_viscosity': %g, 'fill': ["
                    "{'shape': {'box': {'min': [1, 0.7, 0.7], 'max': [1.5, 1.3, 1.3]}}},"
                    " {'velocity': [2, 0.3, 0], 'shape': {'box': {'min': [0.6, 0.85, 0.85],"
                    " 'max': [0.9, 1.15, 1.15]}}}]}]",
                    viscosity),
        method, 1e-6);
}

static void blocks_of_fluid_that_collide_keep_their_momentum(void **state)
{
    static const char *const methods[] = {"solver.method=flip", "solver.method=apic"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        assert_between("energy left", fluid_meets_fluid(methods[i], 0.0), 0.5, 0.9);
        assert_between("energy left of 200 Pa s", fluid_meets_fluid(methods[i], 200.0), 0.1, 0.9);
    }
    assert_between("energy left by PBF", fluid_meets_fluid("solver.method=pbf", 200.0), 0.1, 0.9);
}

/* Water and oil of 300 kg/m3. */
static double water_meets_oil(const char *method, double viscosity)
{
    return run_collision(
        base_format(
            "'fluids': [{'name': 'water', 'dynamic_viscosity': %g, 'fill': {'shape': {'box': "
            "{'min':"
            " [1, 0.7, 0.7], 'max': [1.5, 1.3, 1.3]}}}}, {'name': 'oil', 'density': 300,"
            " 'dynamic_viscosity': %g, 'fill': {'velocity': [2, 0.3, 0], 'shape': {'box': {'min':"
            " [0.6, 0.85, 0.85], 'max': [0.9, 1.15, 1.15]}}}}]",
            viscosity, 0.3 * viscosity),
        method, 2e-6);
}

static void fluids_of_two_densities_that_collide_keep_their_momentum(void **state)
{
    static const char *const methods[] = {"solver.method=flip", "solver.method=apic"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        assert_between("energy left", water_meets_oil(methods[i], 0.0), 0.3, 0.9);
        assert_between("energy left of 200 Pa s", water_meets_oil(methods[i], 200.0), 0.02, 0.9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_fluid_that_collide_keep_their_momentum),
        cmocka_unit_test(fluids_of_two_densities_that_collide_keep_their_momentum),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
