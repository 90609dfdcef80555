/* Meshes on their way out. Text and bytes are made in pieces of a fixed size by several threads and
 * written in the pieces' order, so that the file does not depend on how many threads there are. */
#include "io_internal.h"

enum { PIECE_BYTES = 1 << 19, RING = 16, THREADS_MAX = RING / 2 };

/* ---- pieces --------------------------------------------------------------------------------- */

/* The mutex guards all that is written while threads run. */
typedef struct line {
    const io_part *part;
    uint64_t piece_items, piece_count;
    base_mutex *mutex;
    base_condition *changed;
    uint64_t next;    /* piece that no thread has taken */
    uint64_t written; /* pieces that need their ring slot no more */
    bool stop;
    uint8_t *bytes; /* [slots][slot_size] */
    size_t slots, slot_size;
    size_t sizes[RING];
    bool made[RING];
} line;

static size_t make_piece(line *line, uint64_t piece)
{
    const io_part *part = line->part;
    uint64_t first = piece * line->piece_items, end = first + line->piece_items;
    uint8_t *out = line->bytes + piece % line->slots * line->slot_size;
    if (end > part->count) end = part->count;
    return (size_t)(part->put(part->user, first, end, out) - out);
}

static void make_pieces(void *user)
{
    line *line = user;
    base_mutex_lock(line->mutex);
    for (;;) {
        while (!line->stop && line->next < line->piece_count && line->next >= line->written + RING)
            base_condition_wait(line->changed, line->mutex);
        if (line->stop || line->next == line->piece_count) break;
        uint64_t piece = line->next++;
        base_mutex_unlock(line->mutex);
        size_t size = make_piece(line, piece);
        base_mutex_lock(line->mutex);
        line->sizes[piece % RING] = size;
        line->made[piece % RING] = true;
        base_condition_signal(line->changed);
    }
    base_mutex_unlock(line->mutex);
}

static void write_piece(line *line, uint64_t piece, io_sink *sink)
{
    size_t slot = piece % RING;
    base_mutex_lock(line->mutex);
    while (!line->made[slot])
        base_condition_wait(line->changed, line->mutex);
    line->made[slot] = false;
    base_mutex_unlock(line->mutex);
    io_sink_block(sink, line->bytes + slot * line->slot_size, line->sizes[slot]);
    base_mutex_lock(line->mutex);
    line->written = piece + 1;
    line->stop = sink->result != WEIR_OK;
    base_condition_signal(line->changed);
    base_mutex_unlock(line->mutex);
}

/* False when no thread could be started. */
static bool write_with_threads(line *line, uint32_t threads, io_sink *sink)
{
    base_thread *started[THREADS_MAX] = {0};
    uint32_t count = 0;
    line->mutex = base_mutex_create();
    line->changed = base_condition_create();
    for (; line->mutex && line->changed && count < threads; count++)
        if (!(started[count] = base_thread_start(make_pieces, line))) break;
    for (uint64_t piece = 0; count > 0 && !line->stop && piece < line->piece_count; piece++)
        write_piece(line, piece, sink);
    for (uint32_t i = 0; i < count; i++)
        base_thread_join(&started[i]);
    base_condition_destroy(&line->changed);
    base_mutex_destroy(&line->mutex);
    return count > 0;
}

void io_part_write(const io_mesh_out *out, const io_part *part)
{
    io_sink *sink = out->sink;
    uint32_t threads = out->threads;
    if (sink->result != WEIR_OK || part->count == 0) return;
    const uint64_t most = PIECE_BYTES / part->size;
    line line = {.part = part, .piece_items = part->count < most ? part->count : most};
    line.slot_size = (size_t)line.piece_items * part->size;
    line.piece_count = (part->count + line.piece_items - 1) / line.piece_items;
    if (line.piece_count < 2) threads = 1;
    line.slots = threads > 1 ? RING : 1;
    line.bytes = base_alloc(line.slots, line.slot_size);
    if (!line.bytes) {
        sink->result = base_fail(out->log, WEIR_MEMORY, "no memory to write a mesh with");
        return;
    }
    bool done = threads > 1 && write_with_threads(&line, threads, sink);
    for (uint64_t piece = 0; !done && piece < line.piece_count; piece++) {
        size_t size = make_piece(&line, piece);
        io_sink_block(sink, line.bytes + piece % line.slots * line.slot_size, size);
    }
    base_free(line.bytes);
}

/* ---- the file ------------------------------------------------------------------------------- */

vec3 io_mesh_turn(const io_mesh_write_def *def, vec3 v)
{
    switch (def->turn) {
    case WEIR_TURN_Y_TO_Z: return vec3_make(v.x, -v.z, v.y);
    case WEIR_TURN_Z_TO_Y: return vec3_make(v.x, v.z, -v.y);
    case WEIR_TURN_NONE: break;
    }
    return v;
}

vec3 io_mesh_scale(const io_mesh_write_def *def, vec3 v)
{
    return vec3_scale(io_mesh_turn(def, v), def->scale);
}

const char *io_mesh_format_extension(weir_mesh_format format)
{
    static const char *const extensions[WEIR_MESH_FORMAT_COUNT] = {[WEIR_MESH_OBJ] = "obj",
                                                                   [WEIR_MESH_PLY] = "ply",
                                                                   [WEIR_MESH_VTK] = "vtk",
                                                                   [WEIR_MESH_BGEO] = "bgeo"};
    return extensions[format];
}

weir_result io_mesh_write(const weir_log *log, const io_mesh_view *mesh,
                          const io_mesh_write_def *def)
{
    static void (*const writers[WEIR_MESH_FORMAT_COUNT])(const io_mesh_out *) = {
        [WEIR_MESH_OBJ] = io_obj_write_mesh,
        [WEIR_MESH_PLY] = io_ply_write_mesh,
        [WEIR_MESH_VTK] = io_vtk_write_mesh,
        [WEIR_MESH_BGEO] = io_bgeo_write_mesh,
    };
    WEIR_ASSERT(def->format < WEIR_MESH_FORMAT_COUNT && mesh->channel_count <= IO_MESH_CHANNELS);
    io_sink sink;
    WEIR_NEED(io_sink_open(log, def->path, &sink));
    uint32_t threads = def->threads ? def->threads : base_cpu_count();
    io_mesh_out out = {.log = log,
                       .mesh = mesh,
                       .def = def,
                       .sink = &sink,
                       .threads = threads < THREADS_MAX ? threads : THREADS_MAX};
    writers[def->format](&out);
    return io_sink_commit(&sink);
}
