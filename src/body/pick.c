/* Distances of points from bodies, and the body that a ray hits: sphere tracing, in steps as long
 * as the distance to the body (Hart 1996). */
#include "body_internal.h"

#define MAX_STEPS 400       /* after as many, a ray that grazes a body may be given up */
#define HIT_TOLERANCE 0.01f /* spacings: distance that counts as a hit */

static quat body_rotation(const struct body_state *state)
{
    const vec4 *q = &state->rotation;
    return (quat){q->x, q->y, q->z, q->w};
}

/* Returns the distance of a point from a body's surface. The origin of p is the centre of mass, its
 * axes are those of item space. */
static float local_surface_distance(const body_set *set, const solid_set *solids, uint32_t body,
                                    vec3 p)
{
    return solid_shape_distance(solids, set->scene->bodies[body].shape,
                                vec3_add(p, set->mass_properties[body].centre));
}

float body_surface_distance(const body_set *set, const solid_set *solids,
                            const struct body_state *state, uint32_t body, vec3 p)
{
    const vec4 *x = &state->position;
    vec3 offset = vec3_sub(p, vec3_make(x->x, x->y, x->z));
    float apart = vec3_length(offset) - set->properties[body].inertia.w;
    if (apart > set->scene->spacing) return apart;
    vec3 local = quat_rotate(quat_conjugate(body_rotation(state)), offset);
    return local_surface_distance(set, solids, body, local);
}

/* Returns the ray relative to the body's centre of mass, in the axes of item space. */
static body_ray ray_in_body(const struct body_state *state, const body_ray *ray)
{
    quat back = quat_conjugate(body_rotation(state));
    vec3 from = {state->position.x, state->position.y, state->position.z};
    return (body_ray){quat_rotate(back, vec3_sub(ray->origin, from)),
                      quat_rotate(back, ray->direction)};
}

/* Returns the distance along the ray at which it hits the body, or INFINITY. */
static float intersect_body(const body_set *set, const solid_set *solids, uint32_t body,
                            const body_ray *ray)
{
    const float within = HIT_TOLERANCE * set->scene->spacing,
                reach = set->properties[body].inertia.w;
    float along = -vec3_dot(ray->origin, ray->direction);
    vec3 nearest = vec3_add(ray->origin, vec3_scale(ray->direction, along));
    float past = reach * reach - vec3_dot(nearest, nearest);
    if (past < 0.0f) return INFINITY;
    float end = along + sqrtf(past), at = fmaxf(along - sqrtf(past), 0.0f);
    for (int i = 0; i < MAX_STEPS && at <= end; i++) {
        vec3 p = vec3_add(ray->origin, vec3_scale(ray->direction, at));
        float distance = local_surface_distance(set, solids, body, p);
        if (distance < within) return at;
        at += distance;
    }
    return INFINITY;
}

uint32_t body_set_pick(const body_set *set, const solid_set *solids,
                       const struct body_state *states, const body_ray *ray, vec3 *place)
{
    uint32_t found = BODY_NONE;
    float first = INFINITY;
    for (uint32_t i = 0; i < set->count; i++) {
        body_ray local = ray_in_body(&states[i], ray);
        float at = intersect_body(set, solids, i, &local);
        if (!(at < first)) continue;
        first = at;
        found = i;
        *place = vec3_add(local.origin, vec3_scale(local.direction, at));
    }
    return found;
}
