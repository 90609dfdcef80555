/* Passes each command to the parts of the viewer that execute it. */
#include "dispatch_command.h"
#include "camera_commands.h"
#include "file_commands.h"
#include "mouse_tools.h"
#include "session_commands.h"

#define SIDE_MAX 16384.0 /* pixels */

/* Resizes the window. A size of 0 is refused, because some window systems terminate a program that
 * requests it. */
static weir_result resize_window(view_window *window, const weir_log *log, double width,
                                 double height)
{
    if (!(width >= 1 && width <= SIDE_MAX && height >= 1 && height <= SIDE_MAX))
        return base_fail(log, WEIR_ERROR_ARGUMENT,
                         "size %.0f %.0f: expected 1 to %.0f pixels on a side", width, height,
                         SIDE_MAX);
    view_window_resize(window, (uint32_t)width, (uint32_t)height);
    return WEIR_OK;
}

/* Schedules the compilation of changed shaders before the next picture. */
static weir_result reload(view_requests *requests, const app_context *work)
{
    if (!work->info.can_reload_shaders)
        return base_fail(&work->log, WEIR_ERROR_ARGUMENT,
                         "this build cannot reload shaders: configure a development build with "
                         "cmake --preset develop");
    requests->reload = true;
    view_requests_add_picture(requests);
    return WEIR_OK;
}

/* ---- questions and undo --------------------------------------------------------------------- */

#define MUCH_WORK_S 60.0 /* time spent simulating that is worth a question */

/* Reports whether the command would lose work that the user has not saved. */
static bool loses_work(const viewer *v, view_command_id id)
{
    const view_work *work = &v->session.work_done;
    bool leaves =
        id == VIEW_QUIT || id == VIEW_SCENE || id == VIEW_NEXT_SCENE || id == VIEW_PREVIOUS_SCENE;
    return leaves && v->player.script.calls.count == 0 &&
           (work->changed || work->computed_s > MUCH_WORK_S);
}

static void ask(viewer *v, const view_call *call)
{
    view_pending_calls one = {0};
    view_pending_free_call(&v->question.call);
    v->question = (view_question){.open = view_pending_add(&one, call)};
    view_pending_take(&one, &v->question.call);
    BASE_ARRAY_FREE(&one.calls);
}

void view_request_quit(viewer *v)
{
    view_run_command(v, &(view_call){.id = VIEW_QUIT});
}

void view_answer_question(viewer *v, view_answer answer)
{
    view_session *s = &v->session;
    const view_call save[] = {
        {.id = VIEW_SAVE},
        {.id = VIEW_COPY_CHANGES, .values = {{true, 0, "weir-changes.txt"}}},
    };
    v->question.open = false;
    if (answer == VIEW_ANSWER_CANCEL) return;
    for (size_t i = 0; i < BASE_COUNT(save) && answer == VIEW_ANSWER_SAVE; i++)
        if (view_run_command(v, &save[i]) != WEIR_OK) return;
    s->work_done = (view_work){0};
    if (answer == VIEW_ANSWER_SAVE && v->pending.on) /* saving waits, and so must what follows */
        view_pending_add(&v->pending, &v->question.call);
    else
        view_run_command(v, &v->question.call);
}

/* Returns the name of the setting that a command changes and undo restores; NULL: none. */
static const char *changed_setting(const view_call *call, char out[64])
{
    switch (call->id) {
    case VIEW_SET:
        snprintf(out, 64, "%.*s", (int)strcspn(call->values[0].text, "="), call->values[0].text);
        return out;
    case VIEW_ORBIT:
    case VIEW_PAN:
    case VIEW_ZOOM:
    case VIEW_PIVOT:
    case VIEW_CAMERA_SET:
    case VIEW_HOME:
    case VIEW_PASTE_CAMERA: return "camera";
    case VIEW_METHOD:
    case VIEW_LOOK:
    case VIEW_FLUID:
    case VIEW_GRAVITY:
    case VIEW_SHOW:
    case VIEW_COLOUR:
    case VIEW_FILTER:
    case VIEW_SHADOWS:
    case VIEW_WHITEWATER:
    case VIEW_SAMPLES: return view_commands[call->id].name;
    default: return NULL;
    }
}

/* Reports whether the command does not use the simulation, so that it may run during a frame. */
static bool may_run_meanwhile(view_command_id id)
{
    static const view_command_id safe[] = {
        VIEW_PAUSE,      VIEW_STEP,       VIEW_SLOW,     VIEW_ORBIT,   VIEW_PAN,
        VIEW_ZOOM,       VIEW_CAMERA_SET, VIEW_HOME,     VIEW_FILTER,  VIEW_SHADOWS,
        VIEW_WHITEWATER, VIEW_SAMPLES,    VIEW_PANELS,   VIEW_UNFOLD,  VIEW_METRICS,
        VIEW_HELP,       VIEW_SCENES,     VIEW_MINIMISE, VIEW_SIZE,    VIEW_KEY,
        VIEW_QUIT,       VIEW_SHOT,       VIEW_DRAW,     VIEW_REDUCED, VIEW_COPY_CAMERA};
    for (size_t i = 0; i < BASE_COUNT(safe); i++)
        if (safe[i] == id) return true;
    return false;
}

/* ---- keys ----------------------------------------------------------------------------------- */

/* Closes the open page. Escape does this before it closes the window. Returns false without one. */
static bool close_page(viewer *v)
{
    bool *open = v->question.open  ? &v->question.open
                 : v->pages.help   ? &v->pages.help
                 : v->pages.scenes ? &v->pages.scenes
                                   : NULL;
    if (open) *open = false;
    return open != NULL;
}

weir_result view_run_key(viewer *v, const char *key)
{
    view_call call;
    if (!view_key_call(key, &call)) return WEIR_OK;
    if (call.id == VIEW_QUIT && close_page(v)) return WEIR_OK;
    return view_run_command(v, &call);
}

weir_result view_run_number(viewer *v, view_command_id id, double number)
{
    return view_run_command(v, &(view_call){.id = id, .values = {{true, number, NULL}}});
}

static void set_switch(bool *on, const view_call *call)
{
    *on = view_call_switch(call, *on);
}

static weir_result run_window_command(viewer *v, const view_call *call)
{
    const view_value *values = call->values;
    const app_context *work = &v->session.work;
    switch (call->id) {
    case VIEW_PANELS: set_switch(&v->pages.panels, call); break;
    case VIEW_UNFOLD:
        set_switch(&v->pages.unfolded, call);
        gui_set_sections(v->pages.unfolded);
        break;
    case VIEW_METRICS: set_switch(&v->pages.metrics, call); break;
    case VIEW_HELP: set_switch(&v->pages.help, call); break;
    case VIEW_SCENES: set_switch(&v->pages.scenes, call); break;
    case VIEW_UNDO: return view_history_go(v, false);
    case VIEW_REDO: return view_history_go(v, true);
    case VIEW_REDUCED: set_switch(&v->drawing.reduced, call); break;
    case VIEW_SIZE: return resize_window(v->window, &work->log, values[0].number, values[1].number);
    case VIEW_MINIMISE: view_window_set_minimised(v->window, view_call_switch(call, false)); break;
    case VIEW_RELOAD: return reload(&v->requests, work);
    case VIEW_DRAW: v->requests.pictures = view_call_count(call); break;
    case VIEW_KEY: return view_run_key(v, values[0].text);
    default: v->quit = true;
    }
    return WEIR_OK;
}

static weir_result run_now(viewer *v, const view_call *call)
{
    view_session *s = &v->session;
    switch (call->id) {
    case VIEW_PAUSE:
    case VIEW_STEP:
    case VIEW_SLOW:
    case VIEW_PASS: return view_run_pace_command(s, &v->requests, call);
    case VIEW_RESTART:
    case VIEW_NEXT_SCENE:
    case VIEW_PREVIOUS_SCENE:
    case VIEW_SCENE:
    case VIEW_SET:
    case VIEW_METHOD:
    case VIEW_LOOK:
    case VIEW_FLUID:
    case VIEW_GRAVITY: return view_run_scene_command(s, &v->picture, &v->camera, call);
    case VIEW_DRAG_BODY:
    case VIEW_PUSH:
    case VIEW_PULL:
    case VIEW_RELEASE_TOOL:
    case VIEW_HOSE:
        return view_mouse_tool_command(s, &v->camera, view_window_aspect(v->window), call);
    case VIEW_ORBIT:
    case VIEW_PAN:
    case VIEW_ZOOM:
    case VIEW_PIVOT:
    case VIEW_CAMERA_SET:
    case VIEW_HOME:
    case VIEW_PASTE_CAMERA: return view_run_camera_command(&v->camera, s, v->window, call);
    case VIEW_SHOW:
    case VIEW_COLOUR:
    case VIEW_FILTER:
    case VIEW_SHADOWS:
    case VIEW_WHITEWATER:
    case VIEW_SAMPLES: return view_appearance_command(&v->appearance, &s->work.log, call);
    case VIEW_SLICE: return view_slice_command(&v->slice, s, call);
    case VIEW_SHOT:
    case VIEW_RECORD:
    case VIEW_TRACE:
    case VIEW_CAPTURE:
    case VIEW_SAVE:
    case VIEW_LOAD:
    case VIEW_ITEMS:
    case VIEW_COPY_CAMERA:
    case VIEW_COPY_CHANGES: return view_run_file_command(v, call);
    default: return run_window_command(v, call);
    }
}

weir_result view_run_command(viewer *v, const view_call *call)
{
    char key[64];
    const char *what = changed_setting(call, key);
    if (v->pending.on && !may_run_meanwhile(call->id)) {
        if (view_pending_add(&v->pending, call)) return WEIR_OK;
        return base_fail(&v->session.work.log, WEIR_ERROR_MEMORY, "not enough memory");
    }
    if (loses_work(v, call->id)) {
        ask(v, call);
        return WEIR_OK;
    }
    if (what) view_history_store(v, what);
    weir_result result = run_now(v, call);
    bool opens =
        call->id == VIEW_SCENE || call->id == VIEW_NEXT_SCENE || call->id == VIEW_PREVIOUS_SCENE;
    if (opens && result == WEIR_OK) view_history_clear(&v->history);
    return result;
}
