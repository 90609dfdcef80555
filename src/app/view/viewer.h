/* viewer: the viewer as `weir view` starts it. */
#ifndef WEIR_VIEW_VIEWER_H
#define WEIR_VIEW_VIEWER_H

#include "app.h"

typedef struct view_options {
    app_scene_options source;
    const char *script, *script_file;
    uint32_t width, height;
    bool paused, tearing;
    const char *shaders; /* folder of the shader sources; NULL: the build's */
} view_options;

/* Runs the viewer; returns the exit status. */
int view_run(const view_options *options);

#endif
