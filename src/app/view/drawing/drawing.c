/* Draws the viewer's pictures, at a reduced size where full size would take too long. */
#include "drawing.h"
#include "dispatch_command.h"
#include "panels.h"
#include "script_player.h"

#define BUDGET_MS 75.0f        /* for a picture while something moves */
#define SETTLE_S 0.25          /* rest after which the full size is drawn */
#define MEANWHILE_S (1.0 / 30) /* minimum time between updates during a simulated frame */
#define PAUSE_S 1.0            /* a longer interval between pictures is a pause */

/* ---- the view ------------------------------------------------------------------------------- */

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

static view_content current_content(const viewer *v)
{
    return (view_content){.acquired = v->session.acquired,
                          .prepared = v->picture.prepared,
                          .inspected = v->session.inspected.points,
                          .slices = v->slice.made};
}

static bool same_vectors(const float a[3], const float b[3])
{
    return memcmp(a, b, 3 * sizeof *a) == 0;
}

/* Compares the members of views that the viewer sets. */
static bool same_views(const weir_camera *a, const weir_camera *b)
{
    return same_vectors(a->eye, b->eye) && same_vectors(a->target, b->target) &&
           same_vectors(a->up, b->up) && a->fov_y_degrees == b->fov_y_degrees &&
           a->width == b->width && a->height == b->height && a->samples == b->samples &&
           a->mode == b->mode && a->colouring == b->colouring && a->filter == b->filter &&
           a->shadows == b->shadows && a->whitewater == b->whitewater && a->legend == b->legend &&
           a->slice == b->slice && a->time_s == b->time_s &&
           a->value_range[0] == b->value_range[0] && a->value_range[1] == b->value_range[1];
}

/* Reports whether the last picture shows the view, at any size. */
static bool is_shown(const viewer *v, const weir_camera *view)
{
    const view_drawing *d = &v->drawing;
    view_content now = current_content(v);
    return d->exists && !d->provisional && !view->reload_shaders &&
           d->content.acquired == now.acquired && d->content.prepared == now.prepared &&
           d->content.inspected == now.inspected && d->content.slices == now.slices &&
           same_views(&d->view, view);
}

/* ---- pictures ------------------------------------------------------------------------------- */

bool view_draws_reduced(const viewer *v)
{
    bool scripted = v->player.script.calls.count > 0 && !v->drawing.reduced;
    return !scripted && !v->video.on && !v->requests.shot[0];
}

bool view_drawing_is_complete(const viewer *v)
{
    return v->drawing.exists && !v->drawing.provisional && v->drawing.level == 0 &&
           base_time_s() - v->drawing.changed_s > 4 * SETTLE_S;
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

static bool is_cpu_driver(const viewer *v)
{
    return v->session.work.info.kind == WEIR_DEVICE_CPU;
}

/* Restarts the choice of the pictures' size when the window has another size. */
static void match_window(viewer *v, uint32_t width, uint32_t height)
{
    view_resolution *r = &v->drawing.resolution;
    if (r->width == width && r->height == height) return;
    r->budget_ms = BUDGET_MS;
    view_resolution_start(r, width, height, is_cpu_driver(v));
}

/* Draws the view at the size of a level. */
static weir_result draw_view(viewer *v, const weir_camera *view, uint32_t level)
{
    const view_session *s = &v->session;
    view_drawing *d = &v->drawing;
    weir_camera sized = *view;
    if (level > 0) view_resolution_size(&d->resolution, level, &sized.width, &sized.height);
    sized.draft = level > 0;
    /* Without a cache, a CPU driver takes seconds to compile the shaders of the surface. */
    d->provisional = !d->exists && view_draws_reduced(v) && is_cpu_driver(v) &&
                     view->mode == WEIR_RENDER_MODE_SURFACE;
    if (d->provisional) sized.mode = WEIR_RENDER_MODE_PARTICLES;
    v->requests.reload = false;
    WEIR_RETURN_IF_ERROR(view_picture_draw(&v->picture,
                                           s->inspected.points ? s->inspected.points : s->points,
                                           &sized, s->stats.substep));
    d->view = *view;
    d->view.reload_shaders = false;
    d->content = current_content(v);
    d->level = level;
    d->exists = true;
    return WEIR_OK;
}

static bool simulates(const viewer *v)
{
    const view_session *s = &v->session;
    return !s->pace.paused || s->pace.steps_left > 0 || s->begun;
}

/* Draws the view unless the last picture already shows it at a suitable size. *drew: it was drawn.
 */
static weir_result draw_if_needed(viewer *v, const weir_camera *view, bool *drew)
{
    view_drawing *d = &v->drawing;
    bool reduced = view_draws_reduced(v), shown = is_shown(v, view);
    double now = base_time_s();
    if (!shown) d->changed_s = now;
    bool still = d->exists && now - d->changed_s >= SETTLE_S && !simulates(v);
    uint32_t level = reduced && !still ? d->resolution.level : 0;
    *drew = !reduced || !shown || level < d->level;
    return *drew ? draw_view(v, view, level) : WEIR_OK;
}

/* Measures the time of the picture that has just been shown. */
static void measure_picture(view_drawing *d, double start_s)
{
    double now = base_time_s(), interval = now - d->drawn_s;
    bool moves = now - d->changed_s < SETTLE_S || d->level > 0;
    d->drawn_s = now;
    if (!d->provisional && moves)
        view_resolution_measure(&d->resolution, d->level, (float)(1000 * (now - start_s)), now);
    if (interval > PAUSE_S)
        d->interval_s = 0;
    else
        d->interval_s += (d->interval_s > 0 ? 0.2f : 1.0f) * ((float)interval - d->interval_s);
}

weir_result view_draw_picture(viewer *v, bool fresh)
{
    const view_session *s = &v->session;
    view_drawing *d = &v->drawing;
    bool drew = false;
    uint32_t width, height;
    double start_s = base_time_s();
    view_window_pixels(v->window, &width, &height);
    if (width == 0 || height == 0) return WEIR_OK;
    match_window(v, width, height);
    const weir_camera view = current_view(v, width, height);
    WEIR_RETURN_IF_ERROR(draw_if_needed(v, &view, &drew));
    save_shot(v);
    if (fresh)
        view_video_frame(&v->video, &s->work.log, v->picture.image,
                         s->work.scene_info.frame_rate_hz);
    WEIR_RETURN_IF_ERROR(
        weir_presenter_show(v->presenter, v->picture.image, &d->overlay, width, height));
    d->shown_s = base_time_s();
    if (drew) measure_picture(d, start_s);
    if (v->requests.pictures > 0) v->requests.pictures--;
    return WEIR_OK;
}

/* ---- the window ----------------------------------------------------------------------------- */

void view_draw_panels(viewer *v)
{
    float scale, density;
    view_window_scale(v->window, &scale, &density);
    gui_set_scale(v->gui, scale, density);
    gui_begin(v->gui);
    view_show_panels(v);
    gui_end(v->gui, &v->drawing.overlay);
}

void view_draw_meanwhile(void *user)
{
    viewer *v = user;
    if (v->quit || base_time_s() - v->drawing.shown_s < MEANWHILE_S) return;
    v->pending.on = true;
    if (!view_window_poll_events(v->window, 0)) view_request_quit(v);
    view_draw_panels(v);
    weir_result result = v->session.points ? view_draw_picture(v, false) : WEIR_OK;
    if (result != WEIR_OK) v->failed = result;
    v->pending.on = false;
}

void view_drawing_print(const viewer *v, char out[96])
{
    const view_drawing *d = &v->drawing;
    uint32_t width = d->resolution.width, height = d->resolution.height;
    if (d->level > 0) view_resolution_size(&d->resolution, d->level, &width, &height);
    int used = snprintf(out, 96, "drawn at %u x %u", width, height);
    if (d->interval_s > 0 && base_time_s() - d->drawn_s < PAUSE_S && used > 0)
        snprintf(out + used, 96 - (size_t)used, ", %.3g pictures a second",
                 1 / (double)d->interval_s);
}
