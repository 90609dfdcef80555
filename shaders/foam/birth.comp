// One invocation for each birth: finds its parent in the sums of births, and starts in a cylinder about the
// parent's motion (Ihmsen and others 2012, section 3.3), anywhere along the way of the frame, but not
// inside a wall.
#version 460
#include "bindings/whitewater.glsl"
#include "math/random.glsl"

BLOCK(state);
BLOCK(params);
READ_ANY(births);
READ_ANY(sorted_points);
READ_ANY(sorted_velocities);
READ_ANY(surfaces);
READ_ANY(items);
READ_ANY(poses);
READ_ANY(solid_nodes);
READ_ANY(solid_volumes);
ATOMIC(census);
WRITE_ANY(particles);

#include "whitewater/boundary.glsl"

// The last point before which there are at most `birth` births.
uint parent_of(uint birth)
{
    uint low = 0u, high = state.live;
    for (uint step = 0u; step < 32u && high - low > 1u; step++) {
        uint middle = (low + high) / 2u;
        if (births[middle] <= birth)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Two unit vectors across `axis`, a unit vector (Duff and others, "Building an orthonormal basis, revisited",
// 2017).
void across(vec3 axis, out vec3 first, out vec3 second)
{
    float side = axis.z < 0.0 ? -1.0 : 1.0, a = -1.0 / (side + axis.z), b = axis.x * axis.y * a;
    first = vec3(1.0 + side * axis.x * axis.x * a, side * b, -side * axis.x);
    second = vec3(b, side + axis.y * axis.y * a, -axis.y);
}

void main()
{
    uint b = row_index();
    if (b >= census.births) return;
    uint parent = parent_of(b);
    uint id = floatBitsToUint(sorted_points[parent].w), draw = FOAM_DRAW_BIRTH + 2u * (b - births[parent]);
    vec4 u = random_numbers(uvec4(id, params.frame, draw, params.seed));
    vec4 w = random_numbers(uvec4(id, params.frame, draw + 1u, params.seed));
    vec3 p = sorted_points[parent].xyz, v = sorted_velocities[parent].xyz, first, second;
    float speed = length(v), turn = 6.2831853 * u.y, radius = sqrt(u.x);
    across(speed > 0.0 ? v / speed : params.up.xyz, first, second);
    vec3 aside = radius * (cos(turn) * first + sin(turn) * second);
    float fill = surfaces[parent].w;
    foam_particle born;
    born.kind = fill < FOAM_FILL_SPRAY ? FOAM_SPRAY : fill > FOAM_FILL_BUBBLE ? FOAM_BUBBLE : FOAM_FOAM;
    born.place = vec4(p + 0.5 * params.spacing * aside - u.z * params.dt * v,
                      params.radius * (FOAM_SIZE_LOW + w.x));
    born.velocity = vec4(v + FOAM_SPREAD * speed * aside, 0.0);
    if (!foam_collide(born.place.xyz, born.velocity.xyz, born.place.w)) born.place.xyz = p;
    born.place.xyz = foam_wrap(born.place.xyz);
    born.id = params.next_id + b;
    born.lifetime = mix(params.lifetime_low, params.lifetime_high, u.w);
    born.parent = id;
    particles[census.survivors + b] = born;
    atomicAdd(census.alive[born.kind], 1u);
}
