/* Support for the tests of io: a scratch folder, plain file writing, and a log that keeps its last
 * message. Include it first. */
#ifndef IO_SUPPORT_H
#define IO_SUPPORT_H

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io.h"
#include "systems.h"

typedef struct scratch {
    char folder[64];
    char path[128]; /* path of the file last named by scratch_path */
    char message[1024];
    weir_log log;
} scratch;

int scratch_setup(void **state);
int scratch_teardown(void **state);
const char *scratch_path(scratch *s, const char *name);

/* Writes a file, neither atomically nor with a flush to disk, because the sweeps write tens of
 * thousands of files. Removes the file first, since some file systems flush a file that is
 * truncated and rewritten. */
const char *scratch_write(scratch *s, const char *name, const void *bytes, size_t size);

const char *scratch_write_text(scratch *s, const char *name, const char *text);
void assert_message_has(const scratch *s, const char *part);

/* Returns whether the file is no HDF5, or libhdf5 is installed; says so if not. tools/setup
 * installs it; systems that Weir is only cross-compiled for lack it. */
bool can_be_read(const char *path);

/* Fills a cloud with every field; its numbers have no short decimal form. */
void cloud_make(io_particles *cloud, uint32_t count);

#define ALL_FIELDS ((1u << WEIR_FIELD_COUNT) - 1)

#endif
