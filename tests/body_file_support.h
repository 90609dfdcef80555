/* A folder with the mesh file of a body, for test groups that capture log messages. */
#ifndef WEIR_TESTS_BODY_FILE_SUPPORT_H
#define WEIR_TESTS_BODY_FILE_SUPPORT_H

#include "told_support.h"

#include <unistd.h>

static char folder[] = "/tmp/weir-bodies-XXXXXX";
static char *path; /* of the mesh file, which a test writes */

static int open_group(void **state)
{
    assert_non_null(mkdtemp(folder));
    path = base_path_join(folder, "body.obj");
    assert_non_null(path);
    return open_listening_device(state);
}

static int close_group(void **state)
{
    base_file_remove(NULL, path);
    base_free(path);
    rmdir(folder);
    return close_device(state);
}

#endif
