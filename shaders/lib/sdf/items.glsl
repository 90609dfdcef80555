// Reads items, the nodes of their programs, and poses.
// Buffers: items, solid_nodes and poses; or, with ITEM_VECTORS defined, item_vectors, node_vectors and
// pose_vectors by READ_TEXELS, from which a CPU driver loads a whole vector at once.
#ifndef SDF_ITEMS_GLSL
#define SDF_ITEMS_GLSL
#ifdef ITEM_VECTORS
ivec4 item_vector(uint item, uint k) { return TEXEL(item_vectors, SOLID_ITEM_VECTORS * item + k); }
vec4 item_bound(uint item) { return intBitsToFloat(item_vector(item, 0u)); }
uvec2 item_node_range(uint item) { return uvec2(item_vector(item, 1u).xy); }
uint item_flags(uint item) { return uint(item_vector(item, 1u).z); }
float item_friction(uint item) { return intBitsToFloat(item_vector(item, 1u).w); }

ivec4 node_vector(uint node, uint k) { return TEXEL(node_vectors, SOLID_NODE_VECTORS * node + k); }

solid_node item_node(uint node)
{
    vec4 position = intBitsToFloat(node_vector(node, 0u));
    vec4 rotation = intBitsToFloat(node_vector(node, 1u));
    vec4 size = intBitsToFloat(node_vector(node, 2u));
    uvec4 words = uvec4(node_vector(node, 3u));
    return solid_node(position, rotation, size, words.x, words.y, words.z, words.w);
}

vec4 pose_vector(uint pose, uint k)
{
    return intBitsToFloat(TEXEL(pose_vectors, SOLID_POSE_VECTORS * pose + k));
}
vec4 pose_position(uint pose) { return pose_vector(pose, 0u); }
vec4 pose_rotation(uint pose) { return pose_vector(pose, 1u); }
vec4 pose_last_position(uint pose) { return pose_vector(pose, 2u); }
vec4 pose_last_rotation(uint pose) { return pose_vector(pose, 3u); }
#else
#define item_bound(item) items[item].bound
#define item_node_range(item) uvec2(items[item].first_node, items[item].node_count)
#define item_flags(item) items[item].flags
#define item_friction(item) items[item].friction
#define item_node(node) solid_nodes[node]
#define pose_position(pose) poses[pose].position
#define pose_rotation(pose) poses[pose].rotation
#define pose_last_position(pose) poses[pose].last_position
#define pose_last_rotation(pose) poses[pose].last_rotation
#endif
#endif
