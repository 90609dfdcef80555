/* JSON by jansson, for run.json and ParaView's lists of frames. */
#ifndef WEIR_IO_JSON_H
#define WEIR_IO_JSON_H

#include "base.h"

#include <jansson.h>

/* Parses a run.json and returns its object; NULL when the text is anything else, such as a plain
 * scene. Release with json_decref. */
json_t *io_json_parse_run(const char *text, size_t size);

/* Appends the value with the fewest digits at which all its numbers read back the same. Returns
 * false when memory is short. */
bool io_json_print(const json_t *value, base_text *text);

/* ---- creating values: NULL when memory is short ---------------------------------------------- */

/* Sets a key of the object and takes ownership of `value`. When either is NULL, releases the value
 * and returns false. */
bool io_json_set(json_t *object, const char *key, json_t *value);
/* Returns a JSON number; null if it is not finite. */
json_t *io_json_number(double number);
/* Returns a JSON string; null if the text is not UTF-8, as some folders' names are not. */
json_t *io_json_string(const char *text);

/* ---- reading values: false, with no change, when the value is NULL or of another type -------- */

bool io_json_get_number(const json_t *value, double *number);
bool io_json_get_u32(const json_t *value, uint32_t *number);
bool io_json_get_bool(const json_t *value, bool *flag);
/* Gets the index of the text in `choices`. */
bool io_json_get_choice(const json_t *value, const char *const *choices, uint32_t count,
                        uint32_t *index);

#endif
