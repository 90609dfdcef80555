/* file_commands: commands that write to a file or the clipboard, and the command that loads a
 * state. */
#ifndef WEIR_VIEW_ACT_FILES_H
#define WEIR_VIEW_ACT_FILES_H

#include "viewer_state.h"

/* Executes the commands shot, record, trace, capture, save, load, widgets, copy-camera and
 * copy-changes.
 * Failures have been logged. */
weir_result view_run_file_command(viewer *v, const view_call *call);

#endif
