// Computes the velocity of faces that solids and bodies close, after the pressure solve: constrained velocity
// extrapolation (Batty, Bertails and Bridson 2007; Bridson 2015, section 5.4). A closed face moves with the
// particles around it, changes like its open neighbours, and takes from the boundary only the component along
// the boundary's normal, so a boundary that is oblique to the grid is free-slip like one along it. Without
// slip (`no_slip` in a viscous fluid) a closed face has the boundary's velocity. Only open faces are read
// from other cells, and only closed ones are written. One workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
UPDATE_ANY(face_velocities);
UPDATE_ANY(face_velocity_changes);
READ_SOLIDS();
READ_ANY(rigid_coupling);
READ_ANY(bodies);
READ_ANY(body_iterated_states);
#include "poisson/level.glsl"
#include "mac/boundary.glsl"
#include "mac/coupled_body.glsl"
#include "body/velocity.glsl"
#include "mac/closed_faces.glsl"
#include "particles/external_forces.glsl"

uint neighbour(uint i, uint side)
{
    return i == POISSON_NONE ? POISSON_NONE
                             : poisson_neighbour_cell(i / POISSON_BLOCK_CELLS, i % POISSON_BLOCK_CELLS, side);
}

// Returns the mean velocity along `other` of the open faces around the lower face of cell i across `axis`;
// `none` if there are none.
float mean_velocity(uint i, uint axis, uint other, float none)
{
    uint below = neighbour(i, 2u * axis);
    uint around[4] = uint[4](i, below, neighbour(i, 2u * other + 1u), neighbour(below, 2u * other + 1u));
    vec2 sum = vec2(0.0);
    for (uint k = 0u; k < 4u; k++)
        if (mac_face_is_open(around[k], other)) sum += vec2(face_velocities[around[k]][other], 1.0);
    return sum.y > 0.0 ? sum.x / sum.y : none;
}

struct closing_boundary {
    vec3 normal, velocity; // m/s; the normal is 0 if the boundary is no solid or body
};

// Returns the body, or the nearest solid, that closes a face with the centre p.
closing_boundary find_boundary(uint coupled_body, vec3 p)
{
    uint item = params.solid_count + coupled_body - 1u;
    closing_boundary found = closing_boundary(vec3(0.0), vec3(0.0));
    if (coupled_body == 0u) {
        mac_nearest solid = mac_nearest_solid(p, params.h);
        if (solid.distance >= params.h) return found;
        if (!STATIC_SOLIDS) found.velocity = (p - solid.point_at_start) / status.dt;
        item = solid.item;
    } else {
        found.velocity = body_velocity_at(coupled_body - 1u, p);
    }
    found.normal = item_world_distance(item, p, item_to_local(item, p)).xyz;
    return found;
}

// Returns the velocity of the closed lower face of cell i across `axis`, with the centre p, m/s.
float closed_face_velocity(uint i, uint axis, vec3 p, closing_boundary boundary)
{
    uint axes = params.planar != 0u ? 2u : 3u;
    if (HAS_VISCOSITY && params.no_slip != 0u || boundary.normal == vec3(0.0)) return boundary.velocity[axis];
    float before = face_velocities[i][axis] - face_velocity_changes[i][axis];
    float change = mac_open_change_around(i, axis, status.dt * acceleration_at(p)[axis]);
    vec3 relative = vec3(0.0);
    for (uint other = 0u; other < axes; other++)
        relative[other] = (other == axis ? before + change
                                         : mean_velocity(i, axis, other, boundary.velocity[other])) -
                          boundary.velocity[other];
    return boundary.velocity[axis] + relative[axis] - boundary.normal[axis] * dot(relative, boundary.normal);
}

void main()
{
    uint block = workgroup_block(0u);
    uint axes = params.planar != 0u ? 2u : 3u;
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
        for (uint axis = 0u; axis < axes; axis++) {
            if (!mac_face_is_known(i, axis) || mac_face_is_open(i, axis)) continue;
            uint coupled_body = mac_closing_body(block, cell, axis);
            vec3 p = mac_face_centre(at, axis);
            closing_boundary boundary = find_boundary(coupled_body, p);
            bool side = at[axis] == 0 && params.period[axis] == 0.0; // of the domain
            if (side && coupled_body == 0u) boundary.normal = vec3(0.0);
            float velocity = closed_face_velocity(i, axis, p, boundary);
            face_velocity_changes[i][axis] += velocity - face_velocities[i][axis];
            face_velocities[i][axis] = velocity;
        }
    }
}
