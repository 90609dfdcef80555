/* Reference of the drag of facets on fluid. */
#include "ref_facet_drag.h"

/* Returns the offset from the nearest point of a facet to p. */
static vec3 facet_offset(const ref_deformables *s, const uvec4 *facet, vec3 p, float weights[3],
                         vec3 c[3])
{
    const uint32_t v[3] = {facet->x, facet->y, facet->z};
    vec3 point = {0};
    for (int k = 0; k < 3; k++)
        c[k] = vec3_add(ref_xyz(s->states[v[k]].position), ref_xyz(s->displacements[v[k]]));
    ref_facet_nearest_point(c, p, weights);
    for (int k = 0; k < 3; k++)
        point = vec3_add(point, vec3_scale(c[k], weights[k]));
    return vec3_sub(p, point);
}

static float facet_radius(const uvec4 *facet)
{
    float radius;
    memcpy(&radius, &facet->w, sizeof radius);
    return fmaxf(radius, 0.0f);
}

float ref_facet_distance(const ref_deformables *s, const uvec4 *facet, vec3 p)
{
    float weights[3];
    vec3 corners[3];
    float size = vec3_length(facet_offset(s, facet, p, weights, corners));
    return fmaxf(size - facet_radius(facet), 0.0f);
}

/* Evaluates the B-spline of degree n, with knots from -(n + 1) / 2 on, by the Cox-de Boor
 * recursion. */
static double b_spline(int degree, double x)
{
    double half = 0.5 * (degree + 1);
    if (degree == 0) return x >= -0.5 && x < 0.5 ? 1.0 : 0.0;
    return ((half + x) * b_spline(degree - 1, x + 0.5) +
            (half - x) * b_spline(degree - 1, x - 0.5)) /
           degree;
}

vec3 ref_facet_drag(const ref_deformables *s, ref_dragged_particle *q, const uint32_t *counts)
{
    const struct sim_params *p = s->pbf->params;
    const struct sim_fluid *fluid = &p->fluids[q->fluid];
    const uint32_t v[3] = {q->facet->x, q->facet->y, q->facet->z};
    vec3 c[3], slip = q->moved;
    vec3 off = facet_offset(s, q->facet, q->p, q->weights, c);
    float *w = q->weights, far = ref_facet_distance(s, q->facet, q->p), eases = 1.0f / fluid->mass;
    bool segment = v[2] == v[1];
    if (segment) w[1] += w[2], w[2] = 0.0f;
    for (int k = 0; k < 3; k++) {
        slip = vec3_sub(slip, vec3_scale(ref_xyz(s->displacements[v[k]]), w[k]));
        eases += w[k] * w[k] * (float)counts[v[k]] * s->displacements[v[k]].w;
    }
    vec3 n = segment ? off : vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
    n = vec3_scale(n, 1.0f / vec3_length(n));
    double layer =
        (double)fluid->mass * b_spline(2, (double)far / (double)p->spacing) / (double)p->spacing;
    if (segment) layer *= (double)(facet_radius(q->facet) / (facet_radius(q->facet) + far));
    vec3 across = vec3_scale(n, vec3_dot(slip, n)), along = vec3_sub(slip, across);
    vec3 pushed = vec3_scale(n, vec3_dot(q->impulse, n)), rubbed = vec3_sub(q->impulse, pushed);
    float darcy = (float)layer * q->skin->x / fluid->density * s->pbf->dt;
    float skin = (float)layer * q->skin->y * vec3_length(along);
    vec3 first = vec3_add(vec3_scale(across, darcy), pushed);
    vec3 second = vec3_add(vec3_scale(along, skin), rubbed);
    return vec3_add(vec3_scale(first, -1.0f / (1.0f + eases * darcy)),
                    vec3_scale(second, -1.0f / (1.0f + eases * skin)));
}
