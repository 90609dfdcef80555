/* Lists the numbers of a scene one by one, with the keys that overrides use; a program can show
 * them as sliders. */
#include "scene_internal.h"

/* A part of the scene that one table describes. */
typedef struct param_group {
    const scene_table *table;
    const char *base; /* the struct that holds the values */
    const char *list; /* "" for the scene itself, else "solver", "fluids" and so on */
    uint32_t index;   /* in the list; UINT32_MAX outside lists */
} param_group;

static bool is_live(const scene_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->fields[i].name, name) == 0) return table->fields[i].live;
    return scene_is_keyframes_key(table, name);
}

/* Finds the index-th part; returns false past the last. */
static bool find_param_group(const scene_data *scene, uint32_t index, param_group *out)
{
    const struct {
        const scene_table *table;
        const void *base;
        const char *list;
        size_t stride;
        uint32_t count; /* UINT32_MAX: not a list */
    } parts[] = {
        {&scene_table_scene, scene, "", 0, UINT32_MAX},
        {&scene_table_solver, &scene->solver, "solver", 0, UINT32_MAX},
        {&scene_table_tolerance, &scene->solver.tolerance, "solver.tolerance", 0, UINT32_MAX},
        {&scene_table_domain, &scene->domain, "domain", 0, UINT32_MAX},
        {&scene_table_look, &scene->look, "look", 0, UINT32_MAX},
        {&scene_table_whitewater, &scene->whitewater, "whitewater", 0,
         scene->whitewater.given ? UINT32_MAX : 0},
        {&scene_table_force, scene->forces, "forces", sizeof(scene_force), scene->force_count},
        {&scene_table_fluid, scene->fluids, "fluids", sizeof(scene_fluid), scene->fluid_count},
        {&scene_table_solid, scene->solids, "solids", sizeof(scene_solid), scene->solid_count},
        {&scene_table_emitter, scene->emitters, "emitters", sizeof(scene_emitter),
         scene->emitter_count},
    };
    for (size_t i = 0; i < BASE_COUNT(parts); i++) {
        bool is_list = parts[i].count != UINT32_MAX;
        uint32_t count = is_list ? parts[i].count : 1;
        if (index >= count) {
            index -= count;
            continue;
        }
        *out = (param_group){parts[i].table, (const char *)parts[i].base + index * parts[i].stride,
                             parts[i].list, is_list ? index : UINT32_MAX};
        return true;
    }
    return false;
}

/* Hides numbers that do not apply: an opening is round or rectangular, and the sizes of the other
 * kind are 0; only noise has octaves. */
static bool is_present(const param_group *p, const scene_field *field)
{
    const bool counts = field->type == SCENE_FIELD_COUNT || field->type == SCENE_FIELD_BOOL;
    if (field->type > SCENE_FIELD_LAST_NUMBER) return false;
    if (field->need == SCENE_FIELD_OPTIONAL && counts) return false;
    float value;
    memcpy(&value, p->base + field->offset, sizeof value);
    return field->need != SCENE_FIELD_OPTIONAL || field->type != SCENE_FIELD_FLOAT || value != 0.0f;
}

static void read_values(const param_group *p, const scene_field *field, weir_param *param)
{
    const char *at = p->base + field->offset;
    float numbers[3];
    uint32_t count;
    bool on;
    param->count = field->type == SCENE_FIELD_VECTOR ? 3 : 1;
    param->kind = WEIR_PARAM_NUMBER;
    switch (field->type) {
    case SCENE_FIELD_COUNT:
        memcpy(&count, at, sizeof count);
        param->kind = WEIR_PARAM_INTEGER;
        param->value[0] = count;
        return;
    case SCENE_FIELD_BOOL:
        memcpy(&on, at, sizeof on);
        param->kind = WEIR_PARAM_BOOL;
        param->value[0] = on;
        return;
    default: break;
    }
    memcpy(numbers, at, param->count * sizeof *numbers);
    for (uint32_t i = 0; i < param->count; i++)
        param->value[i] = (double)numbers[i];
    if (field->type == SCENE_FIELD_DEGREES) param->value[0] *= 180.0 / 3.14159265358979323846;
}

static void describe_param(const param_group *p, const scene_field *field, weir_param *param)
{
    *param = (weir_param){.min = field->min, .max = field->max};
    if (field->type == SCENE_FIELD_BOOL) param->max = 1.0;
    if (p->index != UINT32_MAX)
        snprintf(param->key, sizeof param->key, "%s[%u].%s", p->list, p->index, field->name);
    else
        snprintf(param->key, sizeof param->key, "%s%s%s", p->list, p->list[0] ? "." : "",
                 field->name);
    param->unit = field->unit;
    param->about = field->about;
    param->live = field->live;
    param->methods = ~field->unsupported;
    read_values(p, field, param);
}

bool scene_param(const scene_data *scene, uint32_t index, weir_param *param)
{
    param_group p;
    for (uint32_t i = 0; find_param_group(scene, i, &p); i++)
        for (size_t f = 0; f < p.table->count; f++) {
            if (!is_present(&p, &p.table->fields[f]) || index-- > 0) continue;
            describe_param(&p, &p.table->fields[f], param);
            return true;
        }
    return false;
}

/* ---- scenes that differ only in live numbers ------------------------------------------------- */

static void remove_live_keys(json_t *object, const scene_table *table)
{
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(object, next, key, value)
    {
        if (is_live(table, key)) json_object_del(object, key);
    }
}

/* Removes the live keys of "look". A look without an environment is removed entirely, as it equals
 * a missing one. */
static void remove_look_keys(json_t *root)
{
    json_t *look = json_object_get(root, "look");
    const char *environment = json_string_value(json_object_get(look, "environment"));
    remove_live_keys(look, &scene_table_look);
    if (!environment || !environment[0]) json_object_del(root, "look");
}

static json_t *json_without_live(const scene_data *scene)
{
    json_t *root = json_loads(scene->json, 0, NULL), *fluid, *force;
    size_t i;
    remove_live_keys(root, &scene_table_scene);
    remove_live_keys(json_object_get(root, "domain"), &scene_table_domain);
    remove_live_keys(json_object_get(root, "solver"), &scene_table_solver);
    remove_live_keys(json_object_get(json_object_get(root, "solver"), "tolerance"),
                     &scene_table_tolerance);
    remove_look_keys(root);
    json_array_foreach(json_object_get(root, "fluids"), i, fluid)
        remove_live_keys(fluid, &scene_table_fluid);
    json_array_foreach(json_object_get(root, "forces"), i, force)
        remove_live_keys(force, &scene_table_force);
    json_object_del(root, "name");
    json_object_del(root, "description");
    json_object_del(root, "camera");
    json_object_del(json_object_get(root, "solver"), "preset"); /* its values are filled in */
    return root;
}

bool scene_differs_only_live(const scene_data *a, const scene_data *b)
{
    json_t *left = json_without_live(a), *right = json_without_live(b);
    bool same = left && right && strcmp(a->folder, b->folder) == 0 && json_equal(left, right);
    json_decref(left);
    json_decref(right);
    return same;
}
