/* Computes the axis-aligned world bounds of shapes. */
#include "scene_internal.h"

typedef struct box {
    vec3 min, max;
} box;

static const box everything = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
static const box nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static scene_pose compose_poses(const scene_pose *outer, const scene_pose *inner)
{
    vec3 moved = quat_rotate(outer->rotation, vec3_scale(inner->position, outer->scale));
    return (scene_pose){vec3_add(outer->position, moved),
                        quat_multiply(outer->rotation, inner->rotation),
                        outer->scale * inner->scale};
}

static vec3 vec3_abs(vec3 v)
{
    return (vec3){fabsf(v.x), fabsf(v.y), fabsf(v.z)};
}

static box box_around(vec3 centre, vec3 extent)
{
    return (box){vec3_sub(centre, extent), vec3_add(centre, extent)};
}

static box box_union(box a, box b)
{
    return (box){vec3_min(a.min, b.min), vec3_max(a.max, b.max)};
}

/* Returns the half extents of a disc with this unit normal. */
static vec3 disc_extent(vec3 normal, float radius)
{
    return (vec3){radius * sqrtf(fmaxf(0, 1 - normal.x * normal.x)),
                  radius * sqrtf(fmaxf(0, 1 - normal.y * normal.y)),
                  radius * sqrtf(fmaxf(0, 1 - normal.z * normal.z))};
}

static box rotated_box(const scene_pose *pose, vec3 min, vec3 max)
{
    vec3 half = vec3_scale(vec3_sub(max, min), 0.5f * pose->scale);
    vec3 middle = vec3_scale(vec3_add(min, max), 0.5f * pose->scale);
    vec3 x = vec3_abs(quat_rotate(pose->rotation, vec3_make(half.x, 0, 0)));
    vec3 y = vec3_abs(quat_rotate(pose->rotation, vec3_make(0, half.y, 0)));
    vec3 z = vec3_abs(quat_rotate(pose->rotation, vec3_make(0, 0, half.z)));
    vec3 centre = vec3_add(pose->position, quat_rotate(pose->rotation, middle));
    return box_around(centre, vec3_add(x, vec3_add(y, z)));
}

/* Returns the box of a half space, which is bounded only if its face is perpendicular to an
 * axis. */
static box plane_box(const scene_pose *pose)
{
    vec3 n = quat_rotate(pose->rotation, vec3_make(0, 1, 0)), p = pose->position;
    const float across = 1 - 1e-6f;
    box bounds = everything;
    if (n.x > across) bounds.max.x = p.x;
    if (n.x < -across) bounds.min.x = p.x;
    if (n.y > across) bounds.max.y = p.y;
    if (n.y < -across) bounds.min.y = p.y;
    if (n.z > across) bounds.max.z = p.z;
    if (n.z < -across) bounds.min.z = p.z;
    return bounds;
}

static box leaf_box(const scene_shape *shape, const scene_pose *pose, const vec3 *mesh_boxes)
{
    vec3 axis = quat_rotate(pose->rotation, vec3_make(0, 1, 0)), p = pose->position;
    vec3 end = vec3_scale(axis, 0.5f * shape->height * pose->scale);
    float radius = shape->radius * pose->scale, tube = shape->tube_radius * pose->scale;
    vec3 disc = disc_extent(axis, radius), half = vec3_scale(shape->size, 0.5f);
    vec3 base = vec3_sub(p, end), tip = vec3_add(p, end);
    switch (shape->kind) {
    case SCENE_SHAPE_BOX: return rotated_box(pose, vec3_scale(half, -1), half);
    case SCENE_SHAPE_SPHERE: return box_around(p, vec3_make(radius, radius, radius));
    case SCENE_SHAPE_CAPSULE:
        return box_around(p, vec3_add(vec3_abs(end), vec3_make(radius, radius, radius)));
    case SCENE_SHAPE_CYLINDER: return box_around(p, vec3_add(vec3_abs(end), disc));
    case SCENE_SHAPE_CONE: return box_union(box_around(base, disc), (box){tip, tip});
    case SCENE_SHAPE_TORUS: return box_around(p, vec3_add(disc, vec3_make(tube, tube, tube)));
    case SCENE_SHAPE_PLANE: return plane_box(pose);
    case SCENE_SHAPE_MESH:
        if (!mesh_boxes) return everything;
        return rotated_box(pose, mesh_boxes[2 * shape->mesh], mesh_boxes[2 * shape->mesh + 1]);
    default: return nothing;
    }
}

static box node_box(const scene_data *scene, uint32_t node, const scene_pose *outer,
                    const vec3 *mesh_boxes)
{
    const scene_shape *shape = &scene->shapes[node];
    scene_pose pose = compose_poses(outer, &shape->pose);
    if (shape->kind < SCENE_SHAPE_UNION) return leaf_box(shape, &pose, mesh_boxes);
    box bounds = shape->kind == SCENE_SHAPE_INTERSECTION ? everything : nothing;
    uint32_t count =
        shape->kind == SCENE_SHAPE_DIFFERENCE && shape->child_count > 0 ? 1 : shape->child_count;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t child = scene->shape_children[shape->first_child + i];
        box b = node_box(scene, child, &pose, mesh_boxes);
        if (shape->kind == SCENE_SHAPE_INTERSECTION)
            bounds = (box){vec3_max(bounds.min, b.min), vec3_min(bounds.max, b.max)};
        else
            bounds = box_union(bounds, b);
    }
    /* However the blend is formed, it adds less than its own width. */
    if (shape->kind == SCENE_SHAPE_SMOOTH_UNION) {
        float grow = shape->blend * pose.scale;
        bounds = (box){vec3_sub(bounds.min, vec3_make(grow, grow, grow)),
                       vec3_add(bounds.max, vec3_make(grow, grow, grow))};
    }
    return bounds;
}

void scene_shape_bounds(const scene_data *scene, uint32_t shape, const vec3 *mesh_boxes, vec3 *min,
                        vec3 *max)
{
    const scene_pose world = {.rotation = {0, 0, 0, 1}, .scale = 1};
    box bounds = node_box(scene, shape, &world, mesh_boxes);
    float grow = 0.5f * scene_shell_thickness(scene, shape);
    bounds.min = vec3_sub(bounds.min, vec3_make(grow, grow, grow));
    bounds.max = vec3_add(bounds.max, vec3_make(grow, grow, grow));
    *min = bounds.min;
    *max = bounds.max;
}

bool scene_is_inside(const scene_domain *domain, vec3 p)
{
    return p.x >= domain->min.x && p.y >= domain->min.y && p.z >= domain->min.z &&
           p.x <= domain->max.x && p.y <= domain->max.y && p.z <= domain->max.z;
}
