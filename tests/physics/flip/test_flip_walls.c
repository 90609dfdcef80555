/* Effect of walls on fluid in FLIP and APIC, compared with theory. Runs without validation,
   under which a substep's many passes take long; test_flip.c runs one with it. */
#include "body_support.h"
#include "device_support.h"
#include "flip_support.h"
#include "scene_text.h"

#define G 9.81
#define PI 3.14159265358979323846

/* ---- friction ------------------------------------------------------------------------------- */

static const char sliding[] =
    "{'spacing': 0.03125, 'frame_rate': 120, 'solver': {'dimensions': 2},"
    " 'domain': {'min': [0, 0, 0], 'max': [1, 1, 0.1], 'sides': {'x': 'periodic'}, 'friction': "
    "0.02},"
    " 'fluids': [{'name': 'water', 'fill': {'velocity': [1, 0, 0], 'jitter': 0, 'shape':"
    " {'box': {'min': [0, 0, 0], 'max': [1, 0.5, 1]}}}}]}";

/* Returns the change of the mean velocity along x in 12 frames, over mu g t. */
static double slowed(const char *text, const char *method)
{
    const char *const overrides[] = {method, NULL};
    scene_data *scene = make_scene(text, overrides);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 1);
    double first = (double)world->last_result.sums.momentum.x;
    run_frames(world, 12);
    double change = ((double)world->last_result.sums.momentum.x - first) / world->mass_kg;
    sim_destroy(&world);
    scene_destroy(&scene);
    return change / (0.02 * G * 0.1);
}

/* Coulomb's law: the floor carries the weight m g and takes mu m g from a sliding body. */
static void friction_is_mu_times_the_weight(void **state)
{
    static const char *const methods[] = {"solver.method=flip", "solver.method=apic"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        double floor = slowed(sliding, methods[i]),
               belt = slowed(scene_text("flip_walls_dragging"), methods[i]);
        print_message("  %s: a floor slows by %.3f, a belt drags by %.3f of mu g t\n", methods[i],
                      -floor, belt);
        assert_true(fabs(floor + 1.0) <= 0.03);
        assert_true(fabs(belt - 1.0) <= 0.15);
    }
}

/* ---- gauges --------------------------------------------------------------------------------- */

enum { DEEP, WALL, WIDE, AIR, FLOOR, DISC, GAUGES };

/* Reads the gauges of a frame, over rho g; the residual force along x comes last. */
static void read_still(sim_world *world, double heights[GAUGES + 1])
{
    weir_gauge got[GAUGES];
    uint32_t count = GAUGES;
    OK(sim_gauges(world, WEIR_ENTIRE_FRAME, got, &count));
    assert_int_equal(count, GAUGES);
    for (int k = 0; k < GAUGES; k++)
        heights[k] = got[k].value[k >= FLOOR] / (1000.0 * G);
    heights[GAUGES] = fabs(got[FLOOR].value[0]) + fabs(got[DISC].value[0]);
    heights[GAUGES] /= 1000.0 * G;
}

/* The pressure is hydrostatic. A floor carries the water and the push of the disc; buoyancy
   pushes the disc up by the weight that it displaces. The sites that the disc displaces from the
   lattice, and a fraction of a cell at the surface, lower the level to 0.99 m. */
static void gauges_read_depth_weight_and_buoyancy(void **state)
{
    static const char *const methods[] = {"solver.method=flip", "solver.method=apic"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        const char *const overrides[] = {methods[i], NULL};
        double h[GAUGES + 1], area = 3.14159265 * 0.19 * 0.19;
        scene_data *scene = make_scene(scene_text("flip_walls_still"), overrides);
        sim_world *world = make_sim(device, scene);
        run_frames(world, 6);
        read_still(world, h);
        print_message("  %s: pressure %.4f %.4f %.4f m, floor %.4f, disc %.5f m2 of %.5f\n",
                      methods[i], h[DEEP], h[WALL], h[WIDE], h[FLOOR], h[DISC], area);
        assert_true(fabs(h[DEEP] - 0.99) <= 0.01);
        assert_true(fabs(h[DEEP] - h[WALL] - 0.28) <= 0.01 * 0.28);
        assert_true(fabs(h[DEEP] - h[WIDE] - 0.55) <= 0.01 * 0.55);
        assert_true(fabs(h[AIR]) <= 1e-6);
        assert_true(fabs(h[FLOOR] + 1.5 * h[DEEP]) <= 0.005);
        assert_true(fabs(h[DISC] / area - 1.0) <= 0.01);
        assert_true(h[GAUGES] <= 0.002);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

static const char thick[] =
    "{'spacing': 0.03125, 'frame_rate': 60, 'solver': {'dimensions': 2, 'method': 'apic'},"
    " 'domain': {'min': [0, 0, 0], 'max': [1, 1, 0.1], 'no_slip': false}, 'fluids': [{'name': "
    "'honey', 'dynamic_viscosity': 1000, 'fill': {'jitter': 0, 'shape': {'box': {'min': [0, 0, 0],"
    " 'max': [1, 0.5, 1]}}}}],"
    " 'gauges': [{'name': 'deep', 'pressure': {'position': [0.5, 0, 0.05]}}]}";

/* The viscous solve comes before the pressure and takes a third of the weight at the floor. */
static void a_viscous_fluid_has_the_pressure_of_its_depth(void **state)
{
    weir_gauge got;
    uint32_t count = 1;
    scene_data *scene = make_scene(thick, NULL);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 4);
    OK(sim_gauges(world, WEIR_ENTIRE_FRAME, &got, &count));
    print_message("  %.1f Pa of %.1f\n", got.value[0], 500.0 * G);
    assert_true(fabs(got.value[0] / (500.0 * G) - 1.0) <= 0.04);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* ---- drops ---------------------------------------------------------------------------------- */

static const char empty[] =
    "{'spacing': 0.03125, 'domain': {'min': [0, 0, 0], 'max': [1, 1, 1]}, 'gravity': [0, 0, 0],"
    " 'frame_rate': 60, 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0, 0],"
    " 'max': [0.07, 0.1, 0.1]}}}}]}";

/* Places one particle a quarter of a cell from each side, starting with the lower side of each
   axis, and lets it move away from the side at 1 m/s. */
static void leave_sides(sim_world *world)
{
    enum { SIDES = 6 };
    vec4 x[SIDES], v[SIDES];
    uint32_t ids[SIDES];
    for (uint32_t side = 0; side < SIDES; side++) {
        float at[3] = {0.3f, 0.5f, 0.7f}, speed[3] = {0};
        at[side / 2] = side % 2 ? 1.0f - 0.015625f : 0.015625f;
        speed[side / 2] = side % 2 ? -1.0f : 1.0f;
        x[side] = (vec4){at[0], at[1], at[2], 0};
        v[side] = (vec4){speed[0], speed[1], speed[2], 0};
        ids[side] = side;
    }
    place_particles(world, (placing){SIDES, x, v, ids});
}

/* A side holds fluid but no single drop, not even one under the ceiling. */
static void lone_drops_leave_every_side(void **state)
{
    static const char *const methods[] = {"solver.method=flip", "solver.method=apic"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        const char *const overrides[] = {methods[i], NULL};
        uint32_t count;
        scene_data *scene = make_scene(empty, overrides);
        sim_world *world = make_sim(device, scene);
        leave_sides(world);
        run_frames(world, 12);
        vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
        for (uint32_t side = 0; side < count; side++) {
            float at = ref_axis(x[side], side / 2), way = side % 2 ? 1.0f - at : at;
            if (!(fabsf(way - 0.015625f - 0.2f) <= 1e-4f))
                fail_msg("%s, side %u: at %g m from it, expected 0.215625", methods[i], side,
                         (double)way);
        }
        base_free(x);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

/* ---- drag ----------------------------------------------------------------------------------- */

/* Stokes drag, 6 pi mu a u, in a cubic array of spheres (Hasimoto 1959); u is the mean over the
   whole box. */
static double stokes_drag(double momentum)
{
    const double volume = 0.125, a = 0.05, mu = 100.0;
    double share = 4.0 / 3.0 * PI * a * a * a / volume;
    double crowd = 1.0 / (1.0 - 1.7601 * cbrt(share) + share - 1.5593 * share * share);
    return 6.0 * PI * mu * a * momentum / (1000.0 * volume) * crowd;
}

static double momentum_x(sim_world *world)
{
    run_frames(world, 1);
    assert_true((double)float_of(world->last_result.status.frame_viscous_residual) <= 1e-4);
    return (double)world->last_result.sums.momentum.x;
}

static void a_ball_of_two_cells_holds_honey_back(void **state)
{
    static const char *const methods[] = {"solver.method=flip", "solver.method=apic"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        const char *const overrides[] = {methods[i], NULL};
        scene_data *scene = make_scene(scene_text("flip_walls_passing"), overrides);
        sim_world *world = make_sim(device, scene);
        double before = 0.0, after;
        for (int frame = 0; frame < 30; frame++)
            before = momentum_x(world);
        for (int frame = 0; frame < 10; frame++)
            after = momentum_x(world);
        double drag = 0.5 * world->mass_kg - (after - before) * 6.0;
        double share = drag / stokes_drag(0.5 * (before + after));
        print_message("  %s: %.3f of Stokes's drag\n", methods[i], share);
        assert_true(fabs(share - 1.0) <= 0.2);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

/* ---- fast bodies ---------------------------------------------------------------------------- */

/* The fluid is still, so only the body requires substeps; the wall is two spacings thick. */
static void a_fast_body_does_not_pass_a_thin_wall(void **state)
{
    static const char text[] =
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [3, 0.8, 0.6]},"
        " 'solver': {'method': 'flip'}, 'bodies': [{'name': 'shot', 'density': 700, 'velocity':"
        " [20, 0, 0], 'shape': {'box': {'size': [0.2, 0.2, 0.2]}, 'position': [0.5, 0.5, 0.3]}}],"
        " 'solids': [{'name': 'wall', 'shape': {'box': {'size': [0.1, 0.8, 0.6]},"
        " 'position': [1.5, 0.4, 0.3]}}], 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
        " 'min': [0, 0, 0], 'max': [0.4, 0.1, 0.6]}}}}]}";
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 8);
    assert_between("place, m", (double)read_body(world, 0).position[0], 1.0, 1.4);
    sim_destroy(&world);
    scene_destroy(&scene);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lone_drops_leave_every_side),
        cmocka_unit_test(friction_is_mu_times_the_weight),
        cmocka_unit_test(gauges_read_depth_weight_and_buoyancy),
        cmocka_unit_test(a_viscous_fluid_has_the_pressure_of_its_depth),
        cmocka_unit_test(a_ball_of_two_cells_holds_honey_back),
        cmocka_unit_test(a_fast_body_does_not_pass_a_thin_wall),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
