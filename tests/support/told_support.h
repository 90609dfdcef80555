/* One device for all tests of a program, with a record of its log messages. */
#ifndef WEIR_TESTS_TOLD_SUPPORT_H
#define WEIR_TESTS_TOLD_SUPPORT_H

#include "device_support.h"
#include "sim_support.h"

extern char said[8192]; /* warnings and errors since it was cleared, one per line */

int open_listening_device(void **state);
void assert_said(const char *part);

#endif
