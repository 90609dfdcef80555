/* Finds the nearest triangle and the winding number at the centre of each brick of a volume's grid; one
 * invocation per brick. They are a first bound for every node of the brick, and give the side of bricks
 * far from the surface. pass.constant: first brick of this batch. */
#version 460
#define BIND(name) BAKE_BIND_##name
#include "bindings/dispatch.glsl"
#include "solid_bake_sdf.h"

BLOCK(block);
READ_ANY(tree_nodes);
READ_ANY(tree_corners);
WRITE_ANY(seeds);

#include "sdf/triangle_tree.glsl"

void main()
{
    uint brick = pass.constant + invocation_index();
    if (brick >= block.bricks.w) return;
    uvec3 corner = uvec3(brick % block.bricks.x, brick / block.bricks.x % block.bricks.y,
                         brick / (block.bricks.x * block.bricks.y));
    vec3 centre = vec3(corner * BAKE_BRICK) + 0.5 * float(BAKE_BRICK - 1u);
    tree_hit hit = tree_guess(centre);
    tree_nearest(centre, hit);
    seeds[brick] = bake_seed(sqrt(hit.distance_2), tree_winding(centre), hit.triangle, 0u);
}
