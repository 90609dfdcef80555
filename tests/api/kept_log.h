/* A log that a test of the public API keeps and searches. Include a header that declares
   weir_log first. */
#ifndef WEIR_TESTS_KEPT_LOG_H
#define WEIR_TESTS_KEPT_LOG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char logged[16384];

static inline void keep_message(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    size_t size = strlen(logged);
    snprintf(logged + size, sizeof logged - size, "%s\n", text);
}

static inline weir_log kept_log(void)
{
    logged[0] = '\0';
    return (weir_log){.write = keep_message, .level = WEIR_LOG_WARNING};
}

/* Asserts that the last calls logged `words`, and clears the log. */
static inline void assert_logged(const char *words)
{
    if (!strstr(logged, words)) fail_msg("\"%s\" is not in the log:\n%s", words, logged);
    logged[0] = '\0';
}

#endif
