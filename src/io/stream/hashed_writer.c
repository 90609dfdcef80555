/* A file writer that buffers large blocks and hashes them; the file appears completely or not at
 * all. */
#include "io_internal.h"

weir_result io_writer_open(const weir_log *log, const char *path, io_writer *writer)
{
    *writer = (io_writer){.buffer = base_realloc(NULL, IO_WRITER_BUFFER_BYTES, 1)};
    if (!writer->buffer)
        return base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for a buffer", path);
    writer->result = base_writer_open(log, path, &writer->writer);
    weir_result result = writer->result;
    if (result != WEIR_OK) io_writer_cancel(writer);
    return result;
}

void io_writer_flush(io_writer *writer)
{
    writer->hash = base_hash64(writer->buffer, writer->used, writer->hash);
    if (writer->result == WEIR_OK)
        writer->result = base_writer_write(writer->writer, writer->buffer, writer->used);
    writer->used = 0;
}

void io_writer_put_bytes(io_writer *writer, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    while (size) {
        size_t room = IO_WRITER_BUFFER_BYTES - writer->used;
        size_t part = size < room ? size : room;
        memcpy(writer->buffer + writer->used, from, part);
        writer->used += part;
        from += part;
        size -= part;
        if (writer->used == IO_WRITER_BUFFER_BYTES) io_writer_flush(writer);
    }
}

void io_writer_put_block(io_writer *writer, const void *bytes, size_t size)
{
    io_writer_flush(writer);
    if (writer->result == WEIR_OK) writer->result = base_writer_write(writer->writer, bytes, size);
}

void io_writer_put_text(io_writer *writer, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    WEIR_ASSERT(size >= 0 && (size_t)size < sizeof text);
    io_writer_put_bytes(writer, text, (size_t)size);
}

void io_writer_put_uint(io_writer *writer, uint64_t value, size_t size, bool big_endian)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> 8 * (big_endian ? size - 1 - i : i));
    io_writer_put_bytes(writer, bytes, size);
}

void io_writer_put_u32(io_writer *writer, uint32_t value, bool big_endian)
{
    io_writer_put_uint(writer, value, sizeof value, big_endian);
}

weir_result io_writer_commit(io_writer *writer)
{
    io_writer_flush(writer);
    weir_result result = writer->result;
    if (result == WEIR_OK) result = base_writer_commit(&writer->writer);
    io_writer_cancel(writer);
    return result;
}

void io_writer_cancel(io_writer *writer)
{
    base_writer_cancel(&writer->writer);
    base_free(writer->buffer);
    *writer = (io_writer){0};
}

uint32_t io_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

uint64_t io_double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void io_print_decimal(char out[32], double value)
{
    /* Prints integers only, because printf's decimal point depends on the locale. */
    bool minus = value < 0;
    double whole = floor(fabs(value));
    uint64_t billionths = (uint64_t)((fabs(value) - whole) * 1e9 + 0.5);
    if (billionths == 1000000000u) billionths = 0, whole += 1;
    int size =
        snprintf(out, 32, "%s%.0f.%09u", minus ? "-" : "", fmin(whole, 1e15), (unsigned)billionths);
    while (out[size - 1] == '0')
        out[--size] = 0;
    if (out[size - 1] == '.') out[size - 1] = 0;
}
