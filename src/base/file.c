/* Reads, appends to and removes whole files, creates and lists folders, and queries paths. */
#include "base_file.h"

weir_result file_fail(const weir_log *log, const char *path, const char *what, int error)
{
    char text[128];
    os_error_text(error, text);
    return base_fail(log, WEIR_ERROR_IO, "%s: %s: %s; %s", path, what, text,
                     os_error_advice(error));
}

static weir_result fail_out_of_memory(const weir_log *log, const char *path, size_t bytes)
{
    return base_fail(log, WEIR_ERROR_MEMORY,
                     "%s: not enough memory for %zu bytes; close other programs", path, bytes);
}

typedef struct file_reader {
    const weir_log *log;
    const char *path;
    os_file file;
    size_t max_size;
} file_reader;

static weir_result fail_too_large(const file_reader *r)
{
    return base_fail(
        r->log, WEIR_ERROR_IO,
        "%s: larger than %zu bytes, the limit for such a file; split it or make it smaller",
        r->path, r->max_size);
}

/* Reads to the end of the file rather than to the size seen at first: the file may grow, or have no
 * known size. */
static weir_result read_to_end(const file_reader *r, size_t expected, base_text *bytes)
{
    for (;;) {
        size_t extra = bytes->count < expected ? expected - bytes->count + 1 : 1;
        if (!BASE_ARRAY_RESERVE(bytes, extra))
            return fail_out_of_memory(r->log, r->path, bytes->count + extra);
        size_t got;
        int error = os_file_read(r->file, bytes->items + bytes->count,
                                 bytes->capacity - bytes->count, &got);
        if (error) return file_fail(r->log, r->path, "cannot be read", error);
        if (got == 0) return WEIR_OK;
        bytes->count += got;
        if (bytes->count > r->max_size) return fail_too_large(r);
    }
}

static weir_result read_open_file(const file_reader *r, base_text *bytes)
{
    os_kind kind;
    uint64_t size;
    int error = os_file_info(r->file, &kind, &size);
    if (error) return file_fail(r->log, r->path, "cannot be read", error);
    if (kind != OS_FILE)
        return base_fail(r->log, WEIR_ERROR_IO, "%s: is %s; give a regular file", r->path,
                         kind == OS_FOLDER ? "a folder" : "not a regular file");
    if (size > r->max_size) return fail_too_large(r);
    return read_to_end(r, (size_t)size, bytes);
}

weir_result base_file_read(const weir_log *log, const char *path, size_t max_size, base_blob *blob)
{
    file_reader r = {.log = log, .path = path, .file = OS_NO_FILE, .max_size = max_size};
    base_text bytes = {0};
    int error = os_file_open(path, OS_READ, &r.file);
    if (error) return file_fail(log, path, "cannot be opened", error);
    weir_result result = read_open_file(&r, &bytes);
    os_file_close(r.file);
    if (result == WEIR_OK) {
        char *exact = base_realloc(bytes.items, bytes.count, 1);
        *blob = (base_blob){(uint8_t *)(exact ? exact : bytes.items), bytes.count};
    } else {
        base_free(bytes.items);
    }
    return result;
}

size_t base_file_read_head(const char *path, void *bytes, size_t size)
{
    os_file file;
    size_t count = 0, got = 1;
    if (os_file_open(path, OS_READ, &file)) return 0;
    while (count < size && got > 0)
        if (os_file_read(file, (uint8_t *)bytes + count, size - count, &got))
            got = 0;
        else
            count += got;
    os_file_close(file);
    return count;
}

void base_blob_free(base_blob *blob)
{
    base_free(blob->bytes);
    *blob = (base_blob){0};
}

bool base_path_is_file(const char *path)
{
    os_kind kind;
    return os_path_kind(path, &kind) == 0 && kind == OS_FILE;
}

bool base_path_is_folder(const char *path)
{
    os_kind kind;
    return os_path_kind(path, &kind) == 0 && kind == OS_FOLDER;
}

int64_t base_path_modified_ns(const char *path)
{
    int64_t time_ns;
    return os_path_modified_ns(path, &time_ns) == 0 ? time_ns : 0;
}

/* Appends all bytes and flushes them. If that fails, a regular file is cut back to its former
 * size. */
static int append_and_flush(os_file file, const void *bytes, size_t size)
{
    os_kind kind;
    uint64_t before;
    int error = os_file_info(file, &kind, &before);
    if (error) return error;
    error = os_file_write(file, bytes, size);
    if (kind != OS_FILE) return error;
    if (!error) error = os_file_flush(file);
    if (error) (void)os_file_truncate(file, before);
    return error;
}

weir_result base_file_append(const weir_log *log, const char *path, const void *bytes, size_t size)
{
    os_file file;
    int error = os_file_open(path, OS_APPEND, &file);
    if (error) return file_fail(log, path, "cannot be opened for appending", error);
    error = append_and_flush(file, bytes, size);
    /* Flushed bytes are in the file even if closing fails; an error would invite appending them
     * twice. */
    (void)os_file_close(file);
    return error ? file_fail(log, path, "cannot be written", error) : WEIR_OK;
}

weir_result base_file_remove(const weir_log *log, const char *path)
{
    int error = os_path_remove(path);
    return error ? file_fail(log, path, "cannot be removed", error) : WEIR_OK;
}

weir_result base_folder_make(const weir_log *log, const char *path)
{
    char *part = base_strdup(path);
    if (!part) return fail_out_of_memory(log, path, strlen(path) + 1);
    int error = 0;
    for (char *p = part + os_path_root_length(part); *p && !error; p++) {
        char separator = *p;
        if (!base_is_path_separator(separator)) continue;
        *p = '\0';
        if (!base_path_is_folder(part)) error = os_folder_make(part);
        *p = separator;
    }
    if (!error) error = os_folder_make(part);
    base_free(part);
    return error ? file_fail(log, path, "the folder cannot be created", error) : WEIR_OK;
}

typedef struct name_list {
    BASE_ARRAY(char *) names;
} name_list;

static bool append_name(void *user, const char *name)
{
    name_list *list = user;
    char *copy = base_strdup(name);
    if (copy && BASE_ARRAY_PUSH(&list->names, copy)) return true;
    base_free(copy);
    return false;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

weir_result base_folder_list(const weir_log *log, const char *path, char ***names, size_t *count)
{
    name_list list = {0};
    if (!BASE_ARRAY_RESERVE(&list.names, 1)) return fail_out_of_memory(log, path, sizeof(char *));
    int error = os_folder_for_each(path, append_name, &list);
    if (error) {
        base_names_free(list.names.items, list.names.count);
        return file_fail(log, path, "the folder cannot be listed", error);
    }
    qsort(list.names.items, list.names.count, sizeof *list.names.items, compare_names);
    *names = list.names.items;
    *count = list.names.count;
    return WEIR_OK;
}

void base_names_free(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        base_free(names[i]);
    base_free(names);
}
