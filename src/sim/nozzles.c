/* Emitters that move, open and close: as the scene says, or as a caller does. Each layer of a frame
 * leaves from where its opening is at that moment, with the opening's own velocity besides: so
 * layers stay a spacing apart as seen from the opening. */
#include "sim_frame.h"

/* No emitter of the scene has another speed. */
#define SPEED_LEAST 0.001f
#define SPEED_MOST 1000.0f
#define ORIGIN_MOST_S 1e12

bool sim_emitter_moves(const scene_emitter *emitter)
{
    return emitter->motion.kind != SCENE_MOTION_STATIC || emitter->speed_key_count > 0;
}

uint32_t sim_moved_layers(const scene_data *scene)
{
    for (uint32_t i = 0; i < scene->emitter_count; i++)
        if (sim_emitter_moves(&scene->emitters[i])) return SIM_EMISSIONS;
    return 0;
}

static bool is_steered(const sim_world *world, uint32_t emitter)
{
    return world->scene->emitters[emitter].motion.kind == SCENE_MOTION_STEERED;
}

weir_result sim_nozzles_create(sim_world *world)
{
    const scene_data *scene = world->scene;
    uint32_t steered = 0;
    for (uint32_t i = 0; i < scene->emitter_count; i++)
        steered += is_steered(world, i);
    if (steered == 0) return WEIR_OK;
    world->nozzles = base_alloc(scene->emitter_count, sizeof *world->nozzles);
    if (!world->nozzles) return WEIR_MEMORY;
    for (uint32_t i = 0; i < scene->emitter_count; i++) {
        const scene_emitter *e = &scene->emitters[i];
        scene_pose start = {e->position, quat_identity(), 1.0f};
        if (world->params.planar) start.position.z = world->params.plane;
        world->nozzles[i].speed = e->speed;
        solid_steered_want(&world->nozzles[i].path, 0, &start);
        solid_steered_place(&world->nozzles[i].path, 0, &start);
    }
    return WEIR_OK;
}

void sim_nozzles_begin(sim_world *world, double start_s, double end_s)
{
    for (uint32_t i = 0; world->nozzles && i < world->scene->emitter_count; i++)
        solid_steered_begin(&world->nozzles[i].path, 1, start_s, end_s);
}

const sim_nozzle *sim_nozzle_taken(const sim_world *world, uint32_t emitter)
{
    return world->nozzles && world->nozzles[emitter].taken ? &world->nozzles[emitter] : NULL;
}

/* ---- where an opening is --------------------------------------------------------------------- */

static vec3 position_at(const sim_world *world, uint32_t emitter, double time_s, quat *turn)
{
    const scene_emitter *e = &world->scene->emitters[emitter];
    if (is_steered(world, emitter)) {
        scene_pose pose = solid_steered_at(&world->nozzles[emitter].path, 0, time_s);
        *turn = pose.rotation;
        return pose.position;
    }
    scene_pose pose = scene_motion_pose(&e->motion, time_s);
    vec3 p = vec3_add(quat_rotate(pose.rotation, e->position), pose.position);
    if (world->params.planar) p.z = world->params.plane;
    *turn = pose.rotation;
    return p;
}

static float speed_at(const sim_world *world, uint32_t emitter, double time_s)
{
    const scene_emitter *e = &world->scene->emitters[emitter];
    const sim_nozzle *nozzle = sim_nozzle_taken(world, emitter);
    if (nozzle) return nozzle->speed;
    return e->speed_key_count ? scene_emitter_speed(e, time_s) : e->speed;
}

struct sim_emitter sim_nozzle_at(const sim_world *world, uint32_t emitter, double time_s,
                                 const double span[2])
{
    quat turn, unused;
    scene_emitter e = world->scene->emitters[emitter];
    vec3 way = vec3_sub(position_at(world, emitter, span[1], &unused),
                        position_at(world, emitter, span[0], &unused));
    vec3 drift = vec3_scale(way, (float)(1.0 / (span[1] - span[0])));
    e.position = position_at(world, emitter, time_s, &turn);
    e.direction = quat_rotate(turn, e.direction);
    e.up = quat_rotate(turn, e.up);
    e.speed = speed_at(world, emitter, time_s);
    struct sim_emitter here =
        sim_emitter_describe(&e, world->scene->spacing, world->emitters[emitter].first_site);
    here.velocity.x += drift.x, here.velocity.y += drift.y, here.velocity.z += drift.z;
    return here;
}

sim_outlet sim_emitter_get(const sim_world *world, uint32_t emitter)
{
    quat turn;
    const scene_emitter *e = &world->scene->emitters[emitter];
    const sim_nozzle *nozzle = sim_nozzle_taken(world, emitter);
    double now = world->time_s;
    sim_outlet opening = {.position = position_at(world, emitter, now, &turn)};
    opening.direction = quat_rotate(turn, e->direction);
    opening.up = quat_rotate(turn, e->up);
    opening.speed = speed_at(world, emitter, now);
    opening.open = nozzle ? nozzle->open : now >= (double)e->start_s && now <= (double)e->end_s;
    return opening;
}

/* ---- what a caller sets ---------------------------------------------------------------------- */

/* The turn of two unit vectors across each other, `forward` and `up`, to two others. */
static quat turn_to(vec3 forward, vec3 up, vec3 to_forward, vec3 to_up)
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

/* The next layer leaves when the last one has gone on for a spacing at the new speed, as far as it
 * had not done so before. A speed that stays changes nothing. */
static double new_origin(const sim_world *world, uint32_t emitter, float speed)
{
    const scene_emitter *e = &world->scene->emitters[emitter];
    const sim_nozzle *nozzle = sim_nozzle_taken(world, emitter);
    double now = world->time_s, d = (double)world->scene->spacing;
    double next = (double)world->emitters[emitter].next_layer;
    double origin = nozzle ? nozzle->origin_s : (double)e->start_s;
    float before = nozzle ? nozzle->speed : e->speed;
    double left = next - (now - origin) * (double)before / d;
    double due = next > 0.0 ? fmin(fmax(left, 0.0), 1.0) : 0.0;
    if (speed == before && due == left) return origin;
    return now - (next - due) * d / (double)speed;
}

void sim_emitter_set(sim_world *world, uint32_t emitter, const sim_outlet *opening, bool jump)
{
    const scene_emitter *e = &world->scene->emitters[emitter];
    sim_nozzle *nozzle = &world->nozzles[emitter];
    scene_pose pose = {opening->position,
                       turn_to(e->direction, e->up, opening->direction, opening->up), 1.0f};
    if (world->params.planar) pose.position.z = world->params.plane;
    nozzle->origin_s = new_origin(world, emitter, opening->speed);
    nozzle->speed = opening->speed;
    nozzle->open = opening->open;
    nozzle->taken = true;
    solid_steered_want(&nozzle->path, 0, &pose);
    if (jump) solid_steered_place(&nozzle->path, 0, &pose);
}

/* ---- saved states ---------------------------------------------------------------------------- */

uint64_t sim_nozzle_bytes(const sim_world *world)
{
    return world->nozzles ? world->scene->emitter_count * sizeof(sim_saved_nozzle) : 0;
}

void sim_nozzles_save(const sim_world *world, sim_saved_nozzle *saved)
{
    for (uint32_t i = 0; world->nozzles && i < world->scene->emitter_count; i++) {
        const sim_nozzle *n = &world->nozzles[i];
        saved[i] = (sim_saved_nozzle){.pose = n->path.to,
                                      .speed = n->speed,
                                      .taken = n->taken,
                                      .open = n->open,
                                      .origin_s = n->origin_s};
    }
}

static sim_saved_nozzle saved_at(const void *saved, uint32_t index)
{
    sim_saved_nozzle n;
    memcpy(&n, (const uint8_t *)saved + index * sizeof n, sizeof n);
    return n;
}

bool sim_nozzles_sane(const sim_world *world, const void *saved)
{
    bool sane = true;
    for (uint32_t i = 0; i < world->scene->emitter_count && sane; i++) {
        sim_saved_nozzle n = saved_at(saved, i);
        sane = scene_is_inside(&world->scene->domain, n.pose.position) &&
               sim_is_turn(n.pose.rotation) && fabs(n.origin_s) <= ORIGIN_MOST_S && n.taken <= 1 &&
               n.open <= 1;
        if (n.taken) sane = sane && n.speed >= SPEED_LEAST && n.speed <= SPEED_MOST;
    }
    return sane;
}

void sim_nozzles_restore(sim_world *world, const void *saved)
{
    for (uint32_t i = 0; i < world->scene->emitter_count; i++) {
        sim_saved_nozzle from = saved_at(saved, i);
        sim_nozzle *n = &world->nozzles[i];
        n->taken = from.taken;
        n->open = from.open;
        n->speed = from.speed;
        n->origin_s = from.origin_s;
        solid_steered_want(&n->path, 0, &from.pose);
        solid_steered_place(&n->path, 0, &from.pose);
    }
}
