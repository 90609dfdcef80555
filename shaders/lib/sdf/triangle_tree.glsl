/* Computes the distance to a triangle and its solid angle. Pure functions; degenerate triangles are
 * segments or points and have no solid angle.
 * Source of the angle: van Oosterom & Strackee, "The Solid Angle of a Plane Triangle", 1983. */
#ifndef SDF_TRIANGLE_TREE_GLSL
#define SDF_TRIANGLE_TREE_GLSL

struct triangle {
    vec3 a, b, c;
};

float triangle_edge_distance_2(vec3 from_a, vec3 edge)
{
    float t = clamp(dot(from_a, edge) / max(dot(edge, edge), 1e-37), 0.0, 1.0);
    vec3 v = from_a - edge * t;
    return dot(v, v);
}

float triangle_distance_2(triangle t, vec3 p)
{
    vec3 ab = t.b - t.a, bc = t.c - t.b, ca = t.a - t.c;
    vec3 pa = p - t.a, pb = p - t.b, pc = p - t.c;
    vec3 normal = cross(ab, -ca);
    float normal_2 = dot(normal, normal);
    bool above = dot(cross(normal, ab), pa) >= 0.0 && dot(cross(normal, bc), pb) >= 0.0 &&
                 dot(cross(normal, ca), pc) >= 0.0;
    if (above && normal_2 > 1e-37) {
        float height = dot(normal, pa);
        return height * height / normal_2;
    }
    return min(triangle_edge_distance_2(pa, ab),
               min(triangle_edge_distance_2(pb, bc), triangle_edge_distance_2(pc, ca)));
}

/* Returns the solid angle, sr; positive if p sees the back. The sum inside a closed mesh is 4 pi. */
float triangle_solid_angle(triangle t, vec3 p)
{
    vec3 a = t.a - p, b = t.b - p, c = t.c - p;
    float la = length(a), lb = length(b), lc = length(c);
    float y = dot(a, cross(b, c));
    float x = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    return y == 0.0 ? 0.0 : 2.0 * atan(y, x);
}

/* Finds the nearest triangle and the winding number of a mesh stored as a tree with skip links
 * (shaders/shared/solid_bake_sdf.h).
 *
 * Buffers: tree_nodes, and tree_corners (nine floats per triangle).
 *
 * Source of the winding number: Barill, Dickson, Schmidt, Levin, Jacobson, "Fast Winding Numbers
 * for Soups and Clouds", 2018: the first term of the far-field expansion, beyond beta radii of a
 * node.
 * Loops are split into two nested ones because some CPU drivers abort any loop after 65,535 iterations. */
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

/* Returns a first candidate for the nearest triangle: follows the nearer child down to a leaf. */
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

/* Finds the nearest triangle, starting from the candidate in `hit`. */
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

/* Returns the winding number: 1 inside a closed mesh, 0 outside, between these near holes. */
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
    return angle * 0.0795774715; /* 1 / (4 pi) */
}
#endif
