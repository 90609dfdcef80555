/* Tests the shaders for the drag of cloths and ropes on fluid that passes through them or flows
 * along them against tests/ref: a permeable sheet, an impermeable one with skin friction, one with
 * neither, and a rope, all crumpled in the fluid. */
#include "deformable_pass_fixture.h"
#include "device_support.h"
#include "ref_facet_drag.h"

#define SHEET(name, corner, more)                                                                \
    "{'name': '" name "', 'area_density': 2, 'bending_stiffness': 0.02, 'stiffness': 300, " more \
    "'grid': {'corner': " corner ", 'along': [0.4, 0, 0], 'across': [0, 0.05, 0.4],"             \
    " 'spacing': 0.0501}, 'pins': [{'vertices': [0]}]}"
#define NET SHEET("net", "[0.03, 0.1, 0.02]", "'permeability': 2e-5, ")
#define FLAG SHEET("flag", "[0.04, 0.23, 0.02]", "'skin_friction': 0.7, ")
#define BOTH SHEET("both", "[0.02, 0.31, 0.05]", "'skin_friction': 0.2, 'permeability': 1e-3, ")
#define SLICK SHEET("slick", "[0.02, 0.41, 0.02]", "")

static const char text[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [2, 2, 2], 'friction': 0.2},"
    " 'solids': [{'name': 'ball', 'friction': 0.4, 'shape': {'sphere': {'radius': 0.1},"
    " 'position': [0.35, 0.03, 0.35]}}],"
    " 'ropes': [{'name': 'line', 'line_density': 2, 'diameter': 0.04, 'skin_friction': 3,"
    " 'spacing': 0.05, 'points': [[0.02, 0.2, 0.3], [0.4, 0.15, 0.2], [0.5, 0.4, 0.8]]}],"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [1, 1, 1],"
    " 'max': [1.2, 1.2, 1.2]}}}}, {'name': 'oil', 'density': 800, 'fill': {'shape': {'box': {"
    "'min': [1.3, 1, 1], 'max': [1.5, 1.2, 1.2]}}}}],"
    " 'cloths': [" NET "," FLAG "," BOTH "," SLICK "]}";

/* Crumples the deformables by noise and gives them random velocities. */
static void crumple(const deformable_fixture *y)
{
    size_t size = (size_t)deformable_set_bytes(y->world->deformables);
    struct deformable_state *states = base_alloc(1, size);
    assert_non_null(states);
    memcpy(states, deformable_set_initial_states(y->world->deformables), size);
    for (uint32_t i = 0; i < y->vertices; i++) {
        uint64_t draw = 8ull * i;
        if (states[i].position.w == 0.0f) continue;
        states[i].position.x += random_between(draw, -0.008f, 0.008f);
        states[i].position.y += random_between(draw + 2, -0.008f, 0.008f);
        states[i].velocity.x = random_between(draw + 3, -2, 2);
        states[i].velocity.z = random_between(draw + 5, -2, 2);
    }
    upload(y->world, deformable_set_buffers(y->world->deformables)->deformable_states, states,
           size);
    base_free(states);
}

typedef struct wash {
    deformable_fixture y;
    uvec4 *facets;
    ivec4 *iterates, *starts;
    vec2 *skins;
    uint32_t *counts, facet_count;
    vec4 *drags;
    double (*sums)[3]; /* kg m, per vertex */
} wash;

/* Returns the facet that drags a particle. */
static uint32_t found_by(const wash *w, uint32_t i)
{
    return w->drags[i].w < 0.0f ? DEFORMABLE_NONE : (uint32_t)w->drags[i].w;
}

static void download_wash(wash *w)
{
    deformable_fixture *y = &w->y;
    w->iterates = fixed(&y->s, y->world->buffers.iterated_positions);
    w->starts = fixed(&y->s, y->world->buffers.sorted_positions);
    w->drags = stream(&y->s, y->world->buffers.facet_drags);
}

/* Runs all passes of a substep up to the one in which facets search for fluid. */
static void seek(wash *w)
{
    deformable_fixture *y = &w->y;
    *y = (deformable_fixture){.scene = make_scene(text, NULL)};
    y->world = make_sim_sized(device, y->scene, SIMS_ROOM);
    y->vertices = deformable_set_vertex_count(y->world->deformables);
    crumple(y);
    enter(&y->s, y->world, SIMS_ROOM, "deformable_drag_find");
    read_deformable_fixture(y);
    y->s.pbf.params = &y->s.params;
    y->s.pbf.balls = y->s.balls;
    y->ref.pbf = &y->s.pbf;
    y->ref.solids = 1;
    read_displacements(y);
    gpu_buffer *facets = bound_buffer(y, "deformable_drag_find", SIM_BIND_deformable_facets);
    w->facets = read_all(y, facets);
    w->facet_count = (uint32_t)gpu_buffer_count(facets);
    w->skins =
        read_all(y, bound_buffer(y, "deformable_drag_find", SIM_BIND_facet_drag_coefficients));
    w->counts = base_alloc(y->vertices, sizeof *w->counts);
    w->sums = base_alloc(y->vertices, sizeof *w->sums);
    assert_true(w->counts && w->sums);
    run_pass(&y->s);
    download_wash(w);
}

static void free_wash(wash *w)
{
    void *arrays[] = {w->facets, w->iterates, w->starts, w->skins, w->counts, w->drags, w->sums};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    close_deformable_fixture(&w->y);
}

/* The shader finds the nearest of all facets that drag, up to rounding, and counts its
 * particles. */
static void the_nearest_facet_that_drags_is_found(void **state)
{
    wash w = {0};
    seek(&w);
    const deformable_fixture *y = &w.y;
    float d = y->s.params.spacing;
    uint32_t found = 0, by_owner[5] = {0};
    for (uint32_t i = 0; i < y->s.count; i++) {
        vec3 p = at_metres(y, &w.iterates[i]);
        float nearest = DEFORMABLE_DRAG_REACH * d;
        for (uint32_t f = 0; f < w.facet_count; f++) {
            if (w.skins[f].x == 0.0f && w.skins[f].y == 0.0f) continue;
            nearest = fminf(nearest, ref_facet_distance(&y->ref, &w.facets[f], p));
        }
        uint32_t facet = found_by(&w, i);
        float far = facet == DEFORMABLE_NONE ? DEFORMABLE_DRAG_REACH * d
                                             : ref_facet_distance(&y->ref, &w.facets[facet], p);
        assert_near("distance", (double)far, (double)nearest, 1e-4 * (double)d);
        assert_true(w.drags[i].x == 0.0f && w.drags[i].y == 0.0f && w.drags[i].z == 0.0f);
        if (facet == DEFORMABLE_NONE) continue;
        const uint32_t *v = &w.facets[facet].x;
        for (int k = 0; k < (v[2] == v[1] ? 2 : 3); k++)
            w.counts[v[k]]++;
        by_owner[y->owners[v[0]]]++;
        found++;
    }
    uint32_t *sums =
        read_all(y, bound_buffer(y, "deformable_drag_find", SIM_BIND_deformable_impulse_sums));
    for (uint32_t v = 0; v < y->vertices; v++)
        assert_int_equal(sums[v * DEFORMABLE_IMPULSE_WORDS + DEFORMABLE_IMPULSE_DRAGS],
                         w.counts[v]);
    print_message("  of %u particles %u %u %u %u %u are dragged\n", y->s.count, by_owner[0],
                  by_owner[1], by_owner[2], by_owner[3], by_owner[4]);
    assert_true(found > 100 && by_owner[3] == 0);
    assert_true(by_owner[0] > 20 && by_owner[1] > 20 && by_owner[2] > 20 && by_owner[4] > 20);
    base_free(sums);
    free_wash(&w);
}

static void drag_all(wash *w, vec3 *want, vec3 *drags)
{
    const deformable_fixture *y = &w->y;
    for (uint32_t i = 0; i < y->s.count; i++) {
        vec3 p = want[i] = at_metres(y, &w->iterates[i]);
        drags[i] = xyz(w->drags[i]);
        uint32_t found = found_by(w, i);
        if (found == DEFORMABLE_NONE) continue;
        ref_dragged_particle q = {.facet = &w->facets[found],
                                  .skin = &w->skins[found],
                                  .p = p,
                                  .moved = vec3_sub(p, at_metres(y, &w->starts[i])),
                                  .impulse = drags[i],
                                  .fluid = (uint32_t)w->starts[i].w};
        vec3 change = ref_facet_drag(&y->ref, &q, w->counts);
        const uint32_t *v = &q.facet->x;
        for (int k = 0; k < 3; k++) {
            w->sums[v[k]][0] -= (double)(q.weights[k] * change.x);
            w->sums[v[k]][1] -= (double)(q.weights[k] * change.y);
            w->sums[v[k]][2] -= (double)(q.weights[k] * change.z);
        }
        drags[i] = vec3_add(drags[i], change);
        vec3 moved = vec3_scale(change, 1.0f / y->s.params.fluids[q.fluid].mass);
        want[i] = ref_wall_project(&y->s.pbf, vec3_add(p, moved), at_metres(y, &w->starts[i]));
    }
}

/* Checks the displacements that the pass `take` computes from the impulses on the vertices. */
static void check_vertices(wash *w, uint32_t take)
{
    deformable_fixture *y = &w->y;
    run_step_passes(y->world, take, take + 1);
    vec4 *got =
        read_all(y, bound_buffer(y, "finalize_vertices", DEFORMABLE_BIND_deformable_displacements));
    for (uint32_t i = 0; i < y->vertices; i++) {
        vec4 *m = &y->ref.displacements[i];
        m->x += m->w * (float)w->sums[i][0];
        m->y += m->w * (float)w->sums[i][1];
        m->z += m->w * (float)w->sums[i][2];
        assert_vec3_near("displacement", i, got[i], xyz(*m), 1e-4f * y->s.params.spacing);
    }
    memset(w->sums, 0, y->vertices * sizeof *w->sums);
    base_free(got);
}

/* Runs two sweeps: the second continues from the impulses of the first. */
static void fluid_and_facets_drag_each_other(void **state)
{
    wash w = {0};
    seek(&w);
    deformable_fixture *y = &w.y;
    vec3 *want = base_alloc(y->s.count, sizeof *want),
         *drags = base_alloc(y->s.count, sizeof *drags);
    assert_true(want && drags);
    uint32_t pass = step_pass(y->world, "deformable_drag_apply");
    double most = 0.0, unit = 0.0;
    for (uint32_t i = 0; i < y->s.count; i++)
        for (int k = 0; w.drags[i].w >= 0.0f && k < 3; k++) {
            const uint32_t *v = &w.facets[found_by(&w, i)].x;
            if (k < 2 || v[2] != v[1]) w.counts[v[k]]++;
        }
    for (int sweep = 0; sweep < 2; sweep++) {
        drag_all(&w, want, drags);
        run_step_passes(y->world, pass, pass + 1);
        void *old[] = {w.iterates, w.starts, w.drags};
        download_wash(&w);
        unit = (double)y->s.params.fluids[0].mass * (double)y->s.params.spacing;
        for (uint32_t i = 0; i < y->s.count; i++) {
            if (w.drags[i].w < 0.0f) continue;
            most = fmax(most, (double)vec3_length(drags[i]));
            assert_vec3_near("impulse", i, w.drags[i], drags[i], (float)(1e-4 * unit));
            assert_vec3_near("position", i, ref_metres(&y->s.params, w.iterates[i]), want[i],
                             1e-3f * y->s.params.spacing);
        }
        for (size_t i = 0; i < BASE_COUNT(old); i++)
            base_free(old[i]);
        check_vertices(&w, pass + 1);
    }
    print_message("  the most that one is dragged: %.3g of its mass times a spacing\n",
                  most / unit);
    assert_true(most > 0.05 * unit);
    base_free(want);
    base_free(drags);
    free_wash(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_facet_that_drags_is_found),
        cmocka_unit_test(fluid_and_facets_drag_each_other),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
