/* Samples distance volumes, and sequences of them, at a point of mesh space.
 *
 * Buffers: solid_volumes. Layout: solid_volume in shaders/shared/solid.h.
 *
 * Volumes are read from a buffer and interpolated here rather than by texture units. These round the
 * weights to 8 bits, differently on different devices; a buffer gives the same bits everywhere. */
#ifndef SDF_VOLUME_GLSL
#define SDF_VOLUME_GLSL

float solid_volume_word(uint index) { return uintBitsToFloat(solid_volumes[index]); }

/* Returns the slope along x, per node, and the distance, on a line of nodes at the position t in a cell. */
vec2 solid_volume_line(uint at, float t)
{
    float before = solid_volume_word(at), after = solid_volume_word(at + 1u);
    return vec2(after - before, mix(before, after, t));
}

/* Returns the slopes along x and y, per node, and the distance, in a plane of nodes. */
vec3 solid_volume_plane(uint at, uint line, vec2 t)
{
    vec2 low = solid_volume_line(at, t.x), high = solid_volume_line(at + line, t.x);
    return vec3(mix(low.x, high.x, t.y), high.y - low.y, mix(low.y, high.y, t.y));
}

/* Returns the trilinear interpolant: xyz its gradient, which is not of unit length, w the distance. Reads one
 * plane after the other, and detects points outside the grid by the position in the outermost cell: with more
 * values live at once, every shader that evaluates solids needs more registers. */
vec4 solid_sample_volume(uint header, vec3 p)
{
    vec3 origin = vec3(solid_volume_word(header), solid_volume_word(header + 1u),
                       solid_volume_word(header + 2u));
    float cell = solid_volume_word(header + 3u);
    uvec3 nodes = uvec3(solid_volumes[header + 4u], solid_volumes[header + 5u],
                        solid_volumes[header + 6u]);
    vec3 grid = (p - origin) / cell;
    /* inside the grid even for a NaN */
    uvec3 corner = min(uvec3(clamp(grid, vec3(0.0), vec3(nodes - 1u))), nodes - 2u);
    vec3 place = grid - vec3(corner), t = clamp(place, 0.0, 1.0);
    uint line = nodes.x;
    uint at = header + SOLID_VOLUME_HEADER + (corner.z * nodes.y + corner.y) * line + corner.x;
    vec3 low = solid_volume_plane(at, line, t.xy), high = solid_volume_plane(at + line * nodes.y, line, t.xy);
    vec3 mixed = mix(low, high, t.z), beyond = (place - t) * cell;
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

vec4 solid_sample_sequence(solid_node node, vec3 p, float time_s)
{
    float frame = clamp(time_s * node.size.x, 0.0, float(node.frame_count - 1u));
    uint before = min(uint(frame), node.frame_count - 1u);
    float blend = frame - float(before);
    uint header = node.volume + before * node.frame_stride, after = header + node.frame_stride;
    vec4 result = solid_sample_volume(header, p);
    if (blend > 0.0) result = mix(result, solid_sample_volume(after, p), blend);
    return result;
}
#endif
