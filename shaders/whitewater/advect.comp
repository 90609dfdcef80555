// Advances whitewater by one frame (docs/whitewater.md); one invocation per particle. Spray flies with drag,
// foam and tracers follow the fluid (Heun's method), bubbles approach the fluid's velocity plus their rise
// velocity; each step is exact in time. Then the surrounding fluid may change a particle's kind, foam is
// pulled to the surface, walls stop particles, and they age.
#version 460
#include "bindings/whitewater.glsl"
#include "math/random.glsl"

BLOCK(grid);
BLOCK(params);
READ_TEXELS(sorted_points);
READ_TEXELS(sorted_velocities);
READ_ANY(segments);
READ_ANY(bin_starts);
READ_ANY(items);
READ_ANY(poses);
READ_ANY(solid_nodes);
READ_ANY(solid_volumes);
READ_OWN(particles);
WRITE_OWN(advected_particles);
WRITE_ANY(survivor_offsets);
WORK_ESTIMATE(200, 40, 32);

// Sums over the fluid near a point.
float weight;
vec3 momentum, slope;

void add_neighbour(uint j, vec3 offset, float r, float w)
{
    weight += w;
    momentum += w * TEXEL(sorted_velocities, j).xyz;
    if (r > 0.0) slope -= offset / r;
}
#define WHITEWATER_NEIGHBOUR(j, offset, r, w) add_neighbour(j, offset, r, w)
#include "whitewater/fluid_neighbours.glsl"
#include "whitewater/boundary.glsl"

// Computes the sums at p and returns the fluid's velocity there, 0 without fluid.
vec3 fluid_velocity_at(vec3 p)
{
    weight = 0.0;
    momentum = slope = vec3(0.0);
    whitewater_add_neighbours(p);
    return momentum / max(weight, 1e-30);
}

void move_spray(inout whitewater_particle a)
{
    float dt = params.dt;
    vec3 kick = 0.5 * dt * params.gravity.xyz, v = a.velocity.xyz + kick;
    float s = params.drag / a.position.w * length(v) * dt;
    float mean = s > 1e-3 ? log(1.0 + s) / s : 1.0 - s * (0.5 - s / 3.0);
    a.position.xyz += v * (mean * dt);
    a.velocity.xyz = v / (1.0 + s) + kick;
}

void move_bubble(inout whitewater_particle a, vec3 flow)
{
    float left = exp(-params.dt / params.relaxation);
    vec3 end = flow + params.up.w * params.up.xyz, rest = a.velocity.xyz - end;
    a.position.xyz += end * params.dt + rest * (params.relaxation * (1.0 - left));
    a.velocity.xyz = end + rest * left;
}

uint classify_kind(uint kind, float fill)
{
    const float more = 1.0 + WHITEWATER_KIND_HYSTERESIS, less = 1.0 - WHITEWATER_KIND_HYSTERESIS;
    float spray = WHITEWATER_SPRAY_FRACTION * (kind == WHITEWATER_SPRAY ? more : less);
    float bubble = WHITEWATER_BUBBLE_FRACTION * (kind == WHITEWATER_BUBBLE ? less : more);
    return fill < spray ? WHITEWATER_SPRAY : fill > bubble ? WHITEWATER_BUBBLE : WHITEWATER_FOAM;
}

// Returns the displacement towards the position where the fill fraction is a half.
vec3 pull_to_surface(float fill, vec3 gradient)
{
    float size = length(gradient), most = WHITEWATER_MAX_SURFACE_PULL * params.spacing;
    return size > 0.0 ? gradient * (clamp((0.5 - fill) / size, -most, most) / size) : vec3(0.0);
}

// Returns the position without forces, outside of walls. Spray is moved there.
vec3 predict_position(inout whitewater_particle a)
{
    vec3 ahead = a.position.xyz + params.dt * a.velocity.xyz, v = a.velocity.xyz;
    if (a.kind == WHITEWATER_SPRAY) {
        move_spray(a);
        return a.position.xyz;
    }
    whitewater_collide(ahead, v, a.position.w);
    return ahead;
}

// Moves foam and bubbles with the fluid.
void move_with_fluid(inout whitewater_particle a, vec3 flow)
{
    if (a.kind == WHITEWATER_FOAM || a.kind == WHITEWATER_TRACER)
        a.position.xyz += 0.5 * params.dt * (a.velocity.xyz + flow);
    if (a.kind == WHITEWATER_BUBBLE) move_bubble(a, flow);
}

// Advances a particle through the frame. The fluid is summed once, at the predicted position; the gradient of
// the fill fraction extrapolates from there to the final position. Most spray that lands becomes foam; the
// rest is removed (returns false). A tracer stays one, and flies like spray where there is no fluid.
bool advance_particle(inout whitewater_particle a)
{
    uint before = a.kind;
    vec3 ahead = predict_position(a), flow = fluid_velocity_at(ahead);
    if (weight <= 0.0) {
        if (before != WHITEWATER_SPRAY) move_spray(a);
        if (before != WHITEWATER_TRACER) a.kind = WHITEWATER_SPRAY;
        return true;
    }
    move_with_fluid(a, flow);
    if (before == WHITEWATER_TRACER) {
        a.velocity.xyz = flow;
        return true;
    }
    whitewater_boundary walls = whitewater_find_boundary(ahead);
    vec3 gradient = slope * (params.inverse_full * params.inverse_h) + walls.gradient;
    float fill = weight * params.inverse_full + walls.fraction;
    fill = clamp(fill + dot(gradient, a.position.xyz - ahead), 0.0, 1.0);
    a.kind = classify_kind(before, fill);
    if (a.kind == WHITEWATER_FOAM) {
        a.velocity.xyz = flow;
        a.position.xyz += pull_to_surface(fill, gradient);
    }
    vec4 u = random_floats(uvec4(a.id, params.frame, WHITEWATER_RANDOM_LANDING, params.seed));
    return before != WHITEWATER_SPRAY || a.kind == WHITEWATER_SPRAY || u.x < WHITEWATER_LANDING_PROBABILITY;
}

// Wraps the particle into the domain on periodic axes. Returns false if it is outside on others.
bool stays_in_domain(inout whitewater_particle a)
{
    vec3 p = whitewater_wrap(a.position.xyz), slack = vec3(params.spacing);
    a.position.xyz = p;
    return all(greaterThanEqual(p, params.domain_min.xyz - slack)) &&
           all(lessThanEqual(p, params.domain_max.xyz + slack));
}

void main()
{
    uint i = invocation_index();
    if (i > params.particle_count) return;
    if (i == params.particle_count) {
        survivor_offsets[i] = 0u; // the scan stores the total here
        return;
    }
    whitewater_particle a = particles[i];
    bool lives = advance_particle(a);
    bool room = whitewater_collide(a.position.xyz, a.velocity.xyz, a.position.w);
    lives = stays_in_domain(a) && lives && room;
    bool ages_slowly = a.kind == WHITEWATER_SPRAY || a.kind == WHITEWATER_BUBBLE;
    a.velocity.w += params.dt * (ages_slowly ? WHITEWATER_SLOW_AGING : 1.0);
    advected_particles[i] = a;
    survivor_offsets[i] = lives && a.velocity.w < a.lifetime ? 1u : 0u;
}
