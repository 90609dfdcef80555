/* Reads VTK's XML files of unstructured grids and polydata (VTK File Formats, "XML File Formats"):
 * the points of all pieces with the point data that particles have. Arrays may be text, base64, or
 * appended raw or in base64, plain or in blocks compressed by zlib. */
#include "io_internal.h"

#define ARRAYS 64u         /* maximum number of particle arrays of all pieces */
#define PACKED_RATIO 1032u /* maximum of deflate */

typedef enum storage { IN_TEXT, IN_BASE64, APPENDED } storage;

typedef struct array {
    io_scalar scalar;
    io_type type;
    uint32_t components;
    storage storage;
    io_token body;   /* text between the tags */
    uint64_t offset; /* into the appended data */
    uint64_t first, tuples;
    bool time; /* the file's time, not a value per particle */
} array;

typedef struct vtu {
    io_reader *reader;
    io_particles *particles;
    io_type header_type; /* of the sizes that precede binary data */
    bool big_endian, packed, appended_raw;
    const uint8_t *appended; /* first byte of the appended data; NULL: none */
    uint64_t point_count;    /* of the pieces read so far */
    uint64_t piece_points;
    io_token section; /* name of the tag that contains the arrays */
    array arrays[ARRAYS];
    uint32_t array_count;
} vtu;

bool io_is_vtk_xml(const io_reader *reader)
{
    bool xml = io_starts_with(reader, "<?xml") || io_starts_with(reader, "<VTKFile");
    return xml && !io_is_other_format(reader);
}

/* ---- tags ----------------------------------------------------------------------------------- */

static weir_result read_integer_attribute(const vtu *vtu, const io_tag *tag, const char *name,
                                          uint64_t *value)
{
    io_token word = io_xml_attribute(tag, name);
    int64_t number;
    if (!io_token_int64(word, &number) || number < 0)
        return io_fail(vtu->reader, word.at,
                       "%s is \"%.*s\"; <%.*s> needs a whole number from 0 there", name,
                       IO_TOKEN_ARGUMENTS(word), IO_TOKEN_ARGUMENTS(tag->name));
    *value = (uint64_t)number;
    return WEIR_OK;
}

static weir_result read_file_tag(vtu *vtu, const io_tag *tag)
{
    io_token kind = io_xml_attribute(tag, "type"), packer = io_xml_attribute(tag, "compressor");
    static const char *const kinds[] = {"UnstructuredGrid", "PolyData"};
    if (!io_token_is_any(kind, kinds, BASE_COUNT(kinds)))
        return io_fail(vtu->reader, kind.at,
                       "a VTK file of type \"%.*s\"; particles are read from UnstructuredGrid "
                       "(.vtu) and PolyData (.vtp), of a parallel file from its pieces",
                       IO_TOKEN_ARGUMENTS(kind));
    if (packer.size && !io_token_is(packer, "vtkZLibDataCompressor"))
        return io_fail(vtu->reader, packer.at,
                       "compressor \"%.*s\"; only vtkZLibDataCompressor is supported: save the "
                       "file with zlib or without compression",
                       IO_TOKEN_ARGUMENTS(packer));
    vtu->packed = packer.size > 0;
    vtu->big_endian = io_token_is(io_xml_attribute(tag, "byte_order"), "BigEndian");
    vtu->header_type =
        io_token_is(io_xml_attribute(tag, "header_type"), "UInt64") ? IO_U64 : IO_U32;
    return WEIR_OK;
}

static bool parse_type(io_token word, io_type *type)
{
    static const io_type_name names[] = {
        {"Float32", IO_F32}, {"Float64", IO_F64}, {"Int8", IO_I8},   {"UInt8", IO_U8},
        {"Int16", IO_I16},   {"UInt16", IO_U16},  {"Int32", IO_I32}, {"UInt32", IO_U32},
        {"Int64", IO_I64},   {"UInt64", IO_U64}};
    return io_find_type(word, names, BASE_COUNT(names), type);
}

static weir_result read_storage(const vtu *vtu, const io_tag *tag, array *array)
{
    io_token format = io_xml_attribute(tag, "format");
    const io_reader *reader = vtu->reader;
    array->storage = io_token_is(format, "appended") ? APPENDED
                     : io_token_is(format, "binary") ? IN_BASE64
                                                     : IN_TEXT;
    if (array->storage == IN_TEXT && format.size && !io_token_is(format, "ascii"))
        return io_fail(reader, format.at, "format \"%.*s\"; expected ascii, binary or appended",
                       IO_TOKEN_ARGUMENTS(format));
    if (array->storage == APPENDED)
        return read_integer_attribute(vtu, tag, "offset", &array->offset);
    array->body = (io_token){reader->at, 0};
    if (tag->closed) return WEIR_OK;
    const uint8_t *open = memchr(reader->at, '<', io_remaining(reader));
    if (!open)
        return io_fail(reader, tag->name.at, "the file ends inside this array; it is cut off");
    array->body.size = (size_t)(open - reader->at);
    return WEIR_OK;
}

/* Finds which scalar of particles the array holds; IO_SCALAR_NONE: skipped. */
static weir_result choose_scalar(const vtu *vtu, const io_tag *tag, array *array)
{
    io_token name = io_xml_attribute(tag, "Name");
    array->scalar = IO_SCALAR_NONE;
    if (io_token_is(vtu->section, "Points")) {
        if (array->components != 3)
            return io_fail(vtu->reader, tag->name.at, "points with %u components; expected 3",
                           array->components);
        array->scalar = IO_SCALAR_X;
    } else if (io_token_is(vtu->section, "PointData")) {
        array->scalar = io_scalar_of_array(vtu->reader, name, array->components);
    } else if (io_token_is(vtu->section, "FieldData") && array->components == 1) {
        array->time = io_token_is_time(name);
    }
    return WEIR_OK;
}

static weir_result read_array_tag(vtu *vtu, const io_tag *tag)
{
    uint64_t components = 1;
    bool points = io_token_is(vtu->section, "Points");
    array array = {.first = vtu->point_count - vtu->piece_points, .tuples = vtu->piece_points};
    bool numbers = parse_type(io_xml_attribute(tag, "type"), &array.type);
    if (!numbers && !points) return WEIR_OK;
    if (!numbers)
        return io_fail(vtu->reader, tag->name.at,
                       "points of type \"%.*s\"; expected Float32 or Float64",
                       IO_TOKEN_ARGUMENTS(io_xml_attribute(tag, "type")));
    if (io_xml_attribute(tag, "NumberOfComponents").size)
        WEIR_RETURN_IF_ERROR(read_integer_attribute(vtu, tag, "NumberOfComponents", &components));
    array.components = components < UINT16_MAX ? (uint32_t)components : UINT16_MAX;
    WEIR_RETURN_IF_ERROR(choose_scalar(vtu, tag, &array));
    if (array.scalar == IO_SCALAR_NONE && !array.time) return WEIR_OK;
    if (array.time) array.tuples = 1;
    if (vtu->array_count == ARRAYS)
        return io_fail(vtu->reader, tag->name.at, "more than %u particle arrays", ARRAYS);
    WEIR_RETURN_IF_ERROR(read_storage(vtu, tag, &array));
    vtu->arrays[vtu->array_count++] = array;
    return WEIR_OK;
}

static weir_result read_piece_tag(vtu *vtu, const io_tag *tag)
{
    WEIR_RETURN_IF_ERROR(read_integer_attribute(vtu, tag, "NumberOfPoints", &vtu->piece_points));
    uint64_t most = (uint64_t)(vtu->reader->end - vtu->reader->begin) * PACKED_RATIO;
    if (vtu->piece_points > UINT32_MAX - vtu->point_count || vtu->piece_points > most / 3)
        return io_fail(vtu->reader, io_xml_attribute(tag, "NumberOfPoints").at,
                       "%llu points cannot be in a file of this size",
                       (unsigned long long)vtu->piece_points);
    vtu->point_count += vtu->piece_points;
    return WEIR_OK;
}

/* Reads the tag of the appended data, which starts after an underscore. */
static weir_result read_appended_tag(vtu *vtu, const io_tag *tag)
{
    io_reader *reader = vtu->reader;
    vtu->appended_raw = io_token_is(io_xml_attribute(tag, "encoding"), "raw");
    io_skip_space(reader);
    if (!io_starts_with(reader, "_"))
        return io_fail(reader, reader->at, "expected \"_\" before the appended data");
    vtu->appended = ++reader->at;
    return WEIR_OK;
}

static weir_result read_tag(vtu *vtu, const io_tag *tag)
{
    static const char *const sections[] = {"Points", "PointData", "CellData", "Cells",    "Verts",
                                           "Lines",  "Strips",    "Polys",    "FieldData"};
    if (io_token_is_any(tag->name, sections, BASE_COUNT(sections))) {
        vtu->section = tag->closing || tag->closed ? (io_token){tag->name.at, 0} : tag->name;
        return WEIR_OK;
    }
    if (tag->closing) return WEIR_OK;
    if (io_token_is(tag->name, "VTKFile")) return read_file_tag(vtu, tag);
    if (io_token_is(tag->name, "Piece")) return read_piece_tag(vtu, tag);
    if (io_token_is(tag->name, "DataArray")) return read_array_tag(vtu, tag);
    if (io_token_is(tag->name, "AppendedData")) return read_appended_tag(vtu, tag);
    return WEIR_OK;
}

static weir_result read_tags(vtu *vtu)
{
    io_tag tag;
    bool opened = false;
    for (;;) {
        WEIR_RETURN_IF_ERROR(io_xml_next(vtu->reader, &tag));
        bool file = io_token_is(tag.name, "VTKFile");
        opened |= file;
        if (!opened && tag.name.size)
            return io_fail(vtu->reader, tag.name.at, "<%.*s> is not a VTK file; expected <VTKFile>",
                           IO_TOKEN_ARGUMENTS(tag.name));
        if (opened && file && tag.closing) return WEIR_OK;
        if (!tag.name.size)
            return io_fail(vtu->reader, vtu->reader->end,
                           "the file ends before </VTKFile>; it is cut off");
        WEIR_RETURN_IF_ERROR(read_tag(vtu, &tag));
        if (vtu->appended) return WEIR_OK;
    }
}

/* ---- bytes ---------------------------------------------------------------------------------- */

/* Bytes, raw or in base64, between `at` and `end`. */
typedef struct source {
    const io_reader *reader;
    const uint8_t *at, *end;
    bool base64;
    bool padded; /* the last group held "=", which ends a unit of base64 */
} source;

static weir_result fail_truncated(const source *source, size_t size)
{
    return io_fail(source->reader, source->at < source->end ? source->at : source->end,
                   source->base64 ? "expected base64 of %zu bytes; it is damaged or cut off here"
                                  : "expected %zu bytes; the file is cut off here",
                   size);
}

static weir_result read_source_bytes(source *source, uint8_t *out, size_t size)
{
    size_t done = 0;
    if (!source->base64) {
        if ((size_t)(source->end - source->at) < size) return fail_truncated(source, size);
        memcpy(out, source->at, size);
        source->at += size;
        return WEIR_OK;
    }
    while (done < size) {
        uint8_t bytes[3];
        int count = io_base64_read_group(&source->at, source->end, bytes, &source->padded);
        if (count < 0) return fail_truncated(source, size);
        if (done + (size_t)count < size && source->padded) return fail_truncated(source, size);
        for (int i = 0; i < count && done < size; i++)
            out[done++] = bytes[i];
    }
    return WEIR_OK;
}

static uint64_t load_size(const vtu *vtu, const uint8_t *bytes)
{
    return io_load_bits(bytes, io_type_size(vtu->header_type), vtu->big_endian);
}

static weir_result fail_size(const vtu *vtu, const uint8_t *at, uint64_t given, uint64_t wanted)
{
    return io_fail(vtu->reader, at, "an array of %llu bytes; %llu points need %llu",
                   (unsigned long long)given, (unsigned long long)vtu->point_count,
                   (unsigned long long)wanted);
}

/* Bytes of an array, which start at `skip`. */
typedef struct content {
    base_blob blob;
    size_t skip;
} content;

static weir_result reserve_content(const vtu *vtu, content *content, size_t skip, size_t size)
{
    content->skip = skip;
    content->blob = (base_blob){base_alloc(skip + size, 1), skip + size};
    return content->blob.bytes ? WEIR_OK : io_fail_memory(vtu->reader, "its arrays");
}

/* Reads a size, then the bytes. Most writers encode both as one unit of base64, so that the second
 * read starts at the size again; some writers pad the size and start a new unit. */
static weir_result read_uncompressed(const vtu *vtu, source source, size_t size, content *content)
{
    uint8_t head[8];
    size_t width = io_type_size(vtu->header_type);
    struct source start = source;
    WEIR_RETURN_IF_ERROR(read_source_bytes(&source, head, width));
    uint64_t given = load_size(vtu, head);
    if (given < size) return fail_size(vtu, start.at, given, size);
    bool together = source.base64 && !source.padded;
    size_t room = (size_t)(source.end - source.at);
    if (room < size / 4 * 3) return fail_truncated(&source, size);
    WEIR_RETURN_IF_ERROR(reserve_content(vtu, content, together ? width : 0, size));
    return read_source_bytes(together ? &start : &source, content->blob.bytes, content->blob.size);
}

/* The header of compressed data: the number of blocks, their size, the last one's size if it is
 * smaller, and the compressed size of every block. */
typedef struct blocks {
    uint64_t count, size, last;
    uint64_t packed; /* compressed size of all blocks */
    uint8_t *sizes;  /* as in the file, after the first three numbers */
} blocks;

static uint64_t packed_size(const vtu *vtu, const blocks *blocks, uint64_t i)
{
    return load_size(vtu, blocks->sizes + (3 + i) * io_type_size(vtu->header_type));
}

static uint64_t unpacked_size(const blocks *blocks)
{
    if (blocks->count == 0) return 0;
    return blocks->last ? (blocks->count - 1) * blocks->size + blocks->last
                        : blocks->count * blocks->size;
}

static weir_result read_block_table(const vtu *vtu, source *source, blocks *blocks)
{
    uint8_t head[24];
    struct source start = *source;
    size_t width = io_type_size(vtu->header_type);
    uint64_t room = (uint64_t)(source->end - source->at);
    WEIR_RETURN_IF_ERROR(read_source_bytes(source, head, 3 * width));
    blocks->count = load_size(vtu, head);
    blocks->size = load_size(vtu, head + width);
    blocks->last = load_size(vtu, head + 2 * width);
    if (blocks->count > room || blocks->last > blocks->size || blocks->size > IO_SIZE_MAX)
        return io_fail(vtu->reader, start.at,
                       "%llu compressed blocks of %llu bytes, the last of %llu, do not fit here",
                       (unsigned long long)blocks->count, (unsigned long long)blocks->size,
                       (unsigned long long)blocks->last);
    size_t all = (3 + (size_t)blocks->count) * width;
    blocks->sizes = base_alloc(all, 1);
    if (!blocks->sizes) return io_fail_memory(vtu->reader, "the sizes of compressed blocks");
    *source = start;
    WEIR_RETURN_IF_ERROR(read_source_bytes(source, blocks->sizes, all));
    for (uint64_t i = 0; i < blocks->count; i++) {
        uint64_t size = packed_size(vtu, blocks, i);
        blocks->packed += size;
        if (size > room || blocks->packed > room) return fail_truncated(source, (size_t)size);
    }
    return WEIR_OK;
}

static weir_result unpack_blocks(const vtu *vtu, const blocks *blocks, const uint8_t *start,
                                 const uint8_t *packed, content *content)
{
    uint64_t done = 0, all = unpacked_size(blocks);
    WEIR_RETURN_IF_ERROR(reserve_content(vtu, content, 0, (size_t)all));
    for (uint64_t i = 0; i < blocks->count; i++) {
        uint64_t left = all - done, size = left < blocks->size ? left : blocks->size;
        io_token word = {packed, (size_t)packed_size(vtu, blocks, i)};
        uint8_t *out = content->blob.bytes + done;
        WEIR_RETURN_IF_ERROR(io_zlib_decompress(vtu->reader, start, word, out, (size_t)size));
        packed += word.size;
        done += size;
    }
    return WEIR_OK;
}

static weir_result read_compressed(const vtu *vtu, source source, size_t size, content *content)
{
    blocks blocks = {0};
    const uint8_t *start = source.at;
    uint8_t *decoded = NULL;
    weir_result result;
    WEIR_GOTO_IF_ERROR(read_block_table(vtu, &source, &blocks));
    uint64_t all = unpacked_size(&blocks), most = (blocks.packed + 64) * PACKED_RATIO;
    if (all < size || all > most || all > IO_SIZE_MAX) {
        result = fail_size(vtu, start, all, size);
        goto fail;
    }
    if (all > io_max_decompressed_size((size_t)blocks.packed)) {
        result = io_fail_decompressed_size(vtu->reader, start, (size_t)blocks.packed);
        goto fail;
    }
    const uint8_t *packed = source.at;
    if (source.base64) {
        decoded = base_alloc((size_t)blocks.packed, 1);
        result = decoded ? read_source_bytes(&source, decoded, (size_t)blocks.packed)
                         : io_fail_memory(vtu->reader, "its compressed blocks");
        packed = decoded;
    } else if ((uint64_t)(source.end - source.at) < blocks.packed) {
        result = fail_truncated(&source, (size_t)blocks.packed);
    }
    if (result == WEIR_OK) result = unpack_blocks(vtu, &blocks, start, packed, content);
fail:
    base_free(decoded);
    base_free(blocks.sizes);
    return result;
}

/* ---- arrays --------------------------------------------------------------------------------- */

static weir_result put_number(vtu *vtu, const array *array, uint64_t i, io_number number)
{
    if (array->time) {
        if (isfinite(number.value)) vtu->particles->time_s = number.value;
        return WEIR_OK;
    }
    io_table_cell cell = {(size_t)(array->first + i / array->components),
                          array->scalar + (io_scalar)(i % array->components)};
    return io_particles_set_value(vtu->reader, vtu->particles, cell, number);
}

static weir_result fill_from_text(vtu *vtu, const array *array)
{
    io_reader body = *vtu->reader;
    body.at = array->body.at;
    body.end = array->body.at + array->body.size;
    const uint64_t count = array->tuples * array->components;
    for (uint64_t i = 0; i < count; i++) {
        io_number number;
        io_token word = io_read_token(&body);
        if (!word.size)
            return io_fail(vtu->reader, word.at, "the array ends after %llu of %llu numbers",
                           (unsigned long long)i, (unsigned long long)count);
        WEIR_RETURN_IF_ERROR(io_parse_number(vtu->reader, word, "an array's number", &number));
        WEIR_RETURN_IF_ERROR(put_number(vtu, array, i, number));
    }
    return WEIR_OK;
}

static weir_result find_source(const vtu *vtu, const array *array, source *source)
{
    const io_reader *reader = vtu->reader;
    bool appended = array->storage == APPENDED;
    *source = (struct source){.reader = reader,
                              .at = appended ? vtu->appended : array->body.at,
                              .end = appended ? reader->end : array->body.at + array->body.size,
                              .base64 = !appended || !vtu->appended_raw};
    if (!appended) return WEIR_OK;
    if (!vtu->appended)
        return io_fail(reader, reader->end,
                       "an array is appended, but the file ends without <AppendedData>");
    if (array->offset > (uint64_t)(reader->end - source->at))
        return io_fail(reader, reader->end,
                       "an array starts at offset %llu, past the end of the file",
                       (unsigned long long)array->offset);
    source->at += array->offset;
    return WEIR_OK;
}

static weir_result fill_from_bytes(vtu *vtu, const array *array)
{
    source source;
    content content = {0};
    size_t width = io_type_size(array->type);
    weir_result result;
    /* Raw bytes have no lines. */
    if (array->storage == APPENDED && vtu->appended_raw) vtu->reader->text = false;
    WEIR_GOTO_IF_ERROR(find_source(vtu, array, &source));
    size_t size = (size_t)(array->tuples * array->components) * width;
    if (size == 0) goto fail;
    WEIR_GOTO_IF_ERROR(vtu->packed ? read_compressed(vtu, source, size, &content)
                                   : read_uncompressed(vtu, source, size, &content));
    for (uint64_t i = 0; result == WEIR_OK && i < size / width; i++) {
        const uint8_t *bytes = content.blob.bytes + content.skip + i * width;
        io_number number = {io_load(bytes, array->type, vtu->big_endian), source.at};
        result = put_number(vtu, array, i, number);
    }
fail:
    base_blob_free(&content.blob);
    vtu->reader->text = true;
    return result;
}

/* ---- the file ------------------------------------------------------------------------------- */

/* Returns the scalars that every piece with points has, as bits 1 << scalar. */
static uint32_t scalars_there(const vtu *vtu)
{
    uint64_t covered[IO_SCALAR_COUNT] = {0};
    uint32_t there = 0;
    for (uint32_t i = 0; i < vtu->array_count; i++)
        if (!vtu->arrays[i].time) covered[vtu->arrays[i].scalar] += vtu->arrays[i].tuples;
    for (io_scalar scalar = 0; scalar < IO_SCALAR_COUNT; scalar++) {
        bool vector = scalar == IO_SCALAR_X || scalar == IO_SCALAR_VX;
        if (covered[scalar] >= vtu->point_count && (covered[scalar] || scalar == IO_SCALAR_X))
            there |= io_scalar_bits(scalar, vector ? 3 : 1);
    }
    return there;
}

weir_result io_vtu_read(io_reader *reader, io_particles *particles)
{
    vtu vtu = {.reader = reader, .particles = particles, .header_type = IO_U32};
    WEIR_RETURN_IF_ERROR(read_tags(&vtu));
    uint32_t there = scalars_there(&vtu);
    if (!(there & 1u << IO_SCALAR_X))
        return io_fail(reader, reader->end, "a piece has no <Points> array for its points");
    WEIR_RETURN_IF_ERROR(io_particles_allocate(reader, vtu.point_count, there, particles));
    for (uint32_t i = 0; i < vtu.array_count; i++)
        WEIR_RETURN_IF_ERROR(vtu.arrays[i].storage == IN_TEXT
                                 ? fill_from_text(&vtu, &vtu.arrays[i])
                                 : fill_from_bytes(&vtu, &vtu.arrays[i]));
    return WEIR_OK;
}
