/* Shapes of a scene as triangles to draw. */
#include "picture_internal.h"

#define SEGMENTS 48u /* around a round shape */
#define RINGS 24u    /* from pole to pole */
#define PI 3.14159265358979f

typedef struct maker {
    api_triangles *out;
    scene_pose pose; /* from the shape's space into the solid's */
    bool failed;     /* memory was short */
} maker;

static vec3 apply(const scene_pose *pose, vec3 p)
{
    return vec3_add(quat_rotate(pose->rotation, vec3_scale(p, pose->scale)), pose->position);
}

static scene_pose join(const scene_pose *outer, const scene_pose *inner)
{
    return (scene_pose){apply(outer, inner->position),
                        quat_multiply(outer->rotation, inner->rotation),
                        outer->scale * inner->scale};
}

static uint32_t put_vertex(maker *m, vec3 p, vec3 n)
{
    api_triangles *t = m->out;
    uint32_t index = (uint32_t)(t->vertices.count / 3);
    p = apply(&m->pose, p);
    n = quat_rotate(m->pose.rotation, n);
    const float position[3] = {p.x, p.y, p.z}, normal[3] = {n.x, n.y, n.z};
    for (int k = 0; k < 3; k++)
        m->failed |= !BASE_PUSH(&t->vertices, position[k]) || !BASE_PUSH(&t->normals, normal[k]);
    return index;
}

static void put_triangle(maker *m, uint32_t a, uint32_t b, uint32_t c)
{
    m->failed |= !BASE_PUSH(&m->out->indices, a) || !BASE_PUSH(&m->out->indices, b) ||
                 !BASE_PUSH(&m->out->indices, c);
}

/* Corners in order around the face. */
static void put_face(maker *m, const vec3 *corners, vec3 n)
{
    uint32_t v[4];
    for (int i = 0; i < 4; i++)
        v[i] = put_vertex(m, corners[i], n);
    put_triangle(m, v[0], v[1], v[2]);
    put_triangle(m, v[0], v[2], v[3]);
}

static vec3 shuffle(int axis, float along, float u, float v)
{
    return axis == 0   ? vec3_make(along, u, v)
           : axis == 1 ? vec3_make(v, along, u)
                       : vec3_make(u, v, along);
}

static void put_box(maker *m, vec3 size)
{
    const float half[3] = {0.5f * size.x, 0.5f * size.y, 0.5f * size.z};
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            float s = (float)side, a = s * half[axis];
            float u = half[(axis + 1) % 3], v = half[(axis + 2) % 3];
            const vec3 corners[4] = {shuffle(axis, a, -u * s, -v), shuffle(axis, a, u * s, -v),
                                     shuffle(axis, a, u * s, v), shuffle(axis, a, -u * s, v)};
            put_face(m, corners, shuffle(axis, s, 0.0f, 0.0f));
        }
}

/* ---- round shapes: a profile turned about y ------------------------------------------------- */

typedef struct profile_point {
    float radius, y;
    float out, up; /* normal */
} profile_point;

static void put_turned(maker *m, const profile_point *profile, uint32_t count)
{
    uint32_t first = (uint32_t)(m->out->vertices.count / 3), round = SEGMENTS + 1;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k <= SEGMENTS; k++) {
            float angle = 2.0f * PI * (float)k / (float)SEGMENTS, c = cosf(angle), s = sinf(angle);
            const profile_point *p = &profile[i];
            put_vertex(m, vec3_make(p->radius * c, p->y, p->radius * s),
                       vec3_make(p->out * c, p->up, p->out * s));
        }
    for (uint32_t i = 0; i + 1 < count; i++)
        for (uint32_t k = 0; k < SEGMENTS; k++) {
            uint32_t a = first + i * round + k;
            put_triangle(m, a, a + round, a + 1);
            put_triangle(m, a + 1, a + round, a + round + 1);
        }
}

static void put_capsule(maker *m, float radius, float height)
{
    profile_point profile[RINGS + 2];
    uint32_t count = 0;
    for (uint32_t i = 0; i <= RINGS + 1; i++) { /* the equator twice */
        bool upper = i > RINGS / 2;
        uint32_t ring = upper ? i - 1 : i;
        float angle = PI * ((float)ring / (float)RINGS - 0.5f), c = cosf(angle), s = sinf(angle);
        float lift = upper ? 0.5f * height : -0.5f * height;
        profile[count++] = (profile_point){radius * c, radius * s + lift, c, s};
    }
    put_turned(m, profile, count);
}

static void put_cylinder(maker *m, float low, float high, float height)
{
    float slope = (low - high) / height, length = sqrtf(1.0f + slope * slope), y = 0.5f * height;
    float out = 1.0f / length, up = slope / length;
    const profile_point side[2] = {{low, -y, out, up}, {high, y, out, up}};
    const profile_point bottom[2] = {{0.0f, -y, 0.0f, -1.0f}, {low, -y, 0.0f, -1.0f}};
    const profile_point top[2] = {{high, y, 0.0f, 1.0f}, {0.0f, y, 0.0f, 1.0f}};
    put_turned(m, side, 2);
    put_turned(m, bottom, 2);
    if (high > 0.0f) put_turned(m, top, 2);
}

static void put_torus(maker *m, float radius, float tube)
{
    profile_point profile[RINGS + 1];
    for (uint32_t i = 0; i <= RINGS; i++) {
        float angle = 2.0f * PI * (float)i / (float)RINGS, c = cosf(angle), s = sinf(angle);
        profile[i] = (profile_point){radius + tube * c, tube * s, c, s};
    }
    put_turned(m, profile, RINGS + 1);
}

/* ---- meshes and sets ------------------------------------------------------------------------ */

float *api_mesh_normals(const weir_mesh_view *mesh)
{
    float *normals = base_alloc(mesh->vertex_count, 3 * sizeof *normals);
    for (size_t t = 0; normals && t < mesh->triangle_count; t++) {
        vec3 corners[3];
        for (int k = 0; k < 3; k++)
            memcpy(&corners[k], mesh->position + 3 * (size_t)mesh->index[3 * t + (size_t)k],
                   sizeof corners[k]);
        vec3 n = vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0]));
        for (int k = 0; k < 3; k++) {
            float *sum = normals + 3 * (size_t)mesh->index[3 * t + (size_t)k];
            sum[0] += n.x;
            sum[1] += n.y;
            sum[2] += n.z;
        }
    }
    for (size_t i = 0; normals && i < mesh->vertex_count; i++) {
        float *n = normals + 3 * i, length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3; k++)
            n[k] = length > 0.0f ? n[k] / length : (float)(k == 1);
    }
    return normals;
}

static weir_result put_mesh(const weir_log *log, const scene_mesh *from, maker *m)
{
    weir_result result;
    io_mesh mesh = {0};
    float *normals = NULL;
    char *path = scene_mesh_file(from, from->first);
    if (!path) return base_fail(log, WEIR_MEMORY, "no memory for a mesh");
    WEIR_TRY(io_mesh_read(log, path, &mesh));
    const weir_mesh_view view = {.vertex_count = mesh.vertex_count,
                                 .triangle_count = mesh.triangle_count,
                                 .position = (const float *)mesh.vertices,
                                 .index = mesh.indices};
    normals = api_mesh_normals(&view);
    if (!normals) {
        result = base_fail(log, WEIR_MEMORY, "no memory for a mesh");
        goto fail;
    }
    uint32_t first = (uint32_t)(m->out->vertices.count / 3);
    for (uint32_t i = 0; i < mesh.vertex_count; i++)
        put_vertex(m, mesh.vertices[i],
                   vec3_make(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]));
    for (uint32_t t = 0; t < mesh.triangle_count; t++)
        put_triangle(m, first + mesh.indices[3 * t], first + mesh.indices[3 * t + 1],
                     first + mesh.indices[3 * t + 2]);
fail:
    base_free(normals);
    io_mesh_free(&mesh);
    base_free(path);
    return result;
}

/* A plane fills half of space: it is drawn as a square that no domain sees the end of. */
#define PLANE_HALF 50.0f

static void put_plane(maker *m)
{
    const vec3 corners[4] = {{-PLANE_HALF, 0.0f, -PLANE_HALF},
                             {-PLANE_HALF, 0.0f, PLANE_HALF},
                             {PLANE_HALF, 0.0f, PLANE_HALF},
                             {PLANE_HALF, 0.0f, -PLANE_HALF}};
    put_face(m, corners, vec3_make(0.0f, 1.0f, 0.0f));
}

static void put_primitive(maker *m, const scene_shape *shape)
{
    switch (shape->kind) {
    case SCENE_SHAPE_BOX: put_box(m, shape->size); break;
    case SCENE_SHAPE_SPHERE: put_capsule(m, shape->radius, 0.0f); break;
    case SCENE_SHAPE_CAPSULE: put_capsule(m, shape->radius, shape->height); break;
    case SCENE_SHAPE_CYLINDER: put_cylinder(m, shape->radius, shape->radius, shape->height); break;
    case SCENE_SHAPE_CONE: put_cylinder(m, shape->radius, 0.0f, shape->height); break;
    case SCENE_SHAPE_TORUS: put_torus(m, shape->radius, shape->tube_radius); break;
    case SCENE_SHAPE_PLANE: put_plane(m); break;
    default: break;
    }
}

/* Of a set, all its parts: a union's surface, with more of it inside. Sets hold no sets deeper than
 * SCENE_SHAPE_DEPTH. */
static weir_result put_shape(const weir_log *log, const scene_data *scene, uint32_t index, maker *m)
{
    weir_result result = WEIR_OK;
    const scene_shape *shape = &scene->shapes[index];
    scene_pose outer = m->pose;
    m->pose = join(&outer, &shape->pose);
    if (shape->kind == SCENE_SHAPE_MESH)
        result = put_mesh(log, &scene->meshes[shape->mesh], m);
    else
        put_primitive(m, shape);
    for (uint32_t i = 0; i < shape->child_count && result == WEIR_OK; i++)
        result = put_shape(log, scene, scene->shape_children[shape->first_child + i], m);
    m->pose = outer;
    return result;
}

weir_result api_shape_triangles(const weir_log *log, const scene_data *scene, uint32_t shape,
                                api_triangles *out)
{
    maker m = {out, {.rotation = quat_identity(), .scale = 1.0f}, false};
    weir_result result = put_shape(log, scene, shape, &m);
    if (result == WEIR_OK && m.failed)
        result = base_fail(log, WEIR_MEMORY, "no memory for a solid's triangles");
    return result;
}

void api_triangles_free(api_triangles *t)
{
    BASE_ARRAY_FREE(&t->vertices);
    BASE_ARRAY_FREE(&t->normals);
    BASE_ARRAY_FREE(&t->indices);
}
