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
    BASE_ARRAY(view_settings) before, after; /* for undo and for redo; the newest is the last */
    char what[64];                           /* name of the last change */
    double when_s;                           /* its base_time_s */
} view_history;

typedef struct viewer viewer;

/* Stores the settings before a change. Changes of the same setting that follow each other within a
 * second are one change, so that a drag is undone as a whole. `what`: name of the setting. */
void view_history_store(viewer *v, const char *what);
/* Returns to the settings before the last change, or, with `forward`, to those before the last
 * undo. Failures have been logged. */
weir_result view_history_go(viewer *v, bool forward);
/* Clears both lists; called when another scene is opened. */
void view_history_clear(view_history *history);
void view_history_free(view_history *history);

#endif
