// Included by every shader of the mesher: bindings, constants, and pure functions of the lattice. Layout:
// shaders/shared/mesh.h.
#ifndef BINDINGS_MESH_GLSL
#define BINDINGS_MESH_GLSL
#include "mesh.h"
#include "mesh_bindings.glsl"
#define BIND(name) MESH_BIND_##name
#ifndef WORKGROUP
#define WORKGROUP MESH_WORKGROUP
#endif
#include "bindings/dispatch.glsl"

MESH_CONSTANTS(FLAG, NUMBER)

// Returns a position in cells from the base node. `precise`, so that the pass that marks a particle's block
// and those that look it up round alike.
vec3 mesh_to_lattice(mesh_params m, vec3 position)
{
    precise vec3 high = position - m.origin.xyz, offset = high - m.origin_low_bits.xyz;
    precise vec3 nodes = offset * m.origin_low_bits.w;
    return nodes;
}

// Return the range of blocks that contain a node where the particle's weight is not 0, or that node's lower
// neighbour: every cell with a corner inside has its lower node in an active block.
ivec3 mesh_min_block(mesh_params m, vec3 q) { return ivec3(floor(q - m.reach - 0.01)) >> 3; }
ivec3 mesh_max_block(mesh_params m, vec3 q) { return ivec3(floor(q + m.reach + 0.01)) >> 3; }

// Returns whether the lattice contains the blocks around q; it may not if it is that of the last frame.
bool mesh_lattice_contains(mesh_params m, vec3 q)
{
    vec3 size = float(MESH_SUPER_BLOCK_CELLS) * vec3(m.super_blocks_x, m.super_blocks_y, m.super_blocks_z);
    vec3 far = vec3(m.reach + 1.0);
    return all(greaterThanEqual(q, far)) && all(lessThan(q, size - far));
}

uint mesh_super_block_index(mesh_params m, uvec3 s)
{
    return s.x + m.super_blocks_x * (s.y + m.super_blocks_y * s.z);
}

uint mesh_child_index(uvec3 block)
{
    uvec3 c = block & 7u;
    return c.x | c.y << 3 | c.z << 6;
}

ivec3 mesh_node_coordinates(uint n) { return ivec3(n & 7u, n >> 3 & 7u, n >> 6); }
uint mesh_node_index(uvec3 c) { return c.x | c.y << 3 | c.z << 6; }

// Returns the corner at which an edge of a cell starts. Edges are numbered 4 axis + a + 2 b, with a and b
// along the two other axes, the lower axis first.
uvec3 mesh_edge_start(uint edge)
{
    uint a = edge & 1u, b = edge >> 1 & 1u, axis = edge >> 2;
    return axis == 0u ? uvec3(0u, a, b) : axis == 1u ? uvec3(a, 0u, b) : uvec3(a, b, 0u);
}

// Returns the index of a cell's bin within its block; `cell` is relative to the block's lower corner.
uint mesh_bin_in_block(uint bin_shift, uvec3 cell)
{
    uvec3 b = cell >> bin_shift;
    return bin_shift == 3u ? 0u : b.x | b.y << 1 | b.z << 2;
}

uint mesh_bins_per_block(uint bin_shift) { return bin_shift == 3u ? 1u : 8u; }

// Returns whether the slab's surface fits the buffers.
bool mesh_output_fits(mesh_params m, mesh_state s)
{
    return s.vertex_count <= m.vertex_capacity && s.triangle_count <= m.triangle_capacity;
}

// Returns the number of workgroups along x and y; more than 65535 fold into y.
uvec2 mesh_fold_dispatch(uint groups)
{
    return uvec2(min(groups, 65535u), max((groups + 65534u) / 65535u, 1u));
}
#endif
