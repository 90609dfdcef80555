/* The sizes of the house: none passes its limit. The medians that are aimed at are printed. */
#include "walls.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
    FILE_LINES_MAX = 900, /* weir.h, the only file near it */
    FUNCTION_LINES_MAX = 100,
    SHADER_LINES_MAX = 250,
    COLUMNS_MAX = 110,
    PARAMETERS_MAX = 5,
    FRONT_DOOR_FUNCTIONS_MAX = 65,
};

typedef struct measures {
    size_t faults;
    size_t public_functions;       /* of all doors */
    size_t front_door_functions;   /* of weir.h */
    BASE_ARRAY(size_t) files;      /* lines of each .c file */
    BASE_ARRAY(size_t) functions;  /* lines of each */
    BASE_ARRAY(size_t) parameters; /* of each */
} measures;

typedef struct limit {
    const char *what;
    size_t most;
} limit;

static const limit file_size = {"lines", FILE_LINES_MAX};
static const limit shader_size = {"lines of one shader", SHADER_LINES_MAX};
static const limit function_size = {"lines of one function", FUNCTION_LINES_MAX};
static const limit line_size = {"columns", COLUMNS_MAX};
static const limit parameter_count = {"parameters", PARAMETERS_MAX};
static const limit front_door_count = {"functions in the front door", FRONT_DOOR_FUNCTIONS_MAX};

static void check_size(measures *m, const char *where, size_t line, size_t value, limit limit)
{
    if (value <= limit.most) return;
    print_error("%s:%zu: %zu %s, at most %zu\n", where, line, value, limit.what, limit.most);
    m->faults++;
}

/* Characters, not bytes: a Greek letter is one column. */
static size_t columns(const char *line)
{
    size_t count = 0;
    for (; *line && *line != '\n'; line++)
        count += ((unsigned char)*line & 0xC0) != 0x80;
    return count;
}

static size_t count_parameters(const char *open)
{
    size_t commas = 0;
    int depth = 0;
    const char *p = open;
    for (; *p; p++) {
        if (*p == '(' || *p == '[') depth++;
        if (*p == ')' || *p == ']') depth--;
        if (depth == 0) break;
        commas += *p == ',' && depth == 1;
    }
    const char *inside = open + 1 + strspn(open + 1, " \n");
    bool none = inside == p ||
                (strncmp(inside, "void", 4) == 0 && inside + 4 + strspn(inside + 4, " ") == p);
    return none ? 0 : commas + 1;
}

static bool ends_a_thing(const char *line)
{
    size_t length = walls_line_length(line);
    if (length == 0 || line[0] == '#' || line[0] == '}' || line[0] == '{') return true;
    return line[length - 1] == ';' || line[length - 1] == '/' || line[length - 1] == '\\';
}

/* A function is what has its opening brace alone in column 0; it starts after the last line that
 * ended something else. */
static void measure_functions(measures *m, const walls_file *file)
{
    size_t number = 1, start_number = 1;
    const char *start = NULL, *signature = NULL;
    for (const char *line = file->text; line; line = walls_next_line(line), number++) {
        if (line[0] == '{' && walls_line_length(line) == 1 && start) {
            signature = start;
        } else if (line[0] == '}' && signature) {
            const char *open = strchr(signature, '(');
            size_t parameters = open ? count_parameters(open) : 0,
                   lines = number - start_number + 1;
            check_size(m, file->path, start_number, lines, function_size);
            check_size(m, file->path, start_number, parameters, parameter_count);
            assert_true(BASE_PUSH(&m->functions, lines) && BASE_PUSH(&m->parameters, parameters));
            signature = start = NULL;
        } else if (!signature && ends_a_thing(line)) {
            start = NULL;
        } else if (!signature && !start) {
            start = line;
            start_number = number;
        }
    }
}

static void measure_public_functions(measures *m, const walls_file *file)
{
    static const char word[] = "WEIR_API ";
    bool front_door = strcmp(base_path_name(file->path), "weir.h") == 0;
    size_t number = 1;
    for (const char *line = file->text; line; line = walls_next_line(line), number++) {
        if (strncmp(line, word, sizeof word - 1) != 0) continue;
        const char *open = strchr(line, '(');
        m->public_functions++;
        m->front_door_functions += front_door;
        check_size(m, file->path, number, open ? count_parameters(open) : 0, parameter_count);
    }
}

static void measure_file(void *user, const walls_file *file)
{
    measures *m = user;
    size_t lines = 0;
    const char *extension = base_path_extension(file->path);
    bool is_c = strcmp(extension, "c") == 0, is_header = strcmp(extension, "h") == 0;
    for (const char *line = file->text; line; line = walls_next_line(line))
        check_size(m, file->path, ++lines, columns(line), line_size);
    check_size(m, file->path, lines, lines, is_c || is_header ? file_size : shader_size);
    if (is_c) measure_functions(m, file);
    if (is_c) assert_true(BASE_PUSH(&m->files, lines));
    if (strcmp(file->folder, "src/include") == 0) measure_public_functions(m, file);
}

static int compare_sizes(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static size_t share(size_t *values, size_t count, size_t percent)
{
    qsort(values, count, sizeof *values, compare_sizes);
    return count ? values[(count - 1) * percent / 100] : 0;
}

static void forget(measures *m)
{
    BASE_ARRAY_FREE(&m->files);
    BASE_ARRAY_FREE(&m->functions);
    BASE_ARRAY_FREE(&m->parameters);
}

static void print_measures(const char *what, measures *m)
{
    print_message(
        "%s: %zu files of median %zu lines; %zu functions of median %zu, nine in ten <= %zu "
        "lines, median %zu parameters\n",
        what, m->files.count, share(m->files.items, m->files.count, 50), m->functions.count,
        share(m->functions.items, m->functions.count, 50),
        share(m->functions.items, m->functions.count, 90),
        share(m->parameters.items, m->parameters.count, 50));
}

static void the_sources_keep_to_their_sizes(void **state)
{
    (void)state;
    measures m = {0};
    walls_each(walls_source_folders, BASE_COUNT(walls_source_folders), measure_file, &m);
    print_measures("sources", &m);
    print_message("%zu public functions, %zu of them in weir.h\n", m.public_functions,
                  m.front_door_functions);
    check_size(&m, "src/include/weir.h", 1, m.front_door_functions, front_door_count);
    assert_true(m.functions.count > 100 && m.front_door_functions > 20);
    forget(&m);
    assert_int_equal(m.faults, 0);
}

static void the_tests_and_shaders_keep_to_their_sizes(void **state)
{
    (void)state;
    measures m = {0};
    walls_each(walls_test_folders, BASE_COUNT(walls_test_folders), measure_file, &m);
    walls_each(walls_shader_folders, BASE_COUNT(walls_shader_folders), measure_file, &m);
    print_measures("tests", &m);
    forget(&m);
    assert_int_equal(m.faults, 0);
}

static size_t faults_of(const char *path, char *text)
{
    measures m = {0};
    measure_file(&m, &(walls_file){"src/base", path, text});
    forget(&m);
    return m.faults;
}

static measures measure_door(const char *path, char *text)
{
    measures m = {0};
    measure_file(&m, &(walls_file){"src/include", path, text});
    forget(&m);
    return m;
}

static char *repeated(const char *before, const char *line, size_t count, const char *after)
{
    base_text text = {0};
    assert_true(base_text_append(&text, "%s", before));
    for (size_t i = 0; i < count; i++)
        assert_true(base_text_append(&text, "%s", line));
    assert_true(base_text_append(&text, "%s", after));
    return text.items;
}

/* One text at each limit passes, one past it does not. */
static void every_size_past_its_limit_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *path, *before, *line, *after;
        size_t count;
    } limits[] = {
        {"x.c", "", "\n", "", FILE_LINES_MAX},
        {"x.comp", "", "\n", "", SHADER_LINES_MAX},
        {"x.h", "", "x", "\n", COLUMNS_MAX},
        {"x.c", "static void f(int a,\n              int b)\n{\n", "    g();\n", "}\n",
         FUNCTION_LINES_MAX - 4},
        {"x.c", "static int f(int (*call)(int, int)", ", int x", ")\n{\n}\n", PARAMETERS_MAX - 1},
    };
    for (size_t i = 0; i < BASE_COUNT(limits); i++) {
        for (size_t past = 0; past < 2; past++) {
            char *text =
                repeated(limits[i].before, limits[i].line, limits[i].count + past, limits[i].after);
            assert_int_equal(faults_of(limits[i].path, text), past);
            base_free(text);
        }
    }
}

/* The count that is held is of the front door alone; the parameters are those of every door. */
static void public_functions_are_counted_by_their_door(void **state)
{
    (void)state;
    char two[] = "WEIR_API void weir_f(int a);\nWEIR_API void weir_g(void);\n";
    char six[] = "WEIR_API void weir_f(int a, int b, int c,\n    int d, int e, int f);\n";
    assert_int_equal(measure_door("src/include/weir.h", two).front_door_functions, 2);
    assert_int_equal(measure_door("src/include/weir_profile.h", two).front_door_functions, 0);
    assert_int_equal(measure_door("src/include/weir_profile.h", two).public_functions, 2);
    assert_int_equal(measure_door("src/include/weir_profile.h", six).faults, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sources_keep_to_their_sizes),
        cmocka_unit_test(the_tests_and_shaders_keep_to_their_sizes),
        cmocka_unit_test(every_size_past_its_limit_is_found),
        cmocka_unit_test(public_functions_are_counted_by_their_door),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
