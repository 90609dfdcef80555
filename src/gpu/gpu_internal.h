/* gpu_internal: what the files of the gpu room share. */
#ifndef WEIR_GPU_INTERNAL_H
#define WEIR_GPU_INTERNAL_H

#include "gpu.h"

#define VK_NO_PROTOTYPES
#include <volk.h>

#include <stdatomic.h>

#define GPU_MAX_DEVICES 32u
#define GPU_FAMILIES 9u        /* queue families that share the buffers of an adopted device */
#define GPU_COMMAND_SLOTS 8u   /* submissions in flight */
#define GPU_SLOT_QUERIES 2048u /* timestamps per submission */
#define GPU_PIPELINE_BINDINGS 24u
#define GPU_MAX_PARTS 1024u /* of a row */
#define GPU_STAGING_BYTES (16u << 20)
#define GPU_MAX_CONSTANTS 32u
#define GPU_MAX_WORKGROUP 256u /* invocations of the largest workgroup among the kernels */
/* What Vulkan grants every device, and no kernel passes: walls/test_spirv. */
#define GPU_MAX_SHARED_BYTES 16384u  /* of a workgroup */
#define GPU_MAX_UNIFORM_BYTES 16384u /* of a uniform block */
#define GPU_NO_DRIVER                                                                 \
    "no Vulkan driver found: install the graphics driver, or lavapipe to run on the " \
    "CPU (Debian: apt-get install mesa-vulkan-drivers)"

/* Functions of one instance: volk's globals would be those of the instance made last, and a host
 * may bring a loader of its own. Those of VK_EXT_debug_utils are NULL without it, those of windows
 * (the last five) unless the instance presents. */
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

/* What an instance is made for. */
typedef struct gpu_instance_def {
    bool validation, shader_validation, present;
} gpu_instance_def;

/* A validation layer that the program asked for must exist; its messages count as failures. */
typedef struct gpu_instance {
    VkInstance handle; /* NULL when a host's was adopted */
    VkDebugUtilsMessengerEXT messenger;
    gpu_instance_calls calls;
} gpu_instance;

/* One timestamp of a submission: it ends a row, or with `row` GPU_TIMESTAMP_PASS_LIST what the
 * submission has of a table, or with GPU_TIMESTAMP_START it only starts. */
#define GPU_TIMESTAMP_START UINT32_MAX
#define GPU_TIMESTAMP_PASS_LIST (UINT32_MAX - 1u)
typedef struct gpu_timestamp {
    gpu_timers *timers; /* or NULL */
    const char *name;   /* of the row's kernel */
    uint32_t pass, outer, inner;
    uint32_t call;  /* counts gpu_record_passes: stamps of one run of a table share it */
    uint32_t loop;  /* number of the loop among those of the slot, from 1; 0: of none */
    bool ends_loop; /* in its loop, the row that can end it */
    bool last;      /* row of that run */
    bool first;     /* piece of its row */
    bool more;      /* pieces of its row follow */
} gpu_timestamp;

/* What a trace calls a recording; its splits share it. */
typedef struct gpu_trace_name {
    const char *text;
    uint64_t number, recording;
} gpu_trace_name;

typedef struct gpu_command_slot {
    VkCommandBuffer commands, own; /* what is recorded into, the slot's or a host's; the slot's */
    VkFence fence;
    VkQueryPool queries, statistics;
    gpu_buffer *ticks; /* where the device copies its timestamps */
    uint64_t ticket;   /* 0: never used */
    bool pending;
    bool abandoned; /* its own commands are half recorded: to be reset before the next recording */
    bool done_by_host; /* by the host, whose command buffer it was */
    uint32_t query_count;
    gpu_buffer *loops; /* where the device copies gpu_loop.ended of each loop */
    uint32_t loop_count;
    double *elapsed_ms; /* or NULL */
    gpu_trace_name trace_name;
    gpu_timestamp stamps[GPU_SLOT_QUERIES]; /* one per query */
} gpu_command_slot;

/* One moment in ticks of the GPU and in seconds of base_time_s. */
typedef struct gpu_clock {
    bool offered; /* VK_EXT_calibrated_timestamps with the CPU's monotonic clock */
    uint64_t ticks;
    double cpu_s, set_s; /* the moment of `ticks`; when it was set */
    uint64_t last_ticks; /* of the submission collected last */
} gpu_clock;

/* A pass of the recording that a trace gathers: spans around passes are written before them. */
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
    const char *source; /* the kernels' own text */
    int64_t time_ns;    /* of the newest file that it was made from, also when it failed */
    uint32_t *words;    /* NULL: none has compiled yet, the built ones serve */
    size_t word_count;
} gpu_reloaded_shader;

/* A number that was measured on the device: notes.c. */
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
    VkDevice handle;
    struct VolkDeviceTable vk;
    VkQueue queue;
    uint32_t queue_family;
    bool adopted;
    bool deferred;                         /* kernels have no pipeline until gpu_pipeline_compile */
    bool presents;                         /* in windows: has VK_KHR_swapchain */
    void (*lock)(void *user, bool locked); /* the host's queue lock, or NULL */
    void *lock_user;
    uint32_t families[GPU_FAMILIES]; /* of an adopted device: its own, then those of readers */
    uint32_t family_count;
    VkAllocationCallbacks callbacks;        /* the host's */
    const VkAllocationCallbacks *allocator; /* those, or NULL */
    uint32_t timestamp_bits;
    uint32_t validation_count;
    bool draws;             /* the queue has graphics */
    bool independent_blend; /* independentBlend is enabled */
    uint64_t memory_used;
    uint64_t storage_range;
    uint64_t largest_buffer; /* bytes that the driver gives in one allocation */
    double submit_budget_ms;
    double longest_ms; /* of a submission, since somebody asked */
    uint32_t next_buffer_id, next_pipeline_id;
    VkResult lost; /* the first VK_ERROR_DEVICE_LOST sticks */

    VkPipelineCache pipeline_cache;
    uint64_t pipeline_cache_hash; /* of what the cache file held; 0: nothing */
    BASE_ARRAY(gpu_tuning_value) tuning_values;
    VkCommandPool command_pool;
    gpu_command_slot slots[GPU_COMMAND_SLOTS];
    gpu_command_slot *recording;
    atomic_bool busy;                            /* with a recording */
    const struct weir_vulkan_submit *submission; /* of the recording to the queue, or NULL */
    bool waits;                                  /* its first submission is still to come */
    uint64_t next_ticket;
    uint32_t epoch;           /* counts barriers: a buffer's pending accesses belong to one epoch */
    bool drawn;               /* since the last barrier */
    bool ended_outside_draws; /* the last barrier was for work, and what came before it no draw may
                                 read */
    double recorded_ms;       /* predicted length of the recording */
    gpu_image *recorded_images; /* those that the recording touched, linked by next_recorded */
    bool recorded_unmeasured;
    double *elapsed_ms;        /* of the recording, whose splits share it */
    gpu_trace_name trace_name; /* likewise */
    uint64_t recordings;
    uint32_t calls;                /* of gpu_record_passes */
    const gpu_pass *loop_end_pass; /* that can end the group being recorded, or NULL */
    uint32_t loop;                 /* the group's number in the recording slot; 0: not stamped */
    double record_start_s, waited_cpu_s;

    bool profile, serialize, statistics;
    bool watched;                 /* every row is timed */
    uint32_t workgroup, subgroup; /* as the def has them */
    char *isa_folder;
    bool executables; /* VK_KHR_pipeline_executable_properties is on */
    gpu_clock clock;
    base_trace *trace;
    gpu_trace_name traced; /* the recording whose passes these are */
    BASE_ARRAY(gpu_span) spans;
    double traced_until_s;

    BASE_ARRAY(VkDescriptorPool) pools;
    gpu_descriptor_set *sets; /* open addressing, power of two */
    size_t set_count, set_capacity;

    gpu_buffer *staging;
    gpu_buffer *part_arguments;        /* of a row that the device counts */
    gpu_pipeline *split_args_pipeline; /* writes them */
    gpu_pipeline *pipelines;           /* in use and idle */
    char *shader_folder;               /* sources, or NULL: those that the build was made from */
    BASE_ARRAY(gpu_reloaded_shader) shaders; /* that were looked at */
    bool reloads; /* shaders were reloaded once: what is made from now on follows its source too */
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
    uint32_t epoch; /* of the accesses below */
    bool read, written;
    bool shared; /* a host's work reads it, too */
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
    VkImageAspectFlags aspects;
    bool borrowed;             /* by a host */
    VkImageLayout host_layout; /* of a lent image, between recordings */
    VkImageLayout layout;      /* after what is recorded */
    uint32_t epoch;            /* of the accesses below */
    bool read, written;
    bool recorded; /* in the device's recorded_images */
    gpu_image *next_recorded;
};

typedef struct gpu_binding {
    uint32_t binding;
    VkDescriptorType type;
    bool readonly;
    gpu_access access; /* as the shader declares it */
    const char *name;  /* likewise; NULL: not declared */
} gpu_binding;

struct gpu_pipeline {
    const char *name;
    gpu_pipeline *next; /* of the device's */
    uint64_t key;       /* hash of the def */
    uint32_t holders;   /* 0: idle, kept for the next def that is the same */
    uint32_t id;
    uint32_t workgroup;
    VkShaderStageFlags stages;
    gpu_format attachments[GPU_ATTACHMENTS + 1]; /* of a draw: colours, then depth */
    uint32_t attachment_count;
    uint32_t binding_count;
    gpu_binding bindings[GPU_PIPELINE_BINDINGS];
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline handle;
    gpu_pipeline_stats stats;
    uint32_t constants[GPU_MAX_CONSTANTS];
    gpu_pipeline_def made; /* what it was made of, or of a draw: */
    gpu_draw_def drawn;
    gpu_work_estimate work;
    const char *sources[2]; /* of its stages; NULL: none */
};

struct gpu_timers {
    const char *trace_name;
    uint32_t pass_count;
    struct gpu_timer {
        BASE_ARRAY(float) ms;
        uint32_t calls; /* more than there is room for samples */
        double total_ms;
        double partial_ms;   /* of a call whose last pieces are still to come */
        double predicted_ms; /* moving average, kept over resets */
        bool known;          /* how long it takes, or that the end of its loop leaves it out */
        double invocations;
    } * passes;    /* pass_count of them, and one for the whole table */
    bool watched;  /* every row is timed, also where the device is not watched */
    bool measured; /* row by row, once at least */
    bool changed;  /* a run took far more or less than predicted: the next is measured */
    uint32_t call; /* that whole_ms is gathered for */
    double whole_ms;
};

/* The result of the Vulkan function `name`; logs one that failed and latches a lost device. */
weir_result gpu_vk_result(gpu_device *device, VkResult code, const char *name);
/* The result of a function of the device, which is its first argument. */
#define GPU_VK(device, name, ...) \
    gpu_vk_result((device), (device)->vk.name((device)->handle, __VA_ARGS__), #name)

weir_result gpu_instance_create(const weir_log *log, gpu_instance_def def, gpu_instance *instance,
                                gpu_device *messages);
void gpu_instance_destroy(gpu_instance *instance);
/* `get_proc` NULL: the system's loader. Errors: UNSUPPORTED when there is none, or when it lacks
 * what every Vulkan 1.3 loader has. */
weir_result gpu_calls_load(const weir_log *log, PFN_vkGetInstanceProcAddr get_proc,
                           VkInstance instance, gpu_instance_calls *calls);
/* Fills info for one physical device, with info->unusable when Weir cannot run there. */
void gpu_physical_device_describe(const gpu_instance_calls *calls, VkPhysicalDevice physical,
                                  weir_device_info *info);
/* Bytes of the largest device-local heap, and what all programs leave of it now; where the driver
 * does not say that, `left` is the same. */
void gpu_memory_available(const gpu_instance_calls *calls, VkPhysicalDevice physical,
                          uint64_t *bytes, uint64_t *left);

struct weir_vulkan_device_requirements; /* gpu_adopt.h */
void gpu_requirements_fill(const gpu_instance_calls *calls, VkPhysicalDevice physical,
                           struct weir_vulkan_device_requirements *needs);
weir_result gpu_device_check_usable(const weir_log *log, const weir_device_info *info);
/* Chooses a family that draws, where there is one; of an adopted device, takes the host's. It shows
 * pictures on `surface`, unless that is NULL. False: there is none. */
bool gpu_queue_find(gpu_device *device, VkSurfaceKHR surface);
/* Takes the device's functions. */
void gpu_device_load_functions(gpu_device *device, VkDevice handle);
/* Makes what every device has. `cache`: that of gpu_pipeline_cache_load. */
weir_result gpu_device_init(gpu_device *device, const base_blob *cache);

/* Best first: discrete, integrated, virtual, other, CPU; unusable devices last. */
weir_result gpu_physical_devices_list(const weir_log *log, const gpu_instance *instance,
                                      VkPhysicalDevice *physical, uint32_t *count);

/* ---- shaders that change while the program runs ---- */
bool gpu_shaders_can_reload(void);
/* Replaces the words by those that were compiled last from their source, if any were. */
void gpu_shader_use_reloaded(gpu_device *device, gpu_spirv *words);
void gpu_shaders_free(gpu_device *device);
/* A new kernel, which the device does not list yet. `like`: the kernel that it replaces, or NULL;
 * each of its bindings must be one of that kernel's. */
weir_result gpu_pipeline_build(gpu_device *device, const gpu_pipeline_def *def,
                               const gpu_pipeline *like, gpu_pipeline **out);
weir_result gpu_draw_pipeline_build(gpu_device *device, const gpu_draw_def *def,
                                    const gpu_pipeline *like, gpu_pipeline **out);
weir_result gpu_pipeline_copy_bindings(const gpu_device *device, gpu_pipeline *pipeline,
                                       const gpu_pipeline *like);

/* Adds the bindings of set 0 of one stage to those of the kernel: those that the words still have,
 * for the compiler drops what no instruction touches. Errors: ARGUMENT when the words bind what the
 * shader does not declare. */
weir_result gpu_spirv_bindings(const weir_log *log, const gpu_spirv *words,
                               const gpu_shader *shader, gpu_pipeline *pipeline);
/* The specialization constants that the words have: a bit for each id. */
uint32_t gpu_spirv_constants(const gpu_spirv *words);
/* Finds and takes hold of the kernel with this key, which hashes all that it is made of. */
bool gpu_pipeline_acquire(gpu_device *device, uint64_t key, gpu_pipeline **pipeline);
/* Gives the device a new kernel, and takes hold of it. */
void gpu_pipeline_register(gpu_device *device, gpu_pipeline *pipeline, uint64_t key);
void gpu_pipeline_free(gpu_device *device, gpu_pipeline *pipeline);
weir_result gpu_pipeline_create_layouts(gpu_device *device, gpu_pipeline *pipeline);
/* Compiles the kernel's pipeline where it has none yet: gpu_device.deferred. */
weir_result gpu_pipeline_compile(gpu_device *device, gpu_pipeline *pipeline);
weir_result gpu_draw_pipeline_compile(gpu_device *device, gpu_pipeline *pipeline);
VkPipelineShaderStageCreateInfo gpu_shader_stage(VkShaderStageFlagBits stage,
                                                 VkShaderModule module);
/* The device numbers a kernel's bindings by their places, without the gaps of their room's numbers:
 * Metal without argument buffers has 31 numbers a stage. */
uint32_t gpu_pipeline_binding_index(const gpu_pipeline *pipeline, const gpu_binding *binding);
/* The words with those numbers; release with base_free. NULL: memory. */
uint32_t *gpu_spirv_renumber_bindings(const gpu_spirv *words, const gpu_pipeline *pipeline);
weir_result gpu_shader_module(gpu_device *device, const gpu_spirv *words,
                              const gpu_pipeline *pipeline, VkShaderModule *module);

/* Is a gather through a texel buffer faster than through a storage buffer, and always possible?
 * True of CPU drivers without a small limit on texel buffers. */
bool gpu_device_prefers_texels(const gpu_device *device);
void gpu_name_object(gpu_device *device, VkObjectType type, uint64_t handle, const char *name);
/* `given`: what gpu_pipeline_cache_get made, or empty; then the file of the cache folder serves. */
weir_result gpu_pipeline_cache_load(gpu_device *device, const base_blob *given);
void gpu_pipeline_cache_save(gpu_device *device);
/* A hash of device and driver. */
uint64_t gpu_device_key(const gpu_device *device, uint64_t seed);
/* "<cache folder>/<name>-<key>.bin"; NULL without a folder. Release with base_free. */
char *gpu_cache_path(const gpu_device *device, const char *name, uint64_t key);
/* Errors: UNSUPPORTED when the device computes nothing, or wrongly. */
weir_result gpu_self_test(gpu_device *device);
/* Waits until all work of the queue is done that was submitted so far, a host's too. */
weir_result gpu_queue_wait(gpu_device *device);
weir_result gpu_command_slots_create(gpu_device *device);
void gpu_command_slots_destroy(gpu_device *device);
/* Ends and submits the recording, and begins the next one. One that a host submits goes on. */
weir_result gpu_record_submit_partial(gpu_device *device);
/* Has the host the recording, to submit it? */
bool gpu_command_slot_is_borrowed(const gpu_command_slot *slot);
/* Collects timestamps of a finished slot. */
void gpu_timers_collect(gpu_device *device, gpu_command_slot *slot);
/* Ticks from one timestamp to a later one, of which only the low `bits` are valid; the counter may
 * wrap once in between. */
uint64_t gpu_ticks_elapsed(uint64_t from, uint64_t to, uint32_t bits);

/* Stamps and labels of the recording under way. gpu_timestamps_enabled: is a stamp written at all?
 * gpu_timestamps_per_pass: behind every row? Otherwise where a table starts and where it ends: the
 * time of a frame and the length of submissions are always known. */
bool gpu_timestamps_enabled(const gpu_device *device);
bool gpu_timestamps_per_pass(const gpu_device *device, const gpu_timers *timers);
void gpu_timestamp_write(gpu_device *device, const gpu_timestamp *stamp);
/* Milliseconds that row number `at` of a table will take, for all that is known. */
double gpu_timers_predict(const gpu_timers *timers, uint32_t at, const gpu_pass *pass);
void gpu_label_begin(gpu_device *device, const char *name);
void gpu_label_end(gpu_device *device);
weir_result gpu_slot_create_queries(gpu_device *device, gpu_command_slot *slot);
void gpu_slot_destroy_queries(gpu_device *device, gpu_command_slot *slot);
/* At the end of a recording: asking for a pool's results makes some drivers wait for all work. */
void gpu_slot_copy_queries(gpu_device *device, gpu_command_slot *slot);
void gpu_slot_reset_queries(gpu_device *device, gpu_command_slot *slot);
/* Around the work of the row whose stamp comes next. */
void gpu_statistics_begin(gpu_device *device);
void gpu_statistics_end(gpu_device *device);

/* ---- loops: groups that the GPU ends ---- */
/* Around the recording of a group; `stamped`: its rows get stamps. */
void gpu_loop_begin(gpu_device *device, const gpu_pass *passes, uint32_t count, bool stamped);
weir_result gpu_loop_end(gpu_device *device);
/* Around the split of a recording, which may come within a group. */
weir_result gpu_loop_suspend(gpu_device *device);
void gpu_loop_resume(gpu_device *device);
/* Had the row something to do? Of a finished slot. */
bool gpu_loop_pass_ran(const gpu_command_slot *slot, const gpu_timestamp *stamp);

/* ---- trace ---- */
void gpu_trace_pass(gpu_device *device, const gpu_trace_name *trace_name,
                    const gpu_timestamp *stamp, const uint64_t ticks[2]);
/* Once a second, reads the GPU's clock and the CPU's at one moment. */
void gpu_trace_sync_clocks(gpu_device *device);
/* A span of the CPU's, from start_s until now; `ticket` is that of the submission it is about. */
void gpu_trace_cpu(gpu_device *device, const char *name, double start_s, uint64_t ticket);
/* Seconds of base_time_s at which the GPU's clock showed `ticks`. */
double gpu_clock_seconds(const gpu_device *device, uint64_t ticks);

/* `calls` NULL: is it an extension of instances? */
bool gpu_has_extension(const gpu_instance_calls *calls, VkPhysicalDevice physical,
                       const char *name);
/* What a device may have beside what Weir needs; switched on where it has it. */
typedef struct gpu_optional_features {
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables;
    const char *extensions[2];
    uint32_t extension_count;
} gpu_optional_features;
/* Takes the wishes of the def. */
weir_result gpu_optional_features_choose(gpu_device *device, const weir_device_def *def,
                                         gpu_optional_features *extras);

/* A pipeline from `info`, and what is learnt of it when the device profiles. */
weir_result gpu_vk_pipeline_create(gpu_device *device, const VkComputePipelineCreateInfo *info,
                                   gpu_pipeline *pipeline);
uint32_t gpu_memory_owner_find(gpu_device *device, const char *name);
void gpu_memory_owner_add(gpu_device *device, uint32_t module, uint64_t taken, uint64_t given);
const gpu_binding *gpu_pipeline_find_binding(const gpu_pipeline *pipeline, uint32_t number);
/* Destroys the kernels that nobody holds. */
void gpu_pipelines_trim(gpu_device *device);
void gpu_descriptor_sets_clear(gpu_device *device);
/* Likewise, once there are many. */
void gpu_descriptor_sets_trim(gpu_device *device);
weir_result gpu_descriptor_set_find(gpu_device *device, const gpu_pass *pass,
                                    const uint64_t *offsets, const uint64_t *ranges,
                                    VkDescriptorSet *set);
uint32_t gpu_memory_type(const gpu_device *device, uint32_t allowed, gpu_memory memory);
VkFormat gpu_vk_format(gpu_format format);
/* Layout in which a row uses an image. */
VkImageLayout gpu_image_use_layout(const gpu_pass *pass, const gpu_image_use *use);
VkImageMemoryBarrier2 gpu_image_transition(const gpu_image *image, VkImageLayout to);
/* ---- barriers ---- */
/* Layouts that images get in a barrier. */
typedef struct gpu_image_barriers {
    VkImageMemoryBarrier2 items[GPU_PASS_IMAGES];
    uint32_t count;
} gpu_image_barriers;
/* Between all that is recorded and what comes next: copies and rows that compute, and with `draws`
 * rows that draw. `images` NULL: none. */
void gpu_barrier(gpu_device *device, bool draws, gpu_image_barriers *images);
/* Behind what earlier submissions, and a host, did; before what the host reads. */
void gpu_barrier_first(gpu_device *device);
void gpu_barrier_last(gpu_device *device);
/* Must a read, or a write, of the buffer wait? Its use is then noted by gpu_buffer_mark_access. */
bool gpu_buffer_access_conflicts(const gpu_device *device, const gpu_buffer *buffer, bool writes);
void gpu_buffer_mark_access(const gpu_device *device, gpu_buffer *buffer, bool reads, bool writes);
/* Both for all that a row uses, with the barrier between. */
void gpu_order_pass(gpu_device *device, const gpu_pass *pass);
/* Waits for what the recording did with the image where it must, and gives it the layout. */
void gpu_record_image_order(gpu_device *device, gpu_image *image, VkImageLayout layout,
                            bool writes);
/* `lines` lines of an image from `first`, to or from the start of a buffer, without padding. */
typedef struct gpu_image_copy {
    gpu_image *image;
    gpu_buffer *buffer;
    uint32_t first, lines;
    bool to_image;
} gpu_image_copy;
void gpu_record_image_copy(gpu_device *device, const gpu_image_copy *copy);
/* ---- pieces: what a row is dispatched in ---- */
typedef struct gpu_split_dispatch {
    gpu_pass pass;  /* its arguments, if any, are those of the first piece; the others' follow */
    uint64_t chunk; /* elements of a range */
    uint32_t parts; /* of each range */
    uint32_t count;
    double ms; /* of a piece, for all that is known */
    uint32_t epoch;
} gpu_split_dispatch;
weir_result gpu_split_dispatch_create(gpu_device *device);
void gpu_split_dispatch_destroy(gpu_device *device);
/* `ms`: of the row. Records what its pieces need. */
weir_result gpu_split_dispatch_plan(gpu_device *device, const gpu_pass *pass, double ms,
                                    gpu_split_dispatch *pieces);
/* A barrier comes before the first piece, where the row needs one, and between parts that share a
 * submission. Of `push` the two numbers of repetitions are the caller's. */
struct gpu_pass_push;
weir_result gpu_record_dispatch(gpu_device *device, gpu_split_dispatch *pieces,
                                struct gpu_pass_push push, uint32_t piece);
/* Draws one row inside a rendering of its own. */
void gpu_record_draw(gpu_device *device, const gpu_pass *pass);
bool gpu_access_reads(gpu_access access);
bool gpu_access_writes(gpu_access access);
bool gpu_access_is_own(gpu_access access);

#endif
