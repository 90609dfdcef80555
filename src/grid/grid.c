/* The grid's buffers, kernels and rows. Counting sort after Hoetzlein 2014, made stable by a rank
 * fix; lists in blocks of GRID_LIST_BLOCK particles; two-level cells for domains larger than their
 * fluid. */
#include "grid.h"

#include "grid/shaders.h"
#include "shared/grid.h"

/* More segments than this are not numbered. */
#define SEGMENTS_MOST ((1u << 27) - 8u)

/* Ids of the specialization constants. */
#define IS(id, name) GRID_IS_##name = (id),
enum { GRID_CONSTANTS(IS, IS) };

struct grid {
    struct grid_params params;
    grid_capacity capacity;
    bool compact, was_compact; /* lists: now, and in the kernels */
    bool dense, by_index;
    gpu_kernel *kernels[GRID_SHADERS]; /* NULL: not of the sort or the lists */
    grid_scan *scan;
    gpu_buffer *params_buffer, *state, *segments, *segment_sums, *cells, *cell_sums;
    gpu_buffer *keys, *ranks, *entries, *sources, *headers, *lists;
};

static int32_t *whole(ivec4 *v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

static float *component(vec4 *v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

/* Segments above which cells are a whole support radius: their table would outweigh the particles.
 */
#define HALF_CELL_SEGMENTS (1u << 21)

/* The corner and the periods in fixed-point units. */
static void lay_out_fixed(const grid_def *def, struct grid_params *params)
{
    const float low[3] = {def->min.x, def->min.y, def->min.z};
    const float high[3] = {def->max.x, def->max.y, def->max.z};
    const float origin[3] = {def->fixed.origin.x, def->fixed.origin.y, def->fixed.origin.z};
    double unit = (double)def->fixed.unit, radius = (double)def->radius / unit;
    params->unit = def->fixed.unit;
    if (params->unit == 0.0f) return;
    params->near2 = (float)(radius * radius);
    for (int axis = 0; axis < 3; axis++) {
        double extent = (double)high[axis] - (double)low[axis];
        *whole(&params->corner, axis) =
            (int32_t)rint(((double)low[axis] - (double)origin[axis]) / unit);
        *whole(&params->fixed_period, axis) =
            def->periodic[axis] ? (int32_t)rint(extent / unit) : 0;
    }
}

/* Cells of at least radius / subdivision that divide a periodic axis evenly. */
static weir_result lay_out_cells(gpu_device *device, const grid_def *def, uint32_t subdivision,
                                 struct grid_params *params)
{
    const float low[3] = {def->min.x, def->min.y, def->min.z};
    const float high[3] = {def->max.x, def->max.y, def->max.z};
    uint32_t cells[3];
    for (int axis = 0; axis < 3; axis++) {
        double extent = (double)high[axis] - (double)low[axis];
        /* A little more, so that rounding never moves a pair at the radius out of reach. */
        double edge = (double)def->radius * (1.0 + 1e-5) / subdivision;
        double n = def->periodic[axis] ? floor(extent / edge) : ceil(extent / edge);
        if (def->cells[axis]) n = def->cells[axis];
        if (n < 1.0) n = 1.0;
        if (n > 1e6)
            return base_fail(
                gpu_device_log(device), WEIR_ARGUMENT,
                "the domain is %.0f cells long on axis %d, at most 1000000 are allowed: "
                "make the domain smaller or the particle spacing larger",
                n, axis);
        cells[axis] = (uint32_t)n;
        double size = def->periodic[axis] || def->cells[axis] ? extent / n : edge;
        *component(&params->origin, axis) = low[axis];
        *component(&params->inverse_cell, axis) = (float)(1.0 / size);
        *component(&params->period, axis) = def->periodic[axis] ? (float)extent : 0.0f;
    }
    params->cells_x = cells[0];
    params->cells_y = cells[1];
    params->cells_z = cells[2];
    params->segments_x = (cells[0] + GRID_SEGMENT_CELLS - 1) / GRID_SEGMENT_CELLS;
    uint64_t tiles = (cells[1] + GRID_TILE_LINES - 1) / GRID_TILE_LINES;
    uint64_t segments = params->segments_x * tiles * GRID_TILE_LINES * cells[2];
    if (segments > SEGMENTS_MOST)
        return base_fail(gpu_device_log(device), WEIR_ARGUMENT,
                         "the domain has %llu x %u x %u cells, which need %llu segments of the "
                         "search grid, and at most %u fit: make the domain smaller or the spacing "
                         "larger",
                         (unsigned long long)cells[0], cells[1], cells[2],
                         (unsigned long long)segments, SEGMENTS_MOST);
    params->segment_count = (uint32_t)segments;
    params->subdivision = subdivision;
    params->radius = def->radius;
    params->radius2 = def->radius * def->radius;
    lay_out_fixed(def, params);
    return WEIR_OK;
}

static const int kernels[] = {GRID_POINTS_BEGIN, GRID_CLEAR_SEGMENTS, GRID_MARK,
                              GRID_CELLS_BEGIN,  GRID_CLEAR_CELLS,    GRID_COUNT,
                              GRID_SCATTER,      GRID_ORDER,          GRID_LISTS};

static weir_result create_kernels(gpu_device *device, grid *g)
{
    vec4 period = g->params.period;
    const uint32_t constants[] = {
        [GRID_IS_PERIODIC] = period.x > 0.0f || period.y > 0.0f || period.z > 0.0f,
        [GRID_IS_DENSE] = g->dense,
        [GRID_IS_COMPACT] = g->compact,
        [GRID_IS_FIXED] = g->params.unit > 0.0f,
        [GRID_IS_BY_INDEX] = g->by_index,
        [GRID_IS_GROUP] = gpu_device_workgroup(device),
    };
    for (size_t i = 0; i < BASE_COUNT(kernels); i++) {
        const gpu_kernel_def def = {.shader = &grid_shaders[kernels[i]],
                                    .constants = constants,
                                    .constant_count = BASE_COUNT(constants)};
        WEIR_NEED(gpu_kernel_create(device, &def, &g->kernels[kernels[i]]));
    }
    return WEIR_OK;
}

static void destroy_kernels(gpu_device *device, grid *g)
{
    for (size_t i = 0; i < BASE_COUNT(kernels); i++)
        gpu_kernel_destroy(device, &g->kernels[kernels[i]]);
}

static uint64_t tiles(uint64_t elements)
{
    return (elements + GRID_SCAN_TILE - 1) / GRID_SCAN_TILE;
}

static weir_result create_buffer(gpu_device *device, const char *name, uint32_t stride,
                                 uint64_t count, gpu_buffer **buffer)
{
    gpu_buffer_def def = {.name = name, .stride = stride, .count = count};
    return gpu_buffer_create(device, &def, buffer);
}

/* All segments are active: each counts those before it. */
static weir_result upload_segments(gpu_device *device, grid *g)
{
    uint32_t count = g->params.segment_count + 2u;
    uint32_t *before = base_alloc(count, sizeof *before);
    if (!before) return base_fail(gpu_device_log(device), WEIR_MEMORY, "no memory for the grid");
    for (uint32_t i = 0; i < count; i++)
        before[i] = i;
    weir_result result = gpu_buffer_upload(device, g->segments, 0, before, count * sizeof *before);
    base_free(before);
    return result;
}

uint64_t grid_particle_bytes(uint32_t list, bool compact)
{
    uint64_t key = 4, rank = 4, entry = 8, source = 4, header = 4;
    return key + rank + entry + source + header + (compact ? 2ull : 4ull) * list;
}

static weir_result create_buffers(gpu_device *device, grid *g)
{
    uint64_t n = g->capacity.particles, segments = g->params.segment_count + 2ull;
    uint64_t cells = (uint64_t)g->capacity.segments * GRID_SEGMENT_CELLS + 1;
    uint64_t listed = (n + 255) / 256 * 256;
    WEIR_NEED(create_buffer(device, "segments", 4, segments, &g->segments));
    WEIR_NEED(create_buffer(device, "segment_sums", 4, tiles(segments), &g->segment_sums));
    WEIR_NEED(create_buffer(device, "cells", 4, cells, &g->cells));
    WEIR_NEED(create_buffer(device, "cell_sums", 4, tiles(cells), &g->cell_sums));
    WEIR_NEED(create_buffer(device, "keys", 4, n, &g->keys));
    WEIR_NEED(create_buffer(device, "ranks", 4, n, &g->ranks));
    WEIR_NEED(create_buffer(device, "entries", 8, n, &g->entries));
    WEIR_NEED(create_buffer(device, "sources", 4, n, &g->sources));
    WEIR_NEED(create_buffer(device, "headers", 4, n, &g->headers));
    uint32_t each = (g->compact ? 2 : 4) * g->capacity.list;
    WEIR_NEED(create_buffer(device, "lists", each ? each : 4, each ? listed : 1, &g->lists));
    g->params.compact_way = GRID_COMPACT_WAY;
    g->params.segment_capacity = g->capacity.segments;
    g->params.list_capacity = g->capacity.list;
    g->params.particle_capacity = g->capacity.particles;
    WEIR_NEED(gpu_buffer_upload(device, g->params_buffer, 0, &g->params, sizeof g->params));
    if (g->dense) WEIR_NEED(upload_segments(device, g));
    return WEIR_OK;
}

/* A dense grid finds a line of cells by two look-ups instead of five: a particle gains fifty times
 * what clearing and scanning a cell costs. Sixteen cells take as much memory as a particle's
 * positions. */
#define DENSE_CELLS 16ull

static bool choose_dense(const grid *g)
{
    uint64_t cells = (g->params.segment_count + 1ull) * GRID_SEGMENT_CELLS;
    return g->capacity.segments > g->params.segment_count &&
           cells <= DENSE_CELLS * g->capacity.particles + 65536;
}

/* A particle makes one segment active; the dead have one of their own. */
static grid_capacity settle(const grid *g, grid_capacity capacity)
{
    uint32_t all = g->params.segment_count + 1u;
    uint32_t most = capacity.particles < all ? capacity.particles : all;
    if (capacity.segments == 0) capacity.segments = most;
    return capacity;
}

static void destroy_buffers(gpu_device *device, grid *g)
{
    gpu_buffer **all[] = {&g->segments, &g->segment_sums, &g->cells,   &g->cell_sums, &g->keys,
                          &g->ranks,    &g->entries,      &g->sources, &g->headers,   &g->lists};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        gpu_buffer_destroy(device, all[i]);
}

weir_result grid_create(gpu_device *device, const grid_def *def, grid **out)
{
    weir_result result = WEIR_MEMORY;
    *out = NULL;
    grid *g = base_alloc(1, sizeof *g);
    if (!g) return base_fail(gpu_device_log(device), WEIR_MEMORY, "no memory for the grid");
    g->by_index = def->by_index;
    g->compact = g->was_compact = def->compact;
    WEIR_TRY(lay_out_cells(device, def, 1, &g->params));
    if (g->params.segment_count < HALF_CELL_SEGMENTS / 8)
        WEIR_TRY(lay_out_cells(device, def, 2, &g->params));
    WEIR_TRY(create_buffer(device, "grid_params", sizeof g->params, 1, &g->params_buffer));
    WEIR_TRY(create_buffer(device, "grid_state", sizeof(struct grid_state), 1, &g->state));
    g->capacity = settle(g, def->capacity);
    g->dense = choose_dense(g);
    WEIR_TRY(create_buffers(device, g));
    WEIR_TRY(create_kernels(device, g));
    WEIR_TRY(grid_scan_create(device, &g->scan));
    *out = g;
    return WEIR_OK;
fail:
    grid_destroy(device, &g);
    return result;
}

void grid_destroy(gpu_device *device, grid **pointer)
{
    grid *g = *pointer;
    if (!g) return;
    destroy_buffers(device, g);
    gpu_buffer_destroy(device, &g->params_buffer);
    gpu_buffer_destroy(device, &g->state);
    destroy_kernels(device, g);
    grid_scan_destroy(device, &g->scan);
    base_free(g);
    *pointer = NULL;
}

weir_result grid_grow(gpu_device *device, grid *g, grid_capacity capacity)
{
    weir_result result;
    grid_capacity before = g->capacity;
    destroy_buffers(device, g);
    g->capacity = settle(g, capacity);
    bool dense = choose_dense(g), changed = dense != g->dense || g->compact != g->was_compact;
    g->dense = dense;
    g->was_compact = g->compact;
    WEIR_TRY(create_buffers(device, g));
    if (changed) {
        destroy_kernels(device, g);
        WEIR_TRY(create_kernels(device, g));
    }
    return WEIR_OK;
fail:
    g->capacity = before; /* sizes for which there is memory */
    return result;
}

bool grid_is_dense(const grid *g)
{
    return g->dense;
}

bool grid_is_compact(const grid *g)
{
    return g->compact;
}

void grid_widen(grid *g)
{
    g->compact = false;
}

gpu_buffer *grid_state_buffer(const grid *g)
{
    return g->state;
}
gpu_buffer *grid_params_buffer(const grid *g)
{
    return g->params_buffer;
}
gpu_buffer *grid_sources(const grid *g)
{
    return g->sources;
}
gpu_buffer *grid_segments(const grid *g)
{
    return g->segments;
}
gpu_buffer *grid_cells(const grid *g)
{
    return g->cells;
}
gpu_buffer *grid_lists(const grid *g)
{
    return g->lists;
}
gpu_buffer *grid_headers(const grid *g)
{
    return g->headers;
}
grid_capacity grid_get_capacity(const grid *g)
{
    return g->capacity;
}
uint32_t grid_segment_count(const grid *g)
{
    return g->params.segment_count;
}

uint64_t grid_table_bytes(const grid *g)
{
    return gpu_buffer_size(g->segments) + gpu_buffer_size(g->segment_sums) +
           gpu_buffer_size(g->cells) + gpu_buffer_size(g->cell_sums);
}

/* ---- rows ----------------------------------------------------------------------------------- */

static gpu_domain counted(const grid *g, const char *name, uint64_t most, uint32_t arguments)
{
    return (gpu_domain){
        .name = name, .count = most, .arguments = g->state, .argument_offset = arguments * 12u};
}

gpu_domain grid_particles(const grid *g)
{
    return counted(g, "particles", g->capacity.particles, GRID_ARGS_PARTICLES);
}

gpu_domain grid_live(const grid *g)
{
    return counted(g, "live particles", g->capacity.particles, GRID_ARGS_LIVE);
}

static gpu_domain cell_domain(const grid *g)
{
    return counted(g, "cells", gpu_buffer_count(g->cells), GRID_ARGS_CELLS);
}

static gpu_domain segment_domain(const grid *g)
{
    return (gpu_domain){.name = "segments", .count = gpu_buffer_count(g->segments)};
}

uint64_t grid_domain_elements(const gpu_domain *domain, const struct grid_state *state)
{
    if (!domain->arguments) return domain->count;
    switch (domain->argument_offset / 12u) {
    case GRID_ARGS_PARTICLES: return state->count;
    case GRID_ARGS_LIVE: return state->live;
    default: return state->cell_scan;
    }
}

static gpu_domain one(void)
{
    return (gpu_domain){.name = "one", .count = 1};
}

/* A row of the sort or of the lists; `bound`: buffers of the grid, and of its caller. */
static gpu_row make_row(const grid *g, int kernel, gpu_domain domain, gpu_buffer *const *bound)
{
    gpu_row row = gpu_row_make(g->kernels[kernel], domain);
    gpu_row_bind_all(&row, bound, GRID_BINDINGS);
    return row;
}

static void bind_own(const grid *g, gpu_buffer *bound[GRID_BINDINGS])
{
    bound[GRID_BIND_grid] = g->params_buffer;
    bound[GRID_BIND_state] = g->state;
    bound[GRID_BIND_keys] = g->keys;
    bound[GRID_BIND_ranks] = g->ranks;
    bound[GRID_BIND_segments] = g->segments;
    bound[GRID_BIND_cell_starts] = g->cells;
    bound[GRID_BIND_entries] = g->entries;
    bound[GRID_BIND_sources] = g->sources;
    bound[GRID_BIND_lists] = g->lists;
    bound[GRID_BIND_headers] = g->headers;
}

#define STATE_WORD(member) (offsetof(struct grid_state, member) / sizeof(uint32_t))

static uint32_t scan_segments(const grid *g, gpu_row *rows)
{
    const grid_scan_def def = {.data = g->segments,
                               .sums = g->segment_sums,
                               .lengths = g->state,
                               .length_word = STATE_WORD(segment_scan),
                               .tiles = segment_domain(g)};
    return grid_scan_rows(g->scan, &def, rows);
}

static uint32_t scan_cells(const grid *g, gpu_row *rows)
{
    const grid_scan_def def = {
        .data = g->cells,
        .sums = g->cell_sums,
        .lengths = g->state,
        .length_word = STATE_WORD(cell_scan),
        .tiles = counted(g, "cell tiles", gpu_buffer_count(g->cells), GRID_ARGS_CELL_TILES)};
    return grid_scan_rows(g->scan, &def, rows);
}

uint32_t grid_sort_rows(const grid *g, gpu_buffer *positions, gpu_buffer *ids, gpu_row *rows)
{
    uint32_t n = 0;
    gpu_domain all = grid_particles(g);
    gpu_buffer *bound[GRID_BINDINGS] = {[GRID_BIND_positions] = positions};
    bind_own(g, bound);
    bound[GRID_BIND_ids] = g->by_index ? g->keys : ids;
    if (!g->dense) rows[n++] = make_row(g, GRID_CLEAR_SEGMENTS, segment_domain(g), bound);
    rows[n++] = make_row(g, GRID_MARK, all, bound);
    if (!g->dense) {
        rows[n - 1].work.atomics = 1;
        n += scan_segments(g, rows + n);
    }
    rows[n++] = make_row(g, GRID_CELLS_BEGIN, one(), bound);
    rows[n++] = make_row(g, GRID_CLEAR_CELLS, cell_domain(g), bound);
    rows[n++] = make_row(g, GRID_COUNT, all, bound);
    rows[n - 1].work.atomics = 1;
    n += scan_cells(g, rows + n);
    rows[n++] = make_row(g, GRID_SCATTER, all, bound);
    rows[n++] = make_row(g, GRID_ORDER, all, bound);
    WEIR_ASSERT(n <= GRID_SORT_ROWS);
    return n;
}

uint32_t grid_point_rows(const grid *g, const grid_points *points, gpu_row *rows)
{
    gpu_buffer *bound[GRID_BINDINGS] = {0};
    WEIR_ASSERT(points->count <= g->capacity.particles);
    bind_own(g, bound);
    rows[0] = make_row(g, GRID_POINTS_BEGIN, one(), bound);
    rows[0].constant = points->count;
    return 1u + grid_sort_rows(g, points->position, points->id, rows + 1);
}

uint32_t grid_list_rows(const grid *g, gpu_buffer *positions, gpu_row *rows)
{
    gpu_buffer *bound[GRID_BINDINGS] = {[GRID_BIND_sorted_positions] = positions};
    WEIR_ASSERT(g->params.unit > 0.0f);
    bind_own(g, bound);
    rows[0] = make_row(g, GRID_LISTS, grid_live(g), bound);
    rows[0].work.pairs = g->lists;
    rows[0].work.pair_bytes = g->compact ? 2 : 4;
    return GRID_LIST_ROWS;
}
