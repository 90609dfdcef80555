/* A folder with the mesh file of a body, for test groups that capture log messages. */
#ifndef WEIR_TESTS_BODY_FILE_SUPPORT_H
#define WEIR_TESTS_BODY_FILE_SUPPORT_H

#include "told_support.h"

#include <unistd.h>

extern char *path; /* of the mesh file, which a test writes */

int open_group(void **state);
int close_group(void **state);

#endif
