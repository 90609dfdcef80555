/* The mesher's buffers: counted before they are taken, kept from frame to frame. */
#include "case_table.h"
#include "mesher_internal.h"

#include "shared/grid.h"

/* Every buffer, for what is done to all of them. */
static gpu_buffer **all_buffers(const mesher *m)
{
    return (gpu_buffer **)(uintptr_t)&m->buffers;
}

uint64_t mesher_bytes_held(const mesher *m)
{
    uint64_t bytes = m->ellipsoid_bytes + mesher_shared_bytes(m);
    for (size_t i = 0; i < MESHER_BUFFERS; i++)
        if (all_buffers(m)[i]) bytes += gpu_buffer_size(all_buffers(m)[i]);
    return bytes;
}

uint64_t mesher_budget(const mesher *m)
{
    if (m->def.memory_bytes) return m->def.memory_bytes;
    return gpu_device_info(m->device)->memory_bytes / 2;
}

/* Room for `def->count` elements, and a fifth more where that fits: frames differ little. */
static weir_result reserve(mesher *m, gpu_buffer **buffer, const gpu_buffer_def *def)
{
    if (*buffer && gpu_buffer_count(*buffer) >= def->count) return WEIR_OK;
    gpu_buffer_destroy(m->device, buffer);
    uint64_t held = mesher_bytes_held(m), needed = def->count * def->stride;
    if (held + needed > mesher_budget(m))
        return base_fail(mesher_log(m), WEIR_MEMORY,
                         "the mesher needs %.1f MiB for %s beside the %.1f MiB that it holds; it "
                         "may take %.1f MiB: raise the memory limit or the cell",
                         (double)needed / 1048576.0, def->name, (double)held / 1048576.0,
                         (double)mesher_budget(m) / 1048576.0);
    gpu_buffer_def wide = *def;
    uint64_t more = def->count + def->count / 5;
    uint64_t bytes = more * def->stride;
    if (held + bytes <= mesher_budget(m) && bytes <= gpu_device_storage_range(m->device))
        wide.count = more;
    return gpu_buffer_create(m->device, &wide, buffer);
}

static weir_result reserve_words(mesher *m, gpu_buffer **buffer, const char *name, uint64_t count)
{
    return reserve(m, buffer, &(gpu_buffer_def){.name = name, .stride = 4, .count = count});
}

static weir_result reserve_vectors(mesher *m, gpu_buffer **buffer, const char *name, uint64_t count)
{
    return reserve(
        m, buffer,
        &(gpu_buffer_def){.name = name, .stride = 16, .count = count, .texels = GPU_FLOATS});
}

/* For any scan of `elements`. */
static weir_result reserve_sums(mesher *m, uint64_t elements)
{
    return reserve_words(m, &m->buffers.sums, "mesh_sums",
                         (elements + GRID_SCAN_TILE - 1) / GRID_SCAN_TILE);
}

static weir_result upload_table(mesher *m)
{
    weir_result result = WEIR_MEMORY;
    uint32_t *words = base_alloc(CASE_TABLE_WORDS, sizeof *words);
    if (!words) return base_fail(mesher_log(m), WEIR_MEMORY, "no memory for the case table");
    uint32_t count = case_table_build(words);
    WEIR_TRY(reserve_words(m, &m->buffers.table, "mesh_case_table", count));
    WEIR_TRY(gpu_buffer_upload(m->device, m->buffers.table, 0, words, 4ull * count));
fail:
    base_free(words);
    return result;
}

weir_result mesher_fixed_buffers(mesher *m)
{
    mesher_buffers *b = &m->buffers;
    const gpu_buffer_def params = {
        .name = "mesh_params", .stride = sizeof m->params, .count = 1, .memory = GPU_MEMORY_HOST};
    const gpu_buffer_def read_back = {.name = "mesh_read_back",
                                      .stride = 4,
                                      .count = sizeof(struct mesh_state) / 4 + MESHER_PHASES,
                                      .memory = GPU_MEMORY_HOST};
    WEIR_NEED(gpu_buffer_create(m->device, &params, &b->params));
    WEIR_NEED(gpu_buffer_create(m->device, &read_back, &b->read_back));
    const gpu_buffer_def state = {
        .name = "mesh_state", .stride = sizeof(struct mesh_state), .count = 1};
    WEIR_NEED(gpu_buffer_create(m->device, &state, &b->state));
    WEIR_NEED(reserve_vectors(m, &b->nothing, "mesh_nothing", 1));
    return upload_table(m);
}

weir_result mesher_room_for_supers(mesher *m)
{
    uint64_t n = m->frame.super_total + 1ull;
    WEIR_NEED(reserve_words(m, &m->buffers.supers, "mesh_supers", n));
    WEIR_NEED(reserve_words(m, &m->buffers.super_list, "mesh_super_list", n));
    return reserve_sums(m, n);
}

weir_result mesher_room_for_blocks(mesher *m)
{
    uint64_t n = (uint64_t)m->frame.super_count * MESH_CHILDREN + 1;
    WEIR_NEED(reserve_words(m, &m->buffers.children, "mesh_children", n));
    return reserve_sums(m, n);
}

weir_result mesher_room_for_particles(mesher *m)
{
    mesher_buffers *b = &m->buffers;
    uint64_t n = m->frame.points->count;
    uint64_t bins = (uint64_t)m->frame.block_count * (m->params.bin_shift == 3 ? 1 : 8) + 1;
    bool weighs = mesher_weighs(m);
    WEIR_NEED(reserve_words(m, &b->keys, "mesh_keys", n));
    WEIR_NEED(reserve_words(m, &b->ranks, "mesh_ranks", n));
    WEIR_NEED(reserve(m, &b->entries,
                      &(gpu_buffer_def){.name = "mesh_entries", .stride = 8, .count = n}));
    WEIR_NEED(reserve_words(m, &b->sources, "mesh_sources", n));
    WEIR_NEED(reserve_vectors(m, &b->sorted, "mesh_sorted", n));
    if (weighs) WEIR_NEED(reserve_vectors(m, &b->weighted, "mesh_weighted", n));
    if (weighs) WEIR_NEED(reserve_words(m, &b->neighbours, "mesh_neighbours", n));
    if (m->def.field == WEIR_MESH_ANISOTROPIC) {
        WEIR_NEED(reserve_vectors(m, &b->shaped, "mesh_shaped", n));
        WEIR_NEED(reserve_vectors(m, &b->sorted_shapes, "mesh_sorted_shapes", 2 * n));
    }
    if (mesher_carries(m)) WEIR_NEED(reserve_vectors(m, &b->values, "mesh_values", n));
    WEIR_NEED(reserve(
        m, &b->blocks,
        &(gpu_buffer_def){.name = "mesh_blocks", .stride = 16, .count = m->frame.block_count}));
    WEIR_NEED(reserve_words(m, &b->bins, "mesh_bins", bins));
    WEIR_NEED(reserve_words(m, &b->seats, "mesh_seats", m->frame.block_count + 1ull));
    WEIR_NEED(reserve_words(m, &b->vertex_base, "mesh_vertex_base", m->frame.block_count));
    WEIR_NEED(reserve_words(m, &b->seat_blocks, "mesh_seat_blocks", m->frame.block_count));
    return reserve_sums(m, bins);
}

uint32_t mesher_seat_limit(const mesher *m)
{
    const mesher_buffers *b = &m->buffers;
    uint64_t held = mesher_bytes_held(m), budget = mesher_budget(m);
    uint64_t have = b->field ? gpu_buffer_count(b->field) / MESH_NODES : 0;
    uint64_t left = budget > held ? budget - held : 0;
    /* Half for the field and what belongs to it, half for the vertices and triangles. */
    uint64_t fits = left / (2 * MESHER_SEAT_BYTES), range = gpu_device_storage_range(m->device);
    if (fits < have) fits = have;
    if (fits > range / (4 * MESH_NODES)) fits = range / (4 * MESH_NODES);
    if (m->limit_blocks && fits > m->limit_blocks) fits = m->limit_blocks;
    return fits > UINT32_MAX / MESH_NODES ? UINT32_MAX / MESH_NODES : (uint32_t)fits;
}

weir_result mesher_room_for_seats(mesher *m)
{
    mesher_buffers *b = &m->buffers;
    uint64_t n = m->frame.seat_count;
    WEIR_NEED(reserve_words(m, &b->field, "mesh_field", n * MESH_NODES));
    WEIR_NEED(reserve_words(m, &b->nodes, "mesh_nodes", n * MESH_NODES));
    WEIR_NEED(reserve_words(m, &b->lines, "mesh_lines", n * MESH_LINES));
    WEIR_NEED(reserve_words(m, &b->needs, "mesh_needs", n * 16));
    WEIR_NEED(reserve_words(m, &b->signs, "mesh_signs", n));
    WEIR_NEED(reserve_words(m, &b->surface, "mesh_surface", n + 1));
    WEIR_NEED(reserve_words(m, &b->surface_list, "mesh_surface_list", n));
    WEIR_NEED(reserve_words(m, &b->vertex_counts, "mesh_vertex_counts", n + 1));
    return reserve_words(m, &b->triangle_counts, "mesh_triangle_counts", n + 1);
}

static uint64_t missing(const gpu_buffer *buffer, uint64_t bytes)
{
    uint64_t has = buffer ? gpu_buffer_size(buffer) : 0;
    return bytes > has ? bytes : 0;
}

bool mesher_output_fits(const mesher *m)
{
    const mesher_buffers *b = &m->buffers;
    uint64_t vectors = 12ull * m->frame.vertex_count, indices = 12ull * m->frame.triangle_count;
    uint64_t range = gpu_device_storage_range(m->device);
    uint64_t results = 16ull * m->frame.vertex_count;
    uint64_t wanted =
        missing(b->vertices, vectors) + missing(b->normals, vectors) + missing(b->indices, indices);
    for (uint32_t i = 0; i < mesher_carries(m); i++)
        wanted += missing(b->results[i], results);
    return vectors <= range && indices <= range && (results <= range || !mesher_carries(m)) &&
           mesher_bytes_held(m) + wanted <= mesher_budget(m);
}

/* CPU drivers share the host's memory, so buffers that are read back are made there. */
static weir_result reserve_output(mesher *m, gpu_buffer **buffer, const char *name, uint32_t stride,
                                  uint64_t count)
{
    bool cpu = gpu_device_info(m->device)->kind == WEIR_DEVICE_CPU;
    return reserve(m, buffer,
                   &(gpu_buffer_def){.name = name,
                                     .stride = stride,
                                     .count = count,
                                     .memory = cpu ? GPU_MEMORY_HOST : GPU_MEMORY_DEVICE});
}

weir_result mesher_room_for_output(mesher *m)
{
    mesher_buffers *b = &m->buffers;
    uint64_t vertices = m->frame.vertex_count;
    WEIR_NEED(reserve_output(m, &b->vertices, "mesh_vertices", 4, 3 * vertices));
    WEIR_NEED(reserve_output(m, &b->normals, "mesh_normals", 4, 3 * vertices));
    WEIR_NEED(reserve_output(m, &b->indices, "mesh_indices", 4, 3ull * m->frame.triangle_count));
    for (uint32_t i = 0; i < mesher_carries(m); i++)
        WEIR_NEED(reserve_output(m, &b->results[i], "mesh_results", 16, vertices));
    return WEIR_OK;
}

weir_result mesher_room_for_back(mesher *m, uint64_t words)
{
    return reserve(
        m, &m->buffers.back,
        &(gpu_buffer_def){
            .name = "mesh_back", .stride = 4, .count = words, .memory = GPU_MEMORY_HOST});
}

/* ---- room ----------------------------------------------------------------------------------- */

/* Elements of `words` words that a buffer holds beside `more` words. */
static uint64_t room(const gpu_buffer *buffer, uint64_t words, uint64_t more)
{
    uint64_t held = buffer ? gpu_buffer_size(buffer) / 4 : 0;
    return held > more ? (held - more) / words : 0;
}

static uint64_t least(const uint64_t *of, size_t count)
{
    uint64_t found = UINT32_MAX;
    for (size_t i = 0; i < count; i++)
        if (of[i] < found) found = of[i];
    return found;
}

uint32_t mesher_blocks_held(const mesher *m)
{
    const mesher_buffers *b = &m->buffers;
    uint64_t bins = m->params.bin_shift == 3 ? 1 : 8, sums = room(b->sums, 1, 0) * GRID_SCAN_TILE;
    const uint64_t rooms[] = {room(b->blocks, 4, 0),         room(b->bins, bins, 1),
                              room(b->seats, 1, 1),          room(b->vertex_base, 1, 0),
                              room(b->seat_blocks, 1, 0),    room(b->field, MESH_NODES, 0),
                              room(b->nodes, MESH_NODES, 0), room(b->lines, MESH_LINES, 0),
                              room(b->needs, 16, 0),         room(b->signs, 1, 0),
                              room(b->surface, 1, 1),        room(b->surface_list, 1, 0),
                              room(b->vertex_counts, 1, 1),  room(b->triangle_counts, 1, 1),
                              sums ? (sums - 1) / bins : 0,  mesher_seat_limit(m)};
    return (uint32_t)least(rooms, BASE_COUNT(rooms));
}

void mesher_tell_room(mesher *m)
{
    const mesher_buffers *b = &m->buffers;
    uint64_t vertices[2 + MESHER_CARRIES] = {room(b->vertices, 3, 0), room(b->normals, 3, 0)};
    for (uint32_t i = 0; i < mesher_carries(m); i++)
        vertices[2 + i] = room(b->results[i], 4, 0);
    m->params.vertex_room = (uint32_t)least(vertices, 2 + mesher_carries(m));
    m->params.triangle_room = (uint32_t)room(b->indices, 3, 0);
}

void mesher_buffers_destroy(mesher *m)
{
    for (size_t i = 0; i < MESHER_BUFFERS; i++)
        gpu_buffer_destroy(m->device, &all_buffers(m)[i]);
}
