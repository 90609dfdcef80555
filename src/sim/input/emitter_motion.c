/* Emitters that move, open and close, as the scene or the host program sets. Each layer of a frame
 * leaves from where its opening is at that moment, with the opening's own velocity added, so that
 * layers stay one spacing apart as seen from the opening. */
#include "sim_coupling.h"
#include "sim_input.h"

/* Valid ranges of saved values. */
#define MAX_ORIGIN_S 1e12

static bool is_host_driven(const sim_world *world, uint32_t emitter)
{
    return world->scene->emitters[emitter].motion.kind == SCENE_MOTION_HOST_DRIVEN;
}

/* Returns the first stream of an emitter. */
static const sim_stream *find_stream(const sim_world *world, uint32_t emitter)
{
    const sim_stream *stream = world->streams.list.items;
    while (stream->emitter != emitter)
        stream++;
    return stream;
}

/* Returns the speed of a stream, m/s. */
static float stream_speed(const sim_world *world, const sim_stream *stream, double time_s)
{
    const scene_emitter *e = &world->scene->emitters[stream->emitter];
    const sim_driven_emitter *driven = sim_find_driven_emitter(world, stream->emitter);
    if (driven) return driven->speed;
    return (e->speed_key_count ? scene_emitter_speed(e, time_s) : e->speed) *
           (float)sim_stream_speed_scale(e, stream);
}

/* Returns the mean speed of an emitter, m/s. */
static float opening_speed(const sim_world *world, uint32_t emitter, double time_s)
{
    sim_stream mean = *find_stream(world, emitter);
    mean.speed_factor = 1.0f;
    return stream_speed(world, &mean, time_s);
}

weir_result sim_driven_emitters_create(sim_world *world)
{
    const scene_data *scene = world->scene;
    uint32_t host_driven = 0;
    for (uint32_t i = 0; i < scene->emitter_count; i++)
        host_driven += is_host_driven(world, i);
    if (host_driven == 0) return WEIR_OK;
    world->driven_emitters = base_alloc(scene->emitter_count, sizeof *world->driven_emitters);
    if (!world->driven_emitters) return WEIR_ERROR_MEMORY;
    for (uint32_t i = 0; i < scene->emitter_count; i++) {
        const scene_emitter *e = &scene->emitters[i];
        scene_pose start = {e->position, quat_identity(), 1.0f};
        if (world->params.planar) start.position.z = world->params.plane;
        world->driven_emitters[i].speed = opening_speed(world, i, 0.0);
        solid_target_set(&world->driven_emitters[i].path, 0, &start);
        solid_target_teleport(&world->driven_emitters[i].path, 0, &start);
    }
    return WEIR_OK;
}

void sim_driven_emitters_begin(sim_world *world, double start_s, double end_s)
{
    for (uint32_t i = 0; world->driven_emitters && i < world->scene->emitter_count; i++)
        solid_targets_begin_frame(&world->driven_emitters[i].path, 1, start_s, end_s);
}

const sim_driven_emitter *sim_find_driven_emitter(const sim_world *world, uint32_t emitter)
{
    return world->driven_emitters && world->driven_emitters[emitter].overridden
               ? &world->driven_emitters[emitter]
               : NULL;
}

/* ---- position of an opening ----------------------------------------------------------------- */

static vec3 opening_position(const sim_world *world, uint32_t emitter, double time_s,
                             quat *rotation)
{
    const scene_emitter *e = &world->scene->emitters[emitter];
    if (is_host_driven(world, emitter)) {
        scene_pose pose = solid_target_pose_at(&world->driven_emitters[emitter].path, 0, time_s);
        *rotation = pose.rotation;
        return pose.position;
    }
    scene_pose pose = scene_motion_pose(&e->motion, time_s);
    vec3 p = vec3_add(quat_rotate(pose.rotation, e->position), pose.position);
    if (world->params.planar) p.z = world->params.plane;
    *rotation = pose.rotation;
    return p;
}

struct sim_emitter sim_emitter_at_time(const sim_world *world, const sim_stream *stream,
                                       double time_s, const double span[2])
{
    quat rotation, unused;
    const uint32_t emitter = stream->emitter;
    scene_emitter e = world->scene->emitters[emitter];
    vec3 displacement = vec3_sub(opening_position(world, emitter, span[1], &unused),
                                 opening_position(world, emitter, span[0], &unused));
    vec3 drift = vec3_scale(displacement, (float)(1.0 / (span[1] - span[0])));
    e.position = opening_position(world, emitter, time_s, &rotation);
    e.direction = quat_rotate(rotation, e.direction);
    e.up = quat_rotate(rotation, e.up);
    e.speed = stream_speed(world, stream, time_s);
    struct sim_emitter here = sim_emitter_from_scene(world, emitter, &e);
    here.across.w = 0.0f; /* layers at other speeds may follow */
    here.drift = (vec4){drift.x, drift.y, drift.z, (float)e.attached_to.body};
    return here;
}

sim_emitter_opening sim_get_emitter_opening(const sim_world *world, uint32_t emitter)
{
    quat rotation;
    const scene_emitter *e = &world->scene->emitters[emitter];
    const sim_driven_emitter *driven = sim_find_driven_emitter(world, emitter);
    double now = world->time_s;
    sim_emitter_opening opening = {.position = opening_position(world, emitter, now, &rotation)};
    opening.direction = quat_rotate(rotation, e->direction);
    opening.up = quat_rotate(rotation, e->up);
    opening.speed = opening_speed(world, emitter, now);
    opening.open = driven ? driven->open : now >= (double)e->start_s && now <= (double)e->end_s;
    return opening;
}

/* ---- set by the host program ---------------------------------------------------------------- */

/* Returns the rotation that turns the perpendicular unit vectors `forward` and `up` to two
 * others. */
static quat rotation_between(vec3 forward, vec3 up, vec3 to_forward, vec3 to_up)
{
    vec3 axis = vec3_cross(forward, to_forward);
    float sine = vec3_length(axis), cosine = vec3_dot(forward, to_forward);
    axis = sine > 1e-6f ? vec3_scale(axis, 1.0f / sine) : up;
    quat first = quat_from_axis_angle(axis, base_atan2(sine, cosine));
    vec3 tilted = quat_rotate(first, up);
    float twist =
        base_atan2(vec3_dot(vec3_cross(tilted, to_up), to_forward), vec3_dot(tilted, to_up));
    return quat_normalize(quat_multiply(quat_from_axis_angle(to_forward, twist), first));
}

/* Returns the origin_s of the layers at a new speed. The next layer leaves when the last one has
 * travelled one spacing, part of it at the old speed and the rest at the new one. An unchanged
 * speed changes nothing. */
static double find_layer_origin_time(const sim_world *world, uint32_t emitter, float speed)
{
    const scene_emitter *e = &world->scene->emitters[emitter];
    const sim_driven_emitter *driven = sim_find_driven_emitter(world, emitter);
    double now = world->time_s, d = (double)world->scene->spacing;
    const size_t stream = (size_t)(find_stream(world, emitter) - world->streams.list.items);
    double next = (double)world->stream_states[stream].next_layer;
    double origin = driven ? driven->origin_s : (double)e->start_s;
    float before = opening_speed(world, emitter, now);
    double left = next - (now - origin) * (double)before / d;
    double due = next > 0.0 ? fmin(fmax(left, 0.0), 1.0) : 0.0;
    if (speed == before && due == left) return origin;
    return now - (next - due) * d / (double)speed;
}

void sim_set_emitter_opening(sim_world *world, uint32_t emitter, const sim_emitter_opening *opening,
                             bool teleport)
{
    const scene_emitter *e = &world->scene->emitters[emitter];
    sim_driven_emitter *driven = &world->driven_emitters[emitter];
    scene_pose pose = {opening->position,
                       rotation_between(e->direction, e->up, opening->direction, opening->up),
                       1.0f};
    if (world->params.planar) pose.position.z = world->params.plane;
    driven->origin_s = find_layer_origin_time(world, emitter, opening->speed);
    driven->speed = opening->speed;
    driven->open = opening->open;
    driven->overridden = true;
    solid_target_set(&driven->path, 0, &pose);
    if (teleport) solid_target_teleport(&driven->path, 0, &pose);
}

/* ---- saved states ---------------------------------------------------------------------------- */

uint64_t sim_driven_emitter_bytes(const sim_world *world)
{
    return world->driven_emitters ? world->scene->emitter_count * sizeof(sim_saved_driven_emitter)
                                  : 0;
}

void sim_driven_emitters_save(const sim_world *world, sim_saved_driven_emitter *saved)
{
    for (uint32_t i = 0; world->driven_emitters && i < world->scene->emitter_count; i++) {
        const sim_driven_emitter *n = &world->driven_emitters[i];
        saved[i] = (sim_saved_driven_emitter){.pose = n->path.to,
                                              .speed = n->speed,
                                              .overridden = n->overridden,
                                              .open = n->open,
                                              .origin_s = n->origin_s};
    }
}

static sim_saved_driven_emitter read_saved(const void *saved, uint32_t index)
{
    sim_saved_driven_emitter n;
    memcpy(&n, (const uint8_t *)saved + index * sizeof n, sizeof n);
    return n;
}

bool sim_driven_emitters_valid(const sim_world *world, const void *saved)
{
    bool valid = true;
    for (uint32_t i = 0; i < world->scene->emitter_count && valid; i++) {
        sim_saved_driven_emitter n = read_saved(saved, i);
        valid = (world->scene->emitters[i].has_shape
                     ? vec3_length(n.pose.position) <= SCENE_EMITTER_MAX_MOVE
                     : scene_is_inside(&world->scene->domain, n.pose.position)) &&
                sim_is_rotation(n.pose.rotation) && fabs(n.origin_s) <= MAX_ORIGIN_S &&
                n.overridden <= 1 && n.open <= 1;
        if (n.overridden) valid = valid && scene_is_emitter_speed((double)n.speed);
    }
    return valid;
}

void sim_driven_emitters_restore(sim_world *world, const void *saved)
{
    for (uint32_t i = 0; i < world->scene->emitter_count; i++) {
        sim_saved_driven_emitter from = read_saved(saved, i);
        sim_driven_emitter *n = &world->driven_emitters[i];
        n->overridden = from.overridden;
        n->open = from.open;
        n->speed = from.speed;
        n->origin_s = from.origin_s;
        solid_target_set(&n->path, 0, &from.pose);
        solid_target_teleport(&n->path, 0, &from.pose);
    }
}
