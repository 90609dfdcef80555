/* Tests the Poisson solver: its blocks, and every pass against its reference. */
#include "poisson_support.h"

static uint32_t find_block(const poisson_fixture *b, uint32_t level, uint32_t x, uint32_t y,
                           uint32_t z)
{
    for (uint32_t i = b->solve.firsts[level]; i < b->solve.firsts[level + 1]; i++)
        if (b->blocks[i].at.x == x && b->blocks[i].at.y == y && b->blocks[i].at.z == z) return i;
    return POISSON_NONE;
}

static void assert_neighbours(const poisson_fixture *b, uint32_t i)
{
    const struct poisson_block *own = &b->blocks[i];
    const uvec4 size = b->params.tables[own->at.w];
    const uint32_t counts[3] = {size.x, size.y, size.z};
    for (uint32_t side = 0; side < 6; side++) {
        uint32_t at[3] = {own->at.x, own->at.y, own->at.z}, axis = side / 2, n = counts[axis];
        bool out = side % 2 ? at[axis] + 1 == n : at[axis] == 0;
        at[axis] = (at[axis] + (side % 2 ? 1 : n - 1)) % n;
        uint32_t expected = find_block(b, own->at.w, at[0], at[1], at[2]);
        if (out && !(b->params.periodic >> axis & 1)) expected = POISSON_NONE;
        assert_int_equal(own->neighbours[side], expected);
    }
}

static float empty_level_set(const poisson_fixture *b, uint32_t x, uint32_t y, uint32_t z)
{
    return 0.0f;
}

static void check_blocks(const poisson_def *def, level_set shape)
{
    poisson_fixture b = create_fixture(checked, def);
    fill_level_set(&b, shape, WHOLE);
    mark_blocks(&b);
    list_blocks(&b);
    uint32_t marked = 0, top = poisson_levels(b.solver) - 1;
    for (uint32_t e = 0; e < b.params.tables[0].w; e++)
        marked += b.marks[e];
    assert_int_equal(b.solve.firsts[1], marked);
    assert_int_equal(b.solve.firsts[top + 1] - b.solve.firsts[top], 1);
    for (uint32_t i = 0; i < b.solve.firsts[POISSON_MAX_LEVELS]; i++) {
        const struct poisson_block *own = &b.blocks[i];
        const uvec4 size = b.params.tables[own->at.w];
        uint32_t level = own->at.w;
        assert_true(i >= b.solve.firsts[level] && i < b.solve.firsts[level + 1]);
        if (level == 0)
            assert_int_equal(b.marks[own->at.x + size.x * (own->at.y + size.y * own->at.z)], 1);
        assert_neighbours(&b, i);
        uint32_t above = find_block(&b, level + 1, own->at.x / 2, own->at.y / 2, own->at.z / 2);
        assert_int_equal(own->parent, level < top ? above : POISSON_NONE);
        if (level == top) continue;
        uint32_t octant = own->at.x % 2 + 2 * (own->at.y % 2) + 4 * (own->at.z % 2);
        assert_int_equal(b.blocks[own->parent].children[octant], i);
    }
    free_fixture(&b);
}

/* One workgroup numbers the blocks of the small tables, several passes those of the large ones. */
static void blocks_of_all_levels_are_listed_in_order_with_their_neighbours(void **state)
{
    poisson_def small = poisson_box_def(40, 50, 26, 200),
                large = poisson_box_def(520, 520, 1, 3000);
    small.periodic[0] = true;
    check_blocks(&small, ragged_level_set);
    check_blocks(&large, empty_level_set);
}

static void a_short_capacity_is_told_and_stops_the_passes(void **state)
{
    struct grid_state said;
    poisson_def def = poisson_box_def(40, 40, 40, 20);
    poisson_fixture b = create_fixture(checked, &def);
    fill_level_set(&b, full_level_set, WHOLE);
    mark_blocks(&b);
    list_blocks(&b);
    OK(gpu_buffer_download(b.device, b.state, 0, &said, sizeof said));
    assert_int_equal(said.flags, GRID_OVERFLOW_BLOCKS);
    assert_int_equal(said.needed_blocks, 125 + 27 + 8 + 1);
    assert_int_equal(b.solve.firsts[POISSON_MAX_LEVELS], 0);
    assert_int_equal(b.solve.arguments[0], 0);
    free_fixture(&b);
}

/* Levels of 8 bits each: x, y, z. */
static void compare_levels(poisson_fixture *b)
{
    for (uint32_t level = 0; level < b->params.levels; level++)
        assert_true(compare_level(b, poisson_get_buffers(b->solver)->coefficients, level,
                                  (float *)b->ref.levels[level].coefficients, 4) < 2e-6);
}

/* Runs the V-cycle of a level and all coarser ones. */
static void ref_coarse_levels(ref_poisson *p, uint32_t top)
{
    uint32_t bottom = p->params.levels - 1;
    for (uint32_t level = top; level < bottom; level++) {
        ref_poisson_smooth_from_zero(p, level);
        ref_poisson_smooth(p, level, 1);
        ref_poisson_restrict(p, level + 1);
    }
    ref_poisson_solve_coarsest(p);
    for (uint32_t level = bottom; level-- > top;) {
        ref_poisson_prolong(p, level);
        ref_poisson_smooth(p, level, 1);
        ref_poisson_smooth(p, level, 0);
    }
}

/* Runs the V-cycle pass by pass along with the reference. Returns whether a pass solved more than
 * the coarsest level; counts in `twice` the passes that performed both last sweeps. */
static bool follow_cycle(poisson_fixture *b, uint32_t *twice)
{
    gpu_pass *passes = base_alloc(POISSON_VCYCLE_PASSES, sizeof *passes);
    const poisson_buffers *buffers = poisson_get_buffers(b->solver);
    uint32_t count = poisson_vcycle_passes(b->solver, passes);
    bool joined = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t level = passes[i].constant & POISSON_LEVEL_MASK;
        const char *name = gpu_pipeline_name(passes[i].pipeline);
        const ref_poisson_level *own = &b->ref.levels[level];
        const gpu_buffer *written = buffers->vcycle_solutions;
        bool restricts = strcmp(name, "restrict_residual") == 0;
        bool coarse = strcmp(name, "solve_coarse_levels") == 0;
        OK(gpu_run_passes(b->device, &passes[i], 1));
        if (strcmp(name, "smooth_twice_from_zero") == 0) {
            ref_poisson_smooth_from_zero(&b->ref, level);
            ref_poisson_smooth(&b->ref, level, 1);
        } else if (strcmp(name, "prolong_and_smooth") == 0) {
            ref_poisson_prolong(&b->ref, level);
            ref_poisson_smooth(&b->ref, level, 1);
            written = buffers->smoothed;
        } else if (strcmp(name, "prolong_and_smooth_twice") == 0) {
            ref_poisson_prolong(&b->ref, level);
            ref_poisson_smooth(&b->ref, level, 1);
            ref_poisson_smooth(&b->ref, level, 0);
            written = buffers->smoothed;
            *twice += 1;
        } else if (strcmp(name, "smooth_last") == 0) {
            ref_poisson_smooth(&b->ref, level, 0);
        } else if (restricts) {
            ref_poisson_restrict(&b->ref, level);
            written = buffers->right_sides;
        } else {
            assert_true(coarse);
            ref_coarse_levels(&b->ref, level);
            if (level > 0) written = buffers->smoothed;
            joined |= level + 1 < b->params.levels;
        }
        double off = compare_level(b, written, level, restricts ? own->sources : own->guesses, 1);
        if (off > (coarse ? 1e-4 : 2e-5))
            fail_msg("row %u, %s of level %u: off by %g", i, name, level, off);
    }
    base_free(passes);
    return joined;
}

static void every_pass_matches_the_reference(void **state)
{
    poisson_def defs[] = {poisson_box_def(24, 40, 17, 200), poisson_box_def(70, 50, 1, 200),
                          poisson_box_def(4, 90, 4, 100), poisson_box_def(24, 40, 17, 200)};
    const level_set shapes[] = {slanted_level_set, ragged_level_set, ragged_level_set,
                                slanted_level_set};
    defs[0].periodic[0] = defs[3].periodic[0] = true;
    defs[3].variable_coefficients = true;
    uint32_t joined = 0, twice = 0;
    defs[1].sizes_m[1] = 1.1f;
    defs[1].periodic[0] = true; /* 70 cells: the last block of a row is not full */
    for (size_t k = 0; k < BASE_COUNT(defs); k++) {
        poisson_fixture b =
            create_ready_fixture(checked, &defs[k], shapes[k], k == 0 ? BY_CHANCE : WHOLE);
        compare_levels(&b);
        float *sources = make_sources(&b);
        upload_sources(&b, sources);
        memcpy(b.ref.levels[0].sources, sources, b.cell_count * sizeof *sources);
        joined += follow_cycle(&b, &twice);
        base_free(sources);
        free_fixture(&b);
    }
    assert_true(joined > 0 && twice > 0);
}

/* Compares a square cut by a plane with counting. */
static void the_open_share_of_a_square_is_exact_for_a_plane(void **state)
{
    enum { STEPS = 400, PLANES = 200 };
    for (uint32_t k = 0; k < PLANES; k++) {
        bool level = k % 4 == 0; /* parallel to an edge */
        float a = level && k % 8 ? 0.0f : 2.0f * base_hash_to_unit(3 * k) - 1.0f;
        float b = level && !(k % 8) ? 0.0f : 2.0f * base_hash_to_unit(3 * k + 1) - 1.0f;
        float c = 2.0f * base_hash_to_unit(3 * k + 2) - 1.0f;
        const float corners[4] = {c, a + c, b + c, a + b + c};
        uint32_t open = 0;
        for (uint32_t i = 0; i < STEPS * STEPS; i++)
            open += a * ((float)(i % STEPS) + 0.5f) / STEPS +
                        b * ((float)(i / STEPS) + 0.5f) / STEPS + c >
                    0.0f;
        float counted = (float)open / (STEPS * STEPS);
        assert_true(fabsf(ref_square_open_fraction(corners) - counted) < 4e-3f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_open_share_of_a_square_is_exact_for_a_plane),
        cmocka_unit_test(blocks_of_all_levels_are_listed_in_order_with_their_neighbours),
        cmocka_unit_test(a_short_capacity_is_told_and_stops_the_passes),
        cmocka_unit_test(every_pass_matches_the_reference),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
