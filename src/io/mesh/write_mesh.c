/* Writes meshes. Several threads format pieces of a fixed size, which are written in order, so that
 * the file does not depend on the number of threads. */
#include "io_internal.h"

enum { PIECE_BYTES = 1 << 19, RING = 16, THREADS_MAX = RING / 2 };

/* ---- pieces --------------------------------------------------------------------------------- */

/* Pieces being formatted and written. The mutex guards all members that change while threads
 * run. */
typedef struct write_pipeline {
    const io_array_part *part;
    uint64_t piece_items, piece_count;
    base_mutex *mutex;
    base_condition *changed;
    uint64_t next;    /* next piece to be formatted */
    uint64_t written; /* number of pieces whose ring slot is free again */
    bool stop;
    uint8_t *bytes; /* [slots][slot_size] */
    size_t slots, slot_size;
    size_t sizes[RING];
    bool formatted[RING];
} write_pipeline;

static size_t format_piece(write_pipeline *write_pipeline, uint64_t piece)
{
    const io_array_part *part = write_pipeline->part;
    uint64_t first = piece * write_pipeline->piece_items, end = first + write_pipeline->piece_items;
    uint8_t *out =
        write_pipeline->bytes + piece % write_pipeline->slots * write_pipeline->slot_size;
    if (end > part->count) end = part->count;
    return (size_t)(part->write_elements(part->user, first, end, out) - out);
}

static void format_pieces(void *user)
{
    write_pipeline *write_pipeline = user;
    base_mutex_lock(write_pipeline->mutex);
    for (;;) {
        while (!write_pipeline->stop && write_pipeline->next < write_pipeline->piece_count &&
               write_pipeline->next >= write_pipeline->written + RING)
            base_condition_wait(write_pipeline->changed, write_pipeline->mutex);
        if (write_pipeline->stop || write_pipeline->next == write_pipeline->piece_count) break;
        uint64_t piece = write_pipeline->next++;
        base_mutex_unlock(write_pipeline->mutex);
        size_t size = format_piece(write_pipeline, piece);
        base_mutex_lock(write_pipeline->mutex);
        write_pipeline->sizes[piece % RING] = size;
        write_pipeline->formatted[piece % RING] = true;
        base_condition_signal(write_pipeline->changed);
    }
    base_mutex_unlock(write_pipeline->mutex);
}

static void write_piece(write_pipeline *write_pipeline, uint64_t piece, io_writer *writer)
{
    size_t slot = piece % RING;
    base_mutex_lock(write_pipeline->mutex);
    while (!write_pipeline->formatted[slot])
        base_condition_wait(write_pipeline->changed, write_pipeline->mutex);
    write_pipeline->formatted[slot] = false;
    base_mutex_unlock(write_pipeline->mutex);
    io_writer_put_block(writer, write_pipeline->bytes + slot * write_pipeline->slot_size,
                        write_pipeline->sizes[slot]);
    base_mutex_lock(write_pipeline->mutex);
    write_pipeline->written = piece + 1;
    write_pipeline->stop = writer->result != WEIR_OK;
    base_condition_signal(write_pipeline->changed);
    base_mutex_unlock(write_pipeline->mutex);
}

/* Returns false when no thread could be started. */
static bool write_with_threads(write_pipeline *write_pipeline, uint32_t threads, io_writer *writer)
{
    base_thread *started[THREADS_MAX] = {0};
    uint32_t count = 0;
    write_pipeline->mutex = base_mutex_create();
    write_pipeline->changed = base_condition_create();
    for (; write_pipeline->mutex && write_pipeline->changed && count < threads; count++)
        if (!(started[count] = base_thread_start(format_pieces, write_pipeline))) break;
    for (uint64_t piece = 0;
         count > 0 && !write_pipeline->stop && piece < write_pipeline->piece_count; piece++)
        write_piece(write_pipeline, piece, writer);
    for (uint32_t i = 0; i < count; i++)
        base_thread_join(&started[i]);
    base_condition_destroy(&write_pipeline->changed);
    base_mutex_destroy(&write_pipeline->mutex);
    return count > 0;
}

void io_write_array_part(const io_mesh_output *out, const io_array_part *part)
{
    io_writer *writer = out->writer;
    uint32_t threads = out->threads;
    if (writer->result != WEIR_OK || part->count == 0) return;
    const uint64_t most = PIECE_BYTES / part->size;
    write_pipeline write_pipeline = {.part = part,
                                     .piece_items = part->count < most ? part->count : most};
    write_pipeline.slot_size = (size_t)write_pipeline.piece_items * part->size;
    write_pipeline.piece_count =
        (part->count + write_pipeline.piece_items - 1) / write_pipeline.piece_items;
    if (write_pipeline.piece_count < 2) threads = 1;
    write_pipeline.slots = threads > 1 ? RING : 1;
    write_pipeline.bytes = base_alloc(write_pipeline.slots, write_pipeline.slot_size);
    if (!write_pipeline.bytes) {
        writer->result =
            base_fail(out->log, WEIR_ERROR_MEMORY, "not enough memory to write a mesh");
        return;
    }
    bool done = threads > 1 && write_with_threads(&write_pipeline, threads, writer);
    for (uint64_t piece = 0; !done && piece < write_pipeline.piece_count; piece++) {
        size_t size = format_piece(&write_pipeline, piece);
        io_writer_put_block(
            writer, write_pipeline.bytes + piece % write_pipeline.slots * write_pipeline.slot_size,
            size);
    }
    base_free(write_pipeline.bytes);
}

/* ---- the file ------------------------------------------------------------------------------- */

vec3 io_mesh_transform_direction(const io_mesh_write_def *def, vec3 v)
{
    switch (def->turn) {
    case WEIR_AXIS_CONVERSION_Y_TO_Z: return vec3_make(v.x, -v.z, v.y);
    case WEIR_AXIS_CONVERSION_Z_TO_Y: return vec3_make(v.x, v.z, -v.y);
    case WEIR_AXIS_CONVERSION_NONE: break;
    }
    return v;
}

vec3 io_mesh_transform_position(const io_mesh_write_def *def, vec3 v)
{
    return vec3_scale(io_mesh_transform_direction(def, v), def->scale);
}

bool io_mesh_has_origin(const io_mesh_write_def *def)
{
    return def->origin[0] != 0.0 || def->origin[1] != 0.0 || def->origin[2] != 0.0;
}

weir_result io_mesh_write(const weir_log *log, const io_mesh_view *mesh,
                          const io_mesh_write_def *def)
{
    const io_mesh_file_format *format = io_mesh_format_find(def->format);
    WEIR_ASSERT(def->format < WEIR_MESH_FORMAT_COUNT && mesh->channel_count <= IO_MESH_CHANNELS);
    io_writer writer;
    if (!(format->format.properties & IO_FORMAT_DOUBLES)) io_log_local(log, def->path, def->origin);
    WEIR_RETURN_IF_ERROR(io_writer_open(log, def->path, &writer));
    uint32_t threads = def->threads ? def->threads : base_cpu_count();
    io_mesh_output out = {.log = log,
                          .mesh = mesh,
                          .def = def,
                          .writer = &writer,
                          .threads = threads < THREADS_MAX ? threads : THREADS_MAX};
    format->write(&out);
    WEIR_RETURN_IF_ERROR(io_writer_commit(&writer));
    if (!(format->format.properties & IO_FORMAT_SERIES)) return WEIR_OK;
    return io_vtk_series_update(log, def->path, def->time_s);
}
