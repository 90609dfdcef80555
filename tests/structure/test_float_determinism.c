/* Host computations of the library give the same bits with every C library. */
#include "structure.h"

#include <setjmp.h>

#include <cmocka.h>

/* C libraries round these functions differently; base.h computes them in double, whose rounding
   does not show in a float. */
static const char *const float_functions[] = {
    "sinf", "cosf",  "tanf",   "asinf", "acosf", "atanf",  "atan2f", "sinhf", "coshf", "tanhf",
    "expf", "exp2f", "expm1f", "logf",  "log2f", "log10f", "log1pf", "powf",  "cbrtf", "hypotf",
};

typedef struct tally {
    size_t files, faults;
} tally;

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void check_file(void *user, const structure_file *file)
{
    tally *t = user;
    if (structure_is_in(file->folder, "src/app")) return;
    t->files++;
    for (size_t i = 0; i < BASE_COUNT(float_functions); i++) {
        size_t length = strlen(float_functions[i]);
        const char *at = file->text;
        while ((at = strstr(at, float_functions[i])) != NULL) {
            bool whole = (at == file->text || !is_word(at[-1])) && at[length] == '(';
            if (whole) {
                print_error("%s: %s, expected base_%.*s or that of doubles, rounded\n", file->path,
                            float_functions[i], (int)length - 1, float_functions[i]);
                t->faults++;
            }
            at += length;
        }
    }
}

/* The program's statistics and the viewer's camera may differ in the last bit. */
static void the_library_rounds_as_every_c_library_does(void **state)
{
    tally t = {0};
    structure_each_file(structure_source_folders, BASE_COUNT(structure_source_folders), check_file,
                        &t);
    assert_true(t.files > 200);
    assert_int_equal(t.faults, 0);
}

static void every_float_function_is_found(void **state)
{
    static const structure_file files[] = {
        {"src/sim", "src/sim/x.c", "    x = cosf(y);\n"},
        {"mesher", "mesher/x.c", "atan2f(y, x)\n"},
        {"src/api", "src/api/x.c", "    base_hypotf(x); hypotf(x, y);\n"},
    };
    static const structure_file good = {
        "src/sim", "src/sim/x.c", "cos(y); base_cos(x); sqrtf(x); my_powf(x); powfx(x); expf;\n"};
    for (size_t i = 0; i < BASE_COUNT(files); i++) {
        tally t = {0};
        check_file(&t, &files[i]);
        assert_int_equal(t.faults, 1);
    }
    tally t = {0};
    check_file(&t, &good);
    assert_int_equal(t.faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_rounds_as_every_c_library_does),
        cmocka_unit_test(every_float_function_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
