/* Opens GLFW at run time, and defines those of its functions that the viewer and Dear ImGui's
 * backend call. Each calls the library's own through a pointer. A function that is missing here is
 * an error of the linker. */
#include "base.h"
#include "glfw_library.h"

#define GLFW_INCLUDE_NONE /* no OpenGL */
#include "weir/vulkan.h"
#include <GLFW/glfw3.h>

/* VALUE(type, name, parameters, arguments) and PLAIN for functions without a result. */
#define FUNCTIONS(VALUE, PLAIN)                                                                   \
    VALUE(int, glfwInit, (void), ())                                                              \
    PLAIN(glfwTerminate, (void), ())                                                              \
    VALUE(GLFWerrorfun, glfwSetErrorCallback, (GLFWerrorfun f), (f))                              \
    VALUE(GLFWmonitorfun, glfwSetMonitorCallback, (GLFWmonitorfun f), (f))                        \
    PLAIN(glfwWindowHint, (int hint, int value), (hint, value))                                   \
    VALUE(GLFWwindow *, glfwCreateWindow,                                                         \
          (int width, int height, const char *title, GLFWmonitor *m, GLFWwindow *share),          \
          (width, height, title, m, share))                                                       \
    PLAIN(glfwDestroyWindow, (GLFWwindow * w), (w))                                               \
    VALUE(int, glfwWindowShouldClose, (GLFWwindow * w), (w))                                      \
    PLAIN(glfwSetWindowTitle, (GLFWwindow * w, const char *title), (w, title))                    \
    PLAIN(glfwSetWindowSizeLimits, (GLFWwindow * w, int x, int y, int wide, int high),            \
          (w, x, y, wide, high))                                                                  \
    PLAIN(glfwGetWindowSize, (GLFWwindow * w, int *x, int *y), (w, x, y))                         \
    PLAIN(glfwSetWindowSize, (GLFWwindow * w, int x, int y), (w, x, y))                           \
    PLAIN(glfwGetFramebufferSize, (GLFWwindow * w, int *x, int *y), (w, x, y))                    \
    PLAIN(glfwGetWindowContentScale, (GLFWwindow * w, float *x, float *y), (w, x, y))             \
    PLAIN(glfwIconifyWindow, (GLFWwindow * w), (w))                                               \
    PLAIN(glfwRestoreWindow, (GLFWwindow * w), (w))                                               \
    VALUE(int, glfwGetWindowAttrib, (GLFWwindow * w, int attribute), (w, attribute))              \
    PLAIN(glfwSetWindowUserPointer, (GLFWwindow * w, void *user), (w, user))                      \
    VALUE(void *, glfwGetWindowUserPointer, (GLFWwindow * w), (w))                                \
    VALUE(GLFWwindowfocusfun, glfwSetWindowFocusCallback, (GLFWwindow * w, GLFWwindowfocusfun f), \
          (w, f))                                                                                 \
    PLAIN(glfwPollEvents, (void), ())                                                             \
    PLAIN(glfwWaitEventsTimeout, (double seconds), (seconds))                                     \
    VALUE(int, glfwGetInputMode, (GLFWwindow * w, int mode), (w, mode))                           \
    PLAIN(glfwSetInputMode, (GLFWwindow * w, int mode, int value), (w, mode, value))              \
    VALUE(const char *, glfwGetKeyName, (int key, int code), (key, code))                         \
    VALUE(int, glfwGetMouseButton, (GLFWwindow * w, int button), (w, button))                     \
    PLAIN(glfwGetCursorPos, (GLFWwindow * w, double *x, double *y), (w, x, y))                    \
    PLAIN(glfwSetCursorPos, (GLFWwindow * w, double x, double y), (w, x, y))                      \
    VALUE(GLFWcursor *, glfwCreateStandardCursor, (int shape), (shape))                           \
    PLAIN(glfwDestroyCursor, (GLFWcursor * cursor), (cursor))                                     \
    PLAIN(glfwSetCursor, (GLFWwindow * w, GLFWcursor * cursor), (w, cursor))                      \
    VALUE(GLFWkeyfun, glfwSetKeyCallback, (GLFWwindow * w, GLFWkeyfun f), (w, f))                 \
    VALUE(GLFWcharfun, glfwSetCharCallback, (GLFWwindow * w, GLFWcharfun f), (w, f))              \
    VALUE(GLFWmousebuttonfun, glfwSetMouseButtonCallback, (GLFWwindow * w, GLFWmousebuttonfun f), \
          (w, f))                                                                                 \
    VALUE(GLFWcursorposfun, glfwSetCursorPosCallback, (GLFWwindow * w, GLFWcursorposfun f),       \
          (w, f))                                                                                 \
    VALUE(GLFWcursorenterfun, glfwSetCursorEnterCallback, (GLFWwindow * w, GLFWcursorenterfun f), \
          (w, f))                                                                                 \
    VALUE(GLFWscrollfun, glfwSetScrollCallback, (GLFWwindow * w, GLFWscrollfun f), (w, f))        \
    VALUE(const float *, glfwGetJoystickAxes, (int joystick, int *count), (joystick, count))      \
    VALUE(const unsigned char *, glfwGetJoystickButtons, (int joystick, int *count),              \
          (joystick, count))                                                                      \
    VALUE(const char *, glfwGetClipboardString, (GLFWwindow * w), (w))                            \
    PLAIN(glfwSetClipboardString, (GLFWwindow * w, const char *text), (w, text))                  \
    VALUE(double, glfwGetTime, (void), ())                                                        \
    VALUE(VkResult, glfwCreateWindowSurface,                                                      \
          (VkInstance instance, GLFWwindow * w, const VkAllocationCallbacks *a, VkSurfaceKHR *s), \
          (instance, w, a, s))

/* clang-format 14 takes the macros' parameters for expressions. */
/* clang-format off */
#define VALUE_POINTER(type, name, parameters, arguments) type (*name) parameters;
#define PLAIN_POINTER(name, parameters, arguments) void (*name) parameters;
static struct {
    FUNCTIONS(VALUE_POINTER, PLAIN_POINTER)
} calls;

#define VALUE_CALL(type, name, parameters, arguments) \
    type name parameters { return calls.name arguments; }
#define PLAIN_CALL(name, parameters, arguments) \
    void name parameters { calls.name arguments; }
FUNCTIONS(VALUE_CALL, PLAIN_CALL)

#define VALUE_ENTRY(type, name, parameters, arguments) {#name, &calls.name},
#define PLAIN_ENTRY(name, parameters, arguments) {#name, &calls.name},
static const struct {
    const char *name;
    void *place; /* of the pointer */
} entries[] = {FUNCTIONS(VALUE_ENTRY, PLAIN_ENTRY)};
/* clang-format on */

weir_result glfw_library_open(const weir_log *log)
{
    static const char *const names[] = {"libglfw.so.3"}; /* lib next to bin first: its run path */
    void *library = base_library_open(names, BASE_COUNT(names));
    const char *missing = library ? NULL : base_library_error();
    for (size_t i = 0; library && !missing && i < BASE_COUNT(entries); i++) {
        void *symbol = base_library_symbol(library, entries[i].name);
        if (!symbol) missing = entries[i].name;
        memcpy(entries[i].place, &symbol, sizeof symbol);
    }
    if (!missing) return WEIR_OK;
    return base_fail(log, WEIR_ERROR_UNSUPPORTED,
                     "weir view opens its window with GLFW 3.3, which cannot be loaded: %s. "
                     "Install what is missing (Debian: apt-get install libglfw3 libx11-6 "
                     "libx11-xcb1), or draw pictures to files with weir run --images",
                     missing);
}
