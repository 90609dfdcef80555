/* Paths: UTF-8 with '/'. */
#include "base.h"
#include "base_os.h"

bool base_path_is_absolute(const char *path)
{
    return path[0] == '/' || os_path_has_root(path);
}

const char *base_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *base_path_extension(const char *path)
{
    const char *name = base_path_name(path);
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? dot + 1 : "";
}

char *base_path_join(const char *folder, const char *name)
{
    if (!folder || !folder[0] || base_path_is_absolute(name)) return base_strdup(name);
    bool ends = folder[strlen(folder) - 1] == '/';
    return base_format("%s%s%s", folder, ends ? "" : "/", name);
}

char *base_path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash) return base_strdup(".");
    while (slash > path && slash[-1] == '/')
        slash--;
    size_t length = slash == path ? 1 : (size_t)(slash - path);
    char *folder = base_alloc(length + 1, 1);
    if (folder) memcpy(folder, path, length);
    return folder;
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

int64_t base_path_time_ns(const char *path)
{
    int64_t time_ns;
    return os_path_time(path, &time_ns) == 0 ? time_ns : 0;
}
