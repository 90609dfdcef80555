// Computes the open fractions of the faces of every cell, which solids and the closed sides of the domain
// cut; one workgroup per block. The last word of a cell holds the cell's open fraction until
// long_range_level_set_rhs.comp replaces it with the level set. Also clears the sums of the long-range
// correction.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
WRITE_ANY(cells);
WRITE_ANY(long_range_sums);
READ_SOLIDS();
#include "boundary/boundary.glsl"
#include "poisson/level.glsl"
#include "mac/fractions.glsl"

const uint CORNERS_PER_EDGE = POISSON_BLOCK_EDGE + 1u;
// m, distances from solids
shared float corner_distances[CORNERS_PER_EDGE * CORNERS_PER_EDGE * CORNERS_PER_EDGE];

uint corner_index(uvec3 at) { return at.x + CORNERS_PER_EDGE * (at.y + CORNERS_PER_EDGE * at.z); }

vec3 corner_position(uvec3 at)
{
    vec3 p = params.domain_min.xyz + vec3(at) * params.cell_size.xyz;
    if (params.planar != 0u) p.z = params.plane;
    return p;
}

// Samples the distances at all corners of the block. Returns false if no solid cuts the block.
bool sample_corner_distances(uvec3 first)
{
    if (!HAS_SOLIDS) return false;
    vec3 middle = 0.5 * (corner_position(first) + corner_position(first + POISSON_BLOCK_EDGE));
    float reach = 0.5 * float(POISSON_BLOCK_EDGE) * length(params.cell_size.xyz);
    if (boundary_clearance(middle, SIM_SDF_MAX_SLOPE * reach) > SIM_SDF_MAX_SLOPE * reach) return false;
    const uint layer = CORNERS_PER_EDGE * CORNERS_PER_EDGE;
    for (uint i = gl_LocalInvocationIndex; i < layer * CORNERS_PER_EDGE; i += POISSON_WORKGROUP) {
        uvec3 at = uvec3(i % CORNERS_PER_EDGE, i / CORNERS_PER_EDGE % CORNERS_PER_EDGE, i / layer);
        corner_distances[i] = boundary_clearance(corner_position(first + at), 2.0 * params.cell_size.x);
    }
    return true;
}

// Returns the open fraction of a cell, cut by one plane at the distance of the nearest solid from the cell's
// centre.
float cell_open_fraction(uvec3 at)
{
    vec3 size = params.cell_size.xyz, middle = params.domain_min.xyz + (vec3(at) + 0.5) * size;
    if (params.planar != 0u) middle.z = params.plane;
    float least = params.planar != 0u ? min(size.x, size.y) : min(min(size.x, size.y), size.z);
    return clamp(0.5 + boundary_clearance(middle, least) / least, 0.0, 1.0);
}

// Returns the open fraction of the lower face of a cell along an axis.
float face_open_fraction(uvec3 at, uint axis)
{
    uvec3 u = uvec3(0u), v = uvec3(0u);
    u[(axis + 1u) % 3u] = v[(axis + 2u) % 3u] = 1u;
    return square_open_fraction(
        vec2(corner_distances[corner_index(at)], corner_distances[corner_index(at + u)]),
        vec2(corner_distances[corner_index(at + v)], corner_distances[corner_index(at + u + v)]));
}

// Returns 0 if the face lies on a closed side at the end of an axis, else 1.
float side_open_fraction(bool end, uint side)
{
    uint kind = params.sides >> (2u * side) & 3u;
    return end && (kind == 0u || kind == 3u) ? 0.0 : 1.0;
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    uvec3 first = blocks[block].at.xyz * POISSON_BLOCK_EDGE, count = multigrid.cells[0].xyz;
    bool cut = sample_corner_distances(first);
    barrier();
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        uvec3 local = poisson_cell_coordinates(cell), place = first + local, shares;
        float most = 0.0; // a cell is at most as open as its most open face
        for (uint axis = 0u; axis < 3u; axis++) {
            uvec3 next = local;
            next[axis]++;
            vec2 open =
                cut ? vec2(face_open_fraction(local, axis), face_open_fraction(next, axis)) : vec2(1.0);
            open *= vec2(greaterThanEqual(open, vec2(SIM_FACE_MIN_OPEN)));
            most = max(most, max(open.x, open.y));
            open.x *= side_open_fraction(place[axis] == 0u, 2u * axis);
            open.y *= side_open_fraction(place[axis] + 1u == count[axis], 2u * axis + 1u);
            shares[axis] = packUnorm2x16(open);
        }
        bool inside = all(lessThan(place, count));
        float share = !inside ? 0.0 : cut ? min(cell_open_fraction(place), most) : 1.0;
        cells[block * POISSON_BLOCK_CELLS + cell] =
            uvec4(inside ? shares : uvec3(0u), floatBitsToUint(share));
        long_range_sums[block * POISSON_BLOCK_CELLS + cell] = uvec4(0u);
    }
}
