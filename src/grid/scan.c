/* Exclusive prefix sums of arrays of whole numbers on the GPU, in three rows: a sum for each tile,
 * the sums of the tiles before each, every element. */
#include "grid.h"

#include "grid/shaders.h"
#include "shared/grid.h"

static const int shaders[GRID_SCAN_ROWS] = {GRID_SCAN_SUM, GRID_SCAN_SPINE, GRID_SCAN_APPLY};

struct grid_scan {
    gpu_kernel *kernels[GRID_SCAN_ROWS];
    gpu_buffer *unread; /* stands for the lengths where the host knows them */
};

weir_result grid_scan_create(gpu_device *device, grid_scan **out)
{
    weir_result result;
    *out = NULL;
    grid_scan *scan = base_alloc(1, sizeof *scan);
    if (!scan) return base_fail(gpu_device_log(device), WEIR_MEMORY, "no memory for a scan");
    for (uint32_t i = 0; i < GRID_SCAN_ROWS; i++) {
        const gpu_kernel_def def = {.shader = &grid_shaders[shaders[i]]};
        WEIR_TRY(gpu_kernel_create(device, &def, &scan->kernels[i]));
    }
    WEIR_TRY(
        gpu_buffer_create(device, &(gpu_buffer_def){.name = "unread", .stride = 4}, &scan->unread));
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
    for (uint32_t i = 0; i < GRID_SCAN_ROWS; i++)
        gpu_kernel_destroy(device, &scan->kernels[i]);
    gpu_buffer_destroy(device, &scan->unread);
    base_free(scan);
    *pointer = NULL;
}

static gpu_row make_row(const grid_scan *scan, const gpu_kernel *kernel, gpu_domain domain,
                        const grid_scan_def *def)
{
    gpu_row row = gpu_row_make(kernel, domain);
    gpu_buffer *const buffers[GRID_BINDINGS] = {
        [GRID_BIND_data] = def->data,
        [GRID_BIND_sums] = def->sums,
        [GRID_BIND_lengths] = def->lengths ? def->lengths : scan->unread,
    };
    gpu_row_bind_all(&row, buffers, GRID_BINDINGS);
    row.constant = def->lengths ? GRID_SCAN_COUNTED | def->length_word : def->count;
    return row;
}

uint32_t grid_scan_rows(const grid_scan *scan, const grid_scan_def *def, gpu_row *rows)
{
    gpu_domain tiles = def->tiles;
    if (!def->lengths) tiles = (gpu_domain){.name = "elements", .count = def->count};
    tiles.per_invocation = GRID_SCAN_EACH;
    rows[0] = make_row(scan, scan->kernels[0], tiles, def);
    rows[1] = make_row(scan, scan->kernels[1], (gpu_domain){.name = "one", .count = 1}, def);
    rows[2] = make_row(scan, scan->kernels[2], tiles, def);
    return GRID_SCAN_ROWS;
}
