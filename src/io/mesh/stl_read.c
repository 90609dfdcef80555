/* Reads STL, ascii and binary; corners with equal coordinates are welded. */
#include "io_internal.h"

#define HEADER_BYTES 84u /* 80 bytes of any text, and a count */
#define RECORD_BYTES 50u /* normal, three corners, 16 bits without a standard meaning */

static uint64_t binary_size(const io_reader *reader)
{
    return HEADER_BYTES +
           (uint64_t)RECORD_BYTES * (uint64_t)io_load(reader->begin + 80, IO_U32, false);
}

bool io_stl_has_binary_size(const io_reader *reader)
{
    size_t size = (size_t)(reader->end - reader->begin);
    return size >= HEADER_BYTES && binary_size(reader) == size;
}

/* Returns whether the file is binary. Binary files may begin with "solid", too. A size that matches
 * the count proves it; otherwise a NUL among the first bytes indicates binary, because text has
 * none. */
static bool is_binary(const io_reader *reader)
{
    io_reader probe = *reader;
    size_t size = (size_t)(reader->end - reader->begin);
    size_t head = size < HEADER_BYTES ? size : HEADER_BYTES;
    if (io_stl_has_binary_size(reader) || memchr(reader->begin, 0, head)) return true;
    return size >= HEADER_BYTES && !io_token_is(io_read_token(&probe), "solid");
}

static weir_result read_corner(io_reader *reader, io_mesh_build *build)
{
    float position[3];
    for (int axis = 0; axis < 3; axis++)
        WEIR_RETURN_IF_ERROR(io_read_coordinate(reader, IO_F32, axis, &position[axis]));
    return io_mesh_add_vertex(reader, build, vec3_make(position[0], position[1], position[2]));
}

/* Adds the triangle of the last three vertices. */
static weir_result close_triangle(io_reader *reader, io_mesh_build *build)
{
    uint32_t first = (uint32_t)build->vertices.count - 3;
    return io_mesh_add_triangle(reader, build, first, first + 1, first + 2);
}

static weir_result read_binary(io_reader *reader, io_mesh_build *build)
{
    size_t size = io_remaining(reader);
    reader->text = false;
    if (size < HEADER_BYTES)
        return io_fail(reader, reader->end, "a binary STL has a header of 84 bytes; it is cut off");
    uint64_t needed = binary_size(reader), count = (needed - HEADER_BYTES) / RECORD_BYTES;
    if (needed > size)
        return io_fail(
            reader, reader->begin + 80,
            "%llu triangles need %llu bytes, the file has %zu; the count is wrong or the "
            "file is cut off",
            (unsigned long long)count, (unsigned long long)needed, size);
    if (needed < size)
        base_log(reader->log, WEIR_LOG_WARNING,
                 "%s: byte %llu: %llu bytes after the last triangle are ignored", reader->path,
                 (unsigned long long)needed, (unsigned long long)(size - needed));
    reader->at += HEADER_BYTES;
    for (uint64_t i = 0; i < count; i++) {
        reader->at += 3 * sizeof(float);
        for (int corner = 0; corner < 3; corner++)
            WEIR_RETURN_IF_ERROR(read_corner(reader, build));
        WEIR_RETURN_IF_ERROR(close_triangle(reader, build));
        reader->at += 2;
    }
    return WEIR_OK;
}

static weir_result expect_word(io_reader *reader, const char *text)
{
    io_token word = io_read_token(reader);
    if (io_token_is(word, text)) return WEIR_OK;
    if (!word.size)
        return io_fail(reader, word.at, "the file ends where \"%s\" should be; it is cut off",
                       text);
    return io_fail(reader, word.at, "\"%.*s\" where \"%s\" should be", IO_TOKEN_ARGUMENTS(word),
                   text);
}

/* Reads a facet after the word "facet". Its normal is ignored: some programs write NaN there. */
static weir_result read_facet(io_reader *reader, io_mesh_build *build)
{
    WEIR_RETURN_IF_ERROR(expect_word(reader, "normal"));
    for (int i = 0; i < 3; i++)
        io_read_token(reader);
    WEIR_RETURN_IF_ERROR(expect_word(reader, "outer"));
    WEIR_RETURN_IF_ERROR(expect_word(reader, "loop"));
    for (int corner = 0; corner < 3; corner++) {
        WEIR_RETURN_IF_ERROR(expect_word(reader, "vertex"));
        WEIR_RETURN_IF_ERROR(read_corner(reader, build));
    }
    WEIR_RETURN_IF_ERROR(expect_word(reader, "endloop"));
    WEIR_RETURN_IF_ERROR(expect_word(reader, "endfacet"));
    return close_triangle(reader, build);
}

static weir_result read_solid(io_reader *reader, io_mesh_build *build)
{
    WEIR_RETURN_IF_ERROR(expect_word(reader, "solid"));
    io_skip_line(reader);
    for (;;) {
        io_token word = io_read_token(reader);
        if (io_token_is(word, "endsolid")) break;
        if (!word.size)
            return io_fail(reader, word.at, "the file ends without \"endsolid\"; it is cut off");
        if (!io_token_is(word, "facet"))
            return io_fail(reader, word.at, "\"%.*s\" where \"facet\" or \"endsolid\" should be",
                           IO_TOKEN_ARGUMENTS(word));
        WEIR_RETURN_IF_ERROR(read_facet(reader, build));
    }
    io_skip_line(reader);
    return WEIR_OK;
}

weir_result io_stl_read(io_reader *reader, io_mesh_build *build)
{
    if (is_binary(reader)) {
        WEIR_RETURN_IF_ERROR(read_binary(reader, build));
    } else {
        for (io_skip_space(reader); reader->at < reader->end; io_skip_space(reader))
            WEIR_RETURN_IF_ERROR(read_solid(reader, build));
    }
    return io_mesh_weld_vertices(reader, build);
}
