/* Reads and writes raw positions: x y z as little-endian float32 and nothing else, as splashsurf
 * and other programs read them. The file itself has no signature, so its name must identify it:
 * .raw, .f32, or .xyz with bytes that do not occur in text. More than a few positions that are not
 * finite show that it holds something else. An empty file is a frame without particles. */
#include "io_internal.h"

enum { HEAD = 65536, POSITION_BYTES = 12 };

bool io_is_binary(const io_reader *reader)
{
    size_t size = io_remaining(reader) < HEAD ? io_remaining(reader) : HEAD;
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = reader->at[i];
        if (byte < '\t' || (byte > '\r' && byte < ' ') || byte == 0x7f) return true;
    }
    return false;
}

bool io_is_raw(const io_reader *reader)
{
    return io_has_extension(reader, "raw") || io_has_extension(reader, "f32") ||
           (io_has_extension(reader, "xyz") && io_is_binary(reader));
}

/* One in a hundred positions of random bytes is not finite. */
static weir_result check_not_finite(const io_reader *reader, size_t count)
{
    const io_not_finite *found = reader->not_finite;
    const size_t most = 1 + count / 1000;
    size_t sum = 0;
    if (!found->particles) return WEIR_OK;
    for (size_t i = 0; i < count; i++)
        sum += found->particles[i];
    if (sum <= most) return WEIR_OK;
    return io_fail(
        reader, found->at,
        "%zu of %zu positions are not finite, the first %s is %g: the file does not hold "
        "float32 x y z",
        sum, count, found->what, found->value);
}

weir_result io_raw_read(io_reader *reader, io_particles *particles)
{
    const uint32_t xyz = 7u;
    size_t size = io_remaining(reader), count = size / POSITION_BYTES;
    if (size % POSITION_BYTES != 0)
        return io_fail(reader, reader->at + size - size % POSITION_BYTES,
                       "raw float32 positions have 12 bytes each, but %zu bytes are left over; the "
                       "file is cut off or has another format",
                       size % POSITION_BYTES);
    WEIR_RETURN_IF_ERROR(io_particles_allocate(reader, count, xyz, particles));
    for (size_t i = 0; i < 3 * count; i++)
        WEIR_RETURN_IF_ERROR(io_particles_read_value(
            reader, IO_F32, particles, (io_table_cell){i / 3, IO_SCALAR_X + (io_scalar)(i % 3)}));
    return check_not_finite(reader, count);
}

void io_raw_write(const io_particle_output *frame, io_writer *writer)
{
    const vec3 *position = frame->particles->position;
    for (size_t i = 0; i < frame->particles->count; i++) {
        io_writer_put_u32(writer, io_float_bits(position[i].x), false);
        io_writer_put_u32(writer, io_float_bits(position[i].y), false);
        io_writer_put_u32(writer, io_float_bits(position[i].z), false);
    }
}
