/* Declarations shared by the Windows sources of base. */
#ifndef WEIR_BASE_OS_WINDOWS_H
#define WEIR_BASE_OS_WINDOWS_H

#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#if !defined(_WIN32_WINNT)
#define _WIN32_WINNT 0x0A00 /* Windows 10 */
#endif
#include <windows.h>

/* Constants missing from mingw-w64's headers, with Microsoft's values. */
#if !defined(CREATE_WAITABLE_TIMER_HIGH_RESOLUTION)
#define CREATE_WAITABLE_TIMER_HIGH_RESOLUTION 0x00000002
#endif
#if !defined(ERROR_DIRECTORY_NOT_SUPPORTED)
#define ERROR_DIRECTORY_NOT_SUPPORTED 336L
#endif
#define OS_RENAME_INFO_EX ((FILE_INFO_BY_HANDLE_CLASS)22) /* FileRenameInfoEx */

#include "base.h"
#include "base_os.h"

#include <stdlib.h>

/* Converts a path to UTF-16 in the form that the system needs: absolute, of any length, with '\'.
 * Returns the system's error number. Release with free: the memory comes from the C library, not
 * from base_alloc. */
int os_utf8_to_utf16_path(const char *path, wchar_t **wide);
/* Converts any text to UTF-16; NULL when it is not UTF-8 or memory is short. Release with free. */
wchar_t *os_utf8_to_utf16(const char *text);
/* Convert to UTF-8, the second also from '\' to '/'. NULL when memory is short. Release with
 * base_free. */
char *os_utf16_to_utf8(const wchar_t *wide);
char *os_utf16_to_utf8_path(const wchar_t *wide);

#endif
