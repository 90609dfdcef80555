/* viewer_state: the parts of the viewer. Each has one job; a command changes only the parts that
 * its function receives. */
#ifndef WEIR_VIEW_PARTS_H
#define WEIR_VIEW_PARTS_H

#include "appearance.h"
#include "drawing.h"
#include "gui.h"
#include "history.h"
#include "messages.h"
#include "pending_calls.h"
#include "scene_list.h"
#include "session.h"
#include "slice.h"
#include "video.h"
#include "window.h"

/* The open panels. */
typedef struct view_panel_flags {
    bool panels, metrics, help, scenes;
    bool unfolded; /* the last command unfolded the sections of the panel */
} view_panel_flags;

/* A parameter that restarts the scene, while its slider is being dragged. */
typedef struct view_param_edit {
    bool on;
    uint32_t param; /* index of the parameter */
    double value[3];
} view_param_edit;

/* The script being played. */
typedef struct view_script_player {
    view_script script;
    size_t next; /* index of the next call */
    bool failed;
} view_script_player;

/* The question whether to execute a call that loses work. */
typedef struct view_question {
    bool open;
    view_call call; /* owns its texts */
} view_question;

struct viewer {
    view_messages messages;
    view_session session;
    camera camera;
    view_appearance appearance;
    view_slice slice;
    view_picture picture;
    view_drawing drawing;
    view_pending_calls pending;
    view_history history;
    view_question question;
    view_scene_list scenes;
    view_requests requests;
    view_video video;
    app_capture capture;
    view_panel_flags pages;
    view_param_edit edit;
    view_script_player player;
    view_window *window;
    gui *gui;
    weir_presenter *presenter;
    bool quit;
    weir_result failed;          /* failure that ends the viewer */
    double titled_s, reloaded_s; /* base_time_s of the last title update and the last reload */
};

#endif
