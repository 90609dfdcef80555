/* Every member of every block in shaders/shared has the offset that the shader compiler assigns.
   cmake/shared_offsets.cmake generates the table and the shader from the headers, so a new block
   needs no change here. */
#include "base.h"
#include "shared_headers.inc"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct member_row {
    const char *block, *member;
    size_t offset, block_size;
} member_row;

static const member_row rows[] = {
#include "shared_offsets.inc"
};

static const uint32_t words[] =
#include "shared_offsets.comp.inc"
    ;

enum {
    SPIRV_HEADER_WORDS = 5,
    OP_NAME = 5,
    OP_MEMBER_NAME = 6,
    OP_TYPE_RUNTIME_ARRAY = 29,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    DECORATION_ARRAY_STRIDE = 6,
    DECORATION_OFFSET = 35,
};

/* Returns the first instruction of that opcode that matches, or NULL. */
static const uint32_t *find(uint16_t opcode, bool (*matches)(const uint32_t *op, const void *key),
                            const void *key)
{
    for (size_t at = SPIRV_HEADER_WORDS; at < BASE_COUNT(words);) {
        const uint32_t *op = words + at;
        assert_true(op[0] >> 16 > 0);
        if ((op[0] & 0xffff) == opcode && matches(op, key)) return op;
        at += op[0] >> 16;
    }
    return NULL;
}

typedef struct member_key {
    uint32_t type, member;
    const char *name;
} member_key;

static bool names_block(const uint32_t *op, const void *key)
{
    return strcmp((const char *)(op + 2), key) == 0;
}

static bool names_member(const uint32_t *op, const void *key)
{
    const member_key *k = key;
    return op[1] == k->type && strcmp((const char *)(op + 3), k->name) == 0;
}

static bool has_offset(const uint32_t *op, const void *key)
{
    const member_key *k = key;
    return op[1] == k->type && op[2] == k->member && op[3] == DECORATION_OFFSET;
}

static bool is_array_of(const uint32_t *op, const void *key)
{
    return op[2] == *(const uint32_t *)key;
}

static bool is_stride_of(const uint32_t *op, const void *key)
{
    return op[1] == *(const uint32_t *)key && op[2] == DECORATION_ARRAY_STRIDE;
}

static uint32_t block_type(const char *block)
{
    const uint32_t *op = find(OP_NAME, names_block, block);
    if (!op) fail_msg("struct %s is not in the shader", block);
    return op[1];
}

static void every_member_has_the_same_offset_in_c_and_spirv(void **state)
{
    assert_true(BASE_COUNT(rows) > 10);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        const member_row *row = &rows[i];
        member_key key = {block_type(row->block), 0, row->member};
        const uint32_t *op = find(OP_MEMBER_NAME, names_member, &key);
        if (!op) fail_msg("struct %s: %s is not in the shader", row->block, row->member);
        key.member = op[2];
        op = find(OP_MEMBER_DECORATE, has_offset, &key);
        if (!op) fail_msg("struct %s: %s has no offset", row->block, row->member);
        if (op[4] != row->offset)
            fail_msg("struct %s: %s lies at byte %zu in C and %u in GLSL; add padding before it",
                     row->block, row->member, row->offset, op[4]);
    }
}

static void every_block_has_the_same_size_in_c_and_in_arrays(void **state)
{
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        uint32_t type = block_type(rows[i].block);
        const uint32_t *array = find(OP_TYPE_RUNTIME_ARRAY, is_array_of, &type);
        assert_non_null(array);
        const uint32_t *stride = find(OP_DECORATE, is_stride_of, &array[1]);
        assert_non_null(stride);
        if (stride[3] != rows[i].block_size)
            fail_msg("struct %s has %zu bytes in C and %u in GLSL; pad its end", rows[i].block,
                     rows[i].block_size, stride[3]);
    }
}

static bool is_listed(const char *name, size_t length)
{
    for (size_t i = 0; i < BASE_COUNT(rows); i++)
        if (strlen(rows[i].block) == length && strncmp(rows[i].block, name, length) == 0)
            return true;
    return false;
}

/* Checks the text after each "struct " at the start of a line, up to the blank before its brace. */
static size_t check_header(const char *path, const char *text, const char *end)
{
    static const char word[] = "struct ";
    size_t found = 0;
    for (const char *line = text; line; line = memchr(line, '\n', (size_t)(end - line))) {
        if (line != text) line++;
        if ((size_t)(end - line) < sizeof word - 1 || memcmp(line, word, sizeof word - 1) != 0)
            continue;
        const char *name = line + sizeof word - 1;
        size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
        if (!is_listed(name, length))
            fail_msg("%s: struct %.*s is not checked", path, (int)length, name);
        found++;
    }
    return found;
}

static void every_block_of_every_shared_header_is_checked(void **state)
{
    char **names;
    size_t count, found = 0;
    assert_int_equal(base_folder_list(NULL, "shaders/shared", &names, &count), WEIR_OK);
    for (size_t i = 0; i < count; i++) {
        char *path = base_path_join("shaders/shared", names[i]);
        base_text text = {0};
        base_blob blob;
        assert_int_equal(base_file_read(NULL, path, 1 << 20, &blob), WEIR_OK);
        assert_true(base_text_append_bytes(&text, blob.bytes, blob.size));
        found += check_header(path, text.items, text.items + text.count);
        BASE_ARRAY_FREE(&text);
        base_blob_free(&blob);
        base_free(path);
    }
    base_names_free(names, count);
    assert_true(found >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_has_the_same_offset_in_c_and_spirv),
        cmocka_unit_test(every_block_has_the_same_size_in_c_and_in_arrays),
        cmocka_unit_test(every_block_of_every_shared_header_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
