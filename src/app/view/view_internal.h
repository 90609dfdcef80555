/* view_internal: the viewer's state, shared by its files. */
#ifndef WEIR_VIEW_INTERNAL_H
#define WEIR_VIEW_INTERNAL_H

#include "app.h"
#include "camera.h"
#include "commands.h"
#include "gui.h"
#include "weir_profile.h"
#include "window.h"

#include <stdatomic.h>

#define VIEW_HISTORY 240u /* frames in the plots */
#define VIEW_PASSES 128u
#define VIEW_MESSAGES 6u
#define VIEW_PARAMS_MAX 256u

typedef struct view_options {
    app_source source;
    const char *script, *script_file;
    uint32_t width, height;
    bool paused, tearing;
    const char *shaders; /* their sources; NULL: those of the build */
} view_options;

/* ---- what is measured ----------------------------------------------------------------------- */

/* The last VIEW_HISTORY values, oldest first when read through view_series_read. */
typedef struct view_series {
    float values[VIEW_HISTORY];
    uint32_t count, next;
} view_series;
void view_series_add(view_series *series, float value);
/* Returns how many. */
uint32_t view_series_read(const view_series *series, float out[VIEW_HISTORY]);
typedef struct view_spread {
    float now, median, p95, most;
} view_spread;
view_spread view_series_spread(const view_series *series);

typedef struct view_pass {
    const char *name;
    double total_ms; /* when it was last looked at */
    view_series ms;
} view_pass;

typedef struct view_times {
    view_series frame, gpu, drawing, error, energy;
    view_pass passes[VIEW_PASSES];
    uint32_t pass_count;
    uint32_t drawn; /* pictures since their times were looked at */
} view_times;

/* ---- messages ------------------------------------------------------------------------------- */

typedef struct view_message {
    weir_log_level level;
    double when_s;
    char text[240];
} view_message;

/* Messages to standard error and into the window; any thread may write. */
typedef struct view_messages {
    base_mutex *mutex;
    weir_log below; /* the program's own */
    view_message items[VIEW_MESSAGES];
    uint32_t count; /* since the start; the newest is (count - 1) % VIEW_MESSAGES */
} view_messages;

/* ---- the scene's numbers -------------------------------------------------------------------- */

/* What makes the scene: a file, or none for the built-in one; and "key=value" texts, the user's
 * first, one per key. */
typedef struct view_recipe {
    char *path;
    BASE_ARRAY(char *) set;
} view_recipe;

/* How the fluid is drawn. */
typedef struct view_look {
    weir_mode mode;
    weir_colouring colouring;
    weir_filter filter;
    bool shadows, legend;
    uint32_t samples; /* along each side of a pixel */
} view_look;

typedef struct viewer {
    const view_options *options;
    view_messages messages;
    app_work work;
    weir_sim *sim;
    weir_stats stats;
    view_recipe recipe;
    weir_param params[VIEW_PARAMS_MAX];
    uint32_t param_count;
    bool editing; /* a value that restarts the scene is being dragged */
    uint32_t edited;
    double edited_value[3];
    vec3 domain_min, domain_max, gravity; /* gravity: to go back to */

    view_window *window;
    gui *panels;
    struct view_picture *picture;
    weir_presenter *presenter;
    camera camera, home;
    view_look look;
    weir_points *row_points; /* what is drawn while rows are looked at; NULL: they are not */
    weir_row_view row_view;
    uint32_t row;
    weir_steering steering; /* its scene is NULL but while it changes */

    bool quit, paused, slow,
        stepped; /* stepped: a frame has been begun that is not yet looked at */
    bool emitting, gravity_off, show_panels, show_metrics, show_help;
    uint32_t steps_left, draws_left;
    double next_step_s, last_frame_s;
    bool reload; /* shaders, before the next drawing */
    double reloaded_s;
    view_script script;
    size_t script_at;
    bool script_failed;
    bool tracing;
    char shot[512]; /* to be written after the next drawing; "" for none */
    struct view_film *film;
    view_times times;
    weir_result failed; /* what ends the viewer */
} viewer;

/* ---- files of the viewer -------------------------------------------------------------------- */

/* act.c: what a command does. False when it failed; that has been logged. */
bool view_act(viewer *v, const view_call *call);

/* What a key does; false when it is none of ours, or failed. */
bool view_press(viewer *v, const char *key);

/* The fluid is drawn as it is again. */
void view_leave_rows(viewer *v);
/* The jet follows the camera while it is open. */
bool view_emit(viewer *v);

/* Names that a value may have, counted from 0. */
typedef struct view_names {
    const char *what;
    const char *(*name)(uint32_t index);
    uint32_t count;
} view_names;
view_names view_mode_names(void);
view_names view_colouring_names(void);
view_names view_filter_names(void);

/* scene.c: scenes and their numbers. */
weir_result view_scene_open(viewer *v, const char *path);
weir_result view_scene_restart(viewer *v);
/* "key=value", into the running simulation where it can take it. */
weir_result view_scene_set(viewer *v, const char *change);
weir_result view_scene_neighbour(viewer *v, int way);
/* What makes the scene as it stands, as words of a shell: a file, and a --set for each change. */
bool view_recipe_print(const view_recipe *recipe, base_text *out);
/* Text of a param's values, "gravity=[0,-9.81,0]". */
void view_param_print(const weir_param *param, const double *values, char *out, size_t size);
void view_recipe_free(view_recipe *recipe);

/* times.c: of a simulated frame, and of a picture. */
void view_times_take(viewer *v);
void view_times_drawn(viewer *v);

/* panels.c: all that is drawn over the picture. */
void view_panels(viewer *v);

/* pick.c: the nearest particle, or else the lowest plane of the domain, under a place. */
bool view_pick(viewer *v, camera_place place, vec3 *point);

/* viewer.c */
void view_error(viewer *v, const char *format, ...) BASE_PRINTF(2, 3);
void view_note(viewer *v, const char *format, ...) BASE_PRINTF(2, 3);
camera_place view_place(const viewer *v, double x, double y);

#endif
