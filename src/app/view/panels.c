/* The panels: what the simulation stands at, what it can be told, its times, its numbers, the keys.
 */
#include "view_internal.h"

#define FADE_S 8.0 /* a message stays so long */

static void say(gui_tone tone, const char *format, ...) BASE_PRINTF(2, 3);

static void say(gui_tone tone, const char *format, ...)
{
    char text[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    gui_text(tone, text);
}

static bool button(viewer *v, const char *label, view_command_id id)
{
    char tip[240], keys[64];
    bool pressed = gui_button(label);
    view_print_keys(&view_commands[id], keys, sizeof keys);
    snprintf(tip, sizeof tip, "%s%s%s", view_commands[id].about, keys[0] ? "   " : "", keys);
    gui_tip(tip);
    if (pressed) view_act(v, &(view_call){.id = id});
    return pressed;
}

static void check(viewer *v, const char *label, view_command_id id, bool on)
{
    char tip[240], keys[64];
    bool now = on;
    bool changed = gui_check(label, &now);
    view_print_keys(&view_commands[id], keys, sizeof keys);
    snprintf(tip, sizeof tip, "%s   %s", view_commands[id].about, keys);
    gui_tip(tip);
    if (changed) view_act(v, &(view_call){.id = id, .values = {{true, now ? 1.0 : 0.0, NULL}}});
}

/* ---- what is going on ----------------------------------------------------------------------- */

static void show_warnings(const viewer *v)
{
    const weir_stats *s = &v->stats;
    if (v->failed != WEIR_OK) say(GUI_ALARM, "%s", weir_result_name(v->failed));
    if (s->particle_count == 0) say(GUI_ALARM, "There is no fluid in this scene.");
    if (s->non_finite) say(GUI_ALARM, "%u particles left the finite numbers", s->non_finite);
    if (s->density_error_mean > 0.05)
        say(GUI_ALARM, "density error %.1f %%: more substeps or iterations",
            100 * s->density_error_mean);
    if (s->escaped) say(GUI_QUIET, "%u particles left the domain", s->escaped);
    if (s->speed_caps) say(GUI_QUIET, "%llu speeds were cut", (unsigned long long)s->speed_caps);
}

static void show_state(viewer *v)
{
    const weir_stats *s = &v->stats;
    char memory[32];
    say(GUI_STRONG, "%s", v->work.scene_info.name);
    say(GUI_QUIET, "%s", v->work.info.name);
    say(GUI_PLAIN, "frame %llu   %.3f s   %u particles", (unsigned long long)s->frame, s->time_s,
        s->particle_count);
    say(GUI_PLAIN, "density error %.2f %% mean, %.1f %% most", 100 * s->density_error_mean,
        100 * s->density_error_max);
    say(GUI_PLAIN, "energy %.4g J moving, %.4g J lifted", s->kinetic_energy, s->potential_energy);
    say(GUI_PLAIN, "neighbours %.1f, at most %u; fastest %.2f m/s", s->neighbours_mean,
        s->neighbours_max, s->speed_max);
    say(GUI_QUIET, "device memory %s", app_print_bytes(memory, (double)s->memory_bytes));
    show_warnings(v);
}

static void choose(viewer *v, const char *label, view_command_id id, view_names names,
                   uint32_t chosen)
{
    const char *all[32];
    for (uint32_t i = 0; i < names.count; i++)
        all[i] = names.name(i);
    if (gui_choose(label, all, names.count, &chosen))
        view_act(v, &(view_call){.id = id, .values = {{true, chosen, NULL}}});
}

static void show_controls(viewer *v)
{
    button(v, v->paused ? "Go on" : "Pause", VIEW_PAUSE);
    gui_beside();
    button(v, "Step", VIEW_STEP);
    gui_beside();
    button(v, "Restart", VIEW_RESTART);
    gui_beside();
    button(v, "<", VIEW_PREVIOUS_SCENE);
    gui_beside();
    button(v, ">", VIEW_NEXT_SCENE);
    gui_beside();
    button(v, "Keys", VIEW_HELP);
    check(v, "slow", VIEW_SLOW, v->slow);
    gui_beside();
    check(v, "gravity", VIEW_GRAVITY, !v->gravity_off);
    gui_beside();
    check(v, "jet", VIEW_EMIT, v->emitting);
    gui_beside();
    button(v, "Picture", VIEW_SHOT);
    gui_beside();
    button(v, v->film ? "End film" : "Film", VIEW_RECORD);
    choose(v, "drawn", VIEW_SHOW, view_mode_names(), v->look.mode);
    if (v->look.mode == WEIR_MODE_ELLIPSOIDS || v->look.mode == WEIR_MODE_PARTICLES)
        choose(v, "coloured by", VIEW_COLOUR, view_colouring_names(), v->look.colouring);
    if (v->look.mode != WEIR_MODE_ELLIPSOIDS && v->look.mode != WEIR_MODE_PARTICLES)
        choose(v, "smoothed by", VIEW_FILTER, view_filter_names(), v->look.filter);
    check(v, "shadows", VIEW_SHADOWS, v->look.shadows);
    gui_beside();
    double samples = v->look.samples;
    if (gui_slide(&(gui_slider){"samples", 1, 1, 4, true}, &samples) != GUI_UNTOUCHED)
        view_act(v, &(view_call){.id = VIEW_SAMPLES, .values = {{true, samples, NULL}}});
}

/* ---- the scene's numbers -------------------------------------------------------------------- */

/* The part of a key before its last word, "fluids[0]"; "scene" without one. */
static void group_of(const char *key, char out[96])
{
    const char *dot = strrchr(key, '.');
    snprintf(out, 96, "%.*s", dot ? (int)(dot - key) : 5, dot ? key : "scene");
}

static void apply(viewer *v, const weir_param *param, const double *values)
{
    char change[256];
    view_param_print(param, values, change, sizeof change);
    view_scene_set(v, change);
}

static gui_edit edit_values(const weir_param *param, double *values)
{
    const char *dot = strrchr(param->key, '.');
    char label[128];
    snprintf(label, sizeof label, "%s##%s", dot ? dot + 1 : param->key, param->key);
    if (param->kind == WEIR_PARAM_SWITCH) {
        bool on = values[0] > 0;
        bool changed = gui_check(label, &on);
        values[0] = on;
        return changed ? GUI_DONE : GUI_UNTOUCHED;
    }
    return gui_slide(&(gui_slider){.label = label,
                                   .count = param->count,
                                   .min = param->min,
                                   .max = param->max,
                                   .whole = param->kind == WEIR_PARAM_WHOLE},
                     values);
}

static void say_param(const weir_param *param)
{
    char tip[400];
    snprintf(tip, sizeof tip, "%s\n--set %s=...   %g to %g %s\n%s", param->about, param->key,
             param->min, param->max, param->unit,
             param->live ? "changes at once" : "starts the scene anew");
    gui_tip(tip);
}

/* True when the scene is another one now, whose params are others. */
static bool show_param(viewer *v, uint32_t index)
{
    const weir_param *param = &v->params[index];
    double values[3];
    bool held = v->editing && v->edited == index;
    memcpy(values, held ? v->edited_value : param->value, sizeof values);
    gui_edit edit = edit_values(param, values);
    say_param(param);
    if (edit == GUI_UNTOUCHED) return false;
    v->editing = edit == GUI_MOVING && !param->live;
    v->edited = index;
    memcpy(v->edited_value, values, sizeof values);
    if (v->editing || memcmp(values, param->value, sizeof values) == 0) return false;
    apply(v, param, values);
    return true;
}

static void show_params(viewer *v)
{
    char group[96], last[96] = "";
    bool open = false;
    for (uint32_t i = 0; i < v->param_count; i++) {
        group_of(v->params[i].key, group);
        if (strcmp(group, last) != 0)
            open = gui_section(group, strcmp(group, "scene") == 0 || strcmp(group, "solver") == 0);
        memcpy(last, group, sizeof last);
        if (open && show_param(v, i)) return;
    }
}

/* ---- times ---------------------------------------------------------------------------------- */

/* Three digits, without powers of ten where people do without. */
static const char *figure(char out[32], float value)
{
    snprintf(out, 32, fabsf(value) >= 100 && fabsf(value) < 1e6f ? "%.0f" : "%.3g", (double)value);
    return out;
}

static void plot(const char *name, const char *unit, const view_series *series)
{
    float values[VIEW_HISTORY];
    char label[160], now[32], median[32], p95[32];
    uint32_t n = view_series_read(series, values);
    view_spread s = view_series_spread(series);
    snprintf(label, sizeof label, "%s %s %s\nmedian %s, p95 %s", name, figure(now, s.now), unit,
             figure(median, s.median), figure(p95, s.p95));
    gui_plot(label, values, n);
}

static void show_passes(const viewer *v)
{
    static const char *const headings[] = {"pass, ms", "now", "median", "p95"};
    if (v->times.pass_count == 0) {
        gui_text(GUI_QUIET,
                 v->work.info.timestamps ? "no pass has run yet" : "this device has no timestamps");
        return;
    }
    if (!gui_table_begin("passes", headings, 4)) return;
    for (uint32_t i = 0; i < v->times.pass_count; i++) {
        view_spread s = view_series_spread(&v->times.passes[i].ms);
        gui_cell(GUI_PLAIN, v->times.passes[i].name);
        gui_cell_number((double)s.now, 3);
        gui_cell_number((double)s.median, 3);
        gui_cell_number((double)s.p95, 3);
    }
    gui_table_end();
}

static void show_metrics(viewer *v)
{
    plot("frame", "ms", &v->times.frame);
    plot("simulation on the GPU", "ms", &v->times.gpu);
    plot("drawing on the GPU", "ms", &v->times.drawing);
    plot("density error", "%", &v->times.error);
    plot("energy", "J", &v->times.energy);
    if (gui_section("GPU passes of a frame", true)) show_passes(v);
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
            gui_cell(GUI_QUIET, usage);
        }
        for (size_t i = 0; i < view_gesture_count; i++) {
            gui_cell_lines(view_gestures[i].about);
            gui_cell(GUI_STRONG, view_gestures[i].gesture);
            gui_cell(GUI_QUIET, "");
        }
        gui_table_end();
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

static void show_row(const viewer *v)
{
    const weir_row_view *row = &v->row_view;
    if (gui_panel_begin(&(gui_panel){"row", GUI_BOTTOM, 50, 0, true})) {
        say(GUI_STRONG, "row %u of %u: %s%s%s", v->row + 1, row->row_count, row->row,
            row->group[0] ? ", in " : "", row->group);
        if (row->shown)
            say(GUI_PLAIN, "%s: from %.4g, dark, to %.4g, bright", row->shown, (double)row->low,
                (double)row->high);
        else
            say(GUI_QUIET, "it writes nothing for each particle");
        say(GUI_QUIET, "K: the next row");
    }
    gui_panel_end();
}

static void show_messages(viewer *v)
{
    view_message shown[VIEW_MESSAGES];
    uint32_t count = 0;
    double now = base_time_s();
    base_mutex_lock(v->messages.mutex);
    uint32_t first = v->messages.count > VIEW_MESSAGES ? v->messages.count - VIEW_MESSAGES : 0;
    for (uint32_t i = first; i < v->messages.count; i++) {
        const view_message *m = &v->messages.items[i % VIEW_MESSAGES];
        if (now - m->when_s < FADE_S) shown[count++] = *m;
    }
    base_mutex_unlock(v->messages.mutex);
    if (count == 0) return;
    if (gui_panel_begin(&(gui_panel){"messages", GUI_BOTTOM, 60, 0, true}))
        for (uint32_t i = 0; i < count; i++)
            gui_text(shown[i].level <= WEIR_LOG_WARNING ? GUI_ALARM : GUI_PLAIN, shown[i].text);
    gui_panel_end();
}

void view_panels(viewer *v)
{
    bool panels = v->show_panels && !v->show_help; /* the page needs the room */
    if (panels) {
        if (gui_panel_begin(&(gui_panel){"Weir", GUI_TOP_LEFT, 46, 0, false})) {
            show_state(v);
            gui_line();
            show_controls(v);
            gui_line();
            button(v, "Copy changes", VIEW_COPY_CHANGES);
            show_params(v);
        }
        gui_panel_end();
    }
    if (panels && v->show_metrics) {
        if (gui_panel_begin(&(gui_panel){"Figures", GUI_TOP_RIGHT, 44, 0, false})) show_metrics(v);
        gui_panel_end();
    }
    if (v->show_help) {
        if (gui_panel_begin(&(gui_panel){"Keys and words", GUI_MIDDLE, 110, 0, false})) show_keys();
        gui_panel_end();
    }
    if (v->row_points)
        show_row(v);
    else
        show_messages(v);
}
