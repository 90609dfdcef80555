// Computes the velocity correction at each corner of a block that restores momentum: minus the momentum
// residual of the cells around the corner over their mass. One workgroup per block, one invocation per
// corner.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(momentum_residuals);
WRITE_ANY(momentum_corrections);
#include "poisson/level.glsl"

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

void main()
{
    uint block = workgroup_block(0u), corner = gl_LocalInvocationIndex;
    if (block == POISSON_NONE || corner >= 8u) return;
    vec3 residual = vec3(0.0), mass = vec3(0.0);
    // the blocks around the corner; k is the corner of the block that it coincides with
    for (uint k = 0u; k < 8u; k++) {
        uint other = block_at(ivec3(blocks[block].at.xyz) + corner_offset(corner) - corner_offset(k));
        if (other == POISSON_NONE) continue;
        uint first = other * SIM_MOMENTUM_RESIDUAL_WORDS + 6u * k;
        residual += vec3(momentum_residuals[first], momentum_residuals[first + 1u],
                         momentum_residuals[first + 2u]);
        mass += vec3(momentum_residuals[first + 3u], momentum_residuals[first + 4u],
                     momentum_residuals[first + 5u]);
    }
    momentum_corrections[8u * block + corner] =
        vec4(mix(vec3(0.0), -residual / mass, greaterThan(mass, vec3(0.0))), 0.0);
}
