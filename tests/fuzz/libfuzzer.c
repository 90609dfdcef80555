/* Entry points of clang's libFuzzer: weir_fuzz --target=NAME [options of libFuzzer] [FOLDER
   ...]. */
#include "fuzz.h"

#include <malloc.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define SHARE 16u /* a frame takes as long as reading about sixteen states */

static const fuzz_target *target;

/* ---- memory --------------------------------------------------------------------------------- */

#define KEPT ((size_t)1 << 20) /* bytes of a writer's buffer */

static void *kept;

/* Keeps one buffer of a writer for reuse: the sanitizer maps and unmaps blocks of that size,
   which took most of the time of the targets that write. All other blocks come from the system. */
static void *resize(void *user, void *memory, size_t size)
{
    (void)user;
    if (!memory && size == KEPT && kept) {
        memory = kept;
        kept = NULL;
        return memory;
    }
    if (size == 0 && memory && !kept && malloc_usable_size(memory) == KEPT) {
        kept = memory;
        return NULL;
    }
    if (size) return realloc(memory, size);
    free(memory);
    return NULL;
}

static void end(void)
{
    fuzz_end();
    free(kept);
    kept = NULL;
}

/* ---- callbacks of libFuzzer ----------------------------------------------------------------- */

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
    base_allocator_set(&(base_allocator){.resize = resize});
    atexit(end);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_feed(target, bytes, size);
    return 0;
}
