/* The options that clean the particles which commands read, and the loading of such particles. */
#include "app.h"

#define REACHABLE_CELLS 4.0e12 /* half of what a mesher can number: weir_mesher_run */

/* A log that begins each message with the name of a file. */
typedef struct file_log {
    const weir_log *to;
    const char *path;
} file_log;

static void log_with_path(void *user, weir_log_level level, const char *text)
{
    const file_log *file = user;
    char *named = base_format("%s: %s", file->path, text);
    base_log(file->to, level, "%s", named ? named : text);
    base_free(named);
}

static weir_result filter_particles(const weir_log *log, const char *path,
                                    const weir_particles_filter_def *def, weir_particles *particles,
                                    weir_particles_filter_info *dropped)
{
    file_log file = {log, path};
    const weir_log named = {.write = log_with_path, .user = &file, .level = log->level};
    return weir_particles_filter(&named, particles, def, dropped);
}

/* Applies --crop and --drop-outliers. */
static weir_result apply_options(const weir_log *log, const char *path,
                                 const app_particle_options *options, weir_particles *particles)
{
    weir_particles_filter_def def = weir_particles_filter_def_default();
    weir_particles_filter_info dropped;
    if (!options->crop.given && !options->drop_outliers) return WEIR_OK;
    if (options->crop.given) {
        memcpy(def.crop_min, options->crop.min, sizeof def.crop_min);
        memcpy(def.crop_max, options->crop.max, sizeof def.crop_max);
    }
    def.drop_outliers = options->drop_outliers;
    WEIR_RETURN_IF_ERROR(filter_particles(log, path, &def, particles, &dropped));
    if (dropped.cropped)
        base_log(log, WEIR_LOG_INFO, "%s: --crop: %u particle%s left out", path, dropped.cropped,
                 base_plural(dropped.cropped));
    if (dropped.outliers)
        base_log(log, WEIR_LOG_INFO,
                 "%s: --drop-outliers: %u particle%s left out; the farthest is number %u at "
                 "(%.9g, %.9g, %.9g)",
                 path, dropped.outliers, base_plural(dropped.outliers), dropped.farthest,
                 dropped.position[0], dropped.position[1], dropped.position[2]);
    return WEIR_OK;
}

uint32_t app_list_attributes(const weir_scene *scene, weir_attribute *list)
{
    uint32_t count = 0;
    while (count < WEIR_MAX_ATTRIBUTES && weir_scene_get_attribute(scene, count, &list[count]))
        count++;
    return count;
}

void app_attributes_of_scene(const weir_scene *scene, app_attributes *attributes)
{
    weir_attribute found[WEIR_MAX_ATTRIBUTES];
    attributes->count = app_list_attributes(scene, found);
    for (uint32_t i = 0; i < attributes->count; i++) {
        snprintf(attributes->names[i], sizeof attributes->names[0], "%s", found[i].name);
        attributes->components[i] = found[i].components;
    }
}

weir_result app_particles_load(const weir_log *log, const char *path,
                               const app_particle_options *options,
                               const app_attributes *attributes, weir_particles *particles)
{
    weir_result result;
    weir_attribute wanted[WEIR_MAX_ATTRIBUTES];
    for (uint32_t i = 0; i < attributes->count; i++)
        wanted[i] = (weir_attribute){attributes->names[i], attributes->components[i]};
    WEIR_RETURN_IF_ERROR(
        weir_particles_load_attributes(log, path, wanted, attributes->count, particles));
    WEIR_GOTO_IF_ERROR(apply_options(log, path, options, particles));
    if (!options->strict || particles->skipped == 0) return WEIR_OK;
    result = base_fail(log, WEIR_ERROR_IO,
                       "%s: %u particle%s with numbers that are not finite; without --strict they "
                       "are left out",
                       path, particles->skipped, base_plural(particles->skipped));
fail:
    weir_particles_free(particles);
    return result;
}

/* Returns the number of cells of this size in the bounding box of the particles. */
static double count_cells(const weir_points_def *points, double cell_m)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double cells = 1;
    for (size_t i = 0; i < 3 * (size_t)points->count; ++i) {
        low[i % 3] = fminf(low[i % 3], points->position[i]);
        high[i % 3] = fmaxf(high[i % 3], points->position[i]);
    }
    for (int axis = 0; axis < 3; ++axis)
        cells *= ((double)high[axis] - (double)low[axis]) / cell_m + 64;
    return points->count ? cells : 0;
}

weir_result app_particles_limit_extent(const weir_log *log, const char *path,
                                       const app_particle_options *options, double cell_m,
                                       weir_particles *particles)
{
    weir_particles_filter_def def = weir_particles_filter_def_default();
    weir_particles_filter_info dropped;
    def.drop_outliers = true;
    uint32_t count = particles->points.count;
    if (count_cells(&particles->points, cell_m) <= REACHABLE_CELLS) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(filter_particles(log, path, &def, particles, &dropped));
    if (dropped.outliers == 0) return WEIR_OK; /* the mesher says what is wrong */
    if (options->strict)
        return base_fail(log, WEIR_ERROR_IO,
                         "%s: particle %u at (%.9g, %.9g, %.9g) is too far from the other %u to be "
                         "meshed with them; without --strict, or with --crop or --drop-outliers, "
                         "it is left out",
                         path, dropped.farthest, dropped.position[0], dropped.position[1],
                         dropped.position[2], count - 1);
    base_log(log, WEIR_LOG_WARNING,
             "%s: %u particle%s too far from the others to be meshed with them: left out; the "
             "farthest is number %u at (%.9g, %.9g, %.9g)",
             path, dropped.outliers, dropped.outliers == 1 ? " is" : "s are", dropped.farthest,
             dropped.position[0], dropped.position[1], dropped.position[2]);
    return WEIR_OK;
}
