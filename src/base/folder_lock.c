/* Gives a folder a single owner, by a lock on a file in it, which the system releases when the
 * process ends. The owner can remove the temporary files of killed writers: a live writer holds a
 * lock on its own temporary. */
#include "base_file.h"

#define LOCK_NAME ".weir.lock" /* never removed: that would let two owners in */
enum { OWNER_SIZE = 256 };

struct base_lock {
    os_file file;
};

/* Reads who holds the lock, as that process wrote it. */
static void read_owner(const char *path, char owner[OWNER_SIZE])
{
    size_t size = base_file_read_head(path, owner, OWNER_SIZE - 1);
    owner[size] = '\0';
    owner[strcspn(owner, "\n")] = '\0';
}

static int write_owner(os_file file)
{
    char owner[OWNER_SIZE], host[128], time[32];
    os_host_name(host);
    base_time_utc(time);
    int size =
        snprintf(owner, sizeof owner, "process %u on %s since %s\n", os_process_id(), host, time);
    int error = os_file_truncate(file, 0);
    return error ? error : os_file_write(file, owner, (size_t)size);
}

static weir_result fail_locked(const weir_log *log, const char *folder, const char *path)
{
    char owner[OWNER_SIZE];
    read_owner(path, owner);
    return base_fail(log, WEIR_ERROR_ARGUMENT,
                     "%s: another Weir process is writing to this folder (%s): wait until it ends, "
                     "stop it, or choose another folder",
                     folder, owner[0] ? owner : "it has just started");
}

static weir_result try_lock_file(const weir_log *log, const char *folder, const char *path,
                                 os_file *file)
{
    bool taken;
    int error = os_file_open(path, OS_LOCK, file);
    if (error) return file_fail(log, path, "cannot be opened", error);
    error = os_file_lock(*file, &taken);
    if (error) {
        char text[128];
        os_error_text(error, text);
        base_log(log, WEIR_LOG_WARNING,
                 "%s: this file system does not support locks (%s): do not start a second Weir in "
                 "this folder",
                 folder, text);
        return WEIR_OK;
    }
    if (!taken) return fail_locked(log, folder, path);
    error = write_owner(*file);
    return error ? file_fail(log, path, "cannot be written", error) : WEIR_OK;
}

weir_result base_lock_acquire(const weir_log *log, const char *folder, base_lock **out)
{
    *out = NULL;
    WEIR_RETURN_IF_ERROR(base_folder_make(log, folder));
    base_lock *lock = base_alloc(1, sizeof *lock);
    char *path = base_path_join(folder, LOCK_NAME);
    weir_result result = lock && path ? WEIR_OK
                                      : base_fail(log, WEIR_ERROR_MEMORY,
                                                  "%s: not enough memory for its lock", folder);
    if (lock) lock->file = OS_NO_FILE;
    if (result == WEIR_OK) result = try_lock_file(log, folder, path, &lock->file);
    base_free(path);
    if (result == WEIR_OK)
        *out = lock;
    else
        base_lock_release(&lock);
    return result;
}

void base_lock_release(base_lock **lock)
{
    if (!*lock) return;
    if ((*lock)->file != OS_NO_FILE) os_file_close((*lock)->file);
    base_free(*lock);
    *lock = NULL;
}

/* ---- temporary files of killed writers ------------------------------------------------------- */

static const char *skip_digits_backwards(const char *start, const char *end)
{
    while (end > start && end[-1] >= '0' && end[-1] <= '9')
        end--;
    return end;
}

/* Recognizes ".NAME.PROCESS-NUMBER.tmp", the form of base_writer's temporary names. */
static bool is_temporary_name(const char *name)
{
    static const char rest[] = ".tmp";
    size_t size = strlen(name);
    if (name[0] != '.' || size < sizeof rest) return false;
    const char *end = name + size - (sizeof rest - 1);
    if (strcmp(end, rest) != 0) return false;
    const char *number = skip_digits_backwards(name, end);
    if (number == end || number[-1] != '-') return false;
    const char *process = skip_digits_backwards(name, number - 1);
    return process < number - 1 && process - name > 1 && process[-1] == '.';
}

/* Removes a temporary file if nobody holds its lock. */
static weir_result remove_if_stale(const weir_log *log, const char *path)
{
    os_file file;
    bool left = false;
    if (os_file_open(path, OS_READ, &file) != 0)
        return WEIR_OK; /* its writer has just renamed it */
    int error = os_file_lock(file, &left);
    weir_result result = !error && left ? base_file_remove(log, path) : WEIR_OK;
    os_file_close(file);
    return result;
}

weir_result base_folder_remove_temporaries(const weir_log *log, const char *folder)
{
    char **names;
    size_t count;
    if (!base_path_is_folder(folder)) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(base_folder_list(log, folder, &names, &count));
    weir_result result = WEIR_OK;
    for (size_t i = 0; i < count && result == WEIR_OK; i++) {
        if (!is_temporary_name(names[i])) continue;
        char *path = base_path_join(folder, names[i]);
        result =
            path ? remove_if_stale(log, path)
                 : base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for a name", folder);
        base_free(path);
    }
    base_names_free(names, count);
    return result;
}
