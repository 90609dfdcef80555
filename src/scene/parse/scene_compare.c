/* Compares two scenes to decide whether a saved state fits: finds the first difference in a value
 * that the state depends on. */
#include "scene_internal.h"

/* Removes what does not affect particles: descriptions, the duration, pictures, and measurements of
 * the iterations. The preset is removed because its values are filled in. */
static void remove_irrelevant_keys(json_t *root)
{
    static const char *const keys[] = {"name", "description", "duration", "camera", "look"};
    static const char *const coloured[] = {"fluids", "solids", "bodies",
                                           "cloths", "ropes",  "soft_bodies"};
    json_t *solver = json_object_get(root, "solver"), *item;
    size_t i, k;
    for (i = 0; i < BASE_COUNT(keys); i++)
        json_object_del(root, keys[i]);
    json_object_del(solver, "preset");
    json_object_del(solver, "residuals");
    json_object_del(solver, "solid_forces");
    for (k = 0; k < BASE_COUNT(coloured); k++)
        json_array_foreach(json_object_get(root, coloured[k]), i, item)
            json_object_del(item, "colour");
}

/* Removes the number of iterations where it has no effect: FLIP and APIC iterate only the contacts
 * of bodies. */
static void remove_iterations(const scene_data *scene, json_t *root)
{
    if (scene_has_grid(&scene->solver) && scene->body_count == 0)
        json_object_del(json_object_get(root, "solver"), "iterations");
}

static json_t *state_relevant_json(const scene_data *scene)
{
    json_t *root = json_loads(scene->json, 0, NULL);
    remove_irrelevant_keys(root);
    remove_iterations(scene, root);
    return root;
}

/* Returns the first key of either object whose values differ; NULL if there is none. */
static const char *differing_key(json_t *a, json_t *b)
{
    const char *key;
    json_t *value;
    json_object_foreach(a, key, value) if (!json_equal(value, json_object_get(b, key))) return key;
    json_object_foreach(b, key, value) if (!json_object_get(a, key)) return key;
    return NULL;
}

typedef struct json_path {
    char path[96];
    size_t size;
} json_path;

static void append_path(json_path *at, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int size = vsnprintf(at->path + at->size, sizeof at->path - at->size, format, list);
    va_end(list);
    at->size += size > 0 ? (size_t)size : 0;
    if (at->size >= sizeof at->path) at->size = sizeof at->path - 1;
}

/* Descends to the innermost values that differ. */
static void find_difference(json_t **a, json_t **b, json_path *at)
{
    for (;;) {
        if (json_is_object(*a) && json_is_object(*b)) {
            const char *key = differing_key(*a, *b);
            append_path(at, "%s%s", at->size ? "." : "", key);
            *a = json_object_get(*a, key);
            *b = json_object_get(*b, key);
        } else if (json_is_array(*a) && json_array_size(*a) == json_array_size(*b)) {
            size_t i = 0;
            while (json_equal(json_array_get(*a, i), json_array_get(*b, i)))
                i++;
            append_path(at, "[%zu]", i);
            *a = json_array_get(*a, i);
            *b = json_array_get(*b, i);
        } else {
            return;
        }
    }
}

static scene_value_text value_text(const json_t *value)
{
    if (value) return scene_format_value(value);
    return (scene_value_text){"missing"};
}

static void describe_difference(json_t *now, json_t *then, char difference[SCENE_DIFFERENCE])
{
    json_path at = {{0}, 0};
    find_difference(&now, &then, &at);
    snprintf(difference, SCENE_DIFFERENCE, "%s is %s in the saved scene and %s in this one",
             at.path, value_text(then).text, value_text(now).text);
}

/* Keeps the first message only. */
static void keep_message(void *user, weir_log_level level, const char *text)
{
    char *difference = user;
    (void)level;
    if (!difference[0]) snprintf(difference, SCENE_DIFFERENCE, "%s", text);
}

bool scene_state_difference(const scene_data *scene, const char *json, size_t size,
                            char difference[SCENE_DIFFERENCE])
{
    scene_data *saved = NULL;
    const scene_input input = {
        .text = json, .size = size, .source = "the saved scene", .folder = scene->folder};
    const weir_log log = {keep_message, difference, WEIR_LOG_ERROR};
    difference[0] = '\0';
    if (scene_parse(&log, &input, &saved) != WEIR_OK) {
        if (!difference[0])
            snprintf(difference, SCENE_DIFFERENCE,
                     "this version cannot read its scene, or a file that the scene names is gone");
        return true;
    }
    json_t *now = state_relevant_json(scene), *then = state_relevant_json(saved);
    bool same = now && then && json_equal(now, then);
    if (!now || !then)
        snprintf(difference, SCENE_DIFFERENCE, "not enough memory to compare them");
    else if (!same)
        describe_difference(now, then, difference);
    json_decref(now);
    json_decref(then);
    scene_destroy(&saved);
    return !same;
}
