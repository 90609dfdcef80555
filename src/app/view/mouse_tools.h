/* mouse_tools: tools that act from the camera: dragging bodies, pushing and pulling along a ray,
 * and the hose. */
#ifndef WEIR_VIEW_STEER_H
#define WEIR_VIEW_STEER_H

#include "command_table.h"
#include "session.h"

/* Executes the commands grab, push, pull, release and hose; `aspect` is the picture's width over
 * height. */
weir_result view_mouse_tool_command(view_session *s, const camera *c, float aspect,
                                    const view_call *call);
/* Moves the hose, if it is open, to the camera and its direction. */
weir_result view_update_hose(view_session *s, const camera *c);

#endif
