/* The kernels that tear cloths and ropes, and what they leave out then, against their references in
 * tests/ref: a sheet that is crumpled, beside one that does not tear, and a rope that tears, too.
 */
#include "device_support.h"
#include "soft_stage.h"

static const char text[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [2, 2, 2]},"
    " 'cloths': [{'name': 'firm', 'area_density': 0.5, 'grid': {'corner': [0.2, 1.2, 0.2],"
    " 'along': [0.2, 0, 0], 'across': [0, 0, 0.2], 'spacing': 0.0501}},"
    " {'name': 'sheet', 'area_density': 0.5, 'bending': 0.02, 'tear': 0.03, 'stiffness': 0.5, "
    "'grid': {"
    "'corner': [0.3, 0.68, 0.3], 'along': [0.6, 0, 0], 'across': [0, 0, 0.5], 'spacing': 0.0501},"
    " 'pins': [{'vertices': [0, 20]}]}],"
    " 'ropes': [{'name': 'line', 'line_density': 0.4, 'diameter': 0.04, 'bending': 0.01,"
    " 'tear': 0.01, 'stiffness': 2, 'spacing': 0.04, 'points': [[1, 0.2, 0.3], [1.8, 0.2, 0.4]]}],"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [1, 1, 1],"
    " 'max': [1.2, 1.2, 1.2]}}}}]}";

/* Every tenth flag is set: they count floats behind the vertices. */
static void crumple(const yarn *r)
{
    gpu_buffer *buffer = soft_set_states(r->world->softs);
    uint64_t size = gpu_buffer_size(buffer);
    struct soft_state *states = base_alloc(1, (size_t)size);
    assert_non_null(states);
    assert_int_equal(size, soft_set_bytes(r->world->softs));
    memcpy(states, soft_set_starts(r->world->softs), (size_t)size);
    for (uint32_t i = 0; i < r->vertices; i++) {
        if (states[i].position.w == 0.0f) continue;
        states[i].position.x += random_between(4ull * i, -0.005f, 0.005f);
        states[i].position.y += random_between(4ull * i + 1, -0.005f, 0.005f);
        states[i].velocity.z = random_between(4ull * i + 2, -3, 3);
    }
    float *flags = (float *)&states[r->vertices];
    for (uint64_t k = 0; k < size / 4 - SOFT_FLAGS * (uint64_t)r->vertices; k += 10)
        flags[k] = 1.0f;
    upload(r->world, buffer, states, (size_t)size);
    base_free(states);
}

static yarn unwind(const char *constraints, const char *row)
{
    const char *const overrides[] = {constraints, NULL};
    yarn r = {.scene = make_scene(text, overrides)};
    r.world = make_sim_sized(device, r.scene, SIMS_ROOM);
    r.vertices = soft_set_count(r.world->softs);
    crumple(&r);
    enter(&r.s, r.world, 1, row);
    read_yarn(&r);
    read_moves(&r);
    return r;
}

static void assert_moves(const yarn *r)
{
    vec4 *got = read_all(r, bound(r, "soft_settle", SOFT_BIND_soft_moves));
    for (uint32_t i = 0; i < r->vertices; i++)
        assert_vec3_near("displacement", i, got[i], xyz(r->ref.moves[i]),
                         4.0f * PLACE * r->s.params.spacing);
    base_free(got);
}

static void long_edges_tear_and_what_bends_them(void **state)
{
    (void)state;
    yarn r = unwind(GAUSS_SEIDEL, "tear");
    uint32_t before = 0, torn = 0, frayed = 0, bends = 0, ropes = 0;
    float *flags = (float *)r.states;
    for (uint32_t i = 0; i < r.bond_count; i++) {
        bool can = r.bonds[i].flag != SOFT_NONE;
        assert_true(can == (r.owners[r.bonds[i].vertices.x] != 0));
        before += ref_soft_torn(&r.ref, r.bonds[i].flag);
    }
    for (uint32_t i = 0; i < r.bond_count; i++) {
        uint32_t owner = r.owners[r.bonds[i].vertices.x];
        bool tears = owner != 0 && ref_soft_tears(&r.ref, owner, i);
        torn += tears;
        ropes += tears && owner == 2;
        if (tears) flags[r.bonds[i].flag] = 1.0f;
    }
    uint32_t row = step_row(r.world, "fray");
    gpu_buffer *buffer = bound(&r, "fray", SOFT_BIND_soft_frays);
    struct soft_fray *frays = read_all(&r, buffer);
    bends = (uint32_t)gpu_buffer_count(buffer);
    run_row(&r.s);
    run_step_rows(r.world, row, row + 1);
    for (uint32_t i = 0; i < bends; i++) {
        bool frays_now = ref_soft_frays(&r.ref, &frays[i]);
        frayed += frays_now && !ref_soft_torn(&r.ref, frays[i].flag);
        uint32_t edges = 0;
        for (uint32_t k = 0; k < SOFT_FRAY_EDGES; k++)
            edges += (&frays[i].edge0)[k] != SOFT_NONE;
        assert_int_equal(edges, frays[i].edge3 == SOFT_NONE ? 2 : SOFT_FRAY_EDGES);
        if (frays_now) flags[frays[i].flag] = 1.0f;
    }
    print_message("  of %u bonds %u had torn, %u tear, %u of ropes, and %u bends fray\n",
                  r.bond_count, before, torn, ropes, frayed);
    assert_true(before > 20 && torn > 20 && torn < r.bond_count / 2 && ropes > 2 && ropes < 18);
    assert_true(frayed > 20 && frayed < bends);
    struct soft_state *got = read_all(&r, soft_set_states(r.world->softs));
    assert_memory_equal(got, r.states, (size_t)soft_set_bytes(r.world->softs));
    base_free(got);
    base_free(frays);
    wind(&r);
}

static void torn_bonds_do_not_pull(void **state)
{
    (void)state;
    yarn r = unwind(GAUSS_SEIDEL, "pull");
    uint32_t last = r.s.row;
    while (strcmp(gpu_kernel_name(r.world->rows[last].kernel), "pull") == 0)
        last++;
    r.ref.pbf = &r.s.pbf;
    for (uint32_t i = 0; i < r.bond_count; i++)
        ref_soft_pull(&r.ref, i);
    run_step_rows(r.world, r.s.row, last);
    assert_moves(&r);
    wind(&r);
}

static void torn_bonds_do_not_push(void **state)
{
    (void)state;
    yarn r = unwind(JACOBI, "soft_weigh");
    vec4 *pushes = base_alloc(r.bond_count, sizeof *pushes);
    vec4 *moves = base_alloc(r.vertices, sizeof *moves);
    assert_true(pushes && moves);
    r.ref.pbf = &r.s.pbf;
    for (uint32_t i = 0; i < r.bond_count; i++)
        pushes[i] = ref_soft_weigh(&r.ref, i);
    for (uint32_t i = 0; i < r.vertices; i++)
        moves[i] = ref_soft_gather(&r.ref, pushes, i);
    memcpy(r.ref.moves, moves, r.vertices * sizeof *moves);
    run_step_rows(r.world, r.s.row, r.s.row + 2);
    assert_moves(&r);
    base_free(pushes);
    base_free(moves);
    wind(&r);
}

/* The facets that stand in cells, each once. */
static void facets_that_have_lost_an_edge_are_in_no_cell(void **state)
{
    (void)state;
    yarn r = unwind(GAUSS_SEIDEL, "file_facets");
    gpu_buffer *facets = bound(&r, "file_facets", SOFT_BIND_soft_facets);
    uint32_t count = (uint32_t)gpu_buffer_count(facets), gone = 0;
    uvec4 *seams = read_all(&r, bound(&r, "file_facets", SOFT_BIND_soft_seams));
    uvec4 *corners = read_all(&r, facets);
    run_row(&r.s);
    gpu_buffer *cells = bound(&r, "file_facets", SOFT_BIND_soft_heads);
    uint32_t *heads = read_all(&r, cells);
    uint32_t *nexts = read_all(&r, bound(&r, "file_facets", SOFT_BIND_soft_nexts));
    uint32_t *seen = base_alloc(count, sizeof *seen);
    assert_non_null(seen);
    for (uint64_t c = 0; c < gpu_buffer_count(cells); c++)
        for (uint32_t f = heads[c]; f != SOFT_NONE; f = nexts[f])
            seen[f]++;
    for (uint32_t f = 0; f < count; f++) {
        bool lost = ref_soft_torn(&r.ref, seams[f].x) || ref_soft_torn(&r.ref, seams[f].y) ||
                    ref_soft_torn(&r.ref, seams[f].z);
        assert_int_equal(seen[f], lost ? 0 : 1);
        gone += lost;
        assert_true((seams[f].x == SOFT_NONE) == (r.owners[corners[f].x] == 0));
    }
    print_message("  %u of %u facets are gone\n", gone, count);
    assert_true(gone > 20 && gone < count / 2);
    uint32_t whole = 0, *left = base_alloc(3ull * count, sizeof *left);
    assert_non_null(left);
    assert_int_equal(count, soft_set_facets(r.world->softs));
    for (uint32_t i = 0; i < 3; i++)
        whole += soft_set_whole(r.world->softs, r.states, i, left);
    assert_int_equal(whole, count - gone);
    base_free(left);
    void *arrays[] = {seams, corners, heads, nexts, seen};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    wind(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_edges_tear_and_what_bends_them),
        cmocka_unit_test(torn_bonds_do_not_pull),
        cmocka_unit_test(torn_bonds_do_not_push),
        cmocka_unit_test(facets_that_have_lost_an_edge_are_in_no_cell),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
