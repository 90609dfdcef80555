/* Executes the commands that write pictures, videos, traces, captures, states and texts. */
#include "file_commands.h"

#define MAX_FILE_NUMBER 10000

static void log_note(const view_session *s, const char *what, const char *text)
{
    base_log(&s->work.log, WEIR_LOG_INFO, "%s%s", what, text);
}

/* Returns the file that the call names; otherwise the first of weir-0001.EXT ... that does not
 * exist. */
static weir_result choose_file(const weir_log *log, const view_call *call, const char *extension,
                               char out[512])
{
    if (call->values[0].text)
        return snprintf(out, 512, "%s", call->values[0].text) < 512 ? WEIR_OK : WEIR_ERROR_ARGUMENT;
    for (int i = 1; i < MAX_FILE_NUMBER; i++) {
        snprintf(out, 512, "weir-%04d.%s", i, extension);
        if (!base_path_is_file(out)) return WEIR_OK;
    }
    return base_fail(log, WEIR_ERROR_IO, "weir-0001.%s to weir-%04d.%s all exist: remove some",
                     extension, MAX_FILE_NUMBER - 1, extension);
}

static bool is_switched_off(const view_call *call)
{
    return call->values[0].text && strcmp(call->values[0].text, "off") == 0;
}

static weir_result request_screenshot(view_requests *requests, const weir_log *log,
                                      const view_call *call)
{
    weir_result result = choose_file(log, call, "png", requests->shot);
    if (result == WEIR_OK) view_requests_add_picture(requests); /* a script waits for the file */
    return result;
}

static weir_result start_or_end_video(view_video *video, const weir_log *log, const view_call *call)
{
    char path[512];
    if (video->on || is_switched_off(call)) return view_video_end(video, log);
    weir_result result = choose_file(log, call, "mp4", path);
    if (result == WEIR_OK) view_video_begin(video, log, path);
    return result;
}

static weir_result end_trace(view_session *s)
{
    weir_result result = s->tracing ? weir_trace_finish(s->work.device) : WEIR_OK;
    s->tracing = false;
    if (result == WEIR_OK) log_note(s, "the trace is complete: open it in Perfetto", "");
    return result;
}

static weir_result start_or_end_trace(view_session *s, const view_call *call)
{
    char path[512];
    if (s->tracing || is_switched_off(call)) return end_trace(s);
    WEIR_RETURN_IF_ERROR(choose_file(&s->work.log, call, "json", path));
    WEIR_RETURN_IF_ERROR(weir_trace_start(s->work.device, path));
    s->tracing = true;
    log_note(s, "writing a trace to ", path);
    return WEIR_OK;
}

static weir_result request_capture(viewer *v)
{
    WEIR_RETURN_IF_ERROR(app_capture_open(&v->session.work.log, "capture", "view", &v->capture));
    v->requests.capture = true;
    view_requests_add_picture(&v->requests); /* a script waits for the frame */
    return WEIR_OK;
}

/* ---- states --------------------------------------------------------------------------------- */

static const char *state_path(const view_call *call)
{
    return call->values[0].text ? call->values[0].text : "weir.state";
}

static weir_result save_state(view_session *s, const char *path)
{
    view_session_leave_pass(s);
    weir_result result = weir_sim_save(s->sim, path);
    if (result == WEIR_OK) s->work_done.computed_s = 0;
    if (result == WEIR_OK) log_note(s, "state saved to ", path);
    return result;
}

static weir_result load_state(view_session *s, const char *path)
{
    view_session_leave_pass(s);
    WEIR_RETURN_IF_ERROR(weir_sim_restore(s->sim, path));
    s->begun = true; /* its statistics must be read */
    log_note(s, "state loaded from ", path);
    return WEIR_OK;
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* Writes the text to the file that the call names; otherwise to the clipboard. */
static weir_result write_text(const view_session *s, view_window *window, const view_call *call,
                              const char *text)
{
    const char *path = call->values[0].text;
    if (path) return base_file_write(&s->work.log, path, text, strlen(text));
    view_window_set_clipboard(window, text);
    log_note(s, "copied: ", text);
    return WEIR_OK;
}

static weir_result copy_changes(view_session *s, view_window *window, const view_call *call)
{
    base_text text = {0};
    weir_result result =
        view_scene_source_print(&s->scene.scene_source, &text)
            ? write_text(s, window, call, text.items)
            : base_fail(&s->work.log, WEIR_ERROR_MEMORY, "not enough memory for the changes");
    if (result == WEIR_OK) s->work_done.changed = false;
    BASE_ARRAY_FREE(&text);
    return result;
}

static weir_result copy_camera(const viewer *v, const view_call *call)
{
    char text[CAMERA_TEXT];
    camera_print(&v->camera, text);
    return write_text(&v->session, v->window, call, text);
}

/* Writes the positions of the panels' items in the last frame. */
static weir_result write_panel_items(const gui *panels, const weir_log *log, const char *path)
{
    base_text text = {0};
    gui_item item;
    bool good = true;
    for (uint32_t i = 0; good && gui_item_at(panels, i, &item); i++)
        good = base_text_append(&text, "%.0f %.0f %.0f %.0f %s\n", (double)item.low[0],
                                (double)item.low[1], (double)item.high[0], (double)item.high[1],
                                item.name);
    weir_result result = good
                             ? base_file_write(log, path, text.items ? text.items : "", text.count)
                             : base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for the items");
    BASE_ARRAY_FREE(&text);
    return result;
}

weir_result view_run_file_command(viewer *v, const view_call *call)
{
    view_session *s = &v->session;
    const weir_log *log = &s->work.log;
    switch (call->id) {
    case VIEW_SHOT: return request_screenshot(&v->requests, log, call);
    case VIEW_RECORD: return start_or_end_video(&v->video, log, call);
    case VIEW_TRACE: return start_or_end_trace(s, call);
    case VIEW_CAPTURE: return request_capture(v);
    case VIEW_SAVE: return save_state(s, state_path(call));
    case VIEW_LOAD: return load_state(s, state_path(call));
    case VIEW_ITEMS: return write_panel_items(v->gui, log, call->values[0].text);
    case VIEW_COPY_CAMERA: return copy_camera(v, call);
    default: return copy_changes(s, v->window, call);
    }
}
