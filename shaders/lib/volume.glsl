/* Distance volumes and sequences of them, read at a point of mesh space.
 *
 * Needs the buffers that shape.glsl needs. Layout: solid_volume in solid.h.
 *
 * Volumes are read from a buffer and interpolated here, not by a texture unit: these round the
 * weights to 8 bits, and not alike on all devices, while a buffer gives the same bits everywhere. */
#ifndef WEIR_VOLUME_GLSL
#define WEIR_VOLUME_GLSL

float solid_word(uint index) { return uintBitsToFloat(solid_volumes[index]); }

/* Slopes along x and y in nodes, and the distance, in a plane of nodes at the place t of a cell. */
vec3 solid_plane_at(uint at, uint line, vec2 t)
{
    vec2 x0 = vec2(solid_word(at), solid_word(at + line));
    vec2 x1 = vec2(solid_word(at + 1u), solid_word(at + line + 1u));
    vec2 along_x = mix(x0, x1, t.x), slopes = x1 - x0;
    return vec3(mix(slopes.x, slopes.y, t.y), along_x.y - along_x.x, mix(along_x.x, along_x.y, t.y));
}

/* Trilinear; the gradient is that of the interpolant, not of unit length. One plane after the other: with all
 * eight nodes at once every kernel that meets solids needs more registers. */
vec4 solid_volume_at(uint header, vec3 p)
{
    vec3 origin = vec3(solid_word(header), solid_word(header + 1u), solid_word(header + 2u));
    float cell = solid_word(header + 3u);
    uvec3 nodes = uvec3(solid_volumes[header + 4u], solid_volumes[header + 5u],
                        solid_volumes[header + 6u]);
    vec3 last = vec3(nodes - 1u);
    vec3 grid = (p - origin) / cell;
    vec3 inside = clamp(grid, vec3(0.0), last);
    uvec3 corner = min(uvec3(inside), nodes - 2u); /* in the grid even for a NaN */
    vec3 t = inside - vec3(corner);
    uint line = nodes.x;
    uint at = header + SOLID_VOLUME_HEADER + (corner.z * nodes.y + corner.y) * line + corner.x;
    vec3 beyond = (grid - inside) * cell;
    vec3 low = solid_plane_at(at, line, t.xy), high = solid_plane_at(at + line * nodes.y, line, t.xy);
    vec3 mixed = mix(low, high, t.z);
    float d = mixed.z, beyond_2 = dot(beyond, beyond);
    vec3 gradient = vec3(mixed.xy, high.z - low.z) / cell;
    vec4 result = vec4(gradient, d);
    if (beyond_2 != 0.0) {
        d = max(d, 0.0);
        float far = sqrt(d * d + beyond_2);
        result = vec4((beyond + d * gradient * vec3(equal(beyond, vec3(0.0)))) / far, far);
    }
    return result;
}

vec4 solid_sequence_at(solid_node node, vec3 p, float time_s)
{
    float frame = clamp(time_s * node.size.x, 0.0, float(node.frame_count - 1u));
    uint before = min(uint(frame), node.frame_count - 1u);
    vec4 result = solid_volume_at(node.volume + before * node.frame_stride, p);
    float blend = frame - float(before);
    if (blend > 0.0)
        result = mix(result, solid_volume_at(node.volume + (before + 1u) * node.frame_stride, p), blend);
    return result;
}

#endif
