/* A frame's surface, in one slab or several. A slab is a range of blocks. Its field also covers the
 * nodes beyond it that its cells need, with the same sums as in the slab that owns those nodes, so
 * slabs join without a seam. Slabs are meshed from the last to the first: a cell needs the vertex
 * numbers of blocks behind its own, which are known by then. */
#include "mesher_internal.h"

/* ---- pieces of the surface ------------------------------------------------------------------ */

typedef struct pieces {
    mesher_surface *items; /* from the last slab to the first */
    size_t count, capacity;
    uint64_t vertices, triangles;
} pieces;

static void free_pieces(pieces *p)
{
    for (size_t i = 0; i < p->count; i++)
        mesher_surface_free(&p->items[i]);
    BASE_ARRAY_FREE(p);
}

static weir_result out_of_memory(const mesher *m)
{
    return base_fail(mesher_log(m), WEIR_MEMORY, "no memory for a mesh of %u vertices",
                     m->frame.vertex_count);
}

/* Makes the arrays for the surface's counts. */
static bool make_arrays(mesher_surface *s, bool normals, bool velocity)
{
    size_t n = s->vertex_count;
    s->position = base_alloc(n, sizeof *s->position);
    s->index = base_alloc(3 * (size_t)s->triangle_count, sizeof *s->index);
    if (normals) s->normal = base_alloc(n, sizeof *s->normal);
    if (velocity) s->velocity = base_alloc(n, sizeof *s->velocity);
    return s->position && s->index && (!normals || s->normal) && (!velocity || s->velocity);
}

static bool add_channel(mesher_surface *s, const char *name)
{
    mesher_channel *channel = &s->channel[s->channel_count];
    channel->values = base_alloc(s->vertex_count, sizeof *channel->values);
    if (!channel->values) return false;
    channel->components = 1;
    snprintf(channel->name, sizeof channel->name, "%s", name);
    s->channel_count++;
    return true;
}

/* Reads the results of a carry: xyz velocity, w the scalar. */
static weir_result split_results(mesher *m, mesher_surface *s, const gpu_buffer *from,
                                 bool velocity, const char *scalar)
{
    weir_result result = WEIR_OK;
    size_t n = s->vertex_count;
    vec4 *results = base_alloc(n, sizeof *results);
    if (!results || (scalar && !add_channel(s, scalar))) {
        base_free(results);
        return out_of_memory(m);
    }
    WEIR_TRY(mesher_read(m, from, n * sizeof *results, results));
    for (size_t i = 0; velocity && i < n; i++)
        s->velocity[i] = (vec3){results[i].x, results[i].y, results[i].z};
    for (size_t i = 0; scalar && i < n; i++)
        s->channel[s->channel_count - 1].values[i] = results[i].w;
fail:
    base_free(results);
    return result;
}

size_t mesher_output_steps(const mesher *m, mesher_step *steps)
{
    bool velocity = mesher_carries_velocity(m);
    size_t count = 0;
    steps[count++] = (mesher_step){MESHER_PHASE_OUTPUT, 0};
    for (uint32_t scalar = 0; scalar < MESHER_SCALARS && count <= mesher_carries(m); scalar++) {
        bool held = mesher_scalar_buffer(m, (enum mesher_scalar)scalar);
        if (!held && !(scalar == MESHER_NO_SCALAR && velocity)) continue;
        steps[count] = (mesher_step){(enum mesher_phase)(MESHER_PHASE_CARRY + count - 1),
                                     scalar + (velocity ? (uint32_t)MESHER_SCALARS : 0u)};
        velocity = false;
        count++;
    }
    return count;
}

static weir_result read_carry(mesher *m, mesher_surface *s, const mesher_step *carry)
{
    static const char *const names[MESHER_SCALARS] = {"density", "fluid", "neighbours"};
    return split_results(m, s, m->buffers.results[carry->phase - MESHER_PHASE_CARRY],
                         carry->constant >= MESHER_SCALARS,
                         names[carry->constant % MESHER_SCALARS]);
}

static weir_result read_arrays(mesher *m, mesher_surface *s)
{
    const mesher_buffers *b = &m->buffers;
    bool normals = m->def.normals == WEIR_MESH_NORMALS_FIELD;
    s->vertex_count = m->frame.vertex_count;
    s->triangle_count = m->frame.triangle_count;
    size_t n = s->vertex_count, indices = 3 * (size_t)s->triangle_count;
    if (!make_arrays(s, normals, mesher_carries_velocity(m))) return out_of_memory(m);
    WEIR_NEED(mesher_read(m, b->vertices, n * sizeof *s->position, s->position));
    WEIR_NEED(mesher_read(m, b->indices, indices * sizeof *s->index, s->index));
    if (normals) WEIR_NEED(mesher_read(m, b->normals, n * sizeof *s->normal, s->normal));
    return WEIR_OK;
}

/* Makes the slab's surface and reads it. */
static weir_result make_piece(mesher *m, mesher_surface *s)
{
    mesher_step steps[MESHER_OUTPUT_STEPS];
    size_t count = mesher_output_steps(m, steps);
    if (!m->frame.made) {
        WEIR_NEED(mesher_await(m, m->frame.vertex_count, m->frame.triangle_count));
        WEIR_NEED(mesher_finish(m, steps, count));
    }
    WEIR_NEED(read_arrays(m, s));
    for (size_t i = 1; i < count; i++)
        WEIR_NEED(read_carry(m, s, &steps[i]));
    return WEIR_OK;
}

/* ---- one slab ------------------------------------------------------------------------------- */

/* Counts the slab's vertices and triangles; *fits is false when it needs fewer blocks. */
static weir_result count_slab(mesher *m, uint32_t limit, bool *fits)
{
    uint32_t several = m->params.slab_end - m->params.slab_first < m->frame.block_count;
    *fits = false;
    if (m->frame.counted && !several) {
        *fits = mesher_output_fits(m);
        return WEIR_OK;
    }
    m->frame.counted = false; /* a slab's field takes its place */
    WEIR_NEED(mesher_run_phase(m, MESHER_PHASE_SEATS, several));
    m->frame.seat_count = m->params.seat_count = mesher_counted(m, MESHER_PHASE_SEATS);
    if (m->frame.seat_count > limit) return WEIR_OK;
    WEIR_NEED(mesher_room_for_seats(m));
    WEIR_NEED(mesher_run_phase(m, MESHER_PHASE_FIELD, 0));
    m->frame.vertex_count = mesher_state(m)->vertex_count;
    m->frame.triangle_count = mesher_state(m)->triangle_count;
    *fits = mesher_output_fits(m);
    return WEIR_OK;
}

static weir_result mesh_slab(mesher *m, pieces *all)
{
    weir_result result;
    mesher_surface piece = {0};
    bool whole = m->params.slab_end - m->params.slab_first == m->frame.block_count;
    WEIR_TRY(mesher_room_for_output(m));
    m->params.whole = whole;
    if (m->frame.vertex_count || m->frame.triangle_count) {
        WEIR_TRY(make_piece(m, &piece));
    }
    all->vertices += m->frame.vertex_count;
    all->triangles += m->frame.triangle_count;
    if (!BASE_PUSH(all, piece)) {
        result = out_of_memory(m);
        goto fail;
    }
    return WEIR_OK;
fail:
    mesher_surface_free(&piece);
    return result;
}

static weir_result refuse_frame(const mesher *m)
{
    return base_fail(mesher_log(m), WEIR_MEMORY,
                     "%u particles at a cell of %g m: not even one block of the surface fits the "
                     "%.1f MiB that the mesher may take, of which it holds %.1f MiB: raise the "
                     "memory limit or the cell",
                     m->frame.points->count, m->frame.cell_m, (double)mesher_budget(m) / 1048576.0,
                     (double)mesher_bytes_held(m) / 1048576.0);
}

static weir_result run_pieces(mesher *m, pieces *all)
{
    uint32_t limit = mesher_seat_limit(m), blocks = m->frame.block_count;
    uint32_t most = blocks <= limit ? blocks : limit / 2;
    for (uint32_t end = blocks; end > 0;) {
        bool fits = false;
        if (most == 0) return refuse_frame(m);
        m->params.slab_end = end;
        m->params.slab_first = end > most ? end - most : 0;
        m->params.vertices_behind = (uint32_t)all->vertices;
        WEIR_NEED(count_slab(m, limit, &fits));
        if (!fits) {
            most = (end - m->params.slab_first) / 2;
            continue;
        }
        WEIR_NEED(mesh_slab(m, all));
        end = m->params.slab_first;
    }
    if (all->vertices > UINT32_MAX || all->triangles > UINT32_MAX / 3)
        return base_fail(mesher_log(m), WEIR_MEMORY,
                         "a mesh of %llu vertices has more than 32-bit indices can number: raise "
                         "the cell",
                         (unsigned long long)all->vertices);
    return WEIR_OK;
}

weir_result mesher_count_whole(mesher *m)
{
    bool fits = false;
    uint32_t limit = mesher_seat_limit(m);
    m->params.slab_first = 0;
    m->params.slab_end = m->frame.block_count;
    m->params.vertices_behind = 0;
    if (m->frame.block_count <= limit) WEIR_NEED(count_slab(m, limit, &fits));
    m->params.whole = 1;
    if (fits) return WEIR_OK;
    return base_fail(mesher_log(m), WEIR_UNSUPPORTED,
                     "%u particles at a cell of %g m: the surface does not fit, in one part, the "
                     "%.1f MiB that the mesher may take; only on the CPU is it joined of several: "
                     "raise the memory limit or the cell",
                     m->frame.points->count, m->frame.cell_m, (double)mesher_budget(m) / 1048576.0);
}

/* ---- joining -------------------------------------------------------------------------------- */

static void append(void *to, size_t at, const void *from, size_t count, size_t size)
{
    if (to && from) memcpy((uint8_t *)to + at * size, from, count * size);
}

static bool make_room(mesher_surface *s, const mesher_surface *like)
{
    for (uint32_t c = 0; c < like->channel_count; c++)
        if (!add_channel(s, like->channel[c].name)) return false;
    return make_arrays(s, like->normal, like->velocity);
}

/* Joins the pieces in order. Their indices count from the end of all vertices. */
static weir_result join_pieces(mesher *m, const pieces *all, mesher_surface *s)
{
    size_t vertex = 0, index = 0, like = 0;
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].vertex_count) like = i;
    s->vertex_count = (uint32_t)all->vertices;
    s->triangle_count = (uint32_t)all->triangles;
    if (!make_room(s, &all->items[like])) return out_of_memory(m);
    for (size_t i = all->count; i-- > 0;) {
        const mesher_surface *piece = &all->items[i];
        size_t n = piece->vertex_count, indices = 3 * (size_t)piece->triangle_count;
        append(s->position, vertex, piece->position, n, sizeof *s->position);
        append(s->normal, vertex, piece->normal, n, sizeof *s->normal);
        append(s->velocity, vertex, piece->velocity, n, sizeof *s->velocity);
        for (uint32_t c = 0; c < piece->channel_count; c++)
            append(s->channel[c].values, vertex, piece->channel[c].values, n, sizeof(float));
        for (size_t k = 0; k < indices; k++)
            s->index[index + k] = piece->index[k] + s->vertex_count;
        vertex += n;
        index += indices;
    }
    return WEIR_OK;
}

weir_result mesher_run_slabs(mesher *m, mesher_surface *surface)
{
    pieces all = {0};
    weir_result result = run_pieces(m, &all);
    WEIR_ASSERT(result != WEIR_OK || all.count > 0); /* a frame has blocks: begin_frame */
    if (result == WEIR_OK && all.count == 1) {
        *surface = all.items[0];
        all.items[0] = (mesher_surface){0};
    } else if (result == WEIR_OK) {
        result = join_pieces(m, &all, surface);
    }
    free_pieces(&all);
    return result;
}
