/* Functions that Mesa's drivers for Debian 13 call and that the libraries of Debian 12 lack.
 * tools/get-mesa makes the drivers load this library. Programs without a window call only the first
 * five. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the C library: since 2.38 these functions, which also read 0b101, have new names ----------
 */

long __isoc23_strtol(const char *text, char **end, int base)
{
    return strtol(text, end, base);
}

long long __isoc23_strtoll(const char *text, char **end, int base)
{
    return strtoll(text, end, base);
}

unsigned long __isoc23_strtoul(const char *text, char **end, int base)
{
    return strtoul(text, end, base);
}

unsigned long long __isoc23_strtoull(const char *text, char **end, int base)
{
    return strtoull(text, end, base);
}

int __isoc23_sscanf(const char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = vsscanf(text, format, list);
    va_end(list);
    return count;
}

/* ---- the C++ library: that of GCC 13 initialises std::cout in the library ----------------------
 */

void _ZSt21ios_base_library_initv(void) {}

/* ---- windows --------------------------------------------------------------------------------- */

/* Wayland 1.23 names queues, for messages only. */
void *wl_display_create_queue_with_name(void *display, const char *name)
{
    (void)name;
    void *(*create)(void *) = (void *(*)(void *))dlsym(RTLD_DEFAULT, "wl_display_create_queue");
    return create ? create(display) : NULL;
}

#define RETURNS_NULL(name) \
    void *name(void)       \
    {                      \
        return NULL;       \
    }

/* libxcb 1.17, for GPUs only: Mesa calls these if the X server reports that it supports them. */
RETURNS_NULL(xcb_dri3_free_syncobj)
RETURNS_NULL(xcb_dri3_import_syncobj_checked)
RETURNS_NULL(xcb_present_pixmap_synced)

/* libdisplay-info 0.2, for displays without a window system, of which none is reported. */
RETURNS_NULL(di_info_parse_edid)
RETURNS_NULL(di_info_destroy)
RETURNS_NULL(di_info_get_edid)
RETURNS_NULL(di_info_get_failure_msg)
RETURNS_NULL(di_info_get_make)
RETURNS_NULL(di_info_get_model)
RETURNS_NULL(di_edid_get_chromaticity_coords)
RETURNS_NULL(di_edid_get_extensions)
RETURNS_NULL(di_edid_get_screen_size)
RETURNS_NULL(di_edid_cta_get_data_blocks)
RETURNS_NULL(di_edid_ext_get_cta)
RETURNS_NULL(di_cta_data_block_get_colorimetry)
RETURNS_NULL(di_cta_data_block_get_hdr_static_metadata)
