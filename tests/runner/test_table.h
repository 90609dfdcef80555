/* The tests of a program by name, from the table that the build generates. Each test is the `main`
 * of its file, which the build renames after the file: weir_add_test_program in
 * cmake/test_support.cmake. */
#ifndef WEIR_TESTS_TEST_TABLE_H
#define WEIR_TESTS_TEST_TABLE_H

#include <stddef.h>

#define TEST(name) int name(void);
#define TEST_WITH_WORDS(name) int name(int count, char **words);
#include "test_table.inc"
#undef TEST
#undef TEST_WITH_WORDS

static const struct {
    const char *name;
    int (*run)(void);
    int (*run_with_words)(int count, char **words);
} tests[] = {
#define TEST(name) {#name, name, NULL},
#define TEST_WITH_WORDS(name) {#name, NULL, name},
#include "test_table.inc"
#undef TEST
#undef TEST_WITH_WORDS
};

#define TEST_COUNT (sizeof tests / sizeof *tests)

/* Runs a test with the arguments of a program; returns its exit status. */
static inline int run_test(size_t test, int count, char **words)
{
    return tests[test].run ? tests[test].run() : tests[test].run_with_words(count, words);
}

#endif
