/* Public API of mesh refinement: weir_mesh_refine. */
#include "mesher.h"
#include "scene_distance.h"

weir_mesh_refine_def weir_mesh_refine_def_default(void)
{
    return (weir_mesh_refine_def){
        .cookie = API_REFINE_COOKIE,
        .remove_slivers = true,
        .smooth_method = WEIR_MESH_SMOOTHING_LAPLACE,
        .smooth_iterations = 8,
        .smooth_strength = 0.5f,
        .smooth_neighbours = 13,
        .drop_subdivisions = 1,
        .decimate_ratio = 1,
        .max_triangles = UINT32_MAX,
        .normals = WEIR_MESH_NORMALS_FACES,
    };
}

static bool is_valid_length(float x)
{
    return x >= 0 && isfinite(x);
}

static weir_result check_numbers(const weir_log *log, const weir_mesh_refine_def *def)
{
    WEIR_REQUIRE(log, is_valid_length(def->cell_size_m), "`cell_size_m` must be 0 or above");
    WEIR_REQUIRE(log, (unsigned)def->smooth_method <= WEIR_MESH_SMOOTHING_LAPLACE,
                 "`smooth_method` must be one of weir_mesh_smoothing");
    WEIR_REQUIRE(log, def->smooth_iterations <= 1000, "`smooth_iterations` must be at most 1000");
    WEIR_REQUIRE(log, def->smooth_strength >= 0 && def->smooth_strength <= 1,
                 "`smooth_strength` must be 0 to 1");
    WEIR_REQUIRE(log, is_valid_length(def->smooth_neighbours),
                 "`smooth_neighbours` must be 0 or above");
    WEIR_REQUIRE(log, def->min_component_volume_m3 >= 0,
                 "`min_component_volume_m3` must be 0 or above");
    WEIR_REQUIRE(log, def->drop_subdivisions <= 3, "`drop_subdivisions` must be at most 3");
    WEIR_REQUIRE(log, def->decimate_ratio >= 0 && def->decimate_ratio <= 1,
                 "`decimate_ratio` must be 0 to 1");
    WEIR_REQUIRE(log, is_valid_length(def->decimate_error_m),
                 "`decimate_error_m` must be 0 or above");
    WEIR_REQUIRE(log, is_valid_length(def->snap_distance_m),
                 "`snap_distance_m` must be 0 or above");
    WEIR_REQUIRE(log, isfinite(def->snap_offset_m), "`snap_offset_m` must be a number");
    WEIR_REQUIRE(log, (unsigned)def->normals <= WEIR_MESH_NORMALS_NONE,
                 "`normals` must be one of weir_mesh_normals");
    WEIR_REQUIRE(log, def->normal_smooth_iterations <= 1000,
                 "`normal_smooth_iterations` must be at most 1000");
    return WEIR_OK;
}

static weir_result check_def(const weir_log *log, const weir_mesh_refine_def *def)
{
    for (int k = 0; def->clamp_to_box && k < 3; ++k)
        WEIR_REQUIRE(log, def->clamp_min[k] <= def->clamp_max[k],
                     "`clamp_min` must not lie above `clamp_max`");
    return check_numbers(log, def);
}

static void log_report(const weir_log *log, const weir_mesh_refine_info *info)
{
    base_log(log, WEIR_LOG_DEBUG,
             "mesh refined: %u to %u triangles, volume %g to %g m3; %u edges collapsed, %u "
             "flipped, %u flat triangles removed; %u components and %u voids removed; %u triangles "
             "decimated, %u cuts; %u vertices moved onto solids, %u onto the box",
             info->triangles_before, info->triangles_after, info->volume_before, info->volume_after,
             info->edges_collapsed, info->edges_flipped, info->flat_triangles,
             info->components_removed, info->voids_removed, info->decimated_triangles,
             info->split_vertices, info->snapped_vertices, info->clamped_vertices);
    if (info->degenerate_triangles > 0)
        base_log(log, WEIR_LOG_WARNING, "%u triangles of the mesh have no area",
                 info->degenerate_triangles);
}

weir_result weir_mesh_refine(weir_mesh *mesh, const weir_mesh_refine_def *def,
                             weir_mesh_refine_info *info)
{
    const weir_mesh_refine_def defaults = weir_mesh_refine_def_default();
    if (!def) def = &defaults;
    WEIR_REQUIRE_NOT_NULL(NULL, mesh);
    const weir_log *log = api_log(mesh->device);
    WEIR_REQUIRE_DEF(log, def, API_REFINE_COOKIE, "mesh_refine");
    WEIR_RETURN_IF_ERROR(check_def(log, def));
    scene_distance *solids = NULL;
    if (def->scene) {
        WEIR_RETURN_IF_ERROR(scene_distance_get(mesh->device, def->scene, &solids));
        scene_distance_set_poses(solids, log, def->time_s, &mesh->solids);
    }
    mesher_solid solid = {.distance = scene_distance_at, .user = solids};
    if (solids) scene_distance_get_walls(solids, &solid);
    weir_mesh_refine_info found;
    mesh->version = ++mesh->device->meshes_made;
    WEIR_RETURN_IF_ERROR(
        mesher_surface_refine(log, &mesh->surface, def, solids ? &solid : NULL, &found));
    log_report(log, &found);
    if (info) *info = found;
    return WEIR_OK;
}
