/* mesher: declarations shared by the module's files that work on the device. */
#ifndef WEIR_MESHER_INTERNAL_H
#define WEIR_MESHER_INTERNAL_H

#include "mesher.h"

#include "mesh/shaders.h"
#include "shared/mesh.h"

/* Passes run in phases: after a phase the host knows the sizes that the next one needs. Phases
 * whose sizes are known run together, with a single wait. */
enum mesher_phase {
    MESHER_PHASE_BOUNDS,       /* bounding box of the particles */
    MESHER_PHASE_ELLIPSOIDS,   /* ellipsoids of the anisotropic field */
    MESHER_PHASE_SUPER_BLOCKS, /* active super blocks */
    MESHER_PHASE_BLOCKS,       /* active blocks */
    MESHER_PHASE_BINS,         /* sorting particles into bins */
    MESHER_PHASE_SLOTS,        /* blocks of a batch */
    MESHER_PHASE_FIELD,        /* field; counts of vertices and triangles */
    MESHER_PHASE_OUTPUT,       /* vertices and triangles */
    MESHER_PHASE_ATTRIBUTES,   /* attributes at the vertices: up to seven phases */
    MESHER_PHASES = MESHER_PHASE_ATTRIBUTES + 7
};
#define MESHER_ATTRIBUTE_PHASES ((uint32_t)(MESHER_PHASES - MESHER_PHASE_ATTRIBUTES))

#define MESHER_PHASE_PASSES 20u

typedef struct mesher_pass_list {
    gpu_pass passes[MESHER_PHASE_PASSES]; /* their buffers may no longer exist after the run */
    weir_pass_time pass_reports[MESHER_PHASE_PASSES];
    uint32_t count;
} mesher_pass_list;

/* All buffers on the device. Their sizes grow, and are kept for the next frame. */
typedef struct mesher_buffers {
    /* By name and by binding number: shaders/shared/mesh_buffers.def. Those of other modules are
     * NULL. */
    union {
        struct {
#define BUFFER(name, type, count, each, more) gpu_buffer *name;
#define EXTERNAL(name, type, amount, owner) gpu_buffer *name;
#include "shared/mesh_buffers.def"
        };
        gpu_buffer *bound[MESH_BINDINGS];
    };
    gpu_buffer *phase_values[MESHER_ATTRIBUTE_PHASES]; /* `vertex_values` of each attribute phase */
    gpu_buffer *sums;                                  /* tile sums of any scan */
    gpu_buffer *dummy;                                 /* in place of a buffer that is absent */
    gpu_buffer *download_staging;                      /* state and counts, for the host */
    gpu_buffer *output_staging;                        /* the output arrays, for the host */
} mesher_buffers;
#define MESHER_BUFFERS (sizeof(mesher_buffers) / sizeof(gpu_buffer *))

/* Part of a surface's arrays that is copied to the host in the same submission. */
typedef struct mesher_readback_size {
    uint32_t vertices, triangles;
} mesher_readback_size;

/* State of the current frame. */
typedef struct mesher_frame {
    const particle_view *points;
    gpu_buffer *positions; /* positions of the points, or smoothed centres */
    double cell_m;
    uint32_t super_block_total; /* super blocks in the particles' bounding box, active or not */
    uint32_t super_block_count, block_count, slot_count;
    /* of the batch; spray_count: of the frame */
    uint32_t vertex_count, triangle_count, spray_count;
    /* the field of the whole frame is stored, and its vertices and triangles are counted */
    bool counted;
    bool output_ready; /* the vertices, triangles and attributes are computed, too */
    bool to_host;      /* the surface is copied to the host, with attributes */
    mesher_readback_size readback;
    uint32_t waits; /* number of times that the host has waited for the device; tests check it */
} mesher_frame;

struct mesher {
    gpu_device *device;
    weir_mesher_def def;
    gpu_pipeline *pipelines[MESHER_SHADERS]; /* NULL: not needed for the def */
    grid_scan *scan;
    mesher_buffers buffers;
    struct mesh_params params;
    /* params of the previous frame, up to its blocks; super_blocks_x 0: none */
    struct mesh_params last;
    /* the previous surface was made in one batch; last_output_size is its size */
    bool last_was_single_batch;
    mesher_readback_size last_output_size;
    bool has_readback_staging; /* surfaces are copied into host-visible memory */
    bool speculates;           /* assumes the sizes of the previous frame: a wait is expensive */
    mesher_frame frame;
    mesher_pass_list pass_lists[MESHER_PHASES]; /* as last run, for mesher_pass_times */
    gpu_timers *timers[MESHER_PHASES];
    uint32_t max_blocks;
    uint64_t ticket; /* of the phase that was submitted last */
    mesher_device_surface device_surfaces[MESHER_DEVICE_SURFACES]; /* indexed by generation */
    uint64_t generation;                                           /* of the last surface */
    /* fits the ellipsoids of the anisotropic field */
    grid_anisotropy *anisotropy;
    /* the def that it was created for */
    grid_anisotropy_def ellipsoids;
    uint64_t ellipsoid_bytes;
};

/* Channels of the surface. Each is interpolated in a phase of its own, the first one together
 * with the velocity. */
enum mesher_attribute {
    MESHER_DENSITY,
    MESHER_FLUID,
    MESHER_NEIGHBOUR_COUNT,
    MESHER_VELOCITY_ONLY, /* the velocity only */
    MESHER_CARRIED,       /* the first four components of the particles' own attributes */
    MESHER_LAST_CARRIED = MESHER_CARRIED + 3,
    MESHER_ATTRIBUTES
};
/* Returns the buffer of the channel's values; NULL: not requested or not available. */
gpu_buffer *mesher_attribute_buffer(const mesher *m, enum mesher_attribute scalar);
/* Returns whether the velocity is requested and available. */
bool mesher_has_velocity(const mesher *m);
/* Returns whether the particles' neighbours must be counted. */
bool mesher_needs_weights(const mesher *m);

static inline const weir_log *mesher_log(const mesher *m)
{
    return gpu_device_log(m->device);
}

/* ---- pipelines.c ---------------------------------------------------------------------------- */

weir_result mesher_pipelines_create(mesher *m);

/* ---- buffers.c ------------------------------------------------------------------------------ */

weir_result mesher_create_fixed_buffers(mesher *m);
/* These functions enlarge buffers to what the frame is known to need; contents may be lost.
 * Errors: MEMORY. */
weir_result mesher_reserve_super_blocks(mesher *m);
weir_result mesher_reserve_blocks(mesher *m);
weir_result mesher_reserve_particles(mesher *m);
weir_result mesher_reserve_batch_blocks(mesher *m);
weir_result mesher_reserve_output(mesher *m);
weir_result mesher_reserve_staging(mesher *m, uint64_t words);
/* Returns the number of blocks for which there is room, including the counts of their vertices. */
uint32_t mesher_block_capacity(const mesher *m);
/* Writes the capacities for vertices and triangles to the params. */
void mesher_set_output_capacity(mesher *m);
void mesher_buffers_destroy(mesher *m);
/* Returns the bytes that the mesher may hold, and those that it holds. */
uint64_t mesher_memory_budget(const mesher *m);
uint64_t mesher_bytes_used(const mesher *m);
/* Returns the number of blocks whose field fits in the remaining memory. */
uint32_t mesher_max_slots(const mesher *m);
/* Returns whether the batch's vertices and triangles fit. */
bool mesher_output_fits(const mesher *m);

/* ---- passes.c ------------------------------------------------------------------------------- */

/* Fills m->pass_lists[phase] for the current frame. `constant`: for slots, whether there are
 * several batches; for attributes, MESHER_DENSITY and so on, plus MESHER_ATTRIBUTES if the
 * velocity is included. */
void mesher_build_passes(mesher *m, enum mesher_phase phase, uint32_t constant);
/* Returns the number of phases that interpolate the attributes. */
uint32_t mesher_attribute_phase_count(const mesher *m);

typedef struct mesher_phase_run {
    enum mesher_phase phase;
    uint32_t constant; /* of mesher_build_passes */
} mesher_phase_run;
/* Lists the phases that compute a batch's surface, with their constants. Returns their number. */
size_t mesher_output_phases(const mesher *m, mesher_phase_run *steps);
#define MESHER_OUTPUT_PHASES (1u + MESHER_ATTRIBUTE_PHASES)

/* ---- submit.c ------------------------------------------------------------------------------- */

/* Writes the params and submits phases that do not need sizes from each other, after waiting for
 * the previous submission. */
weir_result mesher_submit(mesher *m, const mesher_phase_run *steps, size_t count);
/* Submits phases, waits, and downloads the state and one word of each phase's count. */
weir_result mesher_submit_and_wait(mesher *m, const mesher_phase_run *steps, size_t count);
weir_result mesher_run_one_phase(mesher *m, enum mesher_phase phase, uint32_t constant);
/* Return the values that the last submission downloaded: the state, and the word of each phase. */
const struct mesh_state *mesher_downloaded_state(const mesher *m);
uint32_t mesher_downloaded_count(const mesher *m, enum mesher_phase phase);

/* ---- frame.c -------------------------------------------------------------------------------- */

/* Sets up the frame and runs all phases before the output; also the output if the sizes of the
 * previous frame suffice. Does nothing without points. `to_host`: with attributes. */
weir_result mesher_begin_frame(mesher *m, const particle_view *points, bool to_host);

/* ---- speculative.c -------------------------------------------------------------------------- */

/* Assumes the lattice of the previous frame, and its sizes as far as there is room. *assumed
 * receives the resulting params; its super_blocks_x is 0 if nothing is assumed. */
weir_result mesher_reuse_lattice(mesher *m, struct mesh_params *assumed);
/* Runs all phases that can run at once under these assumptions, from the bounds or the
 * ellipsoids on. */
weir_result mesher_run_speculative(mesher *m, enum mesher_phase first);

/* ---- readback.c ----------------------------------------------------------------------------- */

/* Plans to copy up to this many vertices and triangles to the host in the submissions that
 * compute them. */
weir_result mesher_plan_readback(mesher *m, uint32_t vertices, uint32_t triangles);
/* Records the copies of a phase's output after its passes. */
weir_result mesher_record_readback(mesher *m, enum mesher_phase phase);
/* Reads the first `size` bytes of one of the surface's arrays. Waits if that is more than was
 * planned. */
weir_result mesher_read_array(mesher *m, const gpu_buffer *array, size_t size, void *to);

/* ---- ellipsoids.c --------------------------------------------------------------------------- */

/* Prepares fitting ellipsoids to the particles in the frame's box of super blocks. Their centres
 * become the frame's positions. */
weir_result mesher_prepare_ellipsoids(mesher *m);

/* ---- batches.c ------------------------------------------------------------------------------ */

/* Computes field and surface of the whole frame, in as many batches as necessary. */
weir_result mesher_run_batches(mesher *m, mesher_surface *surface);

/* Computes the field of the whole frame in one batch, and the final numbers of its vertices and
 * triangles. Errors also: UNSUPPORTED if several batches are necessary. */
weir_result mesher_count_single_batch(mesher *m);

/* ---- presets.c ------------------------------------------------------------------------------ */

weir_result mesher_check_def(const weir_log *log, const weir_mesher_def *def);

#endif
