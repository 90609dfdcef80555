/* Triangulates the shapes of a scene for drawing. */
#include "geometry.h"

#define SEGMENTS 48u /* segments around the axis of a round shape */
#define RINGS 24u    /* rings from pole to pole, or around the tube of a torus */
#define PI 3.14159265358979f

typedef struct shape_builder {
    triangle_list *out;
    scene_pose pose; /* from coordinates of the shape to those of the solid */
    bool failed;     /* memory ran out */
} shape_builder;

static vec3 pose_point(const scene_pose *pose, vec3 p)
{
    return vec3_add(quat_rotate(pose->rotation, vec3_scale(p, pose->scale)), pose->position);
}

static scene_pose compose_poses(const scene_pose *outer, const scene_pose *inner)
{
    return (scene_pose){pose_point(outer, inner->position),
                        quat_multiply(outer->rotation, inner->rotation),
                        outer->scale * inner->scale};
}

static void add_vertex(shape_builder *m, vec3 p, vec3 n)
{
    m->failed |= !triangle_list_add_vertex(m->out, pose_point(&m->pose, p),
                                           quat_rotate(m->pose.rotation, n));
}

static void add_indices(shape_builder *m, size_t first, const uint32_t *indices, size_t count)
{
    m->failed |= !triangle_list_add_indices(m->out, first, indices, count);
}

/* Appends a quad; the corners are in order around the face. */
static void add_quad(shape_builder *m, const vec3 *corners, vec3 n)
{
    size_t first = m->out->vertices.count;
    for (int i = 0; i < 4; i++)
        add_vertex(m, corners[i], n);
    add_indices(m, first, (const uint32_t[]){0, 1, 2, 0, 2, 3}, 6);
}

static vec3 permute_axes(int axis, float along, float u, float v)
{
    return axis == 0   ? vec3_make(along, u, v)
           : axis == 1 ? vec3_make(v, along, u)
                       : vec3_make(u, v, along);
}

static void add_box(shape_builder *m, vec3 size)
{
    const float half[3] = {0.5f * size.x, 0.5f * size.y, 0.5f * size.z};
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            float s = (float)side, a = s * half[axis];
            float u = half[(axis + 1) % 3], v = half[(axis + 2) % 3];
            const vec3 corners[4] = {
                permute_axes(axis, a, -u * s, -v), permute_axes(axis, a, u * s, -v),
                permute_axes(axis, a, u * s, v), permute_axes(axis, a, -u * s, v)};
            add_quad(m, corners, permute_axes(axis, s, 0.0f, 0.0f));
        }
}

/* ---- round shapes: a profile revolved about y ----------------------------------------------- */

typedef struct profile_point {
    float radius, y;
    float out, up; /* normal: its radial and vertical components */
} profile_point;

static void add_revolved(shape_builder *m, const profile_point *profile, uint32_t count)
{
    const uint32_t next = SEGMENTS + 1; /* index offset to the next profile point */
    size_t first = m->out->vertices.count;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k <= SEGMENTS; k++) {
            float angle = 2.0f * PI * (float)k / (float)SEGMENTS, c = base_cos(angle),
                  s = base_sin(angle);
            const profile_point *p = &profile[i];
            add_vertex(m, vec3_make(p->radius * c, p->y, p->radius * s),
                       vec3_make(p->out * c, p->up, p->out * s));
        }
    for (uint32_t i = 0; i + 1 < count; i++)
        for (uint32_t k = 0; k < SEGMENTS; k++)
            add_indices(m, first + i * next + k, (const uint32_t[]){0, next, 1, 1, next, next + 1},
                        6);
}

static void add_capsule(shape_builder *m, float radius, float height)
{
    profile_point profile[RINGS + 2];
    uint32_t count = 0;
    for (uint32_t i = 0; i <= RINGS + 1; i++) { /* the equator is added twice */
        bool upper = i > RINGS / 2;
        uint32_t ring = upper ? i - 1 : i;
        float angle = PI * ((float)ring / (float)RINGS - 0.5f), c = base_cos(angle),
              s = base_sin(angle);
        float lift = upper ? 0.5f * height : -0.5f * height;
        profile[count++] = (profile_point){radius * c, radius * s + lift, c, s};
    }
    add_revolved(m, profile, count);
}

static void add_cylinder(shape_builder *m, float low, float high, float height)
{
    float slope = (low - high) / height, length = sqrtf(1.0f + slope * slope), y = 0.5f * height;
    float out = 1.0f / length, up = slope / length;
    const profile_point side[2] = {{low, -y, out, up}, {high, y, out, up}};
    const profile_point bottom[2] = {{0.0f, -y, 0.0f, -1.0f}, {low, -y, 0.0f, -1.0f}};
    const profile_point top[2] = {{high, y, 0.0f, 1.0f}, {0.0f, y, 0.0f, 1.0f}};
    add_revolved(m, side, 2);
    add_revolved(m, bottom, 2);
    if (high > 0.0f) add_revolved(m, top, 2);
}

static void add_torus(shape_builder *m, float radius, float tube)
{
    profile_point profile[RINGS + 1];
    for (uint32_t i = 0; i <= RINGS; i++) {
        float angle = 2.0f * PI * (float)i / (float)RINGS, c = base_cos(angle), s = base_sin(angle);
        profile[i] = (profile_point){radius + tube * c, tube * s, c, s};
    }
    add_revolved(m, profile, RINGS + 1);
}

/* ---- meshes and sets ------------------------------------------------------------------------ */

static weir_result add_mesh_file(const weir_log *log, const scene_mesh *from, shape_builder *m)
{
    weir_result result;
    io_mesh mesh = {0};
    triangle_list sharp = {0};
    char *path = scene_mesh_file(from, from->first);
    if (!path) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a mesh");
    WEIR_GOTO_IF_ERROR(io_mesh_read_at(log, path, from->origin, &mesh));
    WEIR_GOTO_IF_ERROR(mesh_fill_holes(log, &mesh));
    if (!mesh_add_creased_normals(&mesh, MESH_SOLID_CREASE_COSINE, &sharp)) {
        result = base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a mesh");
        goto fail;
    }
    size_t first = m->out->vertices.count;
    for (size_t i = 0; i < sharp.vertices.count; i++)
        add_vertex(m, sharp.vertices.items[i], sharp.normals.items[i]);
    add_indices(m, first, sharp.indices.items, sharp.indices.count);
fail:
    triangle_list_free(&sharp);
    io_mesh_free(&mesh);
    base_free(path);
    return result;
}

/* Half the edge of the square that represents a half-space, m; larger than any domain. */
#define PLANE_HALF_SIZE 50.0f

static void add_plane(shape_builder *m)
{
    const vec3 corners[4] = {{-PLANE_HALF_SIZE, 0.0f, -PLANE_HALF_SIZE},
                             {-PLANE_HALF_SIZE, 0.0f, PLANE_HALF_SIZE},
                             {PLANE_HALF_SIZE, 0.0f, PLANE_HALF_SIZE},
                             {PLANE_HALF_SIZE, 0.0f, -PLANE_HALF_SIZE}};
    add_quad(m, corners, vec3_make(0.0f, 1.0f, 0.0f));
}

static void add_primitive(shape_builder *m, const scene_shape *shape)
{
    switch (shape->kind) {
    case SCENE_SHAPE_BOX: add_box(m, shape->size); break;
    case SCENE_SHAPE_SPHERE: add_capsule(m, shape->radius, 0.0f); break;
    case SCENE_SHAPE_CAPSULE: add_capsule(m, shape->radius, shape->height); break;
    case SCENE_SHAPE_CYLINDER: add_cylinder(m, shape->radius, shape->radius, shape->height); break;
    case SCENE_SHAPE_CONE: add_cylinder(m, shape->radius, 0.0f, shape->height); break;
    case SCENE_SHAPE_TORUS: add_torus(m, shape->radius, shape->tube_radius); break;
    case SCENE_SHAPE_PLANE: add_plane(m); break;
    default: break;
    }
}

/* Appends a shape and all parts of a set; for a union this includes faces inside it. The recursion
 * is at most SCENE_SHAPE_DEPTH deep. */
static weir_result add_shape(const weir_log *log, const scene_data *scene, uint32_t index,
                             shape_builder *m)
{
    weir_result result = WEIR_OK;
    const scene_shape *shape = &scene->shapes[index];
    scene_pose outer = m->pose;
    m->pose = compose_poses(&outer, &shape->pose);
    if (shape->kind == SCENE_SHAPE_MESH)
        result = add_mesh_file(log, &scene->meshes[shape->mesh], m);
    else
        add_primitive(m, shape);
    for (uint32_t i = 0; i < shape->child_count && result == WEIR_OK; i++)
        result = add_shape(log, scene, scene->shape_children[shape->first_child + i], m);
    m->pose = outer;
    return result;
}

weir_result shape_mesh_append(const weir_log *log, const scene_data *scene, uint32_t shape,
                              triangle_list *out)
{
    shape_builder m = {out, {.rotation = quat_identity(), .scale = 1.0f}, false};
    weir_result result = add_shape(log, scene, shape, &m);
    if (result == WEIR_OK && m.failed)
        result = base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a solid's triangles");
    return result;
}
