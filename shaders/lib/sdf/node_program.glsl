/* Evaluates the signed distance and the outward normal of a solid's node program.
 *
 * Buffers: those of sdf/items.glsl, and solid_volumes. Item space; negative inside. Distances are exact,
 * except for the smooth union and for nested operators, where they are bounds whose slope is at most 1.
 *
 * Sources: box, capsule, torus, and smooth minimum (polynomial, quadratic) after Inigo Quilez,
 * "Distance functions" and "Smooth minimum"; cylinder and cone as distances in the half plane
 * (radius, height). Gradients are analytic derivatives, so one pass gives distance and normal. */
#ifndef SDF_NODE_PROGRAM_GLSL
#define SDF_NODE_PROGRAM_GLSL
#include "sdf/items.glsl"
#include "sdf/volume.glsl"

NUMBER(SOLID_CONSTANT_NESTING, SOLID_NESTING)
NUMBER(SOLID_CONSTANT_MISSING_KINDS, SOLID_MISSING_KINDS)

/* Returns whether the node is of this kind. */
bool solid_node_is(solid_node node, uint kind)
{
    return (SOLID_MISSING_KINDS >> kind & 1u) == 0u && node.kind == kind;
}

vec3 solid_rotate(vec4 q, vec3 v)
{
    vec3 t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

/* The two-dimensional functions return (gradient, distance); a gradient that is not unique is any of them. */
vec3 solid_circle_2d(vec2 v, float radius)
{
    float l = length(v);
    return vec3(l > 0.0 ? v / l : vec2(1.0, 0.0), l - radius);
}

vec3 solid_rectangle_2d(vec2 v, vec2 half_edges)
{
    vec2 q = abs(v) - half_edges;
    vec2 side = vec2(v.x < 0.0 ? -1.0 : 1.0, v.y < 0.0 ? -1.0 : 1.0);
    vec3 result;
    if (max(q.x, q.y) <= 0.0) {
        result = q.x > q.y ? vec3(side.x, 0.0, q.x) : vec3(0.0, side.y, q.y);
    } else {
        vec2 outside = max(q, 0.0);
        float l = length(outside);
        result = vec3(side * outside / l, l);
    }
    return result;
}

vec2 solid_segment_offset_2d(vec2 p, vec2 a, vec2 b)
{
    vec2 ab = b - a;
    return p - a - ab * clamp(dot(p - a, ab) / max(dot(ab, ab), 1e-30), 0.0, 1.0);
}

/* A triangle with the corners (0, -h), (radius, -h), (0, h); its edge on the axis is not a surface. */
vec3 solid_cone_2d(vec2 p, float radius, float half_height)
{
    vec2 rim = vec2(radius, -half_height);
    vec2 tip = vec2(0.0, half_height);
    vec2 to_base = solid_segment_offset_2d(p, vec2(0.0, -half_height), rim);
    vec2 to_side = solid_segment_offset_2d(p, rim, tip);
    vec2 outward = vec2(2.0 * half_height, radius);
    bool inside = p.y > -half_height && dot(p - tip, outward) < 0.0;
    bool base = dot(to_base, to_base) < dot(to_side, to_side);
    vec2 v = base ? to_base : to_side;
    float l = length(v);
    vec2 flat_normal = base ? vec2(0.0, -1.0) : normalize(outward);
    vec3 beside = inside ? vec3(-v / l, -l) : vec3(v / l, l);
    return l <= 0.0 ? vec3(flat_normal, 0.0) : beside;
}

/* Converts a result in the half plane (radius, y) to three dimensions. */
vec4 solid_revolve(vec3 p, vec3 flat_result)
{
    float ring = length(p.xz);
    vec2 along = ring > 0.0 ? p.xz / ring : vec2(1.0, 0.0);
    return vec4(along.x * flat_result.x, flat_result.y, along.y * flat_result.x, flat_result.z);
}

vec4 solid_sphere(vec3 p, float radius)
{
    float l = length(p);
    return vec4(l > 0.0 ? p / l : vec3(0.0, 1.0, 0.0), l - radius);
}

vec4 solid_box(vec3 p, vec3 half_edges)
{
    vec3 q = abs(p) - half_edges;
    vec3 side = vec3(p.x < 0.0 ? -1.0 : 1.0, p.y < 0.0 ? -1.0 : 1.0, p.z < 0.0 ? -1.0 : 1.0);
    float deepest = max(q.x, max(q.y, q.z));
    vec4 result;
    if (deepest <= 0.0) {
        vec3 axis = q.x == deepest ? vec3(1, 0, 0) : q.y == deepest ? vec3(0, 1, 0) : vec3(0, 0, 1);
        result = vec4(side * axis, deepest);
    } else {
        vec3 outside = max(q, 0.0);
        float l = length(outside);
        result = vec4(side * outside / l, l);
    }
    return result;
}

vec4 solid_leaf(solid_node node, vec3 item_point, float time_s)
{
    vec4 back = vec4(-node.rotation.xyz, node.rotation.w);
    float scale = node.position.w;
    vec3 p = solid_rotate(back, item_point - node.position.xyz) / scale;
    vec2 flat_p = vec2(length(p.xz), p.y);
    float radius = node.size.x;
    float half_height = node.size.y;
    vec4 result = vec4(0.0, 1.0, 0.0, p.y);
    if (solid_node_is(node, SOLID_BOX))
        result = solid_box(p, node.size.xyz);
    else if (solid_node_is(node, SOLID_SPHERE))
        result = solid_sphere(p, radius);
    else if (solid_node_is(node, SOLID_CAPSULE))
        result = solid_sphere(vec3(p.x, p.y - clamp(p.y, -half_height, half_height), p.z), radius);
    else if (solid_node_is(node, SOLID_CYLINDER))
        result = solid_revolve(p, solid_rectangle_2d(flat_p, vec2(radius, half_height)));
    else if (solid_node_is(node, SOLID_CONE))
        result = solid_revolve(p, solid_cone_2d(flat_p, radius, half_height));
    else if (solid_node_is(node, SOLID_TORUS))
        result = solid_revolve(p, solid_circle_2d(flat_p - vec2(radius, 0.0), node.size.z));
    else if (solid_node_is(node, SOLID_VOLUME))
        result = solid_sample_sequence(node, p, time_s);
    return vec4(solid_rotate(node.rotation, result.xyz), result.w * scale);
}

vec4 solid_operator(uint kind, float blend, vec4 a, vec4 b)
{
    vec4 result;
    if (kind == SOLID_SMOOTH_UNION) {
        float h = clamp(0.5 + 0.5 * (b.w - a.w) / blend, 0.0, 1.0);
        result = mix(b, a, h);
        result.w -= blend * h * (1.0 - h);
    } else {
        if (kind == SOLID_DIFFERENCE) b = -b;
        bool second = kind == SOLID_UNION ? b.w < a.w : b.w > a.w;
        result = second ? b : a;
    }
    return result;
}

/* Returns xyz the unit outward normal, w the distance, m. `time_s` (a pose's position.w) selects the
 * files of mesh sequences; only SOLID_ITEM_DEFORMS items depend on it, and their surface moves along
 * the normal with the velocity (distance at t0 - distance at t1) / (t1 - t0). */
vec4 solid_distance_gradient(uint first_node, uint node_count, float time_s, vec3 p)
{
    vec4 stack[SOLID_NESTING + 1u]; /* below `top`; a program of one leaf uses only `top` */
    vec4 top = vec4(0.0);
    bool lone = (SOLID_MISSING_KINDS & SOLID_OPERATORS) == SOLID_OPERATORS; /* all programs are one leaf */
    uint depth = 0u;
    bool first = true;
    uint end = first_node + min(node_count, SOLID_MAX_NODES);
    if (lone) top = solid_leaf(item_node(first_node), p, time_s);
    for (uint i = first_node; !lone && i < end; ++i) {
        solid_node node = item_node(i);
        if (node.kind < SOLID_UNION) {
            if (!first) stack[SOLID_NESTING == 0u ? 0u : depth++] = top;
            first = false;
            top = solid_leaf(node, p, time_s);
        } else if (node.kind == SOLID_SHELL) {
            top = (top.w < 0.0 ? -top : top) - vec4(vec3(0.0), node.size.x);
        } else {
            top = solid_operator(node.kind, node.size.x, stack[SOLID_NESTING == 0u ? 0u : --depth], top);
        }
    }
    float l = length(top.xyz);
    return vec4(l > 0.0 ? top.xyz / l : vec3(0.0, 1.0, 0.0), top.w);
}
#endif
