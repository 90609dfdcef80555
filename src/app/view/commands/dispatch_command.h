/* dispatch_command: executes commands from keys, the mouse, panels and scripts. */
#ifndef WEIR_VIEW_ACT_H
#define WEIR_VIEW_ACT_H

#include "viewer_state.h"

/* Executes a command. While a frame is being simulated, a command that uses the simulation waits
 * until the frame is done; a command that loses work waits until the user has confirmed it.
 * Failures have been logged. */
weir_result view_run_command(viewer *v, const view_call *call);
/* Executes a command with one number, which may be a switch. */
weir_result view_run_number(viewer *v, view_command_id id, double number);
/* Executes the command of a key; does nothing if there is none. */
weir_result view_run_key(viewer *v, const char *key);
/* Closes the viewer; asks first if work would be lost. */
void view_request_quit(viewer *v);
/* Answers the open question: executes its command, after saving if wanted, or drops it. */
typedef enum view_answer { VIEW_ANSWER_SAVE, VIEW_ANSWER_LOSE, VIEW_ANSWER_CANCEL } view_answer;
void view_answer_question(viewer *v, view_answer answer);

#endif
