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

static char scratch[64];
static char said[262144];          /* output of the last command, both streams */
static const char *settings = ":"; /* shell commands that run before each command */

static inline int make_scratch(const char *pattern)
{
    strcpy(scratch, pattern);
    return mkdtemp(scratch) ? 0 : -1;
}

static inline int close_scratch(void **state)
{
    char command[96];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    return system(command) == 0 ? 0 : -1;
}

static inline void write_scratch(const char *name, const char *text)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    assert_int_equal(base_file_write(NULL, path, text, strlen(text)), WEIR_OK);
}

/* With VK_LAYER_SETTINGS_PATH=$PWD, --validation checks every memory access of shaders only where
 * checks_shaders() is true. */
static inline void write_layer_settings(void)
{
    write_scratch("vk_layer_settings.txt",
                  checks_shaders() ? "" : "khronos_validation.gpuav_buffer_oob = false\n");
}

/* Reads a file of the scratch folder into `said`. */
static inline void read_said(const char *name)
{
    char path[160];
    base_blob blob = {0};
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    assert_int_equal(base_file_read(NULL, path, sizeof said - 1, &blob), WEIR_OK);
    memcpy(said, blob.bytes, blob.size);
    said[blob.size] = '\0';
    base_blob_free(&blob);
}

/* Runs a shell command in the scratch folder, where $W is the program. Returns its exit status. */
static inline int shell(const char *command)
{
    char line[4096];
    const char *other = getenv("WEIR_PROGRAM");
    snprintf(line, sizeof line, "cd %s && W=%s && { %s; } && { %s; } > said 2>&1", scratch,
             other ? other : WEIR_PROGRAM, settings, command);
    int status = system(line);
    read_said("said");
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static inline void assert_status(const char *command, int status)
{
    int got = shell(command);
    if (got != status) fail_msg("%s: status %d, expected %d:\n%s", command, got, status, said);
}

static inline void assert_said(const char *words)
{
    if (!strstr(said, words)) fail_msg("\"%s\" was not said:\n%s", words, said);
}

#endif
