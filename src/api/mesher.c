/* Public API of meshers and meshes, over the mesher module. */
#include "api_internal.h"

weir_mesher_def weir_mesher_def_default(const char *preset)
{
    weir_mesher_def def;
    if (!mesher_find_preset(preset, &def))
        return (weir_mesher_def){.cookie = API_MESHER_UNKNOWN_PRESET};
    def.cookie = API_MESHER_COOKIE;
    return def;
}

weir_result weir_mesher_create(weir_device *device, const weir_mesher_def *def,
                               weir_mesher **mesher)
{
    const weir_mesher_def defaults = weir_mesher_def_default(NULL);
    if (!def) def = &defaults;
    const weir_log *log = api_log(device);
    WEIR_REQUIRE_OUT(log, mesher);
    WEIR_REQUIRE_NOT_NULL(log, device);
    WEIR_REQUIRE(log, def->cookie != API_MESHER_UNKNOWN_PRESET,
                 "unknown preset in the def: use \"calibrated\", \"zhu-bridson\", \"sph\" or "
                 "\"anisotropic\"");
    WEIR_REQUIRE_DEF(log, def, API_MESHER_COOKIE, "mesher");
    *mesher = base_alloc(1, sizeof **mesher);
    if (!*mesher) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a mesher");
    (*mesher)->device = api_device_add_child(device, API_MESHER);
    (*mesher)->raw = def->raw;
    (*mesher)->normals = def->normals;
    weir_mesher_def core = *def;
    core.neighbours |= !def->raw; /* which the refinement needs and removes */
    weir_result result = mesher_create(device->gpu, &core, &(*mesher)->core);
    if (result != WEIR_OK) weir_mesher_destroy(mesher);
    return result;
}

void weir_mesher_destroy(weir_mesher **mesher)
{
    if (!mesher || !*mesher) return;
    mesher_destroy(&(*mesher)->core);
    api_device_remove_child((*mesher)->device, API_MESHER);
    base_free(*mesher);
    *mesher = NULL;
}

/* Refines a mesh as weir mesh does by default: a simulation's meets its solids and walls. */
static weir_result refine_by_default(const weir_mesher *mesher, const weir_points *points,
                                     weir_mesh *mesh)
{
    weir_mesh_refine_def def = weir_mesh_refine_def_default();
    def.scene = points->scene;
    def.time_s = points->time_s;
    if (mesher->normals == WEIR_MESH_NORMALS_NONE) def.normals = WEIR_MESH_NORMALS_NONE;
    return weir_mesh_refine(mesh, &def, NULL);
}

weir_result weir_mesher_run(weir_mesher *mesher, const weir_points *points, weir_mesh **mesh)
{
    const weir_log *log = mesher ? api_log(mesher->device) : NULL;
    WEIR_REQUIRE_OUT(log, mesh);
    WEIR_REQUIRE_NOT_NULL(log, mesher);
    WEIR_REQUIRE_NOT_NULL(log, points);
    WEIR_REQUIRE(log, points->device == mesher->device,
                 "the points must be on the mesher's device");
    /* The cast is safe: the visible state of the points does not change. */
    WEIR_RETURN_IF_ERROR(api_points_wait_counts((weir_points *)(uintptr_t)points));
    weir_mesh *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a mesh");
    made->device = api_device_add_child(mesher->device, API_MESH);
    made->version = ++made->device->meshes_made;
    made->cell_m = mesher_voxel_size(mesher->core, &points->slot.points);
    weir_result result =
        mesher_run(mesher->core, &points->slot.points, &made->surface, &made->spray);
    if (result == WEIR_OK) result = api_poses_copy(&points->bodies, &made->bodies);
    if (result == WEIR_OK)
        result = api_deformable_meshes_copy(api_log(made->device), &points->deformables,
                                            &made->deformables);
    if (result == WEIR_OK) result = api_poses_copy(&points->solids, &made->solids);
    if (result == WEIR_OK && !mesher->raw) result = refine_by_default(mesher, points, made);
    if (result != WEIR_OK) weir_mesh_destroy(&made);
    *mesh = made;
    return result;
}

weir_result weir_mesher_get_pass_times(weir_mesher *mesher, weir_pass_time *times, uint32_t *count)
{
    WEIR_REQUIRE_NOT_NULL(NULL, mesher);
    WEIR_REQUIRE_NOT_NULL(api_log(mesher->device), count);
    return mesher_pass_times(mesher->core, times, count);
}

/* Converts vectors to the type of the public API, three floats each. */
static const float *as_floats(const vec3 *vectors)
{
    return vectors ? &vectors->x : NULL;
}

void weir_mesh_get_arrays(const weir_mesh *mesh, weir_mesh_arrays *view)
{
    if (!view) return;
    *view = (weir_mesh_arrays){0};
    if (!mesh) return;
    const mesher_surface *s = &mesh->surface;
    *view = (weir_mesh_arrays){
        .vertex_count = s->vertex_count,
        .triangle_count = s->triangle_count,
        .position = as_floats(s->position),
        .normal = as_floats(s->normal),
        .velocity = as_floats(s->velocity),
        .index = s->index,
        .channel_count = s->channel_count,
        .spray_count = mesh->spray.count,
        .spray_position = as_floats(mesh->spray.position),
        .spray_velocity = as_floats(mesh->spray.velocity),
        .spray_radius_m = mesh->spray.radius_m,
    };
    for (uint32_t i = 0; i < s->channel_count; i++)
        view->channel[i] =
            (weir_mesh_channel){s->channel[i].name, s->channel[i].components, s->channel[i].values};
}

void weir_mesh_destroy(weir_mesh **mesh)
{
    if (!mesh || !*mesh) return;
    mesher_surface_free(&(*mesh)->surface);
    mesher_spray_free(&(*mesh)->spray);
    api_poses_free(&(*mesh)->bodies);
    api_deformable_meshes_free(&(*mesh)->deformables);
    api_poses_free(&(*mesh)->solids);
    if ((*mesh)->whitewater) gpu_buffer_destroy((*mesh)->device->gpu, &(*mesh)->whitewater);
    api_device_remove_child((*mesh)->device, API_MESH);
    base_free(*mesh);
    *mesh = NULL;
}
