/* The mesher's buffers: sized before they are allocated, and kept from frame to frame. */
#include "case_table.h"
#include "mesher_internal.h"

#include "shared/grid.h"

/* Returns the buffers as an array. */
static gpu_buffer **buffer_array(const mesher *m)
{
    return (gpu_buffer **)(uintptr_t)&m->buffers;
}

static uint64_t device_surface_bytes(const mesher *m)
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
    uint64_t bytes = m->ellipsoid_bytes + device_surface_bytes(m);
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
                         "the mesher needs %.1f MiB for %s beside the %.1f MiB that it holds; it "
                         "may take %.1f MiB: raise the memory limit or the cell",
                         (double)needed / 1048576.0, def->name, (double)held / 1048576.0,
                         (double)mesher_memory_budget(m) / 1048576.0);
    gpu_buffer_def wide = *def;
    uint64_t more = def->count + def->count / 5;
    uint64_t bytes = more * def->stride;
    if (held + bytes <= mesher_memory_budget(m) && bytes <= gpu_device_storage_range(m->device))
        wide.count = more;
    return gpu_buffer_create(m->device, &wide, buffer);
}

static weir_result reserve_words(mesher *m, gpu_buffer **buffer, const char *name, uint64_t count)
{
    return reserve_buffer(m, buffer, &(gpu_buffer_def){.name = name, .stride = 4, .count = count});
}

static weir_result reserve_vectors(mesher *m, gpu_buffer **buffer, const char *name, uint64_t count)
{
    return reserve_buffer(
        m, buffer,
        &(gpu_buffer_def){.name = name, .stride = 16, .count = count, .texels = GPU_TEXELS_VEC4});
}

/* Ensures room for the tile sums of a scan of `elements`. */
static weir_result reserve_scan_sums(mesher *m, uint64_t elements)
{
    return reserve_words(m, &m->buffers.sums, "mesh_sums",
                         (elements + GRID_SCAN_TILE - 1) / GRID_SCAN_TILE);
}

static weir_result upload_case_table(mesher *m)
{
    weir_result result = WEIR_ERROR_MEMORY;
    uint32_t *words = base_alloc(CASE_TABLE_WORDS, sizeof *words);
    if (!words) return base_fail(mesher_log(m), WEIR_ERROR_MEMORY, "no memory for the case table");
    uint32_t count = case_table_build(words);
    WEIR_GOTO_IF_ERROR(reserve_words(m, &m->buffers.case_table, "mesh_case_table", count));
    WEIR_GOTO_IF_ERROR(gpu_buffer_upload(m->device, m->buffers.case_table, 0, words, 4ull * count));
fail:
    base_free(words);
    return result;
}

weir_result mesher_create_fixed_buffers(mesher *m)
{
    mesher_buffers *b = &m->buffers;
    const gpu_buffer_def params = {
        .name = "mesh_params", .stride = sizeof m->params, .count = 1, .memory = GPU_MEMORY_HOST};
    const gpu_buffer_def download_staging = {.name = "mesh_read_back",
                                             .stride = 4,
                                             .count = sizeof(struct mesh_state) / 4 + MESHER_PHASES,
                                             .memory = GPU_MEMORY_HOST};
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(m->device, &params, &b->params));
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(m->device, &download_staging, &b->download_staging));
    const gpu_buffer_def state = {
        .name = "mesh_state", .stride = sizeof(struct mesh_state), .count = 1};
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(m->device, &state, &b->state));
    WEIR_RETURN_IF_ERROR(reserve_vectors(m, &b->dummy, "mesh_dummy", 1));
    return upload_case_table(m);
}

weir_result mesher_reserve_super_blocks(mesher *m)
{
    uint64_t n = m->frame.super_block_total + 1ull;
    WEIR_RETURN_IF_ERROR(reserve_words(m, &m->buffers.super_blocks, "mesh_supers", n));
    WEIR_RETURN_IF_ERROR(reserve_words(m, &m->buffers.super_block_list, "mesh_super_list", n));
    return reserve_scan_sums(m, n);
}

weir_result mesher_reserve_blocks(mesher *m)
{
    uint64_t n = (uint64_t)m->frame.super_block_count * MESH_BLOCKS_PER_SUPER_BLOCK + 1;
    WEIR_RETURN_IF_ERROR(reserve_words(m, &m->buffers.children, "mesh_children", n));
    return reserve_scan_sums(m, n);
}

weir_result mesher_reserve_particles(mesher *m)
{
    mesher_buffers *b = &m->buffers;
    uint64_t n = m->frame.points->count;
    uint64_t bins = (uint64_t)m->frame.block_count * (m->params.bin_shift == 3 ? 1 : 8) + 1;
    bool weighs = mesher_needs_weights(m);
    WEIR_RETURN_IF_ERROR(reserve_words(m, &b->keys, "mesh_keys", n));
    WEIR_RETURN_IF_ERROR(reserve_words(m, &b->ranks, "mesh_ranks", n));
    WEIR_RETURN_IF_ERROR(reserve_buffer(
        m, &b->entries, &(gpu_buffer_def){.name = "mesh_entries", .stride = 8, .count = n}));
    WEIR_RETURN_IF_ERROR(reserve_words(m, &b->sort_sources, "mesh_sources", n));
    WEIR_RETURN_IF_ERROR(reserve_vectors(m, &b->sorted_positions, "mesh_sorted", n));
    if (weighs) WEIR_RETURN_IF_ERROR(reserve_vectors(m, &b->weighted, "mesh_weighted", n));
    if (weighs) WEIR_RETURN_IF_ERROR(reserve_words(m, &b->neighbours, "mesh_neighbours", n));
    if (m->def.field == WEIR_MESH_FIELD_ANISOTROPIC) {
        WEIR_RETURN_IF_ERROR(
            reserve_vectors(m, &b->ellipsoid_centres, "mesh_ellipsoid_centres", n));
        WEIR_RETURN_IF_ERROR(reserve_vectors(m, &b->sorted_shapes, "mesh_sorted_shapes", 2 * n));
    }
    if (mesher_attribute_phase_count(m))
        WEIR_RETURN_IF_ERROR(reserve_vectors(m, &b->particle_values, "mesh_values", n));
    WEIR_RETURN_IF_ERROR(reserve_buffer(
        m, &b->blocks,
        &(gpu_buffer_def){.name = "mesh_blocks", .stride = 16, .count = m->frame.block_count}));
    WEIR_RETURN_IF_ERROR(reserve_words(m, &b->bins, "mesh_bins_per_block", bins));
    WEIR_RETURN_IF_ERROR(
        reserve_words(m, &b->block_slots, "mesh_block_slots", m->frame.block_count + 1ull));
    WEIR_RETURN_IF_ERROR(
        reserve_words(m, &b->vertex_base, "mesh_vertex_base", m->frame.block_count));
    WEIR_RETURN_IF_ERROR(
        reserve_words(m, &b->slot_blocks, "mesh_slot_blocks", m->frame.block_count));
    return reserve_scan_sums(m, bins);
}

uint32_t mesher_max_slots(const mesher *m)
{
    const mesher_buffers *b = &m->buffers;
    uint64_t held = mesher_bytes_used(m), budget = mesher_memory_budget(m);
    uint64_t have = b->field ? gpu_buffer_count(b->field) / MESH_NODES_PER_BLOCK : 0;
    uint64_t left = budget > held ? budget - held : 0;
    /* Half for the field and its data, half for the vertices and triangles. */
    uint64_t fits = left / (2 * MESHER_SLOT_BYTES), range = gpu_device_storage_range(m->device);
    if (fits < have) fits = have;
    if (fits > range / (4 * MESH_NODES_PER_BLOCK)) fits = range / (4 * MESH_NODES_PER_BLOCK);
    if (m->max_blocks && fits > m->max_blocks) fits = m->max_blocks;
    return fits > UINT32_MAX / MESH_NODES_PER_BLOCK ? UINT32_MAX / MESH_NODES_PER_BLOCK
                                                    : (uint32_t)fits;
}

weir_result mesher_reserve_slots(mesher *m)
{
    mesher_buffers *b = &m->buffers;
    uint64_t n = m->frame.slot_count;
    WEIR_RETURN_IF_ERROR(reserve_words(m, &b->field, "mesh_field", n * MESH_NODES_PER_BLOCK));
    WEIR_RETURN_IF_ERROR(reserve_words(m, &b->node_words, "mesh_nodes", n * MESH_NODES_PER_BLOCK));
    WEIR_RETURN_IF_ERROR(reserve_words(m, &b->line_words, "mesh_lines", n * MESH_LINES_PER_BLOCK));
    WEIR_RETURN_IF_ERROR(reserve_words(m, &b->damped_nodes, "mesh_damped_nodes", n * 16));
    WEIR_RETURN_IF_ERROR(reserve_words(m, &b->block_signs, "mesh_signs", n));
    WEIR_RETURN_IF_ERROR(reserve_words(m, &b->surface_blocks, "mesh_surface", n + 1));
    WEIR_RETURN_IF_ERROR(reserve_words(m, &b->surface_block_list, "mesh_surface_list", n));
    WEIR_RETURN_IF_ERROR(reserve_words(m, &b->vertex_counts, "mesh_vertex_counts", n + 1));
    return reserve_words(m, &b->triangle_counts, "mesh_triangle_counts", n + 1);
}

static uint64_t missing_bytes(const gpu_buffer *buffer, uint64_t bytes)
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
    uint64_t wanted = missing_bytes(b->vertices, vectors) + missing_bytes(b->normals, vectors) +
                      missing_bytes(b->indices, indices);
    for (uint32_t i = 0; i < mesher_attribute_phase_count(m); i++)
        wanted += missing_bytes(b->vertex_values[i], vertex_values);
    return vectors <= range && indices <= range &&
           (vertex_values <= range || !mesher_attribute_phase_count(m)) &&
           mesher_bytes_used(m) + wanted <= mesher_memory_budget(m);
}

/* CPU drivers share the host's memory, so buffers that are read back are allocated there. */
static weir_result reserve_output(mesher *m, gpu_buffer **buffer, const char *name, uint32_t stride,
                                  uint64_t count)
{
    bool cpu = gpu_device_info(m->device)->kind == WEIR_DEVICE_CPU;
    return reserve_buffer(m, buffer,
                          &(gpu_buffer_def){.name = name,
                                            .stride = stride,
                                            .count = count,
                                            .memory = cpu ? GPU_MEMORY_HOST : GPU_MEMORY_DEVICE});
}

weir_result mesher_reserve_output(mesher *m)
{
    mesher_buffers *b = &m->buffers;
    uint64_t vertices = m->frame.vertex_count;
    WEIR_RETURN_IF_ERROR(reserve_output(m, &b->vertices, "mesh_vertices", 4, 3 * vertices));
    WEIR_RETURN_IF_ERROR(reserve_output(m, &b->normals, "mesh_normals", 4, 3 * vertices));
    WEIR_RETURN_IF_ERROR(
        reserve_output(m, &b->indices, "mesh_indices", 4, 3ull * m->frame.triangle_count));
    for (uint32_t i = 0; i < mesher_attribute_phase_count(m); i++)
        WEIR_RETURN_IF_ERROR(reserve_output(m, &b->vertex_values[i], "mesh_results", 16, vertices));
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
static uint64_t capacity_of(const gpu_buffer *buffer, uint64_t words, uint64_t more)
{
    uint64_t held = buffer ? gpu_buffer_size(buffer) / 4 : 0;
    return held > more ? (held - more) / words : 0;
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
    const mesher_buffers *b = &m->buffers;
    uint64_t bins = m->params.bin_shift == 3 ? 1 : 8,
             sums = capacity_of(b->sums, 1, 0) * GRID_SCAN_TILE;
    const uint64_t capacities[] = {capacity_of(b->blocks, 4, 0),
                                   capacity_of(b->bins, bins, 1),
                                   capacity_of(b->block_slots, 1, 1),
                                   capacity_of(b->vertex_base, 1, 0),
                                   capacity_of(b->slot_blocks, 1, 0),
                                   capacity_of(b->field, MESH_NODES_PER_BLOCK, 0),
                                   capacity_of(b->node_words, MESH_NODES_PER_BLOCK, 0),
                                   capacity_of(b->line_words, MESH_LINES_PER_BLOCK, 0),
                                   capacity_of(b->damped_nodes, 16, 0),
                                   capacity_of(b->block_signs, 1, 0),
                                   capacity_of(b->surface_blocks, 1, 1),
                                   capacity_of(b->surface_block_list, 1, 0),
                                   capacity_of(b->vertex_counts, 1, 1),
                                   capacity_of(b->triangle_counts, 1, 1),
                                   sums ? (sums - 1) / bins : 0,
                                   mesher_max_slots(m)};
    return (uint32_t)min_of(capacities, BASE_COUNT(capacities));
}

void mesher_set_output_capacity(mesher *m)
{
    const mesher_buffers *b = &m->buffers;
    uint64_t vertices[2 + MESHER_ATTRIBUTE_PHASES] = {capacity_of(b->vertices, 3, 0),
                                                      capacity_of(b->normals, 3, 0)};
    for (uint32_t i = 0; i < mesher_attribute_phase_count(m); i++)
        vertices[2 + i] = capacity_of(b->vertex_values[i], 4, 0);
    m->params.vertex_capacity = (uint32_t)min_of(vertices, 2 + mesher_attribute_phase_count(m));
    m->params.triangle_capacity = (uint32_t)capacity_of(b->indices, 3, 0);
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
