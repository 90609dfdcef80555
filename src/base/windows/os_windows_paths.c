/* Path conversion on Windows: UTF-8 with '/' in Weir, UTF-16 with '\' for the system, of any
 * length. */
#include "os_windows.h"

#include <wchar.h>

wchar_t *os_utf8_to_utf16(const char *text)
{
    int count = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *wide = count > 0 ? calloc((size_t)count, sizeof *wide) : NULL;
    if (wide) MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, count);
    return wide;
}

char *os_utf16_to_utf8(const wchar_t *wide)
{
    int count = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = count > 0 ? base_alloc((size_t)count, 1) : NULL;
    if (text) WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, count, NULL, NULL);
    return text;
}

char *os_utf16_to_utf8_path(const wchar_t *wide)
{
    char *path = os_utf16_to_utf8(wide);
    for (char *p = path; p && *p; p++)
        if (*p == '\\') *p = '/';
    return path;
}

/* Returns the absolute path, preceded by `space` unused characters. */
static wchar_t *full_path(const wchar_t *wide, size_t space)
{
    DWORD count = GetFullPathNameW(wide, 0, NULL, NULL);
    wchar_t *full = count ? calloc(count + space, sizeof *full) : NULL;
    if (full && GetFullPathNameW(wide, count, full + space, NULL) < count) return full;
    free(full);
    return NULL;
}

static bool starts_with(const wchar_t *text, const wchar_t *with)
{
    return wcsncmp(text, with, wcslen(with)) == 0;
}

/* Adds the prefix \\?\ that paths longer than 259 characters, and folders longer than 247, need. */
int os_utf8_to_utf16_path(const char *path, wchar_t **out)
{
    enum { SPACE = 8, LONG = 240 };
    static const wchar_t disk[] = L"\\\\?\\", share[] = L"\\\\?\\UNC";
    wchar_t *wide = os_utf8_to_utf16(path);
    *out = NULL;
    if (!wide) return ERROR_NO_UNICODE_TRANSLATION;
    wchar_t *full = full_path(wide, SPACE);
    free(wide);
    if (!full) return path[0] ? ERROR_NOT_ENOUGH_MEMORY : ERROR_PATH_NOT_FOUND;
    wchar_t *start = full + SPACE;
    bool plain = wcslen(start) < LONG || starts_with(start, disk) || starts_with(start, L"\\\\.\\");
    if (!plain && starts_with(start, L"\\\\")) {
        start -= wcslen(share) - 1; /* "\\server" becomes "\\?\UNC\server" */
        wmemcpy(start, share, wcslen(share));
    } else if (!plain) {
        start -= wcslen(disk);
        wmemcpy(start, disk, wcslen(disk));
    }
    wmemmove(full, start, wcslen(start) + 1);
    *out = full;
    return 0;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Returns the length of "server/share" at `at`, including the separator after it. */
static size_t unc_share_length(const char *at)
{
    static const char separators[] = "/\\";
    size_t length = strcspn(at, separators);
    if (at[length]) length += 1 + strcspn(at + length + 1, separators);
    return length + (at[length] != '\0');
}

size_t os_path_root_length(const char *path)
{
    if (base_is_path_separator(path[0]) && base_is_path_separator(path[1]))
        return 2 + unc_share_length(path + 2);
    if (base_is_path_separator(path[0])) return 1;
    if (!is_letter(path[0]) || path[1] != ':') return 0;
    return base_is_path_separator(path[2]) ? 3 : 2;
}

bool base_is_path_separator(char c)
{
    return c == '/' || c == '\\';
}

char *base_path_absolute(const char *path)
{
    wchar_t *wide = os_utf8_to_utf16(path);
    wchar_t *full = wide ? full_path(wide, 0) : NULL;
    char *absolute = full ? os_utf16_to_utf8_path(full) : NULL;
    free(wide);
    free(full);
    return absolute;
}

static char *from_environment(const wchar_t *variable)
{
    const wchar_t *value = _wgetenv(variable);
    return value && value[0] ? os_utf16_to_utf8_path(value) : NULL;
}

char *base_home_folder(void)
{
    return from_environment(L"USERPROFILE");
}

char *base_cache_folder(void)
{
    char *local = from_environment(L"LOCALAPPDATA");
    char *folder = local ? base_path_join(local, "weir") : NULL;
    base_free(local);
    return folder;
}

uint64_t base_disk_free(const char *path)
{
    uint64_t bytes = UINT64_MAX;
    ULARGE_INTEGER available;
    char *at = base_path_absolute(path && path[0] ? path : ".");
    while (at) {
        wchar_t *wide;
        bool known = os_utf8_to_utf16_path(at, &wide) == 0 &&
                     GetDiskFreeSpaceExW(wide, &available, NULL, NULL);
        free(wide);
        if (known) bytes = available.QuadPart;
        /* A folder that does not exist yet will lie on the disk of its nearest existing parent. */
        char *parent = !known && at[os_path_root_length(at)] ? base_path_folder(at) : NULL;
        base_free(at);
        at = parent;
    }
    return bytes;
}
