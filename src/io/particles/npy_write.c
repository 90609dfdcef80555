/* Writes NPY: one float32 array with a row for each particle or, with attributes, whose columns
 * need names, an array of records. */
#include "io_internal.h"

#define ALIGNMENT 64u /* of the data; numpy pads the header to it */

static bool has_records(const io_particle_output *frame)
{
    return frame->particles->attribute_values != NULL;
}

/* Appends the header's dictionary. */
static void describe_array(const io_particle_output *frame, base_text *text)
{
    const io_columns *columns = &frame->columns;
    const uint32_t count = frame->particles->count;
    if (!has_records(frame)) {
        base_text_append(text, "{'descr': '<f4', 'fortran_order': False, 'shape': (%u, %u), }",
                         count, columns->count);
        return;
    }
    base_text_append(text, "{'descr': [");
    for (uint32_t c = 0; c < columns->count; c++)
        base_text_append(text, "%s('%s', '<%s4')", c ? ", " : "", columns->items[c].name,
                         columns->items[c].whole ? "u" : "f");
    base_text_append(text, "], 'fortran_order': False, 'shape': (%u,), }", count);
}

/* Warns about ids above 2^24, beyond which float32 does not hold all integers. */
static void warn_large_ids(const io_particle_output *frame)
{
    const uint32_t exact = 1u << 24;
    if (!(frame->columns.fields >> WEIR_FIELD_ID & 1u) || has_records(frame)) return;
    for (size_t i = 0; i < frame->particles->count; i++) {
        if (frame->particles->id[i] <= exact) continue;
        base_log(
            frame->log, WEIR_LOG_WARNING,
            "%s: ids above %u lose precision in NPY's float32; use PLY, VTK or BGEO to keep them",
            frame->path, exact);
        return;
    }
}

static uint32_t value_bits(const io_particle_output *frame, const io_column *column, size_t i)
{
    if (has_records(frame)) return io_column_bits(column, i);
    return io_float_bits(io_column_float(column, i));
}

void io_npy_write(const io_particle_output *frame, io_writer *writer)
{
    static const char spaces[ALIGNMENT] =
        "                                                               ";
    base_text text = {0};
    describe_array(frame, &text);
    const size_t size = text.count;
    /* Bytes of magic, version and length, then the text and its newline. */
    size_t before = 10 + size + 1;
    size_t padding = (ALIGNMENT - before % ALIGNMENT) % ALIGNMENT;
    warn_large_ids(frame);
    io_writer_put_bytes(writer, "\x93NUMPY\x01\x00", 8);
    io_writer_put_uint(writer, size + padding + 1, 2, false);
    io_writer_put_bytes(writer, text.items, size);
    io_writer_put_text(writer, "%.*s\n", (int)padding, spaces);
    base_free(text.items);
    for (size_t i = 0; i < frame->particles->count; i++)
        for (uint32_t c = 0; c < frame->columns.count; c++)
            io_writer_put_u32(writer, value_bits(frame, &frame->columns.items[c], i), false);
}
