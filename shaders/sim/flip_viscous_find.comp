// Implicit viscosity on the MAC grid: what each cell is, and the velocities that the solve starts from, which
// are those of walls on the faces that walls hold.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
GATHER(blocks);
GATHER(cells);
GATHER(faces);
SCATTER_UPDATE(viscous_cells);
SCATTER(viscous_velocities);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
#include "shape.glsl"
#include "wall.glsl"
#include "poisson_level.glsl"
#include "mac_wall.glsl"

// The solid that is nearest to a point: how far it is, and whether a viscous fluid slips along it.
struct viscous_wall {
    float distance; // m
    bool slips;
};

viscous_wall viscous_wall_at(vec3 p)
{
    viscous_wall nearest = viscous_wall(1e30, false);
    uint solids = wall_solids();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        float distance = wall_item_distance(item, p, params.h);
        if (distance >= nearest.distance) continue;
        nearest = viscous_wall(distance, (items[item].flags & SOLID_ITEM_STICKS) == 0u);
    }
    return nearest;
}

bool slips_at(ivec3 at)
{
    vec3 p = params.domain_min.xyz + (vec3(at) + 0.5) * params.cell_size.xyz;
    if (params.planar != 0u) p.z = params.plane;
    return viscous_wall_at(p).slips;
}

uint kind_of(uint i, ivec3 at)
{
    float level = uintBitsToFloat(cells[i].w);
    if (level >= POISSON_CLOSED) return SIM_VISCOUS_CLOSED | (slips_at(at) ? SIM_VISCOUS_SLIPS : 0u);
    return level < 0.0 ? SIM_VISCOUS_FLUID : 0u;
}

// Does a wall hold the velocity of a face? It does where it covers the face, and a solid to which fluid
// sticks where it comes near to the middle: one of two cells across covers no face.
bool is_held(float open, vec3 middle)
{
    if (open <= 0.0 || open >= 1.0) return open <= 0.0;
    viscous_wall wall = viscous_wall_at(middle);
    return wall.distance < SIM_VISCOUS_HELD * params.cell_size.x && !wall.slips;
}

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_CELLS + cell;
        ivec3 at = ivec3(blocks[block].at.xyz * POISSON_EDGE + poisson_local(cell));
        uint kind = kind_of(i, at);
        vec3 velocity = faces[i].xyz;
        for (uint axis = 0u; axis < 3u; axis++) {
            vec3 middle = mac_face_metres(at, axis);
            if (!is_held(mac_open(i, poisson_beside(block, cell, 2u * axis), 2u * axis), middle)) continue;
            kind |= SIM_VISCOUS_FIXED_X << axis;
            velocity[axis] = mac_wall_velocity(middle)[axis];
        }
        float nu = params.fluids[0].dynamic_viscosity / params.fluids[0].density;
        uint bits = ONE_VISCOSITY ? floatBitsToUint(nu) : viscous_cells[i];
        viscous_cells[i] = (bits & ~SIM_VISCOUS_KINDS) | kind;
        viscous_velocities[i] = vec4(velocity, 0.0);
    }
}
