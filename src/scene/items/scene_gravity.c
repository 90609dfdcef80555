/* Reads the keyframes of gravity and evaluates them. */
#include "scene_internal.h"

vec3 scene_gravity_at(const scene_data *scene, double time_s)
{
    const scene_gravity_key *keys = scene->gravity_keys;
    uint32_t low, high = scene->gravity_key_count;
    if (high == 0) return scene->gravity;
    if (time_s <= (double)keys[0].time_s) return keys[0].gravity;
    if (time_s >= (double)keys[high - 1].time_s) return keys[high - 1].gravity;
    low = scene_keyframe_before(&keys[0].time_s, sizeof *keys, high, time_s);
    double span = (double)keys[low + 1].time_s - (double)keys[low].time_s;
    float t = (float)((time_s - (double)keys[low].time_s) / span);
    vec3 change = vec3_sub(keys[low + 1].gravity, keys[low].gravity);
    return vec3_add(keys[low].gravity, vec3_scale(change, t));
}

static void check_key(scene_parser *parser, const scene_location *where, uint32_t index)
{
    const scene_gravity_key *keys = parser->scene->gravity_keys;
    scene_location time = scene_location_key(where, "time"),
                   gravity = scene_location_key(where, "gravity");
    if (index > 0 && keys[index].time_s <= keys[index - 1].time_s)
        scene_error(parser, &time, "is %g s, expected more than the %g s of the previous keyframe",
                    (double)keys[index].time_s, (double)keys[index - 1].time_s);
    if (parser->scene->solver.dimensions == 2 && keys[index].gravity.z != 0.0f)
        scene_error(parser, &gravity,
                    "points out of the xy plane: z is %g m/s2, but there is no motion along z with "
                    "solver.dimensions 2; set it to 0",
                    (double)keys[index].gravity.z);
}

void scene_read_gravity(scene_parser *parser, const scene_location *top)
{
    scene_data *scene = parser->scene;
    scene_location where = scene_location_key(top, "gravity_keyframes");
    uint32_t count;
    if (!json_object_get(parser->root, where.key)) return;
    json_t *array = scene_read_array(parser, &where, parser->root, SCENE_MAX_KEYFRAMES, &count);
    if (!array) return;
    if (count == 0) {
        scene_error(parser, &where, "is empty, expected at least one keyframe; or remove it");
        return;
    }
    scene->gravity_keys = scene_alloc(parser, count, sizeof *scene->gravity_keys);
    if (!scene->gravity_keys) return;
    scene->gravity_key_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        scene_location at = scene_location_element(&where, i);
        scene_read_fields(parser, &at, json_array_get(array, i), &scene_table_gravity_key,
                          &scene->gravity_keys[i]);
        check_key(parser, &at, i);
    }
}
