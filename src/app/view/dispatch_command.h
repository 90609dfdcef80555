/* What a command does, whether it comes from a key, the mouse, a panel or a script. */
#ifndef WEIR_VIEW_ACT_H
#define WEIR_VIEW_ACT_H

#include "viewer_state.h"

/* A failure has been logged. */
weir_result view_run_command(viewer *v, const view_call *call);
/* The call of one number, which may be a switch. */
weir_result view_run_number(viewer *v, view_command_id id, double number);
/* What a key does; nothing if no command has it. */
weir_result view_run_key(viewer *v, const char *key);

#endif
