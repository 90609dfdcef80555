/* Tests the solutions of the Poisson solver: its rate of convergence, and its limit. */
#include "poisson_support.h"

/* Returns the residual of the device's solution over the largest source, in double precision. */
static double residual_of(const poisson_fixture *b, const float *sources)
{
    float *all = download_blocks(b, poisson_get_buffers(b->solver)->solutions, 1);
    float *x = base_alloc(b->cell_count, sizeof *x);
    double worst = 0.0, largest = 0.0;
    for (uint32_t i = 0; i < b->solve.firsts[1] * POISSON_BLOCK_CELLS; i++) {
        size_t at = dense_index(b, &b->blocks[i / POISSON_BLOCK_CELLS], i % POISSON_BLOCK_CELLS);
        if (at != SIZE_MAX) x[at] = all[i];
    }
    for (size_t i = 0; i < b->cell_count; i++) {
        if (!(b->ref.levels[0].coefficients[i].w > 0.0f)) continue;
        worst = fmax(worst, fabs((double)sources[i] - ref_poisson_multiply(&b->ref, 0, i, x)));
        largest = fmax(largest, fabs((double)sources[i]));
    }
    base_free(all);
    base_free(x);
    return worst / largest;
}

/* Returns the mean factor by which an iteration of conjugate gradients reduces the residual. */
static double convergence(gpu_device *device, const poisson_def *def, level_set shape,
                          enum face_cuts face_cuts)
{
    poisson_fixture b = create_ready_fixture(device, def, shape, face_cuts);
    float *sources = make_sources(&b);
    solve_poisson(&b, sources);
    double residual = residual_of(&b, sources);
    double factor = pow((double)(b.solve.error / b.solve.source), 1.0 / b.solve.iterations);
    print_message("  %u x %u x %u%s: %u iterations, residual %.2g, factor %.3f\n", def->cells[0],
                  def->cells[1], def->cells[2], face_cuts == SOLIDS ? ", cut" : "",
                  b.solve.iterations, residual, factor);
    assert_int_equal(b.solve.done, 1);
    assert_true(residual < 2.0 * (double)def->tolerance);
    base_free(sources);
    free_fixture(&b);
    return factor;
}

static void an_iteration_leaves_a_fifth_of_a_ragged_pool_s_residual_at_every_size(void **state)
{
    const poisson_def defs[] = {
        poisson_box_def(16, 16, 16, 100), poisson_box_def(32, 32, 32, 200),
        poisson_box_def(50, 37, 23, 300), poisson_box_def(64, 64, 64, 800),
        poisson_box_def(4, 256, 4, 100),  poisson_box_def(200, 200, 1, 1000)};
    for (size_t i = 0; i < BASE_COUNT(defs); i++) {
        assert_true(convergence(quick, &defs[i], ragged_level_set, WHOLE) <= 0.2);
        assert_true(convergence(quick, &defs[i], slanted_level_set, SOLIDS) <= 0.25);
    }
}

static void an_iteration_leaves_two_fifths_with_drops_ten_times_as_dense(void **state)
{
    poisson_def defs[] = {poisson_box_def(32, 32, 32, 200), poisson_box_def(64, 64, 64, 800),
                          poisson_box_def(50, 37, 23, 300)};
    for (size_t i = 0; i < BASE_COUNT(defs); i++) {
        defs[i].variable_coefficients = true;
        assert_true(convergence(quick, &defs[i], ragged_level_set, WHOLE) <= 0.4);
        assert_true(convergence(quick, &defs[i], slanted_level_set, SOLIDS) <= 0.4);
    }
}

/* Without air, the sum of the sources must be 0: the solver subtracts their mean. */
static void a_closed_box_is_solved_less_the_mean(void **state)
{
    poisson_def def = poisson_box_def(20, 20, 20, 100);
    poisson_fixture b = create_ready_fixture(checked, &def, full_level_set, WHOLE);
    float *sources = make_sources(&b);
    double mean = 0.0;
    for (size_t i = 0; i < b.cell_count; i++)
        mean += (double)(sources[i] += 0.3f) / (double)b.cell_count;
    solve_poisson(&b, sources);
    assert_int_equal(b.solve.done, 1);
    assert_true(fabs((double)b.solve.mean - mean) < 1e-6);
    for (size_t i = 0; i < b.cell_count; i++)
        sources[i] -= b.solve.mean;
    assert_true(residual_of(&b, sources) < 2.0 * (double)def.tolerance);
    base_free(sources);
    free_fixture(&b);
}

/* Returns the solutions after one iteration; release with base_free. */
static float *iterate_once(const poisson_fixture *b, const float *sources)
{
    gpu_pass *passes = base_alloc(POISSON_SOLVE_PASSES, sizeof *passes);
    upload_sources((poisson_fixture *)b, sources);
    OK(gpu_run_passes(b->device, passes, poisson_solve_passes(b->solver, 1, passes)));
    base_free(passes);
    return download_blocks(b, poisson_get_buffers(b->solver)->solutions, 1);
}

/* All passes of the first iteration leave out the mean, also where one workgroup solves all levels.
 */
static void a_mean_changes_no_iteration(void **state)
{
    const poisson_def defs[] = {poisson_box_def(20, 20, 20, 100), poisson_box_def(16, 8, 8, 10),
                                poisson_box_def(8, 8, 8, 10)};
    for (size_t k = 0; k < BASE_COUNT(defs); k++) {
        poisson_fixture b = create_ready_fixture(checked, &defs[k], full_level_set, WHOLE);
        float *sources = make_sources(&b);
        float *x = iterate_once(&b, sources);
        for (size_t i = 0; i < b.cell_count; i++)
            sources[i] += 8.0f;
        float *y = iterate_once(&b, sources);
        double worst = 0.0, largest = 0.0;
        for (uint32_t i = 0; i < b.solve.firsts[1] * POISSON_BLOCK_CELLS; i++) {
            worst = fmax(worst, fabs((double)x[i] - (double)y[i]));
            largest = fmax(largest, fabs((double)x[i]));
        }
        print_message("  %u x %u x %u: differs by %.2g\n", defs[k].cells[0], defs[k].cells[1],
                      defs[k].cells[2], worst / largest);
        assert_true(largest > 0.0 && worst < 1e-3 * largest);
        base_free(x);
        base_free(y);
        base_free(sources);
        free_fixture(&b);
    }
}

static void nothing_to_solve_gives_nothing(void **state)
{
    poisson_def def = poisson_box_def(20, 20, 20, 100);
    poisson_fixture b = create_ready_fixture(checked, &def, ragged_level_set, WHOLE);
    float *sources = base_alloc(b.cell_count, sizeof *sources);
    solve_poisson(&b, sources);
    assert_int_equal(b.solve.done, 1);
    assert_int_equal(b.solve.iterations, 0);
    float *x = download_blocks(&b, poisson_get_buffers(b.solver)->solutions, 1);
    for (uint32_t i = 0; i < b.solve.firsts[1] * POISSON_BLOCK_CELLS; i++)
        assert_true(x[i] == 0.0f);
    base_free(x);
    base_free(sources);
    free_fixture(&b);
}

/* The V-cycle M as a preconditioner must be symmetric: x . M y = y . M x. */
static void a_cycle_is_symmetric(void **state)
{
    poisson_def def = poisson_box_def(40, 33, 25, 200);
    poisson_fixture b = create_ready_fixture(quick, &def, slanted_level_set, SOLIDS);
    float *in[2], *out[2];
    double products[2] = {0};
    gpu_pass *passes = base_alloc(POISSON_VCYCLE_PASSES, sizeof *passes);
    for (int k = 0; k < 2; k++) {
        in[k] = make_sources(&b);
        for (size_t i = 0; i < b.cell_count; i++)
            if (in[k][i] != 0.0f) in[k][i] = hash_noise(7 * (uint64_t)i + 1000003 * (uint64_t)k);
        upload_sources(&b, in[k]);
        OK(gpu_run_passes(b.device, passes, poisson_vcycle_passes(b.solver, passes)));
        out[k] = download_blocks(&b, poisson_get_buffers(b.solver)->vcycle_solutions, 1);
    }
    for (uint32_t i = 0; i < b.solve.firsts[1] * POISSON_BLOCK_CELLS; i++) {
        size_t at = dense_index(&b, &b.blocks[i / POISSON_BLOCK_CELLS], i % POISSON_BLOCK_CELLS);
        for (int k = 0; k < 2 && at != SIZE_MAX; k++)
            products[k] += (double)in[1 - k][at] * (double)out[k][i];
    }
    print_message("  %.9g and %.9g\n", products[0], products[1]);
    assert_true(fabs(products[0] - products[1]) < 1e-5 * fabs(products[0]));
    for (int k = 0; k < 2; k++) {
        base_free(in[k]);
        base_free(out[k]);
    }
    base_free(passes);
    free_fixture(&b);
}

/* ---- rigid bodies --------------------------------------------------------------------------- */

#define RIGIDS 3u

/* The coupling of rigid bodies to the cells of a poisson_fixture, dense. */
typedef struct tied {
    vec4 *rigid_coupling, *turns;
    struct poisson_rigid rigids[RIGIDS];
} tied;

/* Couples a tenth of the cells in and near the fluid, neighbouring cells to different bodies. The
 * first body is light, which makes the matrix very different from the one in the V-cycle. */
static tied make_ties(const poisson_fixture *b)
{
    tied t = {.rigid_coupling = base_alloc(b->cell_count, sizeof(vec4)),
              .turns = base_alloc(b->cell_count, sizeof(vec4))};
    assert_true(t.rigid_coupling && t.turns);
    for (size_t i = 0; i < b->cell_count; i++) {
        if (hash_noise(11 * i) > -0.4f) continue;
        t.rigid_coupling[i] = (vec4){hash_noise(3 * i), hash_noise(5 * i), hash_noise(7 * i),
                                     (float)(1 + i % RIGIDS)};
        t.turns[i] = (vec4){4.0f * hash_noise(13 * i), 4.0f * hash_noise(17 * i),
                            4.0f * hash_noise(19 * i), 0.0f};
    }
    for (uint32_t r = 0; r < RIGIDS; r++)
        t.rigids[r] = (struct poisson_rigid){.matrix = {r == 0 ? 3.0f : 0.02f, 0.1f, 0.2f, 0.3f},
                                             .matrix_off_diagonal = {0.05f, -0.04f, 0.03f, 0.0f}};
    return t;
}

static void upload_dense(const poisson_fixture *b, gpu_buffer *buffer, const vec4 *dense)
{
    size_t count = (size_t)b->solve.firsts[1] * POISSON_BLOCK_CELLS;
    vec4 *all = base_alloc(count, sizeof *all);
    assert_non_null(all);
    for (size_t i = 0; i < count; i++) {
        size_t at = dense_index(b, &b->blocks[i / POISSON_BLOCK_CELLS], i % POISSON_BLOCK_CELLS);
        if (at != SIZE_MAX) all[i] = dense[at];
    }
    OK(gpu_buffer_upload(b->device, buffer, 0, all, count * sizeof *all));
    base_free(all);
}

/* Computes W sum of J x of a rigid body for the solution x in dense cells. */
static void ref_answer(const poisson_fixture *b, const tied *t, uint32_t rigid, const float *x,
                       double out[6])
{
    double sum[6] = {0};
    for (size_t i = 0; i < b->cell_count; i++) {
        bool own = t->rigid_coupling[i].w == (float)(1 + rigid);
        for (int k = 0; k < 3 && own; k++) {
            sum[k] += (double)x[i] * (double)ref_axis_component(t->rigid_coupling[i], k);
            sum[3 + k] += (double)x[i] * (double)ref_axis_component(t->turns[i], k);
        }
    }
    vec4 m = t->rigids[rigid].matrix, c = t->rigids[rigid].matrix_off_diagonal;
    const vec4 passes[3] = {{m.y, c.x, c.y, 0}, {c.x, m.z, c.z, 0}, {c.y, c.z, m.w, 0}};
    for (int k = 0; k < 3; k++) {
        out[k] = (double)m.x * sum[k];
        out[3 + k] = 0.0;
        for (int j = 0; j < 3; j++)
            out[3 + k] += (double)ref_axis_component(passes[k], j) * sum[3 + j];
    }
}

/* Returns the residual in double precision, over the largest source. */
static double tied_residual(const poisson_fixture *b, const tied *t, const float *sources,
                            const float *x)
{
    double answers[RIGIDS][6], worst = 0.0, largest = 0.0;
    for (uint32_t r = 0; r < RIGIDS; r++)
        ref_answer(b, t, r, x, answers[r]);
    for (size_t i = 0; i < b->cell_count; i++) {
        if (!(b->ref.levels[0].coefficients[i].w > 0.0f)) continue;
        double left = ref_poisson_multiply(&b->ref, 0, i, x);
        for (int k = 0; k < 3 && t->rigid_coupling[i].w > 0.0f; k++) {
            const double *answer = answers[(uint32_t)t->rigid_coupling[i].w - 1];
            left += (double)ref_axis_component(t->rigid_coupling[i], k) * answer[k];
            left += (double)ref_axis_component(t->turns[i], k) * answer[3 + k];
        }
        worst = fmax(worst, fabs((double)sources[i] - left));
        largest = fmax(largest, fabs((double)sources[i]));
    }
    return worst / largest;
}

static void solve_tied(poisson_fixture *b, const tied *t, const float *sources)
{
    const uint32_t none[RIGIDS * POISSON_RIGID_WORDS] = {0};
    gpu_pass *passes = base_alloc(POISSON_RIGID_SOLVE_PASSES, sizeof *passes);
    upload_sources(b, sources);
    upload_dense(b, poisson_get_buffers(b->solver)->rigid_coupling, t->rigid_coupling);
    upload_dense(b, poisson_get_buffers(b->solver)->rigid_coupling_angular, t->turns);
    OK(gpu_buffer_upload(b->device, poisson_get_buffers(b->solver)->rigid_responses, 0, t->rigids,
                         sizeof t->rigids));
    OK(gpu_buffer_upload(b->device, poisson_get_buffers(b->solver)->rigid_projections, 0, none,
                         sizeof none));
    OK(gpu_run_passes(b->device, passes, poisson_rigid_solve_passes(b->solver, 40, passes)));
    OK(gpu_buffer_download(b->device, poisson_get_buffers(b->solver)->solve, 0, &b->solve,
                           sizeof b->solve));
    base_free(passes);
}

static float *dense_solution(const poisson_fixture *b)
{
    float *all = download_blocks(b, poisson_get_buffers(b->solver)->solutions, 1);
    float *x = base_alloc(b->cell_count, sizeof *x);
    assert_non_null(x);
    for (uint32_t i = 0; i < b->solve.firsts[1] * POISSON_BLOCK_CELLS; i++) {
        size_t at = dense_index(b, &b->blocks[i / POISSON_BLOCK_CELLS], i % POISSON_BLOCK_CELLS);
        if (at != SIZE_MAX) x[at] = all[i];
    }
    base_free(all);
    return x;
}

static void rigids_answer_what_moves_them_and_the_sum_is_solved(void **state)
{
    poisson_def def = poisson_box_def(30, 21, 20, 200);
    def.rigids = RIGIDS;
    poisson_fixture b = create_ready_fixture(checked, &def, ragged_level_set, WHOLE);
    float *sources = make_sources(&b);
    tied t = make_ties(&b);
    solve_tied(&b, &t, sources);
    float *x = dense_solution(&b);
    double residual = tied_residual(&b, &t, sources, x);
    print_message("  %u iterations, residual %.2g\n", b.solve.iterations, residual);
    assert_int_equal(b.solve.done, 1);
    assert_true(residual < 2.0 * (double)def.tolerance);
    solve_tied(&b, &t, sources); /* the same bits again */
    float *again = dense_solution(&b);
    assert_memory_equal(x, again, b.cell_count * sizeof *x);
    void *arrays[] = {x, again, t.rigid_coupling, t.turns, sources};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    free_fixture(&b);
}

/* ---- manufactured solutions ----------------------------------------------------------------- */

#define TURN 2.3f

/* The plane n . p = 0.6 in the unit box, with air above it. */
static float plane_at(const float p[3])
{
    return 0.48f * p[0] + 0.8f * p[1] + 0.36f * p[2] - 0.6f;
}

static float plane_set(const poisson_fixture *b, uint32_t x, uint32_t y, uint32_t z)
{
    float n = (float)b->params.cells[0].x;
    const float p[3] = {((float)x + 0.5f) / n, ((float)y + 0.5f) / n, ((float)z + 0.5f) / n};
    return plane_at(p);
}

/* u = sin(k s), where s is the distance from the surface, at which u is 0. */
static double exact(const float p[3])
{
    return sin((double)TURN * (double)plane_at(p));
}

/* Returns the flux of grad u through the upper face along an axis by the midpoint rule: the slope
 * of u along the axis times the face's area over the cell size. */
static double flux(const float p[3], int axis, double h)
{
    static const double normal[3] = {0.48, 0.8, 0.36};
    return h * (double)TURN * normal[axis] * cos((double)TURN * (double)plane_at(p));
}

/* Returns the largest error of the solution on n^3 cells. The sides are closed; the sources include
 * their flux. */
static double manufactured_error(uint32_t n)
{
    poisson_def def = poisson_box_def(n, n, n, 4 * (n / 8) * (n / 8) * (n / 8) + 20);
    poisson_fixture b = create_ready_fixture(quick, &def, plane_set, WHOLE);
    double h = 1.0 / n, worst = 0.0;
    float *sources = base_alloc(b.cell_count, sizeof *sources);
    float *points = base_alloc(b.cell_count, 3 * sizeof *points);
    for (size_t i = 0; i < b.cell_count; i++) {
        float *p = &points[3 * i];
        const size_t at[3] = {i % n, i / n % n, i / n / n};
        for (int axis = 0; axis < 3; axis++)
            p[axis] = ((float)at[axis] + 0.5f) / (float)n;
        /* -div grad u = k^2 u |n|^2 */
        double source = h * h * (double)(TURN * TURN) * exact(p);
        for (int axis = 0; axis < 3; axis++) {
            float face[3] = {p[0], p[1], p[2]};
            face[axis] = at[axis] == 0 ? 0.0f : 1.0f;
            if (at[axis] == 0) source -= flux(face, axis, h);
            if (at[axis] == n - 1) source += flux(face, axis, h);
        }
        sources[i] = b.ref.levels[0].coefficients[i].w > 0.0f ? (float)source : 0.0f;
    }
    solve_poisson(&b, sources);
    float *x = download_blocks(&b, poisson_get_buffers(b.solver)->solutions, 1);
    for (uint32_t i = 0; i < b.solve.firsts[1] * POISSON_BLOCK_CELLS; i++) {
        size_t at = dense_index(&b, &b.blocks[i / POISSON_BLOCK_CELLS], i % POISSON_BLOCK_CELLS);
        if (at == SIZE_MAX || !(b.ref.levels[0].coefficients[at].w > 0.0f)) continue;
        worst = fmax(worst, fabs((double)x[i] - exact(&points[3 * at])));
    }
    base_free(x);
    base_free(points);
    base_free(sources);
    free_fixture(&b);
    return worst;
}

static void the_error_of_a_known_solution_falls_with_the_square_of_the_cells(void **state)
{
    double coarse = manufactured_error(16), fine = manufactured_error(32),
           finest = manufactured_error(64);
    print_message("  largest errors %.3g, %.3g, %.3g: orders %.2f, %.2f\n", coarse, fine, finest,
                  log2(coarse / fine), log2(fine / finest));
    assert_true(log2(coarse / fine) > 1.7 && log2(fine / finest) > 1.7);
}

/* ---- determinism ---------------------------------------------------------------------------- */

static void two_solves_give_the_same_bits(void **state)
{
    poisson_def def = poisson_box_def(50, 37, 23, 300);
    float *found[2];
    uint32_t count = 0;
    for (int k = 0; k < 2; k++) {
        poisson_fixture b = create_ready_fixture(quick, &def, slanted_level_set, SOLIDS);
        float *sources = make_sources(&b);
        solve_poisson(&b, sources);
        count = b.solve.firsts[1] * POISSON_BLOCK_CELLS;
        found[k] = download_blocks(&b, poisson_get_buffers(b.solver)->solutions, 1);
        base_free(sources);
        free_fixture(&b);
        def.capacity += 100; /* must not change the result */
    }
    assert_memory_equal(found[0], found[1], count * sizeof(float));
    base_free(found[0]);
    base_free(found[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_iteration_leaves_a_fifth_of_a_ragged_pool_s_residual_at_every_size),
        cmocka_unit_test(an_iteration_leaves_two_fifths_with_drops_ten_times_as_dense),
        cmocka_unit_test(a_closed_box_is_solved_less_the_mean),
        cmocka_unit_test(a_mean_changes_no_iteration),
        cmocka_unit_test(nothing_to_solve_gives_nothing),
        cmocka_unit_test(a_cycle_is_symmetric),
        cmocka_unit_test(rigids_answer_what_moves_them_and_the_sum_is_solved),
        cmocka_unit_test(the_error_of_a_known_solution_falls_with_the_square_of_the_cells),
        cmocka_unit_test(two_solves_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
