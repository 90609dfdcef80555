/* Reference of whitewater in plain C: Ihmsen and others, "Unified spray, foam and air bubbles for
 * particle-based fluids" (2012), with the changes that docs/whitewater.md lists. */
#include "ref_whitewater.h"

/* tolerance for counts and fill fractions that rounding may push across a threshold */
#define CLOSE 1e-4

uvec4 ref_random_words(uvec4 v)
{
    uint32_t words[4] = {v.x, v.y, v.z, v.w};
    base_random_words(words);
    return (uvec4){words[0], words[1], words[2], words[3]};
}

typedef struct random_draw {
    double x, y, z, w;
} random_draw;

static random_draw draw_random(const ref_fluid *fluid, uint32_t id, uint32_t what)
{
    const struct whitewater_params *p = fluid->params;
    uvec4 words = ref_random_words((uvec4){id, p->frame, what, p->seed});
    const double unit = 1.0 / 16777216.0;
    return (random_draw){(words.x >> 8) * unit, (words.y >> 8) * unit, (words.z >> 8) * unit,
                         (words.w >> 8) * unit};
}

/* ---- vectors of doubles --------------------------------------------------------------------- */

typedef struct dvec {
    double x, y, z;
} dvec;

static dvec dvec_from(vec4 v)
{
    return (dvec){(double)v.x, (double)v.y, (double)v.z};
}
static dvec add(dvec a, dvec b, double times)
{
    return (dvec){a.x + times * b.x, a.y + times * b.y, a.z + times * b.z};
}
static double dot(dvec a, dvec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static double size(dvec a)
{
    return sqrt(dot(a, a));
}
static dvec cross(dvec a, dvec b)
{
    return (dvec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static vec4 vec4_from(dvec a, double w)
{
    return (vec4){(float)a.x, (float)a.y, (float)a.z, (float)w};
}

/* ---- neighbours and boundary ---------------------------------------------------------------- */

/* Returns the weight of a point seen from p, with the offset to p and the distance; 0 outside h. */
static double neighbour_weight(const ref_fluid *fluid, dvec p, uint32_t j, dvec *offset, double *r)
{
    double *axes[3] = {&offset->x, &offset->y, &offset->z};
    const float *period = &fluid->params->period.x;
    *offset = add(p, dvec_from(fluid->points[j]), -1.0);
    for (int axis = 0; axis < 3; axis++)
        if (period[axis] > 0)
            *axes[axis] -= (double)period[axis] * round(*axes[axis] / (double)period[axis]);
    *r = size(*offset);
    return fmax(1.0 - *r / (double)fluid->params->h, 0.0);
}

static const dvec inward_normals[6] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                       {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};

/* Returns the distance of a closed side from inside; INFINITY where it is not closed. */
static double side_distance(const ref_fluid *fluid, dvec p, int side)
{
    const struct whitewater_params *q = fluid->params;
    if (!(q->closed_sides >> side & 1u)) return INFINITY;
    dvec corner = dvec_from(side & 1 ? q->domain_max : q->domain_min);
    return dot(add(p, corner, -1.0), inward_normals[side]);
}

typedef struct boundary_sums {
    double share;
    dvec normal, gradient;
} boundary_sums;

static boundary_sums find_boundary(const ref_fluid *fluid, dvec p)
{
    boundary_sums w = {0};
    double h = (double)fluid->params->h;
    for (int side = 0; side < 6; side++) {
        double s = fmax(side_distance(fluid, p, side) / h, 0.0);
        if (!(s < 1.0)) continue;
        w.share += fmin(0.5 - s + pow(s, 3) - 0.5 * pow(s, 4), 1.0 - w.share);
        w.normal = add(w.normal, inward_normals[side],
                       0.25 - 1.5 * s * s + 2.0 * pow(s, 3) - 0.75 * pow(s, 4));
        w.gradient =
            add(w.gradient, inward_normals[side], -(1.0 - 3.0 * s * s + 2.0 * pow(s, 3)) / h);
    }
    return w;
}

static void collide(const ref_fluid *fluid, double radius, dvec *x, dvec *v)
{
    for (int side = 0; side < 6; side++) {
        double distance = side_distance(fluid, *x, side);
        if (!(distance < radius)) continue;
        *x = add(*x, inward_normals[side], radius - distance);
        double inward = dot(*v, inward_normals[side]);
        if (inward >= 0) continue;
        *v = add(*v, inward_normals[side], -inward);
        *v = add((dvec){0}, *v, 1.0 - (double)fluid->params->friction);
    }
}

static double wrapped(double at, float low, float period)
{
    return period > 0 ? at - (double)period * floor((at - (double)low) / (double)period) : at;
}

/* Wraps a position into the domain on periodic axes. */
static dvec wrap(const struct whitewater_params *p, dvec x)
{
    return (dvec){wrapped(x.x, p->domain_min.x, p->period.x),
                  wrapped(x.y, p->domain_min.y, p->period.y),
                  wrapped(x.z, p->domain_min.z, p->period.z)};
}

/* ---- emission ------------------------------------------------------------------------------- */

static vec4 surface_at(const ref_fluid *fluid, uint32_t i)
{
    dvec p = dvec_from(fluid->points[i]), n = {0}, offset;
    double full = (double)fluid->params->inverse_full, weight = 0, r;
    for (uint32_t j = 0; j < fluid->count; j++) {
        double w = neighbour_weight(fluid, p, j, &offset, &r);
        weight += w;
        if (w > 0 && r > 0) n = add(n, offset, w / r);
    }
    boundary_sums boundary_sums = find_boundary(fluid, p);
    double fill = weight * full + boundary_sums.share;
    n = add(boundary_sums.normal, n, full);
    bool surface = size(n) > (double)WHITEWATER_SURFACE_THRESHOLD * fill &&
                   fill < (double)WHITEWATER_MAX_SURFACE_FRACTION;
    return vec4_from(add((dvec){0}, n, surface ? 1.0 / size(n) : 0.0), fill);
}

void ref_whitewater_surfaces(const ref_fluid *fluid, vec4 *surfaces)
{
    for (uint32_t i = 0; i < fluid->count; i++)
        surfaces[i] = surface_at(fluid, i);
}

static double clamp_to_range(double value, float low, float inverse_ranges)
{
    return fmin(fmax((value - (double)low) * (double)inverse_ranges, 0.0), 1.0);
}

typedef struct potential_sums {
    double weight, trapped, crest;
    dvec curl;
} potential_sums;

static potential_sums sum_neighbours(const ref_fluid *fluid, const vec4 *surfaces, uint32_t i)
{
    potential_sums s = {0};
    dvec p = dvec_from(fluid->points[i]), velocity = dvec_from(fluid->velocities[i]),
         normal = dvec_from(surfaces[i]);
    for (uint32_t j = 0; j < fluid->count; j++) {
        dvec offset, other = dvec_from(surfaces[j]);
        double r, w = neighbour_weight(fluid, p, j, &offset, &r);
        if (!(w > 0 && r > 0)) continue;
        dvec unit = add((dvec){0}, offset, 1.0 / r);
        dvec v = add(velocity, dvec_from(fluid->velocities[j]), -1.0);
        s.weight += w;
        s.trapped += (size(v) - dot(v, unit)) * w;
        s.curl = add(s.curl, cross(v, unit), w / r);
        if (size(other) > 0 && dot(unit, normal) > 0) s.crest += (1.0 - dot(normal, other)) * w;
    }
    return s;
}

ref_emission ref_whitewater_count_emitted(const ref_fluid *fluid, const vec4 *surfaces, uint32_t i)
{
    const struct whitewater_params *p = fluid->params;
    ref_emission births = {0};
    dvec velocity = dvec_from(fluid->velocities[i]), normal = dvec_from(surfaces[i]);
    double speed = size(velocity), fill = (double)surfaces[i].w;
    potential_sums s = {0};
    if (fill >= (double)WHITEWATER_MIN_PARENT_FRACTION) s = sum_neighbours(fluid, surfaces, i);
    bool breaks = speed > 0 && dot(normal, velocity) >= (double)WHITEWATER_CREST_COSINE * speed;
    double turning = 1.5 * size(s.curl) / fmax(s.weight, 1e-30);
    double energy = clamp_to_range(speed * speed, p->thresholds.x, p->inverse_ranges.x);
    random_draw u = draw_random(fluid, fluid->ids[i], WHITEWATER_RANDOM_COUNTS);
    births.rate[WHITEWATER_TRAPPED_AIR] =
        (double)p->rates.x * energy *
        clamp_to_range(s.trapped, p->thresholds.y, p->inverse_ranges.y);
    births.rate[WHITEWATER_CREST] =
        (double)p->rates.y * energy *
        clamp_to_range(breaks ? s.crest : 0.0, p->thresholds.z, p->inverse_ranges.z);
    births.rate[WHITEWATER_CURL] =
        (double)p->rates.z * energy * clamp_to_range(turning, p->thresholds.w, p->inverse_ranges.w);
    const double random[WHITEWATER_CAUSES] = {u.x, u.y, u.z};
    for (int cause = 0; cause < (int)WHITEWATER_CAUSES; cause++) {
        double sum = births.rate[cause] + random[cause];
        births.count[cause] = (uint32_t)sum;
        births.close = births.close || fabs(sum - round(sum)) < CLOSE * (1.0 + births.rate[cause]);
    }
    return births;
}

static void tangent_frame(dvec a, dvec *first, dvec *second)
{
    double side = a.z < 0 ? -1.0 : 1.0, c = -1.0 / (side + a.z), b = a.x * a.y * c;
    *first = (dvec){1.0 + side * a.x * a.x * c, side * b, -side * a.x};
    *second = (dvec){b, side + a.y * a.y * c, -a.y};
}

struct whitewater_particle ref_whitewater_emit(const ref_fluid *fluid, const vec4 *surfaces,
                                               uint32_t i, uint32_t k)
{
    const struct whitewater_params *p = fluid->params;
    uint32_t id = fluid->ids[i];
    random_draw u = draw_random(fluid, id, WHITEWATER_RANDOM_EMIT + 2 * k);
    random_draw w = draw_random(fluid, id, WHITEWATER_RANDOM_EMIT + 2 * k + 1);
    dvec v = dvec_from(fluid->velocities[i]), up = dvec_from(p->up), first, second, aside, place;
    double speed = size(v), turn = 6.2831853 * u.y, radius = sqrt(u.x);
    tangent_frame(speed > 0 ? add((dvec){0}, v, 1.0 / speed) : up, &first, &second);
    aside = add(add((dvec){0}, first, radius * cos(turn)), second, radius * sin(turn));
    place = add(dvec_from(fluid->points[i]), aside, 0.5 * (double)p->spacing);
    place = add(place, v, -u.z * (double)p->dt);
    dvec velocity = add(v, aside, (double)WHITEWATER_SPREAD * speed);
    double size_m = (double)p->radius * ((double)WHITEWATER_MIN_RADIUS + w.x);
    collide(fluid, size_m, &place, &velocity);
    float fill = surfaces[i].w;
    return (struct whitewater_particle){
        .position = vec4_from(wrap(p, place), size_m),
        .velocity = vec4_from(velocity, 0.0),
        .kind = fill < WHITEWATER_SPRAY_FRACTION    ? WHITEWATER_SPRAY
                : fill > WHITEWATER_BUBBLE_FRACTION ? WHITEWATER_BUBBLE
                                                    : WHITEWATER_FOAM,
        .lifetime =
            (float)((double)p->lifetime_low + u.w * (double)(p->lifetime_high - p->lifetime_low)),
        .parent = id};
}

/* ---- motion --------------------------------------------------------------------------------- */

typedef struct flow {
    double weight;
    dvec velocity, slope; /* gradient of the weight */
} flow;

static flow flow_at(const ref_fluid *fluid, dvec p)
{
    flow f = {0};
    dvec offset;
    double r;
    for (uint32_t j = 0; j < fluid->count; j++) {
        double w = neighbour_weight(fluid, p, j, &offset, &r);
        f.weight += w;
        f.velocity = add(f.velocity, dvec_from(fluid->velocities[j]), w);
        if (w > 0 && r > 0) f.slope = add(f.slope, offset, -1.0 / (r * (double)fluid->params->h));
    }
    if (f.weight > 0) f.velocity = add((dvec){0}, f.velocity, 1.0 / f.weight);
    return f;
}

static void move_spray(const struct whitewater_params *p, double radius, dvec *x, dvec *v)
{
    double dt = (double)p->dt;
    dvec middle = add(*v, dvec_from(p->gravity), 0.5 * dt);
    double s = (double)p->drag / radius * size(middle) * dt;
    *x = add(*x, middle, dt * (s > 0 ? log1p(s) / s : 1.0));
    *v = add(add((dvec){0}, middle, 1.0 / (1.0 + s)), dvec_from(p->gravity), 0.5 * dt);
}

static uint32_t classify_kind(uint32_t kind, double fill, bool *close)
{
    double hold = (double)WHITEWATER_KIND_HYSTERESIS;
    double spray =
        (double)WHITEWATER_SPRAY_FRACTION * (kind == WHITEWATER_SPRAY ? 1 + hold : 1 - hold);
    double bubble =
        (double)WHITEWATER_BUBBLE_FRACTION * (kind == WHITEWATER_BUBBLE ? 1 - hold : 1 + hold);
    *close = fabs(fill - spray) < CLOSE || fabs(fill - bubble) < CLOSE;
    return fill < spray ? WHITEWATER_SPRAY : fill > bubble ? WHITEWATER_BUBBLE : WHITEWATER_FOAM;
}

static bool stays_in_domain(const struct whitewater_params *p, const dvec *x)
{
    const double *at = &x->x;
    const float *low = &p->domain_min.x, *high = &p->domain_max.x, *period = &p->period.x;
    bool in = true;
    for (int axis = 0; axis < 3; axis++)
        in = in && (period[axis] > 0 || (at[axis] >= (double)(low[axis] - p->spacing) &&
                                         at[axis] <= (double)(high[axis] + p->spacing)));
    return in;
}

/* Moves foam and bubbles with the fluid. */
static void move_with_fluid(const struct whitewater_params *p, uint32_t kind, dvec flow, dvec *x,
                            dvec *v)
{
    double dt = (double)p->dt, left = exp(-dt / (double)p->relaxation);
    dvec end = add(flow, dvec_from(p->up), (double)p->up.w), rest = add(*v, end, -1.0);
    if (kind == WHITEWATER_FOAM) *x = add(add(*x, *v, 0.5 * dt), flow, 0.5 * dt);
    if (kind != WHITEWATER_BUBBLE) return;
    *x = add(add(*x, end, dt), rest, (double)p->relaxation * (1.0 - left));
    *v = add(end, rest, left);
}

/* Returns the position at which the fluid is sampled. */
static dvec predict_position(const ref_fluid *fluid, const struct whitewater_particle *a, dvec *x,
                             dvec *v)
{
    dvec ahead = add(*x, *v, (double)fluid->params->dt), stopped = *v;
    if (a->kind == WHITEWATER_SPRAY) {
        move_spray(fluid->params, (double)a->position.w, x, v);
        return *x;
    }
    collide(fluid, (double)a->position.w, &ahead, &stopped);
    return ahead;
}

/* Determines the new kind of the particle, and moves foam to the surface. */
static void finish_particle(const ref_fluid *fluid, ref_advected *moved, dvec *x, dvec *v)
{
    const struct whitewater_params *p = fluid->params;
    struct whitewater_particle *a = &moved->particle;
    uint32_t before = a->kind;
    dvec ahead = predict_position(fluid, a, x, v);
    flow f = flow_at(fluid, ahead);
    if (!(f.weight > 0)) {
        if (before != WHITEWATER_SPRAY) move_spray(p, (double)a->position.w, x, v);
        a->kind = WHITEWATER_SPRAY;
        return;
    }
    move_with_fluid(p, before, f.velocity, x, v);
    boundary_sums w = find_boundary(fluid, ahead);
    dvec gradient = add(w.gradient, f.slope, (double)p->inverse_full);
    double fill = f.weight * (double)p->inverse_full + w.share;
    fill = fmin(fmax(fill + dot(gradient, add(*x, ahead, -1.0)), 0.0), 1.0);
    a->kind = classify_kind(before, fill, &moved->close);
    if (a->kind != WHITEWATER_FOAM) return;
    double most = (double)(WHITEWATER_MAX_SURFACE_PULL * p->spacing), slope = size(gradient);
    *v = f.velocity;
    if (slope > 0) *x = add(*x, gradient, fmin(fmax((0.5 - fill) / slope, -most), most) / slope);
}

ref_advected ref_whitewater_advect(const ref_fluid *fluid,
                                   const struct whitewater_particle *particle)
{
    const struct whitewater_params *p = fluid->params;
    ref_advected moved = {.particle = *particle};
    struct whitewater_particle *a = &moved.particle;
    dvec x = dvec_from(a->position), v = dvec_from(a->velocity);
    finish_particle(fluid, &moved, &x, &v);
    bool landed = particle->kind == WHITEWATER_SPRAY && a->kind != WHITEWATER_SPRAY;
    moved.lives = !landed || draw_random(fluid, a->id, WHITEWATER_RANDOM_LANDING).x <
                                 (double)WHITEWATER_LANDING_PROBABILITY;
    collide(fluid, (double)a->position.w, &x, &v);
    moved.lives = moved.lives && stays_in_domain(p, &x);
    double ages = a->kind == WHITEWATER_FOAM ? 1.0 : (double)WHITEWATER_SLOW_AGING;
    double age = (double)a->velocity.w + ages * (double)p->dt;
    moved.lives = moved.lives && age < (double)a->lifetime;
    a->position = vec4_from(x, (double)a->position.w);
    a->velocity = vec4_from(v, age);
    return moved;
}
