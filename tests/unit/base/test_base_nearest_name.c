/* Edit distance, suggested names, and paths. */
#include "base.h"

#include <setjmp.h>

#include <cmocka.h>

static void edits_apart_are_counted(void **state)
{
    assert_int_equal(base_edit_distance("", ""), 0);
    assert_int_equal(base_edit_distance("", "abc"), 3);
    assert_int_equal(base_edit_distance("abc", ""), 3);
    assert_int_equal(base_edit_distance("kitten", "sitting"), 3);
    assert_int_equal(base_edit_distance("substpes", "substeps"), 1);
    assert_int_equal(base_edit_distance("spacing", "spacings"), 1);
    assert_int_equal(base_edit_distance("ca", "abc"), 3);
}

static void texts_too_long_for_a_name_are_far_from_all(void **state)
{
    char a[301], b[201];
    memset(a, 'a', 300);
    memset(b, 'a', 200);
    a[300] = b[200] = '\0';
    assert_int_equal(base_edit_distance(a, b), 300);
    assert_int_equal(base_edit_distance(a, a), 0);
}

static void only_a_near_name_is_proposed(void **state)
{
    static const char *const names[] = {"spacing", "substeps", "gravity", "xsph", "x"};
    const size_t count = BASE_COUNT(names);
    assert_string_equal(base_nearest_name("spacin", names, count), "spacing");
    assert_string_equal(base_nearest_name("gravty", names, count), "gravity");
    assert_string_equal(base_nearest_name("xpsh", names, 4), "xsph");
    assert_null(base_nearest_name("temperature", names, count));
    assert_string_equal(
        base_nearest_name("spacing_", (const char *const[]){"spacing1", "spacing2"}, 2),
        "spacing1");
    assert_null(base_nearest_name("xphh", names, count));
    assert_null(base_nearest_name("q", names, count));
    assert_null(base_nearest_name("spacing", names, 0));
}

static void the_beginning_of_a_word_proposes_the_shortest_name_that_has_it(void **state)
{
    static const char *const names[] = {"cell_size_m", "cell_size", "max-particles", "iso_value"};
    const size_t count = BASE_COUNT(names);
    assert_string_equal(base_nearest_name("cell", names, count), "cell_size");
    assert_string_equal(base_nearest_name("iso", names, count), "iso_value");
    assert_string_equal(base_nearest_name("part", names, count), "max-particles");
    assert_null(base_nearest_name("article", names, count)); /* inside a word */
    assert_null(base_nearest_name("is", names, count));      /* too short to tell */
}

static void check_free(char *made, const char *expected)
{
    assert_string_equal(made, expected);
    base_free(made);
}

static void paths_are_joined_and_taken_apart(void **state)
{
    check_free(base_path_join("out", "a.ply"), "out/a.ply");
    check_free(base_path_join("out/", "a.ply"), "out/a.ply");
    check_free(base_path_join("", "a.ply"), "a.ply");
    check_free(base_path_join(NULL, "a.ply"), "a.ply");
    check_free(base_path_join("out", "/tmp/a.ply"), "/tmp/a.ply");
    check_free(base_path_folder("a.ply"), ".");
    check_free(base_path_folder("out/a.ply"), "out");
    check_free(base_path_folder("/a.ply"), "/");
    check_free(base_path_folder("/x//a.ply"), "/x");
#if defined(_WIN32)
    check_free(base_path_folder("C:/a"), "C:/");
    check_free(base_path_folder("C:\\x\\a"), "C:\\x");
    check_free(base_path_folder("//server/share/a"), "//server/share/");
    check_free(base_path_join("C:\\x\\", "a"), "C:\\x\\a");
    check_free(base_path_join("x", "C:/a"), "C:/a");
    assert_string_equal(base_path_name("x\\a.ply"), "a.ply");
    assert_true(base_path_is_absolute("\\\\server\\share"));
#else
    check_free(base_path_folder("//a"), "/");
#endif
    assert_string_equal(base_path_name("x/y/a.tar.gz"), "a.tar.gz");
    assert_string_equal(base_path_name("a"), "a");
    assert_string_equal(base_path_extension("x.y/a.tar.gz"), "gz");
    assert_string_equal(base_path_extension("x.y/a"), "");
    assert_string_equal(base_path_extension("x/.hidden"), "");
    assert_string_equal(base_path_extension("a."), "");
    assert_true(base_path_is_absolute("/"));
    assert_false(base_path_is_absolute("a/b"));
    assert_false(base_path_is_absolute(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_apart_are_counted),
        cmocka_unit_test(texts_too_long_for_a_name_are_far_from_all),
        cmocka_unit_test(only_a_near_name_is_proposed),
        cmocka_unit_test(the_beginning_of_a_word_proposes_the_shortest_name_that_has_it),
        cmocka_unit_test(paths_are_joined_and_taken_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
