/* Evaluates how solids move: keyframes, oscillation, spin, or host-driven. */
#include "scene_internal.h"

#define TWO_PI 6.283185307179586

/* ---- poses ---------------------------------------------------------------------------------- */

static scene_pose rotate_about(vec3 centre, quat rotation, vec3 offset)
{
    vec3 turned = quat_rotate(rotation, centre);
    return (scene_pose){vec3_add(vec3_sub(centre, turned), offset), rotation, 1};
}

/* Returns the rotation by the length of `turn` times `factor`. The angle is reduced in double, so
 * that long runs stay exact. */
static quat scaled_rotation(vec3 turn, double factor)
{
    float length = vec3_length(turn);
    if (length == 0) return quat_identity();
    double angle = fmod(length * factor, TWO_PI);
    return quat_from_axis_angle(vec3_scale(turn, 1 / length), (float)angle);
}

uint32_t scene_keyframe_before(const float *times, size_t stride, uint32_t count, double time_s)
{
    uint32_t low = 0, high = count;
    while (high - low > 1) { /* invariant: time of low <= time_s < time of high */
        uint32_t middle = low + (high - low) / 2;
        float time;
        memcpy(&time, (const char *)times + middle * stride, sizeof time);
        if ((double)time <= time_s)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static scene_pose keyframe_pose(const scene_motion *motion, double time_s)
{
    const scene_pose_key *keys = motion->keys;
    uint32_t low = 0, high = motion->key_count - 1;
    if (time_s <= keys[low].time_s) return (scene_pose){keys[low].position, keys[low].rotation, 1};
    if (time_s >= keys[high].time_s)
        return (scene_pose){keys[high].position, keys[high].rotation, 1};
    low = scene_keyframe_before(&keys[0].time_s, sizeof *keys, motion->key_count, time_s);
    high = low + 1;
    double span = (double)keys[high].time_s - keys[low].time_s;
    float t = (float)((time_s - keys[low].time_s) / span);
    vec3 offset = vec3_sub(keys[high].position, keys[low].position);
    return (scene_pose){vec3_add(keys[low].position, vec3_scale(offset, t)),
                        quat_slerp(keys[low].rotation, keys[high].rotation, t), 1};
}

scene_pose scene_motion_pose(const scene_motion *motion, double time_s)
{
    double time = fmin(fmax(time_s, motion->start_s), motion->end_s);
    double since = time - motion->start_s;
    double swing;
    switch (motion->kind) {
    case SCENE_MOTION_KEYFRAMES: return keyframe_pose(motion, time);
    case SCENE_MOTION_OSCILLATION:
        swing = sin(fmod(TWO_PI * motion->frequency_hz * since, TWO_PI) + motion->phase);
        return rotate_about(motion->centre, scaled_rotation(motion->rotation_amplitude, swing),
                            vec3_scale(motion->amplitude, (float)swing));
    case SCENE_MOTION_SPIN:
        return rotate_about(motion->centre, scaled_rotation(motion->spin, since), (vec3){0});
    case SCENE_MOTION_STATIC:
    case SCENE_MOTION_HOST_DRIVEN: break;
    }
    return (scene_pose){{0, 0, 0}, quat_identity(), 1};
}

/* ---- reading -------------------------------------------------------------------------------- */

static void read_key(scene_parser *parser, const scene_location *where, json_t *object,
                     scene_pose_key *key)
{
    scene_read_fields(parser, where, object, &scene_table_keyframe, key);
    key->rotation =
        json_is_object(object) ? scene_read_rotation(parser, where, object) : quat_identity();
}

static void read_keyframes(scene_parser *parser, const scene_location *where, json_t *object,
                           scene_motion *motion)
{
    uint32_t count;
    json_t *array = scene_read_array(parser, where, object, SCENE_MAX_KEYFRAMES, &count);
    if (!array) return;
    if (count == 0) {
        scene_error(parser, where, "is empty, expected at least one keyframe; or remove motion");
        return;
    }
    motion->keys = scene_alloc(parser, count, sizeof *motion->keys);
    if (!motion->keys) return;
    motion->kind = SCENE_MOTION_KEYFRAMES;
    motion->key_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        scene_location at = scene_location_element(where, i),
                       time = scene_location_key(&at, "time");
        read_key(parser, &at, json_array_get(array, i), &motion->keys[i]);
        if (i > 0 && motion->keys[i].time_s <= motion->keys[i - 1].time_s)
            scene_error(parser, &time,
                        "is %g s, expected more than the %g s of the previous keyframe",
                        (double)motion->keys[i].time_s, (double)motion->keys[i - 1].time_s);
    }
}

static void read_oscillation(scene_parser *parser, const scene_location *where, json_t *object,
                             scene_motion *motion)
{
    if (!scene_read_fields(parser, where, object, &scene_table_oscillation, motion)) return;
    motion->kind = SCENE_MOTION_OSCILLATION;
    json_t *rock = json_object_get(object, "rotation_amplitude");
    if (!rock) return;
    scene_axis_angle_input turn;
    scene_location at = scene_location_key(where, "rotation_amplitude");
    if (!scene_read_fields(parser, &at, rock, &scene_table_axis_angle, &turn)) return;
    scene_read_direction(parser, &at, "axis", &turn.axis);
    motion->rotation_amplitude = vec3_scale(turn.axis, turn.angle);
}

void scene_read_motion(scene_parser *parser, const scene_location *where, json_t *object,
                       scene_motion *motion)
{
    if (!scene_read_fields(parser, where, object, &scene_table_motion, motion)) return;
    json_t *keyframes = json_object_get(object, "keyframes"),
           *oscillation = json_object_get(object, "oscillation"),
           *spin = json_object_get(object, "spin");
    if (!!keyframes + !!oscillation + !!spin + motion->host_driven != 1)
        scene_error(parser, where,
                    "expected exactly one of keyframes, oscillation, spin, host_driven");
    scene_check_times(parser, where, motion->start_s, motion->end_s);
    scene_location at;
    if (keyframes) {
        at = scene_location_key(where, "keyframes");
        read_keyframes(parser, &at, object, motion);
    } else if (oscillation) {
        at = scene_location_key(where, "oscillation");
        read_oscillation(parser, &at, oscillation, motion);
    } else if (spin) {
        at = scene_location_key(where, "spin");
        motion->kind = SCENE_MOTION_SPIN;
        motion->spin = scene_read_spin(parser, &at, spin, &motion->centre);
    } else if (motion->host_driven) {
        motion->kind = SCENE_MOTION_HOST_DRIVEN;
    }
}
