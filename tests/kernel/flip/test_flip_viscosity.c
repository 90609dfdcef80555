/* Tests the implicit viscosity of FLIP and APIC against the reference and against theory. */
#include "flip_support.h"
#include "ref_flip_viscous.h"
#include "ref_walls.h"
#include "scene_text.h"
#include "two_worlds.h"

#define FRAME_S (1.0 / 120.0)
#define MANY 1500u

static int open_worlds(void **state)
{
    return open_two_worlds(scene_text("flip_viscosity_room"), scene_text("flip_viscosity_plane"));
}

/* Assigns every third particle to the second fluid, if there is one. */
static void mix_fluids(sim_world *world)
{
    if (world->scene->fluid_count < 2) return;
    ivec4 *x = download(world, world->buffers.positions, MANY, sizeof *x);
    for (uint32_t i = 0; i < MANY; i += 3)
        x[i].w = 1;
    upload(world, world->buffers.positions, x, MANY * sizeof *x);
    base_free(x);
}

/* Reports whether a solid holds a face: it covers the face or, where fluid sticks to it, comes near
 * the face's centre. */
static bool is_held(const stage *s, const int at[3], int axis)
{
    double open = ref_flip_open(&s->flip, at, 2 * axis);
    double near_by = (double)SIM_VISCOUS_FIXED_DISTANCE * (double)s->params.cell_size.x;
    if (open <= 0.0 || open >= 1.0) return open <= 0.0;
    return s->world->scene->solids[0].no_slip &&
           ref_flip_wall_distance(&s->flip, at, 2 * axis) < near_by;
}

/* Checks the kind of each cell, and the velocities of faces that walls hold. */
static void check_find(stage *s, const uint32_t *kinds, const vec4 *velocities)
{
    uint32_t fluid = 0, held = 0, cut = 0, slips = 0;
    vec4 *faces = spread(s, s->world->buffers.face_velocities, sizeof *faces);
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        if (!cell_at(s, i, at)) continue;
        size_t cell = ref_flip_index(&s->flip, at);
        double level = float_of(s->flip.cells[cell].w);
        assert_int_equal(!!(kinds[cell] & SIM_VISCOUS_FLUID), level < 0.0);
        assert_int_equal(!!(kinds[cell] & SIM_VISCOUS_CLOSED), level >= (double)POISSON_CLOSED);
        fluid += level < 0.0;
        slips += !!(kinds[cell] & SIM_VISCOUS_SLIP);
        for (int axis = 0; axis < 3; axis++) {
            bool fixed = is_held(s, at, axis);
            double wanted = fixed ? ref_flip_wall(&s->flip, at, 2 * axis)
                                  : (double)ref_axis_component(faces[cell], axis);
            assert_int_equal(!!(kinds[cell] & SIM_VISCOUS_FIXED_X << axis), fixed);
            near("velocity", at, (double)ref_axis_component(velocities[cell], axis), wanted, 2e-5);
            held += fixed;
            cut += fixed && ref_flip_open(&s->flip, at, 2 * axis) > 0.0;
        }
    }
    assert_true(fluid > 50 && held > 50);
    assert_int_equal(slips > 0, s->params.planar);
    assert_int_equal(cut > 0, !s->params.planar);
    base_free(faces);
}

/* Checks that the viscosity of a cell is between those of its fluids, and that both kinds of cells
 * occur. */
static void check_mix(const stage *s, const uint32_t *kinds)
{
    double least = INFINITY, most = 0.0;
    for (size_t i = 0; i < s->cell_count; i++) {
        double nu = float_of(kinds[i] & ~SIM_VISCOUS_FLAGS_MASK);
        if (!(kinds[i] & SIM_VISCOUS_FLUID)) continue;
        least = fmin(least, nu), most = fmax(most, nu);
    }
    print_message("  viscosities of cells: %g to %g m2/s\n", least, most);
    if (s->params.planar) {
        assert_true(fabs(least - 0.05) <= 1e-5 && fabs(most - 0.05) <= 1e-5);
    } else {
        assert_true(least >= 0.0999 && least < 0.25 && most > 0.4 && most <= 1.0001);
    }
}

static void check_begin(stage *s, const ref_flip_viscous *v)
{
    run_named(s, "flip_viscous_residual");
    vec4 *residuals = download(s->world, s->world->buffers.viscous_residuals, sparse_count(s), 16);
    uint32_t moved = 0;
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        double diagonal = 0.0;
        if (!cell_at(s, i, at)) { /* outside the domain */
            const vec4 *r = &residuals[i];
            assert_true(r->x == 0.0f && r->y == 0.0f && r->z == 0.0f && r->w == 0.0f);
            continue;
        }
        for (int axis = 0; axis < (s->params.planar ? 2 : 3); axis++) {
            ref_flip_face face = ref_flip_viscous_face(v, at, axis);
            diagonal = fmax(diagonal, face.mass + face.own);
            near("residual", at, (double)ref_axis_component(residuals[i], axis), -face.taken,
                 1e-4 * fmax(1.0, fabs(face.taken)));
            moved += face.taken != 0.0;
        }
        near("inverse of the diagonal", at, (double)residuals[i].w,
             diagonal > 0.0 ? 1.0 / diagonal : 0.0, 1e-4);
    }
    assert_true(moved > 50);
    base_free(residuals);
}

/* Multiplies the matrix by a random vector that is 0 on faces in air or held by walls. */
static void check_multiply(stage *s, ref_flip_viscous *v)
{
    size_t count = sparse_count(s);
    vec4 *own = base_alloc(count + 1, sizeof *own);
    assert_non_null(own);
    for (size_t i = 0; i < count; i++) {
        int at[3];
        float *const xyz[3] = {&own[i].x, &own[i].y, &own[i].z};
        own[i].w = 0.5f;
        if (!cell_at(s, i, at)) continue;
        for (int axis = 0; axis < (s->params.planar ? 2 : 3); axis++)
            if (ref_flip_viscous_face(v, at, axis).mass > 0.0)
                *xyz[axis] = base_hash_to_unit(3 * i + (size_t)axis) - 0.5f;
    }
    upload(s->world, s->world->buffers.viscous_residuals, own, count * sizeof *own);
    run_named(s, "flip_viscous_matvec");
    vec4 *products = download(s->world, s->world->buffers.residual_products, count, 16);
    vec4 *dense = spread(s, s->world->buffers.viscous_residuals, 16);
    for (size_t i = 0; i < s->cell_count; i++)
        dense[i].x *= 0.5f, dense[i].y *= 0.5f, dense[i].z *= 0.5f;
    v->velocities = dense;
    for (size_t i = 0; i < count; i++) {
        int at[3];
        if (!cell_at(s, i, at)) continue;
        for (int axis = 0; axis < (s->params.planar ? 2 : 3); axis++) {
            ref_flip_face face = ref_flip_viscous_face(v, at, axis);
            double wanted = face.mass * 0.5 * (double)ref_axis_component(own[i], axis) + face.taken;
            near("product", at, (double)ref_axis_component(products[i], axis), wanted,
                 1e-4 * fmax(1.0, face.own));
        }
    }
    base_free(own);
    base_free(products);
    base_free(dense);
}

static void every_pass_matches_its_reference(void **state)
{
    for (int w = 0; w < WORLDS; w++) {
        stage s;
        place(worlds[w], MANY);
        mix_fluids(worlds[w]);
        enter_gather(&s, worlds[w], FRAME_S);
        uint32_t find = step_pass(worlds[w], "flip_viscous_classify_cells");
        run_step_passes(worlds[w], step_pass(worlds[w], "flip_p2g"), find + 2);
        uvec4 *cells =
            spread(&s, poisson_get_buffers(worlds[w]->pressure_grid)->cells, sizeof *cells);
        uint32_t *kinds = spread(&s, worlds[w]->buffers.viscous_cells, sizeof *kinds);
        vec4 *velocities = spread(&s, worlds[w]->buffers.viscous_velocities, sizeof *velocities);
        s.flip.cells = cells;
        check_find(&s, kinds, velocities);
        check_mix(&s, kinds);
        vec4 *inverse_densities = NULL;
        if (worlds[w]->scene->fluid_count > 1)
            inverse_densities =
                spread(&s, poisson_get_buffers(worlds[w]->pressure_grid)->face_coefficients, 16);
        ref_flip_viscous v = {&s.flip, kinds, velocities, inverse_densities};
        check_begin(&s, &v);
        check_multiply(&s, &v);
        leave(&s);
        base_free(cells);
        base_free(kinds);
        base_free(velocities);
        base_free(inverse_densities);
    }
}

/* Runs a whole frame with validation. */
static void a_frame_runs_under_validation(void **state)
{
    place(worlds[ROOM], MANY);
    run_frames(worlds[ROOM], 1);
    assert_true(worlds[ROOM]->last_result.status.frame_viscous_iterations > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pass_matches_its_reference),
        cmocka_unit_test(a_frame_runs_under_validation),
    };
    return cmocka_run_group_tests(tests, open_worlds, close_worlds);
}
