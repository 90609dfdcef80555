/* Tagged state files: contents survive a round trip, and all damage is detected. */
#include "io_support.h"

static const char kind[8] = "testkind";
static const uint8_t odd[] = {1, 2, 3, 4, 5, 6, 7};
static const double real[] = {0.1, -2, 1e300};
static const io_block three[] = {
    {"odd", odd, sizeof odd}, {"empty", "", 0}, {"doubles8", real, 24}};

static void blocks_come_back_aligned(void **state)
{
    scratch *s = *state;
    io_block_file file;
    scratch_path(s, "a.state");
    assert_int_equal(io_block_file_write(&s->log, s->path, kind, three, 3), WEIR_OK);
    assert_int_equal(io_block_file_read(&s->log, s->path, kind, &file), WEIR_OK);
    assert_int_equal(file.count, 3);
    for (size_t i = 0; i < 3; i++) {
        const io_block *block = io_block_find(file.blocks, file.count, three[i].tag);
        assert_ptr_equal(block, &file.blocks[i]);
        assert_int_equal(block->size, three[i].size);
        assert_int_equal((uintptr_t)block->bytes % 16, 0);
        if (block->size) assert_memory_equal(block->bytes, three[i].bytes, block->size);
    }
    assert_null(io_block_find(file.blocks, file.count, "doubles"));
    assert_null(io_block_find(file.blocks, file.count, "none"));
    io_block_file_free(&file);
}

static void come_back(scratch *s, const uint8_t *bytes, size_t size)
{
    io_block block = {"big", bytes, size};
    io_block_file file;
    scratch_path(s, "big.state");
    assert_int_equal(io_block_file_write(&s->log, s->path, kind, &block, 1), WEIR_OK);
    assert_int_equal(io_block_file_read(&s->log, s->path, kind, &file), WEIR_OK);
    assert_int_equal(file.blocks[0].size, size);
    assert_memory_equal(file.blocks[0].bytes, bytes, size);
    io_block_file_free(&file);
}

static void sizes_around_the_buffer_come_back(void **state)
{
    const size_t buffer = (size_t)1 << 20, head = 64; /* header, one table row, padding */
    uint8_t *bytes = base_alloc(3 * buffer, 1);
    for (size_t i = 0; i < 3 * buffer; i++)
        bytes[i] = (uint8_t)base_hash_mix64(i);
    for (size_t size = buffer - head - 9; size <= buffer - head + 9; size++)
        come_back(*state, bytes, size);
    come_back(*state, bytes, 3 * buffer);
    base_free(bytes);
}

static weir_result read_bytes(scratch *s, const uint8_t *bytes, size_t size)
{
    io_block_file file;
    s->message[0] = 0;
    scratch_write(s, "damaged.state", bytes, size);
    weir_result result = io_block_file_read(&s->log, s->path, kind, &file);
    if (result != WEIR_OK) assert_null(file.blob.bytes);
    if (result != WEIR_OK) assert_int_equal(file.count, 0);
    io_block_file_free(&file);
    return result;
}

static void every_changed_byte_is_noticed(void **state)
{
    static const uint8_t changes[] = {0x01, 0x80, 0xff};
    scratch *s = *state;
    base_blob file;
    scratch_path(s, "a.state");
    assert_int_equal(io_block_file_write(&s->log, s->path, kind, three, 3), WEIR_OK);
    assert_int_equal(base_file_read(&s->log, s->path, 10000, &file), WEIR_OK);
    assert_int_equal(read_bytes(s, file.bytes, file.size), WEIR_OK);
    for (size_t i = 0; i < file.size; i++)
        for (size_t k = 0; k < BASE_COUNT(changes); k++) {
            file.bytes[i] ^= changes[k];
            assert_int_equal(read_bytes(s, file.bytes, file.size), WEIR_ERROR_IO);
            assert_message_has(s, "damaged.state: byte ");
            file.bytes[i] ^= changes[k];
        }
    base_blob_free(&file);
}

static void every_cut_and_every_tail_is_noticed(void **state)
{
    scratch *s = *state;
    base_blob file;
    scratch_path(s, "a.state");
    assert_int_equal(io_block_file_write(&s->log, s->path, kind, three, 3), WEIR_OK);
    assert_int_equal(base_file_read(&s->log, s->path, 10000, &file), WEIR_OK);
    for (size_t size = 0; size < file.size; size++)
        assert_int_equal(read_bytes(s, file.bytes, size), WEIR_ERROR_IO);
    uint8_t *longer = base_alloc(file.size + 1, 1);
    memcpy(longer, file.bytes, file.size);
    assert_int_equal(read_bytes(s, longer, file.size + 1), WEIR_ERROR_IO);
    assert_message_has(s, "cut off or was changed");
    base_free(longer);
    base_blob_free(&file);
}

/* Recomputes the hash, so that a wrong table has a correct hash: a malicious file. */
static void rehash(uint8_t *bytes, size_t size)
{
    uint64_t hash = base_hash64(bytes, size - 8, 0);
    for (int i = 0; i < 8; i++)
        bytes[size - 8 + (size_t)i] = (uint8_t)(hash >> 8 * i);
}

static void hostile_tables_are_refused(void **state)
{
    static const struct {
        size_t at;
        uint8_t value;
        const char *message;
    } cases[] = {
        {8, 1, "version 1, this program reads versions 2 to 3"},
        {12, 6, "6 blocks do not fit"},
        {15, 0x80, "2147483651 blocks do not fit"},
        {16, 'x', "the file holds \"xestkind\"; \"testkind\" is expected"},
        {40, 0x11, "is not inside the file"}, /* offset not aligned */
        {47, 0xff, "is not inside the file"}, /* offset beyond 2^63 */
        {55, 0xff, "is not inside the file"}, /* size beyond 2^63 */
        {48, 200, "is not inside the file"},
    };
    scratch *s = *state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        base_blob file;
        scratch_path(s, "a.state");
        assert_int_equal(io_block_file_write(&s->log, s->path, kind, three, 3), WEIR_OK);
        assert_int_equal(base_file_read(&s->log, s->path, 10000, &file), WEIR_OK);
        file.bytes[cases[i].at] = cases[i].value;
        rehash(file.bytes, file.size);
        assert_int_equal(read_bytes(s, file.bytes, file.size), WEIR_ERROR_IO);
        assert_message_has(s, cases[i].message);
        base_blob_free(&file);
    }
}

static void a_size_that_wraps_around_is_refused(void **state)
{
    scratch *s = *state;
    base_blob file;
    scratch_path(s, "a.state");
    assert_int_equal(io_block_file_write(&s->log, s->path, kind, three, 3), WEIR_OK);
    assert_int_equal(base_file_read(&s->log, s->path, 10000, &file), WEIR_OK);
    memset(file.bytes + 48, 0xff, 8); /* the first block's size */
    rehash(file.bytes, file.size);
    assert_int_equal(read_bytes(s, file.bytes, file.size), WEIR_ERROR_IO);
    assert_message_has(s, "a block of 18446744073709551615 bytes at 112 is not inside the file");
    base_blob_free(&file);
}

static void more_blocks_than_are_read_are_refused(void **state)
{
    scratch *s = *state;
    uint8_t bytes[32 + 33 * 24 + 8] = "WEIRSTAT\x02";
    const size_t size = sizeof bytes;
    bytes[12] = IO_BLOCK_FILE_BLOCKS + 1;
    memcpy(bytes + 16, kind, sizeof kind);
    bytes[24] = (uint8_t)size, bytes[25] = (uint8_t)(size >> 8);
    rehash(bytes, size);
    assert_int_equal(read_bytes(s, bytes, size), WEIR_ERROR_IO);
    assert_message_has(s, "33 blocks; at most 32 are read");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_come_back_aligned),
        cmocka_unit_test(sizes_around_the_buffer_come_back),
        cmocka_unit_test(every_changed_byte_is_noticed),
        cmocka_unit_test(every_cut_and_every_tail_is_noticed),
        cmocka_unit_test(hostile_tables_are_refused),
        cmocka_unit_test(a_size_that_wraps_around_is_refused),
        cmocka_unit_test(more_blocks_than_are_read_are_refused),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
