/* Reads the header of NPY, numpy's format for one array (numpy.lib.format, versions 1 to 3): the
 * type of the elements, which may be a record of named fields, and the shape. */
#include "npy.h"

/* Moves the reader to the value of `'key':`. */
static weir_result find_value(io_reader *reader, const char *key)
{
    size_t size = strlen(key);
    for (const uint8_t *p = reader->begin; (size_t)(reader->end - p) >= size + 3; p++) {
        bool quoted = (p[0] == '\'' || p[0] == '"') && p[size + 1] == p[0];
        if (!quoted || memcmp(p + 1, key, size) != 0) continue;
        reader->at = p + size + 2;
        io_skip_space(reader);
        if (reader->at == reader->end || *reader->at != ':') continue;
        reader->at++;
        io_skip_space(reader);
        return WEIR_OK;
    }
    return io_fail(reader, reader->at, "the NPY header has no \"%s\"", key);
}

static bool skip_mark(io_reader *reader, char mark)
{
    io_skip_space(reader);
    if (reader->at == reader->end || *reader->at != (uint8_t)mark) return false;
    reader->at++;
    return true;
}

/* ---- types ---------------------------------------------------------------------------------- */

/* Reads a quoted word without escapes. */
static bool read_string(io_reader *reader, io_token *word)
{
    io_skip_space(reader);
    if (reader->at == reader->end || (*reader->at != '\'' && *reader->at != '"')) return false;
    const uint8_t quote = *reader->at++;
    const uint8_t *close = memchr(reader->at, quote, io_remaining(reader));
    if (!close) return false;
    *word = (io_token){reader->at, (size_t)(close - reader->at)};
    reader->at = close + 1;
    return true;
}

weir_result io_npy_fail_type(const io_reader *reader, const uint8_t *at)
{
    return io_fail(
        reader, at,
        "the elements must be numbers, such as '<f4' or '<i8', or records of them; save the array "
        "with astype(\"float32\")");
}

/* Finds the size of a type such as "<f4", and whether it is a number that is read. */
static bool parse_type(io_token word, io_npy_field *field)
{
    static const struct {
        const char *name;
        io_type type;
    } types[] = {{"f2", IO_F16}, {"f4", IO_F32}, {"f8", IO_F64}, {"i1", IO_I8},
                 {"u1", IO_U8},  {"i2", IO_I16}, {"u2", IO_U16}, {"i4", IO_I32},
                 {"u4", IO_U32}, {"i8", IO_I64}, {"u8", IO_U64}, {"b1", IO_U8}};
    int64_t size = 0;
    if (word.size == 2 && word.at[1] == 'O') return true; /* objects, of unknown size */
    if (word.size < 3 || word.size > 12 || !strchr("<>|=", word.at[0])) return false;
    const io_token name = {word.at + 1, word.size - 1};
    io_token digits = {word.at + 2, word.size - 2};
    const uint8_t *unit = memchr(digits.at, '[', digits.size); /* of "<M8[ns]" */
    if (unit) digits.size = (size_t)(unit - digits.at);
    if (!io_token_int64(digits, &size) || size < 0 || size > 1 << 20) return false;
    field->bytes = (size_t)size * (word.at[1] == 'U' ? 4 : 1); /* a letter has four bytes */
    field->big_endian = word.at[0] == '>';
    for (size_t i = 0; i < BASE_COUNT(types); i++) {
        if (name.size != 2 || memcmp(name.at, types[i].name, 2) != 0) continue;
        field->type = types[i].type;
        field->number = true;
    }
    return field->number || strchr("SUVcmM", word.at[1]);
}

static weir_result fail_type(const io_reader *header)
{
    return io_npy_fail_type(header, header->at);
}

/* Reads a whole number. */
static bool read_extent(io_reader *header, int64_t *extent)
{
    const char *next;
    io_skip_space(header);
    if (!base_parse_int64((const char *)header->at, (const char *)header->end, extent, &next))
        return false;
    header->at = (const uint8_t *)next;
    return true;
}

/* Reads the shape of a field, "(3,)" or "3". */
static bool read_field_shape(io_reader *header, io_npy_field *field)
{
    const bool tuple = skip_mark(header, '(');
    int64_t extent;
    do {
        if (tuple && skip_mark(header, ')')) return true;
        if (!read_extent(header, &extent) || extent < 1 || extent > 1 << 16) return false;
        if (field->components > 1 << 16) return false;
        field->components *= (uint32_t)extent;
    } while (tuple && skip_mark(header, ','));
    return !tuple || skip_mark(header, ')');
}

/* Reads a field's name, before which a title may stand: "('title', 'name')". */
static bool read_field_name(io_reader *header, io_token *name)
{
    if (!skip_mark(header, '(')) return read_string(header, name);
    return read_string(header, name) && skip_mark(header, ',') && read_string(header, name) &&
           skip_mark(header, ')');
}

/* Reads one field of a record, "('name', '<f4', (3,))". */
static weir_result read_field(io_reader *header, io_npy *npy)
{
    io_npy_field field = {.components = 1, .offset = npy->item_bytes};
    io_token type;
    if (!skip_mark(header, '(') || !read_field_name(header, &field.name) || !skip_mark(header, ','))
        return fail_type(header);
    io_skip_space(header);
    const uint8_t *at = header->at;
    if (!read_string(header, &type) || !parse_type(type, &field) || field.bytes == 0)
        return io_fail(header, at,
                       "the field \"%.*s\" is not a number; records inside records and objects are "
                       "not read: save the fields of particles alone",
                       IO_TOKEN_ARGUMENTS(field.name));
    bool shaped = skip_mark(header, ',') && header->at < header->end && *header->at != ')';
    if ((shaped && !read_field_shape(header, &field)) || !skip_mark(header, ')'))
        return fail_type(header);
    if (npy->field_count == IO_NPY_FIELDS)
        return io_fail(header, at, "more than %u fields", IO_NPY_FIELDS);
    npy->item_bytes += field.bytes * field.components;
    npy->fields[npy->field_count++] = field;
    return WEIR_OK;
}

static weir_result read_type(io_reader *header, io_npy *npy)
{
    io_npy_field field = {.components = 1};
    io_token word;
    WEIR_RETURN_IF_ERROR(find_value(header, "descr"));
    const uint8_t *at = header->at;
    if (skip_mark(header, '[')) {
        npy->record = true;
        while (!skip_mark(header, ']')) {
            WEIR_RETURN_IF_ERROR(read_field(header, npy));
            skip_mark(header, ',');
        }
        return npy->item_bytes ? WEIR_OK : fail_type(header);
    }
    bool good = read_string(header, &word) && parse_type(word, &field);
    header->at = at;
    if (!good) return fail_type(header);
    field.name = word;
    npy->item_bytes = field.bytes;
    npy->fields[npy->field_count++] = field;
    return WEIR_OK;
}

/* ---- shape ---------------------------------------------------------------------------------- */

static weir_result fail_shape(const io_reader *header)
{
    return io_fail(header, header->at,
                   "the shape must be a list of whole numbers from 0, such as (100, 3)");
}

static weir_result read_shape(io_reader *header, io_npy *npy)
{
    WEIR_RETURN_IF_ERROR(find_value(header, "shape"));
    if (!skip_mark(header, '(')) return fail_shape(header);
    while (!skip_mark(header, ')')) {
        int64_t extent;
        if (npy->dimensions == IO_NPY_DIMENSIONS)
            return io_fail(header, header->at, "more than %u dimensions; reshape the array to two",
                           IO_NPY_DIMENSIONS);
        if (!read_extent(header, &extent) || extent < 0) return fail_shape(header);
        npy->shape[npy->dimensions++] = (uint64_t)extent;
        if (!skip_mark(header, ',') && (header->at == header->end || *header->at != ')'))
            return fail_shape(header);
        io_skip_space(header);
    }
    return WEIR_OK;
}

static weir_result read_order(io_reader *header, io_npy *npy)
{
    WEIR_RETURN_IF_ERROR(find_value(header, "fortran_order"));
    npy->column_order = io_starts_with(header, "True");
    if (npy->column_order || io_starts_with(header, "False")) return WEIR_OK;
    return io_fail(header, header->at, "fortran_order must be True or False");
}

weir_result io_npy_read_header(io_reader *reader, io_npy *npy)
{
    io_number length = {0};
    if (!io_starts_with(reader, "\x93NUMPY"))
        return io_fail(reader, reader->at, "not NPY: the array must start with \"\\x93NUMPY\"");
    reader->at += 6;
    if (io_remaining(reader) < 2)
        return io_fail(reader, reader->at, "the file ends inside the NPY header; it is cut off");
    uint8_t major = reader->at[0];
    if (major < 1 || major > 3)
        return io_fail(reader, reader->at, "NPY version %u; versions 1 to 3 are read", major);
    reader->at += 2;
    WEIR_RETURN_IF_ERROR(
        io_read_number(reader, major == 1 ? IO_U16 : IO_U32, "the header's length", &length));
    WEIR_RETURN_IF_ERROR(io_check_count(reader, (uint64_t)length.value, 1, "bytes of header"));
    io_reader header = *reader;
    reader->at += (size_t)length.value;
    header.end = reader->at;
    WEIR_RETURN_IF_ERROR(read_type(&header, npy));
    WEIR_RETURN_IF_ERROR(read_order(&header, npy));
    WEIR_RETURN_IF_ERROR(read_shape(&header, npy));
    while (npy->dimensions > 2 && npy->shape[0] == 1) { /* a batch of one */
        npy->dimensions--;
        memmove(npy->shape, npy->shape + 1, npy->dimensions * sizeof *npy->shape);
    }
    npy->data = reader->at;
    return WEIR_OK;
}

weir_result io_npy_check_size(const io_reader *reader, const io_npy *npy)
{
    uint64_t columns = 1;
    for (uint32_t i = 1; i < npy->dimensions; i++) {
        if (npy->shape[i] && columns > ((uint64_t)1 << 40) / npy->shape[i])
            return io_fail(reader, reader->at, "the shape is larger than any file");
        columns *= npy->shape[i];
    }
    if (npy->dimensions == 0) return io_check_count(reader, 1, npy->item_bytes, "numbers");
    return io_check_count(reader, npy->shape[0], columns * npy->item_bytes, "rows");
}
