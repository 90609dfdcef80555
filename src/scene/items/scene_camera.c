/* Reads the camera of a scene and evaluates its keyframes. */
#include "scene_internal.h"

#define SEGMENT_SAMPLES 16u        /* straight pieces that approximate the path between keyframes */
#define MIN_TARGET_DISTANCE 0.001f /* as a fraction of the distance to the target */

/* ---- evaluation ------------------------------------------------------------------------------ */

/* The components of a keyframe: eye, target and fov. */
enum { KEY_COMPONENTS = 7 };

static float key_component(const scene_camera_key *key, uint32_t i)
{
    const float numbers[KEY_COMPONENTS] = {key->eye.x,    key->eye.y,    key->eye.z, key->target.x,
                                           key->target.y, key->target.z, key->fov_y};
    return numbers[i];
}

/* Returns the slope of a component between two keyframes, per second. */
static double segment_slope(const scene_camera_key *keys, uint32_t first, uint32_t number)
{
    double span = (double)keys[first + 1].time_s - (double)keys[first].time_s;
    return ((double)key_component(&keys[first + 1], number) -
            (double)key_component(&keys[first], number)) /
           span;
}

/* Returns the slope of a component at a keyframe by Fritsch and Butland 1984, A method for
 * constructing local monotone piecewise cubic interpolants. Between two keyframes no component
 * leaves the range of their values. The slope is 0 at the first and last keyframe, before and after
 * which the camera rests. */
static double key_slope(const scene_camera *camera, uint32_t key, uint32_t number)
{
    const scene_camera_key *keys = camera->keys;
    if (key == 0 || key + 1 == camera->key_count) return 0;
    double before = segment_slope(keys, key - 1, number), after = segment_slope(keys, key, number);
    if (before * after <= 0) return 0;
    double first = (double)keys[key].time_s - (double)keys[key - 1].time_s;
    double second = (double)keys[key + 1].time_s - (double)keys[key].time_s;
    double left = first + 2 * second, right = 2 * first + second;
    return (left + right) / (left / before + right / after);
}

/* Returns a component at the fraction t between keyframe `low` and the next. */
static float interpolate_component(const scene_camera *camera, uint32_t low, double t,
                                   uint32_t number)
{
    const scene_camera_key *keys = camera->keys;
    double from = (double)key_component(&keys[low], number);
    double offset = (double)key_component(&keys[low + 1], number) - from;
    double span = (double)keys[low + 1].time_s - (double)keys[low].time_s;
    if (camera->interpolation == SCENE_CAMERA_LINEAR) return (float)(from + t * offset);
    double s = 1 - t, start = span * key_slope(camera, low, number),
           end = span * key_slope(camera, low + 1, number);
    return (float)(from + t * t * (3 - 2 * t) * offset + t * s * (s * start - t * end));
}

static scene_camera_key interpolate_pose(const scene_camera *camera, uint32_t low, double t)
{
    float n[KEY_COMPONENTS];
    for (uint32_t i = 0; i < KEY_COMPONENTS; i++)
        n[i] = interpolate_component(camera, low, t, i);
    return (scene_camera_key){
        .eye = {n[0], n[1], n[2]}, .target = {n[3], n[4], n[5]}, .fov_y = n[6]};
}

scene_camera_key scene_camera_at(const scene_camera *camera, double time_s)
{
    const scene_camera_key *keys = camera->keys;
    uint32_t low, high = camera->key_count;
    if (camera->key_count == 0)
        return (scene_camera_key){
            .eye = camera->eye, .target = camera->target, .fov_y = camera->fov_y};
    if (time_s <= (double)keys[0].time_s) return keys[0];
    if (time_s >= (double)keys[high - 1].time_s) return keys[high - 1];
    low = scene_keyframe_before(&keys[0].time_s, sizeof *keys, high, time_s);
    double span = (double)keys[low + 1].time_s - (double)keys[low].time_s;
    return interpolate_pose(camera, low, (time_s - (double)keys[low].time_s) / span);
}

/* ---- reading -------------------------------------------------------------------------------- */

static void check_view_direction(scene_parser *parser, const scene_location *where,
                                 const scene_camera_key *key, vec3 up)
{
    vec3 ahead = vec3_sub(key->target, key->eye);
    if (vec3_length(vec3_cross(ahead, up)) <= 1e-6f * vec3_length(ahead))
        scene_error(parser, where,
                    "defines no view: eye and target must differ, and up must not be parallel to "
                    "the line between them");
}

/* Returns the minimum distance from the origin to the segment between two points. */
static float closest_distance(vec3 from, vec3 to)
{
    vec3 offset = vec3_sub(to, from);
    float square = vec3_dot(offset, offset);
    float t = square > 0 ? fminf(fmaxf(-vec3_dot(from, offset) / square, 0), 1) : 0;
    return vec3_length(vec3_add(from, vec3_scale(offset, t)));
}

/* Returns whether, between keyframe `low` and the next, the camera passes through its target or
 * looks along up. */
static bool passes_through_target(const scene_camera *camera, uint32_t low)
{
    float least = INFINITY, distance = 0;
    vec3 last = {0, 0, 0};
    for (uint32_t i = 0; i <= SEGMENT_SAMPLES; i++) {
        scene_camera_key key = interpolate_pose(camera, low, (double)i / SEGMENT_SAMPLES);
        vec3 ahead = vec3_sub(key.target, key.eye), across = vec3_cross(ahead, camera->up);
        if (i > 0) least = fminf(least, closest_distance(last, across));
        distance = fmaxf(distance, vec3_length(ahead));
        last = across;
    }
    return least <= MIN_TARGET_DISTANCE * distance * vec3_length(camera->up);
}

/* Reads a keyframe; values that it does not give are the camera's. */
static void read_key(scene_parser *parser, const scene_location *where, json_t *object,
                     scene_camera_key *key)
{
    const scene_camera *camera = &parser->scene->camera;
    if (!scene_read_fields(parser, where, object, &scene_table_camera_keyframe, key)) return;
    if (!json_object_get(object, "eye")) key->eye = camera->eye;
    if (!json_object_get(object, "target")) key->target = camera->target;
    if (!json_object_get(object, "fov")) key->fov_y = camera->fov_y;
}

static void check_key(scene_parser *parser, const scene_location *where, uint32_t i)
{
    const scene_camera *camera = &parser->scene->camera;
    const scene_camera_key *keys = camera->keys;
    scene_location time = scene_location_key(where, "time");
    if (i > 0 && keys[i].time_s <= keys[i - 1].time_s)
        scene_error(parser, &time, "is %g s, expected more than the %g s of the previous keyframe",
                    (double)keys[i].time_s, (double)keys[i - 1].time_s);
    check_view_direction(parser, where, &keys[i], camera->up);
}

static void read_keyframes(scene_parser *parser, const scene_location *where, json_t *object)
{
    scene_camera *camera = &parser->scene->camera;
    uint32_t count, faults = parser->errors;
    json_t *array = scene_read_array(parser, where, object, SCENE_MAX_KEYFRAMES, &count);
    if (array && count == 0)
        scene_error(parser, where, "is empty, expected at least one keyframe; or remove it");
    camera->keys = count ? scene_alloc(parser, count, sizeof *camera->keys) : NULL;
    if (!camera->keys) return;
    camera->key_count = count;
    for (uint32_t i = 0; i < count; i++) {
        scene_location at = scene_location_element(where, i);
        read_key(parser, &at, json_array_get(array, i), &camera->keys[i]);
        check_key(parser, &at, i);
    }
    for (uint32_t i = 1; i < count && parser->errors == faults; i++) {
        scene_location at = scene_location_element(where, i);
        if (passes_through_target(camera, i - 1))
            scene_error(parser, &at,
                        "cannot be reached from the previous keyframe: on the way the camera "
                        "passes through its target, or looks along up; add a keyframe between the "
                        "two that avoids this");
    }
}

void scene_read_camera(scene_parser *parser, const scene_location *top)
{
    scene_location where = scene_location_key(top, "camera"),
                   keyframes = scene_location_key(&where, "keyframes");
    json_t *object = json_object_get(parser->root, "camera");
    scene_camera *camera = &parser->scene->camera;
    uint32_t faults = parser->errors;
    if (!object || !scene_read_fields(parser, &where, object, &scene_table_camera, camera)) return;
    camera->given = true;
    const scene_camera_key key = {.eye = camera->eye, .target = camera->target};
    if (parser->errors == faults) check_view_direction(parser, &where, &key, camera->up);
    if (json_object_get(object, "keyframes") && parser->errors == faults)
        read_keyframes(parser, &keyframes, object);
}
