/* Output folders of runs, and what kind of file a path names.
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
    WEIR_PARTICLE_FORMAT_VTK,  /* legacy binary, with a .vtk.series beside the frames */
    WEIR_PARTICLE_FORMAT_BGEO, /* version 5, gzip */
    WEIR_PARTICLE_FORMAT_XYZ,  /* text, one particle a line */
    WEIR_PARTICLE_FORMAT_NPY,  /* one float32 array, [particles][components] */
    WEIR_PARTICLE_FORMAT_RAW,  /* float32 x y z of each particle, little-endian, without a header */
    WEIR_PARTICLE_FORMAT_COUNT,
} weir_particle_format;

typedef struct weir_output weir_output;

typedef struct weir_output_def {
    uint32_t cookie;
    weir_log log;
    const char *folder;                   /* made when missing; no default */
    weir_particle_format particle_format; /* of particles; default PLY */
    uint32_t fields;      /* bit (1u << field) for each; position is always written, and by RAW
                             alone; default position, velocity and id */
    uint32_t start_frame; /* number of frame 0 in file names; default 0 */
    uint32_t first_frame; /* particles and meshes of earlier frames are not written; default 0 */
    uint32_t last_frame;  /* nor those of later frames; default UINT32_MAX */
    bool y_up;            /* true, the default: as simulated; false: turned so that z is up */
    double scale;         /* factor of positions and velocities, above 0; default 1 */
    bool particles;       /* writes particles/particles_0001.ply and so on; default true. The
                             whitewater of scenes with whitewater becomes whitewater/whitewater_0001.ply
                             and so on */
    bool mesh;            /* makes and writes mesh/surface_0001.obj and so on */
    weir_mesh_format mesh_format; /* default OBJ */
    weir_mesher_def mesher;       /* its spray becomes mesh/spray_0001.ply and so on */
    bool mesh_refine;             /* refines meshes before they are written; default true */
    bool mesh_snap_to_solids;     /* refining takes the scene's solids into account */
    weir_mesh_refine_def
        refine; /* its scene and time_s are filled in when mesh_snap_to_solids is set */
    bool gauges_per_substep; /* gauges.csv has a line per substep; false: per frame */
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
WEIR_API weir_result weir_output_write_frame(weir_output *output);

/* Waits until what is queued has been written. A frame that could not be written has stayed in the
 * queue and is tried once more. Errors: IO, MEMORY, of any frame. */
WEIR_API weir_result weir_output_flush(weir_output *output);

/* Finishes, then says in run.json that the run is complete. Errors: IO, MEMORY. */
WEIR_API weir_result weir_output_mark_complete(weir_output *output);

/* Finishes first; errors are then in the log alone. */
WEIR_API void weir_output_destroy(weir_output **output);

typedef enum weir_file_kind {
    WEIR_FILE_UNKNOWN,
    WEIR_FILE_SCENE,
    WEIR_FILE_PARTICLES,
    WEIR_FILE_MESH,
} weir_file_kind;

/* Decides by the extension; a PLY, VTK or BGEO file is a mesh when it has faces. UNKNOWN also for a
 * file that is missing. */
WEIR_API weir_file_kind weir_file_detect(const char *path);

#ifdef __cplusplus
}
#endif
#endif
