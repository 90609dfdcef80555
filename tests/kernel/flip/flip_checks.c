#include "flip_checks.h"
#include "flip_packed.h"
#include "ref_cells.h"
#include "ref_flip_air.h"
#include "ref_flip_contact.h"
#include "ref_walls.h"

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
    double particles[3], solve[3], mass[3];
} corner;

/* Computes the weight of the mass at corner k of a block, times dt. */
static void weigh(const stage *s, const uvec4 block, int k, const double mass[3], double weight[3])
{
    const struct sim_params *p = &s->params;
    const float at[3] = {(float)(8 * (block.x + (k & 1))), (float)(8 * (block.y + (k >> 1 & 1))),
                         (float)(8 * (block.z + (k >> 2 & 1)))};
    vec3 place = {p->domain_min.x + at[0] * p->cell_size.x,
                  p->domain_min.y + at[1] * p->cell_size.y,
                  p->domain_min.z + at[2] * p->cell_size.z};
    vec3 force = ref_acceleration(p, place);
    for (uint32_t axis = 0; axis < 3; axis++)
        weight[axis] = (double)s->status.dt * mass[axis] * (double)ref_axis(force, axis);
}

static void check_redistributed(const stage *s, const corner *all)
{
    vec4 *redistributed =
        download(s->world, s->world->buffers.momentum_corrections, 8ull * s->solve.firsts[1], 16);
    uint32_t count = 0;
    for (uint32_t i = 0; i < 8 * s->solve.firsts[1]; i++) {
        const uvec4 block = s->blocks[i / 8].at;
        const corner *own = &all[corner_of(s, block, (int)(i % 8))];
        double weight[3], residual[3];
        weigh(s, block, (int)(i % 8), own->mass, weight);
        ref_air_residual(own->particles, own->solve, weight, residual);
        for (int axis = 0; axis < 3; axis++) {
            double wanted = own->mass[axis] > 1e-6 ? -residual[axis] / own->mass[axis] : 0.0;
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
void check_surplus(stage *s)
{
    size_t corners = 1;
    for (int axis = 0; axis < 3; axis++)
        corners *= (s->flip.n[axis] + 7) / 8 + 1u;
    corner *all = base_alloc(corners, sizeof *all);
    uvec4 *cells = spread(s, poisson_get_buffers(s->world->pressure_grid)->cells, sizeof *cells);
    vec4 *faces = spread(s, s->world->buffers.face_velocities, sizeof *faces);
    vec4 *changes = spread(s, s->world->buffers.face_velocity_changes, sizeof *changes);
    vec4 *slopes = spread(s, s->world->buffers.pressure_gradients, sizeof *slopes);
    vec4 *masses = spread(s, s->world->buffers.face_masses, sizeof *masses);
    uint32_t air = 0;
    assert_non_null(all);
    s->flip.cells = cells, s->flip.faces = faces, s->flip.changes = changes;
    s->flip.slopes = slopes, s->flip.masses = masses;
    ref_air around = {&s->flip};
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        for (int axis = 0; axis < (s->params.planar ? 2 : 3) && cell_at(s, i, at); axis++) {
            ref_face_momentum own = ref_air_momentum(&around, at, axis);
            air += ref_air_kind(&around, at, axis) == REF_FACE_AIR;
            for (int k = 0; k < 8; k++) {
                corner *to = &all[corner_of(s, s->blocks[i / POISSON_BLOCK_CELLS].at, k)];
                double share = corner_share(i % POISSON_BLOCK_CELLS, k);
                to->particles[axis] += share * own.particles;
                to->solve[axis] += share * own.solve;
                to->mass[axis] += share * own.mass;
            }
        }
    }
    assert_true(s->flip.count < MANY || air > 50);
    run_named(s, "flip_momentum_residual");
    run_named(s, "flip_momentum_redistribute");
    check_redistributed(s, all);
    void *arrays[] = {all, cells, faces, changes, slopes, masses};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

/* ---- closed faces --------------------------------------------------------------------------- */

static vec3 face_place(const stage *s, const int at[3], int axis)
{
    const struct sim_params *p = &s->params;
    float to[3] = {(float)at[0] + 0.5f, (float)at[1] + 0.5f, (float)at[2] + 0.5f};
    to[axis] -= 0.5f;
    return (vec3){p->domain_min.x + to[0] * p->cell_size.x,
                  p->domain_min.y + to[1] * p->cell_size.y,
                  p->planar ? p->plane : p->domain_min.z + to[2] * p->cell_size.z};
}

/* Reports whether the lower face of a cell inside the domain is open and next to fluid. */
static bool is_open(const ref_flip *f, const int at[3], int axis)
{
    for (int k = 0; k < 3; k++)
        if (ref_axis_component(f->pbf->params->period, k) == 0.0f &&
            (at[k] < 0 || at[k] >= (int)f->n[k]))
            return false;
    bool known = (uint32_t)f->faces[ref_flip_index(f, at)].w >> axis & 1u;
    return known && ref_flip_open(f, at, 2 * axis) > 0.0;
}

/* Cells whose lower faces are averaged. */
typedef struct face_list {
    int at[6][3], count;
} face_list;

/* Returns the mean of an array over the open lower faces across `axis`; `none` if there are
 * none. */
static double mean_of(const ref_flip *f, const vec4 *array, const face_list *list, int axis,
                      double none)
{
    double sum = 0.0, faces = 0.0;
    for (int k = 0; k < list->count; k++) {
        if (!is_open(f, list->at[k], axis)) continue;
        sum += (double)ref_axis_component(array[ref_flip_index(f, list->at[k])], axis);
        faces++;
    }
    return faces > 0.0 ? sum / faces : none;
}

/* Returns the expected velocity of a face that the ball closes. */
static double expected_closed(const stage *s, const int at[3], int axis, vec3 place)
{
    const ref_flip *f = &s->flip;
    size_t cell = ref_flip_index(f, at);
    int sides = s->params.planar ? 4 : 6;
    face_list neighbours = {.count = sides};
    vec3 normal, wall = vec3_sub(place, ref_ball_carried(&s->ball, place));
    ref_ball_distance(&s->ball, place, &normal);
    ref_closed_face face = {.before = (double)(ref_axis_component(f->faces[cell], axis) -
                                               ref_axis_component(f->changes[cell], axis))};
    for (int side = 0; side < sides; side++) {
        memcpy(neighbours.at[side], at, sizeof neighbours.at[side]);
        neighbours.at[side][side / 2] += side % 2 ? 1 : -1;
    }
    double force = (double)s->status.dt *
                   (double)ref_axis(ref_acceleration(&s->params, place), (uint32_t)axis);
    face.change = mean_of(f, f->changes, &neighbours, axis, force);
    for (int k = 0; k < sides / 2; k++) {
        face_list corners = {.count = 4};
        for (int c = 0; c < 4; c++) {
            memcpy(corners.at[c], at, sizeof corners.at[c]);
            corners.at[c][axis] -= c & 1;
            corners.at[c][k] += c >> 1;
        }
        face.normal[k] = (double)ref_axis(normal, (uint32_t)k);
        face.wall[k] = (double)(ref_axis(wall, (uint32_t)k) / s->status.dt);
        if (k != axis) face.around[k] = mean_of(f, f->faces, &corners, k, face.wall[k]);
    }
    return ref_closed_face_velocity(&face, axis);
}

/* Checks the velocity of faces that the ball closes, and that no other face changes. */
void check_closed(stage *s)
{
    if (s->params.solid_count == 0) return;
    size_t count = sparse_count(s);
    uvec4 *cells = spread(s, poisson_get_buffers(s->world->pressure_grid)->cells, sizeof *cells);
    vec4 *faces = spread(s, s->world->buffers.face_velocities, sizeof *faces);
    vec4 *changes = spread(s, s->world->buffers.face_velocity_changes, sizeof *changes);
    s->flip.cells = cells, s->flip.faces = faces, s->flip.changes = changes;
    run_named(s, "flip_closed_face_velocity");
    vec4 *after = download(s->world, s->world->buffers.face_velocities, count, sizeof *after);
    vec4 *changed = download(s->world, s->world->buffers.face_velocity_changes, count, 16);
    uint32_t slipping = 0;
    for (size_t i = 0; i < count; i++) {
        int at[3];
        for (int axis = 0; axis < (s->params.planar ? 2 : 3) && cell_at(s, i, at); axis++) {
            size_t cell = ref_flip_index(&s->flip, at);
            double old = (double)ref_axis_component(faces[cell], axis), want = old;
            vec3 place = face_place(s, at, axis);
            vec3 normal;
            bool side = at[axis] == 0 && ref_axis_component(s->params.period, axis) == 0.0f;
            bool near_ball = ref_ball_distance(&s->ball, place, &normal) < s->params.h;
            bool closed = (uint32_t)faces[cell].w >> axis & 1u && !is_open(&s->flip, at, axis);
            if (closed && near_ball)
                want = side ? ref_flip_wall(&s->flip, at, 2 * axis)
                            : expected_closed(s, at, axis, place);
            slipping += closed && near_ball && !side;
            near("closed", at, (double)ref_axis_component(after[i], axis), want, 1e-4);
            near("its change", at,
                 (double)(ref_axis_component(changed[i], axis) -
                          ref_axis_component(changes[cell], axis)),
                 want - old, 1e-4);
        }
    }
    assert_true(s->flip.count < MANY || slipping > 10);
    void *arrays[] = {cells, faces, changes, after, changed};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

/* ---- packing -------------------------------------------------------------------------------- */

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

void check_pack(stage *s)
{
    uvec4 *cells = spread(s, poisson_get_buffers(s->world->pressure_grid)->cells, sizeof *cells);
    vec4 *faces = spread(s, s->world->buffers.face_velocities, sizeof *faces);
    vec4 *changes = spread(s, s->world->buffers.face_velocity_changes, sizeof *changes);
    vec4 *slopes = spread(s, s->world->buffers.pressure_gradients, sizeof *slopes);
    vec4 *masses = spread(s, s->world->buffers.face_masses, sizeof *masses);
    vec4 *redistributed =
        download(s->world, s->world->buffers.momentum_corrections, 8ull * s->solve.firsts[1], 16);
    run_named(s, "flip_pack_faces");
    packed p = read_packed(s);
    s->flip.cells = cells, s->flip.faces = faces, s->flip.changes = changes;
    s->flip.slopes = slopes, s->flip.masses = masses;
    ref_air around = {&s->flip};
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
    return ref_flip_takes_friction(&s->flip, at, axis) ? sum / count : 0.0;
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
    run_named(s, "solid_force_frame_mean");
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

void check_friction(stage *s)
{
    if (s->params.friction == 0.0f) return;
    uvec4 *cells = spread(s, poisson_get_buffers(s->world->pressure_grid)->cells, sizeof *cells);
    vec4 *faces = spread(s, s->world->buffers.face_velocities, sizeof *faces);
    vec4 *changes = spread(s, s->world->buffers.face_velocity_changes, sizeof *changes);
    vec4 *masses = spread(s, s->world->buffers.face_masses, sizeof *masses);
    s->flip.cells = cells, s->flip.faces = faces, s->flip.changes = changes;
    s->flip.masses = masses;
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
    assert_true(s->flip.count < MANY || (slides > 5 && stops > 2));
    check_slow(s, faces, changes, rubs);
    base_free(cells);
    base_free(faces);
    base_free(changes);
    base_free(masses);
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

void check_drift(stage *s)
{
    size_t count = sparse_count(s);
    uvec4 *cells = download(s->world, poisson_get_buffers(s->world->pressure_grid)->cells, count,
                            sizeof *cells);
    vec4 *links = download(s->world, poisson_get_buffers(s->world->pressure_grid)->air_coefficients,
                           count, sizeof *links);
    float *fill_fractions = download(s->world, s->world->buffers.fill_fractions, count, 4);
    double dt = (double)s->status.dt, slow = 1.0 - exp(-dt / (double)SIM_DRIFT_TIME_S),
           edge = INFINITY;
    run_named(s, "flip_density_correction_rhs");
    float *sources =
        download(s->world, poisson_get_buffers(s->world->pressure_grid)->right_sides, count, 4);
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
