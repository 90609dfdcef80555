/* Strings and text allocated to fit. */
#include "base.h"

char *base_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = base_alloc(size, 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}

static bool append_va(base_text *text, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    bool fits = length >= 0 && BASE_ARRAY_RESERVE(text, (size_t)length + 1);
    if (fits) {
        vsnprintf(text->items + text->count, (size_t)length + 1, format, again);
        text->count += (size_t)length;
    }
    va_end(again);
    return fits;
}

bool base_text_append(base_text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool done = append_va(text, format, args);
    va_end(args);
    return done;
}

bool base_text_append_bytes(base_text *text, const void *bytes, size_t size)
{
    size_t with_end;
    if (!base_add_size(size, 1, &with_end) || !BASE_ARRAY_RESERVE(text, with_end)) return false;
    if (size) memcpy(text->items + text->count, bytes, size);
    text->count += size;
    text->items[text->count] = '\0';
    return true;
}

char *base_format(const char *format, ...)
{
    base_text text = {0};
    va_list args;
    va_start(args, format);
    bool done = append_va(&text, format, args);
    va_end(args);
    if (!done) BASE_ARRAY_FREE(&text);
    return text.items;
}

bool base_is_same_word(const char *a, const char *b)
{
    while (*a && base_lower(*a) == base_lower(*b))
        a++, b++;
    return *a == *b;
}

/* ---- encodings ------------------------------------------------------------------------------ */

size_t base_text_mark_bytes(const uint8_t *bytes, size_t size)
{
    return size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

bool base_text_is_utf16(const uint8_t *bytes, size_t size)
{
    if (size < 8) return false;
    bool little = bytes[0] == 0xff && bytes[1] == 0xfe, big = bytes[0] == 0xfe && bytes[1] == 0xff;
    const uint8_t *at = bytes + (little || big ? 2 : 0);
    /* the first characters of a file that Weir reads are those of numbers, names and keywords */
    const int low = big || (!little && at[0] == 0) ? 1 : 0;
    for (int i = 0; i < 3; i++) {
        uint8_t character = at[2 * i + low], other = at[2 * i + 1 - low];
        bool printable =
            (character >= ' ' && character < 0x7f) || (character >= '\t' && character <= '\r');
        if (other != 0 || !printable) return false;
    }
    return true;
}

weir_result base_text_file_read(const weir_log *log, const char *path, size_t max_size,
                                base_blob *blob)
{
    WEIR_RETURN_IF_ERROR(base_file_read(log, path, max_size, blob));
    size_t mark = base_text_mark_bytes(blob->bytes, blob->size);
    if (base_text_is_utf16(blob->bytes, blob->size)) {
        base_blob_free(blob);
        return base_fail(log, WEIR_ERROR_IO, "%s: " BASE_UTF16_ADVICE, path);
    }
    if (mark) memmove(blob->bytes, blob->bytes + mark, blob->size - mark);
    blob->size -= mark;
    return WEIR_OK;
}
