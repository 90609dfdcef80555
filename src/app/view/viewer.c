/* Opens the viewer, runs it frame by frame and closes it. A frame waits once, at its start, for the
 * simulation that the previous frame began. It acquires the particles, begins to simulate the next
 * frame, and draws the particles in the meantime. So the device is still drawing when the CPU waits
 * again, and it has its next work before the drawing ends. */
#include "viewer.h"
#include "dispatch_command.h"
#include "input.h"
#include "mouse_tools.h"
#include "panels.h"
#include "script_player.h"
#include "weir/render.h"

#define IDLE_S (1.0 / 30)
#define REST_S 0.25 /* between two updates of a window in which nothing changes */
#define RELOAD_S 0.5
#define TITLE_S 0.25

/* ---- a frame -------------------------------------------------------------------------------- */

static weir_result begin_simulation_frame(viewer *v)
{
    view_session *s = &v->session;
    if (!view_session_is_due(s)) return WEIR_OK;
    if (s->emitting) view_update_hose(s, &v->camera);
    s->yield = view_draws_reduced(v) ? view_draw_meanwhile : NULL;
    s->yield_user = v;
    return view_session_step(s);
}

/* Reports whether to draw before simulating: meshing waits for the device, which should not have
 * another frame to simulate first, and lambda is valid only until the next step. */
static bool must_draw_first(const view_appearance *appearance)
{
    return appearance->mode == WEIR_RENDER_MODE_MESH ||
           appearance->colouring == WEIR_COLOURING_LAMBDA;
}

static weir_result simulate_and_draw(viewer *v, bool fresh)
{
    bool first = must_draw_first(&v->appearance);
    if (first) WEIR_RETURN_IF_ERROR(view_draw_picture(v, fresh));
    WEIR_RETURN_IF_ERROR(begin_simulation_frame(v));
    return first ? WEIR_OK : view_draw_picture(v, fresh);
}

/* Simulates and draws, in a capture if one is requested; the capture waits for the device. */
static weir_result capture_frame(viewer *v, bool fresh)
{
    view_session *s = &v->session;
    if (!v->requests.capture) return simulate_and_draw(v, fresh);
    v->requests.capture = false;
    app_capture_start(&v->capture);
    weir_result result = simulate_and_draw(v, fresh);
    if (result == WEIR_OK && s->begun) result = weir_sim_wait(s->sim);
    weir_result ended = app_capture_end(&s->work.log, &v->capture, s->stats.frame + s->begun);
    if (ended == WEIR_OK) base_log(&s->work.log, WEIR_LOG_INFO, "RenderDoc has captured a frame");
    return result;
}

/* Ends the viewer on failure, except for an unstable simulation. */
static void handle_result(viewer *v, weir_result result)
{
    if (result != WEIR_OK && result != WEIR_ERROR_UNSTABLE) v->failed = result;
}

/* Compiles changed shaders automatically in a development build; with a script, only `reload`
 * does. */
static void watch_shaders(viewer *v, double now)
{
    if (!v->session.work.info.can_reload_shaders || v->player.script.calls.count ||
        now - v->reloaded_s < RELOAD_S)
        return;
    v->reloaded_s = now;
    v->requests.reload = true;
}

static void set_title(viewer *v, double now)
{
    const view_session *s = &v->session;
    char title[256];
    if (now - v->titled_s <= TITLE_S) return;
    v->titled_s = now;
    view_percentiles frame = view_series_percentiles(&s->times.frame);
    snprintf(title, sizeof title, "Weir: %s, %u particles, %.1f ms%s", s->work.scene_info.name,
             s->stats.particle_count, (double)frame.median, s->pace.paused ? ", paused" : "");
    view_window_title(v->window, title);
}

static bool is_busy(const viewer *v)
{
    const view_pace *pace = &v->session.pace;
    return !pace->paused || pace->steps_left || v->requests.pictures || v->session.begun ||
           view_script_player_active(&v->player);
}

/* Returns how long to wait for events, s: until the next frame is due, but at most IDLE_S, or
 * REST_S when nothing changes. */
static double patience_s(const viewer *v)
{
    bool commanded = v->session.pace.steps_left || v->requests.pictures || v->session.begun ||
                     v->pending.calls.count ||
                     (v->pages.scenes && v->scenes.drawn < v->scenes.names.count) ||
                     view_script_player_active(&v->player);
    if (commanded) return 0;
    return fmin(view_session_due_in_s(&v->session), view_drawing_is_complete(v) ? REST_S : IDLE_S);
}

static void run_pending_calls(viewer *v)
{
    view_call call;
    while (view_pending_take(&v->pending, &call)) {
        view_run_command(v, &call);
        view_pending_free_call(&call);
    }
}

/* Reads the list of scenes and, while the page with their pictures is open, draws the next one. */
static void update_scenes(viewer *v)
{
    view_session *s = &v->session;
    view_scene_list *list = &v->scenes;
    const view_scene_painter painter = {s->work.device, view_draw_meanwhile, v};
    view_scene_list_read(list, &s->scene.scene_source, &s->work.log);
    if (v->pages.scenes && list->drawn < list->names.count) {
        v->messages.muted = true;
        view_scene_list_draw_next(list, &painter);
        v->messages.muted = false;
    }
    if (list->changed) gui_set_pictures(v->gui, list->pictures, list->drawn);
    list->changed = false;
}

static void run_frame(viewer *v)
{
    view_session *s = &v->session;
    double now = base_time_s();
    bool busy = is_busy(v);
    if (!view_window_poll_events(v->window, patience_s(v))) view_request_quit(v);
    if (base_interrupted()) v->quit = true;
    run_pending_calls(v);
    update_scenes(v);
    view_script_player_step(v);
    watch_shaders(v, now);
    bool fresh = s->begun;
    s->timed = v->pages.panels && v->pages.metrics && s->work.info.timestamps;
    weir_device_set_pass_timing(s->work.device, s->timed);
    if (s->timed) view_timings_add_picture(&s->times, v->picture.renderer);
    handle_result(v, view_session_wait(s));
    view_draw_panels(v);
    fresh |= s->begun; /* set by a panel: another scene or state */
    if (v->failed == WEIR_OK) handle_result(v, view_session_wait(s));
    if (v->failed == WEIR_OK) handle_result(v, view_slice_update(&v->slice, s));
    if (v->failed == WEIR_OK) handle_result(v, capture_frame(v, fresh));
    if (busy) view_series_add(&s->times.frame, (float)(1000 * (base_time_s() - now)));
    set_title(v, now);
}

/* ---- creation and destruction --------------------------------------------------------------- */

static weir_result open_window(viewer *v, uint32_t width, uint32_t height)
{
    const weir_log *log = &v->session.work.log;
    view_window_def def = {
        .log = *log,
        .title = "Weir",
        .width = width,
        .height = height,
        .listener = view_input_listener(v),
    };
    WEIR_RETURN_IF_ERROR(view_window_create(&def, &v->window));
    v->gui = gui_create(view_window_handle(v->window));
    return v->gui ? WEIR_OK : base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for the panels");
}

static weir_result open_viewer(viewer *v, const view_options *o)
{
    view_session *s = &v->session;
    weir_log log = s->work.log;
    app_scene_options source = o->source;
    source.log = &log;
    source.shaders = o->shaders;
    s->user_set = &o->source.set;
    WEIR_RETURN_IF_ERROR(view_script_player_load(&v->player, &log, o->script, o->script_file));
    WEIR_RETURN_IF_ERROR(open_window(v, o->width, o->height));
    const weir_window window = {view_window_surface, v->window, o->tearing};
    source.window = &window;
    WEIR_RETURN_IF_ERROR(app_context_open(&source, &s->work));
    v->picture.device = s->work.device;
    WEIR_RETURN_IF_ERROR(weir_presenter_create(s->work.device, &window, &v->presenter));
    s->scene.width = o->width;
    s->scene.height = o->height;
    WEIR_RETURN_IF_ERROR(view_session_open(s, &v->picture, &v->camera, o->source.scene));
    s->pace.paused = o->paused || v->player.script.calls.count > 0;
    v->pages.panels = true;
    v->appearance = (view_appearance){.shadows = true, .whitewater = true, .samples = 1};
    v->slice = (view_slice){.axis = 2, .place = 0.5};
    return WEIR_OK;
}

static void close_viewer(viewer *v)
{
    view_video_end(&v->video, &v->session.work.log);
    weir_slice_destroy(&v->slice.seen);
    view_picture_close(&v->picture);
    weir_presenter_destroy(&v->presenter);
    view_session_close(&v->session);
    gui_destroy(&v->gui);
    view_window_destroy(&v->window);
    view_script_free(&v->player.script);
    view_pending_free(&v->pending);
    view_pending_free_call(&v->question.call);
    view_history_free(&v->history);
    view_scene_list_free(&v->scenes);
}

static int run_viewer(viewer *v, const view_options *options)
{
    weir_result result = open_viewer(v, options);
    app_context *work = &v->session.work;
    base_interrupt_install();
    while (result == WEIR_OK && !v->quit && v->failed == WEIR_OK)
        run_frame(v);
    if (result == WEIR_OK) result = v->failed;
    close_viewer(v);
    int status = work->device                    ? app_context_status(work, result)
                 : result == WEIR_ERROR_ARGUMENT ? APP_WRONG_USE
                                                 : APP_FAILED;
    app_context_close(work);
    return status == APP_DONE && v->player.failed ? APP_FAILED : status;
}

int view_run(const view_options *options)
{
    viewer *v = base_alloc(1, sizeof *v);
    int status = APP_FAILED;
    if (v && view_messages_open(&v->messages, app_log(options->source.quiet))) {
        v->session.work.log = view_messages_log(&v->messages);
        status = run_viewer(v, options);
        view_messages_close(&v->messages);
    }
    base_free(v);
    return status;
}
