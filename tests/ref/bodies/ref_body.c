/* Reference of the rigid body shaders: free motion, contacts of balls, and contacts with fluid. */
#include "ref_body.h"

#include "ref_walls.h"

static quat quat_from_vec4(vec4 q)
{
    return (quat){q.x, q.y, q.z, q.w};
}

static vec4 vec4_from(vec3 v, float w)
{
    return (vec4){v.x, v.y, v.z, w};
}

static vec3 inverse_inertia_times(const struct body_properties *m, quat q, vec3 v)
{
    vec3 w = quat_rotate(quat_conjugate(q), v);
    vec3 inverse = {m->inertia.x * w.x + m->products.x * w.y + m->products.y * w.z,
                    m->products.x * w.x + m->inertia.y * w.y + m->products.z * w.z,
                    m->products.y * w.x + m->products.z * w.y + m->inertia.z * w.z};
    return quat_rotate(q, inverse);
}

static quat rotate_quat_by(quat q, vec3 turn)
{
    float angle = vec3_length(turn);
    if (angle <= 0.0f) return q;
    return quat_multiply(quat_from_axis_angle(vec3_scale(turn, 1.0f / angle), angle), q);
}

static vec4 vec4_from_quat(quat q)
{
    return (vec4){q.x, q.y, q.z, q.w};
}

struct body_state ref_body_integrate(const ref_bodies *b, uint32_t body)
{
    const struct body_properties *m = &b->properties[body];
    struct body_state at = b->states[body];
    float dt = b->pbf->dt;
    quat q = quat_from_vec4(at.rotation);
    vec3 x = ref_xyz(at.position), v = ref_xyz(at.velocity), spin = ref_xyz(at.angular_momentum);
    v = ref_pushed(b->pbf->params, x, v, dt);
    quat middle = rotate_quat_by(q, vec3_scale(inverse_inertia_times(m, q, spin), 0.5f * dt));
    at.rotation =
        vec4_from_quat(rotate_quat_by(q, vec3_scale(inverse_inertia_times(m, middle, spin), dt)));
    at.velocity = vec4_from(v, at.velocity.w);
    at.position = vec4_from(vec3_add(x, vec3_scale(v, dt)), at.position.w);
    double before = (double)vec3_dot(spin, inverse_inertia_times(m, q, spin));
    double after =
        (double)vec3_dot(spin, inverse_inertia_times(m, quat_from_vec4(at.rotation), spin));
    if (after > (1.0 + (double)BODY_MAX_SPIN_ENERGY_GAIN) * before)
        at.angular_momentum =
            vec4_from(vec3_scale(spin, (float)sqrt(before / after)), at.angular_momentum.w);
    return at;
}

/* Solves the linear system m s = sum, given as an augmented matrix, by elimination. */
static vec3 solve_3x3(double m[3][4])
{
    double s[3];
    for (int k = 0; k < 3; k++)
        for (int row = k + 1; row < 3; row++)
            for (int c = 3; c >= k; c--)
                m[row][c] -= m[k][c] * m[row][k] / m[k][k];
    for (int k = 2; k >= 0; k--) {
        s[k] = m[k][3];
        for (int c = k + 1; c < 3; c++)
            s[k] -= m[k][c] * s[c];
        s[k] /= m[k][k];
    }
    return vec3_make((float)s[0], (float)s[1], (float)s[2]);
}

static vec3 point_velocity(const struct body_properties *m, const struct body_state *at, vec3 arm)
{
    vec3 rate =
        inverse_inertia_times(m, quat_from_vec4(at->rotation), ref_xyz(at->angular_momentum));
    return vec3_add(ref_xyz(at->velocity), vec3_cross(rate, arm));
}

/* The impulse is J = -dt (k (x + dt v') + c v'), where v' is the grip's velocity with J, k = rate^2
 * and c = 2 rate per kg, and x the offset from the target. v' is linear in J, so three trials of J
 * give it. */
struct body_state ref_body_mouse_joint(const ref_bodies *b, const struct body_mouse_joint *hand)
{
    const struct body_properties *m = &b->properties[hand->body];
    const struct sim_params *params = b->pbf->params;
    struct body_state at = b->states[hand->body];
    const vec4 *g = &params->gravity;
    const double dt = (double)params->frame_dt;
    const float heavy = vec3_length(vec3_make(g->x, g->y, g->z));
    const double rate =
        fmax((double)BODY_JOINT_FREQUENCY, sqrt((double)heavy / (double)params->spacing));
    const double mass = 1.0 / (double)m->centre.w, s = dt * (2.0 * rate + dt * rate * rate);
    vec3 arm = quat_rotate(quat_from_vec4(at.rotation), ref_xyz(hand->anchor));
    vec3 v = point_velocity(m, &at, arm);
    vec3 x = vec3_sub(vec3_add(ref_xyz(at.position), arm), ref_xyz(hand->target));
    const float moves[3] = {v.x, v.y, v.z}, off[3] = {x.x, x.y, x.z};
    double rows[3][4];
    for (int axis = 0; axis < 3; axis++) {
        struct body_state tried = at;
        const vec3 push = {axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f,
                           axis == 2 ? 1.0f : 0.0f};
        tried.velocity = vec4_from(vec3_add(ref_xyz(at.velocity), push), 0.0f);
        vec3 moment = vec3_scale(vec3_cross(arm, push), (float)mass);
        tried.angular_momentum = vec4_from(vec3_add(ref_xyz(at.angular_momentum), moment), 0.0f);
        vec3 answer = vec3_sub(point_velocity(m, &tried, arm), v);
        const float answers[3] = {answer.x, answer.y, answer.z};
        for (int row = 0; row < 3; row++)
            rows[row][axis] = s * (double)answers[row] + (row == axis ? 1.0 : 0.0);
        rows[axis][3] = -s * (double)moves[axis] - dt * rate * rate * (double)off[axis];
    }
    vec3 change = solve_3x3(rows);
    float most = (float)dt * (BODY_JOINT_MAX_ACCELERATION + heavy), size = vec3_length(change);
    if (size > most) change = vec3_scale(change, most / size);
    vec3 moment = vec3_scale(vec3_cross(arm, change), (float)mass);
    float stilled = (float)(1.0 / (1.0 + dt * (double)BODY_JOINT_SPIN_DAMPING));
    at.velocity = vec4_from(vec3_add(ref_xyz(at.velocity), change), 0.0f);
    at.angular_momentum =
        vec4_from(vec3_scale(vec3_add(ref_xyz(at.angular_momentum), moment), stilled), 0.0f);
    return at;
}

struct body_state ref_body_apply_impulses(const ref_bodies *b, uint32_t body,
                                          const ref_impulse *impulse)
{
    const struct body_properties *m = &b->properties[body];
    struct body_state at = b->iterates[body];
    float dt = b->pbf->dt, cap = b->pbf->params->max_correction;
    quat q = quat_from_vec4(at.rotation);
    vec3 linear = {(float)impulse->linear[0], (float)impulse->linear[1], (float)impulse->linear[2]};
    vec3 moment = {(float)impulse->angular[0], (float)impulse->angular[1],
                   (float)impulse->angular[2]};
    vec3 moved = vec3_scale(linear, m->centre.w), turn = inverse_inertia_times(m, q, moment);
    float far = vec3_length(moved) + vec3_length(turn) * m->inertia.w;
    float kept = far > cap ? cap / far : 1.0f;
    moved = vec3_scale(moved, kept);
    at.position = vec4_from(vec3_add(ref_xyz(at.position), moved), at.position.w);
    at.velocity =
        vec4_from(vec3_add(ref_xyz(at.velocity), vec3_scale(moved, 1.0f / dt)), at.velocity.w);
    at.rotation = vec4_from_quat(rotate_quat_by(q, vec3_scale(turn, kept)));
    at.angular_momentum =
        vec4_from(vec3_add(ref_xyz(at.angular_momentum), vec3_scale(moment, kept / dt)),
                  at.angular_momentum.w);
    return at;
}

/* ---- contacts ------------------------------------------------------------------------------- */

static vec3 world_position(const struct body_state *at, vec3 offset)
{
    return vec3_add(ref_xyz(at->position), quat_rotate(quat_from_vec4(at->rotation), offset));
}

static bool is_at_rest(const struct body_state *at)
{
    return at->position.w != 0.0f || at->angular_momentum.w != 0.0f;
}

static void test_sides(const struct sim_params *params, vec3 p, struct body_contact *contact)
{
    for (uint32_t side = 0; side < 6; side++) {
        vec3 normal;
        float depth = -ref_side(params, side, p, &normal);
        if (depth <= contact->normal.w) continue;
        contact->normal = vec4_from(normal, depth);
        contact->other = BODY_BOUNDARY;
        contact->friction = params->friction;
    }
}

static bool can_collide(const ref_bodies *b, uint32_t item, uint32_t self)
{
    const uint32_t solids = b->pbf->params->solid_count;
    if (item < solids) return true;
    const uint32_t group = b->properties[self].group;
    return item != solids + self && (group == 0 || b->properties[item - solids].group != group);
}

/* Returns the item with the deepest contact; the number of items where there is no contact. */
static uint32_t test_items(const ref_bodies *b, uint32_t self, vec3 inner, vec3 outwards,
                           struct body_contact *contact)
{
    const struct sim_params *params = b->pbf->params;
    uint32_t found = params->sink_first;
    for (uint32_t i = 0; i < params->sink_first; i++) {
        vec3 normal;
        float distance = ref_ball_distance(&b->pbf->balls[i], inner, &normal);
        float depth = -distance - vec3_dot(normal, outwards);
        if (!can_collide(b, i, self) || depth <= contact->normal.w) continue;
        contact->normal = vec4_from(normal, depth);
        contact->other = i < params->solid_count ? BODY_BOUNDARY : i - params->solid_count;
        contact->friction = b->pbf->balls[i].friction;
        found = i;
    }
    return found;
}

static uint32_t wake_flags(const ref_bodies *b, uint32_t other)
{
    const struct body_state *at = &b->iterates[other];
    return at->velocity.w == 0.0f && at->position.w == 0.0f ? BODY_WOKEN : 0;
}

void ref_body_narrow_phase(const ref_bodies *b, const struct body_sample *sample,
                           struct body_contact *contact, ref_impulse *sums)
{
    const struct sim_params *params = b->pbf->params;
    const uint32_t self = sample->body;
    const struct body_state *at = &b->iterates[self];
    vec3 p = world_position(at, ref_xyz(sample->offset)),
         inner = world_position(at, ref_xyz(sample->inner_offset));
    bool clings = at->angular_momentum.w != 0.0f || vec3_length(ref_xyz(contact->impulse)) > 0.0f;
    contact->normal = vec4_from((vec3){0}, clings ? -BODY_CONTACT_SLOP * params->spacing : 0.0f);
    contact->other = BODY_NONE;
    contact->friction = 0.0f;
    test_sides(params, p, contact);
    uint32_t item = test_items(b, self, inner, vec3_sub(p, inner), contact);
    vec3 carried = item < params->sink_first ? ref_ball_carried(&b->pbf->balls[item], p) : p;
    contact->slip =
        vec4_from(vec3_sub(carried, world_position(&b->states[self], ref_xyz(sample->offset))), 0);
    contact->friction = fmaxf(contact->friction, b->properties[self].products.w);
    uint32_t other = contact->other;
    if (other == BODY_NONE) return;
    float moved = vec3_length(vec3_sub(carried, p));
    bool resting = is_at_rest(at) && (other == BODY_BOUNDARY || is_at_rest(&b->iterates[other]));
    sums[self].contact_flags |= BODY_SUPPORTED;
    if (other == BODY_BOUNDARY) {
        sums[self].contact_flags |= moved > BODY_WAKE_DISTANCE * params->spacing ? BODY_WOKEN : 0;
    } else {
        sums[self].contact_flags |= wake_flags(b, other);
        sums[other].contact_flags |= BODY_SUPPORTED | wake_flags(b, self);
    }
    if (resting) contact->other = BODY_NONE;
    if (resting) return;
    sums[self].contacts++;
    if (other != BODY_BOUNDARY) sums[other].contacts++;
}

/* Returns the inverse effective mass, 1/kg, multiplied by the number of contacts of the body. */
static float inverse_effective_mass(const ref_bodies *b, uint32_t body, vec3 arm, vec3 n,
                                    uint32_t contacts)
{
    if (is_at_rest(&b->iterates[body])) return 0.0f;
    vec3 moment = vec3_cross(arm, n);
    vec3 turn = inverse_inertia_times(&b->properties[body],
                                      quat_from_vec4(b->iterates[body].rotation), moment);
    return (float)contacts * (b->properties[body].centre.w + vec3_dot(moment, turn));
}

static void add_impulse(ref_impulse *sum, vec3 arm, vec3 impulse)
{
    vec3 moment = vec3_cross(arm, impulse);
    const float j[3] = {impulse.x, impulse.y, impulse.z}, m[3] = {moment.x, moment.y, moment.z};
    for (int k = 0; k < 3; k++) {
        sum->linear[k] += (double)j[k];
        sum->angular[k] += (double)m[k];
    }
}

static vec3 clamp_to_friction_cone(vec3 impulse, const struct body_contact *contact)
{
    vec3 n = ref_xyz(contact->normal);
    float along = vec3_dot(impulse, n), push = fmaxf(along, 0.0f), most = contact->friction * push;
    vec3 rub = vec3_sub(impulse, vec3_scale(n, along));
    float held = vec3_length(rub);
    if (held > most) rub = vec3_scale(rub, most / held);
    return vec3_add(vec3_scale(n, push), rub);
}

/* The offsets of a contact point from the two centres. */
typedef struct contact_ends {
    uint32_t self, other;
    vec3 arm, other_arm;
} contact_ends;

static float inverse_pair_mass(const ref_bodies *b, const contact_ends *e, vec3 n,
                               const ref_impulse *sums)
{
    float w = inverse_effective_mass(b, e->self, e->arm, n, sums[e->self].contacts);
    if (e->other == BODY_BOUNDARY) return w;
    return w + inverse_effective_mass(b, e->other, e->other_arm, n, sums[e->other].contacts);
}

static vec3 solve_contact_impulse(const ref_bodies *b, const contact_ends *e,
                                  const struct body_contact *contact, const ref_impulse *sums)
{
    vec3 n = ref_xyz(contact->normal), slip = ref_xyz(contact->slip);
    float cap = b->pbf->params->max_correction, out = vec3_dot(slip, n);
    float depth = contact->normal.w -
                  (1.0f - BODY_POSITION_RELAXATION) * fmaxf(contact->normal.w + out, 0.0f);
    float push = fminf(fmaxf(depth, -cap), cap) / inverse_pair_mass(b, e, n, sums);
    vec3 sum = vec3_add(ref_xyz(contact->impulse), vec3_scale(n, push));
    slip = vec3_sub(slip, vec3_scale(n, out));
    float size = vec3_length(slip);
    if (size > 0.0f) {
        float w = inverse_pair_mass(b, e, vec3_scale(slip, 1.0f / size), sums);
        sum = vec3_sub(sum, vec3_scale(slip, 1.0f / w));
    }
    return clamp_to_friction_cone(sum, contact);
}

static void apply_impulse(const ref_bodies *b, uint32_t to, vec3 p, vec3 impulse, ref_impulse *sums)
{
    if (to < BODY_BOUNDARY)
        add_impulse(&sums[to], vec3_sub(p, ref_xyz(b->iterates[to].position)), impulse);
}

void ref_body_solve_contact(const ref_bodies *b, const struct body_sample *sample, float momentum,
                            struct body_contact *contact, ref_impulse *sums)
{
    contact_ends e = {.self = sample->body, .other = contact->other};
    e.arm = quat_rotate(quat_from_vec4(b->iterates[e.self].rotation), ref_xyz(sample->offset));
    vec3 p = vec3_add(ref_xyz(b->iterates[e.self].position), e.arm), solved = {0}, impulse = {0};
    vec3 before = ref_xyz(contact->impulse);
    if (contact->source != contact->other) {
        apply_impulse(b, e.self, p, vec3_scale(before, -1.0f), sums);
        apply_impulse(b, contact->source, p, before, sums);
        before = (vec3){0};
        contact->impulse = contact->solved = vec4_from(before, 0.0f);
    }
    if (contact->other != BODY_NONE) {
        if (e.other < BODY_BOUNDARY)
            e.other_arm = vec3_sub(p, ref_xyz(b->iterates[e.other].position));
        solved = solve_contact_impulse(b, &e, contact, sums);
        vec3 way = vec3_sub(solved, ref_xyz(contact->solved));
        impulse = clamp_to_friction_cone(vec3_add(solved, vec3_scale(way, momentum)), contact);
        apply_impulse(b, e.self, p, vec3_sub(impulse, before), sums);
        apply_impulse(b, e.other, p, vec3_sub(before, impulse), sums);
    }
    contact->impulse = vec4_from(impulse, 0.0f);
    contact->solved = vec4_from(solved, 0.0f);
    contact->source = contact->other;
}

/* ---- fluid ---------------------------------------------------------------------------------- */

vec3 ref_particle_body_contact(const ref_bodies *b, ivec4 own, ivec4 p, ivec4 start,
                               ref_impulse *sums)
{
    const struct sim_params *params = b->pbf->params;
    struct sim_params alone = *params; /* a single body far from all others */
    ref_pbf pbf = *b->pbf;
    vec3 from = ref_xyz(ref_metres(params, own)), at = ref_xyz(ref_metres(params, p));
    vec3 first = ref_xyz(ref_metres(params, start));
    float strength = params->relaxation * ref_float(p.w) * ref_float(own.w);
    float mass = params->fluids[start.w].mass;
    alone.sides = 0x555u; /* all sides open */
    alone.solid_count = 1;
    pbf.params = &alone;
    for (int project = 0; project < 2; project++)
        for (uint32_t i = 0; i < params->sink_first - params->solid_count; i++) {
            pbf.balls = &b->pbf->balls[params->solid_count + i];
            vec3 moved = vec3_scale(ref_wall_density(&pbf, from).gradient, strength);
            float size = vec3_length(moved), cap = params->max_correction;
            if (size > cap) moved = vec3_scale(moved, cap / size);
            if (project) moved = vec3_sub(ref_wall_project(&pbf, at, first), at);
            add_impulse(&sums[i], vec3_sub(at, ref_xyz(b->iterates[i].position)),
                        vec3_scale(moved, -mass));
            if (vec3_length(moved) > params->origin.w) sums[i].contact_flags |= BODY_WOKEN;
            at = vec3_add(at, moved);
        }
    return ref_wall_project(b->pbf, at, first);
}
