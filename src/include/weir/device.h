/* Devices: listing, opening and describing GPUs and CPU drivers.
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

/* Device memory allocated by one module of Weir. */
typedef struct weir_module_memory {
    const char *name;           /* such as "sim"; lives as long as the program */
    uint64_t bytes, peak_bytes; /* allocated now, and the maximum so far */
} weir_module_memory;

/* Properties of a device. */
typedef struct weir_device_info {
    char name[256];
    char driver[512];             /* name of the driver, and its version as the driver writes it */
    char api_version[32];         /* version of Vulkan, such as "1.3.230" */
    char unsupported_reason[256]; /* why Weir cannot run on the device; empty when it can */
    weir_device_kind kind;
    uint64_t memory_bytes; /* size of the largest device-local heap */
    /* Unused part of that heap; equal to memory_bytes when the driver does not report the usage. */
    uint64_t memory_available_bytes;
    uint64_t max_storage_buffer_bytes; /* largest range of a storage-buffer binding */
    uint32_t subgroup_size, max_workgroup_invocations;
    uint32_t subgroup_min, subgroup_max; /* range for weir_device_def.subgroup_size; 0: none */
    bool timestamps;                     /* GPU times can be measured: weir/profile.h */
    bool can_reload_shaders; /* weir_camera.reload_shaders works: this build can compile shaders */
    uint32_t vendor_id, device_id, driver_id, driver_version; /* as Vulkan reports them */
    /* Memory of an open device by module; unused entries have a NULL name. */
    weir_module_memory modules[WEIR_MODULE_COUNT];
} weir_device_info;

typedef struct weir_device_def {
    uint32_t cookie;
    weir_log log;       /* receives the messages of the device and of everything made from it */
    const char *device; /* index in weir_device_list, or part of the name; NULL: the best device */
    /* Folder for cached pipelines and volumes; NULL: the user's cache folder; "": no cache. */
    const char *cache_folder;
    /* core and synchronization validation of Vulkan, reported to the log; on GPUs, shaders'
     * accesses are also limited to their buffers */
    bool validation;
    bool shader_validation; /* also GPU-assisted validation, which slows shader compilation down */
    const struct weir_window *window; /* window to show pictures in, weir/vulkan.h; NULL: none */
    uint32_t workgroup_size;          /* invocations per workgroup: 32, 64, 128 or 256; 0: 64 */
    uint32_t subgroup_size;           /* power of two, subgroup_min to subgroup_max; 0: automatic */
    /* Folder of shader sources for weir_camera.reload_shaders, used when
     * weir_device_info.can_reload_shaders is set.
     * NULL: the folder that the library was built from. */
    const char *shader_folder;
    /* For weir/profile.h: */
    bool report_pipelines;  /* queries statistics of each pipeline, which compiles it three times */
    bool serialize_passes;  /* passes do not overlap, so each time is of one pass alone; slower */
    bool count_invocations; /* counts shader invocations */
    const char *isa_folder; /* folder for the machine code of every pipeline; NULL: none */
} weir_device_def;

/* Returns a def with all defaults. */
WEIR_API weir_device_def weir_device_def_default(void);

/* Lists the devices. The number of a device is its index in the list, from 0. *count: capacity of
 * `infos` on entry, number of devices on return; NULL `infos` returns only the number. `log` may be
 * NULL. Errors: UNSUPPORTED without a Vulkan loader. */
WEIR_API weir_result weir_device_list(const weir_log *log, weir_device_info *infos,
                                      uint32_t *count);

/* Opens a device. NULL `def` means all defaults. Errors: ARGUMENT when `def->device` matches no
 * device, UNSUPPORTED when no device supports Vulkan 1.3, MEMORY. */
WEIR_API weir_result weir_device_create(const weir_device_def *def, weir_device **device);
/* Closes a device. If objects made from it still exist, logs them, and leaves the device open and
 * *device unchanged. */
WEIR_API void weir_device_destroy(weir_device **device);

/* Fills in the properties of an open device; zeros for a NULL device. */
WEIR_API void weir_device_get_info(const weir_device *device, weir_device_info *info);

/* Returns the number of errors and warnings that validation has reported so far; 0 unless the def
 * enabled validation. */
WEIR_API uint32_t weir_device_validation_count(const weir_device *device);

#ifdef __cplusplus
}
#endif
#endif
