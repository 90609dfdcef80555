/* Kinematic targets: host-driven objects, which move at constant velocity to the pose set for the
 * end of each frame. */
#include "solid_internal.h"

solid_target *solid_targets_create(uint32_t count)
{
    const scene_pose rest = {.rotation = quat_identity(), .scale = 1.0f};
    solid_target *all = base_alloc(count, sizeof *all);
    for (uint32_t i = 0; all && i < count; ++i)
        all[i] = (solid_target){.from = rest, .to = rest, .wanted = rest};
    return all;
}

void solid_target_set(solid_target *all, uint32_t index, const scene_pose *pose)
{
    all[index].wanted = *pose;
}

void solid_target_teleport(solid_target *all, uint32_t index, const scene_pose *pose)
{
    all[index].from = all[index].to = *pose;
}

void solid_targets_begin_frame(solid_target *all, uint32_t count, double start_s, double end_s)
{
    for (uint32_t i = 0; i < count; ++i) {
        solid_target *s = &all[i];
        *s = (solid_target){s->to, s->wanted, start_s, end_s, s->wanted};
    }
}

scene_pose solid_target_pose_at(const solid_target *all, uint32_t index, double time_s)
{
    const solid_target *s = &all[index];
    const scene_pose *from = &s->from, *to = &s->to;
    if (time_s >= s->to_s) return *to;
    if (time_s <= s->from_s) return *from;
    float share = (float)((time_s - s->from_s) / (s->to_s - s->from_s));
    vec3 way = vec3_sub(to->position, from->position);
    return (scene_pose){vec3_add(from->position, vec3_scale(way, share)),
                        quat_slerp(from->rotation, to->rotation, share), 1.0f};
}
