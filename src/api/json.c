/* Finds values in a JSON text without building a tree: run.json wraps a scene, and the scene's own
 * parser must still see it at its line and column. */
#include "api_internal.h"

#include <stdlib.h>

#define JSON_KEY_MAX 256

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        ++at;
    return at;
}

/* `at` is on the opening quote; returns what follows the closing one, or NULL. */
static const char *skip_string(const char *at, const char *end)
{
    for (++at; at < end; ++at) {
        if (*at == '"') return at + 1;
        if (*at == '\\') ++at;
    }
    return NULL;
}

/* Counts brackets instead of recursing, so that depth costs nothing. */
static const char *skip_value(const char *at, const char *end)
{
    size_t depth = 0;
    const char *start = at;
    while (at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
            if (!at) return NULL;
        } else if (*at == '{' || *at == '[') {
            ++depth;
            ++at;
        } else if (*at == '}' || *at == ']') {
            if (depth == 0) break;
            --depth;
            ++at;
        } else if (depth == 0 && (*at == ',' || *at == ':')) {
            break;
        } else {
            ++at;
            continue;
        }
        if (depth == 0) return at;
    }
    if (depth > 0) return NULL;
    while (at > start && (at[-1] == ' ' || at[-1] == '\n' || at[-1] == '\r' || at[-1] == '\t'))
        --at;
    return at > start ? at : NULL;
}

/* One step through "value," or "value]"; false at the end or where the text is broken. */
static bool next_value(const char **at, const char *end, api_json_span *value)
{
    const char *start = skip_space(*at, end);
    const char *stop = start < end ? skip_value(start, end) : NULL;
    if (!stop) return false;
    *value = (api_json_span){start, (size_t)(stop - start)};
    *at = skip_space(stop, end);
    return true;
}

bool api_json_is_object(api_json_span value)
{
    return value.size > 1 && value.text[0] == '{';
}

static bool key_equals(api_json_span key, const char *name)
{
    size_t size = strlen(name);
    return key.size == size + 2 && key.text[0] == '"' && memcmp(key.text + 1, name, size) == 0;
}

api_json_span api_json_member(api_json_span object, const char *key)
{
    api_json_span none = {0}, name, value;
    if (!object.text) return none;
    const char *end = object.text + object.size;
    const char *at = skip_space(object.text, end);
    if (at == end || *at != '{') return none;
    for (++at; next_value(&at, end, &name); ++at) {
        if (at == end || *at != ':') return none;
        ++at;
        if (!next_value(&at, end, &value)) return none;
        if (key_equals(name, key)) return value;
        if (at == end || *at != ',') return none;
    }
    return none;
}

bool api_json_each(api_json_span array, bool (*each)(void *user, api_json_span element), void *user)
{
    if (!array.text || array.size < 2 || array.text[0] != '[') return false;
    const char *at = array.text + 1, *end = array.text + array.size;
    api_json_span value;
    for (; next_value(&at, end, &value); ++at) {
        if (!each(user, value)) return false;
        if (at == end || *at != ',') break;
    }
    return at < end && *at == ']';
}

bool api_json_number(api_json_span value, double *number)
{
    const char *next;
    return value.text && base_parse_double(value.text, value.text + value.size, number, &next) &&
           next == value.text + value.size;
}

bool api_json_boolean(api_json_span value, bool *truth)
{
    *truth = value.size == 4 && memcmp(value.text, "true", 4) == 0;
    return *truth || (value.size == 5 && memcmp(value.text, "false", 5) == 0);
}

static bool read_hex4(const char *at, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; ++i) {
        char c = at[i];
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
                                                : 16;
        if (digit == 16) return false;
        *code = *code << 4 | digit;
    }
    return true;
}

static char *put_utf8(char *out, uint32_t code)
{
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6);
        *out++ = (char)(0x80 | (code & 63));
    } else {
        *out++ = (char)(0xE0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 63));
        *out++ = (char)(0x80 | (code & 63));
    }
    return out;
}

/* `at` is behind a backslash; *next: behind the escape. NUL and surrogates are no part of a path.
 */
static char *put_escape(char *out, const char *at, const char *end, const char **next)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *known = *at ? strchr(from, *at) : NULL;
    uint32_t code;
    *next = at + 1;
    if (known) {
        *out = to[known - from];
        return out + 1;
    }
    if (*at != 'u' || end - at < 5 || !read_hex4(at + 1, &code)) return NULL;
    if (code == 0 || (code >= 0xD800 && code < 0xE000)) return NULL;
    *next = at + 5;
    return put_utf8(out, code);
}

char *api_json_string(api_json_span value)
{
    if (value.size < 2 || value.text[0] != '"') return NULL;
    const char *at = value.text + 1, *end = value.text + value.size - 1;
    char *string = base_alloc(value.size, 1);
    char *out = string;
    while (string && at < end) {
        if (*at != '\\') {
            *out++ = *at++;
            continue;
        }
        out = at + 1 < end ? put_escape(out, at + 1, end, &at) : NULL;
        if (!out) {
            base_free(string);
            return NULL;
        }
    }
    return string;
}

bool api_json_append_string(base_text *json, const char *text)
{
    bool ok = base_text_append(json, "\"");
    for (; ok && *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            ok = base_text_append(json, "\\%c", c);
        } else if (c < 0x20) {
            ok = base_text_append(json, "\\u%04x", c);
        } else {
            ok = base_text_bytes(json, text, 1);
        }
    }
    return ok && base_text_append(json, "\"");
}

bool api_json_append_number(base_text *json, double number)
{
    char digits[40], point[40];
    for (int precision = 6; precision <= 17; ++precision) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number) break;
    }
    /* printf took the locale's decimal sign, one byte or more; JSON knows only the point. */
    size_t size = 0;
    for (const char *at = digits; *at; ++at) {
        bool plain =
            (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z') || *at == '-' || *at == '+';
        if (plain) {
            point[size++] = *at;
        } else if (size == 0 || point[size - 1] != '.') {
            point[size++] = '.';
        }
    }
    return base_text_bytes(json, point, size);
}
