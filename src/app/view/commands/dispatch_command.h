/* dispatch_command: executes commands from keys, the mouse, panels and scripts. */
#ifndef WEIR_VIEW_ACT_H
#define WEIR_VIEW_ACT_H

#include "viewer_state.h"

/* Executes a command. Failures have been logged. */
weir_result view_run_command(viewer *v, const view_call *call);
/* Executes a command with one number, which may be a switch. */
weir_result view_run_number(viewer *v, view_command_id id, double number);
/* Executes the command of a key; does nothing if there is none. */
weir_result view_run_key(viewer *v, const char *key);

#endif
