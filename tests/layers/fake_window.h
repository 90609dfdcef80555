/* A simulated window: the surface properties and results that tests/layers/fake_window.c, a Vulkan
 * layer, returns, and a record of what was presented. A test finds the struct in the layer by the
 * name `fake_window`. */
#ifndef WEIR_TESTS_FAKE_WINDOW_H
#define WEIR_TESTS_FAKE_WINDOW_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

#define FAKE_ANSWERS 8
#define FAKE_FORMATS 4

/* Results of the next calls of one kind, in order; VK_SUCCESS after the last. A call that returns
 * an error has no other effect. */
typedef struct fake_answers {
    VkResult codes[FAKE_ANSWERS];
    uint32_t count;
    bool for_good; /* repeats the last code forever */
} fake_answers;

typedef struct fake_window {
    /* Set by the test. */
    VkSurfaceCapabilitiesKHR can;
    VkSurfaceFormatKHR formats[FAKE_FORMATS];
    uint32_t format_count;
    uint32_t image_count; /* images per swapchain */
    /* part of the names of devices that cannot present here; "": none can, NULL: all can */
    const char *unseen_by;
    fake_answers acquire, present, ask;
    /* Counted by the layer. */
    uint32_t surfaces, swapchains; /* currently alive */
    uint32_t surfaces_made, swapchains_made, shown;
    VkSwapchainCreateInfoKHR made; /* the last one */
    uint8_t pixel[8];              /* first bytes of the last picture */
} fake_window;

#endif
