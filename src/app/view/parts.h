/* The viewer's parts. Each has one job; a command changes the parts that its function takes. */
#ifndef WEIR_VIEW_PARTS_H
#define WEIR_VIEW_PARTS_H

#include "film.h"
#include "gui.h"
#include "look.h"
#include "messages.h"
#include "session.h"
#include "slice.h"
#include "window.h"

/* Which panels are open. */
typedef struct view_pages {
    bool panels, metrics, help;
} view_pages;

/* A value that restarts the scene, while its slider is dragged. */
typedef struct view_edit {
    bool on;
    uint32_t param; /* index among the scene's numbers */
    double value[3];
} view_edit;

/* The script that is played. */
typedef struct view_play {
    view_script script;
    size_t next; /* index of the next call */
    bool failed;
} view_play;

typedef struct viewer {
    view_messages messages;
    view_session session;
    camera camera;
    view_look look;
    view_slice slice;
    view_picture picture;
    view_requests requests;
    view_film film;
    view_pages pages;
    view_edit edit;
    view_play play;
    view_window *window;
    gui *gui;
    weir_presenter *presenter;
    bool quit;
    weir_result failed;          /* ends the viewer */
    double titled_s, reloaded_s; /* base_time_s at the last title, and at the last reload */
} viewer;

#endif
