/* Tests FLIP and APIC: their shaders against the reference, and the quantities that the transfers
 * conserve. */
#include "flip_packed.h"
#include "ref_cells.h"
#include "ref_flip_air.h"
#include "ref_flip_contact.h"
#include "ref_walls.h"
#include "two_worlds.h"

#define FRAME_S (1.0 / 120.0)
#define MANY 1500u

static const char room[] =
    "{'spacing': 0.05, 'domain': {'min': [-0.6, 0, -0.4], 'max': [0.62, 0.9, 0.17],"
    " 'friction': 0.1,"
    " 'sides': {'x': 'periodic', 'y': ['closed', 'open'], 'z': ['open', 'closed']}},"
    " 'solver': {'method': 'apic', 'substeps': 1, 'solid_forces': true}, 'fluids': [{'name': "
    "'water', 'fill': {'shape': {"
    "'box': {'min': [0.3, 0, -0.1], 'max': [0.5, 0.2, 0.1]}}}}],"
    " 'forces': [{'centre': [0, 1, 0], 'strength': 3}, {'type': 'vortex', 'axis': [0, 1, 1],"
    " 'strength': 20, 'inside': {'centre': [0.3, 0.1, 0], 'radius': 0.13}}],"
    " 'solids': [{'name': 'ball', 'shape': {'sphere': {'radius': 0.2}, 'position': [-0.2, 0.3, "
    "-0.1]},"
    " 'friction': 0.3, 'motion': {'oscillation': {'amplitude': [0.1, 0, 0], 'frequency': 2}}}],"
    " 'gauges': [{'name': 'floor', 'pressure': {'position': [-0.4, 0, -0.3]}},"
    " {'name': 'wide', 'pressure': {'position': [-0.59, 0.2, 0.1], 'radius': 0.3}},"
    " {'name': 'push', 'force': {'solid': 'ball'}}]}";

static const char plane[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, -0.3], 'max': [2, 2, 0.1]},"
    " 'solver': {'dimensions': 2, 'method': 'flip', 'pic_fraction': 0.3, 'substeps': 1},"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0, -1], 'max': [0.5, 0.5, "
    "1]"
    "}}}}], 'solids': [{'name': 'post', 'shape': {'sphere': {'radius': 0.2}, 'position': [0.5, "
    "0.5, "
    "-0.1]}}]}";

static int open_worlds(void **state)
{
    (void)state;
    return open_two_worlds(room, plane);
}

/* ---- P2G ------------------------------------------------------------------------------------ */

/* Checks that every cell that a particle can reach in the substep is active. */
static void check_marks(const stage *s)
{
    bool *active = base_alloc(s->cell_count, sizeof *active);
    assert_non_null(active);
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        if (cell_at(s, i, at)) active[ref_flip_index(&s->flip, at)] = true;
    }
    for (uint32_t i = 0; i < s->flip.count; i++)
        for (int k = 0; k < 27; k++) {
            const double *x = s->movers[i].x;
            const int offset = (int)SIM_MAC_REACH, way[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
            const int at[3] = {(int)floor(x[0]) + offset * way[0],
                               (int)floor(x[1]) + offset * way[1],
                               (int)floor(x[2]) + offset * way[2]};
            if (!active[ref_flip_index(&s->flip, at)])
                fail_msg("cell (%d %d %d) about particle %u at (%g %g %g) is not active", at[0],
                         at[1], at[2], i, x[0], x[1], x[2]);
        }
    base_free(active);
}

static double force_at(const stage *s, const int at[3], int axis)
{
    const struct sim_params *p = &s->params;
    vec3 where = {p->domain_min.x + ((float)at[0] + 0.5f) * p->cell_size.x,
                  p->domain_min.y + ((float)at[1] + 0.5f) * p->cell_size.y,
                  p->domain_min.z + ((float)at[2] + 0.5f) * p->cell_size.z};
    if (axis == 0) where.x -= 0.5f * p->cell_size.x;
    if (axis == 1) where.y -= 0.5f * p->cell_size.y;
    if (axis == 2) where.z -= 0.5f * p->cell_size.z;
    return (double)s->status.dt * (double)ref_axis(ref_acceleration(p, where), (uint32_t)axis);
}

static void check_gather(stage *s)
{
    run_named(s, "flip_p2g");
    vec4 *faces =
        download(s->world, s->world->buffers.face_velocities, sparse_count(s), sizeof *faces);
    vec4 *masses = download(s->world, s->world->buffers.face_masses, sparse_count(s), 16);
    float *fill_fractions =
        download(s->world, s->world->buffers.fill_fractions, sparse_count(s), 4);
    uint32_t seen = 0, unseen = 0;
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        if (!cell_at(s, i, at)) continue;
        ref_gathered wanted = ref_flip_gather(&s->flip, at);
        near("fill fraction", at, (double)fill_fractions[i], wanted.fill_fraction, 1e-5);
        for (int axis = 0; axis < (s->params.planar ? 2 : 3); axis++) {
            bool known = (uint32_t)faces[i].w >> axis & 1u;
            near("mass", at, (double)ref_axis_component(masses[i], axis),
                 wanted.weight[axis] / (double)s->params.cell_size.w, 1e-5);
            if (wanted.weight[axis] > 1.01 * (double)SIM_MAC_MIN_WEIGHT) {
                double velocity = wanted.velocity[axis] + force_at(s, at, axis);
                assert_true(known);
                near("velocity", at, (double)ref_axis_component(faces[i], axis), velocity, 2e-5);
                seen++;
            } else if (wanted.weight[axis] < 0.99 * (double)SIM_MAC_MIN_WEIGHT) {
                assert_false(known);
                unseen++;
            }
        }
    }
    assert_true(s->flip.count < MANY || (seen > 400 && unseen > 20));
    base_free(faces);
    base_free(masses);
    base_free(fill_fractions);
}

/* Returns the level set from the fill fraction of a cell; negative in a wall next to fluid. */
static double expected_level(const stage *s, const uvec4 *cells, const float *fill_fractions,
                             const int at[3])
{
    size_t own = ref_flip_index(&s->flip, at);
    const uint32_t shares[3] = {cells[own].x, cells[own].y, cells[own].z};
    double share = float_of(cells[own].w), filled = (double)fill_fractions[own] / fmax(share, 0.5);
    double level = ref_cell_level(fmin(filled, 1.0), filled > 0.5);
    if (!(shares[0] | shares[1] | shares[2])) return (double)POISSON_CLOSED;
    if (share >= 0.5 || level < 0.0) return level;
    for (int side = 0; side < 6; side++) {
        int to[3] = {at[0], at[1], at[2]}, axis = side / 2;
        const float periods[3] = {s->params.period.x, s->params.period.y, s->params.period.z};
        to[axis] += side % 2 ? 1 : -1;
        bool inside = periods[axis] > 0 || (to[axis] >= 0 && to[axis] < (int)s->flip.n[axis]);
        bool open = side % 2 ? shares[axis] >> 16 : shares[axis] & 0xffffu;
        if (inside && open && fill_fractions[ref_flip_index(&s->flip, to)] > 0.5f) level = -0.5;
    }
    return level;
}

/* Compares the level set; cells without a block have none in the reference either. */
static void check_surface(stage *s)
{
    uvec4 *before = spread(s, poisson_cells(s->world->pressure_grid), sizeof *before);
    float *fill_fractions = spread(s, s->world->buffers.fill_fractions, 4);
    run_named(s, "flip_level_set");
    uvec4 *cells =
        download(s->world, poisson_cells(s->world->pressure_grid), sparse_count(s), sizeof *cells);
    uint32_t fluid = 0, walls = 0;
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        if (!cell_at(s, i, at)) continue;
        double wanted = expected_level(s, before, fill_fractions, at);
        near("level", at, float_of(cells[i].w), wanted, 1e-3);
        fluid += wanted < 0.0;
        walls += wanted == -0.5;
    }
    assert_true(s->flip.count < MANY || (fluid > 50 && (s->params.planar || walls > 0)));
    base_free(before);
    base_free(fill_fractions);
    base_free(cells);
}

/* ---- pressure ------------------------------------------------------------------------------- */

static void check_source(stage *s)
{
    uvec4 *cells = spread(s, poisson_cells(s->world->pressure_grid), sizeof *cells);
    vec4 *faces = spread(s, s->world->buffers.face_velocities, sizeof *faces);
    s->flip.cells = cells;
    s->flip.faces = faces;
    run_named(s, "flip_divergence");
    float *sources = download(s->world, poisson_rhs(s->world->pressure_grid), sparse_count(s), 4);
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        if (!cell_at(s, i, at)) continue;
        bool fluid = float_of(cells[ref_flip_index(&s->flip, at)].w) < 0.0;
        near("source", at, (double)sources[i], fluid ? ref_flip_source(&s->flip, at) : 0.0, 2e-6);
    }
    base_free(cells);
    base_free(faces);
    base_free(sources);
}

/* Reports whether fluid touches the face. */
static bool is_known(const stage *s, const int at[3], int axis)
{
    int under[3] = {at[0], at[1], at[2]};
    under[axis]--;
    bool fluid = float_of(s->flip.cells[ref_flip_index(&s->flip, at)].w) < 0.0;
    bool inside = under[axis] >= 0 || (axis == 0 && s->params.period.x > 0.0f);
    return fluid || (inside && float_of(s->flip.cells[ref_flip_index(&s->flip, under)].w) < 0.0);
}

/* Checks the projection with random slopes and pressures. */
static void check_project(stage *s)
{
    size_t count = sparse_count(s);
    uvec4 *cells = spread(s, poisson_cells(s->world->pressure_grid), sizeof *cells);
    vec4 *before = download(s->world, s->world->buffers.face_velocities, count, sizeof *before);
    vec4 *slopes = base_alloc(count + 1, sizeof *slopes);
    float *pressures = base_alloc(count + 1, sizeof *pressures);
    assert_true(slopes && pressures);
    s->flip.cells = cells;
    for (size_t i = 0; i < count; i++) {
        /* small pressures in some blocks: the fluid falls */
        float size = i / 2048 % 2 ? 0.01f : 1.0f;
        int at[3];
        slopes[i] = (vec4){size * base_hash_to_unit(5 * i), size * base_hash_to_unit(5 * i + 1),
                           size * base_hash_to_unit(5 * i + 2), 0.0f};
        for (int axis = 0; axis < 3 && cell_at(s, i, at); axis++)
            slopes[i].w += is_known(s, at, axis) ? (float)(1 << axis) : 0.0f;
    }
    for (size_t i = 0; i < count; i++)
        pressures[i] = 0.05f * base_hash_to_unit(i) - 0.01f;
    upload(s->world, s->world->buffers.pressure_gradients, slopes, count * sizeof *slopes);
    upload(s->world, poisson_solutions(s->world->pressure_grid), pressures,
           count * sizeof *pressures);
    run_named(s, "flip_subtract_gradient");
    vec4 *faces = download(s->world, s->world->buffers.face_velocities, count, sizeof *faces);
    vec4 *changes =
        download(s->world, s->world->buffers.face_velocity_changes, count, sizeof *changes);
    uint32_t walls = 0;
    for (size_t i = 0; i < count; i++) {
        int at[3];
        if (!cell_at(s, i, at)) continue;
        assert_true(faces[i].w == slopes[i].w && changes[i].w == pressures[i]);
        for (int axis = 0; axis < 3; axis++) {
            double old = (double)ref_axis_component(before[i], axis), force = force_at(s, at, axis);
            double slope = (double)ref_axis_component(slopes[i], axis), velocity = old + slope;
            bool open = ref_flip_open(&s->flip, at, 2 * axis) > 0.0;
            if (!((uint32_t)slopes[i].w >> axis & 1u)) {
                near("air", at, (double)ref_axis_component(faces[i], axis), old - force, 2e-5);
                near("its change", at, (double)ref_axis_component(changes[i], axis), force, 2e-5);
                continue;
            }
            if (!open) velocity = ref_flip_wall(&s->flip, at, 2 * axis);
            walls += !open;
            near("velocity", at, (double)ref_axis_component(faces[i], axis), velocity, 2e-5);
            near("change", at, (double)ref_axis_component(changes[i], axis),
                 velocity - (old - force), 2e-5);
        }
    }
    assert_true(s->flip.count < MANY || walls > 10);
    base_free(cells);
    base_free(before);
    base_free(slopes);
    base_free(pressures);
    base_free(faces);
    base_free(changes);
}

/* ---- momentum ------------------------------------------------------------------------------- */

/* Returns the index of corner k of a block among the corners of all blocks; on a periodic axis,
 * both ends share a corner. */
static size_t corner_of(const stage *s, const uvec4 block, int k)
{
    size_t index = 0, count = 1;
    const uint32_t at[3] = {block.x, block.y, block.z};
    for (int axis = 0; axis < 3; axis++) {
        uint32_t blocks = (s->flip.n[axis] + 7) / 8, to = at[axis] + ((uint32_t)k >> axis & 1u);
        if (ref_axis_component(s->params.period, axis) > 0.0f) to %= blocks;
        index += count * to;
        count *= blocks + 1u;
    }
    return index;
}

/* Returns the weight of a cell at corner k of its block. */
static double corner_share(size_t cell, int k)
{
    double share = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        double upper = ((double)(cell >> (3 * axis) & 7u) + 0.5) / 8.0;
        share *= k >> axis & 1 ? upper : 1.0 - upper;
    }
    return share;
}

typedef struct corner {
    double surplus[3], mass[3];
} corner;

static void check_redistributed(const stage *s, const corner *all)
{
    vec4 *redistributed =
        download(s->world, s->world->buffers.momentum_corrections, 8ull * s->solve.firsts[1], 16);
    uint32_t count = 0;
    for (uint32_t i = 0; i < 8 * s->solve.firsts[1]; i++) {
        const corner *own = &all[corner_of(s, s->blocks[i / 8].at, (int)(i % 8))];
        for (int axis = 0; axis < 3; axis++) {
            double wanted = own->mass[axis] > 1e-6 ? -own->surplus[axis] / own->mass[axis] : 0.0;
            if (own->mass[axis] > 0.0 && own->mass[axis] <= 1e-6) continue;
            near("refund of corner", (int[]){(int)i, axis, 0},
                 (double)ref_axis_component(redistributed[i], axis), wanted,
                 1e-4 * fmax(1.0, fabs(wanted)));
            count += fabs(wanted) > 1e-3;
        }
    }
    assert_true(s->flip.count < MANY || count > 20);
    base_free(redistributed);
}

/* Checks the residual that block corners gather from the cells around them. */
static void check_surplus(stage *s)
{
    size_t corners = 1;
    for (int axis = 0; axis < 3; axis++)
        corners *= (s->flip.n[axis] + 7) / 8 + 1u;
    corner *all = base_alloc(corners, sizeof *all);
    uvec4 *cells = spread(s, poisson_cells(s->world->pressure_grid), sizeof *cells);
    vec4 *faces = spread(s, s->world->buffers.face_velocities, sizeof *faces);
    vec4 *changes = spread(s, s->world->buffers.face_velocity_changes, sizeof *changes);
    vec4 *slopes = spread(s, s->world->buffers.pressure_gradients, sizeof *slopes);
    vec4 *masses = spread(s, s->world->buffers.face_masses, sizeof *masses);
    uint32_t air = 0, held = 0;
    assert_non_null(all);
    s->flip.cells = cells, s->flip.faces = faces, s->flip.changes = changes;
    s->flip.slopes = slopes;
    ref_air around = {&s->flip, masses};
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        for (int axis = 0; axis < (s->params.planar ? 2 : 3) && cell_at(s, i, at); axis++) {
            double own[2];
            ref_air_surplus(&around, at, axis, own);
            air += ref_air_kind(&around, at, axis) == REF_FACE_AIR;
            held += own[0] == 0.0 && own[1] > 0.0;
            for (int k = 0; k < 8; k++) {
                corner *to = &all[corner_of(s, s->blocks[i / POISSON_BLOCK_CELLS].at, k)];
                to->surplus[axis] += corner_share(i % POISSON_BLOCK_CELLS, k) * own[0];
                to->mass[axis] += corner_share(i % POISSON_BLOCK_CELLS, k) * own[1];
            }
        }
    }
    assert_true(s->flip.count < MANY || (air > 50 && held > 0));
    run_named(s, "flip_momentum_residual");
    run_named(s, "flip_momentum_redistribute");
    check_redistributed(s, all);
    void *arrays[] = {all, cells, faces, changes, slopes, masses};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

/* Checks the packed velocity, change and drift of the faces of one cell. */
static void check_packed(const ref_air *a, const packed *p, const int at[3], double refund[3])
{
    const ref_flip *f = a->flip;
    size_t cell = ref_flip_index(f, at);
    for (int axis = 0; axis < (f->pbf->params->planar ? 2 : 3); axis++) {
        ref_face kind = ref_air_kind(a, at, axis);
        double more = refund[axis], want[3] = {(double)ref_axis_component(f->faces[cell], axis),
                                               (double)ref_axis_component(f->changes[cell], axis),
                                               (double)ref_axis_component(f->slopes[cell], axis)};
        assert_int_equal((uint32_t)p->faces[cell].w >> axis & 1u, kind != REF_FACE_NONE);
        if (kind == REF_FACE_NONE) continue;
        if (kind == REF_FACE_FLUID && ref_flip_open(f, at, 2 * axis) == 0.0) more = 0.0;
        if (kind == REF_FACE_AIR) {
            ref_air_change(a, at, axis, &want[1], &want[2]);
            want[0] += want[1];
        }
        near("velocity", at, (double)ref_axis_component(p->faces[cell], axis), want[0] + more,
             5e-6);
        near("change", at, (double)ref_axis_component(p->changes[cell], axis), want[1] + more,
             5e-6);
        near("drift", at, (double)ref_axis_component(p->slopes[cell], axis), want[2], 5e-6);
    }
}

static void check_pack(stage *s)
{
    uvec4 *cells = spread(s, poisson_cells(s->world->pressure_grid), sizeof *cells);
    vec4 *faces = spread(s, s->world->buffers.face_velocities, sizeof *faces);
    vec4 *changes = spread(s, s->world->buffers.face_velocity_changes, sizeof *changes);
    vec4 *slopes = spread(s, s->world->buffers.pressure_gradients, sizeof *slopes);
    vec4 *masses = spread(s, s->world->buffers.face_masses, sizeof *masses);
    vec4 *redistributed =
        download(s->world, s->world->buffers.momentum_corrections, 8ull * s->solve.firsts[1], 16);
    run_named(s, "flip_pack_faces");
    packed p = read_packed(s);
    s->flip.cells = cells, s->flip.faces = faces, s->flip.changes = changes;
    s->flip.slopes = slopes;
    ref_air around = {&s->flip, masses};
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        double refund[3] = {0};
        if (!cell_at(s, i, at)) continue;
        for (int k = 0; k < 24; k++)
            refund[k % 3] += corner_share(i % POISSON_BLOCK_CELLS, k / 3) *
                             (double)ref_axis_component(
                                 redistributed[i / POISSON_BLOCK_CELLS * 8 + (size_t)k / 3], k % 3);
        check_packed(&around, &p, at, refund);
    }
    free_packed(&p);
    void *arrays[] = {cells, faces, changes, slopes, masses, redistributed};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

/* ---- friction and drift --------------------------------------------------------------------- */

/* Returns the friction on a face: `at`, using only the cells on both sides that are fluid. */
static double expected_rub(const stage *s, const vec4 *rubs, const int at[3], int axis)
{
    double sum = 0.0, count = 0.0;
    for (int k = 0; k < 2; k++) {
        int to[3] = {at[0], at[1], at[2]};
        to[axis] -= k;
        bool inside = to[axis] >= 0 || (axis == 0 && s->params.period.x > 0.0f);
        size_t cell = ref_flip_index(&s->flip, to);
        if (!inside || float_of(s->flip.cells[cell].w) >= 0.0) continue;
        sum += (double)ref_axis_component(rubs[cell], axis);
        count++;
    }
    bool open = ref_flip_open(&s->flip, at, 2 * axis) > 0.0;
    return open && count > 0.0 ? sum / count : 0.0;
}

static void check_slow(stage *s, const vec4 *faces, const vec4 *changes, const vec4 *rubs)
{
    size_t count = sparse_count(s);
    run_named(s, "flip_friction_apply");
    vec4 *faces_after =
        download(s->world, s->world->buffers.face_velocities, count, sizeof *faces_after);
    vec4 *after = download(s->world, s->world->buffers.face_velocity_changes, count, sizeof *after);
    for (size_t i = 0; i < count; i++) {
        int at[3];
        if (!cell_at(s, i, at)) continue;
        size_t cell = ref_flip_index(&s->flip, at);
        assert_true(after[i].w == changes[cell].w && faces_after[i].w == faces[cell].w);
        for (int axis = 0; axis < 3; axis++) {
            double change = expected_rub(s, rubs, at, axis);
            near("slowed", at, (double)ref_axis_component(faces_after[i], axis),
                 (double)ref_axis_component(faces[cell], axis) + change, 2e-6);
            near("slowed change", at, (double)ref_axis_component(after[i], axis),
                 (double)ref_axis_component(changes[cell], axis) + change, 2e-6);
        }
    }
    base_free(faces_after);
    base_free(after);
}

/* Checks the gauges of the room: two of pressure and one of force. The sides are closed and cut by
 * the ball. */
static void check_gauges(stage *s)
{
    double force[3] = {0};
    run_named(s, "flip_gauge_block_forces");
    run_named(s, "flip_gauge_reading");
    vec4 *readings = download(s->world, s->world->buffers.gauge_readings, 3, sizeof *readings);
    for (size_t k = 0; k < 2; k++) {
        const scene_gauge *gauge = &s->world->scene->gauges[k];
        const double place[3] = {(double)gauge->position.x, (double)gauge->position.y,
                                 (double)gauge->position.z};
        double radius = (double)gauge->radius; /* at least one cell */
        for (int axis = 0; axis < 3; axis++)
            radius = fmax(radius, (double)ref_axis_component(s->params.cell_size, axis));
        double wanted = ref_flip_pressure(&s->flip, place, radius);
        print_message("  %s: %g Pa, expected %g\n", gauge->name, (double)readings[k].x, wanted);
        assert_true(fabs((double)readings[k].x - wanted) <= 1e-3 * fabs(wanted) + 0.1);
    }
    for (size_t i = 0; i < s->cell_count; i++) {
        double part[3];
        const uint32_t *n = s->flip.n;
        const int at[3] = {(int)(i % n[0]), (int)(i / n[0] % n[1]), (int)(i / n[0] / n[1])};
        if (float_of(s->flip.cells[i].w) >= 0.0) continue;
        ref_flip_force(&s->flip, at, part);
        for (int axis = 0; axis < 3; axis++)
            force[axis] += part[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        double got = (double)ref_axis_component(readings[2], axis);
        print_message("  force %g N, expected %g\n", got, force[axis]);
        assert_true(fabs(got - force[axis]) <= 1e-3 * fabs(force[axis]) + 0.05);
    }
    base_free(readings);
}

/* Sums the forces of the room's cells on the ball: N, and N m about the centre of the domain. */
static void check_solid_forces(stage *s)
{
    double want[6] = {0}, largest[2] = {0};
    const vec4 *o = &s->params.origin;
    for (size_t i = 0; i < s->cell_count; i++) {
        double f[3], p[3];
        const uint32_t *n = s->flip.n;
        const int at[3] = {(int)(i % n[0]), (int)(i / n[0] % n[1]), (int)(i / n[0] / n[1])};
        if (float_of(s->flip.cells[i].w) >= 0.0) continue;
        ref_flip_force(&s->flip, at, f);
        ref_flip_place(&s->flip, at, p);
        p[0] -= (double)o->x, p[1] -= (double)o->y, p[2] -= (double)o->z;
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            want[k] += f[k];
            want[3 + k] += p[l] * f[m] - p[m] * f[l];
        }
    }
    run_named(s, "solid_force_average");
    run_named(s, "flip_solid_impulse");
    uint32_t *sums =
        download(s->world, s->world->buffers.solid_impulse_sums, SIM_SOLID_IMPULSE_WORDS, 4);
    double d = (double)s->params.spacing, dt = (double)s->status.dt;
    double unit = d * (double)s->params.fluids[0].mass * (double)BODY_IMPULSE_UNIT / (dt * dt);
    for (int k = 0; k < 6; k++)
        largest[k / 3] = fmax(largest[k / 3], fabs(want[k]));
    for (int k = 0; k < 6; k++) {
        int64_t whole = (int64_t)((uint64_t)sums[2 * k + 1] << 32 | sums[2 * k]);
        double got = (double)whole * unit * (k < 3 ? 1.0 : d);
        print_message("  on the solid: %g, expected %g\n", got, want[k]);
        assert_true(fabs(got - want[k]) <= 1e-3 * largest[k / 3] + 0.02);
    }
    base_free(sums);
}

static void check_friction(stage *s)
{
    if (s->params.friction == 0.0f) return;
    uvec4 *cells = spread(s, poisson_cells(s->world->pressure_grid), sizeof *cells);
    vec4 *faces = spread(s, s->world->buffers.face_velocities, sizeof *faces);
    vec4 *changes = spread(s, s->world->buffers.face_velocity_changes, sizeof *changes);
    s->flip.cells = cells, s->flip.faces = faces, s->flip.changes = changes;
    check_gauges(s);
    check_solid_forces(s);
    run_named(s, "flip_friction_find");
    vec4 *rubs = spread(s, s->world->buffers.pressure_gradients, sizeof *rubs);
    uint32_t slides = 0, stops = 0;
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        double change[3] = {0}, size = 0.0;
        if (!cell_at(s, i, at)) continue;
        size_t cell = ref_flip_index(&s->flip, at);
        if (float_of(cells[cell].w) < 0.0) ref_flip_rub(&s->flip, at, change);
        for (int axis = 0; axis < 3; axis++) {
            double slack = 1e-4 * fmax(1.0, fabs(change[axis]));
            near("friction", at, (double)ref_axis_component(rubs[cell], axis), change[axis], slack);
            size += change[axis] * change[axis];
        }
        slides += size > 1e-8 && size < 0.01;
        stops += size > 0.1;
    }
    print_message("  friction: %u cells slide, %u stop\n", slides, stops);
    assert_true(s->flip.count < MANY || (slides > 5 && stops > 5));
    check_slow(s, faces, changes, rubs);
    base_free(cells);
    base_free(faces);
    base_free(changes);
    base_free(rubs);
}

static bool is_whole(const stage *s, uvec4 cell)
{
    const uint32_t shares[3] = {cell.x, cell.y, cell.z};
    bool whole = true;
    for (int axis = 0; axis < (s->params.planar ? 2 : 3); axis++)
        whole &= (shares[axis] & 0xffffu) > 64880u || shares[axis] >> 16 > 64880u;
    return whole;
}

static void check_drift(stage *s)
{
    size_t count = sparse_count(s);
    uvec4 *cells = download(s->world, poisson_cells(s->world->pressure_grid), count, sizeof *cells);
    vec4 *links =
        download(s->world, poisson_air_coefficients(s->world->pressure_grid), count, sizeof *links);
    float *fill_fractions = download(s->world, s->world->buffers.fill_fractions, count, 4);
    double dt = (double)s->status.dt, slow = 1.0 - exp(-dt / (double)SIM_DRIFT_TIME_S),
           edge = INFINITY;
    run_named(s, "flip_density_correction_rhs");
    float *sources = download(s->world, poisson_rhs(s->world->pressure_grid), count, 4);
    uint32_t crowded = 0, empty = 0, cut = 0;
    for (int axis = 0; axis < 3; axis++)
        edge = fmin(edge, (double)ref_axis_component(s->params.cell_size, axis));
    for (size_t i = 0; i < count; i++) {
        int at[3];
        if (!cell_at(s, i, at)) continue;
        bool surface = links[i].x + links[i].y + links[i].z > 0.0f;
        bool takes = float_of(cells[i].w) < 0.0, whole = is_whole(s, cells[i]);
        double error =
            fmin(fmax((double)fill_fractions[i] - 1.0, surface || !whole ? 0.0 : -0.5), 0.5);
        double rate = fmax(slow, fmin(fabs(error) / (double)SIM_DRIFT_IMMEDIATE_ERROR, 1.0));
        near("drift", at, (double)sources[i], takes ? edge * edge * rate * error : 0.0, 1e-7);
        crowded += takes && rate == 1.0;
        empty += takes && error < 0.0;
        cut += takes && !whole && error > 0.0;
    }
    assert_true(s->flip.count < MANY || (crowded > 5 && (s->params.planar || cut > 0)));
    assert_true(s->flip.count < MANY || !s->params.planar || empty > 5);
    base_free(cells);
    base_free(links);
    base_free(fill_fractions);
    base_free(sources);
}

/* ---- G2P ------------------------------------------------------------------------------------ */

/* Returns the velocity that a particle receives, and its displacement, m. */
static void expected_step(const stage *s, uint32_t i, double velocity[3], double way[3])
{
    const ref_mover *m = &s->movers[i];
    const struct sim_params *p = &s->params;
    double grid[3], late[3], drift[3] = {0}, far = 0.0, size = 0.0, share;
    share = 1.0 - pow(1.0 - (double)p->pic_fraction, (double)(s->status.dt / p->reference_dt));
    ivec4 *start =
        download(s->world, s->world->buffers.sorted_positions, s->flip.count, sizeof *start);
    vec3 force = ref_acceleration(p, ref_xyz(ref_metres(p, start[i])));
    base_free(start);
    for (int axis = 0; axis < 3; axis++) {
        velocity[axis] = grid[axis] =
            m->v[axis] + (double)s->status.dt * (double)ref_axis(force, (uint32_t)axis);
        ref_component found = ref_flip_axis_component(&s->flip, m->x, axis);
        bool known = found.known > 0.0 && !(p->planar && axis == 2);
        double pulled = velocity[axis] - m->v[axis], pressed = known ? found.change - pulled : 0.0;
        late[axis] = 0.5 * pulled;
        size += pressed * pressed;
        if (!known) continue;
        velocity[axis] = found.velocity;
        if (!sim_is_apic(s->world))
            velocity[axis] = (1.0 - share) * (m->v[axis] + found.change) + share * found.velocity;
        drift[axis] = found.slope;
        far += drift[axis] * drift[axis];
    }
    ref_flip_way(&s->flip, m->x, grid, way);
    double most = (double)(SIM_DRIFT_MAX_CELLS * p->h),
           kept = fmin(1.0, most / fmax(sqrt(far), 1e-20));
    double pressed = sqrt(size) / (double)(s->status.dt * vec3_length(force)),
           falls = fmax(0.0, 1.0 - 10.0 * pressed);
    for (int axis = 0; axis < 3; axis++)
        way[axis] += kept * drift[axis] - (double)s->status.dt * falls * late[axis];
    if (p->planar) way[2] = velocity[2] = 0.0;
}

static void check_affine(const stage *s, uint32_t i, const vec4 *affine)
{
    for (int axis = 0; axis < 3; axis++) {
        ref_component found = ref_flip_axis_component(&s->flip, s->movers[i].x, axis);
        for (int k = 0; k < 3; k++)
            if (!(fabs((double)ref_axis_component(affine[axis], k) - found.gradient[k]) <= 2e-4))
                fail_msg("gradient %d %d of particle %u: %g, expected %g", axis, k, i,
                         (double)ref_axis_component(affine[axis], k), found.gradient[k]);
    }
}

/* Checks G2P with the random velocities and slopes of check_project. */
static void check_take(stage *s)
{
    uint32_t n = s->flip.count;
    uvec4 *cells = spread(s, poisson_cells(s->world->pressure_grid), sizeof *cells);
    float *fill_fractions = spread(s, s->world->buffers.fill_fractions, 4);
    ivec4 *from = download(s->world, s->world->buffers.sorted_positions, n, sizeof *from);
    packed p = read_packed(s);
    s->flip.cells = cells, s->flip.fill_fractions = fill_fractions;
    run_named(s, "flip_g2p_advect");
    ivec4 *to = download(s->world, s->world->buffers.positions, n, sizeof *to);
    vec4 *v = download(s->world, s->world->buffers.sorted_velocities, n, sizeof *v);
    float *densities = download(s->world, s->world->buffers.densities, n, 4);
    bool has_affine = sim_is_apic(s->world);
    vec4 *affine =
        download(s->world, s->world->buffers.velocity_gradients, has_affine ? 3ull * n : 0, 16);
    for (uint32_t i = 0; i < n; i++) {
        double velocity[3], way[3], unit = (double)s->params.origin.w;
        const double got[3] = {unit * (to[i].x - from[i].x), unit * (to[i].y - from[i].y),
                               unit * (to[i].z - from[i].z)};
        expected_step(s, i, velocity, way);
        for (int axis = 0; axis < 3; axis++)
            if (!(fabs(got[axis] - way[axis]) <= 3e-6 &&
                  fabs((double)ref_axis_component(v[i], axis) - velocity[axis]) <= 5e-5))
                fail_msg("particle %u, axis %d: way %g, expected %g; velocity %g, expected %g", i,
                         axis, got[axis], way[axis], (double)ref_axis_component(v[i], axis),
                         velocity[axis]);
        assert_true(fabs((double)densities[i] / 1000.0 -
                         ref_flip_fill_fraction(&s->flip, s->movers[i].x)) <= 1e-4);
        if (has_affine) check_affine(s, i, &affine[3 * i]);
    }
    free_packed(&p);
    base_free(cells);
    base_free(fill_fractions);
    base_free(from);
    base_free(to);
    base_free(v);
    base_free(densities);
    base_free(affine);
}

/* Checks that no particle is nearer to a wall than the gap, and that no particle that was away from
 * walls, or that leaves the ball, changes its velocity. */
static void check_commit(stage *s)
{
    uint32_t n = s->flip.count, pushed = 0, leaving = 0;
    ivec4 *from = download(s->world, s->world->buffers.positions, n, sizeof *from);
    vec4 *before = download(s->world, s->world->buffers.sorted_velocities, n, sizeof *before);
    run_named(s, "flip_finalize");
    vec4 *to = download_metres(s->world, s->world->buffers.positions, n);
    vec4 *after = download(s->world, s->world->buffers.velocities, n, sizeof *after);
    float gap = s->params.boundary_gap;
    for (uint32_t i = 0; i < n; i++) {
        vec3 start = ref_xyz(ref_metres(&s->params, from[i])), end = ref_xyz(to[i]), normal;
        float distance = ref_wall_distance(&s->pbf, start);
        bool same = memcmp(&before[i], &after[i], sizeof before[i]) == 0;
        if (distance > gap) assert_true(same);
        if (distance > gap) continue;
        pushed++;
        assert_true(ref_wall_distance(&s->pbf, end) >= 0.9f * gap);
        if (ref_ball_distance(&s->ball, start, &normal) > gap) continue;
        vec3 wall =
            vec3_scale(vec3_sub(start, ref_ball_carried(&s->ball, start)), 1.0f / s->status.dt);
        assert_true(vec3_dot(vec3_sub(ref_xyz(after[i]), wall), normal) >= -1e-3f);
        bool leaves = vec3_dot(vec3_sub(ref_xyz(before[i]), wall), normal) > 1e-3f;
        if (leaves) assert_true(same);
        leaving += leaves;
    }
    assert_true(n < MANY || (pushed > 10 && leaving > 0));
    base_free(from);
    base_free(before);
    base_free(to);
    base_free(after);
}

static void check(sim_world *world, uint32_t count)
{
    stage s;
    place(world, count);
    enter_gather(&s, world, FRAME_S);
    assert_int_equal(s.flip.count, count);
    check_marks(&s);
    check_gather(&s);
    check_surface(&s);
    run_step_passes(world, step_pass(world, "assemble_matrix"),
                    step_pass(world, "flip_divergence"));
    check_source(&s);
    check_project(&s);
    check_surplus(&s);
    check_friction(&s);
    check_drift(&s);
    check_pack(&s);
    check_take(&s);
    check_commit(&s);
    leave(&s);
}

static void every_pass_matches_its_reference(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {0, 1, 65, MANY};
    for (int w = 0; w < WORLDS; w++)
        for (size_t i = 0; i < BASE_COUNT(sizes); i++)
            check(worlds[w], sizes[i]);
}

/* Runs a whole frame with validation: passes without a reference must not race either. */
static void a_frame_runs_under_validation(void **state)
{
    (void)state;
    place(worlds[ROOM], MANY);
    run_frames(worlds[ROOM], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pass_matches_its_reference),
        cmocka_unit_test(a_frame_runs_under_validation),
    };
    return cmocka_run_group_tests(tests, open_worlds, close_worlds);
}
