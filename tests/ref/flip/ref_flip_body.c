/* Reference of bodies on the MAC grid: the cells that they cut, their response to pressure, and
 * particles that touch them. */
#include "ref_flip_body.h"

#include "ref_walls.h"

static const struct sim_params *params_of(const ref_bodies *b)
{
    return b->pbf->params;
}

static uint32_t body_count(const ref_bodies *b)
{
    return params_of(b)->sink_first - params_of(b)->solid_count;
}

static float distance_of(const ref_bodies *b, uint32_t body, vec3 p, vec3 *normal)
{
    return ref_ball_distance(&b->pbf->balls[params_of(b)->solid_count + body], p, normal);
}

/* Returns the nearest body and its distance. */
static uint32_t nearest(const ref_bodies *b, vec3 p, float *distance)
{
    uint32_t found = BODY_NONE;
    vec3 normal;
    for (uint32_t i = 0; i < body_count(b); i++) {
        float own = distance_of(b, i, p, &normal);
        if (own >= *distance) continue;
        *distance = own;
        found = i;
    }
    return found;
}

static float edge_of(const struct sim_params *p)
{
    return fminf(p->cell_size.x, fminf(p->cell_size.y, p->cell_size.z));
}

/* Converts a position in cells from the lower corner of the domain to metres. */
static vec3 metres_of(const struct sim_params *p, const double cells[3])
{
    return (vec3){p->domain_min.x + (float)cells[0] * p->cell_size.x,
                  p->domain_min.y + (float)cells[1] * p->cell_size.y,
                  p->domain_min.z + (float)cells[2] * p->cell_size.z};
}

/* Returns the closed fraction of an eighth of a cell, rounded to 1/255. */
static double closed_eighth(const ref_bodies *b, const double middle[3])
{
    float edge = 0.5f * edge_of(params_of(b)), distance = 1e30f;
    nearest(b, metres_of(params_of(b), middle), &distance);
    double closed = fmin(fmax(0.5 - (double)(distance / edge), 0.0), 1.0);
    return rint(closed * 255.0) / 255.0;
}

/* Returns the open fraction of a cube of the size of a cell, given its lower corner in cells. */
static double open_cube(const ref_bodies *b, const double low[3])
{
    double closed = 0.0;
    for (int k = 0; k < 8; k++) {
        const double at[3] = {low[0] + 0.25 + 0.5 * (k & 1), low[1] + 0.25 + 0.5 * (k >> 1 & 1),
                              low[2] + 0.25 + 0.5 * (k >> 2)};
        closed += closed_eighth(b, at) / 8.0;
    }
    return 1.0 - closed;
}

vec3 ref_flip_middle(const struct sim_params *p, const int at[3], int axis)
{
    double cells[3];
    for (int k = 0; k < 3; k++)
        cells[k] = at[k] + (k == axis ? 0.0 : 0.5);
    return metres_of(p, cells);
}

static void add_cross(const vec3 a, const double v[3], double scale, double out[3])
{
    const double r[3] = {(double)a.x, (double)a.y, (double)a.z};
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] += scale * (r[i] * v[j] - r[j] * v[i]);
    }
}

/* Returns the open fraction of a face for the coupling of its cell to a body. Fractions below
 * SIM_FACE_MIN_OPEN count as 0, except at a face on the end of the domain, which uses the body's
 * own fraction. */
static double kept(double open, bool end)
{
    return end || open >= (double)SIM_FACE_MIN_OPEN ? open : 0.0;
}

ref_cut ref_flip_cut(const ref_bodies *b, const int at[3])
{
    const struct sim_params *p = params_of(b);
    const double low[3] = {at[0], at[1], at[2]};
    const float size[3] = {p->cell_size.x, p->cell_size.y, p->cell_size.z};
    ref_cut cut = {.share = open_cube(b, low)};
    bool closed = cut.share < 1.0;
    for (int axis = 0; axis < 3; axis++) {
        double under[3] = {low[0], low[1], low[2]}, over[3] = {low[0], low[1], low[2]};
        under[axis] -= 0.5;
        over[axis] += 0.5;
        cut.low[axis] = open_cube(b, under);
        cut.high[axis] = open_cube(b, over);
        closed = closed || cut.low[axis] < 1.0 || cut.high[axis] < 1.0;
    }
    vec3 middle = ref_flip_middle(p, at, 3);
    float reach = BODY_COUPLING_DISTANCE * p->cell_size.x;
    uint32_t body = closed ? nearest(b, middle, &reach) : BODY_NONE;
    if (body == BODY_NONE) return cut;
    cut.tied = 1 + body;
    const int last[3] = {p->mac_cells.x - 1, p->mac_cells.y - 1, p->mac_cells.z - 1};
    for (int axis = 0; axis < 3; axis++) {
        double under = kept(cut.low[axis], at[axis] == 0);
        double over = kept(cut.high[axis], at[axis] == last[axis]);
        cut.tie[axis] = (under - over) * (double)(edge_of(p) / size[axis]);
    }
    vec3 arm = vec3_sub(middle, ref_xyz(b->iterates[body].position));
    add_cross(arm, cut.tie, 1.0 / (double)edge_of(p), cut.turn);
    return cut;
}

static vec3 inertia_times(const ref_bodies *b, uint32_t body, vec3 v)
{
    const struct body_properties *m = &b->properties[body];
    vec4 r = b->iterates[body].rotation;
    quat q = {r.x, r.y, r.z, r.w};
    vec3 w = quat_rotate(quat_conjugate(q), v);
    vec3 inverse = {m->inertia.x * w.x + m->products.x * w.y + m->products.y * w.z,
                    m->products.x * w.x + m->inertia.y * w.y + m->products.z * w.z,
                    m->products.y * w.x + m->products.z * w.y + m->inertia.z * w.z};
    return quat_rotate(q, inverse);
}

vec3 ref_body_velocity_at(const ref_bodies *b, uint32_t body, vec3 p)
{
    const struct body_state *at = &b->iterates[body];
    vec3 rate = inertia_times(b, body, ref_xyz(at->angular_momentum));
    vec3 arm = vec3_sub(p, ref_xyz(at->position));
    return vec3_add(ref_xyz(at->velocity), vec3_cross(rate, arm));
}

static float cell_mass(const struct sim_params *p)
{
    return p->fluids[0].density * p->cell_size.x * p->cell_size.y * p->cell_size.z;
}

struct poisson_rigid ref_flip_weigh(const ref_bodies *b, uint32_t body)
{
    const struct sim_params *p = params_of(b);
    float moves = b->iterates[body].position.w == 0.0f ? cell_mass(p) : 0.0f;
    float turns = moves * edge_of(p) * edge_of(p);
    vec3 x = inertia_times(b, body, vec3_make(turns, 0, 0));
    vec3 y = inertia_times(b, body, vec3_make(0, turns, 0));
    vec3 z = inertia_times(b, body, vec3_make(0, 0, turns));
    return (struct poisson_rigid){
        .matrix = {moves * b->properties[body].centre.w, x.x, y.y, z.z},
        .matrix_off_diagonal = {y.x, z.x, z.y, 0.0f},
    };
}

static void give(const ref_bodies *b, vec3 at, const double impulse[3], uint32_t body,
                 ref_impulse *sums)
{
    vec3 arm = vec3_sub(at, ref_xyz(b->iterates[body].position));
    for (int k = 0; k < 3; k++)
        sums[body].linear[k] += impulse[k];
    add_cross(arm, impulse, 1.0, sums[body].angular);
    sums[body].contact_flags |= BODY_WOKEN;
}

void ref_flip_press(const ref_bodies *b, const int at[3], double pressure, ref_impulse *sums)
{
    const struct sim_params *p = params_of(b);
    ref_cut cut = ref_flip_cut(b, at);
    double impulse[3], scale = (double)(b->pbf->dt * cell_mass(p) / edge_of(p)) * pressure;
    if (cut.tied == 0) return;
    for (int k = 0; k < 3; k++)
        impulse[k] = scale * cut.tie[k];
    give(b, ref_flip_middle(p, at, 3), impulse, cut.tied - 1, sums);
}

/* Removes the velocity into a wall, and reduces the sliding velocity by Coulomb friction. */
static vec3 bounced(vec3 velocity, vec3 wall, vec3 normal, float friction)
{
    vec3 relative = vec3_sub(velocity, wall);
    float into = vec3_dot(relative, normal);
    if (into >= 0.0f) return velocity;
    vec3 along = vec3_sub(relative, vec3_scale(normal, into));
    float size = vec3_length(along),
          kept = size > 0.0f ? fmaxf(1.0f + friction * into / size, 0) : 0;
    return vec3_add(wall, vec3_scale(along, kept));
}

vec3 ref_flip_meet(const ref_bodies *b, vec3 p, vec3 *velocity, ref_impulse *sums)
{
    const struct sim_params *params = params_of(b);
    for (uint32_t body = 0; body < body_count(b); body++) {
        vec3 normal, before = *velocity;
        float depth = params->boundary_gap - distance_of(b, body, p, &normal);
        float friction = b->pbf->balls[params->solid_count + body].friction;
        if (depth <= 0.0f) continue;
        p = vec3_add(p, vec3_scale(normal, depth));
        *velocity = bounced(before, ref_body_velocity_at(b, body, p), normal, friction);
        vec3 lost = vec3_scale(vec3_sub(before, *velocity), params->fluids[0].mass * b->pbf->dt);
        const double impulse[3] = {(double)lost.x, (double)lost.y, (double)lost.z};
        if (vec3_length(lost) > 0.0f) give(b, p, impulse, body, sums);
    }
    return p;
}
