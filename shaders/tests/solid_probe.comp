/* Evaluates a node program at given points, for the tests of shape.glsl.
 * Reads xyz and time of each point, writes normal and distance. row.constant: the item. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "row.h"
#include "solid.h"

layout(local_size_x_id = 0) in;
layout(push_constant) uniform push_block { gpu_row_push row; };
layout(std430, set = 0, binding = 0) readonly buffer nodes_buffer { solid_node solid_nodes[]; };
layout(std430, set = 0, binding = 1) readonly buffer volumes_buffer { uint solid_volumes[]; };
layout(std430, set = 0, binding = 2) readonly buffer items_buffer { solid_item items[]; };
layout(std430, set = 0, binding = 3) readonly buffer points_buffer { vec4 points[]; };
layout(std430, set = 0, binding = 4) writeonly buffer results_buffer { vec4 results[]; };

#include "shape.glsl"

void main()
{
    uint index = gl_GlobalInvocationID.x;
    if (index >= uint(points.length())) return;
    solid_item item = items[row.constant];
    vec4 point = points[index];
    results[index] = solid_distance_gradient(item.first_node, item.node_count, point.w, point.xyz);
}
