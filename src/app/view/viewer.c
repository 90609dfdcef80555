/* Opens the viewer, runs it frame by frame and closes it. A frame waits once, at its start, for the
 * simulation that the previous frame began. It acquires the particles, begins to simulate the next
 * frame, and draws the particles in the meantime. So the device is still drawing when the CPU waits
 * again, and it has its next work before the drawing ends. */
#include "viewer.h"
#include "input.h"
#include "mouse_tools.h"
#include "panels.h"
#include "script_player.h"
#include "weir/render.h"

#define IDLE_S (1.0 / 30)
#define RELOAD_S 0.5
#define TITLE_S 0.25

/* ---- a frame -------------------------------------------------------------------------------- */

static bool is_home(const viewer *v)
{
    return memcmp(&v->camera, &v->session.scene.home, sizeof v->camera) == 0;
}

/* Follows the scene's keyframes with a camera that nobody has moved. */
static void follow_keyframes(viewer *v)
{
    view_session *s = &v->session;
    bool follows = is_home(v);
    view_open_scene_home_at(&s->scene, s->work.scene, s->stats.time_s);
    if (follows) v->camera = s->scene.home;
}

static weir_camera current_view(viewer *v, uint32_t width, uint32_t height)
{
    view_session *s = &v->session;
    s->scene.width = width;
    s->scene.height = height;
    follow_keyframes(v);
    weir_camera view = weir_camera_for_size(s->work.scene, s->stats.time_s, width, height);
    /* A camera that has not moved equals the scene's bit for bit, so the picture is that of weir
     * run --images. */
    if (!is_home(v)) camera_to_view_def(&v->camera, &view);
    view_appearance_apply(&v->appearance, &view);
    view.reload_shaders = v->requests.reload;
    view.slice = v->slice.seen;
    if (s->inspected.points) {
        view.mode = WEIR_RENDER_MODE_PARTICLES;
        view.colouring = WEIR_COLOURING_DENSITY;
        view.value_range[0] = 0;
        view.value_range[1] = 1;
        view.legend = false;
        view.slice = NULL;
    }
    return view;
}

static weir_result draw_fluid(viewer *v, uint32_t width, uint32_t height)
{
    const view_session *s = &v->session;
    weir_camera view = current_view(v, width, height);
    v->requests.reload = false;
    return view_picture_draw(&v->picture, s->inspected.points ? s->inspected.points : s->points,
                             &view, s->stats.substep);
}

static void draw_panels(viewer *v, weir_overlay *overlay)
{
    float scale, density;
    view_window_scale(v->window, &scale, &density);
    gui_set_scale(v->gui, scale, density);
    gui_begin(v->gui);
    view_show_panels(v);
    gui_end(v->gui, overlay);
}

/* Saves the requested picture. A paused viewer first draws the steps that were requested before
 * it. */
static void save_shot(viewer *v)
{
    const view_session *s = &v->session;
    char *path = v->requests.shot;
    if (!path[0] || (s->pace.paused && (s->begun || s->pace.steps_left > 0))) return;
    if (weir_image_save(v->picture.image, path) == WEIR_OK)
        base_log(&v->session.work.log, WEIR_LOG_INFO, "picture: %s", path);
    else if (v->player.script.calls.count)
        v->player.failed = v->quit = true;
    path[0] = '\0';
}

/* Draws a picture. `fresh`: it is the first one of this frame. */
static weir_result draw_picture(viewer *v, const weir_overlay *overlay, bool fresh)
{
    const view_session *s = &v->session;
    uint32_t width, height;
    view_window_pixels(v->window, &width, &height);
    if (width == 0 || height == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(draw_fluid(v, width, height));
    save_shot(v);
    if (fresh)
        view_video_frame(&v->video, &s->work.log, v->picture.image,
                         s->work.scene_info.frame_rate_hz);
    WEIR_RETURN_IF_ERROR(
        weir_presenter_show(v->presenter, v->picture.image, overlay, width, height));
    if (v->requests.pictures > 0) v->requests.pictures--;
    return WEIR_OK;
}

static weir_result begin_simulation_frame(view_session *s, const camera *c)
{
    if (!view_session_is_due(s)) return WEIR_OK;
    if (s->emitting) view_update_hose(s, c);
    return view_session_step(s);
}

/* Reports whether to draw before simulating: meshing waits for the device, which should not have
 * another frame to simulate first, and lambda is valid only until the next step. */
static bool must_draw_first(const view_appearance *appearance)
{
    return appearance->mode == WEIR_RENDER_MODE_MESH ||
           appearance->colouring == WEIR_COLOURING_LAMBDA;
}

static weir_result simulate_and_draw(viewer *v, const weir_overlay *overlay, bool fresh)
{
    view_session *s = &v->session;
    bool first = must_draw_first(&v->appearance);
    if (first) WEIR_RETURN_IF_ERROR(draw_picture(v, overlay, fresh));
    WEIR_RETURN_IF_ERROR(begin_simulation_frame(s, &v->camera));
    return first ? WEIR_OK : draw_picture(v, overlay, fresh);
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

static void run_frame(viewer *v)
{
    view_session *s = &v->session;
    weir_overlay overlay;
    double now = base_time_s();
    bool busy = is_busy(v);
    if (!view_window_poll_events(v->window, busy ? 0 : IDLE_S) || base_interrupted())
        v->quit = true;
    view_script_player_step(v);
    watch_shaders(v, now);
    bool fresh = s->begun;
    s->timed = v->pages.panels && v->pages.metrics && s->work.info.timestamps;
    weir_device_set_pass_timing(s->work.device, s->timed);
    if (s->timed) view_timings_add_picture(&s->times, v->picture.renderer);
    handle_result(v, view_session_wait(s));
    draw_panels(v, &overlay);
    fresh |= s->begun; /* set by a panel: another scene or state */
    if (v->failed == WEIR_OK) handle_result(v, view_session_wait(s));
    if (v->failed == WEIR_OK) handle_result(v, view_slice_update(&v->slice, s));
    if (v->failed == WEIR_OK) handle_result(v, simulate_and_draw(v, &overlay, fresh));
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
    v->pages.panels = v->pages.metrics = true;
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
