/* Captures with RenderDoc if it is loaded into the process. Headless compute has no frames that
 * RenderDoc could detect, so the program marks their start and end through RenderDoc's
 * in-application API, version 1.0.0. */
#include "app.h"

#define API_VERSION 10000 /* 1.0.0 as RENDERDOC_GetAPI expects it */

typedef void (*any_function)(void);

/* The function table from RENDERDOC_GetAPI; only the functions that are called here have their
 * types. */
typedef struct renderdoc_api {
    any_function before_start[19];
    void (*start_frame_capture)(void *device, void *window);
    uint32_t (*is_frame_capturing)(void);
    uint32_t (*end_frame_capture)(void *device, void *window);
} renderdoc_api;

weir_result app_capture_open(const weir_log *log, const char *word, const char *command,
                             app_capture *capture)
{
    static const char *const names[] = {"librenderdoc.so", "renderdoc.dll"};
    int (*get_api)(int version, void **api) = NULL;
    void *library = NULL;
    for (size_t i = 0; i < BASE_COUNT(names) && !library; ++i)
        library = base_library_is_loaded(names[i]);
    void *symbol = base_library_symbol(library, "RENDERDOC_GetAPI");
    if (symbol) memcpy(&get_api, &symbol, sizeof get_api);
    if (get_api && get_api(API_VERSION, &capture->api) == 1) return WEIR_OK;
    capture->api = NULL;
    return base_fail(log, WEIR_ERROR_UNSUPPORTED,
                     "%s: RenderDoc is not loaded: start weir from RenderDoc (Launch Application), "
                     "or by renderdoccmd capture weir %s ...",
                     word, command);
}

void app_capture_start(app_capture *capture)
{
    renderdoc_api *api = capture->api;
    api->start_frame_capture(NULL, NULL); /* NULL: any device */
}

weir_result app_capture_end(const weir_log *log, app_capture *capture, uint64_t frame)
{
    renderdoc_api *api = capture->api;
    if (api->end_frame_capture(NULL, NULL) == 1) return WEIR_OK;
    return base_fail(log, WEIR_ERROR_IO,
                     "RenderDoc did not capture frame %llu: see its own log, and whether the disk "
                     "has space",
                     (unsigned long long)frame);
}
