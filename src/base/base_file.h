/* What the file sources of base share. */
#ifndef WEIR_BASE_FILE_H
#define WEIR_BASE_FILE_H

#include "base.h"
#include "base_os.h"

#include <stdlib.h>

/* Logs "path: what: the system's words; what to do" and returns WEIR_ERROR_IO. */
weir_result file_fail(const weir_log *log, const char *path, const char *what, int error);

#endif
