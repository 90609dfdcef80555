/* window: the viewer's window, which turns GLFW's events into key names, drags and wheel steps. */
#ifndef WEIR_VIEW_WINDOW_H
#define WEIR_VIEW_WINDOW_H

#include "weir/vulkan.h"

struct GLFWwindow;
typedef struct view_window view_window;

typedef enum view_drag { VIEW_DRAG_ORBIT, VIEW_DRAG_PAN, VIEW_DRAG_HAND, VIEW_DRAG_PULL } view_drag;

/* Receives the events. Points are fractions of the window, from the top left. */
typedef struct view_listener {
    void *user;
    void (*key)(void *user, const char *key);
    void (*drag)(void *user, view_drag drag, const float from[2], const float to[2]);
    void (*released)(void *user);
    void (*wheel)(void *user, float notches, const float at[2]);
    void (*clicked_twice)(void *user, const float at[2]);
} view_listener;

typedef struct view_window_def {
    weir_log log;
    const char *title;
    uint32_t width, height; /* before scaling by the monitor */
    view_listener listener;
} view_window_def;

/* Creates the window. Errors: UNSUPPORTED without a display. */
weir_result view_window_create(const view_window_def *def, view_window **window);
void view_window_destroy(view_window **window);
struct GLFWwindow *view_window_handle(view_window *window);
/* Creates the surface for weir_window; `user` is the view_window. */
VkResult view_window_surface(void *user, VkInstance instance, VkSurfaceKHR *surface);
/* Returns the size in pixels; both are 0 while the window is minimised. */
void view_window_pixels(const view_window *window, uint32_t *width, uint32_t *height);
/* Returns width over height; 16:9 while the window is minimised. */
float view_window_aspect(const view_window *window);
/* Returns `scale`, that of the monitor, 1 at 96 dots per inch, in the window's units, and
 * `density`, the number of pixels per such unit. */
void view_window_scale(const view_window *window, float *scale, float *density);
void view_window_title(view_window *window, const char *title);
void view_window_resize(view_window *window, uint32_t width, uint32_t height);
void view_window_set_minimised(view_window *window, bool away);
/* Handles pending events; waits up to `patience_s` for one. Returns false if the window should
 * close. */
bool view_window_poll_events(view_window *window, double patience_s);
const char *view_window_clipboard(const view_window *window); /* "" if empty */
void view_window_set_clipboard(view_window *window, const char *text);

#endif
