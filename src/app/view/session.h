/* The session: a device, the scene that is open, and its simulation. A failure of any function has
 * been logged. */
#ifndef WEIR_VIEW_SESSION_H
#define WEIR_VIEW_SESSION_H

#include "open_scene.h"
#include "picture.h"
#include "timings.h"
#include "weir/bodies.h"

/* When frames are simulated. */
typedef struct view_pace {
    bool paused, slow;
    uint32_t steps_left; /* frames to be simulated although it is paused */
    double next_step_s;  /* base_time_s at which the next frame is due */
} view_pace;

/* The row of the substep whose values are shown. */
typedef struct view_inspected_pass {
    weir_points *points; /* drawn in place of the fluid; NULL: the fluid is drawn */
    weir_pass_inspection view;
    uint32_t pass;
} view_inspected_pass;

/* What the hand does until it lets go. */
typedef struct view_mouse_tool {
    bool pushes;          /* the fluid */
    weir_body_point grip; /* of the body that it drags; name NULL: of none */
    float depth;          /* of the grip when it was gripped, m from the eye along the view */
} view_mouse_tool;

typedef struct view_session {
    const args_list *user_set; /* changes of the command line, made in every scene */
    app_context work;
    view_open_scene scene;
    weir_sim *sim;
    view_pace pace;
    view_inspected_pass inspected;
    view_mouse_tool hand;
    weir_sim_controls steering; /* its scene is NULL except while the scene changes */
    bool emitting, gravity_off;
    bool begun;          /* a frame was begun and its figures have not been read */
    weir_points *points; /* of the frame whose figures were read last; NULL: of none yet */
    bool tracing;
    bool timed; /* the passes' times are on the screen */
    weir_stats stats;
    view_timings times;
} view_session;

/* Opens a scene file, or the built-in scene: NULL. The camera goes where the scene puts it. On
 * failure of any of these four, all is as it was. */
weir_result view_session_open(view_session *s, view_picture *picture, camera *c, const char *path);
/* Opens the scene file before or after in the folder: `step` is -1 or 1. */
weir_result view_session_neighbour(view_session *s, view_picture *picture, camera *c, int step);
weir_result view_session_restart(view_session *s, view_picture *picture);
/* Makes a change "key=value", in the running simulation if the key allows that. */
weir_result view_session_set_param(view_session *s, view_picture *picture, const char *change);

/* Simulates the scene from its start by another method, by WEIR_ENUM_METHOD. */
weir_result view_session_set_method(view_session *s, view_picture *picture, uint32_t method);

/* True when a frame is to be simulated now. */
bool view_session_is_due(view_session *s);
/* Begins a frame. A simulation that is unstable pauses; that is no failure. */
weir_result view_session_step(view_session *s);
/* Waits for the frame that was begun, if one was, reads its figures and takes its particles, which
 * stay as they are while the next frame is simulated. */
weir_result view_session_wait(view_session *s);
/* The fluid is drawn again in place of a row. */
void view_session_leave_pass(view_session *s);
void view_session_close(view_session *s);

#endif
