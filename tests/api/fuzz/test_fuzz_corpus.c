/* Feeds every input of tests/fuzz/corpus, including those that once caused a failure, to its
   target. */
#include "fuzz.h"

#include <setjmp.h>

#include <cmocka.h>

#define CORPUS "tests/fuzz/corpus"

/* Feeds one file; returns whether it was accepted. */
static bool replay(const fuzz_target *target, const char *folder, const char *name)
{
    base_blob blob;
    char *path = base_path_join(folder, name);
    assert_int_equal(base_file_read(NULL, path, 1 << 20, &blob), WEIR_OK);
    bool accepted = fuzz_feed(target, blob.bytes, blob.size);
    base_blob_free(&blob);
    base_free(path);
    return accepted;
}

/* A target that refuses all its inputs tests little: its corpus is out of date. */
static void every_input_of_the_corpus_does_no_harm(void **state)
{
    for (size_t i = 0; i < fuzz_target_count; i++) {
        const fuzz_target *target = &fuzz_targets[i];
        char *folder = base_path_join(CORPUS, target->name), **names;
        size_t count, accepted = 0;
        assert_int_equal(base_folder_list(NULL, folder, &names, &count), WEIR_OK);
        for (size_t k = 0; k < count; k++)
            accepted += replay(target, folder, names[k]);
        print_message("%-20s%zu inputs, %zu accepted\n", target->name, count, accepted);
        assert_true(accepted > 0);
        base_names_free(names, count);
        base_free(folder);
    }
    fuzz_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_input_of_the_corpus_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
