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
    v = ref_pushed(b->pbf->params, x, v, dt);
    quat middle = turned(q, vec3_scale(inertia_times(m, q, spin), 0.5f * dt));
    at.rotation = rotation_of(turned(q, vec3_scale(inertia_times(m, middle, spin), dt)));
    at.velocity = vec4_of(v, at.velocity.w);
    at.position = vec4_of(vec3_add(x, vec3_scale(v, dt)), at.position.w);
    double before = (double)vec3_dot(spin, inertia_times(m, q, spin));
    double after = (double)vec3_dot(spin, inertia_times(m, quat_of(at.rotation), spin));
    if (after > (1.0 + (double)BODY_TURN_GAIN) * before)
        at.spin = vec4_of(vec3_scale(spin, (float)sqrt(before / after)), at.spin.w);
    return at;
}

/* Solves the rows of m s = sum by elimination. */
static vec3 solve_three(double m[3][4])
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

static vec3 velocity_at(const struct body_make *m, const struct body_state *at, vec3 arm)
{
    vec3 rate = inertia_times(m, quat_of(at->rotation), ref_xyz(at->spin));
    return vec3_add(ref_xyz(at->velocity), vec3_cross(rate, arm));
}

/* J = -dt (k (x + dt v') + c v'), where v' is the grip's velocity with J, k = rate^2 and c = 2 rate
 * for each kg, and x the offset from the target: linear in J, so three trials of J give v'. */
struct body_state ref_body_drag(const ref_bodies *b, const struct body_hand *hand)
{
    const struct body_make *m = &b->makes[hand->body];
    const struct sim_params *params = b->pbf->params;
    struct body_state at = b->states[hand->body];
    const vec4 *g = &params->gravity;
    const double dt = (double)params->frame_dt;
    const float heavy = vec3_length(vec3_make(g->x, g->y, g->z));
    const double rate = fmax((double)BODY_HAND_RATE, sqrt((double)heavy / (double)params->spacing));
    const double mass = 1.0 / (double)m->centre.w, s = dt * (2.0 * rate + dt * rate * rate);
    vec3 arm = quat_rotate(quat_of(at.rotation), ref_xyz(hand->grip));
    vec3 v = velocity_at(m, &at, arm);
    vec3 x = vec3_sub(vec3_add(ref_xyz(at.position), arm), ref_xyz(hand->target));
    const float moves[3] = {v.x, v.y, v.z}, off[3] = {x.x, x.y, x.z};
    double rows[3][4];
    for (int axis = 0; axis < 3; axis++) {
        struct body_state tried = at;
        const vec3 push = {axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f,
                           axis == 2 ? 1.0f : 0.0f};
        tried.velocity = vec4_of(vec3_add(ref_xyz(at.velocity), push), 0.0f);
        vec3 moment = vec3_scale(vec3_cross(arm, push), (float)mass);
        tried.spin = vec4_of(vec3_add(ref_xyz(at.spin), moment), 0.0f);
        vec3 answer = vec3_sub(velocity_at(m, &tried, arm), v);
        const float answers[3] = {answer.x, answer.y, answer.z};
        for (int row = 0; row < 3; row++)
            rows[row][axis] = s * (double)answers[row] + (row == axis ? 1.0 : 0.0);
        rows[axis][3] = -s * (double)moves[axis] - dt * rate * rate * (double)off[axis];
    }
    vec3 change = solve_three(rows);
    float most = (float)dt * (BODY_HAND_MOST + heavy), size = vec3_length(change);
    if (size > most) change = vec3_scale(change, most / size);
    vec3 moment = vec3_scale(vec3_cross(arm, change), (float)mass);
    float stilled = (float)(1.0 / (1.0 + dt * (double)BODY_HAND_STILLS));
    at.velocity = vec4_of(vec3_add(ref_xyz(at.velocity), change), 0.0f);
    at.spin = vec4_of(vec3_scale(vec3_add(ref_xyz(at.spin), moment), stilled), 0.0f);
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

static bool rests(const struct body_state *at)
{
    return at->position.w != 0.0f || at->spin.w != 0.0f;
}

static void touch_sides(const struct sim_params *params, vec3 p, struct body_contact *contact)
{
    for (uint32_t side = 0; side < 6; side++) {
        vec3 normal;
        float depth = -ref_side(params, side, p, &normal);
        if (depth <= contact->normal.w) continue;
        contact->normal = vec4_of(normal, depth);
        contact->other = BODY_WALL;
        contact->friction = params->friction;
    }
}

static bool meets(const ref_bodies *b, uint32_t item, uint32_t self)
{
    const uint32_t solids = b->pbf->params->solid_count;
    if (item < solids) return true;
    const uint32_t group = b->makes[self].group;
    return item != solids + self && (group == 0 || b->makes[item - solids].group != group);
}

/* The item of the contact; the number of items where none is deeper. */
static uint32_t touch_items(const ref_bodies *b, uint32_t self, vec3 inner, vec3 outwards,
                            struct body_contact *contact)
{
    const struct sim_params *params = b->pbf->params;
    uint32_t found = params->sink_first;
    for (uint32_t i = 0; i < params->sink_first; i++) {
        vec3 normal;
        float distance = ref_ball_distance(&b->pbf->balls[i], inner, &normal);
        float depth = -distance - vec3_dot(normal, outwards);
        if (!meets(b, i, self) || depth <= contact->normal.w) continue;
        contact->normal = vec4_of(normal, depth);
        contact->other = i < params->solid_count ? BODY_WALL : i - params->solid_count;
        contact->friction = b->pbf->balls[i].friction;
        found = i;
    }
    return found;
}

static uint32_t stirs(const ref_bodies *b, uint32_t other)
{
    const struct body_state *at = &b->iterates[other];
    return at->velocity.w == 0.0f && at->position.w == 0.0f ? BODY_STIRRED : 0;
}

void ref_body_touch(const ref_bodies *b, const struct body_sample *sample,
                    struct body_contact *contact, ref_impulse *sums)
{
    const struct sim_params *params = b->pbf->params;
    const uint32_t self = sample->body;
    const struct body_state *at = &b->iterates[self];
    vec3 p = place_of(at, ref_xyz(sample->place)), inner = place_of(at, ref_xyz(sample->inner));
    bool clings = at->spin.w != 0.0f || vec3_length(ref_xyz(contact->impulse)) > 0.0f;
    contact->normal = vec4_of((vec3){0}, clings ? -BODY_CLING * params->spacing : 0.0f);
    contact->other = BODY_NONE;
    contact->friction = 0.0f;
    touch_sides(params, p, contact);
    uint32_t item = touch_items(b, self, inner, vec3_sub(p, inner), contact);
    vec3 carried = item < params->sink_first ? ref_ball_carried(&b->pbf->balls[item], p) : p;
    contact->slip =
        vec4_of(vec3_sub(carried, place_of(&b->states[self], ref_xyz(sample->place))), 0);
    contact->friction = fmaxf(contact->friction, b->makes[self].products.w);
    uint32_t other = contact->other;
    if (other == BODY_NONE) return;
    float moved = vec3_length(vec3_sub(carried, p));
    bool resting = rests(at) && (other == BODY_WALL || rests(&b->iterates[other]));
    sums[self].touched |= BODY_HELD;
    if (other == BODY_WALL) {
        sums[self].touched |= moved > BODY_STIR * params->spacing ? BODY_STIRRED : 0;
    } else {
        sums[self].touched |= stirs(b, other);
        sums[other].touched |= BODY_HELD | stirs(b, self);
    }
    if (resting) contact->other = BODY_NONE;
    if (resting) return;
    sums[self].contacts++;
    if (other != BODY_WALL) sums[other].contacts++;
}

/* 1/kg, as much larger as the body has contacts. */
static float weight(const ref_bodies *b, uint32_t body, vec3 arm, vec3 n, uint32_t contacts)
{
    if (rests(&b->iterates[body])) return 0.0f;
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

static vec3 allowed(vec3 impulse, const struct body_contact *contact)
{
    vec3 n = ref_xyz(contact->normal);
    float along = vec3_dot(impulse, n), push = fmaxf(along, 0.0f), most = contact->friction * push;
    vec3 rub = vec3_sub(impulse, vec3_scale(n, along));
    float held = vec3_length(rub);
    if (held > most) rub = vec3_scale(rub, most / held);
    return vec3_add(vec3_scale(n, push), rub);
}

/* A contact's ends: where it is, from the two centres. */
typedef struct ends {
    uint32_t self, other;
    vec3 arm, other_arm;
} ends;

static float weight_of_both(const ref_bodies *b, const ends *e, vec3 n, const ref_impulse *sums)
{
    float w = weight(b, e->self, e->arm, n, sums[e->self].contacts);
    if (e->other == BODY_WALL) return w;
    return w + weight(b, e->other, e->other_arm, n, sums[e->other].contacts);
}

static vec3 solve(const ref_bodies *b, const ends *e, const struct body_contact *contact,
                  const ref_impulse *sums)
{
    vec3 n = ref_xyz(contact->normal), slip = ref_xyz(contact->slip);
    float cap = b->pbf->params->correction_cap, out = vec3_dot(slip, n);
    float depth = contact->normal.w - (1.0f - BODY_MEND) * fmaxf(contact->normal.w + out, 0.0f);
    float push = fminf(fmaxf(depth, -cap), cap) / weight_of_both(b, e, n, sums);
    vec3 sum = vec3_add(ref_xyz(contact->impulse), vec3_scale(n, push));
    slip = vec3_sub(slip, vec3_scale(n, out));
    float size = vec3_length(slip);
    if (size > 0.0f) {
        float w = weight_of_both(b, e, vec3_scale(slip, 1.0f / size), sums);
        sum = vec3_sub(sum, vec3_scale(slip, 1.0f / w));
    }
    return allowed(sum, contact);
}

static void give(const ref_bodies *b, uint32_t to, vec3 p, vec3 impulse, ref_impulse *sums)
{
    if (to < BODY_WALL) add(&sums[to], vec3_sub(p, ref_xyz(b->iterates[to].position)), impulse);
}

void ref_body_press(const ref_bodies *b, const struct body_sample *sample, float momentum,
                    struct body_contact *contact, ref_impulse *sums)
{
    ends e = {.self = sample->body, .other = contact->other};
    e.arm = quat_rotate(quat_of(b->iterates[e.self].rotation), ref_xyz(sample->place));
    vec3 p = vec3_add(ref_xyz(b->iterates[e.self].position), e.arm), solved = {0}, impulse = {0};
    vec3 before = ref_xyz(contact->impulse);
    if (contact->source != contact->other) {
        give(b, e.self, p, vec3_scale(before, -1.0f), sums);
        give(b, contact->source, p, before, sums);
        before = (vec3){0};
        contact->impulse = contact->solved = vec4_of(before, 0.0f);
    }
    if (contact->other != BODY_NONE) {
        if (e.other < BODY_WALL) e.other_arm = vec3_sub(p, ref_xyz(b->iterates[e.other].position));
        solved = solve(b, &e, contact, sums);
        vec3 way = vec3_sub(solved, ref_xyz(contact->solved));
        impulse = allowed(vec3_add(solved, vec3_scale(way, momentum)), contact);
        give(b, e.self, p, vec3_sub(impulse, before), sums);
        give(b, e.other, p, vec3_sub(before, impulse), sums);
    }
    contact->impulse = vec4_of(impulse, 0.0f);
    contact->solved = vec4_of(solved, 0.0f);
    contact->source = contact->other;
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
            if (vec3_length(moved) > params->origin.w) sums[i].touched |= BODY_STIRRED;
            at = vec3_add(at, moved);
        }
    return ref_wall_project(b->pbf, at, first);
}
