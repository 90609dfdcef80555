#define _XOPEN_SOURCE 700
#include "cli_support.h"

char scratch[64];
char said[262144];          /* output of the last command, both streams */
const char *settings = ":"; /* shell commands that run before each command */

int make_scratch(const char *pattern)
{
    strcpy(scratch, pattern);
    return mkdtemp(scratch) ? 0 : -1;
}

int close_scratch(void **state)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    return system(command) == 0 ? 0 : -1;
}

void write_scratch(const char *name, const char *text)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    assert_int_equal(base_file_write(NULL, path, text, strlen(text)), WEIR_OK);
}

void write_layer_settings(void)
{
    write_scratch("vk_layer_settings.txt",
                  checks_shaders() ? "" : "khronos_validation.gpuav_buffer_oob = false\n");
}

void read_said(const char *name)
{
    char path[160];
    base_blob blob = {0};
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    assert_int_equal(base_file_read(NULL, path, sizeof said - 1, &blob), WEIR_OK);
    memcpy(said, blob.bytes, blob.size);
    said[blob.size] = '\0';
    base_blob_free(&blob);
}

int shell(const char *command)
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

void assert_status(const char *command, int status)
{
    int got = shell(command);
    if (got != status) fail_msg("%s: status %d, expected %d:\n%s", command, got, status, said);
}

void assert_said(const char *words)
{
    if (!strstr(said, words)) fail_msg("\"%s\" was not said:\n%s", words, said);
}
