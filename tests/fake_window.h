/* A window that is not there: what tests/layers/fake_window.c, a Vulkan layer, lets its surface
 * say, and what it was shown. A test finds the struct in the layer by the name `fake_window`. */
#ifndef WEIR_TESTS_FAKE_WINDOW_H
#define WEIR_TESTS_FAKE_WINDOW_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

#define FAKE_ANSWERS 8
#define FAKE_FORMATS 4

/* What calls of one kind say, the next one first; then VK_SUCCESS. An error does nothing else. */
typedef struct fake_answers {
    VkResult codes[FAKE_ANSWERS];
    uint32_t count;
    bool for_good; /* the last one stays */
} fake_answers;

typedef struct fake_window {
    /* Set by the test. */
    VkSurfaceCapabilitiesKHR can;
    VkSurfaceFormatKHR formats[FAKE_FORMATS];
    uint32_t format_count;
    uint32_t image_count; /* of a swapchain */
    const char
        *unseen_by; /* the device of this name shows nothing here; "": none does, NULL: all do */
    fake_answers acquire, present, ask;
    /* Counted by the layer. */
    uint32_t surfaces, swapchains; /* alive */
    uint32_t surfaces_made, swapchains_made, shown;
    VkSwapchainCreateInfoKHR made; /* the last one */
    uint8_t pixel[8];              /* the first bytes of the last picture */
} fake_window;

#endif
