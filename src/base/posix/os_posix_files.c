/* Files on POSIX systems. */
#define _POSIX_C_SOURCE 200809L
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE /* flock, F_FULLFSYNC */
#endif
#include "base.h"
#include "base_os.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

int os_file_open(const char *path, os_mode mode, os_file *file)
{
    static const int flags[] = {
        /* Without O_NONBLOCK, opening a pipe would wait for its writer. */
        [OS_READ] = O_RDONLY | O_NONBLOCK,
        [OS_CREATE_NEW] = O_WRONLY | O_CREAT | O_EXCL,
        [OS_APPEND] = O_WRONLY | O_CREAT | O_APPEND,
        [OS_OVERWRITE] = O_WRONLY,
        [OS_LOCK] = O_WRONLY | O_CREAT,
    };
    int opened;
    do
        opened = open(path, flags[mode] | O_CLOEXEC | O_NOCTTY, 0666);
    while (opened < 0 && errno == EINTR);
    *file = opened;
    return opened < 0 ? errno : 0;
}

static os_kind file_kind(mode_t mode)
{
    return S_ISREG(mode) ? OS_FILE : S_ISDIR(mode) ? OS_FOLDER : OS_OTHER;
}

int os_file_info(os_file file, os_kind *kind, uint64_t *size)
{
    struct stat info;
    if (fstat((int)file, &info) != 0) return errno;
    *kind = file_kind(info.st_mode);
    *size = info.st_size > 0 ? (uint64_t)info.st_size : 0;
    return 0;
}

/* Limits the size of one call to 1 GiB: Linux transfers at most 2 GiB per call, and other systems
 * reject more. */
static size_t max_io_bytes(size_t size)
{
    const size_t most = (size_t)1 << 30;
    return size < most ? size : most;
}

int os_file_read(os_file file, void *bytes, size_t size, size_t *got)
{
    ssize_t count;
    do
        count = read((int)file, bytes, max_io_bytes(size));
    while (count < 0 && errno == EINTR);
    *got = count > 0 ? (size_t)count : 0;
    return count < 0 ? errno : 0;
}

int os_file_write(os_file file, const void *bytes, size_t size)
{
    const char *p = bytes;
    while (size > 0) {
        ssize_t count = write((int)file, p, max_io_bytes(size));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        p += count;
        size -= (size_t)count;
    }
    return 0;
}

static int flush_to_disk(int file)
{
#if defined(__APPLE__) /* fsync on macOS leaves the bytes in the disk's own cache */
    if (fcntl(file, F_FULLFSYNC) == 0) return 0;
    if (errno == EINTR) return -1;
#endif
    return fsync(file); /* macOS: for disks that do not support F_FULLFSYNC */
}

int os_file_flush(os_file file)
{
    int done;
    do
        done = flush_to_disk((int)file);
    while (done != 0 && errno == EINTR);
    return done == 0 ? 0 : errno;
}

int os_file_truncate(os_file file, uint64_t size)
{
    int done;
    do
        done = ftruncate((int)file, (off_t)size);
    while (done != 0 && errno == EINTR);
    return done == 0 ? 0 : errno;
}

int os_file_lock(os_file file, bool *taken)
{
    int done;
    do
        done = flock((int)file, LOCK_EX | LOCK_NB);
    while (done != 0 && errno == EINTR);
    *taken = done == 0;
    return done == 0 || errno == EWOULDBLOCK ? 0 : errno;
}

int os_file_close(os_file file)
{
    /* After EINTR, Linux has closed the descriptor; POSIX leaves this open. Never close it
     * again. */
    return close((int)file) == 0 || errno == EINTR ? 0 : errno;
}

int os_path_kind(const char *path, os_kind *kind)
{
    struct stat info;
    if (stat(path, &info) != 0) return errno;
    *kind = file_kind(info.st_mode);
    return 0;
}

int os_path_modified_ns(const char *path, int64_t *time_ns)
{
    struct stat info;
    if (stat(path, &info) != 0) return errno;
#if defined(__APPLE__)
    const struct timespec time = info.st_mtimespec;
#else
    const struct timespec time = info.st_mtim;
#endif
    *time_ns = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
    return 0;
}

int os_path_rename(const char *from, const char *to)
{
    return rename(from, to) == 0 ? 0 : errno;
}

int os_path_remove(const char *path)
{
    return unlink(path) == 0 || errno == ENOENT ? 0 : errno;
}

int os_folder_make(const char *path)
{
    if (mkdir(path, 0777) == 0) return 0;
    int error = errno;
    os_kind kind = OS_FILE;
    int unseen = os_path_kind(path, &kind);
    if (!unseen && kind == OS_FOLDER) return 0;
    if (error != EEXIST) return error;
    return unseen ? unseen : ENOTDIR;
}

int os_folder_flush(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return errno == EACCES ? 0 : errno; /* write-only folders cannot be flushed */
    int error = os_file_flush(folder);
    close(folder);
    return error == EINVAL || error == ENOTSUP ? 0 : error; /* nor can some network disks */
}

int os_folder_for_each(const char *path, bool (*visit)(void *user, const char *name), void *user)
{
    DIR *folder = opendir(path);
    if (!folder) return errno;
    int error = 0;
    for (;;) {
        errno = 0;
        struct dirent *entry = readdir(folder);
        if (!entry) {
            error = errno;
            break;
        }
        struct stat info;
        bool found = fstatat(dirfd(folder), entry->d_name, &info, 0) == 0;
        /* With other errors, the file is gone or is a dangling link. */
        if (!found && errno == EIO) {
            error = errno;
            break;
        }
        if (!found || !S_ISREG(info.st_mode)) continue;
        if (!visit(user, entry->d_name)) {
            error = ENOMEM;
            break;
        }
    }
    closedir(folder);
    return error;
}

uint64_t base_disk_free(const char *path)
{
    struct statvfs info;
    char *at = base_strdup(path && path[0] ? path : ".");
    uint64_t bytes = UINT64_MAX;
    while (at) {
        if (statvfs(at, &info) == 0) {
            bytes = (uint64_t)info.f_bavail * (uint64_t)info.f_frsize;
            break;
        }
        /* A folder that does not exist yet will lie on the disk of its nearest existing parent. */
        char *parent = errno == ENOENT && strcmp(at, ".") != 0 ? base_path_folder(at) : NULL;
        base_free(at);
        at = parent;
    }
    base_free(at);
    return bytes;
}

size_t os_path_root_length(const char *path)
{
    return path[0] == '/';
}

bool base_is_path_separator(char c)
{
    return c == '/';
}

char *base_home_folder(void)
{
    const char *home = getenv("HOME");
    return home && home[0] == '/' ? base_strdup(home) : NULL;
}

static char *from_environment(const char *variable, const char *below)
{
    const char *value = getenv(variable);
    return value && value[0] == '/' ? base_path_join(value, below) : NULL;
}

char *base_cache_folder(void)
{
#if defined(__APPLE__)
    return from_environment("HOME", "Library/Caches/weir");
#else
    char *folder = from_environment("XDG_CACHE_HOME", "weir");
    return folder ? folder : from_environment("HOME", ".cache/weir");
#endif
}

bool os_error_exists(int error)
{
    return error == EEXIST;
}

void os_error_text(int error, char text[128])
{
    if (strerror_r(error, text, 128) != 0) snprintf(text, 128, "error %d", error);
}

const char *os_error_advice(int error)
{
    switch (error) {
    case ENOENT: return "check the path's spelling and that its folder exists";
    case EACCES:
    case EPERM: return "check the permissions of the file and of its folder";
    case EROFS: return "the disk is read-only: choose another folder";
    case ENOSPC:
    case EDQUOT: return "free space on that disk or choose another folder";
    case EFBIG: return "the file outgrows the disk's or the shell's limit (ulimit -f)";
    case EISDIR: return "it is a folder: give a file";
    case ENOTDIR: return "a part of the path is a file, not a folder: choose another path";
    case ENAMETOOLONG: return "shorten the name";
    case ELOOP: return "its symbolic links form a loop: fix them";
    case EMFILE:
    case ENFILE: return "too many files are open: close programs or raise ulimit -n";
    case ENOMEM: return "free memory and try again";
    case EIO: return "the disk has failed: check it, or choose another";
    default: return "check the path and the disk";
    }
}
