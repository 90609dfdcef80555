/* Weir: a real-time particle-fluid engine on Vulkan compute.
 *
 * This is the front door. Two side doors add to it: weir_profile.h for measuring and weir_vulkan.h
 * for programs that bring their own Vulkan or a window.
 *
 * Units: SI everywhere.
 * Errors: a function that can fail returns a weir_result. When it fails, its out-parameters are
 * NULL or unchanged, nothing leaks, and the log says what went wrong, where, and what to do. NULL
 * where it is not allowed, or a def that breaks its limits, is WEIR_ARGUMENT; comments do not
 * repeat that.
 * Defs: settings are structs named *_def. Fill one with its *_def_default function, which also sets
 * `cookie`, then change fields. A def without the cookie is refused. Fields without a default in
 * their comment start as 0, false or NULL. Strings and arrays in a def may die after the call that
 * takes it, unless its comment says otherwise.
 * Lifetime: what a create function made lives until its destroy function, which takes the address
 * of the handle, sets the handle to NULL and accepts NULL. Destroy everything made from a device
 * before the device: until then the device stays, and weir_device_destroy logs what is left.
 * Threads: a scene, and a device with all that was made from it, are used by one thread at a time.
 * A function that says "Any thread" may run beside calls for other objects. "Waits": the call
 * blocks until the GPU has finished the work that it needs. */
#ifndef WEIR_H
#define WEIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* On Windows the linker is told what the library exports: cmake/exports.map. */
#if defined(__GNUC__) && !defined(_WIN32)
#define WEIR_API __attribute__((visibility("default")))
#else
#define WEIR_API
#endif

#define WEIR_VERSION_MAJOR 0
#define WEIR_VERSION_MINOR 1
#define WEIR_VERSION_PATCH 0

/* The version of the library, "0.1.0", which may differ from the header's. Lives for ever. */
WEIR_API const char *weir_version(void);

typedef enum weir_result {
    WEIR_OK = 0,
    WEIR_ARGUMENT,    /* the call breaks this header's rules */
    WEIR_SCENE,       /* the scene is wrong */
    WEIR_IO,          /* a file cannot be read, written or understood */
    WEIR_MEMORY,      /* host or device memory ran out */
    WEIR_UNSUPPORTED, /* the device or the build cannot do it */
    WEIR_DEVICE_LOST, /* every later call on this device returns it too */
    WEIR_UNSTABLE,    /* the simulation has numbers that are not finite; its state can be read */
} weir_result;

/* A short name, such as "out of memory". Lives as long as the program. */
WEIR_API const char *weir_result_name(weir_result result);

/* The enumerations whose values have a name in commands and files. The name of a file format is its
 * extension. */
typedef enum weir_names {
    WEIR_NAMES_FIELD,       /* weir_field: "position" */
    WEIR_NAMES_FORMAT,      /* weir_format: "ply" */
    WEIR_NAMES_MESH_FORMAT, /* weir_mesh_format: "obj" */
    WEIR_NAMES_MODE,        /* weir_mode: "surface" */
    WEIR_NAMES_COLOURING,   /* weir_colouring: "speed" */
    WEIR_NAMES_METHOD,      /* what solver.method may be: "pbf" */
} weir_names;

/* The name of one value; NULL when the enumeration does not have the value. Lives as long as the
 * program. */
WEIR_API const char *weir_name(weir_names of, uint32_t value);

/* ---- log ------------------------------------------------------------------------------------ */

typedef enum weir_log_level {
    WEIR_LOG_ERROR,
    WEIR_LOG_WARNING,
    WEIR_LOG_INFO,
    WEIR_LOG_DEBUG,
} weir_log_level;

/* Where messages go. A log of zeros is silent. Any thread may call `write`, also several at the
 * same time. `text` is one message without a final newline and dies with the call. */
typedef struct weir_log {
    void (*write)(void *user, weir_log_level level, const char *text);
    void *user;           /* handed to `write`; it must live as long as what the log is given to */
    weir_log_level level; /* the last that is written: WARNING hides INFO and DEBUG */
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

#define WEIR_ROOMS 9

/* Device memory that one part of Weir holds. */
typedef struct weir_room_memory {
    const char *name;           /* "sim"; lives as long as the program */
    uint64_t bytes, peak_bytes; /* now, and the most so far */
} weir_room_memory;

typedef struct weir_device_info {
    char name[256];
    char driver[512];     /* name of the driver and the version as the driver writes it */
    char api_version[32]; /* of Vulkan: "1.3.230" */
    char unusable[256];   /* why Weir cannot run on it; empty when it can */
    weir_device_kind kind;
    uint64_t memory_bytes;      /* of the largest device-local heap */
    uint64_t memory_left_bytes; /* of it; as much where the driver does not say what others hold */
    uint64_t storage_range_bytes; /* of the largest binding of a storage buffer */
    uint32_t subgroup_size, max_workgroup_invocations;
    uint32_t subgroup_min, subgroup_max; /* sizes that a def can ask for; 0: none */
    bool timestamps;                     /* GPU times can be measured: weir_profile.h */
    bool reloads; /* this build can compile changed shaders: weir_view.reload */
    uint32_t vendor_id, device_id, driver_id, driver_version; /* as Vulkan numbers them */
    weir_room_memory rooms[WEIR_ROOMS]; /* of an open device; unused entries have no name */
} weir_device_info;

typedef struct weir_device_def {
    uint32_t cookie;
    weir_log log;       /* of the device and of all that is made from it */
    const char *device; /* its number in weir_device_list, or part of its name; NULL: the best */
    const char *cache_folder; /* of pipelines and volumes; NULL: the user's cache; "": none */
    bool validation;          /* Vulkan's core and synchronization validation; log gets it */
    bool shader_validation; /* also GPU-assisted validation, which makes shaders slow to compile */
    const struct weir_window *window; /* to show pictures in: weir_vulkan.h; NULL: none */
    uint32_t workgroup;               /* invocations of a workgroup: 32, 64, 128 or 256; 0: 64 */
    uint32_t subgroup;   /* of a subgroup, within the info's bounds; 0: the driver's choice */
    const char *shaders; /* folder of shader sources for weir_view.reload, where the device's info
                            says `reloads`; NULL: the folder that the library was built from */
    /* For weir_profile.h: */
    bool profile;           /* asks the driver about each pipeline, compiling it three times */
    bool serialize;         /* no two passes overlap, so that a time is of one pass; slower */
    bool statistics;        /* counts shader invocations */
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

/* ---- scene ---------------------------------------------------------------------------------- */

typedef struct weir_scene weir_scene;

typedef struct weir_scene_def {
    uint32_t cookie;
    weir_log log;
    const char *const *overrides; /* [override_count] "key.path=value", applied in this order */
    uint32_t override_count;
    const char *base_folder; /* where relative file names start; NULL: the scene file's folder, or
                                the one that a run.json records */
} weir_scene_def;

typedef struct weir_scene_info {
    const char *name;        /* lives as long as the scene */
    const char *description; /* likewise */
    const char *json;        /* likewise: the scene with all overrides and defaults filled in, which
                                weir_scene_parse takes; NULL without a scene */
    double frame_rate_hz;
    double duration_s;
    uint32_t frame_count;   /* frames after frame 0 */
    float spacing_m;        /* particle spacing d */
    float support_radius_m; /* h; of FLIP and APIC the edge of a cell of the grid */
    uint32_t method;        /* of the solver, by WEIR_NAMES_METHOD */
    uint32_t substeps;      /* of a frame */
    uint32_t iterations;    /* of a substep; with a tolerance the most; 0: FLIP and APIC */
    double tolerance_mean, tolerance_max; /* density error that ends the iterations; 0: none */
} weir_scene_info;

WEIR_API weir_scene_def weir_scene_def_default(void);

/* Reads a scene file, or the scene in the run.json of an output folder. Logs every fault of the
 * scene with file, line and column. A simulation keeps the scene that it was made from alive.
 * Errors: SCENE, IO, MEMORY. */
WEIR_API weir_result weir_scene_load(const char *path, const weir_scene_def *def,
                                     weir_scene **scene);

/* The same from `size` bytes of memory, which may die after the call. Errors: SCENE, MEMORY. */
WEIR_API weir_result weir_scene_parse(const char *text, size_t size, const weir_scene_def *def,
                                      weir_scene **scene);
WEIR_API void weir_scene_destroy(weir_scene **scene);

/* Zeros and empty names for a NULL scene. */
WEIR_API void weir_scene_get_info(const weir_scene *scene, weir_scene_info *info);

typedef enum weir_param_kind {
    WEIR_PARAM_NUMBER,
    WEIR_PARAM_WHOLE,
    WEIR_PARAM_SWITCH, /* 0 or 1 */
} weir_param_kind;

/* A number of a scene that overrides can change, or three that belong together. */
typedef struct weir_param {
    char key[96]; /* as overrides name it: "fluids[0].density" */
    weir_param_kind kind;
    uint32_t count; /* of values: 1 or 3 */
    double value[3];
    double min, max;   /* of each value, inclusive */
    const char *unit;  /* "m/s", "" without one; lives as long as the program */
    const char *about; /* what it is, in a few words; lives as long as the program */
    bool live;         /* weir_sim_steer can change it while the simulation runs */
    /* The methods that take other values than 0: bit m for that of weir_name(WEIR_NAMES_METHOD, m)
     */
    uint32_t methods;
} weir_param;

/* Parameter number `index`, counted from 0; false past the last. */
WEIR_API bool weir_scene_param(const weir_scene *scene, uint32_t index, weir_param *param);

/* What a scene will need. */
typedef struct weir_needs {
    bool counted;           /* false: `particles` is an upper bound */
    uint64_t particles;     /* at the start */
    uint64_t emitted_max;   /* most particles that emitters can add */
    uint64_t device_bytes;  /* of device memory */
    uint64_t frame_bytes;   /* of one PLY frame with position, velocity and id */
    double depth_m;         /* of the fluid at the start, along gravity; 0: not counted */
    double compression;     /* predicted at its floor, a fraction; 0 with FLIP and APIC */
    uint32_t firm_substeps; /* of a frame, with which it stays below 1 % */
} weir_needs;

/* Counts the particles with which the fluids start. When `device` is NULL or has no room for them,
 * gives an upper bound from the boxes of the fluids' shapes. Waits. Errors: SCENE, IO (a mesh or
 * particle file), MEMORY. */
WEIR_API weir_result weir_scene_needs(const weir_scene *scene, weir_device *device,
                                      weir_needs *needs);

/* ---- simulation ----------------------------------------------------------------------------- */

typedef struct weir_sim weir_sim;

/* What a particle has. Files and saved states rely on this order and on these types. */
typedef enum weir_field {
    WEIR_FIELD_POSITION, /* float[3], m */
    WEIR_FIELD_VELOCITY, /* float[3], m/s */
    WEIR_FIELD_ID,       /* uint32_t, unique over the whole run */
    WEIR_FIELD_FLUID,    /* uint32_t, index of the fluid in the scene */
    WEIR_FIELD_DENSITY,  /* float, kg/m3; the solids' share is included */
    WEIR_FIELD_COUNT,
} weir_field;

/* A mean density error that no fluid has: above, something crushes it. */
#define WEIR_CRUSHED_ERROR 0.1

/* Figures of the last finished frame. */
typedef struct weir_stats {
    double time_s;              /* simulated */
    uint64_t frame;             /* its number; 0: the start */
    uint64_t substep;           /* finished since the start */
    uint32_t particle_count;    /* alive */
    uint32_t substeps_in_frame; /* 0 before the first frame */
    double density_error_mean;  /* over the particles, of max(rho/rho0 - 1, 0) */
    double density_error_max;
    uint64_t iterations; /* of the density, or of the pressure on a grid, since the start */
    uint32_t iterations_in_frame; /* of all its substeps */
    uint32_t over_tolerance;      /* its substeps that ended above solver.tolerance */
    double solved_error_mean; /* with a tolerance: largest density error, mean and maximum, with */
    double solved_error_max;  /* which iterations of the frame ended; else 0 */
    double neighbours_mean;   /* per particle */
    uint32_t neighbours_max;
    double speed_max;                        /* m/s */
    double kinetic_energy, potential_energy; /* J; the latter against gravity from the origin */
    double bodies_kinetic_energy, bodies_potential_energy; /* J; with those of cloths and ropes */
    double momentum[3];                                    /* kg m/s */
    double centre_of_mass[3];                              /* m */
    uint64_t correction_caps; /* corrections cut to the solver's limit since the start */
    uint64_t speed_caps;      /* speeds cut to the solver's limit since the start */
    uint32_t non_finite;      /* particles removed because a number was not finite */
    uint32_t escaped, sunk;   /* particles removed outside the domain, and by sinks */
    uint32_t withheld, torn;  /* kept back by emitters; edges of cloths and ropes that tore */
    uint32_t reseeded, crushed_frames; /* moves by solver.reseed; above WEIR_CRUSHED_ERROR */
    uint32_t firm_substeps;        /* substeps with which predicted_compression stays below 1 % */
    double predicted_compression;  /* at the floor, a fraction; hydrostatic law in docs/equations */
    double sound_speed;            /* m/s, of the fluid as the solver makes it; docs/equations */
    double sound_ratio;            /* sound_speed / speed_max; 0 at rest. Below 10 it looks soft */
    uint32_t viscous_iterations;   /* of all viscous solves of the frame; 0 without any */
    double viscous_residual;       /* largest that one of them ended with, over its first one */
    uint32_t spray, foam, bubbles; /* whitewater alive; what was born in the frame, by cause: */
    uint32_t born_of_air, born_of_crests, born_of_curl;
    double gpu_ms;                    /* GPU time; 0 where it cannot be measured */
    double record_ms;                 /* CPU time to record and submit the frame, without waits */
    uint64_t memory_bytes;            /* device memory of this simulation */
    double memory_bytes_per_particle; /* with neighbour lists and the cells of a MAC grid or of
                                         solver.multigrid, without the sort's tables */
} weir_stats;

/* Makes the fluids' particles and uploads everything. Waits. Errors: SCENE (a fluid without
 * particles, or wholly inside a solid), IO (a mesh or particle file), MEMORY (the log says how much
 * is missing). */
WEIR_API weir_result weir_sim_create(weir_device *device, const weir_scene *scene, weir_sim **sim);
WEIR_API void weir_sim_destroy(weir_sim **sim);

/* Records and submits one frame of `seconds` (0: the scene's frame time); does not wait for it;
 * with foam in the scene it waits for the frame before. Errors: ARGUMENT (emitters would release
 * more layers than one frame can hold), DEVICE_LOST, MEMORY, UNSTABLE. The last three can be those
 * of an earlier frame; each stays until weir_sim_restore succeeds. The state can be read while
 * UNSTABLE stays, but not after the other two. */
WEIR_API weir_result weir_sim_step(weir_sim *sim, double seconds);

/* A force along a ray, such as the mouse's into the scene. */
typedef struct weir_pointer {
    float origin[3];    /* m */
    float direction[3]; /* of any length but 0 */
    float radius_m;     /* particles nearer to the ray than this are moved; above 0 */
    float acceleration; /* m/s2 at the ray, less with distance: above 0 pushes away from the ray,
                           below 0 pulls towards it; 0: no force, other fields do not matter */
} weir_pointer;

/* Fluid from an opening about three particle spacings wide. */
typedef struct weir_jet {
    float position[3];  /* m, of the opening's middle */
    float direction[3]; /* of any length but 0 */
    float speed;        /* m/s, 0 to 1000; 0: closed, other fields do not matter */
    uint32_t fluid;     /* index in the scene */
} weir_jet;

/* What acts on a running simulation from outside. Zeros: nothing. */
typedef struct weir_steering {
    const weir_scene *scene; /* the scene from now on; NULL: no change. It may differ from the scene
                                so far in parameters with weir_param.live alone: gravity,
                                iterations, viscosities and others */
    weir_pointer pointer;
    weir_jet jet;
} weir_steering;

/* Steers from the next frame on until the next call. Saved states hold neither pointer nor jet.
 * Waits when the scene changes or the jet opens for the first time. Errors: ARGUMENT (nothing has
 * changed then), also when the scene differs in parameters that are not live; those of
 * weir_sim_create. */
WEIR_API weir_result weir_sim_steer(weir_sim *sim, const weir_steering *steering);

/* Waits until all submitted frames are finished. Repeats a frame that needed a larger buffer, with
 * that buffer. Errors: those of weir_sim_step. */
WEIR_API weir_result weir_sim_wait(weir_sim *sim);

/* Particles alive after the last finished frame. Waits. Errors: those of weir_sim_wait. */
WEIR_API weir_result weir_sim_count(weir_sim *sim, uint32_t *count);

/* Copies one field of all particles, in order of particle id, into the `size` bytes at `out`: the
 * count times the size of an element. Waits. Errors: ARGUMENT for another size, those of
 * weir_sim_wait. */
WEIR_API weir_result weir_sim_read(weir_sim *sim, weir_field field, void *out, size_t size);

/* Waits. Errors: those of weir_sim_wait. */
WEIR_API weir_result weir_sim_stats(weir_sim *sim, weir_stats *stats);

/* A 64-bit hash of the time and of position, velocity, id and fluid of all particles. Equal runs on
 * one device and driver have equal hashes. Waits. Errors: those of weir_sim_wait. */
WEIR_API weir_result weir_sim_hash(weir_sim *sim, uint64_t *hash);

/* Writes the whole state into a file. A simulation of the same scene that is restored from it goes
 * on bit for bit the same on the same device and driver. Waits. Errors: IO, MEMORY, those of
 * weir_sim_wait. */
WEIR_API weir_result weir_sim_save(weir_sim *sim, const char *path);

/* Reads what weir_sim_save wrote. Waits. Errors: IO, MEMORY, ARGUMENT when the file belongs to
 * another scene or version of Weir. */
WEIR_API weir_result weir_sim_restore(weir_sim *sim, const char *path);

/* ---- gauges --------------------------------------------------------------------------------- */

/* What one of a scene's `gauges` measures. */
typedef enum weir_gauge_kind {
    WEIR_GAUGE_HEIGHT,   /* m, of the fluid along the axis of the gauge's box */
    WEIR_GAUGE_FRONT,    /* m, from the side where the axis enters the box to the farthest fluid */
    WEIR_GAUGE_PRESSURE, /* Pa */
    WEIR_GAUGE_FORCE,    /* N on the solid: x, y, z */
    WEIR_GAUGE_FLOW,     /* m3/s */
} weir_gauge_kind;

typedef struct weir_gauge {
    const char *name; /* lives as long as the scene */
    const char *unit; /* "m", "Pa", "N", "m3/s"; lives as long as the program */
    weir_gauge_kind kind;
    uint32_t components; /* 3 for a force, else 1 */
    double value[3];
} weir_gauge;

#define WEIR_WHOLE_FRAME UINT32_MAX

/* The gauges, in the order of the scene, after substep `substep`, counted from 0, of the last
 * finished frame. WEIR_WHOLE_FRAME: heights and fronts at the frame's end, the others averaged over
 * its substeps. *count: room in `gauges` on entry, gauges on return; gauges NULL asks for the count
 * alone. Waits. Errors: ARGUMENT when the frame had no such substep or before the first frame. */
WEIR_API weir_result weir_sim_gauges(weir_sim *sim, uint32_t substep, weir_gauge *gauges,
                                     uint32_t *count);

/* ---- points: particles for the mesher and the renderer --------------------------------------- */

/* Particles of one frame on the device. They do not change while the simulation goes on. */
typedef struct weir_points weir_points;

typedef struct weir_points_def {
    uint32_t cookie;
    uint32_t count;
    float spacing_m;       /* particle spacing d, above 0; no default */
    float radius_m;        /* support radius h, at least 0; 0, the default: 2 d */
    const float *position; /* [3 * count], m, finite */
    const float *velocity; /* [3 * count], m/s; NULL: none */
    const uint32_t *id;    /* [count]; NULL: none */
    const uint32_t *fluid; /* [count]; NULL: none */
    const float *density;  /* [count], kg/m3; NULL: none */
} weir_points_def;

WEIR_API weir_points_def weir_points_def_default(void);

/* Uploads particles. Of more than 32 times the density of a lattice, the rest is left out and the
 * log says how many. Errors: ARGUMENT, MEMORY. */
WEIR_API weir_result weir_points_from_host(weir_device *device, const weir_points_def *def,
                                           weir_points **points);

/* The particles of the last finished frame, in an order that is the same for equal states. Waits
 * for that frame, not for the copy. Released memory is used again, so that a loop that acquires and
 * releases takes no more. The points may outlive the simulation. Errors: MEMORY, those of
 * weir_sim_wait except UNSTABLE. */
WEIR_API weir_result weir_sim_acquire_points(weir_sim *sim, weir_points **points);

/* Gives back points of either kind, as a destroy function does. */
WEIR_API void weir_points_release(weir_points **points);

/* ---- meshes: particles to triangles ---------------------------------------------------------- */

typedef struct weir_mesher weir_mesher;
typedef struct weir_mesh weir_mesh;

typedef enum weir_mesh_field {
    WEIR_MESH_ZHU_BRIDSON, /* distance to the mean position of near particles (2005) */
    WEIR_MESH_COLOUR,      /* SPH colour field with a cubic spline, as splashsurf has it */
    WEIR_MESH_ANISOTROPIC, /* colour field of ellipsoids with smoothed centres (Yu, Turk 2013) */
} weir_mesh_field;

typedef enum weir_mesh_normals {
    WEIR_MESH_NORMALS_FIELD, /* the field's gradient */
    WEIR_MESH_NORMALS_FACES, /* mean over the triangles at a vertex, weighted by their angles */
    WEIR_MESH_NORMALS_NONE,
} weir_mesh_normals;

typedef struct weir_mesher_def {
    uint32_t cookie;
    weir_mesh_field field; /* default ZHU_BRIDSON; defaults here are those of "calibrated" */
    /* Lengths in particle spacings: */
    float cell;   /* edge of a lattice cell, 0.01 to 100; default 1 */
    float search; /* radius within which particles count, 0.1 to 100 and 1 to 32 cells; default 4 */
    float radius; /* of a particle, 0.01 to 100 (ZHU_BRIDSON); default 1.01, which keeps volumes */
    float cell_m; /* `cell` in m, 1e-9 to 1e9; 0, the default: by `cell` */
    float iso;    /* value at the surface, 0.01 to 0.99 (COLOUR, ANISOTROPIC); default 0.6 */
    float smoothing; /* share of the offset to its neighbours' mean that a centre moves, 0 to 1
                        (ANISOTROPIC); default 0.9 */
    float stretch;   /* longest over shortest axis of an ellipsoid, 1 to 16; default 4 */
    bool decider;    /* asymptotic decider on ambiguous faces; false: they always separate */
    bool damping;    /* no sheets between bodies that are near (ZHU_BRIDSON); default true */
    weir_mesh_normals normals; /* default FIELD */
    bool velocity;         /* velocities at the vertices, when the points have them; default true */
    bool attributes;       /* density and fluid at the vertices, likewise, as channels */
    bool neighbours;       /* channel "neighbours": particles within the search radius */
    uint32_t spray;        /* particles with fewer neighbours within `search` leave the surface */
    uint64_t memory_bytes; /* most device memory of the mesher; 0: half of the device's */
} weir_mesher_def;

/* `preset`: "calibrated" (also NULL), "zhu-bridson" (the paper's wide search radius, which loses
 * volume), "sph" (splashsurf's recommended settings) or "anisotropic". weir_mesher_create refuses
 * the def of any other preset. */
WEIR_API weir_mesher_def weir_mesher_def_default(const char *preset);

/* A mesher keeps its buffers from frame to frame. Errors: ARGUMENT, MEMORY. */
WEIR_API weir_result weir_mesher_create(weir_device *device, const weir_mesher_def *def,
                                        weir_mesher **mesher);
WEIR_API void weir_mesher_destroy(weir_mesher **mesher);

/* Makes the mesh of one frame. Waits. The lattice has a node at each whole multiple of the cell, so
 * that it does not move with the fluid. No particles give an empty mesh. The same particles in any
 * order (ANISOTROPIC: in the same order) give the same bytes. A frame that does not fit into the
 * memory is meshed in parts, with the same result. Errors: MEMORY (the log says how much is
 * missing), ARGUMENT (particles too far apart for the cell), DEVICE_LOST. */
WEIR_API weir_result weir_mesher_run(weir_mesher *mesher, const weir_points *points,
                                     weir_mesh **mesh);

typedef struct weir_mesh_channel {
    const char *name;    /* "density", "fluid" or "neighbours" */
    uint32_t components; /* 1 to 3 */
    const float *values; /* [vertex_count * components] */
} weir_mesh_channel;

/* The arrays of a mesh. They live until the mesh is refined or destroyed. */
typedef struct weir_mesh_view {
    uint32_t vertex_count, triangle_count;
    const float *position; /* [3 * vertex_count], m */
    const float *normal;   /* [3 * vertex_count], of length 1, outwards; NULL: none */
    const float *velocity; /* [3 * vertex_count], m/s; NULL: none */
    const uint32_t *index; /* [3 * triangle_count], counter-clockwise as seen from outside */
    uint32_t channel_count;
    weir_mesh_channel channel[8];
    uint32_t spray_count;        /* particles that left the surface */
    const float *spray_position; /* [3 * spray_count], m */
    const float *spray_velocity; /* [3 * spray_count], m/s; NULL: none */
    float spray_radius_m;        /* of a ball with the volume of one particle */
} weir_mesh_view;

/* Zeros for a NULL mesh. */
WEIR_API void weir_mesh_get(const weir_mesh *mesh, weir_mesh_view *view);
WEIR_API void weir_mesh_destroy(weir_mesh **mesh);

typedef enum weir_mesh_format {
    WEIR_MESH_OBJ,  /* text: positions, normals, triangles; it cannot hold velocities */
    WEIR_MESH_PLY,  /* binary little-endian; velocity as vx vy vz, m/s */
    WEIR_MESH_VTK,  /* legacy binary polydata, with a .vtk.series beside the frames */
    WEIR_MESH_BGEO, /* version 5, gzip: P N v, for Houdini's motion blur */
    WEIR_MESH_FORMAT_COUNT,
} weir_mesh_format;

/* A turn by a right angle about x, when a file has another direction up. */
typedef enum weir_turn {
    WEIR_TURN_NONE,
    WEIR_TURN_Y_TO_Z, /* y is up in memory, z in the file */
    WEIR_TURN_Z_TO_Y, /* z is up in memory, y in the file */
} weir_turn;

/* ---- refining a mesh ------------------------------------------------------------------------ */

typedef enum weir_mesh_smoothing {
    WEIR_MESH_SMOOTHING_NONE,
    WEIR_MESH_SMOOTHING_TAUBIN,  /* does not flatten waves that are longer than a few cells */
    WEIR_MESH_SMOOTHING_LAPLACE, /* flattens more, but each component keeps its volume */
} weir_mesh_smoothing;

/* Settings of the steps, in the order in which they run. Each step leaves a closed 2-manifold
 * closed and 2-manifold. */
typedef struct weir_mesh_refine_def {
    uint32_t cookie;
    bool clean; /* removes slivers: joins vertices near one lattice node, flips edges; default on */
    float cell_m; /* edge of a lattice cell, at least 0; 0, the default: as the mesh was made */
    weir_mesh_smoothing smoothing; /* default LAPLACE */
    uint32_t smooth_iterations;    /* 0 to 1000; default 8 */
    float smooth_strength;   /* share of the offset to the neighbours' mean, 0 to 1; default 0.5 */
    float smooth_neighbours; /* a vertex with this many "neighbours" or more moves by all of that
                                share, with fewer by less, so that drops keep their shape; needs
                                the channel of that name and removes it; at least 0, default 13 */
    uint32_t min_triangles;  /* smaller components are removed; default 0 */
    double min_volume_m3;    /* components of less volume are removed; at least 0, default 0 */
    bool remove_voids;       /* removes closed hollows inside components */
    double keep_ratio;       /* share of the triangles to keep in decimation, 0 to 1; default 1 */
    uint32_t max_triangles;  /* most triangles to keep in decimation; default UINT32_MAX */
    float decimate_error_m;  /* decimation stops at this error; 0, the default: at none */
    const weir_scene *scene; /* its solids and closed domain sides stop vertices; NULL: nothing
                                does; it must live until the mesh has been refined */
    double time_s;           /* at which moving solids have their positions; default 0 */
    float solid_band_m;      /* vertices nearer to a solid move to it; 0, the default: one cell */
    float solid_offset_m;    /* their distance then: 0, the default, touches; below 0 overlaps */
    bool clamp;              /* moves vertices outside the box below onto it */
    float box_min[3], box_max[3]; /* m */
    weir_mesh_normals normals;    /* default FACES; FIELD keeps them though vertices have moved */
    uint32_t normal_iterations;   /* how often normals are averaged with those of neighbours, 0 to
                                     1000; default 0 */
} weir_mesh_refine_def;

WEIR_API weir_mesh_refine_def weir_mesh_refine_def_default(void);

/* What the steps did. */
typedef struct weir_mesh_refine_info {
    uint32_t triangles_before, triangles_after;
    double volume_before, volume_after; /* m3 */
    uint32_t edges_collapsed, edges_flipped;
    uint32_t flat_triangles;    /* removed with components that had no volume left */
    uint32_t components, voids; /* before the removal; 0 when the def removes none */
    uint32_t components_removed, voids_removed;
    uint32_t decimated;     /* triangles that decimation removed */
    uint32_t cuts;          /* vertices doubled because the decimated mesh touched itself there */
    float decimate_error_m; /* an estimate */
    uint32_t snapped;       /* vertices moved to solids */
    uint32_t clamped;       /* vertices moved onto the box */
    uint32_t degenerate;    /* triangles without area that are left */
} weir_mesh_refine_info;

/* Changes the mesh; a weir_mesh_view from before is no longer valid. `info` may be NULL. The same
 * mesh and def give the same bytes, with any number of processors. Any thread when `def->scene` is
 * NULL. Waits for the solids, if any. Errors: ARGUMENT, MEMORY, UNSUPPORTED (decimation without
 * meshoptimizer), IO (a solid's mesh file); the mesh can still be used. */
WEIR_API weir_result weir_mesh_refine(weir_mesh *mesh, const weir_mesh_refine_def *def,
                                      weir_mesh_refine_info *info);

/* ---- pictures -------------------------------------------------------------------------------- */

typedef struct weir_renderer weir_renderer;
typedef struct weir_image weir_image;

/* What a picture shows. */
typedef enum weir_mode {
    WEIR_MODE_SURFACE,    /* the fluid's surface, shaded */
    WEIR_MODE_ELLIPSOIDS, /* opaque ellipsoids fitted to the particles' neighbourhoods */
    WEIR_MODE_PARTICLES,  /* spheres as wide as the particle spacing */
    WEIR_MODE_MESH,       /* the triangles, opaque; for weir_render_mesh alone */
    /* What the passes of SURFACE work with: */
    WEIR_MODE_DEPTH,    /* of the ellipsoids, before the filter */
    WEIR_MODE_FILTERED, /* the same after the filter */
    WEIR_MODE_THICKNESS,
    WEIR_MODE_NORMALS,
    WEIR_MODE_SHADOW, /* the fluid's thickness as seen from the sun */
    WEIR_MODE_BACKGROUND,
    WEIR_MODE_COUNT,
} weir_mode;

/* What the colour of ellipsoids and particles shows. SPEED needs points with velocity, DENSITY
 * points with density. LAMBDA needs points of a simulation that has begun no step since. */
typedef enum weir_colouring {
    WEIR_COLOUR_FLUID,
    WEIR_COLOUR_SPEED,
    WEIR_COLOUR_DENSITY, /* density / rest density - 1 */
    WEIR_COLOUR_ID,
    WEIR_COLOUR_NEIGHBOURS,
    WEIR_COLOUR_LAMBDA, /* the solver's lambda, m2; 0 before the first step and with PCISPH */
    WEIR_COLOUR_COUNT,
} weir_colouring;

/* How the depth of the ellipsoids becomes a smooth surface. */
typedef enum weir_filter {
    WEIR_FILTER_NARROW_RANGE,
    WEIR_FILTER_BILATERAL,
    WEIR_FILTER_CURVATURE_FLOW,
    WEIR_FILTER_NONE,
    WEIR_FILTER_COUNT,
} weir_filter;

/* How ellipsoids become pixels. The pictures are the same. */
typedef enum weir_splatter {
    WEIR_SPLATTER_AUTO,    /* the faster of the two on this device */
    WEIR_SPLATTER_DRAW,    /* by the graphics pipeline */
    WEIR_SPLATTER_COMPUTE, /* by compute shaders */
    WEIR_SPLATTER_COUNT,
} weir_splatter;

typedef struct weir_view {
    uint32_t cookie;
    float eye[3], target[3];  /* m, at different points */
    float up[3];              /* not along the line of sight; default +y */
    float fov_y_degrees;      /* angle that the picture's height covers, 1 to 150; default 40 */
    float near_m;             /* nothing nearer is shown; 0, the default: chosen from the spacing */
    uint32_t width, height;   /* pixels, 1 to 16384; default 1280 x 720 */
    uint32_t samples;         /* along each side of a pixel, 1 to 4; default 1 */
    weir_mode mode;           /* default SURFACE */
    weir_colouring colouring; /* default FLUID */
    float range[2];   /* that the colours of values, depth or thickness span; equal: chosen */
    double time_s;    /* at which moving solids have their positions */
    float aperture_m; /* of a lens that is sharp at the target's distance; default 0: everywhere */
    float shutter_s;  /* how long it is open, half of it before time_s; default 0: an instant */
    uint32_t exposures; /* pictures whose mean lens and shutter make, 1 to 256; default 32 */
    bool transparent;   /* no sky and floor; alpha is the share of a pixel that is covered */
    bool legend;        /* shows the colours' scale in modes that have one; default true */
    bool shadows;       /* default true */
    bool whitewater;    /* shows that of scenes with foam, on surfaces; default true */
    bool light;         /* the image keeps linear light too, for EXR files: weir_picture.h */
    float exposure;     /* brightness, 0 to 1000; 0: no tone curve; default the scene's, else 1 */
    weir_filter filter; /* default NARROW_RANGE */
    uint32_t filter_passes; /* along x and y, or steps of CURVATURE_FLOW; 0: the usual number */
    float filter_size;      /* standard deviation in particle spacings, 0 to 10; default 1 */
    weir_splatter splatter; /* default AUTO */
    const struct weir_slice *slice; /* drawn, without the fluid before it, and has the colours'
                                       range and scale; weir_profile.h; NULL, the default: none */
    bool reload; /* first compiles shaders that changed; one with a fault is logged and not used */
} weir_view;

/* By the scene's camera at 0 s, else from where the whole domain is seen. `scene` may be NULL. */
WEIR_API weir_view weir_view_default(const weir_scene *scene);

typedef struct weir_renderer_def {
    uint32_t cookie;
    const weir_scene *scene; /* gives solids, colours, look; is kept alive; NULL: only the fluid */
    const char *environment; /* Radiance .hdr file of all light; NULL: the scene's, or a sky */
} weir_renderer_def;

WEIR_API weir_renderer_def weir_renderer_def_default(void);

/* Errors: UNSUPPORTED (the device cannot draw), IO (a solid's mesh, the environment), MEMORY. */
WEIR_API weir_result weir_renderer_create(weir_device *device, const weir_renderer_def *def,
                                          weir_renderer **renderer);
WEIR_API void weir_renderer_destroy(weir_renderer **renderer);

/* Draws points; NULL shows the scene without fluid. *image is NULL for a new image, or an image of
 * the same device to draw into. Does not wait; reading or saving the image does. The points may be
 * released at once. Errors: ARGUMENT (the log names the view's field), MEMORY, DEVICE_LOST. */
WEIR_API weir_result weir_render_points(weir_renderer *renderer, const weir_points *points,
                                        const weir_view *view, weir_image **image);

/* Draws a mesh, as a fluid's surface or, with WEIR_MODE_MESH, opaque; otherwise like
 * weir_render_points. A mesh without normals is shown with those of its triangles. Errors: ARGUMENT
 * also for modes that show particles. */
WEIR_API weir_result weir_render_mesh(weir_renderer *renderer, const weir_mesh *mesh,
                                      const weir_view *view, weir_image **image);

/* *pixels: [height][width][4] bytes, red, green, blue, alpha; top row first; sRGB, not multiplied
 * by alpha; alive until the image is read again or destroyed. Waits. Errors: MEMORY, DEVICE_LOST */
WEIR_API weir_result weir_image_read(weir_image *image, uint32_t *width, uint32_t *height,
                                     const uint8_t **pixels);

/* Writes a PNG file, or light into a .exr, whole or not at all. Waits. Errors: ARGUMENT (.exr of an
 * image without light), IO, MEMORY, UNSUPPORTED (weir_saves_exr), DEVICE_LOST. */
WEIR_API weir_result weir_image_save(weir_image *image, const char *path);
WEIR_API void weir_image_destroy(weir_image **image);

/* ---- output folders ------------------------------------------------------------------------- */

typedef enum weir_format {
    WEIR_FORMAT_PLY,  /* binary little-endian */
    WEIR_FORMAT_VTK,  /* legacy binary, with a .vtk.series beside the frames */
    WEIR_FORMAT_BGEO, /* version 5, gzip */
    WEIR_FORMAT_XYZ,  /* text, one particle a line */
    WEIR_FORMAT_NPY,  /* one float32 array, [particles][components] */
    WEIR_FORMAT_RAW,  /* float32 x y z of each particle, little-endian, without a header */
    WEIR_FORMAT_COUNT,
} weir_format;

typedef struct weir_output weir_output;

typedef struct weir_output_def {
    uint32_t cookie;
    weir_log log;
    const char *folder;   /* made when missing; no default */
    weir_format format;   /* of particles; default PLY */
    uint32_t fields;      /* bit (1u << field) for each; position is always written, and by RAW
                             alone; default position, velocity and id */
    uint32_t start_frame; /* number of frame 0 in file names; default 0 */
    uint32_t first_frame; /* particles and meshes of earlier frames are not written; default 0 */
    uint32_t last_frame;  /* nor those of later frames; default UINT32_MAX */
    bool y_up;            /* true, the default: as simulated; false: turned so that z is up */
    double scale;         /* factor of positions and velocities, above 0; default 1 */
    bool particles;       /* writes particles/particles_0001.ply and so on; default true. The
                             whitewater of scenes with foam becomes foam/foam_0001.ply and so on */
    bool mesh;            /* makes and writes mesh/surface_0001.obj and so on */
    weir_mesh_format mesh_format; /* default OBJ */
    weir_mesher_def mesher;       /* its spray becomes mesh/spray_0001.ply and so on */
    bool mesh_refine;             /* refines meshes before they are written; default true */
    bool mesh_solids;             /* refining takes the scene's solids into account */
    weir_mesh_refine_def refine;  /* its scene and time_s are filled in when mesh_solids is set */
    bool gauge_substeps;          /* gauges.csv has a line per substep; false: per frame */
    bool resume; /* keeps the lines of stats.csv up to the current frame; false: starts anew */
} weir_output_def;

WEIR_API weir_output_def weir_output_def_default(void);

/* Reads the settings that a run.json records: all but `log`, `folder` and `resume`. Leaves the def
 * unchanged when the file is no run.json but a scene. Errors: IO, also when a setting is missing or
 * wrong. */
WEIR_API weir_result weir_output_def_read(const char *path, weir_output_def *def);

/* Opens an output folder and writes run.json, from which weir_scene_load and weir_output_def_read
 * repeat the run. A thread of the output writes frames while the simulation goes on. A file appears
 * whole or not at all. Waits. Destroy the output before the simulation. Errors: IO, MEMORY,
 * UNSUPPORTED, those of weir_sim_wait. */
WEIR_API weir_result weir_output_create(const weir_output_def *def, weir_sim *sim,
                                        weir_output **output);

/* Queues the last finished frame and its lines of stats.csv and gauges.csv. Waits, also for room in
 * the queue. Errors: IO, MEMORY, also of an earlier frame; those of weir_sim_wait. */
WEIR_API weir_result weir_output_frame(weir_output *output);

/* Waits until what is queued has been written. A frame that could not be written has stayed in the
 * queue and is tried once more. Errors: IO, MEMORY, of any frame. */
WEIR_API weir_result weir_output_finish(weir_output *output);

/* Finishes, then says in run.json that the run is complete. Errors: IO, MEMORY. */
WEIR_API weir_result weir_output_complete(weir_output *output);

/* Finishes first; errors are then in the log alone. */
WEIR_API void weir_output_destroy(weir_output **output);

/* ---- files ---------------------------------------------------------------------------------- */

typedef enum weir_file_kind {
    WEIR_FILE_UNKNOWN,
    WEIR_FILE_SCENE,
    WEIR_FILE_PARTICLES,
    WEIR_FILE_MESH,
} weir_file_kind;

/* Decides by the extension; a PLY, VTK or BGEO file is a mesh when it has faces. UNKNOWN also for a
 * file that is missing. */
WEIR_API weir_file_kind weir_file_detect(const char *path);

typedef struct weir_particles_info {
    uint32_t count;
    uint32_t fields;            /* bit (1u << field) for each that the file has */
    float min[3], max[3];       /* m, of the positions; 0 without particles */
    float speed_min, speed_max; /* m/s; 0 without velocities */
    float speed_mean;           /* likewise */
} weir_particles_info;

/* Reads and measures a particle file: PLY, VTK, VTU, VTP, BGEO, XYZ, CSV with a header, NPY, or raw
 * float32. `log` may be NULL. Errors: IO, MEMORY. */
WEIR_API weir_result weir_particles_inspect(const weir_log *log, const char *path,
                                            weir_particles_info *info);

/* What is right and wrong with a triangle mesh. Lengths, areas and volumes in the mesh's units. */
typedef struct weir_mesh_info {
    uint32_t vertices, triangles;
    float min[3], max[3];          /* of the vertices; 0 without vertices */
    bool closed;                   /* it has no boundary edges */
    bool manifold;                 /* it has no non-manifold edges or vertices */
    bool oriented;                 /* it has no flipped edges and no component inside out */
    uint32_t boundary_edges;       /* edges of one triangle: the rims of holes */
    uint32_t nonmanifold_edges;    /* edges of more than two triangles */
    uint32_t nonmanifold_vertices; /* their triangles are more than one fan, as where cones touch */
    uint32_t flipped_edges;        /* their two triangles disagree on which side is outside */
    uint32_t components;           /* parts that share no vertex, voids included */
    uint32_t voids;                /* closed components, wound inwards, inside another component */
    uint32_t inside_out;           /* closed components, wound inwards, inside no other */
    int64_t euler;                 /* used vertices - edges + triangles: a sphere 2, a torus 0 */
    uint32_t degenerate_triangles; /* a vertex twice, or area below 1e-7 of the longest edge^2 */
    uint32_t duplicate_triangles;  /* with the three vertices of an earlier one */
    uint32_t duplicate_vertices;   /* at exactly the position of an earlier one */
    uint32_t unused_vertices;
    double volume, area; /* the volume is signed, and has no meaning when the mesh is not closed */
    /* Over the triangles that are not degenerate, 0 without any. Of each triangle's smallest angle,
     * degrees to within 0.01: the least, the 1st and 5th percentile, the mean; then the shares of
     * triangles, 0 to 1, where it is below 5, 10 and 20 degrees. */
    double angle_min, angle_p1, angle_p5, angle_mean;
    double angle_below_5, angle_below_10, angle_below_20;
    double quality_mean, quality_p5; /* 2 inradius / circumradius; equilateral: 1 */
    double aspect_mean, aspect_p95;  /* longest edge / (2 sqrt 3 inradius); equilateral: 1 */
} weir_mesh_info;

/* Reads and measures a file with a triangle mesh: OBJ, PLY, STL, VTK or BGEO. `log` may be NULL.
 * Errors: IO, MEMORY. */
WEIR_API weir_result weir_mesh_inspect(const weir_log *log, const char *path, weir_mesh_info *info);

typedef struct weir_mesh_save_def {
    uint32_t cookie;
    weir_mesh_format format; /* WEIR_MESH_FORMAT_COUNT, the default: by the path's extension */
    weir_turn turn;          /* default NONE */
    double scale;            /* factor of positions and velocities, above 0; default 1 */
    float precision_m;       /* OBJ: positions are rounded to such steps or finer; 0, the default: a
                                ten-thousandth of a cell */
    uint32_t threads; /* that make the file, always with the same bytes; 0: one per processor */
    double time_s;    /* of the frame; written into the file and into a .vtk.series */
} weir_mesh_save_def;

WEIR_API weir_mesh_save_def weir_mesh_save_def_default(void);

/* Writes a mesh, whole or not at all; makes the folder when it is missing. Adds a VTK file whose
 * name ends in a number to the .vtk.series of its sequence. Any thread. Errors: ARGUMENT (the
 * extension names no mesh format), IO, MEMORY. */
WEIR_API weir_result weir_mesh_save(weir_mesh *mesh, const char *path,
                                    const weir_mesh_save_def *def);

/* Writes the particles that left the surface (weir_mesher_def.spray) as points with a radius (in
 * PLY and VTK "radius", in BGEO pscale), turned and scaled like the mesh. The path's extension says
 * the weir_format. Any thread. Errors: ARGUMENT (the extension names none), IO, MEMORY. */
WEIR_API weir_result weir_mesh_save_spray(weir_mesh *mesh, const char *path,
                                          const weir_mesh_save_def *def);

/* Reads the files that weir_mesh_inspect reads, for weir_render_mesh and weir_mesh_get; `turn` and
 * `scale`, above 0, are applied. Normals are the file's (OBJ), else round where faces meet at less
 * than 40 degrees and hard elsewhere: a vertex there becomes several. Errors: IO, MEMORY. */
WEIR_API weir_result weir_mesh_load(weir_device *device, const char *path, weir_turn turn,
                                    double scale, weir_mesh **mesh);

/* The particles of a file, in the host's memory, as weir_points_from_host takes them. */
typedef struct weir_particles {
    weir_points_def points; /* its arrays live until weir_particles_free */
    bool spacing_estimated; /* points.spacing_m is an estimate */
    double time_s;          /* 0 when the file names none */
    void *held;             /* Weir's own */
} weir_particles;

/* Reads the files that weir_particles_inspect reads. points.spacing_m is twice the radius that the
 * file names (BGEO's pscale, a comment "radius_m="), else an estimate from how densely the
 * particles lie; 0 with fewer than two particles. `log` may be NULL. Errors: IO, MEMORY;
 * `particles` is then empty. */
WEIR_API weir_result weir_particles_load(const weir_log *log, const char *path,
                                         weir_particles *particles);
WEIR_API void weir_particles_free(weir_particles *particles);

#ifdef __cplusplus
}
#endif
#endif
