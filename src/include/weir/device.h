/* Devices: listing, opening and measuring GPUs and CPU drivers.
 * weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_DEVICE_PUBLIC_H
#define WEIR_DEVICE_PUBLIC_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_device weir_device;

typedef enum weir_device_kind {
    WEIR_DEVICE_DISCRETE,
    WEIR_DEVICE_INTEGRATED,
    WEIR_DEVICE_VIRTUAL,
    WEIR_DEVICE_CPU,
    WEIR_DEVICE_OTHER,
} weir_device_kind;

#define WEIR_MODULE_COUNT 9

/* Device memory that one part of Weir holds. */
typedef struct weir_module_memory {
    const char *name;           /* "sim"; lives as long as the program */
    uint64_t bytes, peak_bytes; /* now, and the most so far */
} weir_module_memory;

typedef struct weir_device_info {
    char name[256];
    char driver[512];             /* name of the driver and the version as the driver writes it */
    char api_version[32];         /* of Vulkan: "1.3.230" */
    char unsupported_reason[256]; /* why Weir cannot run on it; empty when it can */
    weir_device_kind kind;
    uint64_t memory_bytes; /* of the largest device-local heap */
    uint64_t
        memory_available_bytes; /* of it; as much where the driver does not say what others hold */
    uint64_t max_storage_buffer_bytes; /* of the largest binding of a storage buffer */
    uint32_t subgroup_size, max_workgroup_invocations;
    uint32_t subgroup_min, subgroup_max; /* sizes that a def can ask for; 0: none */
    bool timestamps;                     /* GPU times can be measured: weir/profile.h */
    bool can_reload_shaders; /* this build can compile changed shaders: weir_camera.reload */
    uint32_t vendor_id, device_id, driver_id, driver_version; /* as Vulkan numbers them */
    weir_module_memory
        modules[WEIR_MODULE_COUNT]; /* of an open device; unused entries have no name */
} weir_device_info;

typedef struct weir_device_def {
    uint32_t cookie;
    weir_log log;       /* of the device and of all that is made from it */
    const char *device; /* its number in weir_device_list, or part of its name; NULL: the best */
    const char *cache_folder; /* of pipelines and volumes; NULL: the user's cache; "": none */
    bool validation;          /* Vulkan's core and synchronization validation; log gets it */
    bool shader_validation; /* also GPU-assisted validation, which makes shaders slow to compile */
    const struct weir_window *window; /* to show pictures in: weir/vulkan.h; NULL: none */
    uint32_t workgroup_size;          /* invocations of a workgroup: 32, 64, 128 or 256; 0: 64 */
    uint32_t subgroup_size; /* of a subgroup, within the info's bounds; 0: the driver's choice */
    const char
        *shader_folder; /* folder of shader sources for weir_camera.reload, where the device's info
                     says `reloads`; NULL: the folder that the library was built from */
    /* For weir/profile.h: */
    bool report_pipelines;  /* asks the driver about each pipeline, compiling it three times */
    bool serialize_passes;  /* no two passes overlap, so that a time is of one pass; slower */
    bool count_invocations; /* counts shader invocations */
    const char *isa_folder; /* the driver's machine code of every pipeline goes there; NULL: none */
} weir_device_def;

WEIR_API weir_device_def weir_device_def_default(void);

/* Lists the devices; a device's number is its index in the list, from 0. *count: room in `infos` on
 * entry, devices found on return; infos NULL asks for the count alone. `log` may be NULL. Errors:
 * UNSUPPORTED without a Vulkan loader. */
WEIR_API weir_result weir_device_list(const weir_log *log, weir_device_info *infos,
                                      uint32_t *count);

/* Opens a device. Errors: ARGUMENT when `def->device` names none, UNSUPPORTED when there is no
 * Vulkan 1.3 device, MEMORY. */
WEIR_API weir_result weir_device_create(const weir_device_def *def, weir_device **device);
WEIR_API void weir_device_destroy(weir_device **device);

/* Zeros for a NULL device. */
WEIR_API void weir_device_get_info(const weir_device *device, weir_device_info *info);

/* Errors and warnings that validation has reported so far; 0 unless the def asked for it. */
WEIR_API uint32_t weir_device_validation_count(const weir_device *device);

#ifdef __cplusplus
}
#endif
#endif
