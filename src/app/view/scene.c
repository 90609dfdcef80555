/* Scenes in the viewer: opened, changed by key and value, and their neighbours in the folder. */
#include "picture.h"

/* ---- the recipe ----------------------------------------------------------------------------- */

void view_recipe_free(view_recipe *recipe)
{
    for (size_t i = 0; i < recipe->set.count; i++)
        base_free(recipe->set.items[i]);
    BASE_ARRAY_FREE(&recipe->set);
    base_free(recipe->path);
    *recipe = (view_recipe){0};
}

/* Takes the place of an earlier change of the same key. */
static bool recipe_set(view_recipe *recipe, const char *change)
{
    size_t key = strcspn(change, "=") + 1;
    char *copy = base_strdup(change);
    for (size_t i = 0; copy && i < recipe->set.count; i++) {
        if (strncmp(recipe->set.items[i], change, key) != 0) continue;
        base_free(recipe->set.items[i]);
        recipe->set.items[i] = copy;
        return true;
    }
    if (copy && BASE_PUSH(&recipe->set, copy)) return true;
    base_free(copy);
    return false;
}

/* The recipe of `path` with the user's own words on the command line. */
static bool recipe_make(viewer *v, const char *path, view_recipe *out)
{
    const args_list *words = &v->options->source.set;
    *out = (view_recipe){.path = path ? base_strdup(path) : NULL};
    bool good = out->path || !path;
    for (uint32_t i = 0; good && i < words->count; i++)
        good = recipe_set(out, words->items[i]);
    if (!good) view_recipe_free(out);
    return good;
}

static bool recipe_copy(const view_recipe *from, view_recipe *out)
{
    *out = (view_recipe){.path = from->path ? base_strdup(from->path) : NULL};
    bool good = out->path || !from->path;
    for (size_t i = 0; good && i < from->set.count; i++)
        good = recipe_set(out, from->set.items[i]);
    if (!good) view_recipe_free(out);
    return good;
}

static weir_result recipe_load(viewer *v, const view_recipe *recipe, weir_scene **scene)
{
    app_source source = {.scene = recipe->path};
    if (recipe->set.count > ARGS_LIST_MAX)
        return base_fail(&v->work.log, WEIR_ARGUMENT,
                         "more than %d values are changed: open the scene anew", ARGS_LIST_MAX);
    for (size_t i = 0; i < recipe->set.count; i++)
        source.set.items[source.set.count++] = recipe->set.items[i];
    return app_scene_load(&source, &v->work.log, 0, scene);
}

/* In quotes that end a word of the shell nowhere but at its end. */
static bool append_word(base_text *out, const char *word)
{
    bool good = base_text_bytes(out, "'", 1);
    for (const char *c = word; good && *c; c++)
        good = *c == '\'' ? base_text_append(out, "'\\''") : base_text_bytes(out, c, 1);
    return good && base_text_bytes(out, "'", 1);
}

bool view_recipe_print(const view_recipe *recipe, base_text *out)
{
    bool good = !recipe->path || append_word(out, recipe->path);
    for (size_t i = 0; good && i < recipe->set.count; i++)
        good = base_text_append(out, out->count ? " --set " : "--set ") &&
               append_word(out, recipe->set.items[i]);
    return good && base_text_bytes(out, "", 1);
}

/* ---- the scene's numbers -------------------------------------------------------------------- */

static const weir_param *find_param(const viewer *v, const char *key, size_t size)
{
    for (uint32_t i = 0; i < v->param_count; i++)
        if (strlen(v->params[i].key) == size && memcmp(v->params[i].key, key, size) == 0)
            return &v->params[i];
    return NULL;
}

static vec3 vector_param(const viewer *v, const char *key)
{
    const weir_param *p = find_param(v, key, strlen(key));
    return p ? vec3_make((float)p->value[0], (float)p->value[1], (float)p->value[2])
             : vec3_make(0, 0, 0);
}

static void read_params(viewer *v)
{
    v->param_count = 0;
    while (v->param_count < VIEW_PARAMS_MAX &&
           weir_scene_param(v->work.scene, v->param_count, &v->params[v->param_count]))
        v->param_count++;
    v->domain_min = vector_param(v, "domain.min");
    v->domain_max = vector_param(v, "domain.max");
    weir_scene_get_info(v->work.scene, &v->work.scene_info);
}

void view_param_print(const weir_param *param, const double *values, char *out, size_t size)
{
    char text[3][32];
    for (uint32_t i = 0; i < param->count; i++) {
        if (param->kind == WEIR_PARAM_NUMBER)
            base_print_float(text[i], (float)values[i]);
        else
            snprintf(text[i], sizeof text[i], "%.0f", values[i]);
    }
    if (param->kind == WEIR_PARAM_SWITCH)
        snprintf(out, size, "%s=%s", param->key, values[0] > 0 ? "true" : "false");
    else if (param->count == 3)
        snprintf(out, size, "%s=[%s,%s,%s]", param->key, text[0], text[1], text[2]);
    else
        snprintf(out, size, "%s=%s", param->key, text[0]);
}

/* ---- opening -------------------------------------------------------------------------------- */

static void take_recipe(viewer *v, view_recipe *recipe)
{
    view_recipe_free(&v->recipe);
    v->recipe = *recipe;
    *recipe = (view_recipe){0};
}

static void forget_measures(viewer *v)
{
    memset(&v->times, 0, sizeof v->times);
    v->stats = (weir_stats){.particle_count = 0};
    v->stepped = true; /* frame 0 is to be looked at */
    v->steps_left = 0;
}

/* Simulates the scene from its start; on failure all is as it was. */
static weir_result begin(viewer *v, weir_scene **scene, view_recipe *recipe)
{
    weir_sim *sim = NULL;
    weir_result result = weir_sim_create(v->work.device, *scene, &sim);
    if (result == WEIR_OK) result = view_picture_prepare(v, *scene);
    if (result != WEIR_OK) {
        weir_sim_destroy(&sim);
        return result;
    }
    v->steering = (weir_steering){.scene = NULL};
    v->emitting = false;
    view_leave_rows(v);
    weir_sim_destroy(&v->sim);
    weir_scene_destroy(&v->work.scene);
    v->sim = sim;
    v->work.scene = *scene;
    *scene = NULL;
    take_recipe(v, recipe);
    read_params(v);
    forget_measures(v);
    return WEIR_OK;
}

static weir_result begin_recipe(viewer *v, view_recipe *recipe)
{
    weir_scene *scene = NULL;
    weir_result result = recipe_load(v, recipe, &scene);
    if (result == WEIR_OK) result = begin(v, &scene, recipe);
    weir_scene_destroy(&scene);
    view_recipe_free(recipe);
    return result;
}

static weir_result no_memory(viewer *v)
{
    return base_fail(&v->work.log, WEIR_MEMORY, "no memory for the scene");
}

weir_result view_scene_open(viewer *v, const char *path)
{
    view_recipe recipe;
    if (!recipe_make(v, path, &recipe)) return no_memory(v);
    if (!path && v->work.scene) { /* the built-in one keeps the size that suits the device */
        char number[32], change[64];
        base_print_float(number, v->work.scene_info.spacing_m);
        snprintf(change, sizeof change, "spacing=%s", number);
        if (!recipe_set(&recipe, change)) return no_memory(v);
    }
    weir_result result = begin_recipe(v, &recipe);
    if (result != WEIR_OK) return result;
    v->gravity = vector_param(v, "gravity");
    v->gravity_off = false;
    v->home = v->camera = view_picture_camera(v);
    return WEIR_OK;
}

weir_result view_scene_restart(viewer *v)
{
    view_recipe recipe;
    if (!recipe_copy(&v->recipe, &recipe)) return no_memory(v);
    return begin_recipe(v, &recipe);
}

/* Into the running simulation. */
static weir_result change_live(viewer *v, view_recipe *recipe, bool looks_other)
{
    weir_scene *scene = NULL;
    weir_result result;
    WEIR_TRY(recipe_load(v, recipe, &scene));
    weir_steering steering = v->steering;
    steering.scene = scene;
    WEIR_TRY(weir_sim_steer(v->sim, &steering));
    if (looks_other) WEIR_TRY(view_picture_prepare(v, scene));
    weir_scene_destroy(&v->work.scene);
    v->work.scene = scene;
    scene = NULL;
    take_recipe(v, recipe);
    read_params(v);
fail:
    weir_scene_destroy(&scene);
    view_recipe_free(recipe);
    return result;
}

weir_result view_scene_set(viewer *v, const char *change)
{
    view_recipe recipe;
    size_t key = strcspn(change, "=");
    if (!change[key])
        return base_fail(&v->work.log, WEIR_ARGUMENT,
                         "set \"%.60s\": expected KEY=VALUE, such as gravity=[0,-1.6,0]", change);
    if (!recipe_copy(&v->recipe, &recipe)) return no_memory(v);
    if (!recipe_set(&recipe, change)) {
        view_recipe_free(&recipe);
        return no_memory(v);
    }
    const weir_param *param = find_param(v, change, key);
    if (!param || !param->live) return begin_recipe(v, &recipe);
    bool looks_other = strncmp(param->key, "fluids", 6) == 0 || strncmp(param->key, "look", 4) == 0;
    return change_live(v, &recipe, looks_other);
}

/* ---- neighbours ----------------------------------------------------------------------------- */

static bool is_scene(const char *name)
{
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".json") == 0 && !strstr(name, ".schema.");
}

static char *scene_folder(const viewer *v)
{
    if (v->recipe.path) return base_path_folder(v->recipe.path);
    return base_path_is_folder("scenes") ? base_strdup("scenes") : NULL;
}

/* The name that stands `way` places from the current one, around the ends; NULL when there is none.
 */
static const char *pick_neighbour(const viewer *v, char **names, size_t count, int way)
{
    const char *now = v->recipe.path ? base_path_name(v->recipe.path) : "dam_break.json";
    size_t scenes = 0, at = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_scene(names[i])) continue;
        if (strcmp(names[i], now) == 0) at = scenes;
        names[scenes++] = names[i];
    }
    if (scenes == 0) return NULL;
    return names[(at + scenes + (way > 0 ? 1 : scenes - 1)) % scenes];
}

weir_result view_scene_neighbour(viewer *v, int way)
{
    char *folder = scene_folder(v), **names = NULL, **sorted = NULL, *path = NULL;
    size_t count = 0;
    weir_result result = WEIR_IO;
    if (!folder || base_folder_list(&v->work.log, folder, &names, &count) != WEIR_OK) goto fail;
    sorted = base_alloc(count, sizeof *sorted);
    if (sorted) memcpy(sorted, names, count * sizeof *sorted);
    const char *name = sorted ? pick_neighbour(v, sorted, count, way) : NULL;
    path = name ? base_path_join(folder, name) : NULL;
    if (path) result = view_scene_open(v, path);
fail:
    if (!path) view_error(v, "there is no other scene: open one from a folder of scenes");
    if (names) base_names_free(names, count);
    base_free(sorted);
    base_free(folder);
    base_free(path);
    return result;
}
