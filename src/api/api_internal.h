/* api: declarations shared by the files of this module. */
#ifndef WEIR_API_INTERNAL_H
#define WEIR_API_INTERNAL_H

#include "api_require.h"
#include "deformable_meshes.h"
#include "gpu.h"
#include "mesher.h"
#include "scene_query.h"
#include "sim.h"
#include "sim_team.h"
#include "weir/ranks.h"

#include <stdatomic.h>

typedef struct io_particles io_particles;

typedef struct scene_distance scene_distance;
typedef struct api_whitewater api_whitewater;

/* Poses of the bodies or solids of a scene at the time that points were acquired. */
typedef struct api_poses {
    scene_pose *poses; /* [count] */
    uint32_t count;
} api_poses;

/* Kinds of objects created from a device, which must be destroyed before it. */
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
    scene_distance *solids; /* solids last used by weir_mesh_refine: scene_distance.h */
    uint64_t points_made;   /* the version of the newest points */
    uint64_t meshes_made;   /* the version of the newest triangles */
    atomic_uint children[API_CHILDREN];
};

/* Counts a new child of the device and returns the device; api_device_remove_child undoes it. */
static inline weir_device *api_device_add_child(weir_device *device, api_child child)
{
    device->children[child]++;
    return device;
}

static inline void api_device_remove_child(weir_device *device, api_child child)
{
    device->children[child]--;
}

/* Reference-counted: shared by the caller's handle and every object that keeps the scene alive. */
struct weir_scene {
    atomic_uint reference_count;
    weir_log log;
    char *folder; /* absolute folder of relative file names, so that run.json works anywhere */
    scene_data *data;
    _Atomic(scene_subject *) subject; /* NULL until a picture needs it */
};

/* Pool of unused snapshots. Reference-counted by the simulation and each of its points. */
#define API_IDLE_SLOTS 3u
typedef struct api_snapshot_pool {
    uint32_t reference_count;
    uint32_t count;
    sim_world *world; /* NULL once the simulation has been destroyed */
    uint64_t steps;   /* changes of the state so far: steps, writes and restores */
    sim_snapshot free[API_IDLE_SLOTS];
    gpu_buffer *whitewater[API_IDLE_SLOTS]; /* of each unused snapshot; NULL: none */
} api_snapshot_pool;

struct weir_points {
    weir_device *device;
    api_snapshot_pool *slots; /* pool that the buffers return to; NULL: they are destroyed */
    sim_snapshot slot;        /* its counts and bodies are used only with `stepped` */
    bool stepped;             /* created by weir_vulkan_step */
    bool counts_known; /* with `stepped`: the count and `bodies` have been read from the device */
    uint64_t steps;    /* slots->steps when the points were acquired */
    uint64_t version;  /* differs for all points of the device; 0 with `stepped` */
    vec3 min, max;     /* m: bounding box; min above max without points */
    api_poses bodies;
    api_deformable_meshes deformables;
    api_poses solids;       /* only those of host-driven solids are used; empty without any */
    gpu_buffer *whitewater; /* struct whitewater_particle[]; NULL: none so far */
    uint32_t whitewater_count;
    weir_scene *scene; /* of the simulation that they were acquired from; NULL: none */
    double time_s;     /* with a scene */
};

struct weir_mesher {
    weir_device *device;
    mesher *core;
    bool raw;                  /* of the def */
    weir_mesh_normals normals; /* of the def */
};

struct weir_mesh {
    weir_device *device;
    uint64_t version; /* of the triangles; differs for all meshes of the device */
    float cell_m;     /* edge of a voxel, m */
    mesher_surface surface;
    mesher_spray spray;
    api_poses bodies, solids;          /* copied from the points */
    api_deformable_meshes deformables; /* copied from the points */
    gpu_buffer *whitewater;            /* struct whitewater_particle[]; NULL: none */
    uint32_t whitewater_count;
};

struct weir_comm {
    comm *ranks;
    weir_comm_info info;
    bool has_served; /* a simulation was created and destroyed on all ranks */
};

struct weir_sim {
    weir_device *device;
    weir_scene *scene;
    sim_world *world;
    sim_team *team; /* several ranks: `world` is that of the first; NULL: a single one */
    weir_device *devices[WEIR_MAX_RANKS]; /* of the later ranks of this process, from 1 on */
    weir_comm *comm;                      /* the later ranks are its processes; NULL: threads */
    api_snapshot_pool *slots;
    api_whitewater *whitewater; /* NULL: the scene has no whitewater */
    void (*yield)(void *user);  /* weir_sim_set_yield; NULL: none */
    void *yield_user;
    double slice_ms;
    bool yielding; /* `yield` is being called */
};

/* Reads the body poses of the snapshot, or with NULL those after the last frame. Errors: MEMORY,
 * those of sim_wait. */
weir_result api_read_body_poses(sim_world *world, const sim_snapshot *slot, api_poses *bodies);
/* Poses of bodies that the caller sets for stored frames. */
typedef struct api_posed_bodies {
    struct body_mass_properties
        *mass_properties; /* of the scene's bodies; NULL until the first call */
    api_poses bodies;     /* empty: no poses have been set */
} api_posed_bodies;
typedef struct api_pose_def {
    const weir_log *log;
    const scene_data *scene;
    const struct weir_body_pose *poses;
    uint32_t count;
} api_pose_def;
/* Checks poses set by the caller. Errors: ARGUMENT (wrong count, or an invalid pose). */
weir_result api_pose_def_check(const api_pose_def *placing);
/* Stores poses set by the caller. Errors: MEMORY, those of body_compute_mass_properties. */
struct solid_set;
weir_result api_set_body_poses(const api_pose_def *placing, const struct solid_set *solids,
                               api_posed_bodies *posed_bodies);
void api_posed_bodies_free(api_posed_bodies *posed_bodies);
/* Reads the poses of host-driven solids at the end of the last submitted frame. Errors: MEMORY. */
weir_result api_read_driven_poses(const sim_world *world, api_poses *solids);
weir_result api_poses_copy(const api_poses *from, api_poses *to);
void api_poses_free(api_poses *poses);
/* Creates a simulation. Errors: those of sim_create_with_options. */
weir_result api_sim_create(weir_device *device, const weir_scene *scene,
                           const sim_create_options *options, weir_sim **sim);
sim_body_motion api_body_motion(const weir_body *body);
/* Checks a position and a unit quaternion. Errors: ARGUMENT; the message contains `name`. */
weir_result api_pose_check(const weir_log *log, const char *name, const float position[3],
                           const float rotation[4]);
void scene_distance_destroy(weir_device *device, scene_distance **solids);
/* Adds a reference to the scene. */
void api_scene_retain(weir_scene *scene);
/* Releases a reference; the last one frees the scene. */
void api_scene_release(weir_scene *scene);
/* Releases a reference to the pool; the last one frees it. */
void api_snapshot_pool_release(weir_device *device, api_snapshot_pool **slots);
/* Creates points with a snapshot from the pool; NULL when memory runs out. */
weir_points *api_points_from_sim(weir_sim *sim);
/* Reads counts, body poses and deformables of points from weir_vulkan_step. Waits unless they are
 * known. */
weir_result api_points_wait_counts(weir_points *points);
struct weir_vulkan_submit;
/* Checks `submit`; NULL is valid. Errors: ARGUMENT. */
weir_result api_submit_check(const weir_log *log, const struct weir_vulkan_submit *submit);
/* Steps like weir_sim_step; `slot` and `submission` are as in sim_step_with_snapshot. */
weir_result api_sim_step(weir_sim *sim, double seconds, sim_snapshot *slot,
                         const struct weir_vulkan_submit *submission);
/* Copies lambda into the points. Errors: ARGUMENT (no longer available), MEMORY. */
weir_result api_points_read_lambda(weir_points *points);
/* Refuses a function that simulations on several devices do not have. Errors: UNSUPPORTED. */
weir_result api_require_one_device(const weir_sim *sim);
void api_release_ranks(weir_sim *sim);
/* Returns the log of the device; NULL for a NULL device. */
const weir_log *api_log(const weir_device *device);
/* Uploads 16-byte vectors: three floats of `from` each, then `w`. */
weir_result api_upload_vectors(weir_device *device, gpu_buffer *buffer, const float *from, float w);
/* Returns whether the path has the extension, ignoring case; `extension` is lower case, without
 * dot. */
bool api_has_extension(const char *path, const char *extension);
/* Returns the names of an enumeration, "a, b and c"; NULL without memory. Free with base_free. */
char *api_list_names(weir_enum of);
/* Finds the file format that the path's extension names; returns false when there is none. */
bool api_format_from_extension(const char *path, weir_enum formats, uint32_t *format);

/* Checks the names and sizes of attributes that a caller requests. */
weir_result api_check_attribute_names(const weir_log *log, const weir_attribute *attributes,
                                      uint32_t count);
/* Returns those attributes, which have been checked. */
base_attributes api_requested_attributes(const weir_attribute *attributes, uint32_t count);
/* Lists the attributes that a file had, in `list` [BASE_MAX_ATTRIBUTES]; returns their number. */
uint32_t api_list_attribute_values(const io_particles *read, weir_attribute_values *list);
/* Checks the attributes of points that a caller gives. */
weir_result api_check_attributes(const weir_log *log, const weir_points_def *def);

#endif
