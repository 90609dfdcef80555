/* Reference of the simulation shaders, one function each. */
#include "ref_walls.h"

vec3 ref_xyz(vec4 v)
{
    return (vec3){v.x, v.y, v.z};
}

vec4 ref_metres(const struct sim_params *params, ivec4 position)
{
    const vec4 *o = &params->origin;
    return (vec4){(float)position.x * o->w + o->x, (float)position.y * o->w + o->y,
                  (float)position.z * o->w + o->z, (float)position.w};
}

float ref_float(int32_t bits)
{
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

/* Returns the position of a particle, m. */
static vec3 at(const ref_pbf *pbf, ivec4 position)
{
    return ref_xyz(ref_metres(pbf->params, position));
}

float ref_axis(vec3 v, uint32_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* ---- pairs ---------------------------------------------------------------------------------- */

/* Lengths are in units of h. */
typedef struct pair {
    vec3 d;
    float r2;
    float t3;      /* (1 - r2)^3 */
    float kernel;  /* density kernel over its value at 0 */
    float g;       /* 1 - r */
    float slope;   /* slope of the correction kernel over its factor */
    float inverse; /* 1 / r */
} pair;

static float shorter(const struct sim_params *p, int32_t a, int32_t b, int32_t period)
{
    int64_t d = (int64_t)a - b;
    if (period > 0) d -= (int64_t)period * (int64_t)rint((double)d / period);
    return (float)d * p->unit_over_h;
}

static pair pair_of(const struct sim_params *p, ivec4 a, ivec4 b)
{
    pair k = {.d = {shorter(p, a.x, b.x, p->fixed_period.x),
                    shorter(p, a.y, b.y, p->fixed_period.y),
                    shorter(p, a.z, b.z, p->fixed_period.z)}};
    k.r2 = vec3_dot(k.d, k.d);
    float t = fmaxf(1.0f - k.r2, 0.0f);
    k.t3 = t * t * t;
    k.inverse = 1.0f / sqrtf(fmaxf(k.r2, 1e-20f));
    k.g = fmaxf(1.0f - k.r2 * k.inverse, 0.0f);
    k.kernel = k.t3;
    k.slope = k.g * k.g;
    if (p->smoothing_kernel == SIM_KERNEL_WENDLAND) {
        float r = sqrtf(k.r2);
        k.kernel = k.g * k.g * k.g * k.g * (1.0f + 4.0f * r);
        k.slope = r * k.g * k.g * k.g;
    }
    return k;
}

/* ---- prediction ----------------------------------------------------------------------------- */

static bool past_open_side(const struct sim_params *p, vec3 at)
{
    for (uint32_t side = 0; side < 6; side++) {
        float x = ref_axis(at, side / 2),
              low = ref_axis(ref_xyz(ref_metres(p, p->fixed_min)), side / 2);
        float high = ref_axis(ref_xyz(ref_metres(p, p->fixed_max)), side / 2);
        if (ref_side_kind(p, side) == 1 && (side % 2 == 0 ? x < low : x > high)) return true;
    }
    return false;
}

static bool in_sink(const ref_pbf *pbf, vec3 p)
{
    vec3 normal;
    for (uint32_t i = pbf->params->sink_first; i < pbf->params->item_count; i++)
        if (ref_ball_distance(&pbf->balls[i], p, &normal) < 0.0f) return true;
    return false;
}

static bool reaches(const struct sim_force *force, vec3 p)
{
    vec3 low = ref_xyz(force->low), high = ref_xyz(force->high);
    if (force->swirl.w > 0.0f) return vec3_length(vec3_sub(p, low)) <= force->swirl.w;
    return p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y &&
           p.z <= high.z;
}

/* `rate` receives the rate at which velocities decay, 1/s. */
static vec3 force_at(const struct sim_params *params, vec3 p, float *rate)
{
    vec3 sum = ref_xyz(params->gravity);
    *rate = 0.0f;
    for (uint32_t f = 0; f < params->force_count; f++) {
        const struct sim_force *force = &params->forces[f];
        vec3 offset = vec3_sub(p, ref_xyz(force->centre));
        if (!reaches(force, p)) continue;
        if (params->planar) offset.z = 0.0f;
        sum = vec3_add(sum, ref_xyz(force->acceleration));
        sum = vec3_add(sum, vec3_cross(ref_xyz(force->swirl), offset));
        sum = vec3_sub(sum, vec3_scale(offset, force->centre.w));
        *rate += force->acceleration.w;
    }
    return sum;
}

vec3 ref_acceleration(const struct sim_params *params, vec3 p)
{
    float rate;
    return force_at(params, p, &rate);
}

vec3 ref_pushed(const struct sim_params *params, vec3 p, vec3 velocity, float dt)
{
    float rate;
    vec3 force = force_at(params, p, &rate);
    return vec3_scale(vec3_add(velocity, vec3_scale(force, dt)), 1.0f / (1.0f + dt * rate));
}

vec3 ref_predicted_velocity(const struct sim_params *params, vec3 p, vec3 velocity, float dt)
{
    vec3 ahead = vec3_add(p, vec3_scale(velocity, params->field_lead * dt));
    return ref_pushed(params, ahead, velocity, dt);
}

/* Returns a + b with the integer wrap-around of the device. */
static int32_t wrapped(int32_t a, float b)
{
    return (int32_t)((uint32_t)a + (uint32_t)(int32_t)rintf(b));
}

/* Returns `from` moved by a displacement, rounded to whole units. */
static ivec4 stepped(const struct sim_params *params, ivec4 from, vec3 moved)
{
    if (!isfinite(moved.x + moved.y + moved.z)) return from;
    vec3 steps = vec3_scale(moved, params->units_per_metre);
    return (ivec4){wrapped(from.x, steps.x), wrapped(from.y, steps.y), wrapped(from.z, steps.z),
                   from.w};
}

vec4 ref_predict(const ref_pbf *pbf, ivec4 x, vec4 v, ref_lost *lost)
{
    const struct sim_params *params = pbf->params;
    vec3 start = at(pbf, x);
    bool led = v.w > 0.0f;
    vec3 velocity = led ? ref_xyz(v) : ref_predicted_velocity(params, start, ref_xyz(v), pbf->dt);
    vec3 moved = vec3_scale(velocity, pbf->dt);
    float size = vec3_length(moved), limit = params->speed_cap * params->spacing;
    if (size > limit && !led) {
        moved = vec3_scale(moved, limit / size);
        lost->clamped_speeds++;
    }
    vec3 p = ref_xyz(ref_metres(params, stepped(params, x, moved)));
    if (x.x == SIM_INVALID_POSITION || !isfinite(moved.x + moved.y + moved.z)) {
        lost->non_finite++;
        vec4 corner = ref_metres(params, params->fixed_min);
        return (vec4){corner.x, corner.y, corner.z, -1.0f};
    }
    p = ref_wall_project(pbf, p, start);
    float weight = led ? 0.0f : params->fluids[x.w].inverse_mass;
    if (past_open_side(params, p)) {
        lost->escaped++;
        weight = -1.0f;
    } else if (in_sink(pbf, p)) {
        lost->sunk++;
        weight = -1.0f;
    }
    return (vec4){p.x, p.y, p.z, weight};
}

/* ---- constraint ----------------------------------------------------------------------------- */

float ref_density(const ref_pbf *pbf, const ivec4 *a, uint32_t i)
{
    float sum = 0.0f;
    for (uint32_t k = pbf->first[i]; k < pbf->first[i + 1]; k++)
        sum += pair_of(pbf->params, a[i], a[pbf->items[k]]).kernel;
    return pbf->params->kernel_density * (1.0f + sum) +
           ref_wall_density(pbf, at(pbf, a[i])).density;
}

/* Returns the offset from b to a, m. */
static vec3 way(const struct sim_params *p, ivec4 a, ivec4 b)
{
    float unit = p->origin.w;
    return vec3_make((float)(a.x - b.x) * unit, (float)(a.y - b.y) * unit,
                     (float)(a.z - b.z) * unit);
}

float ref_density_change(const ref_pbf *pbf, const ivec4 *a, const ivec4 *starts, uint32_t i)
{
    const struct sim_params *params = pbf->params;
    vec3 own = way(params, a[i], starts[i]);
    float sum = 0.0f;
    for (uint32_t k = pbf->first[i]; k < pbf->first[i + 1]; k++) {
        uint32_t j = pbf->items[k];
        pair e = pair_of(params, a[i], a[j]);
        vec3 move = vec3_sub(own, way(params, a[j], starts[j]));
        sum -= e.slope * e.inverse * vec3_dot(e.d, move);
    }
    return params->kernel_gradient * sum;
}

ref_multiplier ref_lambda(const ref_pbf *pbf, const ivec4 *a, uint32_t i)
{
    const struct sim_params *params = pbf->params;
    float squares = 0.0f;
    vec3 gradient = {0};
    for (uint32_t k = pbf->first[i]; k < pbf->first[i + 1]; k++) {
        ivec4 other = a[pbf->items[k]];
        pair e = pair_of(params, a[i], other);
        squares += e.slope * e.slope * ref_float(other.w);
        gradient = vec3_sub(gradient, vec3_scale(e.d, e.slope * e.inverse));
    }
    ref_wall wall = ref_wall_density(pbf, at(pbf, a[i]));
    squares *= params->kernel_gradient * params->kernel_gradient;
    gradient = vec3_scale(gradient, params->kernel_gradient);
    if (params->smoothing_kernel == SIM_KERNEL_WENDLAND) {
        squares /= powf(fmaxf(1.0f - wall.density, 0.25f), 2.5f);
        gradient = vec3_add(gradient, wall.gradient);
    }
    squares += ref_float(a[i].w) * vec3_dot(gradient, gradient);
    float denominator = squares + params->epsilon;
    float c = fmaxf(ref_density(pbf, a, i) - 1.0f, params->min_constraint);
    if (ref_float(a[i].w) == 0.0f) c = 0.0f; /* led by an emitter: it has no constraint */
    return (ref_multiplier){-c / denominator, denominator};
}

float ref_pressure(const ref_pbf *pbf, const ivec4 *a, float before, uint32_t i)
{
    float error = ref_density(pbf, a, i) - 1.0f;
    return fminf(before - pbf->params->pcisph_pressure_factor * error / ref_float(a[i].w), 0.0f);
}

vec3 ref_push(const ref_pbf *pbf, const ivec4 *b, ivec4 from, uint32_t i)
{
    vec3 sum = {0}, start = at(pbf, b[i]);
    float own = ref_float(b[i].w);
    for (uint32_t k = pbf->first[i]; k < pbf->first[i + 1]; k++) {
        ivec4 other = b[pbf->items[k]];
        pair e = pair_of(pbf->params, b[i], other);
        float s = own + ref_float(other.w);
        sum = vec3_sub(sum, vec3_scale(e.d, s * e.slope * e.inverse));
    }
    vec3 push = vec3_scale(sum, pbf->params->kernel_gradient);
    push = vec3_add(push, vec3_scale(ref_wall_density(pbf, start).gradient, own));
    vec3 moved = vec3_scale(push, ref_float(from.w));
    const ref_wall_load load = {start, own * ref_float(from.w)};
    return ref_wall_project_loaded(pbf, vec3_add(at(pbf, from), moved), start, &load);
}

float ref_tait(const ref_pbf *pbf, const ivec4 *starts, const ivec4 *predictions, uint32_t i)
{
    float density = ref_density(pbf, starts, i), moved = pbf->params->sound_speed * pbf->dt;
    float pressure = moved * moved / 7.0f * fmaxf(powf(density, 7.0f) - 1.0f, 0.0f);
    return -pressure / (density * density * ref_float(predictions[i].w));
}

vec3 ref_accelerate(const ref_pbf *pbf, const ivec4 *b, const ivec4 *predictions, uint32_t i)
{
    const struct sim_params *params = pbf->params;
    vec3 sum = {0}, own_move = way(params, predictions[i], b[i]);
    float own = ref_float(b[i].w), weight = ref_float(predictions[i].w);
    float factor = params->artificial_viscosity * params->sound_speed * pbf->dt;
    for (uint32_t k = pbf->first[i]; k < pbf->first[i + 1]; k++) {
        uint32_t j = pbf->items[k];
        pair e = pair_of(params, b[i], b[j]);
        vec3 apart = vec3_sub(own_move, way(params, predictions[j], b[j]));
        float nearing = fminf(vec3_dot(apart, e.d), 0.0f) / (e.r2 + 0.0025f);
        float s = own + ref_float(b[j].w);
        s += factor * nearing / (weight + ref_float(predictions[j].w));
        sum = vec3_sub(sum, vec3_scale(e.d, s * e.slope * e.inverse));
    }
    vec3 start = at(pbf, b[i]), push = vec3_scale(sum, params->kernel_gradient);
    push = vec3_add(push, vec3_scale(ref_wall_density(pbf, start).gradient, own));
    vec3 moved = vec3_scale(push, weight);
    const ref_wall_load load = {start, own * weight};
    return ref_wall_project_loaded(pbf, vec3_add(at(pbf, predictions[i]), moved), start, &load);
}

float ref_artificial_pressure(const ref_pbf *pbf, float r2)
{
    const struct sim_params *params = pbf->params;
    float ratio = pbf->dt / params->reference_dt, power = 1.0f;
    float scale =
        params->artificial_pressure * (params->scale_artificial_pressure ? ratio * ratio : 1.0f);
    float t = fmaxf(1.0f - r2, 0.0f);
    if (params->artificial_pressure <= 0.0f) return 0.0f;
    for (uint32_t n = 0; n < params->artificial_pressure_exponent; n++)
        power *= params->poly6 * params->artificial_pressure_base * t * t * t;
    return -scale * fmaxf(power - params->artificial_pressure_offset, 0.0f);
}

static float chebyshev_weight(float rho, uint32_t inner)
{
    float w = 1.0f;
    for (uint32_t k = 1; k <= inner; k++)
        w = k == 1 ? 2.0f / (2.0f - rho * rho) : 4.0f / (4.0f - rho * rho * w);
    return w;
}

ref_correction ref_correct(const ref_pbf *pbf, const ref_iterate *turn, uint32_t i)
{
    const struct sim_params *params = pbf->params;
    ivec4 own = turn->b[i];
    float lambda = ref_float(own.w);
    vec3 sum = {0}, p = at(pbf, own);
    for (uint32_t k = pbf->first[i]; k < pbf->first[i + 1]; k++) {
        ivec4 other = turn->b[pbf->items[k]];
        pair e = pair_of(params, own, other);
        float s = lambda + ref_float(other.w) + ref_artificial_pressure(pbf, e.r2);
        sum = vec3_sub(sum, vec3_scale(e.d, s * e.slope * e.inverse));
    }
    vec3 correction = vec3_scale(sum, params->kernel_gradient);
    correction = vec3_add(correction, vec3_scale(ref_wall_density(pbf, p).gradient, lambda));
    correction = vec3_scale(correction, params->relaxation * turn->weight);
    if (params->chebyshev > 0.0f && turn->inner > 0) {
        vec3 before = at(pbf, turn->last[i]), ahead = vec3_sub(vec3_add(p, correction), before);
        float w = chebyshev_weight(params->chebyshev, turn->inner);
        correction = vec3_sub(vec3_add(vec3_scale(ahead, w), before), p);
    }
    float size = vec3_length(correction), kept = fminf(1.0f, params->max_correction / size);
    if (kept < 1.0f) correction = vec3_scale(correction, kept);
    const ref_wall_load load = {p, lambda * params->relaxation * turn->weight * kept};
    return (ref_correction){
        ref_wall_project_loaded(pbf, vec3_add(p, correction), turn->start, &load), size};
}

/* ---- velocity ------------------------------------------------------------------------------- */

static vec4 with_size(vec3 v)
{
    return (vec4){v.x, v.y, v.z, vec3_length(v)};
}

ref_flow ref_vorticity(const ref_pbf *pbf, const ivec4 *a, const vec4 *v, uint32_t i)
{
    const struct sim_params *params = pbf->params;
    vec3 curl = {0}, change = {0};
    for (uint32_t k = pbf->first[i]; k < pbf->first[i + 1]; k++) {
        uint32_t j = pbf->items[k];
        pair e = pair_of(params, a[i], a[j]);
        vec3 difference = vec3_sub(ref_xyz(v[j]), ref_xyz(v[i]));
        curl = vec3_add(curl, vec3_scale(vec3_cross(difference, e.d), e.g * e.g * e.inverse));
        float own = ref_float(a[i].w), other = ref_float(a[j].w);
        float share = 0.5f * (fmaxf(v[i].w, 0.0f) + fmaxf(v[j].w, 0.0f)) * e.t3;
        share *= 2.0f * own / fmaxf(own + other, 1e-30f);
        change = vec3_add(change, vec3_scale(difference, share));
    }
    change = vec3_scale(change, params->poly6 * fminf(pbf->dt / params->reference_dt, 2.0f));
    return (ref_flow){with_size(vec3_scale(curl, params->spiky)), with_size(change)};
}

vec4 ref_normal(const ref_pbf *pbf, const ivec4 *a, uint32_t i)
{
    const struct sim_params *params = pbf->params;
    vec3 sum = {0};
    float density = 0.0f;
    for (uint32_t k = pbf->first[i]; k < pbf->first[i + 1]; k++) {
        pair e = pair_of(params, a[i], a[pbf->items[k]]);
        sum = vec3_sub(sum, vec3_scale(e.d, e.g * e.g * e.inverse));
        density += e.kernel;
    }
    sum = vec3_scale(sum, params->spiky * params->h);
    return (vec4){sum.x, sum.y, sum.z, params->kernel_density * (1.0f + density)};
}

static float cohesion(float q)
{
    float t3 = powf((1.0f - q) * q, 3.0f);
    return q >= 1.0f ? 0.0f : q > 0.5f ? t3 : 2.0f * t3 - 1.0f / 64.0f;
}

vec3 ref_tension(const ref_pbf *pbf, const ivec4 *a, const vec4 *normals, const ivec4 *fluids,
                 uint32_t i)
{
    const struct sim_params *params = pbf->params;
    const struct sim_fluid *own = &params->fluids[fluids[i].w];
    vec3 sum = {0};
    for (uint32_t k = pbf->first[i]; k < pbf->first[i + 1]; k++) {
        uint32_t j = pbf->items[k];
        const struct sim_fluid *other = &params->fluids[fluids[j].w];
        pair e = pair_of(params, a[i], a[j]);
        float q = sqrtf(e.r2);
        if (q >= 1.0f) continue;
        vec3 pull = vec3_scale(e.d, params->cohesion * cohesion(q) * e.inverse);
        vec3 differ = vec3_sub(ref_xyz(normals[i]), ref_xyz(normals[j]));
        pull = vec3_add(pull, vec3_scale(differ, params->curvature));
        float share = fminf(own->surface_tension, other->surface_tension) * 2.0f /
                      (normals[i].w + normals[j].w);
        sum = vec3_sub(sum, vec3_scale(pull, share));
    }
    return vec3_scale(sum, pbf->dt / own->mass);
}

ref_growth ref_curl_growth(const ref_pbf *pbf, const ivec4 *a, const vec4 *b, uint32_t i)
{
    ref_growth growth = {0};
    for (uint32_t k = pbf->first[i]; k < pbf->first[i + 1]; k++) {
        uint32_t j = pbf->items[k];
        pair e = pair_of(pbf->params, a[i], a[j]);
        vec3 term = vec3_scale(e.d, -(b[j].w - b[i].w) * e.g * e.g * e.inverse);
        growth.sum = vec3_add(growth.sum, term);
        growth.size += vec3_length(term);
    }
    return growth;
}

/* ---- statistics ----------------------------------------------------------------------------- */

static void add_vector(double sum[3], vec4 v, double factor)
{
    sum[0] += factor * (double)v.x;
    sum[1] += factor * (double)v.y;
    sum[2] += factor * (double)v.z;
}

ref_sums ref_statistics(const ref_pbf *pbf, ref_state state)
{
    const struct sim_params *params = pbf->params;
    ref_sums sums = {.count = pbf->count};
    for (uint32_t i = 0; i < pbf->count; i++) {
        const struct sim_fluid *fluid = &params->fluids[state.x[i].w];
        vec4 x = ref_metres(params, state.x[i]);
        double mass = (double)fluid->mass, speed = (double)vec3_length(ref_xyz(state.v[i]));
        double error = fmax((double)state.density[i] / (double)fluid->density - 1.0, 0.0);
        uint32_t neighbours = pbf->first[i + 1] - pbf->first[i];
        add_vector(sums.momentum, state.v[i], mass);
        add_vector(sums.moment, x, mass);
        sums.mass += mass;
        sums.kinetic += 0.5 * mass * speed * speed;
        sums.potential -= mass * (double)vec3_dot(ref_xyz(params->gravity), ref_xyz(x));
        for (uint32_t f = 0; f < params->force_count; f++) {
            vec3 offset = vec3_sub(ref_xyz(x), ref_xyz(params->forces[f].centre));
            if (params->planar) offset.z = 0.0f;
            sums.potential +=
                0.5 * mass * (double)(params->forces[f].low.w * vec3_dot(offset, offset));
        }
        sums.error_sum += error;
        sums.error_max = fmax(sums.error_max, error);
        sums.speed_max = fmax(sums.speed_max, speed);
        sums.neighbours += neighbours;
        if (neighbours > sums.neighbours_max) sums.neighbours_max = neighbours;
    }
    return sums;
}
