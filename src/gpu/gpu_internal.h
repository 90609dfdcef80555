/* gpu_internal: what the files of the gpu room share. */
#ifndef WEIR_GPU_INTERNAL_H
#define WEIR_GPU_INTERNAL_H

#include "gpu.h"

#define VK_NO_PROTOTYPES
#include <volk.h>

#define GPU_MAX_DEVICES 32u
#define GPU_SLOTS 8u           /* submissions in flight */
#define GPU_SLOT_QUERIES 2048u /* timestamps per submission */
#define GPU_KERNEL_BINDINGS 24u
#define GPU_STAGING_BYTES (16u << 20)
#define GPU_MAX_WORKGROUP 256u /* invocations of the largest workgroup among the kernels */
#define GPU_NO_DRIVER                                                                 \
    "no Vulkan driver found: install the graphics driver, or lavapipe to run on the " \
    "CPU (Debian: apt-get install mesa-vulkan-drivers)"

/* Functions of one instance: volk's globals would be those of the instance made last, and a host
 * may bring a loader of its own. The debug ones are NULL without VK_EXT_debug_utils. */
typedef struct gpu_calls {
    PFN_vkDestroyInstance destroy_instance;
    PFN_vkEnumeratePhysicalDevices list_devices;
    PFN_vkEnumerateDeviceExtensionProperties list_extensions;
    PFN_vkGetPhysicalDeviceProperties2 get_properties;
    PFN_vkGetPhysicalDeviceMemoryProperties get_memory;
    PFN_vkGetPhysicalDeviceFeatures get_features;
    PFN_vkGetPhysicalDeviceFormatProperties get_format;
    PFN_vkGetPhysicalDeviceQueueFamilyProperties get_families;
    PFN_vkCreateDevice create_device;
    PFN_vkGetDeviceProcAddr get_device_call;
    PFN_vkCreateDebugUtilsMessengerEXT create_messenger;
    PFN_vkDestroyDebugUtilsMessengerEXT destroy_messenger;
    PFN_vkSetDebugUtilsObjectNameEXT name_object;
    /* Of windows; NULL unless the instance presents. */
    PFN_vkDestroySurfaceKHR destroy_surface;
    PFN_vkGetPhysicalDeviceSurfaceSupportKHR get_surface_support;
    PFN_vkGetPhysicalDeviceSurfaceCapabilitiesKHR get_surface_capabilities;
    PFN_vkGetPhysicalDeviceSurfaceFormatsKHR get_surface_formats;
    PFN_vkGetPhysicalDeviceSurfacePresentModesKHR get_surface_modes;
} gpu_calls;

/* What an instance is made for. */
typedef struct gpu_instance_def {
    bool validation, present;
} gpu_instance_def;

/* A validation layer that the program asked for must exist; its messages count as failures. */
typedef struct gpu_instance {
    VkInstance handle; /* NULL when a host's was adopted */
    VkDebugUtilsMessengerEXT messenger;
    gpu_calls calls;
} gpu_instance;

/* Timestamps of one submission: query q ends row `rows[q]` of `timers[q]`; a NULL entry only
 * starts. */
typedef struct gpu_slot {
    VkCommandBuffer commands;
    VkFence fence;
    VkQueryPool queries;
    uint64_t ticket; /* 0: never used */
    bool pending;
    uint32_t query_count;
    double *elapsed_ms; /* or NULL */
    gpu_timers *timers[GPU_SLOT_QUERIES];
    uint32_t rows[GPU_SLOT_QUERIES];
} gpu_slot;

typedef struct gpu_set {
    uint64_t key; /* 0: empty */
    VkDescriptorSet handle;
} gpu_set;

struct gpu_device {
    weir_log log;
    weir_device_info info;
    char *cache_folder;
    gpu_instance instance;
    VkPhysicalDevice physical;
    VkPhysicalDeviceMemoryProperties memory;
    VkPhysicalDeviceLimits limits;
    VkDevice handle;
    struct VolkDeviceTable vk;
    VkQueue queue;
    uint32_t queue_family;
    bool adopted;
    bool presents; /* has VK_KHR_swapchain */
    void (*lock)(void *user, bool locked); /* the host's queue lock, or NULL */
    void *lock_user;
    uint32_t timestamp_bits;
    uint32_t validation_count;
    bool draws;        /* the queue has graphics */
    bool blends_apart; /* independentBlend is enabled */
    uint64_t memory_used;
    uint64_t storage_range;
    uint64_t largest_buffer; /* bytes that the driver gives in one allocation */
    double submit_budget_ms;
    uint32_t next_buffer_id, next_kernel_id;
    VkResult lost; /* the first VK_ERROR_DEVICE_LOST sticks */

    VkPipelineCache pipeline_cache;
    uint64_t pipelines_hash; /* of what the cache file held; 0: nothing */
    VkCommandPool command_pool;
    gpu_slot slots[GPU_SLOTS];
    gpu_slot *recording;
    VkSemaphore submit_wait, submit_signal; /* of the next submission, once; VK_NULL_HANDLE: none */
    uint64_t next_ticket;
    uint32_t epoch;     /* counts barriers: a buffer's pending accesses belong to one epoch */
    double recorded_ms; /* predicted length of the recording */
    gpu_image *recorded_images; /* those that the recording touched, linked by next_recorded */
    bool recorded_unmeasured;
    double *elapsed_ms; /* of the recording, whose splits share it */

    VkDescriptorPool *pools;
    size_t pool_count, pool_capacity;
    gpu_set *sets; /* open addressing, power of two */
    size_t set_count, set_capacity;

    gpu_buffer *staging;
    gpu_kernel *kernels; /* in use and idle */
};

struct gpu_buffer {
    const char *name;
    VkBuffer handle;
    VkDeviceMemory memory;
    VkBufferView view;
    uint64_t size, count;
    uint32_t stride;
    uint32_t id;
    void *mapped;
    uint32_t epoch; /* of the accesses below */
    bool read, written;
};

struct gpu_image {
    const char *name;
    VkImage handle;
    VkDeviceMemory memory;
    VkImageView view;
    gpu_format format;
    uint32_t width, height;
    uint64_t size; /* bytes of memory */
    uint32_t id;
    VkImageLayout layout; /* after what is recorded */
    uint32_t epoch;       /* of the accesses below */
    bool read, written;
    bool recorded; /* in the device's recorded_images */
    gpu_image *next_recorded;
};

typedef struct gpu_binding {
    uint32_t binding;
    VkDescriptorType type;
    bool readonly;
} gpu_binding;

struct gpu_kernel {
    const char *name;
    gpu_kernel *next; /* of the device's */
    uint64_t key;     /* hash of the def */
    uint32_t holders; /* 0: idle, kept for the next def that is the same */
    uint32_t id;
    uint32_t workgroup;
    VkShaderStageFlags stages;
    gpu_format attachments[GPU_ATTACHMENTS + 1]; /* of a draw: colours, then depth */
    uint32_t attachment_count;
    uint32_t binding_count;
    gpu_binding bindings[GPU_KERNEL_BINDINGS];
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
};

struct gpu_timers {
    uint32_t row_count;
    struct gpu_timer {
        BASE_ARRAY(float) ms;
        uint32_t calls; /* more than there is room for samples */
        double total_ms;
        double predicted_ms; /* moving average, kept over resets */
    } * rows;
    bool measured; /* once at least */
};

/* Logs what failed and maps the code; latches a lost device. */
weir_result gpu_vk_failed(gpu_device *device, VkResult code, const char *what);
#define GPU_VK(device, call)                                    \
    do {                                                        \
        VkResult gpu_vk_code = (call);                          \
        if (gpu_vk_code < 0) {                                  \
            result = gpu_vk_failed(device, gpu_vk_code, #call); \
            goto fail;                                          \
        }                                                       \
    } while (0)

weir_result gpu_instance_create(const weir_log *log, gpu_instance_def def, gpu_instance *instance,
                                gpu_device *messages);
void gpu_instance_destroy(gpu_instance *instance);
bool gpu_has_device_extension(const gpu_calls *calls, VkPhysicalDevice physical, const char *name);
/* `get_proc` NULL: the system's loader. Errors: UNSUPPORTED when there is none, or when it lacks
 * what every Vulkan 1.3 loader has. */
weir_result gpu_calls_load(const weir_log *log, PFN_vkGetInstanceProcAddr get_proc,
                           VkInstance instance, gpu_calls *calls);
/* Fills info for one physical device, with info->unusable when Weir cannot run there. */
void gpu_describe(const gpu_calls *calls, VkPhysicalDevice physical, weir_device_info *info);

/* The physical devices, best first: discrete, integrated, virtual, other, CPU; unusable ones last.
 */
weir_result gpu_physical_list(const weir_log *log, const gpu_instance *instance,
                              VkPhysicalDevice *physical, uint32_t *count);

/* Adds the bindings of set 0 of one shader to those of the kernel. Errors: ARGUMENT. */
weir_result gpu_spirv_bindings(const weir_log *log, const uint32_t *words, size_t word_count,
                               gpu_kernel *kernel);
/* Specialization constants of a stage, ids 0, 1, ... in the order of `values`. */
#define GPU_MAX_CONSTANTS 16u
typedef struct gpu_constants {
    uint32_t values[GPU_MAX_CONSTANTS + 1];
    VkSpecializationMapEntry entries[GPU_MAX_CONSTANTS + 1];
    VkSpecializationInfo info; /* points into the struct itself */
} gpu_constants;
void gpu_constants_fill(gpu_constants *constants, uint32_t first, const uint32_t *rest,
                        uint32_t rest_count);
weir_result gpu_kernel_layouts(gpu_device *device, gpu_kernel *kernel);
weir_result gpu_shader_module(gpu_device *device, const uint32_t *words, size_t word_count,
                              VkShaderModule *module);

void gpu_name_object(gpu_device *device, VkObjectType type, uint64_t handle, const char *name);
weir_result gpu_pipelines_load(gpu_device *device);
void gpu_pipelines_save(gpu_device *device);
weir_result gpu_slots_create(gpu_device *device);
void gpu_slots_destroy(gpu_device *device);
/* Ends and submits the recording, and begins the next one. */
weir_result gpu_record_split(gpu_device *device);
/* Collects timestamps of a finished slot. */
void gpu_timers_collect(gpu_device *device, gpu_slot *slot);
const gpu_binding *gpu_kernel_binding(const gpu_kernel *kernel, uint32_t number);
/* Destroys the kernels that nobody holds. */
void gpu_kernels_trim(gpu_device *device);
void gpu_sets_forget(gpu_device *device);
weir_result gpu_set_find(gpu_device *device, const gpu_row *row, const uint64_t *offsets,
                         const uint64_t *ranges, VkDescriptorSet *set);
uint32_t gpu_memory_type(const gpu_device *device, uint32_t allowed, gpu_memory memory);
VkFormat gpu_vk_format(gpu_format format);
/* Layout in which a row uses an image. */
VkImageLayout gpu_image_use_layout(const gpu_row *row, const gpu_image_use *use);
VkImageMemoryBarrier2 gpu_image_transition(const gpu_image *image, VkImageLayout to);
/* Waits for what the recording did with the image where it must, and gives it the layout. */
void gpu_record_image_order(gpu_device *device, gpu_image *image, VkImageLayout layout,
                            bool writes);
/* Draws one row inside a rendering of its own. */
void gpu_record_draw(gpu_device *device, const gpu_row *row);
bool gpu_access_reads(gpu_access access);
bool gpu_access_writes(gpu_access access);
bool gpu_access_own(gpu_access access);

#endif
