/* --residuals: writes the density error of every substep and iteration as CSV. */
#include "run_internal.h"
#include "weir/profile.h"

#define ITERATIONS_MAX 128u

weir_result residuals_open(const weir_log *log, const char *path, bool resume)
{
    static const char header[] = "frame,substep,iteration,error_mean,error_max\n";
    if (resume && base_path_is_file(path)) return WEIR_OK;
    return base_file_write(log, path, header, sizeof header - 1);
}

static weir_result append_substep(base_text *text, weir_sim *sim, uint64_t frame, uint32_t substep)
{
    weir_residual residuals[ITERATIONS_MAX];
    uint32_t count = ITERATIONS_MAX;
    weir_result result = weir_sim_get_residuals(sim, substep, residuals, &count);
    for (uint32_t i = 0; result == WEIR_OK && i < count; ++i) {
        char mean[32], max[32];
        base_print_float(mean, (float)residuals[i].mean);
        base_print_float(max, (float)residuals[i].max);
        if (!base_text_append(text, "%llu,%u,%u,%s,%s\n", (unsigned long long)frame, substep, i,
                              mean, max))
            result = WEIR_ERROR_MEMORY;
    }
    return result;
}

weir_result residuals_append(const weir_log *log, const char *path, weir_sim *sim)
{
    weir_stats stats;
    base_text text = {0};
    weir_result result;
    WEIR_GOTO_IF_ERROR(weir_sim_get_stats(sim, &stats));
    for (uint32_t s = 0; s < stats.substeps_in_frame; ++s)
        WEIR_GOTO_IF_ERROR(append_substep(&text, sim, stats.frame, s));
    WEIR_GOTO_IF_ERROR(base_file_append(log, path, text.items, text.count));
fail:
    base_free(text.items);
    return result;
}
