// Accumulates the optical depth of the drops of a lone particle, where they are too small to show refraction:
// soft balls, blurred along their motion, because the splat is stretched along it. The order does not matter.
// a: optical depth; rgb: the same times the colour that one spacing of the fluid transmits.
#version 460
#include "render/splat_fragment.glsl"

READ_IMAGE_ANY(fluid);
#include "render/splat_limit.glsl"
layout(location = 0) out vec4 spray;

// Cross-section of the drops of a particle over the square of the spacing.
const float CROSS_SECTION = 0.8;
const float DROP_SIZE = 0.55; // cube root of the soft balls' volume over that of the ball that they fill
const uint DROPS = 3u; // soft balls per drop of glass
const float MIN_RADIUS_PIXELS = 2.0; // smaller balls are drawn with this radius, and fainter

void main()
{
    render_camera camera = params.cameras[RENDER_CAMERA_EYE];
    render_splat s = splat_of_fragment();
    view_ray ray = camera_ray(camera, gl_FragCoord.xy);
    mat3 b = splat_inverse_matrix(s);
    vec3 centre = vec3(s.high.zw, s.rest.x);
    vec3 from = b * (ray.origin + ray.direction * centre.z - centre), along = b * ray.direction;
    float w = texelFetch(fluid, ivec2(gl_FragCoord.xy), 0).x;
    float behind = w > 0.0 ? (centre.z - 1.0 / w) / params.spacing : 0.0;
    float seen = (1.0 - smoothstep(0.0, 1.0, behind)) * (1.0 - drops_glass(s.rest.x, camera));
    if (centre.z > splat_occluder_depth(camera) || seen <= 0.0) discard;
    float wide = params.drops.y * params.spacing; // of the cloud, m
    float pixel = 2.0 * camera.up.w * camera.frame.w * centre.z;
    float least = min(MIN_RADIUS_PIXELS * pixel / wide, 0.6), dd = dot(along, along);
    // Area of the cloud's outline over that of a ball: it is stretched along the motion.
    float det = params.spacing * params.spacing * params.spacing / (4.18879 * s.rest.y);
    float stretch = det * sqrt(dd) / (length(ray.direction) * wide * wide);
    uint seed = word & 0xffffffu, count = DROPS * uint(params.drops.x);
    float mean = DROP_SIZE * pow(0.499 * float(count), -1.0 / 3.0), depth = 0.0, area = 0.0;
    for (uint k = 0u; k < count; k++) {
        vec4 drop = drop_position(seed, k, 1.0, mean, 1.0);
        float radius = max(drop.w, least);
        vec3 side = cross(from - drop.xyz, along);
        float near = max(1.0 - dot(side, side) / (dd * radius * radius), 0.0);
        area += drop.w * drop.w;
        depth += near * near * drop.w * drop.w / (radius * radius);
    }
    if (depth <= 0.0) discard;
    // A soft ball has a third of the optical depth of a disc.
    float whole = CROSS_SECTION * params.spacing * params.spacing * seen * drops_spray_part(s.rest.z);
    depth *= 3.0 * whole / (3.14159 * wide * wide * area * stretch);
    uint liquid = min(word >> 24, RENDER_MAX_FLUIDS - 1u);
    spray = depth * vec4(exp(-params.spacing * params.fluids[liquid].absorption.xyz), 1.0);
}
