/* The viewer as `weir view` starts it. */
#ifndef WEIR_VIEW_VIEWER_H
#define WEIR_VIEW_VIEWER_H

#include "view_internal.h"

/* Returns the exit status. */
int view_run(const view_options *options);

#endif
