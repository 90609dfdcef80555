/* Scenes as texts: a file and its changes, and the other scene files of its folder. */
#include "open_scene.h"
#include "weir/render.h"

/* ---- the scene source ----------------------------------------------------------------------- */

void view_scene_source_free(view_scene_source *scene_source)
{
    for (size_t i = 0; i < scene_source->set.count; i++)
        base_free(scene_source->set.items[i]);
    BASE_ARRAY_FREE(&scene_source->set);
    base_free(scene_source->path);
    *scene_source = (view_scene_source){0};
}

bool view_scene_source_set(view_scene_source *scene_source, const char *change)
{
    size_t key = strcspn(change, "=") + 1;
    char *copy = base_strdup(change);
    for (size_t i = 0; copy && i < scene_source->set.count; i++) {
        if (strncmp(scene_source->set.items[i], change, key) != 0) continue;
        base_free(scene_source->set.items[i]);
        scene_source->set.items[i] = copy;
        return true;
    }
    if (copy && BASE_ARRAY_PUSH(&scene_source->set, copy)) return true;
    base_free(copy);
    return false;
}

bool view_scene_source_create(const char *path, const char *const *set, size_t count,
                              view_scene_source *out)
{
    *out = (view_scene_source){.path = path ? base_strdup(path) : NULL};
    bool good = out->path || !path;
    for (size_t i = 0; good && i < count; i++)
        good = view_scene_source_set(out, set[i]);
    if (!good) view_scene_source_free(out);
    return good;
}

bool view_scene_source_copy(const view_scene_source *from, view_scene_source *out)
{
    bool good = view_scene_source_create(from->path, (const char *const *)from->set.items,
                                         from->set.count, out);
    if (!good) view_scene_source_free(out);
    return good;
}

bool view_scene_source_equal(const view_scene_source *a, const view_scene_source *b)
{
    bool same = a->set.count == b->set.count && !a->path == !b->path &&
                (!a->path || strcmp(a->path, b->path) == 0);
    for (size_t i = 0; same && i < a->set.count; i++)
        same = strcmp(a->set.items[i], b->set.items[i]) == 0;
    return same;
}

bool view_method_has_grid(uint32_t method)
{
    const char *name = weir_enum_name(WEIR_ENUM_METHOD, method);
    return name && (strcmp(name, "flip") == 0 || strcmp(name, "apic") == 0);
}

bool view_scene_source_set_method(view_scene_source *scene_source, uint32_t method)
{
    char change[64];
    snprintf(change, sizeof change, "solver.method=%s", weir_enum_name(WEIR_ENUM_METHOD, method));
    return view_scene_source_set(scene_source, change);
}

weir_result view_scene_source_load(const view_scene_source *scene_source, const weir_log *log,
                                   weir_scene **scene)
{
    app_scene_options source = {.scene = scene_source->path};
    if (scene_source->set.count > ARGS_LIST_MAX)
        return base_fail(log, WEIR_ERROR_ARGUMENT,
                         "more than %d values were changed: open the scene again", ARGS_LIST_MAX);
    for (size_t i = 0; i < scene_source->set.count; i++)
        source.set.items[source.set.count++] = scene_source->set.items[i];
    return app_scene_load(&source, log, 0, scene);
}

/* Appends the word in single quotes; a quote inside it becomes '\''. */
static bool append_shell_word(base_text *out, const char *word)
{
    bool good = base_text_append_bytes(out, "'", 1);
    for (const char *c = word; good && *c; c++)
        good = *c == '\'' ? base_text_append(out, "'\\''") : base_text_append_bytes(out, c, 1);
    return good && base_text_append_bytes(out, "'", 1);
}

static bool append_change(base_text *out, const char *change)
{
    return base_text_append(out, out->count ? " --set " : "--set ") &&
           append_shell_word(out, change);
}

bool view_scene_source_print(const view_scene_source *scene_source, base_text *out)
{
    bool good = !scene_source->path || append_shell_word(out, scene_source->path);
    for (size_t i = 0; good && i < scene_source->set.count; i++)
        good = append_change(out, scene_source->set.items[i]);
    return good && base_text_append_bytes(out, "", 1);
}

/* ---- the scene's parameters ----------------------------------------------------------------- */

const weir_param *view_open_scene_param(const view_open_scene *open, const char *key, size_t size)
{
    for (uint32_t i = 0; i < open->param_count; i++)
        if (strlen(open->params[i].key) == size && memcmp(open->params[i].key, key, size) == 0)
            return &open->params[i];
    return NULL;
}

static vec3 vector_param(const view_open_scene *open, const char *key)
{
    const weir_param *p = view_open_scene_param(open, key, strlen(key));
    return p ? vec3_make((float)p->value[0], (float)p->value[1], (float)p->value[2])
             : vec3_make(0, 0, 0);
}

void view_open_scene_load(view_open_scene *open, const weir_scene *scene,
                          view_scene_source *scene_source)
{
    view_scene_source_free(&open->scene_source);
    open->scene_source = *scene_source;
    *scene_source = (view_scene_source){0};
    open->param_count = 0;
    while (open->param_count < VIEW_PARAMS_MAX &&
           weir_scene_get_param(scene, open->param_count, &open->params[open->param_count]))
        open->param_count++;
    open->domain_min = vector_param(open, "domain.min");
    open->domain_max = vector_param(open, "domain.max");
}

void view_open_scene_store_start(view_open_scene *open, const weir_scene *scene)
{
    open->gravity = vector_param(open, "gravity");
    view_open_scene_home_at(open, scene, 0);
}

void view_open_scene_home_at(view_open_scene *open, const weir_scene *scene, double time_s)
{
    weir_camera view = weir_camera_for_size(scene, time_s, open->width, open->height);
    open->home = camera_from_view(&view, open->domain_min, open->domain_max);
}

void view_param_print(const weir_param *param, const double *values, char *out, size_t size)
{
    char text[3][32];
    WEIR_ASSERT(param->count <= 3);
    for (uint32_t i = 0; i < param->count; i++) {
        if (param->kind == WEIR_PARAM_NUMBER)
            base_print_float(text[i], (float)values[i]);
        else
            snprintf(text[i], sizeof text[i], "%.0f", values[i]);
    }
    if (param->kind == WEIR_PARAM_BOOL)
        snprintf(out, size, "%s=%s", param->key, values[0] > 0 ? "true" : "false");
    else if (param->count == 3)
        snprintf(out, size, "%s=[%s,%s,%s]", param->key, text[0], text[1], text[2]);
    else
        snprintf(out, size, "%s=%s", param->key, text[0]);
}

/* ---- neighbours ----------------------------------------------------------------------------- */

bool view_is_scene_file(const char *name)
{
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".json") == 0 && !strstr(name, ".schema.");
}

char *view_scene_source_folder(const view_scene_source *scene_source)
{
    static const char *const folders[] = {"scenes", WEIR_SCENE_FOLDER};
    if (scene_source->path) return base_path_folder(scene_source->path);
    for (size_t i = 0; i < BASE_COUNT(folders); i++)
        if (base_path_is_folder(folders[i])) return base_strdup(folders[i]);
    return NULL;
}

/* Returns the name `step` places further. If the source's file is not among the names, it counts as
 * the first. */
static const char *choose_neighbour(const view_scene_source *scene_source, char **names,
                                    size_t count, int step)
{
    const char *now = scene_source->path ? base_path_name(scene_source->path) : "dam_break.json";
    size_t at = count;
    for (size_t i = 0; i < count; i++)
        if (view_is_scene_file(names[i]) && (at == count || strcmp(names[i], now) == 0)) at = i;
    if (at == count) return NULL;
    do
        at = (at + (step > 0 ? 1 : count - 1)) % count;
    while (!view_is_scene_file(names[at]));
    return names[at];
}

char *view_scene_source_neighbour(const view_scene_source *scene_source, const weir_log *log,
                                  int step)
{
    char *folder = view_scene_source_folder(scene_source), **names = NULL, *path = NULL;
    size_t count = 0;
    if (folder && base_folder_list(log, folder, &names, &count) == WEIR_OK) {
        const char *name = choose_neighbour(scene_source, names, count, step);
        if (name) path = base_path_join(folder, name);
        base_names_free(names, count);
    }
    base_free(folder);
    return path;
}
