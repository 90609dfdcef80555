/* Selects the splatter: the requested one, or the faster one by measurement, because some devices
 * rasterize far more slowly than they compute. */
#include "render_internal.h"

#define TRIAL_FRAMES 6u /* per splatter, including warm-up; times arrive some frames late */

static bool is_splat_pass(const char *name)
{
    return strncmp(name, "splat", 5) == 0 && strcmp(name, "project_splats") != 0;
}

/* Returns the GPU time of the splatting passes of the last list; 0: unknown. The sun's splats are
 * always drawn, so they contribute equally to both. */
static double splat_time_ms(const renderer *r)
{
    double sum = 0.0;
    const render_timed_list *list = r->timed;
    for (uint32_t i = 0; list && i < list->count; i++)
        if (is_splat_pass(list->names[i])) sum += gpu_timers_pass_time(list->timers, i).median_ms;
    return sum;
}

/* Draws frames with one splatter, then with the other; the measurement then decides permanently. */
static bool run_trial(renderer *r)
{
    render_splat_trial *trial = &r->trial;
    uint32_t frame = trial->frames++;
    for (uint32_t i = 0; i < RENDER_TIMED_LISTS; i++)
        if (r->timed_lists[i].timers)
            gpu_timers_time_passes(r->timed_lists[i].timers, frame < 2 * TRIAL_FRAMES);
    if (frame < TRIAL_FRAMES) return false;
    if (frame == TRIAL_FRAMES) trial->draw_ms = splat_time_ms(r);
    if (frame < 2 * TRIAL_FRAMES) return true;
    if (frame == 2 * TRIAL_FRAMES) {
        double compute_ms = splat_time_ms(r);
        trial->compute = trial->draw_ms > 0.0 && compute_ms > 0.0 && compute_ms < trial->draw_ms;
        base_log(gpu_device_log(r->device), WEIR_LOG_DEBUG,
                 "splats: %.3f ms drawn, %.3f ms computed; using: %s", trial->draw_ms, compute_ms,
                 trial->compute ? "computed" : "drawn");
    }
    trial->frames = 2 * TRIAL_FRAMES + 1;
    return trial->compute;
}

bool render_is_in_trial(const renderer *r)
{
    return r->trial.frames > 0 && r->trial.frames <= 2 * TRIAL_FRAMES;
}

bool render_uses_compute_splats(renderer *r, const render_frame *frame)
{
    const weir_device_info *info = gpu_device_info(r->device);
    if (!frame->points || frame->mesh || render_draws_opaque(frame->view)) return false;
    if (frame->view->splat_method != WEIR_SPLAT_AUTO)
        return frame->view->splat_method == WEIR_SPLAT_COMPUTE;
    return info->kind != WEIR_DEVICE_CPU && info->timestamps && run_trial(r);
}
