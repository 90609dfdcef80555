#include "host_camera.h"

const float eye[3] = {0.35f, 0.45f, 1.3f}, target_point[3] = {0.2f, 0.1f, 0.15f};
const float tangent = 0.3f;      /* half of the picture's height at distance 1 */
const float half_height = 0.36f; /* m: half of the height, of parallel projections */

static bool is_parallel(projection kind)
{
    return kind >= PARALLEL;
}

static bool is_left_handed(projection kind)
{
    return kind == LEFT_HANDED || kind == PARALLEL_LEFT_HANDED;
}

bool is_upright(projection kind)
{
    return kind == UPRIGHT || kind == PARALLEL_UPRIGHT;
}

static void normalize(float v[3])
{
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        v[i] /= length;
}

static void project(weir_vulkan_draw_def *d, projection kind, float half)
{
    float *p = d->projection, n = NEAR, f = FAR, side = is_left_handed(kind) ? -1.0f : 1.0f;
    p[0] = (float)HEIGHT / WIDTH / half;
    p[5] = (is_upright(kind) ? 1.0f : -1.0f) / half;
    if (is_parallel(kind)) {
        d->reversed_depth = kind == PARALLEL_REVERSED;
        n = d->reversed_depth ? f : BEFORE;
        f = d->reversed_depth ? BEFORE : f;
        p[10] = side / (n - f);
        p[14] = n / (n - f);
        p[15] = 1;
        return;
    }
    p[10] = f / (n - f) * side;
    p[11] = -side;
    p[14] = n * f / (n - f);
    if (kind == REVERSED) {
        p[10] = n / (f - n);
        p[14] = n * f / (f - n);
    }
    if (kind == INFINITE) {
        p[10] = 0;
        p[14] = n;
    }
}

weir_vulkan_draw_def look_from(projection kind, float away, float half)
{
    weir_vulkan_draw_def d = weir_vulkan_draw_def_default();
    float axes[3][3], *x = axes[0], *y = axes[1], *z = axes[2], from[3];
    float side = is_left_handed(kind) ? -1.0f : 1.0f;
    for (int i = 0; i < 3; i++) {
        from[i] = target_point[i] + away * (eye[i] - target_point[i]);
        z[i] = side * (eye[i] - target_point[i]); /* right-handed: the axis points backwards */
    }
    normalize(z);
    x[0] = side * z[2];
    x[1] = 0;
    x[2] = side * -z[0];
    normalize(x);
    for (int i = 0; i < 3; i++)
        y[i] = side * (z[(i + 1) % 3] * x[(i + 2) % 3] - z[(i + 2) % 3] * x[(i + 1) % 3]);
    for (int row = 0; row < 3; row++)
        for (int i = 0; i < 3; i++) {
            d.view[4 * i + row] = axes[row][i];
            d.view[12 + row] -= axes[row][i] * from[i];
        }
    d.view[15] = 1;
    project(&d, kind, half);
    return d;
}

weir_vulkan_draw_def look(projection kind)
{
    return look_from(kind, 1.0f, is_parallel(kind) ? half_height : tangent);
}

float stored(const weir_vulkan_draw_def *d, projection kind, float distance)
{
    if (distance == 0.0f)
        return kind == REVERSED || kind == INFINITE || kind == PARALLEL_REVERSED ? 0.0f : 1.0f;
    if (is_parallel(kind))
        return d->projection[14] +
               d->projection[10] * (is_left_handed(kind) ? distance : -distance);
    return d->projection[14] / distance + d->projection[11] * d->projection[10];
}
