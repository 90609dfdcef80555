/* Each command goes to the parts that it works on. */
#include "act.h"
#include "act_camera.h"
#include "act_files.h"
#include "act_session.h"
#include "steer.h"

#define SIDE_MAX 16384.0 /* pixels */

/* A window system may end a program that asks for a window without size. */
static weir_result resize(view_window *window, const weir_log *log, double width, double height)
{
    if (!(width >= 1 && width <= SIDE_MAX && height >= 1 && height <= SIDE_MAX))
        return base_fail(log, WEIR_ARGUMENT, "size %.0f %.0f: expected 1 to %.0f pixels on a side",
                         width, height, SIDE_MAX);
    view_window_resize(window, (uint32_t)width, (uint32_t)height);
    return WEIR_OK;
}

/* The next picture compiles the shaders. */
static weir_result reload(view_requests *requests, const app_work *work)
{
    if (!work->info.reloads)
        return base_fail(&work->log, WEIR_ARGUMENT,
                         "this build's shaders stay as they are: configure a development build "
                         "with cmake --preset develop");
    requests->reload = true;
    view_requests_picture(requests);
    return WEIR_OK;
}

weir_result view_act_key(viewer *v, const char *key)
{
    view_call call;
    if (!view_key_call(key, &call)) return WEIR_OK;
    if (v->pages.help && call.id == VIEW_QUIT)
        call = (view_call){.id = VIEW_HELP}; /* Escape closes the page first */
    return view_act(v, &call);
}

weir_result view_act_number(viewer *v, view_command_id id, double number)
{
    return view_act(v, &(view_call){.id = id, .values = {{true, number, NULL}}});
}

static void turn(bool *on, const view_call *call)
{
    *on = view_call_switch(call, *on);
}

static weir_result act_window(viewer *v, const view_call *call)
{
    const view_value *values = call->values;
    const app_work *work = &v->session.work;
    switch (call->id) {
    case VIEW_PANELS: turn(&v->pages.panels, call); break;
    case VIEW_METRICS: turn(&v->pages.metrics, call); break;
    case VIEW_HELP: turn(&v->pages.help, call); break;
    case VIEW_SIZE: return resize(v->window, &work->log, values[0].number, values[1].number);
    case VIEW_MINIMISE: view_window_minimise(v->window, view_call_switch(call, false)); break;
    case VIEW_RELOAD: return reload(&v->requests, work);
    case VIEW_DRAW: v->requests.pictures = view_call_count(call); break;
    case VIEW_KEY: return view_act_key(v, values[0].text);
    default: v->quit = true;
    }
    return WEIR_OK;
}

weir_result view_act(viewer *v, const view_call *call)
{
    view_session *s = &v->session;
    switch (call->id) {
    case VIEW_PAUSE:
    case VIEW_STEP:
    case VIEW_SLOW:
    case VIEW_ROW: return view_act_pace(s, &v->requests, call);
    case VIEW_RESTART:
    case VIEW_NEXT_SCENE:
    case VIEW_PREVIOUS_SCENE:
    case VIEW_SCENE:
    case VIEW_SET:
    case VIEW_METHOD:
    case VIEW_GRAVITY: return view_act_scene(s, &v->picture, &v->camera, call);
    case VIEW_HAND:
    case VIEW_PUSH:
    case VIEW_PULL:
    case VIEW_RELEASE:
    case VIEW_EMIT: return view_steer(s, &v->camera, view_window_aspect(v->window), call);
    case VIEW_ORBIT:
    case VIEW_PAN:
    case VIEW_ZOOM:
    case VIEW_PIVOT:
    case VIEW_LOOK:
    case VIEW_HOME:
    case VIEW_PASTE_CAMERA: return view_act_camera(&v->camera, s, v->window, call);
    case VIEW_SHOW:
    case VIEW_COLOUR:
    case VIEW_FILTER:
    case VIEW_SHADOWS:
    case VIEW_WHITEWATER:
    case VIEW_SAMPLES: return view_look_act(&v->look, &s->work.log, call);
    case VIEW_SLICE: return view_slice_act(&v->slice, s, call);
    case VIEW_SHOT:
    case VIEW_RECORD:
    case VIEW_TRACE:
    case VIEW_SAVE:
    case VIEW_LOAD:
    case VIEW_ITEMS:
    case VIEW_COPY_CAMERA:
    case VIEW_COPY_CHANGES: return view_act_files(v, call);
    default: return act_window(v, call);
    }
}
