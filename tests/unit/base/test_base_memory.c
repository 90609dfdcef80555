/* Memory, arrays and text: overflow and exhausted memory are reported, and harmless. */
#include "base.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct quota {
    size_t left;
} quota;

static void *resize_within_quota(void *user, void *memory, size_t size)
{
    quota *q = user;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    if (q->left == 0) return NULL;
    q->left--;
    return realloc(memory, size);
}

static void products_and_sums_that_overflow_are_refused(void **state)
{
    size_t value = 0;
    assert_true(base_mul_size(SIZE_MAX, 1, &value) && value == SIZE_MAX);
    assert_true(base_mul_size(0, SIZE_MAX, &value) && value == 0);
    assert_true(base_mul_size(7, 0, &value) && value == 0);
    assert_false(base_mul_size(SIZE_MAX / 2 + 1, 2, &value));
    assert_true(base_add_size(SIZE_MAX - 1, 1, &value) && value == SIZE_MAX);
    assert_false(base_add_size(SIZE_MAX, 1, &value));
    assert_null(base_alloc(SIZE_MAX / 4, 8));
    assert_null(base_alloc(SIZE_MAX, 1));
}

static void allocated_memory_is_zero_and_none_is_a_pointer_too(void **state)
{
    for (int round = 0; round < 4; round++) {
        uint8_t *bytes = base_alloc(1000, 3);
        for (size_t i = 0; i < 3000; i++)
            assert_int_equal(bytes[i], 0);
        memset(bytes, 0xAA, 3000);
        base_free(bytes);
    }
    void *nothing = base_alloc(0, 16);
    assert_non_null(nothing);
    base_free(nothing);
    base_free(NULL);
}

static void realloc_keeps_the_contents_and_the_block_when_it_fails(void **state)
{
    char *text = base_strdup("water");
    text = base_realloc(text, 1000, 1);
    assert_string_equal(text, "water");
    assert_null(base_realloc(text, SIZE_MAX / 2, 4));
    assert_string_equal(text, "water");
    base_free(text);
}

static void an_array_grows_and_keeps_its_items(void **state)
{
    BASE_ARRAY(int) numbers = {0};
    for (int i = 0; i < 1000; i++)
        assert_true(BASE_ARRAY_PUSH(&numbers, i));
    assert_int_equal(numbers.count, 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(numbers.items[i], i);
    assert_false(BASE_ARRAY_RESERVE(&numbers, SIZE_MAX - 5));
    assert_false(BASE_ARRAY_RESERVE(&numbers, SIZE_MAX / 4));
    assert_int_equal(numbers.items[999], 999);
    BASE_ARRAY_FREE(&numbers);
    assert_null(numbers.items);
    assert_int_equal(numbers.capacity, 0);
}

static void an_array_moves_seldom(void **state)
{
    quota q = {12};
    base_allocator before = base_allocator_set(&(base_allocator){resize_within_quota, &q});
    BASE_ARRAY(uint8_t) bytes = {0};
    size_t pushed = 0;
    while (pushed < 10000 && BASE_ARRAY_PUSH(&bytes, 1))
        pushed++;
    BASE_ARRAY_FREE(&bytes);
    base_allocator_set(&before);
    assert_int_equal(pushed, 10000);
}

static void text_stays_ended_after_every_append(void **state)
{
    base_text text = {0};
    assert_true(base_text_append(&text, "%s %d", "depth", 3));
    assert_string_equal(text.items, "depth 3");
    assert_true(base_text_append_bytes(&text, "\0\n", 2));
    assert_int_equal(text.count, 9);
    assert_int_equal(text.items[9], 0);
    for (int i = 0; i < 500; i++)
        assert_true(base_text_append(&text, "%03d,", i));
    assert_int_equal(text.count, 9 + 2000);
    assert_string_equal(text.items + 9 + 1996, "499,");
    assert_true(base_text_append_bytes(&text, NULL, 0));
    BASE_ARRAY_FREE(&text);
}

static void format_measures_its_text(void **state)
{
    char *text = base_format("%0*d", 5000, 7);
    assert_int_equal(strlen(text), 5000);
    base_free(text);
    text = base_format("%s", "");
    assert_string_equal(text, "");
    base_free(text);
}

static void every_shortage_is_reported_and_nothing_is_lost(void **state)
{
    for (size_t allowed = 0; allowed < 4; allowed++) {
        quota q = {allowed};
        base_allocator before = base_allocator_set(&(base_allocator){resize_within_quota, &q});
        char *copy = base_strdup("a");
        char *made = base_format("%d", 12);
        base_text text = {0};
        bool appended = base_text_append(&text, "%0*d", 100, 1);
        base_allocator_set(&before);
        assert_int_equal(copy != NULL, allowed > 0);
        assert_int_equal(made != NULL, allowed > 1);
        assert_int_equal(appended, allowed > 2);
        assert_int_equal(text.count, appended ? 100 : 0);
        base_free(copy);
        base_free(made);
        BASE_ARRAY_FREE(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_and_sums_that_overflow_are_refused),
        cmocka_unit_test(allocated_memory_is_zero_and_none_is_a_pointer_too),
        cmocka_unit_test(realloc_keeps_the_contents_and_the_block_when_it_fails),
        cmocka_unit_test(an_array_grows_and_keeps_its_items),
        cmocka_unit_test(an_array_moves_seldom),
        cmocka_unit_test(text_stays_ended_after_every_append),
        cmocka_unit_test(format_measures_its_text),
        cmocka_unit_test(every_shortage_is_reported_and_nothing_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
