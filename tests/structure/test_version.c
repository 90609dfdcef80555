/* weir.h defines the version; all copies of it for readers agree. */
/* The check calls the functions of this file instead of the library's. */
#define weir_version version_found
#define weir_abi abi_of_found
#include "weir/version.h"
#undef weir_version
#undef weir_abi

/* The library's own function. */
const char *weir_version(void);
uint32_t weir_abi(void);

#include "structure.h"

#include <setjmp.h>

#include <cmocka.h>

static const char *found; /* of the library found at run time */

const char *version_found(void)
{
    return found;
}

static uint32_t abi = WEIR_ABI; /* of the library found at run time */

uint32_t abi_of_found(void)
{
    return abi;
}

static char said[320];

static void keep(void *user, weir_log_level level, const char *text)
{
    (void)user, (void)level;
    snprintf(said, sizeof said, "%s", text);
}

static void the_citation_names_the_headers_version(void **state)
{
    base_blob blob;
    base_text text = {0};
    assert_int_equal(base_file_read(NULL, "CITATION.cff", 1 << 20, &blob), WEIR_OK);
    assert_true(base_text_append_bytes(&text, blob.bytes, blob.size));
    char *line = base_format("\nversion: %d.%d.%d\n", WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR,
                             WEIR_VERSION_PATCH);
    assert_non_null(strstr(text.items, line));
    base_free(line);
    BASE_ARRAY_FREE(&text);
    base_blob_free(&blob);
}

static void the_library_names_the_headers_version(void **state)
{
    char *version =
        base_format("%d.%d.%d", WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR, WEIR_VERSION_PATCH);
    assert_string_equal(weir_version(), version);
    base_free(version);
}

static void another_versions_library_is_refused_in_words(void **state)
{
    static const weir_log log = {.write = keep, .level = WEIR_LOG_INFO};
    static const char *const others[] = {"0.9.9", "2.0.0", "2.7.0", "10.1.0", "1.0", "-1.9.0", ""};
    for (size_t i = 0; i < BASE_COUNT(others); i++) {
        found = others[i];
        assert_int_equal(weir_version_check(&log), WEIR_ERROR_UNSUPPORTED);
        assert_non_null(strstr(said, others[i]));
        assert_non_null(strstr(said, "install the library of that version"));
    }
    found = "1.0.7";
    assert_int_equal(weir_version_check(NULL), WEIR_OK);
}

/* A library of the same version, but with other structs. */
static void a_library_of_other_headers_is_refused_in_words(void **state)
{
    static const weir_log log = {.write = keep, .level = WEIR_LOG_INFO};
    char *numbers = base_format("other headers (%08x) than this program (%08x)",
                                (unsigned)(WEIR_ABI ^ 1u), (unsigned)WEIR_ABI);
    assert_int_equal(weir_abi(), WEIR_ABI);
    found = weir_version();
    assert_int_equal(weir_version_check(&log), WEIR_OK);
    abi = WEIR_ABI ^ 1u;
    assert_int_equal(weir_version_check(&log), WEIR_ERROR_UNSUPPORTED);
    assert_non_null(strstr(said, numbers));
    assert_non_null(strstr(said, "Compile the program again with the library's headers"));
    base_free(numbers);
}

/* A newer minor version has other declarations, but keeps all of the older one's. */
static void a_newer_minor_version_is_accepted(void **state)
{
    abi = WEIR_ABI ^ 1u;
    for (int newer = 1; newer < 12; newer += 10) {
        char *version = base_format("%d.%d.0", WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR + newer);
        found = version;
        assert_int_equal(weir_version_check(NULL), WEIR_OK);
        base_free(version);
    }
    abi = WEIR_ABI;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_citation_names_the_headers_version),
        cmocka_unit_test(the_library_names_the_headers_version),
        cmocka_unit_test(another_versions_library_is_refused_in_words),
        cmocka_unit_test(a_library_of_other_headers_is_refused_in_words),
        cmocka_unit_test(a_newer_minor_version_is_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
