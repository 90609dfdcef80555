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
        assert_true(fabs(belt - 1.0) <= 0.03);
    }
}

/* ---- slopes --------------------------------------------------------------------------------- */

#define SLOPE_SPACING 0.02

typedef struct slope_case {
    double angle_deg, layers; /* of the film, in spacings */
    const char *method;
    bool tilted_gravity; /* the slope lies along the grid, half a cell above it, gravity does not */
} slope_case;

/* Writes the scene of a film that starts at rest on a slope, 0.3 m long. */
static const char *write_slope(char *text, size_t size, const slope_case *c, vec3 *along)
{
    double a = c->angle_deg * PI / 180.0, height = c->layers * SLOPE_SPACING;
    double turn = c->tilted_gravity ? 0.0 : a, fall = c->tilted_gravity ? a : 0.0;
    double t[2] = {cos(turn), -sin(turn)}, n[2] = {sin(turn), cos(turn)};
    double top[2] = {0.05, c->tilted_gravity ? 0.1 : 0.25 + 1.7 * tan(a)};
    double film[2], slope[2];
    for (int k = 0; k < 2; k++) {
        film[k] = top[k] + t[k] * (0.27 + 0.3 * height) + n[k] * (0.5 * height + 0.002);
        slope[k] = top[k] + 0.85 * t[k] - 0.1 * n[k];
    }
    *along = vec3_make((float)t[0], (float)t[1], 0.0f);
    int written = snprintf(
        text, size,
        "{'spacing': 0.02, 'frame_rate': 60, 'gravity': [%.9g, %.9g, 0], 'solver': {'method':"
        " '%s'}, 'domain': {'min': [0, 0, 0], 'max': [1.8, %.9g, 0.12]}, 'fluids': [{'name':"
        " 'water', 'fill': {'shape': {'box': {'size': [0.3, %.9g, 0.12]}, 'rotation': [0, 0,"
        " %.9g], 'position': [%.9g, %.9g, 0.06]}}}], 'solids': [{'name': 'slope', 'shape': {'box':"
        " {'size': [4, 0.2, 0.4]}, 'rotation': [0, 0, %.9g], 'position': [%.9g, %.9g, 0.06]}}]}",
        G * sin(fall), -G * cos(fall), c->method, c->tilted_gravity ? 0.6 : 0.6 + 1.7 * tan(a),
        height, -turn * 180.0 / PI, film[0], film[1], -turn * 180.0 / PI, slope[0], slope[1]);
    assert_true(written > 0 && (size_t)written < size);
    return text;
}

/* Returns the place of the centre of mass along a direction, m. */
static double place_along(const sim_world *world, vec3 along)
{
    const vec4 *m = &world->last_result.sums.moment;
    return (double)(vec3_dot(vec3_make(m->x, m->y, m->z), along) / m->w);
}

/* Without friction a film on a slope moves by g sin(a) t^2 / 2, whatever the angle of the slope to
 * the grid. A wall that keeps velocities along it holds the film back: 0.81 to 0.88 with FLIP. */
static void a_film_slides_down_a_slope_without_loss(void **state)
{
    static const slope_case cases[] = {{15.0, 4.0, "flip", false}, {15.0, 4.0, "apic", false},
                                       {15.0, 8.0, "flip", false}, {15.0, 8.0, "apic", false},
                                       {30.0, 4.0, "flip", false}, {30.0, 4.0, "apic", false},
                                       {30.0, 8.0, "flip", false}, {30.0, 8.0, "apic", false},
                                       {15.0, 2.0, "flip", true},  {15.0, 2.0, "apic", true}};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        const slope_case *c = &cases[i];
        const int first = 1, frames = c->angle_deg > 20.0 ? 30 : 36;
        char text[1400];
        vec3 along;
        scene_data *scene = make_scene(write_slope(text, sizeof text, c, &along), NULL);
        sim_world *world = make_sim(device, scene);
        run_frames(world, first);
        double start = place_along(world, along), pull = G * sin(c->angle_deg * PI / 180.0);
        run_frames(world, (uint32_t)(frames - first));
        double t0 = first / 60.0, t = frames / 60.0, path = 0.5 * pull * (t * t - t0 * t0);
        double ratio = (place_along(world, along) - start) / path;
        print_message("  %s, %g degrees, %g layers: %.3f of the path\n", c->method, c->angle_deg,
                      c->layers, ratio);
        assert_between("path over that of theory", ratio, 0.9, 1.05);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

/* ---- separation ----------------------------------------------------------------------------- */

static const char hanging[] =
    "{'spacing': 0.03, 'frame_rate': 60, 'domain': {'min': [0, 0, 0], 'max': [0.36, 1.2, 0.36]},"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0.96, 0], 'max': [0.36,"
    " 1.2, 0.36]}}}}]}";

/* A tank that is full, and water under a lid that a column presses against it. */
static const char sealed[] =
    "{'spacing': 0.05, 'frame_rate': 60, 'domain': {'min': [0, 0, 0], 'max': [0.6, 0.6, 0.6]},"
    " 'fluids': [{'name': 'water', 'fill': {'spin': {'axis': [0, 0, 1], 'rate': 5, 'centre': [0.3,"
    " 0.3, 0.3]}, 'shape': {'box': {'min': [0, 0, 0], 'max': [0.6, 0.6, 0.6]}}}}]}";
static const char pressed[] =
    "{'spacing': 0.03, 'frame_rate': 60, 'domain': {'min': [0, 0, 0], 'max': [1.2, 0.96, 0.3]},"
    " 'solids': [{'name': 'lid', 'shape': {'box': {'min': [0.6, 0.48, -1], 'max': [3, 3, 2]}}}],"
    " 'fluids': [{'name': 'water', 'fill': [{'shape': {'box': {'min': [0, 0, 0], 'max': [1.2,"
    " 0.48, 0.3]}}}, {'shape': {'box': {'min': [0, 0.48, 0], 'max': [0.57, 0.81, 0.3]}}}]}]}";

/* Returns the time after which the centre of mass is 5 cm lower, s. */
static double time_to_fall(const char *method, const char *separating)
{
    const char *const overrides[] = {method, separating, NULL};
    scene_data *scene = make_scene(hanging, overrides);
    sim_world *world = make_sim(device, scene);
    const vec4 *sum = &world->last_result.sums.moment;
    double start = 1.08, height = start;
    int frame = 0;
    while (height > start - 0.05 && frame < 60) {
        run_frames(world, 1);
        height = (double)(sum->y / sum->w);
        frame++;
    }
    sim_destroy(&world);
    scene_destroy(&scene);
    return frame / 60.0;
}

/* Free fall takes 0.101 s, that is 7 frames; a wall that pulls holds the film against the air. */
static void a_film_under_a_ceiling_falls(void **state)
{
    static const char *const methods[] = {"solver.method=flip", "solver.method=apic"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        double falls = time_to_fall(methods[i], NULL);
        double hangs = time_to_fall(methods[i], "solver.separating_walls=false");
        print_message("  %s: falls 5 cm in %.3f s, in %.3f s from a wall that pulls\n", methods[i],
                      falls, hangs);
        assert_true(falls <= 0.14);
        assert_true(hangs >= 0.3);
    }
}

static uint64_t hash_of(const char *text, const char *method, const char *separating)
{
    uint64_t hash;
    const char *const overrides[] = {method, separating, NULL};
    scene_data *scene = make_scene(text, overrides);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 20);
    OK(sim_hash(world, &hash));
    sim_destroy(&world);
    scene_destroy(&scene);
    return hash;
}

/* Fluid that presses against walls, or has nowhere to go, does not feel that walls separate. */
static void full_tanks_and_pressed_fluids_do_not_change(void **state)
{
    static const char *const methods[] = {"solver.method=flip", "solver.method=apic"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        const char *off = "solver.separating_walls=false";
        assert_true(hash_of(sealed, methods[i], NULL) == hash_of(sealed, methods[i], off));
        assert_true(hash_of(pressed, methods[i], NULL) == hash_of(pressed, methods[i], off));
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
        cmocka_unit_test(a_film_slides_down_a_slope_without_loss),
        cmocka_unit_test(a_film_under_a_ceiling_falls),
        cmocka_unit_test(full_tanks_and_pressed_fluids_do_not_change),
        cmocka_unit_test(gauges_read_depth_weight_and_buoyancy),
        cmocka_unit_test(a_viscous_fluid_has_the_pressure_of_its_depth),
        cmocka_unit_test(a_ball_of_two_cells_holds_honey_back),
        cmocka_unit_test(a_fast_body_does_not_pass_a_thin_wall),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
