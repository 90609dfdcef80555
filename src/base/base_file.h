/* Declarations shared by the file sources of base. */
#ifndef WEIR_BASE_FILE_H
#define WEIR_BASE_FILE_H

#include "base.h"
#include "base_os.h"

#include <stdlib.h>

/* Logs "path: what: system's message; advice" and returns WEIR_ERROR_IO. */
weir_result file_fail(const weir_log *log, const char *path, const char *what, int error);

#endif
