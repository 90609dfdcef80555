/* weir whitewater: loads stored frames in metres with y up. */
#include "whitewater_command_internal.h"

#define SAME_TIME_S 1e-6 /* files store times with few digits */

/* Determines the frame's time from the frame rate, unless the file contains another. */
static weir_result find_time(const whitewater_plan *plan, const sequence_file *file,
                             whitewater_input_frame *frame)
{
    double named_s = frame->file.time_s;
    double counted_s = plan->rate_hz > 0 ? (double)frame->number / plan->rate_hz : 0.0;
    bool counts =
        plan->options->rate > 0 || named_s == 0 || fabs(named_s - counted_s) < SAME_TIME_S;
    frame->time_s = counts ? counted_s : named_s;
    bool first = file == plan->files.files.items; /* which may be at time 0 */
    if (named_s > 0 || plan->rate_hz > 0 || first) return WEIR_OK;
    return base_fail(&plan->log, WEIR_ERROR_ARGUMENT,
                     "%s: the time of this frame is unknown, since neither the file nor a run.json "
                     "gives it: set the frames per second with --rate",
                     file->path);
}

static weir_result report_missing_data(const whitewater_plan *plan, const sequence_file *file)
{
    return base_fail(&plan->log, WEIR_ERROR_IO,
                     "%s: the particles have neither velocities nor ids from which velocities "
                     "could be computed: write one of the two",
                     file->path);
}

weir_result whitewater_input_load(const whitewater_plan *plan, const sequence_file *file,
                                  whitewater_input_frame *frame)
{
    weir_result result;
    weir_attribute attributes[WEIR_MAX_ATTRIBUTES];
    const uint32_t count = app_list_attributes(plan->scene, attributes);
    *frame = (whitewater_input_frame){0};
    WEIR_GOTO_IF_ERROR(
        weir_particles_load_attributes(&plan->log, file->path, attributes, count, &frame->file));
    weir_particles_set_origin(&frame->file, (const double[3]){0, 0, 0});
    const weir_points_def *points = &frame->file.points;
    uint32_t first = plan->run ? plan->written.start_frame : 0;
    frame->number = file->frame >= first ? file->frame - first : file->frame;
    WEIR_GOTO_IF_ERROR(find_time(plan, file, frame));
    if (!points->velocity && !points->id && points->count > 0)
        WEIR_GOTO_IF_ERROR(report_missing_data(plan, file));
    frame->position = app_to_y_up_metres(&plan->written, points->position, points->count);
    if (points->velocity)
        frame->velocity = app_to_y_up_metres(&plan->written, points->velocity, points->count);
    if (frame->position && (frame->velocity || !points->velocity)) return WEIR_OK;
    result = base_fail(&plan->log, WEIR_ERROR_MEMORY, "%s: not enough memory", file->path);
fail:
    whitewater_input_free(frame);
    return result;
}

void whitewater_input_free(whitewater_input_frame *frame)
{
    base_free(frame->position);
    base_free(frame->velocity);
    weir_particles_free(&frame->file);
    *frame = (whitewater_input_frame){0};
}
