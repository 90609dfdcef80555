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
