/* Vulkan interoperability, for programs that bring their own Vulkan device or a window. Includes
 * the Vulkan headers, so weir/weir.h does not include this header. weir/weir.h has the rules that
 * hold for all functions. The "host" is the program that embeds Weir. */
#ifndef WEIR_VULKAN_PUBLIC_H
#define WEIR_VULKAN_PUBLIC_H

#include "density_solver.h"
#include "render.h"
#include "sim.h"

#include <vulkan/vulkan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What Weir requires of the device that a host is about to create. All of it is core Vulkan 1.3:
 * the extension list is empty on conforming drivers, and contains VK_KHR_portability_subset on
 * portability drivers. */
typedef struct weir_vulkan_device_requirements {
    uint32_t api_version;              /* minimum version of instance and device */
    VkQueueFlags queue_flags;          /* flags required of the queue's family */
    VkQueueFlags drawing_flags;        /* flags required when the host creates weir_renderers */
    VkPhysicalDeviceFeatures features; /* optional features that make drawing faster */
    VkPhysicalDeviceVulkan13Features features13; /* required features; pNext is NULL */
    const char *extensions[4];                   /* string literals */
    uint32_t extension_count;
} weir_vulkan_device_requirements;

/* Fills in what Weir requires of a device on this physical device. NULL `get_proc` uses the
 * system's loader. `log` may be NULL. Errors: UNSUPPORTED (the device cannot run Weir; the log
 * states why). */
WEIR_API weir_result weir_vulkan_get_requirements(const weir_log *log, VkInstance instance,
                                                  VkPhysicalDevice physical,
                                                  PFN_vkGetInstanceProcAddr get_proc,
                                                  weir_vulkan_device_requirements *needs);

/* Enables the features that Weir uses in the chain with which the host is about to create its
 * device, in the structs of the chain that contain them. If no struct of the chain contains the
 * required features, needs->features13 is appended, and `needs` must live until the device has been
 * created. Errors: ARGUMENT when the chain has a struct for only some of the required features, so
 * the others cannot be added; the log names both. */
WEIR_API weir_result weir_vulkan_enable_features(const weir_log *log,
                                                 weir_vulkan_device_requirements *needs,
                                                 VkPhysicalDeviceFeatures2 *features);

/* The host's Vulkan objects. The host keeps ownership of all handles, which must outlive the
 * weir_device. Structs and arrays need to live only until weir_device_adopt returns. */
typedef struct weir_vulkan_host {
    uint32_t cookie;
    uint32_t api_version; /* VkApplicationInfo.apiVersion of the instance */
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t queue_family;
    PFN_vkGetInstanceProcAddr get_proc; /* NULL: the system's loader */
    /* Features, with their chain, and extensions with which the device was created, since Vulkan
     * cannot be queried for them: */
    const VkPhysicalDeviceFeatures2 *features; /* no default */
    const char *const *extensions;             /* [extension_count] */
    uint32_t extension_count;
    /* [reader_family_count], families of other queues that read Weir's buffers, without duplicates
     * and without queue_family. Weir then shares its buffers with these families, so no ownership
     * transfers are needed. */
    const uint32_t *reader_families;
    uint32_t reader_family_count; /* at most 8 */
    /* Locks and unlocks the queue around every submit, never while Weir waits or logs; `lock_user`
     * is passed to it. NULL: no other thread submits to the queue during calls of Weir. */
    void (*lock)(void *user, bool locked);
    void *lock_user;
    /* Allocator for all Vulkan objects of Weir. Its functions and their data must outlive the
     * weir_device. NULL: none. */
    const VkAllocationCallbacks *allocator;
    const void *pipeline_cache; /* from weir_vulkan_get_pipeline_cache; other data is ignored */
    size_t pipeline_cache_size; /* bytes */
    /* false: functions that create simulations, meshers and so on compile their pipelines, and the
     * first picture of a renderer those for drawing. true: pipelines are compiled by
     * weir_vulkan_compile_pipelines, and remaining ones by the first call that needs them. */
    bool defer_pipelines;
} weir_vulkan_host;

WEIR_API weir_vulkan_host weir_vulkan_host_default(void);

/* Creates a Weir device on the host's Vulkan device. It writes no files. def->device,
 * def->validation and def->subgroup_size are ignored. NULL `def` means all defaults; `host` has
 * none: must not be NULL. Errors: ARGUMENT (the log says what is missing), UNSUPPORTED, MEMORY. */
WEIR_API weir_result weir_device_adopt(const weir_device_def *def, const weir_vulkan_host *host,
                                       weir_device **device);

/* Copies the compiled pipelines of an adopted device, for weir_vulkan_host.pipeline_cache at the
 * next start. *size: capacity of `bytes` on entry, size in bytes on return; NULL `bytes` returns
 * only the size. Errors: ARGUMENT (the capacity is too small), MEMORY. */
WEIR_API weir_result weir_vulkan_get_pipeline_cache(weir_device *device, void *bytes, size_t *size);

/* Compiles pending pipelines of the objects created so far, for a device with `defer_pipelines`,
 * for at most `seconds`, but at least one pipeline. INFINITY compiles all. *left receives the
 * number of pipelines still pending. Call it for a few milliseconds in each frame of a loading
 * screen, or in a thread while no other call uses the device: it uses no queue. The pipelines of a
 * renderer become known by a call of weir_vulkan_draw with `prepare_only`, those of a probe and of
 * a density solver by their first calls. Errors: ARGUMENT, MEMORY. */
WEIR_API weir_result weir_vulkan_compile_pipelines(weir_device *device, double seconds,
                                                   uint32_t *left);

/* ---- simulation frames ---------------------------------------------------------------------- */

#define WEIR_VULKAN_MAX_SYNCS 16 /* maximum of wait_count and of signal_count */

/* A semaphore to wait for or to signal. */

typedef struct weir_vulkan_sync {
    VkSemaphore semaphore;
    uint64_t value;               /* value of a timeline semaphore; ignored for a binary one */
    VkPipelineStageFlags2 stages; /* stages that wait, or that precede the signal; 0: all */
} weir_vulkan_sync;

/* How work reaches the adopted queue: either Weir submits it, with semaphores of the host, or Weir
 * records it into a command buffer that the host submits. */
typedef struct weir_vulkan_submit {
    uint32_t cookie;
    const weir_vulkan_sync *waits;     /* [wait_count], waited for before the work begins */
    const weir_vulkan_sync *signals;   /* [signal_count], signalled when the work is done */
    uint32_t wait_count, signal_count; /* at most WEIR_VULKAN_MAX_SYNCS each */
    /* NULL: Weir submits. Otherwise a primary command buffer for queue_family in the recording
     * state, outside of a rendering scope; waits and signals must then be empty. */
    VkCommandBuffer commands;
} weir_vulkan_submit;

WEIR_API weir_vulkan_submit weir_vulkan_submit_default(void);

/* Informs Weir that the adopted queue has finished `commands`, into which Weir has recorded. The
 * host must have waited for its fence or semaphore, and must not have recorded into it again.
 * Without this call, Weir waits for all submitted work before it reuses the memory. Errors:
 * ARGUMENT. */
WEIR_API weir_result weir_vulkan_notify_done(weir_device *device, VkCommandBuffer commands);

/* Steps the simulation like weir_sim_step, and provides the points at the end of the frame on the
 * device. Work after the signals, or later on the adopted queue, can read them at once: nothing is
 * copied to the host, and no thread waits, except that the third frame in flight waits for the
 * first. `submit` and `points` may be NULL. Whitewater is not among the points. weir_render_points
 * and weir_mesher_run wait for the points. Release them when the work that reads them has been
 * submitted to the adopted queue, or has finished on another queue.
 *
 * If a buffer is too small, the points are those of the last substep for which there was room
 * (weir_vulkan_counts.complete is 0). The next weir_vulkan_step with points that finds the frame
 * finished replays it and waits for the device; no particle is lost. This affects one frame for a
 * host that waits for each frame before the next call (and calls weir_vulkan_notify_done where it
 * submits), otherwise at most two.
 *
 * A frame recorded into submit->commands is neither split nor timed. Submit the command buffer
 * before the next call that uses the device, unless that call records into it, too. Bound pipelines
 * and other state of the command buffer are undefined afterwards. Weir still submits the clearing
 * of new buffers itself; a call that enlarges buffers, or finds that a frame needs more substeps
 * than were recorded, also waits.
 *
 * Errors: those of weir_sim_step; ARGUMENT also when the device was not adopted, or commands of an
 * earlier frame were never submitted. After an error nothing is signalled, and submit->commands
 * must be reset. */
WEIR_API weir_result weir_vulkan_step(weir_sim *sim, double seconds,
                                      const weir_vulkan_submit *submit, weir_points **points);

/* An array on the device, at offset 0 of its buffer. VK_NULL_HANDLE: the array is absent. */
typedef struct weir_vulkan_array {
    VkBuffer buffer;
    uint32_t stride; /* bytes */
} weir_vulkan_array;

/* Counts that the GPU writes together with the points of weir_vulkan_step. */
typedef struct weir_vulkan_counts {
    VkDrawIndirectCommand points; /* one vertex per particle */
    VkDrawIndirectCommand quads;  /* one instance of four vertices (triangle strip) per particle */
    VkDispatchIndirectCommand groups; /* workgroups of 64: particle x + 65535 * 64 * y */
    uint32_t count;                   /* number of particles */
    uint32_t frame;                   /* weir_stats.frame modulo 2^32 */
    uint32_t complete; /* 0: a buffer was too small, and the points are of an earlier substep */
} weir_vulkan_counts;

/* Device buffers of points, for shaders of the host. They have storage, vertex, indirect and
 * transfer usage; they and their contents live until the points are released. */
typedef struct weir_vulkan_points {
    /* By weir_field: position vec4, xyz m, w 1, or -1 past the count; velocity vec4, xyz m/s; id
     * and fluid uint; density float. */
    weir_vulkan_array field[WEIR_FIELD_COUNT];
    uint32_t capacity; /* maximum number of particles */
    uint64_t frame;    /* of weir_vulkan_step: number of the frame, as in weir_stats; else 0 */
    VkBuffer counts;   /* one weir_vulkan_counts; VK_NULL_HANDLE: the count is `capacity` */
    /* [body_count], of weir_vulkan_step: vec4[4] with centre of mass, m, rotation x y z w,
     * velocity, m/s, and angular momentum, kg m2/s; as in weir_body. */
    weir_vulkan_array body;
    uint32_t body_count;
} weir_vulkan_points;

/* Fills in the device buffers of points. Errors: ARGUMENT (also: the device was not adopted). */
WEIR_API weir_result weir_vulkan_get_points(const weir_points *points, weir_vulkan_points *out);

/* ---- drawing into the host's images --------------------------------------------------------- */

/* Colour and depth images of the host to draw into. */
typedef struct weir_vulkan_target weir_vulkan_target;

typedef struct weir_vulkan_target_def {
    uint32_t cookie;
    uint32_t width, height; /* pixels of both images, 1 to 16384 */
    /* Images with one sample per pixel, and views of their first level and layer (for depth, of the
     * depth aspect). Usage: SAMPLED and COLOR_ATTACHMENT for colour, SAMPLED for depth. */
    VkImage colour, depth;
    VkImageView colour_view, depth_view;
    /* RGBA8, BGRA8 (SRGB, or UNORM taken as sRGB); RGBA16F, B10G11R11F (linear). */
    VkFormat colour_format;
    VkFormat depth_format; /* D32, D32S8, D24S8, X8D24 or D16 */
    /* Layouts of the images before and after weir_vulkan_draw: any except UNDEFINED and
     * PREINITIALIZED. */
    VkImageLayout colour_layout, depth_layout;
} weir_vulkan_target_def;

WEIR_API weir_vulkan_target_def weir_vulkan_target_def_default(void);

/* Creates a target for a pair of images. Create one for each pair that is drawn into, and destroy
 * it before the images. `def` has no default and must not be NULL. Errors: ARGUMENT (the log names
 * the field; also for a device that was not adopted), MEMORY. */
WEIR_API weir_result weir_vulkan_target_create(weir_device *device,
                                               const weir_vulkan_target_def *def,
                                               weir_vulkan_target **target);
/* Destroys a target. Waits. */
WEIR_API void weir_vulkan_target_destroy(weir_vulkan_target **target);

/* The host's camera. Matrices are column-major; clip space is Vulkan's. */
typedef struct weir_vulkan_draw_def {
    uint32_t cookie;
    float view[16]; /* world to eye: a rotation and a translation */
    /* Perspective or parallel projection, right- or left-handed, with y up or down. It may be off
     * centre, as for tiles, stereo or jitter; its depth may be reversed; the far plane of a
     * perspective may be infinite. */
    float projection[16];
    const weir_vulkan_submit *submit; /* or NULL */
    bool prepare_only;   /* only creates the images, buffers and pipelines that the draw needs */
    bool reversed_depth; /* parallel projections: depth 1 is near; ignored for perspectives */
} weir_vulkan_draw_def;

WEIR_API weir_vulkan_draw_def weir_vulkan_draw_def_default(void);

/* Draws the fluid's surface over the host's picture, hidden by what is closer in its depth, and
 * refracting its colours. Pixels without fluid and the whole depth image are unchanged. The
 * renderer's scene provides colours, light and sky; the host draws its solids and bodies. Submits
 * to the adopted queue, after earlier submissions, and does not wait, not even for the points of
 * weir_vulkan_step. `drawing` has no default and must not be NULL. Errors: ARGUMENT, MEMORY,
 * DEVICE_LOST. */
WEIR_API weir_result weir_vulkan_draw(weir_renderer *renderer, const weir_points *points,
                                      const weir_vulkan_target *target,
                                      const weir_vulkan_draw_def *drawing);

/* ---- surfaces in Vulkan buffers -------------------------------------------------------------- */

#define WEIR_VULKAN_MESH_GENERATIONS 3 /* number of meshes that a mesher keeps at a time */

/* A mesh on the device. The buffers have vertex, index, indirect, storage and transfer usage; they
 * belong to the mesher and may be larger than their contents, which begin at offset 0. The contents
 * are valid until WEIR_VULKAN_MESH_GENERATIONS later calls of weir_vulkan_mesher_run have begun, or
 * the mesher is destroyed. */
typedef struct weir_vulkan_mesh {
    weir_vulkan_array position; /* float[vertex_count][3], m */
    weir_vulkan_array normal;   /* float[vertex_count][3], unit, outwards; VK_NULL_HANDLE: none */
    weir_vulkan_array index;    /* uint32[triangle_count][3], counter-clockwise from outside */
    VkBuffer draw_arguments;    /* one VkDrawIndexedIndirectCommand that draws all triangles */
    uint32_t vertex_count, triangle_count;
    float cell_m;        /* edge of a voxel, m; 0 without particles */
    uint64_t generation; /* number of the mesh, counted from 1 */
} weir_vulkan_mesh;

/* Computes the mesh of the points like weir_mesher_run with a raw def, but leaves it on the device,
 * without the velocities, channels and spray of the def. Work after the signals of `submit`, or
 * later on the adopted queue, can read the buffers at once. The waits of `submit` precede the
 * writes to the buffers of the generation that is replaced, the third newest; a host that reads
 * these on another queue passes its semaphore there. `submit` may be NULL. No particles give an
 * empty mesh whose arguments draw nothing.
 *
 * Waits for the device, and so for earlier submissions to the adopted queue: once if the mesh is
 * about as large as the previous ones; otherwise several times, because the mesher needs the size
 * of each stage before the next, but not for the last stage.
 *
 * After an error *mesh is zeroed, the generation that the call would have replaced is lost, and the
 * other two remain valid. Errors: those of weir_mesher_run; ARGUMENT also when the device was not
 * adopted, or for points of a step whose commands were never submitted; UNSUPPORTED for a command
 * buffer in `submit`, for a def with WEIR_MESH_NORMALS_FACES, which are computed on the CPU, and
 * for a mesh that needs more than one part to stay within the def's max_memory_bytes. */
WEIR_API weir_result weir_vulkan_mesher_run(weir_mesher *mesher, const weir_points *points,
                                            const weir_vulkan_submit *submit,
                                            weir_vulkan_mesh *mesh);

/* Returns the buffers of a generation that the mesher still keeps. Errors: ARGUMENT, with *mesh
 * zeroed, when a later run has reused its buffers or there is no such generation. */
WEIR_API weir_result weir_vulkan_mesher_get(const weir_mesher *mesher, uint64_t generation,
                                            weir_vulkan_mesh *mesh);

/* ---- the density solver on Vulkan buffers ---------------------------------------------------- */

/* An array in a buffer of the host with usage TRANSFER_SRC, and TRANSFER_DST if Weir writes the
 * array. `buffer` VK_NULL_HANDLE: the array is absent. */
typedef struct weir_vulkan_buffer_ref {
    VkBuffer buffer;
    VkDeviceSize offset; /* bytes, a multiple of 4 */
} weir_vulkan_buffer_ref;

/* Particles in Vulkan buffers; weir_density_solver_particles describes the fields. */
typedef struct weir_vulkan_density_particles {
    uint32_t cookie;
    uint32_t count;  /* 1 to 2^28 */
    uint32_t stride; /* bytes per position and velocity: 12, or 16 with the last 4 unchanged */
    float dt_s;
    weir_vulkan_buffer_ref positions, velocities;
    weir_vulkan_buffer_ref inverse_masses;
    weir_vulkan_buffer_ref neighbour_offsets, neighbours;
    uint32_t neighbour_count;         /* capacity of `neighbours`; no entry past it is read */
    const weir_vulkan_submit *submit; /* or NULL */
} weir_vulkan_density_particles;

WEIR_API weir_vulkan_density_particles weir_vulkan_density_particles_default(void);

/* Runs the density solver like weir_density_solver_solve, after earlier submissions to the adopted
 * queue, without waiting; but the fourth call in flight waits for the first, and a call with more
 * particles or longer neighbour lists than ever before waits for all. Work after the signals, or
 * later on the adopted queue, can read the results at once. The buffers must live until the work is
 * done.
 *
 * The number of neighbours is known only when the work is done: if a neighbour list is too short,
 * positions and velocities are unchanged, the report (weir_density_solver_get_report) has
 * `complete` false, and the next call has longer lists. With submit->commands the rules of
 * weir_vulkan_step apply; of the calls recorded into the same command buffer the largest must be
 * the first.
 *
 * Errors: ARGUMENT (the log names the field; also for a device that was not adopted), MEMORY,
 * DEVICE_LOST. `particles` has no default and must not be NULL. */
WEIR_API weir_result weir_vulkan_density_solve(weir_density_solver *solver,
                                               const weir_vulkan_density_particles *particles);

/* ---- windows --------------------------------------------------------------------------------- */

/* Shows pictures in a window. The caller provides the window and a function that creates a surface
 * for it; with GLFW, create_surface calls glfwCreateWindowSurface. */
typedef struct weir_presenter weir_presenter;

/* Creates a surface for the window. The instance has VK_KHR_surface and all platform surface
 * extensions that the loader offers. Weir destroys the surface. */
typedef VkResult weir_create_surface(void *user, VkInstance instance, VkSurfaceKHR *surface);

/* A window to show pictures in. create_surface is called when weir_device_create selects a device
 * that can present to weir_device_def.window, by the presenter, and again whenever the surface is
 * lost. */
typedef struct weir_window {
    weir_create_surface *create_surface;
    void *user;   /* passed to create_surface */
    bool tearing; /* shows pictures at once instead of at the screen's next refresh */
} weir_window;

/* Creates a presenter for a window. The device must have been created with a `window`, which may be
 * a different one. Errors: ARGUMENT, UNSUPPORTED (no surface, or the device cannot present to the
 * window), MEMORY. */
WEIR_API weir_result weir_presenter_create(weir_device *device, const weir_window *window,
                                           weir_presenter **presenter);
/* Destroys a presenter; call this before the window is destroyed. */
WEIR_API void weir_presenter_destroy(weir_presenter **presenter);

typedef struct weir_overlay_vertex {
    float x, y;      /* pixels from the top left of the window */
    float u, v;      /* coordinates in the font image, 0 to 1 */
    uint32_t colour; /* sRGB, red in the lowest byte, straight alpha in the highest */
} weir_overlay_vertex;

typedef struct weir_overlay_draw {
    uint32_t first, count;  /* range of indices, three per triangle */
    uint32_t vertex_offset; /* added to each index */
    float clip[4];          /* clip rectangle, pixels: left, top, right, bottom */
} weir_overlay_draw;

/* Triangles in drawing order. The arrays belong to the caller and need to live only until
 * weir_presenter_show returns. */
typedef struct weir_overlay {
    const weir_overlay_vertex *vertices;
    const uint16_t *indices;
    const weir_overlay_draw *draws;
    uint32_t vertex_count, index_count, draw_count;
    /* [font_height][font_width][4]: RGBA, top row first, of pictures and of white glyphs, whose
     * alpha is their coverage; calls with the same `font_version` must pass the same bytes. */
    const uint8_t *font;
    uint32_t font_width, font_height, font_version;
} weir_overlay;

/* Shows a copy of an image, as left by all work recorded so far, with an overlay, NULL for none,
 * drawn over it. The copy is scaled if its size differs from that of the window, `width` x `height`
 * pixels; a window of size 0 shows nothing. At most two pictures are in flight: waits first for the
 * one before the last. Recreates a lost surface. Errors: ARGUMENT, DEVICE_LOST, MEMORY, UNSUPPORTED
 * (no new surface, or a screen with only high-dynamic-range formats). */
WEIR_API weir_result weir_presenter_show(weir_presenter *presenter, weir_image *image,
                                         const weir_overlay *overlay, uint32_t width,
                                         uint32_t height);

#ifdef __cplusplus
}
#endif
#endif
