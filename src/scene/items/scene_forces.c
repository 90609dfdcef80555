/* Reads fields of acceleration other than gravity. */
#include "scene_internal.h"

#define FORCE_KEYS 2

/* The keys of each kind in addition to centre and inside; the first one is required. */
static const char *const keys_of[][FORCE_KEYS] = {
    [SCENE_FORCE_CENTRAL] = {"strength"},
    [SCENE_FORCE_UNIFORM] = {"acceleration"},
    [SCENE_FORCE_VORTEX] = {"strength", "axis"},
    [SCENE_FORCE_DRAG] = {"rate", "velocity"},
};
static const char *const names[] = {"central", "uniform", "vortex", "drag"};

static bool accepts_key(scene_force_kind kind, const char *key)
{
    for (size_t i = 0; i < FORCE_KEYS && keys_of[kind][i]; i++)
        if (strcmp(keys_of[kind][i], key) == 0) return true;
    return false;
}

static void check_keys(scene_parser *parser, const scene_location *where, json_t *object,
                       scene_force_kind kind)
{
    static const char *const all[] = {"strength", "acceleration", "axis", "rate", "velocity"};
    if (!json_object_get(object, keys_of[kind][0]))
        scene_error(parser, where, "a field of type \"%s\" needs %s", names[kind],
                    keys_of[kind][0]);
    for (size_t i = 0; i < BASE_COUNT(all); i++) {
        scene_location at = scene_location_key(where, all[i]);
        if (json_object_get(object, all[i]) && !accepts_key(kind, all[i]))
            scene_error(parser, &at, "does not apply to a field of type \"%s\": remove it",
                        names[kind]);
    }
}

void scene_read_region(scene_parser *parser, const scene_location *where, json_t *object,
                       scene_region *region)
{
    vec3 *min = &region->min, *max = &region->max;
    if (!scene_read_fields(parser, where, object, &scene_table_region, region)) return;
    bool box = json_object_get(object, "min") && json_object_get(object, "max"),
         sphere = json_object_get(object, "centre") && json_object_get(object, "radius");
    if (json_object_size(object) != 2 || box == sphere)
        scene_error(parser, where,
                    "expected min and max of a box, or centre and radius of a sphere");
    else if (box && !(min->x < max->x && min->y < max->y && min->z < max->z))
        scene_error(parser, where, "is empty: expected max above min on every axis");
    region->reach = box ? SCENE_REACH_BOX : SCENE_REACH_SPHERE;
}

static void read_force(scene_parser *parser, const scene_location *where, json_t *object,
                       scene_force *force)
{
    json_t *inside = json_object_get(object, "inside");
    scene_location type = scene_location_key(where, "type"),
                   region = scene_location_key(where, "inside");
    if (!scene_read_fields(parser, where, object, &scene_table_force, force)) return;
    check_keys(parser, where, object, force->kind);
    scene_read_direction(parser, where, "axis", &force->axis);
    if (inside) scene_read_region(parser, &region, inside, &force->inside);
    if (force->kind == SCENE_FORCE_DRAG && force->rate > 0 &&
        scene_has_grid(&parser->scene->solver))
        scene_error(parser, &type,
                    "\"drag\" works only with the particle methods; set solver.method to \"pbf\", "
                    "\"pcisph\" or \"wcsph\"");
}

void scene_read_forces(scene_parser *parser)
{
    scene_data *scene = parser->scene;
    scene_location top = {0}, where = scene_location_key(&top, "forces");
    json_t *array =
        scene_read_array(parser, &where, parser->root, SCENE_MAX_FORCES, &scene->force_count);
    for (uint32_t i = 0; i < scene->force_count; ++i) {
        scene_location at = scene_location_element(&where, i);
        read_force(parser, &at, json_array_get(array, i), &scene->forces[i]);
    }
}

bool scene_force_is_conservative(const scene_force *force)
{
    return force->kind == SCENE_FORCE_CENTRAL && force->inside.reach == SCENE_REACH_ALL;
}
