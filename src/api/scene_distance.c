/* Combines the solids and closed sides of a scene into a signed distance for weir_mesh_refine. */
#include "scene_distance.h"

/* A solid at a given time. The inverse of its pose maps a world point to the rest pose. */
typedef struct posed_solid {
    uint32_t shape;
    vec3 position;
    quat world_to_rest; /* inverse of the rotation */
    vec3 min, max;      /* bounds of the shape in the rest pose, m */
} posed_solid;

struct scene_distance {
    weir_scene *scene;
    solid_set *set;
    posed_solid *posed; /* [posed_count] solids of constant shape; the others are ignored */
    uint32_t posed_count;
};

/* Returns whether a mesh sequence changes the shape. Recurses at most SCENE_SHAPE_DEPTH deep. */
static bool shape_is_animated(const scene_data *scene, uint32_t shape)
{
    const scene_shape *s = &scene->shapes[shape];
    if (s->kind == SCENE_SHAPE_MESH) return scene->meshes[s->mesh].sequence;
    bool deforms = false;
    for (uint32_t i = 0; i < s->child_count; ++i)
        deforms = deforms || shape_is_animated(scene, scene->shape_children[s->first_child + i]);
    return deforms;
}

void scene_distance_destroy(weir_device *device, scene_distance **solids)
{
    if (!*solids) return;
    solid_set_destroy(device->gpu, &(*solids)->set);
    api_scene_release((*solids)->scene);
    base_free((*solids)->posed);
    base_free(*solids);
    *solids = NULL;
}

weir_result scene_distance_get(weir_device *device, const weir_scene *scene, scene_distance **out)
{
    if (device->solids && device->solids->scene == scene) {
        *out = device->solids;
        return WEIR_OK;
    }
    scene_distance_destroy(device, &device->solids);
    *out = NULL;
    const weir_log *log = api_log(device);
    weir_result result = WEIR_OK;
    scene_distance *s = device->solids = base_alloc(1, sizeof *s);
    if (!s) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a scene's solids");
    s->scene = (weir_scene *)(uintptr_t)scene; /* only the reference count changes */
    api_scene_retain(s->scene);
    const scene_data *data = scene->data;
    s->posed = base_alloc(data->solid_count, sizeof *s->posed);
    if (!s->posed)
        WEIR_GOTO_IF_ERROR(
            base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a scene's solids"));
    WEIR_GOTO_IF_ERROR(solid_set_create(
        device->gpu, data, 0.5f * data->spacing * data->solver.support_radius, &s->set));
    *out = s;
    return WEIR_OK;
fail:
    scene_distance_destroy(device, &device->solids);
    return result;
}

const solid_set *scene_distance_solid_set(const scene_distance *solids)
{
    return solids->set;
}

void scene_distance_set_poses(scene_distance *s, const weir_log *log, double time_s,
                              const api_poses *host_driven)
{
    const scene_data *data = s->scene->data;
    s->posed_count = 0;
    for (uint32_t i = 0; i < data->solid_count; ++i) {
        const scene_solid *solid = &data->solids[i];
        if (shape_is_animated(data, solid->shape)) {
            base_log(log, WEIR_LOG_WARNING,
                     "solid \"%s\" changes its shape: meshes are not moved onto it", solid->name);
            continue;
        }
        bool told = solid->motion.kind == SCENE_MOTION_HOST_DRIVEN &&
                    host_driven->count == data->solid_count;
        const scene_pose pose =
            told ? host_driven->poses[i] : scene_motion_pose(&solid->motion, time_s);
        posed_solid *p = &s->posed[s->posed_count++];
        *p = (posed_solid){.shape = solid->shape,
                           .position = pose.position,
                           .world_to_rest = quat_conjugate(pose.rotation)};
        solid_shape_bounds(s->set, solid->shape, &p->min, &p->max);
    }
}

void scene_distance_get_walls(const scene_distance *s, mesher_solid *solid)
{
    const scene_domain *domain = &s->scene->data->domain;
    const float along[6] = {domain->min.x,  -domain->max.x, domain->min.y,
                            -domain->max.y, domain->min.z,  -domain->max.z};
    solid->wall_count = 0;
    for (int side = 0; side < 6; ++side) {
        const float way = side % 2 ? -1.0f : 1.0f;
        if (domain->sides[side] != SCENE_SIDE_CLOSED) continue;
        solid->walls[solid->wall_count++] = (struct mesher_wall){
            .normal = {side < 2 ? way : 0, side / 2 == 1 ? way : 0, side > 3 ? way : 0},
            .along = along[side],
        };
    }
}

static float distance_to_box(const posed_solid *solid, vec3 p)
{
    const vec3 out =
        vec3_max(vec3_max(vec3_sub(solid->min, p), vec3_sub(p, solid->max)), vec3_make(0, 0, 0));
    return vec3_length(out);
}

float scene_distance_at(void *user, vec3 point)
{
    const scene_distance *s = user;
    float least = INFINITY;
    for (uint32_t i = 0; i < s->posed_count; ++i) {
        const posed_solid *solid = &s->posed[i];
        const vec3 p = quat_rotate(solid->world_to_rest, vec3_sub(point, solid->position));
        /* The distance to the box is a lower bound of that to the shape. */
        if (distance_to_box(solid, p) < least)
            least = fminf(least, solid_shape_distance(s->set, solid->shape, p));
    }
    return least;
}
