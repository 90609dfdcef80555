/* gpu_internal: declarations shared by the files of the gpu module. */
#ifndef WEIR_GPU_INTERNAL_H
#define WEIR_GPU_INTERNAL_H

#include "base_tracy.h"
#include "gpu.h"

#define VK_NO_PROTOTYPES
#include <volk.h>

#include <stdatomic.h>

#define GPU_MAX_DEVICES 32u
#define GPU_FAMILIES 9u        /* queue families that may share the buffers of an adopted device */
#define GPU_COMMAND_SLOTS 8u   /* submissions in flight */
#define GPU_SLOT_QUERIES 2048u /* timestamps per submission */
#define GPU_PIPELINE_BINDINGS 24u
#define GPU_MAX_PARTS 1024u /* parts of a pass */
#define GPU_STAGING_BYTES (16u << 20)
#define GPU_MAX_CONSTANTS 40u
#define GPU_MAX_WORKGROUP 256u /* invocations of the largest workgroup of any shader */
/* Shared memory of a workgroup. Vulkan guarantees it on every device, and no shader exceeds it:
 * tests/structure/test_spirv.c. */
#define GPU_MAX_SHARED_BYTES 16384u
#define GPU_NO_DRIVER                                                                 \
    "no Vulkan driver found: install the graphics driver, or lavapipe to run on the " \
    "CPU (Debian: apt-get install mesa-vulkan-drivers)"

/* Functions of one instance. They are not volk's globals, which belong to the instance created
 * last, and a host may use its own loader. The functions of VK_EXT_debug_utils are NULL without
 * that extension; those for windows (the last five) are NULL unless the instance presents. */
#define GPU_INSTANCE_CALLS(CALL)                                              \
    CALL(destroy_instance, vkDestroyInstance)                                 \
    CALL(list_devices, vkEnumeratePhysicalDevices)                            \
    CALL(list_extensions, vkEnumerateDeviceExtensionProperties)               \
    CALL(get_properties, vkGetPhysicalDeviceProperties2)                      \
    CALL(get_memory, vkGetPhysicalDeviceMemoryProperties2)                    \
    CALL(get_format, vkGetPhysicalDeviceFormatProperties)                     \
    CALL(get_families, vkGetPhysicalDeviceQueueFamilyProperties)              \
    CALL(create_device, vkCreateDevice)                                       \
    CALL(get_device_call, vkGetDeviceProcAddr)                                \
    CALL(create_messenger, vkCreateDebugUtilsMessengerEXT)                    \
    CALL(destroy_messenger, vkDestroyDebugUtilsMessengerEXT)                  \
    CALL(name_object, vkSetDebugUtilsObjectNameEXT)                           \
    CALL(begin_label, vkCmdBeginDebugUtilsLabelEXT)                           \
    CALL(end_label, vkCmdEndDebugUtilsLabelEXT)                               \
    CALL(get_features, vkGetPhysicalDeviceFeatures2)                          \
    CALL(list_clocks, vkGetPhysicalDeviceCalibrateableTimeDomainsEXT)         \
    CALL(destroy_surface, vkDestroySurfaceKHR)                                \
    CALL(get_surface_support, vkGetPhysicalDeviceSurfaceSupportKHR)           \
    CALL(get_surface_capabilities, vkGetPhysicalDeviceSurfaceCapabilitiesKHR) \
    CALL(get_surface_formats, vkGetPhysicalDeviceSurfaceFormatsKHR)           \
    CALL(get_surface_modes, vkGetPhysicalDeviceSurfacePresentModesKHR)

#define GPU_DECLARE_CALL(member, name) PFN_##name member;
typedef struct gpu_instance_calls {
    GPU_INSTANCE_CALLS(GPU_DECLARE_CALL)
} gpu_instance_calls;

/* Options for creating an instance. */
typedef struct gpu_instance_def {
    bool validation, shader_validation, present;
} gpu_instance_def;

/* An instance. If a program requests the validation layer, the layer must exist, and its messages
 * count as failures. */
typedef struct gpu_instance {
    VkInstance handle; /* NULL when a host's instance was adopted */
    VkDebugUtilsMessengerEXT messenger;
    gpu_instance_calls calls;
} gpu_instance;

/* One timestamp of a submission. It ends a pass. With `pass` = GPU_TIMESTAMP_PASS_LIST it ends the
 * part of a pass list that the submission contains; with GPU_TIMESTAMP_START it only starts the
 * clock. */
#define GPU_TIMESTAMP_START UINT32_MAX
#define GPU_TIMESTAMP_PASS_LIST (UINT32_MAX - 1u)
typedef struct gpu_timestamp {
    gpu_timers *timers; /* NULL: none */
    const char *name;   /* name of the pass's pipeline */
    uint32_t pass, outer, inner;
    uint32_t call;  /* counts gpu_record_passes; stamps of one run of a list share it */
    uint32_t loop;  /* number of the loop within the slot, from 1; 0: outside a loop */
    bool ends_loop; /* the pass that can end its loop */
    bool last;      /* last pass of that run */
    bool first;     /* first piece of its pass */
    bool more;      /* more pieces of its pass follow */
} gpu_timestamp;

/* Name of a recording in traces; the submissions that it is split into share it. */
typedef struct gpu_trace_name {
    const char *text;
    uint64_t number, recording;
} gpu_trace_name;

typedef struct gpu_command_slot {
    /* `commands` is recorded into: the slot's own buffer, or a host's; `own` is the slot's */
    VkCommandBuffer commands, own;
    VkFence fence;
    VkQueryPool queries, statistics;
    gpu_buffer *ticks; /* timestamps, copied here by the device */
    uint64_t ticket;   /* 0: never used */
    bool pending;
    /* its own commands are half recorded and must be reset before the next recording */
    bool abandoned;
    bool done_by_host; /* the host, whose command buffer this was, has reported it as finished */
    uint32_t query_count;
    gpu_buffer *loops; /* gpu_loop.ended of each loop, copied here by the device */
    uint32_t loop_count;
    double *elapsed_ms; /* NULL: not wanted */
    gpu_trace_name trace_name;
    gpu_timestamp stamps[GPU_SLOT_QUERIES]; /* one per query */
} gpu_command_slot;

/* A correspondence between GPU ticks and CPU time in seconds (base_time_s). */
typedef struct gpu_clock {
    bool offered; /* VK_EXT_calibrated_timestamps with the CPU's monotonic clock is available */
    uint64_t ticks;
    double cpu_s, set_s; /* CPU time at `ticks`; CPU time of the last synchronization */
    uint64_t last_ticks; /* last timestamp of the submission collected most recently */
} gpu_clock;

/* A pass of a traced recording. Passes are buffered because the spans that enclose them are written
 * first. */
typedef struct gpu_span {
    const char *name, *table;
    uint32_t call, outer, inner;
    double start_s, end_s;
} gpu_span;

typedef struct gpu_descriptor_set {
    uint64_t key; /* 0: empty */
    VkDescriptorSet handle;
} gpu_descriptor_set;

/* A shader compiled while the program runs. */
typedef struct gpu_reloaded_shader {
    const char *source; /* the pipelines' own string */
    int64_t time_ns;    /* time of the newest file that it was compiled from, also if that failed */
    uint32_t *words;    /* NULL: none has compiled yet, and the built-in words are used */
    size_t word_count;
} gpu_reloaded_shader;

/* A value that was measured on the device: tuning_cache.c. */
typedef struct gpu_tuning_value {
    uint64_t key;
    uint32_t value;
} gpu_tuning_value;

struct gpu_device {
    weir_log log;
    weir_device_info info;
    char *cache_folder;
    gpu_instance instance;
    VkPhysicalDevice physical;
    VkPhysicalDeviceMemoryProperties memory;
    VkPhysicalDeviceLimits limits;
    VkSubgroupFeatureFlags subgroup_operations;
    VkDevice handle;
    struct VolkDeviceTable vk;
    VkQueue queue;
    uint32_t queue_family;
    bool adopted;
    bool deferred;                         /* pipelines are compiled only by gpu_pipeline_compile */
    bool presents;                         /* supports windows: VK_KHR_swapchain is enabled */
    void (*lock)(void *user, bool locked); /* locks the host's queue; NULL: no lock */
    void *lock_user;
    /* of an adopted device: its own, then those that read its buffers */
    uint32_t families[GPU_FAMILIES];
    uint32_t family_count;
    VkAllocationCallbacks callbacks;        /* the host's */
    const VkAllocationCallbacks *allocator; /* &callbacks or NULL */
    uint32_t timestamp_bits;
    uint32_t validation_count;
    bool draws;             /* the queue supports graphics */
    bool independent_blend; /* independentBlend is enabled */
    uint64_t memory_used;
    uint64_t storage_range;
    uint64_t largest_buffer; /* largest allocation that the driver allows, bytes */
    double submit_budget_ms;
    double longest_ms; /* longest submission since the last query */
    uint32_t next_buffer_id, next_pipeline_id;
    VkResult lost; /* the first VK_ERROR_DEVICE_LOST is kept */
    /* shaders under GPU-assisted validation are compiled in submissions, for minutes */
    bool waits_longer;

    struct gpu_ahead *ahead;           /* compiles pipelines on a thread; NULL: none so far */
    bool ahead_always, registers_only; /* also on CPU drivers; new pipelines are not compiled */
    VkPipelineCache pipeline_cache;
    uint64_t pipeline_cache_hash; /* of the cache file's contents; 0: none */
    BASE_ARRAY(gpu_tuning_value) tuning_values;
    VkCommandPool command_pool;
    gpu_command_slot slots[GPU_COMMAND_SLOTS];
    gpu_command_slot *recording;
    atomic_bool busy;                            /* a recording is in progress */
    const struct weir_vulkan_submit *submission; /* of the current recording; NULL: none */
    /* the first submission of the recording is still to come */
    bool waits;
    uint64_t next_ticket;
    uint64_t epoch; /* counts barriers: compute passes see all accesses of earlier epochs */
    /* the first epoch after the last barrier that was not for compute passes only: copies and
     * indirect arguments see all accesses of earlier ones */
    uint64_t full_epoch;
    bool copied; /* a copy was recorded since that barrier */
    bool drawn;  /* a draw was recorded since the last barrier */
    /* the last barrier did not cover draws, so they may not read what came before it */
    bool ended_outside_draws;
    double recorded_ms;         /* predicted length of the recording */
    gpu_image *recorded_images; /* images used by the recording, linked by next_recorded */
    bool recorded_unmeasured;
    double *elapsed_ms;        /* of the recording; shared by its splits */
    gpu_trace_name trace_name; /* of the recording; shared by its splits */
    uint64_t recordings;
    void (*yield)(void *user); /* gpu_device_set_yield; NULL: none */
    void *yield_user;
    uint32_t calls;                /* number of calls of gpu_record_passes */
    const gpu_pass *loop_end_pass; /* pass that can end the group being recorded; NULL: none */
    /* number of the group's loop in the recording slot; 0: not stamped */
    uint32_t loop;
    double record_start_s, waited_cpu_s;

    bool profile, serialize, statistics;
    bool watched;                 /* every pass is timed */
    uint32_t workgroup, subgroup; /* as set in the def */
    char *isa_folder;
    bool executables;    /* VK_KHR_pipeline_executable_properties is enabled */
    bool reports_faults; /* VK_EXT_device_fault is enabled */
    gpu_clock clock;
    base_trace *trace;
    base_tracy_gpu tracy;
    gpu_trace_name traced; /* the recording that the buffered spans belong to */
    BASE_ARRAY(gpu_span) spans;
    double traced_until_s;

    BASE_ARRAY(VkDescriptorPool) pools;
    gpu_descriptor_set *sets; /* open addressing; a power of two */
    size_t set_count, set_capacity;

    gpu_buffer *staging;
    /* dispatch arguments of the parts of a pass with indirect dispatch */
    gpu_buffer *part_arguments;
    gpu_buffer *yield_part_arguments;  /* in its place while the device yields */
    gpu_pipeline *split_args_pipeline; /* writes part_arguments */
    gpu_buffer *quad_indices;          /* of an instance of quads; NULL: none are drawn */
    gpu_pipeline *pipelines;           /* in use and idle */
    char *shader_folder;               /* shader sources; NULL: those that the build used */
    /* shaders that were checked for changes */
    BASE_ARRAY(gpu_reloaded_shader) shaders;
    /* shaders were reloaded once; new pipelines then follow the sources as well */
    bool reloads;
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
    uint32_t module;
    uint64_t read_epoch, write_epoch; /* of the last accesses; 0: none */
    bool shared;                      /* also read by a host's work */
};

struct gpu_image {
    const char *name;
    VkImage handle;
    VkDeviceMemory memory;
    VkImageView view;
    gpu_format format;
    uint32_t width, height;
    uint64_t size; /* of the memory, bytes */
    uint32_t id;
    VkImageAspectFlags aspects;
    bool borrowed;             /* belongs to a host */
    VkImageLayout host_layout; /* of a host's image, between recordings */
    VkImageLayout layout;      /* after the commands recorded so far */
    uint64_t epoch;            /* epoch of the accesses below */
    bool read, written;
    bool recorded; /* is in the device's recorded_images */
    gpu_image *next_recorded;
};

typedef struct gpu_binding {
    uint32_t binding;
    VkDescriptorType type;
    bool readonly;
    gpu_access access; /* as declared by the shader */
    const char *name;  /* as declared by the shader; NULL: not declared */
} gpu_binding;

struct gpu_pipeline {
    const char *name;
    gpu_pipeline *next; /* next in the device's list */
    uint64_t key;       /* hash of the def */
    uint32_t holders;   /* reference count; 0: idle, kept for the next equal def */
    uint32_t id;
    uint32_t workgroup;
    VkShaderStageFlags stages;
    gpu_format attachments[GPU_ATTACHMENTS + 1]; /* of a draw pipeline: colours, then depth */
    uint32_t attachment_count;
    uint32_t binding_count;
    gpu_binding bindings[GPU_PIPELINE_BINDINGS];
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline handle;
    gpu_pipeline_stats stats;
    uint32_t constants[GPU_MAX_CONSTANTS];
    gpu_pipeline_def compute_def; /* its def, if it is a compute pipeline */
    gpu_draw_def draw_def;
    gpu_work_estimate work;
    const char *sources[2]; /* of its stages; NULL: none */
};

struct gpu_timers {
    const char *trace_name;
    uint32_t pass_count;
    struct gpu_timer {
        BASE_ARRAY(float) ms;
        uint32_t calls; /* may exceed the number of samples kept */
        double total_ms;
        double partial_ms;   /* of a call whose last pieces are still to come */
        double predicted_ms; /* moving average, kept across resets */
        /* its duration is known, or that it never runs because its loop ends before */
        bool known;
        double invocations;
    } * passes;    /* pass_count of them, then one for the whole list */
    bool watched;  /* every pass is timed, even if the device is not watched */
    bool measured; /* passes were timed individually at least once */
    bool changed;  /* a run differed greatly from its prediction: the next run is timed per pass */
    uint32_t call; /* the call that whole_ms accumulates */
    double whole_ms;
};

/* Converts the result code of the Vulkan function `name`. Logs a failure, and latches a lost
 * device. */
weir_result gpu_vk_result(gpu_device *device, VkResult code, const char *name);
/* Calls a device function, whose first argument is the device, and converts its result. */
#define GPU_VK(device, name, ...) \
    gpu_vk_result((device), (device)->vk.name((device)->handle, __VA_ARGS__), #name)

weir_result gpu_instance_create(const weir_log *log, gpu_instance_def def, gpu_instance *instance,
                                gpu_device *messages);
void gpu_instance_destroy(gpu_instance *instance);
/* Loads the functions of an instance. `get_proc` NULL: uses the system's loader. Errors:
 * UNSUPPORTED when there is none, or when it lacks a function that every Vulkan 1.3 loader has. */
weir_result gpu_calls_load(const weir_log *log, PFN_vkGetInstanceProcAddr get_proc,
                           VkInstance instance, gpu_instance_calls *calls);
/* Fills `info` for one physical device, and info->unusable if Weir cannot run there. */
void gpu_physical_device_describe(const gpu_instance_calls *calls, VkPhysicalDevice physical,
                                  weir_device_info *info);
/* Returns the size of the largest device-local heap, bytes, and the part that all programs have
 * left free; where the driver does not report that, `left` equals `bytes`. */
void gpu_memory_available(const gpu_instance_calls *calls, VkPhysicalDevice physical,
                          uint64_t *bytes, uint64_t *left);

struct weir_vulkan_device_requirements; /* gpu_adopt.h */
void gpu_requirements_fill(const gpu_instance_calls *calls, VkPhysicalDevice physical,
                           struct weir_vulkan_device_requirements *needs);
weir_result gpu_device_check_usable(const weir_log *log, const weir_device_info *info);
/* Chooses a queue family that supports graphics if possible; for an adopted device, the host's. If
 * `surface` is not NULL, the family must be able to present to it. Returns false if there is
 * none. */
bool gpu_queue_find(gpu_device *device, VkSurfaceKHR surface);
/* Stores the handle and loads the device's functions. */
void gpu_device_load_functions(gpu_device *device, VkDevice handle);
/* Creates the objects that every device has. `cache` is the result of gpu_pipeline_cache_load. */
weir_result gpu_device_init(gpu_device *device, const base_blob *cache);

/* Lists the physical devices, best first: discrete, integrated, virtual, other, CPU; unusable
 * devices last. */
weir_result gpu_physical_devices_list(const weir_log *log, const gpu_instance *instance,
                                      VkPhysicalDevice *physical, uint32_t *count);

/* ---- shader reloading ---- */
bool gpu_shaders_can_reload(void);
/* Replaces the words by those compiled most recently from their source, if there are any. */
void gpu_shader_use_reloaded(gpu_device *device, gpu_spirv *words);
void gpu_shaders_free(gpu_device *device);
/* Creates a compute pipeline without adding it to the device's list. `like` is the pipeline that it
 * replaces, or NULL; it may bind only what that pipeline binds. */
weir_result gpu_pipeline_build(gpu_device *device, const gpu_pipeline_def *def,
                               const gpu_pipeline *like, gpu_pipeline **out);
weir_result gpu_draw_pipeline_build(gpu_device *device, const gpu_draw_def *def,
                                    const gpu_pipeline *like, gpu_pipeline **out);
weir_result gpu_pipeline_copy_bindings(const gpu_device *device, gpu_pipeline *pipeline,
                                       const gpu_pipeline *like);

/* Adds the set 0 bindings of one stage to those of the pipeline. Only bindings that remain in the
 * SPIR-V count, because the compiler drops unused ones. Errors: ARGUMENT when the words bind
 * something that the shader does not declare. */
weir_result gpu_spirv_bindings(const weir_log *log, const gpu_spirv *words,
                               const gpu_shader *shader, gpu_pipeline *pipeline);
/* Returns the specialization constants in the words, one bit per id. */
uint64_t gpu_spirv_constants(const gpu_spirv *words);
/* Finds the pipeline with this key, a hash of everything it is made of, and adds a reference to
 * it. */
bool gpu_pipeline_acquire(gpu_device *device, uint64_t key, gpu_pipeline **pipeline);
/* Adds a new pipeline to the device's list, with one reference. */
void gpu_pipeline_register(gpu_device *device, gpu_pipeline *pipeline, uint64_t key);
void gpu_pipeline_free(gpu_device *device, gpu_pipeline *pipeline);
weir_result gpu_pipeline_create_layouts(gpu_device *device, gpu_pipeline *pipeline);
/* Compiles a pipeline that is in use now, or waits for the thread that does. */
weir_result gpu_pipeline_finish(gpu_device *device, gpu_pipeline *pipeline);
/* Ends the thread. Pipelines that it has not compiled are compiled when needed. */
void gpu_pipelines_stop_ahead(gpu_device *device);
/* Compiles the pipeline if it is not compiled yet (gpu_device.deferred). */
weir_result gpu_pipeline_compile(gpu_device *device, gpu_pipeline *pipeline);
weir_result gpu_draw_pipeline_compile(gpu_device *device, gpu_pipeline *pipeline);
VkPipelineShaderStageCreateInfo gpu_shader_stage(VkShaderStageFlagBits stage,
                                                 VkShaderModule module);
/* Returns the binding number that the device uses: bindings are numbered consecutively, without the
 * gaps in their module's numbers, because Metal without argument buffers has 31 numbers per
 * stage. */
uint32_t gpu_pipeline_binding_index(const gpu_pipeline *pipeline, const gpu_binding *binding);
/* Returns a copy of the words with those numbers, or NULL without memory; release with
 * base_free. */
uint32_t *gpu_spirv_renumber_bindings(const gpu_spirv *words, const gpu_pipeline *pipeline);
weir_result gpu_shader_module(gpu_device *device, const gpu_spirv *words,
                              const gpu_pipeline *pipeline, VkShaderModule *module);

/* Reports whether reading from a texel buffer is faster than from a storage buffer, and always
 * possible. This is true of CPU drivers without a small limit on texel buffers; shaders for them
 * (WEIR_TEXELS) may also shuffle values within a subgroup. */
bool gpu_device_prefers_texels(const gpu_device *device);
void gpu_name_object(gpu_device *device, VkObjectType type, uint64_t handle, const char *name);
/* Creates the pipeline cache. `given` is a blob from gpu_pipeline_cache_get; if it is empty, the
 * file in the cache folder is used. */
weir_result gpu_pipeline_cache_load(gpu_device *device, const base_blob *given);
void gpu_pipeline_cache_save(gpu_device *device);
/* Returns a hash of device and driver. */
uint64_t gpu_device_key(const gpu_device *device, uint64_t seed);
/* Returns "<cache folder>/<name>-<key>.bin", or NULL without a folder. Release with base_free. */
char *gpu_cache_path(const gpu_device *device, const char *name, uint64_t key);
/* Checks that the device computes correctly. Errors: UNSUPPORTED when it computes nothing, or wrong
 * results. */
weir_result gpu_self_test(gpu_device *device);
/* Waits until the queue has finished all work submitted so far, including a host's. */
weir_result gpu_queue_wait(gpu_device *device);
/* Waits for a fence. Warns after a minute; a device that does not signal it within ten minutes
 * counts as lost, with GPU-assisted validation one that does not within an hour. */
weir_result gpu_fence_wait(gpu_device *device, const VkFence *fence);
weir_result gpu_command_slots_create(gpu_device *device);
void gpu_command_slots_destroy(gpu_device *device);
/* Ends and submits the recording, and begins the next one. A recording into a host's command buffer
 * continues instead. */
weir_result gpu_record_submit_partial(gpu_device *device);
/* Reports whether the slot records into a host's command buffer, which the host submits. */
bool gpu_command_slot_is_borrowed(const gpu_command_slot *slot);
/* Collects the timestamps of a finished slot. */
void gpu_timers_collect(gpu_device *device, gpu_command_slot *slot);
/* Returns the ticks between two timestamps, of which only the low `bits` are valid; the counter may
 * wrap once in between. */
uint64_t gpu_ticks_elapsed(uint64_t from, uint64_t to, uint32_t bits);

/* Timestamps and labels of the current recording. gpu_timestamps_enabled reports whether timestamps
 * are written at all; gpu_timestamps_per_pass, whether one follows every pass. Otherwise there is
 * one at the start and one at the end of a list, so the time of a frame and the length of
 * submissions are always known. */
bool gpu_timestamps_enabled(const gpu_device *device);
bool gpu_timestamps_per_pass(const gpu_device *device, const gpu_timers *timers);
void gpu_timestamp_write(gpu_device *device, const gpu_timestamp *stamp);
/* Predicts the duration, ms, of pass number `at` of a list from all that is known. */
double gpu_timers_predict(const gpu_timers *timers, uint32_t at, const gpu_pass *pass);
void gpu_label_begin(gpu_device *device, const char *name);
void gpu_label_end(gpu_device *device);
weir_result gpu_slot_create_queries(gpu_device *device, gpu_command_slot *slot);
void gpu_slot_destroy_queries(gpu_device *device, gpu_command_slot *slot);
/* Copies the query results at the end of a recording. Reading a pool's results from the host
 * instead makes some drivers wait for all work. */
void gpu_slot_copy_queries(gpu_device *device, gpu_command_slot *slot);
void gpu_slot_reset_queries(gpu_device *device, gpu_command_slot *slot);
/* Begins and ends the statistics query of the pass whose timestamp comes next. */
void gpu_statistics_begin(gpu_device *device);
void gpu_statistics_end(gpu_device *device);

/* ---- loops: groups that a pass can end ---- */
/* Begin and end the recording of a group. `stamped`: its passes get timestamps. */
void gpu_loop_begin(gpu_device *device, const gpu_pass *passes, uint32_t count, bool stamped);
weir_result gpu_loop_end(gpu_device *device);
/* Interrupt and continue a loop when the recording is split within a group. */
weir_result gpu_loop_suspend(gpu_device *device);
void gpu_loop_resume(gpu_device *device);
/* Reports whether the pass had work to do; the slot must have finished. */
bool gpu_loop_pass_ran(const gpu_command_slot *slot, const gpu_timestamp *stamp);
/* Returns the CPU time (base_time_s) at which the GPU's clock showed `ticks`. */
double gpu_clock_seconds(const gpu_device *device, uint64_t ticks);

/* Reports whether a device extension exists; an instance extension if `calls` is NULL. */
bool gpu_has_extension(const gpu_instance_calls *calls, VkPhysicalDevice physical,
                       const char *name);
/* Features that a device may have beyond those that Weir needs; they are enabled where
 * available. */
typedef struct gpu_optional_features {
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables;
    VkPhysicalDeviceFaultFeaturesEXT faults;
    const char *extensions[3];
    uint32_t extension_count;
} gpu_optional_features;
/* Returns whether the driver can tell why a device was lost, and the feature to enable. */
bool gpu_device_fault_choose(const gpu_device *device, VkPhysicalDeviceFaultFeaturesEXT *feature);
/* Logs what the driver knows about the loss of the device, if it can tell. */
void gpu_device_fault_log(const gpu_device *device);
/* Chooses the optional features that the def requests and the device has. */
weir_result gpu_optional_features_choose(gpu_device *device, const weir_device_def *def,
                                         gpu_optional_features *extras);

/* Creates a pipeline from `info`, and queries its statistics if the device profiles. */
weir_result gpu_vk_pipeline_create(gpu_device *device, const VkComputePipelineCreateInfo *info,
                                   gpu_pipeline *pipeline);
uint32_t gpu_memory_owner_find(gpu_device *device, const char *name);
/* The bytes of a buffer that passes bind: whole vectors of 16, so that shaders can access every
 * buffer a vector at a time. */
uint64_t gpu_buffer_bound_size(const gpu_buffer *buffer);

void gpu_memory_owner_add(gpu_device *device, uint32_t module, uint64_t taken, uint64_t given);
const gpu_binding *gpu_pipeline_find_binding(const gpu_pipeline *pipeline, uint32_t number);
/* Destroys the pipelines without references. */
void gpu_pipelines_trim(gpu_device *device);
void gpu_descriptor_sets_clear(gpu_device *device);
/* Clears the cached descriptor sets once there are many. */
void gpu_descriptor_sets_trim(gpu_device *device);
weir_result gpu_descriptor_set_find(gpu_device *device, const gpu_pass *pass,
                                    const uint64_t *offsets, const uint64_t *ranges,
                                    VkDescriptorSet *set);
uint32_t gpu_memory_type(const VkPhysicalDeviceMemoryProperties *types, uint32_t allowed,
                         gpu_memory memory);
VkFormat gpu_vk_format(gpu_format format);
/* Returns the layout in which a pass uses an image. */
VkImageLayout gpu_image_use_layout(const gpu_pass *pass, const gpu_image_use *use);
VkImageMemoryBarrier2 gpu_image_transition(const gpu_image *image, VkImageLayout to);
/* ---- barriers ---- */
/* Layout transitions that are part of a barrier. */
typedef struct gpu_image_barriers {
    VkImageMemoryBarrier2 items[GPU_PASS_IMAGES];
    uint32_t count;
} gpu_image_barriers;
/* Records a barrier between all recorded work and the copies and compute passes that follow; with
 * `draws`, also the draws that follow. `images` may be NULL. */
void gpu_barrier(gpu_device *device, bool draws, gpu_image_barriers *images);
/* The first barrier of a recording waits for earlier submissions and a host's work; the last one
 * makes results visible to the host. */
void gpu_barrier_first(gpu_device *device);
void gpu_barrier_last(gpu_device *device);
/* Orders a copy that reads or writes the buffer after the recorded work it conflicts with. */
void gpu_order_copy(gpu_device *device, gpu_buffer *buffer, bool writes);
/* Checks and marks all accesses of a pass, and records the barrier that it needs. */
void gpu_order_pass(gpu_device *device, const gpu_pass *pass);
/* Waits, if necessary, for earlier accesses of the recording to the image, and transitions it to
 * the layout. */
void gpu_record_image_order(gpu_device *device, gpu_image *image, VkImageLayout layout,
                            bool writes);
/* Copies a picture, ordered as a source of transfers, to an image of this size in the layout for
 * transfers. Format and size are converted but not colours, because neither has an sRGB format. */
void gpu_record_blit(gpu_device *device, const gpu_image *from, VkImage to, uint32_t width,
                     uint32_t height);
/* Copies `lines` rows of pixels, from row `first` of an image, to or from the start of a buffer,
 * without padding. */
typedef struct gpu_image_copy {
    gpu_image *image;
    gpu_buffer *buffer;
    uint32_t first, lines;
    bool to_image;
} gpu_image_copy;
void gpu_record_image_copy(gpu_device *device, const gpu_image_copy *copy);
/* ---- pieces: the dispatches of a split pass ---- */
typedef struct gpu_split_dispatch {
    /* with indirect arguments: those of the first piece, which the others' follow */
    gpu_pass pass;
    uint64_t chunk; /* elements per range */
    uint32_t parts; /* parts per range */
    uint32_t count;
    double ms; /* predicted duration of a piece */
    uint64_t epoch;
} gpu_split_dispatch;
weir_result gpu_split_dispatch_create(gpu_device *device);
void gpu_split_dispatch_destroy(gpu_device *device);
/* Splits a pass of predicted duration `ms`, and records the passes that the pieces need. */
weir_result gpu_split_dispatch_plan(gpu_device *device, const gpu_pass *pass, double ms,
                                    gpu_split_dispatch *pieces);
/* Records one piece. A barrier precedes the first piece, where the pass needs one, and separates
 * parts that share a submission. The caller sets the two repetition indices in `push`. */
struct gpu_pass_push;
weir_result gpu_record_dispatch(gpu_device *device, gpu_split_dispatch *pieces,
                                struct gpu_pass_push push, uint32_t piece);
/* Draws a part of a pass inside its own dynamic rendering scope. A part is a range of instances or,
 * of a single one, of GPU_DRAW_UNIT vertices, so that the parts draw in the order of the whole. */
#define GPU_DRAW_UNIT 6u
uint64_t gpu_quad_instances(const gpu_dispatch_size *dispatch_size);
void gpu_record_draw(gpu_device *device, const gpu_pass *pass, uint32_t part, uint32_t parts);
bool gpu_access_reads(gpu_access access);
bool gpu_access_writes(gpu_access access);
bool gpu_access_is_own(gpu_access access);
bool gpu_either_writes(gpu_access a, gpu_access b);
extern const char *const gpu_access_names[];

#endif
