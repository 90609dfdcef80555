/* The section "Advanced" of the panel: the view, the simulation, files, and every number of the
 * scene. */
#include "dispatch_command.h"
#include "labels.h"
#include "panel_parts.h"

/* ---- the view ------------------------------------------------------------------------------- */

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
    bool changed = gui_combo(label, all, names->count, "", chosen);
    panel_command_tooltip(VIEW_SLICE);
    return changed;
}

/* Shows the controls of the slice, for methods with a grid. */
static void show_slice(viewer *v)
{
    uint32_t shown = v->slice.shown, axis = v->slice.axis;
    double place = v->slice.place;
    if (!view_method_has_grid(v->session.work.scene_info.method)) return;
    bool changed = pick_name("Slice", &view_slices, &shown);
    if (v->slice.shown) {
        changed |= pick_name("Across", &view_axes, &axis);
        changed |= gui_slider_edit(&(gui_slider){"At", 1, 0, 1, false}, &place) != GUI_UNTOUCHED;
    }
    if (changed) set_slice(v, shown, axis, place);
}

static void show_view(viewer *v)
{
    const view_appearance *appearance = &v->appearance;
    panel_command_choice(v, "Draw", VIEW_SHOW, &view_modes, appearance->mode);
    panel_command_choice(v, "Depth filter", VIEW_FILTER, &view_filters, appearance->filter);
    panel_command_checkbox(v, "Shadows", VIEW_SHADOWS, appearance->shadows);
    gui_same_line();
    panel_command_checkbox(v, "Whitewater", VIEW_WHITEWATER, appearance->whitewater);
    double samples = appearance->samples;
    if (gui_slider_edit(&(gui_slider){"Samples", 1, 1, 4, true}, &samples) != GUI_UNTOUCHED)
        view_run_number(v, VIEW_SAMPLES, samples);
    panel_command_tooltip(VIEW_SAMPLES);
    show_slice(v);
}

/* ---- simulation and files ------------------------------------------------------------------- */

static void show_state(const viewer *v)
{
    char memory[32];
    const weir_stats *s = &v->session.stats;
    panel_text(GUI_DIMMED, "%s", v->session.work.info.name);
    panel_text(GUI_PLAIN, "Density error %.2f %% mean, %.1f %% max", 100 * s->density_error_mean,
               100 * s->density_error_max);
    panel_text(GUI_PLAIN, "Energy %.4g J kinetic, %.4g J potential", s->kinetic_energy_j,
               s->potential_energy_j);
    panel_text(GUI_PLAIN, "Neighbours %.1f mean, %u max", s->neighbours_mean, s->neighbours_max);
    panel_text(GUI_PLAIN, "Top speed %.2f m/s", s->speed_max_m_s);
    panel_text(GUI_DIMMED, "Device memory %s", app_print_bytes(memory, (double)s->memory_bytes));
}

static void show_simulation(viewer *v)
{
    const view_session *s = &v->session;
    panel_command_checkbox(v, "Slow motion", VIEW_SLOW, s->pace.slow);
    gui_same_line();
    panel_command_checkbox(v, "Gravity", VIEW_GRAVITY, !s->gravity_off);
    gui_same_line();
    panel_command_checkbox(v, "Jet", VIEW_HOSE, s->emitting);
    show_state(v);
}

static void show_files(viewer *v)
{
    panel_command_button(v, "Picture", VIEW_SHOT);
    gui_same_line();
    panel_command_button(v, v->video.on ? "Stop film" : "Film", VIEW_RECORD);
    gui_same_line();
    panel_command_button(v, "Copy changes", VIEW_COPY_CHANGES);
    panel_command_button(v, "Save state", VIEW_SAVE);
    gui_same_line();
    panel_command_button(v, "Load state", VIEW_LOAD);
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
    view_run_command(v, &(view_call){.id = VIEW_SET, .values = {{true, 0, change}}});
}

static gui_edit edit_values(const weir_param *param, double *values)
{
    char name[64], label[192];
    view_label_key(param->key, name);
    snprintf(label, sizeof label, "%s##%s", name, param->key);
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
    snprintf(tip, sizeof tip, "%s\n%s   %g to %g %s\n%s", param->about, param->key, param->min,
             param->max, param->unit, param->live ? "takes effect at once" : "restarts the scene");
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

static bool show_group(const char *group)
{
    char title[64], label[192];
    view_label_group(group, title);
    snprintf(label, sizeof label, "%s##%s", title, group);
    return gui_section(label, false);
}

static void show_params(viewer *v)
{
    const view_open_scene *scene = &v->session.scene;
    char group[96], last[96] = "";
    uint32_t method = v->session.work.scene_info.method;
    bool open = false;
    for (uint32_t i = 0; i < scene->param_count; i++) {
        param_group(scene->params[i].key, group);
        if (strcmp(group, last) != 0) open = show_group(group);
        memcpy(last, group, sizeof last);
        bool there = scene->params[i].methods >> method & 1u &&
                     view_label_is_used(scene->params[i].key, view_methods.name(method));
        if (open && there && show_param(v, i)) return;
    }
}

void panel_show_advanced(viewer *v)
{
    if (gui_section("View", false)) show_view(v);
    if (gui_section("Simulation", false)) show_simulation(v);
    if (gui_section("Files", false)) show_files(v);
    show_params(v);
}
