/* The panels: the state of the simulation, its controls, the scene's numbers, times, and keys. */
#include "panels.h"
#include "act.h"

#define FADE_S 8.0 /* how long a message is shown */

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

static void tip_command(view_command_id id)
{
    char tip[240], keys[64];
    view_print_keys(&view_commands[id], keys, sizeof keys);
    snprintf(tip, sizeof tip, "%s%s%s", view_commands[id].about, keys[0] ? "   " : "", keys);
    gui_tip(tip);
}

static void button(viewer *v, const char *label, view_command_id id)
{
    bool pressed = gui_button(label);
    tip_command(id);
    if (pressed) view_act(v, &(view_call){.id = id});
}

static void check(viewer *v, const char *label, view_command_id id, bool on)
{
    bool changed = gui_check(label, &on);
    tip_command(id);
    if (changed) view_act_number(v, id, on);
}

static void choose(viewer *v, const char *label, view_command_id id, uint32_t chosen)
{
    const view_names *names = id == VIEW_SHOW     ? &view_modes
                              : id == VIEW_COLOUR ? &view_colourings
                              : id == VIEW_METHOD ? &view_methods
                                                  : &view_filters;
    const char *all[32];
    for (uint32_t i = 0; i < names->count; i++)
        all[i] = names->name(i);
    bool changed = gui_choose(label, all, names->count, &chosen);
    tip_command(id);
    if (changed) view_act_number(v, id, chosen);
}

/* ---- the simulation ------------------------------------------------------------------------- */

static void show_warnings(const weir_stats *s, weir_result failed)
{
    if (failed != WEIR_OK) say(GUI_ALARM, "%s", weir_result_name(failed));
    if (s->particle_count == 0) say(GUI_ALARM, "There is no fluid in this scene.");
    if (s->non_finite) say(GUI_ALARM, "%u particles were removed as not finite", s->non_finite);
    if (s->density_error_mean > 0.05)
        say(GUI_ALARM, "density error %.1f %%: more substeps or iterations",
            100 * s->density_error_mean);
    if (s->over_tolerance)
        say(GUI_ALARM, "%u of %u substeps over the tolerance: more iterations", s->over_tolerance,
            s->substeps_in_frame);
    if (s->escaped) say(GUI_QUIET, "%u particles left the domain", s->escaped);
    if (s->speed_caps)
        say(GUI_QUIET, "%llu speeds were limited", (unsigned long long)s->speed_caps);
}

static void show_state(const app_work *work, const weir_stats *s)
{
    char memory[32];
    say(GUI_STRONG, "%s", work->scene_info.name);
    say(GUI_QUIET, "%s", work->info.name);
    say(GUI_PLAIN, "frame %llu   %.3f s   %u particles", (unsigned long long)s->frame, s->time_s,
        s->particle_count);
    say(GUI_PLAIN, "density error %.2f %% mean, %.1f %% most", 100 * s->density_error_mean,
        100 * s->density_error_max);
    say(GUI_PLAIN, "energy %.4g J moving, %.4g J lifted", s->kinetic_energy, s->potential_energy);
    say(GUI_PLAIN, "neighbours %.1f, at most %u; fastest %.2f m/s", s->neighbours_mean,
        s->neighbours_max, s->speed_max);
    say(GUI_QUIET, "device memory %s", app_print_bytes(memory, (double)s->memory_bytes));
}

static void show_controls(viewer *v)
{
    const view_session *s = &v->session;
    button(v, s->pace.paused ? "Go on" : "Pause", VIEW_PAUSE);
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
    check(v, "slow", VIEW_SLOW, s->pace.slow);
    gui_beside();
    check(v, "gravity", VIEW_GRAVITY, !s->gravity_off);
    gui_beside();
    check(v, "jet", VIEW_EMIT, s->emitting);
    gui_beside();
    button(v, "Picture", VIEW_SHOT);
    gui_beside();
    button(v, v->film.on ? "End film" : "Film", VIEW_RECORD);
}

static void show_look(viewer *v)
{
    const view_look *look = &v->look;
    choose(v, "method", VIEW_METHOD, v->session.work.scene_info.method);
    choose(v, "drawn", VIEW_SHOW, look->mode);
    if (look->mode == WEIR_MODE_ELLIPSOIDS || look->mode == WEIR_MODE_PARTICLES)
        choose(v, "coloured by", VIEW_COLOUR, look->colouring);
    else
        choose(v, "smoothed by", VIEW_FILTER, look->filter);
    check(v, "shadows", VIEW_SHADOWS, look->shadows);
    gui_beside();
    check(v, "whitewater", VIEW_WHITEWATER, look->whitewater);
    gui_beside();
    double samples = look->samples;
    if (gui_slide(&(gui_slider){"samples", 1, 1, 4, true}, &samples) != GUI_UNTOUCHED)
        view_act_number(v, VIEW_SAMPLES, samples);
}

static void act_slice(viewer *v, uint32_t shown, uint32_t axis, double place)
{
    view_act(
        v, &(view_call){.id = VIEW_SLICE,
                        .values = {{true, shown, NULL}, {true, axis, NULL}, {true, place, NULL}}});
}

static bool pick(const char *label, const view_names *names, uint32_t *chosen)
{
    const char *all[8];
    WEIR_ASSERT(names->count <= BASE_COUNT(all));
    for (uint32_t i = 0; i < names->count; i++)
        all[i] = names->name(i);
    bool changed = gui_choose(label, all, names->count, chosen);
    tip_command(VIEW_SLICE);
    return changed;
}

/* Methods with a grid have slices. */
static void show_slice(viewer *v)
{
    uint32_t shown = v->slice.shown, axis = v->slice.axis;
    double place = v->slice.place;
    if (!view_method_has_grid(v->session.work.scene_info.method)) return;
    bool changed = pick("slice", &view_slices, &shown);
    if (v->slice.shown) {
        changed |= pick("across", &view_axes, &axis);
        changed |= gui_slide(&(gui_slider){"at", 1, 0, 1, false}, &place) != GUI_UNTOUCHED;
    }
    if (changed) act_slice(v, shown, axis, place);
}

/* ---- the scene's numbers -------------------------------------------------------------------- */

/* The part of a key before its last dot, such as "fluids[0]"; "scene" without a dot. */
static void group_of(const char *key, char out[96])
{
    const char *dot = strrchr(key, '.');
    snprintf(out, 96, "%.*s", dot ? (int)(dot - key) : 5, dot ? key : "scene");
}

static void apply(viewer *v, const weir_param *param, const double *values)
{
    char change[256];
    view_param_print(param, values, change, sizeof change);
    view_session_set(&v->session, &v->picture, change);
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

/* True when the value was changed: scene and numbers are then new ones. */
static bool show_param(viewer *v, uint32_t index)
{
    const weir_param *param = &v->session.scene.params[index];
    view_edit *held = &v->edit;
    double values[3];
    memcpy(values, held->on && held->param == index ? held->value : param->value, sizeof values);
    gui_edit edit = edit_values(param, values);
    say_param(param);
    if (edit == GUI_UNTOUCHED) return false;
    *held = (view_edit){.on = edit == GUI_MOVING && !param->live, .param = index};
    memcpy(held->value, values, sizeof values);
    if (held->on || memcmp(values, param->value, sizeof values) == 0) return false;
    apply(v, param, values);
    return true;
}

static void show_params(viewer *v)
{
    const view_scene *scene = &v->session.scene;
    char group[96], last[96] = "";
    uint32_t method = v->session.work.scene_info.method;
    bool open = false;
    for (uint32_t i = 0; i < scene->param_count; i++) {
        group_of(scene->params[i].key, group);
        if (strcmp(group, last) != 0)
            open = gui_section(group, strcmp(group, "scene") == 0 || strcmp(group, "solver") == 0);
        memcpy(last, group, sizeof last);
        bool there = scene->params[i].methods >> method & 1u;
        if (open && there && show_param(v, i)) return;
    }
}

/* ---- times ---------------------------------------------------------------------------------- */

/* Prints three digits, and no power of ten below a million. */
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

/* A line of the table above the passes of a stage, unless it is that of the pass before. */
static void show_stage(const view_times *times, uint32_t pass)
{
    const char *stage = times->passes[pass].stage;
    if (!stage[0] || (pass > 0 && strcmp(times->passes[pass - 1].stage, stage) == 0)) return;
    gui_cell(GUI_STRONG, stage);
    for (int column = 1; column < 4; column++)
        gui_cell(GUI_PLAIN, "");
}

static void show_passes(const view_times *times, bool timestamps)
{
    static const char *const headings[] = {"pass, ms", "now", "median", "p95"};
    if (times->pass_count == 0) {
        gui_text(GUI_QUIET, timestamps ? "no pass has run yet" : "this device has no timestamps");
        return;
    }
    if (!gui_table_begin("passes", headings, 4)) return;
    for (uint32_t i = 0; i < times->pass_count; i++) {
        view_spread s = view_series_spread(&times->passes[i].ms);
        show_stage(times, i);
        gui_cell(GUI_PLAIN, times->passes[i].name);
        gui_cell_number((double)s.now, 3);
        gui_cell_number((double)s.median, 3);
        gui_cell_number((double)s.p95, 3);
    }
    gui_table_end();
}

static void show_metrics(const view_times *times, bool timestamps)
{
    plot("frame", "ms", &times->frame);
    plot("simulation on the GPU", "ms", &times->gpu);
    plot("drawing on the GPU", "ms", &times->drawing);
    plot("density error", "%", &times->error);
    plot("energy", "J", &times->energy);
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

static void show_row(const view_rows *rows)
{
    const weir_row_view *row = &rows->view;
    if (gui_panel_begin(&(gui_panel){"row", GUI_BOTTOM, 50, 0, true})) {
        say(GUI_STRONG, "row %u of %u: %s%s%s", rows->row + 1, row->row_count, row->row,
            row->group[0] ? ", in " : "", row->group);
        if (row->shown)
            say(GUI_PLAIN, "%s: from %.4g, dark, to %.4g, bright", row->shown, (double)row->low,
                (double)row->high);
        else
            say(GUI_QUIET, "it writes nothing that can be shown");
        say(GUI_QUIET, "K: next row");
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
            gui_text(shown[i].level <= WEIR_LOG_WARNING ? GUI_ALARM : GUI_PLAIN, shown[i].text);
    gui_panel_end();
}

static void show_main(viewer *v)
{
    if (gui_panel_begin(&(gui_panel){"Weir", GUI_TOP_LEFT, 46, 0, false})) {
        show_state(&v->session.work, &v->session.stats);
        show_warnings(&v->session.stats, v->failed);
        gui_line();
        show_controls(v);
        show_look(v);
        show_slice(v);
        gui_line();
        button(v, "Copy changes", VIEW_COPY_CHANGES);
        show_params(v);
    }
    gui_panel_end();
}

void view_panels(viewer *v)
{
    const view_session *s = &v->session;
    bool panels = v->pages.panels && !v->pages.help; /* the help page needs the room */
    if (panels) show_main(v);
    if (panels && v->pages.metrics) {
        if (gui_panel_begin(&(gui_panel){"Figures", GUI_TOP_RIGHT, 44, 0, false}))
            show_metrics(&s->times, s->work.info.timestamps);
        gui_panel_end();
    }
    if (v->pages.help) {
        if (gui_panel_begin(&(gui_panel){"Keys and words", GUI_MIDDLE, 110, 0, false})) show_keys();
        gui_panel_end();
    }
    if (s->rows.points)
        show_row(&s->rows);
    else
        show_messages(&v->messages);
}
