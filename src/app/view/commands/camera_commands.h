/* camera_commands: commands that move the camera. */
#ifndef WEIR_VIEW_ACT_CAMERA_H
#define WEIR_VIEW_ACT_CAMERA_H

#include "command_table.h"
#include "session.h"
#include "window.h"

/* Executes the commands from orbit to paste-camera. Failures have been logged. */
weir_result view_run_camera_command(camera *c, view_session *s, const view_window *window,
                                    const view_call *call);

#endif
