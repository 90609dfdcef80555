// What the bodies near a particle add to its density and to the gradient, in the closed form of walls.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(status);
GATHER(iterates);
GATHER(met);
GATHER(queues);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
GATHER(body_cells);
GATHER(body_spheres);
SCATTER(body_walls);
#include "shape.glsl"
#include "wall.glsl"
#include "body_walk.glsl"

void main()
{
    if (row_index() >= queues[BODY_QUEUE_PARTICLES].count) return;
    uint i = met[row_index()];
    vec3 p = fixed_metres(iterates[i].xyz);
    wall_sum sum = wall_none();
    body_walk walk = walk_begin(p);
    uint body = walk_next_near(walk, p, params.h);
    while (body != BODY_NONE) {
        wall_add_item(sum, params.solid_count + body, p);
        body = walk_next_near(walk, p, params.h);
    }
    body_walls[i] = vec4(sum.gradient, sum.density);
}
