/* A reader over the bytes of one untrusted file: words, numbers, and errors with their location. */
#include "io_internal.h"

static bool is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t';
}

static bool is_line_end(uint8_t byte)
{
    return byte == '\n' || byte == '\r';
}

static bool is_space(uint8_t byte)
{
    return is_blank(byte) || is_line_end(byte) || byte == '\v' || byte == '\f';
}

io_reader io_reader_make(const weir_log *log, const char *path, const base_blob *blob)
{
    return (io_reader){.log = log,
                       .path = path,
                       .begin = blob->bytes,
                       .end = blob->bytes + blob->size,
                       .at = blob->bytes};
}

/* ---- words ---------------------------------------------------------------------------------- */

int io_token_length(io_token word)
{
    return word.size > 40 ? 40 : (int)word.size;
}

bool io_token_is(io_token word, const char *text)
{
    size_t size = strlen(text);
    if (word.size != size) return false;
    for (size_t i = 0; i < size; i++)
        if (base_lower((char)word.at[i]) != base_lower(text[i])) return false;
    return true;
}

bool io_token_is_any(io_token word, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (io_token_is(word, texts[i])) return true;
    return false;
}

bool io_token_double(io_token word, double *value)
{
    const char *text = (const char *)word.at, *end = text + word.size, *next;
    return base_parse_double(text, end, value, &next) && next == end;
}

/* Parses NaN and infinities as C, Java, Python, Fortran and old Windows libraries print them. */
static bool parse_not_finite(io_token word, double *value)
{
    static const char *const nans[] = {"nan",     "nan(ind)", "nan(snan)", "1.#qnan",
                                       "1.#snan", "1.#ind",   "1.#ind00",  "1.#qnan0"};
    static const char *const infinities[] = {"inf", "infinity", "1.#inf", "1.#inf00"};
    bool negative = word.size > 0 && *word.at == '-';
    if (word.size > 0 && (negative || *word.at == '+')) word.at++, word.size--;
    bool is_nan = io_token_is_any(word, nans, BASE_COUNT(nans));
    if (!is_nan && !io_token_is_any(word, infinities, BASE_COUNT(infinities))) return false;
    *value = is_nan ? (double)NAN : negative ? -(double)INFINITY : (double)INFINITY;
    return true;
}

bool io_token_number(io_token word, double *value)
{
    return io_token_double(word, value) || parse_not_finite(word, value);
}

bool io_token_decimal_comma(io_token word, double *value)
{
    char text[64];
    if (word.size >= sizeof text || !memchr(word.at, ',', word.size)) return false;
    memcpy(text, word.at, word.size);
    char *comma = memchr(text, ',', word.size);
    if (memchr(text, '.', word.size) ||
        memchr(comma + 1, ',', word.size - (size_t)(comma + 1 - text)))
        return false;
    *comma = '.';
    return io_token_double((io_token){(const uint8_t *)text, word.size}, value);
}

bool io_token_int64(io_token word, int64_t *value)
{
    const char *text = (const char *)word.at, *end = text + word.size, *next;
    return base_parse_int64(text, end, value, &next) && next == end;
}

bool io_starts_with(const io_reader *reader, const char *text)
{
    size_t size = strlen(text);
    return io_remaining(reader) >= size && memcmp(reader->at, text, size) == 0;
}

void io_skip_blanks(io_reader *reader)
{
    while (reader->at < reader->end && is_blank(*reader->at))
        reader->at++;
}

void io_skip_space(io_reader *reader)
{
    while (reader->at < reader->end && is_space(*reader->at))
        reader->at++;
}

void io_skip_line(io_reader *reader)
{
    while (!io_at_line_end(reader))
        reader->at++;
    if (reader->at < reader->end && *reader->at == '\r')
        reader->at++;
    else if (reader->at < reader->end) {
        reader->at++;
        return;
    }
    if (reader->at < reader->end && *reader->at == '\n') reader->at++;
}

static io_token take_token(io_reader *reader)
{
    io_token word = {reader->at, 0};
    while (reader->at < reader->end && !is_space(*reader->at))
        reader->at++;
    word.size = (size_t)(reader->at - word.at);
    return word;
}

io_token io_read_token(io_reader *reader)
{
    io_skip_space(reader);
    return take_token(reader);
}

io_token io_read_token_in_line(io_reader *reader)
{
    io_skip_blanks(reader);
    return take_token(reader);
}

io_token io_read_line(io_reader *reader)
{
    const uint8_t *at = reader->at, *const end = reader->end;
    io_token line = {at, 0};
    while (at < end && !is_line_end(*at))
        at++;
    line.size = (size_t)(at - line.at);
    reader->at = at;
    io_skip_line(reader);
    return line;
}

/* ---- errors --------------------------------------------------------------------------------- */

static void find_line(const io_reader *reader, const uint8_t *at, size_t *line, size_t *column)
{
    const uint8_t *start = reader->begin;
    *line = 1;
    for (const uint8_t *p = reader->begin; p < at; p++) {
        bool pair = *p == '\r' && p + 1 < reader->end && p[1] == '\n';
        if (!is_line_end(*p) || pair) continue;
        start = p + 1;
        ++*line;
    }
    *column = (size_t)(at - start) + 1;
}

void io_replace_control_bytes(char *text)
{
    for (char *p = text; *p; p++)
        if ((uint8_t)*p < ' ' || *p == 0x7f) *p = '?';
}

void io_log_at(const io_location *location, const char *format, ...)
{
    char text[512];
    const io_reader *reader = location->reader;
    const uint8_t *at = location->at;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    io_replace_control_bytes(text);
    if (reader->text) {
        size_t line, column;
        find_line(reader, at, &line, &column);
        base_log(reader->log, location->level, "%s:%zu:%zu: %s", reader->path, line, column, text);
    } else {
        base_log(reader->log, location->level, "%s: byte %zu%s: %s", reader->path,
                 (size_t)(at - reader->begin), reader->unpacked ? " of the decompressed data" : "",
                 text);
    }
}

/* ---- numbers -------------------------------------------------------------------------------- */

size_t io_type_size(io_type type)
{
    static const size_t sizes[] = {
        [IO_F16] = 2, [IO_I8] = 1,  [IO_U8] = 1,  [IO_I16] = 2, [IO_U16] = 2, [IO_I32] = 4,
        [IO_U32] = 4, [IO_I64] = 8, [IO_U64] = 8, [IO_F32] = 4, [IO_F64] = 8};
    return sizes[type];
}

bool io_find_type(io_token word, const io_type_name *names, size_t count, io_type *type)
{
    for (size_t i = 0; i < count; i++) {
        if (!io_token_is(word, names[i].name)) continue;
        *type = names[i].type;
        return true;
    }
    return false;
}

size_t io_number_size(const io_reader *reader, io_type type)
{
    return reader->text ? 2 : io_type_size(type);
}

static inline uint64_t load_bits(const uint8_t *bytes, size_t size, bool big_endian)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++)
        bits = bits << 8 | bytes[big_endian ? i : size - 1 - i];
    return bits;
}

uint64_t io_load_bits(const uint8_t *bytes, size_t size, bool big_endian)
{
    return load_bits(bytes, size, big_endian);
}

/* IEEE 754 binary16. */
static double load_half(uint32_t bits)
{
    int exponent = (int)(bits >> 10 & 31u);
    double fraction = (double)(bits & 1023u), sign = bits >> 15 ? -1.0 : 1.0;
    if (exponent == 31) return fraction > 0.0 ? (double)NAN : sign * (double)INFINITY;
    return sign * (exponent ? ldexp(1024.0 + fraction, exponent - 25) : ldexp(fraction, -24));
}

double io_load(const uint8_t *bytes, io_type type, bool big_endian)
{
    /* Constant sizes become single loads. */
    const size_t size = io_type_size(type);
    uint64_t bits = size == 4   ? load_bits(bytes, 4, big_endian)
                    : size == 8 ? load_bits(bytes, 8, big_endian)
                                : load_bits(bytes, size, big_endian);
    uint32_t low = (uint32_t)bits;
    float single;
    double value;
    switch (type) {
    case IO_I8: return (int8_t)(uint8_t)low;
    case IO_I16: return (int16_t)(uint16_t)low;
    case IO_I32: return (int32_t)low;
    case IO_I64: return (double)(int64_t)bits;
    case IO_F16: return load_half(low);
    case IO_F32: memcpy(&single, &low, sizeof single); return single;
    case IO_F64: memcpy(&value, &bits, sizeof value); return value;
    default: return (double)bits;
    }
}

weir_result io_parse_number(const io_reader *reader, io_token word, const char *what,
                            io_number *number)
{
    number->at = word.at;
    if (io_token_number(word, &number->value)) return WEIR_OK;
    return io_fail(reader, word.at,
                   "\"%.*s\" is not a number; %s should be a finite decimal number",
                   IO_TOKEN_ARGUMENTS(word), what);
}

static weir_result read_text_number(io_reader *reader, const char *what, io_number *number)
{
    io_token word = io_read_token(reader);
    if (word.size) return io_parse_number(reader, word, what, number);
    return io_fail(reader, word.at, "the file ends where %s should be; it is cut off", what);
}

weir_result io_read_number(io_reader *reader, io_type type, const char *what, io_number *number)
{
    if (reader->text) return read_text_number(reader, what, number);
    size_t size = io_type_size(type);
    if (io_remaining(reader) < size)
        return io_fail(reader, reader->at,
                       "%s needs %zu bytes, but the file ends after %zu; it is cut off", what, size,
                       io_remaining(reader));
    *number = (io_number){io_load(reader->at, type, reader->big_endian), reader->at};
    reader->at += size;
    return WEIR_OK;
}

weir_result io_read_count(io_reader *reader, const char *what, uint64_t limit, uint64_t *value)
{
    io_token word = io_read_token_in_line(reader);
    int64_t number;
    if (!io_token_int64(word, &number) || number < 0 || (uint64_t)number > limit)
        return io_fail(reader, word.at,
                       "%s is \"%.*s\"; it should be a whole number from 0 to %llu", what,
                       IO_TOKEN_ARGUMENTS(word), (unsigned long long)limit);
    *value = (uint64_t)number;
    return WEIR_OK;
}

weir_result io_check_count(const io_reader *reader, uint64_t count, uint64_t size, const char *what)
{
    /* The last number of a text may lack a separator. */
    uint64_t room = (uint64_t)io_remaining(reader) + (reader->text ? 1 : 0);
    if (size == 0 || count <= room / size) return WEIR_OK;
    return io_fail(reader, reader->at,
                   "%llu %s (at least %llu bytes each) cannot be in the %zu bytes that follow; the "
                   "count is wrong or the file is cut off",
                   (unsigned long long)count, what, (unsigned long long)size, io_remaining(reader));
}

bool io_fits_float(double value)
{
    /* Beyond the largest float by half a step or more, the nearest float is infinity. */
    return fabs(value) < 0x1.ffffffp127;
}

weir_result io_to_float(const io_reader *reader, io_number number, const char *what, float *out)
{
    const double largest = 0x1.fffffep127;
    if (!io_fits_float(number.value))
        return io_fail(reader, number.at, "%s is %g; it must be finite and at most 3.4e38 in size",
                       what, number.value);
    const double value = number.value > largest ? largest : number.value;
    *out = (float)(value < -largest ? -largest : value);
    return WEIR_OK;
}

weir_result io_read_float(io_reader *reader, io_type type, const char *what, float *out)
{
    io_number number;
    WEIR_RETURN_IF_ERROR(io_read_number(reader, type, what, &number));
    return io_to_float(reader, number, what, out);
}

weir_result io_read_coordinate(io_reader *reader, io_type type, int axis, float *out)
{
    io_number number;
    WEIR_RETURN_IF_ERROR(io_read_number(reader, type, "a coordinate", &number));
    number.value -= reader->origin[axis];
    return io_to_float(reader, number, "a coordinate", out);
}

weir_result io_to_uint(const io_reader *reader, io_number number, const char *what, uint32_t *out)
{
    double value = number.value;
    if (!(value >= 0 && value <= UINT32_MAX) || value != floor(value))
        return io_fail(reader, number.at,
                       "%s is %.17g; it must be a whole number from 0 to 4294967295", what, value);
    *out = (uint32_t)value;
    return WEIR_OK;
}
