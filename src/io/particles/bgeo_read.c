/* Reads BGEO version 5, Houdini's classic binary geometry, as Partio and SPlisHSPlasH exchange it:
 * a header, point attributes and big-endian points. Each point starts with P as four floats. The
 * points are followed by the attributes of corners and primitives, the primitives, whose polygons
 * make a mesh, groups and detail attributes. Polygons are clockwise seen from outside. */
#include "io_internal.h"

#define ATTRIBUTES 256u

typedef struct attribute {
    io_scalar scalar; /* of its first word; IO_SCALAR_NONE: skipped */
    io_type type;
    uint32_t words;
    bool radius; /* the attribute is "pscale" */
} attribute;

typedef struct bgeo {
    io_reader *reader;
    uint32_t point_count;
    uint32_t attribute_count;
    attribute attributes[ATTRIBUTES];
    uint64_t point_words;   /* words of 4 bytes per point, including the position */
    uint32_t found_scalars; /* bits 1 << scalar */
    uint32_t primitive_count, vertex_attributes, primitive_attributes;
    uint64_t vertex_words, primitive_words; /* words of 4 bytes after each corner and primitive */
} bgeo;

static weir_result read_unsigned(io_reader *reader, io_type type, const char *what, uint32_t *value)
{
    io_number number;
    WEIR_RETURN_IF_ERROR(io_read_number(reader, type, what, &number));
    *value = (uint32_t)number.value;
    return WEIR_OK;
}

static weir_result skip_bytes(io_reader *reader, uint64_t size)
{
    WEIR_RETURN_IF_ERROR(io_check_count(reader, size, 1, "bytes of an attribute"));
    reader->at += (size_t)size;
    return WEIR_OK;
}

static weir_result read_header(bgeo *bgeo)
{
    io_reader *reader = bgeo->reader;
    uint32_t counts[9]; /* version, points, primitives, groups of both, four attribute counts */
    if (!io_starts_with(reader, "BgeoV"))
        return io_fail(reader, reader->at, "not BGEO: the file must start with \"BgeoV\"");
    reader->at += 5;
    for (size_t i = 0; i < BASE_COUNT(counts); i++)
        WEIR_RETURN_IF_ERROR(read_unsigned(reader, IO_U32, "the header", &counts[i]));
    if (counts[0] != 5)
        return io_fail(reader, reader->begin + 5, "BGEO version %u; only version 5 is read",
                       counts[0]);
    if (counts[5] > ATTRIBUTES)
        return io_fail(reader, reader->begin + 25, "%u point attributes; at most %u are read",
                       counts[5], ATTRIBUTES);
    bgeo->point_count = counts[1];
    bgeo->primitive_count = counts[2];
    bgeo->attribute_count = counts[5];
    bgeo->vertex_attributes = counts[6];
    bgeo->primitive_attributes = counts[7];
    return WEIR_OK;
}

static weir_result read_string(io_reader *reader, io_token *word)
{
    uint32_t size;
    WEIR_RETURN_IF_ERROR(read_unsigned(reader, IO_U16, "a name's length", &size));
    *word = (io_token){reader->at, size};
    return skip_bytes(reader, size);
}

/* Skips an attribute's defaults: an index attribute lists its strings, all others have a value for
 * each word. */
static weir_result skip_defaults(io_reader *reader, uint32_t type, uint32_t words)
{
    uint32_t count;
    io_token word;
    if (type != IO_BGEO_INDEX) return skip_bytes(reader, 4ull * words);
    WEIR_RETURN_IF_ERROR(read_unsigned(reader, IO_U32, "the number of strings", &count));
    WEIR_RETURN_IF_ERROR(io_check_count(reader, count, 2, "strings"));
    for (uint32_t i = 0; i < count; i++)
        WEIR_RETURN_IF_ERROR(read_string(reader, &word));
    return WEIR_OK;
}

typedef struct attribute_definition {
    io_token name;
    uint32_t words, type;
} attribute_definition;

static weir_result read_definition(io_reader *reader, attribute_definition *read)
{
    WEIR_RETURN_IF_ERROR(read_string(reader, &read->name));
    WEIR_RETURN_IF_ERROR(read_unsigned(reader, IO_U16, "an attribute's size", &read->words));
    const uint8_t *at = reader->at;
    WEIR_RETURN_IF_ERROR(read_unsigned(reader, IO_U32, "an attribute's type", &read->type));
    if (read->type > IO_BGEO_VECTOR || read->type == IO_BGEO_STRING || read->type == 3)
        return io_fail(reader, at, "the attribute \"%.*s\" has type %u; 0, 1, 4 and 5 are known",
                       IO_TOKEN_ARGUMENTS(read->name), read->type);
    return skip_defaults(reader, read->type, read->words);
}

static weir_result read_attribute(bgeo *bgeo, attribute *attribute)
{
    attribute_definition read = {0};
    WEIR_RETURN_IF_ERROR(read_definition(bgeo->reader, &read));
    const io_token name = read.name;
    attribute->words = read.words;
    bool number = read.type != IO_BGEO_INDEX;
    io_scalar scalar =
        number ? io_scalar_of_array(bgeo->reader, name, attribute->words) : IO_SCALAR_NONE;
    attribute->scalar = io_scalar_claim_columns(scalar, attribute->words, &bgeo->found_scalars);
    attribute->radius = number && attribute->words == 1 && io_token_is(name, "pscale");
    /* Ids are unsigned 32-bit numbers, although BGEO's integers are signed. */
    attribute->type = read.type == IO_BGEO_INT ? IO_U32 : IO_F32;
    bgeo->point_words += attribute->words;
    return WEIR_OK;
}

static weir_result read_attribute_words(bgeo *bgeo, io_particles *particles, size_t index,
                                        const attribute *attribute)
{
    io_reader *reader = bgeo->reader;
    for (uint32_t k = 0; attribute->scalar != IO_SCALAR_NONE && k < attribute->words; k++) {
        io_table_cell cell = {index, attribute->scalar + k};
        WEIR_RETURN_IF_ERROR(io_particles_read_value(reader, attribute->type, particles, cell));
    }
    if (attribute->scalar != IO_SCALAR_NONE) return WEIR_OK;
    if (attribute->radius && index == 0)
        io_particles_set_radius(particles, io_load(reader->at, IO_F32, true));
    reader->at += 4 * (size_t)attribute->words;
    return WEIR_OK;
}

static weir_result read_points(bgeo *bgeo, io_particles *particles)
{
    static const attribute position = {IO_SCALAR_X, IO_F32, 3, false};
    io_reader *reader = bgeo->reader;
    WEIR_RETURN_IF_ERROR(
        io_check_count(reader, bgeo->point_count, 4 * bgeo->point_words, "points"));
    WEIR_RETURN_IF_ERROR(
        io_particles_allocate(reader, bgeo->point_count, bgeo->found_scalars | 7u, particles));
    for (uint32_t i = 0; i < bgeo->point_count; i++) {
        WEIR_RETURN_IF_ERROR(read_attribute_words(bgeo, particles, i, &position));
        reader->at += sizeof(float); /* the fourth coordinate, 1 */
        for (uint32_t k = 0; k < bgeo->attribute_count; k++)
            WEIR_RETURN_IF_ERROR(read_attribute_words(bgeo, particles, i, &bgeo->attributes[k]));
    }
    return WEIR_OK;
}

static weir_result read_up_to_points(bgeo *bgeo, io_particles *particles)
{
    bgeo->point_words = 4;
    bgeo->reader->big_endian = true;
    WEIR_RETURN_IF_ERROR(read_header(bgeo));
    for (uint32_t i = 0; i < bgeo->attribute_count; i++)
        WEIR_RETURN_IF_ERROR(read_attribute(bgeo, &bgeo->attributes[i]));
    return read_points(bgeo, particles);
}

weir_result io_bgeo_read(io_reader *reader, io_particles *particles)
{
    bgeo bgeo = {.reader = reader};
    return read_up_to_points(&bgeo, particles);
}

/* ---- polygons ------------------------------------------------------------------------------- */

static weir_result read_widths(bgeo *bgeo, uint32_t attributes, uint64_t *words)
{
    for (uint32_t i = 0; i < attributes; i++) {
        attribute_definition read = {0};
        WEIR_RETURN_IF_ERROR(read_definition(bgeo->reader, &read));
        *words += read.words;
    }
    return WEIR_OK;
}

static size_t index_size(const bgeo *bgeo)
{
    return bgeo->point_count > IO_BGEO_SHORT_POINTS ? 4 : 2;
}

static weir_result read_corner(const bgeo *bgeo, uint32_t *corner)
{
    io_reader *reader = bgeo->reader;
    const uint8_t *at = reader->at;
    WEIR_RETURN_IF_ERROR(
        read_unsigned(reader, index_size(bgeo) == 4 ? IO_U32 : IO_U16, "a vertex index", corner));
    if (*corner >= bgeo->point_count)
        return io_fail(reader, at, "vertex index %u; the %u points have indices from 0", *corner,
                       bgeo->point_count);
    return WEIR_OK;
}

/* Reads a polygon's corners, each followed by its attributes; those of a polyline are skipped. */
static weir_result read_polygon(const bgeo *bgeo, io_mesh_build *build)
{
    io_reader *reader = bgeo->reader;
    uint32_t count = 0, mark = 0, corner = 0;
    io_polygon_fan fan = {.reversed = true};
    const uint8_t *at = reader->at;
    WEIR_RETURN_IF_ERROR(read_unsigned(reader, IO_U32, "the number of corners", &count));
    WEIR_RETURN_IF_ERROR(read_unsigned(reader, IO_U8, "the closed flag of a polygon", &mark));
    WEIR_RETURN_IF_ERROR(
        io_check_count(reader, count, index_size(bgeo) + 4 * bgeo->vertex_words, "corners"));
    bool closed = mark == IO_BGEO_CLOSED;
    /* Corners are read one by one, since attributes stand between them. */
    for (uint32_t i = 0; i < count; i++) {
        WEIR_RETURN_IF_ERROR(read_corner(bgeo, &corner));
        if (closed) WEIR_RETURN_IF_ERROR(io_fan_add(reader, build, &fan, corner));
        WEIR_RETURN_IF_ERROR(skip_bytes(reader, 4 * bgeo->vertex_words));
    }
    if (closed) WEIR_RETURN_IF_ERROR(io_check_corners(reader, at, count));
    WEIR_RETURN_IF_ERROR(io_fan_end(reader, build, &fan));
    return skip_bytes(reader, 4 * bgeo->primitive_words);
}

/* Reads one primitive, or a run of several. */
static weir_result read_primitives(const bgeo *bgeo, uint32_t *done, io_mesh_build *build)
{
    io_reader *reader = bgeo->reader;
    const uint8_t *at = reader->at;
    uint32_t type = 0, count = 1;
    WEIR_RETURN_IF_ERROR(read_unsigned(reader, IO_U32, "a primitive's type", &type));
    if (type == IO_BGEO_RUN) {
        WEIR_RETURN_IF_ERROR(read_unsigned(reader, IO_U16, "the length of a run", &count));
        WEIR_RETURN_IF_ERROR(read_unsigned(reader, IO_U32, "a primitive's type", &type));
    }
    if (type != IO_BGEO_POLYGON)
        return io_fail(reader, at, "a primitive of type %u; only polygons (1) are read", type);
    if (count == 0 || count > bgeo->primitive_count - *done)
        return io_fail(reader, at, "a run of %u primitives, of which %u are left", count,
                       bgeo->primitive_count - *done);
    for (uint32_t i = 0; i < count; i++)
        WEIR_RETURN_IF_ERROR(read_polygon(bgeo, build));
    *done += count;
    return WEIR_OK;
}

weir_result io_bgeo_read_mesh(io_reader *reader, io_mesh_build *build)
{
    bgeo bgeo = {.reader = reader};
    io_particles points = {0};
    uint32_t done = 0;
    weir_result result;
    WEIR_GOTO_IF_ERROR(read_up_to_points(&bgeo, &points));
    WEIR_GOTO_IF_ERROR(io_mesh_add_points(reader, &points, build));
    WEIR_GOTO_IF_ERROR(read_widths(&bgeo, bgeo.vertex_attributes, &bgeo.vertex_words));
    WEIR_GOTO_IF_ERROR(read_widths(&bgeo, bgeo.primitive_attributes, &bgeo.primitive_words));
    while (done < bgeo.primitive_count)
        WEIR_GOTO_IF_ERROR(read_primitives(&bgeo, &done, build));
fail:
    io_particles_free(&points);
    return result;
}

bool io_bgeo_has_faces(io_reader *reader)
{
    bgeo bgeo = {.reader = reader};
    reader->big_endian = true;
    return read_header(&bgeo) == WEIR_OK && bgeo.primitive_count > 0;
}
