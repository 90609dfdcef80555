/* api: JSON by jansson, as run.json and ParaView's lists of frames need it. */
#ifndef WEIR_API_JSON_H
#define WEIR_API_JSON_H

#include "base.h"

#include <jansson.h>

/* The object of a run.json; NULL when the text is anything else, such as a plain scene. Release
 * with json_decref. */
json_t *io_json_parse_run(const char *text, size_t size);

/* Appends the value with as few digits as all its numbers need to read back the same. False when
 * memory is short. */
bool io_json_print(const json_t *value, base_text *text);

/* ---- making values: NULL when memory is short ----------------------------------------------- */

/* Gives `value` to the object. False, with the value released, when either is NULL. */
bool io_json_set(json_t *object, const char *key, json_t *value);
/* JSON null stands for a number that is not finite. */
json_t *io_json_number(double number);
/* JSON null stands for a text that is not UTF-8, such as some folders' names. */
json_t *io_json_string(const char *text);

/* ---- reading values: false, with nothing changed, when the value is NULL or no such thing ---- */

bool io_json_get_number(const json_t *value, double *number);
bool io_json_get_u32(const json_t *value, uint32_t *number);
bool io_json_get_bool(const json_t *value, bool *flag);
/* The index of the text among `choices`. */
bool io_json_get_choice(const json_t *value, const char *const *choices, uint32_t count,
                        uint32_t *index);
/* The value of the enumeration that has the text as its weir_enum_name. */
bool io_json_get_enum(const json_t *value, weir_enum of, uint32_t *named);

#endif
