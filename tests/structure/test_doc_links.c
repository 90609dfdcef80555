/* Everything that the pages under docs name exists: files, tests and their functions, commands.
   The page of equations has every equation of the paper. */
#include "structure.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct page {
    const char *path;
    char *text;
    size_t faults, checked;
} page;

static void check(page *p, bool good, const char *what, const char *name)
{
    p->checked++;
    if (good) return;
    print_error("%s: %s \"%s\" does not exist\n", p->path, what, name);
    p->faults++;
}

static bool exists(const char *path)
{
    return base_path_is_file(path) || base_path_is_folder(path);
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

typedef struct test_search {
    const char *name;
    char *path;
} test_search;

static void match_test(void *user, const structure_file *file)
{
    test_search *search = user;
    size_t length = strlen(search->name);
    const char *name = base_path_name(file->path);
    if (!search->path && strncmp(name, search->name, length) == 0 &&
        strcmp(name + length, ".c") == 0)
        search->path = base_strdup(file->path);
}

/* Returns tests/FOLDER/NAME.c. Release with base_free. */
static char *find_test(const char *name)
{
    test_search search = {name, NULL};
    structure_each_file(structure_test_folders, BASE_COUNT(structure_test_folders), match_test,
                        &search);
    return search.path;
}

/* Checks "test_x", or a function of it as "test_x.a_function". */
static void check_test(page *p, const char *word)
{
    char name[160];
    snprintf(name, sizeof name, "%s", word);
    char *dot = strchr(name, '.');
    if (dot) *dot = '\0';
    char *path = find_test(name), *text = path && dot ? structure_read_file(path) : NULL;
    check(p, path != NULL, "the test", name);
    if (text) {
        char *call = base_format("cmocka_unit_test(%s)", dot + 1);
        check(p, call && strstr(text, call), "the test function", word);
        base_free(call);
    }
    base_free(text);
    base_free(path);
}

/* Checks "tools/validate NAME": a gate. */
static void check_gate(page *p, const char *name)
{
    char *text = structure_read_file("tests/validation/cases.def"),
         *quoted = base_format("\"%s\"", name);
    check(p, text && quoted && strstr(text, quoted), "the gate", name);
    base_free(text);
    base_free(quoted);
}

/* Returns whether a page shows a file that the reader is to create: ```c new=FILE. */
static bool is_made(const page *p, const char *path)
{
    char mark[180];
    snprintf(mark, sizeof mark, " new=%s\n", path);
    return strstr(p->text, mark) != NULL;
}

static void check_word(page *p, const char *word)
{
    static const char *const folders[] = {"shaders/", "src/",    "tests/",
                                          "tools/",   "scenes/", "docs/"};
    static const char gate[] = "tools/validate ";
    if (strpbrk(word, "*<{") || strstr(word, "...")) return;
    if (starts_with(word, "test_") && !strchr(word, ' ') && !strchr(word, '/')) check_test(p, word);
    if (starts_with(word, gate) && word[sizeof gate - 1] != '-' &&
        !strchr(word + sizeof gate - 1, ' ') && word[sizeof gate - 1] >= 'a')
        check_gate(p, word + sizeof gate - 1);
    for (size_t i = 0; i < BASE_COUNT(folders); i++) {
        if (!starts_with(word, folders[i])) continue;
        char path[160];
        snprintf(path, sizeof path, "%.*s", (int)strcspn(word, " "), word);
        check(p, exists(path) || is_made(p, path), "the file", path);
    }
}

/* Checks everything in single backticks. */
static void check_words(page *p)
{
    for (char *at = strchr(p->text, '`'); at; at = strchr(at, '`')) {
        char word[160];
        size_t size = strcspn(at + 1, "`\n");
        if (at[1] == '`' || at[1 + size] != '`') { /* a fence, or an unmatched backtick */
            at += 1 + strspn(at, "`");
            if (!*at) break;
            continue;
        }
        snprintf(word, sizeof word, "%.*s", (int)size, at + 1);
        check_word(p, word);
        at += size + 2;
    }
}

/* Checks [text](target) with a target inside the tree. */
static void check_links(page *p)
{
    char *folder = base_path_folder(p->path);
    for (char *at = strstr(p->text, "]("); at; at = strstr(at + 2, "](")) {
        char target[200];
        snprintf(target, sizeof target, "%.*s", (int)strcspn(at + 2, ")#\n"), at + 2);
        if (!target[0] || strstr(target, "://")) continue;
        char *path =
            strcmp(folder, ".") == 0 ? base_strdup(target) : base_path_join(folder, target);
        check(p, path && exists(path), "the link's target", target);
        base_free(path);
    }
    base_free(folder);
}

static void check_page(const char *path, size_t *checked)
{
    page p = {.path = path, .text = structure_read_file(path)};
    assert_non_null(p.text);
    check_links(&p);
    check_words(&p);
    *checked += p.checked;
    base_free(p.text);
    if (p.faults) fail_msg("%s names %zu things that do not exist", path, p.faults);
}

static void pages_name_what_exists(void **state)
{
    char **names;
    size_t count, checked = 0;
    assert_int_equal(base_folder_list(NULL, "docs", &names, &count), WEIR_OK);
    for (size_t i = 0; i < count; i++) {
        char *path = base_path_join("docs", names[i]);
        if (strcmp(base_path_extension(path), "md") == 0) check_page(path, &checked);
        base_free(path);
    }
    base_names_free(names, count);
    check_page("README.md", &checked);
    print_message("  %zu names checked\n", checked);
    assert_true(checked > 60);
}

/* Reads the table's first column, where "(3)-(6)" includes all equations between. */
static void every_equation_of_the_paper_has_its_row(void **state)
{
    bool found[18] = {0};
    char *text = structure_read_file("docs/equations.md");
    assert_non_null(text);
    for (char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        int last = 0;
        if (!starts_with(line, "| (")) continue;
        const char *end = line + 2 + strcspn(line + 2, "|");
        for (const char *at = line; at < end; at++) {
            if (*at != '(') continue;
            int number = atoi(at + 1);
            bool range = last && !strncmp(at - strlen("–"), "–", strlen("–"));
            for (int n = range ? last : number; n <= number && n < 18; n++)
                found[n] = true;
            last = number;
        }
    }
    for (int n = 1; n <= 17; n++)
        if (!found[n]) fail_msg("docs/equations.md has no row for equation (%d)", n);
    base_free(text);
}

/* Runs the checks on faulty pages. */
static void what_does_not_exist_is_found(void **state)
{
    static char wrong[] = "`shaders/sim/lambda.com` [a](../nothing.md) `test_nothing`"
                          " `test_sim_kernels.nothing` `tools/validate nothing`";
    page p = {.path = "docs/x.md", .text = wrong};
    check_links(&p);
    check_words(&p);
    assert_int_equal(p.faults, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_name_what_exists),
        cmocka_unit_test(every_equation_of_the_paper_has_its_row),
        cmocka_unit_test(what_does_not_exist_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
