/* XXH64 compared with the test vectors of its specification and of the reference program;
   SplitMix64. */
#include "base.h"

#include <setjmp.h>

#include <cmocka.h>

/* The sequence that the xxHash self-test hashes. */
static void fill_self_test(uint8_t *bytes, size_t size)
{
    uint64_t value = 2654435761u;
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(value >> 56);
        value *= 11400714785074694797u;
    }
}

static void xxh64_equals_known_vectors(void **state)
{
    assert_true(base_hash64("", 0, 0) == 0xEF46DB3751D8E999u);
    assert_true(base_hash64("a", 1, 0) == 0xD24EC4F1A98C6E5Bu);
    assert_true(base_hash64("abc", 3, 0) == 0x44BC2CF5AD770999u);
    static const char long_text[] = "Nobody inspects the spammish repetition";
    assert_true(base_hash64(long_text, strlen(long_text), 0) == 0xFBCEA83C8A378BF1u);
}

static void xxh64_equals_the_reference_self_test(void **state)
{
    enum { PRIME32 = 0x9E3779B1 };
    uint8_t bytes[222];
    fill_self_test(bytes, sizeof bytes);
    assert_true(base_hash64(bytes, 0, (uint32_t)PRIME32) == 0xAC75FDA2929B17EFu);
    assert_true(base_hash64(bytes, 1, 0) == 0xE934A84ADB052768u);
    assert_true(base_hash64(bytes, 1, (uint32_t)PRIME32) == 0x5014607643A9B4C3u);
    assert_true(base_hash64(bytes, 4, 0) == 0x9136A0DCA57457EEu);
    assert_true(base_hash64(bytes, 14, 0) == 0x8282DCC4994E35C8u);
    assert_true(base_hash64(bytes, 14, (uint32_t)PRIME32) == 0xC3BD6BF63DEB6DF0u);
    assert_true(base_hash64(bytes, 222, 0) == 0xB641AE8CB691C174u);
    assert_true(base_hash64(bytes, 222, (uint32_t)PRIME32) == 0x20CB8AB7AE10C14Au);
}

static void xxh64_does_not_depend_on_alignment(void **state)
{
    uint8_t bytes[80], shifted[88];
    fill_self_test(bytes, sizeof bytes);
    for (size_t shift = 0; shift < 8; shift++) {
        memcpy(shifted + shift, bytes, sizeof bytes);
        assert_true(base_hash64(shifted + shift, 80, 7) == base_hash64(bytes, 80, 7));
    }
}

static void splitmix64_equals_its_published_first_draw(void **state)
{
    assert_true(base_hash_mix64(0) == 0xE220A8397B1DCDAFu);
    assert_true(base_hash_mix64(0x9E3779B97F4A7C15u) == 0x6E789E6AA1B965F4u);
}

static void unit_draws_are_uniform_in_zero_to_one(void **state)
{
    enum { DRAWS = 100000, BINS = 10 };
    int bins[BINS] = {0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        float u = base_hash_to_unit(12345 + i);
        assert_true(u >= 0 && u < 1);
        bins[(int)(u * BINS)]++;
    }
    /* Six standard deviations of a binomial count. */
    for (int i = 0; i < BINS; i++)
        assert_in_range(bins[i], 10000 - 570, 10000 + 570);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xxh64_equals_known_vectors),
        cmocka_unit_test(xxh64_equals_the_reference_self_test),
        cmocka_unit_test(xxh64_does_not_depend_on_alignment),
        cmocka_unit_test(splitmix64_equals_its_published_first_draw),
        cmocka_unit_test(unit_draws_are_uniform_in_zero_to_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
