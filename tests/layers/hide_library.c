/* Preloaded into programs for tests: dlopen does not find libraries whose names begin with
   HIDE_LIBRARY, as on a machine where they are not installed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define MISSING "/nowhere/hidden.so" /* dlerror says that it cannot be opened */

void *dlopen(const char *path, int mode)
{
    void *(*const real)(const char *, int) =
        (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    const char *hidden = getenv("HIDE_LIBRARY");
    const char *slash = path ? strrchr(path, '/') : NULL;
    const char *name = slash ? slash + 1 : path;
    if (name && hidden && strncmp(name, hidden, strlen(hidden)) == 0) path = MISSING;
    return real(path, mode);
}
