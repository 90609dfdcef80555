/* Emitters of whitewater and tracers: the particles that they add in a frame. Numbers and places
 * depend on the time alone, so that a run that goes on, or that is computed from stored frames, has
 * the same ones. */
#include "whitewater_internal.h"

#define TRIES 4096u /* points that are drawn to find one in a shape */
#define TIME_SLACK                                                                              \
    1e-6               /* particles: two sums of frames to one time differ in their last digits \
                        */
#define ENDLESS_S 1e9f /* lifetime of tracers */

/* As random_uints of shaders/lib/math/random.glsl. */
static void random_words(uint32_t v[4])
{
    for (int i = 0; i < 4; i++)
        v[i] = v[i] * 1664525u + 1013904223u;
    for (int round = 0; round < 2; round++) {
        v[0] += v[1] * v[3];
        v[1] += v[2] * v[0];
        v[2] += v[0] * v[1];
        v[3] += v[1] * v[2];
        for (int i = 0; i < 4 && round == 0; i++)
            v[i] ^= v[i] >> 16;
    }
}

/* Numbers in [0, 1) for a draw of a particle of an emitter. */
static vec4 random_numbers(const whitewater *f, uint32_t emitter, uint32_t particle, uint32_t draw)
{
    uint32_t v[4] = {particle, emitter, draw, f->def.seed ^ WHITEWATER_RANDOM_EMITTERS};
    const float unit = 1.0f / 16777216.0f;
    random_words(v);
    return (vec4){(float)(v[0] >> 8) * unit, (float)(v[1] >> 8) * unit, (float)(v[2] >> 8) * unit,
                  (float)(v[3] >> 8) * unit};
}

/* Draws a point in the shape of an emitter, where the scene has it. Returns false if none is found,
 * and leaves the last point outside. */
static bool draw_point(const whitewater *f, uint32_t emitter, uint32_t particle, vec3 *point)
{
    vec3 low, high;
    const uint32_t shape = f->def.emitters[emitter].shape;
    solid_shape_bounds(f->def.solids, shape, &low, &high);
    const vec3 size = vec3_sub(high, low);
    for (uint32_t draw = 0; draw < TRIES; draw++) {
        const vec4 u = random_numbers(f, emitter, particle, draw + 2);
        *point = vec3_add(low, vec3_make(u.x * size.x, u.y * size.y, u.z * size.z));
        if (solid_shape_distance(f->def.solids, shape, *point) <= 0.0f) return true;
    }
    return false;
}

weir_result whitewater_emitters_check(const whitewater *f)
{
    vec3 unused;
    for (uint32_t i = 0; i < f->def.emitter_count; i++) {
        const scene_whitewater_emitter *e = &f->def.emitters[i];
        if (draw_point(f, i, 0, &unused)) continue;
        return base_fail(gpu_device_log(f->device), WEIR_ERROR_SCENE,
                         "%s:%d:%d: whitewater.emitters[%u]: none of %u random points lies inside "
                         "the shape; make it thicker, or close it",
                         f->def.source, e->line, e->column, i, TRIES);
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
    if (e->carrier.body == 0 || !frame->bodies) return scene_motion_pose(&e->motion, time_s);
    const scene_pose *to = &frame->bodies[e->carrier.body - 1];
    const scene_pose *from = f->bodies_known ? &f->bodies[e->carrier.body - 1] : to;
    const float share = (float)((time_s - frame->last_s) / (frame->time_s - frame->last_s));
    const vec3 way = vec3_scale(vec3_sub(to->position, from->position), share);
    return (scene_pose){vec3_add(from->position, way),
                        quat_slerp(from->rotation, to->rotation, share), 1.0f};
}

static vec3 carried_point(const scene_pose *pose, vec3 p)
{
    return vec3_add(quat_rotate(pose->rotation, p), pose->position);
}

/* Makes the particle that an emitter adds as its `number`th. */
static struct whitewater_particle make_particle(const whitewater *f, const whitewater_frame *frame,
                                                uint32_t emitter, uint32_t number)
{
    vec3 point;
    const scene_whitewater_emitter *e = &f->def.emitters[emitter];
    const double frame_s = frame->time_s - frame->last_s;
    double born_s = (double)e->start_s + (number + 1.0) / (double)e->rate;
    born_s = fmin(fmax(born_s, frame->last_s), frame->time_s);
    const vec4 u = random_numbers(f, emitter, number, 0), w = random_numbers(f, emitter, number, 1);
    draw_point(f, emitter, number, &point);
    const scene_pose first = emitter_pose(f, frame, e, frame->last_s),
                     last = emitter_pose(f, frame, e, frame->time_s),
                     pose = emitter_pose(f, frame, e, born_s);
    /* a random vector in a ball: by direction and radius */
    const float height = 2.0f * u.x - 1.0f, turn = 6.2831853f * u.y;
    const float across = sqrtf(fmaxf(1.0f - height * height, 0.0f));
    const vec3 aside =
        vec3_scale(vec3_make(across * base_cos(turn), height, across * base_sin(turn)),
                   e->velocity_spread * (float)cbrt((double)u.z));
    const vec3 way = vec3_sub(carried_point(&last, point), carried_point(&first, point));
    vec3 v = vec3_add(quat_rotate(pose.rotation, vec3_add(e->velocity, aside)),
                      vec3_scale(way, (float)(1.0 / frame_s)));
    const vec3 p =
        vec3_add(carried_point(&pose, point), vec3_scale(v, (float)(frame->time_s - born_s)));
    const bool tracer = e->kind == SCENE_WHITEWATER_TRACER;
    float lifetime = f->def.lifetime_s[0] + u.w * (f->def.lifetime_s[1] - f->def.lifetime_s[0]);
    if (tracer) lifetime = ENDLESS_S;
    if (e->lifetime > 0.0f) lifetime = e->lifetime;
    const float radius = f->def.radius_m * (tracer ? 1.0f : WHITEWATER_MIN_RADIUS + w.x);
    return (struct whitewater_particle){.position = {p.x, p.y, p.z, radius},
                                        .velocity = {v.x, v.y, v.z, 0.0f},
                                        .kind = (uint32_t)e->kind,
                                        .lifetime = lifetime,
                                        .parent = UINT32_MAX};
}

weir_result whitewater_plan_emitters(whitewater *f, const whitewater_frame *frame)
{
    double before[SCENE_MAX_WHITEWATER_EMITTERS], total = 0.0;
    double counts[SCENE_MAX_WHITEWATER_EMITTERS];
    f->given_count = 0;
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
            made[f->given_count++] = make_particle(f, frame, i, (uint32_t)before[i] + k);
    weir_result result = whitewater_reserve_given(f, f->given_count);
    if (result == WEIR_OK && f->given_count > 0)
        result =
            gpu_buffer_upload(f->device, f->buffers.given, 0, made, f->given_count * sizeof *made);
    base_free(made);
    return result;
}
