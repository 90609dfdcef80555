/* The steps after marching cubes, in their order. */
#include "surface_internal.h"

/* Smallest angles in degrees that are mended after a step has moved vertices. */
#define SMOOTHED_DEGREES 20.0f
#define MOVED_DEGREES 5.0f
#define DECIMATED_DEGREES 1.0f

typedef struct refiner {
    const weir_log *log;
    mesher_surface *surface;
    const weir_mesh_refine_def *def;
    const mesher_solid *solid;
    weir_mesh_refine_info *info;
    float cell_m;
} refiner;

static double volume_of(const mesher_surface *surface)
{
    double sum = 0;
    for (uint32_t t = 0; t < surface->triangle_count; ++t) {
        double volume_6, area_2;
        surface_measure(surface->position, surface->index + 3 * (size_t)t, surface->position[0],
                        &volume_6, &area_2);
        sum += volume_6;
    }
    return sum / 6;
}

static void add_clean(refiner *r, const mesher_clean_info *clean)
{
    r->info->edges_collapsed += clean->collapsed;
    r->info->edges_flipped += clean->flipped;
    r->info->flat_triangles += clean->removed;
    r->info->degenerate = clean->degenerate;
}

static weir_result mend(refiner *r, float degrees)
{
    mesher_clean_info clean = {0};
    const weir_result result = mesher_surface_mend(r->log, r->surface, degrees, &clean);
    add_clean(r, &clean);
    return result;
}

static weir_result step_clean(refiner *r)
{
    mesher_clean_info clean = {0};
    if (!r->def->clean) return WEIR_OK;
    const weir_result result = mesher_surface_clean(r->log, r->surface, r->cell_m, &clean);
    add_clean(r, &clean);
    return result;
}

/* The counts hold for the positions before the smoothing. */
static void drop_neighbours(mesher_surface *surface)
{
    mesher_channel *channel = surface_find_channel(surface, MESHER_NEIGHBOURS);
    if (!channel) return;
    base_free(channel->values);
    const mesher_channel *end = &surface->channel[surface->channel_count--];
    memmove(channel, channel + 1, (size_t)(end - channel - 1) * sizeof *channel);
}

static weir_result step_smooth(refiner *r)
{
    const weir_mesh_refine_def *def = r->def;
    if (def->smoothing == WEIR_MESH_SMOOTHING_NONE || def->smooth_iterations == 0) return WEIR_OK;
    const bool weigh =
        def->smooth_neighbours > 0 && surface_find_channel(r->surface, MESHER_NEIGHBOURS);
    const mesher_smooth_def smooth = {
        .kind = def->smoothing == WEIR_MESH_SMOOTHING_TAUBIN ? MESHER_SMOOTH_TAUBIN
                                                             : MESHER_SMOOTH_LAPLACE,
        .iterations = def->smooth_iterations,
        .strength = def->smooth_strength,
        .weight = weigh ? MESHER_NEIGHBOURS : NULL,
        .weight_full = def->smooth_neighbours,
    };
    const weir_result result = mesher_surface_smooth(r->log, r->surface, &smooth);
    drop_neighbours(r->surface);
    if (result != WEIR_OK || !def->clean) return result;
    return mend(r, SMOOTHED_DEGREES);
}

static weir_result step_filter(refiner *r)
{
    const mesher_filter_def filter = {r->def->min_triangles, r->def->min_volume_m3,
                                      r->def->remove_voids};
    if (filter.min_triangles == 0 && filter.min_volume <= 0 && !filter.remove_voids) return WEIR_OK;
    mesher_filter_info info;
    const weir_result result = mesher_surface_filter(r->log, r->surface, &filter, &info);
    r->info->components = info.parts;
    r->info->voids = info.voids;
    r->info->components_removed = info.small_parts;
    r->info->voids_removed = info.filled_voids;
    return result;
}

static weir_result step_decimate(refiner *r)
{
    const double kept = r->def->keep_ratio * r->surface->triangle_count;
    mesher_decimate_def decimate = {r->def->max_triangles, r->def->decimate_error_m};
    if (kept < decimate.triangles) decimate.triangles = (uint32_t)kept;
    if (decimate.triangles >= r->surface->triangle_count) return WEIR_OK;
    mesher_decimate_info info;
    const weir_result result = mesher_surface_decimate(r->log, r->surface, &decimate, &info);
    r->info->decimated = info.before - info.after;
    r->info->cuts = info.cuts;
    r->info->decimate_error_m = info.error_m;
    return result == WEIR_OK ? mend(r, DECIMATED_DEGREES) : result;
}

/* The mending may lift vertices off again, so they go back at the end. */
static weir_result step_solids(refiner *r)
{
    if (!r->solid) return WEIR_OK;
    const float band = r->def->solid_band_m > 0 ? r->def->solid_band_m : r->cell_m;
    const mesher_snap_def snap = {band, r->def->solid_offset_m};
    r->info->snapped = mesher_surface_snap(r->surface, r->solid, &snap);
    if (r->info->snapped == 0) return WEIR_OK;
    const weir_result result = mend(r, MOVED_DEGREES);
    mesher_surface_snap(r->surface, r->solid, &snap);
    return result;
}

static weir_result step_box(refiner *r)
{
    const float *low = r->def->box_min, *high = r->def->box_max;
    const vec3 min = {low[0], low[1], low[2]}, max = {high[0], high[1], high[2]};
    if (!r->def->clamp) return WEIR_OK;
    r->info->clamped = mesher_surface_clamp(r->surface, min, max);
    if (r->info->clamped == 0) return WEIR_OK;
    const weir_result result = mend(r, MOVED_DEGREES);
    mesher_surface_clamp(r->surface, min, max);
    return result;
}

static weir_result step_normals(refiner *r)
{
    if (r->def->normals == WEIR_MESH_NORMALS_FACES)
        return mesher_surface_normals(r->log, r->surface, r->def->normal_iterations);
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
    weir_result (*const steps[])(refiner *) = {step_clean,  step_smooth, step_filter, step_decimate,
                                               step_solids, step_box,    step_normals};
    refiner r = {log, surface, def, solid, info, def->cell_m > 0 ? def->cell_m : surface->cell_m};
    *info = (weir_mesh_refine_info){.triangles_before = surface->triangle_count,
                                    .volume_before = volume_of(surface)};
    weir_result result = WEIR_OK;
    if (surface->triangle_count == 0) return WEIR_OK;
    if (r.cell_m <= 0 && (def->clean || solid))
        return base_fail(log, WEIR_ARGUMENT, "the mesh's cell is not known: set `cell_m`");
    for (size_t i = 0; result == WEIR_OK && i < BASE_COUNT(steps); ++i)
        result = steps[i](&r);
    info->triangles_after = surface->triangle_count;
    info->volume_after = volume_of(surface);
    return result;
}
