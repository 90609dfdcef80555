/* Rafts float as deep as Archimedes says, to 3 % or a tenth of a spacing. */
#include "device_support.h"
#include "sim_support.h"

#define SPACING 0.05
#define BASE (12.0 * SPACING)
#define HEIGHT (8.0 * SPACING)
#define TANK (26.0 * SPACING)
#define LEVEL (10.5 * SPACING) /* of the fill, without the raft */

/* Shaken, or water at rest would be a crystal whose layers hold the raft where they fit. */
static scene_data *make_scene_of(double density)
{
    double deep = density / 1000.0 * HEIGHT, risen = deep * BASE * BASE / (TANK * TANK);
    double middle = LEVEL + risen - deep + 0.5 * HEIGHT + 0.2 * SPACING;
    char *text = base_format(
        "{'spacing': %g, 'domain': {'min': [0, 0, 0], 'max': [%g, 1.3, %g]},"
        " 'solver': {'substeps': 5}, 'bodies': [{'name': 'raft', 'density': %g,"
        " 'shape': {'box': {'size': [%g, %g, %g]}, 'position': [%g, %g, %g]}}],"
        " 'fluids': [{'name': 'water', 'xsph': 0.02, 'fill': {'jitter': 0.4, 'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [%g, %g, %g]}}}}]}",
        SPACING, TANK, TANK, density, BASE, HEIGHT, BASE, 0.5 * TANK, middle, 0.5 * TANK, TANK,
        LEVEL, TANK);
    assert_non_null(text);
    scene_data *scene = make_scene(text, NULL);
    base_free(text);
    return scene;
}

/* Fluid above the raft's bottom, far from the raft: its height as if it were at rest density, m. */
static double draught_of(sim_world *world)
{
    weir_body raft;
    uint32_t one = 1, count;
    const double near = 0.5 * BASE + 1.5 * SPACING;
    double above = 0.0;
    OK(sim_bodies(world, &raft, &one));
    double bottom = (double)raft.position[1] - 0.5 * HEIGHT;
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
    for (uint32_t i = 0; i < count; i++) {
        bool beside = fabs((double)(x[i].x - raft.position[0])) < near &&
                      fabs((double)(x[i].z - raft.position[2])) < near;
        double over = ((double)x[i].y - bottom) / SPACING + 0.5; /* of the particle's cube */
        if (!beside) above += fmin(fmax(over, 0.0), 1.0);
    }
    base_free(x);
    return above * SPACING * SPACING * SPACING / (TANK * TANK - 4.0 * near * near);
}

/* A raft lets as much fluid stand above its bottom as it weighs. */
static void check_raft(double density)
{
    scene_data *scene = make_scene_of(density);
    sim_world *world = make_sim(device, scene);
    const int frames = 160;
    double sum = 0.0, wanted = density / 1000.0 * HEIGHT;
    double slack = fmax(0.03 * wanted, 0.1 * SPACING);
    run_frames(world, 140);
    for (int frame = 0; frame < frames; frame++) {
        run_frames(world, 1);
        sum += draught_of(world);
    }
    print_message("  raft of %g kg/m3\n", density);
    assert_between("draught, d", sum / frames / SPACING, (wanted - slack) / SPACING,
                   (wanted + slack) / SPACING);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static void rafts_displace_their_weight(void **state)
{
    (void)state;
    static const double densities[] = {200, 300, 500, 800, 900};
    for (size_t i = 0; i < BASE_COUNT(densities); i++)
        check_raft(densities[i]);
}

/* On a MAC grid the raft begins where it should float. The fluid's volume is that of its particles:
 * cells are full where they are as many as in the lattice. */
static void check_flip_raft(double density)
{
    const double base = 0.6, height = 0.3, tank = 1.6, deep = density / 1000.0 * height;
    char *text = base_format(
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [1.6, 1, 1.6]},"
        " 'solver': {'method': 'flip', 'substeps': 2}, 'bodies': [{'name': 'raft', 'density': %g,"
        " 'shape': {'box': {'size': [0.6, 0.3, 0.6]}, 'position': [0.8, %g, 0.8]}}],"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0, 0],"
        " 'max': [1.6, 0.5, 1.6]}}}}]}",
        density, 0.5 - deep + 0.5 * height);
    assert_non_null(text);
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    weir_body raft;
    weir_stats stats;
    uint32_t one = 1;
    OK(sim_stats(world, &stats));
    double fluid = stats.particle_count * SPACING * SPACING * SPACING, sum = 0.0;
    double level = (fluid + deep * base * base) / (tank * tank),
           wanted = level - deep + 0.5 * height;
    for (int frame = 0; frame < 96; frame++) {
        run_frames(world, 1);
        OK(sim_bodies(world, &raft, &one));
        sum += frame < 36 ? 0.0 : (double)raft.position[1] / 60.0;
    }
    print_message("  raft of %g kg/m3 by FLIP\n", density);
    assert_between("over where it should float, d", (sum - wanted) / SPACING, -0.1, 0.1);
    base_free(text);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static void rafts_displace_their_weight_by_flip(void **state)
{
    (void)state;
    static const double densities[] = {300, 500, 800};
    for (size_t i = 0; i < BASE_COUNT(densities); i++)
        check_flip_raft(densities[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rafts_displace_their_weight),
        cmocka_unit_test(rafts_displace_their_weight_by_flip),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
