/* residuals: the file of weir run --residuals. */
#ifndef WEIR_APP_RESIDUALS_H
#define WEIR_APP_RESIDUALS_H

#include "app.h"

/* Starts the file; `resume` keeps what it has. */
weir_result residuals_open(const weir_log *log, const char *path, bool resume);
/* A row for every substep and iteration of the frame just finished. */
weir_result residuals_append(const weir_log *log, const char *path, weir_sim *sim);

#endif
