/* Operating system functions that tests use, with the same interface on all systems. */
#ifndef WEIR_TESTS_SYSTEMS_H
#define WEIR_TESTS_SYSTEMS_H

#include "base.h"
#include "base_os.h"

#include <stdlib.h>
#include <unistd.h>

/* Creates a folder and replaces the last six letters of the pattern by digits. */
bool make_test_folder(char *pattern);

#endif
