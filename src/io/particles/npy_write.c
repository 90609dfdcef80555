/* Writes NPY: one float32 array with a row for each particle. */
#include "io_internal.h"

#define ALIGNMENT 64u /* of the data; numpy pads the header to it */

/* Warns about ids above 2^24, beyond which float32 does not hold all integers. */
static void warn_large_ids(const io_particle_output *frame)
{
    const uint32_t exact = 1u << 24;
    if (!(frame->columns.fields >> WEIR_FIELD_ID & 1u)) return;
    for (size_t i = 0; i < frame->particles->count; i++) {
        if (frame->particles->id[i] <= exact) continue;
        base_log(
            frame->log, WEIR_LOG_WARNING,
            "%s: ids above %u lose precision in NPY's float32; use PLY, VTK or BGEO to keep them",
            frame->path, exact);
        return;
    }
}

void io_npy_write(const io_particle_output *frame, io_writer *writer)
{
    static const char spaces[ALIGNMENT] =
        "                                                               ";
    char text[128];
    int size =
        snprintf(text, sizeof text, "{'descr': '<f4', 'fortran_order': False, 'shape': (%u, %u), }",
                 frame->particles->count, frame->columns.count);
    /* Bytes of magic, version and length, then the text and its newline. */
    size_t before = 10 + (size_t)size + 1;
    size_t padding = (ALIGNMENT - before % ALIGNMENT) % ALIGNMENT;
    warn_large_ids(frame);
    io_writer_put_bytes(writer, "\x93NUMPY\x01\x00", 8);
    io_writer_put_uint(writer, (size_t)size + padding + 1, 2, false);
    io_writer_put_text(writer, "%s%.*s\n", text, (int)padding, spaces);
    for (size_t i = 0; i < frame->particles->count; i++)
        for (uint32_t c = 0; c < frame->columns.count; c++)
            io_writer_put_u32(writer, io_float_bits(io_column_float(&frame->columns.items[c], i)),
                              false);
}
