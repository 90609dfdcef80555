/* Reads the numbers of the arrays of VTK's XML files. */
#include "vtk_xml.h"

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

static uint64_t load_size(const vtk_xml *vtk, const uint8_t *bytes)
{
    return io_load_bits(bytes, io_type_size(vtk->header_type), vtk->big_endian);
}

static weir_result fail_size(const vtk_xml *vtk, const uint8_t *at, uint64_t given, uint64_t wanted)
{
    return io_fail(vtk->reader, at, "an array of %llu bytes; %llu are needed",
                   (unsigned long long)given, (unsigned long long)wanted);
}

/* Bytes of an array, which start at `skip`. */
typedef struct content {
    base_blob blob;
    size_t skip;
} content;

static weir_result reserve_content(const vtk_xml *vtk, content *content, size_t skip, size_t size)
{
    content->skip = skip;
    content->blob = (base_blob){base_alloc(skip + size, 1), skip + size};
    return content->blob.bytes ? WEIR_OK : io_fail_memory(vtk->reader, "its arrays");
}

/* Reads a size, then the bytes. Most writers encode both as one unit of base64, so that the second
 * read starts at the size again; some writers pad the size and start a new unit. */
static weir_result read_uncompressed(const vtk_xml *vtk, source source, size_t size,
                                     content *content)
{
    uint8_t head[8];
    size_t width = io_type_size(vtk->header_type);
    struct source start = source;
    WEIR_RETURN_IF_ERROR(read_source_bytes(&source, head, width));
    uint64_t given = load_size(vtk, head);
    if (given < size) return fail_size(vtk, start.at, given, size);
    bool together = source.base64 && !source.padded;
    size_t room = (size_t)(source.end - source.at);
    if (room < size / 4 * 3) return fail_truncated(&source, size);
    WEIR_RETURN_IF_ERROR(reserve_content(vtk, content, together ? width : 0, size));
    return read_source_bytes(together ? &start : &source, content->blob.bytes, content->blob.size);
}

/* The header of compressed data: the number of blocks, their size, the last one's size if it is
 * smaller, and the compressed size of every block. */
typedef struct blocks {
    uint64_t count, size, last;
    uint64_t packed; /* compressed size of all blocks */
    uint8_t *sizes;  /* as in the file, after the first three numbers */
} blocks;

static uint64_t packed_size(const vtk_xml *vtk, const blocks *blocks, uint64_t i)
{
    return load_size(vtk, blocks->sizes + (3 + i) * io_type_size(vtk->header_type));
}

static uint64_t unpacked_size(const blocks *blocks)
{
    if (blocks->count == 0) return 0;
    return blocks->last ? (blocks->count - 1) * blocks->size + blocks->last
                        : blocks->count * blocks->size;
}

static weir_result read_block_table(const vtk_xml *vtk, source *source, blocks *blocks)
{
    uint8_t head[24];
    struct source start = *source;
    size_t width = io_type_size(vtk->header_type);
    uint64_t room = (uint64_t)(source->end - source->at);
    WEIR_RETURN_IF_ERROR(read_source_bytes(source, head, 3 * width));
    blocks->count = load_size(vtk, head);
    blocks->size = load_size(vtk, head + width);
    blocks->last = load_size(vtk, head + 2 * width);
    if (blocks->count > room || blocks->last > blocks->size || blocks->size > IO_SIZE_MAX)
        return io_fail(vtk->reader, start.at,
                       "%llu compressed blocks of %llu bytes, the last of %llu, do not fit here",
                       (unsigned long long)blocks->count, (unsigned long long)blocks->size,
                       (unsigned long long)blocks->last);
    size_t all = (3 + (size_t)blocks->count) * width;
    blocks->sizes = base_alloc(all, 1);
    if (!blocks->sizes) return io_fail_memory(vtk->reader, "the sizes of compressed blocks");
    *source = start;
    WEIR_RETURN_IF_ERROR(read_source_bytes(source, blocks->sizes, all));
    for (uint64_t i = 0; i < blocks->count; i++) {
        uint64_t size = packed_size(vtk, blocks, i);
        blocks->packed += size;
        if (size > room || blocks->packed > room) return fail_truncated(source, (size_t)size);
    }
    return WEIR_OK;
}

static weir_result unpack_blocks(const vtk_xml *vtk, const blocks *blocks, const uint8_t *start,
                                 const uint8_t *packed, content *content)
{
    uint64_t done = 0, all = unpacked_size(blocks);
    WEIR_RETURN_IF_ERROR(reserve_content(vtk, content, 0, (size_t)all));
    for (uint64_t i = 0; i < blocks->count; i++) {
        uint64_t left = all - done, size = left < blocks->size ? left : blocks->size;
        io_token word = {packed, (size_t)packed_size(vtk, blocks, i)};
        uint8_t *out = content->blob.bytes + done;
        WEIR_RETURN_IF_ERROR(io_zlib_decompress(vtk->reader, start, word, out, (size_t)size));
        packed += word.size;
        done += size;
    }
    return WEIR_OK;
}

static weir_result read_compressed(const vtk_xml *vtk, source source, size_t size, content *content)
{
    blocks blocks = {0};
    const uint8_t *start = source.at;
    uint8_t *decoded = NULL;
    weir_result result;
    WEIR_GOTO_IF_ERROR(read_block_table(vtk, &source, &blocks));
    uint64_t all = unpacked_size(&blocks), most = (blocks.packed + 64) * VTK_XML_PACKED_RATIO;
    if (all < size || all > most || all > IO_SIZE_MAX) {
        result = fail_size(vtk, start, all, size);
        goto fail;
    }
    if (all > io_max_decompressed_size((size_t)blocks.packed)) {
        result = io_fail_decompressed_size(vtk->reader, start, (size_t)blocks.packed);
        goto fail;
    }
    const uint8_t *packed = source.at;
    if (source.base64) {
        decoded = base_alloc((size_t)blocks.packed, 1);
        result = decoded ? read_source_bytes(&source, decoded, (size_t)blocks.packed)
                         : io_fail_memory(vtk->reader, "its compressed blocks");
        packed = decoded;
    } else if ((uint64_t)(source.end - source.at) < blocks.packed) {
        result = fail_truncated(&source, (size_t)blocks.packed);
    }
    if (result == WEIR_OK) result = unpack_blocks(vtk, &blocks, start, packed, content);
fail:
    base_free(decoded);
    base_free(blocks.sizes);
    return result;
}

/* ---- arrays --------------------------------------------------------------------------------- */

static void advance(const vtk_xml_array *array, vtk_xml_place *place)
{
    if (++place->component < array->components) return;
    place->component = 0;
    place->tuple++;
}

static weir_result read_text(vtk_xml *vtk, const vtk_xml_array *array, vtk_xml_put put,
                             void *target)
{
    io_reader body = *vtk->reader;
    body.at = array->body.at;
    body.end = array->body.at + array->body.size;
    const uint64_t count = array->tuples * array->components;
    vtk_xml_place place = {0, 0};
    for (uint64_t i = 0; i < count; i++, advance(array, &place)) {
        io_number number;
        io_token word = io_read_token(&body);
        if (!word.size)
            return io_fail(vtk->reader, word.at, "the array ends after %llu of %llu numbers",
                           (unsigned long long)i, (unsigned long long)count);
        WEIR_RETURN_IF_ERROR(io_parse_number(vtk->reader, word, "an array's number", &number));
        WEIR_RETURN_IF_ERROR(put(target, array, place, number));
    }
    return WEIR_OK;
}

static weir_result find_source(const vtk_xml *vtk, const vtk_xml_array *array, source *source)
{
    const io_reader *reader = vtk->reader;
    bool appended = array->storage == VTK_XML_APPENDED;
    *source = (struct source){.reader = reader,
                              .at = appended ? vtk->appended : array->body.at,
                              .end = appended ? reader->end : array->body.at + array->body.size,
                              .base64 = !appended || !vtk->appended_raw};
    if (!appended) return WEIR_OK;
    if (!vtk->appended)
        return io_fail(reader, reader->end,
                       "an array is appended, but the file ends without <AppendedData>");
    if (array->offset > (uint64_t)(reader->end - source->at))
        return io_fail(reader, reader->end,
                       "an array starts at offset %llu, past the end of the file",
                       (unsigned long long)array->offset);
    source->at += array->offset;
    return WEIR_OK;
}

static weir_result read_bytes(vtk_xml *vtk, const vtk_xml_array *array, vtk_xml_put put,
                              void *target)
{
    source source;
    content content = {0};
    size_t width = io_type_size(array->type);
    weir_result result;
    /* Raw bytes have no lines. */
    if (array->storage == VTK_XML_APPENDED && vtk->appended_raw) vtk->reader->text = false;
    WEIR_GOTO_IF_ERROR(find_source(vtk, array, &source));
    size_t size = (size_t)(array->tuples * array->components) * width;
    if (size == 0) goto fail;
    WEIR_GOTO_IF_ERROR(vtk->packed ? read_compressed(vtk, source, size, &content)
                                   : read_uncompressed(vtk, source, size, &content));
    const uint8_t *bytes = content.blob.bytes + content.skip, *end = bytes + size;
    vtk_xml_place place = {0, 0};
    for (; result == WEIR_OK && bytes < end; bytes += width, advance(array, &place)) {
        io_number number = {io_load(bytes, array->type, vtk->big_endian), source.at};
        result = put(target, array, place, number);
    }
fail:
    base_blob_free(&content.blob);
    vtk->reader->text = true;
    return result;
}

weir_result vtk_xml_read_array(vtk_xml *vtk, const vtk_xml_array *array, vtk_xml_put put,
                               void *target)
{
    return array->storage == VTK_XML_TEXT ? read_text(vtk, array, put, target)
                                          : read_bytes(vtk, array, put, target);
}
