/* Public API of devices: weir/device.h; and the version and result names of weir/core.h. */
#include "api_internal.h"
#include "weir/version.h"

#define TEXT_OF(x) #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *weir_version(void)
{
    return VERSION_TEXT(WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR, WEIR_VERSION_PATCH);
}

uint32_t weir_abi(void)
{
    return WEIR_ABI;
}

const char *weir_result_name(weir_result result)
{
    switch (result) {
    case WEIR_OK: return "ok";
    case WEIR_ERROR_ARGUMENT: return "invalid argument";
    case WEIR_ERROR_SCENE: return "invalid scene";
    case WEIR_ERROR_IO: return "file error";
    case WEIR_ERROR_MEMORY: return "out of memory";
    case WEIR_ERROR_UNSUPPORTED: return "not supported";
    case WEIR_ERROR_DEVICE_LOST: return "device lost";
    case WEIR_ERROR_UNSTABLE: return "simulation unstable";
    }
    return "unknown result";
}

_Thread_local const char *api_function = "weir";

const weir_log *api_log(const weir_device *device)
{
    return device ? gpu_device_log(device->gpu) : NULL;
}

weir_device_def weir_device_def_default(void)
{
    return (weir_device_def){.cookie = API_DEVICE_COOKIE};
}

weir_result weir_device_list(const weir_log *log, weir_device_info *infos, uint32_t *count)
{
    WEIR_REQUIRE_NOT_NULL(log, count);
    return gpu_device_list(log, infos, count);
}

weir_result weir_device_create(const weir_device_def *def, weir_device **device)
{
    const weir_device_def defaults = weir_device_def_default();
    if (!def) def = &defaults;
    const weir_log *log = &def->log;
    WEIR_REQUIRE_OUT(log, device);
    WEIR_REQUIRE_DEF(log, def, API_DEVICE_COOKIE, "device");
    uint32_t group = def->workgroup_size;
    WEIR_REQUIRE(log, group == 0 || group == 32 || group == 64 || group == 128 || group == 256,
                 "`workgroup_size` must be 0, 32, 64, 128 or 256");

    *device = base_alloc(1, sizeof **device);
    if (!*device) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a device");
    weir_result result = gpu_device_create(def, &(*device)->gpu);
    if (result != WEIR_OK) weir_device_destroy(device);
    return result;
}

/* Returns whether objects made from the device still exist, and logs how many of each kind. */
static bool has_children(const weir_device *device)
{
    static const char *const names[API_CHILDREN][2] = {
        [API_SIM] = {"simulation", "simulations"},
        [API_POINTS] = {"point set", "point sets"},
        [API_MESHER] = {"mesher", "meshers"},
        [API_MESH] = {"mesh", "meshes"},
        [API_WHITEWATER] = {"weir_whitewater", "weir_whitewaters"},
        [API_PROBE] = {"probe", "probes"},
        [API_DENSITY_SOLVER] = {"density solver", "density solvers"},
        [API_RENDERER] = {"renderer", "renderers"},
        [API_IMAGE] = {"image", "images"},
        [API_PRESENTER] = {"presenter", "presenters"},
        [API_TARGET] = {"target", "targets"},
    };
    base_text list = {0};
    bool some = false;
    for (int i = 0; i < API_CHILDREN; i++) {
        uint32_t count = device->children[i];
        if (count) base_text_append(&list, "%s%u %s", some ? ", " : "", count, names[i][count > 1]);
        some |= count > 0;
    }
    if (some)
        base_log(api_log(device), WEIR_LOG_ERROR,
                 "weir_device_destroy: the device was not destroyed, because objects created from "
                 "it still exist: %s; destroy them first",
                 list.items ? list.items : "");
    base_free(list.items);
    return some;
}

void weir_device_destroy(weir_device **device)
{
    if (!device || !*device || has_children(*device)) return;
    weir_trace_finish(*device);
    scene_distance_destroy(*device, &(*device)->solids);
    gpu_device_destroy(&(*device)->gpu);
    base_free(*device);
    *device = NULL;
}

void weir_device_get_info(const weir_device *device, weir_device_info *info)
{
    if (!info) return;
    *info = device ? *gpu_device_info(device->gpu) : (weir_device_info){0};
}

uint32_t weir_device_validation_count(const weir_device *device)
{
    return device ? gpu_device_validation_count(device->gpu) : 0;
}
