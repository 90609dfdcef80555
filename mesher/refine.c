/* Runs the refinement steps after marching cubes in their order. */
#include "surface_internal.h"

/* degrees; smaller angles are repaired after a step has moved vertices */
#define SLIVER_DEGREES_SMOOTHED 20.0f
#define SLIVER_DEGREES_MOVED 5.0f
#define SLIVER_DEGREES_DECIMATED 1.0f
#define SNAP_ROUNDS 3
#define SNAP_SPACINGS 2.0f
#define LIFT_ROUNDS 4
#define LIFT_STEPS 7.0f
/* height of a triangle over its longest edge at which it counts as flat */
#define FLAT_HEIGHT 1e-4
/* voxels by which a corner of a triangle that snapping has flattened is moved back */
#define LIFT_CELLS 1e-3f

/* voxels; a component with less volume is a drop, which solids must not flatten */
#define DROP_VOLUME_CELLS 64.0

typedef struct refine_job {
    const weir_log *log;
    mesher_surface *surface;
    const weir_mesh_refine_def *def;
    const mesher_solid *solid;
    weir_mesh_refine_info *info;
    float cell_m;
    halfedge_mesh topology; /* from the clean-up to the end of smoothing */
} refine_job;

static double enclosed_volume(const mesher_surface *surface)
{
    double sum = 0;
    for (uint32_t t = 0; t < surface->triangle_count; ++t) {
        double volume_6, area_2;
        surface_volume_and_area(surface->position, surface->index + 3 * (size_t)t,
                                surface->position[0], &volume_6, &area_2);
        sum += volume_6;
    }
    return sum / 6;
}

static void add_clean_info(refine_job *r, const mesher_clean_info *clean)
{
    r->info->edges_collapsed += clean->collapsed;
    r->info->edges_flipped += clean->flipped;
    r->info->flat_triangles += clean->removed;
    r->info->degenerate_triangles = clean->degenerate;
}

static weir_result remove_slivers(refine_job *r, float degrees)
{
    mesher_clean_info clean = {0};
    const weir_result result = mesher_surface_remove_slivers(r->log, r->surface, degrees, &clean);
    add_clean_info(r, &clean);
    return result;
}

static bool smooths(const weir_mesh_refine_def *def)
{
    return def->smooth_method != WEIR_MESH_SMOOTHING_NONE && def->smooth_iterations > 0;
}

static weir_result clean(refine_job *r)
{
    mesher_clean_info found = {0};
    if (!r->def->remove_slivers) return WEIR_OK;
    const weir_result result = surface_clean(r->log, &r->topology, r->cell_m, &found);
    add_clean_info(r, &found);
    return result;
}

static weir_result remove_slivers_of_smoothing(refine_job *r)
{
    mesher_clean_info found = {0};
    if (!r->def->remove_slivers) return WEIR_OK;
    const weir_result result =
        surface_remove_slivers(r->log, &r->topology, SLIVER_DEGREES_SMOOTHED, &found);
    add_clean_info(r, &found);
    return result;
}

static weir_result smooth(refine_job *r)
{
    const weir_mesh_refine_def *def = r->def;
    if (!smooths(def)) return WEIR_OK;
    const bool weigh =
        def->smooth_neighbours > 0 && surface_find_channel(r->surface, MESHER_NEIGHBOUR_CHANNEL);
    const mesher_smooth_def settings = {
        .kind = def->smooth_method == WEIR_MESH_SMOOTHING_TAUBIN ? MESHER_SMOOTH_TAUBIN
                                                                 : MESHER_SMOOTH_LAPLACE,
        .iterations = def->smooth_iterations,
        .strength = def->smooth_strength,
        .weight = weigh ? MESHER_NEIGHBOUR_CHANNEL : NULL,
        .weight_full = def->smooth_neighbours,
    };
    WEIR_RETURN_IF_ERROR(surface_smooth(r->log, &r->topology, &settings));
    return remove_slivers_of_smoothing(r);
}

/* Cleans and smooths the surface with one set of half-edges. */
static weir_result step_clean_and_smooth(refine_job *r)
{
    if (!r->def->remove_slivers && !smooths(r->def)) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(halfedge_mesh_create(r->log, r->surface, &r->topology));
    weir_result result = clean(r);
    if (result == WEIR_OK) result = smooth(r);
    halfedge_mesh_free(&r->topology);
    return result;
}

static weir_result step_filter(refine_job *r)
{
    const mesher_filter_def filter = {r->def->min_component_triangles,
                                      r->def->min_component_volume_m3, r->def->remove_voids};
    if (filter.min_triangles == 0 && filter.min_volume <= 0 && !filter.remove_voids) return WEIR_OK;
    mesher_filter_info info;
    const weir_result result = mesher_surface_filter(r->log, r->surface, &filter, &info);
    r->info->components = info.parts;
    r->info->voids = info.voids;
    r->info->components_removed = info.small_parts;
    r->info->voids_removed = info.filled_voids;
    return result;
}

/* Removes the channel, because its counts hold for the positions before smoothing. */
static void drop_neighbour_channel(mesher_surface *surface)
{
    mesher_vertex_channel *channel = surface_find_channel(surface, MESHER_NEIGHBOUR_CHANNEL);
    if (!channel) return;
    base_free(channel->values);
    const mesher_vertex_channel *end = &surface->channel[surface->channel_count--];
    memmove(channel, channel + 1, (size_t)(end - channel - 1) * sizeof *channel);
}

static weir_result step_round_drops(refine_job *r)
{
    const weir_result result =
        mesher_surface_round_drops(r->log, r->surface, r->def->drop_subdivisions);
    if (smooths(r->def)) drop_neighbour_channel(r->surface);
    return result;
}

static weir_result step_decimate(refine_job *r)
{
    const double kept = r->def->decimate_ratio * r->surface->triangle_count;
    mesher_decimate_def decimate = {r->def->max_triangles, r->def->decimate_error_m};
    if (kept < decimate.triangles) decimate.triangles = (uint32_t)kept;
    if (decimate.triangles >= r->surface->triangle_count) return WEIR_OK;
    mesher_decimate_info info;
    const weir_result result = mesher_surface_decimate(r->log, r->surface, &decimate, &info);
    r->info->decimated_triangles = info.before - info.after;
    r->info->split_vertices = info.cuts;
    r->info->decimate_error_m = info.error_m;
    return result == WEIR_OK ? remove_slivers(r, SLIVER_DEGREES_DECIMATED) : result;
}

/* Returns the distance within which vertices snap. Surfaces round off the edges of a tank by 0.7
 * spacings, whatever the size of a cell; vertices move fully within half the distance. */
static float snap_distance(const refine_job *r)
{
    if (r->def->snap_distance_m > 0) return r->def->snap_distance_m;
    return fmaxf(r->cell_m, SNAP_SPACINGS * r->surface->spacing_m);
}

/* Snaps the vertices; those of drops, at most DROP_VOLUME, only if they are inside. */
static weir_result snap_all(refine_job *r, uint32_t *snapped)
{
    const float band = snap_distance(r);
    const double drop_volume = DROP_VOLUME_CELLS * pow((double)r->cell_m, 3);
    mesher_surface *surface = r->surface;
    surface_components parts = {0};
    bool *drops = base_alloc(surface->vertex_count, sizeof *drops);
    vec3 *facing = base_alloc(surface->vertex_count, sizeof *facing);
    weir_result result = WEIR_OK;
    if (!drops || !facing)
        WEIR_GOTO_IF_ERROR(
            base_fail(r->log, WEIR_ERROR_MEMORY, "not enough memory to snap a mesh to solids"));
    WEIR_GOTO_IF_ERROR(surface_components_create(r->log, surface, NULL, &parts));
    for (uint32_t v = 0; v < surface->vertex_count; ++v) {
        const uint32_t part = parts.of_vertex[v];
        drops[v] = part != SURFACE_NO_INDEX && fabs(parts.items[part].volume) < drop_volume;
    }
    for (uint32_t t = 0; t < surface->triangle_count; ++t) {
        const uint32_t *corner = surface->index + 3 * (size_t)t;
        const vec3 area =
            surface_area_vector(surface->position[corner[0]], surface->position[corner[1]],
                                surface->position[corner[2]]);
        for (int k = 0; k < 3; ++k)
            facing[corner[k]] = vec3_add(facing[corner[k]], area);
    }
    const mesher_snap_def snap = {band, r->def->snap_offset_m, drops, facing};
    *snapped = mesher_surface_snap(surface, r->solid, &snap);
fail:
    surface_components_free(&parts);
    base_free(drops);
    base_free(facing);
    return result;
}

/* Returns whether a triangle is so flat that text of OBJ's precision may lose its area. */
static bool is_flat(const mesher_surface *surface, uint32_t triangle)
{
    const uint32_t *corner = surface->index + 3 * (size_t)triangle;
    const double longest = surface_longest_edge(surface->position, corner);
    double volume_6, area_2;
    surface_volume_and_area(surface->position, corner, surface->position[corner[0]], &volume_6,
                            &area_2);
    return area_2 <= FLAT_HEIGHT * longest * longest;
}

static uint32_t count_flat(const mesher_surface *surface)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < surface->triangle_count; ++t)
        count += is_flat(surface, t);
    return count;
}

/* Returns a length for each vertex and direction, so that lifted vertices are not in line again. */
static float lift_length(const refine_job *r, uint32_t vertex, uint32_t direction)
{
    const float share = base_hash_to_unit(8ull * vertex + direction);
    return LIFT_CELLS * r->cell_m * (1 + (LIFT_STEPS - 1) * share);
}

/* Moves the corner opposite the longest edge of a flat triangle off the walls and solids on which
 * it lies. */
static void lift_corner(const refine_job *r, const uint32_t *corner)
{
    vec3 *p = r->surface->position;
    double longest = -1;
    uint32_t apex = corner[0];
    for (int k = 0; k < 3; ++k) {
        const double length = surface_edge_length(p, corner[(k + 1) % 3], corner[(k + 2) % 3]);
        if (length > longest) apex = corner[k];
        longest = fmax(length, longest);
    }
    const vec3 from = p[apex];
    for (uint32_t i = 0; i < r->solid->wall_count; ++i) {
        const struct mesher_wall *wall = &r->solid->walls[i];
        const float d = vec3_dot(wall->normal, from) - wall->along - r->def->snap_offset_m;
        if (fabsf(d) < LIFT_CELLS * r->cell_m)
            p[apex] = vec3_add(p[apex], vec3_scale(wall->normal, lift_length(r, apex, i)));
    }
    const float d = r->solid->distance(r->solid->user, from) - r->def->snap_offset_m;
    if (fabsf(d) >= LIFT_CELLS * r->cell_m) return;
    const vec3 aside = {lift_length(r, apex, 0), lift_length(r, apex, 1), lift_length(r, apex, 2)};
    const vec3 out = vec3_scale(mesher_solid_normal(r->solid, from, snap_distance(r)),
                                LIFT_STEPS * LIFT_CELLS * r->cell_m);
    p[apex] = vec3_add(p[apex], vec3_add(out, vec3_sub(aside, vec3_scale(out, 0.5f))));
}

/* Removing slivers may move vertices off the solid, so they are snapped again, which may flatten a
 * triangle into an edge of the domain, and so on. */
static weir_result step_snap_to_solids(refine_job *r)
{
    uint32_t again;
    if (!r->solid) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(snap_all(r, &r->info->snapped_vertices));
    for (int round = 0; r->info->snapped_vertices > 0 && round < SNAP_ROUNDS; ++round) {
        WEIR_RETURN_IF_ERROR(remove_slivers(r, SLIVER_DEGREES_MOVED));
        WEIR_RETURN_IF_ERROR(snap_all(r, &again));
        r->info->degenerate_triangles = count_flat(r->surface);
        if (r->info->degenerate_triangles == 0) return WEIR_OK;
    }
    for (int round = 0; r->info->degenerate_triangles > 0 && round < LIFT_ROUNDS; ++round) {
        for (uint32_t t = 0; t < r->surface->triangle_count; ++t)
            if (is_flat(r->surface, t)) lift_corner(r, r->surface->index + 3 * (size_t)t);
        r->info->degenerate_triangles = count_flat(r->surface);
    }
    return WEIR_OK;
}

static weir_result step_clamp_to_box(refine_job *r)
{
    const float *low = r->def->clamp_min, *high = r->def->clamp_max;
    const vec3 min = {low[0], low[1], low[2]}, max = {high[0], high[1], high[2]};
    if (!r->def->clamp_to_box) return WEIR_OK;
    r->info->clamped_vertices = mesher_surface_clamp(r->surface, min, max);
    if (r->info->clamped_vertices == 0) return WEIR_OK;
    const weir_result result = remove_slivers(r, SLIVER_DEGREES_MOVED);
    mesher_surface_clamp(r->surface, min, max);
    return result;
}

static weir_result step_normals(refine_job *r)
{
    if (r->def->normals == WEIR_MESH_NORMALS_FACES)
        return mesher_surface_normals(r->log, r->surface, r->def->normal_smooth_iterations);
    if (r->def->normals == WEIR_MESH_NORMALS_NONE) {
        base_free(r->surface->normal);
        r->surface->normal = NULL;
    }
    return WEIR_OK;
}

weir_result mesher_surface_refine(const weir_log *log, mesher_surface *surface,
                                  const weir_mesh_refine_def *def, const mesher_solid *solid,
                                  weir_mesh_refine_info *info)
{
    weir_result (*const steps[])(refine_job *) = {
        step_clean_and_smooth, step_filter,       step_round_drops, step_decimate,
        step_snap_to_solids,   step_clamp_to_box, step_normals};
    refine_job r = {.log = log,
                    .surface = surface,
                    .def = def,
                    .solid = solid,
                    .info = info,
                    .cell_m = def->cell_size_m > 0 ? def->cell_size_m : surface->cell_m};
    *info = (weir_mesh_refine_info){.triangles_before = surface->triangle_count,
                                    .volume_before = enclosed_volume(surface)};
    weir_result result = WEIR_OK;
    if (surface->triangle_count == 0) return step_normals(&r);
    if (r.cell_m <= 0 && (def->remove_slivers || solid))
        return base_fail(log, WEIR_ERROR_ARGUMENT,
                         "the cell size of the mesh is unknown: set `cell_size_m`");
    for (size_t i = 0; result == WEIR_OK && i < BASE_COUNT(steps); ++i)
        result = steps[i](&r);
    info->triangles_after = surface->triangle_count;
    info->volume_after = enclosed_volume(surface);
    return result;
}
