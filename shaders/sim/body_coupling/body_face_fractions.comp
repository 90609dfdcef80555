// Multiplies the open fractions of every cell and its faces, as solids and sides leave them, by the fractions
// that bodies leave open; couples each cell that a body cuts to one body (shaders/shared/poisson.h). One
// workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
UPDATE_ANY(cells);
READ_SOLIDS();
READ_ANY(broad_phase_cells);
READ_ANY(body_spheres);
READ_ANY(body_iterated_states);
WRITE_ANY(rigid_coupling);
WRITE_ANY(rigid_coupling_angular);
#include "poisson/level.glsl"
#include "mac/body_fractions.glsl"

void apply_body_fractions(uint i, inout open_fractions own)
{
    uvec4 cell = cells[i];
    float most = 0.0; // a cell is at most as open as its most open face
    for (uint axis = 0u; axis < 3u; axis++) {
        vec2 open = unpackUnorm2x16(cell[axis]) * vec2(own.low[axis], own.high[axis]);
        most = max(most, max(own.low[axis], own.high[axis]));
        vec2 before = unpackUnorm2x16(cell[axis]);
        cell[axis] = packUnorm2x16(open * vec2(greaterThanEqual(open, vec2(SIM_FACE_MIN_OPEN))));
        vec2 after = unpackUnorm2x16(cell[axis]);
        if (before.x > 0.0) own.low[axis] = after.x / before.x;
        if (before.y > 0.0) own.high[axis] = after.y / before.y;
    }
    cell.w = floatBitsToUint(min(uintBitsToFloat(cell.w) * own.share, most));
    cells[i] = cell;
}

// Couples a cell to the body nearest to its centre.
void couple_cell_to_body(uint i, uvec3 place, open_fractions own)
{
    vec3 middle = params.domain_min.xyz + (vec3(place) + 0.5) * params.cell_size.xyz;
    float edge = min(params.cell_size.x, min(params.cell_size.y, params.cell_size.z));
    uint body = find_nearest_body(middle, BODY_COUPLING_DISTANCE * params.cell_size.x).body;
    if (body == BODY_NONE) return;
    vec3 share = (own.low - own.high) * edge / params.cell_size.xyz;
    rigid_coupling[i] = vec4(share, float(body + 1u));
    rigid_coupling_angular[i] =
        vec4(cross(middle - body_iterated_states[body].position.xyz, share) / edge, 0.0);
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    uvec3 first = blocks[block].at.xyz * POISSON_BLOCK_EDGE;
    bool bodies = sample_block_coverage(first);
    barrier();
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        uvec3 local = poisson_cell_coordinates(cell);
        rigid_coupling[i] = vec4(0.0);
        if (!bodies) continue;
        open_fractions own = cell_open_fractions(local);
        if (!own.closed) continue;
        apply_body_fractions(i, own);
        couple_cell_to_body(i, first + local, own);
    }
}
