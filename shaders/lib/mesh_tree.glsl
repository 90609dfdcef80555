/* Nearest triangle and winding number of a mesh stored as a tree with skip links (solid_bake.h).
 *
 * Needs the buffers tree_nodes[] and tree_corners[] (nine floats per triangle), declared before it.
 *
 * Source of the winding number: Barill, Dickson, Schmidt, Levin, Jacobson, "Fast Winding Numbers
 * for Soups and Clouds", 2018: the first term of the far-field expansion, beyond beta radii of a
 * node.
 * A loop is two nested ones because some CPU drivers end any loop after 65,535 turns. */
#ifndef WEIR_MESH_TREE_GLSL
#define WEIR_MESH_TREE_GLSL

#include "triangle.glsl"

#define TREE_BETA 2.0
#define TREE_TURNS 16384u

triangle tree_triangle(uint index)
{
    uint i = 9u * index;
    return triangle(vec3(tree_corners[i], tree_corners[i + 1u], tree_corners[i + 2u]),
                    vec3(tree_corners[i + 3u], tree_corners[i + 4u], tree_corners[i + 5u]),
                    vec3(tree_corners[i + 6u], tree_corners[i + 7u], tree_corners[i + 8u]));
}

float tree_box_distance_2(bake_tree_node node, vec3 p)
{
    vec3 low = vec3(node.low_x, node.low_y, node.low_z);
    vec3 high = vec3(node.high_x, node.high_y, node.high_z);
    vec3 v = max(max(low - p, p - high), 0.0);
    return dot(v, v);
}

struct tree_hit {
    float distance_2;
    uint triangle;
};

void tree_visit_leaf(bake_tree_node node, vec3 p, inout tree_hit hit)
{
    for (uint i = 0u; i < node.count; ++i) {
        float d = triangle_distance_2(tree_triangle(node.first + i), p);
        if (d < hit.distance_2) hit = tree_hit(d, node.first + i);
    }
}

/* Follows the nearer child down to a leaf: a first bound. */
tree_hit tree_guess(vec3 p)
{
    uint index = 0u;
    bake_tree_node node = tree_nodes[0];
    for (uint turn = 0u; turn < TREE_TURNS && node.count == 0u; ++turn) {
        uint left = index + 1u;
        uint right = tree_nodes[left].skip;
        float to_left = tree_box_distance_2(tree_nodes[left], p);
        index = to_left <= tree_box_distance_2(tree_nodes[right], p) ? left : right;
        node = tree_nodes[index];
    }
    tree_hit hit = tree_hit(3e38, node.first);
    tree_visit_leaf(node, p, hit);
    return hit;
}

/* The nearest triangle, given one that may not be. */
void tree_nearest(vec3 p, inout tree_hit hit)
{
    uint end = tree_nodes[0].skip;
    uint index = 0u;
    for (uint outer = 0u; outer < TREE_TURNS && index < end; ++outer) {
        for (uint turn = 0u; turn < TREE_TURNS && index < end; ++turn) {
            bake_tree_node node = tree_nodes[index];
            bool skip = tree_box_distance_2(node, p) >= hit.distance_2;
            if (!skip) tree_visit_leaf(node, p, hit);
            index = skip ? node.skip : index + 1u;
        }
    }
}

/* 1 inside a closed mesh, 0 outside, in between near holes. */
float tree_winding(vec3 p)
{
    uint end = tree_nodes[0].skip;
    uint index = 0u;
    float angle = 0.0;
    for (uint outer = 0u; outer < TREE_TURNS && index < end; ++outer) {
        for (uint turn = 0u; turn < TREE_TURNS && index < end; ++turn) {
            bake_tree_node node = tree_nodes[index];
            vec3 v = vec3(node.centre_x, node.centre_y, node.centre_z) - p;
            float l_2 = dot(v, v);
            bool far = l_2 > TREE_BETA * TREE_BETA * node.radius * node.radius;
            if (far) {
                vec3 dipole = vec3(node.dipole_x, node.dipole_y, node.dipole_z);
                angle += dot(dipole, v) / (l_2 * sqrt(l_2));
            } else {
                for (uint i = 0u; i < node.count; ++i)
                    angle += triangle_solid_angle(tree_triangle(node.first + i), p);
            }
            index = far ? node.skip : index + 1u;
        }
    }
    return angle * 0.0795774715; /* 1 / 4 pi */
}

#endif
