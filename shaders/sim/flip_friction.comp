// Friction of walls by Coulomb's law: what it changes of the velocity in the middle of a cell at a wall. The
// impulse along the wall is at most the friction times that of the pressure, and what slides is no more than
// stopped.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(faces);
READ_ANY(face_changes);
READ_ANY(viscous_velocities);
WRITE_ANY(rubs);
READ_SOLIDS();
READ_ANY(ties);
#include "poisson/level.glsl"
#include "mac/boundary_force.glsl"

// One wall after the other, each on what the last has left.
vec3 rubbed(uint block, uint cell)
{
    ivec3 at = ivec3(blocks[block].at.xyz * POISSON_EDGE + poisson_local(cell));
    uint i = block * POISSON_CELLS + cell;
    mac_shares shares = mac_find_shares(i, at);
    uint item;
    mac_contact solid = mac_touch_solid(i, shares, at, item);
    mac_middle middle = mac_find_middle(block, cell, at); // last: not to be held beside distances
    vec3 before = middle.velocity;
    middle.velocity += mac_rub(middle, solid);
    for (uint side = 0u; side < 6u; side++) {
        mac_contact contact = mac_touch_side(shares, at, side);
        contact.room = solid.room;
        middle.velocity += mac_rub(middle, contact);
    }
    return middle.velocity - before;
}

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_CELLS + cell;
        bool fluid = uintBitsToFloat(cells[i].w) < 0.0;
        rubs[i] = vec4(fluid ? rubbed(block, cell) : vec3(0.0), 0.0);
    }
}
