/* Implements the window with GLFW. */
#include "window.h"
#include "base.h"
#include "glfw_library.h"
#include "gui.h"

/* Comes after weir/vulkan.h, because GLFW declares surfaces only if Vulkan's types are declared. */
#define GLFW_INCLUDE_NONE /* no OpenGL */
#include <GLFW/glfw3.h>

#define DOUBLE_CLICK_S 0.35
#define CLICK_SLACK 0.01f /* fraction of the window: clicks this close make a double click */

struct view_window {
    weir_log log;
    GLFWwindow *handle;
    view_listener listener;
    bool dragging;
    view_drag drag;
    /* position of the cursor at the current event; in a slow frame, GLFW would return that of the
     * last event */
    float at[2];
    float last[2], pressed[2];
    double pressed_s, before_s; /* times of the last click and the one before */
};

static char glfw_error[256]; /* GLFW's last error; GLFW is called on the main thread only */

static void on_error(int code, const char *text)
{
    (void)code;
    snprintf(glfw_error, sizeof glfw_error, "%s", text);
}

/* ---- keys ----------------------------------------------------------------------------------- */

static const struct {
    int key;
    const char *name;
} named_keys[] = {
    {GLFW_KEY_SPACE, "Space"},    {GLFW_KEY_TAB, "Tab"},         {GLFW_KEY_ESCAPE, "Escape"},
    {GLFW_KEY_RIGHT, "Right"},    {GLFW_KEY_LEFT, "Left"},       {GLFW_KEY_UP, "Up"},
    {GLFW_KEY_DOWN, "Down"},      {GLFW_KEY_HOME, "Home"},       {GLFW_KEY_END, "End"},
    {GLFW_KEY_ENTER, "Enter"},    {GLFW_KEY_PERIOD, "."},        {GLFW_KEY_COMMA, ","},
    {GLFW_KEY_LEFT_BRACKET, "["}, {GLFW_KEY_RIGHT_BRACKET, "]"}, {GLFW_KEY_KP_DECIMAL, "."},
};

/* Returns the character of the key on the user's keyboard, so that [ is the key with that label;
 * for other keys, their name. */
static bool name_key(int key, int scancode, char out[24])
{
    const char *typed = glfwGetKeyName(key, scancode);
    if (typed && typed[0] && !typed[1] && key != GLFW_KEY_SPACE) {
        char c = typed[0];
        snprintf(out, 24, "%c", c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
        return true;
    }
    for (size_t i = 0; i < BASE_COUNT(named_keys); i++)
        if (named_keys[i].key == key) return snprintf(out, 24, "%s", named_keys[i].name) > 0;
    if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F25)
        return snprintf(out, 24, "F%d", key - GLFW_KEY_F1 + 1) > 0;
    if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9)
        return snprintf(out, 24, "%d", key - GLFW_KEY_KP_0) > 0;
    if ((key >= GLFW_KEY_A && key <= GLFW_KEY_Z) || (key >= GLFW_KEY_0 && key <= GLFW_KEY_9))
        return snprintf(out, 24, "%c", key) > 0;
    return false;
}

static void on_key(GLFWwindow *handle, int key, int scancode, int action, int mods)
{
    view_window *w = glfwGetWindowUserPointer(handle);
    char name[24], full[48];
    bool again = action == GLFW_REPEAT && (key == GLFW_KEY_PERIOD || key == GLFW_KEY_RIGHT);
    if ((action != GLFW_PRESS && !again) || gui_has_keys() || !name_key(key, scancode, name))
        return;
    snprintf(full, sizeof full, "%s%s%s", mods & GLFW_MOD_CONTROL ? "Ctrl+" : "",
             mods & GLFW_MOD_ALT ? "Alt+" : "", name);
    w->listener.key(w->listener.user, full);
}

/* ---- mouse ---------------------------------------------------------------------------------- */

static void cursor_point(const view_window *w, double x, double y, float out[2])
{
    int width, height;
    glfwGetWindowSize(w->handle, &width, &height);
    out[0] = (float)(x / (width > 0 ? width : 1));
    out[1] = (float)(y / (height > 0 ? height : 1));
}

static view_drag drag_of(int button, int mods)
{
    bool left = button == GLFW_MOUSE_BUTTON_LEFT;
    if (left && (mods & GLFW_MOD_CONTROL))
        return mods & GLFW_MOD_SHIFT ? VIEW_DRAG_PULL : VIEW_DRAG_HAND;
    return left && !(mods & GLFW_MOD_SHIFT) ? VIEW_DRAG_ORBIT : VIEW_DRAG_PAN;
}

static bool are_near(const float a[2], const float b[2])
{
    return fabsf(a[0] - b[0]) + fabsf(a[1] - b[1]) < CLICK_SLACK;
}

static void start_drag(view_window *w, int button, int mods)
{
    double now = glfwGetTime();
    const float *at = w->at;
    bool twice = button == GLFW_MOUSE_BUTTON_LEFT && !mods && are_near(at, w->pressed) &&
                 now - w->pressed_s < DOUBLE_CLICK_S && w->before_s < w->pressed_s - DOUBLE_CLICK_S;
    w->before_s = w->pressed_s;
    w->pressed_s = now;
    memcpy(w->pressed, at, sizeof w->pressed);
    memcpy(w->last, at, sizeof w->last);
    w->dragging = true;
    w->drag = drag_of(button, mods);
    if (twice) w->listener.clicked_twice(w->listener.user, at);
    if (w->drag == VIEW_DRAG_HAND || w->drag == VIEW_DRAG_PULL)
        w->listener.drag(w->listener.user, w->drag, at, at);
}

static void on_button(GLFWwindow *handle, int button, int action, int mods)
{
    view_window *w = glfwGetWindowUserPointer(handle);
    if (action == GLFW_PRESS && !gui_has_mouse() && !w->dragging) start_drag(w, button, mods);
    if (action != GLFW_RELEASE || !w->dragging) return;
    w->dragging = false;
    w->listener.released(w->listener.user);
}

static void on_move(GLFWwindow *handle, double x, double y)
{
    view_window *w = glfwGetWindowUserPointer(handle);
    cursor_point(w, x, y, w->at);
    if (!w->dragging) return;
    w->listener.drag(w->listener.user, w->drag, w->last, w->at);
    memcpy(w->last, w->at, sizeof w->last);
}

static void on_wheel(GLFWwindow *handle, double x, double y)
{
    view_window *w = glfwGetWindowUserPointer(handle);
    (void)x;
    if (gui_has_mouse()) return;
    w->listener.wheel(w->listener.user, (float)y, w->at);
}

/* ---- the window ----------------------------------------------------------------------------- */

static weir_result report_no_display(const weir_log *log)
{
    return base_fail(log, WEIR_ERROR_UNSUPPORTED,
                     "cannot open a window: %s. Without a display, weir run --images draws the "
                     "same pictures to files",
                     glfw_error[0] ? glfw_error : "there is no display");
}

weir_result view_window_create(const view_window_def *def, view_window **out)
{
    *out = NULL;
    WEIR_RETURN_IF_ERROR(glfw_library_open(&def->log));
    glfwSetErrorCallback(on_error);
    if (!glfwInit()) return report_no_display(&def->log);
    view_window *w = base_alloc(1, sizeof *w);
    if (!w) {
        glfwTerminate();
        return base_fail(&def->log, WEIR_ERROR_MEMORY, "not enough memory for a window");
    }
    w->log = def->log;
    w->listener = def->listener;
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    w->handle = glfwCreateWindow((int)def->width, (int)def->height, def->title, NULL, NULL);
    if (!w->handle) {
        view_window_destroy(&w);
        return report_no_display(&def->log);
    }
    glfwSetWindowUserPointer(w->handle, w);
    glfwSetWindowSizeLimits(w->handle, 160, 120, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwSetKeyCallback(w->handle, on_key);
    glfwSetMouseButtonCallback(w->handle, on_button);
    glfwSetCursorPosCallback(w->handle, on_move);
    glfwSetScrollCallback(w->handle, on_wheel);
    *out = w;
    return WEIR_OK;
}

void view_window_destroy(view_window **window)
{
    if (!*window) return;
    if ((*window)->handle) glfwDestroyWindow((*window)->handle);
    glfwTerminate();
    base_free(*window);
    *window = NULL;
}

GLFWwindow *view_window_handle(view_window *window)
{
    return window->handle;
}

VkResult view_window_surface(void *user, VkInstance instance, VkSurfaceKHR *surface)
{
    const view_window *w = user;
    return glfwCreateWindowSurface(instance, w->handle, NULL, surface);
}

void view_window_pixels(const view_window *window, uint32_t *width, uint32_t *height)
{
    int x, y;
    glfwGetFramebufferSize(window->handle, &x, &y);
    bool away = x <= 0 || y <= 0 || glfwGetWindowAttrib(window->handle, GLFW_ICONIFIED);
    *width = away ? 0 : (uint32_t)x;
    *height = away ? 0 : (uint32_t)y;
}

float view_window_aspect(const view_window *window)
{
    uint32_t width, height;
    view_window_pixels(window, &width, &height);
    return height ? (float)width / (float)height : 16.0f / 9;
}

void view_window_scale(const view_window *window, float *scale, float *density)
{
    float x, y;
    int width, height, pixels, high;
    glfwGetWindowContentScale(window->handle, &x, &y);
    glfwGetWindowSize(window->handle, &width, &height);
    glfwGetFramebufferSize(window->handle, &pixels, &high);
    *density = width > 0 && pixels > 0 ? (float)pixels / (float)width : 1.0f;
    *scale = x > 0 ? x / *density : 1.0f;
}

void view_window_title(view_window *window, const char *title)
{
    glfwSetWindowTitle(window->handle, title);
}

void view_window_resize(view_window *window, uint32_t width, uint32_t height)
{
    glfwSetWindowSize(window->handle, (int)width, (int)height);
}

void view_window_set_minimised(view_window *window, bool away)
{
    if (away)
        glfwIconifyWindow(window->handle);
    else
        glfwRestoreWindow(window->handle);
}

bool view_window_poll_events(view_window *window, double patience_s)
{
    if (patience_s > 0)
        glfwWaitEventsTimeout(patience_s);
    else
        glfwPollEvents();
    return !glfwWindowShouldClose(window->handle);
}

const char *view_window_clipboard(const view_window *window)
{
    const char *text = glfwGetClipboardString(window->handle);
    return text ? text : "";
}

void view_window_set_clipboard(view_window *window, const char *text)
{
    glfwSetClipboardString(window->handle, text);
}
