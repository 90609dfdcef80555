/* session_commands: commands that run the simulation or change its scene. */
#ifndef WEIR_VIEW_ACT_SESSION_H
#define WEIR_VIEW_ACT_SESSION_H

#include "command_table.h"
#include "session.h"

/* Executes the commands pause, step, slow and pass. Failures have been logged. */
weir_result view_run_pace_command(view_session *s, view_requests *requests, const view_call *call);
/* Executes the commands restart, next, previous, scene, set, method and gravity. Failures have been
 * logged. */
weir_result view_run_scene_command(view_session *s, view_picture *picture, camera *c,
                                   const view_call *call);

#endif
