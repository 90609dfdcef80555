/* Evaluates a node program at given points (xyz and time) and writes normal and distance, for the tests of
 * sdf/node_program.glsl; one invocation per point. pass.constant: the item. */
#version 460
#define BIND(name) BIND_##name
#include "bindings/dispatch.glsl"
#include "solid.h"

#define BIND_solid_nodes WEIR_ARRAY(0, solid_node)
#define BIND_solid_volumes WEIR_ARRAY(1, uint)
#define BIND_items WEIR_ARRAY(2, solid_item)
#define BIND_points WEIR_ARRAY(3, vec4)
#define BIND_results WEIR_ARRAY(4, vec4)
READ_ANY(solid_nodes);
READ_ANY(solid_volumes);
READ_ANY(items);
READ_OWN(points);
WRITE_OWN(results);

#include "sdf/node_program.glsl"

void main()
{
    uint index = invocation_index();
    if (index >= uint(points.length())) return;
    solid_item item = items[pass.constant];
    vec4 point = points[index];
    results[index] = solid_distance_gradient(item.first_node, item.node_count, point.w, point.xyz);
}
