/* Laws of cloths that are permeable or have skin friction. */
#include "deformable_support.h"
#include "device_support.h"
#include "scene_text.h"

static double read_momentum(sim_world *world, int axis)
{
    weir_stats stats;
    OK(sim_stats(world, &stats));
    return stats.momentum_kg_m_s[axis];
}

/* ---- permeability --------------------------------------------------------------------------- */

#define HEAD 0.4      /* m of water above the sheet at the start */
#define PASSES 2.5e-5 /* m/(s Pa) */

/* A shaft of 0.24 m by 0.24 m, 8 d wide, closed by a sheet that is pinned everywhere. */
static const char shaft[] =
    "{'spacing': 0.03, 'domain': {'min': [0, 0, 0], 'max': [0.24, 1.2, 0.24]}, 'solver': "
    "{'substeps': 4, 'iterations': 6},"
    " 'cloths': [{'name': 'sheet', 'area_density': 0.5, 'permeability': %s, 'grid': {'corner':"
    " [0, 0.6, 0], 'along': [0.24, 0, 0], 'across': [0, 0, 0.24], 'spacing': 0.0301}, 'pins':"
    " [{'inside': {'min': [-1, 0, -1], 'max': [2, 2, 2]}}]}],"
    " 'fluids': [{'name': 'water', 'xsph': 0, 'fill': {'shape': {'box': {"
    "'min': [0, 0.6, 0], 'max': [0.24, 1, 0.24]}}}}]}";

/* Measures the fraction of the water above the sheet after each third of that time. */
static void shares_above(const char *permeability, uint32_t frames, double shares[3])
{
    char *json = base_format(shaft, permeability);
    assert_non_null(json);
    scene_data *scene = make_scene(json, NULL);
    sim_world *world = make_sim(device, scene);
    uint32_t count;
    OK(sim_particle_count(world, &count));
    vec3 *x = base_alloc(count, sizeof *x);
    assert_non_null(x);
    for (int third = 0; third < 3; third++) {
        uint32_t above = 0;
        run_frames(world, frames / 3);
        OK(sim_read_field(world, WEIR_FIELD_POSITION, x, count * sizeof *x));
        for (uint32_t i = 0; i < count; i++)
            above += x[i].y > 0.6f;
        shares[third] = (double)above / count;
    }
    base_free(x);
    base_free(json);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* Darcy: water passes at `permeability` times the pressure of the water above, so the head falls
   as exp(-rho g permeability t). */
static void water_seeps_through_a_sheet_as_darcy_says(void **state)
{
    double shares[3];
    shares_above("2.5e-5", 90, shares);
    for (int third = 0; third < 3; third++) {
        double t = 0.5 * (third + 1), law = exp(-1000.0 * 9.81 * PASSES * t), got = shares[third];
        print_message("  %g s: %.3f above, law %.3f\n", t, got, law);
        assert_between("share above over the law's", got / law, 0.9, 1.1);
    }
}

static void a_tight_sheet_lets_nothing_through_and_an_open_one_all(void **state)
{
    double tight[3], almost[3], open[3];
    shares_above("0", 60, tight);
    shares_above("1e-9", 60, almost);
    shares_above("1", 60, open);
    print_message("  almost tight %.4f, open %.4f\n", almost[2], open[2]);
    assert_between("tight", tight[2], 1.0, 1.0);
    assert_between("almost tight", almost[2], 0.98, 1.0);
    assert_between("open", open[2], 0.0, 0.05);
}

/* ---- skin friction -------------------------------------------------------------------------- */

#define RUBS 0.02
#define SPEED 2.0
/* m of fluid on each side: in a thicker layer the outer part would flow faster */
#define THICK 0.06

/* A block of fluid flies along both sides of a sheet that is pinned everywhere: the law is dv/dt
   = -rubs v^2 / (2 THICK). */
static void fluid_that_flows_along_is_slowed_as_its_coefficient_says(void **state)
{
    static const char text[] =
        "{'spacing': 0.03, 'gravity': [0, 0, 0], 'domain': {'min': [0, 0, 0], 'max': [3, 1, 0.6]},"
        " 'cloths': [{'name': 'sheet', 'area_density': 0.5, 'skin_friction': 0.02, "
        "'collides_with': "
        "'none', 'grid':"
        " {'corner': [0, 0.5, 0], 'along': [3, 0, 0], 'across': [0, 0, 0.6], 'spacing': 0.0601},"
        " 'pins': [{'inside': {'min': [-1, 0, -1], 'max': [4, 2, 2]}}]}],"
        " 'fluids': [{'name': 'water', 'xsph': 0.5, 'fill': {'velocity': [2, 0, 0], 'shape':"
        " {'box': {'min': [0.3, 0.44, 0], 'max': [1.2, 0.56, 0.6]}}}}]}";
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    double start = read_momentum(world, 0);
    run_frames(world, 30);
    double got = read_momentum(world, 0) / start;
    double law = 1.0 / (1.0 + RUBS * SPEED * 0.5 / (2.0 * THICK));
    print_message("  speed left: %.4f, law %.4f\n", got, law);
    assert_between("speed lost over the law's", (1.0 - got) / (1.0 - law), 0.85, 1.15);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* ---- conservation --------------------------------------------------------------------------- */

static void fluid_and_what_drags_it_together_keep_their_momentum(void **state)
{
    uint64_t hashes[2];
    for (int run = 0; run < 2; run++) {
        scene_data *scene = make_scene(scene_text("deformable_drag_laws_flight"), NULL);
        sim_world *world = make_sim(device, scene);
        uint32_t count = sim_deformable_vertex_count(world);
        vec3 *v = base_alloc(count, sizeof *v);
        assert_non_null(v);
        weir_stats start, end;
        OK(sim_stats(world, &start));
        run_frames(world, 10);
        OK(sim_stats(world, &end));
        OK(sim_deformable_velocities(world, v));
        double sums[3] = {0}, size = hypot(start.momentum_kg_m_s[1], start.momentum_kg_m_s[2]);
        for (uint32_t i = 0; i < count; i++) {
            double mass = (double)deformable_set_mass(world->deformables, i);
            sums[0] += mass * (double)v[i].x;
            sums[1] += mass * (double)v[i].y;
            sums[2] += mass * (double)v[i].z;
        }
        print_message("  softs have %.3f %.3f of it\n", sums[1] / size, sums[2] / size);
        for (int k = 0; k < 3; k++)
            assert_between("momentum",
                           (sums[k] + end.momentum_kg_m_s[k] - start.momentum_kg_m_s[k]) / size /
                               40,
                           -1e-6, 1e-6);
        assert_true(sums[1] < -0.1 * size && sums[2] > 0.01 * size);
        OK(sim_hash(world, &hashes[run]));
        base_free(v);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_seeps_through_a_sheet_as_darcy_says),
        cmocka_unit_test(a_tight_sheet_lets_nothing_through_and_an_open_one_all),
        cmocka_unit_test(fluid_that_flows_along_is_slowed_as_its_coefficient_says),
        cmocka_unit_test(fluid_and_what_drags_it_together_keep_their_momentum),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
