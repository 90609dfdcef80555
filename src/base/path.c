/* Path manipulation on text alone, without file access. */
#include "base.h"
#include "base_os.h"

bool base_path_is_absolute(const char *path)
{
    return os_path_root_length(path) > 0;
}

const char *base_path_name(const char *path)
{
    const char *name = path + os_path_root_length(path);
    for (const char *p = name; *p; p++)
        if (base_is_path_separator(*p)) name = p + 1;
    return name;
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
    bool ends = base_is_path_separator(folder[strlen(folder) - 1]);
    return base_format("%s%s%s", folder, ends ? "" : "/", name);
}

char *base_path_folder(const char *path)
{
    size_t root = os_path_root_length(path), length = (size_t)(base_path_name(path) - path);
    if (length == 0) return base_strdup(".");
    while (length > root && base_is_path_separator(path[length - 1]))
        length--;
    char *folder = base_alloc(length + 1, 1);
    if (folder) memcpy(folder, path, length);
    return folder;
}
