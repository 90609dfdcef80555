/* Exclusive prefix sums of arrays of unsigned integers on the GPU, in two passes, or three for long
 * arrays: the sum of each tile, the sums of the tiles before each, every element. */
#include "grid.h"

#include "grid/shaders.h"
#include "shared/grid.h"

static const int shaders[GRID_SCAN_PASSES] = {GRID_SCAN_REDUCE_TILES, GRID_SCAN_TILE_SUMS,
                                              GRID_SCAN_APPLY_OFFSETS};

struct grid_scan {
    gpu_pipeline *pipelines[GRID_SCAN_PASSES];
    gpu_buffer *unread_dummy; /* bound as `lengths` where the host knows the length */
};

weir_result grid_scan_create(gpu_device *device, grid_scan **out)
{
    weir_result result;
    *out = NULL;
    grid_scan *scan = base_alloc(1, sizeof *scan);
    if (!scan)
        return base_fail(gpu_device_log(device), WEIR_ERROR_MEMORY, "not enough memory for a scan");
    for (uint32_t i = 0; i < GRID_SCAN_PASSES; i++) {
        const gpu_pipeline_def def = {.shader = &grid_shaders[shaders[i]]};
        WEIR_GOTO_IF_ERROR(gpu_pipeline_create(device, &def, &scan->pipelines[i]));
    }
    WEIR_GOTO_IF_ERROR(gpu_buffer_create(device, &(gpu_buffer_def){.name = "unread", .stride = 4},
                                         &scan->unread_dummy));
    *out = scan;
    return WEIR_OK;
fail:
    grid_scan_destroy(device, &scan);
    return result;
}

void grid_scan_destroy(gpu_device *device, grid_scan **pointer)
{
    grid_scan *scan = *pointer;
    if (!scan) return;
    for (uint32_t i = 0; i < GRID_SCAN_PASSES; i++)
        gpu_pipeline_destroy(device, &scan->pipelines[i]);
    gpu_buffer_destroy(device, &scan->unread_dummy);
    base_free(scan);
    *pointer = NULL;
}

static gpu_pass make_pass(const grid_scan *scan, const gpu_pipeline *pipeline,
                          gpu_dispatch_size dispatch_size, const grid_scan_def *def)
{
    gpu_pass pass = gpu_pass_make(pipeline, dispatch_size);
    gpu_buffer *const buffers[GRID_BINDINGS] = {
        [GRID_BIND_scan_data] = def->data,
        [GRID_BIND_scan_vectors] = def->data,
        [GRID_BIND_scan_tile_sums] = def->sums,
        [GRID_BIND_scan_lengths] = def->lengths ? def->lengths : scan->unread_dummy,
    };
    gpu_pass_bind_all(&pass, buffers, GRID_BINDINGS);
    pass.constant = def->lengths ? GRID_SCAN_COUNTED | def->length_word : def->count;
    return pass;
}

/* Up to this number of tiles, each tile of the last pass sums those before it itself: cheaper than
 * a pass that all others wait for. */
#define UNSUMMED_TILES 1024u

uint32_t grid_scan_passes(const grid_scan *scan, const grid_scan_def *def, gpu_pass *passes)
{
    uint32_t n = 0;
    gpu_dispatch_size tiles = def->tiles;
    if (!def->lengths) tiles = (gpu_dispatch_size){.name = "elements", .count = def->count};
    tiles.per_invocation = GRID_SCAN_PER_INVOCATION;
    bool few = tiles.count <= UNSUMMED_TILES * GRID_SCAN_TILE;
    passes[n++] = make_pass(scan, scan->pipelines[0], tiles, def);
    if (!few)
        passes[n++] = make_pass(scan, scan->pipelines[1],
                                (gpu_dispatch_size){.name = "one", .count = 1}, def);
    passes[n] = make_pass(scan, scan->pipelines[2], tiles, def);
    if (few) passes[n].constant |= GRID_SCAN_UNSUMMED_TILES;
    return n + 1;
}
