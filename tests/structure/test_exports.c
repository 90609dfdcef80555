/* The libraries export weir_* only, and everything that the headers declare. */
#define _POSIX_C_SOURCE 200809L
#include "structure.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SKIPPED = 77 };

typedef struct exports {
    BASE_ARRAY(char *) names;
} exports;

/* Parses the "address type name" lines of `nm`. */
static exports read_exports(const char *options, const char *library)
{
    exports e = {0};
    char *command = base_format("nm %s --defined-only '%s'", options, library);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    char line[1024], name[512];
    while (fgets(line, sizeof line, pipe))
        if (sscanf(line, "%*s %*s %511s", name) == 1)
            assert_true(BASE_ARRAY_PUSH(&e.names, base_strdup(name)));
    assert_int_equal(pclose(pipe), 0);
    base_free(command);
    return e;
}

static bool is_exported(const exports *e, const char *name, size_t length)
{
    for (size_t i = 0; i < e->names.count; i++)
        if (strlen(e->names.items[i]) == length && strncmp(e->names.items[i], name, length) == 0)
            return true;
    return false;
}

typedef struct header_check {
    const exports *exports;
    const char *library;
    size_t functions, missing;
} header_check;

static void check_header(void *user, const structure_file *file)
{
    header_check *p = user;
    static const char word[] = "WEIR_API ";
    for (const char *line = file->text; line; line = structure_next_line(line)) {
        if (strncmp(line, word, sizeof word - 1) != 0) continue;
        const char *open = strchr(line, '('), *name = open;
        while (name && name > line && name[-1] != ' ' && name[-1] != '*')
            name--;
        if (!name) continue;
        p->functions++;
        if (is_exported(p->exports, name, (size_t)(open - name))) continue;
        print_error("%s: %.*s is not exported\n", p->library, (int)(open - name), name);
        p->missing++;
    }
}

static void check_library(const char *options, const char *library)
{
    exports e = read_exports(options, library);
    size_t strangers = 0;
    for (size_t i = 0; i < e.names.count; i++) {
        if (strncmp(e.names.items[i], "weir_", 5) == 0) continue;
        print_error("%s exports %s\n", library, e.names.items[i]);
        strangers++;
    }
    header_check p = {&e, library, 0, 0};
    static const char *const headers[] = {"src/include"};
    structure_each_file(headers, BASE_COUNT(headers), check_header, &p);
    base_names_free(e.names.items, e.names.count);
    assert_true(p.functions > 100);
    assert_int_equal(strangers, 0);
    assert_int_equal(p.missing, 0);
}

/* The build passes the paths of its libraries: a library that is not built has an empty path. */
static void the_shared_library_exports_the_public_api_only(void **state)
{
    if (!WEIR_SHARED_LIBRARY[0]) skip();
    check_library("-D", WEIR_SHARED_LIBRARY);
}

static void the_archive_exports_the_public_api_only(void **state)
{
    if (!WEIR_ARCHIVE[0]) skip();
    check_library("-g", WEIR_ARCHIVE);
}

int main(void)
{
    if (!WEIR_SHARED_LIBRARY[0] && !WEIR_ARCHIVE[0]) {
        puts("skipped: this build makes neither the shared library nor the archive");
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shared_library_exports_the_public_api_only),
        cmocka_unit_test(the_archive_exports_the_public_api_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
