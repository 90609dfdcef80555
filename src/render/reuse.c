/* Reuse of results of earlier frames: the shapes of the particles, and the shadows with their
 * caustics, depend neither on the camera nor on the size of the picture, so they are not computed
 * again while a camera moves around the same particles. */
#include "render_internal.h"

void render_shapes_destroy(renderer *r)
{
    grid_anisotropy_destroy(r->device, &r->anisotropy);
    r->reuse.shapes_version = 0;
}

/* Frames whose passes are timed reuse nothing, so that the times are those of all passes. */
static bool may_reuse(const renderer *r, const render_frame *frame)
{
    return frame->version > 0 && !frame->mesh && !frame->host && frame->exposures <= 1 &&
           !gpu_device_times_passes(r->device) && !render_is_in_trial(r);
}

static uint64_t poses_hash(const renderer *r, const render_frame *frame)
{
    if (!frame->poses) return 0;
    return base_hash64(frame->poses, r->solid_count * sizeof *frame->poses, 0);
}

/* Returns the axis, the position and the side of the eye of the plane that cuts the fluid off. */
static vec4 slice_plane(const weir_camera *view)
{
    const weir_slice *slice = view->slice;
    const float side = view->eye[slice->axis] < slice->position_m ? -1.0f : 1.0f;
    return (vec4){(float)slice->axis, slice->position_m, side, 1.0f};
}

static render_shadow_key shadow_key(const renderer *r, const render_frame *frame)
{
    render_shadow_key key;
    memset(&key, 0, sizeof key); /* padding is compared as well */
    key.version = frame->version;
    key.poses = poses_hash(r, frame);
    key.min = r->min;
    key.max = r->max;
    key.size = r->shadow.size;
    key.mode = (uint32_t)frame->view->mode;
    key.colouring = (uint32_t)frame->view->colouring;
    key.extrapolation_s = frame->extrapolation_s;
    if (frame->view->slice) key.slice_plane = slice_plane(frame->view);
    return key;
}

#define DRAFT_SHADOWS 4u /* later versions of the particles that reuse shadows in drafts */

/* Reports whether a draft may show the shadows of earlier particles. */
static bool may_show_old_shadows(const renderer *r, const render_frame *frame)
{
    const render_reuse *reuse = &r->reuse;
    render_shadow_key other = reuse->shadow_key;
    if (!frame->view->draft || !other.version || reuse->shadow_age >= DRAFT_SHADOWS) return false;
    other.version = reuse->next_shadow_key.version;
    other.poses = reuse->next_shadow_key.poses;
    return memcmp(&other, &reuse->next_shadow_key, sizeof other) == 0;
}

void render_reuse_plan(renderer *r, const render_frame *frame)
{
    render_reuse *reuse = &r->reuse;
    bool may = may_reuse(r, frame);
    reuse->next_shapes_version = frame->version;
    reuse->next_shadow_key = shadow_key(r, frame);
    reuse->shapes = may && reuse->shapes_version == frame->version;
    reuse->shadows = may && (memcmp(&reuse->shadow_key, &reuse->next_shadow_key,
                                    sizeof reuse->shadow_key) == 0 ||
                             may_show_old_shadows(r, frame));
}

void render_reuse_store(renderer *r, const render_frame *frame)
{
    render_reuse *reuse = &r->reuse;
    if (render_draws_ellipsoids(frame)) reuse->shapes_version = reuse->next_shapes_version;
    if (!frame->view->shadows) return;
    if (reuse->shadows) {
        reuse->shadow_age += reuse->drawn_version != frame->version;
        reuse->drawn_version = frame->version;
        return;
    }
    reuse->shadow_age = 0;
    reuse->drawn_version = frame->version;
    reuse->shadow_key = reuse->next_shadow_key;
    if (frame->mesh || frame->host) reuse->shadow_key.version = 0;
}
