/* Tests what the calls of a density solver report and refuse. */
#define _POSIX_C_SOURCE 200809L
#include "density_solver_fixture.h"

/* ---- tolerance, crowds, residuals ----------------------------------------------------------- */

static void a_tolerance_is_met_and_reported(void **state)
{
    weir_density_solver_report report;
    weir_density_solver *solver =
        create_from(SCENE(OPEN, ", \"iterations\": 60, \"tolerance\": {\"mean\": 0.01}"));
    fill(&given, -0.25f, false);
    seen = given;
    weir_density_solver_particles p = all_of(&seen);
    solve(solver, &p, &report);
    assert_in_range(report.iterations, 2, 59);
    assert_true(report.converged && report.density_error_mean > 0.0f &&
                report.density_error_mean <= 0.01f);
    assert_true(report.density_error_max >= report.density_error_mean);
    uint32_t first = report.iterations;
    solve(solver, &p, &report); /* a solved state takes the minimum number of iterations */
    assert_int_equal(report.iterations, 2);
    assert_true(first > 2);
    assert_int_equal(report.solve_number, 2);
    weir_density_solver_destroy(&solver);

    solver = create_from(SCENE(OPEN, ", \"iterations\": 3, \"tolerance\": {\"mean\": 1e-5}"));
    seen = given;
    solve(solver, &p, &report);
    assert_int_equal(report.iterations, 3);
    assert_false(report.converged);
    weir_density_solver_destroy(&solver);
}

static void a_crowd_that_no_list_holds_is_refused(void **state)
{
    enum { MANY = 4200 };
    static float x[3 * MANY], before[3 * MANY];
    weir_density_solver_report report;
    weir_density_solver *solver = create_from(SCENE(OPEN, PLAIN));
    weir_density_solver_particles p = weir_density_solver_particles_default();
    for (uint32_t i = 0; i < MANY; i++)
        x[3 * i] = (float)i * 1e-6f;
    memcpy(before, x, sizeof x);
    p.count = MANY;
    p.dt_s = DT;
    p.positions = x;
    logged[0] = '\0';
    assert_int_equal(weir_density_solver_solve(solver, &p, &report), WEIR_ERROR_ARGUMENT);
    assert_logged("a particle has 4199 neighbours within the support radius, at most 4088");
    assert_false(report.complete);
    assert_memory_equal(x, before, sizeof x);
    fill(&given, -0.25f, false);
    seen = given; /* the solver still works */
    p = all_of(&seen);
    solve(solver, &p, &report);
    weir_density_solver_destroy(&solver);
}

/* ---- rejected calls ------------------------------------------------------------------------- */

static void assert_refused(weir_density_solver *solver, const weir_density_solver_particles *p,
                           const char *words)
{
    cloud *before = &other;
    *before = seen;
    logged[0] = '\0';
    assert_int_equal(weir_density_solver_solve(solver, p, NULL), WEIR_ERROR_ARGUMENT);
    assert_logged(words);
    assert_memory_equal(before, &seen, sizeof seen);
}

static void faulty_particles_are_refused(void **state)
{
    weir_density_solver *solver = create_from(SCENE("", PLAIN));
    fill(&seen, -1.0f, false);
    list_all(&seen);
    const weir_density_solver_particles good = all_of(&seen);
    weir_density_solver_particles p = {0};
    assert_int_equal(weir_density_solver_solve(NULL, &good, NULL), WEIR_ERROR_ARGUMENT);
    assert_refused(solver, NULL, "`particles` must not be NULL");
    assert_refused(solver, &p, "weir_density_solver_particles_default()");
    p = good, p.count = 0;
    assert_refused(solver, &p, "`count` is 0, expected 1 to 268435456 particles");
    p = good, p.dt_s = 0.0f;
    assert_refused(solver, &p, "`dt_s` is 0, expected a step above 0");
    p = good, p.positions = NULL;
    assert_refused(solver, &p, "`positions` must not be NULL");
    p = good, p.neighbour_offsets = seen.offsets;
    assert_refused(solver, &p, "must be both given, or both NULL");
    p.neighbours = seen.neighbours;
    seen.offsets[0] = 1;
    assert_refused(solver, &p, "`neighbour_offsets[0]` is 1, expected 0");
    seen.offsets[0] = 0, seen.offsets[4] = 1;
    assert_refused(solver, &p, "`neighbour_offsets[4]` is 1, less than the previous one");
    list_all(&seen);
    seen.neighbours[9] = 512;
    assert_refused(solver, &p, "`neighbours[9]` is 512, expected an index below 512");
    p = good, p.inverse_masses = seen.w;
    seen.w[3] = -1.0f;
    assert_refused(solver, &p, "`inverse_masses`: particle 3 has -1, expected 0 or more");
    p = good, seen.v[7] = INFINITY;
    assert_refused(solver, &p, "`velocities`: particle 2 has inf");
    seen.x[3] = NAN;
    assert_int_equal(weir_density_solver_solve(solver, &good, NULL), WEIR_ERROR_ARGUMENT);
    assert_logged("`positions`: particle 1 has");
    weir_density_solver_destroy(&solver);
}

static void assert_scene_refused(const char *text, const char *words)
{
    weir_scene *scene = parse(text);
    weir_density_solver *solver = NULL;
    logged[0] = '\0';
    assert_int_equal(weir_density_solver_create(shared_device, scene, &solver),
                     WEIR_ERROR_ARGUMENT);
    assert_null(solver);
    assert_logged(words);
    weir_scene_destroy(&scene);
}

static void scenes_with_more_than_the_constraint_are_refused(void **state)
{
    assert_scene_refused(SCENE("", ", \"method\": \"wcsph\""), "solver.method is wcsph");
    assert_scene_refused(SCENE("", ", \"long_range_correction\": \"on\""),
                         "solver.long_range_correction is \"on\"");
    assert_scene_refused(SCENE("}, \"solids\": [{\"name\": \"ball\", \"shape\": {\"sphere\":"
                               " {\"radius\": 0.1}}}], \"camera\": {\"eye\": [0, 0, 3],"
                               " \"target\": [0, 0, 0]",
                               ""),
                         "has 1 solids, which a density solver does not support: remove them, and "
                         "pass their samples as particles with an inverse mass of 0");
}

static void a_device_outlives_its_density_solvers(void **state)
{
    weir_density_solver *solver = create_from(SCENE("", PLAIN));
    weir_device *kept = shared_device;
    logged[0] = '\0';
    weir_device_destroy(&kept);
    assert_ptr_equal(kept, shared_device);
    assert_logged("1 density solver");
    weir_density_solver_destroy(&solver);
    weir_density_solver_destroy(&solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tolerance_is_met_and_reported),
        cmocka_unit_test(a_crowd_that_no_list_holds_is_refused),
        cmocka_unit_test(faulty_particles_are_refused),
        cmocka_unit_test(scenes_with_more_than_the_constraint_are_refused),
        cmocka_unit_test(a_device_outlives_its_density_solvers),
    };
    return cmocka_run_group_tests(tests, open_shared_device, close_shared_device);
}
