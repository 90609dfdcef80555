/* Nearest triangle and winding number at the centre of each brick of a volume's grid: a first bound
 * for every node of the brick, and the side of bricks that no surface comes near.
 * Reads the mesh tree, writes one seed per brick. row.constant: first brick of this batch. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "row.h"
#include "solid_bake.h"

layout(local_size_x_id = 0) in;
layout(push_constant) uniform push_block { gpu_row_push row; };
layout(std430, set = 0, binding = 0) readonly buffer block_buffer { bake_block block; };
layout(std430, set = 0, binding = 1) readonly buffer nodes_buffer { bake_tree_node tree_nodes[]; };
layout(std430, set = 0, binding = 2) readonly buffer corners_buffer { float tree_corners[]; };
layout(std430, set = 0, binding = 3) writeonly buffer seeds_buffer { bake_seed seeds[]; };

#include "mesh_tree.glsl"

void main()
{
    uint brick = row.constant + gl_GlobalInvocationID.x;
    if (brick >= block.bricks.w) return;
    uvec3 corner = uvec3(brick % block.bricks.x, brick / block.bricks.x % block.bricks.y,
                         brick / (block.bricks.x * block.bricks.y));
    vec3 centre = vec3(corner * BAKE_BRICK) + 0.5 * float(BAKE_BRICK - 1u);
    tree_hit hit = tree_guess(centre);
    tree_nearest(centre, hit);
    seeds[brick] = bake_seed(sqrt(hit.distance_2), tree_winding(centre), hit.triangle, 0u);
}
