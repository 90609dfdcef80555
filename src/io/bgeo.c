/* BGEO version 5, Houdini's classic binary geometry as Partio and SPlisHSPlasH exchange it: a
 * header, point attributes, big-endian points. Points start with P as four floats; primitives,
 * groups and detail attributes come after the points and are read past. */
#include "io_internal.h"
#include <zlib.h>

#define ATTRIBUTES 256u
#define PACKED_RATIO 1032u /* deflate never packs tighter */

enum { TYPE_FLOAT = 0, TYPE_INT = 1, TYPE_STRING = 2, TYPE_INDEX = 4, TYPE_VECTOR = 5 };

typedef struct attribute {
    io_slot slot; /* of its first word, IO_SLOT_NONE for those read past */
    io_type type;
    uint32_t words;
} attribute;

typedef struct bgeo {
    io_reader *reader;
    uint32_t point_count;
    uint32_t attribute_count;
    attribute attributes[ATTRIBUTES];
    uint64_t point_words; /* of 4 bytes, position included */
    uint32_t there;       /* bits 1 << slot */
} bgeo;

/* ---- gzip ----------------------------------------------------------------------------------- */

static voidpf zlib_alloc(voidpf opaque, uInt count, uInt size)
{
    (void)opaque;
    return base_alloc(count, size);
}

static void zlib_free(voidpf opaque, voidpf memory)
{
    (void)opaque;
    base_free(memory);
}

/* The size that the last four bytes claim, bounded by what the packed bytes can hold. */
static size_t guess_size(const io_reader *reader)
{
    size_t packed = io_remaining(reader);
    size_t claimed = packed < 18 ? 0 : (size_t)io_load(reader->end - 4, IO_U32, false);
    size_t most = packed < IO_SIZE_MAX / PACKED_RATIO ? packed * PACKED_RATIO : IO_SIZE_MAX;
    return (claimed < most ? claimed : most) + 1;
}

static weir_result grow(const io_reader *reader, base_blob *blob, size_t size)
{
    uint8_t *bytes = size > IO_SIZE_MAX ? NULL : base_realloc(blob->bytes, size, 1);
    if (!bytes) return io_fail_memory(reader, "its unpacked bytes");
    blob->bytes = bytes;
    blob->size = size;
    return WEIR_OK;
}

static weir_result inflate_all(const io_reader *reader, z_stream *stream, base_blob *blob)
{
    size_t used = 0;
    const uint8_t *input = reader->at;
    for (;;) {
        size_t in = (size_t)(reader->end - input), out = blob->size - used;
        stream->next_in = (z_const Bytef *)input;
        stream->avail_in = in < UINT32_MAX ? (uInt)in : UINT32_MAX;
        stream->next_out = blob->bytes + used;
        stream->avail_out = out < UINT32_MAX ? (uInt)out : UINT32_MAX;
        int status = inflate(stream, Z_NO_FLUSH);
        input = stream->next_in;
        used = (size_t)(stream->next_out - blob->bytes);
        if (status == Z_STREAM_END) break;
        if (status != Z_OK && status != Z_BUF_ERROR)
            return io_fail(reader, input, "the gzip data is damaged (%s)",
                           stream->msg ? stream->msg : "no details");
        if (input == reader->end && used < blob->size)
            return io_fail(reader, input, "the gzip data ends early; the file is cut off");
        weir_result result = used == blob->size ? grow(reader, blob, 2 * used) : WEIR_OK;
        if (result != WEIR_OK) return result;
    }
    blob->size = used;
    return WEIR_OK;
}

weir_result io_bgeo_unpack(const io_reader *reader, base_blob *blob)
{
    const int gzip_window = 15 + 16; /* zlib: 16 asks for gzip's header and checksum */
    z_stream stream = {.zalloc = zlib_alloc, .zfree = zlib_free};
    weir_result result = grow(reader, blob, guess_size(reader));
    if (result != WEIR_OK) return result;
    if (inflateInit2(&stream, gzip_window) != Z_OK) {
        base_blob_free(blob);
        return io_fail_memory(reader, "unpacking");
    }
    result = inflate_all(reader, &stream, blob);
    inflateEnd(&stream);
    if (result != WEIR_OK) base_blob_free(blob);
    return result;
}

/* ---- reading -------------------------------------------------------------------------------- */

static weir_result read_u(io_reader *reader, io_type type, const char *what, uint32_t *value)
{
    io_number number;
    weir_result result = io_read_number(reader, type, what, &number);
    if (result == WEIR_OK) *value = (uint32_t)number.value;
    return result;
}

static weir_result skip_bytes(io_reader *reader, uint64_t size)
{
    weir_result result = io_check_count(reader, size, 1, "bytes of an attribute");
    if (result == WEIR_OK) reader->at += (size_t)size;
    return result;
}

static weir_result read_header(bgeo *bgeo)
{
    io_reader *reader = bgeo->reader;
    uint32_t counts[9]; /* version, points, primitives, groups of both, four attribute counts */
    if (!io_starts_with(reader, "BgeoV"))
        return io_fail(reader, reader->at, "not BGEO: the file must start with \"BgeoV\"");
    reader->at += 5;
    for (size_t i = 0; i < BASE_COUNT(counts); i++) {
        weir_result result = read_u(reader, IO_U32, "the header", &counts[i]);
        if (result != WEIR_OK) return result;
    }
    if (counts[0] != 5)
        return io_fail(reader, reader->begin + 5, "BGEO version %u; only version 5 is read",
                       counts[0]);
    if (counts[5] > ATTRIBUTES)
        return io_fail(reader, reader->begin + 25, "%u point attributes; at most %u are read",
                       counts[5], ATTRIBUTES);
    bgeo->point_count = counts[1];
    bgeo->attribute_count = counts[5];
    return WEIR_OK;
}

static weir_result read_string(io_reader *reader, io_word *word)
{
    uint32_t size;
    weir_result result = read_u(reader, IO_U16, "a name's length", &size);
    if (result != WEIR_OK) return result;
    *word = (io_word){reader->at, size};
    return skip_bytes(reader, size);
}

/* An index attribute lists its strings; all others have a default value for each word. */
static weir_result skip_defaults(io_reader *reader, uint32_t type, uint32_t words)
{
    uint32_t count;
    io_word word;
    if (type != TYPE_INDEX) return skip_bytes(reader, 4ull * words);
    weir_result result = read_u(reader, IO_U32, "the number of strings", &count);
    if (result == WEIR_OK) result = io_check_count(reader, count, 2, "strings");
    for (uint32_t i = 0; result == WEIR_OK && i < count; i++)
        result = read_string(reader, &word);
    return result;
}

static weir_result read_attribute(bgeo *bgeo, attribute *attribute)
{
    io_reader *reader = bgeo->reader;
    io_word name;
    uint32_t type = 0;
    weir_result result = read_string(reader, &name);
    if (result == WEIR_OK)
        result = read_u(reader, IO_U16, "an attribute's size", &attribute->words);
    const uint8_t *at = reader->at;
    if (result == WEIR_OK) result = read_u(reader, IO_U32, "an attribute's type", &type);
    if (result != WEIR_OK) return result;
    if (type > TYPE_VECTOR || type == TYPE_STRING || type == 3)
        return io_fail(reader, at, "the attribute \"%.*s\" has type %u; 0, 1, 4 and 5 are known",
                       IO_WORD_ARGUMENTS(name), type);
    bool number = type != TYPE_INDEX;
    attribute->slot = number ? io_slot_of_array(name, attribute->words) : IO_SLOT_NONE;
    if (bgeo->there >> attribute->slot & 1u) attribute->slot = IO_SLOT_NONE;
    if (attribute->slot != IO_SLOT_NONE)
        bgeo->there |= (attribute->words == 3 ? 7u : 1u) << attribute->slot;
    /* Ids are written as 32 bits, signed by name only. */
    attribute->type = type == TYPE_INT ? IO_U32 : IO_F32;
    bgeo->point_words += attribute->words;
    return skip_defaults(reader, type, attribute->words);
}

static weir_result read_words(bgeo *bgeo, io_particles *particles, size_t index,
                              const attribute *attribute)
{
    io_reader *reader = bgeo->reader;
    for (uint32_t k = 0; attribute->slot != IO_SLOT_NONE && k < attribute->words; k++) {
        io_cell cell = {index, attribute->slot + k};
        weir_result result = io_particles_take(reader, attribute->type, particles, cell);
        if (result != WEIR_OK) return result;
    }
    if (attribute->slot == IO_SLOT_NONE) reader->at += 4 * (size_t)attribute->words;
    return WEIR_OK;
}

static weir_result read_points(bgeo *bgeo, io_particles *particles)
{
    static const attribute position = {IO_SLOT_X, IO_F32, 3};
    weir_result result =
        io_check_count(bgeo->reader, bgeo->point_count, 4 * bgeo->point_words, "points");
    if (result == WEIR_OK)
        result = io_particles_make(bgeo->reader, bgeo->point_count, bgeo->there | 7u, particles);
    for (uint32_t i = 0; result == WEIR_OK && i < bgeo->point_count; i++) {
        result = read_words(bgeo, particles, i, &position);
        bgeo->reader->at += sizeof(float); /* the fourth coordinate, 1 */
        for (uint32_t k = 0; result == WEIR_OK && k < bgeo->attribute_count; k++)
            result = read_words(bgeo, particles, i, &bgeo->attributes[k]);
    }
    return result;
}

weir_result io_bgeo_read(io_reader *reader, io_particles *particles)
{
    bgeo bgeo = {.reader = reader, .point_words = 4};
    reader->big_endian = true;
    weir_result result = read_header(&bgeo);
    for (uint32_t i = 0; result == WEIR_OK && i < bgeo.attribute_count; i++)
        result = read_attribute(&bgeo, &bgeo.attributes[i]);
    return result == WEIR_OK ? read_points(&bgeo, particles) : result;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* Bytes on their way through deflate into the sink. */
typedef struct packer {
    io_sink *sink;
    z_stream stream;
    uint8_t in[1 << 16], out[1 << 16];
    size_t used;
} packer;

static void pack(packer *packer, int flush)
{
    z_stream *stream = &packer->stream;
    stream->next_in = packer->in;
    stream->avail_in = (uInt)packer->used;
    do {
        stream->next_out = packer->out;
        stream->avail_out = sizeof packer->out;
        int status = deflate(stream, flush);
        WEIR_ASSERT(status != Z_STREAM_ERROR);
        io_sink_bytes(packer->sink, packer->out, sizeof packer->out - stream->avail_out);
    } while (stream->avail_out == 0);
    packer->used = 0;
}

static void put(packer *packer, uint64_t value, size_t size)
{
    if (packer->used + size > sizeof packer->in) pack(packer, Z_NO_FLUSH);
    for (size_t i = 0; i < size; i++)
        packer->in[packer->used++] = (uint8_t)(value >> 8 * (size - 1 - i));
}

static void put_word(packer *packer, uint32_t value)
{
    put(packer, value, 4);
}

typedef struct output {
    const char *name;
    uint16_t words;
    uint32_t type;
    weir_field field; /* WEIR_FIELD_COUNT: the particle's radius */
} output;

static const output outputs[] = {
    {"v", 3, TYPE_VECTOR, WEIR_FIELD_VELOCITY},     {"id", 1, TYPE_INT, WEIR_FIELD_ID},
    {"fluid", 1, TYPE_INT, WEIR_FIELD_FLUID},       {"pscale", 1, TYPE_FLOAT, WEIR_FIELD_COUNT},
    {"density", 1, TYPE_FLOAT, WEIR_FIELD_DENSITY},
};

static bool is_written(const io_frame *frame, const output *output)
{
    if (output->field == WEIR_FIELD_COUNT) return frame->radius_m > 0;
    return frame->fields >> output->field & 1u;
}

static void put_header(packer *packer, const io_frame *frame)
{
    uint32_t attributes = 0;
    for (size_t i = 0; i < BASE_COUNT(outputs); i++)
        attributes += is_written(frame, &outputs[i]);
    const uint32_t counts[] = {5, frame->particles->count, 0, 0, 0, attributes, 0, 0, 0};
    for (const char *p = "BgeoV"; *p; p++)
        put(packer, (uint8_t)*p, 1);
    for (size_t i = 0; i < BASE_COUNT(counts); i++)
        put_word(packer, counts[i]);
    for (size_t i = 0; i < BASE_COUNT(outputs); i++) {
        const output *output = &outputs[i];
        if (!is_written(frame, output)) continue;
        put(packer, strlen(output->name), 2);
        for (const char *p = output->name; *p; p++)
            put(packer, (uint8_t)*p, 1);
        put(packer, output->words, 2);
        put_word(packer, output->type);
        for (uint32_t k = 0; k < output->words; k++)
            put_word(packer, 0);
    }
}

static void put_vector(packer *packer, vec3 v)
{
    put_word(packer, io_float_bits(v.x));
    put_word(packer, io_float_bits(v.y));
    put_word(packer, io_float_bits(v.z));
}

static void put_value(packer *packer, const io_frame *frame, size_t i, weir_field field)
{
    const io_particles *particles = frame->particles;
    switch (field) {
    case WEIR_FIELD_VELOCITY: put_vector(packer, particles->velocity[i]); break;
    case WEIR_FIELD_ID: put_word(packer, particles->id[i]); break;
    case WEIR_FIELD_FLUID: put_word(packer, particles->fluid[i]); break;
    case WEIR_FIELD_DENSITY: put_word(packer, io_float_bits(particles->density[i])); break;
    default: put_word(packer, io_float_bits(frame->radius_m)); break;
    }
}

static void put_points(packer *packer, const io_frame *frame)
{
    for (size_t i = 0; i < frame->particles->count; i++) {
        put_vector(packer, frame->particles->position[i]);
        put_word(packer, io_float_bits(1.0f));
        for (size_t k = 0; k < BASE_COUNT(outputs); k++)
            if (is_written(frame, &outputs[k])) put_value(packer, frame, i, outputs[k].field);
    }
}

void io_bgeo_write(const io_frame *frame, io_sink *sink)
{
    const int gzip_window = 15 + 16, level = 1; /* float noise packs no better at higher levels */
    const uint32_t no_extras = 0x00ff;          /* the bytes that open and close the extras */
    packer *packer = base_alloc(1, sizeof *packer);
    if (packer) {
        packer->sink = sink;
        packer->stream.zalloc = zlib_alloc;
        packer->stream.zfree = zlib_free;
    }
    if (!packer || deflateInit2(&packer->stream, level, Z_DEFLATED, gzip_window, 8,
                                Z_DEFAULT_STRATEGY) != Z_OK) {
        sink->result =
            base_fail(frame->log, WEIR_MEMORY, "%s: out of memory for packing", frame->path);
    } else {
        put_header(packer, frame);
        put_points(packer, frame);
        put(packer, no_extras, 2);
        pack(packer, Z_FINISH);
        deflateEnd(&packer->stream);
    }
    base_free(packer);
}
