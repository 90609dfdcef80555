/* Computes a frame's surface in one or several batches. A batch is a range of blocks. Its field
 * also covers the nodes beyond it that its cells need, with the same sums as in the batch that
 * owns those nodes, so batches join without a seam. Batches are meshed from the last to the
 * first: a cell needs the vertex numbers of blocks after its own, which are known by then. */
#include "mesher_internal.h"

/* ---- surfaces of the batches --------------------------------------------------------------- */

typedef struct batch_surfaces {
    mesher_surface *items; /* from the last batch to the first */
    size_t count, capacity;
    uint64_t vertices, triangles;
} batch_surfaces;

static void free_batch_surfaces(batch_surfaces *p)
{
    for (size_t i = 0; i < p->count; i++)
        mesher_surface_free(&p->items[i]);
    BASE_ARRAY_FREE(p);
}

static weir_result report_out_of_memory(const mesher *m)
{
    return base_fail(mesher_log(m), WEIR_ERROR_MEMORY,
                     "not enough memory for a mesh of %u vertices", m->frame.vertex_count);
}

/* Allocates the arrays for the surface's counts. */
static bool allocate_arrays(mesher_surface *s, bool normals, bool velocity)
{
    size_t n = s->vertex_count;
    s->position = base_alloc(n, sizeof *s->position);
    s->index = base_alloc(3 * (size_t)s->triangle_count, sizeof *s->index);
    if (normals) s->normal = base_alloc(n, sizeof *s->normal);
    if (velocity) s->velocity = base_alloc(n, sizeof *s->velocity);
    return s->position && s->index && (!normals || s->normal) && (!velocity || s->velocity);
}

static bool add_channel(mesher_surface *s, const char *name, uint32_t components)
{
    mesher_vertex_channel *channel = &s->channel[s->channel_count];
    channel->values = base_alloc(s->vertex_count, components * sizeof *channel->values);
    if (!channel->values) return false;
    channel->components = components;
    snprintf(channel->name, sizeof channel->name, "%s", name);
    s->channel_count++;
    return true;
}

/* Reads the results of an attribute phase: xyz velocity, w the scalar. */
static weir_result read_attributes(mesher *m, mesher_surface *s, const gpu_buffer *from,
                                   bool velocity, const char *scalar)
{
    weir_result result = WEIR_OK;
    size_t n = s->vertex_count;
    vec4 *vertex_values = base_alloc(n, sizeof *vertex_values);
    if (!vertex_values || (scalar && !add_channel(s, scalar, 1))) {
        base_free(vertex_values);
        return report_out_of_memory(m);
    }
    WEIR_GOTO_IF_ERROR(mesher_read_array(m, from, n * sizeof *vertex_values, vertex_values));
    for (size_t i = 0; velocity && i < n; i++)
        s->velocity[i] = (vec3){vertex_values[i].x, vertex_values[i].y, vertex_values[i].z};
    for (size_t i = 0; scalar && i < n; i++)
        s->channel[s->channel_count - 1].values[i] = vertex_values[i].w;
fail:
    base_free(vertex_values);
    return result;
}

static mesher_vertex_channel *find_channel(mesher_surface *s, const char *name)
{
    for (uint32_t c = 0; c < s->channel_count; c++)
        if (strcmp(s->channel[c].name, name) == 0) return &s->channel[c];
    return NULL;
}

/* Copies the components of the particles' own attributes that the vectors hold, from number `first`
 * on. An attribute may begin in the vectors of one phase and end in those of the next. */
static bool store_carried(const mesher *m, mesher_surface *s, uint32_t first, const vec4 *vectors)
{
    const base_attributes *all = &m->frame.points->attributes;
    for (uint32_t a = 0; a < all->count; a++) {
        const base_attribute *from = &all->items[a];
        const uint32_t end = from->first + from->components;
        if (end <= first || from->first >= first + 4u) continue;
        if (from->first >= first && !add_channel(s, from->name, from->components)) return false;
        const mesher_vertex_channel *to = find_channel(s, from->name);
        for (uint32_t k = from->first > first ? from->first : first; k < end && k < first + 4u; k++)
            for (size_t i = 0; to && i < s->vertex_count; i++)
                to->values[i * from->components + k - from->first] = (&vectors[i].x)[k - first];
    }
    return true;
}

static weir_result read_carried(mesher *m, mesher_surface *s, uint32_t vector,
                                const gpu_buffer *from)
{
    const size_t size = s->vertex_count * sizeof(vec4);
    vec4 *vectors = base_alloc(1, size);
    weir_result result =
        vectors ? mesher_read_array(m, from, size, vectors) : report_out_of_memory(m);
    if (result == WEIR_OK && !store_carried(m, s, 4u * vector, vectors))
        result = report_out_of_memory(m);
    base_free(vectors);
    return result;
}

static weir_result read_attribute_phase(mesher *m, mesher_surface *s, const mesher_phase_run *carry)
{
    const uint32_t which = carry->constant % MESHER_ATTRIBUTES;
    if (which >= MESHER_CARRIED)
        return read_carried(m, s, which - MESHER_CARRIED,
                            m->buffers.phase_values[carry->phase - MESHER_PHASE_ATTRIBUTES]);
    static const char *const names[MESHER_ATTRIBUTES] = {"density", "fluid", "neighbours"};
    return read_attributes(m, s, m->buffers.phase_values[carry->phase - MESHER_PHASE_ATTRIBUTES],
                           carry->constant >= MESHER_ATTRIBUTES,
                           names[carry->constant % MESHER_ATTRIBUTES]);
}

static weir_result read_arrays(mesher *m, mesher_surface *s)
{
    const mesher_buffers *b = &m->buffers;
    bool normals = m->def.normals == WEIR_MESH_NORMALS_FIELD;
    s->vertex_count = m->frame.vertex_count;
    s->triangle_count = m->frame.triangle_count;
    size_t n = s->vertex_count, indices = 3 * (size_t)s->triangle_count;
    if (!allocate_arrays(s, normals, mesher_has_velocity(m))) return report_out_of_memory(m);
    WEIR_RETURN_IF_ERROR(mesher_read_array(m, b->vertices, n * sizeof *s->position, s->position));
    WEIR_RETURN_IF_ERROR(mesher_read_array(m, b->indices, indices * sizeof *s->index, s->index));
    if (normals)
        WEIR_RETURN_IF_ERROR(mesher_read_array(m, b->normals, n * sizeof *s->normal, s->normal));
    return WEIR_OK;
}

/* Computes the batch's surface and reads it. */
static weir_result read_batch_surface(mesher *m, mesher_surface *s)
{
    mesher_phase_run steps[MESHER_OUTPUT_PHASES];
    size_t count = mesher_output_phases(m, steps);
    if (!m->frame.output_ready) {
        WEIR_RETURN_IF_ERROR(
            mesher_plan_readback(m, m->frame.vertex_count, m->frame.triangle_count));
        WEIR_RETURN_IF_ERROR(mesher_submit_and_wait(m, steps, count));
    }
    WEIR_RETURN_IF_ERROR(read_arrays(m, s));
    for (size_t i = 1; i < count; i++)
        WEIR_RETURN_IF_ERROR(read_attribute_phase(m, s, &steps[i]));
    return WEIR_OK;
}

/* ---- one batch ------------------------------------------------------------------------------ */

/* Counts the batch's vertices and triangles. *fits is false if the batch must have fewer blocks. */
static weir_result count_batch(mesher *m, uint32_t limit, bool *fits)
{
    uint32_t multiple_batches = m->params.batch_end - m->params.batch_first < m->frame.block_count;
    *fits = false;
    if (m->frame.counted && !multiple_batches) {
        *fits = mesher_output_fits(m);
        return WEIR_OK;
    }
    m->frame.counted = false; /* a batch's field overwrites it */
    WEIR_RETURN_IF_ERROR(mesher_run_one_phase(m, MESHER_PHASE_SLOTS, multiple_batches));
    m->frame.slot_count = m->params.slot_count = mesher_downloaded_count(m, MESHER_PHASE_SLOTS);
    if (m->frame.slot_count > limit) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(mesher_reserve_batch_blocks(m));
    WEIR_RETURN_IF_ERROR(mesher_run_one_phase(m, MESHER_PHASE_FIELD, 0));
    m->frame.vertex_count = mesher_downloaded_state(m)->vertex_count;
    m->frame.triangle_count = mesher_downloaded_state(m)->triangle_count;
    *fits = mesher_output_fits(m);
    return WEIR_OK;
}

static weir_result mesh_batch(mesher *m, batch_surfaces *all)
{
    weir_result result;
    mesher_surface piece = {0};
    bool whole = m->params.batch_end - m->params.batch_first == m->frame.block_count;
    WEIR_GOTO_IF_ERROR(mesher_reserve_output(m));
    m->params.single_batch = whole;
    if (m->frame.vertex_count || m->frame.triangle_count) {
        WEIR_GOTO_IF_ERROR(read_batch_surface(m, &piece));
    }
    all->vertices += m->frame.vertex_count;
    all->triangles += m->frame.triangle_count;
    if (!BASE_ARRAY_PUSH(all, piece)) {
        result = report_out_of_memory(m);
        goto fail;
    }
    return WEIR_OK;
fail:
    mesher_surface_free(&piece);
    return result;
}

static weir_result fail_too_large(const mesher *m)
{
    return base_fail(mesher_log(m), WEIR_ERROR_MEMORY,
                     "%u particles with a cell of %g m: not even one block of the surface fits "
                     "into the %.1f MiB that the mesher may use, of which %.1f MiB are in use: "
                     "raise the memory limit or the cell size",
                     m->frame.points->count, m->frame.cell_m,
                     (double)mesher_memory_budget(m) / 1048576.0,
                     (double)mesher_bytes_used(m) / 1048576.0);
}

static weir_result mesh_all_batches(mesher *m, batch_surfaces *all)
{
    uint32_t limit = mesher_max_slots(m), blocks = m->frame.block_count;
    uint32_t most = blocks <= limit ? blocks : limit / 2;
    for (uint32_t end = blocks; end > 0;) {
        bool fits = false;
        if (most == 0) return fail_too_large(m);
        m->params.batch_end = end;
        m->params.batch_first = end > most ? end - most : 0;
        m->params.vertices_after = (uint32_t)all->vertices;
        WEIR_RETURN_IF_ERROR(count_batch(m, limit, &fits));
        if (!fits) {
            most = (end - m->params.batch_first) / 2;
            continue;
        }
        WEIR_RETURN_IF_ERROR(mesh_batch(m, all));
        end = m->params.batch_first;
    }
    if (all->vertices > UINT32_MAX || all->triangles > UINT32_MAX / 3)
        return base_fail(
            mesher_log(m), WEIR_ERROR_MEMORY,
            "a mesh of %llu vertices needs more than 32-bit indices: raise the cell size",
            (unsigned long long)all->vertices);
    return WEIR_OK;
}

weir_result mesher_count_single_batch(mesher *m)
{
    bool fits = false;
    uint32_t limit = mesher_max_slots(m);
    m->params.batch_first = 0;
    m->params.batch_end = m->frame.block_count;
    m->params.vertices_after = 0;
    if (m->frame.block_count <= limit) WEIR_RETURN_IF_ERROR(count_batch(m, limit, &fits));
    m->params.single_batch = 1;
    if (fits) return WEIR_OK;
    return base_fail(mesher_log(m), WEIR_ERROR_UNSUPPORTED,
                     "%u particles with a cell of %g m: the surface does not fit into the %.1f MiB "
                     "that the mesher may use, and a surface that stays on the device cannot be "
                     "made in parts: raise the memory limit or the cell size",
                     m->frame.points->count, m->frame.cell_m,
                     (double)mesher_memory_budget(m) / 1048576.0);
}

/* ---- joining -------------------------------------------------------------------------------- */

static void append_elements(void *to, size_t at, const void *from, size_t count, size_t size)
{
    if (to && from) memcpy((uint8_t *)to + at * size, from, count * size);
}

static bool allocate_like(mesher_surface *s, const mesher_surface *like)
{
    for (uint32_t c = 0; c < like->channel_count; c++)
        if (!add_channel(s, like->channel[c].name, like->channel[c].components)) return false;
    return allocate_arrays(s, like->normal, like->velocity);
}

/* Joins the surfaces of the batches in order. Their indices count from the end of all vertices. */
static weir_result join_batch_surfaces(mesher *m, const batch_surfaces *all, mesher_surface *s)
{
    size_t vertex = 0, index = 0, like = 0;
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].vertex_count) like = i;
    s->vertex_count = (uint32_t)all->vertices;
    s->triangle_count = (uint32_t)all->triangles;
    if (!allocate_like(s, &all->items[like])) return report_out_of_memory(m);
    for (size_t i = all->count; i-- > 0;) {
        const mesher_surface *piece = &all->items[i];
        size_t n = piece->vertex_count, indices = 3 * (size_t)piece->triangle_count;
        append_elements(s->position, vertex, piece->position, n, sizeof *s->position);
        append_elements(s->normal, vertex, piece->normal, n, sizeof *s->normal);
        append_elements(s->velocity, vertex, piece->velocity, n, sizeof *s->velocity);
        for (uint32_t c = 0; c < piece->channel_count; c++)
            append_elements(s->channel[c].values, vertex, piece->channel[c].values, n,
                            s->channel[c].components * sizeof(float));
        for (size_t k = 0; k < indices; k++)
            s->index[index + k] = piece->index[k] + s->vertex_count;
        vertex += n;
        index += indices;
    }
    return WEIR_OK;
}

weir_result mesher_run_batches(mesher *m, mesher_surface *surface)
{
    batch_surfaces all = {0};
    weir_result result = mesh_all_batches(m, &all);
    /* a frame has at least one block: find_blocks */
    WEIR_ASSERT(result != WEIR_OK || all.count > 0);
    if (result == WEIR_OK && all.count == 1) {
        *surface = all.items[0];
        all.items[0] = (mesher_surface){0};
    } else if (result == WEIR_OK) {
        result = join_batch_surfaces(m, &all, surface);
    }
    free_batch_surfaces(&all);
    return result;
}
