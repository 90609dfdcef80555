// Adds the pressure of every coupled cell to the impulses of its body: exactly the impulses that the matrix
// of the pressure equation assumes. One workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(cell_pressures);
READ_ANY(rigid_coupling);
READ_ANY(body_iterated_states);
ATOMIC(body_impulse_sums);
#include "poisson/level.glsl"
#include "body/impulse.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    vec3 size = params.cell_size.xyz;
    float edge = min(size.x, min(size.y, size.z)), mass = params.fluids[0].density * size.x * size.y * size.z;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        vec4 coupling = rigid_coupling[i];
        if (coupling.w == 0.0 || uintBitsToFloat(cells[i].w) >= 0.0 || cell_pressures[i] == 0.0) continue;
        uint body = uint(coupling.w) - 1u;
        vec3 at = vec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell)) + 0.5;
        vec3 arm = params.domain_min.xyz + at * size - body_iterated_states[body].position.xyz;
        add_body_impulse(body, arm, status.dt * mass / edge * cell_pressures[i] * coupling.xyz);
        atomicOr(body_impulse_sums[body * BODY_IMPULSE_WORDS + BODY_IMPULSE_FLAGS], BODY_WOKEN);
    }
}
