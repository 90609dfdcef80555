/* session: a device, the open scene, and its simulation. All functions log their failures. */
#ifndef WEIR_VIEW_SESSION_H
#define WEIR_VIEW_SESSION_H

#include "open_scene.h"
#include "picture.h"
#include "timings.h"
#include "weir/bodies.h"

/* The pace of the simulation. */
typedef struct view_pace {
    bool paused, slow;
    uint32_t steps_left; /* frames to simulate although it is paused */
    double next_step_s;  /* base_time_s at which the next frame is due */
} view_pace;

/* The pass of the substep whose values are shown. */
typedef struct view_inspected_pass {
    weir_points *points; /* drawn in place of the fluid; NULL: the fluid is drawn */
    weir_pass_inspection view;
    uint32_t pass;
} view_inspected_pass;

/* The state of the mouse tool until it is released. */
typedef struct view_mouse_tool {
    bool pushes;          /* it pushes the fluid */
    weir_body_point grab; /* point of the body that it drags; name NULL: none */
    /* depth of the point when it was grabbed, m from the eye along the view direction */
    float depth;
} view_mouse_tool;

/* Work that is lost when another scene is opened or the viewer is closed. */
typedef struct view_work {
    bool changed;      /* settings were changed since they were copied */
    double computed_s; /* time spent simulating since the state was saved */
} view_work;

typedef struct view_session {
    const args_list *user_set; /* changes of the command line, applied to every scene */
    app_context work;
    view_open_scene scene;
    weir_sim *sim;
    view_pace pace;
    view_inspected_pass inspected;
    view_mouse_tool mouse_tool;
    weir_sim_controls controls; /* its scene is NULL except while the scene changes */
    bool emitting, gravity_off;
    bool begun;          /* a frame was begun, and its statistics have not been read */
    weir_points *points; /* of the frame whose statistics were read last; NULL: none yet */
    uint64_t acquired;   /* number of times that `points` were acquired */
    void (*yield)(
        void *user); /* draws between the slices of a frame; NULL: frames are not divided */
    void *yield_user;
    view_work work_done;
    bool tracing;
    bool timed; /* pass times are visible */
    weir_stats stats;
    view_timings times;
} view_session;

/* Opens a scene file, or the built-in scene if `path` is NULL, with the camera of the scene. If
 * this function or one of the next three fails, nothing changes. */
weir_result view_session_open(view_session *s, view_picture *picture, camera *c, const char *path);
/* Opens the next (`step` 1) or previous (-1) scene file in the folder. */
weir_result view_session_neighbour(view_session *s, view_picture *picture, camera *c, int step);
weir_result view_session_restart(view_session *s, view_picture *picture);
/* Applies a change "key=value", to the running simulation if the key allows that. */
weir_result view_session_set_param(view_session *s, view_picture *picture, const char *change);

/* Applies several changes at once. */
weir_result view_session_set_params(view_session *s, view_picture *picture,
                                    const char *const *changes, size_t count);
/* Returns the look of the scene, an index of WEIR_ENUM_LOOK. */
uint32_t view_session_look(const view_session *s);
/* Returns the named fluid whose values the scene's changes contain, an index of args_fluids;
 * ARGS_FLUIDS if there is none. */
uint32_t view_session_fluid(const view_session *s);

/* Simulates the scene from its start with another method, an index of WEIR_ENUM_METHOD. */
weir_result view_session_set_method(view_session *s, view_picture *picture, uint32_t method);

/* Replaces the scene source: in the running simulation if all differing settings allow that,
 * otherwise by restarting the scene. Takes ownership of the source, and frees it on failure. */
weir_result view_session_apply(view_session *s, view_picture *picture,
                               view_scene_source *scene_source);

/* Reports whether gravity has been switched off. */
bool view_session_has_no_gravity(const view_session *s);

/* Reports whether a frame should be simulated now. */
bool view_session_is_due(view_session *s);
/* Returns the time until the next frame is due, s; at least 0; INFINITY while paused. */
double view_session_due_in_s(const view_session *s);
/* Begins a frame. An unstable simulation pauses, which is not a failure. */
weir_result view_session_step(view_session *s);
/* Waits for the frame that was begun, if any, reads its statistics and acquires its particles,
 * which do not change while the next frame is simulated. */
weir_result view_session_wait(view_session *s);
/* Returns from an inspected pass to drawing the fluid. */
void view_session_leave_pass(view_session *s);
void view_session_close(view_session *s);

#endif
