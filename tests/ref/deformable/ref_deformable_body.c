/* Reference of vertices that touch rigid bodies or are attached to them; impulses in double
 * precision. */
#include "ref_deformable_body.h"

#include "ref_walls.h"

static vec3 vertex_position(const ref_deformables_and_bodies *h, uint32_t vertex)
{
    return vec3_add(ref_xyz(h->deformables->states[vertex].position),
                    ref_xyz(h->deformables->displacements[vertex]));
}

static const ref_ball *ball_of(const ref_deformables_and_bodies *h, uint32_t body)
{
    return &h->bodies->pbf->balls[h->bodies->pbf->params->solid_count + body];
}

uint32_t ref_deformable_find_body(const ref_deformables_and_bodies *h, uint32_t vertex)
{
    const struct sim_params *p = h->bodies->pbf->params;
    float nearest = h->deformables->properties[h->owners[vertex]].radius;
    uint32_t found = h->attachments[vertex].body;
    if (found != DEFORMABLE_NONE || h->deformables->displacements[vertex].w == 0.0f) return found;
    for (uint32_t i = 0; i < p->sink_first - p->solid_count; i++) {
        vec3 normal;
        float apart = ref_ball_distance(ball_of(h, i), vertex_position(h, vertex), &normal);
        if (apart < nearest) nearest = apart, found = i;
    }
    return found;
}

static quat body_rotation(const ref_deformables_and_bodies *h, uint32_t body)
{
    const vec4 *q = &h->bodies->iterates[body].rotation;
    return (quat){q->x, q->y, q->z, q->w};
}

/* Returns the change of the distance between the vertex and the body's point for an impulse of 1 kg
 * m along n, 1/kg. */
static vec3 separation_response(const ref_deformables_and_bodies *h, uint32_t vertex, uint32_t body,
                                vec3 n, uint32_t contacts)
{
    const struct body_properties *m = &h->bodies->properties[body];
    quat q = body_rotation(h, body);
    vec3 arm = vec3_sub(vertex_position(h, vertex), ref_xyz(h->bodies->iterates[body].position));
    vec3 w = quat_rotate(quat_conjugate(q), vec3_cross(arm, n));
    const vec4 *xx = &m->inertia, *xy = &m->products;
    vec3 turn = {xx->x * w.x + xy->x * w.y + xy->y * w.z, xy->x * w.x + xx->y * w.y + xy->z * w.z,
                 xy->y * w.x + xy->z * w.y + xx->z * w.z};
    vec3 moved = vec3_cross(quat_rotate(q, turn), arm);
    moved = vec3_scale(vec3_add(vec3_scale(n, m->centre.w), moved), (float)contacts);
    return vec3_add(moved, vec3_scale(n, h->deformables->displacements[vertex].w));
}

/* Solves m x = b by Cramer's rule; m is given by columns. */
static vec3 solve_3x3(const vec3 m[3], vec3 b)
{
    float det = vec3_dot(m[0], vec3_cross(m[1], m[2]));
    vec3 x = {vec3_dot(b, vec3_cross(m[1], m[2])), vec3_dot(m[0], vec3_cross(b, m[2])),
              vec3_dot(m[0], vec3_cross(m[1], b))};
    return vec3_scale(x, 1.0f / det);
}

static vec3 attachment_impulse(const ref_deformables_and_bodies *h, uint32_t vertex, uint32_t body,
                               uint32_t contacts)
{
    static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const struct deformable_attachment *tie = &h->attachments[vertex];
    vec3 m[3],
        arm = vec3_sub((vec3){tie->x, tie->y, tie->z}, ref_xyz(h->bodies->properties[body].centre));
    arm = quat_rotate(body_rotation(h, body), arm);
    vec3 point = vec3_add(ref_xyz(h->bodies->iterates[body].position), arm);
    for (int k = 0; k < 3; k++)
        m[k] = separation_response(h, vertex, body, axes[k], contacts);
    return solve_3x3(m, vec3_sub(point, vertex_position(h, vertex)));
}

static vec3 contact_impulse(const ref_deformables_and_bodies *h, uint32_t vertex, uint32_t body,
                            uint32_t contacts)
{
    const struct deformable_properties *make = &h->deformables->properties[h->owners[vertex]];
    const ref_ball *ball = ball_of(h, body);
    vec3 at = vertex_position(h, vertex), n;
    float depth = make->radius - ref_ball_distance(ball, at, &n);
    if (depth <= 0.0f) return (vec3){0, 0, 0};
    float push = depth / vec3_dot(n, separation_response(h, vertex, body, n, contacts));
    vec3 slip =
        vec3_sub(ref_ball_carried(ball, at), ref_xyz(h->deformables->states[vertex].position));
    slip = vec3_sub(slip, vec3_scale(n, vec3_dot(slip, n)));
    vec3 t = vec3_scale(slip, 1.0f / vec3_length(slip));
    float rub = vec3_length(slip) / vec3_dot(t, separation_response(h, vertex, body, t, contacts));
    rub = fminf(rub, fmaxf(make->friction, ball->friction) * push);
    return vec3_sub(vec3_scale(n, push), vec3_scale(t, rub));
}

void ref_deformable_solve_body(const ref_deformables_and_bodies *h, uint32_t vertex, uint32_t body,
                               ref_impulse *sum)
{
    bool hangs = h->attachments[vertex].body != DEFORMABLE_NONE;
    vec3 impulse = hangs ? attachment_impulse(h, vertex, body, sum->contacts)
                         : contact_impulse(h, vertex, body, sum->contacts);
    vec3 arm = vec3_sub(vertex_position(h, vertex), ref_xyz(h->bodies->iterates[body].position));
    vec3 moment = vec3_cross(arm, impulse);
    vec4 *m = &h->deformables->displacements[vertex];
    *m = (vec4){m->x + m->w * impulse.x, m->y + m->w * impulse.y, m->z + m->w * impulse.z, m->w};
    const float j[3] = {impulse.x, impulse.y, impulse.z}, a[3] = {moment.x, moment.y, moment.z};
    for (int k = 0; k < 3; k++) {
        sum->linear[k] -= (double)j[k];
        sum->angular[k] -= (double)a[k];
    }
    sum->contact_flags |= BODY_WOKEN;
}
