/* Converts between numbers and text. The C library only ever sees digits and an exponent, without a
 * decimal point, so the result does not depend on the program's locale. */
#include "base.h"

#include <stdlib.h>

/* DIGITS_MAX digits decide how a double is rounded: no midpoint between two doubles has more than
 * 767. */
enum { DIGITS_MAX = 768, EXPONENT_MAX = 100000 };

/* An unsigned decimal number as written: its significant digits and the power of ten that scales
 * them. */
typedef struct parsed_decimal {
    char digits[DIGITS_MAX];
    size_t count;
    bool truncated_digits; /* a nonzero digit follows those kept */
    int64_t exponent;
    uint64_t value; /* of the digits, while there are at most 19 */
} parsed_decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void append_digit(parsed_decimal *number, char c, bool fraction)
{
    if (number->count == 0 && c == '0') {
        number->exponent -= fraction;
    } else if (number->count < DIGITS_MAX) {
        if (number->count < 19) number->value = number->value * 10 + (uint64_t)(c - '0');
        number->digits[number->count++] = c;
        number->exponent -= fraction;
    } else {
        number->truncated_digits |= c != '0';
        number->exponent += !fraction;
    }
}

/* Reads an exponent if a complete one is present, else consumes nothing: "1e" is the number 1. */
static const char *read_exponent(const char *p, const char *end, int64_t *exponent)
{
    const char *start = p;
    if (p == end || (*p != 'e' && *p != 'E')) return start;
    p++;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (p == end || !is_digit(*p)) return start;
    int64_t value = 0;
    for (; p < end && is_digit(*p); p++)
        if (value < EXPONENT_MAX) value = value * 10 + (*p - '0');
    *exponent += negative ? -value : value;
    return p;
}

static bool read_decimal(const char *p, const char *end, parsed_decimal *number, const char **next)
{
    bool any = false;
    for (; p < end && is_digit(*p); p++, any = true)
        append_digit(number, *p, false);
    if (p < end && *p == '.') {
        p++;
        for (; p < end && is_digit(*p); p++, any = true)
            append_digit(number, *p, true);
    }
    if (any) *next = read_exponent(p, end, &number->exponent);
    return any;
}

/* All powers of ten that a double represents exactly. */
static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static double decimal_value(parsed_decimal *number)
{
    if (number->count == 0) return 0;
    int64_t exponent = number->exponent;
    /* Both operands are exact, so one operation rounds once (Clinger 1990). */
    if (number->count <= 19 && number->value <= UINT64_C(1) << 53 && exponent >= -22 &&
        exponent <= 22)
        return exponent < 0 ? (double)number->value / powers[-exponent]
                            : (double)number->value * powers[exponent];
    /* Append a 1 in place of all the digits that were cut off: only whether they are zero
     * matters. */
    char text[DIGITS_MAX + 32];
    if (exponent > EXPONENT_MAX) exponent = EXPONENT_MAX;
    if (exponent < -EXPONENT_MAX) exponent = -EXPONENT_MAX;
    snprintf(text, sizeof text, "%.*s%se%lld", (int)number->count, number->digits,
             number->truncated_digits ? "1" : "", (long long)exponent - number->truncated_digits);
    return strtod(text, NULL);
}

bool base_parse_double(const char *text, const char *end, double *value, const char **next)
{
    parsed_decimal number;
    number.count = 0;
    number.truncated_digits = false;
    number.exponent = 0;
    number.value = 0;
    bool negative = text < end && *text == '-';
    const char *p = text + (negative || (text < end && *text == '+'));
    if (!read_decimal(p, end, &number, next)) return false;
    double magnitude = decimal_value(&number);
    *value = negative ? -magnitude : magnitude;
    return true;
}

bool base_parse_int64(const char *text, const char *end, int64_t *value, const char **next)
{
    bool negative = text < end && *text == '-';
    const char *p = text + (negative || (text < end && *text == '+'));
    if (p == end || !is_digit(*p)) return false;
    /* Accumulates a negative number, since INT64_MIN has no positive counterpart. */
    int64_t total = 0;
    for (; p < end && is_digit(*p); p++) {
        int digit = *p - '0';
        if (total < (INT64_MIN + digit) / 10) return false;
        total = total * 10 - digit;
    }
    if (!negative && total == INT64_MIN) return false;
    *value = negative ? total : -total;
    *next = p;
    return true;
}

/* Writes the value's first `count` decimal digits, rounded; returns the power of ten of the
 * first. */
static int float_digits(float value, int count, char digits[16])
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", count - 1, (double)value);
    int taken = 0;
    const char *p = text;
    for (; *p != 'e'; p++) /* skips the locale's decimal point, whatever its bytes are */
        if (is_digit(*p)) digits[taken++] = *p;
    digits[taken] = '\0';
    return (int)strtol(p + 1, NULL, 10);
}

/* Returns whether the digits read back as `value`, both through a double and with a single
 * rounding. */
static bool round_trips(float value, const char *digits, int power)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%se%d", digits, power);
    double through = 0;
    const char *next;
    return strtof(text, NULL) == value && base_parse_double(text, text + length, &through, &next) &&
           (float)through == value;
}

/* Returns the power of ten of the first digit, for 1e-4 <= size < 1e9. */
static int first_decimal_power(double size)
{
    int power = 0;
    while (size >= powers[power + 1])
        power++;
    while (power <= 0 && size * powers[-power] < 1)
        power--;
    return power;
}

static int write_digits(uint64_t whole, char digits[16])
{
    char reversed[20];
    int count = 0;
    for (; whole; whole /= 10)
        reversed[count++] = (char)('0' + whole % 10);
    for (int i = 0; i < count; i++)
        digits[i] = reversed[count - 1 - i];
    digits[count] = '\0';
    return count;
}

/* Finds the digits of a number of common size without the C library, ten times as fast: from 1e-4
 * on, the product of a float and the power of ten that makes nine digits whole is exact in a
 * double. Returns the number of digits, or 0 when search_shortest_digits has to find them. */
static int try_common_digits(double size, char digits[16], int *exponent)
{
    if (size < 1e-4 || size >= 1e9) return 0;
    const int first = first_decimal_power(size);
    for (int count = 6; count <= 9; count++) {
        int shift = count - 1 - first;
        double whole = nearbyint(shift >= 0 ? size * powers[shift] : size / powers[-shift]);
        double back = shift >= 0 ? whole / powers[shift] : whole * powers[-shift];
        uint64_t bits;
        memcpy(&bits, &back, sizeof bits);
        /* Halfway between two floats, a reader that rounds once may differ from one that goes
         * through double. */
        if ((bits & 0x1FFFFFFF) == 0x10000000) return 0;
        if ((double)(float)back != size) continue;
        *exponent = first + (whole >= powers[count]);
        return write_digits((uint64_t)whole, digits);
    }
    return 0;
}

/* Finds digits and exponent with the C library where try_common_digits cannot. Six digits always
 * survive a float, so fewer are tried only for subnormal numbers. */
static int search_shortest_digits(float size, char digits[16], int *exponent)
{
    for (int count = size < 0x1p-126f ? 1 : 6;; count++) {
        *exponent = float_digits(size, count, digits);
        if (count == 9 || round_trips(size, digits, *exponent - count + 1)) return count;
    }
}

static char *append_chars(char *p, const char *bytes, int count)
{
    memcpy(p, bytes, (size_t)count);
    return p + count;
}

/* Writes plain notation for sizes that people read, an exponent for others; both within 15
 * bytes. */
static void append_with_point(char *p, const char *digits, int count, int exponent)
{
    static const char zeros[] = "00000000";
    if (exponent < -4 || exponent > 8) {
        snprintf(p, 31, "%c%s%se%d", digits[0], count > 1 ? "." : "", digits + 1, exponent);
        return;
    }
    int whole = exponent < 0 ? 0 : exponent < count ? exponent + 1 : count;
    if (exponent < 0) {
        p = append_chars(append_chars(p, "0.", 2), zeros, -exponent - 1);
    } else {
        p = append_chars(p, digits, whole);
        p = append_chars(p, zeros, exponent + 1 - whole);
        if (whole < count) p = append_chars(p, ".", 1);
    }
    *append_chars(p, digits + whole, count - whole) = '\0';
}

uint32_t base_number_after(const char *text, const char *start)
{
    int64_t number;
    const size_t length = strlen(start);
    const char *next, *end = text + strlen(text);
    if (strncmp(text, start, length) != 0) return 0;
    if (!base_parse_int64(text + length, end, &number, &next)) return 0;
    return number < 0 || number > UINT32_MAX ? 0 : (uint32_t)number;
}

void base_print_float(char out[32], float value)
{
    char *p = out;
    float size = fabsf(value);
    if (signbit(value) && !isnan(value)) *p++ = '-';
    if (isnan(value) || isinf(value) || size == 0) {
        snprintf(p, 8, "%s", isnan(value) ? "nan" : isinf(value) ? "inf" : "0");
        return;
    }
    char digits[16];
    int exponent, count = try_common_digits((double)size, digits, &exponent);
    if (count == 0) count = search_shortest_digits(size, digits, &exponent);
    while (count > 1 && digits[count - 1] == '0')
        digits[--count] = '\0';
    append_with_point(p, digits, count, exponent);
}

double base_shortest_decimal(float value)
{
    char text[32];
    double parsed_decimal = (double)value;
    const char *next;
    base_print_float(text, value);
    base_parse_double(text, text + strlen(text), &parsed_decimal, &next);
    return parsed_decimal;
}
