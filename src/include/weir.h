/* Weir: a real-time particle-fluid engine on Vulkan compute.
 *
 * The one front door: every public name is here (and in weir_vulkan.h, for programs that bring
 * their own Vulkan). SI units everywhere. Functions that can fail return a weir_result; when one
 * fails, its out-parameters are NULL or untouched, nothing leaks, and the log has said what broke,
 * where, and what to do. Destroy functions take the handle's address, set it to NULL, and accept
 * NULL. A handle is used by one thread at a time unless its comment says otherwise. */
#ifndef WEIR_H
#define WEIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) && defined(WEIR_SHARED)
#define WEIR_API __declspec(dllexport)
#elif defined(__GNUC__)
#define WEIR_API __attribute__((visibility("default")))
#else
#define WEIR_API
#endif

#define WEIR_VERSION_MAJOR 0
#define WEIR_VERSION_MINOR 1
#define WEIR_VERSION_PATCH 0

/* "0.1.0"; the library's own, which may differ from the header's. Lives as long as the program. */
WEIR_API const char *weir_version(void);

typedef enum weir_result {
    WEIR_OK = 0,
    WEIR_ARGUMENT,    /* a call that breaks this header's rules */
    WEIR_SCENE,       /* a scene that is refused */
    WEIR_IO,          /* a file that cannot be read, written or understood */
    WEIR_MEMORY,      /* host or device memory ran out */
    WEIR_UNSUPPORTED, /* the device or the build cannot do it */
    WEIR_DEVICE_LOST, /* sticky: every later call on this device returns it too */
    WEIR_UNSTABLE,    /* the simulation left the numbers; its state is still readable */
} weir_result;

/* A short name such as "out of memory". Lives as long as the program. */
WEIR_API const char *weir_result_name(weir_result result);

/* Enumerations whose values have names in commands and files; formats' are their extensions. */
typedef enum weir_names {
    WEIR_NAMES_FIELD,       /* weir_field: "position" */
    WEIR_NAMES_FORMAT,      /* weir_format: "ply" */
    WEIR_NAMES_MESH_FORMAT, /* weir_mesh_format: "obj" */
    WEIR_NAMES_MODE,        /* weir_mode: "surface" */
    WEIR_NAMES_COLOURING,   /* weir_colouring: "speed" */
} weir_names;

/* NULL when the enumeration has no such value. Lives as long as the program. */
WEIR_API const char *weir_name(weir_names of, uint32_t value);

/* ---- log ------------------------------------------------------------------------------------ */

typedef enum weir_log_level {
    WEIR_LOG_ERROR,
    WEIR_LOG_WARNING,
    WEIR_LOG_INFO,
    WEIR_LOG_DEBUG,
} weir_log_level;

/* Where messages go. All zero is legal and silent. `write` may be called from any thread, one call
 * at a time per message; `text` is one message without a final newline and dies with the call. */
typedef struct weir_log {
    void (*write)(void *user, weir_log_level level, const char *text);
    void *user;
    weir_log_level level; /* messages above this level are not made */
} weir_log;

/* ---- device --------------------------------------------------------------------------------- */

typedef struct weir_device weir_device;

typedef enum weir_device_kind {
    WEIR_DEVICE_DISCRETE,
    WEIR_DEVICE_INTEGRATED,
    WEIR_DEVICE_VIRTUAL,
    WEIR_DEVICE_CPU,
    WEIR_DEVICE_OTHER,
} weir_device_kind;

/* Device memory that one part of Weir holds. */
#define WEIR_ROOMS 8
typedef struct weir_room_memory {
    const char *name; /* "sim"; lives as long as the program */
    uint64_t bytes, peak_bytes;
} weir_room_memory;

typedef struct weir_device_info {
    char name[256];
    char driver[512];     /* driver name and its own version text */
    char api_version[32]; /* "1.3.230" */
    char unusable[256];   /* empty, or why Weir cannot run on it */
    weir_device_kind kind;
    uint64_t memory_bytes;        /* largest device-local heap */
    uint64_t storage_range_bytes; /* largest single storage-buffer binding */
    uint32_t subgroup_size;
    uint32_t max_workgroup_invocations;
    bool timestamps; /* per-pass GPU times can be measured */
    bool reloads;    /* a development build, which compiles changed shaders: weir_view.reload */
    uint32_t vendor_id, device_id, driver_id, driver_version; /* Vulkan's numbers */
    weir_room_memory rooms[WEIR_ROOMS]; /* of an open device; rooms without a name hold nothing */
} weir_device_info;

typedef struct weir_device_def {
    uint32_t cookie; /* set by weir_device_def_default; a def without it is refused */
    weir_log log;
    const char
        *device; /* number as listed by weir_device_list, or part of a name; NULL: the best */
    const char
        *cache_folder; /* pipeline and volume cache; NULL: the user's cache folder; "": none */
    bool validation;   /* core, synchronization and GPU-assisted validation, into the log */
    bool present;      /* can show pictures in windows: weir_presenter_create in weir_vulkan.h */
    bool profile;      /* learns about pipelines: each is compiled three times */
    bool serialize;    /* passes never overlap: each time is one pass's own; slower as a whole */
    bool statistics;   /* counts shader invocations */
    const char *isa_folder; /* the driver's own listing of every pipeline goes there; NULL: none */
    uint32_t workgroup;     /* invocations, where free to choose: 0 (64), or 32 to 256 by doubles */
    const char *shaders;    /* their sources, where info.reloads; NULL: those it was built from */
} weir_device_def;

WEIR_API weir_device_def weir_device_def_default(void);

/* Lists the devices in the order that numbers them. *count: room in `infos` on entry, devices found
 * on return; infos NULL asks for the count alone. Errors: UNSUPPORTED without a Vulkan loader. */
WEIR_API weir_result weir_device_list(const weir_log *log, weir_device_info *infos,
                                      uint32_t *count);

/* Opens a device. Errors: ARGUMENT for a `device` that names none, UNSUPPORTED when no Vulkan 1.3
 * device exists. The device outlives everything made from it. */
WEIR_API weir_result weir_device_create(const weir_device_def *def, weir_device **device);
WEIR_API void weir_device_destroy(weir_device **device);
WEIR_API void weir_device_get_info(const weir_device *device, weir_device_info *info);

/* Validation messages (errors and warnings) seen so far; 0 unless the def asked for validation. */
WEIR_API uint32_t weir_device_validation_count(const weir_device *device);

/* ---- scene ---------------------------------------------------------------------------------- */

typedef struct weir_scene weir_scene;

typedef struct weir_scene_def {
    uint32_t cookie;
    weir_log log;
    const char *const *overrides; /* override_count texts "key.path=value", applied in order */
    uint32_t override_count;
    const char *base_folder; /* relative file names start here; NULL: the scene file's folder */
} weir_scene_def;

typedef struct weir_scene_info {
    const char *name;        /* lives as long as the scene */
    const char *description; /* likewise */
    double frame_rate_hz;
    double duration_s;
    uint32_t frame_count; /* frames after frame 0 */
    float spacing_m;
    float support_radius_m;
    uint32_t substeps;
    uint32_t iterations;
} weir_scene_info;

WEIR_API weir_scene_def weir_scene_def_default(void);

/* Reads a scene file, or the scene inside the run.json of an output folder. Every fault in it is
 * logged, each with file, line and column, before SCENE is returned. Errors: SCENE, IO, MEMORY. */
WEIR_API weir_result weir_scene_load(const char *path, const weir_scene_def *def,
                                     weir_scene **scene);

/* The same from memory; `text` need not end in NUL and may die after the call. */
WEIR_API weir_result weir_scene_parse(const char *text, size_t size, const weir_scene_def *def,
                                      weir_scene **scene);
WEIR_API void weir_scene_destroy(weir_scene **scene);
WEIR_API void weir_scene_get_info(const weir_scene *scene, weir_scene_info *info);

/* The scene with all overrides and defaults filled in, as JSON that weir_scene_parse accepts.
 * Lives as long as the scene. */
WEIR_API const char *weir_scene_json(const weir_scene *scene);

typedef enum weir_param_kind {
    WEIR_PARAM_NUMBER,
    WEIR_PARAM_WHOLE,
    WEIR_PARAM_SWITCH, /* 0 or 1 */
} weir_param_kind;

/* A number of a scene, or three that go together. */
typedef struct weir_param {
    char key[96]; /* as an override names it: "fluids[0].density" */
    weir_param_kind kind;
    uint32_t count; /* of values: 1 or 3 */
    double value[3];
    double min, max;   /* inclusive; alike for all three */
    const char *unit;  /* "" without one; lives as long as the program, like `about` */
    const char *about; /* what it is */
    bool live;         /* weir_sim_change takes it into a running simulation */
} weir_param;

/* The index-th of the numbers that overrides of this scene can change; false past the last. */
WEIR_API bool weir_scene_param(const weir_scene *scene, uint32_t index, weir_param *param);

/* What a scene will need. */
typedef struct weir_needs {
    bool counted;          /* else `particles` is an upper bound */
    uint64_t particles;    /* at the start */
    uint64_t emitted_max;  /* that emitters may add to them */
    uint64_t device_bytes; /* device memory */
    uint64_t frame_bytes;  /* one PLY frame with position, velocity and id */
} weir_needs;

/* Counts the fluids' particles; without `device`, or where they are more than it has room for,
 * bounds them by the boxes of their shapes. Errors: SCENE, IO (mesh, particle file). */
WEIR_API weir_result weir_scene_needs(const weir_scene *scene, weir_device *device,
                                      weir_needs *needs);

/* ---- simulation ----------------------------------------------------------------------------- */

typedef struct weir_sim weir_sim;

/* What a particle has. Order and element types are part of the file formats' contract. */
typedef enum weir_field {
    WEIR_FIELD_POSITION, /* float[3], m */
    WEIR_FIELD_VELOCITY, /* float[3], m/s */
    WEIR_FIELD_ID,       /* uint32_t, unique over the whole run */
    WEIR_FIELD_FLUID,    /* uint32_t, index of the fluid in the scene */
    WEIR_FIELD_DENSITY,  /* float, kg/m3, wall share included */
    WEIR_FIELD_COUNT,
} weir_field;

typedef struct weir_stats {
    double time_s;
    uint64_t frame;
    uint64_t substep; /* since the start */
    uint32_t particle_count;
    uint32_t substeps_in_frame;
    double density_error_mean; /* mean of max(rho/rho0 - 1, 0) */
    double density_error_max;
    double neighbours_mean;
    uint32_t neighbours_max;
    double speed_max;             /* m/s */
    double kinetic_energy;        /* J */
    double potential_energy;      /* J, against gravity from the world origin */
    double momentum[3];           /* kg m/s */
    double centre_of_mass[3];     /* m */
    uint64_t correction_caps;     /* corrections cut to the cap since the start */
    uint64_t speed_caps;          /* speeds cut to the cap since the start */
    uint32_t non_finite;          /* particles removed because a number was not finite */
    uint32_t escaped, sunk;       /* particles removed outside the domain, and by sinks */
    uint32_t firm_substeps;       /* of such a frame, that keep the floor under 1 %, by the law */
    double predicted_compression; /* hydrostatic law, docs/equations; a fraction */
    double sound_speed;           /* m/s, of the fluid as the solver makes it, docs/equations */
    double sound_ratio;           /* that over speed_max; 0 at rest. Below 10 the fluid is soft */
    double gpu_ms;                /* GPU time of the last frame; 0 where it cannot be measured */
    double record_ms;             /* CPU time to record and submit it, waits apart */
    uint64_t memory_bytes;        /* device memory of this simulation */
    double memory_bytes_per_particle; /* lists included, cell tables apart */
} weir_stats;

/* Fills the fluids and uploads everything. Errors: SCENE (an empty fluid, a fluid wholly inside a
 * solid), IO (a mesh or particle file), MEMORY (needs more than the device has; says how much). */
WEIR_API weir_result weir_sim_create(weir_device *device, const weir_scene *scene, weir_sim **sim);
WEIR_API void weir_sim_destroy(weir_sim **sim);

/* Records and submits one frame of `seconds` (0: the scene's frame time); does not wait for it.
 * Errors: ARGUMENT (emitters would release more layers than one frame takes), DEVICE_LOST, MEMORY,
 * UNSTABLE. The last three, also of an earlier frame, stay until weir_sim_restore succeeds; while
 * UNSTABLE stays, the state can be read, after the others it cannot. */
WEIR_API weir_result weir_sim_step(weir_sim *sim, double seconds);

/* A force along a ray, such as the mouse's into the scene. */
typedef struct weir_pointer {
    float origin[3];    /* m */
    float direction[3]; /* of any length but 0 */
    float radius_m;     /* particles within it about the ray are moved, those near the ray most */
    float acceleration; /* m/s2 at the ray: above 0 pushes away from it, below 0 draws to it; 0:
                           none, and the other fields do not matter */
} weir_pointer;

/* Fluid from an opening about three spacings wide, for as long as it is open. */
typedef struct weir_jet {
    float position[3];  /* m: middle of the opening */
    float direction[3]; /* of any length but 0 */
    float speed;        /* m/s, up to 1000; 0: closed, and the other fields do not matter */
    uint32_t fluid;     /* index in the scene */
} weir_jet;

/* What acts on a running simulation from outside. All zero is legal: nothing. */
typedef struct weir_steering {
    const weir_scene *scene; /* goes on by this one; NULL: by the one so far. It may differ from
                                that in what weir_param calls live: gravity, iterations, viscosities
                                and the like */
    weir_pointer pointer;
    weir_jet jet;
} weir_steering;

/* From the next frame on, until it is called again; pointer and jet are no part of the saved state.
 * Waits when it changes the scene or opens the jet for the first time. Errors: ARGUMENT, with
 * nothing changed, also when the scene differs in more; MEMORY and UNSUPPORTED as of
 * weir_sim_create. */
WEIR_API weir_result weir_sim_steer(weir_sim *sim, const weir_steering *steering);

/* Waits until all submitted frames are done, replaying any that outgrew a buffer. Errors: those of
 * weir_sim_step. */
WEIR_API weir_result weir_sim_wait(weir_sim *sim);

/* Particles alive after the last finished frame. Waits. */
WEIR_API weir_result weir_sim_count(weir_sim *sim, uint32_t *count);

/* Copies one field of all particles, in order of particle id; size must be count times the
 * element size. Waits. Errors: ARGUMENT for a wrong size. */
WEIR_API weir_result weir_sim_read(weir_sim *sim, weir_field field, void *out, size_t size);
WEIR_API weir_result weir_sim_stats(weir_sim *sim, weir_stats *stats);

/* A 64-bit hash of position, velocity, id and fluid of all particles and of the clock: equal for
 * equal runs on one device and driver. Waits. */
WEIR_API weir_result weir_sim_hash(weir_sim *sim, uint64_t *hash);

/* Writes the whole state; a simulation made from the same scene and restored from it continues bit
 * for bit on the same device and driver. Errors: IO; restore also ARGUMENT when the file belongs to
 * another scene or version. */
WEIR_API weir_result weir_sim_save(weir_sim *sim, const char *path);
WEIR_API weir_result weir_sim_restore(weir_sim *sim, const char *path);

typedef struct weir_row_time {
    const char *name;       /* the pass; lives as long as the simulation */
    const char *group;      /* the repeat group it runs in, "" outside one */
    bool whole;             /* not a pass: a run of the whole table named so */
    uint32_t calls;         /* since the last reset */
    double median_ms;       /* of one call */
    double low_ms, high_ms; /* the quarter points: half of all calls lie between them */
    double total_ms;
    /* Of one call, counted from the row's declaration: */
    double elements;
    double bytes;    /* device memory moved, each element once: a lower bound */
    double gathered; /* bytes fetched for neighbour pairs, which caches mostly serve */
    double flops, atomics;
    double invocations; /* of shaders in one call; 0 unless the def asked for statistics */
    /* Of the pipeline; UINT32_MAX and 0 ms where the driver does not tell or the def did not ask:
     */
    uint64_t spirv_hash; /* with its specialization */
    double compile_cold_ms, compile_warm_ms;
    uint32_t registers, spill_bytes, subgroup_size;
} weir_row_time;

/* Per-pass GPU times gathered since the last reset. *count: room on entry, rows on return. Waits.
 * Errors: UNSUPPORTED on a device without timestamps. */
WEIR_API weir_result weir_sim_row_times(weir_sim *sim, weir_row_time *times, uint32_t *count);
WEIR_API void weir_sim_row_times_reset(weir_sim *sim);

/* Times one pass alone, `repeat` times on the state of the first substep of the next frame; the
 * simulation then stands where it stood. Errors: ARGUMENT when no pass is called `name`,
 * UNSUPPORTED without timestamps. */
WEIR_API weir_result weir_sim_row_repeat(weir_sim *sim, const char *name, uint32_t repeat,
                                         weir_row_time *time);

/* What a device reaches at best, measured. */
typedef struct weir_ceilings {
    double copy_gb_s;   /* device memory, bytes read plus bytes written; a CPU: by its cores */
    double cache_gb_s;  /* 16-byte fetches that caches serve */
    double atomics_g_s; /* integer additions to 65,536 counters, 1e9 per second */
    double fma_gflop_s; /* 32-bit, two operations each */
    double dispatch_us; /* an empty dispatch and its barrier */
} weir_ceilings;

/* Takes about a second. Errors: UNSUPPORTED without timestamps, MEMORY. */
WEIR_API weir_result weir_device_ceilings(weir_device *device, weir_ceilings *ceilings);

/* Writes what the device and this library do, when, until weir_trace_finish: passes under substeps
 * under frames, the CPU's work, the writer threads, counters. Trace Event Format, for Perfetto.
 * Errors: IO (at once when `path` cannot be written), ARGUMENT while another is written. Objects of
 * the device must not be in use by other threads, here and in finish. */
WEIR_API weir_result weir_trace_start(weir_device *device, const char *path);
/* Waits. Errors: IO. Destroying the device finishes a trace too. */
WEIR_API weir_result weir_trace_finish(weir_device *device);

/* The step table as it will run: passes, buffers, accesses, barriers, memory. One call of `write`
 * per line. */
WEIR_API weir_result weir_sim_explain(weir_sim *sim, void (*write)(void *user, const char *line),
                                      void *user);

/* ---- instruments ---------------------------------------------------------------------------- */

/* What a scene's `gauges` measure, in the order of the scene. */
typedef enum weir_gauge_kind {
    WEIR_GAUGE_HEIGHT,   /* m of fluid along the axis of the box */
    WEIR_GAUGE_FRONT,    /* m from the side where the axis enters the box to the farthest fluid */
    WEIR_GAUGE_PRESSURE, /* Pa */
    WEIR_GAUGE_FORCE,    /* N on the solid: x, y, z */
    WEIR_GAUGE_FLOW,     /* m3/s */
} weir_gauge_kind;

typedef struct weir_gauge {
    const char *name; /* lives as long as the scene */
    const char *unit; /* "m", "Pa", "N", "m3/s"; lives as long as the program */
    weir_gauge_kind kind;
    uint32_t components; /* 3 of a force, else 1 */
    double value[3];
} weir_gauge;

#define WEIR_WHOLE_FRAME UINT32_MAX

/* The gauges after substep `substep` of the last finished frame, or with WEIR_WHOLE_FRAME of the
 * frame: heights and fronts at its end, the rest averaged over its substeps. *count: room on entry,
 * gauges on return; gauges may be NULL to ask for the count. Waits. Errors: ARGUMENT when the frame
 * had no such substep, or before the first frame. */
WEIR_API weir_result weir_sim_gauges(weir_sim *sim, uint32_t substep, weir_gauge *gauges,
                                     uint32_t *count);

typedef struct weir_residual {
    double mean, max; /* of max(rho/rho0 - 1, 0), before the iteration's correction */
} weir_residual;

/* The density error in every iteration of one substep of the last finished frame. *count: room on
 * entry, iterations on return; residuals may be NULL to ask for the count. Waits. Errors: ARGUMENT
 * when the scene does not set solver.residuals, or the frame had no such substep. */
WEIR_API weir_result weir_sim_residuals(weir_sim *sim, uint32_t substep, weir_residual *residuals,
                                        uint32_t *count);

/* ---- points: particles for the mesher and the renderer --------------------------------------- */

/* Particles of one frame on the device; they stay as they are while the simulation goes on. Used by
 * the thread that uses the device. */
typedef struct weir_points weir_points;

typedef struct weir_points_def {
    uint32_t cookie;
    uint32_t count;
    float spacing_m;       /* particle spacing d */
    float radius_m;        /* support radius h; 0: 2 d */
    const float *position; /* [3 * count], m */
    const float *velocity; /* [3 * count], m/s; NULL: none */
    const uint32_t *id;    /* [count]; NULL: none */
    const uint32_t *fluid; /* [count]; NULL: none */
    const float *density;  /* [count], kg/m3; NULL: none */
} weir_points_def;

WEIR_API weir_points_def weir_points_def_default(void);

/* Uploads particles; the def's arrays may die after the call. Errors: ARGUMENT (a spacing that is
 * no length, a coordinate that is not finite), MEMORY. */
WEIR_API weir_result weir_points_from_host(weir_device *device, const weir_points_def *def,
                                           weir_points **points);

/* The particles of the last finished frame, in an order that is the same for equal states. Waits
 * for that frame, not for the copy. A released slot is used again, so that a steady loop of acquire
 * and release takes no memory. The points may outlive the simulation. Errors: those of
 * weir_sim_wait except UNSTABLE; MEMORY. */
WEIR_API weir_result weir_sim_acquire_points(weir_sim *sim, weir_points **points);
WEIR_API void weir_points_release(weir_points **points);

/* What one row of a substep wrote. */
typedef struct weir_row_view {
    const char *row, *group; /* lives as long as the simulation; group "" outside an iteration */
    const char *shown;       /* what the values are, "lambda, m2"; NULL: none for each particle */
    uint32_t row_count;      /* of a substep */
    float low, high;         /* of the values */
} weir_row_view;

/* Runs the rows of the next frame's first substep up to the `row`-th, counted from 0, looks at what
 * it wrote, and puts everything back. The points stand where the particles are then; their density
 * tells the value: over the first fluid's at rest, less 1, it runs from 0 at `low` to 1 at `high`.
 * Iterations are shown in their first. Waits. Errors: ARGUMENT, MEMORY, those of weir_sim_step. */
WEIR_API weir_result weir_sim_inspect(weir_sim *sim, uint32_t row, weir_row_view *view,
                                      weir_points **points);

/* ---- meshes: particles to triangles ---------------------------------------------------------- */

typedef struct weir_mesher weir_mesher;
typedef struct weir_mesh weir_mesh;

typedef enum weir_mesh_field {
    WEIR_MESH_ZHU_BRIDSON, /* distance to the mean position of the particles in reach */
    WEIR_MESH_COLOUR,      /* SPH colour field, cubic spline: comparable with splashsurf */
    WEIR_MESH_ANISOTROPIC, /* the same with ellipsoids and smoothed centres (Yu and Turk 2013) */
} weir_mesh_field;

typedef enum weir_mesh_normals {
    WEIR_MESH_NORMALS_FIELD, /* the field's gradient */
    WEIR_MESH_NORMALS_FACES, /* of the triangles around a vertex, weighted by their angles */
    WEIR_MESH_NORMALS_NONE,
} weir_mesh_normals;

typedef struct weir_mesher_def {
    uint32_t cookie;
    weir_mesh_field field;
    float cell;   /* edge of a lattice cell, in particle spacings; default 1 */
    float cell_m; /* the same in m; 0: by `cell` */
    float search; /* search radius, in particle spacings; 1 to 32 cells; default 4 */
    float radius; /* particle radius in particle spacings (Zhu-Bridson); default keeps the volume */
    float iso;    /* of the colour fields, above 0 and below 1; default 0.6 */
    float smoothing; /* how far centres move to their neighbours' mean, 0 to 1; default 0.9 */
    float stretch;   /* of ellipsoids: longest axis over shortest, 1 to 16; default 4 */
    bool decider; /* asymptotic decider on ambiguous faces; default: inside is never joined there */
    bool damping; /* no sheets between near bodies (Zhu-Bridson); default true */
    weir_mesh_normals normals;
    bool velocity;   /* velocities at the vertices, where the points have them; default true */
    bool attributes; /* density and fluid likewise, as channels; default false */
    bool neighbours; /* channel "neighbours": how many particles are in reach; default false */
    uint32_t spray;  /* particles with fewer neighbours in reach leave the surface; default 0 */
    uint64_t memory_bytes; /* device memory that the mesher may take; 0: half of the device's */
} weir_mesher_def;

/* `preset`: "calibrated" (also NULL), "zhu-bridson" (the paper's wide search radius, loses volume),
 * "sph" (splashsurf's recommended settings), "anisotropic". Any other gives a def that
 * weir_mesher_create refuses. */
WEIR_API weir_mesher_def weir_mesher_def_default(const char *preset);

/* Errors: ARGUMENT, MEMORY. The mesher keeps its buffers from frame to frame. */
WEIR_API weir_result weir_mesher_create(weir_device *device, const weir_mesher_def *def,
                                        weir_mesher **mesher);
WEIR_API void weir_mesher_destroy(weir_mesher **mesher);

/* Meshes one frame; waits for it. The lattice is fixed in the world: a node stands at each whole
 * multiple of the cell. No particles give an empty mesh. The same particles give the same bytes, in
 * whatever order they come (for ellipsoids, in the same order). A frame that does not fit the
 * memory is meshed in parts, with the same result. Errors: MEMORY (says how much is missing),
 * ARGUMENT (particles too far apart for the cell), DEVICE_LOST. */
WEIR_API weir_result weir_mesher_run(weir_mesher *mesher, const weir_points *points,
                                     weir_mesh **mesh);

/* Per-pass GPU times of all runs so far, like weir_sim_row_times. */
WEIR_API weir_result weir_mesher_row_times(weir_mesher *mesher, weir_row_time *times,
                                           uint32_t *count);

typedef struct weir_mesh_channel {
    const char *name;    /* "density", "fluid" */
    uint32_t components; /* 1 to 3 */
    const float *values; /* [vertex_count * components] */
} weir_mesh_channel;

/* Arrays of a mesh; they live as long as it, and until it is changed. */
typedef struct weir_mesh_view {
    uint32_t vertex_count, triangle_count;
    const float *position; /* [3 * vertex_count], m */
    const float *normal;   /* [3 * vertex_count], unit, outwards; NULL: none */
    const float *velocity; /* [3 * vertex_count], m/s; NULL: none */
    const uint32_t *index; /* [3 * triangle_count], counter-clockwise from outside */
    uint32_t channel_count;
    weir_mesh_channel channel[8];
    uint32_t spray_count;        /* particles that left the surface */
    const float *spray_position; /* [3 * spray_count], m */
    const float *spray_velocity; /* [3 * spray_count], m/s; NULL: none */
    float spray_radius_m;        /* of a ball with a particle's volume */
} weir_mesh_view;

WEIR_API void weir_mesh_get(const weir_mesh *mesh, weir_mesh_view *view);
WEIR_API void weir_mesh_destroy(weir_mesh **mesh);

typedef enum weir_mesh_format {
    WEIR_MESH_OBJ,  /* text: positions, normals, triangles; it cannot hold velocities */
    WEIR_MESH_PLY,  /* binary little-endian; velocity as vx vy vz, m/s */
    WEIR_MESH_VTK,  /* legacy binary polydata, with a .vtk.series beside the frames */
    WEIR_MESH_BGEO, /* version 5, gzip: P N v, for Houdini's motion blur */
    WEIR_MESH_FORMAT_COUNT,
} weir_mesh_format;

/* "obj", also the files' extension; NULL when `format` is none. Lives as long as the program. */

/* A turn by a right angle about x on the way into a file. */
typedef enum weir_turn {
    WEIR_TURN_NONE,
    WEIR_TURN_Y_TO_Z, /* y is up here, z in the file */
    WEIR_TURN_Z_TO_Y,
} weir_turn;

/* ---- refining a mesh ------------------------------------------------------------------------ */

typedef enum weir_mesh_smoothing {
    WEIR_MESH_SMOOTHING_NONE,
    WEIR_MESH_SMOOTHING_TAUBIN,  /* waves longer than some cells stay as they are */
    WEIR_MESH_SMOOTHING_LAPLACE, /* flattens more; each component keeps its volume */
} weir_mesh_smoothing;

/* The steps run in this order. Each leaves a closed 2-manifold closed and 2-manifold. */
typedef struct weir_mesh_refine_def {
    uint32_t cookie;
    bool clean;   /* slivers go: vertices near one lattice node merge, edges flip; default true */
    float cell_m; /* edge of the lattice's cells; 0, the default: by the mesh */
    weir_mesh_smoothing smoothing; /* default LAPLACE */
    uint32_t smooth_iterations;    /* default 8 */
    float smooth_strength;   /* 0 to 1: share of the way to the neighbours' middle; default 0.5 */
    float smooth_neighbours; /* where the mesh has a channel "neighbours", which smoothing uses up:
                                count from which on a vertex moves in full, so that drops stay;
                                default 13 */
    uint32_t min_triangles;  /* components of fewer are removed; default 0 */
    double min_volume_m3;    /* components below it are removed; default 0 */
    bool remove_voids;       /* fills closed hollows inside components; default false */
    double keep_ratio;       /* share of the triangles that decimation keeps; default 1 */
    uint32_t max_triangles;  /* triangles that decimation leaves at most; default UINT32_MAX */
    float decimate_error_m;  /* decimation stops at this error; 0, the default: never */
    const weir_scene
        *scene;           /* its solids and closed domain sides hold the mesh back; default NULL */
    double time_s;        /* when the solids have their poses; default 0 */
    float solid_band_m;   /* vertices nearer to a solid come to it; default 0: one cell */
    float solid_offset_m; /* distance they then have: 0 touches, below 0 overlaps; default 0 */
    bool clamp;           /* vertices outside the box below go onto it; default false */
    float box_min[3], box_max[3]; /* m */
    weir_mesh_normals normals;    /* FIELD: as they are, though vertices moved; default FACES */
    uint32_t normal_iterations;   /* each averages the normals with their neighbours'; default 0 */
} weir_mesh_refine_def;

WEIR_API weir_mesh_refine_def weir_mesh_refine_def_default(void);

/* What the steps did. */
typedef struct weir_mesh_refine_info {
    uint32_t triangles_before, triangles_after;
    double volume_before, volume_after; /* m3 */
    uint32_t edges_collapsed, edges_flipped;
    uint32_t flat_triangles;    /* removed with components that had lost their volume */
    uint32_t components, voids; /* counted when a step may remove some, before it does */
    uint32_t components_removed, voids_removed;
    uint32_t decimated;     /* triangles that decimation removed */
    uint32_t cuts;          /* vertices doubled where the decimated mesh touched itself */
    float decimate_error_m; /* about */
    uint32_t snapped;       /* vertices moved to solids */
    uint32_t clamped;       /* vertices moved onto the box */
    uint32_t degenerate;    /* triangles without area that are left */
} weir_mesh_refine_info;

/* Works on the mesh in place; its view must be got anew. `info` may be NULL. The same mesh and def
 * give the same bytes on any number of threads. Errors: ARGUMENT, MEMORY, UNSUPPORTED (decimation
 * in a build without meshoptimizer), and those of the scene's solids; the mesh is then still valid.
 */
WEIR_API weir_result weir_mesh_refine(weir_mesh *mesh, const weir_mesh_refine_def *def,
                                      weir_mesh_refine_info *info);

/* ---- pictures -------------------------------------------------------------------------------- */

typedef struct weir_renderer weir_renderer;
typedef struct weir_image weir_image;

/* What a picture shows. */
typedef enum weir_mode {
    WEIR_MODE_SURFACE,    /* the fluid's surface, shaded */
    WEIR_MODE_ELLIPSOIDS, /* the particles' fitted ellipsoids, opaque */
    WEIR_MODE_PARTICLES,  /* spheres of the particles' spacing */
    WEIR_MODE_MESH,       /* a mesh, opaque; weir_render_mesh only */
    WEIR_MODE_DEPTH,      /* buffers between the passes: depth before the filter */
    WEIR_MODE_FILTERED,   /* depth after it */
    WEIR_MODE_THICKNESS,
    WEIR_MODE_NORMALS,
    WEIR_MODE_SHADOW, /* the fluid's thickness as the sun sees it */
    WEIR_MODE_BACKGROUND,
    WEIR_MODE_COUNT,
} weir_mode;

/* What colours ellipsoids and particles; all but FLUID, ID and NEIGHBOURS need that attribute.
 * LAMBDA: of points that came from a simulation which has not begun a step since. */
typedef enum weir_colouring {
    WEIR_COLOUR_FLUID,
    WEIR_COLOUR_SPEED,
    WEIR_COLOUR_DENSITY, /* density over rest density, less 1 */
    WEIR_COLOUR_ID,
    WEIR_COLOUR_NEIGHBOURS,
    WEIR_COLOUR_LAMBDA, /* where the particles stand, m2; 0 before the first step and in PCISPH */
    WEIR_COLOUR_COUNT,
} weir_colouring;

typedef enum weir_filter {
    WEIR_FILTER_NARROW_RANGE,
    WEIR_FILTER_BILATERAL,
    WEIR_FILTER_CURVATURE_FLOW,
    WEIR_FILTER_NONE,
    WEIR_FILTER_COUNT,
} weir_filter;

/* How ellipsoids reach the screen; the pictures are the same. */
typedef enum weir_splatter {
    WEIR_SPLATTER_AUTO, /* the faster one; drawn on CPU drivers */
    WEIR_SPLATTER_DRAW,
    WEIR_SPLATTER_COMPUTE,
    WEIR_SPLATTER_COUNT,
} weir_splatter;

typedef struct weir_view {
    uint32_t cookie;
    float eye[3], target[3]; /* m */
    float up[3];             /* any direction across the line of sight; default +y */
    float fov_y_degrees;     /* of the picture's height, 1 to 150; default 40 */
    float near_m;            /* nothing nearer is seen; 0: chosen from the spacing */
    uint32_t width, height;  /* pixels, at most 16384; default 1280 x 720 */
    uint32_t samples;        /* along each side of a pixel, 1 to 4; default 1 */
    weir_mode mode;
    weir_colouring colouring;
    float range[2];   /* of the colour scale and of depth and thickness; equal: chosen */
    double time_s;    /* where moving solids stand */
    bool transparent; /* no sky and no floor: alpha is the share that fluid and solids cover */
    bool legend;      /* of the colours, in modes that have a scale */
    bool shadows;     /* default true */
    float exposure;   /* 0: light is shown as it is, without a tone curve; default 1 */
    weir_filter filter;
    uint32_t filter_passes; /* along x and y; of curvature flow, steps; 0: the usual number */
    float filter_size;      /* standard deviation in particle spacings, 0 to 10; default 1 */
    weir_splatter splatter;
    bool reload; /* of changed shaders, first; faults are logged, and leave the old shader */
} weir_view;

/* The camera that the scene names, or one from which all of its domain is seen; `scene` may be
 * NULL. */
WEIR_API weir_view weir_view_default(const weir_scene *scene);

typedef struct weir_renderer_def {
    uint32_t cookie;
    const weir_scene *scene; /* its solids, fluids, domain and looks; NULL: points in the open */
    const char *environment; /* a Radiance .hdr file of all directions; NULL: the scene's, or an
                                analytic sky */
} weir_renderer_def;

WEIR_API weir_renderer_def weir_renderer_def_default(void);

/* Errors: UNSUPPORTED (a device that cannot draw), IO (a solid's mesh, the environment), MEMORY. */
WEIR_API weir_result weir_renderer_create(weir_device *device, const weir_renderer_def *def,
                                          weir_renderer **renderer);
WEIR_API void weir_renderer_destroy(weir_renderer **renderer);

/* A picture of points; NULL shows the scene without fluid. *image must be NULL or an image of the
 * same renderer, which is drawn into again. Does not wait: reading or saving the image does. The
 * points may be released at once. Errors: ARGUMENT (a view outside its limits; says which), MEMORY,
 * DEVICE_LOST. */
WEIR_API weir_result weir_render_points(weir_renderer *renderer, const weir_points *points,
                                        const weir_view *view, weir_image **image);

/* The same of a mesh: as a fluid's surface, or opaque with WEIR_MODE_MESH. Normals are needed;
 * without them the triangles' own serve. */
WEIR_API weir_result weir_render_mesh(weir_renderer *renderer, const weir_mesh *mesh,
                                      const weir_view *view, weir_image **image);

/* Per-pass GPU times of the frames since the last reset, as weir_sim_row_times. */
WEIR_API weir_result weir_renderer_row_times(weir_renderer *renderer, weir_row_time *times,
                                             uint32_t *count);

/* The pixels: 4 bytes each, red, green, blue, alpha, sRGB, not multiplied by alpha; rows from the
 * top. They live until the image is drawn into, read again or destroyed. Waits. */
WEIR_API weir_result weir_image_read(weir_image *image, uint32_t *width, uint32_t *height,
                                     const uint8_t **pixels);

/* Writes a PNG, whole or not at all. Waits. Errors: IO. */
WEIR_API weir_result weir_image_save(weir_image *image, const char *path);
WEIR_API void weir_image_destroy(weir_image **image);

/* ---- files ---------------------------------------------------------------------------------- */

typedef enum weir_format {
    WEIR_FORMAT_PLY,  /* binary little-endian */
    WEIR_FORMAT_VTK,  /* legacy binary, with a .vtk.series beside the frames */
    WEIR_FORMAT_BGEO, /* version 5, gzip */
    WEIR_FORMAT_XYZ,  /* text, one particle a line */
    WEIR_FORMAT_NPY,  /* one float32 array of N x columns */
    WEIR_FORMAT_COUNT,
} weir_format;

typedef struct weir_output weir_output;

typedef struct weir_output_def {
    uint32_t cookie;
    weir_log log;
    const char *folder; /* made when missing */
    weir_format format;
    uint32_t fields;      /* bit (1u << field) for each; position is always written */
    uint32_t start_frame; /* the number that frame 0 gets in file names */
    uint32_t first_frame; /* particles of earlier frames are not written; default 0 */
    uint32_t last_frame;  /* nor those of later ones; default UINT32_MAX */
    bool y_up;            /* true: as simulated; false: rotated so that z is up */
    double scale;         /* positions and velocities are multiplied by it */
    bool particles;       /* false: none are written */
    bool mesh;            /* every frame is meshed, too: mesh/surface_0001.obj and so on */
    weir_mesh_format mesh_format;
    weir_mesher_def mesher;      /* its spray becomes mesh/spray_0001.ply */
    bool mesh_refine;            /* meshes are refined before they are written; default true */
    bool mesh_solids;            /* refining rests them against the scene's solids */
    weir_mesh_refine_def refine; /* its device, scene and time_s are filled in */
    bool gauge_substeps;         /* gauges.csv has a row per substep; false: per frame */
    bool resume; /* keeps what stats.csv has up to the current frame; false: starts it anew */
} weir_output_def;

WEIR_API weir_output_def weir_output_def_default(void);

/* Takes over the settings that a run.json recorded, all but `log`, `folder` and `resume`; leaves
 * the def as it is when `path` is a plain scene file. Errors: IO. */
WEIR_API weir_result weir_output_def_read(const char *path, weir_output_def *def);

/* Opens an output folder and writes run.json. Frames are written by a thread of its own while the
 * simulation goes on; a frame file appears whole or not at all. */
WEIR_API weir_result weir_output_create(const weir_output_def *def, weir_sim *sim,
                                        weir_output **output);

/* Queues the current frame and its stats.csv row; waits when the queue is full. Errors: IO, also of
 * an earlier frame. */
WEIR_API weir_result weir_output_frame(weir_output *output);

/* Writes what is queued. Errors: IO of any frame. */
WEIR_API weir_result weir_output_finish(weir_output *output);

/* Writes what is queued first. */
WEIR_API void weir_output_destroy(weir_output **output);

typedef enum weir_file_kind {
    WEIR_FILE_UNKNOWN,
    WEIR_FILE_SCENE,
    WEIR_FILE_PARTICLES,
    WEIR_FILE_MESH,
} weir_file_kind;

/* By the extension; PLY, VTK and BGEO are meshes with faces. UNKNOWN also for a missing file. */
WEIR_API weir_file_kind weir_file_detect(const char *path);

typedef struct weir_particles_info {
    uint32_t count;
    uint32_t fields;            /* bit (1u << field) for each that the file has */
    float min[3], max[3];       /* of the positions, m; 0 without particles */
    float speed_min, speed_max; /* m/s; 0 without velocities */
    float speed_mean;
} weir_particles_info;

/* Reads a particle file (PLY, VTK, VTU, VTP, BGEO, XYZ, raw float32, NPY) whole and measures it.
 * Errors: IO, MEMORY. */
WEIR_API weir_result weir_particles_inspect(const weir_log *log, const char *path,
                                            weir_particles_info *info);

/* What is right and wrong with a triangle mesh. Lengths, areas and volumes in the mesh's units. */
typedef struct weir_mesh_info {
    uint32_t vertices, triangles;
    float min[3], max[3];          /* of the vertices; 0 without any */
    bool closed;                   /* no boundary edges */
    bool manifold;                 /* no non-manifold edges and vertices */
    bool oriented;                 /* no flipped edges, no part inside out */
    uint32_t boundary_edges;       /* used by one triangle: the rims of holes */
    uint32_t nonmanifold_edges;    /* used by more than two triangles */
    uint32_t nonmanifold_vertices; /* whose triangles are not one fan, as where two cones touch */
    uint32_t flipped_edges;        /* whose two triangles disagree on which side is outside */
    uint32_t components;           /* what hangs together by vertices, voids included */
    uint32_t voids;                /* closed, wound inwards, inside another component */
    uint32_t inside_out;           /* closed, wound inwards, inside no other component */
    int64_t euler;                 /* vertices used - edges + triangles; a sphere 2, a torus 0 */
    uint32_t degenerate_triangles; /* a repeated vertex, or area below 1e-7 of the longest edge^2 */
    uint32_t duplicate_triangles;  /* of the same three vertices as one before */
    uint32_t duplicate_vertices;   /* at exactly the position of one before */
    uint32_t unused_vertices;
    double volume, area; /* the volume is signed; without meaning while the mesh is not closed */
    /* Of the triangles that are not degenerate, all 0 without any. Each triangle's smallest angle
     * in degrees, found to 0.01: the least, the 1st and 5th percentile, the mean; then the share of
     * triangles below 5, 10 and 20 degrees, 0 to 1. */
    double angle_min, angle_p1, angle_p5, angle_mean;
    double angle_below_5, angle_below_10, angle_below_20;
    double quality_mean, quality_p5; /* 2 inradius / circumradius, 1: equilateral */
    double aspect_mean, aspect_p95;  /* longest edge / (2 sqrt 3 inradius), 1: equilateral */
} weir_mesh_info;

/* Reads a triangle mesh (OBJ, PLY, STL, VTK, BGEO) whole and measures it. Errors: IO, MEMORY. */
WEIR_API weir_result weir_mesh_inspect(const weir_log *log, const char *path, weir_mesh_info *info);

/* ---- files of meshes and particles ----------------------------------------------------------- */

typedef struct weir_mesh_save_def {
    uint32_t cookie;
    weir_mesh_format format; /* WEIR_MESH_FORMAT_COUNT, the default: by the path's extension */
    weir_turn turn;
    double scale;      /* of positions and velocities; default 1 */
    float precision_m; /* OBJ: longest step of a written position; 0: a ten-thousandth of a cell */
    uint32_t threads; /* that make the file's bytes, which do not depend on it; 0: all processors */
    double time_s;    /* noted in the file; in a .vtk.series the frame's time */
} weir_mesh_save_def;

WEIR_API weir_mesh_save_def weir_mesh_save_def_default(void);

/* Writes a mesh, whole or not at all, into a folder that is made when missing. A VTK file whose
 * name ends in a number is added to the .vtk.series of its sequence. Errors: IO, MEMORY. */
WEIR_API weir_result weir_mesh_save(weir_mesh *mesh, const char *path,
                                    const weir_mesh_save_def *def);

/* Writes the particles that left the surface (weir_mesher_def.spray) as points with a radius (PLY
 * and VTK: "radius", BGEO: pscale), turned and scaled as the mesh. The format is the extension's.
 * Errors: ARGUMENT (no particle format), IO, MEMORY. */
WEIR_API weir_result weir_mesh_save_spray(weir_mesh *mesh, const char *path,
                                          const weir_mesh_save_def *def);

/* A frame of stored particles on the host, with its arrays as weir_points_from_host takes them. */
typedef struct weir_particles {
    weir_points_def points; /* its arrays live until weir_particles_free */
    bool spacing_estimated; /* the file names no radius: the spacing was found by the density */
    double time_s;          /* 0 when the file has none */
    void *held;             /* Weir's own */
} weir_particles;

/* Reads a particle file as weir_particles_inspect does. points.spacing_m: twice the radius that the
 * file names (BGEO's pscale, a remark "radius_m="), else an estimate; 0 with fewer than two
 * particles. Any thread. Errors: IO, MEMORY; the particles are then empty. */
WEIR_API weir_result weir_particles_load(const weir_log *log, const char *path,
                                         weir_particles *particles);
WEIR_API void weir_particles_free(weir_particles *particles);

#ifdef __cplusplus
}
#endif
#endif
