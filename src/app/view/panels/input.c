/* Turns the window's events into commands; drags and the wheel move the camera. */
#include "input.h"
#include "dispatch_command.h"

#define ORBIT_SPEED 3.14159265f /* radians per drag across the window */
#define WHEEL_FACTOR 1.15f

static void on_key(void *user, const char *key)
{
    view_run_key(user, key);
}

static void run_at_point(viewer *v, view_command_id id, const float at[2])
{
    view_run_command(
        v, &(view_call){.id = id,
                        .values = {{true, (double)at[0], NULL}, {true, (double)at[1], NULL}}});
}

static void on_drag(void *user, view_drag drag, const float from[2], const float to[2])
{
    viewer *v = user;
    float right = to[0] - from[0], down = to[1] - from[1];
    switch (drag) {
    case VIEW_DRAG_ORBIT:
        view_history_store(v, "camera");
        camera_orbit(&v->camera, -right * ORBIT_SPEED, down * ORBIT_SPEED);
        break;
    case VIEW_DRAG_PAN:
        view_history_store(v, "camera");
        camera_pan(&v->camera, right * view_window_aspect(v->window), down);
        break;
    case VIEW_DRAG_HAND: run_at_point(v, VIEW_DRAG_BODY, to); break;
    case VIEW_DRAG_PULL: run_at_point(v, VIEW_PULL, to); break;
    }
}

static void on_release(void *user)
{
    view_run_command(user, &(view_call){.id = VIEW_RELEASE_TOOL});
}

static void on_wheel(void *user, float notches, const float at[2])
{
    viewer *v = user;
    view_history_store(v, "camera");
    camera_zoom(&v->camera, powf(WHEEL_FACTOR, notches),
                (camera_world_to_view){at[0], at[1], view_window_aspect(v->window)});
}

static void on_double_click(void *user, const float at[2])
{
    run_at_point(user, VIEW_PIVOT, at);
}

view_listener view_input_listener(viewer *v)
{
    return (view_listener){v, on_key, on_drag, on_release, on_wheel, on_double_click};
}
