/* JSON by jansson: numbers that read back the same, and values of the types in run.json. */
#include "io_json.h"

json_t *io_json_parse_run(const char *text, size_t size)
{
    json_t *run = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(json_object_get(run, "scene"))) return run;
    json_decref(run);
    return NULL;
}

static int append_bytes(const char *bytes, size_t size, void *text)
{
    return base_text_append_bytes(text, bytes, size) ? 0 : -1;
}

/* Tries 9 to 17 digits, because jansson uses one number of digits for a whole text: 9 suffice for
 * floats, 17 for every double. */
bool io_json_print(const json_t *value, base_text *text)
{
    bool same = false;
    for (size_t digits = 9, start = text->count; digits <= 17 && !same; ++digits) {
        text->count = start;
        if (json_dump_callback(value, append_bytes, text,
                               JSON_INDENT(2) | JSON_REAL_PRECISION(digits)) != 0)
            return false;
        json_t *again = json_loadb(text->items + start, text->count - start, 0, NULL);
        same = json_equal(value, again);
        json_decref(again);
    }
    return same;
}

/* ---- creating values ------------------------------------------------------------------------- */

bool io_json_set(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

json_t *io_json_number(double number)
{
    if (!isfinite(number)) return json_null();
    bool whole = fabs(number) < 1e9 && number == floor(number);
    return whole ? json_integer((json_int_t)number) : json_real(number);
}

json_t *io_json_string(const char *text)
{
    json_t *made = json_string(text);
    if (made) return made;
    json_t *unchecked = json_string_nocheck(text);
    json_decref(unchecked);
    return unchecked ? json_null() : NULL;
}

/* ---- reading values ------------------------------------------------------------------------- */

bool io_json_get_number(const json_t *value, double *number)
{
    if (!json_is_number(value)) return false;
    *number = json_number_value(value);
    return true;
}

bool io_json_get_u32(const json_t *value, uint32_t *number)
{
    double wide = json_is_number(value) ? json_number_value(value) : -1;
    if (!(wide >= 0 && wide <= (double)UINT32_MAX && wide == floor(wide))) return false;
    *number = (uint32_t)wide;
    return true;
}

bool io_json_get_bool(const json_t *value, bool *flag)
{
    if (!json_is_boolean(value)) return false;
    *flag = json_is_true(value);
    return true;
}

bool io_json_get_choice(const json_t *value, const char *const *choices, uint32_t count,
                        uint32_t *index)
{
    const char *text = json_string_value(value);
    for (uint32_t i = 0; text && i < count; ++i) {
        if (strcmp(text, choices[i]) != 0) continue;
        *index = i;
        return true;
    }
    return false;
}
