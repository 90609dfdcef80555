/* Completes the JSON of the effective scene with the values that the text leaves out. */
#include "scene_internal.h"

bool scene_set_json(scene_parser *parser, json_t *object, const char *key, json_t *value)
{
    if (value && json_object_set_new(object, key, value) == 0) return true;
    parser->out_of_memory = true;
    return false;
}
