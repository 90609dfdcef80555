/* Files on Windows. Every handle lets others read, write, rename and delete the file, as on POSIX
 * systems. */
#include "os_windows.h"

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

static int error_or_zero(bool good)
{
    return good ? 0 : (int)GetLastError();
}

static HANDLE os_handle(os_file file)
{
    return (HANDLE)file;
}

int os_file_open(const char *path, os_mode mode, os_file *file)
{
    static const struct {
        DWORD access, creation;
    } how[] = {
        [OS_READ] = {GENERIC_READ, OPEN_EXISTING},  [OS_CREATE_NEW] = {GENERIC_WRITE, CREATE_NEW},
        [OS_APPEND] = {GENERIC_WRITE, OPEN_ALWAYS}, [OS_OVERWRITE] = {GENERIC_WRITE, OPEN_EXISTING},
        [OS_LOCK] = {GENERIC_WRITE, OPEN_ALWAYS},
    };
    wchar_t *wide;
    *file = OS_NO_FILE;
    int error = os_utf8_to_utf16_path(path, &wide);
    if (error) return error;
    /* FILE_FLAG_BACKUP_SEMANTICS opens folders too; the caller then sees that the file is a
     * folder. */
    HANDLE handle = CreateFileW(wide, how[mode].access, SHARE_ALL, NULL, how[mode].creation,
                                FILE_ATTRIBUTE_NORMAL | FILE_FLAG_BACKUP_SEMANTICS, NULL);
    error = error_or_zero(handle != INVALID_HANDLE_VALUE);
    free(wide);
    if (error) return error;
    *file = (os_file)handle;
    if (mode == OS_APPEND) SetFilePointerEx(handle, (LARGE_INTEGER){0}, NULL, FILE_END);
    return 0;
}

static os_kind file_kind(DWORD attributes)
{
    return attributes & FILE_ATTRIBUTE_DIRECTORY ? OS_FOLDER
           : attributes & FILE_ATTRIBUTE_DEVICE  ? OS_OTHER
                                                 : OS_FILE;
}

int os_file_info(os_file file, os_kind *kind, uint64_t *size)
{
    BY_HANDLE_FILE_INFORMATION info = {0};
    *kind = OS_OTHER;
    *size = 0;
    if (GetFileType(os_handle(file)) != FILE_TYPE_DISK) return 0;
    if (!GetFileInformationByHandle(os_handle(file), &info)) return error_or_zero(false);
    *kind = file_kind(info.dwFileAttributes);
    *size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
    return 0;
}

/* Limits the size of one call, which is a 32-bit number. */
static DWORD max_io_bytes(size_t size)
{
    const size_t most = (size_t)1 << 30;
    return (DWORD)(size < most ? size : most);
}

int os_file_read(os_file file, void *bytes, size_t size, size_t *got)
{
    DWORD count = 0;
    int error = error_or_zero(ReadFile(os_handle(file), bytes, max_io_bytes(size), &count, NULL));
    *got = count;
    return error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF ? 0 : error;
}

int os_file_write(os_file file, const void *bytes, size_t size)
{
    const char *p = bytes;
    while (size > 0) {
        DWORD count = 0;
        if (!WriteFile(os_handle(file), p, max_io_bytes(size), &count, NULL))
            return error_or_zero(false);
        p += count;
        size -= count;
    }
    return 0;
}

int os_file_flush(os_file file)
{
    return error_or_zero(FlushFileBuffers(os_handle(file)));
}

int os_file_truncate(os_file file, uint64_t size)
{
    LARGE_INTEGER end = {.QuadPart = (LONGLONG)size};
    return error_or_zero(SetFilePointerEx(os_handle(file), end, NULL, FILE_BEGIN) &&
                         SetEndOfFile(os_handle(file)));
}

/* Locks a byte beyond the end of any possible file, because Windows keeps others from reading a
 * locked range. */
int os_file_lock(os_file file, bool *taken)
{
    OVERLAPPED at = {.Offset = 0xFFFFFFFE, .OffsetHigh = 0x7FFFFFFF};
    int error = error_or_zero(LockFileEx(
        os_handle(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at));
    *taken = error == 0;
    return error == ERROR_LOCK_VIOLATION || error == ERROR_IO_PENDING ? 0 : error;
}

int os_file_close(os_file file)
{
    return error_or_zero(CloseHandle(os_handle(file)));
}

/* ---- paths ---------------------------------------------------------------------------------- */

static int attributes_of(const char *path, WIN32_FILE_ATTRIBUTE_DATA *data)
{
    wchar_t *wide;
    int error = os_utf8_to_utf16_path(path, &wide);
    if (error) return error;
    *data = (WIN32_FILE_ATTRIBUTE_DATA){.dwFileAttributes = FILE_ATTRIBUTE_DEVICE};
    bool device = wcsncmp(wide, L"\\\\.\\", 4) == 0; /* NUL, CON, COM1 */
    if (!device) error = error_or_zero(GetFileAttributesExW(wide, GetFileExInfoStandard, data));
    free(wide);
    return error;
}

int os_path_kind(const char *path, os_kind *kind)
{
    WIN32_FILE_ATTRIBUTE_DATA data;
    int error = attributes_of(path, &data);
    if (!error) *kind = file_kind(data.dwFileAttributes);
    return error;
}

int os_path_modified_ns(const char *path, int64_t *time_ns)
{
    const int64_t year_1970 = 116444736000000000; /* in 100 ns since 1601 */
    WIN32_FILE_ATTRIBUTE_DATA data;
    int error = attributes_of(path, &data);
    if (error) return error;
    int64_t time = (int64_t)data.ftLastWriteTime.dwHighDateTime << 32;
    *time_ns = ((time | data.ftLastWriteTime.dwLowDateTime) - year_1970) * 100;
    return 0;
}

/* Returns whether to try again: virus scanners, indexers and readers can hold a file for a
 * moment. */
static bool is_sharing_violation(int error)
{
    return error == ERROR_ACCESS_DENIED || error == ERROR_SHARING_VIOLATION;
}

/* Replaces a file that others may have open. Windows 10 can do so on its own file systems, and the
 * flush writes the new name to the disk; elsewhere it fails. */
static int replace_open_file(const wchar_t *from, const wchar_t *to)
{
    size_t bytes = wcslen(to) * sizeof *to;
    FILE_RENAME_INFO *info = base_alloc(1, sizeof *info + bytes);
    if (!info) return ERROR_NOT_ENOUGH_MEMORY;
    info->Flags = FILE_RENAME_FLAG_REPLACE_IF_EXISTS | FILE_RENAME_FLAG_POSIX_SEMANTICS;
    info->FileNameLength = (DWORD)bytes;
    memcpy(info->FileName, to, bytes);
    HANDLE file =
        CreateFileW(from, GENERIC_WRITE | DELETE, SHARE_ALL, NULL, OPEN_EXISTING, 0, NULL);
    int error = error_or_zero(file != INVALID_HANDLE_VALUE);
    if (!error)
        error = error_or_zero(SetFileInformationByHandle(file, OS_RENAME_INFO_EX, info,
                                                         (DWORD)(sizeof *info + bytes)));
    if (!error) error = error_or_zero(FlushFileBuffers(file));
    if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
    base_free(info);
    return error;
}

static int rename_wide(const wchar_t *from, const wchar_t *to)
{
    enum { TRIES = 40, WAIT_MS = 25 };
    int error = replace_open_file(from, to);
    for (int i = 0; error && i < TRIES; i++) {
        const DWORD flags = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
        if (i) Sleep(WAIT_MS);
        error = error_or_zero(MoveFileExW(from, to, flags));
        if (!is_sharing_violation(error)) break;
    }
    return error;
}

int os_path_rename(const char *from, const char *to)
{
    wchar_t *wide_from, *wide_to = NULL;
    os_kind kind;
    if (os_path_kind(to, &kind) == 0 && kind == OS_FOLDER) return ERROR_DIRECTORY_NOT_SUPPORTED;
    int error = os_utf8_to_utf16_path(from, &wide_from);
    if (!error) error = os_utf8_to_utf16_path(to, &wide_to);
    if (!error) error = rename_wide(wide_from, wide_to);
    free(wide_from);
    free(wide_to);
    return error;
}

int os_path_remove(const char *path)
{
    wchar_t *wide;
    int error = os_utf8_to_utf16_path(path, &wide);
    if (!error) error = error_or_zero(DeleteFileW(wide));
    free(wide);
    return error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND ? 0 : error;
}

int os_folder_make(const char *path)
{
    wchar_t *wide;
    os_kind kind;
    int error = os_utf8_to_utf16_path(path, &wide);
    if (!error) error = error_or_zero(CreateDirectoryW(wide, NULL));
    free(wide);
    if (!error || os_path_kind(path, &kind) != 0) return error;
    return kind == OS_FOLDER ? 0 : ERROR_DIRECTORY;
}

/* Does nothing: renaming has flushed the name already, and Windows cannot flush folders. */
int os_folder_flush(const char *path)
{
    (void)path;
    return 0;
}

static int visit_file(const WIN32_FIND_DATAW *entry, bool (*visit)(void *user, const char *name),
                      void *user)
{
    if (file_kind(entry->dwFileAttributes) != OS_FILE) return 0;
    char *name = os_utf16_to_utf8(entry->cFileName);
    bool taken = name && visit(user, name);
    base_free(name);
    return taken ? 0 : ERROR_NOT_ENOUGH_MEMORY;
}

int os_folder_for_each(const char *path, bool (*visit)(void *user, const char *name), void *user)
{
    WIN32_FIND_DATAW entry;
    wchar_t *wide = NULL;
    char *all = base_path_join(path[0] ? path : ".", "*");
    int error = all ? os_utf8_to_utf16_path(all, &wide) : ERROR_NOT_ENOUGH_MEMORY;
    HANDLE folder = error ? INVALID_HANDLE_VALUE : FindFirstFileW(wide, &entry);
    if (!error) error = error_or_zero(folder != INVALID_HANDLE_VALUE);
    base_free(all);
    free(wide);
    if (error) return error;
    do
        error = visit_file(&entry, visit, user);
    while (!error && FindNextFileW(folder, &entry));
    if (!error) error = error_or_zero(false);
    FindClose(folder);
    return error == ERROR_NO_MORE_FILES ? 0 : error;
}

/* ---- errors --------------------------------------------------------------------------------- */

bool os_error_exists(int error)
{
    return error == ERROR_FILE_EXISTS || error == ERROR_ALREADY_EXISTS;
}

void os_error_text(int error, char text[128])
{
    wchar_t wide[128];
    DWORD count = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL,
                                 (DWORD)error, 0, wide, BASE_COUNT(wide), NULL);
    while (count > 0 && wcschr(L"\r\n. ", wide[count - 1]))
        count--;
    int size = WideCharToMultiByte(CP_UTF8, 0, wide, (int)count, text, 127, NULL, NULL);
    text[size > 0 ? size : 0] = '\0';
    if (size <= 0) snprintf(text, 128, "error %d", error);
}

const char *os_error_advice(int error)
{
    switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND: return "check the path's spelling and that its folder exists";
    case ERROR_INVALID_NAME: return "the path contains a character that Windows does not allow";
    case ERROR_NO_UNICODE_TRANSLATION: return "the path is not UTF-8";
    case ERROR_ACCESS_DENIED:
        return "check the permissions of the file and of its folder, and close programs that use "
               "it";
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION: return "another program uses it: close that program";
    case ERROR_WRITE_PROTECT: return "the disk is read-only: choose another folder";
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL: return "free space on that disk or choose another folder";
    case ERROR_FILE_TOO_LARGE: return "the file outgrows the disk's limit";
    case ERROR_DIRECTORY_NOT_SUPPORTED: return "it is a folder: give a file";
    case ERROR_DIRECTORY: return "a part of the path is a file, not a folder: choose another path";
    case ERROR_FILENAME_EXCED_RANGE: return "shorten the name";
    case ERROR_TOO_MANY_OPEN_FILES: return "too many files are open: close programs";
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY: return "free memory and try again";
    case ERROR_CRC:
    case ERROR_IO_DEVICE: return "the disk has failed: check it, or choose another";
    default: return "check the path and the disk";
    }
}
