/* Distance volumes and sequences of them, read at a point of mesh space.
 *
 * Reads what shape.glsl asks its includer for. Writes nothing. Layout: solid_volume in solid.h.
 *
 * Volumes are read from a buffer and interpolated here, not by a texture unit: units round the
 * weights to 8 bits, each vendor in its own way, and a buffer gives the same bits everywhere. */
#ifndef WEIR_VOLUME_GLSL
#define WEIR_VOLUME_GLSL

float solid_word(uint index) { return uintBitsToFloat(solid_volumes[index]); }

/* Trilinear; the gradient is that of the interpolant, not of unit length. */
vec4 solid_volume_at(uint header, vec3 p)
{
    vec3 origin = vec3(solid_word(header), solid_word(header + 1u), solid_word(header + 2u));
    float cell = solid_word(header + 3u);
    uvec3 nodes = uvec3(solid_volumes[header + 4u], solid_volumes[header + 5u],
                        solid_volumes[header + 6u]);
    vec3 last = vec3(nodes - 1u);
    vec3 grid = (p - origin) / cell;
    vec3 inside = clamp(grid, vec3(0.0), last);
    uvec3 corner = min(uvec3(inside), nodes - 2u); /* in the grid, whatever a NaN became */
    vec3 t = inside - vec3(corner);
    uint row = nodes.x;
    uint at = header + SOLID_VOLUME_HEADER + (corner.z * nodes.y + corner.y) * row + corner.x;
    uint up = at + row * nodes.y;
    vec4 x0 = vec4(solid_word(at), solid_word(at + row), solid_word(up), solid_word(up + row));
    vec4 x1 = vec4(solid_word(at + 1u), solid_word(at + row + 1u), solid_word(up + 1u),
                   solid_word(up + row + 1u));
    vec4 along_x = mix(x0, x1, t.x); /* (y0 z0, y1 z0, y0 z1, y1 z1) */
    vec2 along_y = mix(along_x.xz, along_x.yw, t.y);
    vec2 slope_x = mix((x1 - x0).xz, (x1 - x0).yw, t.y);
    vec2 slope_y = along_x.yw - along_x.xz;
    float d = mix(along_y.x, along_y.y, t.z);
    vec3 gradient = vec3(mix(slope_x.x, slope_x.y, t.z), mix(slope_y.x, slope_y.y, t.z),
                         along_y.y - along_y.x) / cell;
    vec3 beyond = (grid - inside) * cell;
    float beyond2 = dot(beyond, beyond);
    if (beyond2 == 0.0) return vec4(gradient, d);
    d = max(d, 0.0);
    float far = sqrt(d * d + beyond2);
    return vec4((beyond + d * gradient * vec3(equal(grid, inside))) / far, far);
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

#endif
