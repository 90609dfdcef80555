/* The grid's buffers, kernels and rows. Counting sort after Hoetzlein 2014, made stable by a rank
 * fix; lists in blocks of GRID_LIST_BLOCK particles; two-level cells for domains larger than their
 * fluid. */
#include "grid.h"

#include "shared/grid.h"

static const uint32_t clear_segments_words[] =
#include "grid/clear_segments.comp.inc"
    ;
static const uint32_t mark_words[] =
#include "grid/mark.comp.inc"
    ;
static const uint32_t scan_sum_words[] =
#include "grid/scan_sum.comp.inc"
    ;
static const uint32_t scan_spine_words[] =
#include "grid/scan_spine.comp.inc"
    ;
static const uint32_t scan_apply_words[] =
#include "grid/scan_apply.comp.inc"
    ;
static const uint32_t cells_begin_words[] =
#include "grid/cells_begin.comp.inc"
    ;
static const uint32_t clear_cells_words[] =
#include "grid/clear_cells.comp.inc"
    ;
static const uint32_t count_words[] =
#include "grid/count.comp.inc"
    ;
static const uint32_t scatter_words[] =
#include "grid/scatter.comp.inc"
    ;
static const uint32_t order_words[] =
#include "grid/order.comp.inc"
    ;
static const uint32_t live_words[] =
#include "grid/live.comp.inc"
    ;
static const uint32_t lists_words[] =
#include "grid/lists.comp.inc"
    ;
static const uint32_t lists_texels_words[] =
#include "grid/lists.texels.comp.inc"
    ;

enum {
    CLEAR_SEGMENTS,
    MARK,
    SCAN_SUM,
    SCAN_SPINE,
    SCAN_APPLY,
    CELLS_BEGIN,
    CLEAR_CELLS,
    COUNT,
    SCATTER,
    ORDER,
    LIVE,
    LISTS,
    KERNELS
};

#define SOURCE(words, group) \
#words, "grid/" #words ".comp", words##_words, sizeof words##_words, group

static const struct {
    const char *name, *file;
    const uint32_t *words;
    size_t bytes;
    uint32_t workgroup; /* 0: the device's choice */
} sources[KERNELS] = {
    [CLEAR_SEGMENTS] = {SOURCE(clear_segments, 0)},
    [MARK] = {SOURCE(mark, 0)},
    [SCAN_SUM] = {SOURCE(scan_sum, GRID_SCAN_WORKGROUP)},
    [SCAN_SPINE] = {SOURCE(scan_spine, GRID_SCAN_WORKGROUP)},
    [SCAN_APPLY] = {SOURCE(scan_apply, GRID_SCAN_WORKGROUP)},
    [CELLS_BEGIN] = {SOURCE(cells_begin, 1)},
    [CLEAR_CELLS] = {SOURCE(clear_cells, 0)},
    [COUNT] = {SOURCE(count, 0)},
    [SCATTER] = {SOURCE(scatter, 0)},
    [ORDER] = {SOURCE(order, 0)},
    [LIVE] = {SOURCE(live, 1)},
    [LISTS] = {SOURCE(lists, 0)},
};

struct grid {
    struct grid_params params;
    grid_capacity capacity;
    bool texels;               /* the lists' positions are read as texels */
    bool compact, was_compact; /* lists: now, and in the kernels */
    bool dense;
    uint32_t workgroup;
    gpu_kernel *kernels[KERNELS];
    gpu_buffer *params_buffer, *state, *segments, *segment_sums, *cells, *cell_sums;
    gpu_buffer *keys, *ranks, *slots, *sources, *headers, *lists;
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

/* The corner and the periods in units of places. */
static void lay_out_places(const grid_def *def, struct grid_params *params)
{
    const float low[3] = {def->min.x, def->min.y, def->min.z};
    const float high[3] = {def->max.x, def->max.y, def->max.z};
    const float origin[3] = {def->places.origin.x, def->places.origin.y, def->places.origin.z};
    double unit = (double)def->places.unit, radius = (double)def->radius / unit;
    params->unit = def->places.unit;
    if (params->unit == 0.0f) return;
    params->near2 = (float)(radius * radius);
    for (int axis = 0; axis < 3; axis++) {
        double extent = (double)high[axis] - (double)low[axis];
        *whole(&params->corner, axis) =
            (int32_t)rint(((double)low[axis] - (double)origin[axis]) / unit);
        *whole(&params->place_period, axis) =
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
        if (n < 1.0) n = 1.0;
        if (n > 1e6)
            return base_fail(
                gpu_device_log(device), WEIR_ARGUMENT,
                "the domain is %.0f cells long on axis %d, at most 1000000 are allowed: "
                "make the domain smaller or the particle spacing larger",
                n, axis);
        cells[axis] = (uint32_t)n;
        double size = def->periodic[axis] ? extent / n : edge;
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
    if (segments > (1u << 27) - 8u)
        return base_fail(gpu_device_log(device), WEIR_ARGUMENT,
                         "the domain has %llu x %u x %u cells, more than the grid can number: make "
                         "the domain smaller or the particle spacing larger",
                         (unsigned long long)cells[0], cells[1], cells[2]);
    params->segment_count = (uint32_t)segments;
    params->subdivision = subdivision;
    params->radius = def->radius;
    params->radius2 = def->radius * def->radius;
    lay_out_places(def, params);
    return WEIR_OK;
}

static weir_result create_kernels(gpu_device *device, grid *g)
{
    uint32_t periodic =
        g->params.period.x > 0.0f || g->params.period.y > 0.0f || g->params.period.z > 0.0f;
    uint32_t places = g->params.unit > 0.0f;
    const uint32_t lists_constants[] = {periodic, g->dense, g->compact};
    const uint32_t mark_constants[] = {g->dense, places};
    for (int i = 0; i < KERNELS; i++) {
        gpu_kernel_def def = {
            .name = sources[i].name,
            .words = sources[i].words,
            .word_count = sources[i].bytes / 4,
            .workgroup = sources[i].workgroup ? sources[i].workgroup : g->workgroup,
            .constants = i == LISTS ? lists_constants : mark_constants,
            .constant_count = i == LISTS  ? 3
                              : i == MARK ? 2
                                          : 0,
            .source = sources[i].file,
        };
        if (i == LISTS && g->texels) {
            def.words = lists_texels_words;
            def.source = "grid/lists.texels.comp";
            def.word_count = BASE_COUNT(lists_texels_words);
        }
        WEIR_NEED(gpu_kernel_create(device, &def, &g->kernels[i]));
    }
    return WEIR_OK;
}

static void destroy_kernels(gpu_device *device, grid *g)
{
    for (int i = 0; i < KERNELS; i++)
        gpu_kernel_destroy(device, &g->kernels[i]);
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

/* All are active: each counts those before it. */
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
    WEIR_NEED(create_buffer(device, "slots", 8, n, &g->slots));
    WEIR_NEED(create_buffer(device, "sources", 4, n, &g->sources));
    WEIR_NEED(create_buffer(device, "headers", 4, n, &g->headers));
    uint32_t each = g->compact ? 2 : 4;
    WEIR_NEED(create_buffer(device, "lists", each * g->capacity.list, listed, &g->lists));
    g->params.compact_way = GRID_COMPACT_WAY;
    g->params.segment_capacity = g->capacity.segments;
    g->params.list_capacity = g->capacity.list;
    g->params.particle_capacity = g->capacity.particles;
    WEIR_NEED(gpu_buffer_upload(device, g->params_buffer, 0, &g->params, sizeof g->params));
    if (g->dense) WEIR_NEED(upload_segments(device, g));
    return WEIR_OK;
}

/* Clearing and scanning a cell costs a fiftieth of what a particle gains by two look-ups for a line
 * of cells in place of five; sixteen cells are as much memory as a particle's positions. */
#define DENSE_CELLS 16ull

static bool choose_dense(const grid *g)
{
    uint64_t cells = (g->params.segment_count + 1ull) * GRID_SEGMENT_CELLS;
    return g->capacity.segments > g->params.segment_count &&
           cells <= DENSE_CELLS * g->capacity.particles + 65536;
}

static void destroy_buffers(gpu_device *device, grid *g)
{
    gpu_buffer **all[] = {&g->segments, &g->segment_sums, &g->cells,   &g->cell_sums, &g->keys,
                          &g->ranks,    &g->slots,        &g->sources, &g->headers,   &g->lists};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        gpu_buffer_destroy(device, all[i]);
}

weir_result grid_create(gpu_device *device, const grid_def *def, grid **out)
{
    weir_result result = WEIR_MEMORY;
    *out = NULL;
    grid *g = base_alloc(1, sizeof *g);
    if (!g) return base_fail(gpu_device_log(device), WEIR_MEMORY, "no memory for the grid");
    g->capacity = def->capacity;
    g->texels = def->texels;
    g->compact = g->was_compact = def->compact;
    g->workgroup = gpu_device_workgroup(device);
    WEIR_TRY(lay_out_cells(device, def, 1, &g->params));
    if (g->params.segment_count < HALF_CELL_SEGMENTS / 8)
        WEIR_TRY(lay_out_cells(device, def, 2, &g->params));
    WEIR_TRY(create_buffer(device, "grid_params", sizeof g->params, 1, &g->params_buffer));
    WEIR_TRY(create_buffer(device, "grid_state", sizeof(struct grid_state), 1, &g->state));
    g->dense = choose_dense(g);
    WEIR_TRY(create_buffers(device, g));
    WEIR_TRY(create_kernels(device, g));
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
    base_free(g);
    *pointer = NULL;
}

weir_result grid_grow(gpu_device *device, grid *g, grid_capacity capacity)
{
    weir_result result;
    grid_capacity before = g->capacity;
    destroy_buffers(device, g);
    g->capacity = capacity;
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
    g->capacity = before; /* sizes that can be had */
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

static gpu_domain cell_tile_domain(const grid *g)
{
    gpu_domain domain = counted(g, "cell tiles", gpu_buffer_count(g->cells), GRID_ARGS_CELL_TILES);
    domain.per_invocation = GRID_SCAN_EACH;
    return domain;
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

static gpu_row *begin_row(const grid *g, gpu_row *row, int kernel, gpu_domain domain)
{
    *row = (gpu_row){.kernel = g->kernels[kernel], .domain = domain};
    return row;
}

/* Three rows that turn `data` into its exclusive prefix; `which` is the shaders' row.constant. */
static gpu_row *scan_rows(const grid *g, gpu_row *row, gpu_buffer *data, gpu_buffer *sums,
                          uint32_t which)
{
    gpu_domain domain = which ? cell_tile_domain(g) : segment_domain(g);
    domain.per_invocation = GRID_SCAN_EACH;
    begin_row(g, row, SCAN_SUM, domain)->constant = which;
    gpu_row_use(row, GRID_BIND_STATE, g->state, GPU_BLOCK);
    gpu_row_use(row, GRID_BIND_DATA, data, GPU_GATHER);
    gpu_row_use(row, GRID_BIND_SUMS, sums, GPU_SCATTER);
    begin_row(g, ++row, SCAN_SPINE, one())->constant = which;
    gpu_row_use(row, GRID_BIND_STATE, g->state, GPU_BLOCK);
    gpu_row_use(row, GRID_BIND_SUMS, sums, GPU_REDUCE);
    begin_row(g, ++row, SCAN_APPLY, domain)->constant = which;
    gpu_row_use(row, GRID_BIND_STATE, g->state, GPU_BLOCK);
    gpu_row_use(row, GRID_BIND_DATA, data, GPU_OWN_UPDATE);
    gpu_row_use(row, GRID_BIND_SUMS, sums, GPU_GATHER);
    return row + 1;
}

static gpu_row *mark_rows(const grid *g, gpu_row *row, gpu_buffer *positions)
{
    if (!g->dense) {
        begin_row(g, row, CLEAR_SEGMENTS, segment_domain(g));
        gpu_row_use(row, GRID_BIND_STATE, g->state, GPU_BLOCK);
        gpu_row_use(row, GRID_BIND_SEGMENTS, g->segments, GPU_OWN_WRITE);
        row++;
    }
    begin_row(g, row, MARK, grid_particles(g));
    gpu_row_use(row, GRID_BIND_PARAMS, g->params_buffer, GPU_BLOCK);
    gpu_row_use(row, GRID_BIND_STATE, g->state, GPU_BLOCK);
    gpu_row_use(row, GRID_BIND_POSITIONS, positions, GPU_OWN_READ);
    gpu_row_use(row, GRID_BIND_KEYS, g->keys, GPU_OWN_WRITE);
    gpu_row_use(row, GRID_BIND_SEGMENTS, g->segments, GPU_ATOMIC);
    if (g->dense) return row + 1;
    row->work.atomics = 1;
    return scan_rows(g, row + 1, g->segments, g->segment_sums, 0);
}

static gpu_row *count_rows(const grid *g, gpu_row *row)
{
    begin_row(g, row, CELLS_BEGIN, one())->constant = g->workgroup;
    gpu_row_use(row, GRID_BIND_PARAMS, g->params_buffer, GPU_BLOCK);
    gpu_row_use(row, GRID_BIND_STATE, g->state, GPU_REDUCE);
    gpu_row_use(row, GRID_BIND_SEGMENTS, g->segments, GPU_GATHER);
    begin_row(g, ++row, CLEAR_CELLS, cell_domain(g));
    gpu_row_use(row, GRID_BIND_STATE, g->state, GPU_BLOCK);
    gpu_row_use(row, GRID_BIND_CELLS, g->cells, GPU_OWN_WRITE);
    begin_row(g, ++row, COUNT, grid_particles(g));
    gpu_row_use(row, GRID_BIND_STATE, g->state, GPU_BLOCK);
    gpu_row_use(row, GRID_BIND_KEYS, g->keys, GPU_OWN_READ);
    gpu_row_use(row, GRID_BIND_RANKS, g->ranks, GPU_OWN_WRITE);
    gpu_row_use(row, GRID_BIND_SEGMENTS, g->segments, GPU_GATHER);
    gpu_row_use(row, GRID_BIND_CELLS, g->cells, GPU_ATOMIC);
    row->work.atomics = 1;
    return scan_rows(g, row + 1, g->cells, g->cell_sums, 1);
}

static gpu_row *order_rows(const grid *g, gpu_row *row, gpu_buffer *ids)
{
    begin_row(g, row, SCATTER, grid_particles(g));
    gpu_row_use(row, GRID_BIND_STATE, g->state, GPU_BLOCK);
    gpu_row_use(row, GRID_BIND_KEYS, g->keys, GPU_OWN_READ);
    gpu_row_use(row, GRID_BIND_RANKS, g->ranks, GPU_OWN_READ);
    gpu_row_use(row, GRID_BIND_SEGMENTS, g->segments, GPU_GATHER);
    gpu_row_use(row, GRID_BIND_CELLS, g->cells, GPU_GATHER);
    gpu_row_use(row, GRID_BIND_IDS, ids, GPU_OWN_READ);
    gpu_row_use(row, GRID_BIND_SLOTS, g->slots, GPU_SCATTER);
    begin_row(g, ++row, ORDER, grid_particles(g));
    gpu_row_use(row, GRID_BIND_STATE, g->state, GPU_BLOCK);
    gpu_row_use(row, GRID_BIND_KEYS, g->keys, GPU_GATHER);
    gpu_row_use(row, GRID_BIND_SEGMENTS, g->segments, GPU_GATHER);
    gpu_row_use(row, GRID_BIND_CELLS, g->cells, GPU_GATHER);
    gpu_row_use(row, GRID_BIND_SLOTS, g->slots, GPU_GATHER);
    gpu_row_use(row, GRID_BIND_SOURCES, g->sources, GPU_SCATTER);
    begin_row(g, ++row, LIVE, one())->constant = g->workgroup;
    gpu_row_use(row, GRID_BIND_PARAMS, g->params_buffer, GPU_BLOCK);
    gpu_row_use(row, GRID_BIND_STATE, g->state, GPU_REDUCE);
    gpu_row_use(row, GRID_BIND_SEGMENTS, g->segments, GPU_GATHER);
    gpu_row_use(row, GRID_BIND_CELLS, g->cells, GPU_GATHER);
    return row + 1;
}

uint32_t grid_sort_rows(const grid *g, gpu_buffer *positions, gpu_buffer *ids, gpu_row *rows)
{
    gpu_row *end = mark_rows(g, rows, positions);
    end = count_rows(g, end);
    end = order_rows(g, end, ids);
    WEIR_ASSERT((uint32_t)(end - rows) <= GRID_SORT_ROWS);
    return (uint32_t)(end - rows);
}

uint32_t grid_list_rows(const grid *g, gpu_buffer *positions, gpu_row *rows)
{
    WEIR_ASSERT(g->params.unit > 0.0f);
    gpu_row *row = begin_row(g, rows, LISTS, grid_live(g));
    gpu_row_use(row, GRID_BIND_PARAMS, g->params_buffer, GPU_BLOCK);
    gpu_row_use(row, GRID_BIND_STATE, g->state, GPU_ATOMIC);
    gpu_row_use(row, GRID_BIND_POSITIONS, positions, GPU_GATHER);
    gpu_row_use(row, GRID_BIND_SEGMENTS, g->segments, GPU_GATHER);
    gpu_row_use(row, GRID_BIND_CELLS, g->cells, GPU_GATHER);
    gpu_row_use(row, GRID_BIND_LISTS, g->lists, GPU_OWN_WRITE);
    gpu_row_use(row, GRID_BIND_HEADERS, g->headers, GPU_OWN_WRITE);
    /* 2.5 candidates for a neighbour: a sphere of two half cells' radius touches 84 of them (its
     * Minkowski sum with a cell) and fills 33.5. Eight operations and 16 bytes each. */
    row->work = (gpu_work){
        .flops = 60, .pair_flops = 20, .pair_gathers = 40, .pairs = g->lists, .pair_bytes = 4};
    if (g->compact) row->work.pair_bytes = 2;
    return GRID_LIST_ROWS;
}
