// Fits the line where the fluid's surface meets a solid; one invocation per pixel. Splats end there in bumps
// the size of a particle. The surface around a pixel, a plane fitted to 1/z of bulk fluid within two
// spacings, therefore decides: gaps between bumps are filled up to where the plane meets the solid, and bumps
// against the solid that stand out of the plane are removed. A film along a solid never meets it, and a
// surface that is not planar has no such line: both remain unchanged.
#version 460
#include "bindings/render.glsl"
#include "render/camera.glsl"

BLOCK(params);
READ_IMAGE_ANY(fluid);
READ_IMAGE_ANY(thickness);
READ_IMAGE_ANY(layer_thickness);
#include "render/layer_thickness.glsl"
READ_IMAGE_ANY(solid_depth);
WRITE_ANY_IMAGE(target, r32f);
WRITE_ANY_IMAGE(filtered_thickness, rgba16f);

const int TAPS_PER_RING = 16; // taps on each of four rings

struct plane_fit {
    vec3 plane;  // 1/z at the pixel, and its slopes along x and y per pixel
    float fluid; // fraction of the taps that hit fluid
    float rough; // m, root mean square of the distance between the plane and the taps
    bool known;
};

float solid_inverse_depth(ivec2 p, ivec2 size, render_camera camera) // 1/z
{
    return 1.0 / camera_decode_depth(camera, texelFetch(solid_depth, clamp(p, ivec2(0), size - 1), 0).x);
}

// Fits a plane. Taps count less with distance; those at a separate depth do not count.
plane_fit fit_plane(ivec2 p, ivec2 size, float near, float reach)
{
    vec3 first = vec3(0.0), cross_sums = vec3(0.0), values = vec3(0.0); // 1 x y; xx xy yy; a, a x, a y
    float met = 0.0, squares = 0.0;
    for (int i = 0; i < 4 * TAPS_PER_RING; i++) {
        float angle = (float(i) + 0.5 * float(i / TAPS_PER_RING)) * 6.28318531 / float(TAPS_PER_RING);
        float away = 0.2 * float(i / TAPS_PER_RING + 1);
        ivec2 step = ivec2(round(reach * away * vec2(cos(angle), sin(angle)))), q = p + step;
        if (any(lessThan(q, ivec2(0))) || any(greaterThanEqual(q, size))) continue;
        float a = texelFetch(fluid, q, 0).x;
        vec2 t = texelFetch(thickness, q, 0).xy, x = vec2(step) / reach;
        bool counts = a > 0.0 && abs(a - near) < params.filter_range_m * a * near && t.y > 0.3 * t.x;
        float weight = counts ? away * (1.0 - away * away * away) : 0.0; // the rings' areas
        first += weight * vec3(1.0, x);
        cross_sums += weight * vec3(x.x * x.x, x.x * x.y, x.y * x.y);
        values += weight * (a - near) * vec3(1.0, x);
        squares += weight * (a - near) * (a - near);
        met += counts ? 1.0 : 0.0;
    }
    mat3 normal = mat3(first, vec3(first.y, cross_sums.xy), vec3(first.z, cross_sums.yz));
    float det = determinant(normal), most = first.x * cross_sums.x * cross_sums.z;
    plane_fit result = plane_fit(vec3(0.0), met / float(4 * TAPS_PER_RING), 0.0,
                                 det > 0.02 * most && most > 0.0);
    if (result.known) {
        vec3 plane = inverse(normal) * values;
        result.rough = sqrt(max(squares - dot(plane, values), 0.0) / first.x) / (near * near);
        result.plane = vec3(near + plane.x, plane.yz / reach);
    }
    return result;
}

void main()
{
    ivec2 size = imageSize(target), p = pixel_from_index(invocation_index(), size);
    if (pixel_outside(p, size)) return;
    render_camera camera = params.cameras[RENDER_CAMERA_EYE];
    float w = texelFetch(fluid, p, 0).x, stored = texelFetch(solid_depth, p, 0).x;
    vec3 t = w > 0.0 ? layer_thickness_at(p) : vec3(0.0);
    float deep = camera_decode_depth(camera, stored);
    float metres = length(camera_ray(camera, vec2(p) + 0.5).direction);
    float space = w > 0.0 ? (deep - 1.0 / w) * metres : 0.0; // m, between the fluid's surface and the solid
    if (stored > 0.0 && space < params.spacing) {
        float scale = 0.5 * camera.frame.y / (camera.up.w * (camera.forward.w != 0.0 ? 1.0 : deep));
        float reach = clamp(2.0 * params.spacing * scale, 3.0, 256.0), wall = 1.0 / deep;
        plane_fit found = fit_plane(p, size, wall, reach);
        vec2 slope = vec2(solid_inverse_depth(p + ivec2(1, 0), size, camera) -
                              solid_inverse_depth(p - ivec2(1, 0), size, camera),
                          solid_inverse_depth(p + ivec2(0, 1), size, camera) -
                              solid_inverse_depth(p - ivec2(0, 1), size, camera));
        float before = found.plane.x - wall, steep = length(found.plane.yz - 0.5 * slope);
        // otherwise it is a film along the solid
        bool meets = steep * reach > 1.5 * params.spacing * wall * wall;
        if (found.known && meets && found.fluid > 0.22 && found.rough < 0.45 * params.spacing) {
            if (w <= 0.0 && before > 0.0 && before < 0.4 * reach * steep) {
                float gap = min((deep - 1.0 / found.plane.x) * metres, 2.0 * params.spacing);
                w = found.plane.x;
                t = vec3(gap, gap, gap);
            } else if (w > 0.0 && before <= 0.0 && found.fluid < 0.6) {
                w = 0.0;
            }
        }
    }
    imageStore(target, p, vec4(w));
    imageStore(filtered_thickness, p, vec4(t, 0.0));
}
