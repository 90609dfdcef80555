/* Reads and writes tagged state files. All numbers are little-endian:
 *
 *   0   "WEIRSTAT"
 *   8   u32 version, u32 block count
 *   16  kind, 8 bytes
 *   24  u64 size of the file
 *   32  per block: tag of 8 bytes, u64 offset, u64 size
 *   ..  the blocks, each aligned to 16 bytes, with zeros between them
 *   end u64 hash of everything before: XXH64 of pieces of IO_WRITER_BUFFER_BYTES bytes,
 *       each seeded by the hash of the previous one */
#include "io_internal.h"

static const char magic[8] = {'W', 'E', 'I', 'R', 'S', 'T', 'A', 'T'};
#define HEADER_BYTES 32u
#define ENTRY_BYTES 24u
#define TRAILER_BYTES 8u
#define ALIGNMENT 16u

static uint64_t align_offset(uint64_t offset)
{
    return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* ---- writing -------------------------------------------------------------------------------- */

static void write_table(io_writer *writer, const io_block *blocks, size_t count)
{
    uint64_t offset = HEADER_BYTES + ENTRY_BYTES * (uint64_t)count;
    for (size_t i = 0; i < count; i++) {
        offset = align_offset(offset);
        io_writer_put_bytes(writer, blocks[i].tag, sizeof blocks[i].tag);
        io_writer_put_uint(writer, offset, 8, false);
        io_writer_put_uint(writer, blocks[i].size, 8, false);
        offset += blocks[i].size;
    }
}

static uint64_t file_size(const io_block *blocks, size_t count)
{
    uint64_t size = HEADER_BYTES + ENTRY_BYTES * (uint64_t)count;
    for (size_t i = 0; i < count; i++)
        size = align_offset(size) + blocks[i].size;
    return size + TRAILER_BYTES;
}

weir_result io_block_file_write(const weir_log *log, const char *path, const char kind[8],
                                const io_block *blocks, size_t count)
{
    WEIR_ASSERT(count <= IO_BLOCK_FILE_BLOCKS);
    static const uint8_t zeros[ALIGNMENT];
    io_writer writer;
    WEIR_RETURN_IF_ERROR(io_writer_open(log, path, &writer));
    io_writer_put_bytes(&writer, magic, sizeof magic);
    io_writer_put_u32(&writer, IO_BLOCK_FILE_VERSION, false);
    io_writer_put_u32(&writer, (uint32_t)count, false);
    io_writer_put_bytes(&writer, kind, 8);
    io_writer_put_uint(&writer, file_size(blocks, count), 8, false);
    write_table(&writer, blocks, count);
    uint64_t offset = HEADER_BYTES + ENTRY_BYTES * (uint64_t)count;
    for (size_t i = 0; i < count; i++) {
        uint64_t start = align_offset(offset);
        io_writer_put_bytes(&writer, zeros, (size_t)(start - offset));
        io_writer_put_bytes(&writer, blocks[i].bytes, (size_t)blocks[i].size);
        offset = start + blocks[i].size;
    }
    io_writer_flush(&writer);
    io_writer_put_uint(&writer, writer.hash, 8, false);
    return io_writer_commit(&writer);
}

/* ---- reading -------------------------------------------------------------------------------- */

static uint64_t hash_chunks(const uint8_t *bytes, size_t size)
{
    uint64_t hash = 0;
    for (; size >= IO_WRITER_BUFFER_BYTES;
         bytes += IO_WRITER_BUFFER_BYTES, size -= IO_WRITER_BUFFER_BYTES)
        hash = base_hash64(bytes, IO_WRITER_BUFFER_BYTES, hash);
    return base_hash64(bytes, size, hash);
}

static weir_result check_header(const io_reader *reader, const char kind[8])
{
    const uint8_t *bytes = reader->begin;
    size_t size = io_remaining(reader);
    if (size < HEADER_BYTES + TRAILER_BYTES || memcmp(bytes, magic, sizeof magic) != 0)
        return io_fail(reader, bytes, "not a Weir state file: it must start with \"WEIRSTAT\"");
    unsigned version = (unsigned)io_load_bits(bytes + 8, 4, false);
    if (version < IO_BLOCK_FILE_OLDEST_VERSION || version > IO_BLOCK_FILE_VERSION)
        return io_fail(reader, bytes + 8,
                       "the file has version %u, this program reads versions %u to %u: continue "
                       "with the program that wrote it, or start again",
                       version, IO_BLOCK_FILE_OLDEST_VERSION, IO_BLOCK_FILE_VERSION);
    if (memcmp(bytes + 16, kind, 8) != 0)
        return io_fail(reader, bytes + 16, "the file holds \"%.8s\"; \"%.8s\" is expected",
                       (const char *)bytes + 16, kind);
    if (io_load_bits(bytes + 24, 8, false) != size)
        return io_fail(reader, bytes + 24,
                       "the file should have %llu bytes and has %zu; it is cut off or was changed",
                       (unsigned long long)io_load_bits(bytes + 24, 8, false), size);
    if (io_load_bits(reader->end - TRAILER_BYTES, 8, false) !=
        hash_chunks(bytes, size - TRAILER_BYTES))
        return io_fail(reader, reader->end - TRAILER_BYTES,
                       "the hash does not match: the file is damaged; use an earlier one");
    return WEIR_OK;
}

static weir_result read_entry(const io_reader *reader, const uint8_t *entry, io_block *block)
{
    uint64_t limit = io_remaining(reader) - TRAILER_BYTES;
    uint64_t offset = io_load_bits(entry + 8, 8, false), size = io_load_bits(entry + 16, 8, false);
    if (offset > limit || size > limit - offset || offset % ALIGNMENT)
        return io_fail(reader, entry + 8, "a block of %llu bytes at %llu is not inside the file",
                       (unsigned long long)size, (unsigned long long)offset);
    memcpy(block->tag, entry, sizeof block->tag);
    block->bytes = reader->begin + offset;
    block->size = size;
    return WEIR_OK;
}

static weir_result read_table(const io_reader *reader, io_block_file *state)
{
    uint64_t there = io_load_bits(reader->begin + 12, 4, false);
    if (there > (io_remaining(reader) - HEADER_BYTES - TRAILER_BYTES) / ENTRY_BYTES)
        return io_fail(reader, reader->begin + 12, "%llu blocks do not fit into the file",
                       (unsigned long long)there);
    if (there > IO_BLOCK_FILE_BLOCKS)
        return io_fail(reader, reader->begin + 12, "%llu blocks; at most %u are read",
                       (unsigned long long)there, IO_BLOCK_FILE_BLOCKS);
    for (size_t i = 0; i < there; i++)
        WEIR_RETURN_IF_ERROR(
            read_entry(reader, reader->begin + HEADER_BYTES + ENTRY_BYTES * i, &state->blocks[i]));
    state->count = (size_t)there;
    return WEIR_OK;
}

weir_result io_block_file_read(const weir_log *log, const char *path, const char kind[8],
                               io_block_file *state)
{
    *state = (io_block_file){0};
    WEIR_RETURN_IF_ERROR(base_file_read(log, path, IO_SIZE_MAX, &state->blob));
    io_reader reader = io_reader_make(log, path, &state->blob);
    weir_result result = check_header(&reader, kind);
    if (result == WEIR_OK) result = read_table(&reader, state);
    if (result != WEIR_OK) io_block_file_free(state);
    return result;
}

void io_block_file_free(io_block_file *state)
{
    base_blob_free(&state->blob);
    *state = (io_block_file){0};
}

const io_block *io_block_find(const io_block *blocks, size_t count, const char *tag)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(blocks[i].tag, tag, sizeof blocks[i].tag) == 0) return &blocks[i];
    return NULL;
}
