/* open_scene: the open scene: its file and changes, and its numeric parameters. */
#ifndef WEIR_VIEW_SCENE_H
#define WEIR_VIEW_SCENE_H

#include "app.h"
#include "camera.h"

#define VIEW_PARAMS_MAX 256u

/* The source of a scene: a file, and "key=value" texts, one per key, with those of the command line
 * first. */
typedef struct view_scene_source {
    char *path; /* NULL: the built-in scene */
    BASE_ARRAY(char *) set;
} view_scene_source;

typedef struct view_open_scene {
    view_scene_source scene_source;
    weir_param params[VIEW_PARAMS_MAX];
    uint32_t param_count;
    vec3 domain_min, domain_max; /* m */
    vec3 gravity;                /* m/s2, when the scene was opened */
    camera home;                 /* the scene's camera, at the current time of its keyframes */
    uint32_t width, height;      /* pixels, of the pictures that `home` frames */
} view_open_scene;

/* Creates a source; returns false without memory, with an empty `out`. */
bool view_scene_source_create(const char *path, const char *const *set, size_t count,
                              view_scene_source *out);
bool view_scene_source_copy(const view_scene_source *from, view_scene_source *out);
/* Reports whether both name the same file and the same changes. */
bool view_scene_source_equal(const view_scene_source *a, const view_scene_source *b);
/* Adds "key=value", replacing an earlier text with the same key. Returns false without memory. */
bool view_scene_source_set(view_scene_source *scene_source, const char *change);
/* Reports whether the method uses a MAC grid. */
bool view_method_has_grid(uint32_t method);
/* Sets solver.method. Returns false without memory. */
bool view_scene_source_set_method(view_scene_source *scene_source, uint32_t method);
weir_result view_scene_source_load(const view_scene_source *scene_source, const weir_log *log,
                                   weir_scene **scene);
/* Appends the source as shell words: a file, and a --set for each change. */
bool view_scene_source_print(const view_scene_source *scene_source, base_text *out);
/* Reports whether a file is a scene, by its name. */
bool view_is_scene_file(const char *name);
/* Returns the folder whose scenes are offered: that of the file; for the built-in scene, "scenes"
 * or the folder of the installed scenes. NULL if there is none. Release with base_free. */
char *view_scene_source_folder(const view_scene_source *scene_source);
/* Returns the next scene file in the folder (`step` 1) or the previous one (-1); the first follows
 * the last. NULL if there is none. Release with base_free. */
char *view_scene_source_neighbour(const view_scene_source *scene_source, const weir_log *log,
                                  int step);
void view_scene_source_free(view_scene_source *scene_source);

/* Takes over the source, leaving it empty, and reads the parameters of the scene created from
 * it. */
void view_open_scene_load(view_open_scene *open, const weir_scene *scene,
                          view_scene_source *scene_source);
/* Stores the gravity and the camera of a scene that was just opened. */
void view_open_scene_store_start(view_open_scene *open, const weir_scene *scene);
/* Sets `home` to the scene's camera at a time. */
void view_open_scene_home_at(view_open_scene *open, const weir_scene *scene, double time_s);
/* Returns the parameter with this key of `size` characters; NULL if the scene has none. */
const weir_param *view_open_scene_param(const view_open_scene *open, const char *key, size_t size);
/* Prints for instance "gravity=[0,-9.81,0]". */
void view_param_print(const weir_param *param, const double *values, char *out, size_t size);

#endif
