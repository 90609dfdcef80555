/* The numbers behind a frame of whitewater: thresholds in the scene's own speeds and lengths, so
 * that a bath and a harbour, or half the spacing, look alike. docs/whitewater.md says where each is
 * from.
 */
#include "foam_internal.h"

#define NEIGHBOURHOOD 2.0 /* h / d */

/* Where births begin and where there are most: kinetic energy in U^2, trapped air in U, crests,
 * curl in U / L. The three sums grow with the radius that they are taken over as turbulent
 * velocities do, by its third root; ELL is the length, in L, at which they have these values. */
#define ELL 0.1
static const double energy[2] = {0.1, 1.0}, trapped[2] = {0.6, 2.4}, crest[2] = {0.5, 2.0},
                    curl[2] = {1.5, 6.0};

/* Births at full potentials where L is 1 m: per m3 s, per m2 s, per m3 s. As many in a scene of any
 * size, in its own time. */
static const double most[FOAM_CAUSES] = {6e5, 2e6, 3e5};

#define QUIET 0.1  /* of sqrt(L / g): a fill settles before it makes whitewater */
#define DRAG 2e-4f /* times 1 / radius: 0.75 drag coefficient, air over water */
#define RELAXATION_S 0.05f

static void set_range(float *low, float *inverse_span, const double range[2], double unit)
{
    *low = (float)(range[0] * unit);
    *inverse_span = (float)(1.0 / ((range[1] - range[0]) * unit));
}

static void set_thresholds(struct foam_params *p, double length, double speed, double h)
{
    double growth = cbrt(h / (ELL * length));
    set_range(&p->low.x, &p->inverse_span.x, energy, speed * speed);
    set_range(&p->low.y, &p->inverse_span.y, trapped, speed * growth);
    set_range(&p->low.z, &p->inverse_span.z, crest, growth);
    set_range(&p->low.w, &p->inverse_span.w, curl, speed / length / growth);
}

static void set_rates(struct foam_params *p, const foam_def *def, double frame_births)
{
    double d = (double)def->spacing_m, length = (double)def->length_m;
    double volume = d * d * d / pow(length, 3.5), area = d * d / pow(length, 2.5);
    float *rates = &p->rates.x;
    for (int cause = 0; cause < (int)FOAM_CAUSES; cause++) {
        double size = cause == (int)FOAM_CREST ? area : volume;
        rates[cause] = (float)(most[cause] * (double)def->factors[cause] * size * frame_births);
    }
}

static vec4 wide(vec3 v)
{
    return (vec4){v.x, v.y, v.z, 0.0f};
}

static void set_domain(struct foam_params *p, const foam_def *def)
{
    vec3 size = vec3_sub(def->max, def->min);
    p->domain_min = wide(def->min);
    p->domain_max = wide(def->max);
    p->period = (vec4){def->periodic[0] ? size.x : 0.0f, def->periodic[1] ? size.y : 0.0f,
                       def->periodic[2] ? size.z : 0.0f, 0.0f};
    p->friction = def->friction;
    p->closed = 0;
    for (uint32_t side = 0; side < 6; side++)
        p->closed |= def->closed[side] ? 1u << side : 0u;
}

static const double *const bounds[FOAM_POTENTIALS] = {energy, trapped, crest, curl};

void foam_bounds(float begin[FOAM_POTENTIALS], float most[FOAM_POTENTIALS])
{
    for (uint32_t i = 0; i < FOAM_POTENTIALS; i++) {
        begin[i] = (float)bounds[i][0];
        most[i] = (float)bounds[i][1];
    }
}

vec4 foam_units(const foam *f)
{
    vec4 low = f->params.low;
    return (vec4){low.x / (float)energy[0], low.y / (float)trapped[0], low.z / (float)crest[0],
                  low.w / (float)curl[0]};
}

void foam_fill_params(foam *f, const foam_frame *frame, float share)
{
    const foam_def *def = &f->def;
    struct foam_params *p = &f->params;
    double d = (double)def->spacing_m, h = NEIGHBOURHOOD * d, length = (double)def->length_m;
    double g = (double)vec3_length(frame->gravity), quiet = QUIET * sqrt(length / g);
    bool settled = frame->time_s >= quiet;
    set_domain(p, def);
    set_thresholds(p, length, sqrt(g * length), h);
    set_rates(p, def, settled ? (double)share * (double)frame->dt_s : 0.0);
    p->gravity = wide(frame->gravity);
    p->up = wide(vec3_scale(frame->gravity, (float)(-1.0 / g)));
    p->up.w = def->rise;
    p->h = (float)h;
    p->inverse_h = (float)(1.0 / h);
    p->inverse_full = (float)(3.0 / (3.14159265358979 * NEIGHBOURHOOD * NEIGHBOURHOOD *
                                     NEIGHBOURHOOD)); /* d^3 over the integral of W */
    p->spacing = def->spacing_m;
    p->dt = frame->dt_s;
    p->lifetime_low = def->lifetime_s[0];
    p->lifetime_high = def->lifetime_s[1];
    p->radius = def->radius_m;
    p->drag = DRAG;
    p->relaxation = RELAXATION_S;
    p->point_count = frame->points->count;
    p->particle_count = f->count;
    p->capacity = f->capacity;
    p->frame = (uint32_t)frame->number;
    p->seed = def->seed;
    p->next_id = f->next_id;
    p->least_energy = p->low.x;
    p->solid_count = foam_solid_count(f, frame);
}
