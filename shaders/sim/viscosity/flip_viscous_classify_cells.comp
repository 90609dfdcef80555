// Starts the implicit viscous solve on the MAC grid: classifies each cell and writes the initial velocities,
// which on faces that walls or bodies hold are theirs. One workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(face_velocities);
UPDATE_ANY(viscous_cells);
WRITE_ANY(viscous_velocities);
READ_SOLIDS();
READ_ANY(rigid_coupling);
READ_ANY(body_viscous_states);
WRITE_ANY(viscous_face_bodies);
#include "poisson/level.glsl"
#include "mac/boundary.glsl"
#include "body/viscous_velocity.glsl"

// Returns whether a viscous fluid slips along the nearest solid.
bool slips_at_nearest_solid(ivec3 at)
{
    vec3 p = params.domain_min.xyz + (vec3(at) + 0.5) * params.cell_size.xyz;
    if (params.planar != 0u) p.z = params.plane;
    float nearest = 1e30;
    bool slips = false;
    uint solids = boundary_solid_count();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        float distance = item_distance(item, p, params.h);
        if (distance >= nearest) continue;
        nearest = distance;
        slips = (items[item].flags & SOLID_ITEM_NO_SLIP) == 0u;
    }
    return slips;
}

uint classify_cell(uint i, ivec3 at)
{
    float level = uintBitsToFloat(cells[i].w);
    if (level >= POISSON_CLOSED)
        return SIM_VISCOUS_CLOSED | (slips_at_nearest_solid(at) ? SIM_VISCOUS_SLIP : 0u);
    return level < 0.0 ? SIM_VISCOUS_FLUID : 0u;
}

// Returns whether a wall holds a face with this open fraction. A wall holds the faces that it covers; a
// no-slip solid also those whose centre it comes close to, since a solid two cells wide may cover no face.
bool is_fixed_face(float open, mac_nearest solid)
{
    if (open <= 0.0) return true;
    bool near = HAS_SOLIDS && solid.distance < SIM_VISCOUS_FIXED_DISTANCE * params.cell_size.x;
    return near && (items[solid.item].flags & SOLID_ITEM_NO_SLIP) != 0u;
}

// Returns 1 + the body that holds the lower face of cell i across an axis, with the centre p; 0 if none does.
// Fluid sticks to bodies as it does to solids without slip. A face that something else closes is not held.
uint find_holding_body(uint i, uint below, vec3 p)
{
    if (!HAS_BODIES) return 0u;
    uint coupled_body = uint(rigid_coupling[i].w);
    if (coupled_body == 0u && below != POISSON_NONE) coupled_body = uint(rigid_coupling[below].w);
    if (coupled_body == 0u) return 0u;
    float near = SIM_VISCOUS_FIXED_DISTANCE * params.cell_size.x;
    return item_distance(params.solid_count + coupled_body - 1u, p, near) < near ? coupled_body : 0u;
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
        uint kind = classify_cell(i, at);
        vec3 velocity = face_velocities[i].xyz;
        uvec3 held = uvec3(0u);
        for (uint axis = 0u; axis < 3u; axis++) {
            uint below = poisson_neighbour_cell(block, cell, 2u * axis);
            float open = mac_face_open_fraction(i, below, 2u * axis);
            if (open >= 1.0) continue;
            vec3 middle = mac_face_centre(at, axis);
            held[axis] = find_holding_body(i, below, middle);
            if (held[axis] != 0u) {
                kind |= SIM_VISCOUS_FIXED_X << axis;
                velocity[axis] = body_viscous_velocity(held[axis] - 1u, middle)[axis];
                continue;
            }
            mac_nearest solid = mac_nearest_solid(middle, params.h);
            if (!is_fixed_face(open, solid)) continue;
            kind |= SIM_VISCOUS_FIXED_X << axis;
            velocity[axis] = STATIC_SOLIDS ? 0.0 : (middle - solid.point_at_start)[axis] / status.dt;
        }
        if (HAS_BODIES) viscous_face_bodies[i] = uvec4(held, 0u);
        float nu = params.fluids[0].dynamic_viscosity / params.fluids[0].density;
        uint bits = UNIFORM_VISCOSITY ? floatBitsToUint(nu) : viscous_cells[i];
        viscous_cells[i] = (bits & ~SIM_VISCOUS_FLAGS_MASK) | kind;
        viscous_velocities[i] = vec4(velocity, 0.0);
    }
}
