/* Checks that the library found at run time matches the headers that the program was compiled with.
 * weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_VERSION_PUBLIC_H
#define WEIR_VERSION_PUBLIC_H

#include "core.h"

#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Stands for all that these headers declare: with a field more it is another. Who changes a
 * declaration runs tools/python-bindings, which writes it; a test finds it forgotten. */
#define WEIR_ABI 0xcfcb8a19u

/* WEIR_ABI of the headers that the library was built with. */
WEIR_API uint32_t weir_abi(void);

/* Call it first, before any struct of these headers reaches the library. Before 1.0 a minor version
 * may change the public API; a patch does not. Errors: UNSUPPORTED when the library's major or
 * minor version, or its WEIR_ABI, is not the headers'; the log (may be NULL) has both, and what to
 * do. */
static inline weir_result weir_version_check(const weir_log *log)
{
    char mine[32], text[320];
    const char *found = weir_version();
    int size = snprintf(mine, sizeof mine, "%d.%d.", WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR);
    bool same = strncmp(found, mine, (size_t)size) == 0;
    if (same && weir_abi() == WEIR_ABI) return WEIR_OK;
    if (same)
        snprintf(text, sizeof text,
                 "the library found, Weir %.32s, was built with other headers (%08x) than this "
                 "program (%08x): its structs may be larger than the program's. Compile the "
                 "program anew with the library's headers, or install the library of those headers",
                 found, (unsigned)weir_abi(), (unsigned)WEIR_ABI);
    else
        snprintf(
            text, sizeof text,
            "the library found is Weir %.32s, but this program was compiled with the headers of "
            "Weir %s%d: install the library of that version, or compile the program anew",
            found, mine, WEIR_VERSION_PATCH);
    if (log && log->write) log->write(log->user, WEIR_LOG_ERROR, text);
    return WEIR_ERROR_UNSUPPORTED;
}

#ifdef __cplusplus
}
#endif
#endif
