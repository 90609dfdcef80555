/* Tests the cloth and rope shaders against tests/ref: a sheet crumpled over a rotating ball to
 * which it is pinned, a rope on the floor, and one simulated by position-based dynamics. */
#include "deformable_pass_fixture.h"
#include "device_support.h"
#include "scene_text.h"

#define SHEET_VERTICES 169u
#define SUNK 0.02f /* m */

/* Crumples the deformables by noise and gives them random velocities; the sheet overlaps the ball,
 * which no scene may specify. */
static void crumple(const deformable_fixture *y)
{
    struct deformable_state *states = base_alloc(y->vertices, sizeof *states);
    assert_non_null(states);
    memcpy(states, deformable_set_initial_states(y->world->deformables),
           y->vertices * sizeof *states);
    for (uint32_t i = 0; i < y->vertices; i++) {
        uint64_t draw = 8ull * i;
        vec4 *x = &states[i].position, *v = &states[i].velocity;
        if (x->w == 0.0f) continue;
        x->x += random_between(draw, -0.008f, 0.008f),
            x->z += random_between(draw + 1, -0.008f, 0.008f);
        x->y += random_between(draw + 2, -0.008f, 0.008f) - (i < SHEET_VERTICES ? SUNK : 0.0f);
        v->x = random_between(draw + 3, -2, 2), v->y = random_between(draw + 4, -4, 2);
        v->z = i == 30 ? 900.0f : random_between(draw + 5, -2, 2);
    }
    upload(y->world, deformable_set_buffers(y->world->deformables)->deformable_states, states,
           y->vertices * sizeof *states);
    base_free(states);
}

/* Runs all passes of a substep before the one with this name. */
static deformable_fixture unwind_with(uint32_t particles, const char *constraints, const char *pass)
{
    const char *const overrides[] = {constraints, NULL};
    deformable_fixture y = {.scene = make_scene(scene_text("deformables"), overrides)};
    y.world = make_sim_sized(device, y.scene, SIMS_ROOM);
    y.vertices = deformable_set_vertex_count(y.world->deformables);
    crumple(&y);
    enter(&y.s, y.world, particles, pass);
    read_deformable_fixture(&y);
    y.ref.pbf = &y.s.pbf;
    y.ref.solids = 1;
    return y;
}

static deformable_fixture open_deformable_fixture(const char *constraints, const char *pass)
{
    return unwind_with(1, constraints, pass);
}

/* Sets the pointers of `ref` to the arrays of this copy. */
static void read_moving(deformable_fixture *y)
{
    y->s.pbf.params = &y->s.params;
    y->s.pbf.balls = y->s.balls;
    y->ref.pbf = &y->s.pbf;
    read_displacements(y);
}

static void assert_moves(const deformable_fixture *y, const vec4 *want, float tolerance)
{
    vec4 *got =
        read_all(y, bound_buffer(y, "finalize_vertices", DEFORMABLE_BIND_deformable_displacements));
    for (uint32_t i = 0; i < y->vertices; i++) {
        assert_vec3_near("displacement", i, got[i], xyz(want[i]), tolerance * y->s.params.spacing);
        assert_near("inverse mass", (double)got[i].w, (double)want[i].w, 0.0);
    }
    base_free(got);
}

static void vertices_drift_and_pins_follow_their_solid(void **state)
{
    deformable_fixture y = open_deformable_fixture(GAUSS_SEIDEL, "predict_vertices");
    read_moving(&y);
    for (uint32_t i = 0; i < y.vertices; i++)
        y.ref.displacements[i] = ref_deformable_predict(&y.ref, i);
    run_pass(&y.s);
    assert_moves(&y, y.ref.displacements, POSITION_TOLERANCE);
    struct deformable_pin *pins =
        read_all(&y, bound_buffer(&y, "apply_pins", DEFORMABLE_BIND_deformable_pins));
    assert_int_equal(
        gpu_buffer_count(bound_buffer(&y, "apply_pins", DEFORMABLE_BIND_deformable_pins)), 2);
    for (uint32_t i = 0; i < 2; i++)
        y.ref.displacements[pins[i].vertex] = ref_deformable_apply_pin(&y.ref, &pins[i]);
    assert_true(vec3_length(xyz(y.ref.displacements[0])) > 1e-3f);
    assert_near("held by the world", (double)y.ref.displacements[168].w, 0.0, 0.0);
    uint32_t pass = step_pass(y.world, "apply_pins");
    run_step_passes(y.world, pass, pass + 1);
    assert_moves(&y, y.ref.displacements, POSITION_TOLERANCE);
    base_free(pins);
    close_deformable_fixture(&y);
}

static void what_differs_from_rigid_motion_is_damped(void **state)
{
    deformable_fixture y = open_deformable_fixture(GAUSS_SEIDEL, "damp_nonrigid");
    read_moving(&y);
    vec4 before = y.ref.displacements[17];
    for (uint32_t i = 0; i < 2; i++)
        ref_deformable_damp(&y.ref, i);
    assert_true(vec3_length(vec3_sub(xyz(y.ref.displacements[17]), xyz(before))) > 1e-4f);
    run_pass(&y.s);
    assert_moves(&y, y.ref.displacements, POSITION_TOLERANCE);
    close_deformable_fixture(&y);
}

static void bonds_pull_colour_by_colour(void **state)
{
    deformable_fixture y = open_deformable_fixture(GAUSS_SEIDEL, "solve_gauss_seidel");
    read_moving(&y);
    uint32_t last = y.s.pass;
    while (strcmp(gpu_pipeline_name(y.world->passes[last].pipeline), "solve_gauss_seidel") == 0)
        last++;
    for (int sweep = 0; sweep < 2; sweep++) { /* the second sweep has multipliers */
        for (uint32_t i = 0; i < y.bond_count; i++)
            ref_deformable_gauss_seidel(&y.ref, i);
        run_step_passes(y.world, y.s.pass, last);
    }
    assert_moves(&y, y.ref.displacements, 4 * POSITION_TOLERANCE);
    vec4 *got = read_all(
        &y, bound_buffer(&y, "solve_gauss_seidel", DEFORMABLE_BIND_constraint_multipliers));
    double most = 0.0;
    for (uint32_t i = 0; i < y.bond_count; i++)
        most = fmax(most, (double)vec3_length(xyz(y.ref.multipliers[i])));
    assert_true(most > 0.0);
    for (uint32_t i = 0; i < y.bond_count; i++)
        assert_vec3_near("multiplier", i, got[i], xyz(y.ref.multipliers[i]), (float)most * 1e-4f);
    base_free(got);
    close_deformable_fixture(&y);
}

static void no_two_bonds_of_a_colour_share_a_vertex(void **state)
{
    deformable_fixture y = open_deformable_fixture(GAUSS_SEIDEL, "solve_gauss_seidel");
    uint32_t *colours =
        read_all(&y, bound_buffer(&y, "solve_gauss_seidel", DEFORMABLE_BIND_constraint_colours));
    uint32_t *seen = base_alloc(y.vertices, sizeof *seen), sum = 0;
    assert_non_null(seen);
    for (uint32_t c = 0; c < 64; c++) {
        for (uint32_t i = colours[2 * c]; i < colours[2 * c] + colours[2 * c + 1]; i++) {
            const uint32_t *v = &y.constraints[i].vertices.x;
            for (uint32_t k = 0; k < DEFORMABLE_MAX_VERTICES; k++) {
                if (v[k] == DEFORMABLE_NONE) continue;
                assert_true(seen[v[k]] <= c);
                seen[v[k]] = c + 1;
            }
        }
        sum += colours[2 * c + 1];
    }
    assert_int_equal(sum, y.bond_count);
    base_free(colours);
    base_free(seen);
    close_deformable_fixture(&y);
}

static void bonds_push_all_at_once(void **state)
{
    deformable_fixture y = open_deformable_fixture(JACOBI, "solve_jacobi");
    read_moving(&y);
    vec4 *pushes = base_alloc(y.bond_count, sizeof *pushes);
    vec4 *displacements = base_alloc(y.vertices, sizeof *displacements);
    assert_true(pushes && displacements);
    for (int sweep = 0; sweep < 2; sweep++) {
        for (uint32_t i = 0; i < y.bond_count; i++)
            pushes[i] = ref_deformable_jacobi(&y.ref, i);
        for (uint32_t i = 0; i < y.vertices; i++)
            displacements[i] = ref_deformable_apply_jacobi(&y.ref, pushes, i);
        memcpy(y.ref.displacements, displacements, y.vertices * sizeof *displacements);
        run_step_passes(y.world, y.s.pass, y.s.pass + 2);
    }
    assert_moves(&y, y.ref.displacements, 2 * POSITION_TOLERANCE);
    base_free(pushes);
    base_free(displacements);
    close_deformable_fixture(&y);
}

static void vertices_stay_out_of_solids_and_sides(void **state)
{
    deformable_fixture y = open_deformable_fixture(JACOBI, "solve_boundary_contacts");
    read_moving(&y);
    uint32_t pushed = 0;
    for (uint32_t i = 0; i < y.vertices; i++) {
        vec4 before = y.ref.displacements[i];
        y.ref.displacements[i] = ref_deformable_boundary_contact(&y.ref, y.owners[i], i);
        pushed += vec3_length(vec3_sub(xyz(y.ref.displacements[i]), xyz(before))) > 1e-4f;
    }
    print_message("  %u of %u vertices meet walls\n", pushed, y.vertices);
    assert_true(pushed > 20);
    run_pass(&y.s);
    assert_moves(&y, y.ref.displacements, 10 * POSITION_TOLERANCE);
    close_deformable_fixture(&y);
}

static void displacements_become_velocities(void **state)
{
    deformable_fixture y = open_deformable_fixture(JACOBI, "finalize_vertices");
    gpu_buffer *buffer =
        bound_buffer(&y, "finalize_vertices", DEFORMABLE_BIND_deformable_displacements);
    const vec4 lost = {0.01f, NAN, 0.0f, 1.0f};
    OK(gpu_buffer_upload(device, buffer, 40 * sizeof lost, &lost, sizeof lost));
    read_moving(&y);
    run_pass(&y.s);
    struct deformable_state *got =
        read_all(&y, deformable_set_buffers(y.world->deformables)->deformable_states);
    for (uint32_t i = 0; i < y.vertices; i++) {
        struct deformable_state want = ref_deformable_finalize(&y.ref, i);
        float d = y.s.params.spacing;
        assert_vec3_near("position", i, got[i].position, xyz(want.position),
                         POSITION_TOLERANCE * d);
        assert_vec3_near("velocity", i, got[i].velocity, xyz(want.velocity),
                         POSITION_TOLERANCE * d / y.s.status.dt);
        assert_near("lost", (double)got[i].velocity.w, i == 40 ? 1.0 : 0.0, 0.0);
        assert_near("inverse mass", (double)got[i].position.w, (double)want.position.w, 0.0);
    }
    base_free(got);
    close_deformable_fixture(&y);
}

/* ---- fluid ---------------------------------------------------------------------------------- */

typedef struct shower {
    ivec4 *iterates, *starts;
    uvec4 *facets;
    uint32_t *contacts, *counts, facet_count;
    double (*sums)[3]; /* kg m, per vertex */
} shower;

static ref_facet_contact meet(const deformable_fixture *y, const shower *w, uint32_t particle,
                              uint32_t facet)
{
    return ref_facet_find_contact(&y->ref, &w->facets[facet], at_metres(y, &w->iterates[particle]),
                                  at_metres(y, &w->starts[particle]));
}

/* Finds the deepest of all contacts, which the shader finds up to rounding. */
static uint32_t check_contacts(const deformable_fixture *y, shower *w)
{
    uint32_t found = 0;
    float d = y->s.params.spacing;
    for (uint32_t i = 0; i < y->s.count; i++) {
        float deepest = 0.0f;
        for (uint32_t f = 0; f < w->facet_count; f++) {
            ref_facet_contact met = meet(y, w, i, f);
            float radius;
            memcpy(&radius, &w->facets[f].w, sizeof radius);
            if (met.depth <= DEFORMABLE_FACET_REACH * d + radius)
                deepest = fmaxf(deepest, met.depth);
        }
        uint32_t facet = w->contacts[i];
        float depth = facet == DEFORMABLE_NONE ? 0.0f : meet(y, w, i, facet).depth;
        assert_near("depth", (double)depth, (double)deepest, 1e-4 * (double)d);
        if (facet == DEFORMABLE_NONE) continue;
        const uint32_t *v = &w->facets[facet].x;
        for (int k = 0; k < (v[2] == v[1] ? 2 : 3); k++)
            w->counts[v[k]]++;
        found++;
    }
    return found;
}

static void press_all(const deformable_fixture *y, shower *w, vec3 *want)
{
    for (uint32_t i = 0; i < y->s.count; i++) {
        want[i] = at_metres(y, &w->iterates[i]);
        if (w->contacts[i] == DEFORMABLE_NONE) continue;
        const uvec4 *facet = &w->facets[w->contacts[i]];
        ref_facet_contact met = meet(y, w, i, w->contacts[i]);
        float mass = y->s.params.fluids[w->starts[i].w].mass;
        vec3 moved = ref_facet_solve_contact(&y->ref, facet, &met, w->counts, mass);
        const uint32_t *v = &facet->x;
        for (int k = 0; k < 3; k++) {
            double share = -(double)mass * (double)met.weights[k];
            w->sums[v[k]][0] += share * (double)moved.x;
            w->sums[v[k]][1] += share * (double)moved.y;
            w->sums[v[k]][2] += share * (double)moved.z;
        }
        want[i] =
            ref_wall_project(&y->s.pbf, vec3_add(want[i], moved), at_metres(y, &w->starts[i]));
    }
}

static void fluid_and_facets_push_each_other(void **state)
{
    deformable_fixture y = unwind_with(SIMS_ROOM, GAUSS_SEIDEL, "deformable_contact_find");
    shower w = {.iterates = fixed(&y.s, y.world->buffers.iterated_positions),
                .starts = fixed(&y.s, y.world->buffers.sorted_positions)};
    read_moving(&y);
    gpu_buffer *facets = bound_buffer(&y, "deformable_contact_find", SIM_BIND_deformable_facets);
    w.facets = read_all(&y, facets);
    w.facet_count = (uint32_t)gpu_buffer_count(facets);
    w.counts = base_alloc(y.vertices, sizeof *w.counts);
    w.sums = base_alloc(y.vertices, sizeof *w.sums);
    vec3 *want = base_alloc(y.s.count, sizeof *want);
    assert_true(w.counts && w.sums && want);
    run_pass(&y.s);
    w.contacts = download(y.world, y.world->buffers.facet_contacts, y.s.count, 4);
    uint32_t found = check_contacts(&y, &w);
    print_message("  %u of %u particles meet facets\n", found, y.s.count);
    assert_true(found > 50);
    uint32_t press = step_pass(y.world, "deformable_contact_solve");
    press_all(&y, &w, want);
    run_step_passes(y.world, press, press + 1);
    ivec4 *got = fixed(&y.s, y.world->buffers.iterated_positions);
    for (uint32_t i = 0; i < y.s.count; i++)
        if (w.contacts[i] != DEFORMABLE_NONE)
            assert_vec3_near("position", i, ref_metres(&y.s.params, got[i]), want[i],
                             1e-3f * y.s.params.spacing);
    for (uint32_t i = 0; i < y.vertices; i++) {
        vec4 *m = &y.ref.displacements[i];
        m->x += m->w * (float)w.sums[i][0];
        m->y += m->w * (float)w.sums[i][1];
        m->z += m->w * (float)w.sums[i][2];
    }
    run_step_passes(y.world, press + 1, press + 2); /* the pass that applies the impulses */
    assert_moves(&y, y.ref.displacements, 2e-3f);
    void *arrays[] = {w.iterates, w.starts, w.facets, w.contacts, w.counts, w.sums, want, got};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    close_deformable_fixture(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_drift_and_pins_follow_their_solid),
        cmocka_unit_test(what_differs_from_rigid_motion_is_damped),
        cmocka_unit_test(bonds_pull_colour_by_colour),
        cmocka_unit_test(no_two_bonds_of_a_colour_share_a_vertex),
        cmocka_unit_test(bonds_push_all_at_once),
        cmocka_unit_test(vertices_stay_out_of_solids_and_sides),
        cmocka_unit_test(displacements_become_velocities),
        cmocka_unit_test(fluid_and_facets_push_each_other),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
