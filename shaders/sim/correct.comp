// Position correction with artificial pressure (Macklin and Mueller 2013, equations 12 to 14). It is relaxed,
// optionally accelerated by Chebyshev's semi-iteration (Wang 2015, section 4) as long as the over-density
// falls, then capped; last, where there are no solids, the particle is moved out of the domain's sides: else
// wall_collide.comp does it.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
ATOMIC(status);
READ_TEXELS(multipliers);
UPDATE_OWN(iterates);
READ_OWN(starts);
UPDATE_OWN(last_iterates);
READ_ANY(errors);
UPDATE_OWN(measured);
READ_OWN(lists);
READ_OWN(headers);
UPDATE_OWN(wall_sums);
BLOCK(grid);
WORK(33, 30, 16);
#include "boundary/gauges.glsl"
#include "boundary/boundary_density.glsl"
#include "neighbours/pair.glsl"

// Equation 13: the scale -k, and W(r) / W(dq) for t = 1 - q^2 over t^3.
float pressure_scale, pressure_ratio;

void pressure_begin()
{
    float ratio = status.dt / params.reference_dt;
    pressure_scale = -params.pressure * (params.scale_pressure != 0u ? ratio * ratio : 1.0);
    pressure_ratio = params.poly6 * params.pressure_base;
}

float artificial_pressure(float t3)
{
    float ratio = pressure_ratio * t3, square = ratio * ratio;
    if (POWER == 0u) return 0.0;
    if (POWER == 4u) return pressure_scale * square * square;
    float power = ratio;
    for (uint n = 1u; n < POWER; n++) power *= ratio;
    return pressure_scale * power;
}

void add_pair(inout vec3 sum, ivec4 own, ivec4 other)
{
    vec3 d = pair_steps(own.xyz, other.xyz);
    float r2 = pair_steps2(d);
    float t = max(1.0 - r2, 0.0), inverse, g = kernel_g(r2, inverse);
    float s = intBitsToFloat(own.w) + intBitsToFloat(other.w) + artificial_pressure(t * t * t);
    sum -= d * kernel_slope(s, g, inverse);
}

// Iterations since the over-density last grew: there the acceleration starts anew.
uint iterations_since_growth()
{
    uint since = 0u, before = errors[0], inner = row.inner;
    for (uint k = 1u; k <= inner; k++) {
        uint error = errors[k];
        since = error > before ? 0u : since + 1u;
        before = error;
    }
    return since;
}

// Weights of Chebyshev's semi-iteration: 1, 2 / (2 - rho^2), then 4 / (4 - rho^2 w).
float chebyshev_weight(uint iteration)
{
    float rho2 = params.chebyshev * params.chebyshev, w = 1.0;
    for (uint k = 1u; k <= iteration; k++) w = k == 1u ? 2.0 / (2.0 - rho2) : 4.0 / (4.0 - rho2 * w);
    return w;
}

vec3 accelerate(uint i, ivec3 p, vec3 correction)
{
    uint iteration = iterations_since_growth();
    float w = chebyshev_weight(iteration);
    vec3 before = iteration == 0u ? vec3(0.0) : fixed_offset(p, last_iterates[i].xyz);
    last_iterates[i] = ivec4(p, 0);
    return w * correction + (w - 1.0) * before;
}

void main()
{
    UNSOLVED_PARTICLE_OR_RETURN(i);
    ivec4 own = TEXEL(multipliers, i);
    float weight = intBitsToFloat(iterates[i].w), lambda = intBitsToFloat(own.w);
    uint header = headers[i], count = header & GRID_COUNT_MASK;
    vec3 sum = vec3(0.0);
    pressure_begin();
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, own, TEXEL(multipliers, j)))
    vec3 correction = sum * pair_unit * params.slope;
    bool near_wall = (header & SIM_NEAR_WALL) != 0u;
    if (near_wall) correction += lambda * wall_at(i, own.xyz).xyz;
    correction *= params.relaxation * weight;
    if (ACCELERATED) correction = accelerate(i, own.xyz, correction);
    float size = length(correction);
    if (size > params.correction_cap) {
        correction *= params.correction_cap / size;
        atomicAdd(status.correction_caps, 1u);
    }
    if (MEASURED != 0u) {
        float kept = size > params.correction_cap ? params.correction_cap / size : 1.0;
        measure_begin(i, starts[i].w);
        measured[measure_at].w -= lambda * kept;
    }
    if (PUSHES && near_wall) { // for wall_collide.comp
        float kept = size > params.correction_cap ? params.correction_cap / size : 1.0;
        wall_sums[i].x = lambda * params.relaxation * weight * kept;
    }
    bool lost = own.x == SIM_LOST || fixed_is_lost(correction);
    ivec3 p = lost ? ivec3(SIM_LOST) : own.xyz + fixed_step(correction);
    if (!HAS_SOLIDS && near_wall && !lost) p = wall_leave_sides(p, starts[i].xyz);
    if (lost && (row.inner == 0u || own.x != SIM_LOST)) atomicAdd(status.broken, 1u); // once
    iterates[i] = ivec4(p, floatBitsToInt(weight));
}
