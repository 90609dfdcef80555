// Computes the velocity correction at each corner of a block that restores momentum: minus the momentum
// residual of the cells around the corner over their mass. The residual is the momentum given to the
// particles minus that of the solve; of its part along the solve's impulse, what only supports the weight
// does not count. One workgroup per block, one invocation per corner.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(momentum_residuals);
WRITE_ANY(momentum_corrections);
#include "poisson/level.glsl"
#include "particles/external_forces.glsl"

// Returns the slot of a block; POISSON_NONE if it is not active or lies outside the domain.
uint block_at(ivec3 at)
{
    ivec3 count = ivec3(multigrid.tables[0].xyz);
    if (PERIODIC) {
        ivec3 wrapped = at - count * ivec3(floor(vec3(at) / vec3(count)));
        at = mix(at, wrapped, greaterThan(params.period.xyz, vec3(0.0)));
    }
    if (any(lessThan(at, ivec3(0))) || any(greaterThanEqual(at, count))) return POISSON_NONE;
    return block_slots[poisson_block_entry(0u, uvec3(at))];
}

ivec3 corner_offset(uint corner) { return ivec3(uvec3(corner, corner >> 1, corner >> 2) & 1u); }

vec3 load_sum(uint first)
{
    // in the plane, the third word is not written
    return vec3(momentum_residuals[first], momentum_residuals[first + 1u],
                params.planar != 0u ? 0.0 : momentum_residuals[first + 2u]);
}

// Returns the part of `particles` - `solve` along the solve's impulse that comes from supporting `weight`.
// A fluid at rest has a residual, too, because its particles and its cells have different volumes; it would
// be pushed for ever. Across that direction and without weight, all counts: a fluid that slides along a wall
// keeps its momentum along the wall.
vec3 supporting_residual(vec3 particles, vec3 solve, vec3 weight)
{
    float size = length(solve);
    if (size == 0.0) return vec3(0.0);
    vec3 way = solve / size;
    float most = max(-dot(weight, way), 0.0);
    float along = dot(particles, way), held = clamp(along, 0.0, most);
    return along > 0.0 ? way * (held / along) * (along - size) : vec3(0.0);
}

void main()
{
    uint block = workgroup_block(0u), corner = gl_LocalInvocationIndex;
    if (block == POISSON_NONE || corner >= 8u) return;
    vec3 particles = vec3(0.0), solve = vec3(0.0), mass = vec3(0.0);
    ivec3 at = ivec3(blocks[block].at.xyz) + corner_offset(corner);
    // the blocks around the corner; k is the corner of the block that it coincides with
    for (uint k = 0u; k < 8u; k++) {
        uint other = block_at(at - corner_offset(k));
        if (other == POISSON_NONE) continue;
        uint first = other * SIM_MOMENTUM_RESIDUAL_WORDS + 9u * k;
        particles += load_sum(first);
        solve += load_sum(first + 3u);
        mass += load_sum(first + 6u);
    }
    vec3 p = params.domain_min.xyz + vec3(at * int(POISSON_BLOCK_EDGE)) * params.cell_size.xyz;
    if (params.planar != 0u) p.z = params.plane;
    vec3 weight = status.dt * mass * acceleration_at(p);
    vec3 residual = particles - solve - supporting_residual(particles, solve, weight);
    momentum_corrections[8u * block + corner] =
        vec4(mix(vec3(0.0), -residual / mass, greaterThan(mass, vec3(0.0))), 0.0);
}
