/* glfw_library: GLFW, linked (glfw_linked.c), or opened at run time by the portable program, which
 * so runs on machines without X11 (glfw_at_run_time.c). */
#ifndef WEIR_VIEW_GLFW_LIBRARY_H
#define WEIR_VIEW_GLFW_LIBRARY_H

#include "weir/weir.h"

/* Makes GLFW's functions callable; call it before any of them. Errors: UNSUPPORTED when GLFW or a
 * library that it needs is missing; the message names it. */
weir_result glfw_library_open(const weir_log *log);

#endif
