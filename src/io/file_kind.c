/* Finds out from a file's first bytes whether it holds particles or a mesh, for names whose
 * extensions tell nothing. */
#include "io_internal.h"

enum { HEAD_BYTES = 65536, HEAD_LINES = 100 };

static bool is_obj_word(io_token word)
{
    static const char *const words[] = {"v", "vn", "vt", "f", "o", "g", "mtllib", "usemtl"};
    return io_token_is_any(word, words, BASE_COUNT(words));
}

/* Returns whether the line begins as one of particles: with two numbers, or one number alone. */
static bool is_row(io_token line)
{
    io_reader words = {.begin = line.at, .at = line.at, .end = line.at + line.size};
    double number;
    io_token first = io_read_token_in_line(&words), second = io_read_token_in_line(&words);
    return io_token_double(first, &number) && (!second.size || io_token_double(second, &number));
}

/* Judges a text by its first line that is neither empty nor a comment. */
static weir_file_kind kind_of_text(const io_reader *reader)
{
    io_reader lines = *reader;
    if (io_is_csv(reader)) return WEIR_FILE_PARTICLES;
    for (uint32_t i = 0; i < HEAD_LINES && lines.at < lines.end; i++) {
        io_skip_blanks(&lines);
        io_reader words = lines;
        io_token line = io_read_line(&lines), word = io_read_token_in_line(&words);
        if (!line.size || *line.at == '#' || *line.at == '%' || *line.at == '/') continue;
        if (is_obj_word(word) || io_token_is(word, "solid")) return WEIR_FILE_MESH;
        return is_row(line) ? WEIR_FILE_PARTICLES : WEIR_FILE_UNKNOWN;
    }
    return WEIR_FILE_UNKNOWN;
}

/* Returns whether files of the format differ from all others by bytes at their start. */
static bool has_signature(const io_particle_format *row)
{
    bool (*const detect)(const io_reader *reader) = row->format.detect;
    return detect != io_is_raw && detect != io_is_csv && detect != io_is_xyz;
}

static weir_file_kind kind_of_bytes(const io_reader *reader)
{
    const weir_file_kind other = io_kind_of_other_format(reader); /* whose reader names it */
    bool particles = false;
    if (other != WEIR_FILE_UNKNOWN) return other;
    if (io_has_extension(reader, "stl") || io_has_extension(reader, "obj") ||
        io_starts_with(reader, "glTF"))
        return WEIR_FILE_MESH;
    for (size_t i = 0; i < io_particle_format_count && !particles; i++)
        particles = has_signature(&io_particle_formats[i]) &&
                    io_format_matches(&io_particle_formats[i].format, reader);
    if (particles)
        return io_mesh_file_has_faces(reader->path) ? WEIR_FILE_MESH : WEIR_FILE_PARTICLES;
    return io_is_binary(reader) ? WEIR_FILE_UNKNOWN : kind_of_text(reader);
}

static weir_file_kind kind_of_packed(const weir_log *log, const char *path)
{
    base_blob blob = {0};
    io_reader reader;
    if (io_open_decompressed(log, path, &blob, &reader) != WEIR_OK)
        return WEIR_FILE_PARTICLES; /* whose reader says what is wrong */
    weir_file_kind kind = kind_of_bytes(&reader);
    base_blob_free(&blob);
    return kind;
}

weir_file_kind io_file_kind(const char *path)
{
    const weir_log silent = {0};
    uint8_t *head = base_alloc(HEAD_BYTES, 1);
    if (!head) return WEIR_FILE_UNKNOWN;
    const base_blob blob = {head, base_file_read_head(path, head, HEAD_BYTES)};
    io_reader reader = io_reader_make(&silent, path, &blob);
    reader.at += base_text_mark_bytes(reader.at, blob.size);
    weir_file_kind kind = io_starts_with(&reader, "\x1f\x8b") ? kind_of_packed(&silent, path)
                                                              : kind_of_bytes(&reader);
    base_free(head);
    return kind;
}
