/* Runs command lines as a user types them, in a scratch folder, and captures their output.
 * WEIR_PROGRAM is the path of the program, unless the environment overrides it. Include after the
 * definition of _XOPEN_SOURCE 700. */
#ifndef WEIR_TESTS_CLI_SUPPORT_H
#define WEIR_TESTS_CLI_SUPPORT_H

#include "base.h"
#include "validation.h"

#include <setjmp.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cmocka.h>

#define DONE 0
#define FAILED 1
#define WRONG_USE 2
#define UNEQUAL 3
#define STOPPED 75 /* by a signal, and what was done is saved */

extern char scratch[64];
extern char said[262144];    /* output of the last command, both streams */
extern const char *settings; /* shell commands that run before each command */

int make_scratch(const char *pattern);
int close_scratch(void **state);
void write_scratch(const char *name, const char *text);

/* With VK_LAYER_SETTINGS_PATH=$PWD, --validation checks every memory access of shaders only where
 * checks_shaders() is true. */
void write_layer_settings(void);

/* Reads a file of the scratch folder into `said`. */
void read_said(const char *name);

/* Runs a shell command in the scratch folder, where $W is the program. Returns its exit status. */
int shell(const char *command);

void assert_status(const char *command, int status);
void assert_said(const char *words);

#endif
