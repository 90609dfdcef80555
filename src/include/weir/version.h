/* Checks that the library loaded at run time matches the headers that the program was compiled
 * with. weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_VERSION_PUBLIC_H
#define WEIR_VERSION_PUBLIC_H

#include "core.h"

#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Hash of all declarations of the public headers: one more field in a struct changes it. After a
 * change of a declaration run tests/structure/test_abi.py --write, which writes it; without --write
 * the test fails when it is stale. */
#define WEIR_ABI 0xd1a4af2cu

/* Returns WEIR_ABI of the headers that the library was built with. Any thread. */
WEIR_API uint32_t weir_abi(void);

/* Compares the version of the library with that of the headers. Call this function before any
 * struct of these headers reaches the library. A newer minor version keeps all declarations of an
 * older one (docs/compatibility.md); a patch version changes none. `log` may be NULL; on failure it
 * receives both versions and what to do. Any thread. Errors: UNSUPPORTED when the major version
 * differs, the library's minor version is older, or the minor version is the same and WEIR_ABI
 * differs. */
static inline weir_result weir_version_check(const weir_log *log)
{
    char mine[32], text[320];
    const char *found = weir_version();
    int size = snprintf(mine, sizeof mine, "%d.%d.", WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR);
    bool same = strncmp(found, mine, (size_t)size) == 0;
    int major = -1, minor = -1;
    if (!same && sscanf(found, "%d.%d.", &major, &minor) == 2 && major == WEIR_VERSION_MAJOR &&
        minor > WEIR_VERSION_MINOR)
        return WEIR_OK;
    if (same && weir_abi() == WEIR_ABI) return WEIR_OK;
    if (same)
        snprintf(
            text, sizeof text,
            "the library found, Weir %.32s, was built with other headers (%08x) than this "
            "program (%08x): its structs may be larger than the program's. Compile the "
            "program again with the library's headers, or install the library of those headers",
            found, (unsigned)weir_abi(), (unsigned)WEIR_ABI);
    else
        snprintf(
            text, sizeof text,
            "the library found is Weir %.32s, but this program was compiled with the headers of "
            "Weir %s%d: install the library of that version, or compile the program again",
            found, mine, WEIR_VERSION_PATCH);
    if (log && log->write) log->write(log->user, WEIR_LOG_ERROR, text);
    return WEIR_ERROR_UNSUPPORTED;
}

#ifdef __cplusplus
}
#endif
#endif
