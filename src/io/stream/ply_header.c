/* Reads PLY (Greg Turk, "The PLY Polygon File Format", 1994): the header, and rows in any of the
 * three encodings, property by property. */
#include "io_internal.h"

static weir_result read_type(io_reader *reader, io_type *type)
{
    static const io_type_name names[] = {
        {"char", IO_I8},    {"int8", IO_I8},     {"uchar", IO_U8},   {"uint8", IO_U8},
        {"short", IO_I16},  {"int16", IO_I16},   {"ushort", IO_U16}, {"uint16", IO_U16},
        {"int", IO_I32},    {"int32", IO_I32},   {"uint", IO_U32},   {"uint32", IO_U32},
        {"int64", IO_I64},  {"uint64", IO_U64},  {"float", IO_F32},  {"float32", IO_F32},
        {"double", IO_F64}, {"float64", IO_F64},
    };
    io_token word = io_read_token_in_line(reader);
    if (io_find_type(word, names, BASE_COUNT(names), type)) return WEIR_OK;
    return io_fail(reader, word.at,
                   "\"%.*s\" is not a PLY type; expected char, uchar, short, ushort, int, uint, "
                   "float, double or a sized form such as float32",
                   IO_TOKEN_ARGUMENTS(word));
}

static weir_result read_name(io_reader *reader, const char *what, io_token *name)
{
    *name = io_read_token_in_line(reader);
    if (name->size) return WEIR_OK;
    return io_fail(reader, name->at, "the %s has no name", what);
}

static weir_result read_element(io_reader *reader, io_ply *ply)
{
    if (ply->element_count == IO_PLY_ELEMENTS)
        return io_fail(reader, reader->at, "more than %u elements", IO_PLY_ELEMENTS);
    io_ply_element *element = &ply->elements[ply->element_count++];
    element->first = element->end = ply->property_count;
    WEIR_RETURN_IF_ERROR(read_name(reader, "element", &element->name));
    return io_read_count(reader, "the element's count", INT64_MAX, &element->count);
}

static weir_result read_list_types(io_reader *reader, io_ply_property *property)
{
    property->list = true;
    io_skip_blanks(reader);
    const uint8_t *at = reader->at;
    WEIR_RETURN_IF_ERROR(read_type(reader, &property->count_type));
    if (property->count_type == IO_F32 || property->count_type == IO_F64)
        return io_fail(reader, at,
                       "a list's length must have an integer type such as uchar or int");
    return read_type(reader, &property->type);
}

static weir_result read_property(io_reader *reader, io_ply *ply)
{
    if (ply->element_count == 0)
        return io_fail(reader, reader->at, "a property must follow an element line");
    if (ply->property_count == IO_PLY_PROPERTIES)
        return io_fail(reader, reader->at, "more than %u properties", IO_PLY_PROPERTIES);
    io_ply_property *property = &ply->properties[ply->property_count++];
    ply->elements[ply->element_count - 1].end = ply->property_count;
    const uint8_t *at = reader->at;
    io_token word = io_read_token_in_line(reader);
    if (io_token_is(word, "list")) {
        WEIR_RETURN_IF_ERROR(read_list_types(reader, property));
    } else {
        reader->at = at;
        WEIR_RETURN_IF_ERROR(read_type(reader, &property->type));
    }
    return read_name(reader, "property", &property->name);
}

static weir_result read_format(io_reader *reader, bool *binary)
{
    io_token word = io_read_token_in_line(reader);
    *binary = !io_token_is(word, "ascii");
    reader->big_endian = io_token_is(word, "binary_big_endian");
    if (!*binary || reader->big_endian || io_token_is(word, "binary_little_endian")) return WEIR_OK;
    return io_fail(reader, word.at,
                   "format \"%.*s\"; expected ascii, binary_little_endian or binary_big_endian",
                   IO_TOKEN_ARGUMENTS(word));
}

static weir_result end_header(io_reader *reader, bool binary)
{
    io_skip_blanks(reader);
    if (!io_at_line_end(reader))
        return io_fail(reader, reader->at, "nothing may follow end_header on its line");
    io_skip_line(reader);
    reader->text = !binary;
    return WEIR_OK;
}

weir_result io_ply_read_header(io_reader *reader, io_ply *ply)
{
    static const char *const remarks[] = {"comment", "obj_info"};
    bool binary = false, formatted = false;
    io_skip_line(reader);
    while (reader->at < reader->end) {
        io_token word = io_read_token_in_line(reader);
        if (io_token_is(word, "end_header")) {
            if (!formatted) return io_fail(reader, word.at, "the header has no format line");
            return end_header(reader, binary);
        }
        if (io_token_is(word, "format")) {
            WEIR_RETURN_IF_ERROR(read_format(reader, &binary));
            formatted = true;
        } else if (io_token_is(word, "element")) {
            WEIR_RETURN_IF_ERROR(read_element(reader, ply));
        } else if (io_token_is(word, "property")) {
            WEIR_RETURN_IF_ERROR(read_property(reader, ply));
        } else if (word.size && !io_token_is_any(word, remarks, BASE_COUNT(remarks))) {
            return io_fail(reader, word.at,
                           "unexpected \"%.*s\"; expected format, element, property, comment, "
                           "obj_info or end_header",
                           IO_TOKEN_ARGUMENTS(word));
        }
        io_skip_line(reader);
    }
    return io_fail(reader, reader->at,
                   "the file ends inside the PLY header; end_header is missing");
}

const io_ply_element *io_ply_find(const io_ply *ply, const char *name)
{
    for (uint32_t i = 0; i < ply->element_count; i++)
        if (io_token_is(ply->elements[i].name, name)) return &ply->elements[i];
    return NULL;
}

weir_result io_ply_check_rows(const io_reader *reader, const io_ply *ply,
                              const io_ply_element *element)
{
    uint64_t size = 0;
    for (uint32_t i = element->first; i < element->end; i++) {
        const io_ply_property *property = &ply->properties[i];
        size += io_number_size(reader, property->list ? property->count_type : property->type);
    }
    return io_check_count(reader, element->count, size, "rows of an element");
}

weir_result io_ply_list_count(io_reader *reader, const io_ply_property *property, uint64_t *count)
{
    uint32_t length;
    io_number number;
    WEIR_RETURN_IF_ERROR(io_read_number(reader, property->count_type, "a list's length", &number));
    WEIR_RETURN_IF_ERROR(io_to_uint(reader, number, "a list's length", &length));
    *count = length;
    return io_check_count(reader, length, io_number_size(reader, property->type),
                          "elements of a list");
}

weir_result io_ply_skip_property(io_reader *reader, const io_ply_property *property)
{
    uint64_t count = 1;
    if (property->list) WEIR_RETURN_IF_ERROR(io_ply_list_count(reader, property, &count));
    for (uint64_t i = 0; reader->text && i < count; i++) {
        io_token word = io_read_token(reader);
        if (!word.size)
            return io_fail(reader, word.at, "the file ends inside a row; it is cut off");
    }
    if (reader->text) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(io_check_count(reader, count, io_type_size(property->type), "numbers"));
    reader->at += (size_t)count * io_type_size(property->type);
    return WEIR_OK;
}

weir_result io_ply_skip_rows(io_reader *reader, const io_ply *ply, const io_ply_element *element)
{
    WEIR_RETURN_IF_ERROR(io_ply_check_rows(reader, ply, element));
    if (element->first == element->end) return WEIR_OK;
    for (uint64_t row = 0; row < element->count; row++)
        for (uint32_t i = element->first; i < element->end; i++)
            WEIR_RETURN_IF_ERROR(io_ply_skip_property(reader, &ply->properties[i]));
    return WEIR_OK;
}
