// Filters one line of 1/z, along x or y (pass.constant bit 0); one invocation per pixel. 1/z of a plane is
// linear on the screen, so the filter does not bend a tilted plane. The narrow-range filter (Truong and
// Yuksel 2018) has a symmetric cut-off: a pair of taps counts only if both are in range, which preserves
// silhouettes. The bilateral filter (bit 1) weights each tap. Where the fluid is thin, with few neighbours,
// the filter width goes to 0, so drops keep their shape. The same taps smooth the thickness, which has bumps
// the size of a particle; with bit 2, 1/z is left unchanged.
#version 460
#include "bindings/render.glsl"

BLOCK(params);
READ_IMAGE_ANY(fluid);
READ_IMAGE_ANY(thickness);
READ_IMAGE_ANY(layer_thickness);
#include "render/layer_thickness.glsl"
WRITE_ANY_IMAGE(target, r32f);
WRITE_ANY_IMAGE(filtered_thickness, rgba16f);

const int MAX_RADIUS = 64;
const int LINE_GROUP = 64;
shared float tile[LINE_GROUP + 2 * MAX_RADIUS];
shared vec3 thickness_tile[LINE_GROUP + 2 * MAX_RADIUS];

float inverse_depth_at(ivec2 p, ivec2 size)
{
    bool outside = any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, size));
    return outside ? 0.0 : texelFetch(fluid, p, 0).x;
}

// Returns whether |1/a - 1/b| < range, for an `a` that exists.
bool in_range(float a, float b, float range) { return a > 0.0 && abs(a - b) < range * a * b; }

struct filter_result {
    float surface;
    vec3 thickness; // m; m times fraction; m of the front layer
};

filter_result filter_narrow_range(int centre, float w, float sigma, int reach, float range)
{
    float sum = w, weight = 1.0, k = -0.5 / (sigma * sigma);
    vec3 t = thickness_tile[centre];
    for (int i = 1; i <= reach; i++) {
        float a = tile[centre - i], b = tile[centre + i];
        bool both = in_range(a, w, range) && in_range(b, w, range);
        float g = both ? exp(k * float(i * i)) : 0.0;
        sum += g * (a + b);
        t += g * (thickness_tile[centre - i] + thickness_tile[centre + i]);
        weight += 2.0 * g;
    }
    return filter_result(sum / weight, t / weight);
}

filter_result filter_bilateral(int centre, float w, float sigma, int reach, float range)
{
    float sum = w, weight = 1.0, k = -0.5 / (sigma * sigma);
    vec3 t = thickness_tile[centre];
    for (int i = -reach; i <= reach; i++) {
        float a = tile[centre + i];
        if (a <= 0.0 || i == 0) continue;
        float apart = (a - w) / (0.5 * range * a * w);
        float g = exp(k * float(i * i) - 0.5 * apart * apart);
        sum += g * a;
        t += g * thickness_tile[centre + i];
        weight += g;
    }
    return filter_result(sum / weight, t / weight);
}

void main()
{
    ivec2 size = textureSize(fluid, 0);
    bool vertical = (pass.constant & 1u) != 0u;
    int length = vertical ? size.y : size.x, groups = (length + LINE_GROUP - 1) / LINE_GROUP;
    int index = int(invocation_index()), group = index / LINE_GROUP, lane = index % LINE_GROUP;
    int line = group / groups, start = group % groups * LINE_GROUP;
    ivec2 along = vertical ? ivec2(0, 1) : ivec2(1, 0), first = vertical ? ivec2(line, 0) : ivec2(0, line);
    for (int i = lane; i < LINE_GROUP + 2 * MAX_RADIUS; i += LINE_GROUP) {
        ivec2 q = first + along * (start + i - MAX_RADIUS);
        tile[i] = inverse_depth_at(q, size);
        thickness_tile[i] = tile[i] > 0.0 ? layer_thickness_at(q) : vec3(0.0);
    }
    barrier();
    ivec2 p = first + along * (start + lane);
    if (any(greaterThanEqual(p, size))) return;
    int centre = lane + MAX_RADIUS;
    float w = tile[centre];
    filter_result result = filter_result(w, thickness_tile[centre]);
    if (w > 0.0) {
        vec3 t = thickness_tile[centre];
        float calm = smoothstep(0.15, 0.4, t.y / max(t.x, 1e-12));
        render_camera camera = params.cameras[RENDER_CAMERA_EYE];
        float scale = 0.5 * camera.frame.y / camera.up.w, near = camera.forward.w != 0.0 ? 1.0 : w;
        float sigma = min(calm * params.filter_sigma_m * near * scale, float(params.filter_max_pixels) / 3.0);
        int reach = min(int(ceil(3.0 * sigma)), MAX_RADIUS);
        if (sigma > 0.1)
            result = (pass.constant & 2u) != 0u
                         ? filter_bilateral(centre, w, sigma, reach, params.filter_range_m)
                         : filter_narrow_range(centre, w, sigma, reach, params.filter_range_m);
    }
    imageStore(target, p, vec4((pass.constant & 4u) != 0u ? w : result.surface));
    imageStore(filtered_thickness, p, vec4(result.thickness, 0.0));
}
