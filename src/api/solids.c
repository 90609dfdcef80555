/* A scene's solids and closed domain sides as one distance, for meshes to rest against. */
#include "solids.h"

/* Where a solid is at a time: a point of the world goes to the rest pose by the inverse. */
typedef struct placed_solid {
    uint32_t shape;
    vec3 position;
    quat back;     /* from the world's rotation to the rest pose's */
    vec3 min, max; /* of the shape at rest */
} placed_solid;

struct api_solids {
    weir_scene *scene;
    solid_set *set;
    placed_solid *placed; /* [placed_count] those that keep their shape */
    uint32_t placed_count;
};

/* Nested at most SCENE_SHAPE_DEPTH deep. */
static bool shape_deforms(const scene_data *scene, uint32_t shape)
{
    const scene_shape *s = &scene->shapes[shape];
    if (s->kind == SCENE_SHAPE_MESH) return scene->meshes[s->mesh].sequence;
    bool deforms = false;
    for (uint32_t i = 0; i < s->child_count; ++i)
        deforms = deforms || shape_deforms(scene, scene->shape_children[s->first_child + i]);
    return deforms;
}

void api_solids_destroy(weir_device *device, api_solids **solids)
{
    if (!*solids) return;
    solid_set_destroy(device->gpu, &(*solids)->set);
    api_scene_release((*solids)->scene);
    base_free((*solids)->placed);
    base_free(*solids);
    *solids = NULL;
}

weir_result api_solids_get(weir_device *device, const weir_scene *scene, api_solids **out)
{
    if (device->solids && device->solids->scene == scene) {
        *out = device->solids;
        return WEIR_OK;
    }
    api_solids_destroy(device, &device->solids);
    *out = NULL;
    const weir_log *log = api_log(device);
    weir_result result = WEIR_OK;
    api_solids *s = device->solids = base_alloc(1, sizeof *s);
    if (!s) return base_fail(log, WEIR_MEMORY, "no memory for a scene's solids");
    s->scene = (weir_scene *)(uintptr_t)scene; /* only its holders change */
    api_scene_hold(s->scene);
    const scene_data *data = scene->data;
    s->placed = base_alloc(data->solid_count, sizeof *s->placed);
    if (!s->placed) WEIR_TRY(base_fail(log, WEIR_MEMORY, "no memory for a scene's solids"));
    WEIR_TRY(
        solid_set_create(device->gpu, data, 0.5f * data->spacing * data->solver.support, &s->set));
    *out = s;
    return WEIR_OK;
fail:
    api_solids_destroy(device, &device->solids);
    return result;
}

const solid_set *api_solids_set(const api_solids *solids)
{
    return solids->set;
}

void api_solids_place(api_solids *s, const weir_log *log, double time_s, const api_poses *steered)
{
    const scene_data *data = s->scene->data;
    s->placed_count = 0;
    for (uint32_t i = 0; i < data->solid_count; ++i) {
        const scene_solid *solid = &data->solids[i];
        if (shape_deforms(data, solid->shape)) {
            base_log(log, WEIR_LOG_WARNING,
                     "solid \"%s\" changes its shape: meshes do not rest against it", solid->name);
            continue;
        }
        bool told =
            solid->motion.kind == SCENE_MOTION_STEERED && steered->count == data->solid_count;
        const scene_pose pose =
            told ? steered->poses[i] : scene_motion_pose(&solid->motion, time_s);
        placed_solid *p = &s->placed[s->placed_count++];
        *p = (placed_solid){.shape = solid->shape,
                            .position = pose.position,
                            .back = quat_conjugate(pose.rotation)};
        solid_shape_bounds(s->set, solid->shape, &p->min, &p->max);
    }
}

/* Of the closed sides, positive inside the domain. */
static float domain_distance(const scene_domain *domain, vec3 p)
{
    const float ways[6] = {p.x - domain->min.x, domain->max.x - p.x, p.y - domain->min.y,
                           domain->max.y - p.y, p.z - domain->min.z, domain->max.z - p.z};
    float least = INFINITY;
    for (int side = 0; side < 6; ++side)
        if (domain->sides[side] == SCENE_SIDE_CLOSED) least = fminf(least, ways[side]);
    return least;
}

static float box_distance(const placed_solid *solid, vec3 p)
{
    const vec3 out =
        vec3_max(vec3_max(vec3_sub(solid->min, p), vec3_sub(p, solid->max)), vec3_make(0, 0, 0));
    return vec3_length(out);
}

float api_solids_distance(void *user, vec3 point)
{
    const api_solids *s = user;
    float least = domain_distance(&s->scene->data->domain, point);
    for (uint32_t i = 0; i < s->placed_count; ++i) {
        const placed_solid *solid = &s->placed[i];
        const vec3 p = quat_rotate(solid->back, vec3_sub(point, solid->position));
        /* The box is nearer than what it holds. */
        if (box_distance(solid, p) < least)
            least = fminf(least, solid_shape_distance(s->set, solid->shape, p));
    }
    return least;
}
