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

weir_result view_run_key(viewer *v, const char *key)
{
    view_call call;
    if (!view_key_call(key, &call)) return WEIR_OK;
    if (v->pages.help && call.id == VIEW_QUIT)
        call = (view_call){.id = VIEW_HELP}; /* Escape closes the help page first */
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
    case VIEW_METRICS: set_switch(&v->pages.metrics, call); break;
    case VIEW_HELP: set_switch(&v->pages.help, call); break;
    case VIEW_SIZE: return resize_window(v->window, &work->log, values[0].number, values[1].number);
    case VIEW_MINIMISE: view_window_set_minimised(v->window, view_call_switch(call, false)); break;
    case VIEW_RELOAD: return reload(&v->requests, work);
    case VIEW_DRAW: v->requests.pictures = view_call_count(call); break;
    case VIEW_KEY: return view_run_key(v, values[0].text);
    default: v->quit = true;
    }
    return WEIR_OK;
}

weir_result view_run_command(viewer *v, const view_call *call)
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
    case VIEW_SAVE:
    case VIEW_LOAD:
    case VIEW_ITEMS:
    case VIEW_COPY_CAMERA:
    case VIEW_COPY_CHANGES: return view_run_file_command(v, call);
    default: return run_window_command(v, call);
    }
}
