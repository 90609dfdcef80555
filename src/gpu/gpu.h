/* gpu: device, buffers, kernels, rows and their recorder, timers. The only room that calls Vulkan;
 * no Vulkan type leaves it except through gpu_adopt.h.
 *
 * Work is tables of rows. A row names its kernel, its index domain, and for each buffer how it is
 * touched; barriers, labels, timers, byte counts and the race check are derived from that. */
#ifndef WEIR_GPU_H
#define WEIR_GPU_H

#include "base.h"
#include "weir_profile.h"

typedef struct gpu_device gpu_device;
typedef struct gpu_buffer gpu_buffer;
typedef struct gpu_image gpu_image;
typedef struct gpu_kernel gpu_kernel;
typedef struct gpu_timers gpu_timers;

/* ---- device --------------------------------------------------------------------------------- */

weir_result gpu_device_list(const weir_log *log, weir_device_info *infos, uint32_t *count);
weir_result gpu_device_create(const weir_device_def *def, gpu_device **device);
void gpu_device_destroy(gpu_device **device);
const weir_device_info *gpu_device_info(const gpu_device *device);
const weir_log *gpu_device_log(const gpu_device *device);
/* The folder for cached files, NULL when none may be written. */
const char *gpu_device_cache_folder(const gpu_device *device);
/* A number that was measured on this device before: `name` says which, `made_of` is a hash of what
 * was measured. It is kept while the device lives, and in a file of the cache folder for later
 * devices of the same driver. False: none is known. */
bool gpu_device_recall(gpu_device *device, const char *name, uint64_t made_of, uint32_t *value);
void gpu_device_remember(gpu_device *device, const char *name, uint64_t made_of, uint32_t value);
uint32_t gpu_device_validation_count(const gpu_device *device);
uint64_t gpu_device_memory_used(const gpu_device *device);
/* Largest byte count one binding may cover; test hooks may lower it. */
uint64_t gpu_device_storage_range(const gpu_device *device);
void gpu_device_limit_storage_range(gpu_device *device, uint64_t bytes);
/* A submission is to end within 100 ms. Known times are too short by a third, and now and then by a
 * half, where others use the device (docs/trust.md). */
#define GPU_SUBMISSION_MS 75.0
/* Predicted length past which a recording is split into several submissions, at a row boundary or
 * within a row that is longer by itself; GPU_SUBMISSION_MS unless a test sets another. */
void gpu_device_limit_submission(gpu_device *device, double ms);
/* Milliseconds from the first pass to the last of the longest submission that was found finished
 * since the last call; 0 without timestamps. */
double gpu_device_longest_submission(gpu_device *device);
/* CPU time spent so far on waiting for the device: some drivers spin. */
double gpu_device_waited_cpu(const gpu_device *device);
/* Waits for the device to be idle. */
weir_result gpu_device_wait(gpu_device *device);

/* ---- buffers -------------------------------------------------------------------------------- */

typedef enum gpu_memory {
    GPU_MEMORY_DEVICE, /* only the device touches it; upload and download go through staging */
    GPU_MEMORY_HOST,   /* mapped, coherent: parameter blocks and read-backs */
} gpu_memory;

/* What READ_TEXELS of shaders/lib/bindings/bindings.glsl reads, on devices that prefer texel
 * buffers; the stride is a multiple of 16. */
typedef enum gpu_texels {
    GPU_NO_TEXELS,
    GPU_FLOATS, /* vec4 */
    GPU_WHOLES, /* ivec4; shaders take floats from the same bits */
} gpu_texels;

typedef struct gpu_buffer_def {
    const char *name; /* kept by pointer: a literal */
    uint32_t stride;  /* bytes per element; a multiple of 4 */
    uint64_t count;   /* elements; 0 makes one */
    gpu_memory memory;
    gpu_texels texels;
} gpu_buffer_def;

/* Contents are zero. Errors: MEMORY (names the buffer, its size and what is free). The memory
 * counts as that of the room whose file calls: the build names it. */
#ifndef WEIR_ROOM
#define WEIR_ROOM "other"
#endif
#define gpu_buffer_create(device, ...) gpu_buffer_create_for((device), WEIR_ROOM, __VA_ARGS__)
weir_result gpu_buffer_create_for(gpu_device *device, const char *room, const gpu_buffer_def *def,
                                  gpu_buffer **buffer);
void gpu_buffer_destroy(gpu_device *device, gpu_buffer **buffer);
uint64_t gpu_buffer_size(const gpu_buffer *buffer);
uint64_t gpu_buffer_count(const gpu_buffer *buffer);
/* GPU_MEMORY_HOST only. */
void *gpu_buffer_map(gpu_buffer *buffer);
/* Blocking; for set-up and read-back outside the frame loop. */
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
    GPU_RGBA8, /* 0 to 1; values are stored unchanged, sRGB ones too */
    GPU_D32,   /* depth */
    /* Of a host's images, which the device does not make itself; of depth any: */
    GPU_BGRA8,
    GPU_RGBA8_SRGB, /* sRGB in memory, linear in shaders */
    GPU_BGRA8_SRGB,
    GPU_RG11B10F,
    GPU_FORMATS,
} gpu_format;

/* Two dimensions, one level. Every format can be attached and sampled; R32F, RGBA16F, RGBA32F and
 * RGBA8 also serve as storage images. */
typedef struct gpu_image_def {
    const char *name; /* kept by pointer: a literal */
    gpu_format format;
    uint32_t width, height; /* at least 1 */
} gpu_image_def;

/* Contents are zero. Errors: MEMORY, ARGUMENT (larger than the device allows). */
weir_result gpu_image_create(gpu_device *device, const gpu_image_def *def, gpu_image **image);
void gpu_image_destroy(gpu_device *device, gpu_image **image);
uint32_t gpu_image_width(const gpu_image *image);
uint32_t gpu_image_height(const gpu_image *image);
gpu_format gpu_image_format(const gpu_image *image);
uint32_t gpu_format_bytes(gpu_format format); /* per pixel */
/* Blocking; whole images, lines from the top, without padding. */
weir_result gpu_image_upload(gpu_device *device, gpu_image *image, const void *bytes);
weir_result gpu_image_download(gpu_device *device, gpu_image *image, void *bytes);
/* Gives a host's image (gpu_adopt.h) back in the layout in which it came; at the end of a
 * recording.
 */
void gpu_record_return(gpu_device *device, gpu_image *image);
/* Does the device draw, that is: has its queue graphics? */
bool gpu_device_draws(const gpu_device *device);
/* Can attachments of this format be blended? 16-bit and 8-bit ones always. */
bool gpu_format_blends(const gpu_device *device, gpu_format format);
/* May one draw blend its attachments in different ways? */
bool gpu_device_blends_apart(const gpu_device *device);
uint32_t gpu_device_image_limit(const gpu_device *device); /* largest width or height */

/* ---- kernels -------------------------------------------------------------------------------- */

/* How one row touches one buffer. "Own" is the element of the invocation's index. */
typedef enum gpu_access {
    GPU_BLOCK, /* read: a parameter block, the same for all */
    GPU_READ_OWN,
    GPU_WRITE_OWN,
    GPU_UPDATE_OWN,   /* read and written */
    GPU_READ_ANY,     /* read anywhere */
    GPU_WRITE_ANY,    /* written anywhere, each element by one invocation at most */
    GPU_ATOMIC,       /* integer atomics whose result does not depend on their order */
    GPU_REDUCTION,    /* read and written by one workgroup, or by rows of one invocation */
    GPU_ATTACH,       /* an image that a draw adds to */
    GPU_ATTACH_CLEAR, /* an image that a draw clears first */
} gpu_access;

/* What a row computes, for rates and bounds; all 0: not counted. Neighbour pairs are counted by the
 * caller of gpu_row_cost. */
typedef struct gpu_work {
    float flops, pair_flops; /* of one element; of one of its pairs */
    float pair_gathers;      /* bytes fetched from anywhere for one pair */
    float atomics;           /* of one element */
    const gpu_buffer *pairs; /* holds a list per element: only its pairs are read or written */
    float pair_bytes;        /* of that list */
} gpu_work;

/* The SPIR-V of one variant, and the file that it is compiled from, below the folder of the
 * shaders: "sim/lambda.comp"; "sim/lambda.texels.comp" is the same file with WEIR_TEXELS. */
typedef struct gpu_words {
    const char *source;
    const uint32_t *words;
    size_t count;
} gpu_words;

/* A buffer or an image that a shader binds, all in set 0. */
typedef struct gpu_declared {
    uint32_t binding;
    gpu_access access;
    const char *name;
} gpu_declared;

/* A shader as its source declares it (shaders/lib/bindings/bindings.glsl). The build writes a table
 * of these for each folder of shaders, for "sim" in <sim/shaders.h>; all are kept by pointer. */
typedef struct gpu_shader {
    const char *name;        /* the file's, without extension */
    gpu_words plain, texels; /* texels: where it fetches; reads texel buffers, the same bits */
    uint32_t workgroup;      /* invocations; 0: the device's choice */
    gpu_work work;
    const gpu_declared *uses;
    uint32_t use_count;
} gpu_shader;

typedef struct gpu_kernel_def {
    const gpu_shader *shader;
    const char *name;          /* kept by pointer; NULL: the shader's. No two rooms' are the same */
    const uint32_t *constants; /* by specialization id, bits; 0 is the workgroup's size, not used */
    uint32_t constant_count;   /* ids 0 to constant_count - 1 have a value */
} gpu_kernel_def;

/* Equal defs share one pipeline, and the device keeps what it has made: the second simulation with
 * the same features starts at once. Errors: ARGUMENT when the SPIR-V binds what the shader does not
 * declare, or has a specialization constant without a value; MEMORY, DEVICE_LOST. */
weir_result gpu_kernel_create(gpu_device *device, const gpu_kernel_def *def, gpu_kernel **kernel);

typedef enum gpu_blend {
    GPU_BLEND_NONE,
    GPU_BLEND_ADD,
    GPU_BLEND_MIN,
    GPU_BLEND_MAX,
    GPU_BLEND_ALPHA, /* over, with straight alpha */
} gpu_blend;

typedef enum gpu_depth_test {
    GPU_DEPTH_ALWAYS,
    GPU_DEPTH_LESS,
    GPU_DEPTH_GREATER, /* depth that grows towards the eye */
} gpu_depth_test;

#define GPU_ATTACHMENTS 4u

/* A kernel that draws triangles. Its vertices come from buffers: there is no vertex input. The
 * bindings of both stages are those of set 0 and have one meaning; no stage writes a buffer. */
typedef struct gpu_draw_def {
    const char *name; /* kept by pointer: a literal */
    const gpu_shader *vertex, *fragment;
    bool strips;    /* triangle strips instead of lists */
    bool cull_back; /* drops triangles that are clockwise on the screen */
    gpu_format colours[GPU_ATTACHMENTS];
    gpu_blend blends[GPU_ATTACHMENTS]; /* all alike unless gpu_device_blends_apart */
    uint32_t colour_count;
    gpu_format depth; /* GPU_FORMAT_NONE or GPU_D32 */
    gpu_depth_test depth_test;
    bool depth_write;
} gpu_draw_def;

/* Errors: UNSUPPORTED where the device cannot draw; those of gpu_kernel_create. */
weir_result gpu_draw_kernel_create(gpu_device *device, const gpu_draw_def *def,
                                   gpu_kernel **kernel);
void gpu_kernel_destroy(gpu_device *device, gpu_kernel **kernel);
uint32_t gpu_kernel_workgroup(const gpu_kernel *kernel);
const char *gpu_kernel_name(const gpu_kernel *kernel);
/* What is known of a pipeline; GPU_UNKNOWN and 0 ms where the driver does not report it, or where
 * the device was not made with `profile`. */
#define GPU_UNKNOWN UINT32_MAX
typedef struct gpu_kernel_facts {
    uint64_t hash; /* of the SPIR-V and its specialization */
    double cold_ms, warm_ms;
    uint32_t registers, spill_bytes, subgroup_size;
} gpu_kernel_facts;
/* Invocations of a workgroup where nothing ties a kernel to a size: 64 unless the device's def says
 * otherwise. */
uint32_t gpu_device_workgroup(const gpu_device *device);

/* Compiles every shader whose source has changed since it was compiled last, and gives its kernels
 * new pipelines; waits for the device. What does not compile, or binds what the old one did not, is
 * logged with file and line, and stays as it was. Errors: UNSUPPORTED in a build without it, IO
 * where there are no sources, MEMORY. */
weir_result gpu_shaders_reload(gpu_device *device);

/* ---- rows ----------------------------------------------------------------------------------- */

typedef struct gpu_use {
    uint32_t binding;
    gpu_buffer *buffer;
    gpu_access access;
} gpu_use;

/* How one row touches one image. A shader's `texture2D` is gathered, its `image2D` is read and
 * written at the invocation's own pixel, or scattered. Attachments have no binding: colours in the
 * order of their locations, then the depth. */
typedef struct gpu_image_use {
    uint32_t binding;
    gpu_image *image;
    gpu_access access;
    float clear[4]; /* GPU_ATTACH_CLEAR; of a depth the first */
} gpu_image_use;

/* How many invocations: a number known to the host, or dispatch arguments in a GPU buffer (then a
 * condition that does not hold writes zero groups). */
typedef struct gpu_domain {
    const char *name;         /* "particles", "cells", "bricks", "one" */
    uint64_t count;           /* elements; with `arguments` the most there can be */
    gpu_buffer *arguments;    /* VkDispatchIndirectCommand at argument_offset, or NULL */
    uint32_t argument_offset; /* bytes */
    uint32_t per_invocation;  /* elements that one invocation works through; 0 is 1 */
    /* A row that draws: its instances, or VkDrawIndirectCommand in a GPU buffer. */
    uint32_t vertices; /* of each instance */
} gpu_domain;

#define GPU_ROW_USES 16
#define GPU_ROW_IMAGES 16

typedef struct gpu_row {
    const gpu_kernel *kernel;
    gpu_domain domain;
    const char *stage; /* the part of the table that it belongs to; NULL: none */
    const char *group; /* rows in a run with the same group repeat together; NULL outside one */
    uint32_t repeat;   /* of the group, on its first row */
    uint32_t constant; /* shader's row.constant */
    /* On the row that can end its group: its kernel writes a struct gpu_loop of
     * shaders/shared/row.h, which stands in `loop` at byte loop_offset and holds the dispatch
     * arguments of the group's rows. An earlier row starts the loop. Rows that did nothing because
     * the loop had ended are no calls in timers and traces. NULL: the group repeats to its end. */
    gpu_buffer *loop;
    uint32_t loop_offset;
    gpu_work work;
    uint32_t use_count;
    gpu_use uses[GPU_ROW_USES];
    uint32_t image_count;
    gpu_image_use images[GPU_ROW_IMAGES];
    bool strays; /* something was bound to it that its shaders do not declare */
} gpu_row;

/* A row whose uses are those that its shaders declare; nothing is bound yet. */
gpu_row gpu_row_make(const gpu_kernel *kernel, gpu_domain domain);
/* Gives a use of the row its buffer. */
void gpu_row_bind(gpu_row *row, uint32_t binding, gpu_buffer *buffer);
/* Binds every use that has none yet to buffers[its binding], to images[its binding], [count]; some
 * may be NULL. */
void gpu_row_bind_all(gpu_row *row, gpu_buffer *const *buffers, uint32_t count);
void gpu_row_bind_images(gpu_row *row, gpu_image *const *images, uint32_t count);
/* An attachment; `clear` NULL keeps what is in it. */
void gpu_row_attach(gpu_row *row, gpu_image *image, const float *clear);

/* Checks a table once: every binding of each kernel has its buffer or image, accesses agree with
 * the shader's (a readonly buffer is not written), no row that races with itself (a buffer gathered
 * and written in one row). Errors: ARGUMENT, logged with row and buffer. */
weir_result gpu_table_check(gpu_device *device, const gpu_row *rows, uint32_t count);

/* One recording at a time per device. Rows see what earlier rows of any recording wrote.
 *   gpu_record_begin → gpu_record_rows, gpu_record_copy … → gpu_record_submit
 * A call that fails gives the recording up: parts that were split off stay submitted, the rest is
 * dropped, and the next recording may begin.
 * Row chunking: where an own-accessed buffer is larger than the storage range, the row is
 * dispatched in ranges of elements with that part of the buffer bound; row.first is then the
 * range's first element. Buffers that fit are bound whole: a shader counts from row.first only in
 * those that can be too large, which are the ones of the row's largest stride.
 * Parts: a row that computes and takes longer than the budget of a submission is dispatched in
 * several, each with every n-th workgroup of the row and in a submission of its own. A shader asks
 * row_group and row_index for its place, and sees nothing of it. */
weir_result gpu_record_begin(gpu_device *device);
/* The same; the first submission waits, and the last one signals, as `submission` says, which must
 * live until gpu_record_submit. A host's command buffer in it takes the recording: nothing is
 * submitted, split or timed then. NULL: as gpu_record_begin. */
struct weir_vulkan_submit; /* gpu_adopt.h */
weir_result gpu_record_begin_with(gpu_device *device, const struct weir_vulkan_submit *submission);
/* Has it a command buffer of a host, who submits it? It may be NULL. */
bool gpu_submission_lent(const struct weir_vulkan_submit *submission);
/* Adds the times of this recording's timed rows to *ms as its submissions are found finished; *ms
 * must live until its ticket is done. */
void gpu_record_elapsed(gpu_device *device, double *ms);
/* `outer`: shader's row.outer (the substep). timers may be NULL. */
weir_result gpu_record_rows(gpu_device *device, const gpu_row *rows, uint32_t count, uint32_t outer,
                            gpu_timers *timers);
typedef struct gpu_copy {
    gpu_buffer *from, *to;
    uint64_t from_offset, to_offset, size; /* bytes */
} gpu_copy;
weir_result gpu_record_copy(gpu_device *device, const gpu_copy *copy);
weir_result gpu_record_fill(gpu_device *device, gpu_buffer *buffer, uint32_t word);
/* Submits; *ticket counts submissions, and recordings in a host's command buffer. One queue works
 * in order: when a ticket is done, so are all before it. */
weir_result gpu_record_submit(gpu_device *device, uint64_t *ticket);
bool gpu_ticket_done(gpu_device *device, uint64_t ticket);
weir_result gpu_ticket_wait(gpu_device *device, uint64_t ticket);
/* submit + wait. */
weir_result gpu_record_finish(gpu_device *device);
/* check + begin + rows + finish: for set-up and tests. */
weir_result gpu_run_rows(gpu_device *device, const gpu_row *rows, uint32_t count);

/* One line per row: group, name, domain, accesses, derived barriers. */
void gpu_table_explain(const gpu_row *rows, uint32_t count,
                       void (*write)(void *user, const char *line), void *user);
/* What one call of a row costs by its declaration. */
typedef struct gpu_cost {
    double bytes;    /* of device memory, each element of a buffer counted once: a lower bound */
    double gathered; /* bytes fetched for pairs, which caches mostly serve */
    double flops, atomics;
} gpu_cost;
gpu_cost gpu_row_cost(const gpu_row *row, double elements, double pairs);

/* ---- timers --------------------------------------------------------------------------------- */

/* GPU times per row of one table, by timestamps that are read when their submission has finished;
 * nothing waits for them. Row `row_count` stands for the whole table.
 * Rows are timed while the device or the timers are watched. A table's first run is timed row by
 * row too, for this tells how long submissions become, and so is the run after a reset, and after
 * one that took more than 1.5 times as long as predicted or as short. Other runs have a stamp at
 * either end. */
weir_result gpu_timers_create(gpu_device *device, uint32_t row_count, gpu_timers **timers);
void gpu_timers_destroy(gpu_device *device, gpu_timers **timers);
/* What a trace calls one run of the table, "substep"; a literal. */
void gpu_timers_title(gpu_timers *timers, const char *title);
void gpu_timers_reset(gpu_timers *timers);
/* Every row of all tables, or of these timers, is timed from now on, or no longer. */
void gpu_device_watch(gpu_device *device, bool on);
void gpu_timers_watch(gpu_timers *timers, bool on);
typedef struct gpu_row_time {
    uint32_t calls;
    double median_ms, low_ms, high_ms; /* of one call; the quarter points below and above */
    double total_ms;
    double invocations; /* of shaders in one call, on average; 0: no statistics are gathered */
} gpu_row_time;
gpu_row_time gpu_timers_row(const gpu_timers *timers, uint32_t row);
/* What the front door reports of a row of `elements`, each with `pairs` neighbour pairs. */
weir_row_time gpu_row_report(const gpu_row *row, const gpu_row_time *measured, double elements,
                             double pairs);
/* The same of a whole table of `rows`, by the name that the front door gives it; a literal. */
weir_row_time gpu_table_report(const char *name, const gpu_timers *timers, uint32_t rows);

/* Times a row alone on the state at hand: before each of `repeat` runs, and after the last, what it
 * writes is put back. `timers` are of one row. */
weir_result gpu_row_repeat(gpu_device *device, const gpu_row *row, uint32_t repeat,
                           gpu_timers *timers);
/* GPU milliseconds of the quickest of `runs` runs of a table, each of which does the same; INFINITY
 * without timestamps. A trace calls the recordings `title`, a literal. */
typedef struct gpu_trial {
    const char *title;
    const gpu_row *rows;
    uint32_t row_count, runs;
} gpu_trial;
weir_result gpu_trial_best(gpu_device *device, const gpu_trial *trial, double *ms);

/* ---- trace ---------------------------------------------------------------------------------- */

/* Spans of all timed rows, of recording, submitting and waiting go to `trace` until another, or
 * NULL, is set; the caller keeps it. The two clocks are compared when tracing starts and once a
 * second. */
weir_result gpu_device_set_trace(gpu_device *device, base_trace *trace);
base_trace *gpu_device_trace(const gpu_device *device);
/* What a trace calls the recording under way, "frame", and its number. `title` is a literal. */
void gpu_record_title(gpu_device *device, const char *title, uint64_t number);

/* ---- limits of the device ------------------------------------------------------------------- */

/* Measures what the device reaches at best, in about a second. Errors: UNSUPPORTED without
 * timestamps. */
weir_result gpu_ceilings_measure(gpu_device *device, weir_ceilings *ceilings);

#endif
