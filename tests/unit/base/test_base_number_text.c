/* Numbers as text: correct to the last bit, whatever the locale. */
#define _XOPEN_SOURCE 700
#include "base.h"

#include <locale.h>
#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

static double parsed(const char *text)
{
    double value = 12345;
    const char *next = NULL;
    assert_true(base_parse_double(text, text + strlen(text), &value, &next));
    assert_ptr_equal(next, text + strlen(text));
    return value;
}

static float from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void doubles_are_rounded_exactly(void **state)
{
    static const char *const texts[] = {
        "0",
        "1",
        "-1",
        "+2.5",
        "0.1",
        "1e22",
        "1e23",
        "9007199254740993",
        "9007199254740992.5",
        "123456789012345678901234567890",
        "2.2250738585072011e-308",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1.7976931348623157e308",
        "0.000000000000000000000000000001",
        "1e-400",
        "3.14159265358979323846264338327950288419716939937510",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999e-20",
        "00000000000000000000000000001.5",
        "5.e3",
        ".5",
    };
    for (size_t i = 0; i < BASE_COUNT(texts); i++) {
        double expected = strtod(texts[i], NULL), value = parsed(texts[i]);
        if (memcmp(&value, &expected, sizeof value) != 0)
            fail_msg("%s gave %.17g", texts[i], value);
    }
    double zero = parsed("-0");
    assert_true(zero == 0 && signbit(zero));
    assert_true(isinf(parsed("1e999")) && isinf(parsed("-1e99999999999999999999")));
}

static void random_doubles_survive_seventeen_digits(void **state)
{
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t bits = base_hash_mix64(i);
        double value, back;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        char text[64];
        snprintf(text, sizeof text, i % 2 ? "%.17g" : "%.16e", value);
        back = parsed(text);
        assert_memory_equal(&back, &value, sizeof value);
    }
}

static void a_midpoint_is_decided_by_its_eight_hundredth_digit(void **state)
{
    /* 1 + 2^-53 lies halfway between two doubles: alone it rounds to even, which is 1. */
    char text[1200] = "1.00000000000000011102230246251565404236316680908203125";
    assert_true(parsed(text) == 1.0);
    memset(text + strlen(text), '0', 1000);
    assert_true(parsed(text) == 1.0);
    strcat(text, "1");
    assert_true(parsed(text) == 1.0 + 0x1p-52);
}

static void parsing_takes_the_longest_number_and_stops_at_end(void **state)
{
    static const struct {
        const char *text;
        double value;
        size_t taken;
    } cases[] = {{"1e", 1, 1},  {"1e+", 1, 1}, {"1.5.5", 1.5, 3},  {"2,5", 2, 1},    {"0x10", 0, 1},
                 {"7 8", 7, 1}, {"3.", 3, 2},  {"-4e2f", -400, 4}, {"6e-1e", 0.6, 4}};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        double value = 0;
        const char *next = NULL, *text = cases[i].text;
        assert_true(base_parse_double(text, text + strlen(text), &value, &next));
        assert_true(value == cases[i].value);
        assert_int_equal(next - text, cases[i].taken);
    }
    double value;
    const char *text = "12345", *next;
    assert_true(base_parse_double(text, text + 2, &value, &next) && value == 12 &&
                next == text + 2);
}

static void what_is_no_number_is_refused(void **state)
{
    static const char *const texts[] = {"",    "-",   "+",    ".",  "-.",  "e5", ".e5",
                                        "nan", "inf", "-inf", " 1", "--1", "abc"};
    for (size_t i = 0; i < BASE_COUNT(texts); i++) {
        double value = 42;
        const char *end = texts[i] + strlen(texts[i]), *next = NULL;
        assert_false(base_parse_double(texts[i], end, &value, &next));
        assert_true(value == 42);
    }
}

static void integers_end_where_int64_ends(void **state)
{
    static const struct {
        const char *text;
        int64_t value;
        bool good;
    } cases[] = {{"0", 0, true},
                 {"-0", 0, true},
                 {"+17", 17, true},
                 {"9223372036854775807", INT64_MAX, true},
                 {"9223372036854775808", 0, false},
                 {"-9223372036854775808", INT64_MIN, true},
                 {"-9223372036854775809", 0, false},
                 {"99999999999999999999", 0, false},
                 {"", 0, false},
                 {"-", 0, false},
                 {"x", 0, false}};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        const char *text = cases[i].text, *end = text + strlen(text), *next = NULL;
        int64_t value = 0;
        assert_int_equal(base_parse_int64(text, end, &value, &next), cases[i].good);
        if (!cases[i].good) continue;
        assert_true(value == cases[i].value);
        assert_ptr_equal(next, end);
    }
}

static void floats_print_in_their_fewest_digits(void **state)
{
    static const struct {
        float value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0f, "-0"},
                 {1, "1"},
                 {-1.5f, "-1.5"},
                 {0.1f, "0.1"},
                 {1.0f / 3, "0.33333334"},
                 {100000, "100000"},
                 {16777216, "16777216"},
                 {123456792, "123456790"},
                 {1e9f, "1e9"},
                 {0.001f, "0.001"},
                 {0.00012345f, "0.00012345"},
                 {1e-5f, "1e-5"},
                 {1.5e-7f, "1.5e-7"},
                 {3.4028235e38f, "3.4028235e38"},
                 {1.1754944e-38f, "1.1754944e-38"},
                 {1e-45f, "1e-45"},
                 {INFINITY, "inf"},
                 {-INFINITY, "-inf"},
                 {NAN, "nan"}};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        char text[32];
        base_print_float(text, cases[i].value);
        assert_string_equal(text, cases[i].text);
    }
}

static size_t significant_digits(const char *text)
{
    size_t count = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (count == 0 && *text == '0')) continue;
        count++;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return count - zeros;
}

/* Finds by trial the lowest precision whose text reads back as the same value. */
static size_t fewest_digits(float value)
{
    char text[64];
    for (int precision = 0;; precision++) {
        snprintf(text, sizeof text, "%.*e", precision, (double)value);
        if (strtof(text, NULL) == value && (float)strtod(text, NULL) == value)
            return significant_digits(text);
    }
}

static void check_printed(float value)
{
    char text[32];
    base_print_float(text, value);
    assert_true(strlen(text) < 16);
    if ((float)parsed(text) != value || strtof(text, NULL) != value)
        fail_msg("%s is not %.9g", text, (double)value);
    if (significant_digits(text) != fewest_digits(value)) fail_msg("%s is too long", text);
}

static void random_floats_read_back_in_their_fewest_digits(void **state)
{
    for (uint64_t i = 0; i < 20000; i++) {
        float value = from_bits((uint32_t)base_hash_mix64(i));
        if (isfinite(value) && value != 0) check_printed(value);
        check_printed(base_hash_to_unit(i) * 4 - 2.01f);
        check_printed(ldexpf(1 + base_hash_to_unit(i), (int)(i % 48) - 16));
    }
}

static void powers_of_ten_and_two_print_in_their_fewest_digits(void **state)
{
    for (int power = -44; power <= 38; power++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", power);
        float value = strtof(text, NULL);
        check_printed(value);
        check_printed(nextafterf(value, 0));
        check_printed(nextafterf(value, INFINITY));
    }
    for (int power = -149; power <= 127; power++)
        check_printed(ldexpf(1, power));
}

static bool decimal_comma(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    for (size_t i = 0; i < BASE_COUNT(names); i++)
        if (setlocale(LC_ALL, names[i]) && localeconv()->decimal_point[0] == ',') return true;
    return false;
}

/* Few machines have a locale with a decimal comma; glibc's localedef creates one in a second. */
static bool make_decimal_comma(const char *folder)
{
    char command[256];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null",
             folder);
    setenv("LOCPATH", folder, 1);
    return system(command) == 0 && decimal_comma();
}

static void the_locale_has_no_say(void **state)
{
    char folder[] = "/tmp/weir-locale-XXXXXX", command[256];
    assert_non_null(mkdtemp(folder));
    bool comma = decimal_comma() || make_decimal_comma(folder);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
    if (!comma) skip();
    char text[32];
    snprintf(text, sizeof text, "%.2f", 0.25);
    assert_string_equal(text, "0,25");
    base_print_float(text, 0.1f);
    assert_string_equal(text, "0.1");
    base_print_float(text, 1.0f / 3);
    assert_string_equal(text, "0.33333334");
    assert_true(parsed("3.25") == 3.25);
    assert_true(parsed("3.14159265358979323846") == 3.14159265358979323846);
    setlocale(LC_ALL, "C");
}

static void a_version_follows_a_name(void **state)
{
    assert_int_equal(base_number_after("llvmpipe Mesa 25.0.7-2 (LLVM 15.0.6)", "llvmpipe Mesa "),
                     25);
    assert_int_equal(base_number_after("llvmpipe Mesa ", "llvmpipe Mesa "), 0);
    assert_int_equal(base_number_after("llvmpipe Mesa git", "llvmpipe Mesa "), 0);
    assert_int_equal(base_number_after("llvmpipe Mesa -3", "llvmpipe Mesa "), 0);
    assert_int_equal(base_number_after("llvmpipe Mesa 4294967296", "llvmpipe Mesa "), 0);
    assert_int_equal(base_number_after("llvm", "llvmpipe Mesa "), 0);
    assert_int_equal(base_number_after("NVIDIA 580.159.04", "llvmpipe Mesa "), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_are_rounded_exactly),
        cmocka_unit_test(random_doubles_survive_seventeen_digits),
        cmocka_unit_test(a_midpoint_is_decided_by_its_eight_hundredth_digit),
        cmocka_unit_test(parsing_takes_the_longest_number_and_stops_at_end),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(integers_end_where_int64_ends),
        cmocka_unit_test(floats_print_in_their_fewest_digits),
        cmocka_unit_test(random_floats_read_back_in_their_fewest_digits),
        cmocka_unit_test(powers_of_ten_and_two_print_in_their_fewest_digits),
        cmocka_unit_test(the_locale_has_no_say),
        cmocka_unit_test(a_version_follows_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
