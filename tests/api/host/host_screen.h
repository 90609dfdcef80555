/* A host's picture with colour and depth of its own, and the fluid that Weir draws into it. */
#ifndef WEIR_TESTS_HOST_SCREEN_H
#define WEIR_TESTS_HOST_SCREEN_H

#include "host_support.h"

#include "host_camera.h"

#define SCENE                                                                           \
    "{\"name\": \"shown\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]}," \
    " \"frame_rate\": 60, \"duration\": 0.2, \"spacing\": 0.04,"                        \
    " \"solver\": {\"substeps\": 2, \"iterations\": 2},"                                \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"               \
    " {\"min\": [0, 0, 0], \"max\": [0.3, 0.25, 0.3]}}}}]}"
#define PIXELS (WIDTH * HEIGHT)

/* ---- the host's picture --------------------------------------------------------------------- */

typedef struct screen {
    host *h;
    uint32_t width, height;
    bool tiled; /* the host's picture consists of tiles in two colours, with a corner at x, y: */
    uint32_t x, y;
    VkCommandPool pool;
    VkCommandBuffer buffers[2], commands; /* for clearing and for reading; the one being recorded */
    VkImage colour, depth;
    VkImageView colour_view, depth_view;
    VkBuffer pixels;
    VkDeviceMemory memory[3];
    VkSemaphore drawn;
    VkFormat format, depth_format;
    void *bytes;
    weir_vulkan_target *target;
} screen;

weir_vulkan_target_def describe(const screen *s);
screen open_formats(host *h, weir_device *device, VkFormat format, VkFormat depth, uint32_t times);
screen open_large(host *h, weir_device *device, VkFormat format, uint32_t times);
screen open_screen(host *h, weir_device *device, VkFormat format);
void close_screen(screen *s);
void begin(screen *s, VkCommandBuffer commands);

/* Records the clear to one colour and one depth. */
void record_clear(screen *s, float depth);

/* Records the copy of the colours, followed by the depths. */
void record_read(screen *s);

void finish(screen *s, VkSemaphore after);

/* ---- pictures ------------------------------------------------------------------------------- */

typedef struct fixture {
    host *h;
    weir_device *device;
    weir_scene *scene;
    weir_sim *sim;
    weir_renderer *renderer;
    weir_points *points; /* of one step */
} fixture;

/* Opens a fixture whose host has this vkGetInstanceProcAddr. */
int open_fixture_by(void **state, PFN_vkGetInstanceProcAddr get_proc);

int open_fixture(void **state);
int close_fixture(void **state);

/* Draws the host's picture of one depth, then the fluid. */
void draw_by(fixture *f, screen *s, weir_vulkan_draw_def drawing, float depth);

/* Draws the host's picture with the fluid behind a wall at that distance; 0: no wall. */
void draw(fixture *f, screen *s, projection kind, float wall);

bool is_cleared(const uint8_t *pixel);

/* Returns whether a pixel has the colour of either tile. */
bool is_hosts(const uint8_t *pixel);

uint32_t count_drawn(const uint8_t *pixels);

/* Counts pixels with a channel that differs by more than the tolerance. */
uint32_t differ(const uint8_t *a, const uint8_t *b, int tolerance);

#endif
