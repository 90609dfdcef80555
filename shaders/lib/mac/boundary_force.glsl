// Computes the pressure and friction that the fluid in a cell of the MAC grid exerts on the boundary, after
// the projection and before friction slows the faces.
// Buffers: rigid_coupling, face_masses, and those of mac/boundary.glsl and mac/cell_state.glsl.
#ifndef MAC_BOUNDARY_FORCE_GLSL
#define MAC_BOUNDARY_FORCE_GLSL
#include "mac/boundary.glsl"
#include "mac/cell_state.glsl"
#include "mac/friction_mass.glsl"
#include "mac/fractions.glsl"
#include "mac/position.glsl"

struct mac_boundary {
    vec3 area;      // 1/m: area of the boundary over the cell's volume, pointing into the boundary
    float distance; // m: from the centre of the cell to the boundary
    vec3 velocity;  // m/s: of the boundary
    float friction;
    float open; // open fraction of the cell, cut by a plane at that distance
};

const mac_boundary MAC_NO_BOUNDARY = mac_boundary(vec3(0.0), 0.0, vec3(0.0), 0.0, 1.0);

vec3 mac_corner_position(uvec3 at)
{
    vec3 p = params.domain_min.xyz + vec3(at) * params.cell_size.xyz;
    if (params.planar != 0u) p.z = params.plane;
    return p;
}

bool mac_at_closed_side(ivec3 at, uint side)
{
    uint axis = side >> 1;
    bool end = (side & 1u) == 0u ? at[axis] == 0 : at[axis] + 1 == params.mac_cells[axis];
    return end && (params.sides >> (2u * side) & 3u) == 0u;
}

// Returns the open fraction of a side of a cell, from the distances of its four corners to solids. The loop
// contains the only call: compilers inline the distance function at every call.
float mac_side_open_fraction(ivec3 at, uint side)
{
    uint axis = side >> 1;
    vec4 corners;
    for (uint k = 0u; k < 4u; k++) {
        uvec3 corner = uvec3(at);
        corner[axis] += side & 1u;
        corner[(axis + 1u) % 3u] += k & 1u;
        corner[(axis + 2u) % 3u] += k >> 1;
        corners[k] = boundary_clearance(mac_corner_position(corner), 2.0 * params.cell_size[axis]);
    }
    float share = square_open_fraction(corners.xy, corners.zw);
    return share < SIM_FACE_MIN_OPEN ? 0.0 : share;
}

// Open fractions of a cell's sides with respect to solids, also at closed sides of the domain.
struct mac_open_fractions {
    vec3 low, high;
};

mac_open_fractions mac_find_open_fractions(uint i, ivec3 at)
{
    mac_open_fractions shares = mac_open_fractions(vec3(1.0), vec3(1.0));
    uint sides = !HAS_SOLIDS ? 0u : params.planar != 0u ? 4u : 6u;
    for (uint side = 0u; side < sides; side++) {
        float open = unpackUnorm2x16(cells[i][side >> 1])[side & 1u];
        if (mac_at_closed_side(at, side)) open = mac_side_open_fraction(at, side);
        if ((side & 1u) == 0u) shares.low[side >> 1] = open;
        else shares.high[side >> 1] = open;
    }
    return shares;
}

// Returns the boundary that a closed side of the domain is for a cell.
mac_boundary mac_side_boundary(mac_open_fractions shares, ivec3 at, uint side)
{
    if (!mac_at_closed_side(at, side)) return MAC_NO_BOUNDARY;
    uint axis = side >> 1;
    bool up = (side & 1u) != 0u;
    mac_boundary contact = MAC_NO_BOUNDARY;
    contact.area[axis] = (up ? shares.high[axis] : -shares.low[axis]) / params.cell_size[axis];
    contact.distance = 0.5 * params.cell_size[axis];
    contact.friction = params.friction;
    return contact;
}

// Returns the nearest solid as the boundary of cell i; it is assigned all the area of the cell that solids
// close. In cells that are coupled to a body, all closed area belongs to the body.
mac_boundary mac_solid_boundary(uint i, mac_open_fractions shares, ivec3 at, out uint item)
{
    mac_boundary contact = MAC_NO_BOUNDARY;
    item = 0u;
    if (HAS_BODIES && rigid_coupling[i].w != 0.0) return contact;
    contact.area = (shares.low - shares.high) / params.cell_size.xyz;
    if (!HAS_SOLIDS || contact.area == vec3(0.0)) return contact;
    vec3 middle = mac_cell_centre(at);
    mac_nearest solid = mac_nearest_solid(middle, 2.0 * params.h);
    item = solid.item;
    contact.distance = solid.distance;
    contact.velocity = (middle - solid.point_at_start) / status.dt;
    contact.friction = items[item].friction;
    contact.open = clamp(0.5 + solid.distance / params.h, 0.0, 1.0);
    return contact;
}

// Returns p dt / rho at the boundary, m2/s.
float mac_boundary_pressure(mac_cell_state middle, mac_boundary contact)
{
    float area = length(contact.area);
    return area > 0.0
               ? middle.pressure + contact.distance * dot(middle.pressure_gradient, contact.area) / area
               : 0.0;
}

// Returns the velocity change at the centre of the cell by Coulomb friction, m/s; the normal force is the
// pressure. `mass`: mac_friction_mass.
vec3 mac_friction_change(mac_cell_state middle, mac_boundary contact, vec3 mass)
{
    float area = length(contact.area);
    if (area == 0.0 || contact.friction == 0.0) return vec3(0.0);
    vec3 normal = contact.area / area, relative = middle.velocity - contact.velocity;
    vec3 along = relative - normal * dot(relative, normal);
    if (params.planar != 0u) along.z = 0.0;
    float size = length(along);
    if (size == 0.0) return vec3(0.0);
    float impulse = contact.friction * max(mac_boundary_pressure(middle, contact), 0.0) * area;
    float slowed = dot(mass, along * along) / (size * size);
    return -along * (impulse < slowed * size ? impulse / (slowed * size) : 1.0);
}

// Force of the fluid in a cell on the solid that closes a part of the cell, by pressure and friction.
struct mac_solid_force {
    vec3 force; // N
    vec3 position; // m: point of application on the solid
    uint item;
    bool acts;
};

mac_solid_force mac_find_solid_force(uint block, uint cell)
{
    uint i = block * POISSON_BLOCK_CELLS + cell, item;
    mac_solid_force push = mac_solid_force(vec3(0.0), vec3(0.0), 0u, false);
    if (uintBitsToFloat(cells[i].w) >= 0.0) return push;
    ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
    mac_boundary contact = mac_solid_boundary(i, mac_find_open_fractions(i, at), at, item);
    if (contact.area == vec3(0.0)) return push;
    mac_cell_state middle = mac_find_cell_state(block, cell, at); // after the distances, to save registers
    vec3 size = params.cell_size.xyz;
    float volume = size.x * size.y * (params.planar != 0u ? 1.0 : size.z);
    vec3 impulse = mac_boundary_pressure(middle, contact) * contact.area;
    vec3 mass = vec3(0.0);
    if (contact.friction > 0.0) mass = mac_friction_mass(block, cell, at, contact.open);
    impulse -= mass * mac_friction_change(middle, contact, mass);
    push.force = params.fluids[0].density * volume / status.dt * impulse;
    push.position = mac_cell_centre(at) + contact.distance * normalize(contact.area);
    if (params.planar != 0u) push.position.z = params.plane;
    push.item = item;
    push.acts = true;
    return push;
}
#endif
