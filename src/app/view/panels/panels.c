/* The panels: simulation state, controls, scene parameters, times, and keys. */
#include "panels.h"
#include "dispatch_command.h"

#define FADE_S 8.0 /* duration of a message */

static void print_text(gui_tone tone, const char *format, ...) BASE_PRINTF(2, 3);

static void print_text(gui_tone tone, const char *format, ...)
{
    char text[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    gui_text(tone, text);
}

static void show_command_tooltip(view_command_id id)
{
    char tip[240], keys[64];
    view_print_keys(&view_commands[id], keys, sizeof keys);
    snprintf(tip, sizeof tip, "%s%s%s", view_commands[id].about, keys[0] ? "   " : "", keys);
    gui_tooltip(tip);
}

static void command_button(viewer *v, const char *label, view_command_id id)
{
    bool pressed = gui_button(label);
    show_command_tooltip(id);
    if (pressed) view_run_command(v, &(view_call){.id = id});
}

static void command_checkbox(viewer *v, const char *label, view_command_id id, bool on)
{
    bool changed = gui_check(label, &on);
    show_command_tooltip(id);
    if (changed) view_run_number(v, id, on);
}

static void command_combo(viewer *v, const char *label, view_command_id id, uint32_t chosen)
{
    const view_names *names = id == VIEW_SHOW     ? &view_modes
                              : id == VIEW_COLOUR ? &view_colourings
                              : id == VIEW_METHOD ? &view_methods
                                                  : &view_filters;
    const char *all[32];
    for (uint32_t i = 0; i < names->count; i++)
        all[i] = names->name(i);
    bool changed = gui_combo(label, all, names->count, &chosen);
    show_command_tooltip(id);
    if (changed) view_run_number(v, id, chosen);
}

/* ---- the simulation ------------------------------------------------------------------------- */

static void show_warnings(const weir_stats *s, weir_result failed)
{
    if (failed != WEIR_OK) print_text(GUI_WARNING, "%s", weir_result_name(failed));
    if (s->particle_count == 0) print_text(GUI_WARNING, "There is no fluid in this scene.");
    if (s->removed_non_finite)
        print_text(GUI_WARNING, "%u particle%s removed as NaN or infinite", s->removed_non_finite,
                   base_plural(s->removed_non_finite));
    if (s->density_error_mean > 0.05)
        print_text(GUI_WARNING, "density error %.1f %%: use more substeps or iterations",
                   100 * s->density_error_mean);
    if (s->unconverged_substeps)
        print_text(GUI_WARNING, "%u of %u substeps did not converge: use more iterations",
                   s->unconverged_substeps, s->substeps_in_frame);
    if (s->removed_outside)
        print_text(GUI_DIMMED, "%u particle%s left the domain", s->removed_outside,
                   base_plural(s->removed_outside));
    if (s->clamped_speeds)
        print_text(GUI_DIMMED, "%llu speeds were clamped", (unsigned long long)s->clamped_speeds);
}

static void show_state(const app_context *work, const weir_stats *s)
{
    char memory[32];
    print_text(GUI_STRONG, "%s", work->scene_info.name);
    print_text(GUI_DIMMED, "%s", work->info.name);
    print_text(GUI_PLAIN, "frame %llu   %.3f s   %u particle%s", (unsigned long long)s->frame,
               s->time_s, s->particle_count, base_plural(s->particle_count));
    print_text(GUI_PLAIN, "density error %.2f %% mean, %.1f %% max", 100 * s->density_error_mean,
               100 * s->density_error_max);
    print_text(GUI_PLAIN, "energy %.4g J kinetic, %.4g J potential", s->kinetic_energy_j,
               s->potential_energy_j);
    print_text(GUI_PLAIN, "neighbours %.1f mean, %u max; top speed %.2f m/s", s->neighbours_mean,
               s->neighbours_max, s->speed_max_m_s);
    print_text(GUI_DIMMED, "device memory %s", app_print_bytes(memory, (double)s->memory_bytes));
}

static void show_controls(viewer *v)
{
    const view_session *s = &v->session;
    command_button(v, s->pace.paused ? "Resume" : "Pause", VIEW_PAUSE);
    gui_same_line();
    command_button(v, "Step", VIEW_STEP);
    gui_same_line();
    command_button(v, "Restart", VIEW_RESTART);
    gui_same_line();
    command_button(v, "<", VIEW_PREVIOUS_SCENE);
    gui_same_line();
    command_button(v, ">", VIEW_NEXT_SCENE);
    gui_same_line();
    command_button(v, "Keys", VIEW_HELP);
    command_checkbox(v, "slow", VIEW_SLOW, s->pace.slow);
    gui_same_line();
    command_checkbox(v, "gravity", VIEW_GRAVITY, !s->gravity_off);
    gui_same_line();
    command_checkbox(v, "jet", VIEW_HOSE, s->emitting);
    gui_same_line();
    command_button(v, "Picture", VIEW_SHOT);
    gui_same_line();
    command_button(v, v->video.on ? "Stop film" : "Film", VIEW_RECORD);
}

static void show_appearance(viewer *v)
{
    const view_appearance *appearance = &v->appearance;
    command_combo(v, "method", VIEW_METHOD, v->session.work.scene_info.method);
    command_combo(v, "drawn", VIEW_SHOW, appearance->mode);
    if (appearance->mode == WEIR_RENDER_MODE_ELLIPSOIDS ||
        appearance->mode == WEIR_RENDER_MODE_PARTICLES)
        command_combo(v, "colour by", VIEW_COLOUR, appearance->colouring);
    else
        command_combo(v, "depth filter", VIEW_FILTER, appearance->filter);
    command_checkbox(v, "shadows", VIEW_SHADOWS, appearance->shadows);
    gui_same_line();
    command_checkbox(v, "whitewater", VIEW_WHITEWATER, appearance->whitewater);
    gui_same_line();
    double samples = appearance->samples;
    if (gui_slider_edit(&(gui_slider){"samples", 1, 1, 4, true}, &samples) != GUI_UNTOUCHED)
        view_run_number(v, VIEW_SAMPLES, samples);
}

static void set_slice(viewer *v, uint32_t shown, uint32_t axis, double place)
{
    view_run_command(
        v, &(view_call){.id = VIEW_SLICE,
                        .values = {{true, shown, NULL}, {true, axis, NULL}, {true, place, NULL}}});
}

static bool pick_name(const char *label, const view_names *names, uint32_t *chosen)
{
    const char *all[8];
    WEIR_ASSERT(names->count <= BASE_COUNT(all));
    for (uint32_t i = 0; i < names->count; i++)
        all[i] = names->name(i);
    bool changed = gui_combo(label, all, names->count, chosen);
    show_command_tooltip(VIEW_SLICE);
    return changed;
}

/* Shows the controls of the slice, for methods with a grid. */
static void show_slice(viewer *v)
{
    uint32_t shown = v->slice.shown, axis = v->slice.axis;
    double place = v->slice.place;
    if (!view_method_has_grid(v->session.work.scene_info.method)) return;
    bool changed = pick_name("slice", &view_slices, &shown);
    if (v->slice.shown) {
        changed |= pick_name("across", &view_axes, &axis);
        changed |= gui_slider_edit(&(gui_slider){"at", 1, 0, 1, false}, &place) != GUI_UNTOUCHED;
    }
    if (changed) set_slice(v, shown, axis, place);
}

/* ---- the scene's parameters ----------------------------------------------------------------- */

/* Returns the part of a key before its last dot, such as "fluids[0]"; "scene" if there is no
 * dot. */
static void param_group(const char *key, char out[96])
{
    const char *dot = strrchr(key, '.');
    snprintf(out, 96, "%.*s", dot ? (int)(dot - key) : 5, dot ? key : "scene");
}

static void apply_param(viewer *v, const weir_param *param, const double *values)
{
    char change[256];
    view_param_print(param, values, change, sizeof change);
    view_session_set_param(&v->session, &v->picture, change);
}

static gui_edit edit_values(const weir_param *param, double *values)
{
    const char *dot = strrchr(param->key, '.');
    char label[128];
    snprintf(label, sizeof label, "%s##%s", dot ? dot + 1 : param->key, param->key);
    if (param->kind == WEIR_PARAM_BOOL) {
        bool on = values[0] > 0;
        bool changed = gui_check(label, &on);
        values[0] = on;
        return changed ? GUI_DONE : GUI_UNTOUCHED;
    }
    return gui_slider_edit(&(gui_slider){.label = label,
                                         .count = param->count,
                                         .min = param->min,
                                         .max = param->max,
                                         .whole = param->kind == WEIR_PARAM_INTEGER},
                           values);
}

static void show_param_value(const weir_param *param)
{
    char tip[400];
    snprintf(tip, sizeof tip, "%s\n--set %s=...   %g to %g %s\n%s", param->about, param->key,
             param->min, param->max, param->unit,
             param->live ? "takes effect at once" : "restarts the scene");
    gui_tooltip(tip);
}

/* Shows a parameter. Returns true if its value was changed, which replaces the scene and its
 * parameters. */
static bool show_param(viewer *v, uint32_t index)
{
    const weir_param *param = &v->session.scene.params[index];
    view_param_edit *held = &v->edit;
    double values[3];
    memcpy(values, held->on && held->param == index ? held->value : param->value, sizeof values);
    gui_edit edit = edit_values(param, values);
    show_param_value(param);
    if (edit == GUI_UNTOUCHED) return false;
    *held = (view_param_edit){.on = edit == GUI_MOVING && !param->live, .param = index};
    memcpy(held->value, values, sizeof values);
    if (held->on || memcmp(values, param->value, sizeof values) == 0) return false;
    apply_param(v, param, values);
    return true;
}

static void show_params(viewer *v)
{
    const view_open_scene *scene = &v->session.scene;
    char group[96], last[96] = "";
    uint32_t method = v->session.work.scene_info.method;
    bool open = false;
    for (uint32_t i = 0; i < scene->param_count; i++) {
        param_group(scene->params[i].key, group);
        if (strcmp(group, last) != 0)
            open = gui_section(group, strcmp(group, "scene") == 0 || strcmp(group, "solver") == 0);
        memcpy(last, group, sizeof last);
        bool there = scene->params[i].methods >> method & 1u;
        if (open && there && show_param(v, i)) return;
    }
}

/* ---- times ---------------------------------------------------------------------------------- */

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

static void show_metrics(const view_timings *times, bool timestamps)
{
    plot_series("frame", "ms", &times->frame);
    plot_series("simulation on the GPU", "ms", &times->gpu);
    plot_series("drawing on the GPU", "ms", &times->drawing);
    plot_series("density error", "%", &times->error);
    plot_series("energy", "J", &times->energy);
    if (gui_section("GPU passes of a frame", true)) show_passes(times, timestamps);
}

/* ---- keys ----------------------------------------------------------------------------------- */

static void show_keys(void)
{
    static const char *const headings[] = {"what", "keys", "in a script"};
    char keys[96], usage[160];
    if (gui_table_begin("commands", headings, 3)) {
        for (uint32_t i = 0; i < VIEW_COMMANDS; i++) {
            const view_command *c = &view_commands[i];
            view_print_keys(c, keys, sizeof keys);
            view_print_usage(c, usage, sizeof usage);
            gui_cell_lines(c->about);
            gui_cell(GUI_STRONG, keys);
            gui_cell(GUI_DIMMED, usage);
        }
        for (size_t i = 0; i < view_gesture_count; i++) {
            gui_cell_lines(view_gestures[i].about);
            gui_cell(GUI_STRONG, view_gestures[i].gesture);
            gui_cell(GUI_DIMMED, "");
        }
        gui_table_end();
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

static void show_inspected_pass(const view_inspected_pass *inspected)
{
    const weir_pass_inspection *pass = &inspected->view;
    if (gui_panel_begin(&(gui_panel){"pass", GUI_BOTTOM, 50, 0, true})) {
        print_text(GUI_STRONG, "pass %u of %u: %s%s%s", inspected->pass + 1, pass->pass_count,
                   pass->name, pass->group[0] ? ", in " : "", pass->group);
        if (pass->quantity)
            print_text(GUI_PLAIN, "%s: %.4g (dark) to %.4g (bright)", pass->quantity,
                       (double)pass->min_value, (double)pass->max_value);
        else
            print_text(GUI_DIMMED, "its output cannot be shown");
        print_text(GUI_DIMMED, "K: next pass");
    }
    gui_panel_end();
}

static void show_messages(const view_messages *messages)
{
    view_message shown[VIEW_MESSAGES];
    uint32_t count = view_messages_read(messages, FADE_S, shown);
    if (count == 0) return;
    if (gui_panel_begin(&(gui_panel){"messages", GUI_BOTTOM, 60, 0, true}))
        for (uint32_t i = 0; i < count; i++)
            gui_text(shown[i].level <= WEIR_LOG_WARNING ? GUI_WARNING : GUI_PLAIN, shown[i].text);
    gui_panel_end();
}

static void show_main(viewer *v)
{
    if (gui_panel_begin(&(gui_panel){"Weir", GUI_TOP_LEFT, 46, 0, false})) {
        show_state(&v->session.work, &v->session.stats);
        show_warnings(&v->session.stats, v->failed);
        gui_separator();
        show_controls(v);
        show_appearance(v);
        show_slice(v);
        gui_separator();
        command_button(v, "Copy changes", VIEW_COPY_CHANGES);
        show_params(v);
    }
    gui_panel_end();
}

void view_show_panels(viewer *v)
{
    const view_session *s = &v->session;
    bool panels = v->pages.panels && !v->pages.help; /* the help page needs the space */
    if (panels) show_main(v);
    if (panels && v->pages.metrics) {
        if (gui_panel_begin(&(gui_panel){"Figures", GUI_TOP_RIGHT, 44, 0, false}))
            show_metrics(&s->times, s->work.info.timestamps);
        gui_panel_end();
    }
    if (v->pages.help) {
        if (gui_panel_begin(&(gui_panel){"Keys and commands", GUI_MIDDLE, 110, 0, false}))
            show_keys();
        gui_panel_end();
    }
    if (s->inspected.points)
        show_inspected_pass(&s->inspected);
    else
        show_messages(&v->messages);
}
