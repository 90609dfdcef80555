/* Where clang's libFuzzer enters: weir_fuzz --target=NAME [options of libFuzzer] [FOLDER ...]. */
#include "fuzz.h"

#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define SHARE 16u /* a frame takes as long as some sixteen states to be read */

static const fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const char word[] = "--target=";
    for (int i = 1; i < *argc; i++)
        if (strncmp((*argv)[i], word, sizeof word - 1) == 0)
            target = fuzz_find((*argv)[i] + sizeof word - 1);
    if (!target) {
        fprintf(stderr, "weir_fuzz: --target=NAME is missing or names none of these:\n");
        for (size_t i = 0; i < fuzz_target_count; i++)
            fprintf(stderr, "  %s\n", fuzz_targets[i].name);
        exit(2);
    }
    fuzz_share = SHARE;
    atexit(fuzz_end);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_feed(target, bytes, size);
    return 0;
}
