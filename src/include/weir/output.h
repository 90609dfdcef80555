/* Output folders of runs, and detection of file kinds.
 * weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_OUTPUT_PUBLIC_H
#define WEIR_OUTPUT_PUBLIC_H

#include "mesh.h"
#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weir_particle_format {
    WEIR_PARTICLE_FORMAT_PLY,  /* binary little-endian */
    WEIR_PARTICLE_FORMAT_VTK,  /* legacy binary, with a .vtk.series next to the frames */
    WEIR_PARTICLE_FORMAT_BGEO, /* version 5, gzip */
    WEIR_PARTICLE_FORMAT_XYZ,  /* text, one particle per line */
    WEIR_PARTICLE_FORMAT_NPY,  /* one float32 array, [particles][components] */
    WEIR_PARTICLE_FORMAT_RAW,  /* float32 x y z of each particle, little-endian, without a header */
    WEIR_PARTICLE_FORMAT_VTP,  /* VTK's XML, binary, with a .vtp.series next to the frames */
    WEIR_PARTICLE_FORMAT_COUNT,
} weir_particle_format;

/* Returns whether files of the format hold other fields than positions. Any thread. */
WEIR_API bool weir_particle_format_has_fields(weir_particle_format format);

typedef struct weir_output weir_output;

typedef struct weir_output_def {
    uint32_t cookie;
    weir_log log;
    const char *folder;                   /* created if missing; no default */
    weir_particle_format particle_format; /* default PLY */
    /* Fields of particles to write: bit (1u << weir_field) for each. Position is always written,
     * and RAW contains nothing else. Default position, velocity and id. */
    uint32_t fields;
    uint32_t start_frame; /* number of frame 0 in file names; default 0 */
    uint32_t first_frame; /* first frame whose particles and mesh are written; default 0 */
    uint32_t last_frame;  /* last such frame; default UINT32_MAX */
    bool y_up;            /* true, the default: axes as simulated; false: rotated so that z is up */
    double scale;         /* factor for positions and velocities, above 0; default 1 */
    /* Writes particles/particles_0001.ply and so on, and for scenes with whitewater also
     * whitewater/whitewater_0001.ply and so on; default true. */
    bool particles;
    bool mesh;                    /* computes and writes mesh/surface_0001.obj and so on */
    weir_mesh_format mesh_format; /* default OBJ */
    weir_mesher_def mesher;       /* spray is written to mesh/spray_0001.ply and so on */
    bool mesh_refine;             /* refines meshes before they are written; default true */
    /* Refinement moves the surface onto the scene's solids and closed sides; default true. */
    bool mesh_snap_to_solids;
    /* Settings of mesh_refine; mesh_snap_to_solids sets their `scene` and `time_s`. */
    weir_mesh_refine_def refine;
    bool gauges_per_substep; /* gauges.csv has one line per substep; false: per frame */
    bool resume; /* keeps the lines of stats.csv up to the current frame; false: a new file */
    /* What the simulation started from instead of the scene's fills, such as "out/dam:30", for
     * run.json; default empty. */
    char started_from[256];
} weir_output_def;

/* Returns a def with all defaults. */
WEIR_API weir_output_def weir_output_def_default(void);

/* Reads the settings recorded in a run.json: all except `log`, `folder` and `resume`. Leaves the
 * def unchanged when the file is a scene instead. `def` has no default and must not be NULL.
 * Errors: IO (also when a setting is missing or invalid). */
WEIR_API weir_result weir_output_def_read(const char *path, weir_output_def *def);

/* Changes one of the settings of meshes that run.json records under "output"."mesh", by its name
 * there: "iso_value=0.5", "smooth_method=taubin", "clamp_to_box=true", "clamp_min=[0,0,0]". `def`
 * has no default and must not be NULL. Errors: ARGUMENT (no such setting, or a value of another
 * type). */
WEIR_API weir_result weir_output_def_set_mesh(weir_output_def *def, const char *assignment);

/* Opens an output folder and writes run.json, from which weir_scene_load and weir_output_def_read
 * repeat the run. A writer thread of the output writes frames while the simulation continues. A
 * file appears complete or not at all. Destroy the output before the simulation. Waits. `def` has
 * no default and must not be NULL. Errors: IO, MEMORY, UNSUPPORTED, those of weir_sim_wait. */
WEIR_API weir_result weir_output_create(const weir_output_def *def, weir_sim *sim,
                                        weir_output **output);

/* Queues the last finished frame and its lines of stats.csv and gauges.csv for writing. Waits, also
 * for space in the queue. Errors: IO and MEMORY, possibly of an earlier frame; those of
 * weir_sim_wait. */
WEIR_API weir_result weir_output_write_frame(weir_output *output);

/* Waits until all queued frames have been written. A frame that could not be written remains in the
 * queue and is retried once. Errors: IO and MEMORY, of any frame. */
WEIR_API weir_result weir_output_flush(weir_output *output);

/* Flushes the queue, then records in run.json that the run is complete, and the hash of its state
 * (weir_sim_get_state_hash). Errors: IO, MEMORY, those of weir_sim_wait. */
WEIR_API weir_result weir_output_mark_complete(weir_output *output);

/* Records in run.json that the run has ended before its last frame. With `reason` WEIR_OK it was
 * stopped and can be resumed: the hash of its state is recorded, too. Otherwise it has failed:
 * `reason` and `message` are recorded, and an error of this call is not logged. `message` may be
 * NULL. Does not flush the queue. Errors: IO, MEMORY; with WEIR_OK, those of weir_sim_wait. */
WEIR_API weir_result weir_output_mark_ended(weir_output *output, weir_result reason,
                                            const char *message);

/* Flushes the queue, then closes the output. Errors are only logged. */
WEIR_API void weir_output_destroy(weir_output **output);

typedef enum weir_file_kind {
    WEIR_FILE_UNKNOWN,
    WEIR_FILE_SCENE,
    WEIR_FILE_PARTICLES,
    WEIR_FILE_MESH,
} weir_file_kind;

/* Detects the kind of a file from its extension; a PLY, VTK or BGEO file is a mesh if it contains
 * faces. Returns WEIR_FILE_UNKNOWN also for a missing file. */
WEIR_API weir_file_kind weir_file_detect(const char *path);

#ifdef __cplusplus
}
#endif
#endif
