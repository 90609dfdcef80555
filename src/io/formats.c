/* The tables of file formats, and what follows from them: io_formats.def. */
#include "io_internal.h"

#define FIELDS IO_FORMAT_FIELDS
#define SERIES IO_FORMAT_SERIES
#define BYTES IO_FORMAT_BYTES
#define DOUBLES IO_FORMAT_DOUBLES

const io_particle_format io_particle_formats[] = {
#define STARTS(...) .starts = {__VA_ARGS__}
#define DETECTED(function) .detect = function
#define PARTICLES(id, name, properties, signature, reader, writer, ...) \
    {WEIR_PARTICLE_FORMAT_##id,                                         \
     {name, properties, signature, .extensions = {__VA_ARGS__}},        \
     reader,                                                            \
     writer},
#define PARTICLES_READ(name, properties, signature, reader, ...) \
    {WEIR_PARTICLE_FORMAT_COUNT,                                 \
     {name, properties, signature, .extensions = {__VA_ARGS__}}, \
     reader,                                                     \
     NULL},
#include "io_formats.def"
};
const size_t io_particle_format_count = BASE_COUNT(io_particle_formats);

const io_mesh_file_format io_mesh_formats[] = {
#define STARTS(...) .starts = {__VA_ARGS__}
#define DETECTED(function) .detect = function
#define MESH(id, name, properties, signature, reader, writer, has_faces, ...) \
    {WEIR_MESH_FORMAT_##id,                                                   \
     {name, properties, signature, .extensions = {__VA_ARGS__}},              \
     reader,                                                                  \
     writer,                                                                  \
     has_faces},
#define MESH_READ(name, properties, signature, reader, has_faces, ...) \
    {WEIR_MESH_FORMAT_COUNT,                                           \
     {name, properties, signature, .extensions = {__VA_ARGS__}},       \
     reader,                                                           \
     NULL,                                                             \
     has_faces},
#include "io_formats.def"
};
const size_t io_mesh_format_count = BASE_COUNT(io_mesh_formats);

bool io_has_extension(const io_reader *reader, const char *extension)
{
    const size_t size = strlen(extension);
    const char *own = base_path_extension(reader->path);
    bool packed = base_is_same_word(own, "gz") && own - reader->path > 1;
    const char *end = packed ? own - 1 : own + strlen(own);
    if ((size_t)(end - base_path_name(reader->path)) < size + 2 || end[-(ptrdiff_t)size - 1] != '.')
        return base_is_same_word(own, extension);
    return io_token_is((io_token){(const uint8_t *)end - size, size}, extension);
}

bool io_format_matches(const io_format *format, const io_reader *reader)
{
    if (format->detect) return format->detect(reader);
    for (size_t i = 0; i < IO_FORMAT_SIGNATURES && format->starts[i]; i++)
        if (io_starts_with(reader, format->starts[i])) return true;
    return false;
}

const io_particle_format *io_particle_format_find(weir_particle_format format)
{
    size_t i = 0;
    while (i + 1 < io_particle_format_count && io_particle_formats[i].id != format)
        i++;
    return &io_particle_formats[i];
}

const io_mesh_file_format *io_mesh_format_find(weir_mesh_format format)
{
    size_t i = 0;
    while (i + 1 < io_mesh_format_count && io_mesh_formats[i].id != format)
        i++;
    return &io_mesh_formats[i];
}

const char *io_format_extension(weir_particle_format format)
{
    return io_particle_format_find(format)->format.extensions[0];
}

const char *io_mesh_format_extension(weir_mesh_format format)
{
    return io_mesh_format_find(format)->format.extensions[0];
}

bool io_format_has_fields(weir_particle_format format)
{
    return io_particle_format_find(format)->format.properties & IO_FORMAT_FIELDS;
}

bool io_mesh_format_has_fields(weir_mesh_format format)
{
    return io_mesh_format_find(format)->format.properties & IO_FORMAT_FIELDS;
}

/* Returns row i of the table of particle formats or of mesh formats; NULL past the last. */
static const io_format *row_at(bool meshes, size_t i)
{
    if (meshes) return i < io_mesh_format_count ? &io_mesh_formats[i].format : NULL;
    return i < io_particle_format_count ? &io_particle_formats[i].format : NULL;
}

static const char *extension_at(bool meshes, uint32_t number)
{
    const io_format *row;
    for (size_t i = 0; (row = row_at(meshes, i)); i++)
        for (size_t k = 0; k < IO_FORMAT_EXTENSIONS && row->extensions[k]; k++)
            if (number-- == 0) return row->extensions[k];
    return NULL;
}

const char *io_particle_file_extension(uint32_t number)
{
    return extension_at(false, number);
}

const char *io_mesh_file_extension(uint32_t number)
{
    return extension_at(true, number);
}

weir_result io_fail_unknown_format(const io_reader *reader, bool meshes)
{
    base_text names = {0};
    const io_format *row;
    for (size_t i = 0; (row = row_at(meshes, i)); i++)
        base_text_append(&names, "%s%s",
                         i == 0                  ? ""
                         : row_at(meshes, i + 1) ? ", "
                                                 : " or ",
                         row->name);
    weir_result result =
        io_fail(reader, reader->at, "unknown %s format; expected %s", meshes ? "mesh" : "particle",
                names.items ? names.items : "another");
    base_free(names.items);
    return result;
}
