// Creates the emitted whitewater particles; one invocation per new particle. It finds its parent in the
// prefix sums of the emission counts, and starts in a cylinder around the parent's motion (Ihmsen and others
// 2012, section 3.3), at a random point along the path of the frame, but not inside a wall. It inherits its
// parent's attributes.
#version 460
#include "bindings/whitewater.glsl"
#include "math/random.glsl"

BLOCK(state);
BLOCK(params);
READ_ANY(emission_offsets);
READ_ANY(sources);
READ_ANY(point_attributes);
READ_ANY(sorted_points);
READ_ANY(sorted_velocities);
READ_ANY(surfaces);
READ_ANY(items);
READ_ANY(poses);
READ_ANY(solid_nodes);
READ_ANY(solid_volumes);
ATOMIC(counters);
WRITE_ANY(particles);
WRITE_ANY(next_attributes);

#include "whitewater/boundary.glsl"

// Returns the last fluid particle before which at most `birth` whitewater particles are emitted.
uint find_parent(uint birth)
{
    uint low = 0u, high = state.live;
    for (uint step = 0u; step < 32u && high - low > 1u; step++) {
        uint middle = (low + high) / 2u;
        if (emission_offsets[middle] <= birth)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Computes two unit vectors orthogonal to the unit vector `axis` (Duff and others, "Building an orthonormal
// basis, revisited", 2017).
void tangent_frame(vec3 axis, out vec3 first, out vec3 second)
{
    float side = axis.z < 0.0 ? -1.0 : 1.0, a = -1.0 / (side + axis.z), b = axis.x * axis.y * a;
    first = vec3(1.0 + side * axis.x * axis.x * a, side * b, -side * axis.x);
    second = vec3(b, side + axis.y * axis.y * a, -axis.y);
}

void main()
{
    uint b = invocation_index();
    if (b >= counters.emission_count - params.emitter_particle_count) return;
    uint parent = find_parent(b);
    uint id = floatBitsToUint(sorted_points[parent].w);
    uint draw = WHITEWATER_RANDOM_EMIT + 2u * (b - emission_offsets[parent]);
    vec4 u = random_floats(uvec4(id, params.frame, draw, params.seed));
    vec4 w = random_floats(uvec4(id, params.frame, draw + 1u, params.seed));
    vec3 p = sorted_points[parent].xyz, v = sorted_velocities[parent].xyz, first, second;
    float speed = length(v), turn = 6.2831853 * u.y, radius = sqrt(u.x);
    tangent_frame(speed > 0.0 ? v / speed : params.up.xyz, first, second);
    vec3 aside = radius * (cos(turn) * first + sin(turn) * second);
    float fill = surfaces[parent].w;
    whitewater_particle born;
    born.kind = fill < WHITEWATER_SPRAY_FRACTION    ? WHITEWATER_SPRAY
                : fill > WHITEWATER_BUBBLE_FRACTION ? WHITEWATER_BUBBLE
                                                    : WHITEWATER_FOAM;
    born.position = vec4(p + 0.5 * params.spacing * aside - u.z * params.dt * v,
                      params.radius * (WHITEWATER_MIN_RADIUS + w.x));
    born.velocity = vec4(v + WHITEWATER_SPREAD * speed * aside, 0.0);
    if (!whitewater_collide(born.position.xyz, born.velocity.xyz, born.position.w)) born.position.xyz = p;
    born.position.xyz = whitewater_wrap(born.position.xyz);
    born.id = params.next_id + b;
    born.lifetime = mix(params.lifetime_low, params.lifetime_high, u.w);
    born.parent = id;
    particles[counters.survivors + b] = born;
    uint to = ATTRIBUTE_VECTORS * (counters.survivors + b), from = ATTRIBUTE_VECTORS * sources[parent];
    for (uint k = 0u; k < ATTRIBUTE_VECTORS; k++) next_attributes[to + k] = point_attributes[from + k];
    atomicAdd(counters.alive[born.kind], 1u);
}
