#include "told_support.h"

char said[8192]; /* warnings and errors since it was cleared, one per line */

static void keep_said(void *user, weir_log_level level, const char *text)
{
    (void)user;
    size_t used = strlen(said);
    if (level <= WEIR_LOG_WARNING) snprintf(said + used, sizeof said - used, "%s\n", text);
}

int open_listening_device(void **state)
{
    weir_device_def def = weir_device_def_default();
    def.log = (weir_log){.write = keep_said, .level = WEIR_LOG_WARNING};
    def.cache_folder = "";
    OK(gpu_device_create(&def, &device));
    return 0;
}

void assert_said(const char *part)
{
    if (!strstr(said, part)) fail_msg("\"%s\" does not say \"%s\"", said, part);
}
