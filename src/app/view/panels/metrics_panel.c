/* The panel Figures: curves of recent frames, and the times of the GPU's passes. */
#include "panel_parts.h"

/* Prints three digits, without an exponent below a million. */
static const char *format_figure(char out[32], float value)
{
    snprintf(out, 32, fabsf(value) >= 100 && fabsf(value) < 1e6f ? "%.0f" : "%.3g", (double)value);
    return out;
}

static void plot_series(const char *name, const char *unit, const view_series *series)
{
    float values[VIEW_HISTORY];
    char label[160], now[32], median[32], p95[32];
    uint32_t n = view_series_read(series, values);
    view_percentiles s = view_series_percentiles(series);
    snprintf(label, sizeof label, "%s %s %s\nmedian %s, p95 %s", name, format_figure(now, s.now),
             unit, format_figure(median, s.median), format_figure(p95, s.p95));
    gui_plot(label, values, n);
}

/* Adds a heading above the passes of a stage, unless the previous pass belongs to the same
 * stage. */
static void show_stage(const view_timings *times, uint32_t pass)
{
    const char *stage = times->passes[pass].stage;
    if (!stage[0] || (pass > 0 && strcmp(times->passes[pass - 1].stage, stage) == 0)) return;
    gui_cell(GUI_STRONG, stage);
    for (int column = 1; column < 4; column++)
        gui_cell(GUI_PLAIN, "");
}

static void show_passes(const view_timings *times, bool timestamps)
{
    static const char *const headings[] = {"pass, ms", "now", "median", "p95"};
    if (times->pass_count == 0) {
        gui_text(GUI_DIMMED, timestamps ? "no pass has run yet" : "this device has no timestamps");
        return;
    }
    if (!gui_table_begin("passes", headings, 4)) return;
    for (uint32_t i = 0; i < times->pass_count; i++) {
        view_percentiles s = view_series_percentiles(&times->passes[i].ms);
        show_stage(times, i);
        gui_cell(GUI_PLAIN, times->passes[i].name);
        gui_cell_number((double)s.now, 3);
        gui_cell_number((double)s.median, 3);
        gui_cell_number((double)s.p95, 3);
    }
    gui_table_end();
}

static void show_curves(const view_timings *times, bool timestamps)
{
    plot_series("frame", "ms", &times->frame);
    plot_series("simulation on the GPU", "ms", &times->gpu);
    plot_series("drawing on the GPU", "ms", &times->drawing);
    plot_series("density error", "%", &times->error);
    plot_series("energy", "J", &times->energy);
    if (gui_section("GPU passes of a frame", true)) show_passes(times, timestamps);
}

void panel_show_metrics(const view_timings *times, bool timestamps)
{
    if (gui_panel_begin(&(gui_panel){.title = "Figures", .corner = GUI_TOP_RIGHT, .width = 46}))
        show_curves(times, timestamps);
    gui_panel_end();
}
