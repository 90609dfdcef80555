/* Distance to a triangle and the solid angle under which it is seen. Pure; degenerate triangles are
 * segments or points and give no angle.
 * Source of the angle: van Oosterom & Strackee, "The Solid Angle of a Plane Triangle", 1983. */
#ifndef WEIR_TRIANGLE_GLSL
#define WEIR_TRIANGLE_GLSL

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

/* Steradians, positive when p sees the back: 4 pi in sum from inside a closed mesh. */
float triangle_solid_angle(triangle t, vec3 p)
{
    vec3 a = t.a - p, b = t.b - p, c = t.c - p;
    float la = length(a), lb = length(b), lc = length(c);
    float y = dot(a, cross(b, c));
    float x = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    return y == 0.0 ? 0.0 : 2.0 * atan(y, x);
}

#endif
