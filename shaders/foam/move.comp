// Whitewater moves through one frame: spray flies with drag, foam goes with the fluid (Heun), bubbles tend
// to the fluid's velocity plus their rise; each step is exact in time. Then what surrounds it may change its
// kind, foam is taken towards the surface, walls stop it, and it ages. docs/whitewater.md.
#version 460
#include "bindings/whitewater.glsl"
#include "math/random.glsl"

BLOCK(grid);
BLOCK(params);
READ_TEXELS(sorted_points);
READ_TEXELS(sorted_velocities);
READ_ANY(segments);
READ_ANY(cell_starts);
READ_ANY(items);
READ_ANY(poses);
READ_ANY(solid_nodes);
READ_ANY(solid_volumes);
READ_OWN(particles);
WRITE_OWN(moved);
WRITE_ANY(kept);
WORK(200, 40, 32);

// Sums over the fluid near a point.
float weight;
vec3 momentum, slope;

void add_neighbour(uint j, vec3 offset, float r, float w)
{
    weight += w;
    momentum += w * TEXEL(sorted_velocities, j).xyz;
    if (r > 0.0) slope -= offset / r;
}
#define FOAM_NEIGHBOUR(j, offset, r, w) add_neighbour(j, offset, r, w)
#include "whitewater/fluid_neighbours.glsl"
#include "whitewater/boundary.glsl"

// The sums, and the fluid's velocity: 0 where there is none.
vec3 find_flow(vec3 p)
{
    weight = 0.0;
    momentum = slope = vec3(0.0);
    foam_add_neighbours(p);
    return momentum / max(weight, 1e-30);
}

void fly(inout foam_particle a)
{
    float dt = params.dt;
    vec3 kick = 0.5 * dt * params.gravity.xyz, v = a.velocity.xyz + kick;
    float s = params.drag / a.place.w * length(v) * dt;
    float mean = s > 1e-3 ? log(1.0 + s) / s : 1.0 - s * (0.5 - s / 3.0);
    a.place.xyz += v * (mean * dt);
    a.velocity.xyz = v / (1.0 + s) + kick;
}

void rise(inout foam_particle a, vec3 flow)
{
    float left = exp(-params.dt / params.relaxation);
    vec3 end = flow + params.up.w * params.up.xyz, rest = a.velocity.xyz - end;
    a.place.xyz += end * params.dt + rest * (params.relaxation * (1.0 - left));
    a.velocity.xyz = end + rest * left;
}

uint kind_for(uint kind, float fill)
{
    float spray = FOAM_FILL_SPRAY * (kind == FOAM_SPRAY ? 1.0 + FOAM_FILL_HOLD : 1.0 - FOAM_FILL_HOLD);
    float bubble = FOAM_FILL_BUBBLE * (kind == FOAM_BUBBLE ? 1.0 - FOAM_FILL_HOLD : 1.0 + FOAM_FILL_HOLD);
    return fill < spray ? FOAM_SPRAY : fill > bubble ? FOAM_BUBBLE : FOAM_FOAM;
}

// Towards where the fill is a half.
vec3 seat(float fill, vec3 gradient)
{
    float size = length(gradient), most = FOAM_SEAT_SHARE * params.spacing;
    return size > 0.0 ? gradient * (clamp((0.5 - fill) / size, -most, most) / size) : vec3(0.0);
}

// The place that it comes to without forces, in front of walls. What flies is taken there.
vec3 look_ahead(inout foam_particle a)
{
    vec3 ahead = a.place.xyz + params.dt * a.velocity.xyz, v = a.velocity.xyz;
    if (a.kind == FOAM_SPRAY) {
        fly(a);
        return a.place.xyz;
    }
    foam_collide(ahead, v, a.place.w);
    return ahead;
}

// Takes it along with the fluid.
void ride(inout foam_particle a, vec3 flow)
{
    if (a.kind == FOAM_FOAM) a.place.xyz += 0.5 * params.dt * (a.velocity.xyz + flow);
    if (a.kind == FOAM_BUBBLE) rise(a, flow);
}

// Through the frame. The fluid is summed up once, at the place ahead; the fill's slope leads from there to
// where the particle comes to. False: most spray that lands becomes foam, the rest is gone.
bool move(inout foam_particle a)
{
    uint before = a.kind;
    vec3 ahead = look_ahead(a), flow = find_flow(ahead);
    if (weight <= 0.0) {
        if (before != FOAM_SPRAY) fly(a);
        a.kind = FOAM_SPRAY;
        return true;
    }
    ride(a, flow);
    foam_walls walls = foam_find_walls(ahead);
    vec3 gradient = slope * (params.inverse_full * params.inverse_h) + walls.gradient;
    float fill = weight * params.inverse_full + walls.share;
    fill = clamp(fill + dot(gradient, a.place.xyz - ahead), 0.0, 1.0);
    a.kind = kind_for(before, fill);
    if (a.kind == FOAM_FOAM) {
        a.velocity.xyz = flow;
        a.place.xyz += seat(fill, gradient);
    }
    vec4 u = random_numbers(uvec4(a.id, params.frame, FOAM_DRAW_LANDING, params.seed));
    return before != FOAM_SPRAY || a.kind == FOAM_SPRAY || u.x < FOAM_LANDING_SHARE;
}

// Back into the domain on periodic axes; false outside of it on others.
bool hold(inout foam_particle a)
{
    vec3 p = foam_wrap(a.place.xyz), slack = vec3(params.spacing);
    a.place.xyz = p;
    return all(greaterThanEqual(p, params.domain_min.xyz - slack)) &&
           all(lessThanEqual(p, params.domain_max.xyz + slack));
}

void main()
{
    uint i = row_index();
    if (i > params.particle_count) return;
    if (i == params.particle_count) {
        kept[i] = 0u; // the scan leaves their sum here
        return;
    }
    foam_particle a = particles[i];
    bool lives = move(a);
    bool room = foam_collide(a.place.xyz, a.velocity.xyz, a.place.w);
    lives = hold(a) && lives && room;
    a.velocity.w += params.dt * (a.kind == FOAM_FOAM ? 1.0 : FOAM_SLOW_AGE);
    moved[i] = a;
    kept[i] = lives && a.velocity.w < a.lifetime ? 1u : 0u;
}
