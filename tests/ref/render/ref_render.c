#include "ref_render.h"

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalize(double v[3])
{
    double length = sqrt(dot(v, v));
    for (int k = 0; k < 3; k++)
        v[k] /= length;
}

ref_camera ref_camera_create(const ref_view *view)
{
    ref_camera c = {.near = view->near, .width = view->width, .height = view->height};
    for (int k = 0; k < 3; k++) {
        c.eye[k] = view->eye[k];
        c.forward[k] = view->target[k] - view->eye[k];
    }
    normalize(c.forward);
    cross(c.forward, view->up, c.right);
    normalize(c.right);
    cross(c.right, c.forward, c.up);
    c.tangent_y = tan(view->fov_y_degrees * 0.0087266462599716477);
    c.tangent_x = c.tangent_y * view->width / view->height;
    return c;
}

ref_ellipsoid ref_ellipsoid_create(const double centre[3], const double a[3][3], double scale)
{
    ref_ellipsoid e = {.scale = scale};
    double det = 0.0;
    for (int i = 0; i < 3; i++) {
        e.centre[i] = centre[i];
        for (int k = 0; k < 3; k++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            e.inverse[k][i] = a[i1][k1] * a[i2][k2] - a[i1][k2] * a[i2][k1];
        }
    }
    for (int k = 0; k < 3; k++)
        det += a[0][k] * e.inverse[k][0];
    for (int i = 0; i < 9; i++)
        e.inverse[i / 3][i % 3] /= det;
    return e;
}

static void transform(const double m[3][3], const double v[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = dot(m[k], v);
}

ref_hit ref_ellipsoid_intersect(const ref_ellipsoid *e, const ref_camera *camera, uint32_t x,
                                uint32_t y)
{
    ref_hit hit = {0};
    double sx = (2.0 * (x + 0.5) / camera->width - 1.0) * camera->tangent_x;
    double sy = (1.0 - 2.0 * (y + 0.5) / camera->height) * camera->tangent_y;
    double way[3], from[3], o[3], d[3];
    for (int k = 0; k < 3; k++) {
        way[k] = camera->forward[k] + sx * camera->right[k] + sy * camera->up[k];
        from[k] = camera->eye[k] - e->centre[k];
    }
    transform(e->inverse, from, o);
    transform(e->inverse, way, d);
    double dd = dot(d, d), od = dot(o, d), disc = od * od - dd * (dot(o, o) - 1.0);
    hit.edge = fabs(disc) / dd;
    if (disc <= 0.0) return hit;
    double root = sqrt(disc), first = (-od - root) / dd;
    hit.far = (-od + root) / dd;
    hit.near = fmax(first, camera->near);
    hit.found = hit.far > camera->near;
    hit.chord = hit.found ? (hit.far - hit.near) * sqrt(dot(way, way)) * e->scale : 0.0;
    return hit;
}

ref_pixel ref_pixel_trace(const ref_ellipsoid *list, size_t count, const ref_camera *camera,
                          uint32_t x, uint32_t y)
{
    ref_pixel pixel = {.edge = INFINITY};
    for (size_t i = 0; i < count; i++) {
        ref_hit hit = ref_ellipsoid_intersect(&list[i], camera, x, y);
        pixel.edge = fmin(pixel.edge, hit.edge);
        if (!hit.found) continue;
        if (pixel.depth == 0.0 || hit.near < pixel.depth) pixel.depth = hit.near;
        pixel.thickness += hit.chord;
    }
    return pixel;
}

double ref_fresnel(double cosine, double index)
{
    double inside = asin(sqrt(1.0 - cosine * cosine) / index), outside = acos(cosine);
    if (outside < 1e-9) return pow((index - 1.0) / (index + 1.0), 2.0);
    double across = sin(outside - inside) / sin(outside + inside);
    double along = tan(outside - inside) / tan(outside + inside);
    return 0.5 * (across * across + along * along);
}
