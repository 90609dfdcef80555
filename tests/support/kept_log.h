/* A log that a test of the public API keeps and searches. */
#ifndef WEIR_TESTS_KEPT_LOG_H
#define WEIR_TESTS_KEPT_LOG_H

#include "weir/core.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

extern char logged[16384];

weir_log kept_log(void);

/* Asserts that the last calls logged `words`, and clears the log. */
void assert_logged(const char *words);

#endif
