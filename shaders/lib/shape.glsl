/* Signed distance and outward normal of a solid's node program, and of the volumes in it.
 *
 * Reads two buffers that the including file declares first, after including "solid.h":
 *   readonly buffer ... { solid_node solid_nodes[]; };
 *   readonly buffer ... { uint solid_volumes[]; };
 * Writes nothing. Item space; negative inside. Every distance is exact but for the smooth union and
 * for nested operators, where it is a bound whose slope never passes 1.
 *
 * Volumes are read from the buffer and interpolated here, not by a texture unit: units round the
 * weights to 8 bits, each vendor in its own way, and a buffer gives the same bits everywhere.
 *
 * Sources: box, capsule, torus, and smooth minimum (polynomial, quadratic) after Inigo Quilez,
 * "Distance functions" and "Smooth minimum"; cylinder and cone as distances in the half plane
 * (radius, height). Gradients are the analytic derivatives, so one pass gives distance and normal. */
#ifndef WEIR_SHAPE_GLSL
#define WEIR_SHAPE_GLSL

vec3 solid_rotate(vec4 q, vec3 v)
{
    vec3 t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

/* The two-dimensional parts return (gradient, distance); a point without one gradient takes any. */
vec3 solid_round_2d(vec2 v, float radius)
{
    float l = length(v);
    return vec3(l > 0.0 ? v / l : vec2(1.0, 0.0), l - radius);
}

vec3 solid_rectangle_2d(vec2 v, vec2 half_edges)
{
    vec2 q = abs(v) - half_edges;
    vec2 side = vec2(v.x < 0.0 ? -1.0 : 1.0, v.y < 0.0 ? -1.0 : 1.0);
    if (max(q.x, q.y) <= 0.0)
        return q.x > q.y ? vec3(side.x, 0.0, q.x) : vec3(0.0, side.y, q.y);
    vec2 outside = max(q, 0.0);
    float l = length(outside);
    return vec3(side * outside / l, l);
}

vec2 solid_to_segment_2d(vec2 p, vec2 a, vec2 b)
{
    vec2 ab = b - a;
    return p - a - ab * clamp(dot(p - a, ab) / max(dot(ab, ab), 1e-30), 0.0, 1.0);
}

/* A triangle with corners (0, -h), (radius, -h), (0, h); its edge on the axis is no surface. */
vec3 solid_cone_2d(vec2 p, float radius, float half_height)
{
    vec2 rim = vec2(radius, -half_height);
    vec2 tip = vec2(0.0, half_height);
    vec2 to_base = solid_to_segment_2d(p, vec2(0.0, -half_height), rim);
    vec2 to_side = solid_to_segment_2d(p, rim, tip);
    vec2 outward = vec2(2.0 * half_height, radius);
    bool inside = p.y > -half_height && dot(p - tip, outward) < 0.0;
    bool base = dot(to_base, to_base) < dot(to_side, to_side);
    vec2 v = base ? to_base : to_side;
    float l = length(v);
    vec2 flat_normal = base ? vec2(0.0, -1.0) : normalize(outward);
    if (l <= 0.0) return vec3(flat_normal, 0.0);
    return inside ? vec3(-v / l, -l) : vec3(v / l, l);
}

/* Turns a result in the half plane (radius, y) into one in space. */
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
    if (deepest <= 0.0) {
        vec3 axis = q.x == deepest ? vec3(1, 0, 0) : q.y == deepest ? vec3(0, 1, 0) : vec3(0, 0, 1);
        return vec4(side * axis, deepest);
    }
    vec3 outside = max(q, 0.0);
    float l = length(outside);
    return vec4(side * outside / l, l);
}

float solid_word(uint index) { return uintBitsToFloat(solid_volumes[index]); }

/* Trilinear; the gradient is that of the interpolant, not of unit length. */
vec4 solid_volume_at(uint header, vec3 p)
{
    vec3 origin = vec3(solid_word(header), solid_word(header + 1u), solid_word(header + 2u));
    float cell = solid_word(header + 3u);
    uint nx = solid_volumes[header + 4u];
    uint ny = solid_volumes[header + 5u];
    vec3 last = vec3(nx - 1u, ny - 1u, solid_volumes[header + 6u] - 1u);
    vec3 grid = (p - origin) / cell;
    vec3 inside = clamp(grid, vec3(0.0), last);
    vec3 corner = min(floor(inside), last - 1.0);
    vec3 t = inside - corner;
    uvec3 c = uvec3(corner);
    uint at = header + SOLID_VOLUME_HEADER + (c.z * ny + c.y) * nx + c.x;
    uint up = at + nx * ny;
    vec4 x0 = vec4(solid_word(at), solid_word(at + nx), solid_word(up), solid_word(up + nx));
    vec4 x1 = vec4(solid_word(at + 1u), solid_word(at + nx + 1u), solid_word(up + 1u),
                   solid_word(up + nx + 1u));
    vec4 along_x = mix(x0, x1, t.x); /* (y0 z0, y1 z0, y0 z1, y1 z1) */
    vec2 along_y = mix(along_x.xz, along_x.yw, t.y);
    vec2 slope_x = mix((x1 - x0).xz, (x1 - x0).yw, t.y);
    vec2 slope_y = along_x.yw - along_x.xz;
    float d = mix(along_y.x, along_y.y, t.z);
    vec3 gradient = vec3(mix(slope_x.x, slope_x.y, t.z), mix(slope_y.x, slope_y.y, t.z),
                         along_y.y - along_y.x) / cell;
    vec3 way = (grid - inside) * cell;
    float way_2 = dot(way, way);
    if (way_2 == 0.0) return vec4(gradient, d);
    d = max(d, 0.0);
    float far = sqrt(d * d + way_2);
    return vec4((way + d * gradient * vec3(equal(grid, inside))) / far, far);
}

vec4 solid_sequence_at(solid_node node, vec3 p, float time_s)
{
    float frame = clamp(time_s * node.size.x, 0.0, float(node.frame_count - 1u));
    uint before = min(uint(frame), node.frame_count - 1u);
    vec4 result = solid_volume_at(node.volume + before * node.frame_stride, p);
    float blend = frame - float(before);
    if (blend <= 0.0) return result;
    return mix(result, solid_volume_at(node.volume + (before + 1u) * node.frame_stride, p), blend);
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
    if (node.kind == SOLID_BOX)
        result = solid_box(p, node.size.xyz);
    else if (node.kind == SOLID_SPHERE)
        result = solid_sphere(p, radius);
    else if (node.kind == SOLID_CAPSULE)
        result = solid_sphere(vec3(p.x, p.y - clamp(p.y, -half_height, half_height), p.z), radius);
    else if (node.kind == SOLID_CYLINDER)
        result = solid_revolve(p, solid_rectangle_2d(flat_p, vec2(radius, half_height)));
    else if (node.kind == SOLID_CONE)
        result = solid_revolve(p, solid_cone_2d(flat_p, radius, half_height));
    else if (node.kind == SOLID_TORUS)
        result = solid_revolve(p, solid_round_2d(flat_p - vec2(radius, 0.0), node.size.z));
    else if (node.kind == SOLID_VOLUME)
        result = solid_sequence_at(node, p, time_s);
    return vec4(solid_rotate(node.rotation, result.xyz), result.w * scale);
}

vec4 solid_operator(uint kind, float blend, vec4 a, vec4 b)
{
    if (kind == SOLID_UNION) return b.w < a.w ? b : a;
    if (kind == SOLID_INTERSECTION) return b.w > a.w ? b : a;
    if (kind == SOLID_DIFFERENCE) return -b.w > a.w ? -b : a;
    float h = clamp(0.5 + 0.5 * (b.w - a.w) / blend, 0.0, 1.0);
    vec4 result = mix(b, a, h);
    result.w -= blend * h * (1.0 - h);
    return result;
}

/* xyz: unit outward normal; w: distance, m. `time_s` (a pose's position.w) chooses the files of mesh
 * sequences; only SOLID_ITEM_DEFORMS items change with it, and their surface then moves along the
 * normal at (solid_distance at t0 - solid_distance at t1) / (t1 - t0). */
vec4 solid_distance_gradient(uint first_node, uint node_count, float time_s, vec3 p)
{
    vec4 stack[SOLID_STACK];
    uint depth = 0u;
    uint end = first_node + min(node_count, SOLID_MAX_NODES);
    for (uint i = first_node; i < end; ++i) {
        solid_node node = solid_nodes[i];
        if (node.kind < SOLID_UNION) {
            stack[depth++] = solid_leaf(node, p, time_s);
        } else {
            depth--;
            vec4 left = stack[depth - 1u];
            stack[depth - 1u] = solid_operator(node.kind, node.size.x, left, stack[depth]);
        }
    }
    float l = length(stack[0].xyz);
    return vec4(l > 0.0 ? stack[0].xyz / l : vec3(0.0, 1.0, 0.0), stack[0].w);
}

float solid_distance(uint first_node, uint node_count, float time_s, vec3 p)
{
    return solid_distance_gradient(first_node, node_count, time_s, p).w;
}

#endif
