/* Quotes words for CSV files. */
#include "app.h"

bool app_csv_append_quoted(base_text *text, const char *word)
{
    bool ok = base_text_append(text, "\"");
    for (; ok && *word; ++word)
        ok = base_text_append(text, "%s%c", *word == '"' ? "\"" : "", *word);
    return ok && base_text_append(text, "\"");
}
