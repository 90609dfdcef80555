/* Preloaded into `weir` for tests: the system's calls on the files below the folder FAIL_IN, of
 * which the FAIL_AT-th fails. With FAIL_ON all later ones fail, too, as on a disk that is gone;
 * with FAIL_KILL the program is killed there, in a write when half of its bytes are written. From
 * the FAIL_LOW-th question on the disk has no room left. At the end the number of calls goes into
 * the file FAIL_COUNT. */
#define _GNU_SOURCE
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

/* Each call and the error with which it fails. */
#define CALLS(X)     \
    X(open, ENOSPC)  \
    X(read, EIO)     \
    X(write, ENOSPC) \
    X(fsync, EIO)    \
    X(ftruncate, EIO) X(flock, ENOLCK) X(close, EIO) X(rename, EIO) X(mkdir, ENOSPC) X(unlink, EIO)
enum {
#define X(name, error) CALL_##name,
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
static atomic_bool watched[FILES]; /* open files below the folder */

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

/* Counts the call; sets errno when it is to fail. */
static bool fails(int call)
{
    int number = ++calls, at = setting("FAIL_AT");
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
    if (below && fails(CALL_open)) return -1;
    int file = REAL(open)(path, flags, mode);
    if (file >= 0 && file < FILES) watched[file] = below;
    return file;
}

ssize_t read(int file, void *bytes, size_t size)
{
    if (is_watched(file) && fails(CALL_read)) return -1;
    return REAL(read)(file, bytes, size);
}

/* A write that fails has written the first half. */
ssize_t write(int file, const void *bytes, size_t size)
{
    if (!is_watched(file) || !fails(CALL_write)) return REAL(write)(file, bytes, size);
    int error = errno;
    ssize_t half = REAL(write)(file, bytes, size / 2);
    (void)half;
    kill_if_wanted();
    errno = error;
    return -1;
}

int fsync(int file)
{
    return is_watched(file) && fails(CALL_fsync) ? -1 : REAL(fsync)(file);
}

int ftruncate(int file, off_t size)
{
    return is_watched(file) && fails(CALL_ftruncate) ? -1 : REAL(ftruncate)(file, size);
}

int flock(int file, int operation)
{
    return is_watched(file) && fails(CALL_flock) ? -1 : REAL(flock)(file, operation);
}

/* A close that fails has closed the file. */
int close(int file)
{
    bool fail = is_watched(file) && fails(CALL_close);
    int error = errno;
    if (is_watched(file)) watched[file] = false;
    int done = REAL(close)(file);
    if (fail) errno = error;
    return fail ? -1 : done;
}

int rename(const char *from, const char *to)
{
    return is_below(to) && fails(CALL_rename) ? -1 : REAL(rename)(from, to);
}

int mkdir(const char *path, mode_t mode)
{
    return is_below(path) && fails(CALL_mkdir) ? -1 : REAL(mkdir)(path, mode);
}

int unlink(const char *path)
{
    return is_below(path) && fails(CALL_unlink) ? -1 : REAL(unlink)(path);
}

int statvfs(const char *restrict path, struct statvfs *restrict info)
{
    int done = REAL(statvfs)(path, info), low = setting("FAIL_LOW");
    if (done == 0 && is_below(path) && low > 0 && ++questions >= low) info->f_bavail = 0;
    return done;
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("FAIL_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%d\n", calls);
    fclose(file);
}
