/* The mesher's buffers: sized before they are allocated, and kept from frame to frame. */
#include "case_table.h"
#include "mesher_internal.h"

#include "shared/grid.h"

/* Element counts that the table names. */
typedef enum buffer_count {
    COUNT_ONE,
    COUNT_HOST_ONE, /* one, which the host writes */
    COUNT_CASE_TABLE,
    COUNT_SUPER_BLOCKS, /* in the particles' bounding box, active or not */
    COUNT_SUPER_BLOCK_CHILDREN,
    COUNT_PARTICLES,
    COUNT_WEIGHTED_PARTICLES, /* particles, if their weights are needed */
    COUNT_ELLIPSOIDS,         /* particles, for an anisotropic field */
    COUNT_VALUED_PARTICLES,   /* particles, if attributes are interpolated */
    COUNT_BLOCKS,
    COUNT_BINS,
    COUNT_SLOTS,
    COUNT_VERTICES,
    COUNT_TRIANGLES,
} buffer_count;

typedef struct buffer_row {
    const char *name;
    uint32_t stride; /* 0: memory of another module */
    gpu_texels texels;
    buffer_count count;
    uint32_t each, more;
} buffer_row;

static const buffer_row rows[MESH_BINDINGS] = {
#define BUFFER(name, type, count, each, more) \
    [MESH_BIND_##                             \
        name] = {"mesh_" #name, sizeof(type), GPU_TEXELS_OF(type), COUNT_##count, each, more},
#include "shared/mesh_buffers.def"
};

static bool is_counted(size_t row, buffer_count first, buffer_count last)
{
    return rows[row].stride && rows[row].count >= first && rows[row].count <= last;
}

static uint64_t bins_per_block(const mesher *m)
{
    return m->params.bin_shift == 3 ? 1 : 8;
}

/* Returns the number of what `count` counts in the frame. */
static uint64_t count_of(const mesher *m, buffer_count count)
{
    const mesher_frame *f = &m->frame;
    switch (count) {
    case COUNT_SUPER_BLOCKS: return f->super_block_total;
    case COUNT_SUPER_BLOCK_CHILDREN:
        return (uint64_t)f->super_block_count * MESH_BLOCKS_PER_SUPER_BLOCK;
    case COUNT_PARTICLES:
    case COUNT_WEIGHTED_PARTICLES:
    case COUNT_ELLIPSOIDS:
    case COUNT_VALUED_PARTICLES: return f->points->count;
    case COUNT_BLOCKS: return f->block_count;
    case COUNT_BINS: return f->block_count * bins_per_block(m);
    case COUNT_SLOTS: return f->slot_count;
    case COUNT_VERTICES: return f->vertex_count;
    case COUNT_TRIANGLES: return f->triangle_count;
    default: return 1;
    }
}

static bool is_needed(const mesher *m, buffer_count count)
{
    switch (count) {
    case COUNT_WEIGHTED_PARTICLES: return mesher_needs_weights(m);
    case COUNT_ELLIPSOIDS: return m->def.field == WEIR_MESH_FIELD_ANISOTROPIC;
    case COUNT_VALUED_PARTICLES: return mesher_attribute_phase_count(m) > 0;
    default: return true;
    }
}

/* Returns the buffers as an array. */
static gpu_buffer **buffer_array(const mesher *m)
{
    return (gpu_buffer **)(uintptr_t)&m->buffers;
}

static uint64_t retained_device_surface_bytes(const mesher *m)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < MESHER_DEVICE_SURFACES; i++) {
        const mesher_device_surface *s = &m->device_surfaces[i];
        const gpu_buffer *held[] = {s->position, s->normal, s->index, s->arguments};
        for (size_t b = 0; b < BASE_COUNT(held); b++)
            if (held[b]) bytes += gpu_buffer_size(held[b]);
    }
    return bytes;
}

uint64_t mesher_bytes_used(const mesher *m)
{
    uint64_t bytes = m->ellipsoid_bytes + retained_device_surface_bytes(m);
    for (size_t i = 0; i < MESHER_BUFFERS; i++)
        if (buffer_array(m)[i]) bytes += gpu_buffer_size(buffer_array(m)[i]);
    return bytes;
}

uint64_t mesher_memory_budget(const mesher *m)
{
    if (m->def.max_memory_bytes) return m->def.max_memory_bytes;
    return gpu_device_info(m->device)->memory_bytes / 2;
}

/* Ensures room for `def->count` elements, plus a fifth if that fits, because frames differ
 * little. */
static weir_result reserve_buffer(mesher *m, gpu_buffer **buffer, const gpu_buffer_def *def)
{
    if (*buffer && gpu_buffer_count(*buffer) >= def->count) return WEIR_OK;
    gpu_buffer_destroy(m->device, buffer);
    uint64_t held = mesher_bytes_used(m), needed = def->count * def->stride;
    if (held + needed > mesher_memory_budget(m))
        return base_fail(mesher_log(m), WEIR_ERROR_MEMORY,
                         "the mesher needs %.1f MiB for %s in addition to the %.1f MiB in use; its "
                         "limit is %.1f MiB: raise the memory limit or the cell size",
                         (double)needed / 1048576.0, def->name, (double)held / 1048576.0,
                         (double)mesher_memory_budget(m) / 1048576.0);
    gpu_buffer_def wide = *def;
    uint64_t more = def->count + def->count / 5;
    uint64_t bytes = more * def->stride;
    if (held + bytes <= mesher_memory_budget(m) && bytes <= gpu_device_storage_range(m->device))
        wide.count = more;
    return gpu_buffer_create(m->device, &wide, buffer);
}

/* CPU drivers share the host's memory, so buffers that are read back are allocated there. */
static gpu_memory output_memory(const mesher *m)
{
    bool cpu = gpu_device_info(m->device)->kind == WEIR_DEVICE_CPU;
    return cpu ? GPU_MEMORY_HOST : GPU_MEMORY_DEVICE;
}

/* Ensures room in a row's buffer for n of what it counts. */
static weir_result reserve_row(mesher *m, size_t row, uint64_t n)
{
    const buffer_row *r = &rows[row];
    gpu_buffer_def def = {
        .name = r->name, .stride = r->stride, .count = n * r->each + r->more, .texels = r->texels};
    if (r->count == COUNT_HOST_ONE) def.memory = GPU_MEMORY_UPLOAD;
    if (r->count >= COUNT_VERTICES) def.memory = output_memory(m);
    return reserve_buffer(m, &m->buffers.bound[row], &def);
}

static weir_result reserve_buffers_of_counts(mesher *m, buffer_count first, buffer_count last)
{
    for (size_t i = 0; i < MESH_BINDINGS; i++)
        if (is_counted(i, first, last) && is_needed(m, rows[i].count))
            WEIR_RETURN_IF_ERROR(reserve_row(m, i, count_of(m, rows[i].count)));
    return WEIR_OK;
}

/* Ensures room for the tile sums of a scan of `elements`. */
static weir_result reserve_scan_sums(mesher *m, uint64_t elements)
{
    const gpu_buffer_def def = {.name = "mesh_sums",
                                .stride = 4,
                                .count = (elements + GRID_SCAN_TILE - 1) / GRID_SCAN_TILE};
    return reserve_buffer(m, &m->buffers.sums, &def);
}

static weir_result upload_case_table(mesher *m)
{
    weir_result result = WEIR_ERROR_MEMORY;
    uint32_t *words = base_alloc(CASE_TABLE_WORDS, sizeof *words);
    if (!words)
        return base_fail(mesher_log(m), WEIR_ERROR_MEMORY, "not enough memory for the case table");
    uint32_t count = case_table_build(words);
    WEIR_GOTO_IF_ERROR(reserve_row(m, MESH_BIND_case_table, count));
    WEIR_GOTO_IF_ERROR(gpu_buffer_upload(m->device, m->buffers.case_table, 0, words, 4ull * count));
fail:
    base_free(words);
    return result;
}

weir_result mesher_create_fixed_buffers(mesher *m)
{
    const gpu_buffer_def dummy = {
        .name = "mesh_dummy", .stride = 16, .count = 1, .texels = GPU_TEXELS_VEC4};
    const gpu_buffer_def download_staging = {.name = "mesh_read_back",
                                             .stride = 4,
                                             .count = sizeof(struct mesh_state) / 4 + MESHER_PHASES,
                                             .memory = GPU_MEMORY_HOST};
    WEIR_RETURN_IF_ERROR(reserve_buffers_of_counts(m, COUNT_ONE, COUNT_HOST_ONE));
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_create(m->device, &download_staging, &m->buffers.download_staging));
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(m->device, &dummy, &m->buffers.dummy));
    return upload_case_table(m);
}

weir_result mesher_reserve_super_blocks(mesher *m)
{
    WEIR_RETURN_IF_ERROR(reserve_buffers_of_counts(m, COUNT_SUPER_BLOCKS, COUNT_SUPER_BLOCKS));
    return reserve_scan_sums(m, count_of(m, COUNT_SUPER_BLOCKS) + 1);
}

weir_result mesher_reserve_blocks(mesher *m)
{
    WEIR_RETURN_IF_ERROR(
        reserve_buffers_of_counts(m, COUNT_SUPER_BLOCK_CHILDREN, COUNT_SUPER_BLOCK_CHILDREN));
    return reserve_scan_sums(m, count_of(m, COUNT_SUPER_BLOCK_CHILDREN) + 1);
}

weir_result mesher_reserve_particles(mesher *m)
{
    WEIR_RETURN_IF_ERROR(reserve_buffers_of_counts(m, COUNT_PARTICLES, COUNT_BINS));
    return reserve_scan_sums(m, count_of(m, COUNT_BINS) + 1);
}

/* Returns the bytes of a block's field and of what is derived from it. */
static uint64_t slot_bytes(void)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < MESH_BINDINGS; i++)
        if (is_counted(i, COUNT_SLOTS, COUNT_SLOTS))
            bytes += (uint64_t)rows[i].stride * rows[i].each;
    return bytes;
}

uint32_t mesher_max_slots(const mesher *m)
{
    const mesher_buffers *b = &m->buffers;
    uint64_t held = mesher_bytes_used(m), budget = mesher_memory_budget(m);
    uint64_t have = b->field ? gpu_buffer_count(b->field) / MESH_NODES_PER_BLOCK : 0;
    uint64_t left = budget > held ? budget - held : 0;
    /* Half for the field and its data, half for the vertices and triangles. */
    uint64_t fits = left / (2 * slot_bytes()), range = gpu_device_storage_range(m->device);
    if (fits < have) fits = have;
    if (fits > range / (4 * MESH_NODES_PER_BLOCK)) fits = range / (4 * MESH_NODES_PER_BLOCK);
    if (m->max_blocks && fits > m->max_blocks) fits = m->max_blocks;
    return fits > UINT32_MAX / MESH_NODES_PER_BLOCK ? UINT32_MAX / MESH_NODES_PER_BLOCK
                                                    : (uint32_t)fits;
}

weir_result mesher_reserve_batch_blocks(mesher *m)
{
    return reserve_buffers_of_counts(m, COUNT_SLOTS, COUNT_SLOTS);
}

static uint64_t bytes_to_allocate(const gpu_buffer *buffer, uint64_t bytes)
{
    uint64_t has = buffer ? gpu_buffer_size(buffer) : 0;
    return bytes > has ? bytes : 0;
}

bool mesher_output_fits(const mesher *m)
{
    const mesher_buffers *b = &m->buffers;
    uint64_t vectors = 12ull * m->frame.vertex_count, indices = 12ull * m->frame.triangle_count;
    uint64_t range = gpu_device_storage_range(m->device);
    uint64_t vertex_values = 16ull * m->frame.vertex_count;
    uint64_t wanted = bytes_to_allocate(b->vertices, vectors) +
                      bytes_to_allocate(b->normals, vectors) +
                      bytes_to_allocate(b->indices, indices);
    for (uint32_t i = 0; i < mesher_attribute_phase_count(m); i++)
        wanted += bytes_to_allocate(b->phase_values[i], vertex_values);
    return vectors <= range && indices <= range &&
           (vertex_values <= range || !mesher_attribute_phase_count(m)) &&
           mesher_bytes_used(m) + wanted <= mesher_memory_budget(m);
}

weir_result mesher_reserve_output(mesher *m)
{
    const gpu_buffer_def values = {.name = "mesh_vertex_values",
                                   .stride = 16,
                                   .count = m->frame.vertex_count,
                                   .memory = output_memory(m)};
    WEIR_RETURN_IF_ERROR(reserve_buffers_of_counts(m, COUNT_VERTICES, COUNT_TRIANGLES));
    for (uint32_t i = 0; i < mesher_attribute_phase_count(m); i++)
        WEIR_RETURN_IF_ERROR(reserve_buffer(m, &m->buffers.phase_values[i], &values));
    return WEIR_OK;
}

weir_result mesher_reserve_staging(mesher *m, uint64_t words)
{
    return reserve_buffer(
        m, &m->buffers.output_staging,
        &(gpu_buffer_def){
            .name = "mesh_back", .stride = 4, .count = words, .memory = GPU_MEMORY_HOST});
}

/* ---- capacities ----------------------------------------------------------------------------- */

/* Returns the number of elements, of `words` words each, that a buffer holds besides `more`
 * words. */
static uint64_t element_capacity(const gpu_buffer *buffer, uint64_t words, uint64_t more)
{
    uint64_t held = buffer ? gpu_buffer_size(buffer) / 4 : 0;
    return held > more ? (held - more) / words : 0;
}

/* Returns how many of what the rows count have room in all their buffers. */
static uint64_t rows_capacity(const mesher *m, buffer_count count)
{
    uint64_t found = UINT32_MAX;
    for (size_t i = 0; i < MESH_BINDINGS; i++) {
        if (!is_counted(i, count, count)) continue;
        uint64_t words = rows[i].stride / 4;
        uint64_t room =
            element_capacity(m->buffers.bound[i], words * rows[i].each, words * rows[i].more);
        if (room < found) found = room;
    }
    return found;
}

static uint64_t min_of(const uint64_t *of, size_t count)
{
    uint64_t found = UINT32_MAX;
    for (size_t i = 0; i < count; i++)
        if (of[i] < found) found = of[i];
    return found;
}

uint32_t mesher_block_capacity(const mesher *m)
{
    uint64_t bins = bins_per_block(m),
             sums = element_capacity(m->buffers.sums, 1, 0) * GRID_SCAN_TILE;
    const uint64_t capacities[] = {
        rows_capacity(m, COUNT_BLOCKS), rows_capacity(m, COUNT_BINS) / bins,
        rows_capacity(m, COUNT_SLOTS), sums ? (sums - 1) / bins : 0, mesher_max_slots(m)};
    return (uint32_t)min_of(capacities, BASE_COUNT(capacities));
}

void mesher_set_output_capacity(mesher *m)
{
    uint64_t vertices[1 + MESHER_ATTRIBUTE_PHASES] = {rows_capacity(m, COUNT_VERTICES)};
    for (uint32_t i = 0; i < mesher_attribute_phase_count(m); i++)
        vertices[1 + i] = element_capacity(m->buffers.phase_values[i], 4, 0);
    m->params.vertex_capacity = (uint32_t)min_of(vertices, 1 + mesher_attribute_phase_count(m));
    m->params.triangle_capacity = (uint32_t)rows_capacity(m, COUNT_TRIANGLES);
}

static void destroy_device_surfaces(mesher *m)
{
    for (uint32_t i = 0; i < MESHER_DEVICE_SURFACES; i++) {
        mesher_device_surface *s = &m->device_surfaces[i];
        gpu_buffer_destroy(m->device, &s->position);
        gpu_buffer_destroy(m->device, &s->normal);
        gpu_buffer_destroy(m->device, &s->index);
        gpu_buffer_destroy(m->device, &s->arguments);
    }
}

void mesher_buffers_destroy(mesher *m)
{
    for (size_t i = 0; i < MESHER_BUFFERS; i++)
        gpu_buffer_destroy(m->device, &buffer_array(m)[i]);
    destroy_device_surfaces(m);
}
