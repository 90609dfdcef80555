/* Tagged state files: what is written comes back, and no damage passes. */
#include "io_support.h"

static const char kind[8] = "testkind";
static const uint8_t odd[] = {1, 2, 3, 4, 5, 6, 7};
static const double real[] = {0.1, -2, 1e300};
static const io_block three[] = {{"odd", odd, sizeof odd}, {"empty", "", 0}, {"doubles8", real, 24}};

static void blocks_come_back_aligned(void **state)
{
    scratch *s = *state;
    io_block blocks[3];
    size_t count = 3;
    base_blob blob;
    scratch_path(s, "a.state");
    assert_int_equal(io_state_write(&s->log, s->path, kind, three, 3), WEIR_OK);
    assert_int_equal(io_state_read(&s->log, s->path, kind, &blob, blocks, &count), WEIR_OK);
    assert_int_equal(count, 3);
    for (size_t i = 0; i < 3; i++) {
        const io_block *block = io_state_find(blocks, count, three[i].tag);
        assert_ptr_equal(block, &blocks[i]);
        assert_int_equal(block->size, three[i].size);
        assert_int_equal((uintptr_t)block->bytes % 16, 0);
        if (block->size) assert_memory_equal(block->bytes, three[i].bytes, block->size);
    }
    assert_null(io_state_find(blocks, count, "doubles"));
    assert_null(io_state_find(blocks, count, "none"));
    base_blob_free(&blob);
}

static void sizes_around_the_buffer_come_back(void **state)
{
    scratch *s = *state;
    const size_t buffer = (size_t)1 << 20, head = 64; /* header, one row, padding */
    uint8_t *bytes = base_alloc(buffer + 8, 1);
    for (size_t i = 0; i < buffer + 8; i++)
        bytes[i] = (uint8_t)base_mix64(i);
    for (size_t size = buffer - head - 9; size <= buffer - head + 9; size++) {
        io_block block = {"big", bytes, size}, back;
        size_t count = 1;
        base_blob blob;
        scratch_path(s, "big.state");
        assert_int_equal(io_state_write(&s->log, s->path, kind, &block, 1), WEIR_OK);
        assert_int_equal(io_state_read(&s->log, s->path, kind, &blob, &back, &count), WEIR_OK);
        assert_int_equal(back.size, size);
        assert_memory_equal(back.bytes, bytes, size);
        base_blob_free(&blob);
    }
    base_free(bytes);
}

static weir_result read_bytes(scratch *s, const uint8_t *bytes, size_t size)
{
    io_block blocks[4];
    size_t count = 4;
    base_blob blob;
    s->message[0] = 0;
    scratch_write(s, "damaged.state", bytes, size);
    weir_result result = io_state_read(&s->log, s->path, kind, &blob, blocks, &count);
    if (result == WEIR_OK) base_blob_free(&blob);
    else assert_null(blob.bytes);
    return result;
}

static void every_changed_byte_is_noticed(void **state)
{
    static const uint8_t changes[] = {0x01, 0x80, 0xff};
    scratch *s = *state;
    base_blob file;
    scratch_path(s, "a.state");
    assert_int_equal(io_state_write(&s->log, s->path, kind, three, 3), WEIR_OK);
    assert_int_equal(base_file_read(&s->log, s->path, 10000, &file), WEIR_OK);
    assert_int_equal(read_bytes(s, file.bytes, file.size), WEIR_OK);
    for (size_t i = 0; i < file.size; i++)
        for (size_t k = 0; k < BASE_COUNT(changes); k++) {
            file.bytes[i] ^= changes[k];
            assert_int_equal(read_bytes(s, file.bytes, file.size), WEIR_IO);
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
    assert_int_equal(io_state_write(&s->log, s->path, kind, three, 3), WEIR_OK);
    assert_int_equal(base_file_read(&s->log, s->path, 10000, &file), WEIR_OK);
    for (size_t size = 0; size < file.size; size++)
        assert_int_equal(read_bytes(s, file.bytes, size), WEIR_IO);
    uint8_t *longer = base_alloc(file.size + 1, 1);
    memcpy(longer, file.bytes, file.size);
    assert_int_equal(read_bytes(s, longer, file.size + 1), WEIR_IO);
    assert_message_has(s, "cut off or was changed");
    base_free(longer);
    base_blob_free(&file);
}

/* Wrong tables under a hash that is right: a file made to harm. */
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
        {8, 2, "version 2; this program reads version 1"},
        {12, 5, "5 blocks do not fit"},
        {15, 0x80, "2147483651 blocks do not fit"},
        {16, 'x', "the file holds \"xestkind\"; \"testkind\" is expected"},
        {40, 0x11, "is not inside the file"},  /* offset not aligned */
        {47, 0xff, "is not inside the file"},  /* offset beyond 2^63 */
        {55, 0xff, "is not inside the file"},  /* size beyond 2^63 */
        {48, 200, "is not inside the file"},
    };
    scratch *s = *state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        base_blob file;
        scratch_path(s, "a.state");
        assert_int_equal(io_state_write(&s->log, s->path, kind, three, 3), WEIR_OK);
        assert_int_equal(base_file_read(&s->log, s->path, 10000, &file), WEIR_OK);
        file.bytes[cases[i].at] = cases[i].value;
        rehash(file.bytes, file.size);
        assert_int_equal(read_bytes(s, file.bytes, file.size), WEIR_IO);
        assert_message_has(s, cases[i].message);
        base_blob_free(&file);
    }
}

static void more_blocks_than_room_are_refused(void **state)
{
    scratch *s = *state;
    io_block blocks[2];
    size_t count = 2;
    base_blob blob;
    scratch_path(s, "a.state");
    assert_int_equal(io_state_write(&s->log, s->path, kind, three, 3), WEIR_OK);
    assert_int_equal(io_state_read(&s->log, s->path, kind, &blob, blocks, &count), WEIR_IO);
    assert_message_has(s, "3 blocks; at most 2 are expected");
    assert_int_equal(count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_come_back_aligned),
        cmocka_unit_test(sizes_around_the_buffer_come_back),
        cmocka_unit_test(every_changed_byte_is_noticed),
        cmocka_unit_test(every_cut_and_every_tail_is_noticed),
        cmocka_unit_test(hostile_tables_are_refused),
        cmocka_unit_test(more_blocks_than_room_are_refused),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
