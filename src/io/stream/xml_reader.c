/* Reads the subset of XML that data files need: a sequence of tags with attributes, without
 * entities and document types, so that nothing can expand or refer to other files. */
#include "io_internal.h"

static bool is_name_end(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' || byte == '=' ||
           byte == '/' || byte == '>' || byte == '<' || byte == '"' || byte == '\'';
}

static io_token read_tag_name(io_reader *reader)
{
    io_token name = {reader->at, 0};
    while (reader->at < reader->end && !is_name_end(*reader->at))
        reader->at++;
    name.size = (size_t)(reader->at - name.at);
    return name;
}

/* Moves past the next `mark`. */
static weir_result skip_past(io_reader *reader, const char *mark)
{
    const uint8_t *start = reader->at;
    size_t size = strlen(mark);
    for (; io_remaining(reader) >= size; reader->at++) {
        if (memcmp(reader->at, mark, size) != 0) continue;
        reader->at += size;
        return WEIR_OK;
    }
    return io_fail(reader, start,
                   "missing \"%s\" at the end of what starts here; the file is cut off", mark);
}

static weir_result read_attribute(io_reader *reader, io_tag *tag)
{
    io_token name = read_tag_name(reader), value;
    if (!name.size) return io_fail(reader, reader->at, "expected an attribute, \"/>\" or \">\"");
    io_skip_space(reader);
    if (io_remaining(reader) == 0 || *reader->at != '=')
        return io_fail(reader, reader->at, "expected \"=\" after \"%.*s\"",
                       IO_TOKEN_ARGUMENTS(name));
    reader->at++;
    io_skip_space(reader);
    if (io_remaining(reader) == 0 || (*reader->at != '"' && *reader->at != '\''))
        return io_fail(reader, reader->at, "the value of \"%.*s\" must be quoted",
                       IO_TOKEN_ARGUMENTS(name));
    uint8_t quote = *reader->at++;
    value = (io_token){reader->at, 0};
    const uint8_t *close = memchr(reader->at, quote, io_remaining(reader));
    if (!close)
        return io_fail(reader, reader->at - 1, "the quotes of \"%.*s\" are not closed",
                       IO_TOKEN_ARGUMENTS(name));
    value.size = (size_t)(close - value.at);
    reader->at = close + 1;
    if (tag->count == IO_TAG_ATTRIBUTES)
        return io_fail(reader, name.at, "more than %u attributes in one tag", IO_TAG_ATTRIBUTES);
    tag->attributes[tag->count++] = (io_attribute){name, value};
    return WEIR_OK;
}

static weir_result read_attributes(io_reader *reader, io_tag *tag)
{
    for (;;) {
        io_skip_space(reader);
        if (io_starts_with(reader, ">")) {
            reader->at++;
            return WEIR_OK;
        }
        if (io_starts_with(reader, "/>")) {
            reader->at += 2;
            tag->closed = true;
            return WEIR_OK;
        }
        WEIR_RETURN_IF_ERROR(read_attribute(reader, tag));
    }
}

weir_result io_xml_next(io_reader *reader, io_tag *tag)
{
    tag->count = 0;
    tag->closed = tag->closing = false;
    tag->name = (io_token){reader->end, 0};
    for (;;) {
        const uint8_t *open = memchr(reader->at, '<', io_remaining(reader));
        reader->at = open ? open : reader->end;
        if (!open) return WEIR_OK;
        bool comment = io_starts_with(reader, "<!--");
        if (!comment && !io_starts_with(reader, "<?")) break;
        WEIR_RETURN_IF_ERROR(skip_past(reader, comment ? "-->" : "?>"));
    }
    if (io_starts_with(reader, "<!"))
        return io_fail(reader, reader->at,
                       "document types are not supported; data files need none");
    reader->at++;
    tag->closing = io_starts_with(reader, "/");
    if (tag->closing) reader->at++;
    tag->name = read_tag_name(reader);
    if (!tag->name.size) return io_fail(reader, reader->at, "a tag without a name");
    return read_attributes(reader, tag);
}

io_token io_xml_attribute(const io_tag *tag, const char *name)
{
    for (uint32_t i = 0; i < tag->count; i++)
        if (io_token_is(tag->attributes[i].name, name)) return tag->attributes[i].value;
    return (io_token){tag->name.at, 0};
}
