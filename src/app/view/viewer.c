/* The viewer's life: opened, run frame by frame, closed. In a frame the processor waits once, at
 * its start, for the simulation that was begun in the frame before; drawing goes on meanwhile. */
#include "viewer.h"
#include "film.h"
#include "picture.h"

#define DEGREES 0.01745329252f
#define ORBIT_SPEED (180 * DEGREES) /* for a drag across the window */
#define WHEEL_FACTOR 1.15f
#define SLOW_FACTOR 0.1
#define IDLE_S (1.0 / 30)
#define RELOAD_S 0.5
#define SCRIPT_MAX (1u << 20)

/* ---- messages ------------------------------------------------------------------------------- */

static void take_message(void *user, weir_log_level level, const char *text)
{
    view_messages *messages = user;
    if (messages->below.write && level <= messages->below.level)
        messages->below.write(messages->below.user, level, text);
    if (level > WEIR_LOG_INFO) return;
    base_mutex_lock(messages->mutex);
    view_message *m = &messages->items[messages->count++ % VIEW_MESSAGES];
    m->level = level;
    m->when_s = base_time_s();
    snprintf(m->text, sizeof m->text, "%s", text);
    base_mutex_unlock(messages->mutex);
}

static void log_text(viewer *v, weir_log_level level, const char *format, va_list arguments)
{
    char text[400];
    vsnprintf(text, sizeof text, format, arguments);
    base_log(&v->work.log, level, "%s", text);
}

void view_error(viewer *v, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    log_text(v, WEIR_LOG_ERROR, format, arguments);
    va_end(arguments);
}

void view_note(viewer *v, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    log_text(v, WEIR_LOG_INFO, format, arguments);
    va_end(arguments);
}

/* ---- what the window tells ------------------------------------------------------------------ */

camera_place view_place(const viewer *v, double x, double y)
{
    uint32_t width, height;
    view_window_pixels(v->window, &width, &height);
    return (camera_place){(float)x, (float)y, height ? (float)width / (float)height : 16.0f / 9};
}

static void on_key(void *user, const char *key)
{
    view_press(user, key);
}

static void on_drag(void *user, view_drag drag, const float from[2], const float to[2])
{
    viewer *v = user;
    float right = to[0] - from[0], down = to[1] - from[1];
    switch (drag) {
    case VIEW_DRAG_ORBIT: camera_orbit(&v->camera, -right * ORBIT_SPEED, down * ORBIT_SPEED); break;
    case VIEW_DRAG_PAN: camera_pan(&v->camera, right * view_place(v, 0, 0).aspect, down); break;
    case VIEW_DRAG_PUSH:
    case VIEW_DRAG_PULL:
        view_act(
            v, &(view_call){.id = drag == VIEW_DRAG_PUSH ? VIEW_PUSH : VIEW_PULL,
                            .values = {{true, (double)to[0], NULL}, {true, (double)to[1], NULL}}});
    }
}

static void on_release(void *user)
{
    view_act(user, &(view_call){.id = VIEW_RELEASE});
}

static void on_wheel(void *user, float notches, const float at[2])
{
    viewer *v = user;
    camera_zoom(&v->camera, powf(WHEEL_FACTOR, notches),
                view_place(v, (double)at[0], (double)at[1]));
}

static void on_double_click(void *user, const float at[2])
{
    view_call call = {.id = VIEW_PIVOT,
                      .values = {{true, (double)at[0], NULL}, {true, (double)at[1], NULL}}};
    view_act(user, &call);
}

/* ---- the script ----------------------------------------------------------------------------- */

static weir_result read_script(viewer *v)
{
    const view_options *o = v->options;
    base_blob blob = {0};
    base_text text = {0};
    weir_result result = WEIR_OK;
    if (o->script) return view_script_parse(&v->work.log, "--script", o->script, &v->script);
    if (!o->script_file) return WEIR_OK;
    WEIR_TRY(base_file_read(&v->work.log, o->script_file, SCRIPT_MAX, &blob));
    result = base_text_bytes(&text, blob.bytes, blob.size) && base_text_bytes(&text, "", 1)
                 ? view_script_parse(&v->work.log, o->script_file, text.items, &v->script)
                 : base_fail(&v->work.log, WEIR_MEMORY, "no memory for the script");
fail:
    base_blob_free(&blob);
    BASE_ARRAY_FREE(&text);
    return result;
}

/* Commands up to the one that takes frames. A command that fails ends the script and the viewer:
 * what comes after it was written for its success. */
static void run_script(viewer *v)
{
    while (v->script_at < v->script.calls.count && !v->quit && !v->script_failed &&
           v->steps_left == 0 && v->draws_left == 0) {
        const view_call *call = &v->script.calls.items[v->script_at++];
        v->script_failed = !view_act(v, call);
        if (!v->script_failed) continue;
        view_error(v, "the script ends at its command %zu, \"%s\", which failed", v->script_at,
                   view_commands[call->id].name);
        v->quit = true;
    }
}

/* ---- a frame -------------------------------------------------------------------------------- */

static bool fails(viewer *v, weir_result result)
{
    if (result != WEIR_OK && result != WEIR_UNSTABLE) v->failed = result;
    return result != WEIR_OK;
}

/* Looks at the frame that was begun in the frame before. */
static void look(viewer *v)
{
    if (!v->stepped) return;
    v->stepped = false;
    weir_result result = weir_sim_wait(v->sim);
    if (result == WEIR_UNSTABLE) {
        v->paused = true;
        v->steps_left = 0;
    }
    if (fails(v, result) && result != WEIR_UNSTABLE) return;
    if (weir_sim_stats(v->sim, &v->stats) == WEIR_OK) view_times_take(v);
}

static bool is_due(viewer *v)
{
    double now = base_time_s(), each = 1.0 / v->work.scene_info.frame_rate_hz;
    if (now < v->next_step_s) return false;
    v->next_step_s = fmax(v->next_step_s, now - each) + each;
    return true;
}

static void simulate(viewer *v)
{
    bool wanted = v->steps_left > 0 || (!v->paused && is_due(v));
    double each = 1.0 / v->work.scene_info.frame_rate_hz;
    if (!wanted || v->failed != WEIR_OK) return;
    if (v->steps_left > 0) v->steps_left--;
    if (v->emitting) view_emit(v);
    weir_result result = weir_sim_step(v->sim, v->slow ? SLOW_FACTOR * each : each);
    if (result == WEIR_UNSTABLE || result == WEIR_ARGUMENT) {
        v->paused = true;
        v->steps_left = 0;
    } else if (!fails(v, result)) {
        v->stepped = true;
    }
}

static void set_title(viewer *v)
{
    char title[256];
    view_spread frame = view_series_spread(&v->times.frame);
    snprintf(title, sizeof title, "Weir: %s, %u particles, %.1f ms%s", v->work.scene_info.name,
             v->stats.particle_count, (double)frame.median, v->paused ? ", paused" : "");
    view_window_title(v->window, title);
}

static weir_result draw(viewer *v, bool fresh)
{
    weir_result result = WEIR_OK;
    weir_overlay drawing;
    uint32_t width, height;
    view_window_pixels(v->window, &width, &height);
    float scale, density;
    view_window_scale(v->window, &scale, &density);
    gui_fit(v->panels, scale, density);
    gui_begin(v->panels);
    view_panels(v);
    gui_end(v->panels, &drawing);
    if (width == 0 || height == 0) return WEIR_OK;
    WEIR_TRY(view_picture_draw(v, width, height));
    if (v->shot[0]) {
        weir_result saved = view_picture_save(v, v->shot);
        if (saved == WEIR_OK)
            view_note(v, "picture: %s", v->shot);
        else if (v->script.calls.count)
            v->script_failed = v->quit = true;
        v->shot[0] = '\0';
    }
    if (fresh) view_film_frame(v);
    WEIR_TRY(view_picture_show(v, &drawing));
    if (v->draws_left > 0) v->draws_left--;
fail:
    return result;
}

/* A development build looks by itself whether shaders have changed; a script says when. */
static void watch_shaders(viewer *v, double now)
{
    if (!v->work.info.reloads || v->script.calls.count || now - v->reloaded_s < RELOAD_S) return;
    v->reloaded_s = now;
    v->reload = true;
}

static void run_frame(viewer *v)
{
    double now = base_time_s();
    bool busy = !v->paused || v->steps_left || v->draws_left || v->stepped ||
                v->script_at < v->script.calls.count;
    if (!view_window_poll(v->window, busy ? 0 : IDLE_S) || base_interrupted()) v->quit = true;
    run_script(v);
    watch_shaders(v, now);
    bool fresh = v->stepped;
    view_times_drawn(v);
    look(v);
    simulate(v);
    fails(v, draw(v, fresh));
    if (busy) view_series_add(&v->times.frame, (float)(1000 * (base_time_s() - now)));
    if (now - v->last_frame_s > 0.25) {
        v->last_frame_s = now;
        set_title(v);
    }
}

/* ---- life ----------------------------------------------------------------------------------- */

static weir_result open_window(viewer *v)
{
    weir_result result;
    view_window_def def = {
        .log = v->work.log,
        .title = "Weir",
        .width = v->options->width,
        .height = v->options->height,
        .listener = {v, on_key, on_drag, on_release, on_wheel, on_double_click},
    };
    WEIR_TRY(view_window_create(&def, &v->window));
    v->panels = gui_create(view_window_handle(v->window));
    if (!v->panels) return base_fail(&v->work.log, WEIR_MEMORY, "no memory for the panels");
fail:
    return result;
}

static weir_result open_viewer(viewer *v)
{
    weir_result result;
    app_source source = v->options->source;
    source.log = &v->work.log;
    source.present = true;
    source.shaders = v->options->shaders;
    weir_log log = v->work.log;
    WEIR_TRY(read_script(v));
    WEIR_TRY(open_window(v));
    source.log = &log;
    WEIR_TRY(app_work_open(&source, &v->work));
    WEIR_TRY(weir_presenter_create(v->work.device, view_window_surface, v->window,
                                   v->options->tearing, &v->presenter));
    WEIR_TRY(view_picture_create(v));
    WEIR_TRY(view_scene_open(v, v->options->source.scene));
fail:
    return result;
}

static void close_viewer(viewer *v)
{
    view_film_end(v);
    view_leave_rows(v);
    view_picture_destroy(v);
    weir_presenter_destroy(&v->presenter);
    weir_sim_destroy(&v->sim);
    gui_destroy(&v->panels);
    view_window_destroy(&v->window);
    view_script_free(&v->script);
    view_recipe_free(&v->recipe);
}

static int run(viewer *v)
{
    weir_result result = open_viewer(v);
    v->paused = v->options->paused || v->script.calls.count > 0;
    v->show_panels = v->show_metrics = true;
    v->look = (view_look){.shadows = true, .legend = true, .samples = 1};
    base_interrupt_install();
    while (result == WEIR_OK && !v->quit && v->failed == WEIR_OK)
        run_frame(v);
    if (result == WEIR_OK) result = v->failed;
    close_viewer(v);
    int status = v->work.device            ? app_work_status(&v->work, result)
                 : result == WEIR_ARGUMENT ? APP_WRONG_USE
                                           : APP_FAILED;
    app_work_close(&v->work);
    return status == APP_DONE && v->script_failed ? APP_FAILED : status;
}

int view_run(const view_options *options)
{
    viewer *v = base_alloc(1, sizeof *v);
    base_mutex *mutex = base_mutex_create();
    int status = APP_FAILED;
    if (v && mutex) {
        v->options = options;
        v->messages.mutex = mutex;
        v->messages.below = app_log(options->source.quiet);
        v->work.log =
            (weir_log){.write = take_message, .user = &v->messages, .level = WEIR_LOG_INFO};
        status = run(v);
    }
    base_mutex_destroy(&mutex);
    base_free(v);
    return status;
}
