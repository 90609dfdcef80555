#include "body_file_support.h"
#include "systems.h"

static char folder[] = "/tmp/weir-bodies-XXXXXX";
char *path; /* of the mesh file, which a test writes */

int open_group(void **state)
{
    assert_true(make_test_folder(folder));
    path = base_path_join(folder, "body.obj");
    assert_non_null(path);
    return open_listening_device(state);
}

int close_group(void **state)
{
    base_file_remove(NULL, path);
    base_free(path);
    rmdir(folder);
    return close_device(state);
}
