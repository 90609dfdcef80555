/* Usage: PROGRAM TEST [WORD...]
 *
 * Runs one of the tests of a folder, in this process, with the words as its arguments. */
#include "test_table.h"

#include <stdio.h>
#include <string.h>

int main(int count, char **words)
{
    for (size_t i = 0; count > 1 && i < TEST_COUNT; i++) {
        if (strcmp(words[1], tests[i].name) != 0) continue;
        words[1] = words[0];
        return run_test(i, count - 1, words + 1);
    }
    fprintf(stderr, "usage: %s TEST [WORD...], where TEST is one of\n", words[0]);
    for (size_t i = 0; i < TEST_COUNT; i++)
        fprintf(stderr, "  %s\n", tests[i].name);
    return 2;
}
