/* The subject of a scene's pictures, and the camera that frames it. */
#include "geometry.h"
#include "renderer_internal.h"

/* ---- the subject ---------------------------------------------------------------------------- */

/* Reads the box of each mesh. A mesh that cannot be read keeps an infinite box: whoever needs its
 * triangles reports it. */
static void read_mesh_boxes(const scene_data *scene, vec3 *boxes)
{
    const weir_log silent = {0};
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        io_mesh mesh = {0};
        boxes[2 * i] = vec3_make(-INFINITY, -INFINITY, -INFINITY);
        boxes[2 * i + 1] = vec3_make(INFINITY, INFINITY, INFINITY);
        char *path = scene_mesh_file(&scene->meshes[i], scene->meshes[i].first);
        const double *origin = scene->meshes[i].origin;
        if (path && io_mesh_read_at(&silent, path, origin, &mesh) == WEIR_OK && mesh.vertex_count)
            points_bounding_box(mesh.vertices, mesh.vertex_count, &boxes[2 * i], &boxes[2 * i + 1]);
        io_mesh_free(&mesh);
        base_free(path);
    }
}

static scene_subject find_subject(const scene_data *scene)
{
    vec3 *boxes = scene->mesh_count ? base_alloc(scene->mesh_count, 2 * sizeof *boxes) : NULL;
    if (boxes) read_mesh_boxes(scene, boxes);
    scene_subject subject = scene_find_subject(scene, boxes);
    base_free(boxes);
    return subject;
}

scene_subject api_scene_subject(const weir_scene *scene)
{
    if (!scene) return (scene_subject){{-1, -1, -1}, {1, 1, 1}, false, 0.0f, 0.0f};
    /* The cast is safe: the visible state of the scene does not change. */
    _Atomic(scene_subject *) *kept = &((weir_scene *)(uintptr_t)scene)->subject;
    scene_subject *known = atomic_load(kept), *none = NULL;
    if (known) return *known;
    scene_subject found = find_subject(scene->data);
    known = base_alloc(1, sizeof *known);
    if (!known) return found;
    *known = found;
    if (!atomic_compare_exchange_strong(kept, &none, known)) base_free(known);
    return found;
}

/* ---- the camera ----------------------------------------------------------------------------- */

#define RADIANS 0.0174532925f
#define FRAME_SHARE 0.9f /* part of the picture that the subject fills */

/* Returns the azimuth, degrees from +z towards +x, from which a box is best seen: more from the
 * side the longer it is, along the shorter of its level axes. */
static float box_azimuth(vec3 size)
{
    bool along_z = size.z > size.x;
    float ratio = along_z ? size.z / fmaxf(size.x, 1e-6f) : size.x / fmaxf(size.z, 1e-6f);
    float aside = 28.0f + 4.0f * fminf((float)log2((double)ratio), 2.0f);
    return along_z ? 90.0f - aside : aside;
}

/* Moves the camera backwards and sideways until the box just fits the picture in perspective. A
 * point at (x, y, z) along right, up and backwards is in the picture where |x - ex| <= t (ez - z),
 * so the extremes of x + t z and x - t z give the least distance ez, and ex. */
static void fit_axis(const float *across, const float *back, float tangent, float *centre,
                     float *distance)
{
    float most = -INFINITY, least = INFINITY;
    for (int i = 0; i < 8; i++) {
        most = fmaxf(most, across[i] + tangent * back[i]);
        least = fminf(least, across[i] - tangent * back[i]);
    }
    *centre = 0.5f * (most + least);
    *distance = fmaxf(*distance, 0.5f * (most - least) / tangent);
}

void api_frame_box(weir_camera *view, vec3 low, vec3 high, bool from_above)
{
    vec3 middle = vec3_scale(vec3_add(low, high), 0.5f), size = vec3_sub(high, low);
    float azimuth = RADIANS * box_azimuth(size), elevation = RADIANS * (from_above ? 26.0f : 15.0f);
    float level = base_cos(elevation), x[8], y[8], z[8], ex, ey, ez = 0.0f;
    vec3 back = {level * base_sin(azimuth), base_sin(elevation), level * base_cos(azimuth)};
    vec3 right = {base_cos(azimuth), 0.0f, -base_sin(azimuth)}, up = vec3_cross(back, right);
    for (int i = 0; i < 8; i++) {
        vec3 c = {i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
        c = vec3_sub(c, middle);
        x[i] = vec3_dot(c, right);
        y[i] = vec3_dot(c, up);
        z[i] = vec3_dot(c, back);
    }
    float tangent = FRAME_SHARE * base_tan(0.5f * RADIANS * view->fov_y_degrees);
    float aspect = fmaxf((float)view->width, 1.0f) / fmaxf((float)view->height, 1.0f);
    fit_axis(x, z, tangent * aspect, &ex, &ez);
    fit_axis(y, z, tangent, &ey, &ez);
    vec3 target = vec3_add(middle, vec3_add(vec3_scale(right, ex), vec3_scale(up, ey)));
    vec3 eye = vec3_add(target, vec3_scale(back, ez));
    memcpy(view->target, &target, sizeof view->target);
    memcpy(view->eye, &eye, sizeof view->eye);
}
