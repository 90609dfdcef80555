/* Executes the commands of the session. */
#include "session_commands.h"
#include "appearance.h"

static void add_steps(view_pace *pace, uint32_t frames)
{
    pace->paused = true;
    pace->steps_left = frames;
}

/* Shows the pass with this number, from 1. Without a number it shows the pass after the current
 * one; after the last pass, the next frame is simulated. */
static weir_result show_pass(view_session *s, view_requests *requests, const view_call *call)
{
    view_inspected_pass *inspected = &s->inspected;
    uint32_t pass = inspected->points ? inspected->pass + 1 : 0;
    if (call->values[0].number > 0) pass = (uint32_t)call->values[0].number - 1;
    bool past = inspected->points && pass >= inspected->view.pass_count;
    view_session_leave_pass(s);
    s->pace.paused = true;
    if (past) {
        s->pace.steps_left = 1;
        return WEIR_OK;
    }
    inspected->pass = pass;
    weir_result result = weir_sim_inspect_pass(s->sim, pass, &inspected->view, &inspected->points);
    if (result == WEIR_OK) view_requests_add_picture(requests);
    return result;
}

weir_result view_run_pace_command(view_session *s, view_requests *requests, const view_call *call)
{
    view_pace *pace = &s->pace;
    if (call->id == VIEW_PASS) return show_pass(s, requests, call);
    view_session_leave_pass(s);
    switch (call->id) {
    case VIEW_PAUSE:
        pace->paused = view_call_switch(call, pace->paused);
        pace->steps_left = 0;
        break;
    case VIEW_STEP: add_steps(pace, view_call_count(call)); break;
    default: pace->slow = view_call_switch(call, pace->slow);
    }
    return WEIR_OK;
}

static weir_result set_gravity(view_session *s, view_picture *picture, bool off)
{
    char change[128];
    const vec3 g = s->scene.gravity;
    const double none[3] = {0}, all[3] = {(double)g.x, (double)g.y, (double)g.z};
    view_param_print(&(weir_param){.key = "gravity", .count = 3}, off ? none : all, change,
                     sizeof change);
    weir_result result = view_session_set_param(s, picture, change);
    if (result == WEIR_OK) s->gravity_off = off;
    return result;
}

static weir_result choose_look(view_session *s, view_picture *picture, const view_call *call)
{
    char change[64];
    uint32_t look = view_session_look(s);
    WEIR_RETURN_IF_ERROR(view_names_choose(&s->work.log, &view_looks, &call->values[0], &look));
    snprintf(change, sizeof change, "look.preset=%s", view_looks.name(look));
    return view_session_set_param(s, picture, change);
}

static weir_result choose_fluid(view_session *s, view_picture *picture, const view_call *call)
{
    uint32_t fluid = 0;
    char changes[APP_FLUID_CHANGES][64];
    const char *all[APP_FLUID_CHANGES];
    WEIR_RETURN_IF_ERROR(view_names_choose(&s->work.log, &view_fluids, &call->values[0], &fluid));
    app_fluid_changes(fluid, changes);
    for (uint32_t i = 0; i < APP_FLUID_CHANGES; i++)
        all[i] = changes[i];
    return view_session_set_params(s, picture, all, APP_FLUID_CHANGES);
}

static weir_result choose_method(view_session *s, view_picture *picture, const view_call *call)
{
    uint32_t method = s->work.scene_info.method;
    WEIR_RETURN_IF_ERROR(view_names_choose(&s->work.log, &view_methods, &call->values[0], &method));
    return view_session_set_method(s, picture, method);
}

weir_result view_run_scene_command(view_session *s, view_picture *picture, camera *c,
                                   const view_call *call)
{
    const char *text = call->values[0].text;
    view_session_leave_pass(s);
    switch (call->id) {
    case VIEW_RESTART: return view_session_restart(s, picture);
    case VIEW_NEXT_SCENE: return view_session_neighbour(s, picture, c, 1);
    case VIEW_PREVIOUS_SCENE: return view_session_neighbour(s, picture, c, -1);
    case VIEW_SCENE: return view_session_open(s, picture, c, text);
    case VIEW_SET: return view_session_set_param(s, picture, text);
    case VIEW_METHOD: return choose_method(s, picture, call);
    case VIEW_LOOK: return choose_look(s, picture, call);
    case VIEW_FLUID: return choose_fluid(s, picture, call);
    default: return set_gravity(s, picture, !view_call_switch(call, !s->gravity_off));
    }
}
