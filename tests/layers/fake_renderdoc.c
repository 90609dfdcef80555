/* Replaces RenderDoc: provides its function table and prints the calls that it receives.
 * CAPTURE_FAILS=1: no capture can be written. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void start_frame_capture(void *device, void *window)
{
    (void)device, (void)window;
    fprintf(stderr, "capture starts\n");
}

static uint32_t end_frame_capture(void *device, void *window)
{
    (void)device, (void)window;
    fprintf(stderr, "capture ends\n");
    return getenv("CAPTURE_FAILS") == NULL;
}

typedef void (*any_function)(void);

int RENDERDOC_GetAPI(int version, void **api);
int RENDERDOC_GetAPI(int version, void **api)
{
    static any_function table[22];
    table[19] = (any_function)start_frame_capture;
    table[21] = (any_function)end_frame_capture;
    *api = table;
    return version == 10000;
}
