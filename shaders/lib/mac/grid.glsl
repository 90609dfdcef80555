// Converts positions to cells, nodes and weights of the MAC grid of FLIP and APIC: the cells of the finest
// level of the Poisson solver (shaders/shared/poisson.h), with velocities on their lower faces.
// Buffers: params, multigrid.
#ifndef MAC_GRID_GLSL
#define MAC_GRID_GLSL

// Returns the lower corner of a cell, in the unit in which a position p is p * mac_cells. Integers make the
// difference of the two exact everywhere in the domain, as long as it is less than two cells: the products
// may overflow, but their difference does not.
ivec3 mac_cell_corner(ivec3 cell)
{
    ivec3 extent = params.fixed_max.xyz - params.fixed_min.xyz;
    return params.fixed_min.xyz * params.mac_cells.xyz + cell * extent;
}

// Returns a position in cells from the lower corner of the cell `from`.
vec3 mac_offset_in_cells(ivec3 p, ivec3 from)
{
    ivec3 extent = params.fixed_max.xyz - params.fixed_min.xyz;
    precise vec3 offset = vec3(p * params.mac_cells.xyz - mac_cell_corner(from)) / vec3(extent);
    return offset; // `precise`: all passes find the same cell
}

struct mac_position {
    ivec3 cell;
    vec3 fraction; // position within the cell, from its lower corner, 0 to 1
};

mac_position mac_advance(mac_position place, vec3 cells)
{
    precise vec3 fraction = place.fraction + cells, whole = floor(fraction), rest = fraction - whole;
    return mac_position(place.cell + ivec3(whole), rest);
}

mac_position mac_locate(ivec3 p)
{
    vec3 share = vec3(p - params.fixed_min.xyz) / vec3(params.fixed_max.xyz - params.fixed_min.xyz);
    ivec3 cell = ivec3(floor(share * vec3(params.mac_cells.xyz)));
    return mac_advance(mac_position(cell, mac_offset_in_cells(p, cell)), vec3(0.0));
}

// Returns whether this is the last face along an axis that is not periodic.
bool mac_is_end_face(int at, uint axis)
{
    return at >= int(multigrid.cells[0][axis]) && params.period[axis] == 0.0;
}

// Returns the lower of the two nodes around a position along each axis, and the weight of the upper one.
// Nodes are the centres of the lower faces across `axis`, or of cells if `axis` is 3.
mac_position mac_lower_node(mac_position place, uint axis)
{
    vec3 back = mix(vec3(0.5), vec3(0.0), equal(uvec3(axis), uvec3(0u, 1u, 2u)));
    return mac_advance(place, -back);
}

vec3 mac_corner_offset(uint k) { return vec3(uvec3(k, k >> 1, k >> 2) & 1u); }

// Returns the trilinear weight of corner k, 0 to 7, x fastest.
float mac_trilinear_weight(vec3 fraction, uint k)
{
    vec3 along = mix(1.0 - fraction, fraction, mac_corner_offset(k));
    return along.x * along.y * along.z;
}

// Returns the gradient of mac_trilinear_weight, per cell.
vec3 mac_weight_gradient(vec3 fraction, uint k)
{
    vec3 upper = mac_corner_offset(k), along = mix(1.0 - fraction, fraction, upper), way = 2.0 * upper - 1.0;
    return way * vec3(along.y * along.z, along.x * along.z, along.x * along.y);
}
#endif
