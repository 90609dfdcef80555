/* Parameters of a frame of whitewater. Thresholds are in the scene's own speeds and lengths, so
 * that a bath and a harbour look alike, and so do runs with half the spacing. docs/whitewater.md
 * explains each number. */
#include "whitewater_internal.h"

#define SUPPORT_RADIUS 2.0 /* h / d */

/* Potentials at which emission begins, and at which it is largest: kinetic energy in U^2, trapped
 * air in U, crests without unit, curl in U / L. The last three are sums that grow with the radius
 * over which they are taken as turbulent velocities do, with its cube root; REFERENCE_LENGTH is the
 * radius, in L, at which they have these values. */
#define REFERENCE_LENGTH 0.1
static const double energy_range[2] = {0.1, 1.0}, trapped_range[2] = {0.6, 2.4},
                    crest_range[2] = {0.5, 2.0}, curl_range[2] = {1.5, 6.0};

/* Emission rates at full potentials where L is 1 m: per m3 s, per m2 s, per m3 s. A scene of any
 * size emits as many particles in its own time. */
static const double max_rates[WHITEWATER_CAUSES] = {6e5, 2e6, 3e5};

#define SETTLE_TIME 0.1 /* in sqrt(L / g): a fill settles before it makes whitewater */
/* drag is this over the radius: 0.75 drag coefficient, density of air over that of water */
#define DRAG 2e-4f
#define RELAXATION_S 0.05f

static void set_range(float *low, float *inverse_ranges, const double range[2], double unit)
{
    *low = (float)(range[0] * unit);
    *inverse_ranges = (float)(1.0 / ((range[1] - range[0]) * unit));
}

static void set_thresholds(struct whitewater_params *p, double length, double speed, double h)
{
    double growth = cbrt(h / (REFERENCE_LENGTH * length));
    set_range(&p->thresholds.x, &p->inverse_ranges.x, energy_range, speed * speed);
    set_range(&p->thresholds.y, &p->inverse_ranges.y, trapped_range, speed * growth);
    set_range(&p->thresholds.z, &p->inverse_ranges.z, crest_range, growth);
    set_range(&p->thresholds.w, &p->inverse_ranges.w, curl_range, speed / length / growth);
}

static void set_rates(struct whitewater_params *p, const whitewater_def *def, double frame_births)
{
    double d = (double)def->spacing_m, length = (double)def->length_m;
    double volume = d * d * d / pow(length, 3.5), area = d * d / pow(length, 2.5);
    float *rates = &p->rates.x;
    for (int cause = 0; cause < (int)WHITEWATER_CAUSES; cause++) {
        double size = cause == (int)WHITEWATER_CREST ? area : volume;
        rates[cause] =
            (float)(max_rates[cause] * (double)def->factors[cause] * size * frame_births);
    }
}

static vec4 vec4_from(vec3 v)
{
    return (vec4){v.x, v.y, v.z, 0.0f};
}

static void set_domain(struct whitewater_params *p, const whitewater_def *def)
{
    vec3 size = vec3_sub(def->max, def->min);
    p->domain_min = vec4_from(def->min);
    p->domain_max = vec4_from(def->max);
    p->period = (vec4){def->periodic[0] ? size.x : 0.0f, def->periodic[1] ? size.y : 0.0f,
                       def->periodic[2] ? size.z : 0.0f, 0.0f};
    p->friction = def->friction;
    p->closed_sides = 0;
    for (uint32_t side = 0; side < 6; side++)
        p->closed_sides |= def->closed_sides[side] ? 1u << side : 0u;
}

static const double *const potential_ranges[WHITEWATER_POTENTIALS] = {energy_range, trapped_range,
                                                                      crest_range, curl_range};

void whitewater_get_scales(float begin[WHITEWATER_POTENTIALS],
                           float max_rates[WHITEWATER_POTENTIALS])
{
    for (uint32_t i = 0; i < WHITEWATER_POTENTIALS; i++) {
        begin[i] = (float)potential_ranges[i][0];
        max_rates[i] = (float)potential_ranges[i][1];
    }
}

vec4 whitewater_potential_units(const whitewater *f)
{
    vec4 low = f->params.thresholds;
    return (vec4){low.x / (float)energy_range[0], low.y / (float)trapped_range[0],
                  low.z / (float)crest_range[0], low.w / (float)curl_range[0]};
}

void whitewater_fill_params(whitewater *f, const whitewater_frame *frame, float fraction)
{
    const whitewater_def *def = &f->def;
    struct whitewater_params *p = &f->params;
    double d = (double)def->spacing_m, h = SUPPORT_RADIUS * d, length = (double)def->length_m;
    double g = (double)vec3_length(frame->gravity), quiet = SETTLE_TIME * sqrt(length / g);
    bool settled = frame->time_s >= quiet;
    set_domain(p, def);
    set_thresholds(p, length, sqrt(g * length), h);
    set_rates(p, def, settled ? (double)fraction * (double)whitewater_frame_seconds(frame) : 0.0);
    p->gravity = vec4_from(frame->gravity);
    p->up = vec4_from(vec3_scale(frame->gravity, (float)(-1.0 / g)));
    p->up.w = def->rise;
    p->h = (float)h;
    p->inverse_h = (float)(1.0 / h);
    p->inverse_full = (float)(3.0 / (3.14159265358979 * SUPPORT_RADIUS * SUPPORT_RADIUS *
                                     SUPPORT_RADIUS)); /* d^3 over the integral of W */
    p->spacing = def->spacing_m;
    p->dt = whitewater_frame_seconds(frame);
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
    p->min_energy = p->thresholds.x;
    p->solid_count = whitewater_solid_count(f, frame);
    p->emitter_particle_count = (uint32_t)((double)fraction * (double)f->emitter_particle_count);
    memcpy(p->initial_attributes, def->initial_attributes, sizeof p->initial_attributes);
}
