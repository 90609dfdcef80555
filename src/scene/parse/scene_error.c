/* Reports errors of a scene: where, what, and what was expected. */
#include "scene_internal.h"

#include <stdlib.h>

/* Replaces control characters, which a hostile file may contain, before they reach the log. */
static void make_printable(char *text)
{
    for (char *c = text; *c; ++c)
        if ((unsigned char)*c < 0x20 || *c == 0x7F) *c = '?';
}

const char *scene_override_of(const scene_parser *parser, const scene_location *where)
{
    for (const scene_location *p = where; p; p = p->parent) {
        uint64_t hash = scene_location_hash(p);
        for (size_t i = parser->overrides.count; i-- > 0;)
            if (parser->overrides.items[i].location == hash) return parser->overrides.items[i].text;
    }
    return NULL;
}

/* Keeps the message until all are known, so that they are logged in the order of the file. */
static void add_report(scene_parser *parser, const scene_location *where, weir_log_level level,
                       const char *message)
{
    base_text name = {0};
    if (!scene_location_text(where, &name)) parser->out_of_memory = true;
    if (name.count) make_printable(name.items);
    const char *shown = name.count ? name.items : "the scene";
    const char *override = scene_override_of(parser, where);
    scene_position at = scene_positions_find(&parser->positions, where);
    scene_report kept = {level, at.line, at.column, parser->reports.count, NULL};
    if (override) kept.line = 0; /* sorts before all lines */
    kept.text = override ? base_format("--set %s: %s: %s", override, shown, message)
                         : base_format("%s:%d:%d: %s: %s", parser->scene->source, at.line,
                                       at.column, shown, message);
    if (!kept.text || !BASE_ARRAY_PUSH(&parser->reports, kept)) {
        base_free(kept.text);
        parser->out_of_memory = true;
    }
    base_free(name.items);
}

static int compare_reports(const void *a, const void *b)
{
    const scene_report *x = a, *y = b;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

void scene_log_reports(scene_parser *parser)
{
    if (parser->reports.count)
        qsort(parser->reports.items, parser->reports.count, sizeof(scene_report), compare_reports);
    for (size_t i = 0; i < parser->reports.count; ++i) {
        base_log(parser->log, parser->reports.items[i].level, "%s", parser->reports.items[i].text);
        base_free(parser->reports.items[i].text);
    }
    BASE_ARRAY_FREE(&parser->reports);
    if (parser->errors > SCENE_MAX_ERRORS)
        base_log(parser->log, WEIR_LOG_ERROR, "%s: %u more errors are not listed",
                 parser->scene->source, parser->errors - SCENE_MAX_ERRORS);
}

void scene_error(scene_parser *parser, const scene_location *where, const char *format, ...)
{
    if (++parser->errors > SCENE_MAX_ERRORS) return;
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    add_report(parser, where, WEIR_LOG_ERROR, message);
}

void scene_warn(scene_parser *parser, const scene_location *where, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    add_report(parser, where, WEIR_LOG_WARNING, message);
}

int scene_line(const scene_parser *parser, const scene_location *where, int *column)
{
    scene_position at = scene_positions_find(&parser->positions, where);
    *column = at.column;
    return at.line;
}

/* Appends a text, cut at a whole code point if it is long. */
static void append_text(scene_value_text *shown, const char *text)
{
    size_t size = strlen(text), limit = 40;
    bool cut = size > limit;
    if (cut)
        for (size = limit; size > 0 && ((unsigned char)text[size] & 0xC0) == 0x80;)
            --size;
    snprintf(shown->text, sizeof shown->text, "\"%.*s%s\"", (int)size, text, cut ? "..." : "");
    make_printable(shown->text);
}

/* Appends the values of an array; returns false when they do not fit, or when one is an array or
 * object itself. */
static bool append_values(scene_value_text *shown, const json_t *array)
{
    size_t used = 0, count = json_array_size(array), room = sizeof shown->text;
    for (size_t i = 0; i < count; ++i) {
        const json_t *value = json_array_get(array, i);
        if (json_is_array(value) || json_is_object(value)) return false;
        used += (size_t)snprintf(shown->text + used, room - used, "%s%s", i ? ", " : "[",
                                 scene_format_value(value).text);
        if (used + sizeof "]" > room) return false;
    }
    if (count) snprintf(shown->text + used, room - used, "]");
    return count > 0;
}

scene_value_text scene_format_value(const json_t *value)
{
    scene_value_text shown = {"missing"};
    if (!value) return shown;
    switch (json_typeof(value)) {
    case JSON_OBJECT: snprintf(shown.text, sizeof shown.text, "an object"); break;
    case JSON_ARRAY:
        if (!append_values(&shown, value))
            snprintf(shown.text, sizeof shown.text, "an array of %zu", json_array_size(value));
        break;
    case JSON_STRING: append_text(&shown, json_string_value(value)); break;
    case JSON_INTEGER:
        snprintf(shown.text, sizeof shown.text, "%lld", (long long)json_integer_value(value));
        break;
    case JSON_REAL: snprintf(shown.text, sizeof shown.text, "%.9g", json_real_value(value)); break;
    case JSON_TRUE: snprintf(shown.text, sizeof shown.text, "true"); break;
    case JSON_FALSE: snprintf(shown.text, sizeof shown.text, "false"); break;
    case JSON_NULL: snprintf(shown.text, sizeof shown.text, "null"); break;
    }
    return shown;
}
