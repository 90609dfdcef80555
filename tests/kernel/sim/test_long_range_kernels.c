/* Tests the long-range correction: its shaders against their reference, and its effect. */
#include "cells_support.h"
#include "ref_cells.h"
#include "ref_poisson.h"
#include "scene_text.h"
#include "two_worlds.h"

#include "shared/poisson.h"

#define FRAME_S (1.0 / 60.0)
#define MANY 1500u

static int open_worlds(void **state)
{
    return open_two_worlds(scene_text("long_range_kernels_room"),
                           scene_text("long_range_kernels_plane"));
}

/* Places a dense jittered lattice in motion from the lower corner of the domain. */
static void place(sim_world *world, uint32_t count)
{
    const struct sim_params *p = &world->params;
    vec4 *x = base_alloc(count + 1u, sizeof *x), *v = base_alloc(count + 1u, sizeof *v);
    uint32_t *ids = base_alloc(count + 1u, sizeof *ids), side = p->planar ? 39 : 12;
    assert_true(x && v && ids);
    for (uint32_t i = 0; i < count; i++) {
        float at[3];
        for (uint32_t k = 0; k < 3; k++)
            at[k] = 0.045f * (base_hash_to_unit(3u * i + k) - 0.5f);
        x[i] = (vec4){p->domain_min.x + 0.045f * (float)(i % side) + 0.03f + at[0],
                      p->domain_min.y + 0.045f * (float)(i / side % side) + 0.03f + at[1],
                      p->domain_min.z + 0.045f * (float)(i / side / side) + 0.03f + at[2], 0};
        if (p->planar) x[i].z = p->plane;
        v[i] = (vec4){2.0f * base_hash_to_unit(i) - 1.0f, base_hash_to_unit(i + 7u), 0, 0};
        ids[i] = i;
    }
    place_particles(world, (placing){count, x, v, ids});
    base_free(x);
    base_free(v);
    base_free(ids);
}

/* The state before the pass with this name. */
typedef struct stage {
    sim_world *world;
    uint32_t count, cell_count;
    struct sim_params params;
    struct sim_status status;
    struct poisson_state solve;
    struct poisson_block *blocks;
    ref_ball ball;
    host_lists lists;
    ref_pbf pbf;
    ref_cells cells;
    float *opens, *levels; /* dense; those of `cells` */
} stage;

/* A full cell holds one particle per cube of the spacing, or per square in the plane. */
static void check_full(const struct sim_params *p)
{
    float d = p->spacing, deep = p->planar ? 1.0f : p->cell_size.z / d;
    float full = p->cell_size.x / d * (p->cell_size.y / d) * deep;
    assert_true(fabsf(p->cell_size.w - full) <= 1e-5f * full);
}

static void enter(stage *s, sim_world *world, uint32_t count)
{
    uvec4 n;
    gpu_device *device = world->device;
    *s = (stage){.world = world};
    place(world, count);
    run_up_to(world, FRAME_S, "face_fractions");
    s->count = read_cells(world, &s->params, &s->status, &s->solve, &n);
    s->lists = download_lists(device, world->grid, s->count);
    s->blocks = download(world, poisson_get_buffers(world->pressure_grid)->blocks,
                         s->solve.firsts[1] + 1, sizeof *s->blocks);
    struct solid_pose *pose = download(world, world->buffers.poses, 1, sizeof *pose);
    const scene_shape *shape = &world->scene->shapes[world->scene->solids[0].shape];
    s->ball =
        (ref_ball){shape->pose.position, shape->radius, world->scene->solids[0].friction, *pose};
    s->pbf =
        (ref_pbf){&s->params, &s->ball, s->status.dt, s->count, s->lists.first, s->lists.items};
    s->cell_count = n.x * n.y * n.z;
    s->opens = base_alloc(s->cell_count, sizeof *s->opens);
    s->levels = base_alloc(s->cell_count, sizeof *s->levels);
    assert_true(s->opens && s->levels);
    s->cells = (ref_cells){&s->pbf, {n.x, n.y, n.z}, s->opens, s->levels};
    check_full(&s->params);
    base_free(pose);
}

static void leave(stage *s)
{
    free_lists(&s->lists);
    base_free(s->blocks);
    base_free(s->opens);
    base_free(s->levels);
}

static void run_named(const stage *s, const char *name)
{
    uint32_t pass = step_pass(s->world, name);
    run_step_passes(s->world, pass, pass + 1);
}

/* Returns the dense index of a cell of a block; SIZE_MAX outside the domain. */
static size_t dense_of(const stage *s, size_t cell)
{
    const uint32_t *n = s->cells.n;
    const struct poisson_block *block = &s->blocks[cell / POISSON_BLOCK_CELLS];
    uint32_t x = block->at.x * 8 + (cell & 7), y = block->at.y * 8 + (cell >> 3 & 7);
    uint32_t z = block->at.z * 8 + (cell >> 6 & 7);
    return x < n[0] && y < n[1] && z < n[2] ? x + (size_t)n[0] * (y + (size_t)n[1] * z) : SIZE_MAX;
}

static size_t sparse_count(const stage *s)
{
    return (size_t)s->solve.firsts[1] * POISSON_BLOCK_CELLS;
}

/* Expands the last word of each cell to a dense array; `missing` where no block is active. */
static void spread_words(const stage *s, const uvec4 *cells, float *dense, float missing)
{
    for (size_t c = 0; c < s->cell_count; c++)
        dense[c] = missing;
    for (size_t i = 0; i < sparse_count(s); i++)
        if (dense_of(s, i) != SIZE_MAX) dense[dense_of(s, i)] = float_of(cells[i].w);
}

/* ---- passes --------------------------------------------------------------------------------- */

/* Reference sums of a cell: particles, their constraints and changes, and the weight distributed to
 * the cell from `givers` particle corners. */
typedef struct tally {
    double constraint, change, shared;
    double net[3]; /* open fraction of the lower faces, less that of the upper ones */
    float share;   /* open fraction */
    uint32_t count, givers;
    bool active;
} tally;

static tally *make_tallies(const stage *s, const ivec4 *a)
{
    tally *all = base_alloc(s->cell_count, sizeof *all);
    assert_non_null(all);
    for (uint32_t i = 0; i < s->count; i++) {
        vec4 p = metres_of(s->world, a[i]);
        tally *own = &all[ref_cell_of(&s->cells, vec3_make(p.x, p.y, p.z))];
        own->count++;
        own->constraint += fmin((double)ref_density(&s->pbf, a, i) - 1.0, 4.0);
    }
    for (size_t i = 0; i < sparse_count(s); i++)
        if (dense_of(s, i) != SIZE_MAX) all[dense_of(s, i)].active = true;
    return all;
}

/* Adds the change of every particle's density: that by its neighbours, and the flow of its
 * displacement through what boundaries close of its cell; requires the results of face_fractions.
 */
static void add_changes(const stage *s, const ivec4 *a, const ivec4 *starts, tally *tallies)
{
    const vec4 size = s->params.cell_size;
    for (uint32_t i = 0; i < s->count; i++) {
        vec4 p = metres_of(s->world, a[i]), from = metres_of(s->world, starts[i]);
        tally *own = &tallies[ref_cell_of(&s->cells, vec3_make(p.x, p.y, p.z))];
        double flow = (double)(p.x - from.x) * own->net[0] / (double)size.x +
                      (double)(p.y - from.y) * own->net[1] / (double)size.y +
                      (double)(p.z - from.z) * own->net[2] / (double)size.z;
        double change = (double)ref_density_change(&s->pbf, a, starts, i) +
                        flow / fmax((double)own->share, (double)SIM_CELL_MIN_OPEN);
        own->change += fmin(fmax(change, -1.0), 4.0);
    }
}

/* Distributes particles to cells; requires the results of face_fractions. */
static void share_out(const stage *s, const ivec4 *a, tally *tallies)
{
    for (uint32_t i = 0; i < s->count; i++) {
        vec4 p = metres_of(s->world, a[i]);
        ref_cell_share out[8];
        ref_cell_share_out(&s->cells, vec3_make(p.x, p.y, p.z), out);
        for (int k = 0; k < 8; k++) {
            tallies[out[k].cell].shared += out[k].share;
            tallies[out[k].cell].givers++;
        }
    }
}

/* Checks that every particle's cell is active with all of its neighbours. */
static void check_active(const stage *s, const tally *tallies)
{
    const uint32_t *n = s->cells.n;
    for (size_t c = 0; c < s->cell_count; c++) {
        if (tallies[c].count == 0) continue;
        assert_true(tallies[c].active);
        if (c % n[0] > 0) assert_true(tallies[c - 1].active);
        if (c % n[0] + 1 < n[0]) assert_true(tallies[c + 1].active);
        if (c >= (size_t)n[0] * n[1]) assert_true(tallies[c - (size_t)n[0] * n[1]].active);
    }
}

static float share_of(uint32_t bits, int side)
{
    return (float)(side % 2 ? bits >> 16 : bits & 0xffffu) / 65535.0f;
}

static void check_open(const stage *s, const uvec4 *cells)
{
    uint32_t cut = 0;
    for (size_t i = 0; i < sparse_count(s); i++) {
        float open[6];
        size_t at = dense_of(s, i);
        const uint32_t bits[3] = {cells[i].x, cells[i].y, cells[i].z};
        if (at == SIZE_MAX) continue;
        float share = ref_cell_open(&s->cells, at, open);
        assert_true(fabsf(float_of(cells[i].w) - share) < 1e-4f);
        for (int side = 0; side < 6; side++)
            assert_true(fabsf(share_of(bits[side / 2], side) - open[side]) < 1e-4f);
        cut += share > 0.1f && share < 0.9f;
    }
    assert_true(s->count < MANY || cut > 3);
}

static void keep_fractions(const stage *s, const uvec4 *cells, tally *tallies)
{
    for (size_t i = 0; i < sparse_count(s); i++) {
        if (dense_of(s, i) == SIZE_MAX) continue;
        tally *own = &tallies[dense_of(s, i)];
        const uint32_t bits[3] = {cells[i].x, cells[i].y, cells[i].z};
        own->share = float_of(cells[i].w);
        for (int axis = 0; axis < 3; axis++)
            own->net[axis] = (double)(share_of(bits[axis], 0) - share_of(bits[axis], 1));
    }
}

static void check_sums(const stage *s, const tally *tallies, const uvec4 *sums)
{
    for (size_t i = 0; i < sparse_count(s); i++) {
        size_t at = dense_of(s, i);
        if (at == SIZE_MAX) continue;
        const tally *own = &tallies[at];
        double slack = 3e-5 * (own->count + 1);
        assert_int_equal(sums[i].x, own->count);
        assert_true(fabs((int32_t)sums[i].y / (double)SIM_LONG_RANGE_UNITS - own->constraint) <=
                    slack);
        assert_true(fabs((int32_t)sums[i].z / (double)SIM_LONG_RANGE_UNITS - own->change) <= slack);
        double shared = sums[i].w / (double)SIM_LONG_RANGE_UNITS;
        assert_true(fabs(shared - own->shared) <= 4e-6 * own->givers);
    }
}

/* Returns the level set from the open fraction of a cell before long_range_level_set_rhs, and its
 * sums. */
static double expected_level(const stage *s, float share, uvec4 sum)
{
    double count = sum.x ? sum.x : 1, full = (double)s->params.cell_size.w;
    double constraint = (int32_t)sum.y / (double)SIM_LONG_RANGE_UNITS / count;
    double filled = sum.w / (double)SIM_LONG_RANGE_UNITS / (full * (double)share);
    bool dense = sum.x > 0 && constraint > (double)SIM_LONG_RANGE_MIN_CONSTRAINT;
    if (share < SIM_CELL_MIN_OPEN || (share < 0.5f && sum.x == 0)) return (double)POISSON_CLOSED;
    return ref_cell_level(filled, filled > 0.5 || dense);
}

/* Checks the sources that long_range_level_set_rhs computes from the open fractions and the
 * sums. */
static void check_sources(const stage *s, const uvec4 *cells, const uvec4 *sums)
{
    float *sources = download(s->world, poisson_get_buffers(s->world->pressure_grid)->right_sides,
                              sparse_count(s), 4);
    float *drifts = download(s->world, s->world->buffers.drift_rhs, sparse_count(s), 4);
    vec4 size = s->params.cell_size;
    float edge = fminf(size.x, fminf(size.y, size.z));
    uint32_t full = 0, cut = 0;
    for (size_t i = 0; i < sparse_count(s); i++) {
        size_t at = dense_of(s, i);
        float share = at == SIZE_MAX ? 0.0f : s->opens[at];
        double level = (double)float_of(cells[i].w), expected = expected_level(s, share, sums[i]);
        double count = sums[i].x ? sums[i].x : 1;
        bool fluid = expected < 0.0;
        /* the shader knows (1 - |level|)^2 / 2 to float precision */
        double slack = 5e-7 / fmin(fmax(1.0 - fabs(expected), 1e-3), 0.05);
        assert_true(fabs(level - expected) <= slack);
        double volume = fluid ? (double)(share * edge * edge) : 0.0;
        double constraint = (int32_t)sums[i].y / (double)SIM_LONG_RANGE_UNITS / count;
        double change = (int32_t)sums[i].z / (double)SIM_LONG_RANGE_UNITS / count;
        double flow =
            volume * change + (fluid ? ref_cell_solid_flow(&s->cells, cells[i], at) : 0.0);
        double motion = fmin(flow, volume * fmax(constraint + (double)SIM_LONG_RANGE_SLACK, 0.0));
        double drift = volume * (double)SIM_LONG_RANGE_DRIFT_FRACTION * constraint;
        assert_true(fluid == (level < 0.0));
        assert_true(fabs((double)sources[i] - motion) <= 1e-6 * volume + 1e-9);
        assert_true(fabs((double)drifts[i] - drift) <= 1e-6 * volume);
        full += fluid;
        cut += fabs(level) > 0.15 && fabs(level) < 0.85;
    }
    assert_true(s->count < MANY || (full > 20 && cut > 10));
    base_free(sources);
    base_free(drifts);
}

static void put_pressures(const stage *s, float *pressures)
{
    for (size_t i = 0; i < sparse_count(s); i++) {
        size_t at = dense_of(s, i);
        pressures[i] = at == SIZE_MAX ? 0.0f : 4e-4f * (base_hash_to_unit(at + 77u) - 0.25f);
    }
    upload(s->world, poisson_get_buffers(s->world->pressure_grid)->solutions, pressures,
           4 * sparse_count(s));
}

/* Returns the value of a dense field in the cell below; 0 outside the domain. */
static float below_of(const stage *s, const float *dense, size_t at, int axis)
{
    const uint32_t *n = s->cells.n;
    const size_t stride = axis == 0 ? 1 : axis == 1 ? n[0] : (size_t)n[0] * n[1];
    const float periods[3] = {s->params.period.x, s->params.period.y, s->params.period.z};
    if (at / stride % n[axis] > 0) return dense[at - stride];
    return periods[axis] > 0 ? dense[at + (n[axis] - 1) * stride] : 0.0f;
}

/* The number of faces of each kind. */
typedef struct faces {
    uint32_t surfaces, sides, walls;
} faces;

/* Computes -grad p on the lower face of a dense cell; returns false where no fluid touches the
 * face. */
static bool slope_on(const stage *s, const float *pressures, size_t at, int axis, float *slope)
{
    const float sizes[3] = {s->params.cell_size.x, s->params.cell_size.y, s->params.cell_size.z};
    float own = s->levels[at], below = below_of(s, s->levels, at, axis), length = sizes[axis];
    *slope = 0.0f;
    if (own >= POISSON_CLOSED || below >= POISSON_CLOSED) return own < 0.0f || below < 0.0f;
    if (own < 0.0f && below >= 0.0f) length *= ref_cell_theta(own, below);
    if (own >= 0.0f && below < 0.0f) length *= ref_cell_theta(below, own);
    *slope = (below_of(s, pressures, at, axis) - pressures[at]) / length;
    return own < 0.0f || below < 0.0f;
}

static void count_face(const stage *s, size_t at, int axis, faces *met)
{
    const size_t strides[3] = {1, s->cells.n[0], (size_t)s->cells.n[0] * s->cells.n[1]};
    float own = s->levels[at], below = below_of(s, s->levels, at, axis);
    bool first = at / strides[axis] % s->cells.n[axis] == 0, fluid = own < 0.0f || below < 0.0f;
    met->walls += fluid && (own >= POISSON_CLOSED || below >= POISSON_CLOSED);
    met->sides += fluid && first && axis == 2;
    met->surfaces += fluid && (own > 0.1f || below > 0.1f);
}

/* Returns whether a wall closes the lower face of a dense cell. */
static bool is_closed(const stage *s, uint32_t shares, size_t at, int axis)
{
    float most = fmaxf(s->levels[at], below_of(s, s->levels, at, axis));
    return (shares & 0xffffu) == 0 || most >= POISSON_CLOSED;
}

/* Returns -grad p between dense cells, and the known faces; pressures of the motion are clamped at
 * 0, and its closed faces have the displacement of the wall. All kinds of partly open faces
 * occur. */
static vec4 *make_slopes(const stage *s, const float *pressures, const uvec4 *cells, bool drifting)
{
    float least = drifting ? -1.0f : 0.0f;
    faces met = {0};
    vec4 *slopes = base_alloc(s->cell_count, sizeof *slopes);
    float *dense = base_alloc(s->cell_count, sizeof *dense);
    assert_true(slopes && dense);
    for (size_t i = 0; i < sparse_count(s); i++)
        if (dense_of(s, i) != SIZE_MAX) dense[dense_of(s, i)] = fmaxf(pressures[i], least);
    for (size_t i = 0; i < sparse_count(s); i++) {
        size_t at = dense_of(s, i);
        if (at == SIZE_MAX) continue;
        const uint32_t shares[3] = {cells[i].x, cells[i].y, cells[i].z};
        float own[3];
        uint32_t known = 0;
        for (int axis = 0; axis < 3; axis++) {
            known |= (uint32_t)slope_on(s, dense, at, axis, &own[axis]) << axis;
            if (shares[axis] & 0xffffu)
                count_face(s, at, axis, &met);
            else
                own[axis] = 0.0f;
            if (!(known >> axis & 1u) || !is_closed(s, shares[axis], at, axis)) continue;
            if (!drifting) own[axis] = ref_cell_solid_way(&s->cells, at, axis, 0.0f);
            known |= SIM_CLOSED_FACE << axis;
        }
        slopes[at] = (vec4){own[0], own[1], own[2], (float)known};
    }
    assert_true(s->count < MANY || (met.surfaces > 10 && met.walls > 0));
    assert_true(s->count < MANY || s->params.planar || met.sides > 10);
    base_free(dense);
    return slopes;
}

static void check_slopes(const stage *s, const vec4 *slopes)
{
    vec4 *found =
        download(s->world, s->world->buffers.pressure_gradients, sparse_count(s), sizeof *found);
    for (size_t i = 0; i < sparse_count(s); i++) {
        if (dense_of(s, i) == SIZE_MAX) continue;
        vec4 wanted = slopes[dense_of(s, i)];
        assert_true(found[i].w == wanted.w);
        for (int axis = 0; axis < 3; axis++) {
            float size = ref_axis_component(wanted, axis),
                  off = ref_axis_component(found[i], axis) - size;
            assert_true(fabsf(off) <= 1e-8f + 1e-5f * fabsf(size));
        }
    }
    base_free(found);
}

/* Checks the n-th pressure gradient and displacement passes; the second ones are those of the
 * drift, and move the starts, too. */
static void check_moves(const stage *s, const float *pressures, const uvec4 *cells, bool drifting)
{
    vec4 *before = download_metres(s->world, s->world->buffers.iterated_positions, s->count);
    vec4 *starts = download_metres(s->world, s->world->buffers.sorted_positions, s->count);
    vec4 *slopes = make_slopes(s, pressures, cells, drifting), g = s->params.gravity;
    float dt2 = s->status.dt * s->status.dt;
    uint32_t first = step_pass(s->world, "pressure_gradient"), moved = 0;
    if (drifting)
        first += 1 + row_of(s->world->passes + first + 1, s->world->pass_count - first - 1,
                            "pressure_gradient");
    uint32_t move = first + row_of(s->world->passes + first, s->world->pass_count - first,
                                   "long_range_move_particles");
    run_step_passes(s->world, first, move);
    check_slopes(s, slopes);
    run_step_passes(s->world, move, move + 1);
    vec4 *after = download_metres(s->world, s->world->buffers.iterated_positions, s->count);
    vec4 *starts_after = download_metres(s->world, s->world->buffers.sorted_positions, s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        vec3 p = {before[i].x, before[i].y, before[i].z};
        ref_cell_slopes all = {slopes, true, {0, 0, 0}};
        if (!drifting)
            all.moved =
                (vec3){before[i].x - starts[i].x + dt2 * g.x, before[i].y - starts[i].y + dt2 * g.y,
                       before[i].z - starts[i].z + dt2 * g.z};
        vec3 way = ref_cell_move(&s->cells, &all, p), still = {0};
        vec3 got = vec3_sub((vec3){after[i].x, after[i].y, after[i].z}, p);
        vec3 start = {starts_after[i].x - starts[i].x, starts_after[i].y - starts[i].y,
                      starts_after[i].z - starts[i].z};
        float size = vec3_length(way);
        if (size > s->params.max_correction) way = vec3_scale(way, s->params.max_correction / size);
        assert_true(vec3_length(vec3_sub(got, way)) <= 1e-6f);
        assert_true(vec3_length(vec3_sub(start, drifting ? way : still)) <= 1e-6f);
        moved += size > 1e-4f;
    }
    assert_true(s->count < MANY || moved > s->count / 2);
    base_free(before);
    base_free(starts);
    base_free(slopes);
    base_free(after);
    base_free(starts_after);
}

/* Checks the friction of walls against the motion's pressure; follows its displacement. */
static void check_friction(const stage *s, const float *pressures, const uvec4 *cells)
{
    vec4 *before = download_metres(s->world, s->world->buffers.iterated_positions, s->count);
    vec4 *starts = download_metres(s->world, s->world->buffers.sorted_positions, s->count);
    vec4 *slopes = make_slopes(s, pressures, cells, false);
    float *dense = base_alloc(s->cell_count, sizeof *dense);
    uint32_t slowed = 0;
    assert_non_null(dense);
    for (size_t i = 0; i < sparse_count(s); i++)
        if (dense_of(s, i) != SIZE_MAX) dense[dense_of(s, i)] = fmaxf(pressures[i], 0.0f);
    run_named(s, "long_range_wall_friction");
    vec4 *after = download_metres(s->world, s->world->buffers.iterated_positions, s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        vec3 p = {before[i].x, before[i].y, before[i].z};
        vec3 start = {starts[i].x, starts[i].y, starts[i].z};
        float pressure = ref_cell_pressure(&s->cells, dense, p);
        ref_cell_slopes open = {slopes, false, {0, 0, 0}};
        vec3 rub =
            ref_wall_rub_pressure(&s->pbf, p, start, pressure, ref_cell_move(&s->cells, &open, p));
        vec3 got = vec3_sub((vec3){after[i].x, after[i].y, after[i].z}, p);
        assert_true(vec3_length(vec3_sub(got, rub)) <= 1e-6f);
        slowed += vec3_length(rub) > 1e-5f;
    }
    assert_true(s->count < MANY || slowed > s->count / 20);
    base_free(before);
    base_free(starts);
    base_free(slopes);
    base_free(dense);
    base_free(after);
}

static void check(sim_world *world, uint32_t count)
{
    stage s;
    enter(&s, world, count);
    ivec4 *a = download(world, world->buffers.iterated_positions, s.count, sizeof *a);
    ivec4 *starts = download(world, world->buffers.sorted_positions, s.count, sizeof *starts);
    tally *tallies = make_tallies(&s, a);
    check_active(&s, tallies);
    run_named(&s, "face_fractions");
    uvec4 *open = download(world, poisson_get_buffers(world->pressure_grid)->cells,
                           sparse_count(&s), sizeof *open);
    check_open(&s, open);
    spread_words(&s, open, s.opens, -1.0f);
    keep_fractions(&s, open, tallies);
    add_changes(&s, a, starts, tallies);
    share_out(&s, a, tallies);
    run_named(&s, "long_range_particles_to_grid");
    uvec4 *sums = download(world, world->buffers.long_range_sums, sparse_count(&s), sizeof *sums);
    check_sums(&s, tallies, sums);
    run_named(&s, "long_range_level_set_rhs");
    uvec4 *cells = download(world, poisson_get_buffers(world->pressure_grid)->cells,
                            sparse_count(&s), sizeof *cells);
    check_sources(&s, cells, sums);
    spread_words(&s, cells, s.levels, 0.0f);
    float *pressures = base_alloc(sparse_count(&s) + 1, sizeof *pressures);
    put_pressures(&s, pressures);
    check_moves(&s, pressures, cells, false);
    check_friction(&s, pressures, cells);
    check_moves(&s, pressures, cells, true);
    base_free(a);
    base_free(starts);
    base_free(tallies);
    base_free(open);
    base_free(cells);
    base_free(sums);
    base_free(pressures);
    leave(&s);
}

static void every_pass_matches_its_reference(void **state)
{
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, MANY};
    for (int w = 0; w < WORLDS; w++)
        for (size_t i = 0; i < BASE_COUNT(sizes); i++)
            check(worlds[w], sizes[i]);
}

/* ---- effect --------------------------------------------------------------------------------- */

static double gauge_of(sim_world *world)
{
    weir_gauge gauge;
    uint32_t count = 1;
    OK(sim_gauges(world, WEIR_ENTIRE_FRAME, &gauge, &count));
    return gauge.value[0];
}

/* The two risks of a solve over long distances: a source with overcompression alone drives the
 * column apart, and a solve that turns density errors into velocity makes it bounce. */
static void a_deep_column_neither_gives_nor_bounces(void **state)
{
    scene_data *scene = make_scene(scene_text("long_range_kernels_column"), NULL);
    sim_world *world = make_sim(devices[PLANE], scene);
    double height = 0.0, speed = 0.0, error = 0.0, pressure_pa = 0.0;
    for (int frame = 0; frame < 60; frame++) {
        weir_stats stats;
        run_frames(world, 1);
        OK(sim_stats(world, &stats));
        double rms = sqrt(2.0 * stats.kinetic_energy_j / world->mass_kg);
        if (frame >= 15) speed = fmax(speed, rms / sqrt(9.81 * 0.04));
        if (frame >= 30) pressure_pa += gauge_of(world) / 30;
        error = fmax(error, stats.density_error_max);
        height = stats.centre_of_mass_m[1] / 1.92;
    }
    double law = pressure_pa / (1000.0 * 9.81 * 1.92);
    print_message("  rms speed %.3f sqrt(g d), largest error %.4f, centre at %.4f, pressure over "
                  "the law %.4f\n",
                  speed, error, height, law);
    assert_true(speed < 0.1);
    assert_true(error < 0.01); /* the iterations alone would give 0.12 at the floor */
    assert_true(fabs(height - 1.0) < 0.01);
    assert_true(fabs(law - 1.0) < 0.03);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static void a_domain_of_too_many_cells_is_refused(void **state)
{
    static const char *const overrides[] = {"domain.max=[400, 400, 400]", "domain.sides={}", NULL};
    scene_data *scene = make_scene(scene_text("long_range_kernels_room"), overrides);
    sim_world *world = NULL;
    assert_int_not_equal(sim_create(devices[PLANE], scene, &world), WEIR_OK);
    assert_null(world);
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pass_matches_its_reference),
        cmocka_unit_test(a_deep_column_neither_gives_nor_bounces),
        cmocka_unit_test(a_domain_of_too_many_cells_is_refused),
    };
    return cmocka_run_group_tests(tests, open_worlds, close_worlds);
}
