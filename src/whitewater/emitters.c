/* Emitters of whitewater and tracers: the particles that they add in a frame. Numbers and places
 * depend on the time alone, so that a run that goes on, or that is computed from stored frames, has
 * the same ones. */
#include "whitewater_internal.h"

#define CHECK_POINTS 4096u     /* random points, of which */
#define CHECK_POINTS_INSIDE 4u /* so many must lie in the shape */
#define MAX_DRAWS (1u << 16)   /* after which a point outside is taken: e^-64 of all, or less */
#define ENDLESS_S 1e9f         /* lifetime of tracers */
/* Particles: two sums of frames to one time differ in their last digits. */
#define TIME_SLACK 1e-6

_Static_assert((int)SCENE_WHITEWATER_SPRAY == (int)WHITEWATER_SPRAY &&
                   (int)SCENE_WHITEWATER_TRACER == (int)WHITEWATER_TRACER,
               "the kinds of the scene are those of the particles");

/* Numbers in [0, 1) for a draw of a particle of an emitter. */
static vec4 random_numbers(const whitewater *f, uint32_t emitter, uint32_t particle, uint32_t draw)
{
    uint32_t v[4] = {particle, emitter, draw, f->def.seed ^ WHITEWATER_RANDOM_EMITTERS};
    const float unit = 1.0f / 16777216.0f;
    base_random_words(v);
    return (vec4){(float)(v[0] >> 8) * unit, (float)(v[1] >> 8) * unit, (float)(v[2] >> 8) * unit,
                  (float)(v[3] >> 8) * unit};
}

/* Returns random point `draw` of a particle in the box of its emitter's shape, where the scene has
 * it; and whether it lies in the shape at a time of its mesh sequences. */
static vec3 random_point(const whitewater *f, uint32_t emitter, uint32_t particle, uint32_t draw)
{
    vec3 low, high;
    const vec4 u = random_numbers(f, emitter, particle, draw + 2);
    solid_shape_bounds(f->def.solids, f->def.emitters[emitter].shape, &low, &high);
    const vec3 size = vec3_sub(high, low);
    return vec3_add(low, vec3_make(u.x * size.x, u.y * size.y, u.z * size.z));
}

static bool is_inside(const whitewater *f, uint32_t emitter, double time_s, vec3 point)
{
    const uint32_t shape = f->def.emitters[emitter].shape;
    return solid_shape_distance_at(f->def.solids, shape, (float)time_s, point) <= 0.0f;
}

static vec3 draw_point(const whitewater *f, uint32_t emitter, uint32_t particle, double time_s)
{
    vec3 point = random_point(f, emitter, particle, 0);
    for (uint32_t draw = 1; draw < MAX_DRAWS && !is_inside(f, emitter, time_s, point); draw++)
        point = random_point(f, emitter, particle, draw);
    return point;
}

weir_result whitewater_emitters_check(const whitewater *f)
{
    for (uint32_t i = 0; i < f->def.emitter_count; i++) {
        const scene_whitewater_emitter *e = &f->def.emitters[i];
        uint32_t inside = 0;
        for (uint32_t draw = 0; draw < CHECK_POINTS && inside < CHECK_POINTS_INSIDE; draw++)
            inside += is_inside(f, i, (double)e->start_s, random_point(f, i, 0, draw));
        if (inside < CHECK_POINTS_INSIDE)
            return base_fail(gpu_device_log(f->device), WEIR_ERROR_SCENE,
                             "%s:%d:%d: whitewater.emitters[%u]: %u of %u random points in the box "
                             "of its shape lie inside it, expected %u or more; make the shape "
                             "thicker, or close it",
                             f->def.source, e->line, e->column, i, inside, CHECK_POINTS,
                             CHECK_POINTS_INSIDE);
    }
    return WEIR_OK;
}

/* Returns how many particles an emitter has added until a time. */
static double emitted_until(const scene_whitewater_emitter *e, double time_s)
{
    const double open_s = fmin(time_s, (double)e->end_s) - (double)e->start_s;
    return open_s > 0.0 ? floor(open_s * (double)e->rate + TIME_SLACK) : 0.0;
}

/* Returns the pose of an emitter at a time of the frame. */
static scene_pose emitter_pose(const whitewater *f, const whitewater_frame *frame,
                               const scene_whitewater_emitter *e, double time_s)
{
    if (e->attached_to.body == 0 || !frame->bodies) return scene_motion_pose(&e->motion, time_s);
    const scene_pose *to = &frame->bodies[e->attached_to.body - 1];
    const scene_pose *from = f->bodies_known ? &f->bodies[e->attached_to.body - 1] : to;
    const float share = (float)((time_s - frame->last_s) / (frame->time_s - frame->last_s));
    const vec3 way = vec3_scale(vec3_sub(to->position, from->position), share);
    return (scene_pose){vec3_add(from->position, way),
                        quat_slerp(from->rotation, to->rotation, share), 1.0f};
}

static vec3 attached_point(const scene_pose *pose, vec3 p)
{
    return vec3_add(quat_rotate(pose->rotation, p), pose->position);
}

/* Returns a random vector of at most this length; `u`: three random numbers. */
static vec3 random_vector(vec4 u, float most)
{
    const float height = 2.0f * u.x - 1.0f, turn = 6.2831853f * u.y;
    const float across = sqrtf(fmaxf(1.0f - height * height, 0.0f));
    return vec3_scale(vec3_make(across * base_cos(turn), height, across * base_sin(turn)),
                      most * (float)cbrt((double)u.z));
}

/* Returns the lifetime of a particle, s; `u`: a random number. */
static float random_lifetime(const whitewater *f, const scene_whitewater_emitter *e, float u)
{
    const float *range = f->def.lifetime_s;
    if (e->lifetime > 0.0f) return e->lifetime;
    return e->kind == SCENE_WHITEWATER_TRACER ? ENDLESS_S : range[0] + u * (range[1] - range[0]);
}

/* Makes the particle that an emitter adds as its `number`th. It leaves at some time in the frame,
 * and flies straight on until its end. */
static struct whitewater_particle make_particle(const whitewater *f, const whitewater_frame *frame,
                                                uint32_t emitter, uint32_t number)
{
    const scene_whitewater_emitter *e = &f->def.emitters[emitter];
    const vec4 u = random_numbers(f, emitter, number, 0), w = random_numbers(f, emitter, number, 1);
    double left_s = (double)e->start_s + (number + 1.0) / (double)e->rate;
    left_s = fmin(fmax(left_s, frame->last_s), frame->time_s);
    const vec3 point = draw_point(f, emitter, number, left_s);
    const scene_pose first = emitter_pose(f, frame, e, frame->last_s),
                     last = emitter_pose(f, frame, e, frame->time_s),
                     pose = emitter_pose(f, frame, e, left_s);
    const vec3 way = vec3_sub(attached_point(&last, point), attached_point(&first, point));
    const vec3 own = vec3_add(e->velocity, random_vector(u, e->velocity_spread));
    const vec3 v = vec3_add(quat_rotate(pose.rotation, own),
                            vec3_scale(way, (float)(1.0 / (frame->time_s - frame->last_s))));
    const vec3 p =
        vec3_add(attached_point(&pose, point), vec3_scale(v, (float)(frame->time_s - left_s)));
    const bool tracer = e->kind == SCENE_WHITEWATER_TRACER;
    const float radius = f->def.radius_m * (tracer ? 1.0f : WHITEWATER_MIN_RADIUS + w.x);
    return (struct whitewater_particle){.position = {p.x, p.y, p.z, radius},
                                        .velocity = {v.x, v.y, v.z, 0.0f},
                                        .kind = (uint32_t)e->kind,
                                        .lifetime = random_lifetime(f, e, u.w),
                                        .parent = UINT32_MAX};
}

weir_result whitewater_plan_emitters(whitewater *f, const whitewater_frame *frame)
{
    double before[SCENE_MAX_WHITEWATER_EMITTERS], total = 0.0;
    double counts[SCENE_MAX_WHITEWATER_EMITTERS];
    f->emitter_particle_count = 0;
    for (uint32_t i = 0; i < f->def.emitter_count; i++) {
        before[i] = emitted_until(&f->def.emitters[i], frame->last_s);
        counts[i] = emitted_until(&f->def.emitters[i], frame->time_s) - before[i];
        total += counts[i];
    }
    if (total == 0.0) return WEIR_OK;
    /* those above the limit could not be kept in any case */
    const double scale = fmin(1.0, (double)f->def.limit / total);
    struct whitewater_particle *made = base_alloc((size_t)total + 1u, sizeof *made);
    if (!made)
        return base_fail(gpu_device_log(f->device), WEIR_ERROR_MEMORY,
                         "not enough memory for %.0f whitewater particles of emitters", total);
    for (uint32_t i = 0; i < f->def.emitter_count; i++)
        for (uint32_t k = 0; k < (uint32_t)(scale * counts[i]); k++)
            made[f->emitter_particle_count++] = make_particle(f, frame, i, (uint32_t)before[i] + k);
    weir_result result = whitewater_reserve_emitter_particles(f, f->emitter_particle_count);
    if (result == WEIR_OK && f->emitter_particle_count > 0)
        result = gpu_buffer_upload(f->device, f->buffers.emitter_particles, 0, made,
                                   f->emitter_particle_count * sizeof *made);
    base_free(made);
    return result;
}
