/* history: the settings before each change, for undo and redo: those of the scene, of the
 * appearance and of the camera. */
#ifndef WEIR_VIEW_HISTORY_H
#define WEIR_VIEW_HISTORY_H

#include "appearance.h"
#include "camera.h"
#include "session.h"

typedef struct view_settings {
    view_scene_source scene_source;
    view_appearance appearance;
    camera camera;
} view_settings;

typedef struct view_history {
    BASE_ARRAY(view_settings) before, after; /* the newest is the last; `after` is for redo */
    char what[64];                           /* the last change, and its base_time_s */
    double when_s;
} view_history;

typedef struct viewer viewer;

/* Stores the settings before a change. Changes of the same thing within a second are one change, so
 * that a drag is undone as a whole. */
void view_history_store(viewer *v, const char *what);
/* Returns to the settings before the last change, or, with `forward`, to those before the last
 * undo. Failures have been logged. */
weir_result view_history_go(viewer *v, bool forward);
/* Forgets everything, because another scene was opened. */
void view_history_clear(view_history *history);
void view_history_free(view_history *history);

#endif
