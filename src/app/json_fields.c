/* Writes structs as JSON: a table lists their members and keys. */
#include "app.h"

#include <jansson.h>
#include <stdlib.h>

json_t *app_json_number(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

static json_t *hash_of(uint64_t hash)
{
    char text[32];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    return json_string(text);
}

json_t *app_json_field_value(const app_json_field *field, const void *of)
{
    const void *at = (const char *)of + field->offset;
    switch (field->kind) {
    case APP_JSON_BOOL: return json_boolean(*(const bool *)at);
    case APP_JSON_U32: return json_integer(*(const uint32_t *)at);
    case APP_JSON_U64: return json_integer((json_int_t) * (const uint64_t *)at);
    case APP_JSON_I64: return json_integer(*(const int64_t *)at);
    case APP_JSON_NUMBER: return app_json_number(*(const double *)at);
    case APP_JSON_TEXT: return json_string(at);
    case APP_JSON_WORDS: return json_string(*(const char *const *)at);
    case APP_JSON_HASH: return hash_of(*(const uint64_t *)at);
    case APP_JSON_KNOWN: break;
    }
    uint32_t known = *(const uint32_t *)at;
    return known == UINT32_MAX ? json_null() : json_integer(known);
}

json_t *app_json_set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) == 0) return object;
    json_decref(object);
    return NULL;
}

json_t *app_json_append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) == 0) return array;
    json_decref(array);
    return NULL;
}

json_t *app_json_fields(json_t *object, const app_json_field *fields, size_t count, const void *of)
{
    for (size_t i = 0; i < count; ++i)
        object = app_json_set(object, fields[i].key, app_json_field_value(&fields[i], of));
    return object;
}

weir_result app_json_write(const weir_log *log, const char *path, json_t *json)
{
    char *text = json ? json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) : NULL;
    weir_result result =
        text ? base_file_write(log, path, text, strlen(text))
             : base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for the results", path);
    free(text);
    json_decref(json);
    return result;
}
