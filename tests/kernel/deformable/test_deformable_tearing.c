/* Tests the shaders that tear cloths and ropes, and those that skip torn constraints, against
 * tests/ref: a crumpled sheet next to one that does not tear, and a rope that tears, too. */
#include "deformable_pass_fixture.h"
#include "device_support.h"
#include "scene_text.h"

/* Sets every tenth flag; flag indices count floats that follow the vertices in the buffer. */
static void crumple(const deformable_fixture *r)
{
    gpu_buffer *buffer = deformable_set_buffers(r->world->deformables)->deformable_states;
    uint64_t size = gpu_buffer_size(buffer);
    struct deformable_state *states = base_alloc(1, (size_t)size);
    assert_non_null(states);
    assert_int_equal(size, deformable_set_bytes(r->world->deformables));
    memcpy(states, deformable_set_initial_states(r->world->deformables), (size_t)size);
    for (uint32_t i = 0; i < r->vertices; i++) {
        if (states[i].position.w == 0.0f) continue;
        states[i].position.x += random_between(4ull * i, -0.005f, 0.005f);
        states[i].position.y += random_between(4ull * i + 1, -0.005f, 0.005f);
        states[i].velocity.z = random_between(4ull * i + 2, -3, 3);
    }
    float *flags = (float *)&states[r->vertices];
    for (uint64_t k = 0; k < size / 4 - DEFORMABLE_FLAGS_PER_STATE * (uint64_t)r->vertices; k += 10)
        flags[k] = 1.0f;
    upload(r->world, buffer, states, (size_t)size);
    base_free(states);
}

static deformable_fixture open_deformable_fixture(const char *constraints, const char *pass)
{
    const char *const overrides[] = {constraints, NULL};
    deformable_fixture r = {.scene = make_scene(scene_text("deformable_tearing"), overrides)};
    r.world = make_sim_sized(device, r.scene, SIMS_ROOM);
    r.vertices = deformable_set_vertex_count(r.world->deformables);
    crumple(&r);
    enter(&r.s, r.world, 1, pass);
    read_deformable_fixture(&r);
    read_displacements(&r);
    return r;
}

static void assert_moves(const deformable_fixture *r)
{
    vec4 *got =
        read_all(r, bound_buffer(r, "finalize_vertices", DEFORMABLE_BIND_deformable_displacements));
    for (uint32_t i = 0; i < r->vertices; i++)
        assert_vec3_near("displacement", i, got[i], xyz(r->ref.displacements[i]),
                         4.0f * POSITION_TOLERANCE * r->s.params.spacing);
    base_free(got);
}

static void long_edges_tear_and_what_bends_them(void **state)
{
    deformable_fixture r = open_deformable_fixture(GAUSS_SEIDEL, "tear_edges");
    uint32_t before = 0, torn = 0, frayed = 0, bends = 0, ropes = 0;
    float *flags = (float *)r.states;
    for (uint32_t i = 0; i < r.bond_count; i++) {
        bool can = r.constraints[i].tear_flag != DEFORMABLE_NONE;
        assert_true(can == (r.owners[r.constraints[i].vertices.x] != 0));
        before += ref_deformable_is_torn(&r.ref, r.constraints[i].tear_flag);
    }
    for (uint32_t i = 0; i < r.bond_count; i++) {
        uint32_t owner = r.owners[r.constraints[i].vertices.x];
        bool tears = owner != 0 && ref_deformable_edge_tears(&r.ref, owner, i);
        torn += tears;
        ropes += tears && owner == 2;
        if (tears) flags[r.constraints[i].tear_flag] = 1.0f;
    }
    uint32_t pass = step_pass(r.world, "tear_bending");
    gpu_buffer *buffer = bound_buffer(&r, "tear_bending", DEFORMABLE_BIND_bend_tears);
    struct deformable_bend_tear *frays = read_all(&r, buffer);
    bends = (uint32_t)gpu_buffer_count(buffer);
    run_pass(&r.s);
    run_step_passes(r.world, pass, pass + 1);
    for (uint32_t i = 0; i < bends; i++) {
        bool frays_now = ref_deformable_bend_tears(&r.ref, &frays[i]);
        frayed += frays_now && !ref_deformable_is_torn(&r.ref, frays[i].tear_flag);
        uint32_t edges = 0;
        for (uint32_t k = 0; k < DEFORMABLE_BEND_TEAR_EDGES; k++)
            edges += (&frays[i].edge0)[k] != DEFORMABLE_NONE;
        assert_int_equal(edges, frays[i].edge3 == DEFORMABLE_NONE ? 2 : DEFORMABLE_BEND_TEAR_EDGES);
        if (frays_now) flags[frays[i].tear_flag] = 1.0f;
    }
    print_message("  of %u bonds %u had torn, %u tear, %u of ropes, and %u bends fray\n",
                  r.bond_count, before, torn, ropes, frayed);
    assert_true(before > 20 && torn > 20 && torn < r.bond_count / 2 && ropes > 2 && ropes < 18);
    assert_true(frayed > 20 && frayed < bends);
    struct deformable_state *got =
        read_all(&r, deformable_set_buffers(r.world->deformables)->deformable_states);
    assert_memory_equal(got, r.states, (size_t)deformable_set_bytes(r.world->deformables));
    base_free(got);
    base_free(frays);
    close_deformable_fixture(&r);
}

static void torn_bonds_do_not_pull(void **state)
{
    deformable_fixture r = open_deformable_fixture(GAUSS_SEIDEL, "solve_gauss_seidel");
    uint32_t last = r.s.pass;
    while (strcmp(gpu_pipeline_name(r.world->passes[last].pipeline), "solve_gauss_seidel") == 0)
        last++;
    r.ref.pbf = &r.s.pbf;
    for (uint32_t i = 0; i < r.bond_count; i++)
        ref_deformable_gauss_seidel(&r.ref, i);
    run_step_passes(r.world, r.s.pass, last);
    assert_moves(&r);
    close_deformable_fixture(&r);
}

static void torn_bonds_do_not_push(void **state)
{
    deformable_fixture r = open_deformable_fixture(JACOBI, "solve_jacobi");
    vec4 *pushes = base_alloc(r.bond_count, sizeof *pushes);
    vec4 *displacements = base_alloc(r.vertices, sizeof *displacements);
    assert_true(pushes && displacements);
    r.ref.pbf = &r.s.pbf;
    for (uint32_t i = 0; i < r.bond_count; i++)
        pushes[i] = ref_deformable_jacobi(&r.ref, i);
    for (uint32_t i = 0; i < r.vertices; i++)
        displacements[i] = ref_deformable_apply_jacobi(&r.ref, pushes, i);
    memcpy(r.ref.displacements, displacements, r.vertices * sizeof *displacements);
    run_step_passes(r.world, r.s.pass, r.s.pass + 2);
    assert_moves(&r);
    base_free(pushes);
    base_free(displacements);
    close_deformable_fixture(&r);
}

/* Returns the facets in the cells, each of which occurs once. */
static void facets_that_have_lost_an_edge_are_in_no_cell(void **state)
{
    deformable_fixture r = open_deformable_fixture(GAUSS_SEIDEL, "bin_facets");
    gpu_buffer *facets = bound_buffer(&r, "bin_facets", DEFORMABLE_BIND_deformable_facets);
    uint32_t count = (uint32_t)gpu_buffer_count(facets), gone = 0;
    uvec4 *seams = read_all(&r, bound_buffer(&r, "bin_facets", DEFORMABLE_BIND_facet_tear_flags));
    uvec4 *corners = read_all(&r, facets);
    run_pass(&r.s);
    gpu_buffer *cells = bound_buffer(&r, "bin_facets", DEFORMABLE_BIND_facet_bin_heads);
    uint32_t *heads = read_all(&r, cells);
    uint32_t *nexts = read_all(&r, bound_buffer(&r, "bin_facets", DEFORMABLE_BIND_facet_bin_links));
    uint32_t *seen = base_alloc(count, sizeof *seen);
    assert_non_null(seen);
    for (uint64_t c = 0; c < gpu_buffer_count(cells); c++)
        for (uint32_t f = heads[c]; f != DEFORMABLE_NONE; f = nexts[f])
            seen[f]++;
    for (uint32_t f = 0; f < count; f++) {
        bool lost = ref_deformable_is_torn(&r.ref, seams[f].x) ||
                    ref_deformable_is_torn(&r.ref, seams[f].y) ||
                    ref_deformable_is_torn(&r.ref, seams[f].z);
        assert_int_equal(seen[f], lost ? 0 : 1);
        gone += lost;
        assert_true((seams[f].x == DEFORMABLE_NONE) == (r.owners[corners[f].x] == 0));
    }
    print_message("  %u of %u facets are gone\n", gone, count);
    assert_true(gone > 20 && gone < count / 2);
    uint32_t whole = 0, *left = base_alloc(3ull * count, sizeof *left);
    assert_non_null(left);
    assert_int_equal(count, deformable_set_facet_count(r.world->deformables));
    for (uint32_t i = 0; i < 3; i++)
        whole += deformable_set_intact_elements(r.world->deformables, r.states, i, left);
    assert_int_equal(whole, count - gone);
    base_free(left);
    void *arrays[] = {seams, corners, heads, nexts, seen};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    close_deformable_fixture(&r);
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
