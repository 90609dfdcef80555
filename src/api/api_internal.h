/* api: what the files of this room share. */
#ifndef WEIR_API_INTERNAL_H
#define WEIR_API_INTERNAL_H

#include "deformable_meshes.h"
#include "gpu.h"
#include "mesher.h"
#include "scene.h"
#include "sim.h"

#include <stdatomic.h>

/* The door's guard: names the function of the door, but no helper behind it, and the rule that the
 * caller broke. */
static inline weir_result api_argument_error(const weir_log *log, const char *function,
                                             const char *rule)
{
    bool public = strncmp(function, "weir_", 5) == 0;
    return base_fail(log, WEIR_ERROR_ARGUMENT, "%s%s%s", public ? function : "", public ? ": " : "",
                     rule);
}
#define WEIR_REQUIRE(log, condition, rule)                                    \
    do {                                                                      \
        if (!(condition)) return api_argument_error((log), __func__, (rule)); \
    } while (0)
#define WEIR_REQUIRE_NOT_NULL(log, pointer) \
    WEIR_REQUIRE(log, pointer, "`" #pointer "` must not be NULL")
/* An out-parameter for a new object: NULL until the object is complete. */
#define WEIR_REQUIRE_OUT(log, out)       \
    do {                                 \
        WEIR_REQUIRE_NOT_NULL(log, out); \
        *(out) = NULL;                   \
    } while (0)
/* A def that weir_KIND_def_default() has made. */
#define WEIR_REQUIRE_DEF(log, def, mark, kind)                              \
    do {                                                                    \
        WEIR_REQUIRE_NOT_NULL(log, def);                                    \
        WEIR_REQUIRE(log, (def)->cookie == (mark),                          \
                     "the def must come from weir_" kind "_def_default()"); \
    } while (0)

/* The marks that *_def_default leaves, one per kind of def. */
#define API_HOST_COOKIE 0x57454101u
#define API_SUBMIT_COOKIE 0x57455501u
#define API_TARGET_COOKIE 0x57457401u
#define API_DRAWING_COOKIE 0x57456401u
#define API_DEVICE_COOKIE 0x57454401u
#define API_SCENE_COOKIE 0x57455301u
#define API_MESHER_COOKIE 0x57454d01u
#define API_MESHER_UNKNOWN_PRESET 0x57454d00u
#define API_OUTPUT_COOKIE 0x57454f01u
#define API_POINTS_COOKIE 0x57455001u
#define API_MESH_SAVE_COOKIE 0x57456601u
#define API_REFINE_COOKIE 0x57455201u

typedef struct scene_distance scene_distance;
typedef struct api_whitewater api_whitewater;

/* Where bodies, or the solids of a scene, were when points were taken of a simulation. */
typedef struct api_poses {
    scene_pose *poses; /* [count] */
    uint32_t count;
} api_poses;

/* What is made from a device, and goes before it. */
typedef enum api_child {
    API_SIM,
    API_POINTS,
    API_MESHER,
    API_MESH,
    API_WHITEWATER,
    API_PROBE,
    API_DENSITY_SOLVER,
    API_RENDERER,
    API_IMAGE,
    API_PRESENTER,
    API_TARGET,
    API_CHILDREN,
} api_child;

struct weir_device {
    gpu_device *gpu;
    base_trace *trace;      /* or NULL */
    scene_distance *solids; /* of the last scene that a mesh rested against: scene_distance.h */
    atomic_uint children[API_CHILDREN];
};

/* For a new child, which gives the device back when it is destroyed. */
static inline weir_device *api_device_add_child(weir_device *device, api_child child)
{
    device->children[child]++;
    return device;
}

static inline void api_device_remove_child(weir_device *device, api_child child)
{
    device->children[child]--;
}

/* Shared by the caller's handle and by every simulation made from it. */
struct weir_scene {
    atomic_uint reference_count;
    weir_log log;
    char *folder; /* where relative file names start; absolute, so that run.json works anywhere */
    scene_data *data;
};

/* Slots that wait for their next use. Held by the simulation and by each of its points. */
#define API_IDLE_SLOTS 3u
typedef struct api_slots {
    uint32_t reference_count;
    uint32_t count;
    sim_world *world; /* the simulation's; NULL when that is gone */
    uint64_t steps;   /* that it has begun */
    sim_snapshot free[API_IDLE_SLOTS];
    gpu_buffer *whitewater[API_IDLE_SLOTS]; /* beside each of them; NULL: none */
} api_slots;

struct weir_points {
    weir_device *device;
    api_slots *slots;  /* where the buffers go back to; NULL: nowhere */
    sim_snapshot slot; /* counts and bodies are those of points that a step left */
    bool stepped;      /* it did: */
    bool counts_known; /* the slot's count is exact, and `bodies` are where they were */
    uint64_t steps;    /* that the simulation had begun when they were taken */
    vec3 min, max;     /* m: a box that holds them; min above max without points */
    api_poses bodies;
    api_deformable_meshes deformables;
    api_poses solids;       /* of which the steered ones are meant; none: the scene has none */
    gpu_buffer *whitewater; /* struct whitewater_particle[]; NULL: none has been needed */
    uint32_t whitewater_count;
};

struct weir_mesher {
    weir_device *device;
    mesher *core;
};

struct weir_mesh {
    weir_device *device;
    float cell_m; /* of the lattice that it was made on */
    mesher_surface surface;
    mesher_spray spray;
    api_poses bodies, solids;          /* of the points */
    api_deformable_meshes deformables; /* likewise */
};

struct weir_sim {
    weir_device *device;
    weir_scene *scene;
    sim_world *world;
    api_slots *slots;
    api_whitewater *whitewater; /* NULL: the scene has no foam */
};

/* Where they are in the slot, or with NULL after the last frame. Errors: MEMORY, those of sim_wait.
 */
weir_result api_read_body_poses(sim_world *world, const sim_snapshot *slot, api_poses *bodies);
/* Bodies of stored frames, where a caller says. */
typedef struct api_posed_bodies {
    struct body_mass_properties
        *figures;     /* of the scene's bodies; NULL until they are placed first */
    api_poses bodies; /* none: nobody says where they are */
} api_posed_bodies;
typedef struct api_pose_def {
    const weir_log *log;
    const scene_data *scene;
    const struct weir_body_pose *poses;
    uint32_t count;
} api_pose_def;
/* Errors: ARGUMENT (another number than the scene has, what is no pose). */
weir_result api_pose_def_check(const api_pose_def *placing);
/* Errors: those of body_compute_mass_properties. */
struct solid_set;
weir_result api_set_body_poses(const api_pose_def *placing, const struct solid_set *solids,
                               api_posed_bodies *posed_bodies);
void api_posed_bodies_free(api_posed_bodies *posed_bodies);
/* Where steered solids are at the end of the last frame that has begun. Errors: MEMORY. */
weir_result api_read_driven_poses(const sim_world *world, api_poses *solids);
weir_result api_poses_copy(const api_poses *from, api_poses *to);
void api_poses_free(api_poses *poses);
/* A rotation is a quaternion. Errors: ARGUMENT, by the name of what stands there. */
weir_result api_pose_check(const weir_log *log, const char *name, const float position[3],
                           const float rotation[4]);
void scene_distance_destroy(weir_device *device, scene_distance **solids);
void api_scene_retain(weir_scene *scene);
/* Frees the scene when no one else holds it. */
void api_scene_release(weir_scene *scene);
/* Lets go of the slots; the last holder frees them. */
void api_slots_release(weir_device *device, api_slots **slots);
/* New points with a slot of the simulation. NULL: no memory. */
weir_points *api_points_from_sim(weir_sim *sim);
/* Makes what a step left known to the host. Waits when it is not. */
weir_result api_points_wait_counts(weir_points *points);
struct weir_vulkan_submit;
/* Errors: ARGUMENT, in the name of the function `who`. NULL is right. */
weir_result api_submit_check(const weir_log *log, const char *who,
                             const struct weir_vulkan_submit *submit);
/* weir_sim_step; sim_step_with_snapshot says what the others are. */
weir_result api_sim_step(weir_sim *sim, double seconds, sim_snapshot *slot,
                         const struct weir_vulkan_submit *submission);
/* Makes the points hold lambda. Errors: ARGUMENT when it is no longer known; MEMORY. */
weir_result api_points_read_lambda(weir_points *points);
/* The log of the device; NULL without a device. */
const weir_log *api_log(const weir_device *device);
const weir_log *api_sim_log(const weir_sim *sim);
/* Fills a buffer of 16-byte vectors: three floats of `from` each, then `w`. */
weir_result api_upload_vectors(weir_device *device, gpu_buffer *buffer, const float *from, float w);
/* The points without those that lie where too many others do; warns with their number. `thinned` is
 * `def` where none do. In time linear in the points. Release with points_thinned_free. Errors:
 * MEMORY.
 */
weir_result points_thin(const weir_log *log, const weir_points_def *def, weir_points_def *thinned);
void points_thinned_free(const weir_points_def *def, weir_points_def *thinned);
/* The box that holds the positions; min above max without any. */
void points_bounding_box(const vec3 *positions, size_t count, vec3 *min, vec3 *max);
/* Letters of either case; `extension` has small ones and no dot. */
bool api_has_extension(const char *path, const char *extension);
/* The value of a file format's enumeration that the path's extension names; false without one. */
bool api_format_from_extension(const char *path, weir_enum formats, uint32_t *format);
/* The particle spacing: the edge of the cube that a particle has to itself inside the cloud, by
 * density, not by nearest neighbours, so that jittered particles count like a lattice; 0 where it
 * cannot be estimated. The same for equal input. Errors: MEMORY. */
weir_result points_estimate_spacing(const weir_log *log, const vec3 *position, uint32_t count,
                                    float *spacing_m);
/* Writes "surface.vtk.series", ParaView's list of a sequence, for the file "surface_0001.vtk" that
 * has just appeared: all frames of its sequence that are in the folder, whoever wrote them. Does
 * nothing for a name without a number. Errors: IO, MEMORY. */
weir_result io_vtk_series_update(const weir_log *log, const char *path, double time_s);

#endif
