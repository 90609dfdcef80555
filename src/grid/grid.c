/* The grid's buffers, pipelines and passes. A counting sort after Hoetzlein 2014, made stable by
 * sorting within bins; lists in blocks of GRID_LIST_INTERLEAVE particles; two-level bins for
 * domains larger than their fluid. */
#include "grid.h"

#include "grid/shaders.h"
#include "shared/grid.h"

/* Maximum number of segments of a domain. */
#define MAX_SEGMENTS ((1u << 27) - 8u)

/* Ids of the specialization constants. */
#define IS(id, name) GRID_CONSTANT_##name = (id),
enum { GRID_CONSTANTS(IS, IS) };

struct grid {
    struct grid_params params;
    struct grid_parts parts;
    grid_capacity capacity;
    bool compact, built_compact; /* lists: now, and in the pipelines */
    bool built_cut;              /* the pipelines are those of a rank's parts */
    bool dense, by_index;
    gpu_pipeline *pipelines[GRID_SHADERS]; /* NULL: not a shader of the sort or the lists */
    grid_scan *scan;
    gpu_buffer *params_buffer, *parts_buffer, *state, *segments, *segment_scan_sums, *cells,
        *bin_scan_sums;
    gpu_buffer *bin_keys, *bin_ranks, *unsorted_entries, *sort_sources, *neighbour_headers,
        *neighbour_lists;
};

static int32_t *round_fixed_component(ivec4 *v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

static float *vec4_component(vec4 *v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

/* With more segments than this, bins are a whole support radius wide, because the table of
 * half-width bins would take more memory than the particles. */
#define MAX_HALF_BIN_SEGMENTS (1u << 21)

/* Sets the corners and the periods in fixed-point units. */
static void set_fixed_point(const grid_def *def, struct grid_params *params)
{
    const float low[3] = {def->min.x, def->min.y, def->min.z};
    const float high[3] = {def->max.x, def->max.y, def->max.z};
    const float origin[3] = {def->fixed.origin.x, def->fixed.origin.y, def->fixed.origin.z};
    double unit = (double)def->fixed.unit, radius = (double)def->radius / unit;
    params->unit = def->fixed.unit;
    if (params->unit == 0.0f) return;
    params->radius2_units = (float)(radius * radius);
    for (int axis = 0; axis < 3; axis++) {
        double extent = (double)high[axis] - (double)low[axis];
        *round_fixed_component(&params->corner, axis) =
            (int32_t)rint(((double)low[axis] - (double)origin[axis]) / unit);
        *round_fixed_component(&params->fixed_period, axis) =
            def->periodic[axis] ? (int32_t)rint(extent / unit) : 0;
    }
}

/* Chooses bins of at least radius / subdivision that divide a periodic axis evenly. */
static weir_result choose_bins(gpu_device *device, const grid_def *def, uint32_t subdivision,
                               struct grid_params *params)
{
    const float low[3] = {def->min.x, def->min.y, def->min.z};
    const float high[3] = {def->max.x, def->max.y, def->max.z};
    uint32_t cells[3];
    for (int axis = 0; axis < 3; axis++) {
        double extent = (double)high[axis] - (double)low[axis];
        /* Slightly larger, so that rounding never puts a pair at the support radius out of
         * reach. */
        double edge = (double)def->radius * (1.0 + 1e-5) / subdivision;
        double n = def->periodic[axis] ? floor(extent / edge) : ceil(extent / edge);
        if (def->cells[axis]) n = def->cells[axis];
        if (n < 1.0) n = 1.0;
        if (n > 1e6)
            return base_fail(
                gpu_device_log(device), WEIR_ERROR_ARGUMENT,
                "the domain is %.0f cells long on axis %d, at most 1000000 are allowed: "
                "make the domain smaller or the particle spacing larger",
                n, axis);
        cells[axis] = (uint32_t)n;
        double size = def->periodic[axis] || def->cells[axis] ? extent / n : edge;
        *vec4_component(&params->origin, axis) = low[axis];
        *vec4_component(&params->inverse_bin_size, axis) = (float)(1.0 / size);
        *vec4_component(&params->period, axis) = def->periodic[axis] ? (float)extent : 0.0f;
    }
    params->bins_x = cells[0];
    params->bins_y = cells[1];
    params->bins_z = cells[2];
    params->segments_x = (cells[0] + GRID_SEGMENT_BINS - 1) / GRID_SEGMENT_BINS;
    uint64_t tiles = (cells[1] + GRID_TILE_LINES - 1) / GRID_TILE_LINES;
    uint64_t segments = params->segments_x * tiles * GRID_TILE_LINES * cells[2];
    if (segments > MAX_SEGMENTS)
        return base_fail(gpu_device_log(device), WEIR_ERROR_ARGUMENT,
                         "the domain has %llu x %u x %u cells, which need %llu segments of the "
                         "search grid, and at most %u fit: make the domain smaller or the spacing "
                         "larger",
                         (unsigned long long)cells[0], cells[1], cells[2],
                         (unsigned long long)segments, MAX_SEGMENTS);
    params->segment_count = (uint32_t)segments;
    params->subdivision = subdivision;
    params->radius = def->radius;
    params->radius2 = def->radius * def->radius;
    set_fixed_point(def, params);
    return WEIR_OK;
}

static const int shaders[] = {GRID_POINT_DISPATCH_ARGS, GRID_CLEAR_ACTIVE_BIN_SEGMENTS,
                              GRID_COMPUTE_BIN_KEYS,    GRID_BIN_DISPATCH_ARGS,
                              GRID_CLEAR_BINS,          GRID_COUNT_BINS,
                              GRID_COUNT_DENSE_BINS,    GRID_SCATTER_TO_BINS,
                              GRID_SORT_WITHIN_BINS,    GRID_BUILD_NEIGHBOUR_LISTS};

static weir_result create_pipelines(gpu_device *device, grid *g)
{
    vec4 period = g->params.period;
    const uint32_t constants[] = {
        [GRID_CONSTANT_PERIODIC] = period.x > 0.0f || period.y > 0.0f || period.z > 0.0f,
        [GRID_CONSTANT_DENSE] = g->dense,
        [GRID_CONSTANT_COMPACT] = g->compact,
        [GRID_CONSTANT_FIXED] = g->params.unit > 0.0f,
        [GRID_CONSTANT_BY_INDEX] = g->by_index,
        [GRID_CONSTANT_CUT] = g->parts.axis != GRID_NOT_CUT,
        [GRID_CONSTANT_PARTICLE_WORKGROUP] = gpu_device_workgroup(device),
    };
    for (size_t i = 0; i < BASE_COUNT(shaders); i++) {
        const gpu_pipeline_def def = {.shader = &grid_shaders[shaders[i]],
                                      .constants = constants,
                                      .constant_count = BASE_COUNT(constants)};
        WEIR_RETURN_IF_ERROR(gpu_pipeline_create(device, &def, &g->pipelines[shaders[i]]));
    }
    return WEIR_OK;
}

static void destroy_pipelines(gpu_device *device, grid *g)
{
    for (size_t i = 0; i < BASE_COUNT(shaders); i++)
        gpu_pipeline_destroy(device, &g->pipelines[shaders[i]]);
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

/* Marks all segments as active: each entry counts the segments before it. */
static weir_result upload_segments(gpu_device *device, grid *g)
{
    uint32_t count = g->params.segment_count + 2u;
    uint32_t *before = base_alloc(count, sizeof *before);
    if (!before)
        return base_fail(gpu_device_log(device), WEIR_ERROR_MEMORY,
                         "not enough memory for the grid");
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
    uint64_t cells = (uint64_t)g->capacity.segments * GRID_SEGMENT_BINS + 1;
    uint64_t listed = (n + 255) / 256 * 256;
    WEIR_RETURN_IF_ERROR(create_buffer(device, "segments", 4, segments, &g->segments));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, "segment_scan_sums", 4, tiles(segments), &g->segment_scan_sums));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "cells", 4, cells, &g->cells));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, "bin_scan_sums", 4, tiles(cells), &g->bin_scan_sums));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "keys", 4, n, &g->bin_keys));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "ranks", 4, n, &g->bin_ranks));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "entries", 8, n, &g->unsorted_entries));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "sources", 4, n, &g->sort_sources));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "headers", 4, n, &g->neighbour_headers));
    uint32_t each = (g->compact ? 2 : 4) * g->capacity.list;
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, "lists", each ? each : 4, each ? listed : 1, &g->neighbour_lists));
    g->params.max_compact_offset = GRID_COMPACT_OFFSET;
    g->params.segment_capacity = g->capacity.segments;
    g->params.list_capacity = g->capacity.list;
    g->params.particle_capacity = g->capacity.particles;
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_upload(device, g->params_buffer, 0, &g->params, sizeof g->params));
    WEIR_RETURN_IF_ERROR(gpu_buffer_upload(device, g->parts_buffer, 0, &g->parts, sizeof g->parts));
    if (g->dense) WEIR_RETURN_IF_ERROR(upload_segments(device, g));
    return WEIR_OK;
}

/* A dense grid finds a line of bins with two look-ups instead of five, which saves a particle fifty
 * times the cost of clearing and scanning a bin. Sixteen bins take as much memory as a particle's
 * position. */
#define DENSE_BINS_PER_PARTICLE 16ull

static bool choose_dense(const grid *g)
{
    uint64_t cells = (g->params.segment_count + 1ull) * GRID_SEGMENT_BINS;
    return g->capacity.segments > g->params.segment_count &&
           cells <= DENSE_BINS_PER_PARTICLE * g->capacity.particles + 65536;
}

/* Sets the default number of segments. A particle activates one segment; dead particles have their
 * own. */
static grid_capacity set_capacities(const grid *g, grid_capacity capacity)
{
    uint32_t all = g->params.segment_count + 1u;
    uint32_t most = capacity.particles < all ? capacity.particles : all;
    if (capacity.segments == 0) capacity.segments = most;
    return capacity;
}

static void destroy_buffers(gpu_device *device, grid *g)
{
    gpu_buffer **all[] = {&g->segments,         &g->segment_scan_sums, &g->cells,
                          &g->bin_scan_sums,    &g->bin_keys,          &g->bin_ranks,
                          &g->unsorted_entries, &g->sort_sources,      &g->neighbour_headers,
                          &g->neighbour_lists};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        gpu_buffer_destroy(device, all[i]);
}

weir_result grid_create(gpu_device *device, const grid_def *def, grid **out)
{
    weir_result result = WEIR_ERROR_MEMORY;
    *out = NULL;
    grid *g = base_alloc(1, sizeof *g);
    if (!g)
        return base_fail(gpu_device_log(device), WEIR_ERROR_MEMORY,
                         "not enough memory for the grid");
    g->by_index = def->by_index;
    g->compact = g->built_compact = def->compact;
    WEIR_GOTO_IF_ERROR(choose_bins(device, def, 1, &g->params));
    if (g->params.segment_count < MAX_HALF_BIN_SEGMENTS / 8)
        WEIR_GOTO_IF_ERROR(choose_bins(device, def, 2, &g->params));
    WEIR_GOTO_IF_ERROR(
        create_buffer(device, "grid_params", sizeof g->params, 1, &g->params_buffer));
    g->parts.axis = GRID_NOT_CUT;
    WEIR_GOTO_IF_ERROR(create_buffer(device, "grid_parts", sizeof g->parts, 1, &g->parts_buffer));
    WEIR_GOTO_IF_ERROR(
        create_buffer(device, "grid_state", sizeof(struct grid_state), 1, &g->state));
    g->capacity = set_capacities(g, def->capacity);
    g->dense = choose_dense(g);
    WEIR_GOTO_IF_ERROR(create_buffers(device, g));
    WEIR_GOTO_IF_ERROR(create_pipelines(device, g));
    WEIR_GOTO_IF_ERROR(grid_scan_create(device, &g->scan));
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
    gpu_buffer_destroy(device, &g->parts_buffer);
    gpu_buffer_destroy(device, &g->state);
    destroy_pipelines(device, g);
    grid_scan_destroy(device, &g->scan);
    base_free(g);
    *pointer = NULL;
}

weir_result grid_grow(gpu_device *device, grid *g, grid_capacity capacity)
{
    weir_result result;
    grid_capacity before = g->capacity;
    destroy_buffers(device, g);
    g->capacity = set_capacities(g, capacity);
    bool dense = choose_dense(g), cut = g->parts.axis != GRID_NOT_CUT;
    const bool changed = dense != g->dense || g->compact != g->built_compact || cut != g->built_cut;
    g->dense = dense;
    g->built_cut = cut;
    g->built_compact = g->compact;
    WEIR_GOTO_IF_ERROR(create_buffers(device, g));
    if (changed) {
        destroy_pipelines(device, g);
        WEIR_GOTO_IF_ERROR(create_pipelines(device, g));
    }
    return WEIR_OK;
fail:
    g->capacity = before; /* the capacity for which buffers exist */
    return result;
}

void grid_set_parts(grid *g, const struct grid_parts *parts)
{
    g->parts = *parts;
    g->params.segment_count = parts->segment_count;
}

uint32_t grid_count_bins(const grid *g, uint32_t bins[3])
{
    bins[0] = g->params.bins_x;
    bins[1] = g->params.bins_y;
    bins[2] = g->params.bins_z;
    return g->params.subdivision;
}

uint32_t grid_find_plane(const grid *g, uint32_t axis, const int32_t position[3])
{
    const struct grid_params *p = &g->params;
    const int32_t corner[3] = {p->corner.x, p->corner.y, p->corner.z};
    const float inverse[3] = {p->inverse_bin_size.x, p->inverse_bin_size.y, p->inverse_bin_size.z};
    const float factor = p->unit * inverse[axis];
    const uint32_t bins[3] = {p->bins_x, p->bins_y, p->bins_z};
    const float at = floorf((float)(position[axis] - corner[axis]) * factor);
    if (!(at > 0.0f)) return 0;
    return at < (float)bins[axis] ? (uint32_t)at : bins[axis] - 1;
}

bool grid_is_dense(const grid *g)
{
    return g->dense;
}

bool grid_is_compact(const grid *g)
{
    return g->compact;
}

void grid_use_wide_lists(grid *g)
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
gpu_buffer *grid_parts_buffer(const grid *g)
{
    return g->parts_buffer;
}
gpu_buffer *grid_sort_sources(const grid *g)
{
    return g->sort_sources;
}
gpu_buffer *grid_segment_buffer(const grid *g)
{
    return g->segments;
}
gpu_buffer *grid_bin_starts(const grid *g)
{
    return g->cells;
}
gpu_buffer *grid_lists(const grid *g)
{
    return g->neighbour_lists;
}
gpu_buffer *grid_list_headers(const grid *g)
{
    return g->neighbour_headers;
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
    return gpu_buffer_size(g->segments) + gpu_buffer_size(g->segment_scan_sums) +
           gpu_buffer_size(g->cells) + gpu_buffer_size(g->bin_scan_sums);
}

/* ---- passes --------------------------------------------------------------------------------- */

static gpu_dispatch_size indirect_dispatch_size(const grid *g, const char *name, uint64_t most,
                                                uint32_t arguments)
{
    return (gpu_dispatch_size){
        .name = name, .count = most, .arguments = g->state, .argument_offset = arguments * 12u};
}

gpu_dispatch_size grid_particle_dispatch_size(const grid *g)
{
    return indirect_dispatch_size(g, "particles", g->capacity.particles, GRID_ARGS_PARTICLES);
}

gpu_dispatch_size grid_live_dispatch_size(const grid *g)
{
    return indirect_dispatch_size(g, "live particles", g->capacity.particles, GRID_ARGS_LIVE);
}

gpu_dispatch_size grid_near_dispatch_size(const grid *g)
{
    return indirect_dispatch_size(g, "live and near", g->capacity.particles, GRID_ARGS_NEAR);
}

gpu_dispatch_size grid_held_dispatch_size(const grid *g)
{
    return indirect_dispatch_size(g, "held particles", g->capacity.particles, GRID_ARGS_HELD);
}

gpu_dispatch_size grid_edge_dispatch_size(const grid *g)
{
    return indirect_dispatch_size(g, "particles of the edges", g->capacity.particles,
                                  GRID_ARGS_EDGES);
}

gpu_dispatch_size grid_ghost_dispatch_size(const grid *g)
{
    return indirect_dispatch_size(g, "ghosts", g->capacity.particles, GRID_ARGS_GHOSTS);
}

/* GRID_SCAN_PER_INVOCATION bins per invocation. In a dense grid the host knows their number. */
static gpu_dispatch_size bin_tile_dispatch_size(const grid *g)
{
    uint64_t most = gpu_buffer_count(g->cells);
    gpu_dispatch_size size = indirect_dispatch_size(g, "cell tiles", most, GRID_ARGS_BIN_TILES);
    if (g->dense) size = (gpu_dispatch_size){.name = "cells", .count = most};
    size.per_invocation = GRID_SCAN_PER_INVOCATION;
    return size;
}

static gpu_dispatch_size segment_dispatch_size(const grid *g)
{
    return (gpu_dispatch_size){.name = "segments", .count = gpu_buffer_count(g->segments)};
}

uint64_t grid_dispatch_elements(const gpu_dispatch_size *dispatch_size,
                                const struct grid_state *state)
{
    if (!dispatch_size->arguments) return dispatch_size->count;
    switch (dispatch_size->argument_offset / 12u) {
    case GRID_ARGS_PARTICLES: return state->count;
    case GRID_ARGS_LIVE: return state->live;
    case GRID_ARGS_NEAR: return state->near;
    case GRID_ARGS_HELD: return state->held;
    case GRID_ARGS_EDGES: /* about as many */
    case GRID_ARGS_GHOSTS: return state->held - state->live;
    default: return state->bin_scan_length;
    }
}

static gpu_dispatch_size single_invocation(void)
{
    return (gpu_dispatch_size){.name = "one", .count = 1};
}

/* Returns a pass of the sort or of the lists. `bound`: buffers of the grid and of the caller. */
static gpu_pass make_pass(const grid *g, int shader, gpu_dispatch_size dispatch_size,
                          gpu_buffer *const *bound)
{
    gpu_pass pass = gpu_pass_make(g->pipelines[shader], dispatch_size);
    gpu_pass_bind_all(&pass, bound, GRID_BINDINGS);
    return pass;
}

static void bind_grid_buffers(const grid *g, gpu_buffer *bound[GRID_BINDINGS])
{
    bound[GRID_BIND_grid] = g->params_buffer;
    bound[GRID_BIND_state] = g->state;
    bound[GRID_BIND_parts] = g->parts_buffer;
    bound[GRID_BIND_bin_keys] = g->bin_keys;
    bound[GRID_BIND_bin_ranks] = g->bin_ranks;
    bound[GRID_BIND_segments] = g->segments;
    bound[GRID_BIND_bin_starts] = g->cells;
    bound[GRID_BIND_bin_vectors] = g->cells;
    bound[GRID_BIND_unsorted_entries] = g->unsorted_entries;
    bound[GRID_BIND_sort_sources] = g->sort_sources;
    bound[GRID_BIND_neighbour_lists] = g->neighbour_lists;
    bound[GRID_BIND_list_vectors] = g->neighbour_lists;
    bound[GRID_BIND_neighbour_headers] = g->neighbour_headers;
}

#define STATE_WORD(member) (offsetof(struct grid_state, member) / sizeof(uint32_t))

static uint32_t append_segment_scan(const grid *g, gpu_pass *passes)
{
    const grid_scan_def def = {.data = g->segments,
                               .sums = g->segment_scan_sums,
                               .lengths = g->state,
                               .length_word = STATE_WORD(segment_scan_length),
                               .tiles = segment_dispatch_size(g)};
    return grid_scan_passes(g->scan, &def, passes);
}

static uint32_t append_bin_scan(const grid *g, gpu_pass *passes)
{
    const grid_scan_def def = {.data = g->cells,
                               .sums = g->bin_scan_sums,
                               .lengths = g->state,
                               .length_word = STATE_WORD(bin_scan_length),
                               .tiles = indirect_dispatch_size(g, "cell tiles",
                                                               gpu_buffer_count(g->cells),
                                                               GRID_ARGS_BIN_TILES)};
    return grid_scan_passes(g->scan, &def, passes);
}

uint32_t grid_sort_passes(const grid *g, gpu_buffer *positions, gpu_buffer *ids, gpu_pass *passes)
{
    uint32_t n = 0;
    gpu_dispatch_size all = grid_particle_dispatch_size(g);
    gpu_buffer *bound[GRID_BINDINGS] = {[GRID_BIND_positions] = positions};
    bind_grid_buffers(g, bound);
    bound[GRID_BIND_ids] = g->by_index ? g->bin_keys : ids;
    if (!g->dense) {
        passes[n++] = make_pass(g, GRID_CLEAR_ACTIVE_BIN_SEGMENTS, segment_dispatch_size(g), bound);
        passes[n++] = make_pass(g, GRID_COMPUTE_BIN_KEYS, all, bound);
        passes[n - 1].work.atomics = 1;
        n += append_segment_scan(g, passes + n);
        passes[n++] = make_pass(g, GRID_BIN_DISPATCH_ARGS, single_invocation(), bound);
    }
    passes[n++] = make_pass(g, GRID_CLEAR_BINS, bin_tile_dispatch_size(g), bound);
    passes[n++] = make_pass(g, g->dense ? GRID_COUNT_DENSE_BINS : GRID_COUNT_BINS, all, bound);
    passes[n - 1].work.atomics = 1;
    n += append_bin_scan(g, passes + n);
    passes[n++] = make_pass(g, GRID_SCATTER_TO_BINS, all, bound);
    passes[n++] = make_pass(g, GRID_SORT_WITHIN_BINS, all, bound);
    WEIR_ASSERT(n <= GRID_SORT_PASSES);
    return n;
}

uint32_t grid_point_passes(const grid *g, const particle_view *points, gpu_pass *passes)
{
    gpu_buffer *bound[GRID_BINDINGS] = {0};
    WEIR_ASSERT(points->count <= g->capacity.particles);
    bind_grid_buffers(g, bound);
    passes[0] = make_pass(g, GRID_POINT_DISPATCH_ARGS, single_invocation(), bound);
    passes[0].constant = points->count;
    return 1u + grid_sort_passes(g, points->position, points->id, passes + 1);
}

uint32_t grid_list_passes(const grid *g, gpu_buffer *positions, gpu_pass *passes)
{
    gpu_buffer *bound[GRID_BINDINGS] = {[GRID_BIND_sorted_positions] = positions};
    WEIR_ASSERT(g->params.unit > 0.0f);
    bind_grid_buffers(g, bound);
    passes[0] = make_pass(g, GRID_BUILD_NEIGHBOUR_LISTS, grid_near_dispatch_size(g), bound);
    passes[0].work.pairs = g->neighbour_lists;
    passes[0].work.pair_bytes = g->compact ? 2 : 4;
    return GRID_LIST_PASSES;
}
