/* Reads names of enumerators in run.json. */
#include "output_internal.h"

bool output_get_enum(const json_t *value, weir_enum of, uint32_t *named)
{
    const char *text = json_string_value(value);
    for (uint32_t i = 0; text && weir_enum_name(of, i); ++i) {
        if (strcmp(text, weir_enum_name(of, i)) != 0) continue;
        *named = i;
        return true;
    }
    return false;
}
