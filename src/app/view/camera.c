/* The orbit camera: pivot, distance and two angles. */
#include "camera.h"

#define PI 3.14159265f
#define DEGREES_PER_RADIAN 57.2957795f
#define PITCH_MAX (0.4995f * PI)
#define DISTANCE_MIN 1e-4f
#define DISTANCE_MAX 1e6f
#define FOV_DEFAULT (PI / 4.0f)
#define FOV_MIN_DEGREES 1.0f
#define FOV_MAX_DEGREES 150.0f

static float clamp(float value, float least, float most)
{
    return fminf(fmaxf(value, least), most);
}

camera_basis camera_get_basis(const camera *c)
{
    float cy = cosf(c->yaw), sy = sinf(c->yaw), cp = cosf(c->pitch), sp = sinf(c->pitch);
    return (camera_basis){
        .right = {cy, 0.0f, -sy},
        .up = {-sy * sp, cp, -cy * sp},
        .back = {sy * cp, sp, cy * cp},
    };
}

vec3 camera_eye(const camera *c)
{
    return vec3_add(c->pivot, vec3_scale(camera_get_basis(c).back, c->distance));
}

camera camera_frame_box(vec3 min, vec3 max, float aspect)
{
    bool empty = !(min.x <= max.x && min.y <= max.y && min.z <= max.z);
    if (empty) {
        min = vec3_make(-0.5f, -0.5f, -0.5f);
        max = vec3_make(0.5f, 0.5f, 0.5f);
    }
    float radius = fmaxf(0.5f * vec3_length(vec3_sub(max, min)), DISTANCE_MIN);
    float half = atanf(tanf(0.5f * FOV_DEFAULT) * fminf(aspect, 1.0f)); /* of the narrower side */
    return (camera){
        .pivot = vec3_scale(vec3_add(min, max), 0.5f),
        .distance = clamp(radius / sinf(half), DISTANCE_MIN, DISTANCE_MAX),
        .yaw = 0.6f,
        .pitch = 0.35f,
        .fov = FOV_DEFAULT,
    };
}

void camera_look_at(camera *c, vec3 eye, vec3 target)
{
    vec3 offset = vec3_sub(eye, target);
    float length = vec3_length(offset);
    if (!(length >= DISTANCE_MIN && length <= DISTANCE_MAX)) return;
    c->pivot = target;
    c->distance = length;
    c->pitch = clamp(asinf(clamp(offset.y / length, -1.0f, 1.0f)), -PITCH_MAX, PITCH_MAX);
    const float across = sqrtf(offset.x * offset.x + offset.z * offset.z);
    if (across > 1e-6f * length) c->yaw = atan2f(offset.x, offset.z);
}

camera camera_from_view(const weir_camera *view, vec3 domain_min, vec3 domain_max)
{
    const float *eye = view->eye, *target = view->target;
    camera c = camera_frame_box(domain_min, domain_max, 16.0f / 9);
    camera_look_at(&c, vec3_make(eye[0], eye[1], eye[2]),
                   vec3_make(target[0], target[1], target[2]));
    c.fov = view->fov_y_degrees / DEGREES_PER_RADIAN;
    return c;
}

void camera_to_view_def(const camera *c, weir_camera *view)
{
    vec3 eye = camera_eye(c), target = c->pivot;
    const float from[3] = {eye.x, eye.y, eye.z}, to[3] = {target.x, target.y, target.z};
    memcpy(view->eye, from, sizeof from);
    memcpy(view->target, to, sizeof to);
    view->up[0] = view->up[2] = 0;
    view->up[1] = 1;
    view->fov_y_degrees = c->fov * DEGREES_PER_RADIAN;
}

camera_ray camera_ray_at(const camera *c, camera_world_to_view point)
{
    camera_basis axes = camera_get_basis(c);
    float half = tanf(0.5f * c->fov);
    vec3 across = vec3_scale(axes.right, (2.0f * point.x - 1.0f) * half * point.aspect);
    vec3 upward = vec3_scale(axes.up, (1.0f - 2.0f * point.y) * half);
    vec3 forward = vec3_sub(vec3_add(across, upward), axes.back);
    return (camera_ray){camera_eye(c), vec3_scale(forward, 1.0f / vec3_length(forward))};
}

void camera_orbit(camera *c, float yaw, float pitch)
{
    c->yaw = remainderf(c->yaw + yaw, 2.0f * PI);
    c->pitch = clamp(c->pitch + pitch, -PITCH_MAX, PITCH_MAX);
}

void camera_pan(camera *c, float right, float down)
{
    camera_basis axes = camera_get_basis(c);
    float height = 2.0f * c->distance * tanf(0.5f * c->fov);
    c->pivot = vec3_sub(c->pivot, vec3_scale(axes.right, right * height));
    c->pivot = vec3_add(c->pivot, vec3_scale(axes.up, down * height));
}

void camera_zoom(camera *c, float factor, camera_world_to_view point)
{
    float distance = clamp(c->distance / factor, DISTANCE_MIN, DISTANCE_MAX);
    float share = 1.0f - distance / c->distance;
    /* The point under the cursor, in the plane of the pivot, moves towards the centre by `share` of
     * its offset from it; panning by the same amount moves it back. */
    camera_pan(c, -share * (point.x - 0.5f) * point.aspect, -share * (point.y - 0.5f));
    c->distance = distance;
}

void camera_set_pivot(camera *c, vec3 point)
{
    camera_look_at(c, camera_eye(c), point);
}

/* ---- as text -------------------------------------------------------------------------------- */

static void print_vector(char *out, size_t size, const char *name, vec3 v)
{
    char x[32], y[32], z[32];
    base_print_float(x, v.x);
    base_print_float(y, v.y);
    base_print_float(z, v.z);
    snprintf(out, size, "%s=%s,%s,%s", name, x, y, z);
}

void camera_print(const camera *c, char out[CAMERA_TEXT])
{
    char eye[112], target[112], fov[32];
    print_vector(eye, sizeof eye, "eye", camera_eye(c));
    print_vector(target, sizeof target, "target", c->pivot);
    base_print_float(fov, c->fov * 180.0f / PI);
    snprintf(out, CAMERA_TEXT, "%s %s fov=%s", eye, target, fov);
}

/* Parses "NAME=a,b,..." with `count` numbers at *at, after blanks. */
static bool read_numbers(const char **at, const char *name, float *numbers, size_t count)
{
    const char *p = *at + strspn(*at, " \t\r\n"), *end = p + strlen(p);
    size_t length = strlen(name);
    if (strncmp(p, name, length) != 0 || p[length] != '=') return false;
    p += length + 1;
    for (size_t i = 0; i < count; i++) {
        double number;
        if (i > 0 && *p++ != ',') return false;
        if (!base_parse_double(p, end, &number, &p) || !(fabs(number) <= (double)DISTANCE_MAX))
            return false;
        numbers[i] = (float)number;
    }
    *at = p;
    return true;
}

bool camera_parse(camera *c, const char *text)
{
    float eye[3], target[3], fov;
    if (!read_numbers(&text, "eye", eye, 3) || !read_numbers(&text, "target", target, 3) ||
        !read_numbers(&text, "fov", &fov, 1) || text[strspn(text, " \t\r\n")] != '\0')
        return false;
    camera looked = *c;
    looked.distance = 0.0f;
    camera_look_at(&looked, vec3_make(eye[0], eye[1], eye[2]),
                   vec3_make(target[0], target[1], target[2]));
    if (!(looked.distance > 0.0f && fov >= FOV_MIN_DEGREES && fov <= FOV_MAX_DEGREES)) return false;
    looked.fov = fov * PI / 180.0f;
    *c = looked;
    return true;
}
