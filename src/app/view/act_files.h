/* Commands that write a file or the clipboard, and the one that reads a state. */
#ifndef WEIR_VIEW_ACT_FILES_H
#define WEIR_VIEW_ACT_FILES_H

#include "parts.h"

/* The calls shot, record, trace, save, load, items, copy-camera and copy-changes. A failure has
 * been logged. */
weir_result view_act_files(viewer *v, const view_call *call);

#endif
