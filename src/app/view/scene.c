/* Scenes as texts: a file and the changes in it, and the other files of its folder. */
#include "scene.h"
#include "weir_picture.h"

/* ---- the recipe ----------------------------------------------------------------------------- */

void view_recipe_free(view_recipe *recipe)
{
    for (size_t i = 0; i < recipe->set.count; i++)
        base_free(recipe->set.items[i]);
    BASE_ARRAY_FREE(&recipe->set);
    base_free(recipe->path);
    *recipe = (view_recipe){0};
}

bool view_recipe_set(view_recipe *recipe, const char *change)
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

bool view_recipe_make(const char *path, const char *const *set, size_t count, view_recipe *out)
{
    *out = (view_recipe){.path = path ? base_strdup(path) : NULL};
    bool good = out->path || !path;
    for (size_t i = 0; good && i < count; i++)
        good = view_recipe_set(out, set[i]);
    if (!good) view_recipe_free(out);
    return good;
}

bool view_recipe_copy(const view_recipe *from, view_recipe *out)
{
    bool good =
        view_recipe_make(from->path, (const char *const *)from->set.items, from->set.count, out);
    if (!good) view_recipe_free(out);
    return good;
}

bool view_method_has_grid(uint32_t method)
{
    const char *name = weir_name(WEIR_NAMES_METHOD, method);
    return name && (strcmp(name, "flip") == 0 || strcmp(name, "apic") == 0);
}

bool view_recipe_set_method(view_recipe *recipe, uint32_t method)
{
    char change[64];
    snprintf(change, sizeof change, "solver.method=%s", weir_name(WEIR_NAMES_METHOD, method));
    return view_recipe_set(recipe, change);
}

weir_result view_recipe_load(const view_recipe *recipe, const weir_log *log, weir_scene **scene)
{
    app_source source = {.scene = recipe->path};
    if (recipe->set.count > ARGS_LIST_MAX)
        return base_fail(log, WEIR_ARGUMENT, "more than %d values are changed: open the scene anew",
                         ARGS_LIST_MAX);
    for (size_t i = 0; i < recipe->set.count; i++)
        source.set.items[source.set.count++] = recipe->set.items[i];
    return app_scene_load(&source, log, 0, scene);
}

/* Puts the word into single quotes; a quote inside it becomes '\''. */
static bool append_word(base_text *out, const char *word)
{
    bool good = base_text_bytes(out, "'", 1);
    for (const char *c = word; good && *c; c++)
        good = *c == '\'' ? base_text_append(out, "'\\''") : base_text_bytes(out, c, 1);
    return good && base_text_bytes(out, "'", 1);
}

static bool append_change(base_text *out, const char *change)
{
    return base_text_append(out, out->count ? " --set " : "--set ") && append_word(out, change);
}

bool view_recipe_print(const view_recipe *recipe, base_text *out)
{
    bool good = !recipe->path || append_word(out, recipe->path);
    for (size_t i = 0; good && i < recipe->set.count; i++)
        good = append_change(out, recipe->set.items[i]);
    return good && base_text_bytes(out, "", 1);
}

/* ---- the scene's numbers -------------------------------------------------------------------- */

const weir_param *view_scene_param(const view_scene *open, const char *key, size_t size)
{
    for (uint32_t i = 0; i < open->param_count; i++)
        if (strlen(open->params[i].key) == size && memcmp(open->params[i].key, key, size) == 0)
            return &open->params[i];
    return NULL;
}

static vec3 vector_param(const view_scene *open, const char *key)
{
    const weir_param *p = view_scene_param(open, key, strlen(key));
    return p ? vec3_make((float)p->value[0], (float)p->value[1], (float)p->value[2])
             : vec3_make(0, 0, 0);
}

void view_scene_take(view_scene *open, const weir_scene *scene, view_recipe *recipe)
{
    view_recipe_free(&open->recipe);
    open->recipe = *recipe;
    *recipe = (view_recipe){0};
    open->param_count = 0;
    while (open->param_count < VIEW_PARAMS_MAX &&
           weir_scene_param(scene, open->param_count, &open->params[open->param_count]))
        open->param_count++;
    open->domain_min = vector_param(open, "domain.min");
    open->domain_max = vector_param(open, "domain.max");
}

void view_scene_keep_start(view_scene *open, const weir_scene *scene)
{
    open->gravity = vector_param(open, "gravity");
    view_scene_place_home(open, scene, 0);
}

void view_scene_place_home(view_scene *open, const weir_scene *scene, double time_s)
{
    weir_view view = weir_view_at(scene, time_s);
    open->home = camera_of_view(&view, open->domain_min, open->domain_max);
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
    if (param->kind == WEIR_PARAM_SWITCH)
        snprintf(out, size, "%s=%s", param->key, values[0] > 0 ? "true" : "false");
    else if (param->count == 3)
        snprintf(out, size, "%s=[%s,%s,%s]", param->key, text[0], text[1], text[2]);
    else
        snprintf(out, size, "%s=%s", param->key, text[0]);
}

/* ---- neighbours ----------------------------------------------------------------------------- */

static bool is_scene(const char *name)
{
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".json") == 0 && !strstr(name, ".schema.");
}

static char *scene_folder(const view_recipe *recipe)
{
    if (recipe->path) return base_path_folder(recipe->path);
    return base_path_is_folder("scenes") ? base_strdup("scenes") : NULL;
}

/* A recipe whose file is not among the names counts as the first scene. */
static const char *pick_neighbour(const view_recipe *recipe, char **names, size_t count, int step)
{
    const char *now = recipe->path ? base_path_name(recipe->path) : "dam_break.json";
    size_t at = count;
    for (size_t i = 0; i < count; i++)
        if (is_scene(names[i]) && (at == count || strcmp(names[i], now) == 0)) at = i;
    if (at == count) return NULL;
    do
        at = (at + (step > 0 ? 1 : count - 1)) % count;
    while (!is_scene(names[at]));
    return names[at];
}

char *view_recipe_neighbour(const view_recipe *recipe, const weir_log *log, int step)
{
    char *folder = scene_folder(recipe), **names = NULL, *path = NULL;
    size_t count = 0;
    if (folder && base_folder_list(log, folder, &names, &count) == WEIR_OK) {
        const char *name = pick_neighbour(recipe, names, count, step);
        if (name) path = base_path_join(folder, name);
        base_names_free(names, count);
    }
    base_free(folder);
    return path;
}
