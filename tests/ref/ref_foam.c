/* Whitewater in plain C: Ihmsen and others, "Unified spray, foam and air bubbles for particle-based
 * fluids" (2012), with the changes that docs/whitewater.md names. */
#include "ref_foam.h"

#define CLOSE 1e-4 /* of counts and fills that rounding may bring past a bound */

uvec4 ref_random_words(uvec4 v)
{
    uint32_t *w = &v.x;
    for (int i = 0; i < 4; i++)
        w[i] = w[i] * 1664525u + 1013904223u;
    for (int round = 0; round < 2; round++) {
        v.x += v.y * v.w;
        v.y += v.z * v.x;
        v.z += v.x * v.y;
        v.w += v.y * v.z;
        for (int i = 0; round == 0 && i < 4; i++)
            w[i] ^= w[i] >> 16;
    }
    return v;
}

typedef struct numbers {
    double x, y, z, w;
} numbers;

static numbers draw(const ref_fluid *fluid, uint32_t id, uint32_t what)
{
    const struct foam_params *p = fluid->params;
    uvec4 words = ref_random_words((uvec4){id, p->frame, what, p->seed});
    const double unit = 1.0 / 16777216.0;
    return (numbers){(words.x >> 8) * unit, (words.y >> 8) * unit, (words.z >> 8) * unit,
                     (words.w >> 8) * unit};
}

/* ---- vectors of doubles --------------------------------------------------------------------- */

typedef struct dvec {
    double x, y, z;
} dvec;

static dvec of(vec4 v)
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
static vec4 to(dvec a, double w)
{
    return (vec4){(float)a.x, (float)a.y, (float)a.z, (float)w};
}

/* ---- neighbours and walls ------------------------------------------------------------------- */

/* The weight of a point as seen from p, with the offset to p and the distance; 0 outside h. */
static double weigh(const ref_fluid *fluid, dvec p, uint32_t j, dvec *offset, double *r)
{
    double *axes[3] = {&offset->x, &offset->y, &offset->z};
    const float *period = &fluid->params->period.x;
    *offset = add(p, of(fluid->points[j]), -1.0);
    for (int axis = 0; axis < 3; axis++)
        if (period[axis] > 0)
            *axes[axis] -= (double)period[axis] * round(*axes[axis] / (double)period[axis]);
    *r = size(*offset);
    return fmax(1.0 - *r / (double)fluid->params->h, 0.0);
}

static const dvec inwards[6] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};

/* Of a closed side, from inside; INFINITY where it is not closed. */
static double side_distance(const ref_fluid *fluid, dvec p, int side)
{
    const struct foam_params *q = fluid->params;
    if (!(q->closed >> side & 1u)) return INFINITY;
    dvec corner = of(side & 1 ? q->domain_max : q->domain_min);
    return dot(add(p, corner, -1.0), inwards[side]);
}

typedef struct walls {
    double share;
    dvec normal, gradient;
} walls;

static walls find_walls(const ref_fluid *fluid, dvec p)
{
    walls w = {0};
    double h = (double)fluid->params->h;
    for (int side = 0; side < 6; side++) {
        double s = fmax(side_distance(fluid, p, side) / h, 0.0);
        if (!(s < 1.0)) continue;
        w.share += fmin(0.5 - s + pow(s, 3) - 0.5 * pow(s, 4), 1.0 - w.share);
        w.normal =
            add(w.normal, inwards[side], 0.25 - 1.5 * s * s + 2.0 * pow(s, 3) - 0.75 * pow(s, 4));
        w.gradient = add(w.gradient, inwards[side], -(1.0 - 3.0 * s * s + 2.0 * pow(s, 3)) / h);
    }
    return w;
}

static void collide(const ref_fluid *fluid, double radius, dvec *x, dvec *v)
{
    for (int side = 0; side < 6; side++) {
        double distance = side_distance(fluid, *x, side);
        if (!(distance < radius)) continue;
        *x = add(*x, inwards[side], radius - distance);
        double inward = dot(*v, inwards[side]);
        if (inward >= 0) continue;
        *v = add(*v, inwards[side], -inward);
        *v = add((dvec){0}, *v, 1.0 - (double)fluid->params->friction);
    }
}

static double wrapped(double at, float low, float period)
{
    return period > 0 ? at - (double)period * floor((at - (double)low) / (double)period) : at;
}

/* Back into the domain on periodic axes. */
static dvec wrap(const struct foam_params *p, dvec x)
{
    return (dvec){wrapped(x.x, p->domain_min.x, p->period.x),
                  wrapped(x.y, p->domain_min.y, p->period.y),
                  wrapped(x.z, p->domain_min.z, p->period.z)};
}

/* ---- births --------------------------------------------------------------------------------- */

static vec4 surface_at(const ref_fluid *fluid, uint32_t i)
{
    dvec p = of(fluid->points[i]), n = {0}, offset;
    double full = (double)fluid->params->inverse_full, weight = 0, r;
    for (uint32_t j = 0; j < fluid->count; j++) {
        double w = weigh(fluid, p, j, &offset, &r);
        weight += w;
        if (w > 0 && r > 0) n = add(n, offset, w / r);
    }
    walls walls = find_walls(fluid, p);
    double fill = weight * full + walls.share;
    n = add(walls.normal, n, full);
    bool surface = size(n) > (double)FOAM_SURFACE_SHARE * fill && fill < (double)FOAM_FILL_SURFACE;
    return to(add((dvec){0}, n, surface ? 1.0 / size(n) : 0.0), fill);
}

void ref_foam_surfaces(const ref_fluid *fluid, vec4 *surfaces)
{
    for (uint32_t i = 0; i < fluid->count; i++)
        surfaces[i] = surface_at(fluid, i);
}

static double clamped(double value, float low, float inverse_span)
{
    return fmin(fmax((value - (double)low) * (double)inverse_span, 0.0), 1.0);
}

typedef struct sums {
    double weight, trapped, crest;
    dvec curl;
} sums;

static sums sum_neighbours(const ref_fluid *fluid, const vec4 *surfaces, uint32_t i)
{
    sums s = {0};
    dvec p = of(fluid->points[i]), velocity = of(fluid->velocities[i]), normal = of(surfaces[i]);
    for (uint32_t j = 0; j < fluid->count; j++) {
        dvec offset, other = of(surfaces[j]);
        double r, w = weigh(fluid, p, j, &offset, &r);
        if (!(w > 0 && r > 0)) continue;
        dvec unit = add((dvec){0}, offset, 1.0 / r);
        dvec v = add(velocity, of(fluid->velocities[j]), -1.0);
        s.weight += w;
        s.trapped += (size(v) - dot(v, unit)) * w;
        s.curl = add(s.curl, cross(v, unit), w / r);
        if (size(other) > 0 && dot(unit, normal) > 0) s.crest += (1.0 - dot(normal, other)) * w;
    }
    return s;
}

ref_births ref_foam_births(const ref_fluid *fluid, const vec4 *surfaces, uint32_t i)
{
    const struct foam_params *p = fluid->params;
    ref_births births = {0};
    dvec velocity = of(fluid->velocities[i]), normal = of(surfaces[i]);
    double speed = size(velocity), fill = (double)surfaces[i].w;
    sums s = {0};
    if (fill >= (double)FOAM_FILL_PARENT) s = sum_neighbours(fluid, surfaces, i);
    bool breaks = speed > 0 && dot(normal, velocity) >= (double)FOAM_CREST_COSINE * speed;
    double turning = 1.5 * size(s.curl) / fmax(s.weight, 1e-30);
    double energy = clamped(speed * speed, p->low.x, p->inverse_span.x);
    numbers u = draw(fluid, fluid->ids[i], FOAM_DRAW_COUNTS);
    births.rate[FOAM_TRAPPED] =
        (double)p->rates.x * energy * clamped(s.trapped, p->low.y, p->inverse_span.y);
    births.rate[FOAM_CREST] =
        (double)p->rates.y * energy * clamped(breaks ? s.crest : 0.0, p->low.z, p->inverse_span.z);
    births.rate[FOAM_CURL] =
        (double)p->rates.z * energy * clamped(turning, p->low.w, p->inverse_span.w);
    const double random[FOAM_CAUSES] = {u.x, u.y, u.z};
    for (int cause = 0; cause < (int)FOAM_CAUSES; cause++) {
        double sum = births.rate[cause] + random[cause];
        births.count[cause] = (uint32_t)sum;
        births.close = births.close || fabs(sum - round(sum)) < CLOSE * (1.0 + births.rate[cause]);
    }
    return births;
}

static void across(dvec a, dvec *first, dvec *second)
{
    double side = a.z < 0 ? -1.0 : 1.0, c = -1.0 / (side + a.z), b = a.x * a.y * c;
    *first = (dvec){1.0 + side * a.x * a.x * c, side * b, -side * a.x};
    *second = (dvec){b, side + a.y * a.y * c, -a.y};
}

struct foam_particle ref_foam_birth(const ref_fluid *fluid, const vec4 *surfaces, uint32_t i,
                                    uint32_t k)
{
    const struct foam_params *p = fluid->params;
    uint32_t id = fluid->ids[i];
    numbers u = draw(fluid, id, FOAM_DRAW_BIRTH + 2 * k);
    numbers w = draw(fluid, id, FOAM_DRAW_BIRTH + 2 * k + 1);
    dvec v = of(fluid->velocities[i]), up = of(p->up), first, second, aside, place;
    double speed = size(v), turn = 6.2831853 * u.y, radius = sqrt(u.x);
    across(speed > 0 ? add((dvec){0}, v, 1.0 / speed) : up, &first, &second);
    aside = add(add((dvec){0}, first, radius * cos(turn)), second, radius * sin(turn));
    place = add(of(fluid->points[i]), aside, 0.5 * (double)p->spacing);
    place = add(place, v, -u.z * (double)p->dt);
    dvec velocity = add(v, aside, (double)FOAM_SPREAD * speed);
    double size_m = (double)p->radius * ((double)FOAM_SIZE_LOW + w.x);
    collide(fluid, size_m, &place, &velocity);
    float fill = surfaces[i].w;
    return (struct foam_particle){
        .place = to(wrap(p, place), size_m),
        .velocity = to(velocity, 0.0),
        .kind = fill < FOAM_FILL_SPRAY    ? FOAM_SPRAY
                : fill > FOAM_FILL_BUBBLE ? FOAM_BUBBLE
                                          : FOAM_FOAM,
        .lifetime =
            (float)((double)p->lifetime_low + u.w * (double)(p->lifetime_high - p->lifetime_low)),
        .parent = id};
}

/* ---- motion --------------------------------------------------------------------------------- */

typedef struct flow {
    double weight;
    dvec velocity, slope; /* the slope of the weight */
} flow;

static flow flow_at(const ref_fluid *fluid, dvec p)
{
    flow f = {0};
    dvec offset;
    double r;
    for (uint32_t j = 0; j < fluid->count; j++) {
        double w = weigh(fluid, p, j, &offset, &r);
        f.weight += w;
        f.velocity = add(f.velocity, of(fluid->velocities[j]), w);
        if (w > 0 && r > 0) f.slope = add(f.slope, offset, -1.0 / (r * (double)fluid->params->h));
    }
    if (f.weight > 0) f.velocity = add((dvec){0}, f.velocity, 1.0 / f.weight);
    return f;
}

static void fly(const struct foam_params *p, double radius, dvec *x, dvec *v)
{
    double dt = (double)p->dt;
    dvec middle = add(*v, of(p->gravity), 0.5 * dt);
    double s = (double)p->drag / radius * size(middle) * dt;
    *x = add(*x, middle, dt * (s > 0 ? log1p(s) / s : 1.0));
    *v = add(add((dvec){0}, middle, 1.0 / (1.0 + s)), of(p->gravity), 0.5 * dt);
}

static uint32_t kind_for(uint32_t kind, double fill, bool *close)
{
    double hold = (double)FOAM_FILL_HOLD;
    double spray = (double)FOAM_FILL_SPRAY * (kind == FOAM_SPRAY ? 1 + hold : 1 - hold);
    double bubble = (double)FOAM_FILL_BUBBLE * (kind == FOAM_BUBBLE ? 1 - hold : 1 + hold);
    *close = fabs(fill - spray) < CLOSE || fabs(fill - bubble) < CLOSE;
    return fill < spray ? FOAM_SPRAY : fill > bubble ? FOAM_BUBBLE : FOAM_FOAM;
}

static bool inside(const struct foam_params *p, const dvec *x)
{
    const double *at = &x->x;
    const float *low = &p->domain_min.x, *high = &p->domain_max.x, *period = &p->period.x;
    bool in = true;
    for (int axis = 0; axis < 3; axis++)
        in = in && (period[axis] > 0 || (at[axis] >= (double)(low[axis] - p->spacing) &&
                                         at[axis] <= (double)(high[axis] + p->spacing)));
    return in;
}

/* Along with the fluid. */
static void ride(const struct foam_params *p, uint32_t kind, dvec flow, dvec *x, dvec *v)
{
    double dt = (double)p->dt, left = exp(-dt / (double)p->relaxation);
    dvec end = add(flow, of(p->up), (double)p->up.w), rest = add(*v, end, -1.0);
    if (kind == FOAM_FOAM) *x = add(add(*x, *v, 0.5 * dt), flow, 0.5 * dt);
    if (kind != FOAM_BUBBLE) return;
    *x = add(add(*x, end, dt), rest, (double)p->relaxation * (1.0 - left));
    *v = add(end, rest, left);
}

/* Where the fluid is asked. */
static dvec look_ahead(const ref_fluid *fluid, const struct foam_particle *a, dvec *x, dvec *v)
{
    dvec ahead = add(*x, *v, (double)fluid->params->dt), stopped = *v;
    if (a->kind == FOAM_SPRAY) {
        fly(fluid->params, (double)a->place.w, x, v);
        return *x;
    }
    collide(fluid, (double)a->place.w, &ahead, &stopped);
    return ahead;
}

/* The kind, and what foam does about it. */
static void settle(const ref_fluid *fluid, ref_moved *moved, dvec *x, dvec *v)
{
    const struct foam_params *p = fluid->params;
    struct foam_particle *a = &moved->particle;
    uint32_t before = a->kind;
    dvec ahead = look_ahead(fluid, a, x, v);
    flow f = flow_at(fluid, ahead);
    if (!(f.weight > 0)) {
        if (before != FOAM_SPRAY) fly(p, (double)a->place.w, x, v);
        a->kind = FOAM_SPRAY;
        return;
    }
    ride(p, before, f.velocity, x, v);
    walls w = find_walls(fluid, ahead);
    dvec gradient = add(w.gradient, f.slope, (double)p->inverse_full);
    double fill = f.weight * (double)p->inverse_full + w.share;
    fill = fmin(fmax(fill + dot(gradient, add(*x, ahead, -1.0)), 0.0), 1.0);
    a->kind = kind_for(before, fill, &moved->close);
    if (a->kind != FOAM_FOAM) return;
    double most = (double)(FOAM_SEAT_SHARE * p->spacing), slope = size(gradient);
    *v = f.velocity;
    if (slope > 0) *x = add(*x, gradient, fmin(fmax((0.5 - fill) / slope, -most), most) / slope);
}

ref_moved ref_foam_move(const ref_fluid *fluid, const struct foam_particle *particle)
{
    const struct foam_params *p = fluid->params;
    ref_moved moved = {.particle = *particle};
    struct foam_particle *a = &moved.particle;
    dvec x = of(a->place), v = of(a->velocity);
    settle(fluid, &moved, &x, &v);
    bool landed = particle->kind == FOAM_SPRAY && a->kind != FOAM_SPRAY;
    moved.lives = !landed || draw(fluid, a->id, FOAM_DRAW_LANDING).x < (double)FOAM_LANDING_SHARE;
    collide(fluid, (double)a->place.w, &x, &v);
    moved.lives = moved.lives && inside(p, &x);
    double ages = a->kind == FOAM_FOAM ? 1.0 : (double)FOAM_SLOW_AGE;
    double age = (double)a->velocity.w + ages * (double)p->dt;
    moved.lives = moved.lives && age < (double)a->lifetime;
    a->place = to(x, (double)a->place.w);
    a->velocity = to(v, age);
    return moved;
}
