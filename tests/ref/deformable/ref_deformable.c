/* Reference of the cloth and rope shaders: free motion, damping, constraints, boundary contacts. */
#include "ref_deformable.h"

#include "ref_walls.h"

static vec4 vec4_from(vec3 v, float w)
{
    return (vec4){v.x, v.y, v.z, w};
}

vec4 ref_deformable_predict(const ref_deformables *s, uint32_t vertex)
{
    const struct deformable_state *at = &s->states[vertex];
    const struct sim_params *p = s->pbf->params;
    float dt = s->pbf->dt, limit = p->speed_cap * p->spacing;
    if (at->position.w == 0.0f) return (vec4){0, 0, 0, 0};
    vec3 v = ref_predicted_velocity(p, ref_xyz(at->position), ref_xyz(at->velocity), dt);
    float far = vec3_length(v) * dt;
    if (far > limit) v = vec3_scale(v, limit / far);
    return vec4_from(vec3_scale(v, dt), at->position.w);
}

vec4 ref_deformable_apply_pin(const ref_deformables *s, const struct deformable_pin *pin)
{
    const struct solid_pose *pose = &s->pbf->balls[pin->item].pose;
    const vec4 *q = &pose->rotation;
    vec3 p = quat_rotate((quat){q->x, q->y, q->z, q->w}, ref_xyz(pin->position));
    p = vec3_add(p, ref_xyz(pose->position));
    return vec4_from(vec3_sub(p, ref_xyz(s->states[pin->vertex].position)), 0.0f);
}

/* ---- damping -------------------------------------------------------------------------------- */

/* Solves I w = L for the angular velocity of rigid motion by Cramer's rule. */
static void solve3(double m[3][3], const double b[3], double x[3])
{
    double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                 m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                 m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    for (int k = 0; k < 3; k++) {
        double c[3][3];
        memcpy(c, m, sizeof c);
        for (int i = 0; i < 3; i++)
            c[i][k] = b[i];
        x[k] = (c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) -
                c[0][1] * (c[1][0] * c[2][2] - c[1][2] * c[2][0]) +
                c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0])) /
               det;
    }
}

static void cross3(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

typedef struct rigid_motion {
    double centre[3], mean[3], turn[3], mass;
} rigid_motion;

static void read_vertex(const ref_deformables *s, uint32_t v, double x[3], double d[3])
{
    const vec4 *p = &s->states[v].position, *m = &s->displacements[v];
    const double vertex_position[3] = {(double)p->x, (double)p->y, (double)p->z};
    const double moved[3] = {(double)m->x, (double)m->y, (double)m->z};
    memcpy(x, vertex_position, sizeof vertex_position);
    memcpy(d, moved, sizeof moved);
}

static rigid_motion fit_rigid_motion(const ref_deformables *s,
                                     const struct deformable_properties *make)
{
    rigid_motion r = {.mass = 0.0};
    double x[3], d[3], inertia[3][3] = {{0}}, spin[3] = {0}, part[3];
    uint32_t end = make->first_vertex + make->vertex_count;
    for (uint32_t v = make->first_vertex; v < end; v++) {
        double mass = s->displacements[v].w > 0.0f ? 1.0 / (double)s->displacements[v].w : 0.0;
        read_vertex(s, v, x, d);
        r.mass += mass;
        for (int k = 0; k < 3; k++)
            r.centre[k] += mass * x[k], r.mean[k] += mass * d[k];
    }
    for (int k = 0; k < 3; k++)
        r.centre[k] /= r.mass, r.mean[k] /= r.mass;
    for (uint32_t v = make->first_vertex; v < end; v++) {
        double mass = s->displacements[v].w > 0.0f ? 1.0 / (double)s->displacements[v].w : 0.0,
               square = 0.0;
        read_vertex(s, v, x, d);
        for (int k = 0; k < 3; k++)
            x[k] -= r.centre[k], d[k] -= r.mean[k], square += x[k] * x[k];
        cross3(x, d, part);
        for (int i = 0; i < 3; i++) {
            spin[i] += mass * part[i];
            for (int k = 0; k < 3; k++)
                inertia[i][k] += mass * ((i == k ? square : 0.0) - x[i] * x[k]);
        }
    }
    double trace = inertia[0][0] + inertia[1][1] + inertia[2][2];
    for (int k = 0; k < 3; k++)
        inertia[k][k] += (double)DEFORMABLE_DAMP_REGULARIZATION * trace;
    solve3(inertia, spin, r.turn);
    return r;
}

void ref_deformable_damp(const ref_deformables *s, uint32_t deformable)
{
    const struct deformable_properties *make = &s->properties[deformable];
    rigid_motion r = fit_rigid_motion(s, make);
    double share = 1.0 - exp(-(double)make->damping * (double)s->pbf->dt), x[3], d[3], turned[3];
    for (uint32_t v = make->first_vertex; v < make->first_vertex + make->vertex_count; v++) {
        if (s->displacements[v].w == 0.0f) continue;
        read_vertex(s, v, x, d);
        for (int k = 0; k < 3; k++)
            x[k] -= r.centre[k];
        cross3(r.turn, x, turned);
        for (int k = 0; k < 3; k++)
            d[k] += share * (r.mean[k] + turned[k] - d[k]);
        s->displacements[v] = (vec4){(float)d[0], (float)d[1], (float)d[2], s->displacements[v].w};
    }
}

/* ---- constraints ---------------------------------------------------------------------------- */

static const uint32_t *vertices_of(const struct deformable_constraint *bond)
{
    return &bond->vertices.x;
}

static vec3 vertex_position(const ref_deformables *s, uint32_t v)
{
    return ref_xyz(s->states[v].position);
}

static vec3 vertex_offset(const ref_deformables *s, uint32_t a, uint32_t b)
{
    return vec3_add(vec3_sub(vertex_position(s, a), vertex_position(s, b)),
                    vec3_sub(ref_xyz(s->displacements[a]), ref_xyz(s->displacements[b])));
}

/* Updates the multiplier of a constraint and returns the impulse along it; `weight` is the sum of
 * the inverse masses of its vertices. */
static vec3 solve_constraint(const ref_deformables *s, uint32_t index, float weight)
{
    const struct deformable_constraint *bond = &s->constraints[index];
    const uint32_t *v = vertices_of(bond);
    const float *share = &bond->coefficients.x;
    float deformable = bond->compliance / (s->pbf->dt * s->pbf->dt), sum = weight + deformable;
    vec3 lambda = ref_xyz(s->multipliers[index]), value = {0}, along = {0};
    if (bond->kind == DEFORMABLE_STRETCH) {
        vec3 d = vertex_offset(s, v[0], v[1]);
        float length = vec3_length(d);
        along = vec3_scale(d, 1.0f / length);
        value.x = length - bond->rest;
    } else {
        for (uint32_t k = 1; k < DEFORMABLE_MAX_VERTICES; k++)
            if (v[k] != DEFORMABLE_NONE)
                value = vec3_sub(value, vec3_scale(vertex_offset(s, v[0], v[k]), share[k]));
    }
    vec3 change = vec3_scale(vec3_add(value, vec3_scale(lambda, deformable)), -1.0f / sum);
    if (bond->compliance < 0.0f) change = vec3_scale(value, bond->compliance / weight);
    if (!((bond->compliance < 0.0f ? weight : sum) > 0.0f)) change = (vec3){0, 0, 0};
    s->multipliers[index] = vec4_from(vec3_add(lambda, change), 0.0f);
    return bond->kind == DEFORMABLE_STRETCH ? vec3_scale(along, change.x) : change;
}

bool ref_deformable_is_torn(const ref_deformables *s, uint32_t flag)
{
    return flag != DEFORMABLE_NONE && ((const float *)s->states)[flag] != 0.0f;
}

bool ref_deformable_edge_tears(const ref_deformables *s, uint32_t deformable, uint32_t index)
{
    const struct deformable_constraint *bond = &s->constraints[index];
    if (bond->kind != DEFORMABLE_STRETCH || bond->tear_flag == DEFORMABLE_NONE) return false;
    float length = vec3_length(vertex_offset(s, bond->vertices.x, bond->vertices.y));
    return length / bond->rest - 1.0f > s->properties[deformable].tear;
}

bool ref_deformable_bend_tears(const ref_deformables *s, const struct deformable_bend_tear *fray)
{
    const uint32_t *edges = &fray->edge0;
    bool torn = false;
    for (uint32_t k = 0; k < DEFORMABLE_BEND_TEAR_EDGES; k++)
        torn |= ref_deformable_is_torn(s, edges[k]);
    return torn;
}

/* Returns six times the gradient of a tetrahedron's volume with respect to corner k: the area
 * vector of the opposite face, pointing to k. */
static vec3 volume_gradient(const ref_deformables *s, const uint32_t *v, uint32_t k)
{
    static const uint32_t others[DEFORMABLE_MAX_VERTICES][3] = {
        {1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
    const uint32_t *o = others[k];
    return vec3_cross(vertex_offset(s, v[o[1]], v[o[0]]), vertex_offset(s, v[o[2]], v[o[0]]));
}

static void solve_volume_constraint(const ref_deformables *s, uint32_t index)
{
    const struct deformable_constraint *bond = &s->constraints[index];
    const uint32_t *v = vertices_of(bond);
    double weight = 0.0, deformable = (double)bond->compliance / pow((double)s->pbf->dt, 2);
    vec3 gradients[DEFORMABLE_MAX_VERTICES];
    for (uint32_t k = 0; k < DEFORMABLE_MAX_VERTICES; k++) {
        gradients[k] = vec3_scale(volume_gradient(s, v, k), 1.0f / 6.0f);
        weight += (double)(s->displacements[v[k]].w * vec3_dot(gradients[k], gradients[k]));
    }
    double value = (double)(vec3_dot(vertex_offset(s, v[3], v[0]), gradients[3]) - bond->rest);
    double change = -(value + deformable * (double)s->multipliers[index].x) / (weight + deformable);
    if (bond->compliance < 0.0f) change = (double)bond->compliance * value / weight;
    s->multipliers[index].x += (float)change;
    for (uint32_t k = 0; k < DEFORMABLE_MAX_VERTICES; k++) {
        vec4 *m = &s->displacements[v[k]];
        vec3 push = vec3_scale(gradients[k], m->w * (float)change);
        *m = vec4_from(vec3_add(ref_xyz(*m), push), m->w);
    }
}

void ref_deformable_gauss_seidel(const ref_deformables *s, uint32_t index)
{
    if (ref_deformable_is_torn(s, s->constraints[index].tear_flag)) return;
    if (s->constraints[index].kind == DEFORMABLE_VOLUME) {
        solve_volume_constraint(s, index);
        return;
    }
    const uint32_t *v = vertices_of(&s->constraints[index]);
    const float *share = &s->constraints[index].coefficients.x;
    float weight = 0.0f;
    for (uint32_t k = 0; k < DEFORMABLE_MAX_VERTICES; k++)
        if (v[k] != DEFORMABLE_NONE) weight += s->displacements[v[k]].w * share[k] * share[k];
    vec3 push = solve_constraint(s, index, weight);
    for (uint32_t k = 0; k < DEFORMABLE_MAX_VERTICES; k++) {
        if (v[k] == DEFORMABLE_NONE) continue;
        vec4 *m = &s->displacements[v[k]];
        *m = vec4_from(vec3_add(ref_xyz(*m), vec3_scale(push, m->w * share[k])), m->w);
    }
}

vec4 ref_deformable_jacobi(const ref_deformables *s, uint32_t index)
{
    if (ref_deformable_is_torn(s, s->constraints[index].tear_flag)) return (vec4){0, 0, 0, 0};
    const uint32_t *v = vertices_of(&s->constraints[index]);
    const float *share = &s->constraints[index].coefficients.x;
    float weight = 0.0f;
    for (uint32_t k = 0; k < DEFORMABLE_MAX_VERTICES; k++)
        if (v[k] != DEFORMABLE_NONE)
            weight += (float)(s->constraint_offsets[v[k] + 1] - s->constraint_offsets[v[k]]) *
                      s->displacements[v[k]].w * share[k] * share[k];
    return vec4_from(solve_constraint(s, index, weight), 0.0f);
}

vec4 ref_deformable_apply_jacobi(const ref_deformables *s, const vec4 *pushes, uint32_t vertex)
{
    vec3 sum = {0};
    vec4 m = s->displacements[vertex];
    for (uint32_t e = s->constraint_offsets[vertex]; e < s->constraint_offsets[vertex + 1]; e++) {
        uint32_t bond = s->constraint_entries[e] / DEFORMABLE_MAX_VERTICES;
        float share = (&s->constraints[bond]
                            .coefficients.x)[s->constraint_entries[e] % DEFORMABLE_MAX_VERTICES];
        sum = vec3_add(sum, vec3_scale(ref_xyz(pushes[bond]), share));
    }
    return vec4_from(vec3_add(ref_xyz(m), vec3_scale(sum, m.w)), m.w);
}

/* ---- walls ---------------------------------------------------------------------------------- */

static vec3 friction_displacement(vec3 slip, vec3 normal, float push, float friction)
{
    vec3 along = vec3_sub(slip, vec3_scale(normal, vec3_dot(slip, normal)));
    float size = vec3_length(along);
    if (!(size > 0.0f)) return (vec3){0, 0, 0};
    return vec3_scale(along, -fminf(1.0f, friction * push / size));
}

vec4 ref_deformable_boundary_contact(const ref_deformables *s, uint32_t deformable, uint32_t vertex)
{
    const struct deformable_properties *make = &s->properties[deformable];
    const struct sim_params *p = s->pbf->params;
    vec3 start = vertex_position(s, vertex), moved = ref_xyz(s->displacements[vertex]), normal,
         pushes = {0};
    if (s->displacements[vertex].w == 0.0f) return s->displacements[vertex];
    for (uint32_t i = 0; i < s->solids; i++) {
        const ref_ball *ball = &s->pbf->balls[i];
        vec3 at = vec3_add(start, moved);
        float push = make->radius - ref_ball_distance(ball, at, &normal);
        if (push <= 0.0f) continue;
        vec3 slip = vec3_sub(moved, vec3_sub(at, ref_ball_carried(ball, at)));
        vec3 rubbed =
            friction_displacement(slip, normal, push, fmaxf(make->friction, ball->friction));
        moved = vec3_add(moved, vec3_add(vec3_scale(normal, push), rubbed));
    }
    for (uint32_t side = 0; side < 6; side++) {
        float push = make->radius - ref_side(p, side, vec3_add(start, moved), &normal);
        if (push <= 0.0f) continue;
        vec3 rubbed =
            friction_displacement(moved, normal, push, fmaxf(make->friction, p->friction));
        pushes = vec3_add(pushes, vec3_add(vec3_scale(normal, push), rubbed));
    }
    return vec4_from(vec3_add(moved, pushes), s->displacements[vertex].w);
}

struct deformable_state ref_deformable_finalize(const ref_deformables *s, uint32_t vertex)
{
    struct deformable_state at = s->states[vertex];
    vec3 moved = ref_xyz(s->displacements[vertex]);
    if (!isfinite(moved.x + moved.y + moved.z))
        return (struct deformable_state){vec4_from(ref_xyz(at.position), 0.0f), {0, 0, 0, 1}};
    at.velocity = vec4_from(vec3_scale(moved, 1.0f / s->pbf->dt), at.velocity.w);
    at.position = vec4_from(vec3_add(ref_xyz(at.position), moved), at.position.w);
    return at;
}

/* ---- fluid ---------------------------------------------------------------------------------- */

/* Returns the weight of b in the point of the segment from a to b that is nearest to p. */
static float nearest_on_segment(vec3 a, vec3 b, vec3 p)
{
    vec3 ab = vec3_sub(b, a);
    float t = vec3_dot(vec3_sub(p, a), ab) / fmaxf(vec3_dot(ab, ab), 1e-30f);
    return fminf(fmaxf(t, 0.0f), 1.0f);
}

static vec3 lerp(vec3 a, vec3 b, float t)
{
    return vec3_add(a, vec3_scale(vec3_sub(b, a), t));
}

static float distance_between(vec3 a, vec3 b)
{
    return vec3_length(vec3_sub(a, b));
}

/* Tries the edges with their corners first, then the interior. */
void ref_facet_nearest_point(const vec3 c[3], vec3 p, float w[3])
{
    static const int edges[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    float best = INFINITY;
    for (int e = 0; e < 3; e++) {
        int i = edges[e][0], k = edges[e][1];
        float t = nearest_on_segment(c[i], c[k], p), far = distance_between(lerp(c[i], c[k], t), p);
        if (!(far < best)) continue;
        best = far;
        w[0] = w[1] = w[2] = 0.0f;
        w[i] = 1.0f - t;
        w[k] += t;
    }
    vec3 n = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
    float size = vec3_dot(n, n), inner[3];
    float one2 = powf(distance_between(c[0], c[1]), 2),
          two2 = powf(distance_between(c[0], c[2]), 2);
    if (!(size > 1e-9f * one2 * two2)) return;
    for (int k = 0; k < 3; k++) {
        vec3 one = vec3_sub(c[(k + 1) % 3], p), two = vec3_sub(c[(k + 2) % 3], p);
        inner[k] = vec3_dot(vec3_cross(one, two), n) / size;
    }
    if (inner[0] >= 0.0f && inner[1] >= 0.0f && inner[2] >= 0.0f) memcpy(w, inner, sizeof inner);
}

ref_facet_contact ref_facet_find_contact(const ref_deformables *s, const uvec4 *facet, vec3 p,
                                         vec3 start)
{
    const uint32_t v[3] = {facet->x, facet->y, facet->z};
    vec3 before[3], now[3], point = {0};
    ref_facet_contact f;
    float radius;
    memcpy(&radius, &facet->w, sizeof radius);
    for (int k = 0; k < 3; k++) {
        before[k] = vertex_position(s, v[k]);
        now[k] = vec3_add(before[k], ref_xyz(s->displacements[v[k]]));
    }
    ref_facet_nearest_point(now, p, f.weights);
    for (int k = 0; k < 3; k++)
        point = vec3_add(point, vec3_scale(now[k], f.weights[k]));
    vec3 off = vec3_sub(p, point);
    float far = vec3_length(off);
    f.normal = vec3_scale(off, 1.0f / far);
    if (f.weights[0] > 0.0f && f.weights[1] > 0.0f && f.weights[2] > 0.0f) {
        vec3 n = vec3_cross(vec3_sub(now[1], now[0]), vec3_sub(now[2], now[0]));
        vec3 m = vec3_cross(vec3_sub(before[1], before[0]), vec3_sub(before[2], before[0]));
        float side = vec3_dot(m, vec3_sub(start, before[0])) >= 0.0f ? 1.0f : -1.0f;
        f.normal = vec3_scale(n, side / vec3_length(n));
        if (vec3_dot(off, f.normal) < 0.0f) far = -far;
    }
    f.depth = s->pbf->params->boundary_gap + radius - far;
    return f;
}

vec3 ref_facet_solve_contact(const ref_deformables *s, const uvec4 *facet,
                             const ref_facet_contact *met, const uint32_t *counts, float mass)
{
    const uint32_t v[3] = {facet->x, facet->y, facet->z};
    float w[3] = {met->weights[0], met->weights[1], met->weights[2]}, gives = 0.0f;
    if (v[2] == v[1]) w[1] += w[2], w[2] = 0.0f;
    for (int k = 0; k < 3; k++)
        gives += w[k] * w[k] * (float)counts[v[k]] * s->displacements[v[k]].w;
    float depth = fminf(met->depth, s->pbf->params->max_correction);
    return vec3_scale(met->normal, depth / (1.0f + mass * gives));
}
