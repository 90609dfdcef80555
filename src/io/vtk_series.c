/* Maintains ParaView's list of a sequence of VTK files. The list follows the contents of the
 * folder, because several processes may write frames of one sequence. Times come from the previous
 * list, or else from the first lines of the frames. */
#include "io.h"
#include "io_json.h"

#include <stdlib.h>

#define SERIES_MAX ((size_t)64 << 20)
#define HEAD_MAX 512u
#define MAX_LIST_RETRIES 4 /* retries when others add frames while the list is being written */

typedef struct entry {
    char *name;
    uint64_t frame;
    double time_s;
} entry;

typedef struct series {
    char *folder, *list;
    const char *stem; /* part of the names before the number */
    size_t stem_size;
    const char *extension;    /* of the frames, with its dot */
    const char *current_name; /* frame that has just been written, and its time */
    double current_time_s;
    BASE_ARRAY(entry) entries, known;
} series;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns the start of the number in "surface_0001.vtk"; NULL if there is none. */
static const char *frame_number_at(const char *name)
{
    const char *extension = base_path_extension(name);
    if (!*extension) return NULL;
    const char *end = extension - 1, *at = end;
    while (at > name && is_digit(at[-1]))
        at--;
    return at < end ? at : NULL;
}

static bool is_frame(const series *series, const char *name, uint64_t *frame)
{
    int64_t number;
    const char *next, *end = name + strlen(name);
    if (strncmp(name, series->stem, series->stem_size) != 0) return false;
    const char *start = name + series->stem_size;
    if (!is_digit(*start) || !base_parse_int64(start, end, &number, &next)) return false;
    *frame = (uint64_t)number;
    return strcmp(next, series->extension) == 0;
}

static void free_series(series *series)
{
    for (size_t i = 0; i < series->entries.count; i++)
        base_free(series->entries.items[i].name);
    for (size_t i = 0; i < series->known.count; i++)
        base_free(series->known.items[i].name);
    BASE_ARRAY_FREE(&series->entries);
    BASE_ARRAY_FREE(&series->known);
    base_free(series->folder);
    base_free(series->list);
}

/* Stores the known time of a frame; ignores entries in any other form than ours, so that their
 * times are read from the frames' files. */
static void parse_known_entries(series *series, const json_t *file)
{
    const char *name = json_string_value(json_object_get(file, "name"));
    entry known = {0};
    if (!name || !is_frame(series, name, &known.frame) ||
        !io_json_get_number(json_object_get(file, "time"), &known.time_s))
        return;
    known.name = base_strdup(name);
    if (!known.name || !BASE_ARRAY_PUSH(&series->known, known)) base_free(known.name);
}

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->frame != y->frame) return x->frame < y->frame ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void read_known(series *series)
{
    base_blob blob = {0};
    if (!base_path_is_file(series->list)) return;
    if (base_file_read(NULL, series->list, SERIES_MAX, &blob) != WEIR_OK) return;
    json_t *list = json_loadb((const char *)blob.bytes, blob.size, 0, NULL), *file;
    size_t i;
    json_array_foreach(json_object_get(list, "files"), i, file) parse_known_entries(series, file);
    json_decref(list);
    if (series->known.count)
        qsort(series->known.items, series->known.count, sizeof(entry), compare_entries);
    base_blob_free(&blob);
}

/* Returns the time from "time_s=" in the first lines; 0 without it. */
static double read_file_time(const series *series, const char *name)
{
    static const char mark[] = "time_s=";
    char head[HEAD_MAX + 1] = {0};
    double time_s = 0;
    const char *next;
    char *path = base_path_join(series->folder, name);
    size_t size = path ? base_file_read_head(path, head, HEAD_MAX) : 0;
    base_free(path);
    const char *found = strstr(head, mark);
    if (found) base_parse_double(found + sizeof mark - 1, head + size, &time_s, &next);
    return time_s;
}

static double entry_time(const series *series, const entry *wanted)
{
    if (strcmp(wanted->name, series->current_name) == 0) return series->current_time_s;
    const entry *known = series->known.count
                             ? bsearch(wanted, series->known.items, series->known.count,
                                       sizeof(entry), compare_entries)
                             : NULL;
    return known ? known->time_s : read_file_time(series, wanted->name);
}

/* Fills the entries from the folder. *same: whether their number is unchanged. */
static weir_result list_folder(const weir_log *log, series *series, bool *same)
{
    char **names;
    size_t count, found = 0;
    weir_result result = WEIR_OK;
    WEIR_RETURN_IF_ERROR(base_folder_list(log, series->folder, &names, &count));
    uint64_t frame;
    for (size_t i = 0; i < count; i++)
        found += is_frame(series, names[i], &frame);
    *same = found == series->entries.count;
    while (series->entries.count)
        base_free(series->entries.items[--series->entries.count].name);
    for (size_t i = 0; result == WEIR_OK && i < count; i++) {
        entry entry = {0};
        if (!is_frame(series, names[i], &entry.frame)) continue;
        entry.name = base_strdup(names[i]);
        if (entry.name) entry.time_s = entry_time(series, &entry);
        if (entry.name && BASE_ARRAY_PUSH(&series->entries, entry)) continue;
        base_free(entry.name);
        result =
            base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for a series", series->list);
    }
    base_names_free(names, count);
    if (series->entries.count)
        qsort(series->entries.items, series->entries.count, sizeof(entry), compare_entries);
    return result;
}

static weir_result write_list(const weir_log *log, const series *series)
{
    size_t count = series->entries.count;
    const char **names = base_alloc(count, sizeof *names);
    double *times_s = base_alloc(count, sizeof *times_s);
    weir_result result = WEIR_OK;
    for (size_t i = 0; names && times_s && i < count; i++) {
        names[i] = series->entries.items[i].name;
        times_s[i] = series->entries.items[i].time_s;
    }
    if (names && times_s)
        result = io_series_write(log, series->list, names, times_s, count);
    else
        result =
            base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for a series", series->list);
    base_free(names);
    base_free(times_s);
    return result;
}

weir_result io_vtk_series_update(const weir_log *log, const char *path, double time_s)
{
    const char *name = base_path_name(path), *number = frame_number_at(name);
    if (!number) return WEIR_OK;
    const char *end = number; /* the list's name has no "_" before its extension */
    while (end > name && (end[-1] == '_' || end[-1] == '-' || end[-1] == '.'))
        end--;
    series series = {.folder = base_path_folder(path),
                     .list = base_format("%.*s%s.%s.series", (int)(end - path), path,
                                         end == name ? "frames" : "", base_path_extension(path)),
                     .extension = base_path_extension(path) - 1,
                     .stem = name,
                     .stem_size = (size_t)(number - name),
                     .current_name = name,
                     .current_time_s = time_s};
    weir_result result = WEIR_OK;
    bool same = false;
    if (!series.folder || !series.list) {
        result = base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for its series", path);
        goto fail;
    }
    read_known(&series);
    WEIR_GOTO_IF_ERROR(list_folder(log, &series, &same));
    /* Whichever process writes the list last has read the folder when all frames were there. */
    for (int i = 0; i < MAX_LIST_RETRIES; i++) {
        WEIR_GOTO_IF_ERROR(write_list(log, &series));
        WEIR_GOTO_IF_ERROR(list_folder(log, &series, &same));
        if (same) break;
    }
fail:
    free_series(&series);
    return result;
}
