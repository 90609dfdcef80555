/* Writes gauges.csv: one line per frame, or per substep, from frame 1 on. */
#include "output_internal.h"

/* Returns a unit as it appears in column names. */
static const char *const suffixes[] = {"m", "m", "pa", "n", "m3_s"};

static bool append_name(base_text *line, const weir_gauge *gauge, uint32_t component)
{
    static const char *const axes[] = {"_x", "_y", "_z"};
    bool ok = base_text_append(line, ",");
    for (const char *c = gauge->name; ok && *c; ++c) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || *c == '-' || *c == '.';
        ok = base_text_append_bytes(line, plain ? c : "_", 1);
    }
    return ok && base_text_append(line, "%s_%s", gauge->components > 1 ? axes[component] : "",
                                  suffixes[gauge->kind]);
}

static bool append_header(const weir_output *output, base_text *text)
{
    const scene_data *scene = api_sim_scene_data(output->sim);
    bool ok =
        base_text_append(text, "frame,time_s%s", output->def.gauges_per_substep ? ",substep" : "");
    for (uint32_t i = 0; ok && i < scene->gauge_count; ++i) {
        weir_gauge gauge = {.name = scene->gauges[i].name,
                            .kind = (weir_gauge_kind)scene->gauges[i].kind,
                            .components = scene->gauges[i].kind == SCENE_GAUGE_FORCE ? 3 : 1};
        for (uint32_t k = 0; ok && k < gauge.components; ++k)
            ok = append_name(text, &gauge, k);
    }
    return ok && base_text_append(text, "\n");
}

weir_result output_open_gauges(weir_output *output, const weir_stats *stats)
{
    const weir_log *log = &output->def.log;
    base_text text = {0};
    output->frame_time_s = stats->time_s;
    if (api_sim_scene_data(output->sim)->gauge_count == 0) return WEIR_OK;
    output->gauges_path = base_path_join(output->folder, "gauges.csv");
    if (!output->gauges_path)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a path");
    weir_result result =
        append_header(output, &text)
            ? output_open_line_table(output, output->gauges_path, &text, stats->frame)
            : base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for a line",
                        output->gauges_path);
    base_free(text.items);
    return result;
}

typedef struct gauge_time {
    double time_s;
    uint32_t substep; /* WEIR_ENTIRE_FRAME: the frame as a whole */
} gauge_time;

static weir_result append_gauge_line(weir_output *output, output_frame *frame, gauge_time at)
{
    const weir_log *log = &output->def.log;
    weir_gauge gauges[SCENE_MAX_GAUGES];
    uint32_t count = SCENE_MAX_GAUGES;
    base_text *text = &frame->gauges;
    WEIR_RETURN_IF_ERROR(weir_sim_get_gauges(output->sim, at.substep, gauges, &count));
    bool ok = base_text_append(text, "%llu,", (unsigned long long)frame->stats.frame) &&
              output_append_number(text, at.time_s);
    if (ok && at.substep != WEIR_ENTIRE_FRAME) ok = base_text_append(text, ",%u", at.substep);
    for (uint32_t i = 0; ok && i < count; ++i)
        for (uint32_t k = 0; ok && k < gauges[i].components; ++k)
            ok = base_text_append(text, ",") && output_append_number(text, gauges[i].value[k]);
    if (ok && base_text_append(text, "\n")) return WEIR_OK;
    return base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for a line",
                     output->gauges_path);
}

weir_result output_read_gauges(weir_output *output, output_frame *frame)
{
    weir_result result = WEIR_OK;
    const weir_stats *stats = &frame->stats;
    double start = output->frame_time_s, whole = stats->time_s - start;
    output->frame_time_s = stats->time_s;
    if (!output->gauges_path || !(whole > 0)) return WEIR_OK;
    if (!output->def.gauges_per_substep)
        return append_gauge_line(output, frame, (gauge_time){stats->time_s, WEIR_ENTIRE_FRAME});
    for (uint32_t s = 0; result == WEIR_OK && s < stats->substeps_in_frame; ++s)
        result = append_gauge_line(
            output, frame, (gauge_time){start + whole * (s + 1) / stats->substeps_in_frame, s});
    return result;
}

weir_result output_append_gauges(const weir_output *output, const output_frame *frame)
{
    if (frame->gauges.count == 0) return WEIR_OK;
    return base_file_append(&output->def.log, output->gauges_path, frame->gauges.items,
                            frame->gauges.count);
}
