/* Compression by zlib: decompresses whole gzip files and single blocks, and compresses bytes on
 * their way into a file. */
#include "io_internal.h"
#include <zlib.h>

#define MAX_COMPRESSION_RATIO 1032u /* maximum of deflate */
/* Maximum accepted ratio of a file of particles or meshes: Weir's frames shrink to a half, those of
 * a fluid at rest to a fortieth. */
#define MAX_DECOMPRESSION_RATIO 200u
#define UNCHECKED_BYTES ((size_t)256 << 20) /* accepted at any ratio */
#define MAX_DECOMPRESSED_BYTES ((size_t)4 << 30)

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

/* ---- decompression --------------------------------------------------------------------------- */

size_t io_max_decompressed_size(size_t packed)
{
    size_t most = packed < MAX_DECOMPRESSED_BYTES / MAX_DECOMPRESSION_RATIO
                      ? packed * MAX_DECOMPRESSION_RATIO
                      : MAX_DECOMPRESSED_BYTES;
    return most < UNCHECKED_BYTES ? UNCHECKED_BYTES : most;
}

/* Returns the size that the last four bytes claim, bounded by what the compressed bytes can
 * hold. */
static size_t guess_decompressed_size(const io_reader *reader)
{
    size_t packed = io_remaining(reader);
    size_t claimed = packed < 18 ? 0 : (size_t)io_load(reader->end - 4, IO_U32, false);
    size_t most =
        packed < IO_SIZE_MAX / MAX_COMPRESSION_RATIO ? packed * MAX_COMPRESSION_RATIO : IO_SIZE_MAX;
    size_t allowed = io_max_decompressed_size(packed);
    if (most > allowed) most = allowed;
    return (claimed < most ? claimed : most) + 1;
}

weir_result io_fail_decompressed_size(const io_reader *reader, const uint8_t *at, size_t packed)
{
    return io_fail(
        reader, at,
        "%zu compressed bytes expand to more than %zu MiB, the larger of %zu MiB and %u times "
        "their size: the file is damaged or malicious; if not, decompress it first",
        packed, io_max_decompressed_size(packed) >> 20, UNCHECKED_BYTES >> 20,
        MAX_DECOMPRESSION_RATIO);
}

/* Enlarges the buffer, but only up to one byte more than is allowed: that byte shows that there is
 * more data. */
static weir_result grow_buffer(const io_reader *reader, base_blob *blob, size_t size)
{
    const size_t packed = (size_t)(reader->end - reader->begin),
                 most = io_max_decompressed_size(packed);
    if (blob->size > most) return io_fail_decompressed_size(reader, reader->begin, packed);
    if (size > most + 1) size = most + 1;
    uint8_t *bytes = base_realloc(blob->bytes, size, 1);
    if (!bytes) return io_fail_memory(reader, "its decompressed bytes");
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
            return io_fail(reader, input, "the gzip data is incomplete; the file is cut off");
        if (used == blob->size) WEIR_RETURN_IF_ERROR(grow_buffer(reader, blob, 2 * used));
    }
    blob->size = used;
    return WEIR_OK;
}

/* Decompresses the whole file into `blob`. */
static weir_result decompress_gzip(const io_reader *packed, base_blob *blob)
{
    const int gzip_window = 15 + 16; /* zlib: adding 16 selects gzip's header and checksum */
    z_stream stream = {.zalloc = zlib_alloc, .zfree = zlib_free};
    WEIR_RETURN_IF_ERROR(grow_buffer(packed, blob, guess_decompressed_size(packed)));
    if (inflateInit2(&stream, gzip_window) != Z_OK) return io_fail_memory(packed, "unpacking");
    weir_result result = inflate_all(packed, &stream, blob);
    inflateEnd(&stream);
    return result;
}

/* Skips a UTF-8 byte order mark, and refuses UTF-16. */
static weir_result check_encoding(io_reader *reader)
{
    const size_t size = io_remaining(reader);
    if (base_text_is_utf16(reader->at, size))
        return base_fail(reader->log, WEIR_ERROR_IO, "%s: " BASE_UTF16_ADVICE, reader->path);
    reader->at = reader->begin += base_text_mark_bytes(reader->at, size);
    return WEIR_OK;
}

/* Returns whether a file is binary data whose first bytes mean nothing. */
static bool starts_with_any_bytes(const io_reader *reader)
{
    bool text =
        io_has_extension(reader, "xyz") && base_text_is_utf16(reader->at, io_remaining(reader));
    return io_is_raw(reader) && !text && !io_has_extension(reader, "gz");
}

weir_result io_open_decompressed(const weir_log *log, const char *path, base_blob *blob,
                                 io_reader *reader)
{
    weir_result result = WEIR_OK;
    WEIR_RETURN_IF_ERROR(base_file_read(log, path, IO_SIZE_MAX, blob));
    *reader = io_reader_make(log, path, blob);
    if (starts_with_any_bytes(reader)) return WEIR_OK;
    if (io_starts_with(reader, "\x1f\x8b")) {
        base_blob packed = *blob;
        *blob = (base_blob){0};
        result = decompress_gzip(reader, blob);
        base_blob_free(&packed);
        if (result == WEIR_OK) *reader = io_reader_make(log, path, blob);
        reader->unpacked = true;
    }
    if (result == WEIR_OK) result = check_encoding(reader);
    if (result != WEIR_OK) base_blob_free(blob);
    return result;
}

static weir_result decompress_block(const io_reader *reader, const uint8_t *at, io_token packed,
                                    base_blob out, int window)
{
    z_stream stream = {.zalloc = zlib_alloc, .zfree = zlib_free};
    if (packed.size > UINT32_MAX || out.size > UINT32_MAX)
        return io_fail(reader, at, "a compressed block of 4 GiB or more");
    if (inflateInit2(&stream, window) != Z_OK) return io_fail_memory(reader, "unpacking");
    stream.next_in = (z_const Bytef *)packed.at;
    stream.avail_in = (uInt)packed.size;
    stream.next_out = out.bytes;
    stream.avail_out = (uInt)out.size;
    int status = inflate(&stream, Z_FINISH);
    bool whole = status == Z_STREAM_END && stream.avail_out == 0;
    weir_result result = WEIR_OK;
    if (status == Z_MEM_ERROR)
        result = io_fail_memory(reader, "unpacking");
    else if (!whole)
        result = io_fail(
            reader, at, "a compressed block does not have the %zu bytes that its header gives (%s)",
            out.size, stream.msg ? stream.msg : "wrong size or cut off");
    inflateEnd(&stream);
    return result;
}

weir_result io_zlib_decompress(const io_reader *reader, const uint8_t *at, io_token packed,
                               uint8_t *out, size_t size)
{
    return decompress_block(reader, at, packed, (base_blob){out, size}, MAX_WBITS);
}

weir_result io_deflate_decompress(const io_reader *reader, const uint8_t *at, io_token packed,
                                  uint8_t *out, size_t size)
{
    return decompress_block(reader, at, packed, (base_blob){out, size}, -MAX_WBITS);
}

uint32_t io_crc32(const uint8_t *bytes, size_t size)
{
    uLong crc = crc32(0, NULL, 0);
    for (size_t at = 0; at < size;) {
        const size_t piece = size - at < UINT32_MAX ? size - at : UINT32_MAX;
        crc = crc32(crc, bytes + at, (uInt)piece);
        at += piece;
    }
    return (uint32_t)crc;
}

/* ---- compression ----------------------------------------------------------------------------- */

struct io_gzip_writer {
    io_writer *writer;
    z_stream stream;
    uint8_t in[1 << 16], out[1 << 16];
    size_t used;
};

io_gzip_writer *io_gzip_open(const weir_log *log, const char *path, io_writer *writer)
{
    /* Level 1: noise in floats compresses no better at higher levels. */
    const int gzip_window = 15 + 16, level = 1;
    io_gzip_writer *packer = base_alloc(1, sizeof *packer);
    if (packer) {
        packer->writer = writer;
        packer->stream.zalloc = zlib_alloc;
        packer->stream.zfree = zlib_free;
    }
    if (packer && deflateInit2(&packer->stream, level, Z_DEFLATED, gzip_window, 8,
                               Z_DEFAULT_STRATEGY) == Z_OK)
        return packer;
    base_free(packer);
    writer->result = base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory to compress", path);
    return NULL;
}

static void flush_stream(io_gzip_writer *packer, int flush)
{
    z_stream *stream = &packer->stream;
    stream->next_in = packer->in;
    stream->avail_in = (uInt)packer->used;
    do {
        stream->next_out = packer->out;
        stream->avail_out = sizeof packer->out;
        int status = deflate(stream, flush);
        WEIR_ASSERT(status != Z_STREAM_ERROR);
        io_writer_put_bytes(packer->writer, packer->out, sizeof packer->out - stream->avail_out);
    } while (stream->avail_out == 0);
    packer->used = 0;
}

void io_gzip_put_uint(io_gzip_writer *packer, uint64_t value, size_t size)
{
    if (packer->used + size > sizeof packer->in) flush_stream(packer, Z_NO_FLUSH);
    for (size_t i = 0; i < size; i++)
        packer->in[packer->used++] = (uint8_t)(value >> 8 * (size - 1 - i));
}

void io_gzip_put_u32(io_gzip_writer *packer, uint32_t value)
{
    io_gzip_put_uint(packer, value, 4);
}

void io_gzip_put_text(io_gzip_writer *packer, const char *text)
{
    for (const char *p = text; *p; p++)
        io_gzip_put_uint(packer, (uint8_t)*p, 1);
}

void io_gzip_close(io_gzip_writer *packer)
{
    flush_stream(packer, Z_FINISH);
    deflateEnd(&packer->stream);
    base_free(packer);
}
