/* What acts from the camera: a hand that drags bodies, push and pull along a ray, and a jet. */
#ifndef WEIR_VIEW_STEER_H
#define WEIR_VIEW_STEER_H

#include "command_table.h"
#include "session.h"

/* The calls drag, push, pull, release and emit, in a picture of that width over height. */
weir_result view_mouse_tool_command(view_session *s, const camera *c, float aspect,
                                    const view_call *call);
/* Brings the jet, if it is open, to where the camera looks. */
weir_result view_update_hose(view_session *s, const camera *c);

#endif
