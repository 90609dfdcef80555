/* Computes the distance to the mesh and the winding number at every node of a volume's grid; one
 * invocation per node, BAKE_BRICK_NODES per brick. pass.constant: first invocation of this batch.
 * A brick whose centre is farther from the surface than twice the brick's radius takes the centre's
 * winding number if that is clearly inside or outside: away from the surface the number is harmonic, and
 * by Harnack's inequality a value within 0.05 of 0 or 1 at the centre of an empty ball stays within 0.3 of
 * it at half the ball's radius (factor (1 + 1/2) / (1 - 1/2)^2 = 6). */
#version 460
#define BIND(name) BAKE_BIND_##name
#include "bindings/dispatch.glsl"
#include "solid_bake_sdf.h"

BLOCK(block);
READ_ANY(tree_nodes);
READ_ANY(tree_corners);
READ_ANY(seeds);
WRITE_ANY(distances);
WRITE_ANY(windings);

#include "sdf/triangle_tree.glsl"

void main()
{
    uint index = pass.constant + invocation_index();
    uint brick = index / BAKE_BRICK_NODES;
    if (brick >= block.bricks.w) return;
    uvec3 corner = uvec3(brick % block.bricks.x, brick / block.bricks.x % block.bricks.y,
                         brick / (block.bricks.x * block.bricks.y));
    uint local = index % BAKE_BRICK_NODES;
    uvec3 offset = uvec3(local % BAKE_BRICK, local / BAKE_BRICK % BAKE_BRICK,
                         local / (BAKE_BRICK * BAKE_BRICK));
    uvec3 node = corner * BAKE_BRICK + offset;
    if (any(greaterThanEqual(node, block.nodes.xyz))) return;

    vec3 p = vec3(node);
    bake_seed seed = seeds[brick];
    tree_hit hit = tree_hit(triangle_distance_2(tree_triangle(seed.triangle), p), seed.triangle);
    tree_nearest(p, hit);

    float brick_radius = 0.8660254 * float(BAKE_BRICK - 1u); /* half the diagonal */
    float whole = round(seed.winding);
    bool clear = abs(whole) <= 1.0 && abs(seed.winding - whole) < 0.05;
    float winding = clear && seed.distance > 2.0 * brick_radius ? whole : tree_winding(p);

    uint at = (node.z * block.nodes.y + node.y) * block.nodes.x + node.x;
    distances[at] = sqrt(hit.distance_2);
    windings[at] = winding;
}
