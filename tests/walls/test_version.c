/* The version stands in weir.h; what repeats it for people agrees. */
#include "walls.h"

#include <setjmp.h>

#include <cmocka.h>

static void the_citation_names_the_headers_version(void **state)
{
    (void)state;
    base_blob blob;
    base_text text = {0};
    assert_int_equal(base_file_read(NULL, "CITATION.cff", 1 << 20, &blob), WEIR_OK);
    assert_true(base_text_bytes(&text, blob.bytes, blob.size));
    char *line = base_format("\nversion: %d.%d.%d\n", WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR,
                             WEIR_VERSION_PATCH);
    assert_non_null(strstr(text.items, line));
    base_free(line);
    BASE_ARRAY_FREE(&text);
    base_blob_free(&blob);
}

static void the_library_names_the_headers_version(void **state)
{
    (void)state;
    char *version =
        base_format("%d.%d.%d", WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR, WEIR_VERSION_PATCH);
    assert_string_equal(weir_version(), version);
    base_free(version);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_citation_names_the_headers_version),
        cmocka_unit_test(the_library_names_the_headers_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
