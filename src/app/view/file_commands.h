/* Commands that write a file or the clipboard, and the one that reads a state. */
#ifndef WEIR_VIEW_ACT_FILES_H
#define WEIR_VIEW_ACT_FILES_H

#include "viewer_state.h"

/* The calls shot, record, trace, save, load, items, copy-camera and copy-changes. A failure has
 * been logged. */
weir_result view_run_file_command(viewer *v, const view_call *call);

#endif
