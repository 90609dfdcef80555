/* Tables of an output folder: stats.csv, gauges.csv and bodies.jsonl. Each line starts with frame
 * and time; in bodies.jsonl both have keys. */
#include "output_internal.h"

#include <stdlib.h>

#define TABLE_FILE_MAX ((size_t)1 << 30)

bool output_append_number(base_text *line, double number)
{
    char digits[40], point[40];
    for (int precision = 6; precision <= 17; ++precision) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number) break;
    }
    /* printf writes the locale's decimal separator, one byte or more; a table has a point. */
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
    return base_text_append_bytes(line, point, size);
}

/* Skips `word` if the line starts with it. */
static const char *skip_prefix(const char *line, const char *end, const char *word)
{
    size_t size = strlen(word);
    return (size_t)(end - line) > size && memcmp(line, word, size) == 0 ? line + size : line;
}

/* Returns whether the line is of a frame up to `last`. */
static bool is_kept_line(const char *line, const char *end, uint64_t last)
{
    int64_t frame;
    double time_s;
    const char *next;
    line = skip_prefix(line, end, OUTPUT_FRAME_KEY);
    if (!base_parse_int64(line, end, &frame, &next) || frame < 0) return false;
    if (next == end || *next != ',') return false;
    next = skip_prefix(next + 1, end, OUTPUT_TIME_KEY);
    return base_parse_double(next, end, &time_s, &next) && (uint64_t)frame <= last;
}

/* Appends the lines to keep. A last line without a newline is incomplete, and is dropped. */
static bool keep_lines(const base_blob *old, base_text *text, uint64_t last)
{
    const char *at = (const char *)old->bytes, *end = at + old->size, *newline;
    for (; at < end && (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1) {
        if (!is_kept_line(at, newline, last)) continue;
        if (!base_text_append_bytes(text, at, (size_t)(newline + 1 - at))) return false;
    }
    return true;
}

/* Finds out whether the table exists by listing its folder. Opening the file could not distinguish
 * a missing file from a disk error, and a table that is wrongly considered missing would lose its
 * lines. */
static weir_result table_exists(const weir_log *log, const char *path, bool *there)
{
    char *folder = base_path_folder(path), **names = NULL;
    size_t count = 0;
    *there = false;
    if (!folder)
        return base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for its folder", path);
    weir_result result = base_folder_list(log, folder, &names, &count);
    for (size_t i = 0; result == WEIR_OK && i < count; i++)
        *there |= strcmp(names[i], base_path_name(path)) == 0;
    base_names_free(names, count);
    base_free(folder);
    return result;
}

weir_result output_open_line_table(const weir_output *output, const char *path, base_text *text,
                                   uint64_t last)
{
    const weir_log *log = &output->def.log;
    base_blob old = {0};
    bool there = false;
    if (output->def.resume) WEIR_RETURN_IF_ERROR(table_exists(log, path, &there));
    if (there) WEIR_RETURN_IF_ERROR(base_file_read(log, path, TABLE_FILE_MAX, &old));
    bool kept = old.size == 0 || keep_lines(&old, text, last);
    base_blob_free(&old);
    if (!kept)
        return base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for its lines", path);
    return base_file_write(log, path, text->items, text->count);
}
