/* gpu: devices, buffers, images, pipelines, passes and their recorder, timers, traces. This is the
 * only module that calls Vulkan; no Vulkan type leaves it except through gpu_adopt.h.
 *
 * Work is described by pass lists. A pass names its pipeline, its dispatch size and its access to
 * each buffer. Barriers, labels, timers, byte counts and the check for data races are derived from
 * that. */
#ifndef WEIR_GPU_H
#define WEIR_GPU_H

#include "base.h"
#include "weir/profile.h"

typedef struct gpu_device gpu_device;
typedef struct gpu_buffer gpu_buffer;
typedef struct gpu_image gpu_image;
typedef struct gpu_pipeline gpu_pipeline;
typedef struct gpu_timers gpu_timers;

/* ---- device --------------------------------------------------------------------------------- */

weir_result gpu_device_list(const weir_log *log, weir_device_info *infos, uint32_t *count);
weir_result gpu_device_create(const weir_device_def *def, gpu_device **device);
void gpu_device_destroy(gpu_device **device);
const weir_device_info *gpu_device_info(const gpu_device *device);
const weir_log *gpu_device_log(const gpu_device *device);
/* Returns the folder for cached files; NULL when none may be written. */
const char *gpu_device_cache_folder(const gpu_device *device);
/* Looks up a value that was measured on this device before. `name` identifies the value; `made_of`
 * is a hash of what was measured. Values are kept for the lifetime of the device, and in a file of
 * the cache folder for later devices with the same driver. Returns false if the value is
 * unknown. */
bool gpu_tuning_load(gpu_device *device, const char *name, uint64_t made_of, uint32_t *value);
void gpu_tuning_store(gpu_device *device, const char *name, uint64_t made_of, uint32_t value);
uint32_t gpu_device_validation_count(const gpu_device *device);
uint64_t gpu_device_memory_used(const gpu_device *device);
/* Returns the largest number of bytes that one binding may cover; test hooks may lower it. */
uint64_t gpu_device_storage_range(const gpu_device *device);
void gpu_device_limit_storage_range(gpu_device *device, uint64_t bytes);
/* Budget of a submission, ms. A submission should end within 100 ms; measured times are too short
 * by a third, and occasionally by a half, when other programs use the device (docs/trust.md). */
#define GPU_SUBMISSION_MS 75.0
/* Sets the predicted length, ms, beyond which a recording is split into several submissions:
 * between passes, or within a pass that is longer by itself. Default: GPU_SUBMISSION_MS; only tests
 * set another value. */
void gpu_device_limit_submission(gpu_device *device, double ms);
/* Between two submissions of the same recording, from now on, waits for the first and calls `yield`
 * before it records the second, with submissions of about slice_ms. The call may record and submit
 * other work, which runs in between. NULL ends this. */
void gpu_device_set_yield(gpu_device *device, void (*yield)(void *user), void *user,
                          double slice_ms);
/* Returns the time in ms from the first to the last pass of the longest submission that was found
 * finished since the previous call; 0 without timestamps. */
double gpu_device_longest_submission(gpu_device *device);
/* Returns the CPU time in seconds spent waiting for the device so far; some drivers spin. */
double gpu_device_waited_cpu(const gpu_device *device);
/* Waits until the device is idle. */
weir_result gpu_device_wait(gpu_device *device);

/* ---- buffers -------------------------------------------------------------------------------- */

typedef enum gpu_memory {
    GPU_MEMORY_DEVICE, /* device-local; uploads and downloads go through a staging buffer */
    GPU_MEMORY_HOST,   /* mapped, coherent: read-backs, and large uploads */
    /* mapped, coherent, in the device's memory as far as it can be mapped: small uploads, which the
     * host writes in order and never reads */
    GPU_MEMORY_UPLOAD,
} gpu_memory;

/* Format of the texel buffer that READ_TEXELS (shaders/lib/bindings/bindings.glsl) reads on devices
 * that prefer texel buffers. The stride must be a multiple of 16. */
typedef enum gpu_texels {
    GPU_TEXELS_NONE,
    GPU_TEXELS_VEC4,  /* vec4 */
    GPU_TEXELS_IVEC4, /* ivec4; shaders reinterpret the bits as floats */
} gpu_texels;

/* Returns the texels of a buffer's element type. */
#define GPU_TEXELS_OF(type) \
    _Generic(*(type *)NULL, vec4 : GPU_TEXELS_VEC4, default : GPU_TEXELS_NONE)

typedef struct gpu_buffer_def {
    const char *name; /* a literal; the pointer is kept */
    uint32_t stride;  /* bytes per element; a multiple of 4 */
    uint64_t count;   /* elements; 0 is treated as 1 */
    gpu_memory memory;
    gpu_texels texels;
} gpu_buffer_def;

/* Creates a buffer filled with zeros. The memory is accounted to the calling file's module, whose
 * name the build defines. Errors: MEMORY (the message names the buffer, its size and the free
 * memory). */
#ifndef WEIR_MODULE
#define WEIR_MODULE "other"
#endif
#define gpu_buffer_create(device, ...) \
    gpu_buffer_create_for_module((device), WEIR_MODULE, __VA_ARGS__)
weir_result gpu_buffer_create_for_module(gpu_device *device, const char *module,
                                         const gpu_buffer_def *def, gpu_buffer **buffer);
void gpu_buffer_destroy(gpu_device *device, gpu_buffer **buffer);

/* A row of a table of buffers, such as shaders/shared/body_buffers.def. */
typedef struct gpu_buffer_row {
    const char *name;
    uint32_t stride; /* 0: no buffer is created */
    uint64_t count;
    const void *contents; /* `count` elements; NULL: zeros */
} gpu_buffer_row;
/* Creates buffers[i] from rows[i] and uploads its contents. Errors: as for one buffer; those that
 * exist by then remain. */
#define gpu_buffers_create(device, ...) \
    gpu_buffers_create_for_module((device), WEIR_MODULE, __VA_ARGS__)
weir_result gpu_buffers_create_for_module(gpu_device *device, const char *module,
                                          const gpu_buffer_row *rows, size_t count,
                                          gpu_buffer **buffers);
void gpu_buffers_destroy(gpu_device *device, gpu_buffer **buffers, size_t count);
uint64_t gpu_buffer_size(const gpu_buffer *buffer);
uint64_t gpu_buffer_count(const gpu_buffer *buffer);
/* Returns the mapped memory; not for GPU_MEMORY_DEVICE. */
void *gpu_buffer_map(gpu_buffer *buffer);
/* Upload and download block; use them for set-up and for readback outside the frame loop. */
weir_result gpu_buffer_upload(gpu_device *device, gpu_buffer *buffer, uint64_t offset,
                              const void *bytes, uint64_t size);
weir_result gpu_buffer_download(gpu_device *device, const gpu_buffer *buffer, uint64_t offset,
                                void *bytes, uint64_t size);

/* ---- images --------------------------------------------------------------------------------- */

typedef enum gpu_format {
    GPU_FORMAT_NONE,
    GPU_R32F,
    GPU_RG16F,
    GPU_RG32F,
    GPU_RGBA16F,
    GPU_RGBA32F,
    GPU_RGBA8, /* 0 to 1; values are stored unchanged, including sRGB ones */
    GPU_D32,   /* depth */
    /* Only for images of a host; the device does not create them. A host's depth image may have any
     * depth format. */
    GPU_BGRA8,
    GPU_RGBA8_SRGB, /* sRGB in memory, linear in shaders */
    GPU_BGRA8_SRGB,
    GPU_RG11B10F,
    GPU_FORMATS,
} gpu_format;

/* A two-dimensional image with one mip level. Every format can be attached and sampled; R32F,
 * RGBA16F, RGBA32F and RGBA8 can also be storage images. */
typedef struct gpu_image_def {
    const char *name; /* a literal; the pointer is kept */
    gpu_format format;
    uint32_t width, height; /* at least 1 */
} gpu_image_def;

/* Creates an image filled with zeros. Errors: MEMORY, ARGUMENT (larger than the device allows). */
weir_result gpu_image_create(gpu_device *device, const gpu_image_def *def, gpu_image **image);
void gpu_image_destroy(gpu_device *device, gpu_image **image);
uint32_t gpu_image_width(const gpu_image *image);
uint32_t gpu_image_height(const gpu_image *image);
gpu_format gpu_image_format(const gpu_image *image);
uint32_t gpu_format_bytes(gpu_format format); /* bytes per pixel */
/* Upload and download block and transfer whole images: rows of pixels from the top, without
 * padding. */
weir_result gpu_image_upload(gpu_device *device, gpu_image *image, const void *bytes);
weir_result gpu_image_download(gpu_device *device, gpu_image *image, void *bytes);
/* Returns a host's image (gpu_adopt.h) to the layout in which the host passed it. Call it at the
 * end of a recording. */
void gpu_record_return_image(gpu_device *device, gpu_image *image);
/* Reports whether the device's queue supports graphics. */
bool gpu_device_can_draw(const gpu_device *device);
/* Reports whether attachments of this format can be blended; 16-bit and 8-bit formats always
 * can. */
bool gpu_format_can_blend(const gpu_device *device, gpu_format format);
/* Reports whether one draw may blend its attachments in different ways. */
bool gpu_device_independent_blend(const gpu_device *device);
uint32_t gpu_device_image_limit(const gpu_device *device); /* largest width or height */

/* ---- pipelines ------------------------------------------------------------------------------ */

/* How a pass accesses a buffer. "Own" is the element with the invocation's index. */
typedef enum gpu_access {
    GPU_BLOCK, /* read-only parameter block, the same for all invocations */
    GPU_READ_OWN,
    GPU_WRITE_OWN,
    GPU_UPDATE_OWN,   /* read and written */
    GPU_READ_ANY,     /* any element is read */
    GPU_WRITE_ANY,    /* any element is written, each by at most one invocation */
    GPU_ATOMIC,       /* integer atomics whose result does not depend on the order */
    GPU_REDUCTION,    /* read and written by one workgroup, or by passes of one invocation */
    GPU_ATTACH,       /* an image that a draw adds to */
    GPU_ATTACH_CLEAR, /* an image that a draw clears first */
} gpu_access;

/* The work of a pass, from which rates and bounds are computed; all 0 means "not counted". The
 * caller of gpu_pass_cost counts the neighbour pairs. */
typedef struct gpu_work_estimate {
    float flops, pair_flops; /* per element; per pair */
    float pair_gathers;      /* bytes per pair, read from arbitrary elements */
    float atomics;           /* per element */
    /* per-element list, of which only the pairs in use are read or written */
    const gpu_buffer *pairs;
    float pair_bytes; /* bytes per pair in that list */
} gpu_work_estimate;

/* The SPIR-V of one variant of a shader, and its source file relative to the shader folder:
 * "sim/pbf/lambda.comp"; "sim/pbf/lambda.texels.comp" is the same file compiled with
 * WEIR_TEXELS. */
typedef struct gpu_spirv {
    const char *source;
    const uint32_t *words;
    size_t count;
} gpu_spirv;

/* A buffer or image that a shader binds; all bindings are in set 0. */
typedef struct gpu_shader_binding {
    uint32_t binding;
    gpu_access access;
    const char *name;
} gpu_shader_binding;

/* A shader as declared in its source (shaders/lib/bindings/bindings.glsl). For each folder of
 * shaders the build generates a table of these: <sim/shaders.h> for "sim". Pointers are kept. */
typedef struct gpu_shader {
    const char *name; /* file name without extension */
    /* `texels`: variant that reads texel buffers, with bit-identical results; empty if the shader
     * has no READ_TEXELS */
    gpu_spirv plain, texels;
    uint32_t workgroup, texels_workgroup; /* of the variants: invocations; 0: the device chooses */
    gpu_work_estimate work;
    const gpu_shader_binding *uses;
    uint32_t use_count;
} gpu_shader;

typedef struct gpu_pipeline_def {
    const gpu_shader *shader;
    const char *name; /* a literal, unique across modules; NULL: the shader's name */
    /* bits, indexed by specialization id; id 0 is the workgroup size and ignored */
    const uint32_t *constants;
    uint32_t constant_count; /* ids 0 to constant_count - 1 have a value */
} gpu_pipeline_def;

/* Creates a pipeline. Equal defs share one pipeline, and the device caches pipelines, so a second
 * simulation with the same features starts at once. Errors: ARGUMENT when the SPIR-V binds
 * something that the shader does not declare, or has a specialization constant without a value;
 * MEMORY, DEVICE_LOST. */
weir_result gpu_pipeline_create(gpu_device *device, const gpu_pipeline_def *def,
                                gpu_pipeline **pipeline);
/* Creates a pipeline for each of the `count` shaders from def->shader on; those that exist are
 * destroyed first. */
weir_result gpu_pipelines_create(gpu_device *device, const gpu_pipeline_def *def, uint32_t count,
                                 gpu_pipeline **pipelines);
void gpu_pipelines_destroy(gpu_device *device, gpu_pipeline **pipelines, uint32_t count);

typedef enum gpu_blend {
    GPU_BLEND_NONE,
    GPU_BLEND_ADD,
    GPU_BLEND_MIN,
    GPU_BLEND_MAX,
    GPU_BLEND_ALPHA, /* source over destination, straight alpha */
} gpu_blend;

typedef enum gpu_depth_test {
    GPU_DEPTH_ALWAYS,
    GPU_DEPTH_LESS,
    GPU_DEPTH_GREATER, /* reversed depth, which grows towards the eye */
} gpu_depth_test;

#define GPU_ATTACHMENTS 4u

/* A pipeline that draws triangles. Vertices are read from storage buffers; there is no vertex
 * input. Both stages share the bindings of set 0; no stage writes a buffer. */
typedef struct gpu_draw_def {
    const char *name; /* a literal; the pointer is kept */
    const gpu_shader *vertex, *fragment;
    bool strips;    /* triangle strips instead of lists */
    bool quads;     /* of 4 vertices each: see gpu_dispatch_size */
    bool cull_back; /* culls triangles that are clockwise on the screen */
    gpu_format colours[GPU_ATTACHMENTS];
    gpu_blend blends[GPU_ATTACHMENTS]; /* must be equal unless gpu_device_independent_blend */
    uint32_t colour_count;
    gpu_format depth; /* GPU_FORMAT_NONE or GPU_D32 */
    gpu_depth_test depth_test;
    bool depth_write;
} gpu_draw_def;

/* Creates a draw pipeline. Errors: UNSUPPORTED where the device cannot draw; those of
 * gpu_pipeline_create. */
weir_result gpu_draw_pipeline_create(gpu_device *device, const gpu_draw_def *def,
                                     gpu_pipeline **pipeline);
void gpu_pipeline_destroy(gpu_device *device, gpu_pipeline **pipeline);

/* Pipelines ahead of their use. Between these two calls, gpu_pipeline_create and
 * gpu_draw_pipeline_create do not compile new pipelines; gpu_pipelines_compile_ahead then compiles
 * them on a thread, the first ones first. While they are held, creating an equal pipeline returns
 * at once or, if the thread has not come to it, compiles it. gpu_device_compiles_ahead is false on
 * CPU drivers and on adopted devices. */
bool gpu_device_compiles_ahead(const gpu_device *device);
void gpu_pipelines_begin_ahead(gpu_device *device);
void gpu_pipelines_compile_ahead(gpu_device *device, gpu_pipeline *const *pipelines,
                                 uint32_t count);
/* Waits until the thread has nothing left to compile. */
void gpu_pipelines_wait_ahead(gpu_device *device);
uint32_t gpu_pipeline_workgroup(const gpu_pipeline *pipeline);
const char *gpu_pipeline_name(const gpu_pipeline *pipeline);
/* Statistics of a pipeline. Values are GPU_STAT_UNKNOWN and 0 ms where the driver does not report
 * them, or where the device was created without `profile`. */
#define GPU_STAT_UNKNOWN UINT32_MAX
typedef struct gpu_pipeline_stats {
    uint64_t hash; /* of the SPIR-V and the specialization constants */
    double cold_ms, warm_ms;
    uint32_t registers, spill_bytes, subgroup_size;
} gpu_pipeline_stats;
/* Returns the default workgroup size for shaders that do not require a certain one: 64 unless the
 * device's def sets another. */
uint32_t gpu_device_workgroup(const gpu_device *device);

/* Compiles every shader whose source has changed since it was last compiled, and replaces the
 * pipelines that use it; waits for the device. A shader that does not compile, or that binds
 * something its old version did not, is logged with file and line and keeps its old pipelines.
 * Errors: UNSUPPORTED in a build without reloading, IO where there are no sources, MEMORY. */
weir_result gpu_shaders_reload(gpu_device *device);

/* ---- passes --------------------------------------------------------------------------------- */

typedef struct gpu_buffer_use {
    uint32_t binding;
    gpu_buffer *buffer;
    gpu_access access;
} gpu_buffer_use;

/* How a pass accesses an image. Of a shader's images, a `texture2D` is read anywhere
 * (GPU_READ_ANY); an `image2D` is read and written at the invocation's own pixel, or written
 * anywhere. Attachments have no binding: they are listed as colours in the order of their
 * locations, then depth. */
typedef struct gpu_image_use {
    uint32_t binding;
    gpu_image *image;
    gpu_access access;
    float clear[4]; /* for GPU_ATTACH_CLEAR; depth uses the first */
} gpu_image_use;

/* The number of invocations: a number known to the host, or dispatch arguments in a GPU buffer (a
 * false condition then writes zero groups). */
typedef struct gpu_dispatch_size {
    const char *name;         /* "particles", "cells", "bricks", "one" */
    uint64_t count;           /* elements; with `arguments`, the maximum */
    gpu_buffer *arguments;    /* VkDispatchIndirectCommand at argument_offset, or NULL */
    uint32_t argument_offset; /* bytes */
    uint32_t per_invocation;  /* elements per invocation; 0 means 1 */
    /* For a draw, `count` and `arguments` (VkDrawIndirectCommand) are its instances, with this many
     * vertices each. For quads, `count` is their number: an instance has GPU_INSTANCE_QUADS of them
     * (shaders/shared/pass.h), and `arguments` is a VkDrawIndexedIndirectCommand. */
    uint32_t vertices;
} gpu_dispatch_size;

#define GPU_PASS_BUFFERS 16
#define GPU_PASS_IMAGES 16

/* Work of the host in a pass list. What was recorded before it has finished when `work` is called,
 * and later passes see what it writes to mapped buffers. It must not use the device. `outer` and
 * `inner` are those of the pass. If it sets *ends, the pass's group is not repeated again. */
typedef struct gpu_host_work {
    const char *name; /* a literal */
    weir_result (*work)(void *user, uint32_t outer, uint32_t inner, bool *ends);
    void *user;
} gpu_host_work;

typedef struct gpu_pass {
    const gpu_pipeline *pipeline;
    const gpu_host_work *host; /* instead of a pipeline; NULL: none */
    gpu_dispatch_size dispatch_size;
    const char *stage; /* part of the pass list that it belongs to; NULL: none */
    const char *group; /* consecutive passes with the same group repeat together; NULL: no group */
    uint32_t repeat;   /* repetitions of the group; read from its first pass */
    uint32_t recorded; /* of these are recorded, also read from the first pass; 0: all */
    uint32_t constant; /* pass.constant in the shader */
    /* The pass that can end its group sets `loop`: its shader writes a struct gpu_loop
     * (shaders/shared/pass.h) at byte loop_offset of that buffer, which holds the dispatch
     * arguments of the group's passes. An earlier pass initializes the struct. Timers and traces do
     * not count passes that did nothing because the loop had ended. NULL: the group runs all its
     * repetitions. */
    gpu_buffer *loop;
    uint32_t loop_offset;
    gpu_work_estimate work;
    uint32_t use_count;
    gpu_buffer_use uses[GPU_PASS_BUFFERS];
    uint32_t image_count;
    gpu_image_use images[GPU_PASS_IMAGES];
    bool has_undeclared_binding; /* a binding was set that its shaders do not declare */
} gpu_pass;

/* Returns how often the group that begins with `first` is recorded. */
uint32_t gpu_pass_repetitions(const gpu_pass *first);

/* Returns a pass with the uses that its shaders declare; no buffers or images are bound yet. */
gpu_pass gpu_pass_make(const gpu_pipeline *pipeline, gpu_dispatch_size dispatch_size);
/* Binds a buffer to one use of the pass. */
void gpu_pass_bind(gpu_pass *pass, uint32_t binding, gpu_buffer *buffer);
/* Bind every use that is still unbound to buffers[binding] or images[binding], arrays of `count`
 * entries; entries may be NULL. */
void gpu_pass_bind_all(gpu_pass *pass, gpu_buffer *const *buffers, uint32_t count);
void gpu_pass_bind_images(gpu_pass *pass, gpu_image *const *images, uint32_t count);
/* Adds an attachment; if `clear` is NULL, its contents are kept. */
void gpu_pass_attach(gpu_pass *pass, gpu_image *image, const float *clear);

/* Returns a pass of the host's work, which must live as long as the pass. */
gpu_pass gpu_pass_make_host(const gpu_host_work *host);

/* Checks a pass list once: every binding of each pipeline has its buffer or image, accesses agree
 * with the shader's (no readonly buffer is written), and no pass races with itself (by binding a
 * buffer that it writes a second time). Errors: ARGUMENT, logged with pass and buffer. */
weir_result gpu_passes_check(gpu_device *device, const gpu_pass *passes, uint32_t count);

/* Begins a recording; each device has one at a time. Passes see everything that earlier passes of
 * any recording wrote.
 *   gpu_record_begin → gpu_record_passes, gpu_record_copy … → gpu_record_submit
 * If a call fails, the recording is abandoned: submissions that were split off stay submitted, the
 * rest is dropped, and the next recording may begin.
 * Chunks: if a buffer with own access is larger than the storage range, the pass is dispatched in
 * ranges of elements, each with that part of the buffer bound; pass.first is the first element of
 * the range. Buffers that fit are bound whole: a shader counts from pass.first only in buffers that
 * can be too large, namely those with the largest stride of the pass.
 * Parts: a compute pass that takes longer than the budget of a submission is dispatched several
 * times, each time with every n-th workgroup and in its own submission. A shader takes its place
 * from workgroup_index and invocation_index and does not notice the split. */
weir_result gpu_record_begin(gpu_device *device);
/* Begins a recording like gpu_record_begin. Its first submission waits, and its last one signals,
 * as `submission` specifies; `submission` must live until gpu_record_submit. If it contains a
 * host's command buffer, the work is recorded there and is not submitted, split or timed. NULL:
 * same as gpu_record_begin. */
struct weir_vulkan_submit; /* gpu_adopt.h */
weir_result gpu_record_begin_with(gpu_device *device, const struct weir_vulkan_submit *submission);
/* Reports whether `submission` contains a host's command buffer, which the host submits;
 * `submission` may be NULL. */
bool gpu_submission_is_borrowed(const struct weir_vulkan_submit *submission);
/* Adds the times of this recording's timed passes to *ms when its submissions are found finished;
 * *ms must live until the recording's ticket is done. */
void gpu_record_elapsed(gpu_device *device, double *ms);
/* Records passes. `outer` becomes pass.outer in shaders (the substep). `timers` may be NULL. */
weir_result gpu_record_passes(gpu_device *device, const gpu_pass *passes, uint32_t count,
                              uint32_t outer, gpu_timers *timers);
typedef struct gpu_copy {
    gpu_buffer *from, *to;
    uint64_t from_offset, to_offset, size; /* bytes */
} gpu_copy;
weir_result gpu_record_copy(gpu_device *device, const gpu_copy *copy);
/* Scales a picture to the size of another, with linear interpolation; both have a format of
 * colours.
 */
void gpu_record_image_scale(gpu_device *device, gpu_image *from, gpu_image *to);
weir_result gpu_record_fill(gpu_device *device, gpu_buffer *buffer, uint32_t word);
/* Submits the recording. *ticket counts submissions, and recordings into a host's command buffer.
 * The queue executes in order: when a ticket is done, all earlier ones are done as well. */
weir_result gpu_record_submit(gpu_device *device, uint64_t *ticket);
bool gpu_ticket_done(gpu_device *device, uint64_t ticket);
weir_result gpu_ticket_wait(gpu_device *device, uint64_t ticket);
/* Submits the recording and waits for it. */
weir_result gpu_record_finish(gpu_device *device);
/* Checks, records and submits passes, and waits for them; for set-up and tests. */
weir_result gpu_run_passes(gpu_device *device, const gpu_pass *passes, uint32_t count);

/* A description of pass lists. Set the first three members. */
typedef struct gpu_explainer {
    weir_explain_format format;
    void (*write)(void *user, const char *line);
    void *user;
    base_text text; /* not written yet */
    uint32_t list_count, total_count;
    bool failed; /* memory was short */
} gpu_explainer;
/* Describes a list, "each of 4 substeps": groups, names, dispatch sizes, accesses, barriers. */
void gpu_explain_passes(gpu_explainer *e, const char *title, const gpu_pass *passes,
                        uint32_t count);
/* After the lists: adds a number to JSON, and a line to text. */
void gpu_explain_total(gpu_explainer *e, const char *key, double value);
void gpu_explain_note(gpu_explainer *e, const char *line);
/* Writes the rest. Errors: MEMORY. */
weir_result gpu_explain_end(gpu_explainer *e, const weir_log *log);
/* Returns the number of dispatches, with every loop at its most repetitions. */
uint32_t gpu_passes_dispatch_count(const gpu_pass *passes, uint32_t count);
/* Cost of one call of a pass, computed from its declaration. */
typedef struct gpu_cost {
    /* device memory traffic, each element of a buffer counted once: a lower bound */
    double bytes;
    double gathered; /* bytes fetched for pairs, mostly from caches */
    double flops, atomics;
} gpu_cost;
gpu_cost gpu_pass_cost(const gpu_pass *pass, double elements, double pairs);

/* ---- timers --------------------------------------------------------------------------------- */

/* GPU times of the passes of one list, from timestamps that are read once their submission has
 * finished; nothing waits for them. The index `pass_count` stands for the whole list. Passes are
 * timed individually while timing is enabled for the device or for the timers. They are also timed
 * in the first run of a list, which tells how long submissions become, in the run after a reset,
 * and in the run after one that took more than 1.5 times as long as predicted, or less than 1/1.5
 * of it. Other runs have one timestamp at either end. */
weir_result gpu_timers_create(gpu_device *device, uint32_t pass_count, gpu_timers **timers);
void gpu_timers_destroy(gpu_device *device, gpu_timers **timers);
/* Sets the name of one run of the list in traces, for instance "substep"; a literal. */
void gpu_timers_set_trace_name(gpu_timers *timers, const char *trace_name);
/* Clears the times, but keeps what they predict of the passes. */
void gpu_timers_reset(gpu_timers *timers);
/* Clears what they predict of one pass, because another pass takes its place in the list. Otherwise
 * that one would be split, or not, according to the first one's duration. */
void gpu_timers_forget_pass(gpu_timers *timers, uint32_t pass);
/* Switch the timing of individual passes on or off, for all lists or for these timers. */
void gpu_device_time_passes(gpu_device *device, bool on);
/* Reports whether gpu_device_time_passes is on, or the device was created to time every pass. */
bool gpu_device_times_passes(const gpu_device *device);
void gpu_timers_time_passes(gpu_timers *timers, bool on);
typedef struct gpu_pass_time {
    uint32_t calls;
    double median_ms, lower_quartile_ms,
        upper_quartile_ms; /* of one call; the 25 % and 75 % quantiles */
    double total_ms;
    double invocations; /* mean shader invocations per call; 0: no statistics are gathered */
} gpu_pass_time;
gpu_pass_time gpu_timers_pass_time(const gpu_timers *timers, uint32_t pass);
/* Returns the entry of the public API for a pass of `elements` elements, each with `pairs`
 * neighbour pairs. */
weir_pass_time gpu_pass_report(const gpu_pass *pass, const gpu_pass_time *measured, double elements,
                               double pairs);
/* Returns the entry for a whole list; `name` is its name in the public API, a literal. */
weir_pass_time gpu_pass_list_report(const char *name, const gpu_timers *timers);

/* Times one pass alone on the current state. Before each of `repeat` runs, and after the last one,
 * the buffers that the pass writes are restored. `timers` are for one pass. */
weir_result gpu_pass_benchmark(gpu_device *device, const gpu_pass *pass, uint32_t repeat,
                               gpu_timers *timers);
/* A benchmark of a pass list whose runs all do the same work. `trace_name` names its recordings in
 * traces; a literal. *ms is the GPU time of the fastest of `runs` runs, ms; INFINITY without
 * timestamps. */
typedef struct gpu_benchmark {
    const char *trace_name;
    const gpu_pass *passes;
    uint32_t pass_count, runs;
} gpu_benchmark;
weir_result gpu_benchmark_best(gpu_device *device, const gpu_benchmark *trial, double *ms);

/* ---- trace ---------------------------------------------------------------------------------- */

/* Sends spans of all timed passes, of recording, submitting and waiting to `trace`, until another
 * one or NULL is set. The caller keeps ownership. The clocks of CPU and GPU are compared when
 * tracing starts and once a second. */
weir_result gpu_device_set_trace(gpu_device *device, base_trace *trace);
base_trace *gpu_device_trace(const gpu_device *device);
/* Sets the name ("frame") and number of the current recording in traces. `trace_name` is a
 * literal. */
void gpu_record_set_trace_name(gpu_device *device, const char *trace_name, uint64_t number);

/* ---- device peaks --------------------------------------------------------------------------- */

/* Measures the peak rates of the device, in about a second. Errors: UNSUPPORTED without
 * timestamps. */
weir_result gpu_device_peaks_measure(gpu_device *device, weir_device_peaks *ceilings);

#endif
