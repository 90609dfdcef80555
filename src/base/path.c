/* Paths as text: UTF-8 with '/'. */
#include "base.h"

bool base_path_is_absolute(const char *path)
{
    return path[0] == '/';
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
