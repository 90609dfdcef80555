/* For programs that bring their own Vulkan or a window. Includes the Vulkan headers; weir/weir.h
 * does not include this one. weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_VULKAN_PUBLIC_H
#define WEIR_VULKAN_PUBLIC_H

#include "density_solver.h"
#include "render.h"
#include "sim.h"

#include <vulkan/vulkan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What Weir takes of the device that a host is about to make. All that it needs is core Vulkan 1.3:
 * the extension list is empty on conforming drivers and VK_KHR_portability_subset on portability
 * ones. */
typedef struct weir_vulkan_device_requirements {
    uint32_t api_version;                        /* at least this, of instance and device */
    VkQueueFlags queue_flags;                    /* of the queue's family */
    VkQueueFlags drawing_flags;                  /* likewise, where the host makes weir_renderers */
    VkPhysicalDeviceFeatures features;           /* not needed, but offered: drawing is faster */
    VkPhysicalDeviceVulkan13Features features13; /* needed; pNext is NULL */
    const char *extensions[4];                   /* literals */
    uint32_t extension_count;
} weir_vulkan_device_requirements;

/* Errors: UNSUPPORTED when the device cannot run Weir; the log says why. `get_proc` may be NULL:
 * the system's loader is used then. */
WEIR_API weir_result weir_vulkan_get_requirements(const weir_log *log, VkInstance instance,
                                                  VkPhysicalDevice physical,
                                                  PFN_vkGetInstanceProcAddr get_proc,
                                                  weir_vulkan_device_requirements *needs);

/* Switches on what Weir takes in the features with which the host is about to make its device: in
 * those structs of the chain that have it. A chain without any gets needs->features13 at its end:
 * `needs` must then live until the device is made. Errors: ARGUMENT when the chain has a struct for
 * some of the needed features alone, which leaves no way to add the others; the log names both. */
WEIR_API weir_result weir_vulkan_enable_features(const weir_log *log,
                                                 weir_vulkan_device_requirements *needs,
                                                 VkPhysicalDeviceFeatures2 *features);

/* A host's Vulkan. All handles stay the host's and must outlive the weir_device; the structs and
 * arrays may die after weir_device_adopt. */
typedef struct weir_vulkan_host {
    uint32_t cookie;
    uint32_t api_version; /* VkApplicationInfo.apiVersion of the instance */
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t queue_family;
    PFN_vkGetInstanceProcAddr get_proc; /* NULL: the system's loader */
    /* With which the device was made, for Vulkan cannot be asked: */
    const VkPhysicalDeviceFeatures2 *features; /* with its chain; no default */
    const char *const *extensions;             /* [extension_count] */
    uint32_t extension_count;
    /* Families of other queues that read Weir's buffers: those are then shared by all of these
     * families, and nobody has to hand them over. */
    const uint32_t
        *reader_families; /* [reader_count], none of them twice, none of them queue_family */
    uint32_t reader_family_count; /* at most 8 */
    /* Taken around every submit, never while Weir waits or logs; NULL: no other thread submits to
     * the queue while Weir is called. */
    void (*lock)(void *user, bool locked);
    void *lock_user;
    const VkAllocationCallbacks *allocator; /* for all that Weir makes; its functions and what they
                                               use must outlive the weir_device; NULL: none */
    const void *pipeline_cache; /* [cache_size], of weir_vulkan_get_pipeline_cache; bytes of
                                   anything else do no harm */
    size_t pipeline_cache_size;
    /* false: the calls that make simulations, meshers and so on compile their pipelines, and a
     * renderer's first picture its own. true: those calls leave it to
     * weir_vulkan_compile_pipelines, and what that has left is compiled by the first call that
     * needs it. */
    bool defer_pipelines;
} weir_vulkan_host;

WEIR_API weir_vulkan_host weir_vulkan_host_default(void);

/* A Weir device over the host's own. It writes no files. def->device, def->validation and
 * def->subgroup are not used. Errors: ARGUMENT (the log names what the host's device was made
 * without), UNSUPPORTED, MEMORY. */
WEIR_API weir_result weir_device_adopt(const weir_device_def *def, const weir_vulkan_host *host,
                                       weir_device **device);

/* The compiled pipelines of an adopted device, for weir_vulkan_host.cache at the next start. *size:
 * room in `bytes` on entry, bytes on return; bytes NULL asks for the size alone. Errors: ARGUMENT
 * when the room is too small, MEMORY. */
WEIR_API weir_result weir_vulkan_get_pipeline_cache(weir_device *device, void *bytes, size_t *size);

/* Compiles pipelines that the things made so far will need, of a device with `deferred`, until the
 * time is over, at least one a call; INFINITY: all. *left: how many are still to be compiled. For a
 * few milliseconds in each frame of a loading screen, or for a thread of the host's while no other
 * call has to do with the device: it touches no queue. A renderer's are known when weir_vulkan_draw
 * was called with `prepare`, those of a probe and of a constraint by their first calls. Errors:
 * ARGUMENT, MEMORY. */
WEIR_API weir_result weir_vulkan_compile_pipelines(weir_device *device, double seconds,
                                                   uint32_t *left);

/* ---- steps in a host's frame ---------------------------------------------------------------- */

#define WEIR_VULKAN_MAX_SYNCS 16 /* semaphores that one call waits for or signals, at most */

typedef struct weir_vulkan_sync {
    VkSemaphore semaphore;
    uint64_t value;               /* of a timeline semaphore; of a binary one not used */
    VkPipelineStageFlags2 stages; /* that wait, or that are done before the signal; 0: all */
} weir_vulkan_sync;

/* How work reaches the adopted queue. Either Weir submits it, with the host's semaphores, or the
 * host does: then Weir records it into the host's command buffer. */
typedef struct weir_vulkan_submit {
    uint32_t cookie;
    const weir_vulkan_sync *waits;   /* [wait_count], before the work begins */
    const weir_vulkan_sync *signals; /* [signal_count], when the work is done */
    uint32_t wait_count, signal_count;
    VkCommandBuffer commands; /* NULL: Weir submits. Else a primary one for queue_family, being
                                 recorded, outside of rendering; without waits and signals */
} weir_vulkan_submit;

WEIR_API weir_vulkan_submit weir_vulkan_submit_default(void);

/* The adopted queue has finished `commands`, into which Weir has recorded: the host has waited for
 * its fence or semaphore, and has not recorded anew into it. Where the host never says so, Weir
 * waits by itself for all that was submitted before it uses the same memory again. */
WEIR_API weir_result weir_vulkan_notify_done(weir_device *device, VkCommandBuffer commands);

/* weir_sim_step, which also leaves points: those at the end of the frame. Work that is behind the
 * signals, or later on the adopted queue, can read them at once: nothing is copied to the host, and
 * nobody waits, except that the third frame under way waits for the first. `submit` and `points`
 * may be NULL. Where a buffer turns out to be too small, the points are those of the last substep
 * for which there was room; the next weir_vulkan_step with points that finds the frame finished
 * repeats it, and waits for the device to do so; no particle is lost. That is one frame for a host
 * that waits for each before the next call (and says so by weir_vulkan_notify_done where it
 * submits), and at most two. Whitewater is not among the points. weir_render_points and
 * weir_mesher_run wait for them. Release them when the work that reads them has been submitted to
 * the adopted queue, or has finished on another one.
 *
 * A frame that is recorded into submit->commands is not split and not timed. Submit them before the
 * next call that has to do with the device, but for more that is recorded into them; what was bound
 * and set in them is lost. Weir still submits what clears new buffers; in the call that makes
 * room, or that finds that a frame takes more substeps than were recorded, it also waits.
 *
 * Errors: those of weir_sim_step; ARGUMENT also when the device was not adopted, or when commands
 * of an earlier frame were never submitted. After an error nothing is signalled, and
 * submit->commands must be reset. */
WEIR_API weir_result weir_vulkan_step(weir_sim *sim, double seconds,
                                      const weir_vulkan_submit *submit, weir_points **points);

/* An array on the device. Offset 0; VK_NULL_HANDLE where there is none. */
typedef struct weir_vulkan_array {
    VkBuffer buffer;
    uint32_t stride; /* bytes */
} weir_vulkan_array;

/* What the GPU writes with the points of weir_vulkan_step. */
typedef struct weir_vulkan_counts {
    VkDrawIndirectCommand points;     /* a vertex for each particle */
    VkDrawIndirectCommand quads;      /* an instance of four vertices for each, as triangle strip */
    VkDispatchIndirectCommand groups; /* of 64 invocations: particle x + 65535 * 64 * y */
    uint32_t count;                   /* particles */
    uint32_t frame;                   /* number of the frame, as weir_stats counts, in 32 bits */
    uint32_t complete; /* 0: a buffer was too small, and the points are of an earlier moment */
} weir_vulkan_counts;

/* Points as a host's shaders read them. The buffers are storage, vertex, indirect and transfer
 * buffers; they live and keep their contents until the points are released. */
typedef struct weir_vulkan_points {
    weir_vulkan_array
        field[WEIR_FIELD_COUNT]; /* by weir_field: position vec4, xyz m, w 1 or, past the count, -1;
                                    velocity vec4, xyz m/s; id, fluid uint; density float */
    uint32_t capacity;           /* particles that there are at most */
    uint64_t frame; /* of weir_vulkan_step: the number of its frame, as weir_stats counts; else 0 */
    VkBuffer counts;        /* one weir_vulkan_counts; VK_NULL_HANDLE: `capacity` is the count */
    weir_vulkan_array body; /* of weir_vulkan_step: vec4[4], centre of mass m, rotation x y z w,
                               velocity m/s, angular momentum; as in weir_body */
    uint32_t body_count;
} weir_vulkan_points;

WEIR_API weir_result weir_vulkan_get_points(const weir_points *points, weir_vulkan_points *out);

/* ---- the fluid in a host's picture ---------------------------------------------------------- */

/* A host's colour and depth, as the host has drawn them so far. */
typedef struct weir_vulkan_target weir_vulkan_target;

typedef struct weir_vulkan_target_def {
    uint32_t cookie;
    uint32_t width, height; /* pixels, 1 to 16384, of both */
    /* One sample per pixel; the views show the first level and layer alone, that of the depth its
     * depth aspect. The colour's usage is SAMPLED and COLOR_ATTACHMENT, the depth's SAMPLED. */
    VkImage colour, depth;
    VkImageView colour_view, depth_view;
    /* RGBA8 and BGRA8 (UNORM, taken for sRGB, and SRGB), RGBA16F and B10G11R11F, which are linear
     */
    VkFormat colour_format;
    VkFormat depth_format; /* D32, D32S8, D24S8, X8D24, D16 */
    /* In which they are given to weir_vulkan_draw, and left by it: any but UNDEFINED and
     * PREINITIALIZED */
    VkImageLayout colour_layout, depth_layout;
} weir_vulkan_target_def;

WEIR_API weir_vulkan_target_def weir_vulkan_target_def_default(void);

/* Make one for each pair of images that is drawn into, and destroy it before they are. Destroying
 * waits. Errors: ARGUMENT (the log names the field; also for a device that was not adopted),
 * MEMORY. */
WEIR_API weir_result weir_vulkan_target_create(weir_device *device,
                                               const weir_vulkan_target_def *def,
                                               weir_vulkan_target **target);
WEIR_API void weir_vulkan_target_destroy(weir_vulkan_target **target);

/* The host's camera. Matrices are stored by columns; clip space is Vulkan's. */
typedef struct weir_vulkan_draw_def {
    uint32_t cookie;
    float view[16];       /* world to eye: a rotation and a move */
    float projection[16]; /* a perspective or a parallel one, right- or left-handed, with y up or
                             down; it may look beside the picture's middle, as for tiles, for two
                             eyes or with a jitter; its depths may be reversed, and the far plane of
                             a perspective infinite */
    const weir_vulkan_submit *submit; /* or NULL */
    bool prepare_only; /* nothing is drawn: images, buffers and pipelines are made as the same call
                     without it needs them, so that this does not have to */
    bool reversed_depth; /* of a parallel projection: the depth 1 is near, 0 far. A perspective
                      shows that by itself, and does not ask */
} weir_vulkan_draw_def;

WEIR_API weir_vulkan_draw_def weir_vulkan_draw_def_default(void);

/* Draws the surface of the fluid over what the host has drawn: behind what is nearer by the host's
 * depth, and with the host's colours refracted in it. Where there is no fluid, pixels stay as they
 * are; the depth stays as it is everywhere. The renderer's scene gives colours, light and sky, its
 * solids and bodies are the host's to draw. Submits to the adopted queue, behind what was submitted
 * before, and does not wait, not for the points of weir_vulkan_step either. Errors: ARGUMENT,
 * MEMORY, DEVICE_LOST. */
WEIR_API weir_result weir_vulkan_draw(weir_renderer *renderer, const weir_points *points,
                                      const weir_vulkan_target *target,
                                      const weir_vulkan_draw_def *drawing);

/* ---- surfaces in Vulkan buffers ---------------------------------------------------------------
 */

#define WEIR_VULKAN_MESH_GENERATIONS 3 /* that a mesher keeps at a time */

/* A surface on the device. The buffers are vertex, index, indirect, storage and transfer buffers;
 * they are the mesher's, and have more room than elements. Offset 0 everywhere. They keep their
 * contents until WEIR_VULKAN_MESH_GENERATIONS later calls of weir_vulkan_mesher_run have begun, or
 * the mesher is destroyed. */
typedef struct weir_vulkan_mesh {
    weir_vulkan_array position; /* float[vertex_count][3], m */
    weir_vulkan_array normal; /* float[vertex_count][3], unit, outwards; VK_NULL_HANDLE: the mesher
                                 makes none */
    weir_vulkan_array index;  /* uint32[triangle_count][3], counter-clockwise from outside */
    VkBuffer draw_arguments;  /* one VkDrawIndexedIndirectCommand, of all triangles once */
    uint32_t vertex_count, triangle_count;
    float cell_m;        /* edge of the lattice's cells; 0 without particles */
    uint64_t generation; /* 1 for the mesher's first, one more for each later one */
} weir_vulkan_mesh;

/* Makes the surface of the points, the same as weir_mesher_run, but leaves it on the device; the
 * velocities, the channels and the spray of the def are not in it. Work that is behind the signals
 * of `submit`, or later on the adopted queue, can read the buffers at once. The waits of `submit`
 * hold back what overwrites the buffers of the generation before the last two; a host that reads
 * those on another queue names its semaphore there. `submit` may be NULL.
 *
 * Waits for the device, and so for what was submitted to the adopted queue earlier: once where the
 * surface is about as large as the ones before; else several times, since the mesher must know the
 * size of each part before the next, though not for the last part. No particles give an empty
 * surface, whose arguments draw nothing.
 *
 * After an error *mesh is zeroed, the generation that the call would have replaced is gone, and the
 * other two can still be used. Errors: ARGUMENT (also: the device was not adopted; points of a step
 * whose commands were never submitted); UNSUPPORTED with a command buffer in `submit`, for a def
 * with WEIR_MESH_NORMALS_FACES, which are made on the CPU, and for a surface that does not fit the
 * def's memory_bytes in one part; those of weir_mesher_run. */
WEIR_API weir_result weir_vulkan_mesher_run(weir_mesher *mesher, const weir_points *points,
                                            const weir_vulkan_submit *submit,
                                            weir_vulkan_mesh *mesh);

/* The buffers of a generation that the mesher still keeps. Errors: ARGUMENT when a later run has
 * taken its buffers, or when there was none of that number; *mesh is zeroed then. */
WEIR_API weir_result weir_vulkan_mesher_get(const weir_mesher *mesher, uint64_t generation,
                                            weir_vulkan_mesh *mesh);

/* ---- the density solver on Vulkan buffers -----------------------------------------------------
 */

/* Where an array begins in a host's buffer, whose usage is TRANSFER_SRC, and TRANSFER_DST where it
 * is written. buffer VK_NULL_HANDLE: the array is absent. */
typedef struct weir_vulkan_buffer_ref {
    VkBuffer buffer;
    VkDeviceSize offset; /* bytes, a multiple of 4 */
} weir_vulkan_buffer_ref;

/* As weir_density_solver_particles, which says what each is. */
typedef struct weir_vulkan_density_particles {
    uint32_t cookie;
    uint32_t count;  /* 1 to 2^28 */
    uint32_t stride; /* bytes of a position and of a velocity: 12, or 16, whose last four stay */
    float dt_s;
    weir_vulkan_buffer_ref positions, velocities;
    weir_vulkan_buffer_ref inverse_masses;
    weir_vulkan_buffer_ref neighbour_offsets, neighbours;
    uint32_t neighbour_count;         /* room in `neighbours`; entries past it are not read */
    const weir_vulkan_submit *submit; /* or NULL */
} weir_vulkan_density_particles;

WEIR_API weir_vulkan_density_particles weir_vulkan_density_particles_default(void);

/* weir_density_solver_solve behind what was submitted to the adopted queue before; does not wait,
 * except that the fourth call under way waits for the first, and that more particles or longer
 * lists than ever before wait for all. Work that is behind the signals, or later on the adopted
 * queue, can read the results at once. The buffers must live until the work is done.
 *
 * Weir does not know how many neighbours there are before the work is done: where a list is too
 * short, positions and velocities stay as they came, the report says so (weir/density_solver.h),
 * and the next call has longer lists. With submit->commands the rules of weir_vulkan_step hold; of
 * the calls that record into the same commands the largest comes first.
 *
 * Errors: ARGUMENT (the log names the field; also for a device that was not adopted), MEMORY,
 * DEVICE_LOST. */
WEIR_API weir_result weir_vulkan_density_solve(weir_density_solver *constraint,
                                               const weir_vulkan_density_particles *particles);

/* ---- windows --------------------------------------------------------------------------------- */

/* Shows pictures in a window. The window, and how a surface is made for it, are the caller's: with
 * GLFW, create_surface calls glfwCreateWindowSurface. */
typedef struct weir_presenter weir_presenter;

/* Makes a surface for the window by the instance, which has VK_KHR_surface and every platform's
 * surface extension that the loader offers. Weir destroys the surface. */
typedef VkResult weir_create_surface(void *user, VkInstance instance, VkSurfaceKHR *surface);

/* A window to show pictures in. Its surface is made when weir_device_def.window asks for a device
 * that can show pictures in it, by the presenter, and again whenever the surface is lost. */
typedef struct weir_window {
    weir_create_surface *create_surface;
    void *user;   /* of create_surface */
    bool tearing; /* pictures are shown at once, not at the screen's next refresh */
} weir_window;

/* The device must have been made with a `window`, which may be another. Errors: ARGUMENT,
 * UNSUPPORTED (no surface, or the device cannot show pictures in the window), MEMORY. */
WEIR_API weir_result weir_presenter_create(weir_device *device, const weir_window *window,
                                           weir_presenter **presenter);
/* Call it before the window is destroyed. */
WEIR_API void weir_presenter_destroy(weir_presenter **presenter);

typedef struct weir_overlay_vertex {
    float x, y;      /* pixels from the picture's top left */
    float u, v;      /* in the font image, 0 to 1 */
    uint32_t colour; /* sRGB, red in the lowest byte, straight alpha in the highest */
} weir_overlay_vertex;

typedef struct weir_overlay_draw {
    uint32_t first, count;  /* of indices; three make a triangle */
    uint32_t vertex_offset; /* added to each index */
    float clip[4];          /* pixels: left, top, right, bottom; nothing is drawn outside */
} weir_overlay_draw;

/* Triangles in the order in which they are drawn; the caller's arrays, which may die after the call
 * that takes them. */
typedef struct weir_overlay {
    const weir_overlay_vertex *vertices;
    const uint16_t *indices;
    const weir_overlay_draw *draws;
    uint32_t vertex_count, index_count, draw_count;
    const uint8_t *font; /* [font_height][font_width] coverage, top row first; the same bytes in
                            every call with the same `font_version` */
    uint32_t font_width, font_height, font_version;
} weir_overlay;

/* Draws the overlay, NULL for none, over the picture as the work recorded so far leaves it, and
 * shows it; it is stretched when its size is not the window's, `width` x `height` pixels. A window
 * of no size shows nothing. At most two pictures are under way: waits at first for the one before
 * the last. A surface that is lost is made again. Errors: ARGUMENT, DEVICE_LOST, MEMORY,
 * UNSUPPORTED (no new surface, or a screen whose formats are all for high dynamic range). */
WEIR_API weir_result weir_presenter_show(weir_presenter *presenter, weir_image *image,
                                         const weir_overlay *overlay, uint32_t width,
                                         uint32_t height);

#ifdef __cplusplus
}
#endif
#endif
