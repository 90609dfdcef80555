/* weir whitewater: the frames to read, and the scene that they belong to. */
#include "whitewater_command_internal.h"

/* In spacings: free space above the particles of frames without a scene, and the support radius. */
#define TANK_MARGIN_SPACINGS 2.0f
#define SUPPORT_SPACINGS 2.0f

/* ---- files ---------------------------------------------------------------------------------- */

static weir_result find_files(whitewater_plan *plan)
{
    const whitewater_options *o = plan->options;
    for (uint32_t i = 0; i < o->words.count; ++i)
        WEIR_RETURN_IF_ERROR(sequence_add(&plan->log, o->words.items[i], false, &plan->files));
    WEIR_RETURN_IF_ERROR(sequence_sort(&plan->log, &plan->files));
    sequence_keep_frames(&plan->files, &(args_steps){o->frames, 1});
    if (plan->files.files.count < 2)
        return base_fail(&plan->log, WEIR_ERROR_ARGUMENT,
                         "whitewater needs at least two frames, found %zu",
                         plan->files.files.count);
    plan->run = sequence_run_folder(plan->files.files.items[0].path);
    return WEIR_OK;
}

/* ---- frames without a scene ----------------------------------------------------------------- */

/* Computes the bounds of all frames, as stored. */
static weir_result measure_bounds(const whitewater_plan *plan, float low[3], float high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (size_t i = 0; i < plan->files.files.count && !base_interrupted(); i++) {
        weir_particles_info info;
        WEIR_RETURN_IF_ERROR(
            weir_particles_inspect(&plan->log, plan->files.files.items[i].path, &info));
        for (int k = 0; info.count > 0 && k < 3; k++) {
            low[k] = fminf(low[k], (float)info.min[k]);
            high[k] = fmaxf(high[k], (float)info.max[k]);
        }
    }
    if (low[0] <= high[0]) return WEIR_OK;
    return base_fail(&plan->log, WEIR_ERROR_IO, "none of the frames has particles");
}

static weir_result find_spacing(const whitewater_plan *plan, double *spacing_m)
{
    *spacing_m = plan->options->spacing;
    for (size_t i = 0; !(*spacing_m > 0) && i < plan->files.files.count; i++) {
        weir_particles particles;
        WEIR_RETURN_IF_ERROR(
            weir_particles_load(&plan->log, plan->files.files.items[i].path, &particles));
        *spacing_m = (double)particles.points.spacing_m;
        if (*spacing_m > 0 && particles.spacing_estimated)
            base_log(&plan->log, WEIR_LOG_INFO,
                     "estimated a particle spacing of %g m; --spacing overrides it", *spacing_m);
        weir_particles_free(&particles);
    }
    if (*spacing_m > 0) return WEIR_OK;
    return base_fail(&plan->log, WEIR_ERROR_IO,
                     "cannot estimate the particle spacing: set it with --spacing METRES");
}

/* Checks that the tank, which extends half a spacing beyond the particles, is at least as wide as
 * the support radius. */
static weir_result check_extent(const whitewater_plan *plan, const float low[3],
                                const float high[3], double d)
{
    static const char *const names[] = {"x", "y", "z"};
    const int up = plan->written.y_up ? 1 : 2; /* along this axis there is more space */
    for (int k = 0; k < 3; k++) {
        double extent = (double)high[k] - (double)low[k];
        if (k == up || extent + d >= (double)SUPPORT_SPACINGS * d) continue;
        return base_fail(&plan->log, WEIR_ERROR_ARGUMENT,
                         "the particles of all %zu frames span only %.3g m along %s, expected at "
                         "least their spacing, %.3g m: set a smaller spacing with --spacing, or "
                         "name their scene with --scene",
                         plan->files.files.count, extent, names[k], d);
    }
    return WEIR_OK;
}

/* Creates a tank around all frames, open at the top. */
static weir_result create_tank_scene(whitewater_plan *plan, const weir_scene_def *def)
{
    float low[3], high[3];
    double d;
    bool z_up = !plan->written.y_up;
    WEIR_RETURN_IF_ERROR(measure_bounds(plan, low, high));
    WEIR_RETURN_IF_ERROR(find_spacing(plan, &d));
    WEIR_RETURN_IF_ERROR(check_extent(plan, low, high, d));
    /* The fluid serves no purpose; a scene must contain one. */
    float turned_low[3] = {low[0], z_up ? low[2] : low[1], z_up ? -high[1] : low[2]};
    float turned_high[3] = {high[0], z_up ? high[2] : high[1], z_up ? -low[1] : high[2]};
    double half = 0.5 * d, margin = (double)TANK_MARGIN_SPACINGS * d;
    char *box = base_format("\"min\": [%.9g, %.9g, %.9g], \"max\": [%.9g, %.9g, %.9g]",
                            (double)turned_low[0] - half, (double)turned_low[1] - half,
                            (double)turned_low[2] - half, (double)turned_high[0] + half,
                            (double)turned_high[1] + margin, (double)turned_high[2] + half);
    char *text =
        box ? base_format("{\"name\": \"stored frames\", \"spacing\": %.9g, \"whitewater\": {},"
                          " \"domain\": {%s, \"sides\": {\"y\": [\"closed\", \"open\"]}},"
                          " \"fluids\": [{\"name\": \"water\","
                          " \"fill\": {\"shape\": {\"box\": {%s}}}}]}",
                          d, box, box)
            : NULL;
    base_free(box);
    if (!text) return base_fail(&plan->log, WEIR_ERROR_MEMORY, "not enough memory for a scene");
    weir_result result = weir_scene_parse(text, strlen(text), def, &plan->scene);
    base_free(text);
    return result;
}

/* ---- scene ---------------------------------------------------------------------------------- */

/* Loads the scene that was named; otherwise that of the run that wrote the frames; otherwise
 * creates a tank around them. */
static weir_result find_scene(whitewater_plan *plan)
{
    weir_result result = WEIR_OK;
    const app_scene_options *source = &plan->options->source;
    weir_scene_def def = weir_scene_def_default();
    char *run = plan->run ? base_path_join(plan->run, "run.json") : NULL;
    const char *path = source->scene ? source->scene : run;
    def.log = plan->log;
    def.overrides = source->set.items;
    def.override_count = source->set.count;
    plan->written = weir_output_def_default();
    if (run) WEIR_GOTO_IF_ERROR(weir_output_def_read(run, &plan->written));
    if (plan->options->up != ARGS_NOT_GIVEN) plan->written.y_up = plan->options->up == 0;
    if (path)
        WEIR_GOTO_IF_ERROR(weir_scene_load(path, &def, &plan->scene));
    else
        WEIR_GOTO_IF_ERROR(create_tank_scene(plan, &def));
    weir_scene_get_info(plan->scene, &plan->info);
    plan->rate_hz = plan->options->rate > 0 ? plan->options->rate
                    : path                  ? plan->info.frame_rate_hz
                                            : 0.0;
fail:
    base_free(run);
    return result;
}

static weir_result choose_output_folder(whitewater_plan *plan)
{
    const whitewater_options *o = plan->options;
    plan->folder = o->folder   ? base_strdup(o->folder)
                   : plan->run ? base_path_join(plan->run, "whitewater")
                               : base_strdup("whitewater");
    if (!plan->folder)
        return base_fail(&plan->log, WEIR_ERROR_MEMORY, "not enough memory for a folder's name");
    if (o->format != ARGS_NOT_GIVEN)
        plan->written.particle_format = (weir_particle_format)o->format;
    return WEIR_OK;
}

weir_result whitewater_plan_create(const whitewater_options *options, whitewater_plan *plan)
{
    *plan = (whitewater_plan){.options = options, .log = app_log(options->source.quiet)};
    WEIR_RETURN_IF_ERROR(find_files(plan));
    WEIR_RETURN_IF_ERROR(find_scene(plan));
    return choose_output_folder(plan);
}

void whitewater_plan_free(whitewater_plan *plan)
{
    weir_scene_destroy(&plan->scene);
    sequence_free(&plan->files);
    base_free(plan->run);
    base_free(plan->folder);
}
