/* Surface tension with FLIP and APIC: the period of a drop, the shape of a box and of oil in water,
 * and the substeps. */
#include "device_support.h"
#include "sim_support.h"

#define PI 3.14159265358979323846

static const char *const methods[] = {"solver.method=flip", "solver.method=apic"};

typedef struct moments {
    double centre[3], squares[3]; /* m; m2 about the centre */
    double farthest;              /* m from the centre */
    double speed, drift;          /* m/s: rms; of the centre of mass */
} moments;

/* Reads the moments of one fluid's particles, or of all of them if `fluid` is SCENE_MAX_FLUIDS. */
static moments find_moments(sim_world *world, uint32_t fluid)
{
    uint32_t count, used = 0;
    moments m = {0};
    double velocity[3] = {0};
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
    vec3 *v = read_vectors(world, WEIR_FIELD_VELOCITY, &count);
    uint32_t *fluids = base_alloc(count, sizeof *fluids);
    OK(sim_read_field(world, WEIR_FIELD_FLUID, fluids, count * sizeof *fluids));
    for (uint32_t i = 0; i < count; i++) {
        if (fluid != SCENE_MAX_FLUIDS && fluids[i] != fluid) continue;
        const double at[3] = {(double)x[i].x, (double)x[i].y, (double)x[i].z};
        const double way[3] = {(double)v[i].x, (double)v[i].y, (double)v[i].z};
        for (int axis = 0; axis < 3; axis++) {
            m.centre[axis] += at[axis];
            velocity[axis] += way[axis];
            m.speed += way[axis] * way[axis];
        }
        used++;
    }
    for (int axis = 0; axis < 3; axis++) {
        m.centre[axis] /= used;
        m.drift += velocity[axis] * velocity[axis] / used / used;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (fluid != SCENE_MAX_FLUIDS && fluids[i] != fluid) continue;
        const double at[3] = {(double)x[i].x, (double)x[i].y, (double)x[i].z};
        double square = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            double offset = at[axis] - m.centre[axis];
            m.squares[axis] += offset * offset / used;
            square += offset * offset;
        }
        m.farthest = fmax(m.farthest, sqrt(square));
    }
    m.drift = sqrt(m.drift);
    m.speed = sqrt(m.speed / used);
    base_free(x);
    base_free(v);
    base_free(fluids);
    return m;
}

/* ---- a drop's period ------------------------------------------------------------------------ */

#define TENSION 2.0
#define RADIUS 0.05 /* ten spacings, five cells */
#define PERIOD_FRAMES 40u

/* Rayleigh's period in the plane. */
static double rayleigh_period(void)
{
    return 2.0 * PI * sqrt(1000.0 * pow(RADIUS, 3.0) / (6.0 * TENSION));
}

static void a_drop_has_rayleighs_period(void **state)
{
    (void)state;
    double rate = 0.05 * 2.0 * PI / rayleigh_period();
    for (size_t k = 0; k < BASE_COUNT(methods); k++) {
        const char *const overrides[] = {methods[k], NULL};
        char *text = base_format(
            "{'spacing': 0.005, 'gravity': [0, 0, 0], 'frame_rate': %.9g,"
            " 'domain': {'min': [-0.12, -0.12, -0.12], 'max': [0.12, 0.12, 0.12]},"
            " 'solver': {'method': 'flip', 'dimensions': 2, 'substeps': 4, 'adaptive': false},"
            " 'fluids': [{'name': 'water', 'surface_tension': %g, 'fill': {'jitter': 0.3,"
            " 'velocity_gradient': {'x': [%g, 0, 0], 'y': [0, %g, 0], 'z': [0, 0, 0]},"
            " 'shape': {'sphere': {'radius': %g}}}}]}",
            PERIOD_FRAMES / rayleigh_period(), TENSION, rate, -rate, RADIUS);
        scene_data *scene = make_scene(text, overrides);
        sim_world *world = make_sim(device, scene);
        double before = 0.0, crossings[2] = {0}, drift = 0.0, largest[2] = {0};
        uint32_t found = 0;
        for (uint32_t frame = 1; frame <= 3 * PERIOD_FRAMES / 2 && found < 2; frame++) {
            run_frames(world, 1);
            moments m = find_moments(world, SCENE_MAX_FLUIDS);
            double stretch = 0.5 * log(m.squares[0] / m.squares[1]);
            drift = fmax(drift, m.drift);
            if (frame > 3 && before * stretch < 0.0)
                crossings[found++] = frame - 1 + before / (before - stretch);
            if (found < 2) largest[found] = fmax(largest[found], fabs(stretch));
            before = stretch;
        }
        assert_int_equal(found, 2);
        double ratio = 2.0 * (crossings[1] - crossings[0]) / PERIOD_FRAMES;
        print_message("  %s: period %.3f of Rayleigh's, amplitude %.3f, then %.3f\n", methods[k],
                      ratio, largest[0], largest[1]);
        assert_between("period over Rayleigh's", ratio, 0.94, 1.06);
        assert_between("amplitude over that of the first half", largest[1] / largest[0], 0.9, 1.02);
        /* the start moves at rate R / 2 (rms) */
        assert_at_most("drift over the speed of the start", drift / (0.5 * rate * RADIUS), 0.05);
        base_free(text);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

/* ---- shapes --------------------------------------------------------------------------------- */

/* 2,304 particles of water, 8 x 6 x 6 mm. */
static const char box[] =
    "{'spacing': 0.0005, 'gravity': [0, 0, 0], 'frame_rate': 60,"
    " 'domain': {'min': [-0.01, -0.01, -0.01], 'max': [0.01, 0.01, 0.01]},"
    " 'solver': {'method': 'flip', 'substeps': 8}, 'fluids': [{'name': 'water',"
    " 'surface_tension': 0.072, 'fill': {'shape': {'box': {'size': [0.008, 0.006, 0.006]}}}}]}";

static void a_box_becomes_a_ball_and_loses_no_particle(void **state)
{
    (void)state;
    for (size_t k = 0; k < BASE_COUNT(methods); k++) {
        const char *const overrides[] = {methods[k], NULL};
        scene_data *scene = make_scene(box, overrides);
        sim_world *world = make_sim(device, scene);
        double radius = 0.0005 * cbrt(2304.0 * 3.0 / 4.0 / PI);
        run_frames(world, 15);
        moments m = find_moments(world, SCENE_MAX_FLUIDS);
        double least = fmin(m.squares[0], fmin(m.squares[1], m.squares[2]));
        double most = fmax(m.squares[0], fmax(m.squares[1], m.squares[2]));
        print_message("  %s: axes %.3f, farthest %.3f of the radius, %.3f m/s\n", methods[k],
                      sqrt(most / least), m.farthest / radius, m.speed);
        assert_at_most("longest axis over the shortest", sqrt(most / least), 1.15);
        assert_at_most("farthest particle over the radius", m.farthest / radius, 1.2);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

/* A square of oil in a ball of water: the tension between them is the difference. */
static const char oil[] =
    "{'spacing': 0.005, 'gravity': [0, 0, 0], 'frame_rate': 100,"
    " 'domain': {'min': [-0.12, -0.12, -0.12], 'max': [0.12, 0.12, 0.12]},"
    " 'solver': {'method': 'flip', 'dimensions': 2}, 'fluids': [{'name': 'oil', 'density': 900,"
    " 'surface_tension': 0.5, 'fill': {'shape': {'box': {'size': [0.06, 0.06, 0.1]}}}},"
    " {'name': 'water', 'surface_tension': 2, 'fill': {'shape': {'sphere': {'radius': 0.08}}}}]}";

/* Returns the fourth harmonic of a fluid's shape, weighted by the fourth power of the distance:
 * -0.43 for a square along the axes, 0 for a disc. */
static double squareness(sim_world *world, uint32_t fluid)
{
    uint32_t count;
    double sum = 0.0, scale = 0.0;
    moments m = find_moments(world, fluid);
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
    uint32_t *fluids = base_alloc(count, sizeof *fluids);
    OK(sim_read_field(world, WEIR_FIELD_FLUID, fluids, count * sizeof *fluids));
    for (uint32_t i = 0; i < count; i++) {
        if (fluids[i] != fluid) continue;
        double a = (double)x[i].x - m.centre[0], b = (double)x[i].y - m.centre[1];
        double square = a * a + b * b;
        sum += a * a * a * a - 6.0 * a * a * b * b + b * b * b * b;
        scale += square * square;
    }
    base_free(x);
    base_free(fluids);
    return sum / scale;
}

static void oil_in_water_becomes_round(void **state)
{
    (void)state;
    scene_data *scene = make_scene(oil, NULL);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 1);
    double before = squareness(world, 0);
    run_frames(world, 129);
    double after = squareness(world, 0);
    moments all = find_moments(world, SCENE_MAX_FLUIDS);
    print_message("  fourth harmonic %.3f, then %.3f; drift %.2g m/s\n", before, after, all.drift);
    assert_between("fourth harmonic of a square", before, -0.5, -0.4);
    assert_between("fourth harmonic after 1.3 s", after, -0.06, 0.06);
    assert_at_most("drift of the centre, m/s", all.drift, 0.002);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* Without tension this fluid at rest takes one substep; at 2 N/m, cells of 1 cm allow 0.034 s. */
static void tension_bounds_the_substeps(void **state)
{
    (void)state;
    static const char *const slow[] = {"frame_rate=10", "solver.substeps=8",
                                       "fluids.oil.surface_tension=2", NULL};
    static const char *const none[] = {"frame_rate=10", "solver.substeps=8",
                                       "fluids.oil.surface_tension=0",
                                       "fluids.water.surface_tension=0", NULL};
    const char *const *const all[] = {slow, none};
    for (size_t k = 0; k < 2; k++) {
        scene_data *scene = make_scene(oil, all[k]);
        sim_world *world = make_sim(device, scene);
        run_frames(world, 2);
        weir_stats stats;
        OK(sim_stats(world, &stats));
        assert_int_equal(stats.substeps_in_frame, k == 0 ? 4 : 1);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drop_has_rayleighs_period),
        cmocka_unit_test(a_box_becomes_a_ball_and_loses_no_particle),
        cmocka_unit_test(oil_in_water_becomes_round),
        cmocka_unit_test(tension_bounds_the_substeps),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
