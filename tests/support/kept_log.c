#include "kept_log.h"

char logged[16384];

static void keep_message(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    size_t size = strlen(logged);
    snprintf(logged + size, sizeof logged - size, "%s\n", text);
}

weir_log kept_log(void)
{
    logged[0] = '\0';
    return (weir_log){.write = keep_message, .level = WEIR_LOG_WARNING};
}

void assert_logged(const char *words)
{
    if (!strstr(logged, words)) fail_msg("\"%s\" is not in the log:\n%s", words, logged);
    logged[0] = '\0';
}
