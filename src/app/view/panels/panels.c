/* The panels: the small one that is always there, and those that commands open. */
#include "panels.h"
#include "dispatch_command.h"
#include "panel_parts.h"

#define FADE_S 8.0          /* duration of a message */
#define NARROW_WIDTH 900.0f /* pixels at 96 dots per inch, below which the panel starts folded */

/* ---- the small panel ------------------------------------------------------------------------ */

static void show_warnings(const weir_stats *s, weir_result failed)
{
    if (failed != WEIR_OK) panel_text(GUI_WARNING, "%s", weir_result_name(failed));
    if (s->particle_count == 0) panel_text(GUI_WARNING, "There is no fluid in this scene.");
    if (s->removed_non_finite)
        panel_text(GUI_WARNING, "%u particle%s removed as NaN or infinite", s->removed_non_finite,
                   base_plural(s->removed_non_finite));
    if (s->density_error_mean > 0.05)
        panel_text(GUI_WARNING, "density error %.1f %%: use more substeps or iterations",
                   100 * s->density_error_mean);
    if (s->unconverged_substeps)
        panel_text(GUI_WARNING, "%u of %u substeps did not converge: use more iterations",
                   s->unconverged_substeps, s->substeps_in_frame);
    if (s->removed_outside)
        panel_text(GUI_DIMMED, "%u particle%s left the domain", s->removed_outside,
                   base_plural(s->removed_outside));
    if (s->clamped_speeds)
        panel_text(GUI_DIMMED, "%llu speeds were clamped", (unsigned long long)s->clamped_speeds);
}

static void show_controls(viewer *v)
{
    panel_command_button(v, v->session.pace.paused ? "Play" : "Pause", VIEW_PAUSE);
    gui_same_line();
    panel_command_button(v, "Step", VIEW_STEP);
    gui_same_line();
    panel_command_button(v, "Restart", VIEW_RESTART);
    gui_same_line();
    panel_command_button(v, "Undo", VIEW_UNDO);
    gui_same_line();
    panel_command_button(v, "Help", VIEW_HELP);
}

/* Shows the scenes of the folder as a list, and the button that shows them as pictures. */
static void show_scene_choice(viewer *v)
{
    view_session *s = &v->session;
    view_scene_list *list = &v->scenes;
    uint32_t chosen = view_scene_list_find(list, &s->scene.scene_source);
    const char *path_now = s->scene.scene_source.path;
    bool changed =
        gui_combo("Scene", (const char *const *)list->names.items, (uint32_t)list->names.count,
                  path_now ? path_now : "the built-in dam break", &chosen);
    panel_command_tooltip(VIEW_SCENE);
    char *path = changed ? view_scene_list_path(list, chosen) : NULL;
    if (path) view_run_command(v, &(view_call){.id = VIEW_SCENE, .values = {{true, 0, path}}});
    base_free(path);
    panel_command_button(v, "Pictures of the scenes", VIEW_SCENES);
}

/* Shows the choice of colours. It also chooses what is drawn: the surface, which has only its own
 * colour, or particles coloured by a quantity. */
static void show_colour(viewer *v)
{
    const char *all[1 + WEIR_COLOURING_COUNT] = {"surface"};
    view_appearance *appearance = &v->appearance;
    bool surface = appearance->mode != WEIR_RENDER_MODE_PARTICLES &&
                   appearance->mode != WEIR_RENDER_MODE_ELLIPSOIDS;
    uint32_t chosen = surface ? 0 : 1 + appearance->colouring;
    for (uint32_t i = 0; i < WEIR_COLOURING_COUNT; i++)
        all[1 + i] = view_colourings.name(i);
    bool changed = gui_combo("Colour by", all, 1 + WEIR_COLOURING_COUNT, "", &chosen);
    panel_command_tooltip(VIEW_COLOUR);
    if (!changed) return;
    if (chosen > 0) view_run_number(v, VIEW_COLOUR, chosen - 1);
    if (chosen == 0 || surface)
        view_run_number(v, VIEW_SHOW,
                        chosen ? WEIR_RENDER_MODE_PARTICLES : WEIR_RENDER_MODE_SURFACE);
}

static void show_choices(viewer *v)
{
    const view_session *s = &v->session;
    show_scene_choice(v);
    panel_command_choice(v, "Look", VIEW_LOOK, &view_looks, view_session_look(s));
    panel_command_choice(v, "Fluid", VIEW_FLUID, &view_fluids, view_session_fluid(s));
    show_colour(v);
    panel_command_choice(v, "Method", VIEW_METHOD, &view_methods, s->work.scene_info.method);
}

static void show_status(const viewer *v)
{
    const weir_stats *s = &v->session.stats;
    char drawn[96];
    view_drawing_print(v, drawn);
    panel_text(GUI_PLAIN, "%.2f s, frame %llu, %u particle%s", s->time_s,
               (unsigned long long)s->frame, s->particle_count, base_plural(s->particle_count));
    panel_text(GUI_DIMMED, "%s", drawn);
    show_warnings(s, v->failed);
}

static void show_main(viewer *v)
{
    char title[160];
    snprintf(title, sizeof title, "Weir: %s###Weir", v->session.work.scene_info.name);
    if (gui_panel_begin(&(gui_panel){.title = title,
                                     .corner = GUI_TOP_LEFT,
                                     .width = 38,
                                     .folded = gui_screen_width(v->gui) < NARROW_WIDTH})) {
        show_controls(v);
        show_choices(v);
        show_status(v);
        if (gui_section("Advanced", false)) panel_show_advanced(v);
    }
    gui_panel_end();
}

/* ---- messages and questions ----------------------------------------------------------------- */

static void show_inspected_pass(const view_inspected_pass *inspected)
{
    const weir_pass_inspection *pass = &inspected->view;
    if (gui_panel_begin(
            &(gui_panel){.title = "pass", .corner = GUI_BOTTOM, .width = 50, .bare = true})) {
        panel_text(GUI_STRONG, "pass %u of %u: %s%s%s", inspected->pass + 1, pass->pass_count,
                   pass->name, pass->group[0] ? ", in " : "", pass->group);
        if (pass->quantity)
            panel_text(GUI_PLAIN, "%s: %.4g (dark) to %.4g (bright)", pass->quantity,
                       (double)pass->min_value, (double)pass->max_value);
        else
            panel_text(GUI_DIMMED, "its output cannot be shown");
        panel_text(GUI_DIMMED, "K: next pass");
    }
    gui_panel_end();
}

static void show_messages(const view_messages *messages)
{
    view_message shown[VIEW_MESSAGES];
    uint32_t count = view_messages_read(messages, FADE_S, shown);
    if (count == 0) return;
    if (gui_panel_begin(
            &(gui_panel){.title = "messages", .corner = GUI_BOTTOM, .width = 60, .bare = true}))
        for (uint32_t i = 0; i < count; i++)
            gui_text(shown[i].level <= WEIR_LOG_WARNING ? GUI_WARNING : GUI_PLAIN, shown[i].text);
    gui_panel_end();
}

static void show_question(viewer *v)
{
    const view_call *call = &v->question.call;
    const view_work *work = &v->session.work_done;
    bool quits = call->id == VIEW_QUIT;
    if (gui_panel_begin(&(gui_panel){.title = quits ? "Quit?" : "Open another scene?",
                                     .corner = GUI_MIDDLE,
                                     .width = 52,
                                     .opaque = true})) {
        if (work->changed) gui_text(GUI_PLAIN, "The scene's settings were changed.");
        if (work->computed_s > 1)
            panel_text(GUI_PLAIN, "The state took %.0f s to simulate and is not saved.",
                       work->computed_s);
        gui_text(GUI_DIMMED, "Saving writes weir.state and weir-changes.txt.");
        if (gui_button(quits ? "Save and quit" : "Save and open"))
            view_answer_question(v, VIEW_ANSWER_SAVE);
        gui_same_line();
        if (gui_button(quits ? "Quit without saving" : "Open without saving"))
            view_answer_question(v, VIEW_ANSWER_LOSE);
        gui_same_line();
        if (gui_button("Cancel")) view_answer_question(v, VIEW_ANSWER_CANCEL);
    }
    gui_panel_end();
}

void view_show_panels(viewer *v)
{
    const view_session *s = &v->session;
    bool page = v->pages.help || v->pages.scenes; /* it needs the space of the panels */
    bool panels = v->pages.panels && !page;
    if (panels) show_main(v);
    if (panels && v->pages.metrics) panel_show_metrics(&s->times, s->work.info.timestamps);
    if (v->pages.help) panel_show_help();
    if (v->pages.scenes) panel_show_scenes(v);
    if (v->question.open) show_question(v);
    if (s->inspected.points)
        show_inspected_pass(&s->inspected);
    else
        show_messages(&v->messages);
}
