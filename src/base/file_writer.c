/* Atomic writing: a temporary file in the same folder is flushed and renamed, so that a file
 * appears complete or not at all. The temporary's name starts with a dot, so programs that watch a
 * folder for frames do not see it. */
#include "base_file.h"

#include <stdatomic.h>

/* Size of the buffer that gathers small writes: text formats write a few bytes at a time. */
enum { BUFFER_SIZE = 1 << 16, NAME_TRIES = 1000 };

struct base_writer {
    const weir_log *log;
    char *path;
    char *folder;    /* that contains `temporary` */
    char *temporary; /* NULL: bytes go directly to a terminal, a pipe or another device */
    os_file file;
    bool failed;
    size_t pending_bytes;
    uint8_t pending[BUFFER_SIZE];
};

void base_writer_cancel(base_writer **writer)
{
    base_writer *w = *writer;
    if (!w) return;
    if (w->file != OS_NO_FILE) {
        os_file_close(w->file);
        if (w->temporary) os_path_remove(w->temporary);
    }
    base_free(w->folder);
    base_free(w->temporary);
    base_free(w->path);
    base_free(w);
    *writer = NULL;
}

static weir_result writer_fail(base_writer *w, const char *what, int error)
{
    w->failed = true;
    return file_fail(w->log, w->path, what, error);
}

static weir_result open_temporary(base_writer *w)
{
    static atomic_uint counter;
    int error = 0;
    w->folder = base_path_folder(w->path);
    for (int i = 0; w->folder && i < NAME_TRIES; i++) {
        base_free(w->temporary);
        w->temporary = base_format("%s/.%s.%u-%u.tmp", w->folder, base_path_name(w->path),
                                   os_process_id(), atomic_fetch_add(&counter, 1u));
        if (!w->temporary) break;
        error = os_file_open(w->temporary, OS_CREATE_NEW, &w->file);
        if (!os_error_exists(error)) break;
    }
    bool taken; /* the lock shows base_folder_remove_temporaries that this writer is alive */
    if (w->file != OS_NO_FILE) (void)os_file_lock(w->file, &taken);
    if (!w->folder || !w->temporary)
        return base_fail(w->log, WEIR_ERROR_MEMORY, "%s: not enough memory for its name", w->path);
    return error ? writer_fail(w, "cannot be created", error) : WEIR_OK;
}

static weir_result open_target(base_writer *w)
{
    os_kind kind;
    if (!base_path_name(w->path)[0] || base_path_is_folder(w->path))
        return base_fail(w->log, WEIR_ERROR_IO, "%s: is a folder; give a file", w->path);
    if (os_path_kind(w->path, &kind) != 0 || kind == OS_FILE) return open_temporary(w);
    int error = os_file_open(w->path, OS_OVERWRITE, &w->file);
    return error ? writer_fail(w, "cannot be opened", error) : WEIR_OK;
}

weir_result base_writer_open(const weir_log *log, const char *path, base_writer **writer)
{
    *writer = NULL;
    base_writer *w = base_alloc(1, sizeof *w);
    if (!w) return base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory to write it", path);
    w->log = log;
    w->file = OS_NO_FILE;
    w->path = base_strdup(path);
    weir_result result =
        w->path ? open_target(w)
                : base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for its name", path);
    if (result == WEIR_OK)
        *writer = w;
    else
        base_writer_cancel(&w);
    return result;
}

static weir_result write_unbuffered(base_writer *w, const void *bytes, size_t size)
{
    int error = os_file_write(w->file, bytes, size);
    return error ? writer_fail(w, "cannot be written", error) : WEIR_OK;
}

static weir_result flush_buffer(base_writer *w)
{
    size_t size = w->pending_bytes;
    w->pending_bytes = 0;
    return size ? write_unbuffered(w, w->pending, size) : WEIR_OK;
}

weir_result base_writer_write(base_writer *w, const void *bytes, size_t size)
{
    if (w->failed) return WEIR_ERROR_IO;
    if (size > BUFFER_SIZE - w->pending_bytes) WEIR_RETURN_IF_ERROR(flush_buffer(w));
    if (size >= BUFFER_SIZE) return write_unbuffered(w, bytes, size);
    if (size) memcpy(w->pending + w->pending_bytes, bytes, size);
    w->pending_bytes += size;
    return WEIR_OK;
}

static weir_result close_and_rename(base_writer *w)
{
    int error = w->temporary ? os_file_flush(w->file) : 0;
    int close_error = os_file_close(w->file);
    w->file = OS_NO_FILE;
    if (!error) error = close_error;
    if (!error && w->temporary) error = os_path_rename(w->temporary, w->path);
    if (error && w->temporary) os_path_remove(w->temporary);
    if (error) return writer_fail(w, "cannot be written", error);
    if (!w->temporary) return WEIR_OK;
    error = os_folder_flush(w->folder);
    return error ? writer_fail(w, "its folder cannot be flushed to the disk", error) : WEIR_OK;
}

weir_result base_writer_commit(base_writer **writer)
{
    base_writer *w = *writer;
    weir_result result = w->failed ? WEIR_ERROR_IO : flush_buffer(w);
    if (result == WEIR_OK) result = close_and_rename(w);
    base_writer_cancel(writer);
    return result;
}

weir_result base_file_write(const weir_log *log, const char *path, const void *bytes, size_t size)
{
    base_writer *writer;
    WEIR_RETURN_IF_ERROR(base_writer_open(log, path, &writer));
    weir_result result = base_writer_write(writer, bytes, size);
    weir_result committed = base_writer_commit(&writer);
    return result != WEIR_OK ? result : committed;
}
