/* Applies overrides: "solver.iterations=8", "fluids[0].density=800", "fluids.water.density=800". */
#include "scene_internal.h"

/* A step of a path: a key, or an element of an array. */
typedef struct path_step {
    char key[256];
    bool element;
    uint32_t index;
} path_step;

static void error_override(scene_parser *parser, const char *text, const char *format, ...)
    BASE_PRINTF(3, 4);

static void error_override(scene_parser *parser, const char *text, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    ++parser->errors;
    base_log(parser->log, WEIR_LOG_ERROR, "--set %s: %s", text, message);
}

/* Reads ".key", "key" or "[2]" at *at; returns false when it is none of them. */
static bool read_step(const char **at, const char *end, bool first, path_step *out)
{
    const char *p = *at;
    int64_t index;
    *out = (path_step){0};
    if (*p == '[') {
        out->element = true;
        if (!base_parse_int64(p + 1, end, &index, &p) || index < 0 || index > UINT32_MAX)
            return false;
        out->index = (uint32_t)index;
        *at = p + 1;
        return p < end && *p == ']';
    }
    if (!first && *p++ != '.') return false;
    size_t size = 0;
    while (p + size < end && p[size] != '.' && p[size] != '[')
        ++size;
    if (size == 0 || size >= sizeof out->key) return false;
    memcpy(out->key, p, size);
    *at = p + size;
    return true;
}

/* Resolves a key in an array: selects the element whose "name" is the key. */
static bool find_named(json_t *array, path_step *s)
{
    for (size_t i = 0; i < json_array_size(array); ++i) {
        const char *name = json_string_value(json_object_get(json_array_get(array, i), "name"));
        if (name && strcmp(name, s->key) == 0) {
            s->element = true;
            s->index = (uint32_t)i;
            return true;
        }
    }
    return false;
}

/* Parses the value as JSON, or takes it as a text when it is not JSON. The depth is checked before
 * jansson recurses. */
static json_t *parse_value(const char *text)
{
    scene_positions positions = {0};
    weir_result result = scene_positions_build(text, strlen(text), NULL, &positions);
    scene_positions_free(&positions);
    if (result != WEIR_OK) return NULL;
    json_t *value = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
    return value ? value : json_string(text);
}

/* Sets the value one step below `parent`, or, without a value, returns what is there and creates
 * missing objects and lists. */
static json_t *apply_step(json_t *parent, const path_step *s, json_t *value)
{
    if (value) {
        int failed = s->element ? json_array_set(parent, s->index, value)
                                : json_object_set(parent, s->key, value);
        return failed ? NULL : value;
    }
    if (s->element) return json_array_get(parent, s->index);
    if (!json_object_get(parent, s->key))
        json_object_set_new(parent, s->key, s[1].element ? json_array() : json_object());
    return json_object_get(parent, s->key);
}

static bool check_step(scene_parser *parser, const char *text, json_t *parent, path_step *s)
{
    if (json_is_array(parent) && !s->element && !find_named(parent, s)) {
        error_override(parser, text,
                       "no element is named \"%s\"; give a name from the scene or an [index]",
                       s->key);
        return false;
    }
    if (s->element && json_array_size(parent) == 0) {
        error_override(parser, text, "the list is empty; set the whole list, as in %.*s=[...]",
                       (int)strcspn(text, "["), text);
        return false;
    }
    if (s->element && s->index >= json_array_size(parent)) {
        error_override(parser, text, "has no element [%u], expected an index below %zu", s->index,
                       json_array_size(parent));
        return false;
    }
    if (!s->element && !json_is_object(parent)) {
        error_override(parser, text, "cannot contain \"%s\" inside %s", s->key,
                       scene_format_value(parent).text);
        return false;
    }
    return true;
}

static void record_override(scene_parser *parser, const char *text, const path_step *steps,
                            size_t count)
{
    scene_location locations[SCENE_MAX_DEPTH + 1] = {{0}};
    for (size_t i = 0; i < count; ++i)
        locations[i + 1] =
            (scene_location){&locations[i], steps[i].element ? NULL : steps[i].key, steps[i].index};
    scene_override override = {text, scene_location_hash(&locations[count])};
    if (!BASE_ARRAY_PUSH(&parser->overrides, override)) parser->out_of_memory = true;
}

static void apply_override(scene_parser *parser, const char *text)
{
    enum { MAX_STEPS = 24 };
    path_step steps[MAX_STEPS];
    const char *end = strchr(text, '='), *at = text;
    size_t count = 0;
    if (!end || end == text) {
        error_override(parser, text, "expected KEY=VALUE, as in solver.iterations=8");
        return;
    }
    while (at < end && count < MAX_STEPS && read_step(&at, end, count == 0, &steps[count]))
        ++count;
    if (at != end) {
        error_override(parser, text,
                       "cannot read the key from \"%.*s\" on; write it as "
                       "solver.iterations or fluids[0].density",
                       (int)(end - at), at);
        return;
    }
    json_t *value = parse_value(end + 1), *parent = parser->root;
    if (!value) error_override(parser, text, "the value is nested too deeply or is not UTF-8");
    bool ok = value != NULL;
    size_t own = count; /* steps down to the outermost value that the override creates */
    for (size_t i = 0; i < count && ok; ++i) {
        ok = check_step(parser, text, parent, &steps[i]);
        if (ok && i < own && !steps[i].element && !json_object_get(parent, steps[i].key))
            own = i + 1;
        if (ok) parent = apply_step(parent, &steps[i], i + 1 == count ? value : NULL);
        if (ok && !parent) parser->out_of_memory = true;
        ok = ok && parent;
    }
    if (ok) record_override(parser, text, steps, own);
    json_decref(value);
}

void scene_apply_overrides(scene_parser *parser)
{
    for (uint32_t i = 0; i < parser->input->override_count; ++i)
        apply_override(parser, parser->input->overrides[i]);
}
