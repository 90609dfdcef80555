/* Poses of the solids with which whitewater collides. The scene determines all but those of rigid
 * bodies, which each frame provides. */
#include "whitewater_internal.h"

static uint32_t body_count(const whitewater *f)
{
    const solid_set *solids = f->def.solids;
    return solids ? solid_sink_first(solids) - solid_body_first(solids) : 0;
}

weir_result whitewater_poses_create(whitewater *f)
{
    f->bodies = base_alloc(body_count(f) + 1u, sizeof *f->bodies);
    if (f->bodies) return WEIR_OK;
    return base_fail(gpu_device_log(f->device), WEIR_ERROR_MEMORY,
                     "not enough memory for the bodies' poses");
}

void whitewater_set_body_poses(whitewater *f, const scene_pose *bodies)
{
    f->bodies_known = bodies != NULL;
    if (bodies) memcpy(f->bodies, bodies, body_count(f) * sizeof *bodies);
}

uint32_t whitewater_solid_count(const whitewater *f, const whitewater_frame *frame)
{
    const solid_set *solids = f->def.solids;
    if (!solids) return 0;
    return frame->bodies ? solid_sink_first(solids) : solid_body_first(solids);
}

/* Writes a pose. The time in position.w is kept. */
static void write_pose(const scene_pose *pose, vec4 *position, vec4 *rotation)
{
    const vec3 *p = &pose->position;
    const quat *q = &pose->rotation;
    *position = (vec4){p->x, p->y, p->z, position->w};
    *rotation = (vec4){q->x, q->y, q->z, q->w};
}

static void write_body_poses(const whitewater *f, const whitewater_frame *frame,
                             struct solid_pose *poses)
{
    const scene_pose *last = f->bodies_known ? f->bodies : frame->bodies;
    for (uint32_t i = 0; frame->bodies && i < body_count(f); i++) {
        write_pose(&frame->bodies[i], &poses[i].position, &poses[i].rotation);
        write_pose(&last[i], &poses[i].last_position, &poses[i].last_rotation);
    }
}

weir_result whitewater_poses_upload(const whitewater *f, const whitewater_frame *frame)
{
    const solid_set *solids = f->def.solids;
    uint32_t items = solids ? solid_item_count(solids) : 0;
    if (items == 0) return WEIR_OK;
    struct solid_pose *poses = base_alloc(items, sizeof *poses);
    if (!poses)
        return base_fail(gpu_device_log(f->device), WEIR_ERROR_MEMORY,
                         "not enough memory for the solids' poses");
    solid_poses_at(solids, frame->time_s, (double)whitewater_frame_seconds(frame), poses);
    write_body_poses(f, frame, &poses[solid_body_first(solids)]);
    weir_result result =
        gpu_buffer_upload(f->device, f->buffers.poses, 0, poses, items * sizeof *poses);
    base_free(poses);
    return result;
}
