/* Bodies: free motion, contacts of balls, and fluid that meets them. */
#include "ref_body.h"

#include "ref_walls.h"

static quat quat_of(vec4 q)
{
    return (quat){q.x, q.y, q.z, q.w};
}

static vec4 vec4_of(vec3 v, float w)
{
    return (vec4){v.x, v.y, v.z, w};
}

static vec3 inertia_times(const struct body_make *m, quat q, vec3 v)
{
    vec3 w = quat_rotate(quat_conjugate(q), v);
    vec3 inverse = {m->inertia.x * w.x + m->products.x * w.y + m->products.y * w.z,
                    m->products.x * w.x + m->inertia.y * w.y + m->products.z * w.z,
                    m->products.y * w.x + m->products.z * w.y + m->inertia.z * w.z};
    return quat_rotate(q, inverse);
}

static quat turned(quat q, vec3 turn)
{
    float angle = vec3_length(turn);
    if (angle <= 0.0f) return q;
    return quat_multiply(quat_from_axis_angle(vec3_scale(turn, 1.0f / angle), angle), q);
}

static vec4 rotation_of(quat q)
{
    return (vec4){q.x, q.y, q.z, q.w};
}

struct body_state ref_body_fall(const ref_bodies *b, uint32_t body)
{
    const struct body_make *m = &b->makes[body];
    struct body_state at = b->states[body];
    float dt = b->pbf->dt;
    quat q = quat_of(at.rotation);
    vec3 x = ref_xyz(at.position), v = ref_xyz(at.velocity), spin = ref_xyz(at.spin);
    v = vec3_add(v, vec3_scale(ref_acceleration(b->pbf->params, x), dt));
    quat middle = turned(q, vec3_scale(inertia_times(m, q, spin), 0.5f * dt));
    at.rotation = rotation_of(turned(q, vec3_scale(inertia_times(m, middle, spin), dt)));
    at.velocity = vec4_of(v, at.velocity.w);
    at.position = vec4_of(vec3_add(x, vec3_scale(v, dt)), at.position.w);
    return at;
}

struct body_state ref_body_shift(const ref_bodies *b, uint32_t body, const ref_impulse *impulse)
{
    const struct body_make *m = &b->makes[body];
    struct body_state at = b->iterates[body];
    float dt = b->pbf->dt, cap = b->pbf->params->correction_cap;
    quat q = quat_of(at.rotation);
    vec3 linear = {(float)impulse->linear[0], (float)impulse->linear[1], (float)impulse->linear[2]};
    vec3 moment = {(float)impulse->angular[0], (float)impulse->angular[1],
                   (float)impulse->angular[2]};
    vec3 moved = vec3_scale(linear, m->centre.w), turn = inertia_times(m, q, moment);
    float far = vec3_length(moved) + vec3_length(turn) * m->inertia.w;
    float kept = far > cap ? cap / far : 1.0f;
    moved = vec3_scale(moved, kept);
    at.position = vec4_of(vec3_add(ref_xyz(at.position), moved), at.position.w);
    at.velocity =
        vec4_of(vec3_add(ref_xyz(at.velocity), vec3_scale(moved, 1.0f / dt)), at.velocity.w);
    at.rotation = rotation_of(turned(q, vec3_scale(turn, kept)));
    at.spin = vec4_of(vec3_add(ref_xyz(at.spin), vec3_scale(moment, kept / dt)), at.spin.w);
    return at;
}

/* ---- contacts -------------------------------------------------------------------------------- */

static vec3 place_of(const struct body_state *at, vec3 offset)
{
    return vec3_add(ref_xyz(at->position), quat_rotate(quat_of(at->rotation), offset));
}

static void deepen(struct body_contact *contact, float depth, vec3 normal, vec3 slip)
{
    contact->normal = vec4_of(normal, depth);
    contact->slip = vec4_of(slip, 0.0f);
}

static void touch_sides(const struct sim_params *params, vec3 p, vec3 start,
                        struct body_contact *contact)
{
    for (uint32_t side = 0; side < 6; side++) {
        vec3 normal;
        float depth = -ref_side(params, side, p, &normal);
        if (depth <= contact->normal.w) continue;
        deepen(contact, depth, normal, vec3_sub(p, start));
        contact->other = BODY_WALL;
        contact->friction = params->friction;
    }
}

struct body_contact ref_body_touch(const ref_bodies *b, uint32_t self, vec3 offset)
{
    const struct sim_params *params = b->pbf->params;
    struct body_contact contact = {.other = BODY_NONE};
    vec3 p = place_of(&b->iterates[self], offset), start = place_of(&b->states[self], offset);
    touch_sides(params, p, start, &contact);
    for (uint32_t i = 0; i < params->sink_first; i++) {
        const ref_ball *ball = &b->pbf->balls[i];
        vec3 normal;
        float depth = -ref_ball_distance(ball, p, &normal);
        if (i == params->solid_count + self || depth <= contact.normal.w) continue;
        deepen(&contact, depth, normal, vec3_sub(ref_ball_carried(ball, p), start));
        contact.other = i < params->solid_count ? BODY_WALL : i - params->solid_count;
        contact.friction = ball->friction;
    }
    contact.friction = fmaxf(contact.friction, b->makes[self].products.w);
    return contact;
}

/* 1/kg, as much larger as the body has contacts. */
static float weight(const ref_bodies *b, uint32_t body, vec3 arm, vec3 n, uint32_t contacts)
{
    vec3 moment = vec3_cross(arm, n);
    vec3 turn = inertia_times(&b->makes[body], quat_of(b->iterates[body].rotation), moment);
    return (float)contacts * (b->makes[body].centre.w + vec3_dot(moment, turn));
}

static void add(ref_impulse *sum, vec3 arm, vec3 impulse)
{
    vec3 moment = vec3_cross(arm, impulse);
    const float j[3] = {impulse.x, impulse.y, impulse.z}, m[3] = {moment.x, moment.y, moment.z};
    for (int k = 0; k < 3; k++) {
        sum->linear[k] += (double)j[k];
        sum->angular[k] += (double)m[k];
    }
}

void ref_body_press(const ref_bodies *b, uint32_t self, vec3 offset,
                    const struct body_contact *contact, ref_impulse *sums)
{
    if (contact->other == BODY_NONE) return;
    bool both = contact->other != BODY_WALL;
    uint32_t other = both ? contact->other : self;
    vec3 n = ref_xyz(contact->normal), slip = ref_xyz(contact->slip);
    vec3 arm = quat_rotate(quat_of(b->iterates[self].rotation), offset);
    vec3 other_arm = vec3_sub(vec3_add(ref_xyz(b->iterates[self].position), arm),
                              ref_xyz(b->iterates[other].position));
    float w = weight(b, self, arm, n, sums[self].contacts);
    if (both) w += weight(b, other, other_arm, n, sums[other].contacts);
    float push = fminf(contact->normal.w, b->pbf->params->correction_cap) / w;
    vec3 impulse = vec3_scale(n, push);
    slip = vec3_sub(slip, vec3_scale(n, vec3_dot(slip, n)));
    float size = vec3_length(slip);
    if (size > 0.0f) {
        vec3 along = vec3_scale(slip, 1.0f / size);
        w = weight(b, self, arm, along, sums[self].contacts);
        if (both) w += weight(b, other, other_arm, along, sums[other].contacts);
        float held = fminf(size / w, contact->friction * push);
        impulse = vec3_sub(impulse, vec3_scale(along, held));
    }
    add(&sums[self], arm, impulse);
    if (both) add(&sums[other], other_arm, vec3_scale(impulse, -1.0f));
}

/* ---- fluid ----------------------------------------------------------------------------------- */

vec3 ref_meet(const ref_bodies *b, ivec4 own, ivec4 p, ivec4 start, ref_impulse *sums)
{
    const struct sim_params *params = b->pbf->params;
    struct sim_params alone = *params; /* one body in space */
    ref_pbf pbf = *b->pbf;
    vec3 from = ref_xyz(ref_metres(params, own)), at = ref_xyz(ref_metres(params, p));
    vec3 first = ref_xyz(ref_metres(params, start));
    float strength = params->relaxation * ref_float(p.w) * ref_float(own.w);
    float mass = params->fluids[start.w].mass;
    alone.sides = 0x555u; /* all open */
    alone.solid_count = 1;
    pbf.params = &alone;
    for (int project = 0; project < 2; project++)
        for (uint32_t i = 0; i < params->sink_first - params->solid_count; i++) {
            pbf.balls = &b->pbf->balls[params->solid_count + i];
            vec3 moved = vec3_scale(ref_wall_density(&pbf, from).gradient, strength);
            float size = vec3_length(moved), cap = params->correction_cap;
            if (size > cap) moved = vec3_scale(moved, cap / size);
            if (project) moved = vec3_sub(ref_wall_project(&pbf, at, first), at);
            add(&sums[i], vec3_sub(at, ref_xyz(b->iterates[i].position)), vec3_scale(moved, -mass));
            at = vec3_add(at, moved);
        }
    return ref_wall_project(b->pbf, at, first);
}
