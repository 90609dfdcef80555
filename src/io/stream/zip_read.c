/* Reads ZIP archives (PKWARE, "APPNOTE.TXT - .ZIP File Format Specification"): the central
 * directory, also ZIP64's, and files that are stored or deflated. */
#include "npy.h"

enum {
    END_BYTES = 22, /* end of the central directory, without the comment after it */
    COMMENT_MAX = 65535,
    END64_LOCATOR_BYTES = 20, /* before the end, if there is a ZIP64 */
    END64_BYTES = 56,
    ENTRY_BYTES = 46,
    LOCAL_BYTES = 30,
    ENCRYPTED = 1, /* flag */
    STORED = 0,    /* methods */
    DEFLATED = 8,
};

static uint64_t load(const uint8_t *at, size_t size)
{
    return io_load_bits(at, size, false);
}

static bool has_mark(const io_reader *reader, uint64_t offset, size_t size, const char *mark)
{
    const size_t bytes = (size_t)(reader->end - reader->begin);
    return offset <= bytes && bytes - offset >= size &&
           memcmp(reader->begin + offset, mark, 4) == 0;
}

/* ---- the list of files ---------------------------------------------------------------------- */

/* Finds the end of the central directory, which a comment may follow. */
static weir_result find_end(const io_reader *reader, uint64_t *end)
{
    const size_t bytes = (size_t)(reader->end - reader->begin);
    for (size_t back = END_BYTES; back <= bytes && back <= END_BYTES + COMMENT_MAX; back++) {
        *end = bytes - back;
        if (has_mark(reader, *end, END_BYTES, "PK\5\6")) return WEIR_OK;
    }
    return io_fail(reader, reader->end,
                   "the list of files at the end of the ZIP archive is missing; it is cut off");
}

/* Finds the central directory's place and its number of entries. */
static void find_directory(const io_reader *reader, uint64_t end, uint64_t *offset, uint64_t *count)
{
    const uint8_t *at = reader->begin + end;
    *count = load(at + 10, 2);
    *offset = load(at + 16, 4);
    if (end < END64_LOCATOR_BYTES ||
        !has_mark(reader, end - END64_LOCATOR_BYTES, END64_LOCATOR_BYTES, "PK\6\7"))
        return;
    const uint64_t end64 = load(at - END64_LOCATOR_BYTES + 8, 8);
    if (!has_mark(reader, end64, END64_BYTES, "PK\6\6")) return;
    *count = load(reader->begin + end64 + 32, 8);
    *offset = load(reader->begin + end64 + 48, 8);
}

/* Reads the 64-bit sizes of an entry whose 32-bit ones are at their limit. */
static void read_zip64(const uint8_t *extra, size_t size, io_zip_entry *entry)
{
    uint64_t *const values[] = {&entry->size, &entry->packed, &entry->offset};
    while (size >= 4) {
        const size_t id = (size_t)load(extra, 2), bytes = (size_t)load(extra + 2, 2);
        const uint8_t *at = extra + 4;
        if (bytes > size - 4) return;
        for (size_t i = 0, left = bytes; id == 1 && i < BASE_COUNT(values) && left >= 8; i++) {
            if (*values[i] != UINT32_MAX) continue;
            *values[i] = load(at, 8);
            at += 8, left -= 8;
        }
        extra += 4 + bytes, size -= 4 + bytes;
    }
}

static weir_result read_entry(const io_reader *reader, uint64_t *offset, io_zip_entry *entry)
{
    const uint64_t bytes = (uint64_t)(reader->end - reader->begin);
    if (!has_mark(reader, *offset, ENTRY_BYTES, "PK\1\2"))
        return io_fail(reader, reader->begin + (*offset < bytes ? *offset : bytes),
                       "expected an entry of the ZIP archive's list of files; it is damaged");
    const uint8_t *at = reader->begin + *offset;
    const uint64_t name = load(at + 28, 2), extra = load(at + 30, 2), comment = load(at + 32, 2);
    *entry = (io_zip_entry){.name = {at + ENTRY_BYTES, (size_t)name},
                            .flags = (uint32_t)load(at + 8, 2),
                            .method = (uint32_t)load(at + 10, 2),
                            .crc = (uint32_t)load(at + 16, 4),
                            .packed = load(at + 20, 4),
                            .size = load(at + 24, 4),
                            .offset = load(at + 42, 4)};
    *offset += ENTRY_BYTES + name + extra + comment;
    if (*offset > bytes)
        return io_fail(reader, at, "the file ends inside the ZIP archive's list of files");
    read_zip64(at + ENTRY_BYTES + name, (size_t)extra, entry);
    return WEIR_OK;
}

weir_result io_zip_open(const io_reader *reader, io_zip *zip)
{
    uint64_t end = 0, offset = 0, count = 0;
    zip->reader = reader;
    WEIR_RETURN_IF_ERROR(find_end(reader, &end));
    find_directory(reader, end, &offset, &count);
    for (uint64_t i = 0; i < count; i++) {
        io_zip_entry entry;
        WEIR_RETURN_IF_ERROR(read_entry(reader, &offset, &entry));
        if (!BASE_ARRAY_PUSH(&zip->entries, entry))
            return io_fail_memory(reader, "its list of files");
    }
    return WEIR_OK;
}

/* ---- a file --------------------------------------------------------------------------------- */

/* Finds a file's bytes behind its own header. */
static weir_result find_bytes(const io_reader *reader, const io_zip_entry *entry, io_token *packed)
{
    const uint8_t *at = reader->begin + entry->offset;
    if (!has_mark(reader, entry->offset, LOCAL_BYTES, "PK\3\4"))
        return io_fail(reader, entry->name.at, "\"%.*s\" is not where the ZIP archive's list says",
                       IO_TOKEN_ARGUMENTS(entry->name));
    const uint64_t header = LOCAL_BYTES + load(at + 26, 2) + load(at + 28, 2);
    const uint64_t room = (uint64_t)(reader->end - at);
    if (header > room || entry->packed > room - header)
        return io_fail(reader, at,
                       "\"%.*s\" has %llu bytes, but the file ends before; it is cut off",
                       IO_TOKEN_ARGUMENTS(entry->name), (unsigned long long)entry->packed);
    *packed = (io_token){at + header, (size_t)entry->packed};
    return WEIR_OK;
}

static weir_result inflate_entry(io_zip *zip, const io_zip_entry *entry, io_token packed,
                                 base_blob *blob)
{
    const io_reader *reader = zip->reader;
    const size_t all = (size_t)(reader->end - reader->begin);
    if (entry->size > io_max_decompressed_size(all) - zip->unpacked)
        return io_fail_decompressed_size(reader, packed.at, all);
    zip->unpacked += (size_t)entry->size;
    *blob = (base_blob){base_alloc((size_t)entry->size, 1), (size_t)entry->size};
    if (!blob->bytes) return io_fail_memory(reader, "its unpacked bytes");
    return io_deflate_decompress(reader, packed.at, packed, blob->bytes, blob->size);
}

static weir_result check_method(const io_reader *reader, const io_zip_entry *entry)
{
    const io_token name = entry->name;
    if (entry->flags & ENCRYPTED)
        return io_fail(reader, name.at,
                       "\"%.*s\" is encrypted; save the archive without a password",
                       IO_TOKEN_ARGUMENTS(name));
    if (entry->method != STORED && entry->method != DEFLATED)
        return io_fail(
            reader, name.at,
            "\"%.*s\" is compressed by method %u; only stored (0) and deflated (8) files "
            "are read: save with numpy.savez or numpy.savez_compressed",
            IO_TOKEN_ARGUMENTS(name), entry->method);
    if (entry->method == STORED && entry->size != entry->packed)
        return io_fail(reader, name.at, "\"%.*s\" is stored, but its two sizes differ",
                       IO_TOKEN_ARGUMENTS(name));
    return WEIR_OK;
}

weir_result io_zip_read(io_zip *zip, const io_zip_entry *entry, io_zip_file *file)
{
    const io_reader *reader = zip->reader;
    const io_token name = entry->name;
    io_token bytes = {0};
    *file = (io_zip_file){0};
    WEIR_RETURN_IF_ERROR(check_method(reader, entry));
    WEIR_RETURN_IF_ERROR(find_bytes(reader, entry, &bytes));
    if (entry->method == DEFLATED) {
        WEIR_RETURN_IF_ERROR(inflate_entry(zip, entry, bytes, &file->unpacked));
        bytes = (io_token){file->unpacked.bytes, file->unpacked.size};
    }
    if (io_crc32(bytes.at, bytes.size) != entry->crc)
        return io_fail(reader, name.at, "\"%.*s\" is damaged: its checksum is wrong",
                       IO_TOKEN_ARGUMENTS(name));
    file->path = base_format("%s: %.*s", reader->path, IO_TOKEN_ARGUMENTS(name));
    if (!file->path) return io_fail_memory(reader, "a name");
    file->reader = *reader;
    file->reader.path = file->path;
    file->reader.begin = file->reader.at = bytes.at;
    file->reader.end = bytes.at + bytes.size;
    return WEIR_OK;
}

void io_zip_file_free(io_zip_file *file)
{
    base_free(file->path);
    base_blob_free(&file->unpacked);
    *file = (io_zip_file){0};
}
