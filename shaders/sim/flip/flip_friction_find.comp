// Computes the velocity change by Coulomb friction at the centre of each fluid cell next to a wall; one
// workgroup per block. The tangential impulse is at most the friction coefficient times the impulse of the
// pressure, and never reverses the sliding.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(face_velocities);
READ_ANY(face_velocity_changes);
READ_ANY(face_masses);
READ_ANY(viscous_velocities);
WRITE_ANY(friction_velocities);
READ_SOLIDS();
READ_ANY(rigid_coupling);
#include "poisson/level.glsl"
#include "mac/boundary_force.glsl"

// Returns the change by all walls. They act one after another, each on the velocity left by the previous one.
vec3 friction_change(uint block, uint cell)
{
    ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
    uint i = block * POISSON_BLOCK_CELLS + cell;
    mac_open_fractions shares = mac_find_open_fractions(i, at);
    uint item;
    mac_boundary solid = mac_solid_boundary(i, shares, at, item);
    // computed last, so that it takes no registers during the distance queries
    mac_cell_state middle = mac_find_cell_state(block, cell, at);
    vec3 before = middle.velocity;
    vec3 mass = mac_friction_mass(block, cell, at, solid.open);
    middle.velocity += mac_friction_change(middle, solid, mass);
    for (uint side = 0u; side < 6u; side++) {
        middle.velocity += mac_friction_change(middle, mac_side_boundary(shares, at, side), mass);
    }
    return middle.velocity - before;
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        bool fluid = uintBitsToFloat(cells[i].w) < 0.0;
        friction_velocities[i] = vec4(fluid ? friction_change(block, cell) : vec3(0.0), 0.0);
    }
}
