// Computes the right-hand side of the pressure equation: minus the divergence of the flow through the open
// fractions of the faces and of the motion of solids through the closed fractions (Batty, Bertails and
// Bridson 2007, section 4), or of the body that the cell is coupled to, as it would move without the
// pressure. The unknown is p dt / rho, m2/s. One workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(face_velocities);
WRITE_ANY(poisson_rhs);
READ_SOLIDS();
READ_ANY(rigid_coupling);
READ_ANY(bodies);
READ_ANY(body_iterated_states);
#include "poisson/level.glsl"
#include "mac/boundary.glsl"
#include "mac/coupled_body.glsl"
#include "body/velocity.glsl"
#include "mac/position.glsl"

// Returns the outward flow through one side of a cell, m/s.
float outflow(uint block, uint cell, uint side)
{
    uint i = block * POISSON_BLOCK_CELLS + cell;
    uint other = poisson_neighbour_cell(block, cell, side), axis = side >> 1;
    bool up = (side & 1u) != 0u;
    float open = mac_face_open_fraction(i, other, side), flow = 0.0;
    if (!up) flow = open * face_velocities[i][axis];
    else if (other != POISSON_NONE) flow = open * face_velocities[other][axis];
    if (HAS_SOLIDS && !STATIC_SOLIDS && open < 1.0 && mac_coupled_body(i) == 0u) {
        ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
        if (up) at[axis]++;
        flow += (1.0 - open) * mac_solid_velocity(mac_face_centre(at, axis))[axis];
    }
    return up ? flow : -flow;
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    float edge = min(params.cell_size.x, min(params.cell_size.y, params.cell_size.z));
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        float divergence = 0.0;
        bool fluid = uintBitsToFloat(cells[i].w) < 0.0;
        uint sides = fluid ? params.planar != 0u ? 4u : 6u : 0u;
        for (uint side = 0u; side < sides; side++)
            divergence += outflow(block, cell, side) / params.cell_size[side >> 1];
        uint coupled_body = fluid ? mac_coupled_body(i) : 0u;
        if (coupled_body != 0u) {
            vec3 middle = mac_cell_centre(
                ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell)));
            divergence += dot(rigid_coupling[i].xyz, body_velocity_at(coupled_body - 1u, middle)) / edge;
        }
        poisson_rhs[i] = -edge * edge * divergence;
    }
}
