/* Tests the surface tension of FLIP and APIC: the curvature of the surface, its pressure, and the
 * jumps that it makes in the pressure equation, against their reference. */
#include "flip_support.h"
#include "scene_text.h"
#include "two_worlds.h"

#define FRAME_S (1.0 / 120.0)
#define MANY 1500u

static int open_worlds(void **state)
{
    (void)state;
    return open_two_worlds(scene_text("flip_tension_room"), scene_text("flip_tension_plane"));
}

/* ---- reference ------------------------------------------------------------------------------ */

typedef struct pair {
    double first, second;
} pair;

/* Dense fields of the cells. Where no block is active, there is no fluid, and all is open. */
typedef struct fields {
    const stage *s;
    bool *active;
    uvec4 *cells;       /* with open fractions */
    float *fills;       /* fill fractions */
    vec4 *coefficients; /* w: each particle counted by its tension */
    pair *curvatures;   /* times the weight; weight */
    bool several;
} fields;

static bool is_outside(const fields *f, const int at[3], bool *closed)
{
    const struct sim_params *p = &f->s->params;
    const float periods[3] = {p->period.x, p->period.y, p->period.z};
    bool outside = false;
    *closed = false;
    for (int axis = 0; axis < 3; axis++) {
        bool low = at[axis] < 0, high = at[axis] >= (int)f->s->flip.n[axis];
        if ((!low && !high) || periods[axis] > 0.0f) continue;
        outside = true;
        *closed |= (p->sides >> (4 * axis + (high ? 2 : 0)) & 3u) == 0;
    }
    return outside;
}

/* first: fill, each particle counted by its tension; second: open fraction. */
static pair cell_value(const fields *f, const int at[3])
{
    bool closed;
    if (is_outside(f, at, &closed)) return (pair){0.0, closed ? 0.0 : 1.0};
    size_t i = ref_flip_index(&f->s->flip, at);
    if (!f->active[i]) return (pair){0.0, 1.0};
    return (pair){(double)(f->several ? f->coefficients[i].w : f->fills[i]),
                  float_of(f->cells[i].w)};
}

static pair cell_curvature(const fields *f, const int at[3])
{
    bool closed;
    if (is_outside(f, at, &closed)) return (pair){0.0, 0.0};
    return f->curvatures[ref_flip_index(&f->s->flip, at)];
}

/* Smooths by 1/4 1/2 1/4 along each axis. */
static pair smooth(const fields *f, const int at[3], pair (*value)(const fields *, const int[3]))
{
    pair sum = {0.0, 0.0};
    for (int k = 0; k < 27; k++) {
        const int way[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        if (f->s->params.planar && way[2] != 0) continue;
        const int to[3] = {at[0] + way[0], at[1] + way[1], at[2] + way[2]};
        double weight = 1.0;
        for (int axis = 0; axis < (f->s->params.planar ? 2 : 3); axis++)
            weight *= way[axis] == 0 ? 0.5 : 0.25;
        pair one = value(f, to);
        sum.first += weight * one.first;
        sum.second += weight * one.second;
    }
    return sum;
}

static double smoothed_fill(const fields *f, const int at[3])
{
    pair sum = smooth(f, at, cell_value);
    return sum.second > 0.0 ? sum.first / sum.second : 0.0;
}

static void corner_slope(const fields *f, const int low[3], double slope[3])
{
    const struct sim_params *p = &f->s->params;
    const double sizes[3] = {(double)p->cell_size.x, (double)p->cell_size.y,
                             (double)p->cell_size.z};
    int count = p->planar ? 4 : 8;
    slope[0] = slope[1] = slope[2] = 0.0;
    for (int k = 0; k < count; k++) {
        const int upper[3] = {k & 1, k >> 1 & 1, k >> 2 & 1};
        const int to[3] = {low[0] + upper[0], low[1] + upper[1], low[2] + upper[2]};
        double fill = smoothed_fill(f, to);
        for (int axis = 0; axis < (p->planar ? 2 : 3); axis++)
            slope[axis] += (2 * upper[axis] - 1) * fill * 2.0 / (count * sizes[axis]);
    }
}

static bool holds_air(const fields *f, const int at[3])
{
    bool closed;
    if (is_outside(f, at, &closed)) return true;
    size_t i = ref_flip_index(&f->s->flip, at);
    return !f->active[i] || (double)f->fills[i] < 0.5 * float_of(f->cells[i].w);
}

static bool is_near_air(const fields *f, const int at[3])
{
    bool found = holds_air(f, at);
    for (int side = 0; side < (f->s->params.planar ? 4 : 6); side++) {
        int to[3] = {at[0], at[1], at[2]};
        to[side / 2] += side % 2 ? 1 : -1;
        found |= holds_air(f, to);
    }
    return found;
}

static double cell_tension(const fields *f, const int at[3])
{
    size_t i = ref_flip_index(&f->s->flip, at);
    if (!f->several) return 1.0;
    double tense = (double)f->coefficients[i].w, fill = (double)f->fills[i];
    for (int side = 0; side < 6 && fill <= (double)SIM_MAC_MIN_WEIGHT; side++) {
        int to[3] = {at[0], at[1], at[2]};
        bool closed;
        to[side / 2] += side % 2 ? 1 : -1;
        if (is_outside(f, to, &closed)) continue;
        size_t other = ref_flip_index(&f->s->flip, to);
        tense += (double)f->coefficients[other].w;
        fill += (double)f->fills[other];
    }
    return fill > 0.0 ? tense / fill : 0.0;
}

static pair curvature_at(const fields *f, const int at[3])
{
    const struct sim_params *p = &f->s->params;
    const double sizes[3] = {(double)p->cell_size.x, (double)p->cell_size.y,
                             (double)p->cell_size.z};
    double edge = fmin(sizes[0], fmin(sizes[1], sizes[2])), directions = p->planar ? 1.0 : 2.0;
    double divergence = 0.0, sum[3] = {0.0, 0.0, 0.0};
    int count = p->planar ? 4 : 8, axes = p->planar ? 2 : 3;
    for (int k = 0; k < count; k++) {
        const int upper[3] = {k & 1, k >> 1 & 1, k >> 2 & 1};
        const int low[3] = {at[0] - 1 + upper[0], at[1] - 1 + upper[1],
                            p->planar ? at[2] : at[2] - 1 + upper[2]};
        double slope[3];
        corner_slope(f, low, slope);
        double size = sqrt(slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2]);
        for (int axis = 0; axis < axes; axis++) {
            sum[axis] += slope[axis] / count;
            if (size > 0.0)
                divergence +=
                    2.0 / count * slope[axis] / size * (2 * upper[axis] - 1) / sizes[axis];
        }
    }
    double size = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]), weight = size * edge;
    if (weight < (double)SIM_SURFACE_MIN_SLOPE) return (pair){0.0, 0.0};
    double curvature = fmin(fmax(-divergence, -directions / edge), directions / edge);
    if (!f->several || is_near_air(f, at)) {
        double fill = smoothed_fill(f, at), tension = cell_tension(f, at);
        if (!(tension > 0.0)) return (pair){0.0, 0.0};
        double outside = fmin(fmax((0.5 * tension - fill) / size, -2.0 * edge), 2.0 * edge);
        curvature /= fmax(1.0 - outside * curvature / directions, 0.5);
        weight *= fmax(4.0 * fill * (tension - fill) / (tension * tension), 0.0);
    }
    return (pair){weight * weight * curvature, weight * weight};
}

/* Returns the pressure of the largest surface tension, m2/s. */
static double surface_pressure(const fields *f, const int at[3])
{
    pair sum = smooth(f, at, cell_curvature);
    double factor = (double)(f->s->status.dt * f->s->params.max_tension) /
                    (double)f->s->params.fluids[0].density;
    return sum.second > 0.0 ? factor * sum.first / sum.second : 0.0;
}

/* ---- checks --------------------------------------------------------------------------------- */

static fields read_fields(const stage *s, bool several)
{
    const poisson_buffers *grid = poisson_get_buffers(s->world->pressure_grid);
    fields f = {.s = s,
                .active = base_alloc(s->cell_count, sizeof(bool)),
                .cells = spread(s, grid->cells, sizeof(uvec4)),
                .fills = spread(s, s->world->buffers.fill_fractions, sizeof(float)),
                .coefficients = several ? spread(s, grid->face_coefficients, sizeof(vec4)) : NULL,
                .curvatures = base_alloc(s->cell_count, sizeof(pair)),
                .several = several};
    assert_true(f.active && f.curvatures);
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        if (cell_at(s, i, at)) f.active[ref_flip_index(&s->flip, at)] = true;
    }
    return f;
}

static void free_fields(fields *f)
{
    void *arrays[] = {f->active, f->cells, f->fills, f->coefficients, f->curvatures};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

static void check_curvatures(fields *f)
{
    const stage *s = f->s;
    uint32_t curved = 0, plain = 0;
    run_named(s, "flip_surface_curvature");
    vec2 *got = download(s->world, s->world->buffers.curvatures, sparse_count(s), sizeof *got);
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        if (!cell_at(s, i, at)) continue;
        pair wanted = curvature_at(f, at);
        near("weight", at, (double)got[i].y, wanted.second, 2e-4);
        near("curvature", at, (double)got[i].x, wanted.first, 2e-3 * (1.0 + wanted.second));
        f->curvatures[ref_flip_index(&s->flip, at)] = (pair){(double)got[i].x, (double)got[i].y};
        curved += wanted.second > 0.01;
        plain += wanted.second == 0.0;
    }
    assert_true(curved > 30 && plain > 30);
    base_free(got);
}

static void check_pressures(const fields *f)
{
    const stage *s = f->s;
    run_named(s, "flip_surface_pressure");
    vec2 *got =
        download(s->world, s->world->buffers.surface_pressures, sparse_count(s), sizeof *got);
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        if (!cell_at(s, i, at)) continue;
        double wanted = surface_pressure(f, at);
        near("pressure", at, (double)got[i].x, wanted, 1e-4 * (1e-4 + fabs(wanted)));
        near("tension", at, (double)got[i].y, cell_tension(f, at), 1e-5);
    }
    base_free(got);
}

/* Returns what cell `i` sees of its neighbour's pressure by surface tension, as in
 * shaders/lib/mac/surface_tension.glsl. */
static double jump_to(const uvec4 *cells, const vec2 *pressures, bool several, size_t i,
                      size_t other)
{
    vec2 own = pressures[i], beside = pressures[other];
    double level = float_of(cells[other].w), depth = float_of(cells[i].w);
    if (level < 0.0) return several ? 0.5 * (double)((own.x + beside.x) * (own.y - beside.y)) : 0.0;
    double share = fmax(depth / (depth - level), (double)POISSON_MIN_THETA);
    return (double)own.y * ((1.0 - share) * (double)own.x + share * (double)beside.x);
}

/* Checks the right-hand side of the cells all of whose neighbours lie in active blocks of the
 * domain. */
static void check_source(const fields *f)
{
    const stage *s = f->s;
    const poisson_buffers *grid = poisson_get_buffers(s->world->pressure_grid);
    const vec4 size = s->params.cell_size;
    const float sizes[3] = {size.x, size.y, size.z};
    float edge = fminf(sizes[0], fminf(sizes[1], sizes[2]));
    run_named(s, "flip_level_set");
    uvec4 *cells = spread(s, grid->cells, sizeof *cells);
    vec2 *pressures = spread(s, s->world->buffers.surface_pressures, sizeof *pressures);
    float *zeros = base_alloc(sparse_count(s), sizeof *zeros);
    assert_non_null(zeros);
    upload(s->world, grid->right_sides, zeros, sparse_count(s) * sizeof *zeros);
    run_named(s, "flip_surface_source");
    float *got = download(s->world, grid->right_sides, sparse_count(s), sizeof *got);
    uint32_t checked = 0;
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3], sides = s->params.planar ? 4 : 6;
        if (!cell_at(s, i, at)) continue;
        size_t own = ref_flip_index(&s->flip, at);
        double wanted = 0.0;
        bool whole = true, closed;
        for (int side = 0; side < sides && float_of(cells[own].w) < 0.0; side++) {
            int to[3] = {at[0], at[1], at[2]}, axis = side / 2;
            to[axis] += side % 2 ? 1 : -1;
            size_t other = ref_flip_index(&s->flip, to);
            whole = whole && !is_outside(f, to, &closed) && f->active[other];
            double level = float_of(cells[other].w), depth = float_of(cells[own].w);
            if (!whole || level >= (double)POISSON_CLOSED) continue;
            double weight =
                ref_flip_open(&(ref_flip){.pbf = s->flip.pbf,
                                          .n = {s->flip.n[0], s->flip.n[1], s->flip.n[2]},
                                          .cells = cells},
                              at, side) *
                (double)(edge * edge / (sizes[axis] * sizes[axis]));
            if (f->several)
                weight *= (double)ref_axis_component(f->coefficients[side % 2 ? other : own], axis);
            if (level >= 0.0) weight /= fmax(depth / (depth - level), (double)POISSON_MIN_THETA);
            wanted += weight * jump_to(cells, pressures, f->several, own, other);
        }
        if (!whole) continue;
        near("source", at, (double)got[i], wanted, 1e-3 * (1e-6 + fabs(wanted)));
        checked += wanted != 0.0;
    }
    assert_true(checked > 20);
    void *arrays[] = {cells, pressures, zeros, got};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

static void check_world(sim_world *world, bool several)
{
    stage s;
    place(world, MANY);
    if (several) {
        ivec4 *x = download(world, world->buffers.positions, MANY, sizeof *x);
        for (uint32_t i = 0; i < MANY; i++)
            x[i].w = (int32_t)(i / 60 % 3);
        upload(world, world->buffers.positions, x, MANY * sizeof *x);
        base_free(x);
    }
    enter_gather(&s, world, FRAME_S);
    run_named(&s, "flip_p2g");
    fields f = read_fields(&s, several);
    check_curvatures(&f);
    check_pressures(&f);
    check_source(&f);
    free_fields(&f);
    leave(&s);
}

static void every_pass_matches_its_reference_in_space(void **state)
{
    (void)state;
    check_world(worlds[ROOM], true);
}

static void every_pass_matches_its_reference_in_the_plane(void **state)
{
    (void)state;
    check_world(worlds[PLANE], false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pass_matches_its_reference_in_space),
        cmocka_unit_test(every_pass_matches_its_reference_in_the_plane),
    };
    return cmocka_run_group_tests(tests, open_worlds, close_worlds);
}
