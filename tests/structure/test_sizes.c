/* Sizes of files, functions and lines: none exceeds its limit, and those of the library are
   printed. */
#include "structure.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
    FILE_LINES_MAX = 600,
    PUBLIC_HEADER_LINES_MAX = 400,
    FUNCTION_LINES_MAX = 90,
    FUNCTION_LINES_MEDIAN_MAX = 11,
    FUNCTION_LINES_NINTH_MAX = 25, /* for nine functions in ten */
    SHADER_LINES_MAX = 250,
    COLUMNS_MAX = 110,
    PARAMETERS_MAX = 5,
    PUBLIC_HEADER_FUNCTIONS_MAX = 25,
    FOLDER_FILES_MAX = 30,
};

/* The largest of its kind, and its location. */
typedef struct most {
    size_t value, line;
    char path[80];
} most;

typedef struct measures {
    size_t faults, lines;
    size_t public_functions;       /* of all public headers */
    BASE_ARRAY(size_t) files;      /* lines of each .c file */
    BASE_ARRAY(size_t) functions;  /* lines of each function */
    BASE_ARRAY(size_t) parameters; /* number of each function */
    most longest_file, longest_function, most_parameters, largest_folder;
    char folder[80];     /* of the last file */
    size_t folder_files; /* seen in it so far; the files of a folder follow one another */
} measures;

typedef struct limit {
    const char *what;
    size_t most;
} limit;

static const limit file_size = {"lines", FILE_LINES_MAX};
static const limit public_header_size = {"lines of a public header", PUBLIC_HEADER_LINES_MAX};
static const limit shader_size = {"lines of one shader", SHADER_LINES_MAX};
static const limit function_size = {"lines of one function", FUNCTION_LINES_MAX};
static const limit line_size = {"columns", COLUMNS_MAX};
static const limit parameter_count = {"parameters", PARAMETERS_MAX};
static const limit median_size = {"lines of the median function", FUNCTION_LINES_MEDIAN_MAX};
static const limit ninth_size = {"lines that nine functions in ten have", FUNCTION_LINES_NINTH_MAX};
static const limit folder_size = {"source files of a folder", FOLDER_FILES_MAX};
static const limit public_function_count = {"functions of a public header",
                                            PUBLIC_HEADER_FUNCTIONS_MAX};

static void check_size(measures *m, const char *where, size_t line, size_t value, limit limit)
{
    if (value <= limit.most) return;
    print_error("%s:%zu: %zu %s, at most %zu\n", where, line, value, limit.what, limit.most);
    m->faults++;
}

static void keep_most(most *m, const char *path, size_t line, size_t value)
{
    if (value <= m->value) return;
    m->value = value;
    m->line = line;
    snprintf(m->path, sizeof m->path, "%s", path);
}

/* Counts characters, not bytes: a Greek letter is one column. */
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

/* Vulkan and Tracy dictate the parameters of functions that replace their own. */
static bool is_dictated(const char *signature, const char *open)
{
    const char *vulkan = strstr(signature, "VKAPI_"), *tracy = strstr(signature, "___tracy_");
    return (vulkan && vulkan < open) || (tracy && tracy < open);
}

static bool ends_a_thing(const char *line)
{
    size_t length = structure_line_length(line);
    if (length == 0 || line[0] == '#' || line[0] == '}' || line[0] == '{') return true;
    return line[length - 1] == ';' || line[length - 1] == '/' || line[length - 1] == '\\';
}

/* A function is recognised by an opening brace alone in column 0; it starts after the last line
   that ended something else. */
static void measure_functions(measures *m, const structure_file *file)
{
    size_t number = 1, start_number = 1;
    const char *start = NULL, *signature = NULL;
    for (const char *line = file->text; line; line = structure_next_line(line), number++) {
        if (line[0] == '{' && structure_line_length(line) == 1 && start) {
            signature = start;
        } else if (line[0] == '}' && signature) {
            const char *open = strchr(signature, '(');
            size_t parameters = open && !is_dictated(signature, open) ? count_parameters(open) : 0,
                   lines = number - start_number + 1;
            check_size(m, file->path, start_number, lines, function_size);
            check_size(m, file->path, start_number, parameters, parameter_count);
            keep_most(&m->longest_function, file->path, start_number, lines);
            keep_most(&m->most_parameters, file->path, start_number, parameters);
            assert_true(BASE_ARRAY_PUSH(&m->functions, lines) &&
                        BASE_ARRAY_PUSH(&m->parameters, parameters));
            signature = start = NULL;
        } else if (!signature && ends_a_thing(line)) {
            start = NULL;
        } else if (!signature && !start) {
            start = line;
            start_number = number;
        }
    }
}

static bool is_public_header(const structure_file *file)
{
    return structure_is_in(file->folder, "src/include");
}

static void measure_public_functions(measures *m, const structure_file *file)
{
    static const char word[] = "WEIR_API ";
    size_t number = 1, functions = 0;
    for (const char *line = file->text; line; line = structure_next_line(line), number++) {
        if (strncmp(line, word, sizeof word - 1) != 0) continue;
        const char *open = strchr(line, '(');
        functions++;
        check_size(m, file->path, number, open ? count_parameters(open) : 0, parameter_count);
    }
    check_size(m, file->path, 1, functions, public_function_count);
    m->public_functions += functions;
}

static limit file_limit(const structure_file *file)
{
    const char *extension = base_path_extension(file->path);
    if (is_public_header(file)) return public_header_size;
    return strcmp(extension, "c") == 0 || strcmp(extension, "h") == 0 ? file_size : shader_size;
}

static void count_folder(measures *m, const char *folder)
{
    if (strcmp(m->folder, folder) != 0) m->folder_files = 0;
    snprintf(m->folder, sizeof m->folder, "%s", folder);
    m->folder_files++;
    keep_most(&m->largest_folder, folder, m->folder_files, m->folder_files);
}

static void measure_file(void *user, const structure_file *file)
{
    measures *m = user;
    count_folder(m, file->folder);
    size_t lines = 0;
    bool is_c = strcmp(base_path_extension(file->path), "c") == 0;
    for (const char *line = file->text; line; line = structure_next_line(line))
        check_size(m, file->path, ++lines, columns(line), line_size);
    check_size(m, file->path, lines, lines, file_limit(file));
    keep_most(&m->longest_file, file->path, lines, lines);
    m->lines += lines;
    if (is_c) measure_functions(m, file);
    if (is_c) assert_true(BASE_ARRAY_PUSH(&m->files, lines));
    if (is_public_header(file)) measure_public_functions(m, file);
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

static void print_most(const char *what, const most *m)
{
    print_message("  %-32s %6zu  %s:%zu\n", what, m->value, m->path, m->line);
}

static void print_measures(const char *what, measures *m)
{
    print_message("%s\n", what);
    print_message("  %-32s %6zu\n", "lines", m->lines);
    print_message("  %-32s %6zu\n", "lines of a file, median",
                  share(m->files.items, m->files.count, 50));
    print_most("lines of the longest file", &m->longest_file);
    print_message("  %-32s %6zu\n", "functions", m->functions.count);
    print_message("  %-32s %6zu\n", "lines of a function, median",
                  share(m->functions.items, m->functions.count, 50));
    print_message("  %-32s %6zu\n", "lines of nine functions in ten",
                  share(m->functions.items, m->functions.count, 90));
    print_most("lines of the longest function", &m->longest_function);
    print_message("  %-32s %6zu\n", "parameters, median",
                  share(m->parameters.items, m->parameters.count, 50));
    print_most("parameters, most", &m->most_parameters);
    print_most("files of the largest folder", &m->largest_folder);
}

static void check_functions(measures *m, const char *where)
{
    size_t *lines = m->functions.items, count = m->functions.count;
    check_size(m, where, 1, share(lines, count, 50), median_size);
    check_size(m, where, 1, share(lines, count, 90), ninth_size);
}

static void check_folders(measures *m)
{
    check_size(m, m->largest_folder.path, m->largest_folder.value, m->largest_folder.value,
               folder_size);
}

static bool is_program(const structure_file *file)
{
    return structure_is_in(file->folder, "src/app");
}

static void measure_library(void *user, const structure_file *file)
{
    if (!is_program(file)) measure_file(user, file);
}

static void measure_program(void *user, const structure_file *file)
{
    if (is_program(file)) measure_file(user, file);
}

static void the_library_keeps_to_its_sizes(void **state)
{
    measures m = {0};
    structure_each_file(structure_source_folders, BASE_COUNT(structure_source_folders),
                        measure_library, &m);
    print_measures("the library: src without src/app, mesher; C and headers", &m);
    print_message("  %-32s %6zu\n", "public functions", m.public_functions);
    check_functions(&m, "the library");
    check_folders(&m);
    assert_true(m.functions.count > 100 && m.public_functions > 100);
    forget(&m);
    assert_int_equal(m.faults, 0);
}

static void the_program_keeps_to_its_sizes(void **state)
{
    measures m = {0};
    structure_each_file(structure_source_folders, BASE_COUNT(structure_source_folders),
                        measure_program, &m);
    print_measures("the program: src/app", &m);
    check_functions(&m, "the program");
    check_folders(&m);
    assert_true(m.functions.count > 100);
    forget(&m);
    assert_int_equal(m.faults, 0);
}

static void the_shaders_keep_to_their_sizes(void **state)
{
    measures m = {0};
    structure_each_file(structure_shader_folders, BASE_COUNT(structure_shader_folders),
                        measure_file, &m);
    print_message("shaders\n  %-32s %6zu\n", "lines", m.lines);
    print_most("files of the largest folder", &m.largest_folder);
    check_folders(&m);
    assert_true(m.lines > 10000);
    forget(&m);
    assert_int_equal(m.faults, 0);
}

static void the_tests_keep_to_their_sizes(void **state)
{
    measures m = {0};
    structure_each_file(structure_test_folders, BASE_COUNT(structure_test_folders), measure_file,
                        &m);
    print_measures("tests", &m);
    check_folders(&m);
    forget(&m);
    assert_int_equal(m.faults, 0);
}

static size_t faults_of(const char *path, char *text)
{
    measures m = {0};
    measure_file(&m, &(structure_file){"src/base", path, text});
    forget(&m);
    return m.faults;
}

static measures measure_public_header(const char *path, char *text)
{
    measures m = {0};
    measure_file(&m, &(structure_file){"src/include/weir", path, text});
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

/* A text at each limit passes, and one beyond it does not. */
static void every_size_past_its_limit_is_found(void **state)
{
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
    char *text = repeated("static int VKAPI_PTR f(int x", ", int x", PARAMETERS_MAX, ")\n{\n}\n");
    assert_int_equal(faults_of("x.c", text), 0);
    base_free(text);
}

static void public_functions_are_counted(void **state)
{
    char two[] = "WEIR_API void weir_f(int a);\nWEIR_API void weir_g(void);\n";
    char six[] = "WEIR_API void weir_f(int a, int b, int c,\n    int d, int e, int f);\n";
    assert_int_equal(measure_public_header("src/include/weir/sim.h", two).public_functions, 2);
    assert_int_equal(measure_public_header("src/include/weir/sim.h", six).faults, 1);
    for (size_t past = 0; past < 2; past++) {
        char *many =
            repeated("", "WEIR_API void weir_f(void);\n", PUBLIC_HEADER_FUNCTIONS_MAX + past, "");
        assert_int_equal(measure_public_header("src/include/weir/sim.h", many).faults, past);
        base_free(many);
    }
}

static void a_folder_past_its_limit_is_found(void **state)
{
    measures m = {0};
    char text[] = "\n";
    for (size_t i = 0; i < FOLDER_FILES_MAX + 1; i++)
        measure_file(&m, &(structure_file){"src/grid", "src/grid/x.h", text});
    measure_file(&m, &(structure_file){"src/grid/inner", "src/grid/inner/x.h", text});
    check_folders(&m);
    forget(&m);
    assert_int_equal(m.faults, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_keeps_to_its_sizes),
        cmocka_unit_test(the_program_keeps_to_its_sizes),
        cmocka_unit_test(the_shaders_keep_to_their_sizes),
        cmocka_unit_test(the_tests_keep_to_their_sizes),
        cmocka_unit_test(every_size_past_its_limit_is_found),
        cmocka_unit_test(a_folder_past_its_limit_is_found),
        cmocka_unit_test(public_functions_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
