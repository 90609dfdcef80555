/* Preloaded into `weir` for tests: intercepts system calls on files below the folder FAIL_IN and
   lets the FAIL_AT-th fail. With FAIL_ON all later ones fail, too, as on a disk that is gone.
   With FAIL_KILL the program is killed there; in a write, after half of the bytes. From the
   FAIL_LOW-th query on, the disk reports no free space. At exit the names of the calls are
   written to the file FAIL_COUNT, one per line; calls on files that are appended to are marked. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define FILES 1024
#define LOGGED 65536

/* Each call, and the error with which it fails. */
#define CALLS(X) CHANGES(X) QUESTIONS(X)
#define CHANGES(X)    \
    X(open, ENOSPC)   \
    X(read, EIO)      \
    X(write, ENOSPC)  \
    X(fsync, EIO)     \
    X(ftruncate, EIO) \
    X(flock, ENOLCK) X(close, EIO) X(rename, EIO) X(mkdir, ENOSPC) X(unlink, EIO)
#define QUESTIONS(X) X(stat, EIO) X(fstat, EIO) X(fstatat, EIO) X(opendir, EIO) X(readdir, EIO)
enum {
#define X(name, error) CALL_##name,
    CALLS(X)
#undef X
};
static const char *const names[] = {
#define X(name, error) #name,
    CALLS(X)
#undef X
};
static const int errors[] = {
#define X(name, error) error,
    CALLS(X)
#undef X
};

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static atomic_int calls, questions;
static atomic_bool watched[FILES];  /* open files below the folder */
static atomic_bool appended[FILES]; /* those of them that are appended to */
static atomic_int done[LOGGED];     /* twice the call, plus 1 for such a file */

static int setting(const char *name)
{
    const char *value = getenv(name);
    return value ? atoi(value) : 0;
}

static bool is_below(const char *path)
{
    const char *folder = getenv("FAIL_IN");
    return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static bool is_watched(int file)
{
    return file >= 0 && file < FILES && watched[file];
}

static void kill_if_wanted(void)
{
    if (setting("FAIL_KILL")) raise(SIGKILL);
}

/* Counts the call on a file, -1 for none; sets errno if it is to fail. */
static bool fails(int call, int file)
{
    int number = ++calls, at = setting("FAIL_AT");
    if (number < LOGGED) done[number] = 2 * call + (file >= 0 && appended[file]);
    bool fail = at > 0 && (number == at || (number > at && setting("FAIL_ON")));
    if (fail && call != CALL_write) kill_if_wanted();
    if (fail) errno = errors[call];
    return fail;
}

int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
    va_end(list);
    bool below = is_below(path);
    if (below && fails(CALL_open, -1)) return -1;
    int file = REAL(open)(path, flags, mode);
    if (file >= 0 && file < FILES) watched[file] = below;
    if (is_watched(file)) appended[file] = flags & O_APPEND;
    return file;
}

ssize_t read(int file, void *bytes, size_t size)
{
    if (is_watched(file) && fails(CALL_read, file)) return -1;
    return REAL(read)(file, bytes, size);
}

/* A failing write has written the first half. */
ssize_t write(int file, const void *bytes, size_t size)
{
    if (!is_watched(file) || !fails(CALL_write, file)) return REAL(write)(file, bytes, size);
    int error = errno;
    ssize_t half = REAL(write)(file, bytes, size / 2);
    (void)half;
    kill_if_wanted();
    errno = error;
    return -1;
}

int fsync(int file)
{
    return is_watched(file) && fails(CALL_fsync, file) ? -1 : REAL(fsync)(file);
}

int ftruncate(int file, off_t size)
{
    return is_watched(file) && fails(CALL_ftruncate, file) ? -1 : REAL(ftruncate)(file, size);
}

int flock(int file, int operation)
{
    return is_watched(file) && fails(CALL_flock, file) ? -1 : REAL(flock)(file, operation);
}

/* A failing close has closed the file. */
int close(int file)
{
    bool fail = is_watched(file) && fails(CALL_close, file);
    int error = errno;
    if (is_watched(file)) watched[file] = false;
    int closed = REAL(close)(file);
    if (fail) errno = error;
    return fail ? -1 : closed;
}

int rename(const char *from, const char *to)
{
    return is_below(to) && fails(CALL_rename, -1) ? -1 : REAL(rename)(from, to);
}

int mkdir(const char *path, mode_t mode)
{
    return is_below(path) && fails(CALL_mkdir, -1) ? -1 : REAL(mkdir)(path, mode);
}

int unlink(const char *path)
{
    return is_below(path) && fails(CALL_unlink, -1) ? -1 : REAL(unlink)(path);
}

int stat(const char *restrict path, struct stat *restrict info)
{
    return is_below(path) && fails(CALL_stat, -1) ? -1 : REAL(stat)(path, info);
}

int fstat(int file, struct stat *info)
{
    return is_watched(file) && fails(CALL_fstat, file) ? -1 : REAL(fstat)(file, info);
}

int fstatat(int folder, const char *restrict path, struct stat *restrict info, int flags)
{
    if (is_watched(folder) && fails(CALL_fstatat, -1)) return -1;
    return REAL(fstatat)(folder, path, info, flags);
}

DIR *opendir(const char *path)
{
    bool below = is_below(path);
    if (below && fails(CALL_opendir, -1)) return NULL;
    DIR *folder = REAL(opendir)(path);
    if (folder && dirfd(folder) < FILES) watched[dirfd(folder)] = below;
    return folder;
}

struct dirent *readdir(DIR *folder)
{
    return is_watched(dirfd(folder)) && fails(CALL_readdir, -1) ? NULL : REAL(readdir)(folder);
}

int closedir(DIR *folder)
{
    if (is_watched(dirfd(folder))) watched[dirfd(folder)] = false;
    return REAL(closedir)(folder);
}

int statvfs(const char *restrict path, struct statvfs *restrict info)
{
    int asked = REAL(statvfs)(path, info), low = setting("FAIL_LOW");
    if (asked == 0 && is_below(path) && low > 0 && ++questions >= low) info->f_bavail = 0;
    return asked;
}

/* A program that the run starts, such as a sanitizer's symbolizer, reports no calls. */
__attribute__((destructor)) static void tell(void)
{
    const char *path = calls > 0 ? getenv("FAIL_COUNT") : NULL;
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    for (int i = 1; i <= calls && i < LOGGED; i++)
        fprintf(file, "%s%s\n", names[done[i] / 2], done[i] % 2 ? " of a file that grows" : "");
    fclose(file);
}
