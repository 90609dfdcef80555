/* Laws that cloths and ropes obey. */
#include "deformable_support.h"
#include "device_support.h"
#include "scene_text.h"

/* ---- hanging -------------------------------------------------------------------------------- */

#define COLUMNS 17u /* of a sheet of 16 x 16 cells */

static void a_hanging_cloth_hardly_stretches(void **state)
{
    static const char text[] =
        SCENE("'cloths': [{'name': 'sheet', 'area_density': 0.2, 'damping': 4, 'grid': {"
              "'corner': [1, 2.5, 1], 'along': [1, 0, 0], 'across': [0, -1, 0], 'spacing': 0.0626},"
              " 'pins': [{'inside': {'min': [0, 2.49, 0], 'max': [3, 2.6, 3]}}]}],");
    deformable_world w = open_deformables(text, NULL);
    assert_int_equal(w.count, COLUMNS * COLUMNS);
    run_frames(w.world, 60);
    read_deformables(&w);
    double mean = 0.0, worst = 0.0;
    for (uint32_t i = 0; i < COLUMNS * (COLUMNS - 1); i++) {
        double edge = (double)vec3_length(vec3_sub(w.x[i + COLUMNS], w.x[i]));
        mean += edge / (COLUMNS * (COLUMNS - 1)) * 16.0 - 1.0 / (COLUMNS * (COLUMNS - 1));
        worst = fmax(worst, edge * 16.0 - 1.0);
    }
    assert_between("mean stretch", mean, 0.0, 0.02);
    assert_between("worst stretch", worst, 0.0, 0.05);
    close_deformables(&w);
}

/* A line of length 1.5 over a span of 1; see docs/validation.md. */
#define SAG 0.50263

static void a_rope_hangs_in_a_catenary(void **state)
{
    static const char text[] = SCENE(
        "'solver': {'deformable_iterations': 8}, 'ropes': [{'name': 'line', 'line_density': 0.1,"
        " 'damping': 6, 'diameter': 0.01, 'spacing': 0.05,"
        " 'points': [[1, 2.5, 1], [1.5, 1.940983, 1], [2, 2.5, 1]],"
        " 'pins': [{'vertices': [0, -1]}]}],");
    deformable_world w = open_deformables(text, NULL);
    run_frames(w.world, 75);
    read_deformables(&w);
    double low = 2.5;
    for (uint32_t i = 0; i < w.count; i++)
        low = fmin(low, (double)w.x[i].y);
    assert_between("sag", (2.5 - low) / SAG, 0.98, 1.02);
    close_deformables(&w);
}

/* A chain of N masses below a pin, whose edges have the compliance l/(EA), is longer by the sum
   over edges of the weight below the edge times that compliance. Here every vertex except the
   last has the same weight. */
static double chain_over_law(const char *const *overrides)
{
    static const char text[] =
        SCENE("'ropes': [{'name': 'line', 'line_density': 1, 'diameter': 0.01, 'damping': 90,"
              " 'stiffness': 100, 'spacing': 0.1001, 'points': [[1, 2.5, 1], [1, 0.9, 1]],"
              " 'pins': [{'vertices': [0]}]}],");
    deformable_world w = open_deformables(text, overrides);
    assert_int_equal(w.count, 17);
    run_frames(w.world, 60);
    read_deformables(&w);
    double law = 0.0;
    for (uint32_t edge = 0; edge < 16; edge++)
        law += (0.1 / 100.0) * 9.81 * 0.1 * (15.5 - edge);
    double longer = 2.5 - (double)w.x[16].y - 1.6;
    close_deformables(&w);
    return longer / law;
}

static void a_chain_stretches_by_its_compliance_however_it_is_solved(void **state)
{
    static const char *const ways[][3] = {
        {"solver.deformable_iterations=1"},
        {"solver.deformable_iterations=8"},
        {"solver.deformable_iterations=16", "solver.deformable_solver=jacobi"},
        {"solver.deformable_iterations=4", "solver.substeps=2"},
        {"solver.deformable_iterations=4", "solver.substeps=8"},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        assert_between(ways[i][1] ? ways[i][1] : ways[i][0], chain_over_law(ways[i]), 0.98, 1.02);
}

/* One edge below a pin. A substep removes the fraction k of its stretch, and the weight adds g
   dt^2. At rest the edge is longer by g dt^2 (1 - k) / k, whatever the number of sweeps per
   substep. */
#define SHARE 0.05
static const char elastic[] =
    SCENE("'ropes': [{'name': 'line', 'line_density': 1, 'diameter': 0.01, 'pbd_stiffness': 0.05,"
          " 'spacing': 0.5, 'points': [[1, 2.5, 1], [1, 2, 1]], 'pins': [{'vertices': [0]}]}],");

static double elastic_over_law(deformable_world *w)
{
    const double dt = 1.0 / 240.0;
    run_frames(w->world, 70);
    read_deformables(w);
    assert_int_equal(w->count, 2);
    return (2.0 - (double)w->x[1].y) / (9.81 * dt * dt * (1.0 - SHARE) / SHARE);
}

static void position_based_stiffness_is_that_of_a_substep_whatever_its_sweeps(void **state)
{
    static const char *const runs[][5] = {
        {"solver.substeps=4", "solver.iterations=1", "solver.deformable_iterations=1"},
        {"solver.substeps=4", "solver.iterations=3", "solver.deformable_iterations=2"},
        {"solver.substeps=4", "solver.iterations=2", "solver.deformable_iterations=16"},
        {"solver.substeps=4", "solver.iterations=3", "solver.deformable_iterations=4",
         "solver.deformable_solver=jacobi"}};
    for (size_t i = 0; i < BASE_COUNT(runs); i++) {
        deformable_world w = open_deformables(elastic, runs[i]);
        assert_between("stretch over g dt2 (1 - k) / k", elastic_over_law(&w), 0.998, 1.002);
        close_deformables(&w);
    }
    static const char *const rigid[] = {"solver.substeps=4", "ropes.line.pbd_stiffness=1", NULL};
    deformable_world w = open_deformables(elastic, rigid);
    assert_between("stretch with k = 1", elastic_over_law(&w), -1e-3, 1e-3);
    close_deformables(&w);
}

static void position_based_stiffness_follows_live_iterations(void **state)
{
    static const char *const few[] = {"solver.substeps=4", "solver.iterations=1", NULL};
    static const char *const many[] = {"solver.substeps=4", "solver.iterations=9", NULL};
    scene_data *changed = make_scene(elastic, many);
    deformable_world w = open_deformables(elastic, few);
    OK(sim_apply_scene(w.world, changed));
    assert_between("stretch over its law", elastic_over_law(&w), 0.998, 1.002);
    close_deformables(&w);
    scene_destroy(&changed);
}

/* ---- conservation ---------------------------------------------------------------------------- */

typedef struct moment {
    double linear[3], angular[3], size; /* kg m/s, kg m2/s; sum of m |v| */
} moment;

static moment sum_moment(const deformable_world *w)
{
    moment m = {0};
    for (uint32_t i = 0; i < w->count; i++) {
        double mass = (double)deformable_set_mass(w->world->deformables, i);
        const float x[3] = {w->x[i].x, w->x[i].y, w->x[i].z},
                    v[3] = {w->v[i].x, w->v[i].y, w->v[i].z};
        for (int k = 0; k < 3; k++) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            m.linear[k] += mass * (double)v[k];
            m.angular[k] += mass * ((double)x[a] * (double)v[b] - (double)x[b] * (double)v[a]);
        }
        m.size += mass * (double)vec3_length(w->v[i]);
    }
    return m;
}

/* A sheet and a rope in free flight, folded and stretched by their initial velocities. */
static void assert_momentum_stays(const char *constraints)
{
    static const char text[] = SCENE(
        "'gravity': [0, 0, 0], 'solver': {'deformable_iterations': 4}, 'cloths': [{'name': 'sheet',"
        " 'area_density': 0.2, 'bending_stiffness': 0.01, 'stiffness': 50, 'damping': 3, "
        "'velocity': [0.5, "
        "0, 0],"
        " 'grid': {'corner': [1, 1, 1], 'along': [0.8, 0, 0], 'across': [0, 0.3, 0.5], 'spacing':"
        " 0.11}}], 'ropes': [{'name': 'line', 'line_density': 0.3, 'bending_stiffness': 0.01, "
        "'damping': 3,"
        " 'diameter': 0.02, 'spacing': 0.05, 'velocity': [0, 0.4, 0],"
        " 'points': [[1, 2, 1], [1.5, 2.2, 1], [2, 2, 1.5]]}],");
    const char *const overrides[] = {constraints, NULL};
    deformable_world w = open_deformables(text, overrides);
    struct deformable_state *states = base_alloc(w.count, sizeof *states);
    assert_non_null(states);
    memcpy(states, deformable_set_initial_states(w.world->deformables), w.count * sizeof *states);
    for (uint32_t i = 0; i < w.count; i++)
        states[i].velocity.y += 2.0f * sinf(7.0f * (float)i),
            states[i].velocity.z += 0.1f * (float)(i % 7);
    upload(w.world, deformable_set_buffers(w.world->deformables)->deformable_states, states,
           w.count * sizeof *states);
    base_free(states);
    run_frames(w.world, 1);
    read_deformables(&w);
    moment before = sum_moment(&w);
    run_frames(w.world, 1);
    read_deformables(&w);
    moment after = sum_moment(&w);
    for (int k = 0; k < 3; k++) {
        assert_between("momentum", (after.linear[k] - before.linear[k]) / before.size / 4.0, -1e-6,
                       1e-6);
        assert_between("angular momentum", (after.angular[k] - before.angular[k]) / before.size,
                       -1e-3, 1e-3);
    }
    close_deformables(&w);
}

static void momentum_stays(void **state)
{
    assert_momentum_stays("solver.deformable_solver=gauss_seidel");
    assert_momentum_stays("solver.deformable_solver=jacobi");
}

static void a_restored_state_goes_on_with_the_same_bits(void **state)
{
    static const char text[] = SCENE(
        "'solids': [{'name': 'ball', 'shape': {'sphere': {'radius': 0.3}, 'position':"
        " [1.5, 1, 1.5]}, 'motion': {'oscillation': {'amplitude': [0, 0.2, 0], 'frequency': 2}}}],"
        "'cloths': [{'name': 'sheet', 'area_density': 0.2, 'bending_stiffness': 1e-3, 'grid': "
        "{'corner':"
        " [1.1, 1.35, 1.1], 'along': [0.8, 0, 0], 'across': [0, 0, 0.8], 'spacing': 0.11},"
        " 'pins': [{'vertices': [0], 'solid': 'ball'}]}], 'ropes': [{'name': 'line',"
        " 'line_density': 1, 'diameter': 0.02, 'pbd_stiffness': 0.3, 'points': [[1, 2.5, 1],"
        " [1, 2, 1]], 'pins': [{'vertices': [0]}]}],");
    const char *path = "build/deformable_state.weir";
    uint64_t hashes[2];
    deformable_world w = open_deformables(text, NULL);
    run_frames(w.world, 5);
    OK(sim_save(w.world, path, NULL));
    run_frames(w.world, 5);
    OK(sim_hash(w.world, &hashes[0]));
    close_deformables(&w);
    w = open_deformables(text, NULL);
    OK(sim_restore(w.world, path, NULL));
    run_frames(w.world, 5);
    OK(sim_hash(w.world, &hashes[1]));
    assert_true(hashes[0] == hashes[1]);
    close_deformables(&w);
    remove(path);
}

/* ---- contact with solids --------------------------------------------------------------------- */

static void a_cloth_lies_on_a_ball_and_stays_out_of_it(void **state)
{
    static const char text[] =
        SCENE("'solids': [{'name': 'ball', 'friction': 0.6, 'shape': {'sphere': {'radius': 0.3},"
              " 'position': [1.5, 1, 1.5]}}],"
              "'cloths': [{'name': 'sheet', 'area_density': 0.2, 'thickness': 0.04, 'grid': {"
              "'corner': [1.1, 1.4, 1.1], 'along': [0.8, 0, 0], 'across': [0, 0, 0.8], 'spacing':"
              " 0.081}}],");
    deformable_world w = open_deformables(text, NULL);
    run_frames(w.world, 40);
    read_deformables(&w);
    float nearest = 1e30f, highest = 0.0f;
    for (uint32_t i = 0; i < w.count; i++) {
        vec3 off = vec3_sub(w.x[i], vec3_make(1.5f, 1.0f, 1.5f));
        nearest = fminf(nearest, vec3_length(off) - 0.3f);
        highest = fmaxf(highest, w.x[i].y);
    }
    assert_between("clearance, m", (double)nearest, 0.02 - 1e-4, 0.03);
    assert_between("its top, m", (double)highest, 1.3, 1.36);
    close_deformables(&w);
}

/* ---- contact with fluid ---------------------------------------------------------------------- */

static void fluid_and_cloths_together_keep_their_momentum(void **state)
{
    uint64_t hashes[2];
    for (int run = 0; run < 2; run++) {
        deformable_world w = open_deformables(scene_text("deformable_laws_flight"), NULL);
        weir_stats start, end;
        OK(sim_stats(w.world, &start));
        run_frames(w.world, 5);
        OK(sim_stats(w.world, &end));
        read_deformables(&w);
        moment m = sum_moment(&w);
        double size = hypot(start.momentum_kg_m_s[1], start.momentum_kg_m_s[2]), given = 0.0;
        for (int k = 0; k < 3; k++) {
            double sum = m.linear[k] + end.momentum_kg_m_s[k] - start.momentum_kg_m_s[k];
            assert_between("momentum", sum / size / 20.0, -1e-6, 1e-6);
            given += fabs(m.linear[k]) / size;
        }
        assert_between("share that cloth and rope have", given, 0.1, 1.0);
        OK(sim_hash(w.world, &hashes[run]));
        close_deformables(&w);
    }
    assert_true(hashes[0] == hashes[1]);
}

static void a_sheet_holds_water(void **state)
{
    static const char text[] =
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [1, 1, 1]}, 'solver': "
        "{'deformable_iterations': 4},"
        " 'cloths': [{'name': 'sheet', 'area_density': 20, 'grid': {'corner': [0, 0.5, 0], 'along':"
        " [1, 0, 0], 'across': [0, 0, 1], 'spacing': 0.0626}, 'pins': ["
        "{'inside': {'min': [-1, 0, -1], 'max': [0.1, 1, 2]}},"
        "{'inside': {'min': [0.9, 0, -1], 'max': [2, 1, 2]}},"
        "{'inside': {'min': [-1, 0, -1], 'max': [2, 1, 0.1]}},"
        "{'inside': {'min': [-1, 0, 0.9], 'max': [2, 1, 2]}}]}],"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
        "'min': [0.25, 0.55, 0.25], 'max': [0.75, 0.7, 0.75]}}}}]}";
    deformable_world w = open_deformables(text, NULL);
    run_frames(w.world, 40);
    read_deformables(&w);
    uint32_t count, below = 0;
    float lowest = 1.0f;
    for (uint32_t i = 0; i < w.count; i++)
        lowest = fminf(lowest, w.x[i].y);
    OK(sim_particle_count(w.world, &count));
    vec3 *x = base_alloc(count, sizeof *x);
    assert_non_null(x);
    OK(sim_read_field(w.world, WEIR_FIELD_POSITION, x, count * sizeof *x));
    for (uint32_t i = 0; i < count; i++)
        below += x[i].y < lowest;
    base_free(x);
    assert_between("particles below the sheet", below, 0, 0);
    assert_between("its lowest point, m", (double)lowest, 0.3, 0.495);
    close_deformables(&w);
}

static void a_pin_on_nothing_is_refused(void **state)
{
    static const char *const pins[] = {"{'inside': {'centre': [0, 0, 0], 'radius': 0.1}}",
                                       "{'vertices': [16]}", "{'vertices': [-17]}"};
    for (size_t i = 0; i < BASE_COUNT(pins); i++) {
        char *text =
            base_format(SCENE("'cloths': [{'name': 'a', 'area_density': 1, 'grid': {"
                              "'corner': [1, 1, 1], 'along': [0.3, 0, 0], 'across': [0, 0.3,"
                              " 0], 'spacing': 0.101}, 'pins': [%s]}],"),
                        pins[i]);
        assert_non_null(text);
        scene_data *scene = make_scene(text, NULL);
        sim_world *world = NULL;
        assert_int_equal(sim_create(device, scene, &world), WEIR_ERROR_SCENE);
        assert_null(world);
        scene_destroy(&scene);
        base_free(text);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hanging_cloth_hardly_stretches),
        cmocka_unit_test(a_rope_hangs_in_a_catenary),
        cmocka_unit_test(a_chain_stretches_by_its_compliance_however_it_is_solved),
        cmocka_unit_test(position_based_stiffness_is_that_of_a_substep_whatever_its_sweeps),
        cmocka_unit_test(position_based_stiffness_follows_live_iterations),
        cmocka_unit_test(momentum_stays),
        cmocka_unit_test(a_restored_state_goes_on_with_the_same_bits),
        cmocka_unit_test(a_cloth_lies_on_a_ball_and_stays_out_of_it),
        cmocka_unit_test(fluid_and_cloths_together_keep_their_momentum),
        cmocka_unit_test(a_sheet_holds_water),
        cmocka_unit_test(a_pin_on_nothing_is_refused),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
