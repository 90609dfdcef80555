/* gauges.csv: a row per frame, or per substep, from frame 1 on. */
#include "output_internal.h"

#define GAUGES_FILE_MAX ((size_t)1 << 30)

/* Units as column names have them. */
static const char *const suffixes[] = {"m", "m", "pa", "n", "m3_s"};

static bool append_name(base_text *row, const weir_gauge *gauge, uint32_t component)
{
    static const char *const axes[] = {"_x", "_y", "_z"};
    bool ok = base_text_append(row, ",");
    for (const char *c = gauge->name; ok && *c; ++c) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || *c == '-' || *c == '.';
        ok = base_text_bytes(row, plain ? c : "_", 1);
    }
    return ok && base_text_append(row, "%s_%s", gauge->components > 1 ? axes[component] : "",
                                  suffixes[gauge->kind]);
}

static bool append_header(const weir_output *output, base_text *text)
{
    const scene_data *scene = output->sim->scene->data;
    bool ok =
        base_text_append(text, "frame,time_s%s", output->def.gauge_substeps ? ",substep" : "");
    for (uint32_t i = 0; ok && i < scene->gauge_count; ++i) {
        weir_gauge gauge = {.name = scene->gauges[i].name,
                            .kind = (weir_gauge_kind)scene->gauges[i].kind,
                            .components = scene->gauges[i].kind == SCENE_GAUGE_FORCE ? 3 : 1};
        for (uint32_t k = 0; ok && k < gauge.components; ++k)
            ok = append_name(text, &gauge, k);
    }
    return ok && base_text_append(text, "\n");
}

/* The old file's rows up to frame `last`, without what a broken write left. */
static bool keep_rows(const base_blob *old, uint64_t last, base_text *text)
{
    if (old->size == 0) return true;
    const char *at = (const char *)old->bytes, *end = at + old->size;
    for (const char *stop; at < end; at = stop) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *next;
        int64_t frame;
        if (!newline) break;
        stop = newline + 1;
        bool kept = base_parse_int64(at, newline, &frame, &next) && frame >= 0 && next < newline &&
                    *next == ',' && (uint64_t)frame <= last;
        if (kept && !base_text_bytes(text, at, (size_t)(stop - at))) return false;
    }
    return true;
}

weir_result output_open_gauges(weir_output *output, const weir_stats *stats)
{
    const weir_log *log = &output->def.log;
    base_blob old = {0};
    base_text text = {0};
    weir_result result = WEIR_OK;
    output->frame_time_s = stats->time_s;
    if (output->sim->scene->data->gauge_count == 0) return WEIR_OK;
    output->gauges_path = base_path_join(output->folder, "gauges.csv");
    if (!output->gauges_path) return base_fail(log, WEIR_MEMORY, "no memory for a path");
    if (output->def.resume && base_path_is_file(output->gauges_path))
        WEIR_TRY(base_file_read(log, output->gauges_path, GAUGES_FILE_MAX, &old));
    if (!append_header(output, &text) || !keep_rows(&old, stats->frame, &text)) {
        result = base_fail(log, WEIR_MEMORY, "%s: no memory for its rows", output->gauges_path);
        goto fail;
    }
    WEIR_TRY(base_file_write(log, output->gauges_path, text.items, text.count));
fail:
    base_blob_free(&old);
    base_free(text.items);
    return result;
}

typedef struct moment {
    double time_s;
    uint32_t substep; /* WEIR_WHOLE_FRAME: of the frame */
} moment;

static weir_result append_row(weir_output *output, output_frame *frame, moment at)
{
    const weir_log *log = &output->def.log;
    weir_gauge gauges[SCENE_MAX_GAUGES];
    uint32_t count = SCENE_MAX_GAUGES;
    base_text *text = &frame->gauges;
    weir_result result = weir_sim_gauges(output->sim, at.substep, gauges, &count);
    if (result != WEIR_OK) return result;
    bool ok = base_text_append(text, "%llu,", (unsigned long long)frame->stats.frame) &&
              api_json_append_number(text, at.time_s);
    if (ok && at.substep != WEIR_WHOLE_FRAME) ok = base_text_append(text, ",%u", at.substep);
    for (uint32_t i = 0; ok && i < count; ++i)
        for (uint32_t k = 0; ok && k < gauges[i].components; ++k)
            ok = base_text_append(text, ",") && api_json_append_number(text, gauges[i].value[k]);
    if (ok && base_text_append(text, "\n")) return WEIR_OK;
    return base_fail(log, WEIR_MEMORY, "%s: no memory for a row", output->gauges_path);
}

weir_result output_read_gauges(weir_output *output, output_frame *frame)
{
    weir_result result = WEIR_OK;
    const weir_stats *stats = &frame->stats;
    double start = output->frame_time_s, whole = stats->time_s - start;
    output->frame_time_s = stats->time_s;
    if (!output->gauges_path || !(whole > 0)) return WEIR_OK;
    if (!output->def.gauge_substeps)
        return append_row(output, frame, (moment){stats->time_s, WEIR_WHOLE_FRAME});
    for (uint32_t s = 0; result == WEIR_OK && s < stats->substeps_in_frame; ++s)
        result = append_row(output, frame,
                            (moment){start + whole * (s + 1) / stats->substeps_in_frame, s});
    return result;
}

weir_result output_append_gauges(const weir_output *output, const output_frame *frame)
{
    if (frame->gauges.count == 0) return WEIR_OK;
    return base_file_append(&output->def.log, output->gauges_path, frame->gauges.items,
                            frame->gauges.count);
}
