/* One device for all tests of a program, with a record of its log messages. */
#ifndef WEIR_TESTS_TOLD_SUPPORT_H
#define WEIR_TESTS_TOLD_SUPPORT_H

#include "sim_support.h"

static gpu_device *device;
static char said[8192]; /* warnings and errors since it was cleared, one per line */

static inline void keep_said(void *user, weir_log_level level, const char *text)
{
    (void)user;
    size_t used = strlen(said);
    if (level <= WEIR_LOG_WARNING) snprintf(said + used, sizeof said - used, "%s\n", text);
}

static inline int open_listening_device(void **state)
{
    (void)state;
    weir_device_def def = weir_device_def_default();
    def.log = (weir_log){.write = keep_said, .level = WEIR_LOG_WARNING};
    def.cache_folder = "";
    OK(gpu_device_create(&def, &device));
    return 0;
}

static inline int close_device(void **state)
{
    (void)state;
    return close_gpu(&device);
}

static inline void assert_said(const char *part)
{
    if (!strstr(said, part)) fail_msg("\"%s\" does not say \"%s\"", said, part);
}

#endif
