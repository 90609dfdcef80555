// What kernels read of items, of the nodes of their programs and of poses. They bind items, solid_nodes and
// poses; or, with ITEM_VECTORS defined, item_vectors, node_vectors and pose_vectors, by FETCH: a CPU driver
// takes a vector of these at once.
#ifndef WEIR_ITEMS_GLSL
#define WEIR_ITEMS_GLSL

#ifdef ITEM_VECTORS
vec4 item_vector(uint item, uint k) { return intBitsToFloat(FETCHED(item_vectors, 2u * item + k)); }
uvec4 item_words(uint item) { return uvec4(FETCHED(item_vectors, 2u * item + 1u)); }
vec4 item_bound(uint item) { return item_vector(item, 0u); }
uvec2 item_program(uint item) { return item_words(item).xy; }
float item_friction(uint item) { return item_vector(item, 1u).w; }

solid_node item_node(uint node)
{
    vec4 position = intBitsToFloat(FETCHED(node_vectors, 4u * node));
    vec4 rotation = intBitsToFloat(FETCHED(node_vectors, 4u * node + 1u));
    vec4 size = intBitsToFloat(FETCHED(node_vectors, 4u * node + 2u));
    uvec4 words = uvec4(FETCHED(node_vectors, 4u * node + 3u));
    return solid_node(position, rotation, size, words.x, words.y, words.z, words.w);
}

vec4 pose_vector(uint pose, uint k) { return intBitsToFloat(FETCHED(pose_vectors, 4u * pose + k)); }
vec4 pose_position(uint pose) { return pose_vector(pose, 0u); }
vec4 pose_rotation(uint pose) { return pose_vector(pose, 1u); }
vec4 pose_last_position(uint pose) { return pose_vector(pose, 2u); }
vec4 pose_last_rotation(uint pose) { return pose_vector(pose, 3u); }
#else
#define item_bound(item) items[item].bound
#define item_program(item) uvec2(items[item].first_node, items[item].node_count)
#define item_friction(item) items[item].friction
#define item_node(node) solid_nodes[node]
#define pose_position(pose) poses[pose].position
#define pose_rotation(pose) poses[pose].rotation
#define pose_last_position(pose) poses[pose].last_position
#define pose_last_rotation(pose) poses[pose].last_rotation
#endif
#endif
