// Implicit viscosity on the MAC grid: what each cell is, and the velocities that the solve starts from, which
// are those of walls on the faces that walls hold.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(faces);
UPDATE_ANY(viscous_cells);
WRITE_ANY(viscous_velocities);
READ_SOLIDS();
#include "poisson/level.glsl"
#include "mac/boundary.glsl"

// Does a viscous fluid slip along the nearest solid?
bool slips_at(ivec3 at)
{
    vec3 p = params.domain_min.xyz + (vec3(at) + 0.5) * params.cell_size.xyz;
    if (params.planar != 0u) p.z = params.plane;
    float nearest = 1e30;
    bool slips = false;
    uint solids = wall_solids();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        float distance = wall_item_distance(item, p, params.h);
        if (distance >= nearest) continue;
        nearest = distance;
        slips = (items[item].flags & SOLID_ITEM_STICKS) == 0u;
    }
    return slips;
}

uint kind_of(uint i, ivec3 at)
{
    float level = uintBitsToFloat(cells[i].w);
    if (level >= POISSON_CLOSED) return SIM_VISCOUS_CLOSED | (slips_at(at) ? SIM_VISCOUS_SLIPS : 0u);
    return level < 0.0 ? SIM_VISCOUS_FLUID : 0u;
}

// Does a wall hold a face of which this share is open? It does where it covers the face, and a solid to which
// fluid sticks where it comes near to the middle: one of two cells across covers no face.
bool is_held(float open, mac_solid solid)
{
    if (open <= 0.0) return true;
    bool near = HAS_SOLIDS && solid.distance < SIM_VISCOUS_HELD * params.cell_size.x;
    return near && (items[solid.item].flags & SOLID_ITEM_STICKS) != 0u;
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
            float open = mac_open(i, poisson_beside(block, cell, 2u * axis), 2u * axis);
            if (open >= 1.0) continue;
            vec3 middle = mac_face_metres(at, axis);
            mac_solid solid = mac_nearest_solid(middle, params.h);
            if (!is_held(open, solid)) continue;
            kind |= SIM_VISCOUS_FIXED_X << axis;
            velocity[axis] = STEADY ? 0.0 : (middle - solid.carried)[axis] / status.dt;
        }
        float nu = params.fluids[0].dynamic_viscosity / params.fluids[0].density;
        uint bits = ONE_VISCOSITY ? floatBitsToUint(nu) : viscous_cells[i];
        viscous_cells[i] = (bits & ~SIM_VISCOUS_KINDS) | kind;
        viscous_velocities[i] = vec4(velocity, 0.0);
    }
}
