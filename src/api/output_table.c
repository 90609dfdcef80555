/* Tables of an output folder, stats.csv and gauges.csv: rows that start with frame and time. */
#include "output_internal.h"

#include <stdlib.h>

#define TABLE_FILE_MAX ((size_t)1 << 30)

bool output_append_number(base_text *row, double number)
{
    char digits[40], point[40];
    for (int precision = 6; precision <= 17; ++precision) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number) break;
    }
    /* printf took the locale's decimal sign, one byte or more; a table has the point. */
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
    return base_text_bytes(row, point, size);
}

/* Whether the line is a row of a frame up to `last`. */
static bool read_row(const char *line, const char *end, uint64_t last, weir_stats *row)
{
    int64_t frame;
    const char *next;
    if (!base_parse_int64(line, end, &frame, &next) || frame < 0) return false;
    if (next == end || *next != ',') return false;
    if (!base_parse_double(next + 1, end, &row->time_s, &next)) return false;
    row->frame = (uint64_t)frame;
    return row->frame <= last;
}

/* A last line without a newline was cut short: its frame was not finished. */
static bool keep_rows(weir_output *output, const base_blob *old, base_text *text, uint64_t last,
                      output_row_kept *kept)
{
    const char *at = (const char *)old->bytes, *end = at + old->size, *newline;
    for (; at < end && (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1) {
        weir_stats row = {0};
        if (!read_row(at, newline, last, &row)) continue;
        if (!base_text_bytes(text, at, (size_t)(newline + 1 - at))) return false;
        if (kept && !kept(output, row.frame, row.time_s)) return false;
    }
    return true;
}

weir_result output_open_table(weir_output *output, const char *path, base_text *text, uint64_t last,
                              output_row_kept *kept)
{
    const weir_log *log = &output->def.log;
    base_blob old = {0};
    weir_result result = WEIR_OK;
    if (output->def.resume && base_path_is_file(path))
        WEIR_TRY(base_file_read(log, path, TABLE_FILE_MAX, &old));
    if (old.size > 0 && !keep_rows(output, &old, text, last, kept)) {
        result = base_fail(log, WEIR_MEMORY, "%s: no memory for its rows", path);
        goto fail;
    }
    WEIR_TRY(base_file_write(log, path, text->items, text->count));
fail:
    base_blob_free(&old);
    return result;
}
