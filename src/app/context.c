/* Creates the device and the scene of a command. */
#include "app.h"

/* A copy of scenes/dam_break.json, so that an installed program needs no source tree. */
static const unsigned char dam_break[] = {
#include "dam_break.json.inc"
};

/* With 20,000 particles a CPU driver finishes the run in a minute or two on two cores. The numbers
 * for GPUs give the frame rate of a film preview. */
double app_builtin_particle_count(weir_device_kind kind)
{
    switch (kind) {
    case WEIR_DEVICE_DISCRETE: return 1e6;
    case WEIR_DEVICE_INTEGRATED:
    case WEIR_DEVICE_VIRTUAL: return 2e5;
    case WEIR_DEVICE_CPU:
    case WEIR_DEVICE_OTHER: break;
    }
    return 2e4;
}

weir_device_def app_device_def(const app_scene_options *source, const weir_log *log)
{
    weir_device_def def = weir_device_def_default();
    def.log = *log;
    def.device = source->device;
    def.validation = def.shader_validation = source->validation;
    def.window = source->window;
    def.shader_folder = source->shaders;
    return def;
}

weir_result app_scene_load(const app_scene_options *source, const weir_log *log, double spacing_m,
                           weir_scene **scene)
{
    char spacing[64];
    args_list set = source->set;
    weir_scene_def def = weir_scene_def_default();
    def.log = *log;
    if (spacing_m > 0) {
        char number[32];
        base_print_float(number, (float)spacing_m);
        snprintf(spacing, sizeof spacing, "spacing=%s", number);
        /* Goes first, because a later --set spacing= of the user replaces it. */
        memmove(set.items + 1, set.items, set.count * sizeof set.items[0]);
        set.items[0] = spacing;
        ++set.count;
    }
    def.overrides = set.items;
    def.override_count = set.count;
    if (source->scene) return weir_scene_load(source->scene, &def, scene);
    return weir_scene_parse((const char *)dam_break, sizeof dam_break, &def, scene);
}

double app_spacing_for(const weir_scene *scene, const weir_estimate *needs, double particles)
{
    weir_scene_info info;
    weir_scene_get_info(scene, &info);
    return (double)info.spacing_m * cbrt((double)needs->particles / particles);
}

/* Creates the built-in scene with a number of particles that suits the device. */
static weir_result fit_builtin_scene(const app_scene_options *source, app_context *work)
{
    weir_estimate needs;
    WEIR_RETURN_IF_ERROR(weir_scene_estimate(work->scene, work->device, &needs));
    double spacing =
        app_spacing_for(work->scene, &needs, app_builtin_particle_count(work->info.kind));
    weir_scene_destroy(&work->scene);
    WEIR_RETURN_IF_ERROR(app_scene_load(source, &work->log, spacing, &work->scene));
    base_log(&work->log, WEIR_LOG_INFO, "no scene given: the built-in dam break, sized for %s",
             work->info.name);
    return WEIR_OK;
}

weir_result app_context_open(const app_scene_options *source, app_context *work)
{
    *work = (app_context){.log = source->log ? *source->log : app_log(source->quiet)};
    weir_result result = WEIR_OK;
    weir_device_def def = app_device_def(source, &work->log);
    WEIR_GOTO_IF_ERROR(app_scene_load(source, &work->log, 0, &work->scene));
    WEIR_GOTO_IF_ERROR(weir_device_create(&def, &work->device));
    weir_device_get_info(work->device, &work->info);
    if (!source->scene) WEIR_GOTO_IF_ERROR(fit_builtin_scene(source, work));
    weir_scene_get_info(work->scene, &work->scene_info);
    return WEIR_OK;
fail:
    app_context_close(work);
    return result;
}

void app_context_close(app_context *work)
{
    weir_scene_destroy(&work->scene);
    weir_device_destroy(&work->device);
}

uint32_t app_validation_errors(const weir_log *log, weir_device *device)
{
    uint32_t complaints = device ? weir_device_validation_count(device) : 0;
    if (complaints)
        base_log(log, WEIR_LOG_ERROR, "Vulkan validation reported %u problem%s", complaints,
                 base_plural(complaints));
    return complaints;
}

int app_status(const weir_log *log, weir_device *device, weir_result result)
{
    if (result == WEIR_ERROR_ARGUMENT) return APP_WRONG_USE;
    if (result != WEIR_OK) return APP_FAILED;
    return app_validation_errors(log, device) ? APP_FAILED : APP_DONE;
}

const char *app_program = "weir";

int app_complete_status(const weir_log *log, weir_device *device, weir_result result, int stopped)
{
    int status = app_status(log, device, result);
    if (status != APP_DONE || !base_interrupted()) return status;
    base_log(log, WEIR_LOG_ERROR, "stopped by a signal before finishing");
    return stopped;
}

int app_context_status(const app_context *work, weir_result result)
{
    return app_status(&work->log, work->device, result);
}

/* ---- stored vectors ------------------------------------------------------------------------- */

float *app_to_y_up_metres(const weir_output_def *written, const float *from, uint32_t count)
{
    float scale = (float)(1.0 / written->scale),
          *to = base_alloc((size_t)count + 1u, 3 * sizeof *to);
    for (size_t i = 0; to && i < count; ++i) {
        const float *p = from + 3 * i;
        to[3 * i] = scale * p[0];
        to[3 * i + 1] = scale * (written->y_up ? p[1] : p[2]);
        to[3 * i + 2] = scale * (written->y_up ? p[2] : -p[1]);
    }
    return to;
}
